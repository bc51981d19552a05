//! Memory for the text of a part that is being written.

use crate::{
    error::Result,
    job::{Job, Lease},
};

/// Growth of a text, in bytes, after which its lease is extended.
const STEP: usize = 64 << 10;

/// Lease for a text that grows.
pub(crate) struct GrowingLease<'l> {
    job: &'l Job<'l>,
    lease: Lease<'l>,
    /// Length of the text in bytes for which the lease suffices.
    length: usize,
}

impl<'l> GrowingLease<'l> {
    /// Creates a lease for a short text.
    pub(crate) fn new(job: &'l Job<'l>) -> Result<Self> {
        Ok(Self {
            job,
            lease: job.lease(3 * STEP as u64)?,
            length: STEP,
        })
    }

    /// Leases memory for a text of this length, and checks the deadline of the job. A growing string needs up to
    /// three times its length: the old buffer, and a new buffer of twice its size.
    pub(crate) fn hold(&mut self, length: usize) -> Result<()> {
        self.job.check()?;
        if length > self.length {
            self.length = length + STEP;
            self.lease.set_exactly(3 * self.length as u64)?;
        }
        Ok(())
    }
}
