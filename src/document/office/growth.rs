//! Memory of a file that is being written, as it grows.

use crate::{document::tree::Document, error::Result, job::Job};

/// What has been reserved. A half more than needed is, so that this is asked for seldom.
#[derive(Debug, Default)]
pub(crate) struct Growth {
    reserved: u64,
}

impl Growth {
    /// Reserves memory for the tree, and for what is being written of it, in bytes.
    pub(crate) fn to(&mut self, job: &Job<'_>, document: &Document, written: u64) -> Result<()> {
        let needed = document.memory() + written;
        if needed > self.reserved {
            self.reserved = needed + needed / 2 + (4 << 20);
            job.reserve(self.reserved)?;
        }
        job.check()
    }
}
