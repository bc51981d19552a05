//! Reads the directory of a ZIP archive, and finds its entries. Does not decompress them.
//!
//! An archive is read from its end, where the directory is. Only the directory determines the entries and their
//! offsets; data between entries is ignored. A ZIP bomb has one of three forms, and a different check stops each. An
//! entry may be compressed a thousandfold: its size is known before it is decompressed, so the caller reserves the
//! memory first. Entries may share the same bytes: such an archive is refused when it is opened. An entry may be larger
//! than it states: it is cut off at the stated size.

use super::{DIRECTORY_END, DIRECTORY_END_64, DIRECTORY_ENTRY, DIRECTORY_LOCATOR_64, LOCAL_HEADER};
use crate::{
    error::{Error, Kind, Reason, Result},
    job::{Input, Job},
};
use std::{
    collections::HashMap,
    io::{self, SeekFrom},
};

/// An archive that is being read.
pub struct Archive<'a> {
    pub(super) job: &'a Job<'a>,
    pub(super) input: &'a mut dyn Input,
    entries: Vec<Entry>,
    by_name: HashMap<Box<str>, usize>,
}

/// A file in an archive.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its name, with `/` between folders. It may contain anything (`..`, a drive), so it is never used as a path.
    pub name: Box<str>,
    /// Its unpacked size in bytes, which is also the limit when it is unpacked.
    pub size: u64,
    method: u16,
    encrypted: bool,
    packed: u64,
    header: u64,
    crc: u32,
}

/// Length and compression of an entry's packed bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct PackedData {
    pub(super) method: u16,
    /// The length of the packed bytes, which begin at the input's position.
    pub(super) packed: u64,
    /// The maximum length of the unpacked bytes.
    pub(super) size: u64,
    pub(super) crc: u32,
}

impl<'a> Archive<'a> {
    /// Longest directory that is read, in bytes. The directories of the largest documents have some hundred thousand
    /// bytes.
    const MAX_DIRECTORY: u64 = 16 << 20;

    /// Upper bound on the memory for the directory of the input, in bytes.
    ///
    /// Errors: [`Kind::BadInput`] if the input cannot be read.
    pub fn memory(job: &Job<'_>, input: &mut dyn Input) -> Result<u64> {
        Ok((1 << 20) + directory_memory(job, input)?)
    }

    /// Reads the directory. [`memory`](Self::memory) and [`directory_memory`] bound the memory that this takes.
    ///
    /// Errors: [`Kind::BadInput`] if there is no directory, or if entries share bytes.
    pub fn open(job: &'a Job<'a>, input: &'a mut dyn Input) -> Result<Self> {
        let failed = |err: io::Error| job.unreadable(err);
        let len = input.seek(SeekFrom::End(0)).map_err(failed)?;
        let end = find_end(input, len).map_err(failed)?;
        let end = end.ok_or_else(|| {
            job.unreadable("it is cut off: the directory at the end of the ZIP archive is missing")
        })?;
        if end.size > Self::MAX_DIRECTORY {
            return Err(
                job.unreadable("the directory of the ZIP archive is larger than 16 MiB, the limit")
            );
        }
        // Data before the archive, such as the program of a self-extracting archive, shifts all offsets.
        let start = end.position.saturating_sub(end.size);
        let moved = start.saturating_sub(end.offset);
        let directory = read_at(input, start, end.size as usize).map_err(failed)?;
        let entries = parse_directory(&directory, moved)
            .ok_or_else(|| job.unreadable("the directory of the ZIP archive is damaged"))?;
        if shares_bytes(&entries, start) {
            return Err(job.unreadable("entries of the ZIP archive overlap"));
        }
        let mut by_name = HashMap::with_capacity(entries.len());
        for (number, entry) in entries.iter().enumerate() {
            by_name.entry(entry.name.clone()).or_insert(number);
        }
        Ok(Self {
            job,
            input,
            entries,
            by_name,
        })
    }

    /// All entries, in the order of the directory.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The first entry with this name.
    pub fn entry(&self, name: &str) -> Option<&Entry> {
        self.by_name.get(name).map(|number| &self.entries[*number])
    }

    /// Finds the first entry with this name, and moves the input to its packed bytes.
    ///
    /// Errors: [`Kind::BadInput`] for an entry that is missing, encrypted, or not where the directory says.
    pub(super) fn find(&mut self, name: &str) -> Result<PackedData> {
        match self.by_name.get(name) {
            Some(&number) => self.find_nth(number),
            None => Err(self.job.unreadable(format!("the part {name:?} is missing"))),
        }
    }

    /// Finds the entry with this number among [`entries`](Self::entries), and moves the input to its packed bytes. The
    /// errors are those of [`find`](Self::find).
    pub(super) fn find_nth(&mut self, number: usize) -> Result<PackedData> {
        let job = self.job;
        let entry = self.entries[number].clone();
        let name = &*entry.name;
        if entry.encrypted {
            return Err(Error::new(
                Kind::BadInput,
                "the file is encrypted: remove the password and send it again",
            )
            .because(Reason::Encrypted));
        }
        let unreadable =
            |why: &str| job.unreadable(format!("the part {name:?} of the ZIP archive {why}"));
        let failed = |_: io::Error| unreadable("is cut off");
        let header = read_at(self.input, entry.header, 30).map_err(failed)?;
        if header[..4] != LOCAL_HEADER {
            return Err(unreadable(
                "is not at the position that the directory states",
            ));
        }
        let skipped = u64::from(le16(&header, 26)) + u64::from(le16(&header, 28));
        let start = entry.header + 30 + skipped;
        self.input.seek(SeekFrom::Start(start)).map_err(failed)?;
        Ok(PackedData {
            method: entry.method,
            packed: entry.packed,
            size: entry.size,
            crc: entry.crc,
        })
    }
}

