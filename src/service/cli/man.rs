//! `convertd man`: the manual page (man(7)), from the same data as the help text. The chapters of the manual are not in
//! it.

use super::{Outcome, flags::COMMANDS};
use crate::{config::OPTIONS, manual};
use lexopt::{Arg, Parser};

pub(super) fn run(parser: &mut Parser) -> Outcome {
    match parser.next()? {
        None => super::say(&page()),
        Some(argument @ (Arg::Short('h') | Arg::Long("help"))) => {
            super::help::about("man", &argument)
        }
        Some(argument) => Err(argument.unexpected().into()),
    }
}

/// The exit codes of the program.
const EXIT_STATUS: [(&str, &str); 3] = [
    (
        "0",
        "Everything was done; a service was stopped in an orderly way.",
    ),
    (
        "1",
        "Something failed: of several files, at least one. A message on standard error says what failed, and why.",
    ),
    (
        "2",
        "The command line is wrong: an unknown flag or format, an option that the conversion lacks, or a value that it does not take.",
    ),
];

/// The manual page in roff, generated from the commands and options.
fn page() -> String {
    let mut text = format!(
        ".TH CONVERTD 1 \"\" \"convertd {}\" \"User Commands\"\n\
         .SH NAME\nconvertd \\- convert pictures, sound and documents, as a service or on the command line\n\
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
         The same converters work without a service, on files and in pipes. Without a command, it serves.\n\
         .SH OPTIONS\n",
    );
    for command in COMMANDS {
        text.push_str(&format!(
            ".SS {}\nconvertd {}: {}.\n",
            roff(command.name),
            roff(command.name),
            roff(command.help)
        ));
        if !command.about.is_empty() {
            text.push_str(&format!(".PP\n{}\n", roff(command.about)));
        }
        for flag in command.flags {
            entry(&mut text, &flag.written(), flag.value, flag.help);
        }
        if command.name == "serve" {
            for option in OPTIONS {
                let help = format!("{} [{}]", option.help, option.default);
                entry(
                    &mut text,
                    &format!("--{}", option.flag),
                    option.value,
                    &help,
                );
            }
        }
    }
    text.push_str(".SH EXAMPLES\n.nf\n");
    for example in COMMANDS.iter().flat_map(|command| command.examples) {
        text.push_str(&format!("{}\n", roff(example)));
    }
    text.push_str(".fi\n.SH \"EXIT STATUS\"\n");
    for (code, what) in EXIT_STATUS {
        text.push_str(&format!(".TP\n.B {code}\n{}\n", roff(what)));
    }
    text.push_str(
        ".SH ENVIRONMENT\nEach option of serve has a variable, which is used if the option is not given. An empty variable counts as not set.\n",
    );
    for option in OPTIONS {
        let flag = roff(&format!("--{}", option.flag));
        text.push_str(&format!(
            ".TP\n.B {}\nthe same as {flag}\n",
            roff(option.env)
        ));
    }
    text.push_str(
        ".TP\n.B CONVERTD_API_KEYS\nAPI keys, separated by commas, beside those of the file that CONVERTD_API_KEYS_FILE names\n",
    );
    text.push_str(".SH \"SEE ALSO\"\nThe manual is in the program, a chapter at a time:\n");
    for chapter in &manual::CHAPTERS {
        text.push_str(&format!(
            ".TP\n.B convertd help {}\n{}\n",
            roff(chapter.name),
            roff(chapter.about)
        ));
    }
    text
}

/// Appends an entry: a flag with its value, and below it the text.
fn entry(text: &mut String, written: &str, value: &str, help: &str) {
    text.push_str(&format!(
        ".TP\n.BR \"{}\" \" {}\"\n{}\n",
        roff(written),
        roff(value),
        roff(help)
    ));
}

/// Escapes all characters that are special for the typesetter (groff_man(7)).
fn roff(text: &str) -> String {
    let text = text
        .replace('\\', "\\e")
        .replace('-', "\\-")
        .replace('"', "\\(dq");
    // A line that begins with a period or an apostrophe would be a request to the typesetter; `\&` before it is an
    // empty character.
    match text.starts_with(['.', '\'']) {
        true => format!("\\&{text}"),
        false => text,
    }
}
