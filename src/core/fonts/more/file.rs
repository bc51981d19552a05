//! The tables of a font in a file (OpenType 1.9, "Organization of an OpenType Font"). Does not interpret any table.

use std::{fs::File, os::unix::fs::FileExt};

/// The largest font that is used, in bytes.
pub(super) const MAX_LEN: u64 = 64 << 20;
/// Largest table that is read, in bytes.
const MAX_TABLE: u32 = 4 << 20;
/// Limit on the fonts of a collection that are used.
const MAX_FACES: u32 = 64;
/// Limit on the tables of a font.
const MAX_TABLES: usize = 128;

/// Tables that are not needed to set text: metrics for screens and vertical text, signatures, and obsolete tables.
const UNUSED: [&[u8; 4]; 10] = [
    b"BASE", b"DSIG", b"EBSC", b"JSTF", b"LTSH", b"PCLT", b"VDMX", b"VORG", b"hdmx", b"vmtx",
];

/// Positions of a font's tables in its file.
pub(super) struct Tables<'f> {
    file: &'f File,
    version: [u8; 4],
    records: Vec<Record>,
}

#[derive(Clone, Copy)]
struct Record {
    tag: [u8; 4],
    at: u32,
    len: u32,
}

/// Number of fonts in a file, at most [`MAX_FACES`]; 1 if the file is not a collection or cannot be read.
pub(super) fn faces(file: &File) -> u32 {
    let head = read(file, 0, 12);
    let head = head.filter(|head| head.starts_with(b"ttcf"));
    head.map_or(1, |head| long(&head, 8).unwrap_or(1).clamp(1, MAX_FACES))
}

impl<'f> Tables<'f> {
    /// Reads the positions of the tables of the font with the number `face` in the file.
    pub(super) fn of(file: &'f File, face: u32) -> Option<Self> {
        let mut start = 0;
        let mut head = read(file, 0, 12)?;
        if head.starts_with(b"ttcf") {
            let offset = read(file, 12 + 4 * u64::from(face.min(MAX_FACES)), 4)?;
            start = long(&offset, 0)?.into();
            head = read(file, start, 12)?;
        } else if face > 0 {
            return None;
        }
        let count = usize::from(u16::from_be_bytes([head[4], head[5]])).min(MAX_TABLES);
        let directory = read(file, start + 12, 16 * count)?;
        let record = |record: &[u8]| {
            Some(Record {
                tag: *record.first_chunk()?,
                at: long(record, 8)?,
                len: long(record, 12)?,
            })
        };
        Some(Self {
            file,
            version: *head.first_chunk()?,
            records: directory.chunks_exact(16).filter_map(record).collect(),
        })
    }

    /// Reads a table by its tag. `None` if the font lacks it, or if it is longer than [`MAX_TABLE`].
    pub(super) fn get(&self, tag: [u8; 4]) -> Option<Vec<u8>> {
        let record = self.records.iter().find(|record| record.tag == tag)?;
        (record.len <= MAX_TABLE).then(|| read(self.file, record.at.into(), record.len as usize))?
    }

    /// Makes a file with only the tables that are needed to set text.
    pub(super) fn without_unused(&self) -> Option<Vec<u8>> {
        let records = self.records.iter();
        let records = records.filter(|record| !UNUSED.contains(&&record.tag));
        let records: Vec<&Record> = records.collect();
        let padded = |len: u32| u64::from(len).next_multiple_of(4);
        let start = 12 + 16 * records.len();
        let len = records
            .iter()
            .fold(start as u64, |sum, record| sum + padded(record.len));
        if len > MAX_LEN {
            return None;
        }
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(len as usize).ok()?;
        bytes.extend(self.version);
        bytes.extend((records.len() as u16).to_be_bytes());
        // Three fields that speed up a binary search in the directory are 0, because no reader relies on them.
        bytes.extend([0; 6]);
        let mut at = start as u32;
        for record in &records {
            bytes.extend(record.tag);
            bytes.extend([0; 4]);
            bytes.extend(at.to_be_bytes());
            bytes.extend(record.len.to_be_bytes());
            at += padded(record.len) as u32;
        }
        bytes.resize(len as usize, 0);
        let mut at = start;
        for record in records {
            let table = &mut bytes[at..at + record.len as usize];
            self.file.read_exact_at(table, record.at.into()).ok()?;
            at += padded(record.len) as usize;
        }
        Some(bytes)
    }
}

fn read(file: &File, at: u64, len: usize) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(len).ok()?;
    bytes.resize(len, 0);
    file.read_exact_at(&mut bytes, at).ok()?;
    Some(bytes)
}

fn long(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(*bytes.get(at..)?.first_chunk()?))
}
