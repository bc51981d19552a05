//! `convertd convert`: converts files with the converters of the service, without a running service: one to a place that is
//! named, or many into a directory.
//!
//! What scripts rely on holds whoever runs them: without `--out-dir` there is one input and one output, and an output that
//! exists is replaced. Only a person at a terminal is asked before. Into a directory nothing is replaced that nobody has agreed
//! to: without a terminal that takes `--force`.

mod ask;
mod many;
mod one;
mod place;
mod progress;
mod run;

use super::{Failure, Outcome, work::Wanted};
use crate::{
    config::Config,
    registry::{self, Terms},
};
use lexopt::{Arg, Parser, ValueExt};
use std::{env, path::PathBuf, process::ExitCode};

/// Options that mean what they mean to the service.
const OF_THE_SERVICE: [&str; 5] = ["fonts", "max-output", "memory", "ocr-data", "ocr-languages"];

/// The options of the command line.
#[derive(Default)]
struct Request {
    to: Option<String>,
    wanted: Wanted,
    /// As for a service: the options [`OF_THE_SERVICE`].
    config: Config,
    out_dir: Option<PathBuf>,
    /// Whether existing files are replaced without a question.
    force: bool,
}

pub(super) fn run(parser: &mut Parser) -> Outcome {
    let (mut request, mut paths) = (Request::default(), Vec::<PathBuf>::new());
    request.config.max_output = u64::MAX;
    // Where models lie belongs to the machine, and so to its environment.
    let of_models = |name: &str| env::var_os(name).filter(|_| name.starts_with("CONVERTD_OCR_"));
    let read = request.config.read_environment(of_models);
    read.map_err(|error| Failure::Usage(error.to_string()))?;
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Short('h') | Arg::Long("help") => return super::say(&super::help::text()),
            Arg::Long("to") => request.to = Some(parser.value()?.string()?),
            Arg::Long("quality") => request.wanted.take_quality(parser)?,
            Arg::Long("option") => request.wanted.take_option(parser)?,
            Arg::Long(name) if OF_THE_SERVICE.contains(&name) => {
                let name = name.to_owned();
                let value = parser.value()?.string()?;
                let set = request.config.set(&name, &value);
                set.map_err(|error| Failure::Usage(error.to_string()))?;
            }
            Arg::Long("out-dir") => request.out_dir = Some(parser.value()?.into()),
            Arg::Long("force") => request.force = true,
            Arg::Value(path) => paths.push(path.into()),
            _ => return Err(argument.unexpected().into()),
        }
    }
    let usage = |text: String| Err(Failure::Usage(text));
    if let Some(directory) = request.out_dir.take() {
        let Some(to) = request.to.take() else {
            return usage("--out-dir needs the format of the results: name it with --to".into());
        };
        if paths.is_empty() {
            return usage("convert needs at least one input file".into());
        }
        registry::target(&to, Terms::CommandLine)?;
        return many::convert(&paths, &directory, &to, &request);
    }
    match &paths[..] {
        [input, output] => one::convert(input, output, &mut request),
        [_, _, more, ..] => usage(format!(
            "{:?} is one file too many; several are converted into a directory: name it with --out-dir",
            more.display()
        )),
        _ => usage("convert needs an input file and an output file".into()),
    }
}

/// What a conversion was like, for the exit code of the program.
fn code(failed: usize) -> ExitCode {
    match failed {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}
