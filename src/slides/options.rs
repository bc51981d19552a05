//! The optional fields for conversions of presentations. Reads no slides.

use crate::job::{OptionKind, OptionSpec, Options};

/// Treatment of hidden slides.
pub(crate) static HIDDEN: OptionSpec = OptionSpec {
    name: "hidden",
    kind: OptionKind::OneOf(&["omit", "keep"]),
    default: Some("omit"),
    help: "omit or keep hidden slides",
};

/// Treatment of speaker notes on pages.
pub(crate) static NOTES: OptionSpec = OptionSpec {
    name: "notes",
    kind: OptionKind::OneOf(&["omit", "pages"]),
    default: Some("omit"),
    help: "speaker notes: omit them, or print them on a separate page after each slide (pages)",
};

/// Returns whether notes have pages of their own.
pub(crate) fn notes_pages(options: &Options) -> bool {
    options.word(NOTES.name) == Some("pages")
}

/// Returns whether hidden slides are kept.
pub(crate) fn keeps_hidden(options: &Options) -> bool {
    options.word(HIDDEN.name) == Some("keep")
}
