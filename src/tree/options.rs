//! Option fields of conversions into documents. The writers give their values a meaning.

use crate::job::{OptionKind, OptionSpec};

/// Whether the result begins with a table of contents.
pub static TOC: OptionSpec = OptionSpec {
    name: "toc",
    kind: OptionKind::Flag,
    default: Some("false"),
    help: "insert a table of contents at the beginning",
};

/// The title of the result.
pub static TITLE: OptionSpec = OptionSpec {
    name: "title",
    kind: OptionKind::Text(1000),
    default: None,
    help: "title of the result, instead of the document's own",
};

/// The width of text lines in columns.
pub static WRAP: OptionSpec = OptionSpec {
    name: "wrap",
    kind: OptionKind::OneOf(&["72", "none"]),
    default: Some("72"),
    help: "maximum length of a line in characters; with none, each paragraph is one line",
};
