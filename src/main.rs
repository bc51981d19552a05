//! The `convertd` program: hands its arguments to the library.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: convertd::engine::Allocator = convertd::engine::Allocator;

/// Function that the loader calls before Rust's runtime starts.
// Safe: the linker's table of such functions (System V ABI, "Initialization and Termination Functions") has entries of
// this type, and this one needs nothing that is set up later. There is no safe way to run before the runtime.
#[allow(unsafe_code)]
#[used]
#[unsafe(link_section = ".init_array")]
static FIRST: extern "C" fn() = convertd::machine::look_at_standard_output;

fn main() -> ExitCode {
    convertd::cli::main(std::env::args_os())
}
