//! A conversion in memory by the library, without a service. Compares nothing.

use convertd::{
    error::{Error, Kind, Result},
    job::{Gate, Ledger, Need, Notes, Progress, Quality},
    registry::{TargetRequest, Terms},
};
use std::{
    io::Cursor,
    sync::atomic::{AtomicU64, Ordering},
};

/// A file to convert: its name, whose extension may tell the format, and its bytes.
pub(crate) type Source<'a> = (&'a str, &'a [u8]);

/// Converts a file with a quality, optional fields, and `spare_threads` further threads. Returns the result and the
/// notes.
pub(crate) fn run(
    gate: &dyn Gate,
    (name, bytes): Source<'_>,
    to: &str,
    quality: Quality,
    fields: &[(&str, &str)],
    spare_threads: usize,
) -> Result<(Vec<u8>, Notes)> {
    let quality = quality.to_string();
    let field = |name: &str| {
        let value = fields.iter().find(|(key, _)| *key == name);
        Ok(value.map(|(_, value)| (*value).to_owned()))
    };
    let wish = TargetRequest {
        target: to,
        quality: Some(&quality),
        file_name: Some(name),
        field: &field,
        terms: Terms::Form,
    };
    let mut input = Cursor::new(bytes);
    let (task, route) = wish.plan(&mut input)?;
    let ledger = Ledger::new(gate);
    let job = route
        .pair
        .job(&task, bytes.len() as u64, spare_threads, &ledger);
    let mut output = Cursor::new(Vec::new());
    let notes = (route.converter.convert)(&job, &mut input, &mut output)?;
    Ok((output.into_inner(), notes))
}

/// A gate with a memory budget. It ends the job after a number of checks.
#[allow(dead_code)]
pub(crate) struct Narrow {
    /// Memory budget that the gate states, in bytes. A job fails only if it needs more than twice as much.
    memory: u64,
    /// Number of checks until the job ends.
    steps: AtomicU64,
}

#[allow(dead_code)]
impl Narrow {
    pub(crate) fn new(memory: u64, steps: u64) -> Self {
        Self {
            memory,
            steps: steps.into(),
        }
    }
}

impl Gate for Narrow {
    fn reserve(&self, _: Need) -> Result<()> {
        Ok(())
    }

    fn max_memory(&self) -> u64 {
        self.memory
    }

    fn check(&self) -> Result<()> {
        match self.steps.fetch_sub(1, Ordering::Relaxed) {
            0 | 1 => Err(Error::new(Kind::BadInput, "the steps are used up")),
            _ => Ok(()),
        }
    }

    fn progress(&self, _: Progress) {}
}
