//! The optional fields of conversions into documents. What a value leads to is the writers' business.

use crate::job::{OptionKind, OptionSpec};

/// A list of contents at the beginning.
pub(crate) static TOC: OptionSpec = OptionSpec {
    name: "toc",
    kind: OptionKind::Flag,
    default: Some("false"),
    help: "a list of contents at the beginning",
};

/// The title of the result.
pub(crate) static TITLE: OptionSpec = OptionSpec {
    name: "title",
    kind: OptionKind::Text(1000),
    default: None,
    help: "the title of the result, instead of the document's own",
};

/// Where lines of text end.
pub(crate) static WRAP: OptionSpec = OptionSpec {
    name: "wrap",
    kind: OptionKind::OneOf(&["72", "none"]),
    default: Some("72"),
    help: "the column after which lines are broken; none leaves each paragraph one line",
};
