//! Unpacks an entry into memory. Never unpacks more than the size that the directory states.

use super::{
    DEFLATED, STORED,
    read::{Archive, PackedData},
};
use crate::{error::Result, job::Job};
use miniz_oxide::inflate::{TINFLStatus, core};
use std::io::{self, Read};

/// Deflate expands at most by this factor (RFC 1951: two bits can stand for a match of 258 bytes).
const MAX_RATIO: u64 = 1032;

/// Bytes of packed data between two checks of the job's deadline.
const STEP: usize = 1 << 16;

impl Archive<'_> {
    /// Unpacks the first entry with this name. The result takes [`Entry::size`](super::read::Entry::size) bytes of
    /// memory, which the caller reserves beforehand.
    ///
    /// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) for an entry that is missing, encrypted, damaged, or
    /// compressed by another method than Deflate.
    pub fn read(&mut self, name: &str) -> Result<Vec<u8>> {
        let data = self.find(name)?;
        self.unpack(name, data)
    }

    /// Unpacks the entry with this number among [`entries`](Self::entries), like [`read`](Self::read).
    pub fn read_nth(&mut self, number: usize) -> Result<Vec<u8>> {
        let name = self.entries()[number].name.clone();
        let data = self.find_nth(number)?;
        self.unpack(&name, data)
    }

    /// Unpacks an entry into memory. Allocates no more than its compressed size can expand to.
    fn unpack(&mut self, name: &str, data: PackedData) -> Result<Vec<u8>> {
        let job = self.job;
        let unreadable =
            |why: &str| job.unreadable(format!("the part {name:?} of the ZIP archive {why}"));
        let failed = |_: io::Error| unreadable("is cut off");
        let most = match data.method {
            STORED => data.packed,
            DEFLATED => data.packed.saturating_mul(MAX_RATIO),
            _ => return Err(unreadable("is compressed with a method other than Deflate")),
        };
        let size = usize::try_from(data.size.min(most))
            .map_err(|_| unreadable("does not fit into memory"))?;
        let mut bytes = vec![0; size];
        if data.method == STORED {
            self.input.read_exact(&mut bytes).map_err(failed)?;
        } else {
            let packed = Read::take(&mut *self.input, data.packed);
            let whole = inflate(job, packed, &mut bytes)?;
            bytes.truncate(whole.ok_or_else(|| unreadable("is damaged"))?);
        }
        if crc32fast::hash(&bytes) != data.crc {
            return Err(unreadable("is damaged: its checksum is wrong"));
        }
        Ok(bytes)
    }
}

/// Unpacks bytes to at most `size` bytes, which the caller reserves. `None` if they are damaged or unpack to more.
pub fn unpacked(job: &Job<'_>, packed: &[u8], size: u64) -> Result<Option<Vec<u8>>> {
    let most = (packed.len() as u64).saturating_mul(MAX_RATIO);
    let mut bytes = vec![0; usize::try_from(size.min(most)).unwrap_or(0)];
    let whole = inflate(job, packed, &mut bytes)?;
    Ok(whole.map(|whole| {
        bytes.truncate(whole);
        bytes
    }))
}

/// Unpacks into `out` and returns the number of bytes. `None` if the data is damaged or does not fit.
fn inflate(job: &Job<'_>, mut packed: impl Read, out: &mut [u8]) -> Result<Option<usize>> {
    let mut state = Box::<core::DecompressorOxide>::default();
    let mut buffer = vec![0; STEP];
    let (mut from, mut to) = (0, 0);
    let mut at = 0;
    let mut last = false;
    loop {
        job.check()?;
        if from == to && !last {
            from = 0;
            to = match packed.read(&mut buffer) {
                Ok(read) => read,
                Err(err) if err.kind() == io::ErrorKind::Interrupted => continue,
                Err(_) => return Ok(None),
            };
            last = to == 0;
        }
        let mut flags = core::inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
        if !last {
            flags |= core::inflate_flags::TINFL_FLAG_HAS_MORE_INPUT;
        }
        let (status, read, written) =
            core::decompress(&mut state, &buffer[from..to], out, at, flags);
        from += read;
        at += written;
        match status {
            TINFLStatus::Done => return Ok(Some(at)),
            TINFLStatus::NeedsMoreInput if !last => {}
            _ => return Ok(None),
        }
    }
}
