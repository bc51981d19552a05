//! Leases the memory of a layout, part by part. Knows nothing of what else the job holds.

use crate::{
    error::Result,
    job::{Job, Lease},
};
/// The parts that take memory.
#[derive(Clone, Copy)]
pub(crate) enum Part {
    /// What is known of finished pages: places in the file, elements of the structure.
    Pages,
    /// The cells of a table, until their rows stand on pages.
    Cells,
    /// A paragraph that is being set.
    Paragraph,
    /// The frames of a page, until all of its text is painted.
    Frames,
}

/// See the module.
pub(crate) struct Memory<'a>([Lease<'a>; 4]);

impl<'a> Memory<'a> {
    /// Starts with what is taken all the time, in bytes.
    pub(crate) fn new(job: &'a Job<'a>, base: u64) -> Result<Self> {
        job.reserve(base)?;
        let nothing = || job.lease(0);
        Ok(Self([nothing()?, nothing()?, nothing()?, nothing()?]))
    }

    /// What a part takes, in bytes.
    pub(crate) fn get(&self, part: Part) -> u64 {
        self.0[part as usize].bytes()
    }

    /// Says what a part takes from now on, in bytes, before it is allocated.
    ///
    /// Errors: there is not enough memory. The part then keeps its previous amount.
    pub(crate) fn set(&self, part: Part, bytes: u64) -> Result<()> {
        self.0[part as usize].set(bytes)
    }
}
