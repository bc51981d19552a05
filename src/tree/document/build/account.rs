//! Counts the memory of a tree while it grows, and leases it before it is used.

use crate::{
    error::Result,
    job::{Job, Lease},
};

/// Number of charges between two checks of the job's deadline.
const CHARGES_PER_CHECK: u32 = 4096;

/// The memory of a tree and of its reader.
pub(super) struct Account<'a> {
    job: &'a Job<'a>,
    tree: Lease<'a>,
    /// Memory that the reader itself holds.
    own: Lease<'a>,
    charges: u32,
}

impl<'a> Account<'a> {
    pub(super) fn new(job: &'a Job<'a>) -> Self {
        Self {
            job,
            tree: job.empty_lease(),
            own: job.empty_lease(),
            charges: 0,
        }
    }

    /// The job that the memory is leased from.
    pub(super) fn job(&self) -> &'a Job<'a> {
        self.job
    }

    /// The memory of the tree in bytes.
    pub(super) fn memory(&self) -> u64 {
        self.tree.bytes()
    }

    /// Sets the number of bytes that the reader holds in addition to the tree.
    pub(super) fn set_own(&mut self, bytes: u64) -> Result<()> {
        self.own.set_exactly(bytes)
    }

    /// Counts memory of the tree.
    pub(super) fn charge(&mut self, bytes: usize) -> Result<()> {
        self.charges += 1;
        if self.charges >= CHARGES_PER_CHECK {
            self.charges = 0;
            self.job.check()?;
        }
        self.tree.grow(bytes as u64)
    }
}
