//! Other programs that results are compared with. On a developer's machine, a test whose program is missing prints a
//! message and passes. If `CONVERTD_TOOLS=required` is set, as in continuous integration, the test fails.

// Some test programs that include this file use only a part of it.
#![allow(dead_code)]

use std::{env, path::Path, process::Command};

/// The programs that tests rely on, each with the argument that prints its version, and with the oldest version that
/// the tests accept. This is the version of Debian 12, unless a comment gives another reason. An older program counts
/// as missing.
static LEAST: &[(&str, &str, &[u32])] = &[
    // Debian 12 has 2.17, which reads neither its own list markers in docx nor tables in rtf.
    ("pandoc", "--version", &[3, 1]),
    ("ar", "--version", &[2, 40]),
    ("caddy", "version", &[2, 6]),
    ("chromium", "--version", &[120]),
    ("cjxl", "--version", &[0, 7]),
    ("convert", "--version", &[6, 9, 11]),
    ("curl", "--version", &[7, 88]),
    ("djpeg", "-version", &[2, 1]),
    ("djxl", "--version", &[0, 7]),
    ("dpkg-deb", "--version", &[1, 21]),
    ("ffmpeg", "-version", &[5, 1]),
    ("ffprobe", "-version", &[5, 1]),
    ("flac", "--version", &[1, 4]),
    ("icns2png", "--version", &[1, 5]),
    ("java", "-version", &[17, 0]),
    ("jpegtran", "-version", &[2, 1]),
    ("lame", "--version", &[3, 100]),
    ("nginx", "-v", &[1, 22]),
    // Playwright requires this version of node.
    ("node", "--version", &[18, 0]),
    ("openssl", "version", &[3, 0]),
    ("opj_compress", "-h", &[2, 5]),
    ("opj_decompress", "-h", &[2, 5]),
    ("pdffonts", "-v", &[22, 12]),
    ("pdfimages", "-v", &[22, 12]),
    ("pdfinfo", "-v", &[22, 12]),
    ("pdftoppm", "-v", &[22, 12]),
    ("pdftotext", "-v", &[22, 12]),
    ("promtool", "--version", &[2, 42]),
    ("python3", "--version", &[3, 11]),
    ("qpdf", "--version", &[11, 3]),
    // Redis 7.0 is the first version with all functions and commands that the service uses.
    ("redis-server", "--version", &[7, 0]),
    ("schemathesis", "--version", &[4, 0]),
    ("shellcheck", "--version", &[0, 9]),
    ("soffice", "--version", &[7, 4]),
    ("sox", "--version", &[14, 4]),
    ("systemd-analyze", "--version", &[252]),
    ("tiff2rgba", "-v", &[4, 5]),
    ("tiffcp", "-v", &[4, 5]),
    ("tiffinfo", "-v", &[4, 5]),
    ("unzip", "-v", &[6, 0]),
    ("vips", "--version", &[8, 14]),
    // These are Python modules, which `has_module` checks.
    ("brotli", "", &[1, 0]),
    ("fontTools", "", &[4, 38]),
    ("openpyxl", "", &[3, 0]),
    ("pptx", "", &[0, 6]),
    ("yaml", "", &[6, 0]),
];

/// Prints that a test is skipped, and what is missing.
#[track_caller]
pub(crate) fn lacking(what: &str) {
    assert!(
        env::var_os("CONVERTD_TOOLS").is_none(),
        "{what} is missing, although CONVERTD_TOOLS requires all tools"
    );
    eprintln!("skipped: needs {what}");
}

/// Returns whether a program can be started and is new enough, and otherwise prints the reason.
#[track_caller]
pub(crate) fn has(program: &str) -> bool {
    has_at(program, program)
}

/// Returns whether `path` is a `program` that can be started and is new enough, and otherwise prints the reason.
#[track_caller]
pub(crate) fn has_at(path: &str, program: &str) -> bool {
    let least = LEAST.iter().find(|(name, ..)| *name == program);
    let argument = least.map_or("--version", |(_, argument, _)| *argument);
    let Ok(output) = Command::new(path).arg(argument).output() else {
        lacking(program);
        return false;
    };
    is_new_enough(program, &[&output.stdout[..], &output.stderr].concat())
}

/// Archive of epubcheck, the validator for EPUB, in the place where Debian installs it. If the archive or java is
/// missing, returns `None` and prints a message.
#[track_caller]
pub(crate) fn epubcheck() -> Option<&'static str> {
    // The first line of Debian's file lets a kernel run it as a program, but only a kernel that is set up for Java
    // archives. Tests therefore pass the file to `java -jar`.
    const ARCHIVE: &str = "/usr/bin/epubcheck";
    if !Path::new(ARCHIVE).exists() {
        lacking("epubcheck");
        return None;
    }
    has("java").then_some(ARCHIVE)
}

/// Returns whether Python has a module that is new enough, and otherwise prints the reason.
#[track_caller]
pub(crate) fn has_module(module: &str) -> bool {
    let script = format!("import {module}; print({module}.__version__)");
    let output = Command::new("python3").args(["-c", &script]).output();
    match output {
        Ok(output) if output.status.success() => is_new_enough(module, &output.stdout),
        _ => {
            lacking(module);
            false
        }
    }
}

/// Returns whether the version in a program's output is new enough, and otherwise prints a message.
#[track_caller]
fn is_new_enough(program: &str, output: &[u8]) -> bool {
    let least = LEAST.iter().find(|(name, ..)| *name == program);
    let (.., least) = least.unwrap_or(&("", "", &[]));
    let found = version(&String::from_utf8_lossy(output));
    // A program without a version number counts as new enough.
    let is_new_enough = found.is_empty() || found.as_slice() >= least;
    if !is_new_enough {
        let dotted = |version: &[u32]| {
            let numbers: Vec<_> = version.iter().map(u32::to_string).collect();
            numbers.join(".")
        };
        lacking(&format!(
            "{program} {} or later; here is {}",
            dotted(least),
            dotted(&found)
        ));
    }
    is_new_enough
}

/// The first number with a decimal point in a program's output, or else the first number.
fn version(text: &str) -> Vec<u32> {
    let is_apart = |c: char| !c.is_ascii_digit() && c != '.';
    let words = || {
        let words = text.split(is_apart);
        words.filter(|word| word.starts_with(|c: char| c.is_ascii_digit()))
    };
    let dotted = words().find(|word| word.trim_end_matches('.').contains('.'));
    let word = dotted.or_else(|| words().next()).unwrap_or_default();
    let numbers = word.split('.').map_while(|number| number.parse().ok());
    numbers.collect()
}

#[test]
fn versions_are_found_in_what_programs_say() {
    #[track_caller]
    fn check(text: &str, expected: &[u32]) {
        assert_eq!(version(text), expected, "{text}");
    }
    check(
        "pandoc 2.17.1.1\nCompiled with pandoc-types",
        &[2, 17, 1, 1],
    );
    check("LAME 64bits version 3.100 (http://lame.sf.net)", &[3, 100]);
    check("cjxl v0.7.0 [AVX3,AVX2]", &[0, 7, 0]);
    check("Redis server v=7.0.15 sha=00000000:0", &[7, 0, 15]);
    check("openjdk version \"17.0.15\" 2025-04-15", &[17, 0, 15]);
    check("UnZip 6.00 of 20 April 2009", &[6, 0]);
    check("v20", &[20]);
    check("no number", &[]);
}
