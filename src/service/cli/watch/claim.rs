//! Locks the input folder for one watch, so that no two watches take the same files. Watches that keep the originals
//! may share a folder.

use super::writers::is_at;
use rustix::{
    fs::{FlockOperation, flock},
    io::Errno,
};
use std::{fs::File, io, path::Path};

/// A folder that is locked (flock(2)) for as long as this value lives.
#[derive(Debug)]
pub(super) struct Claim(File);

impl Claim {
    /// Locks the folder at `path`. With `share`, other watches may lock the folder with `share` at the same time.
    ///
    /// Errors: [`io::ErrorKind::WouldBlock`] if another watch has locked the folder for itself, or if it is shared and
    /// `share` is false; [`io::ErrorKind::NotADirectory`] for a file; errors of opening the folder.
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
            // Some network shares have no locks for folders. There, the watch starts without a lock, and a second watch
            // is not detected.
            Ok(()) | Err(_) => Ok(Self(directory)),
        }
    }

    /// Returns whether `path` still leads to this folder.
    pub(super) fn is_of(&self, path: &Path) -> bool {
        is_at(&self.0, path)
    }
}
