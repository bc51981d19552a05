//! Tools of the Makefile. `licences` writes the file that `convertd licences` prints, and `sbom` prints a bill of
//! materials; cargo tells both of them which packages are linked. `budget` checks the size of the binary, and `weight`
//! prints the sizes of its parts. `words` and `tidy` check the style of the source.

mod budget;
#[path = "../../../examples/common/mod.rs"]
mod common;
mod licences;
mod sbom;
mod spdx;
mod texts;
mod tidy;
mod tree;
mod weight;
mod words;

use std::process::ExitCode;

const USAGE: &str = "usage: convertd-kit licences [--check]
       convertd-kit sbom TARGET [what cargo is told about features]
       convertd-kit budget    (of the program at CONVERTD_BIN)
       convertd-kit weight MAP TARGET    (the linker's map of the program)
       convertd-kit tidy    (which way imports run)
       convertd-kit words    (how doc comments begin)";

/// A result of a tool. The error is a message for the person who ran `make`, and ends the program.
type Result<T> = std::result::Result<T, String>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match arguments.as_slice() {
        ["licences"] => licences::write(),
        ["licences", "--check"] => licences::check(),
        ["sbom", target, features @ ..] => sbom::print(target, features),
        ["budget"] => budget::check(),
        ["weight", map, target] => weight::print(map.as_ref(), target),
        ["tidy"] => tidy::check(),
        ["words"] => words::check(),
        _ => Err(USAGE.to_owned()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("convertd-kit: {message}");
            ExitCode::FAILURE
        }
    }
}
