//! `convertd help`: all options, or a chapter of the manual.

use super::{Failure, Outcome, USAGE_WIDTH, flags::COMMANDS};
use crate::{config::OPTIONS, manual};
use lexopt::{Arg, Parser, ValueExt};

pub(super) fn run(parser: &mut Parser) -> Outcome {
    let Some(argument) = parser.next()? else {
        return super::say(&text());
    };
    let Arg::Value(name) = argument else {
        return match argument {
            Arg::Short('h') | Arg::Long("help") => super::say(&text()),
            argument => Err(argument.unexpected().into()),
        };
    };
    let name = name.string()?;
    if let Some(argument) = parser.next()? {
        return Err(argument.unexpected().into());
    }
    if let Some(chapter) = manual::chapter(&name) {
        return super::say(&manual::plain(chapter.text));
    }
    // Who asks for help with a command finds it there.
    if COMMANDS.iter().any(|command| command.name == name) {
        return super::say(&text());
    }
    Err(Failure::Usage(format!(
        "there is no chapter {name:?}; the chapters are {}",
        manual::NAMES.join(", ")
    )))
}

/// Text that `--help` prints.
pub(super) fn text() -> String {
    let mut text = format!(
        "convertd {}: a file conversion service. Upload a file, get a link, download the result once.

Usage:
",
        env!("CARGO_PKG_VERSION")
    );
    for command in COMMANDS {
        let usage = format!("convertd {} {}", command.name, command.usage);
        if usage.len() > USAGE_WIDTH {
            text.push_str(&format!(
                "  {usage}\n  {:<USAGE_WIDTH$} {}\n",
                "", command.help
            ));
        } else {
            text.push_str(&format!("  {usage:<USAGE_WIDTH$} {}\n", command.help));
        }
        for flag in command.flags {
            let usage = format!("--{} {}", flag.name, flag.value);
            text.push_str(&format!("      {usage:<36} {}\n", flag.help));
        }
    }
    text.push_str("\nOptions of serve, which is the command if none is named; each also an environment variable:\n");
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

Chapters of the manual, for convertd help CHAPTER:
",
    );
    text.push_str(&manual::contents());
    text
}
