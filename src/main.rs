//! The `convertd` program: hands its arguments to the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    convertd::cli::main(std::env::args_os())
}
