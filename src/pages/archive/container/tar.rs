//! Tape archives (POSIX.1-2017, `pax`, "ustar Interchange Format"), with the long names and large numbers of GNU and
//! pax.
//!
//! An archive is a sequence of headers of 512 bytes, each followed by its file. It has no directory, so the headers are
//! walked to list the files. A header is recognised by its checksum and not by a signature, because the oldest archives
//! have no signature. Links, devices and sparse files are skipped and counted; a link is never followed.

use super::{Container, Member, links_left_out};
use crate::{
    error::{Error, Kind, Result},
    job::{Input, Job, Lease},
};
use std::io::{self, Read as _, Seek as _, SeekFrom};

/// Length of a header in bytes. Files are padded to a multiple of this length.
pub(super) const BLOCK: usize = 512;

/// Limit on the headers of an archive, including folders and links.
const MAX_HEADERS: usize = 200_000;

/// Limit on a long name or a list of pax records, in bytes. Longer ones are cut off.
const LONGEST: u64 = 64 << 10;

/// Memory of a member without its name, in bytes.
const OVERHEAD: u64 = 64;

/// An archive that is being read.
pub(super) struct Tar<'a> {
    job: &'a Job<'a>,
    input: Box<dyn Input + 'a>,
    members: Vec<Member>,
    /// Offset of the data of each member.
    places: Vec<u64>,
    skipped: Skipped,
    _unpacked: Option<Lease<'a>>,
    _list: Lease<'a>,
}

/// Counts of the entries that are not regular files, and whether the archive is broken.
#[derive(Debug, Default)]
struct Skipped {
    /// Number of hard and symbolic links.
    links: usize,
    /// Number of entries that are neither regular files nor links nor folders, such as devices and sparse files.
    others: usize,
    /// Whether the archive is damaged or cut off after the last member.
    is_broken: bool,
}

/// Returns whether a block is a header: its first byte may begin a name, and its checksum is right, as a sum of signed
/// or of unsigned bytes.
pub(in crate::archive) fn is_header(block: &[u8]) -> bool {
    let Some(block) = block.first_chunk::<BLOCK>() else {
        return false;
    };
    // The checksum field itself counts as eight spaces.
    let sum = |value: &dyn Fn(u8) -> i64| -> i64 {
        let bytes = block.iter().enumerate();
        let bytes = bytes.map(|(at, &byte)| if (148..156).contains(&at) { b' ' } else { byte });
        bytes.map(value).sum()
    };
    let stated = number(&block[148..156]).and_then(|sum| i64::try_from(sum).ok());
    // A name never begins with a control character, such as the NUL at the beginning of a block of zeros.
    let is_named = block[0] >= b' ';
    is_named
        && stated.is_some_and(|stated| {
            stated == sum(&|byte| byte.into()) || stated == sum(&|byte| byte.cast_signed().into())
        })
}

impl<'a> Tar<'a> {
    /// Lists an archive. `unpacked` is the lease for the input if the input is in memory.
    ///
    /// Errors: [`Kind::BadInput`] if the archive is damaged or cut off before its first file, or has more than
    /// [`MAX_HEADERS`] headers.
    pub(super) fn open(
        job: &'a Job<'a>,
        mut input: Box<dyn Input + 'a>,
        unpacked: Option<Lease<'a>>,
    ) -> Result<Self> {
        let failed = |err: io::Error| job.unreadable(err);
        let len = input.seek(SeekFrom::End(0)).map_err(failed)?;
        let mut walk = Walk {
            job,
            input: &mut *input,
            len,
            at: 0,
            members: Vec::new(),
            places: Vec::new(),
            skipped: Skipped::default(),
            list: job.empty_lease(),
        };
        walk.list()?;
        let (members, places, skipped, list) = (walk.members, walk.places, walk.skipped, walk.list);
        Ok(Self {
            job,
            input,
            members,
            places,
            skipped,
            _unpacked: unpacked,
            _list: list,
        })
    }
}

