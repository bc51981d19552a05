//! The optional form field with the password of a locked file. It is the same for PDF, Office and OpenDocument files.
//! Opens no file itself.

use crate::job::{OptionKind, OptionSpec};

/// The field, as `/formats` and the command line describe it.
pub static PASSWORD: OptionSpec = OptionSpec {
    name: "password",
    kind: OptionKind::Text(255),
    default: None,
    help: "password of a locked file: the user or owner password of a pdf, or the password of an Office or OpenDocument file",
};
