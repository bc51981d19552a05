//! The reason why a JPEG file cannot be decoded.

use std::io;

/// The reason why a file cannot be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    Broken(&'static str),
    Unsupported(&'static str),
}

/// The message for entropy-coded data that cannot be decoded.
pub(crate) const DAMAGED: &str = "its data is damaged or ends early";

const ENDS_EARLY: Fault = Fault::Broken("it ends before the picture does");

impl From<io::Error> for Fault {
    fn from(err: io::Error) -> Self {
        match err.kind() {
            io::ErrorKind::UnexpectedEof => ENDS_EARLY,
            _ => Self::Broken("it could not be read"),
        }
    }
}
