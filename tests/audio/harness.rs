//! Runs conversions in memory, and other programs on the results. Contains no test.

use convertd::{
    error::{Error, Kind, Result},
    job::{Gate, Need, Notes, Progress, Quality, Unlimited},
};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::atomic::{AtomicU64, Ordering},
};

/// Names of the fixtures, which `tests/data/audio/make.sh` makes.
pub(crate) fn fixtures() -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(directory())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !name.ends_with(".sh"))
        .collect();
    names.sort();
    assert!(names.len() > 30, "the fixtures are missing");
    names
}

pub(crate) fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/audio")
}

pub(crate) fn fixture(name: &str) -> Vec<u8> {
    fs::read(directory().join(name)).unwrap()
}

pub(crate) const TARGETS: [&str; 8] = ["wav", "flac", "aiff", "au", "mp3", "ogg", "opus", "m4a"];

/// Converts the bytes of a file with the name `name`.
pub(crate) fn convert(name: &str, bytes: &[u8], target: &str) -> Result<(Vec<u8>, Notes)> {
    convert_through(&Unlimited, name, bytes, target, Quality::Medium, 0)
}

pub(crate) fn convert_through(
    gate: &dyn Gate,
    name: &str,
    bytes: &[u8],
    target: &str,
    quality: Quality,
    spare_threads: usize,
) -> Result<(Vec<u8>, Notes)> {
    conversion::run(gate, (name, bytes), target, quality, &[], spare_threads)
}

/// Converts with optional fields.
pub(crate) fn convert_with(
    name: &str,
    bytes: &[u8],
    target: &str,
    fields: &[(&str, &str)],
) -> Result<(Vec<u8>, Notes)> {
    let source = (name, bytes);
    conversion::run(&Unlimited, source, target, Quality::Medium, fields, 0)
}

/// Converts the readable part of a damaged file.
pub(crate) fn convert_keeping(name: &str, bytes: &[u8], target: &str) -> Result<(Vec<u8>, Notes)> {
    let fields = [("damaged", "keep")];
    let source = (name, bytes);
    conversion::run(&Unlimited, source, target, Quality::Medium, &fields, 0)
}

/// Converts a sound to at most `most` bytes.
pub(crate) fn convert_fitting(
    gate: &dyn Gate,
    wav: &[u8],
    target: &str,
    most: &str,
) -> Result<(Vec<u8>, Notes)> {
    let source = ("sound.wav", wav);
    let fields = [("max_size", most)];
    conversion::run(gate, source, target, Quality::Medium, &fields, 0)
}

/// A gate that ends the job after a number of checks, and records the calls.
#[derive(Default)]
pub(crate) struct Counting {
    pub(crate) close_after: Option<u64>,
    pub(crate) checks: AtomicU64,
    pub(crate) reserved: AtomicU64,
    pub(crate) done: AtomicU64,
    pub(crate) total: AtomicU64,
}

impl Gate for Counting {
    fn reserve(&self, need: Need) -> Result<()> {
        let before = self.reserved.swap(need.memory, Ordering::Relaxed);
        assert_eq!(before, 0, "memory is reserved twice");
        Ok(())
    }

    fn check(&self) -> Result<()> {
        let checks = self.checks.fetch_add(1, Ordering::Relaxed);
        match self.close_after {
            Some(limit) if checks >= limit => Err(Error::new(Kind::Busy, "the time is over")),
            _ => Ok(()),
        }
    }

    fn progress(&self, Progress { done, total, .. }: Progress) {
        let before = self.done.swap(done, Ordering::Relaxed);
        assert!(
            before <= done && done <= total,
            "{before}, {done} of {total}"
        );
        self.total.store(total, Ordering::Relaxed);
    }
}

#[path = "../support/conversion.rs"]
mod conversion;
#[path = "../support/tools.rs"]
mod tools;

pub(crate) use tools::has;

/// A temporary file in a directory of its own; both are removed when this value is dropped.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new(extension: &str, bytes: &[u8]) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let n = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("convertd-audio-{}-{n}.{extension}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::write(&path, bytes).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// The file that ffmpeg makes with these arguments, which begin with ffmpeg's input.
#[track_caller]
pub(crate) fn made_by_ffmpeg(extension: &str, arguments: &[&str]) -> Vec<u8> {
    let to = Scratch::new(extension, b"");
    let begin = ["-nostdin", "-v", "error", "-y"];
    run("ffmpeg", &[&begin, arguments, &[to.path()]].concat());
    fs::read(to.path()).unwrap()
}

/// Decoded samples, interleaved; full scale is 1.
#[derive(Debug, PartialEq)]
pub(crate) struct Sound {
    pub(crate) rate: u32,
    pub(crate) channels: usize,
    pub(crate) samples: Vec<f64>,
}

impl Sound {
    pub(crate) fn frames(&self) -> usize {
        self.samples.len() / self.channels
    }
}

/// The samples that ffmpeg decodes from the first audio track of a file.
pub(crate) fn ffmpeg(extension: &str, bytes: &[u8]) -> Sound {
    let file = Scratch::new(extension, bytes);
    let input = [
        "-nostdin",
        "-v",
        "error",
        "-i",
        file.path(),
        "-map",
        "0:a:0",
    ];
    let output = ["-bitexact", "-f", "wav", "-c:a", "pcm_f64le", "-"];
    let wav = run("ffmpeg", &[&input[..], &output[..]].concat());
    let at = |chunk: &[u8]| wav.windows(4).position(|window| window == chunk).unwrap() + 8;
    let (format, data) = (at(b"fmt "), at(b"data"));
    let word = |at: usize| u32::from_le_bytes(wav[at..at + 4].try_into().unwrap());
    Sound {
        rate: word(format + 4),
        channels: (word(format) >> 16) as usize,
        samples: wav[data..]
            .chunks_exact(8)
            .map(|bytes| f64::from_le_bytes(bytes.try_into().unwrap()))
            .collect(),
    }
}

/// The standard output of a program that must succeed.
#[track_caller]
pub(crate) fn run(program: &str, arguments: &[&str]) -> Vec<u8> {
    let output = Command::new(program).args(arguments).output().unwrap();
    assert!(
        output.status.success(),
        "{program} {arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    output.stdout
}
