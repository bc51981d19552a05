//! `convertd convert`: converts files with the converters of the service, without a running service: one to a place that is
//! named, or many into a directory.
//!
//! Replaces no file without consent: it asks a person at a terminal, and otherwise requires `--force`. A file never
//! replaces itself, which would be the end of the original.

mod ask;
mod many;
mod one;
mod place;
mod progress;
mod run;

use super::{
    Failure, Outcome,
    flags::CONVERT,
    unexpected,
    work::{self, Wanted},
};
use crate::config::Config;
use lexopt::{Arg, Parser, ValueExt};
use std::{path::PathBuf, process::ExitCode};

/// Options shared with the service.
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
    let mut output = None::<PathBuf>;
    request.config.max_output = u64::MAX;
    super::read_models(&mut request.config)?;
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Short('h') | Arg::Long("help") => return super::say(&super::help::text()),
            Arg::Long("to") => request.to = Some(parser.value()?.string()?),
            Arg::Long("from") => request.wanted.take_from(parser)?,
            Arg::Long("quality") => request.wanted.take_quality(parser)?,
            Arg::Long("option") => request.wanted.take_option(parser)?,
            Arg::Long(name) if OF_THE_SERVICE.contains(&name) => {
                let name = name.to_owned();
                let value = parser.value()?.string()?;
                let set = request.config.set(&name, &value);
                set.map_err(|error| Failure::usage(&error))?;
            }
            Arg::Long("out-dir") => request.out_dir = Some(parser.value()?.into()),
            Arg::Short('f') | Arg::Long("force") => request.force = true,
            Arg::Short('o') | Arg::Long("output") => output = Some(parser.value()?.into()),
            Arg::Value(path) => paths.push(path.into()),
            _ => return Err(unexpected(argument, CONVERT, &[])),
        }
    }
    let usage = |text: String| Err(Failure::Usage(text));
    request.wanted.check()?;
    if let Some(directory) = request.out_dir.take() {
        let Some(to) = request.to.take() else {
            return usage("--out-dir needs the format of the results: name it with --to".into());
        };
        if paths.is_empty() {
            return usage("convert needs at least one input file".into());
        }
        work::target(&to, &format!("--to {to}"), None)?;
        return many::convert(&paths, &directory, &to, &request);
    }
    // An output that was named so may be a terminal.
    let is_named = output.is_some();
    paths.extend(output);
    match &paths[..] {
        [input, output] => {
            if !is_named {
                one::check_terminal(output, &request)?;
            }
            one::convert(input, output, &mut request)
        }
        [_, _, more, ..] => usage(format!(
            "{:?} is one file too many; several are converted into a directory: name it with --out-dir",
            more.display()
        )),
        _ => usage("convert needs an input file and an output file".into()),
    }
}

/// Exit code of the program for a number of failures.
fn code(failed: usize) -> ExitCode {
    match failed {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}
