//! The optional form field that opens locked files, the same for PDFs and for files of Office. Opens none itself.

use crate::job::{OptionKind, OptionSpec};

/// The field, as `/formats` and the command line describe it.
pub static PASSWORD: OptionSpec = OptionSpec {
    name: "password",
    kind: OptionKind::Text(255),
    default: None,
    help: "opens a file that is locked: a pdf, with the password of its reader or of its owner, or one of Office or OpenDocument",
};
