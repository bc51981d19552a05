//! Encodes the records of a ZIP archive that surround the data (APPNOTE 4.3.7, 4.3.12, 4.3.14 to 4.3.16). Does no
//! output itself.
//!
//! ZIP64's wider numbers are used only if 32 or 16 bits are not enough, or may not be enough. They are in an extra
//! field, and all bits of the narrow field are set. A local header has either the two lengths in that field or no such
//! field, so its length depends only on the size of the entry, and is known before the entry is compressed.

use super::{DIRECTORY_END, DIRECTORY_END_64, DIRECTORY_ENTRY, DIRECTORY_LOCATOR_64, LOCAL_HEADER};

/// 1 January 1980, the earliest date that an entry can have (4.4.6).
pub const NO_DATE: Moment = Moment {
    time: 0,
    date: (1 << 5) | 1,
};

/// The flag for names in UTF-8 (4.4.4, bit 11).
const UTF8: u16 = 1 << 11;

/// Least size of an entry that counts as large: a little below 4 GiB, because Deflate can make data longer by a few
/// bytes in 32 KiB.
const LARGE: u64 = 0xfff0_0000;

/// Version of the specification that is needed to unpack Deflate (4.4.3): 2.0.
const PLAIN: u16 = 20;
/// Version of the specification that is needed to unpack ZIP64 (4.4.3): 4.5.
const WIDE: u16 = 45;

/// A moment as MS-DOS counts (4.4.6): in steps of two seconds, from 1980 to 2107.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    time: u16,
    date: u16,
}

impl Moment {
    /// Makes a date of numbers as people write them. A year before 1980 or after 2107 gives [`NO_DATE`].
    pub fn new(year: i32, [month, day, hour, minute, second]: [u8; 5]) -> Self {
        let [month, day, hour, minute, second] = [month, day, hour, minute, second].map(u16::from);
        match u16::try_from(year - 1980) {
            Ok(years @ 0..=127) => Self {
                time: hour << 11 | minute << 5 | (second / 2),
                date: years << 9 | month << 5 | day,
            },
            Ok(_) | Err(_) => NO_DATE,
        }
    }
}

/// Fields that the local header and the directory entry share. Lengths and positions are in bytes.
#[derive(Clone, Debug)]
pub struct Member {
    /// Path of the entry, with `/` between folders.
    pub name: Box<str>,
    /// Compression method (APPNOTE 4.4.5): 0 stores, 8 is Deflate.
    pub method: u16,
    /// Time of the last change.
    pub modified: Moment,
    /// CRC-32 of the unpacked bytes.
    pub crc: u32,
    /// Compressed length.
    pub packed: u64,
    /// Unpacked length.
    pub size: u64,
    /// Offset of the local header.
    pub start: u64,
}

impl Member {
    /// The length of [`local_header`](Self::local_header). It depends on `name` and `size` only.
    pub fn local_header_len(&self) -> u64 {
        let extra = if self.size >= LARGE { 20 } else { 0 };
        30 + self.name.len() as u64 + extra
    }

    /// Local header, which precedes the data.
    pub fn local_header(&self) -> Vec<u8> {
        let mut extra = Vec::new();
        let lengths = if self.size >= LARGE {
            extra.extend([1, 0, 16, 0]);
            extra.extend(self.size.to_le_bytes());
            extra.extend(self.packed.to_le_bytes());
            [u32::MAX; 2]
        } else {
            [narrow(self.packed), narrow(self.size)]
        };
        let mut header = LOCAL_HEADER.to_vec();
        self.common(&mut header, lengths, &extra);
        header.extend(self.name.as_bytes());
        header.extend(extra);
        header
    }

    /// Entry of the central directory.
    pub fn directory_entry(&self) -> Vec<u8> {
        let mut extra = Vec::new();
        // The wide lengths of a large entry are in both of its records, the local header and this one.
        let large = self.size >= LARGE;
        let mut fit = |number: u64, large: bool| {
            if large || number >= u32::MAX.into() {
                extra.extend(number.to_le_bytes());
                return u32::MAX;
            }
            narrow(number)
        };
        let size = fit(self.size, large);
        let packed = fit(self.packed, large);
        let start = fit(self.start, false);
        if !extra.is_empty() {
            let len = extra.len() as u8;
            extra.splice(0..0, [1, 0, len, 0]);
        }
        let mut entry = DIRECTORY_ENTRY.to_vec();
        let version = if extra.is_empty() { PLAIN } else { WIDE };
        entry.extend(version.to_le_bytes());
        self.common(&mut entry, [packed, size], &extra);
        // Length of the comment, disk number, and attributes: all 0.
        entry.extend([0; 10]);
        entry.extend(start.to_le_bytes());
        entry.extend(self.name.as_bytes());
        entry.extend(extra);
        entry
    }

