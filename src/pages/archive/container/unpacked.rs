//! Bytes that are decompressed into memory. If their number is not known in advance, memory is leased step by step,
//! before it is used.

use crate::{
    error::{Error, Kind, Result},
    job::{Job, Lease},
};
use std::io::Cursor;

/// Limit on the decompressed size of a file, in bytes.
pub(super) const MAX_BYTES: u64 = 1 << 30;

/// Smallest step of an allocation, in bytes.
const STEP: usize = 1 << 20;

/// Bytes and the lease that covers them.
pub(super) struct Unpacked<'a> {
    job: &'a Job<'a>,
    bytes: Vec<u8>,
    lease: Lease<'a>,
    /// Number of bytes after the packed data that were ignored.
    pub(super) ignored: u64,
}

impl<'a> Unpacked<'a> {
    /// Starts without bytes.
    pub(super) fn new(job: &'a Job<'a>) -> Self {
        Self {
            job,
            bytes: Vec::new(),
            lease: job.empty_lease(),
            ignored: 0,
        }
    }

    /// Takes over bytes that are complete, with their lease.
    pub(super) fn whole(job: &'a Job<'a>, bytes: Vec<u8>, lease: Lease<'a>) -> Self {
        let ignored = 0;
        Self {
            job,
            bytes,
            lease,
            ignored,
        }
    }

    /// The error for a file that becomes too large.
    pub(super) fn too_large(job: &Job<'_>) -> Error {
        let text = format!(
            "the content of the {} file is larger than {MAX_BYTES} bytes, the limit: send it in parts",
            job.from.name
        );
        Error::new(Kind::BadInput, text)
    }

    /// Appends bytes, and checks the job's deadline.
    ///
    /// Errors: [`Kind::BadInput`] if there would be more than [`MAX_BYTES`]; those of the lease and of the deadline.
    pub(super) fn append(&mut self, more: &[u8]) -> Result<()> {
        self.job.check()?;
        let len = self.bytes.len() + more.len();
        if len as u64 > MAX_BYTES {
            return Err(Self::too_large(self.job));
        }
        let capacity = self.bytes.capacity();
        if len > capacity {
            // While the buffer grows, the old one and the new one, which is at least twice as large, are both in
            // memory.
            let wanted = len.max(capacity * 2).max(STEP);
            self.lease.set_exactly((capacity + wanted) as u64)?;
            self.bytes.reserve_exact(wanted - self.bytes.len());
            self.lease.set_exactly(wanted as u64)?;
        }
        self.bytes.extend_from_slice(more);
        Ok(())
    }

    /// Returns the bytes that have been added, and their lease.
    pub(super) fn finish(self) -> (Cursor<Vec<u8>>, Lease<'a>) {
        (Cursor::new(self.bytes), self.lease)
    }
}
