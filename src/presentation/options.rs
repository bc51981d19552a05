//! The optional fields for conversions of presentations. Reads no slides.

use crate::job::{OptionKind, OptionSpec, Options};

/// What becomes of hidden slides.
pub(crate) static HIDDEN: OptionSpec = OptionSpec {
    name: "hidden",
    kind: OptionKind::OneOf(&["omit", "keep"]),
    default: Some("omit"),
    help: "whether slides that the show leaves out are left out, or kept",
};

/// Whether hidden slides are kept.
pub(crate) fn keeps_hidden(options: &Options) -> bool {
    options.word(HIDDEN.name) == Some("keep")
}
