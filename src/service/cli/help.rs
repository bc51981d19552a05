//! `convertd help`: all options, those of a command, or a chapter of the manual. Starts no pager.

use super::{
    Failure, Outcome, USAGE_WIDTH,
    flags::{COMMANDS, Command},
};
use crate::{config::OPTIONS, manual, nearest};
use lexopt::{Arg, Parser, ValueExt};

/// The width at which [`hang`] wraps lines, in characters: most terminals have more than 80 columns, and flags with
/// their help rarely fit into 80.
const WIDTH: usize = 100;

/// Prints the help of a command, a chapter of the manual, or, without an argument, all options.
pub(super) fn run(parser: &mut Parser) -> Outcome {
    let Some(argument) = parser.next()? else {
        return super::say(&text());
    };
    let Arg::Value(name) = argument else {
        return match argument {
            Arg::Short('h') | Arg::Long("help") => about("help", &argument),
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
    // `formats` is the name of a chapter and of a command. Chapters have priority.
    if let Some(command) = command(&name) {
        return super::say(&of(command, true));
    }
    let commands = COMMANDS.iter().map(|command| command.name);
    let hint = nearest::hint(&name, commands.chain(manual::NAMES));
    Err(Failure::Usage(format!(
        "there is no chapter {name:?}{hint}; the chapters are {}",
        manual::NAMES.join(", ")
    )))
}

/// Answers `-h` and `--help` of a command.
pub(super) fn about(name: &str, asked: &Arg<'_>) -> Outcome {
    match command(name) {
        Some(command) => super::say(&of(command, !matches!(asked, Arg::Short(_)))),
        None => super::say(&text()),
    }
}

fn command(name: &str) -> Option<&'static Command> {
    COMMANDS.iter().find(|command| command.name == name)
}

/// Help of a command: its flags; in the long form also details, examples and the chapter of the manual.
fn of(command: &Command, long: bool) -> String {
    let mut text = format!(
        "{}: {}.\n\nUsage:\n  {}\n",
        command.name,
        command.help,
        usage(command)
    );
    let flags = command.flags.iter();
    let mut lines: Vec<(String, String)> = flags
        .map(|flag| {
            (
                format!("{} {}", flag.written(), flag.value),
                flag.help.to_owned(),
            )
        })
        .collect();
    if command.name == "serve" {
        lines.extend(OPTIONS.iter().map(|option| {
            let help = match long {
                true => format!("{} [{}; {}]", option.help, option.default, option.env),
                false => format!("{} [{}]", option.help, option.default),
            };
            (format!("--{} {}", option.flag, option.value), help)
        }));
    }
    lines.push((
        "-h, --help".to_owned(),
        "print this help: -h prints a short form, --help the whole text".to_owned(),
    ));
    let width = lines
        .iter()
        .map(|(typed, _)| typed.len())
        .max()
        .unwrap_or(0);
    text.push_str("\nOptions:\n");
    for (typed, help) in lines {
        hang(&format!("  {typed:<width$}  "), &help, &mut text);
    }
    if !long {
        return text;
    }
    if !command.about.is_empty() {
        text.push('\n');
        hang("", command.about, &mut text);
    }
    if !command.words.is_empty() && command.name != "help" {
        text.push_str(&format!("\nPossible: {}\n", command.words.join(", ")));
    }
    if !command.examples.is_empty() {
        text.push_str("\nExamples:\n");
        for example in command.examples {
            text.push_str(&format!("  {example}\n"));
        }
    }
    if !command.chapter.is_empty() {
        text.push_str(&format!("\nMore: convertd help {}\n", command.chapter));
    }
    text
}

fn usage(command: &Command) -> String {
    let text = format!("convertd {} {}", command.name, command.usage);
    text.trim_end().to_owned()
}

/// Appends `head` and a text beside it, wrapped to [`WIDTH`] and indented by the width of `head`.
pub(super) fn hang(head: &str, prose: &str, text: &mut String) {
    let indent = head.trim_start_matches('\n').chars().count();
    text.push_str(head);
    let mut at = indent;
    for (nth, word) in prose.split_whitespace().enumerate() {
        let len = word.chars().count();
        if nth > 0 && at + 1 + len > WIDTH {
            text.push_str(&format!("\n{:indent$}", ""));
            at = indent;
        } else if nth > 0 {
            text.push(' ');
            at += 1;
        }
        text.push_str(word);
        at += len;
    }
    text.push('\n');
}

/// The text that `-h` prints: the commands, without their flags.
pub(super) fn overview() -> String {
    let mut text = head();
    for command in COMMANDS {
        text.push_str(&format!("  {:<12} {}\n", command.name, command.help));
    }
    text.push_str(
        "
Examples:
  convertd convert report.docx report.pdf
  convertd serve

Help on a command: convertd COMMAND --help. On all of them: convertd --help. The manual: convertd help CHAPTER.
",
    );
    text
}

/// The first lines of the overview and of the complete help text: the program and its version.
fn head() -> String {
    format!(
        "convertd {}: a file conversion service. Upload a file, get a link, download the result once.\n\nUsage:\n",
        env!("CARGO_PKG_VERSION")
    )
}

/// The text that `--help` prints: all commands, flags, options and chapters.
pub(super) fn text() -> String {
    let mut text = head();
    for command in COMMANDS {
        let usage = usage(command);
        if usage.len() > USAGE_WIDTH {
            text.push_str(&format!(
                "  {usage}\n  {:<USAGE_WIDTH$} {}\n",
                "", command.help
            ));
        } else {
            text.push_str(&format!("  {usage:<USAGE_WIDTH$} {}\n", command.help));
        }
        for flag in command.flags {
            let usage = format!("{} {}", flag.written(), flag.value);
            hang(&format!("      {usage:<36} "), flag.help, &mut text);
        }
    }
    text.push_str("\nOptions of serve, the default command; each can also be set by the environment variable below it:\n");
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
  -h, --help                      list the commands (-h), or print this text (--help)
  -V, --version                   show the version

Sizes take K, M and G. Try it:
  curl -F file=@photo.jpg -F target_format=png http://127.0.0.1:8080/api/v1/convert

Chapters of the manual, for convertd help CHAPTER:
",
    );
    text.push_str(&manual::contents());
    text
}
