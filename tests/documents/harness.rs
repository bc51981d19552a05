//! Code that the tests of documents share: conversion in memory and by the program itself, fixtures, and calls of other
//! programs. Contains no test.

use convertd::{
    error::Result,
    format,
    job::{Notes, Quality, Unlimited},
    registry,
};
use std::{
    fs,
    io::Read,
    path::{Path, PathBuf},
    process::{Command, Stdio},
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
pub(crate) use tools::{epubcheck, has, has_at, lacking};

/// Time after which a test kills the program. It is long, because only a failing test reaches it.
const DEADLINE: Duration = Duration::from_secs(1800);

/// A directory for one test.
pub(crate) fn directory(name: &str) -> PathBuf {
    let name = format!("convertd-documents-{}-{name}", std::process::id());
    let path = std::env::temp_dir().join(name);
    fs::create_dir_all(&path).unwrap();
    path
}

/// A file of `tests/data/documents`.
pub(crate) fn data(name: &str) -> Vec<u8> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/documents");
    fs::read(root.join(name)).unwrap_or_else(|err| panic!("{name}: {err}"))
}

/// The reports and letters in `tests/data/documents` that this build reads.
pub(crate) fn documents() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/documents");
    let mut names: Vec<String> = fs::read_dir(root)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with("report") || name.starts_with("letter"))
        .filter(|name| !name.ends_with(".pandoc.html") && is_read(name))
        .collect();
    names.sort();
    assert!(names.len() >= 7, "the fixtures are missing");
    names
}

fn is_read(name: &str) -> bool {
    let extension = format::extension(name).unwrap();
    let format = registry::by_name(&extension);
    format.is_some_and(|format| registry::targets_of(format).next().is_some())
}

/// The formats that documents are written in.
pub(crate) fn targets() -> Vec<&'static str> {
    let md = registry::by_name("md").unwrap();
    let targets = registry::targets_of(md);
    // Pictures of pages, and comics made of them, are tested in `across`.
    let texts = targets.filter(|to| to.category != format::Category::Image && to.name != "cbz");
    texts.map(|format| format.name).collect()
}

/// Converts the bytes of a file with the name `name`.
pub(crate) fn convert(name: &str, bytes: &[u8], to: &str) -> Result<Vec<u8>> {
    convert_with(name, bytes, to, "medium", &[]).map(|(result, _)| result)
}

/// Converts to text with a memory budget in bytes, and with a limit on the number of steps.
pub(crate) fn within(memory: u64, steps: u64, name: &str, bytes: &[u8]) -> Result<Vec<u8>> {
    let gate = conversion::Narrow::new(memory, steps);
    let made = conversion::run(&gate, (name, bytes), "txt", Quality::Medium, &[], 0);
    made.map(|(bytes, _)| bytes)
}

/// Converts with a quality and optional fields. Also returns the notes.
pub(crate) fn convert_with(
    name: &str,
    bytes: &[u8],
    to: &str,
    quality: &str,
    fields: &[(&str, &str)],
) -> Result<(Vec<u8>, Notes)> {
    let quality = Quality::parse("quality", quality)?;
    conversion::run(&Unlimited, (name, bytes), to, quality, fields, 0)
}

/// Outcome of a run of the program.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    /// The program's text on standard error.
    pub(crate) said: String,
    /// The result, if the program made one.
    pub(crate) result: Option<Vec<u8>>,
    /// Peak memory of the converter child, in bytes.
    pub(crate) peak: u64,
}

/// Converts a file with the program itself, in the directory `at`, and measures the memory of the program's child.
pub(crate) fn run(at: &Path, name: &str, bytes: &[u8], to: &str, more: &[&str]) -> Ran {
    let input = at.join(name);
    fs::write(&input, bytes).unwrap();
    let output = at.join("result").with_extension(to);
    let _ = fs::remove_file(&output);
    let started = Instant::now();
    let mut peak = 0;
    let mut process = Command::new(program::program())
        .arg("convert")
        .args([&input, &output])
        // Results do not depend on the fonts of the machine, unless a test adds fonts.
        .args(["--fonts", "none"])
        .args(more)
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stderr = process.stderr.take().unwrap();
    let reader = thread::spawn(move || {
        let mut said = String::new();
        stderr.read_to_string(&mut said).unwrap();
        said
    });
    let status = loop {
        if let Some(status) = process.try_wait().unwrap() {
            break status;
        }
        for child in children(process.id()) {
            peak = peak.max(peak_of(&child).unwrap_or(0));
        }
        if started.elapsed() > DEADLINE {
            process.kill().unwrap();
        }
        thread::sleep(Duration::from_millis(2));
    };
    let result = fs::read(&output).ok();
    Ran {
        code: status.code(),
        said: reader.join().unwrap(),
        result,
        peak,
    }
}

/// Process ids of the children of a process.
fn children(process: u32) -> Vec<String> {
    let tasks = fs::read_dir(format!("/proc/{process}/task"));
    let lists = tasks.into_iter().flatten().flatten().map(|task| {
        // The process may already have ended.
        fs::read_to_string(task.path().join("children")).unwrap_or_default()
    });
    let lists: Vec<String> = lists.collect();
    let numbers = lists.iter().flat_map(|list| list.split_whitespace());
    numbers.map(str::to_owned).collect()
}

/// The peak resident memory of a process (proc_pid_status(5), `VmHWM`), in bytes.
fn peak_of(process: &str) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let mut lines = status.lines();
    let line = lines.find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes << 10)
}

/// The first page of a PDF as poppler draws it, at this resolution in dots per inch.
#[track_caller]
pub(crate) fn drawn(file: &Path, dots: &str) -> image::RgbImage {
    let (from, root) = (file.display().to_string(), file.with_extension(""));
    let root = root.display().to_string();
    output_of(
        "pdftoppm",
        &["-r", dots, "-png", "-singlefile", &from, &root],
    );
    image::open(format!("{root}.png")).unwrap().into_rgb8()
}

/// The standard output of a program that must succeed.
#[track_caller]
pub(crate) fn output_of(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(
        output.status.success(),
        "{program} {arguments:?}: {}{}",
        text(&output.stdout),
        text(&output.stderr)
    );
    text(&output.stdout)
}
