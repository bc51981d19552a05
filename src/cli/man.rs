//! `convertd man`: the manual page (man(7)), from the same data as the help text, and from the chapters of the manual.

use super::{Outcome, flags::COMMANDS};
use crate::manual::{self, Part, Style};
use lexopt::{Arg, Parser};

pub(super) fn run(parser: &mut Parser) -> Outcome {
    match parser.next()? {
        None => super::say(&page()),
        Some(Arg::Short('h') | Arg::Long("help")) => super::say(&super::help::text()),
        Some(argument) => Err(argument.unexpected().into()),
    }
}

fn page() -> String {
    let mut text = format!(
        ".TH CONVERTD 1 \"\" \"convertd {}\" \"User Commands\"\n\
         .SH NAME\nconvertd \\- convert pictures, sound and documents, as a service or here and now\n\
         .SH SYNOPSIS\n",
        env!("CARGO_PKG_VERSION")
    );
    for command in COMMANDS {
        text.push_str(&format!(".B convertd {}\n", roff(command.name)));
        // An empty line would be a paragraph of its own.
        if !command.usage.is_empty() {
            text.push_str(&format!("{}\n", roff(command.usage)));
        }
        text.push_str(".br\n");
    }
    text.push_str(
        ".SH DESCRIPTION\nA file conversion service in one program: upload a file, name a format, download the result once. \
         The same converters work without a service, on files and in pipes.\n\
         .SH COMMANDS\n",
    );
    for command in COMMANDS {
        text.push_str(&format!(
            ".TP\n.B {} {}\n{}\n",
            roff(command.name),
            roff(command.usage),
            roff(command.help)
        ));
        if command.flags.is_empty() {
            continue;
        }
        text.push_str(".RS\n");
        for flag in command.flags {
            entry(&mut text, flag.name, flag.value, flag.help);
        }
        text.push_str(".RE\n");
    }
    for chapter in &manual::CHAPTERS {
        let mut was_code = false;
        for part in manual::parts(chapter.text) {
            let is_code = matches!(part, Part::Code(_));
            match (was_code, is_code) {
                (false, true) => text.push_str(".PP\n.nf\n"),
                (true, false) => text.push_str(".fi\n"),
                (true, true) | (false, false) => {}
            }
            write(&mut text, &part);
            was_code = is_code;
        }
        if was_code {
            text.push_str(".fi\n");
        }
    }
    text
}

fn entry(text: &mut String, name: &str, value: &str, help: &str) {
    text.push_str(&format!(
        ".TP\n.BR \\-\\-{} \" {}\"\n{}\n",
        roff(name),
        roff(value),
        roff(help)
    ));
}

/// A part of a chapter. A row of a table is a paragraph with its first cell as the tag.
fn write(text: &mut String, part: &Part) {
    match part {
        Part::Heading(1, title) => text.push_str(&format!(".SH {}\n", roff(title).to_uppercase())),
        Part::Heading(_, title) => text.push_str(&format!(".SS {}\n", roff(title))),
        Part::Paragraph(prose) => text.push_str(&format!(".PP\n{}\n", set(prose))),
        Part::Item(None, prose) => text.push_str(&format!(".IP \\(bu 2\n{}\n", set(prose))),
        Part::Item(Some(number), prose) => {
            text.push_str(&format!(".IP {number}. 4\n{}\n", set(prose)));
        }
        Part::Row { head, cells } => {
            let mut cells = cells.iter();
            let tag = cells.next().map_or("", String::as_str);
            text.push_str(&format!(".TP\n{}\n", set(tag)));
            for (at, (name, cell)) in head.iter().skip(1).zip(cells).enumerate() {
                if at > 0 {
                    text.push_str(".br\n");
                }
                let name = match head.len() > 2 && !name.is_empty() {
                    true => format!("{name}: "),
                    false => String::new(),
                };
                text.push_str(&format!("{}\n", set(&format!("{name}{cell}"))));
            }
        }
        Part::Code(line) => text.push_str(&format!("{}\n", roff(line))),
    }
}

/// A text with its marks as fonts.
fn set(text: &str) -> String {
    let pieces = manual::spans(text).into_iter().map(|(style, text)| {
        let font = match style {
            Style::Plain => return escape(&text),
            Style::Strong | Style::Code => 'B',
            Style::Emphasis => 'I',
        };
        format!("\\f{font}{}\\fR", escape(&text))
    });
    guard(pieces.collect())
}

/// Text in which no character means anything to the typesetter (groff_man(7)).
fn roff(text: &str) -> String {
    guard(escape(text))
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\e")
        .replace('-', "\\-")
        .replace('"', "\\(dq")
}

/// A line that does not begin like an order.
fn guard(line: String) -> String {
    match line.starts_with(['.', '\'']) {
        true => format!("\\&{line}"),
        false => line,
    }
}
