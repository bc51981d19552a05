//! Reserves memory for a file while it is being written. Measures nothing itself.

use crate::{document::tree::Document, error::Result, job::Job};

/// The memory reserved so far. Each reservation asks for half as much again as needed, so that few are necessary.
#[derive(Debug, Default)]
pub(crate) struct Growth {
    reserved: u64,
}

impl Growth {
    /// Makes sure that the reservation covers the tree and the `written` bytes of output.
    pub(crate) fn to(&mut self, job: &Job<'_>, document: &Document, written: u64) -> Result<()> {
        let needed = document.memory() + written;
        if needed > self.reserved {
            self.reserved = needed + needed / 2 + (4 << 20);
            job.reserve(self.reserved)?;
        }
        job.check()
    }
}
