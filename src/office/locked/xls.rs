//! Workbooks of Excel 97 to 2003 (MS-XLS 2.2.10): what records hold is encrypted, but for a few of them; their headers
//! are not, though they count.

use super::{
    Kind, Passwords,
    binary::{Keys, Mixed},
    overwrite, stream, unsupported,
};
use crate::{
    containers::{cfb, fields::Fields},
    error::Result,
    job::Job,
};
use std::{io::Cursor, ops::Range};

pub(super) const KIND: Kind = Kind {
    formats: &["xls"],
    signature: cfb::SIGNATURE,
    is_locked: |job, input| Ok(password_record(&stream(job, input, STREAMS, BEGINNING)?).is_some()),
    unlock,
};

/// The stream of the workbook: that of Excel 97, and that of Excel 5.
const STREAMS: &[&str] = &["Workbook", "Book"];

/// Length of the beginning of a stream that says whether it is encrypted, in bytes: one or two small records precede.
const BEGINNING: u64 = 4096;

/// Number of bytes that share a key.
const BLOCK: usize = 1024;

/// The record that says how the workbook is encrypted (2.4.117), and what it is made, which no reader knows.
const FILE_PASS: u16 = 0x2f;
const UNKNOWN: u16 = 0xffff;

/// The record with the name of a sheet and its place, which is not encrypted (2.4.28).
const BOUND_SHEET: u16 = 0x85;

/// The records that are not encrypted: the beginnings of streams and what several users of a file look at.
const PLAIN: &[u16] = &[0x809, FILE_PASS, 0x194, 0x195, 0xe1, 0x196, 0x138];

/// The record at a place of the stream: its type, and where its data is.
fn record(stream: &[u8], at: usize) -> Option<(u16, Range<usize>)> {
    let header = Fields(stream).part(at, 4);
    let begin = at + 4;
    let end = begin + usize::from(header.u16(2));
    (header.len() == 4).then(|| (header.u16(0), begin..end.min(stream.len())))
}

/// Range of the data of the record FilePass.
fn password_record(stream: &[u8]) -> Option<Range<usize>> {
    let next = |(_, data): &(u16, Range<usize>)| record(stream, data.end);
    // Behind the beginning, and perhaps the mark of a workbook that is only to be read.
    let mut records = std::iter::successors(record(stream, 0), next).take(4);
    records.find_map(|(kind, data)| (kind == FILE_PASS).then_some(data))
}

/// Decrypts a workbook (MS-XLS 2.2.10): the data of records is encrypted by position in the stream, but record headers,
/// some whole records and the offsets of sheets are plain.
fn unlock(job: &Job<'_>, file: Vec<u8>, passwords: &Passwords<'_>) -> Result<Vec<u8>> {
    let mut file = Cursor::new(file);
    let mut bytes = stream(job, &mut file, STREAMS, u64::MAX)?;
    let Some(header) = password_record(&bytes) else {
        return Err(job.unreadable("its encryption header is cut short"));
    };
    let fields = Fields(&bytes[header.clone()]);
    if fields.u16(0) != 1 || fields.len() < 8 {
        return Err(unsupported("Excel 95 or in its way"));
    }
    let keys = Keys::find(fields.from(2), passwords)?;
    let mut mixed = Mixed::new(&keys, BLOCK);
    let mut next = 0;
    while let Some((kind, data)) = record(&bytes, next) {
        next = data.end;
        let skipped = match kind {
            _ if PLAIN.contains(&kind) => continue,
            BOUND_SHEET => 4.min(data.len()),
            _ => 0,
        };
        let begin = data.start + skipped;
        mixed.apply(begin, &mut bytes[begin..data.end]);
    }
    bytes[header.start - 4..header.start - 2].copy_from_slice(&UNKNOWN.to_le_bytes());
    overwrite(job, &mut file, STREAMS, &bytes)?;
    Ok(file.into_inner())
}
