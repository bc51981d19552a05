//! The program as it is delivered: a static binary with sandboxed children, over HTTP and on the command line. Tests
//! every pair of formats, every option of each pair with each of its values, and every endpoint. Checks only that each
//! of them works; other tests compare results.
//!
//! A static program differs from the program that cargo builds for tests: it cannot load functions of the C library at
//! run time, and its children cannot open the files that such functions would use. `CONVERTD_BIN` names the tested
//! program, and `make shipped` builds a static one. Without `CONVERTD_BIN`, the tests run the program that cargo has
//! built, and print that this program is not delivered.

#![allow(clippy::unwrap_used)]

#[path = "../spreadsheets/biff.rs"]
#[allow(dead_code)]
mod biff;
mod catalogue;
mod command_line;
mod compat;
mod endpoints;
mod files;
#[path = "../support/hangul.rs"]
mod hangul;
#[path = "../service/harness.rs"]
mod harness;
mod isolation;
#[allow(dead_code)]
#[path = "../support/iwa.rs"]
mod iwa;
mod options;
mod pairs;
#[path = "../documents/palm.rs"]
#[allow(dead_code)]
mod palm;
#[path = "../support/pict.rs"]
mod pict;
#[path = "../service/shared/redis.rs"]
#[allow(dead_code)]
mod redis;
mod service;
#[path = "../support/tools.rs"]
mod tools;
#[path = "../documents/zips.rs"]
#[allow(dead_code)]
mod zips;

/// The type of the ELF segment that names the program's dynamic linker (elf(5), `PT_INTERP`).
const INTERPRETER: u32 = 3;

/// Returns whether a little-endian ELF file is linked statically.
fn is_static(program: &[u8]) -> bool {
    let number = |at: usize, len: usize| {
        let bytes = program.get(at..at + len).expect("the head of an ELF file");
        let byte = |(place, byte): (usize, &u8)| u64::from(*byte) << (8 * place);
        bytes.iter().enumerate().map(byte).sum::<u64>() as usize
    };
    assert!(program.starts_with(b"\x7fELF"), "not an ELF file");
    // The offset of the program header table, the length of an entry, and the number of entries.
    let (start, len, count) = match program[4] {
        2 => (number(32, 8), number(54, 2), number(56, 2)),
        _ => (number(28, 4), number(42, 2), number(44, 2)),
    };
    (0..count).all(|row| number(start + row * len, 4) != INTERPRETER as usize)
}

#[test]
fn the_tested_program_is_static() {
    let command = harness::command();
    let path = command.get_program();
    let program = std::fs::read(path).unwrap();
    if std::env::var_os("CONVERTD_BIN").is_none() {
        eprintln!(
            "this is the program that cargo built for tests; `make shipped` tests the delivered one"
        );
        return;
    }
    if !is_static(&program) {
        return tools::lacking("a static C library to link the program with");
    }
    // The test program itself is not static, so it shows whether `is_static` works.
    let own = std::fs::read(std::env::current_exe().unwrap()).unwrap();
    assert!(cfg!(target_feature = "crt-static") || !is_static(&own));
}
