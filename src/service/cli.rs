//! The command line: `serve`, `convert`, `watch`, `formats`, `mcp`, `health`, and commands that print help,
//! completions, the man page, licences and the version. Contains the commands only: conversions, the service and the
//! store are parts of the library, which other programs can use.

#[cfg(feature = "document")]
mod archive_builder;
mod completions;
mod convert;
mod flags;
mod formats;
mod health;
mod help;
mod licences;
mod man;
mod mcp;
mod names;
#[cfg(feature = "document")]
mod resources;
mod scratch;
mod serve;
mod signals;
mod terminal;
mod watch;
mod work;

use crate::{
    config::{Config, KEYS, OPTIONS},
    error::{Error, Kind, Reason, Result},
    machine, nearest,
};
use flags::COMMANDS;
use lexopt::{Arg, Parser, ValueExt};
use std::{ffi::OsString, process::ExitCode};

/// Width of the column of commands and flags in the help text, in characters.
const USAGE_WIDTH: usize = 40;

/// The exit code for wrong arguments.
const USAGE: u8 = 2;

/// Runs the program. The first of the `arguments` is the program's own name.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let mut parser = Parser::from_iter(&arguments);
    match run(&mut parser) {
        Ok(code) => code,
        Err(Failure::Usage(message)) => {
            terminal::complain(message);
            // Options of `serve` may stand before its name, so the command need not be the first argument.
            let is_named = |name: &str| arguments.iter().skip(1).any(|argument| argument == name);
            match COMMANDS.iter().find(|command| is_named(command.name)) {
                Some(command) => eprintln!("Try 'convertd {} --help'.", command.name),
                None => eprintln!("Try 'convertd --help'."),
            }
            ExitCode::from(USAGE)
        }
        Err(Failure::Failed(error)) => {
            terminal::complain(error_text(&error));
            ExitCode::FAILURE
        }
    }
}

/// The reason why a command failed; it decides the exit code.
#[derive(Debug)]
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

impl Failure {
    /// Turns an error into a mistake on the command line.
    fn usage(error: &Error) -> Self {
        Self::Usage(error.message().to_owned())
    }

    /// The error for a caller whose arguments come from a request and not from a command line. The request is then at
    /// fault.
    fn into_error(self) -> Error {
        match self {
            Self::Usage(text) => Error::new(Kind::BadInput, text),
            Self::Failed(error) => error,
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        // A conversion that is not offered is a mistake on the command line, whatever the file contains.
        match error.reason() {
            Some(Reason::NotOffered) => Self::usage(&error),
            _ => Self::Failed(error),
        }
    }
}

/// Text of an error for the command line. Details, such as the operating system's reason, are shown unless the file is
/// at fault. For a damaged file, the text names an option that may help.
fn error_text(error: &Error) -> String {
    let text = match error.kind() {
        Kind::BadInput => error.message().to_owned(),
        _ => terminal::without_numbers(&error.to_string()),
    };
    match error.reason() {
        Some(Reason::Damaged) => {
            format!("{text}; --option damaged=keep converts the readable part")
        }
        _ => text,
    }
}

type Outcome = Result<ExitCode, Failure>;

/// Finds the command and runs it; without a command, runs `serve`. Flags before the command belong to `serve`.
fn run(parser: &mut Parser) -> Outcome {
    let mut ahead = Vec::new();
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Short('h') => return say(&help::overview()),
            Arg::Long("help") => return say(&help::text()),
            Arg::Short('V') | Arg::Long("version") => return version(parser),
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
                    "mcp" => mcp::run(parser),
                    "health" => health::run(parser),
                    "completions" => completions::run(parser),
                    "man" => man::run(parser),
                    "licences" => licences::run(parser),
                    "version" => version(parser),
                    "help" => help::run(parser),
                    crate::engine::CHILD_COMMAND => Ok(crate::engine::child_main()),
                    _ => Err(no_command(&command)),
                };
            }
        }
    }
    serve::run(parser, ahead)
}

/// Prints the version.
fn version(parser: &mut Parser) -> Outcome {
    match parser.next()? {
        Some(argument @ (Arg::Short('h') | Arg::Long("help"))) => help::about("version", &argument),
        Some(argument @ Arg::Value(_)) => Err(argument.unexpected().into()),
        Some(_) | None => say(concat!("convertd ", env!("CARGO_PKG_VERSION"), "\n")),
    }
}

/// The error for an unknown command. If it is the name of a file or has the extension of a format, the message explains
/// that a command comes first.
fn no_command(command: &str) -> Failure {
    let extension = crate::format::extension(command).unwrap_or_default();
    let is_file = std::path::Path::new(command).is_file();
    if is_file || crate::registry::by_name(&extension).is_some() {
        return Failure::Usage(format!(
            "there is no command {command:?}; to convert that file: convertd convert {command} OUTPUT"
        ));
    }
    let names = COMMANDS.iter().map(|known| known.name);
    let hint = nearest::hint(command, names.clone());
    let all = names.collect::<Vec<_>>().join(", ");
    Failure::Usage(format!(
        "there is no command {command:?}{hint}; the commands are {all}"
    ))
}

/// Reads the variables of OCR from the environment, because they describe models that are installed on this machine.
/// `convert` ignores all other variables, which are for services.
fn read_models(config: &mut Config) -> Result<(), Failure> {
    let of_models =
        |name: &str| std::env::var_os(name).filter(|_| name.starts_with("CONVERTD_OCR_"));
    config
        .read_environment(of_models)
        .map_err(|error| Failure::usage(&error))
}

/// Warns of unknown variables that begin with the program's name. Kubernetes sets some variables for a service of this
/// name. These variables are skipped.
fn warn_of_variables() {
    const PREFIX: &str = "CONVERTD_";
    let known = || OPTIONS.iter().map(|option| option.env).chain([KEYS]);
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy();
        let is_of_cluster = ["CONVERTD_SERVICE_", "CONVERTD_PORT"]
            .iter()
            .any(|prefix| name.starts_with(prefix));
        if name.starts_with(PREFIX) && !is_of_cluster && !known().any(|known| known == name) {
            log::warn!("unknown variable {name}{}", nearest::hint(&name, known()));
        }
    }
}

/// The error for an argument that a command does not take.
fn unexpected(argument: Arg<'_>, flags: &[flags::Flag], more: &[&str]) -> Failure {
    let hint = match &argument {
        Arg::Long(name) => {
            let known = flags.iter().map(|flag| flag.name);
            nearest::flag_hint(name, known.chain(more.iter().copied()))
        }
        Arg::Short(_) | Arg::Value(_) => String::new(),
    };
    Failure::Usage(format!("{}{hint}", argument.unexpected()))
}

/// Writes to standard output. A closed pipe is not an error: its reader, such as `head`, has seen enough.
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
