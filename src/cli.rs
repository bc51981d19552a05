//! The command line: `serve`, `convert`, `formats`, `health`. Contains no logic that the library does not offer to other
//! programs.

mod convert;
mod formats;
mod health;
mod serve;

use crate::{
    config::OPTIONS,
    error::{Error, Kind, Result},
};
use lexopt::{Arg, Parser, ValueExt};
use std::{ffi::OsString, path::Path, process::ExitCode};

/// The exit code for wrong arguments.
const USAGE: u8 = 2;

/// Runs the program. The first of the `arguments` is the program's own name.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let mut parser = Parser::from_iter(arguments);
    match run(&mut parser) {
        Ok(code) => code,
        Err(Failure::Usage(message)) => {
            eprintln!("convertd: {message}\nTry 'convertd --help'.");
            ExitCode::from(USAGE)
        }
        Err(Failure::Failed(error)) => {
            match error.kind() {
                // The message is complete without its cause, which is the codec's own error text.
                Kind::BadInput => eprintln!("convertd: {}", error.message()),
                _ => eprintln!("convertd: {error}"),
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
            Arg::Short('h') | Arg::Long("help") => return say(&help()),
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
                    "formats" => formats::run(parser),
                    "health" => health::run(parser),
                    "help" => say(&help()),
                    crate::engine::CHILD_COMMAND => {
                        let fonts = parser.raw_args()?.next();
                        Ok(crate::engine::child_main(fonts.as_deref().map(Path::new)))
                    }
                    _ => Err(Failure::Usage(format!(
                        "there is no command {command:?}; the commands are serve, convert, formats and health"
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
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Err(err) if err.kind() != std::io::ErrorKind::BrokenPipe => Err(Error::new(
            Kind::Internal,
            "cannot write to standard output",
        )
        .caused_by(err)
        .into()),
        Ok(()) | Err(_) => Ok(ExitCode::SUCCESS),
    }
}

fn help() -> String {
    let mut text = format!(
        "convertd {}: converts files for whoever can reach it. Upload, get a link, download once.

Usage:
  convertd [serve] [OPTIONS]                 run the service
  convertd convert INPUT OUTPUT [--to FORMAT] [--quality low|medium|high] [--option NAME=VALUE] [--fonts DIR]
                                             convert one file here and now; - is standard input or output
  convertd formats [--json]                  list what can be made from what
  convertd health [URL]                      ask a running service how it is; exits 0 if it serves

Options of serve, each also an environment variable:
",
        env!("CARGO_PKG_VERSION")
    );
    for option in OPTIONS {
        let usage = format!("--{} {}", option.flag, option.value);
        text.push_str(&format!(
            "  {usage:<31} {} [{}]\n",
            option.help, option.default
        ));
        text.push_str(&format!("  {:<31} {}\n", "", option.env));
    }
    text.push_str(
        "
  -h, --help                      show this text
  -V, --version                   show the version

Sizes take K, M and G. Try it:
  curl -F file=@photo.jpg -F target_format=png http://127.0.0.1:8080/api/v1/convert
",
    );
    text
}
