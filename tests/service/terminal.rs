//! The command line with terminals, shells and file systems: names with control sequences, pipes, closed descriptors,
//! and links.

use crate::{
    harness::{TempDir, program},
    samples::{self, identify},
    tools,
};
use std::{
    fs,
    os::unix::fs::symlink,
    process::{Command, Output},
};

/// Runs a bash script in a directory that contains a picture, `p.ppm`. `$0` is the program.
fn shell(dir: &TempDir, script: &str) -> Output {
    fs::write(dir.path().join("p.ppm"), samples::ppm(30, 20)).unwrap();
    Command::new("bash")
        .args(["-c", script])
        .arg(program())
        .current_dir(dir.path())
        .output()
        .unwrap()
}

fn stderr_of(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn control_characters_in_names_do_not_reach_a_terminal() {
    if !tools::has("bash") {
        return;
    }
    #[track_caller]
    fn check(script: &str, expected: &str) {
        let dir = TempDir::new();
        let output = shell(&dir, script);
        let stderr = stderr_of(&output);
        assert_eq!(output.status.code(), Some(1), "{script}: {stderr}");
        assert!(stderr.contains(expected), "{script}: {stderr}");
        let is_order = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
        assert!(!stderr.contains(is_order), "{script}: {stderr:?}");
        assert!(
            stderr.lines().all(|line| line.starts_with("convertd: ")),
            "{stderr}"
        );
    }
    let shown = "\\u{1b}]0;x\\u{7}";
    check("\"$0\" convert $'\\e]0;x\\a.png' b.jpg", shown);
    check(
        "echo x >$'\\e]0;x\\a.png'; \"$0\" convert *.png b.jpg",
        "no supported format",
    );
    check("touch $'\\e]0;x\\a.png'; \"$0\" convert *.png b.jpg", shown);
    check(
        "touch $'a\\nb.png'; \"$0\" convert *.png --to jpg --out-dir o",
        "a\\u{a}b.png",
    );
    check(
        "touch $'\\u202egpj.png'; \"$0\" convert *.png b.jpg",
        "\\u{202e}gpj.png",
    );
    check("\"$0\" convert p.ppm $'/no\\e[2J/b.jpg'", "\\u{1b}[2J");
}

#[test]
fn pipes_devices_and_special_files_are_read() {
    if !tools::has("bash") {
        return;
    }
    #[track_caller]
    fn check(script: &str, format: &str) {
        let dir = TempDir::new();
        let output = shell(&dir, script);
        assert!(output.status.success(), "{script}: {}", stderr_of(&output));
        let result = fs::read(dir.path().join("out")).unwrap();
        assert_eq!(identify(&result), format, "{script}");
    }
    check("\"$0\" convert <(cat p.ppm) out --to png", "png");
    check(
        "mkfifo f; cat p.ppm >f & \"$0\" convert f out --to png",
        "png",
    );
    check("cat p.ppm | \"$0\" convert /dev/stdin out --to png", "png");
    check("cat p.ppm | \"$0\" convert - - --to png >out", "png");
    // The kernel states a length of 0 for this file, although the file has content.
    #[cfg(feature = "document")]
    check(
        "ln -s /proc/version v.txt; \"$0\" convert v.txt out --to pdf",
        "pdf",
    );
}

#[test]
fn output_that_cannot_be_written_is_a_failure() {
    if !tools::has("bash") {
        return;
    }
    #[track_caller]
    fn check(script: &str, code: i32) {
        let output = shell(&TempDir::new(), script);
        assert_eq!(
            output.status.code(),
            Some(code),
            "{script}: {}",
            stderr_of(&output)
        );
        assert_eq!(stderr_of(&output).is_empty(), code == 0, "{script}");
    }
    check("\"$0\" convert p.ppm - --to png >&-", 1);
    check("\"$0\" formats >&-", 1);
    check("\"$0\" --version >&-", 1);
    check("\"$0\" convert p.ppm - --to png >/dev/full", 1);
    // An explicit `-` is accepted for any output.
    check("\"$0\" convert p.ppm - --to png >/dev/null", 0);
    check(
        "\"$0\" convert p.ppm - --to png 0<>/dev/null 1<>/dev/null",
        0,
    );
    // The standard output may be closed if the result is written to a file.
    check("\"$0\" convert p.ppm a.png >&-", 0);
}

#[test]
fn a_dangling_link_counts_as_an_existing_file() {
    if !tools::has("bash") {
        return;
    }
    let dir = TempDir::new();
    let place = dir.path().join("out/p.png");
    fs::create_dir(dir.path().join("out")).unwrap();
    symlink("/nowhere/at/all", &place).unwrap();
    let output = shell(&dir, "\"$0\" convert p.ppm --to png --out-dir out");
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr_of(&output).contains("out/p.png exists; --force replaces it"));
    assert!(place.is_symlink());
    let output = shell(&dir, "\"$0\" convert p.ppm --to png --out-dir out --force");
    assert!(output.status.success(), "{}", stderr_of(&output));
    assert_eq!(identify(&fs::read(&place).unwrap()), "png");
}

#[test]
fn unsupported_formats_are_named() {
    if !tools::has("bash") {
        return;
    }
    let dir = TempDir::new();
    for (name, content, expected) in [
        (
            "a.rar",
            &b"Rar!\x1a\x07\x01\0"[..],
            "the file is a RAR archive, which cannot be converted",
        ),
        ("a.exe", b"MZ\x90\0\x03\0\0\0", "a Windows program"),
        (
            "photo.jpg",
            b"SQLite format 3\0\x10\0",
            "called .jpg, but it is an SQLite database",
        ),
        ("a.ttc", b"ttcf\0\x01\0\0\0", "a collection of fonts"),
        (
            "a.bin",
            b"\x01\x02\x03\x04\x05",
            "convertd formats list what is supported",
        ),
    ] {
        fs::write(dir.path().join(name), content).unwrap();
        let output = shell(&dir, &format!("\"$0\" convert {name} out.png"));
        let stderr = stderr_of(&output);
        assert!(stderr.contains(expected), "{name}: {stderr}");
        // The message must fit into a row of the page in the browser.
        assert!(stderr.len() < 250, "{name}: {stderr}");
    }
}
