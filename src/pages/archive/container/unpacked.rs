//! Bytes that are unpacked into memory, which is leased before it is used: nobody knows beforehand how many there will be.

use crate::{
    error::{Error, Kind, Result},
    job::{Job, Lease},
};
use std::io::Cursor;

/// The most bytes that a packed file may become.
pub(super) const MOST_BYTES: u64 = 1 << 30;

/// The least that is allocated at once, in bytes.
const STEP: usize = 1 << 20;

/// Bytes and the lease that covers them.
pub(super) struct Unpacked<'a> {
    job: &'a Job<'a>,
    bytes: Vec<u8>,
    lease: Lease<'a>,
}

impl<'a> Unpacked<'a> {
    /// Begins without bytes.
    pub(super) fn new(job: &'a Job<'a>) -> Self {
        Self {
            job,
            bytes: Vec::new(),
            lease: job.empty_lease(),
        }
    }

    /// Bytes that are all there.
    pub(super) fn whole(job: &'a Job<'a>, bytes: Vec<u8>, lease: Lease<'a>) -> Self {
        Self { job, bytes, lease }
    }

    /// The refusal of what becomes too large.
    pub(super) fn too_large(job: &Job<'_>) -> Error {
        let text = format!(
            "the {} file becomes larger than {MOST_BYTES} bytes, the most that is unpacked: send what is in it in parts",
            job.from.name
        );
        Error::new(Kind::BadInput, text)
    }

    /// Adds bytes, and checks the job's deadline.
    ///
    /// Errors: [`Kind::BadInput`] if they become more than [`MOST_BYTES`]; those of the lease and of the deadline.
    pub(super) fn append(&mut self, more: &[u8]) -> Result<()> {
        self.job.check()?;
        let len = self.bytes.len() + more.len();
        if len as u64 > MOST_BYTES {
            return Err(Self::too_large(self.job));
        }
        let capacity = self.bytes.capacity();
        if len > capacity {
            // A buffer that grows is copied into one of twice its size.
            let wanted = len.max(capacity * 2).max(STEP);
            self.lease.set_exactly((capacity + wanted) as u64)?;
            self.bytes.reserve_exact(wanted - self.bytes.len());
            self.lease.set_exactly(wanted as u64)?;
        }
        self.bytes.extend_from_slice(more);
        Ok(())
    }

    /// The bytes that have been added.
    pub(super) fn finish(self) -> (Cursor<Vec<u8>>, Lease<'a>) {
        (Cursor::new(self.bytes), self.lease)
    }
}
