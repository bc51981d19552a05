//! ZIP archives of results: packs results, and unpacks archives that the engine made. Stores files uncompressed,
//! because most results are compressed already.

use super::item::Item;
use crate::{
    containers::zip::{Member, NO_DATE, STORED, directory},
    error::{Error, Kind, Result},
};
use std::io::Write;

/// Signature of a local file header (APPNOTE 4.3.7).
const LOCAL_HEADER: [u8; 4] = *b"PK\x03\x04";
/// Length of a local file header without the name and the extra field, in bytes.
const HEADER_LEN: u64 = 30;
/// Limit on the names of entries in the engine's archives, in bytes.
const MAX_NAME: u64 = 4096;

/// Writes an archive of these files under the given names.
pub(super) fn pack(archive: &mut dyn Write, files: &[(String, &Item)]) -> Result<()> {
    let mut members = Vec::with_capacity(files.len());
    let mut start = 0;
    for (name, item) in files {
        let member = Member {
            name: name.as_str().into(),
            method: STORED,
            modified: NO_DATE,
            crc: checksum(item)?,
            packed: item.len(),
            size: item.len(),
            start,
        };
        archive
            .write_all(&member.local_header())
            .map_err(Error::unwritten)?;
        item.each_piece(|piece| archive.write_all(piece).map_err(Error::unwritten))?;
        start += member.local_header_len() + member.packed;
        members.push(member);
    }
    archive
        .write_all(&directory(&members, start))
        .map_err(Error::unwritten)
}

/// Returns the CRC-32 of a file. The header states the checksum, so it is computed before the data is written.
fn checksum(item: &Item) -> Result<u32> {
    let mut checksum = crc32fast::Hasher::new();
    item.each_piece(|piece| {
        checksum.update(piece);
        Ok(())
    })?;
    Ok(checksum.finalize())
}

/// Returns the files of an archive that the engine made. Its entries are stored one after another without gaps, so the
/// local headers suffice, and each file is a range of the archive.
///
/// Errors: [`Kind::BadInput`] if a file is too large for a header without ZIP64, or is compressed; and the errors of
/// reading the archive.
pub(super) fn unpack(archive: &Item) -> Result<Vec<Item>> {
    let mut files = Vec::new();
    let mut at = 0;
    while at + HEADER_LEN <= archive.len() {
        let header = archive.part(String::new(), at..at + HEADER_LEN);
        let header = header.bytes(HEADER_LEN)?;
        if !header.starts_with(&LOCAL_HEADER) {
            break;
        }
        // Little-endian numbers at their offsets in the header (APPNOTE 4.3.7). The engine writes an extra field only
        // for ZIP64.
        let short = |at: usize| u64::from(u16::from_le_bytes([header[at], header[at + 1]]));
        let long = |at: usize| short(at) | short(at + 2) << 16;
        let (method, packed, name, extra) = (short(8), long(18), short(26), short(28));
        let start = at + HEADER_LEN + name + extra;
        if method != u64::from(STORED) || extra > 0 || start + packed > archive.len() {
            let text = "a part of the result is too large to be taken out of its archive";
            return Err(Error::new(Kind::BadInput, text));
        }
        let name = archive.part(String::new(), at + HEADER_LEN..at + HEADER_LEN + name);
        let name = String::from_utf8_lossy(&name.bytes(MAX_NAME)?).into_owned();
        files.push(archive.part(name, start..start + packed));
        at = start + packed;
    }
    Ok(files)
}
