//! The command line: `serve`, `convert`, `watch`, `formats`, `health`, and what shells and manuals need. Contains no logic that the library does not offer to other
//! programs.

mod completions;
mod convert;
mod flags;
mod formats;
mod health;
mod help;
mod licences;
mod man;
mod serve;
mod terminal;
mod watch;
mod work;

use crate::{
    error::{Error, Kind, Result},
    machine,
};
use flags::COMMANDS;
use lexopt::{Arg, Parser, ValueExt};
use std::{ffi::OsString, process::ExitCode};

/// The width of the column with what is typed, in the help text.
const USAGE_WIDTH: usize = 40;

/// The exit code for wrong arguments.
const USAGE: u8 = 2;

/// Runs the program. The first of the `arguments` is the program's own name.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let mut parser = Parser::from_iter(arguments);
    match run(&mut parser) {
        Ok(code) => code,
        Err(Failure::Usage(message)) => {
            terminal::complain(message);
            eprintln!("Try 'convertd --help'.");
            ExitCode::from(USAGE)
        }
        Err(Failure::Failed(error)) => {
            match error.kind() {
                // The message is complete without its cause, which is the codec's own error text.
                Kind::BadInput => terminal::complain(error.message()),
                _ => terminal::complain(error),
            }
            ExitCode::FAILURE
        }
    }
}

/// Why a command failed.
enum Failure {
    /// The command line is wrong.
    Usage(String),
    /// The command line is right, but the command failed.
    Failed(Error),
}

impl From<lexopt::Error> for Failure {
    fn from(error: lexopt::Error) -> Self {
        Self::Usage(error.to_string())
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

type Outcome = Result<ExitCode, Failure>;

fn run(parser: &mut Parser) -> Outcome {
    // Flags before the command belong to `serve`, the default command.
    let mut ahead = Vec::new();
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Short('h') | Arg::Long("help") => return say(&help::text()),
            Arg::Short('V') | Arg::Long("version") => {
                return say(concat!("convertd ", env!("CARGO_PKG_VERSION"), "\n"));
            }
            Arg::Long(flag) => {
                let flag = flag.to_owned();
                let value = serve::value_of(parser, &flag)?;
                ahead.push((flag, value));
            }
            Arg::Short(_) => return Err(argument.unexpected().into()),
            Arg::Value(command) => {
                let command = command.string()?;
                if command != "serve" && !ahead.is_empty() {
                    return Err(Failure::Usage(format!(
                        "--{} is an option of serve, not of {command}",
                        ahead[0].0
                    )));
                }
                return match command.as_str() {
                    "serve" => serve::run(parser, ahead),
                    "convert" => convert::run(parser),
                    "watch" => watch::run(parser),
                    "formats" => formats::run(parser),
                    "health" => health::run(parser),
                    "completions" => completions::run(parser),
                    "man" => man::run(parser),
                    "licences" => licences::run(parser),
                    "help" => help::run(parser),
                    crate::engine::CHILD_COMMAND => Ok(crate::engine::child_main()),
                    _ => Err(Failure::Usage(format!(
                        "there is no command {command:?}; the commands are {}",
                        COMMANDS
                            .iter()
                            .map(|known| known.name)
                            .collect::<Vec<_>>()
                            .join(", ")
                    ))),
                };
            }
        }
    }
    serve::run(parser, ahead)
}

/// Writes to standard output. A closed pipe is not an error: the reader has seen enough.
fn say(text: &str) -> Outcome {
    use std::io::Write;
    machine::standard_output().map_err(unprinted)?;
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Err(err) if err.kind() != std::io::ErrorKind::BrokenPipe => Err(unprinted(err).into()),
        Ok(()) | Err(_) => Ok(ExitCode::SUCCESS),
    }
}

fn unprinted(err: std::io::Error) -> Error {
    Error::new(Kind::Internal, "cannot write to standard output").caused_by(err)
}
