//! The command line: `serve`, `convert`, `formats`, `health`. Does nothing that the library cannot do without it.

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

/// What a command ends with if its arguments are wrong.
const USAGE: u8 = 2;

/// Runs the program. `arguments` begin with its own name.
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
                // The message says it all; the cause is the codec's own words for it.
                Kind::BadInput => eprintln!("convertd: {}", error.message()),
                _ => eprintln!("convertd: {error}"),
            }
            ExitCode::FAILURE
        }
    }
}

/// Why a command did not succeed.
enum Failure {
    /// The command line is wrong.
    Usage(String),
    /// The command line is right, and something else is not.
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
    // Flags before the command are those of `serve`, which is what runs without one.
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
                        "there is no command {command:?}; there are serve, convert, formats and health"
                    ))),
                };
            }
        }
    }
    serve::run(parser, ahead)
}

/// Writes to standard output; a reader that has gone is no error.
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
