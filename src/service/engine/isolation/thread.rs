//! Runs a job in the caller's thread. Catches no panics: the callers do that.

use super::{Limits, writeback::WriteBack};
use crate::{
    engine::{
        Order,
        guard::{GuardedInput, GuardedOutput, StopReason},
    },
    error::{Error, Result},
    job::{Gate, Ledger, Notes, Task},
    registry::Route,
};
use std::{
    fs::File,
    io::{BufReader, BufWriter, Seek, SeekFrom, Write},
};

/// Everything that a job needs except its gate.
pub(crate) struct Assignment<'a> {
    pub(crate) task: &'a Task,
    pub(crate) route: &'static Route,
    pub(crate) input: &'a File,
    pub(crate) input_len: u64,
    pub(crate) output: &'a File,
    pub(crate) spare_threads: usize,
    pub(crate) max_output: u64,
}

pub(crate) fn run(order: &Order, limits: Limits, gate: &dyn Gate) -> Result<Notes> {
    let assignment = Assignment {
        task: &order.task,
        route: order.route,
        input: &order.input,
        input_len: order.input_len,
        output: &order.output,
        spare_threads: limits.spare_threads,
        max_output: limits.max_output,
    };
    perform(&assignment, gate)
}

/// Runs the converter, with the guard around its input and its output.
///
/// Errors: the reason for which the guard stopped the job, otherwise the converter's own error.
pub(crate) fn perform(job: &Assignment<'_>, gate: &dyn Gate) -> Result<Notes> {
    let verdict = StopReason::default();
    let unreadable = |err| Error::storage("the file could not be read", err);
    let mut file = job.input;
    file.seek(SeekFrom::Start(0)).map_err(unreadable)?;
    let mut input = GuardedInput::new(BufReader::with_capacity(64 << 10, file), gate, &verdict);
    let output = GuardedOutput::new(WriteBack::new(job.output), job.max_output, gate, &verdict);
    let mut output = BufWriter::with_capacity(64 << 10, output);
    let route = job.route;
    let ledger = Ledger::new(gate);
    let context = route
        .pair
        .job(job.task, job.input_len, job.spare_threads, &ledger);
    let result = (route.converter.convert)(&context, &mut input, &mut output).and_then(|notes| {
        output.flush().map_err(Error::unwritten)?;
        Ok(notes)
    });
    // A job that is stopped while it decompresses in memory reads nothing from its file, so no guard records the
    // reason. Without this check, its error would look like that of a damaged file.
    let result = result.or_else(|error| gate.check().and(Err(error)));
    // If the converter failed, the buffer still holds a part of a useless result. Taking the writer apart discards that
    // part; dropping the writer would write it.
    let _ = output.into_parts();
    drop(input);
    verdict.or(result)
}
