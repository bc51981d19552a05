//! The claim of a watch on the folder that it takes files from, so that no two take the same ones. Where files are only read,
//! several may share a folder.

use super::writers::is_at;
use rustix::{
    fs::{FlockOperation, flock},
    io::Errno,
};
use std::{fs::File, io, path::Path};

/// A folder that is locked (flock(2)) for as long as this lives.
#[derive(Debug)]
pub(super) struct Claim(File);

impl Claim {
    /// Claims the folder at `path`.
    ///
    /// Errors: [`io::ErrorKind::WouldBlock`] if somebody else has it, or takes files away while this one wants to `share` them.
    pub(super) fn new(path: &Path, share: bool) -> io::Result<Self> {
        let directory = File::open(path)?;
        if !directory.metadata()?.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        let operation = match share {
            true => FlockOperation::NonBlockingLockShared,
            false => FlockOperation::NonBlockingLockExclusive,
        };
        match flock(&directory, operation) {
            Err(Errno::WOULDBLOCK) => Err(io::ErrorKind::WouldBlock.into()),
            // Some shares have no locks for folders. Then a second watcher cannot be detected.
            Ok(()) | Err(_) => Ok(Self(directory)),
        }
    }

    /// Whether this is the folder that is at `path` now.
    pub(super) fn is_of(&self, path: &Path) -> bool {
        is_at(&self.0, path)
    }
}
