//! The commands and their flags as data, from which the help text, the man page and the completions are generated, so
//! that these always agree. Parses nothing.

use crate::manual;

/// A command of the program.
pub(super) struct Command {
    pub(super) name: &'static str,
    /// Arguments after the name, as the help text shows them.
    pub(super) usage: &'static str,
    pub(super) help: &'static str,
    /// Details for the long help, in sentences.
    pub(super) about: &'static str,
    /// Example command lines.
    pub(super) examples: &'static [&'static str],
    /// The chapter of the manual with the details; empty if absent.
    pub(super) chapter: &'static str,
    pub(super) flags: &'static [Flag],
    /// Words that may follow the command.
    pub(super) words: &'static [&'static str],
    /// Whether file names may follow the command.
    pub(super) takes_files: bool,
}

/// A flag of a command.
#[derive(Clone, Copy)]
pub(super) struct Flag {
    pub(super) name: &'static str,
    /// Single letter for the flag, after one dash.
    pub(super) short: Option<char>,
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
        short: None,
        value,
        help,
        values,
    }
}

impl Flag {
    /// Adds the short form of the flag, a single letter.
    const fn or(self, short: char) -> Self {
        Self {
            short: Some(short),
            ..self
        }
    }

    /// The flag as users write it: `-t, --to`.
    pub(super) fn written(&self) -> String {
        match self.short {
            Some(short) => format!("-{short}, --{}", self.name),
            None => format!("--{}", self.name),
        }
    }
}

#[cfg(feature = "document")]
const RESOURCE_DIR: Flag = flag(
    "resource-dir",
    "DIR",
    "extra directory of pictures, style sheets and fonts that pages may load; can be repeated",
    Values::Directories,
);

#[cfg(feature = "document")]
const NO_RESOURCES: Flag = flag(
    "no-resources",
    "",
    "do not load the pictures, style sheets and fonts that a page refers to",
    Values::None,
);

const QUALITY: Flag = flag(
    "quality",
    "low|medium|high",
    "quality of the result, or a number from 1 to 100; see convertd formats [medium]",
    Values::Words(&["low", "medium", "high"]),
);

const OPTION: Flag = flag(
    "option",
    "NAME=VALUE",
    "option of the conversion, such as width=800 (see convertd formats); can be repeated",
    Values::Any,
);

/// The flags of `convert`.
pub(super) static CONVERT: &[Flag] = &[
    flag(
        "to",
        "FORMAT",
        "format of the result, whatever the name of OUTPUT is; without OUTPUT, the result is written beside INPUT",
        Values::Formats,
    )
    .or('t'),
    QUALITY,
    OPTION,
    flag(
        "out-dir",
        "DIR",
        "directory for the results; inputs are converted in parallel; needs --to",
        Values::Directories,
    ),
    flag(
        "recursive",
        "",
        "convert the files in directories, too; the results keep the directory structure",
        Values::None,
    )
    .or('r'),
    flag(
        "force",
        "",
        "replace existing files without asking",
        Values::None,
    )
    .or('f'),
    flag(
        "from",
        "FORMAT",
        "format of the input, such as md or csv, if neither its content nor its name shows it",
        Values::Any,
    ),
    #[cfg(feature = "document")]
    RESOURCE_DIR,
    #[cfg(feature = "document")]
    NO_RESOURCES,
    #[cfg(feature = "document")]
    flag(
        "extract-media",
        "DIR",
        "for md: write the pictures as files into DIR, and link to them; of several inputs, each has its own folder in DIR",
        Values::Directories,
    ),
    flag(
        "json",
        "",
        "print one line of JSON for each result: inputs, outputs, size, seconds, notes",
        Values::None,
    ),
    flag("quiet", "", "print only failures", Values::None).or('q'),
    flag("verbose", "", "print the outcome of each file", Values::None).or('v'),
    flag(
        "output",
        "FILE",
        "the same as OUTPUT; -o - writes to standard output, even to a terminal",
        Values::Any,
    )
    .or('o'),
    flag(
        "fonts",
        "KIND",
        "extra fonts: auto (those of the machine), none, or a directory [auto]",
        Values::Directories,
    ),
    flag(
        "ocr-data",
        "DIR",
        "directory of Tesseract models, searched before the system's [none]",
        Values::Directories,
    ),
    flag(
        "ocr-languages",
        "NAMES",
        "OCR languages, such as deu+eng, if --option language= is absent [by page]",
        Values::Any,
    ),
    flag(
        "memory",
        "BYTES",
        "max. memory of all conversions together [a quarter of the RAM]",
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
        "format of the results; without it, subfolders of IN name the format: to-pdf, to-webp",
        Values::Formats,
    )
    .or('t'),
    QUALITY,
    OPTION,
    flag(
        "originals",
        "move|delete|keep",
        "what to do with a file after its conversion [move, to OUT/originals]",
        Values::Words(&["move", "delete", "keep"]),
    ),
    flag(
        "settle",
        "SECONDS",
        "seconds that a file must stay unchanged before it is converted [2; 10 on network shares]",
        Values::Any,
    ),
    flag(
        "ignore",
        "PATTERN",
        "pattern of file names to skip, such as *.txt; can be repeated",
        Values::Any,
    ),
    #[cfg(feature = "document")]
    RESOURCE_DIR,
    #[cfg(feature = "document")]
    NO_RESOURCES,
];

