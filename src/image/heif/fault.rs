//! The kinds of errors in a file. The module `checked` turns them into messages.

use std::io;

/// The reason why a file cannot be read.
#[derive(Debug)]
pub(crate) enum Fault {
    Io(io::Error),
    Broken,
    Unsupported(&'static str),
}

impl From<io::Error> for Fault {
    fn from(err: io::Error) -> Self {
        Self::Io(err)
    }
}
