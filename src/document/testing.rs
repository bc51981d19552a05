//! A job for tests of readers and writers. Nothing of this is in the program.

use crate::{
    format::{Category, Format},
    job::{Gate, Job, Options, Quality, Unlimited},
};

static TOY: Format = Format {
    name: "toy",
    aliases: &[],
    category: Category::Document,
    description: "",
    media_type: "text/plain",
    magic: &[],
};

/// Runs `work` with a job that may use whatever it likes.
pub(crate) fn with_job<T>(work: impl FnOnce(&Job<'_>) -> T) -> T {
    with_job_behind(&Unlimited, work)
}

/// Runs `work` with a job behind this gate.
pub(crate) fn with_job_behind<T>(gate: &dyn Gate, work: impl FnOnce(&Job<'_>) -> T) -> T {
    let options = Options::default();
    work(&Job {
        from: &TOY,
        to: &TOY,
        to_name: "toy",
        quality: Quality::default(),
        options: &options,
        input_len: 1,
        spare_threads: 0,
        gate,
    })
}
