//! Where results and originals go, and how a file gets there whole. Replaces nothing that somebody else has put there.

use super::journal::Taken;
use crate::format;
use rustix::{
    fs::{CWD, RenameFlags, renameat_with},
    io::Errno,
};
use std::{
    ffi::OsString,
    fs::{self, File},
    io::{self, BufRead, BufReader},
    path::{Path, PathBuf},
};

/// The folder for what is ours alone, among the results.
const OWN: &str = ".convertd-watch";
/// The folder for originals, among the results.
const ORIGINALS: &str = "originals";

/// The folder of the results.
pub(super) struct Places {
    root: PathBuf,
    next: u64,
}

impl Places {
    /// Makes the folder for parts.
    pub(super) fn new(root: PathBuf) -> io::Result<Self> {
        fs::create_dir_all(root.join(OWN).join("parts"))?;
        Ok(Self { root, next: 0 })
    }

    /// The folder for what is ours alone.
    pub(super) fn own(&self) -> PathBuf {
        self.root.join(OWN)
    }

    fn part(&self, name: &Path) -> PathBuf {
        self.own().join("parts").join(name)
    }

    /// Deletes what an earlier run left behind, but these parts.
    pub(super) fn sweep(&mut self, keep: &[&Path]) -> io::Result<()> {
        for entry in fs::read_dir(self.own().join("parts"))? {
            let entry = entry?;
            let name = entry.file_name();
            let number = name.to_str().and_then(|name| name.parse::<u64>().ok());
            if keep.contains(&Path::new(&name)) {
                self.next = self.next.max(number.map_or(0, |number| number + 1));
            } else {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    }

    /// A new part, and its name.
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

    /// Deletes a part that nobody wants.
    pub(super) fn discard(&self, part: &Path) {
        // What cannot be deleted is swept at the next start.
        let _ = fs::remove_file(self.part(part));
    }

    /// A name for the result of the file at `path`: its own with another extension, and with a number if that is taken. `own` is the
    /// result of an earlier version of the same file, which this one replaces.
    pub(super) fn result(&self, path: &Path, extension: &str, own: Option<&Path>) -> PathBuf {
        let extension = format::normalise(extension);
        let stem = path.file_stem().unwrap_or_default();
        let numbered = |number: u64| path.with_file_name(name(stem, number, &extension));
        self.free(numbered, own)
    }

    /// A name for an original among the originals.
    pub(super) fn original(&self, path: &Path) -> PathBuf {
        let stem = path.file_stem().unwrap_or_default();
        let extension = path.extension().unwrap_or_default().to_string_lossy();
        let numbered = |number| match number {
            1 => Path::new(ORIGINALS).join(path),
            number => {
                Path::new(ORIGINALS).join(path.with_file_name(name(stem, number, &extension)))
            }
        };
        self.free(numbered, None)
    }

    /// The first of these names that nothing has.
    fn free(&self, numbered: impl Fn(u64) -> PathBuf, own: Option<&Path>) -> PathBuf {
        let is_free =
            |path: &PathBuf| own == Some(path) || self.root.join(path).symlink_metadata().is_err();
        // A disk has no room for so many.
        let mut names = (1..u64::MAX).map(numbered);
        names.find(is_free).unwrap_or_default()
    }

    /// Gives the result its name, if it has not got it yet.
    ///
    /// Errors: [`io::ErrorKind::AlreadyExists`] if somebody has put something else there.
    pub(super) fn settle(&self, taken: &Taken) -> io::Result<()> {
        let part = self.part(&taken.part);
        if part.symlink_metadata().is_err() {
            // It has its name.
            return Ok(());
        }
        let place = self.root.join(&taken.result);
        below(&place)?;
        match taken.replaces {
            true => fs::rename(part, place),
            false => relocate(&part, &place),
        }
    }

    /// Moves an original to where it belongs, if it is not there yet.
    pub(super) fn put_away(&self, file: &Path, taken: &Taken) -> io::Result<()> {
        let place = self.root.join(&taken.original);
        if is_copy(file, &place) {
            // An earlier run got as far as that.
            return fs::remove_file(file);
        }
        below(&place)?;
        relocate(file, &place)
    }
}

/// Whether there is a file of the same content.
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

fn below(place: &Path) -> io::Result<()> {
    place.parent().map_or(Ok(()), fs::create_dir_all)
}

fn name(stem: &std::ffi::OsStr, number: u64, extension: &str) -> OsString {
    let mut name = stem.to_owned();
    if number > 1 {
        name.push(format!(" ({number})"));
    }
    if !extension.is_empty() {
        name.push(format!(".{extension}"));
    }
    name
}

/// Gives a file another name, replacing nothing. Between file systems, the other one gets the file when it is whole.
fn relocate(from: &Path, to: &Path) -> io::Result<()> {
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        Ok(()) => Ok(()),
        Err(Errno::XDEV) => {
            let mut hidden = OsString::from(".");
            hidden.push(to.file_name().unwrap_or_default());
            hidden.push(".part");
            let hidden = to.with_file_name(hidden);
            fs::copy(from, &hidden)?;
            File::open(&hidden)?.sync_all()?;
            relocate(&hidden, to)?;
            fs::remove_file(from)
        }
        // File systems that know no such thing: two links for a moment, or a look before.
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => match fs::hard_link(from, to) {
            Ok(()) => fs::remove_file(from),
            Err(err) if err.kind() == io::ErrorKind::AlreadyExists => Err(err),
            Err(_) if to.symlink_metadata().is_ok() => Err(io::ErrorKind::AlreadyExists.into()),
            Err(_) => fs::rename(from, to),
        },
        Err(err) => Err(err.into()),
    }
}
