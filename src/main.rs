//! The `convertd` program: hands its arguments to the library.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: convertd::engine::Allocator = convertd::engine::Allocator;

fn main() -> ExitCode {
    convertd::cli::main(std::env::args_os())
}