impl Container for Tar<'_> {
    fn members(&self) -> &[Member] {
        &self.members
    }

    fn read(&mut self, nth: usize) -> Result<Vec<u8>> {
        let cut_off = |_: io::Error| self.job.unreadable("it is cut off");
        self.input
            .seek(SeekFrom::Start(self.places[nth]))
            .map_err(cut_off)?;
        // No listed file is longer than the archive, so the size in its header cannot demand too much memory.
        let mut bytes = vec![0; self.members[nth].size as usize];
        self.input.read_exact(&mut bytes).map_err(cut_off)?;
        Ok(bytes)
    }

    fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::from_iter(links_left_out(self.skipped.links));
        match self.skipped.others {
            0 => {}
            1 => remarks.push(
                "An entry of the archive that is not a regular file (a device or a sparse file) was left out.".into(),
            ),
            count => remarks.push(format!(
                "{count} entries of the archive that are not regular files (devices or sparse files) were left out."
            )),
        }
        if self.skipped.is_broken {
            let last = self.members.last().map_or("", |member| &member.name);
            let last: String = last.chars().take(100).collect();
            remarks.push(format!(
                "The archive is damaged or cut off after {last}; later files were not read."
            ));
        }
        remarks
    }
}

/// State of the walk over the headers.
struct Walk<'w, 'a> {
    job: &'a Job<'a>,
    input: &'w mut dyn Input,
    len: u64,
    /// Offset of the next header.
    at: u64,
    members: Vec<Member>,
    places: Vec<u64>,
    skipped: Skipped,
    list: Lease<'a>,
}

/// Name and size from the extension headers of pax or GNU that precede the header of a file, for values that do not fit
/// into that header.
#[derive(Default)]
struct ExtendedHeader {
    name: Option<String>,
    size: Option<u64>,
    is_sparse: bool,
}

impl Walk<'_, '_> {
    /// Lists the files (POSIX.1-2017, pax): a header block of 512 bytes precedes each, and the data is padded to
    /// blocks. Headers of pax and GNU may come before, with long names or sizes.
    fn list(&mut self) -> Result<()> {
        let mut before = ExtendedHeader::default();
        for _ in 0..MAX_HEADERS {
            self.job.check()?;
            let Some(block) = self.block()? else {
                // The two empty blocks at the end of an archive may be missing, so the archive is broken only if its
                // last entry extends beyond its end.
                return self.end(self.at > self.len);
            };
            if block.iter().all(|byte| *byte == 0) {
                return self.end(false);
            }
            if !is_header(&block) {
                return self.end(true);
            }
            let size = number(&block[124..136]);
            let data = self.at;
            let size = match block[156] {
                // These types have no data, regardless of the size in the header.
                b'1' | b'2' | b'3' | b'4' | b'5' | b'6' => Some(0),
                b'L' | b'K' | b'x' | b'g' => size,
                _ => before.size.or(size),
            };
            let end = size.and_then(|size| size.checked_next_multiple_of(BLOCK as u64));
            let end = end.and_then(|filled| data.checked_add(filled));
            let (Some(size), Some(end)) = (size, end) else {
                return self.end(true);
            };
            self.at = end;
            match block[156] {
                b'L' => before.name = Some(text(&self.data(data, size)?)),
                b'x' => records(&self.data(data, size)?, &mut before),
                // Ignored: a long target of a link, and pax records for the whole archive.
                b'K' | b'g' => {}
                b'5' => before = ExtendedHeader::default(),
                b'1' | b'2' => {
                    self.skipped.links += 1;
                    before = ExtendedHeader::default();
                }
                b'0' | 0 | b'7' if !before.is_sparse => {
                    let name = before.name.take().unwrap_or_else(|| name(&block));
                    before = ExtendedHeader::default();
                    if data.saturating_add(size) > self.len {
                        return self.end(true);
                    }
                    self.add(&name, size, data)?;
                }
                _ => {
                    self.skipped.others += 1;
                    before = ExtendedHeader::default();
                }
            }
        }
        let text =
            format!("the archive has more than {MAX_HEADERS} entries, the limit: send it in parts");
        Err(Error::new(Kind::BadInput, text))
    }

    fn add(&mut self, name: &str, size: u64, place: u64) -> Result<()> {
        let name = name.trim_start_matches("./").trim_start_matches('/');
        self.list.grow(name.len() as u64 + OVERHEAD)?;
        self.members.push(Member {
            name: name.into(),
            size,
        });
        self.places.push(place);
        Ok(())
    }

    /// Ends the list. If the archive is broken before its first file, that is an error.
    fn end(&mut self, is_broken: bool) -> Result<()> {
        if is_broken && self.members.is_empty() {
            return Err(self
                .job
                .unreadable("it is damaged or cut off before its first file"));
        }
        self.skipped.is_broken = is_broken;
        Ok(())
    }

    /// Reads the block at the current offset, and advances the offset. `None` after the last complete block.
    fn block(&mut self) -> Result<Option<[u8; BLOCK]>> {
        let mut block = [0; BLOCK];
        if self.at.saturating_add(BLOCK as u64) > self.len {
            return Ok(None);
        }
        self.fill(self.at, &mut block)?;
        self.at += BLOCK as u64;
        Ok(Some(block))
    }

