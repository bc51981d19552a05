//! The single steps that every change on disk consists of. Tests make each of them fail in turn, or end the process before it,
//! and check that nothing is lost. Knows no file names.

use std::{
    fs::{self, DirBuilder, File, OpenOptions},
    io,
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::Path,
};

/// Creates a directory that only this user may enter. Succeeds if it exists already.
pub(super) fn make_dir(path: &Path) -> io::Result<()> {
    step()?;
    match DirBuilder::new().mode(0o700).create(path) {
        Err(err) if err.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        made => made,
    }
}

/// Creates or truncates a file that only this user may read and write.
pub(super) fn create(path: &Path) -> io::Result<File> {
    step()?;
    OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(path)
}

pub(super) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    step()?;
    fs::rename(from, to)
}

/// Removes a file. Succeeds if it does not exist.
pub(super) fn remove_file(path: &Path) -> io::Result<()> {
    step()?;
    gone(fs::remove_file(path))
}

pub(super) fn sync(file: &File) -> io::Result<()> {
    step()?;
    file.sync_data()
}

/// Makes the names in a directory durable (fsync): a rename survives a power cut only after this.
pub(super) fn sync_dir(path: &Path) -> io::Result<()> {
    step()?;
    File::open(path)?.sync_all()
}

/// Removes an empty directory. Succeeds if it does not exist.
pub(super) fn remove_dir(path: &Path) -> io::Result<()> {
    step()?;
    gone(fs::remove_dir(path))
}

fn gone(removal: io::Result<()>) -> io::Result<()> {
    match removal {
        Err(err) if err.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// Is called before every change. Tests inject faults here; in the service it does nothing.
#[cfg(not(test))]
pub(super) fn step() -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
pub(super) use super::tests::faults::step;
