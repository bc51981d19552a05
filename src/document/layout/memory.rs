//! Reserves the memory of a conversion. A reservation replaces the one before, so one place has to know the sum of all parts.

use crate::{error::Result, job::Job};
use std::cell::Cell;

/// What is asked for beyond what is needed, so that not every page asks.
const STEP: u64 = 2 << 20;

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
pub(crate) struct Memory<'a> {
    job: &'a Job<'a>,
    base: u64,
    parts: [Cell<u64>; 4],
    reserved: Cell<u64>,
}

impl<'a> Memory<'a> {
    /// Starts with what is taken all the time, in bytes.
    pub(crate) fn new(job: &'a Job<'a>, base: u64) -> Result<Self> {
        job.reserve(base)?;
        Ok(Self {
            job,
            base,
            parts: [const { Cell::new(0) }; 4],
            reserved: Cell::new(base),
        })
    }

    pub(crate) fn get(&self, part: Part) -> u64 {
        self.parts[part as usize].get()
    }

    /// All that is reserved.
    pub(crate) fn reserved(&self) -> u64 {
        self.reserved.get()
    }

    /// Reserves the same again, after others have reserved on top of it.
    pub(crate) fn settle(&self) {
        // It was granted before.
        let _ = self.job.reserve(self.reserved.get());
    }

    /// Says what a part takes from now on, in bytes, before it is allocated.
    ///
    /// Errors: there is not enough memory. The part then keeps its previous amount.
    pub(crate) fn set(&self, part: Part, bytes: u64) -> Result<()> {
        let before = self.parts[part as usize].replace(bytes);
        let sum = self.base + self.parts.iter().map(Cell::get).sum::<u64>();
        if sum > self.reserved.get() {
            if let Err(error) = self.job.reserve(sum + STEP) {
                self.parts[part as usize].set(before);
                return Err(error);
            }
            self.reserved.set(sum + STEP);
        }
        Ok(())
    }
}
