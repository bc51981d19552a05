//! Options for conversions of presentations.

use crate::job::{OptionKind, OptionSpec, Options};

/// Handling of hidden slides.
pub(crate) static HIDDEN: OptionSpec = OptionSpec {
    name: "hidden",
    kind: OptionKind::OneOf(&["omit", "keep"]),
    default: Some("omit"),
    help: "omit or keep hidden slides",
};

/// Handling of hidden slides if the target is a presentation. By default, they stay hidden slides.
pub(crate) static HIDDEN_AMONG_SLIDES: OptionSpec = OptionSpec {
    name: "hidden",
    kind: OptionKind::OneOf(&["omit", "keep"]),
    default: Some("keep"),
    help: "leave hidden slides out, or keep them hidden",
};

/// Handling of speaker notes.
pub(crate) static NOTES: OptionSpec = OptionSpec {
    name: "notes",
    kind: OptionKind::OneOf(&["omit", "pages"]),
    default: Some("omit"),
    help: "speaker notes: omit them, or print them on a separate page after each slide (pages)",
};

/// Returns whether notes are printed on separate pages.
pub(crate) fn notes_pages(options: &Options) -> bool {
    options.word(NOTES.name) == Some("pages")
}

/// Returns whether hidden slides are left out, if the target is a presentation.
pub(crate) fn omits_hidden(options: &Options) -> bool {
    options.word(HIDDEN.name) == Some("omit")
}

/// Returns whether hidden slides are shown, if the target is a document or PDF.
pub(crate) fn keeps_hidden(options: &Options) -> bool {
    options.word(HIDDEN.name) == Some("keep")
}
