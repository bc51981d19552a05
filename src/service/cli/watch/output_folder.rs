//! Chooses the paths of results and of originals, and moves files there. Files appear at these paths complete. They do
//! not replace files of other programs, except in the race that `rename` describes.

use super::{journal::Taken, writers::is_at};
use crate::{cli::names, format, numbered};
use rustix::{
    fs::{CWD, RenameFlags, renameat_with},
    io::Errno,
};
use std::{
    fs::{self, File},
    io::{self, BufRead, BufReader},
    path::{Path, PathBuf},
};

/// Folder in the folder of results, for the journal and unfinished results.
const OWN: &str = ".convertd-watch";
/// Folder in the folder of results, for originals.
const ORIGINALS: &str = "originals";

/// The folder of results, with its subfolder for parts. A part is an unfinished result.
pub(super) struct OutputFolder {
    root: PathBuf,
    // Number of the next part, which is also its name.
    next: u64,
    /// The longest possible name, in bytes.
    longest: usize,
}

impl OutputFolder {
    /// Creates the folder of results and its folder for parts. `next` must be larger than the numbers of all earlier
    /// parts.
    pub(super) fn new(root: PathBuf, next: u64) -> io::Result<Self> {
        fs::create_dir_all(root.join(OWN).join("parts"))?;
        Ok(Self {
            longest: names::longest(&root),
            root,
            next,
        })
    }

    /// The next number of a part.
    pub(super) fn next(&self) -> u64 {
        self.next
    }

    /// Folder for the journal and for parts.
    pub(super) fn own(&self) -> PathBuf {
        self.root.join(OWN)
    }

    fn part(&self, name: &Path) -> PathBuf {
        self.own().join("parts").join(name)
    }

