//! Reads drawings (SVG) within a document, and limits the work for all of them together. The code that draws a
//! drawing limits the work for that drawing.

use crate::{
    error::Result,
    image::vector::{self, Drawing},
    job::Job,
};
use std::{cell::Cell, io::Cursor};

/// Limit on the work for the drawings of a document, in steps of about a nanosecond. The work is estimated before a
/// drawing begins, because a drawing cannot be stopped.
const MAX_STEPS: f64 = 3e9;

/// Remaining allowance for the drawings of a document.
pub struct Budget(Cell<f64>);

impl Default for Budget {
    fn default() -> Self {
        Self(Cell::new(MAX_STEPS))
    }
}

impl Budget {
    /// Reads a drawing. `None` if it cannot be read, or if the limit has been reached.
    ///
    /// Errors: those of [`Job::check`].
    pub fn read(&self, job: &Job<'_>, bytes: &[u8]) -> Result<Option<Drawing>> {
        job.check()?;
        if self.0.get() <= 0.0 {
            return Ok(None);
        }
        let read = vector::within(job, bytes.len() as u64, |job| {
            Drawing::read(job, &mut Cursor::new(bytes))
        });
        let drawing = read.ok();
        if let Some(drawing) = &drawing {
            self.spend(drawing.steps as f64);
        }
        Ok(drawing)
    }

    /// Returns whether the budget suffices to draw a drawing at this width in pixels. If so, subtracts the cost.
    pub fn allows(&self, drawing: &Drawing, width: f64) -> bool {
        let steps = vector::cost(drawing, width);
        let enough = steps <= self.0.get();
        if enough {
            self.spend(steps);
        }
        enough
    }

    fn spend(&self, steps: f64) {
        self.0.set(self.0.get() - steps);
    }
}
