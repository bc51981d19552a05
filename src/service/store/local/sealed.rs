//! The file of a result: its bytes, followed by its record and checksums. One rename makes both visible and one flush
//! makes both durable. Does not choose the names of files.
//!
//! ```text
//! the result | record (JSON) | CRC-32 of the result | SipHash of record and CRC | length of the record | "cvt1"
//! ```
//!
//! The numbers have 32, 64 and 32 bits, little-endian. The record comes after the result, so that a download is a range
//! of the file, which the kernel sends without a copy. After a power cut a file may have its length but not its
//! contents. So a result that was found at start-up is compared with its checksum before its first delivery. The start
//! itself reads only the record.
//!
//! The trap: a converter that an attacker has taken over may still hold the file open. So the record is authenticated
//! by SipHash-2-4 with a key that only the service can read, and a record that anybody else has written is rejected.

use crate::{
    id::ConversionId,
    store::record::{Record, Saved},
};
use siphasher::{
    sip::SipHasher24,
    sip128::{self, Hasher128},
};
use std::{fs::File, hash::Hasher, io, os::unix::fs::FileExt};

const MAGIC: [u8; 4] = *b"cvt1";
/// Length of everything after the record, in bytes.
const FOOTER: usize = 20;
/// The longest record, in bytes. Names, options and notes are bounded where they are created, so no valid record is
/// longer.
pub(super) const MAX_RECORD: u64 = 4 << 20;
/// Size of the first read in bytes, chosen so that most records need only one.
const TAIL: u64 = 2048;

/// The key that authenticates the records of a data directory.
#[derive(Clone, Copy)]
pub(super) struct Key(u128);

impl Key {
    /// Makes the key from an identifier with 122 random bits, which has no other use.
    pub(super) fn new(secret: &ConversionId) -> Self {
        Self(secret.number())
    }

    /// Derives a key for another purpose. The derived key does not reveal this one.
    pub(super) fn derive(self, purpose: &str) -> [u8; 16] {
        let mut hasher = sip128::SipHasher24::new_with_key(&self.0.to_le_bytes());
        hasher.write(purpose.as_bytes());
        hasher.finish128().as_bytes()
    }

    /// Bytes to append to a result with this checksum.
    pub(super) fn trailer(self, record: &Record, checksum: u32) -> io::Result<Vec<u8>> {
        let mut trailer = serde_json::to_vec(&Saved::Ready(record.clone()))?;
        let (sum, len) = (self.sum(&trailer, checksum), trailer.len() as u32);
        trailer.extend(checksum.to_le_bytes());
        trailer.extend(sum.to_le_bytes());
        trailer.extend(len.to_le_bytes());
        trailer.extend(MAGIC);
        Ok(trailer)
    }

    /// The record of a result, and the checksum that its bytes must have. `None` if the file does not end with a valid
    /// record of `id`, or if its length does not match the record.
    pub(super) fn read(self, file: &File, id: &ConversionId) -> io::Result<Option<(Record, u32)>> {
        let len = file.metadata()?.len();
        let tail_len = len.min(TAIL);
        let mut tail = vec![0; tail_len as usize];
        file.read_exact_at(&mut tail, len - tail_len)?;
        let Some((before, footer)) = tail.split_last_chunk::<FOOTER>() else {
            return Ok(None);
        };
        let number = |from: usize, to: usize| {
            let bytes = footer[from..to].iter().rev();
            bytes.fold(0, |number, &byte| number << 8 | u64::from(byte))
        };
        let (checksum, sum, record_len) = (number(0, 4) as u32, number(4, 12), number(12, 16));
        let Some(size) = len.checked_sub(FOOTER as u64 + record_len) else {
            return Ok(None);
        };
        if footer[16..] != MAGIC || record_len > MAX_RECORD {
            return Ok(None);
        }
        let long;
        let json = match before.len().checked_sub(record_len as usize) {
            Some(start) => &before[start..],
            None => {
                let mut bytes = vec![0; record_len as usize];
                file.read_exact_at(&mut bytes, size)?;
                long = bytes;
                &long
            }
        };
        if self.sum(json, checksum) != sum {
            return Ok(None);
        }
        Ok(match Saved::parse(json, id) {
            Some(Saved::Ready(record)) if record.file_size == size => Some((record, checksum)),
            Some(_) | None => None,
        })
    }

    /// Returns whether a file has all the bytes of the result of `id`.
    pub(super) fn is_whole(self, file: &File, id: &ConversionId) -> io::Result<bool> {
        match self.read(file, id)? {
            Some((record, expected)) => Ok(checksum(file, record.file_size)? == expected),
            None => Ok(false),
        }
    }

    fn sum(self, json: &[u8], checksum: u32) -> u64 {
        let mut hasher = SipHasher24::new_with_key(&self.0.to_le_bytes());
        hasher.write(json);
        hasher.write(&checksum.to_le_bytes());
        hasher.finish()
    }
}

/// Returns the CRC-32 of the first `len` bytes of `file`.
pub(super) fn checksum(file: &File, len: u64) -> io::Result<u32> {
    let (mut hasher, mut at) = (crc32fast::Hasher::new(), 0);
    let mut buffer = vec![0; len.min(64 << 10) as usize];
    while at < len {
        let most = buffer.len().min((len - at) as usize);
        match file.read_at(&mut buffer[..most], at) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(read) => {
                hasher.update(&buffer[..read]);
                at += read as u64;
            }
            Err(err) if err.kind() == io::ErrorKind::Interrupted => {}
            Err(err) => return Err(err),
        }
    }
    Ok(hasher.finalize())
}
