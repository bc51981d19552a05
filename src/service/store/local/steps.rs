//! The single steps of every change on disk. Tests make each of them fail in turn, simulate the death of the process
//! before it, or record them all and replay every state in which a power cut could leave the disk. Does not choose file
//! names.

use std::{
    fs::{self, DirBuilder, File, OpenOptions},
    io,
    os::unix::fs::{DirBuilderExt, FileExt, OpenOptionsExt},
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
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(path)?;
    note(Step::Create(path, &file));
    Ok(file)
}

/// Adds bytes to the end of a file.
pub(super) fn append(file: &File, bytes: &[u8]) -> io::Result<()> {
    step()?;
    file.write_all_at(bytes, file.metadata()?.len())?;
    note(Step::Write(file));
    Ok(())
}

/// Cuts a file off, or extends it by zeros.
pub(super) fn set_len(file: &File, len: u64) -> io::Result<()> {
    step()?;
    file.set_len(len)?;
    note(Step::Write(file));
    Ok(())
}

pub(super) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    step()?;
    fs::rename(from, to)?;
    note(Step::Rename(from, to));
    Ok(())
}

/// Removes a file. Succeeds if it does not exist.
pub(super) fn remove_file(path: &Path) -> io::Result<()> {
    step()?;
    match fs::remove_file(path) {
        Err(err) if err.kind() == io::ErrorKind::NotFound => return Ok(()),
        removed => removed?,
    }
    note(Step::Remove(path));
    Ok(())
}

/// Removes an empty directory. Succeeds if it does not exist.
pub(super) fn remove_dir(path: &Path) -> io::Result<()> {
    step()?;
    match fs::remove_dir(path) {
        Err(err) if err.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

/// Makes a file durable, with its length. Where metadata is written in order, its name is durable as well.
pub(super) fn sync(file: &File) -> io::Result<()> {
    step()?;
    file.sync_all()?;
    note(Step::Sync(file));
    Ok(())
}

/// Returns whether the file system of `dir` writes metadata in order, so that [`sync`] makes a file's name durable:
/// ext4, XFS and Btrfs.
pub(super) fn keeps_names(dir: &Path) -> bool {
    const EXT: u32 = 0xEF53;
    const XFS: u32 = 0x5846_5342;
    const BTRFS: u32 = 0x9123_683E;
    pretended().unwrap_or_else(|| {
        rustix::fs::statfs(dir).is_ok_and(|fs| [EXT, XFS, BTRFS].contains(&(fs.f_type as u32)))
    })
}

/// Flushes everything that any process has written to the file system of `dir` (syncfs(2)).
pub(super) fn sync_all(dir: &File) -> io::Result<()> {
    step()?;
    rustix::fs::syncfs(dir)?;
    note(Step::SyncAll);
    Ok(())
}

/// A step that has been done, as tests record it.
#[cfg_attr(not(test), expect(dead_code, reason = "only tests look at steps"))]
pub(super) enum Step<'a> {
    Create(&'a Path, &'a File),
    Write(&'a File),
    Rename(&'a Path, &'a Path),
    Remove(&'a Path),
    Sync(&'a File),
    SyncAll,
}

/// Runs before every change. Tests inject faults here; in the service it does nothing.
#[cfg(not(test))]
pub(super) fn step() -> io::Result<()> {
    Ok(())
}

/// Receives every change. Tests record them here; in the service it does nothing.
#[cfg(not(test))]
fn note(_: Step<'_>) {}

/// Returns the answer of [`keeps_names`] that a test simulates, if any; in the service, `None`.
#[cfg(not(test))]
fn pretended() -> Option<bool> {
    None
}

#[cfg(test)]
pub(super) use super::tests::faults::step;
#[cfg(test)]
use super::tests::power::{note, pretended};
