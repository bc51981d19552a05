//! Walks over the chunks of a PNG file (W3C PNG, third edition, 5.3): a length (big-endian), a name, data, and a CRC,
//! which the decoder checks. Does not interpret chunks.

use convertd_core::{containers::bytes, job::Input};
use std::io::{self, SeekFrom};

/// The length of the signature before the first chunk, in bytes.
const SIGNATURE: u64 = 8;

/// A walk over the chunks of a file.
pub(crate) struct Walk<'i> {
    input: &'i mut dyn Input,
    /// The position in the file.
    at: u64,
    /// The distance to the next chunk in bytes.
    left: i64,
}

/// Length and type of a chunk, which precede its data.
pub(crate) struct Head {
    pub(crate) name: [u8; 4],
    /// The length of the data of the chunk in bytes.
    pub(crate) len: u32,
}

impl<'i> Walk<'i> {
    /// A walk that begins with the first chunk.
    pub(crate) fn new(input: &'i mut dyn Input) -> io::Result<Self> {
        input.seek(SeekFrom::Start(SIGNATURE))?;
        Ok(Self {
            input,
            at: SIGNATURE,
            left: 0,
        })
    }

    /// Reads the head of the next chunk. `None` at the end of the file, even in the middle of a chunk's length or name.
    pub(crate) fn next(&mut self) -> io::Result<Option<Head>> {
        self.input.seek_relative(self.left)?;
        let mut head = [0; 8];
        if self.input.read_exact(&mut head).is_err() {
            return Ok(None);
        }
        let [l0, l1, l2, l3, name @ ..] = head;
        let len = u32::from_be_bytes([l0, l1, l2, l3]);
        // The CRC of 4 bytes follows the data.
        self.at = self.at.saturating_add_signed(self.left) + head.len() as u64;
        self.left = i64::from(len) + 4;
        Ok(Some(Head { name, len }))
    }

    /// The position in the file, in bytes: after the name of the chunk, or after the data that has been read.
    pub(crate) fn position(&self) -> u64 {
        self.at
    }

    /// Reads the next `len` bytes of the chunk's data. The chunk must have this many bytes left.
    pub(crate) fn data(&mut self, len: u32) -> io::Result<Vec<u8>> {
        let data = bytes::read(self.input, len.into())?;
        self.at += u64::from(len);
        self.left -= i64::from(len);
        Ok(data)
    }
}
