//! Workbooks of Excel 97 to 2003 (MS-XLS 2.2.10). The data of most records is encrypted. Record headers are not, but
//! they count for positions in the key stream.

use super::{
    EncryptedFormat, Passwords,
    binary::{Keys, Mixed},
    overwrite, stream, unsupported,
};
use crate::{
    containers::{cfb, fields::Fields},
    error::Result,
    job::Job,
};
use std::{io::Cursor, ops::Range};

pub(super) const KIND: EncryptedFormat = EncryptedFormat {
    formats: &["xls"],
    signature: cfb::SIGNATURE,
    is_locked: |job, input| Ok(password_record(&stream(job, input, STREAMS, BEGINNING)?).is_some()),
    unlock,
};

/// Names of the stream with the workbook, in Excel 97 and in Excel 5.
const STREAMS: &[&str] = &["Workbook", "Book"];

/// Length of the part of the stream in which FilePass is searched, in bytes. One or two small records precede it.
const BEGINNING: u64 = 4096;

/// Length of the blocks that have their own key, in bytes.
const BLOCK: usize = 1024;

/// Record that describes the encryption: FilePass (2.4.117).
const FILE_PASS: u16 = 0x2f;
/// Record type that replaces FilePass in the decrypted file, and is unknown to readers.
const UNKNOWN: u16 = 0xffff;

/// Record with the name and the position of a sheet: BoundSheet8 (2.4.28). Its position is not encrypted.
const BOUND_SHEET: u16 = 0x85;

/// Types of records that are not encrypted (2.2.10): BOF, FilePass, UsrExcl, FileLock, InterfaceHdr, RRDInfo and
/// RRDHead.
const PLAIN: &[u16] = &[0x809, FILE_PASS, 0x194, 0x195, 0xe1, 0x196, 0x138];

/// Returns the type of the record at a position of the stream, and the range of its data.
fn record(stream: &[u8], at: usize) -> Option<(u16, Range<usize>)> {
    let header = Fields(stream).part(at, 4);
    let begin = at + 4;
    let end = begin + usize::from(header.u16(2));
    (header.len() == 4).then(|| (header.u16(0), begin..end.min(stream.len())))
}

/// Returns the range of FilePass's data. `None` if the workbook is not encrypted.
fn password_record(stream: &[u8]) -> Option<Range<usize>> {
    let next = |(_, data): &(u16, Range<usize>)| record(stream, data.end);
    // FilePass follows the first record, or the record that marks a write-protected workbook, so the first four records
    // are searched.
    let mut records = std::iter::successors(record(stream, 0), next).take(4);
    records.find_map(|(kind, data)| (kind == FILE_PASS).then_some(data))
}

/// Decrypts a workbook (MS-XLS 2.2.10). The key stream depends on positions in the stream of the workbook.
fn unlock(job: &Job<'_>, file: Vec<u8>, passwords: &Passwords<'_>) -> Result<Vec<u8>> {
    let mut file = Cursor::new(file);
    let mut bytes = stream(job, &mut file, STREAMS, u64::MAX)?;
    let Some(header) = password_record(&bytes) else {
        return Err(job.unreadable("its encryption header is cut short"));
    };
    let fields = Fields(&bytes[header.clone()]);
    if fields.u16(0) != 1 || fields.len() < 8 {
        return Err(unsupported("the method of Excel 95"));
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