    /// Reads the data after a header: at most [`LONGEST`] bytes of it, and at most up to the end of the archive.
    fn data(&mut self, at: u64, size: u64) -> Result<Vec<u8>> {
        let remaining = self.len.saturating_sub(at);
        let mut data = vec![0; size.min(LONGEST).min(remaining) as usize];
        self.fill(at, &mut data)?;
        Ok(data)
    }

    fn fill(&mut self, at: u64, out: &mut [u8]) -> Result<()> {
        let failed = |err: io::Error| self.job.unreadable(err);
        self.input.seek(SeekFrom::Start(at)).map_err(failed)?;
        self.input.read_exact(out).map_err(failed)
    }
}

/// Reads a number field. If the highest bit of the first byte is set, the other bits are a big-endian number (a GNU
/// extension); otherwise the field contains octal digits in ASCII. `None` if the number is malformed or too large.
fn number(field: &[u8]) -> Option<u64> {
    let (&first, rest) = field.split_first()?;
    if first & 0x80 != 0 {
        let bytes = [first & 0x7f].into_iter().chain(rest.iter().copied());
        return bytes.into_iter().try_fold(0_u64, |number, byte| {
            Some(number.checked_mul(256)? + u64::from(byte))
        });
    }
    let digits = field.iter().skip_while(|byte| byte.is_ascii_whitespace());
    let digits = digits.take_while(|byte| !matches!(byte, 0 | b' '));
    digits.into_iter().try_fold(0_u64, |number, &digit| {
        let digit = char::from(digit).to_digit(8)?;
        number.checked_mul(8)?.checked_add(digit.into())
    })
}

/// Returns the name in a header. `ustar` stores the folder in a separate field, which is put before the name.
fn name(block: &[u8; BLOCK]) -> String {
    let name = text(&block[..100]);
    // GNU, whose signature differs, stores times in the field of the folder, so only `ustar` headers have a folder.
    let folder = match &block[257..265] {
        b"ustar\x0000" => text(&block[345..500]),
        _ => String::new(),
    };
    match folder.is_empty() {
        true => name,
        false => format!("{folder}/{name}"),
    }
}

/// The text up to the first NUL.
fn text(field: &[u8]) -> String {
    let text = field.split(|byte| *byte == 0).next().unwrap_or_default();
    String::from_utf8_lossy(text).into_owned()
}

/// Reads pax records into `before`, up to the first malformed one. Each consists of its length in decimal digits, a
/// space, `key=value` and a line end.
fn records(data: &[u8], before: &mut ExtendedHeader) {
    let mut rest = data;
    while let Some(space) = memchr::memchr(b' ', rest) {
        let len = std::str::from_utf8(&rest[..space]).ok();
        let len = len.and_then(|len| len.parse::<usize>().ok());
        let Some(record) = len.and_then(|len| rest.get(space + 1..len)) else {
            return;
        };
        rest = &rest[space + 1 + record.len()..];
        let record = String::from_utf8_lossy(record);
        let Some((key, value)) = record.trim_end_matches('\n').split_once('=') else {
            continue;
        };
        match key {
            "path" => before.name = Some(value.to_owned()),
            "size" => before.size = value.parse().ok(),
            _ if key.starts_with("GNU.sparse.") => before.is_sparse = true,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_octal_or_large() {
        #[track_caller]
        fn check(field: &[u8], expected: Option<u64>) {
            assert_eq!(number(field), expected);
        }
        check(b"0000644\0", Some(0o644));
        check(b"    644 ", Some(0o644));
        check(b"\0\0\0\0", Some(0));
        check(b"12x4", None);
        check(b"99", None);
        check(b"\x80\0\0\0\0\0\0\x02\0\0\0\0", Some(2 << 32));
        check(&[0xff; 12], None);
        check(b"", None);
    }

    #[test]
    fn records_give_names_and_sizes() {
        let mut before = ExtendedHeader::default();
        records(
            b"19 path=a b/\xc3\xa9 c d\n19 size=8589934592\n12 a=b",
            &mut before,
        );
        assert_eq!(before.name.as_deref(), Some("a b/\u{e9} c d"));
        assert_eq!(before.size, Some(8_589_934_592));
        for data in [&b"99 path=a\n"[..], b"x path=a\n", b"0 path=a\n", b"3 path"] {
            let mut before = ExtendedHeader::default();
            records(data, &mut before);
            assert_eq!(before.name, None);
        }
    }
}
