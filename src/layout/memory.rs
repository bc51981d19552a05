//! Leases for the memory of a layout, one for each part. Does not count the other memory of the job.

use crate::{
    error::Result,
    job::{Job, Lease},
};
/// Parts of a layout that take memory.
#[derive(Clone, Copy)]
pub enum Part {
    /// Finished pages: their offsets in the file and their structure elements.
    Pages,
    /// Cells of tables, and strips that are stored before they are placed on pages.
    Cells,
    /// A paragraph that is being set.
    Paragraph,
    /// Floats of a page, until its text is painted.
    Frames,
}

/// A lease for each part, and one for the constant part of the memory.
pub struct Memory<'a> {
    parts: [Lease<'a>; 4],
    _base: Lease<'a>,
}

impl<'a> Memory<'a> {
    /// Leases `base` bytes until the end of the layout. The leases of the parts are empty at first.
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

    /// Changes the amount of a part to this many bytes, before they are allocated.
    ///
    /// Errors: there is not enough memory. The part then keeps its previous amount.
    pub fn set(&self, part: Part, bytes: u64) -> Result<()> {
        self.parts[part as usize].set(bytes)
    }
}
