//! Leases the memory of a layout, part by part. Knows nothing of what else the job holds.

use crate::{
    error::Result,
    job::{Job, Lease},
};
/// The parts that take memory.
#[derive(Clone, Copy)]
pub enum Part {
    /// Finished pages: offsets in the file, elements of the structure.
    Pages,
    /// The cells of a table, until their rows stand on pages.
    Cells,
    /// A paragraph that is being set.
    Paragraph,
    /// The frames of a page, until all of its text is painted.
    Frames,
}

/// See the module.
pub struct Memory<'a> {
    parts: [Lease<'a>; 4],
    _base: Lease<'a>,
}

impl<'a> Memory<'a> {
    /// Starts with what is taken all the time, in bytes.
    pub fn new(job: &'a Job<'a>, base: u64) -> Result<Self> {
        Ok(Self {
            parts: std::array::from_fn(|_| job.empty_lease()),
            _base: job.lease(base)?,
        })
    }

    /// Memory of a part, in bytes.
    pub fn get(&self, part: Part) -> u64 {
        self.parts[part as usize].bytes()
    }

    /// Says what a part takes from now on, in bytes, before it is allocated.
    ///
    /// Errors: there is not enough memory. The part then keeps its previous amount.
    pub fn set(&self, part: Part, bytes: u64) -> Result<()> {
        self.parts[part as usize].set(bytes)
    }
}