    /// Deletes the parts of an earlier run, except those in `keep`.
    pub(super) fn sweep(&mut self, keep: &[&Path]) -> io::Result<()> {
        for entry in fs::read_dir(self.own().join("parts"))? {
            let entry = entry?;
            let name = entry.file_name();
            let number = name.to_str().and_then(|name| name.parse::<u64>().ok());
            if keep.contains(&Path::new(&name)) {
                // A new part must not get the name of a part that stays.
                self.next = self.next.max(number.map_or(0, |number| number + 1));
            } else {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    }

    /// Creates a part, and returns its name and its file.
    pub(super) fn begin(&mut self) -> io::Result<(PathBuf, File)> {
        let name = PathBuf::from(self.next.to_string());
        self.next += 1;
        let file = File::options()
            .read(true)
            .write(true)
            .create_new(true)
            .open(self.part(&name))?;
        Ok((name, file))
    }

    /// Returns whether a part is still the file that was created for it. Returns false if the folder of results was
    /// replaced.
    pub(super) fn has(&self, part: &Path, file: &File) -> bool {
        is_at(file, &self.part(part))
    }

    /// Deletes a part that is not needed.
    pub(super) fn discard(&self, part: &Path) {
        // If this fails, the next start deletes the part.
        let _ = fs::remove_file(self.part(part));
    }

    /// A free path for the result of the file at `path`: the same name with another extension, and with a number if
    /// that name is taken. `own` is the result of an earlier version of the same file; it may be replaced.
    pub(super) fn result(&self, path: &Path, extension: &str, own: Option<&Path>) -> PathBuf {
        let extension = format::normalise(extension);
        let stem = path.file_stem().unwrap_or_default();
        let name = |end: &str| names::numbered(stem, end, &extension, self.longest);
        self.free(|end| path.with_file_name(name(end)), own)
    }

    /// A free path for an original in the folder of originals.
    pub(super) fn original(&self, path: &Path) -> PathBuf {
        let stem = path.file_stem().unwrap_or_default();
        let extension = path.extension().unwrap_or_default().to_string_lossy();
        let name = |end: &str| match end {
            "" => path.to_owned(),
            _ => path.with_file_name(names::numbered(stem, end, &extension, self.longest)),
        };
        self.free(|end| Path::new(ORIGINALS).join(name(end)), None)
    }

    /// Calls `path` with the empty suffix, then with one number after another, and returns the first path that is free.
    /// The path `own` counts as free.
    fn free(&self, path: impl FnMut(&str) -> PathBuf, own: Option<&Path>) -> PathBuf {
        let is_free =
            |path: &PathBuf| own == Some(path) || self.root.join(path).symlink_metadata().is_err();
        numbered::free(path, is_free)
    }

    /// Renames the part to the result, unless that has been done. Returns false if neither the part nor the result
    /// exists, because another program has removed it. If the journal records no part, returns true without a check.
    ///
    /// Errors: [`io::ErrorKind::AlreadyExists`] if the result may not replace a file, and one has its name.
    pub(super) fn settle(&self, taken: &Taken) -> io::Result<bool> {
        if taken.part == Path::new("") {
            return Ok(true);
        }
        let part = self.part(&taken.part);
        let place = self.root.join(&taken.result);
        if part.symlink_metadata().is_err() {
            return Ok(place.symlink_metadata().is_ok());
        }
        below(&place)?;
        match taken.replaces {
            true => fs::rename(part, place)?,
            false => match rename(&part, &place) {
                // The folder of the result may be a mount point.
                Err(err) if err.kind() == io::ErrorKind::CrossesDevices => {
                    copy(&part, &place, &taken.part)?;
                    fs::remove_file(&part)?;
                }
                done => done?,
            },
        }
        Ok(true)
    }

    /// Moves an original to its destination. The original may change while it is copied to another file system, so
    /// `is_same` is then called to find out whether it is still the version that was converted. A changed original
    /// stays. Returns whether the original was moved.
    pub(super) fn put_away(
        &self,
        file: &Path,
        taken: &Taken,
        is_same: impl FnOnce() -> bool,
    ) -> io::Result<bool> {
        let place = self.root.join(&taken.original);
        if is_copy(file, &place) {
            // An earlier run was interrupted between copying the original and deleting it.
            return fs::remove_file(file).map(|()| true);
        }
        below(&place)?;
        match rename(file, &place) {
            Err(err) if err.kind() == io::ErrorKind::CrossesDevices => {
                copy(file, &place, &taken.part)?;
                let is_same = is_same();
                fs::remove_file(if is_same { file } else { &place })?;
                Ok(is_same)
            }
            done => done.map(|()| true),
        }
    }
}

/// Returns whether `place` is a regular file with the same content as `file`.
fn is_copy(file: &Path, place: &Path) -> bool {
    let same = || -> io::Result<bool> {
        let [mut one, mut other] = [
            BufReader::new(File::open(file)?),
            BufReader::new(File::open(place)?),
        ];
        loop {
            let (left, right) = (one.fill_buf()?, other.fill_buf()?);
            let len = left.len().min(right.len());
            if len == 0 {
                return Ok(left.len() == right.len());
            }
            if left[..len] != right[..len] {
                return Ok(false);
            }
            one.consume(len);
            other.consume(len);
        }
    };
    place.symlink_metadata().is_ok_and(|there| there.is_file()) && same().unwrap_or(false)
}

/// Creates the folder that the file at `place` will be in.
fn below(place: &Path) -> io::Result<()> {
    place.parent().map_or(Ok(()), fs::create_dir_all)
}

/// Renames a file within a file system without replacing another one (renameat2(2), `RENAME_NOREPLACE`).
///
/// Errors: [`io::ErrorKind::CrossesDevices`] between two file systems.
fn rename(from: &Path, to: &Path) -> io::Result<()> {
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        Ok(()) => Ok(()),
        // On a file system without this operation, a hard link is tried, which also fails if the name exists. If links
        // are not available either, the name is checked before the file is renamed, although another process may create
        // it in between.
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => match fs::hard_link(from, to) {
            Ok(()) => fs::remove_file(from),
            Err(err) if err.kind() == io::ErrorKind::AlreadyExists => Err(err),
            Err(_) if to.symlink_metadata().is_ok() => Err(io::ErrorKind::AlreadyExists.into()),
            Err(_) => fs::rename(from, to),
        },
        Err(err) => Err(err.into()),
    }
}

/// Copies a file to another file system without replacing a file. The copy gets its name when it is complete; a failed
/// copy is deleted. An interrupted copy is overwritten by the next attempt, because its temporary name depends only on
/// the number of the part.
fn copy(from: &Path, to: &Path, part: &Path) -> io::Result<()> {
    let hidden = to.with_file_name(format!(".convertd-{}", part.display()));
    let copied = || -> io::Result<()> {
        fs::copy(from, &hidden)?;
        let copy = File::open(&hidden)?;
        copy.set_modified(from.metadata()?.modified()?)?;
        copy.sync_all()?;
        rename(&hidden, to)
    };
    let copied = copied();
    if copied.is_err() {
        // If this fails too, the incomplete copy stays and only takes space.
        let _ = fs::remove_file(&hidden);
    }
    copied
}
