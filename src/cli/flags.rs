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
    "tier of quality (see convertd formats), or a number from 1 to 100",
    Values::Words(&["low", "medium", "high"]),
);

const OPTION: Flag = flag(
    "option",
    "NAME=VALUE",
    "optional field of a conversion, such as width=800; can be repeated",
    Values::Any,
);

/// The flags of `convert`.
pub(super) static CONVERT: &[Flag] = &[
    flag(
        "to",
        "FORMAT",
        "format of the result, regardless of the name of OUTPUT",
        Values::Formats,
    ),
    QUALITY,
    OPTION,
    flag(
        "out-dir",
        "DIR",
        "directory for the results of all inputs, converted on all cores; needs --to",
        Values::Directories,
    ),
    flag(
        "force",
        "",
        "or -f: replace existing files without asking",
        Values::None,
    ),
    flag(
        "from",
        "FORMAT",
        "format of the input if neither content nor name tell it: md, csv, rst",
        Values::Any,
    ),
    flag(
        "output",
        "FILE",
        "or -o: same as OUTPUT; -o - writes even to a terminal",
        Values::Any,
    ),
    flag(
        "fonts",
        "KIND",
        "additional fonts: auto (the machine's), none, or a directory [auto]",
        Values::Directories,
    ),
    flag(
        "ocr-data",
        "DIR",
        "directory of Tesseract models, searched before the machine's [none]",
        Values::Directories,
    ),
    flag(
        "ocr-languages",
        "NAMES",
        "languages of scans without --option language=, such as deu+eng [by page]",
        Values::Any,
    ),
    flag(
        "memory",
        "BYTES",
        "memory of all conversions together [a quarter of all]",
        Values::Any,
    ),
    flag(
        "max-output",
        "BYTES",
        "max. size of a result [none]",
        Values::Any,
    ),
];

/// The flags of `watch`. Its limits are options of the service.
pub(super) static WATCH: &[Flag] = &[
    flag(
        "to",
        "FORMAT",
        "format of all results; otherwise the folder names it: to-pdf, to-webp",
        Values::Formats,
    ),
    QUALITY,
    OPTION,
    flag(
        "originals",
        "move|delete|keep",
        "handling of a converted file [move, to OUT/originals]",
        Values::Words(&["move", "delete", "keep"]),
    ),
    flag(
        "settle",
        "SECONDS",
        "seconds without a change before a file is converted [2; 10 on shares]",
        Values::Any,
    ),
    flag(
        "ignore",
        "PATTERN",
        "file names to skip, such as *.txt; can be repeated",
        Values::Any,
    ),
];

/// The shells with completions.
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
        help: "convert every file that appears in the folder IN into the folder OUT",
        flags: WATCH,
        words: &[],
        takes_files: true,
    },
    Command {
        name: "formats",
        usage: "[--json]",
        help: "list all formats and their conversions",
        flags: &[flag(
            "json",
            "",
            "print JSON, as the service answers",
            Values::None,
        )],
        words: &[],
        takes_files: false,
    },
    Command {
        name: "health",
        usage: "[URL]",
        help: "check a running service; exits with 0 if it is healthy",
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
        help: "print the completions for a shell",
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
        help: "print the components of the program and their licences",
        flags: &[],
        words: &[],
        takes_files: false,
    },
];
