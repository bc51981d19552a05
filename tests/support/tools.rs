//! Programs of others that results are compared with. A test that lacks one says so and passes on a developer's machine; where
//! `CONVERTD_TOOLS=required` is set, as in continuous integration, it fails.

// Not every test program that includes this uses all of it.
#![allow(dead_code)]

use std::{env, process::Command};

/// Says that a test passes over something, and what it lacks.
#[track_caller]
pub(crate) fn lacking(what: &str) {
    assert!(
        env::var_os("CONVERTD_TOOLS").is_none(),
        "this needs {what}, and CONVERTD_TOOLS says that everything is here"
    );
    eprintln!("skipped: needs {what}");
}

/// Whether a program can be started. Says so if it cannot.
#[track_caller]
pub(crate) fn has(program: &str) -> bool {
    let found = Command::new(program).arg("--version").output().is_ok();
    if !found {
        lacking(program);
    }
    found
}
