//! Counts the memory of a tree while it grows, and reserves it from the job before it is used. Frees nothing: the job does, when
//! it ends.

use crate::{error::Result, job::Job};

/// Number of charges between two checks of the job's deadline.
const CHARGES_PER_CHECK: u32 = 4096;

/// The memory of a tree and of its reader.
pub(super) struct Account<'a> {
    job: &'a Job<'a>,
    /// Memory of the tree in bytes.
    memory: u64,
    /// Memory of the reader in bytes, besides the tree.
    own: u64,
    granted: u64,
    charges: u32,
}

impl<'a> Account<'a> {
    pub(super) fn new(job: &'a Job<'a>) -> Self {
        Self {
            job,
            memory: 0,
            own: 0,
            granted: 0,
            charges: 0,
        }
    }

    /// The memory of the tree in bytes.
    pub(super) fn memory(&self) -> u64 {
        self.memory
    }

    /// States how many bytes the reader holds besides the tree.
    pub(super) fn set_own(&mut self, bytes: u64) -> Result<()> {
        self.own = bytes;
        self.charge(0)
    }

    /// Counts memory of the tree, and reserves more when the reservation is used up.
    pub(super) fn charge(&mut self, bytes: usize) -> Result<()> {
        self.memory += bytes as u64;
        self.charges += 1;
        if self.charges >= CHARGES_PER_CHECK {
            self.charges = 0;
            self.job.check()?;
        }
        let held = self.memory + self.own;
        if held > self.granted {
            // Reserves a quarter more than the tree needs, to ask rarely. What the reader holds is known exactly.
            self.granted = held + self.memory / 4 + (1 << 20);
            self.job.reserve(self.granted)?;
        }
        Ok(())
    }
}