/// Upper bound on the memory that [`Archive::open`] needs, in bytes: eight times the length of the directory, which is at
/// most `Archive::MAX_DIRECTORY`; 0 if no directory is found.
///
/// Errors: [`Kind::BadInput`] if the input cannot be read.
pub fn directory_memory(job: &Job<'_>, input: &mut dyn Input) -> Result<u64> {
    let failed = |err: io::Error| job.unreadable(err);
    let len = input.seek(SeekFrom::End(0)).map_err(failed)?;
    let end = find_end(input, len).map_err(failed)?;
    Ok(end.map_or(0, |end| 8 * end.size.min(Archive::MAX_DIRECTORY)))
}

/// Position of the directory, as the end record states it. In a ZIP64 archive this is the larger end record.
pub(super) struct End {
    /// Offset of the end record in the input, in bytes.
    pub(super) position: u64,
    /// Length of the directory in bytes.
    pub(super) size: u64,
    /// Offset of the directory from the beginning of the archive, which other data may precede, in bytes.
    offset: u64,
}

/// Finds the end record, which only a comment of up to 65,535 bytes may follow.
pub(super) fn find_end(input: &mut dyn Input, len: u64) -> io::Result<Option<End>> {
    let window = len.min(22 + 65_535);
    let start = len - window;
    let tail = read_at(input, start, window as usize)?;
    let Some(at) =
        memchr::memmem::rfind_iter(&tail, &DIRECTORY_END).find(|at| tail.len() - at >= 22)
    else {
        return Ok(None);
    };
    let position = start + at as u64;
    let mut end = End {
        position,
        size: le32(&tail, at + 12).into(),
        offset: le32(&tail, at + 16).into(),
    };
    // ZIP64: a locator of 20 bytes before the end record points to a second record with wider numbers.
    if position >= 20 {
        let locator = read_at(input, position - 20, 20)?;
        if locator[..4] == DIRECTORY_LOCATOR_64 {
            let offset = le64(&locator, 8);
            if offset <= len.saturating_sub(56) {
                let larger = read_at(input, offset, 56)?;
                if larger[..4] == DIRECTORY_END_64 {
                    end = End {
                        position: offset,
                        size: le64(&larger, 40),
                        offset: le64(&larger, 48),
                    };
                }
            }
        }
    }
    Ok((end.size <= end.position).then_some(end))
}

/// Parses the central directory (APPNOTE 4.3.12). `moved` is the length of the data before the archive. The offsets in
/// the directory are relative to the archive, so `moved` is added.
fn parse_directory(directory: &[u8], moved: u64) -> Option<Vec<Entry>> {
    let mut entries = Vec::new();
    let mut rest = directory;
    while rest.len() >= 46 && rest[..4] == DIRECTORY_ENTRY {
        let name_end = 46 + usize::from(le16(rest, 28));
        let extra_end = name_end + usize::from(le16(rest, 30));
        let end = extra_end + usize::from(le16(rest, 32));
        let name = rest.get(46..name_end)?;
        let extra = rest.get(name_end..extra_end)?;
        let [size, packed, header] = sizes(rest, extra);
        entries.push(Entry {
            name: normalise(name),
            size,
            method: le16(rest, 10),
            encrypted: le16(rest, 8) & 1 != 0,
            packed,
            header: header.checked_add(moved)?,
            crc: le32(rest, 16),
        });
        rest = rest.get(end..)?;
    }
    Some(entries)
}

/// The unpacked size, the packed size and the position of an entry. Values of 4 GiB and more are in an extra field
/// (4.5.3).
fn sizes(entry: &[u8], extra: &[u8]) -> [u64; 3] {
    let mut sizes = [24, 20, 42].map(|at| u64::from(le32(entry, at)));
    let mut rest = extra;
    while rest.len() >= 4 {
        let (kind, len) = (le16(rest, 0), usize::from(le16(rest, 2)));
        let field = &rest[4..rest.len().min(4 + len)];
        if kind == 1 {
            let mut large = field.chunks_exact(8);
            for size in &mut sizes {
                if *size == u64::from(u32::MAX)
                    && let Some(bytes) = large.next()
                {
                    *size = le64(bytes, 0);
                }
            }
        }
        rest = &rest[rest.len().min(4 + len)..];
    }
    sizes
}

/// Replaces the backslashes in a name by slashes, and removes `./` and slashes at its beginning. Old archives have such
/// names.
pub(super) fn normalise(name: &[u8]) -> Box<str> {
    let name = String::from_utf8_lossy(name).replace('\\', "/");
    name.trim_start_matches("./").trim_start_matches('/').into()
}

/// Returns whether two entries share bytes, or an entry reaches into the directory.
fn shares_bytes(entries: &[Entry], directory: u64) -> bool {
    let mut ranges: Vec<(u64, u64)> = entries
        .iter()
        .map(|entry| (entry.header, entry.packed.saturating_add(30)))
        .collect();
    ranges.sort_unstable();
    let mut end = 0;
    for (start, len) in ranges {
        if start < end {
            return true;
        }
        end = start.saturating_add(len);
    }
    end > directory
}

fn read_at(input: &mut dyn Input, position: u64, len: usize) -> io::Result<Vec<u8>> {
    input.seek(SeekFrom::Start(position))?;
    let mut bytes = vec![0; len];
    input.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// Reads a field of a record. Callers check the length of the record; a field that is missing nevertheless counts as 0.
fn field<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    let rest = bytes.get(at..).unwrap_or_default();
    rest.first_chunk().copied().unwrap_or([0; N])
}

pub(super) fn le16(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(field(bytes, at))
}

pub(super) fn le32(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(field(bytes, at))
}

fn le64(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(field(bytes, at))
}
