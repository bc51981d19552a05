//! `convertd convert`: converts files with the converters of the service, without a running service: one file to a
//! given path, several to one, or each by itself.
//!
//! Replaces no file without consent: it asks at a terminal, and otherwise requires `--force`. A file never replaces
//! itself, because the original would be lost.

mod ask;
#[cfg(feature = "pdf")]
mod joined;
mod many;
#[cfg(feature = "document")]
mod media;
mod one;
#[cfg(feature = "document")]
mod parts;
mod place;
mod plan;
mod programmed;
mod progress;
mod report;
mod run;
mod walk;

use super::{
    Failure, Outcome,
    flags::CONVERT,
    unexpected,
    work::{self, Wanted},
};
use crate::config::Config;
use lexopt::{Arg, Parser, ValueExt};
use place::STANDARD;
use plan::{Plan, Words};
pub(super) use programmed::{file, text_of};
use report::ReportStyle;
use std::path::{Path, PathBuf};

/// Options of the service that this command has, too.
const OF_THE_SERVICE: [&str; 5] = ["fonts", "max-output", "memory", "ocr-data", "ocr-languages"];

/// The options of a command line, without its paths.
#[derive(Default)]
struct CommandOptions {
    to: Option<String>,
    wanted: Wanted,
    /// Configuration from the options [`OF_THE_SERVICE`].
    config: Config,
    /// Whether existing files are replaced without asking.
    force: bool,
    /// Whether a directory as an input means the files in it.
    recursive: bool,
    /// Directory for the pictures of texts.
    media: Option<PathBuf>,
    manner: ReportStyle,
}

/// Parses the command line of `convert`, and runs the plan that follows from it.
pub(super) fn run(parser: &mut Parser) -> Outcome {
    let (mut options, mut words) = (CommandOptions::default(), Words::default());
    // A limit on results protects a service from its clients; here the user decides.
    options.config.max_output = u64::MAX;
    options.wanted.has_from = true;
    super::read_models(&mut options.config)?;
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Short('h') | Arg::Long("help") => return super::help::about("convert", &argument),
            Arg::Short('t') | Arg::Long("to") => options.to = Some(parser.value()?.string()?),
            Arg::Long("from") => options.wanted.take_from(parser)?,
            Arg::Long("quality") => options.wanted.take_quality(parser)?,
            Arg::Long("option") => options.wanted.take_option(parser)?,
            Arg::Long(name) if OF_THE_SERVICE.contains(&name) => {
                let name = name.to_owned();
                let value = parser.value()?.string()?;
                let set = options.config.set(&name, &value);
                set.map_err(|error| Failure::usage(&error))?;
            }
            #[cfg(feature = "document")]
            Arg::Long("resource-dir") => options.wanted.resources.add(parser.value()?.into())?,
            #[cfg(feature = "document")]
            Arg::Long("no-resources") => options.wanted.resources.off = true,
            #[cfg(feature = "document")]
            Arg::Long("extract-media") => options.media = Some(parser.value()?.into()),
            Arg::Long("out-dir") => words.out_dir = Some(parser.value()?.into()),
            Arg::Short('f') | Arg::Long("force") => options.force = true,
            Arg::Short('r') | Arg::Long("recursive") => options.recursive = true,
            Arg::Short('q') | Arg::Long("quiet") => options.manner = ReportStyle::Quiet,
            Arg::Short('v') | Arg::Long("verbose") => options.manner = ReportStyle::Verbose,
            Arg::Long("json") => options.manner = ReportStyle::Json,
            Arg::Short('o') | Arg::Long("output") => words.output = Some(parser.value()?.into()),
            Arg::Value(path) => words.paths.push(path.into()),
            _ => return Err(unexpected(argument, CONVERT, &[])),
        }
    }
    options.wanted.check()?;
    if let Some(to) = &options.to
        && (words.out_dir.is_some() || words.output.is_none() && words.paths.len() != 2)
    {
        work::target(to, &format!("--to {to}"), None)?;
    }
    // A user who writes `--output -` may send a picture to a terminal; without that option, it is refused.
    let is_named = words.output.is_some();
    words.to = options.to.clone();
    match words.plan()? {
        Plan::One(input, output) => {
            check_output(&output, is_named, &options)?;
            one::convert(&input, &output, &mut options)
        }
        #[cfg(feature = "pdf")]
        Plan::Joined(inputs, output) => {
            check_output(&output, is_named, &options)?;
            one::join(&inputs, &output, &mut options)
        }
        #[cfg(not(feature = "pdf"))]
        Plan::Joined(..) => Err(Failure::Usage("this build cannot merge files".into())),
        Plan::Each(inputs, place) => {
            let to = options.to.take().unwrap_or_default();
            if place.is_none() && inputs == [Path::new(STANDARD)] {
                let standard = Path::new(STANDARD);
                options.to = Some(to);
                check_output(standard, false, &options)?;
                return one::convert(standard, standard, &mut options);
            }
            many::convert(&inputs, place.as_deref(), &to, &options)
        }
    }
}

/// Refuses standard output for the result if the report in JSON also goes there. Unless `is_named`, also refuses it if
/// it is a terminal and the result is not text.
fn check_output(output: &Path, is_named: bool, options: &CommandOptions) -> Result<(), Failure> {
    if output == Path::new(STANDARD) && options.manner == ReportStyle::Json {
        let text =
            "the result and --json cannot both go to standard output; name a file for the result";
        return Err(Failure::Usage(text.into()));
    }
    match is_named {
        true => Ok(()),
        false => one::check_terminal(output, options),
    }
}
