//! An output file in memory, such as the result for one file of an archive. Leases its memory from the job before it
//! allocates any.

use super::{Gate, Job, Lease, Output, too_large};
use crate::error::{Error, Result};
use std::io::{self, Cursor, Seek, SeekFrom, Write};

/// Smallest lease that is requested, in bytes, so that one request covers many small writes.
const STEP: u64 = 4 << 20;

/// An output file in memory.
pub struct InMemory<'s> {
    most: u64,
    lease: Lease<'s>,
    bytes: Cursor<Vec<u8>>,
    failed: Option<Error>,
}

impl<'s> InMemory<'s> {
    /// An empty file, which leases its memory from this job.
    pub fn new(job: &Job<'s>) -> Self {
        Self {
            most: job.gate.max_output(),
            lease: job.empty_lease(),
            bytes: Cursor::new(Vec::new()),
            failed: None,
        }
    }

    /// The bytes and the lease that covers them, or the error that stopped the output.
    pub fn finish(self) -> Result<(Vec<u8>, Lease<'s>)> {
        match self.failed {
            Some(error) => Err(error),
            None => Ok((self.bytes.into_inner(), self.lease)),
        }
    }

    fn grow(&mut self, len: u64) -> Result<()> {
        if len > self.most {
            return Err(too_large(self.most));
        }
        // A `Vec` that grows is copied into one of twice its size, so for a moment it takes three times its old size.
        // The lease is set to twice that need, so that the next writes need no request.
        match len.saturating_mul(3) {
            need if need > self.lease.bytes() => self.lease.set(need.saturating_mul(2).max(STEP)),
            _ => Ok(()),
        }
    }
}

impl Write for InMemory<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let end = self.bytes.position().saturating_add(bytes.len() as u64);
        if let Err(error) = self.grow(end) {
            let text = error.message().to_owned();
            self.failed.get_or_insert(error);
            return Err(io::Error::other(text));
        }
        self.bytes.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for InMemory<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.bytes.seek(to)
    }
}

impl Output for InMemory<'_> {
    fn clear(&mut self) -> io::Result<()> {
        self.bytes.clear()
    }
}
