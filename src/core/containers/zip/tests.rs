//! Written archives are read again; damaged archives, and those with wrong sizes, are refused with a sentence.

use super::*;
use crate::{error::Result, job::Job};
use std::io::Cursor;

fn written(entries: &[(&str, &[u8], Packing)]) -> Vec<u8> {
    with_job(|job| {
        let mut output = Cursor::new(Vec::new());
        let mut writer = Writer::new(job, &mut output);
        for (name, bytes, packing) in entries {
            writer.add(name, bytes, *packing).expect("an entry");
        }
        writer.finish().expect("the archive is written");
        output.into_inner()
    })
}

fn read(archive: &[u8], name: &str) -> Result<Vec<u8>> {
    with_job(|job| Archive::open(job, &mut Cursor::new(archive))?.read(name))
}

fn with_job<T>(work: impl FnOnce(&Job<'_>) -> T) -> T {
    crate::job::testing::with_job(work)
}

fn example() -> Vec<u8> {
    let text = "over and over ".repeat(1000);
    written(&[
        ("mimetype", b"text/plain", Packing::Stored),
        ("a/größe.txt", text.as_bytes(), Packing::Deflated),
        ("empty", b"", Packing::Deflated),
    ])
}

/// The position of the last `pattern`, which is in the directory.
fn last(archive: &[u8], pattern: &[u8]) -> usize {
    memchr::memmem::rfind(archive, pattern).expect("it is there")
}

#[test]
fn written_archives_are_read_back() {
    let archive = example();
    assert_eq!(archive, example(), "the same entries, the same bytes");
    assert!(archive.len() < 1000);
    assert_eq!(&archive[30..48], b"mimetypetext/plain");
    for (name, len) in [("mimetype", 10), ("a/größe.txt", 14_000), ("empty", 0)] {
        assert_eq!(read(&archive, name).expect(name).len(), len);
    }
    let moved = [b"#!/bin/sh\n".as_slice(), &archive].concat();
    assert_eq!(read(&moved, "mimetype").expect("moved"), b"text/plain");
    let with_comment = {
        let mut archive = archive;
        let len = archive.len();
        archive[len - 2] = 3;
        [archive.as_slice(), b"PK!"].concat()
    };
    assert_eq!(
        read(&with_comment, "mimetype").expect("comment"),
        b"text/plain"
    );
}

#[test]
fn damaged_archives_are_refused_with_a_message() {
    #[track_caller]
    fn check(change: impl FnOnce(&mut Vec<u8>), name: &str, expected: &str) {
        let mut archive = example();
        change(&mut archive);
        let err = read(&archive, name).expect_err("it is damaged");
        assert!(err.message().contains(expected), "{}", err.message());
    }
    let entry = |archive: &[u8]| last(archive, &DIRECTORY_ENTRY);
    check(|_| {}, "other", "the part \"other\" is missing");
    check(|archive| archive.truncate(200), "mimetype", "cut off");
    check(|archive| archive.clear(), "mimetype", "cut off");
    check(|archive| archive[40] ^= 1, "mimetype", "checksum");
    check(|archive| archive[120] ^= 0xff, "a/größe.txt", "damaged");
    check(
        |archive| {
            let at = entry(archive) + 8;
            archive[at] |= 1;
        },
        "empty",
        "encrypted",
    );
    check(
        |archive| {
            let at = entry(archive) + 10;
            archive[at] = 12;
        },
        "empty",
        "other than Deflate",
    );
    // The last entry claims to begin where the first one does.
    check(
        |archive| {
            let at = entry(archive) + 42;
            archive[at..at + 4].fill(0);
        },
        "mimetype",
        "overlap",
    );
    // The entry claims to have one byte, and has 14,000.
    check(
        |archive| {
            let at = last(archive, "a/größe.txt".as_bytes()) - 46 + 24;
            archive[at..at + 4].copy_from_slice(&1_u32.to_le_bytes());
        },
        "a/größe.txt",
        "damaged",
    );
}

#[test]
fn names_are_never_paths() {
    #[track_caller]
    fn check(name: &str, expected: &str) {
        let archive = written(&[(name, b"x", Packing::Stored)]);
        assert_eq!(read(&archive, expected).expect(name), b"x");
    }
    check("word\\document.xml", "word/document.xml");
    check("/etc/passwd", "etc/passwd");
    check("./a", "a");
    check("../../a", "../../a");
}

#[test]
fn archives_are_recognised_by_their_directory() {
    #[track_caller]
    fn check(archive: &[u8], wanted: &[&str], expected: bool) {
        let head = &archive[..archive.len().min(64)];
        let tests: Vec<_> = wanted
            .iter()
            .map(|&name| move |it: &str| it == name)
            .collect();
        let tests: Vec<&dyn Fn(&str) -> bool> = tests.iter().map(|test| test as _).collect();
        let mut input = Cursor::new(archive);
        assert_eq!(holds(head, &mut input, &tests), expected, "{wanted:?}");
        assert_eq!(input.position(), 0);
    }
    let archive = example();
    check(&archive, &["mimetype"], true);
    check(&archive, &["mimetype", "empty"], true);
    check(&archive, &["mimetype", "other"], false);
    // The outer archive does not have the names of the inner one.
    let outer = written(&[("inner.zip", &archive, Packing::Stored)]);
    check(&outer, &["inner.zip"], true);
    check(&outer, &["mimetype"], false);
    // Without a directory, the first bytes identify the file.
    check(&archive[..archive.len() - 1], &["mimetype"], true);
    check(&archive[..archive.len() - 1], &["empty"], false);
    check(&archive[..20], &["mimetype"], false);
    check(b"no archive at all", &["mimetype"], false);
}
