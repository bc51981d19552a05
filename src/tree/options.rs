//! Option fields of conversions into documents. The writers give their values a meaning.

use crate::{
    Code,
    job::{Job, OptionKind, OptionSpec},
};

/// Option for a table of contents at the beginning of the result.
pub static TOC: OptionSpec = OptionSpec {
    name: "toc",
    kind: OptionKind::Flag,
    default: Some("false"),
    help: "insert a table of contents at the beginning",
};

/// Option for the title of the result.
pub static TITLE: OptionSpec = OptionSpec {
    name: "title",
    kind: OptionKind::Text(1000),
    default: None,
    help: "title of the result, instead of the document's own",
};

/// Option for the maximum length of a line of text, in characters.
pub static WRAP: OptionSpec = OptionSpec {
    name: "wrap",
    kind: OptionKind::OneOf(&["72", "none"]),
    default: Some("72"),
    help: "maximum length of a line in characters; with none, each paragraph is one line",
};

/// Option that turns syntax colours in blocks of code on or off.
pub static HIGHLIGHT: OptionSpec = OptionSpec {
    name: "highlight",
    kind: OptionKind::Flag,
    default: Some("true"),
    help: "colour blocks of code by the language that they name; with false, code is black",
};

/// Returns whether the writer colours blocks of code.
pub fn highlights(job: &Job<'_>) -> bool {
    job.options().word(HIGHLIGHT.name) != Some("false")
}

/// The language by which the writer colours a block of code, as [`pieces`](crate::code::pieces) takes it. Empty if it
/// colours no code.
pub fn language<'c>(job: &Job<'_>, code: &'c Code) -> &'c str {
    match highlights(job) {
        true => &code.info,
        false => "",
    }
}
