//! The commands and their flags as data: the help text, the man page and the completions of shells are made from this, so that
//! none of them forgets one. Parses nothing.

use crate::manual;

/// A command of the program.
pub(super) struct Command {
    pub(super) name: &'static str,
    /// Arguments behind the name, as the help text shows them.
    pub(super) usage: &'static str,
    pub(super) help: &'static str,
    pub(super) flags: &'static [Flag],
    /// Words that may follow.
    pub(super) words: &'static [&'static str],
    /// Whether names of files may follow.
    pub(super) takes_files: bool,
}

/// A flag of a command.
pub(super) struct Flag {
    pub(super) name: &'static str,
    /// The placeholder for its value; empty if it has none.
    pub(super) value: &'static str,
    pub(super) help: &'static str,
    pub(super) values: Values,
}

/// Completion of a flag's value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Values {
    None,
    Any,
    /// Formats that something can be converted to.
    Formats,
    Words(&'static [&'static str]),
    Directories,
}

const fn flag(name: &'static str, value: &'static str, help: &'static str, values: Values) -> Flag {
    Flag {
        name,
        value,
        help,
        values,
    }
}

const QUALITY: Flag = flag(
    "quality",
    "low|medium|high",
    "see convertd formats; or a number from 1 to 100",
    Values::Words(&["low", "medium", "high"]),
);

const OPTION: Flag = flag(
    "option",
    "NAME=VALUE",
    "an optional field, such as width=800; can be repeated",
    Values::Any,
);

/// The flags of `convert`.
pub(super) static CONVERT: &[Flag] = &[
    flag(
        "to",
        "FORMAT",
        "the format of the result, whatever OUTPUT is called",
        Values::Formats,
    ),
    QUALITY,
    OPTION,
    flag(
        "out-dir",
        "DIR",
        "convert all inputs into this directory, on all cores; needs --to",
        Values::Directories,
    ),
    flag(
        "force",
        "",
        "or -f: replace files that exist, without asking",
        Values::None,
    ),
    flag(
        "from",
        "FORMAT",
        "what the input is, where neither content nor name tells: md, csv, rst",
        Values::Any,
    ),
    flag(
        "output",
        "FILE",
        "or -o: the same as OUTPUT; -o - writes to a terminal, too",
        Values::Any,
    ),
    flag(
        "fonts",
        "KIND",
        "further fonts: auto (the machine's), none, or a directory [auto]",
        Values::Directories,
    ),
    flag(
        "ocr-data",
        "DIR",
        "a directory of Tesseract's models, before those of the machine [none]",
        Values::Directories,
    ),
    flag(
        "ocr-languages",
        "NAMES",
        "languages of scans, as deu+eng, unless --option language= says so [by page]",
        Values::Any,
    ),
    flag(
        "memory",
        "BYTES",
        "memory for all conversions together [a quarter of all]",
        Values::Any,
    ),
    flag(
        "max-output",
        "BYTES",
        "the largest result [none]",
        Values::Any,
    ),
];

/// The flags of `watch`. Its limits are options of the service.
pub(super) static WATCH: &[Flag] = &[
    flag(
        "to",
        "FORMAT",
        "the format of all results; else folders name it: to-pdf, to-webp",
        Values::Formats,
    ),
    QUALITY,
    OPTION,
    flag(
        "originals",
        "move|delete|keep",
        "what becomes of a file that was converted [move, to OUT/originals]",
        Values::Words(&["move", "delete", "keep"]),
    ),
    flag(
        "settle",
        "SECONDS",
        "how long a file stands still before it is taken [2; 10 on shares]",
        Values::Any,
    ),
    flag(
        "ignore",
        "PATTERN",
        "names that are left alone, such as *.txt; can be repeated",
        Values::Any,
    ),
];

/// The shells that there are completions for.
pub(super) const SHELLS: &[&str] = &["bash", "zsh", "fish"];

/// All commands but the one for children.
pub(super) static COMMANDS: &[Command] = &[
    Command {
        name: "serve",
        usage: "[OPTIONS]",
        help: "run the service",
        // Those are options of the service, see the configuration.
        flags: &[],
        words: &[],
        takes_files: false,
    },
    Command {
        name: "convert",
        usage: "INPUT OUTPUT | INPUTS --to FORMAT --out-dir DIR",
        help: "convert files here and now; - is standard input or output",
        flags: CONVERT,
        words: &[],
        takes_files: true,
    },
    Command {
        name: "watch",
        usage: "IN OUT",
        help: "convert what appears in the folder IN; results go to OUT",
        flags: WATCH,
        words: &[],
        takes_files: true,
    },
    Command {
        name: "formats",
        usage: "[--json]",
        help: "list what can be made from what",
        flags: &[flag("json", "", "as the service answers", Values::None)],
        words: &[],
        takes_files: false,
    },
    Command {
        name: "health",
        usage: "[URL]",
        help: "ask a running service how it is; exits 0 if it serves",
        flags: &[],
        words: &[],
        takes_files: false,
    },
    Command {
        name: "help",
        usage: "[CHAPTER]",
        help: "print this, or a chapter of the manual",
        flags: &[],
        words: &manual::NAMES,
        takes_files: false,
    },
    Command {
        name: "completions",
        usage: "bash|zsh|fish",
        help: "print what a shell needs to complete commands",
        flags: &[],
        words: SHELLS,
        takes_files: false,
    },
    Command {
        name: "man",
        usage: "",
        help: "print the manual page: convertd man | man -l -",
        flags: &[],
        words: &[],
        takes_files: false,
    },
    Command {
        name: "licences",
        usage: "",
        help: "print what is in the program, and the licences of all of it",
        flags: &[],
        words: &[],
        takes_files: false,
    },
];