    fn common(&self, record: &mut Vec<u8>, [packed, size]: [u32; 2], extra: &[u8]) {
        let version = if extra.is_empty() { PLAIN } else { WIDE };
        let Moment { time, date } = self.modified;
        for field in [version, UTF8, self.method, time, date] {
            record.extend(field.to_le_bytes());
        }
        for field in [self.crc, packed, size] {
            record.extend(field.to_le_bytes());
        }
        for len in [self.name.len(), extra.len()] {
            record.extend((len as u16).to_le_bytes());
        }
    }
}

/// Makes the central directory of these entries, which begins at `start`, and the records after it.
pub fn directory(members: &[Member], start: u64) -> Vec<u8> {
    let mut directory: Vec<u8> = members.iter().flat_map(Member::directory_entry).collect();
    let end = directory_end(members.len() as u64, directory.len() as u64, start);
    directory.extend(end);
    directory
}

/// The records after the central directory, which has `size` bytes from `start` on and this many entries.
pub(super) fn directory_end(entries: u64, size: u64, start: u64) -> Vec<u8> {
    let mut end = Vec::new();
    let few = u16::try_from(entries).ok().filter(|few| *few < u16::MAX);
    let fits = |number| number < u64::from(u32::MAX);
    if few.is_none() || !fits(size) || !fits(start) {
        end.extend(DIRECTORY_END_64);
        end.extend(44_u64.to_le_bytes());
        end.extend([WIDE.to_le_bytes(); 2].concat());
        end.extend([0; 8]);
        for number in [entries, entries, size, start] {
            end.extend(number.to_le_bytes());
        }
        end.extend(DIRECTORY_LOCATOR_64);
        end.extend([0; 4]);
        end.extend((start + size).to_le_bytes());
        end.extend(1_u32.to_le_bytes());
    }
    end.extend(DIRECTORY_END);
    end.extend([0; 4]);
    end.extend([few.unwrap_or(u16::MAX).to_le_bytes(); 2].concat());
    for number in [size, start] {
        end.extend(narrow(number).to_le_bytes());
    }
    end.extend([0; 2]);
    end
}

/// The number, or all bits set if it does not fit into 32 bits.
fn narrow(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(size: u64, start: u64) -> Member {
        Member {
            name: "a/ü.bin".into(),
            method: 0,
            modified: NO_DATE,
            crc: 7,
            packed: size,
            size,
            start,
        }
    }

    #[test]
    fn zip64_is_used_only_if_necessary() {
        #[track_caller]
        fn check(size: u64, start: u64, local_extra: usize, directory_extra: usize) {
            let member = member(size, start);
            let (local, entry) = (member.local_header(), member.directory_entry());
            assert_eq!(local.len() as u64, member.local_header_len());
            assert_eq!(local.len(), 30 + 8 + local_extra);
            assert_eq!(entry.len(), 46 + 8 + directory_extra);
        }
        check(0, 0, 0, 0);
        check(1 << 20, 1 << 31, 0, 0);
        check(1 << 20, 5 << 30, 0, 12);
        check(5 << 30, 0, 20, 20);
        check(5 << 30, 5 << 30, 20, 28);
    }

    #[test]
    fn many_entries_and_distant_directories_get_zip64_records() {
        #[track_caller]
        fn check(entries: u64, size: u64, start: u64, len: usize) {
            assert_eq!(directory_end(entries, size, start).len(), len);
        }
        check(0, 0, 0, 22);
        check(65_534, 1 << 20, 1 << 31, 22);
        check(65_535, 1 << 20, 1 << 31, 22 + 56 + 20);
        check(1, 100, 5 << 30, 22 + 56 + 20);
    }

    #[test]
    fn dates_are_stored_in_the_format_of_dos() {
        let moment = Moment::new(2026, [11, 22, 13, 5, 59]);
        assert_eq!(
            (moment.time, moment.date),
            (13 << 11 | 5 << 5 | 29, 46 << 9 | 11 << 5 | 22)
        );
        assert_eq!(Moment::new(1970, [1, 1, 0, 0, 0]), NO_DATE);
        assert_eq!(Moment::new(2200, [1, 1, 0, 0, 0]), NO_DATE);
    }
}
