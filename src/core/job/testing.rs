//! Jobs for tests of readers and writers. The program itself does not use them, so the linker leaves them out.

use super::{Gate, Job, Ledger, Options, Quality, Task, Unlimited};
use crate::format::{Category, Format};

static TOY: Format = Format {
    name: "toy",
    aliases: &[],
    category: Category::Document,
    description: "",
    media_type: "text/plain",
    magic: &[],
};

/// Runs `work` with an unlimited job.
pub fn with_job<T>(work: impl FnOnce(&Job<'_>) -> T) -> T {
    with_job_behind(&Unlimited, work)
}

/// Runs `work` with a job that this gate controls.
pub fn with_job_behind<T>(gate: &dyn Gate, work: impl FnOnce(&Job<'_>) -> T) -> T {
    with_options(gate, &[], work)
}

/// Runs `work` with a job that this gate controls and that has these options.
pub fn with_options<T>(
    gate: &dyn Gate,
    fields: &[(&str, &str)],
    work: impl FnOnce(&Job<'_>) -> T,
) -> T {
    let mut options = Options::default();
    for (name, value) in fields {
        options.insert(*name, *value);
    }
    let task = Task {
        from: TOY.name.into(),
        to: TOY.name.into(),
        quality: Quality::default(),
        options,
        file_title: None,
    };
    work(&Job {
        task: &task,
        from: &TOY,
        to: &TOY,
        input_len: 1,
        spare_threads: 0,
        gate: &Ledger::new(gate),
        beside: None,
    })
}
