//! Mark that identifies a version of a file, because a name alone says nothing about the content. It does not contain
//! the inode number, because some network shares assign new ones at each mount.

use std::{fmt, fs::Metadata, os::unix::fs::MetadataExt, str::FromStr};

/// Properties of a file that change when it is written to or replaced: its length, and the time of its last
/// modification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    /// The length in bytes.
    pub(super) len: u64,
    seconds: i64,
    nanoseconds: i64,
}

impl Mark {
    pub(super) fn of(file: &Metadata) -> Self {
        Self {
            len: file.len(),
            seconds: file.mtime(),
            nanoseconds: file.mtime_nsec(),
        }
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (len, seconds, nanoseconds) = (self.len, self.seconds, self.nanoseconds);
        write!(f, "{len}:{seconds}:{nanoseconds}")
    }
}

impl FromStr for Mark {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let mut parts = text.split(':');
        let mut next = || parts.next().ok_or(());
        Ok(Self {
            len: next()?.parse().map_err(drop)?,
            seconds: next()?.parse().map_err(drop)?,
            nanoseconds: next()?.parse().map_err(drop)?,
        })
    }
}
