//! Option fields of conversions into documents. The writers give their values a meaning.

use crate::job::{OptionKind, OptionSpec};

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

/// Option for the width of text lines in columns.
pub static WRAP: OptionSpec = OptionSpec {
    name: "wrap",
    kind: OptionKind::OneOf(&["72", "none"]),
    default: Some("72"),
    help: "maximum length of a line in characters; with none, each paragraph is one line",
};