/// The shells with completions.
pub(super) const SHELLS: &[&str] = &["bash", "zsh", "fish"];

/// All commands except the hidden one that runs a converter in a child process.
pub(super) static COMMANDS: &[Command] = &[
    Command {
        name: "serve",
        usage: "[OPTIONS]",
        help: "run the service",
        about: "The service runs in the foreground until SIGTERM or SIGINT. Each option can also be set by an \
                environment variable; the option has priority. Sizes take K, M and G.",
        examples: &[
            "convertd",
            "convertd serve --listen 0.0.0.0:8080 --max-upload 500M",
            "curl -T photo.heic \"http://127.0.0.1:8080/api/v1/convert?to=jpg\" -o photo.jpg",
        ],
        chapter: "options",
        // The flags of `serve` are the options of the service; see the configuration.
        flags: &[],
        words: &[],
        takes_files: false,
    },
    Command {
        name: "convert",
        usage: "INPUT... OUTPUT | INPUT... --to FORMAT [DIR]",
        help: "convert files without a service; - is standard input or output",
        about: "Several inputs are merged into one pdf if OUTPUT is a pdf. With --to, each input becomes a file of \
                its own, beside the input or in the directory given last. An existing file is replaced only after a \
                yes at the terminal, or with --force. Pictures, style sheets and fonts that a page, a drawing or a \
                Markdown text refers to are loaded from its own directory. Sizes take K, M and G: --memory 2G, \
                --option max_size=500K. convertd formats NAME lists the formats that NAME converts to, with their \
                options. Exit status: 0 if all files were converted, 1 if one was not, 2 if the command line is \
                wrong.",
        examples: &[
            "convertd convert report.docx report.pdf",
            "convertd convert cover.pdf photo.jpg notes.docx all.pdf",
            "convertd convert --to png photo.jpg",
            "convertd convert *.heic --to jpg --out-dir web --quality high --option width=1600",
            "convertd convert --recursive --to opus music phone/",
            "cat README.md | convertd convert - readme.pdf --from md",
            "convertd convert scan.pdf page.png --option page=all",
        ],
        chapter: "command-line",
        flags: CONVERT,
        words: &[],
        takes_files: true,
    },
    Command {
        name: "watch",
        usage: "IN OUT",
        help: "convert every file that appears in the folder IN into the folder OUT",
        about: "The command runs until SIGTERM or SIGINT. It also takes the options of serve for limits and fonts, \
                and their environment variables.",
        examples: &["convertd watch scans results --to pdf --option pdf_a=true"],
        chapter: "command-line",
        flags: WATCH,
        words: &[],
        takes_files: true,
    },
    Command {
        name: "formats",
        usage: "[NAME [TARGET]] [--json]",
        help: "list all formats and their conversions",
        about: "With the name of one format, it lists the formats that it converts to and from, and the options with \
                their values. With two names, it lists the options of that conversion.",
        examples: &["convertd formats docx", "convertd formats heic jpg"],
        chapter: "formats",
        flags: &[flag(
            "json",
            "",
            "print the list as JSON, like GET /api/v1/formats",
            Values::None,
        )],
        words: &[],
        takes_files: false,
    },
    Command {
        name: "mcp",
        usage: "DIR...",
        help: "offer conversions of files below DIR to a language model",
        about: "Speaks the Model Context Protocol on standard input and output. Nothing outside of the folders is read or written; links are resolved \
                first. Limits and fonts are those of convert.",
        examples: &["convertd mcp ~/Documents"],
        chapter: "command-line",
        flags: &[],
        words: &[],
        takes_files: true,
    },
    Command {
        name: "health",
        usage: "[URL]",
        help: "check a running service; the exit status is 0 if it answers requests",
        about: "Without URL, it checks the service at the address in CONVERTD_LISTEN, or at 127.0.0.1:8080.",
        examples: &["convertd health http://127.0.0.1:8080"],
        chapter: "operation",
        flags: &[],
        words: &[],
        takes_files: false,
    },
    Command {
        name: "help",
        usage: "[COMMAND|CHAPTER]",
        help: "print this help, the help of a command, or a chapter of the manual",
        about: "Every command also prints its own help, with -h (short) or --help (long).",
        examples: &["convertd help convert", "convertd help limits"],
        chapter: "",
        flags: &[],
        words: &manual::NAMES,
        takes_files: false,
    },
    Command {
        name: "completions",
        usage: "bash|zsh|fish",
        help: "print the completions for a shell",
        about: "",
        examples: &["convertd completions bash >/etc/bash_completion.d/convertd"],
        chapter: "",
        flags: &[],
        words: SHELLS,
        takes_files: false,
    },
    Command {
        name: "man",
        usage: "",
        help: "print the manual page: convertd man | man -l -",
        about: "",
        examples: &[
            "convertd man | man -l -",
            "convertd man >/usr/local/share/man/man1/convertd.1",
        ],
        chapter: "",
        flags: &[],
        words: &[],
        takes_files: false,
    },
    Command {
        name: "version",
        usage: "",
        help: "print the version",
        about: "",
        examples: &[],
        chapter: "",
        flags: &[],
        words: &[],
        takes_files: false,
    },
    Command {
        name: "licences",
        usage: "",
        help: "print the components of the program and their licences",
        about: "",
        examples: &[],
        chapter: "building",
        flags: &[],
        words: &[],
        takes_files: false,
    },
];
