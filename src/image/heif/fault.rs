//! What can be wrong with a file. Says nothing to anybody: that is the reader's part.

use std::io;

/// Why a file cannot be read.
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
