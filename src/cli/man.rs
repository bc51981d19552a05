//! `convertd man`: the manual page (man(7)), from the same data as the help text.

use super::{Outcome, flags::COMMANDS};
use crate::config::OPTIONS;
use lexopt::{Arg, Parser};

pub(super) fn run(parser: &mut Parser) -> Outcome {
    match parser.next()? {
        None => super::say(&page()),
        Some(Arg::Short('h') | Arg::Long("help")) => super::say(&super::help()),
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
         .PP\n\
         .B convertd convert INPUT OUTPUT\nreplaces OUTPUT if it exists; at a terminal it asks before. \
         Into a directory\n.RB ( \\-\\-out\\-dir )\nno file is replaced unless somebody agrees or\n.B \\-\\-force\nis given.\n\
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
    text.push_str(".SH OPTIONS OF THE SERVICE\nEach can also be set by the environment variable named with it.\n");
    for option in OPTIONS {
        let help = format!("{} [{}; {}]", option.help, option.default, option.env);
        entry(&mut text, option.flag, option.value, &help);
    }
    text.push_str(
        ".SH EXIT STATUS\n.TP\n.B 0\nEverything was done.\n.TP\n.B 1\nSomething could not be done; of several files at least one.\n\
         .TP\n.B 2\nThe command line is wrong.\n\
         .SH EXAMPLES\n.nf\nconvertd convert photo.heic photo.jpg\nconvertd convert *.heic \\-\\-to jpg \\-\\-out\\-dir web\n\
         convertd convert \\- \\- \\-\\-to flac <take.wav >take.flac\n.fi\n",
    );
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

/// Text in which no character means anything to the typesetter (groff_man(7)).
fn roff(text: &str) -> String {
    let text = text
        .replace('\\', "\\e")
        .replace('-', "\\-")
        .replace('"', "\\(dq");
    match text.starts_with(['.', '\'']) {
        true => format!("\\&{text}"),
        false => text,
    }
}
