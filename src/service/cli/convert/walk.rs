//! The files of directories, for `--recursive`. Follows no links, and skips hidden files and those that systems create.

use super::run::unreadable;
use crate::{
    error::{Error, Kind, Result},
    litter,
};
use std::{
    ffi::OsString,
    fs::{self, FileType},
    io,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

/// Limit on the nesting of directories. Deeper ones are skipped.
const MAX_DEPTH: usize = 100;
/// Limit on the number of files.
const MAX_FILES: usize = 1_000_000;

/// A file to convert.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Source {
    pub(super) path: PathBuf,
    /// Directory of the file, relative to the directory on the command line.
    pub(super) folder: PathBuf,
    /// Whether the file was found in a directory. Then it may be of any format, and is skipped if it cannot be
    /// converted.
    pub(super) is_found: bool,
}

/// The inputs of a command, and the directories that could not be read.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) sources: Vec<Source>,
    pub(super) unread: Vec<(PathBuf, Error)>,
}

/// The inputs: the given paths, or the files in them if they are directories and `recursive` is set. Leaves out
/// `place`, the directory of the results, if it is inside one of these directories.
///
/// Errors: there are too many files.
pub(super) fn sources(paths: &[PathBuf], place: Option<&Path>, recursive: bool) -> Result<Found> {
    let mut walk = Walk {
        place: place.and_then(|place| place.canonicalize().ok()),
        found: Found::default(),
    };
    for path in paths {
        match recursive && path.is_dir() {
            true => walk.directory(path, Path::new(""), 0)?,
            false => walk.found.sources.push(Source {
                path: path.clone(),
                folder: PathBuf::new(),
                is_found: false,
            }),
        }
    }
    Ok(walk.found)
}

/// A walk over directories.
struct Walk {
    /// The canonical path of the directory of the results, which is skipped.
    place: Option<PathBuf>,
    /// The files found so far.
    found: Found,
}

impl Walk {
    /// Collects the files of a directory and its subdirectories, in order of their names, without the directory of the
    /// results.
    fn directory(&mut self, path: &Path, folder: &Path, depth: usize) -> Result<()> {
        let is_results = path.canonicalize().ok() == self.place && self.place.is_some();
        if depth > 0 && is_results {
            return Ok(());
        }
        let mut entries = match entries(path) {
            Ok(entries) => entries,
            Err(err) => {
                self.found
                    .unread
                    .push((path.to_owned(), unreadable(path, err)));
                return Ok(());
            }
        };
        entries.sort_by(|(one, _), (other, _)| one.cmp(other));
        for (name, kind) in entries {
            let bytes = name.as_bytes();
            if bytes.starts_with(b".") || litter::is_of_system(bytes) {
                continue;
            }
            if kind.is_dir() && depth < MAX_DEPTH {
                self.directory(&path.join(&name), &folder.join(&name), depth + 1)?;
            } else if kind.is_dir() {
                let path = path.join(&name);
                let text = format!(
                    "{} was skipped, because it is more than {MAX_DEPTH} directories deep",
                    path.display()
                );
                self.found
                    .unread
                    .push((path, Error::new(Kind::BadInput, text)));
            } else if kind.is_file() {
                if self.found.sources.len() + self.found.unread.len() >= MAX_FILES {
                    let text = format!("there are more than {MAX_FILES} files; name fewer folders");
                    return Err(Error::new(Kind::BadInput, text));
                }
                self.found.sources.push(Source {
                    path: path.join(&name),
                    folder: folder.to_owned(),
                    is_found: true,
                });
            }
        }
        Ok(())
    }
}

/// Names and kinds of the entries of a directory.
fn entries(path: &Path) -> io::Result<Vec<(OsString, FileType)>> {
    let entries = fs::read_dir(path)?.map(|entry| {
        let entry = entry?;
        Ok((entry.file_name(), entry.file_type()?))
    });
    entries.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_that_are_too_deep_are_named() {
        let top = std::env::temp_dir().join(format!("convertd-walk-{}", std::process::id()));
        let deepest = (0..=MAX_DEPTH).fold(top.clone(), |path, _| path.join("d"));
        fs::create_dir_all(&deepest).unwrap();
        fs::write(deepest.join("a.md"), "a").unwrap();
        let found = sources(std::slice::from_ref(&top), None, true);
        fs::remove_dir_all(&top).unwrap();
        let found = found.unwrap();
        assert_eq!(found.sources, []);
        let unread: Vec<&PathBuf> = found.unread.iter().map(|(path, _)| path).collect();
        assert_eq!(unread, [&deepest]);
    }
}
