//! Code that the tests of sheets share: conversion in memory and by the program itself, and fixtures. Contains no test.

use convertd::{
    error::Result,
    job::{Gate, Need, Notes, Progress, Quality, Unlimited},
};
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::atomic::{AtomicU64, Ordering},
    thread,
    time::{Duration, Instant},
};

#[path = "../support/conversion.rs"]
mod conversion;
#[path = "../support/growth.rs"]
mod growth;
#[path = "../support/program.rs"]
mod program;
#[path = "../support/tools.rs"]
mod tools;

pub(crate) use growth::is_linear;
pub(crate) use tools::{has, has_module};

/// A directory for one test.
pub(crate) fn directory(name: &str) -> PathBuf {
    let name = format!("convertd-spreadsheets-{}-{name}", std::process::id());
    let path = std::env::temp_dir().join(name);
    fs::create_dir_all(&path).unwrap();
    path
}

/// A file of `tests/data/spreadsheets`.
pub(crate) fn data(name: &str) -> Vec<u8> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/spreadsheets");
    fs::read(root.join(name)).unwrap_or_else(|err| panic!("{name}: {err}"))
}

/// Converts the bytes of a file with the name `name`.
pub(crate) fn convert(name: &str, bytes: &[u8], to: &str) -> Result<Vec<u8>> {
    convert_with(name, bytes, to, &[]).map(|(result, _)| result)
}

/// Converts with optional fields. Also returns the notes.
pub(crate) fn convert_with(
    name: &str,
    bytes: &[u8],
    to: &str,
    fields: &[(&str, &str)],
) -> Result<(Vec<u8>, Notes)> {
    conversion::run(&Unlimited, (name, bytes), to, Quality::Medium, fields, 0)
}

/// Measurements of a conversion, and its result.
pub(crate) struct Counted {
    /// Peak of the memory that the conversion reserved, in bytes.
    pub(crate) memory: u64,
    /// Number of the conversion's calls of `check`.
    pub(crate) steps: u64,
    pub(crate) result: Result<Vec<u8>>,
}

/// Converts, and measures memory and steps.
pub(crate) fn counted(name: &str, bytes: &[u8], to: &str) -> Counted {
    let gate = Counting::default();
    let result = conversion::run(&gate, (name, bytes), to, Quality::Medium, &[], 0);
    Counted {
        memory: gate.memory.into_inner(),
        steps: gate.steps.into_inner(),
        result: result.map(|(bytes, _)| bytes),
    }
}

/// Peak of the memory that a conversion reserves, in bytes, and its result.
pub(crate) fn reserved(name: &str, bytes: &[u8], to: &str) -> (u64, Result<Vec<u8>>) {
    let counted = counted(name, bytes, to);
    (counted.memory, counted.result)
}

/// A gate that grants all memory, and records the peak and the number of checks.
#[derive(Default)]
struct Counting {
    memory: AtomicU64,
    steps: AtomicU64,
}

impl Gate for Counting {
    fn reserve(&self, need: Need) -> Result<()> {
        self.memory.fetch_max(need.memory, Ordering::Relaxed);
        Ok(())
    }

    fn check(&self) -> Result<()> {
        self.steps.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    fn progress(&self, _: Progress) {}
}

/// The result of a text format as a string.
#[track_caller]
pub(crate) fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

/// Outcome of a run of the program: success, the text on standard error, and the peak memory of its child in bytes.
pub(crate) struct Ran {
    pub(crate) success: bool,
    pub(crate) said: String,
    pub(crate) peak: u64,
}

/// Converts a file with the program itself, and measures the memory of the program's child.
pub(crate) fn run(input: &Path, output: &Path) -> Ran {
    let mut process = Command::new(program::program())
        .args(["convert", "--force"])
        .args([input, output])
        .args(["--fonts", "none"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let started = Instant::now();
    let mut peak = 0;
    while process.try_wait().unwrap().is_none() {
        peak = peak.max(peak_of_children(process.id()));
        assert!(
            started.elapsed() < Duration::from_secs(300),
            "it does not end"
        );
        thread::sleep(Duration::from_millis(2));
    }
    let output = process.wait_with_output().unwrap();
    Ran {
        success: output.status.success(),
        said: String::from_utf8_lossy(&output.stderr).into_owned(),
        peak,
    }
}

/// The largest peak resident memory among the children of a process (proc_pid_status(5), `VmHWM`), in bytes.
fn peak_of_children(process: u32) -> u64 {
    let tasks = fs::read_dir(format!("/proc/{process}/task"));
    let lists = tasks.into_iter().flatten().flatten().map(|task| {
        // The process may already have ended.
        fs::read_to_string(task.path().join("children")).unwrap_or_default()
    });
    let lists: Vec<String> = lists.collect();
    let children = lists.iter().flat_map(|list| list.split_whitespace());
    let peaks = children.filter_map(|child| {
        let status = fs::read_to_string(format!("/proc/{child}/status")).ok()?;
        let mut lines = status.lines();
        let line = lines.find_map(|line| line.strip_prefix("VmHWM:"))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    });
    peaks.max().unwrap_or(0) << 10
}
