//! The files of directories, for `--recursive`. Follows no links, and skips hidden files and those that systems create.

use crate::{
    error::{Error, Kind, Result},
    litter,
};
use std::{
    fs,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

/// Limits on the nesting of directories, and on the number of files.
const MOST_DEPTH: usize = 100;
const MOST_FILES: usize = 1_000_000;

/// An input.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Source {
    pub(super) path: PathBuf,
    /// Directory of the file, relative to the directory on the command line.
    pub(super) folder: PathBuf,
    /// Whether the file was found in a directory. Then it may be of any format, and is skipped if it cannot be
    /// converted.
    pub(super) is_found: bool,
}

/// The inputs: the given paths, or the files in them if they are directories and `recursive` is set. Leaves out the
/// directory of the results, `place`.
///
/// Errors: a directory cannot be read, or there are too many files.
pub(super) fn sources(
    paths: &[PathBuf],
    place: Option<&Path>,
    recursive: bool,
) -> Result<Vec<Source>> {
    let mut walk = Walk {
        place: place.and_then(|place| place.canonicalize().ok()),
        sources: Vec::new(),
    };
    for path in paths {
        match recursive && path.is_dir() {
            true => walk.directory(path, Path::new(""), 0)?,
            false => walk.sources.push(Source {
                path: path.clone(),
                folder: PathBuf::new(),
                is_found: false,
            }),
        }
    }
    Ok(walk.sources)
}

/// The files found so far, and the canonical path of the directory of the results, which is skipped.
struct Walk {
    place: Option<PathBuf>,
    sources: Vec<Source>,
}

impl Walk {
    /// Collects the files of a directory and its subdirectories, in order of their names, without the directory of the
    /// results.
    fn directory(&mut self, path: &Path, folder: &Path, depth: usize) -> Result<()> {
        let about = |err| {
            let text = format!("{} cannot be read", path.display());
            Error::new(Kind::Internal, text).caused_by(err)
        };
        let is_results = path.canonicalize().ok() == self.place && self.place.is_some();
        if depth > 0 && is_results {
            return Ok(());
        }
        let mut entries = Vec::new();
        for entry in fs::read_dir(path).map_err(about)? {
            let entry = entry.map_err(about)?;
            entries.push((entry.file_name(), entry.file_type().map_err(about)?));
        }
        entries.sort_by(|(one, _), (other, _)| one.cmp(other));
        for (name, kind) in entries {
            let bytes = name.as_bytes();
            if bytes.starts_with(b".") || litter::is_of_system(bytes) {
                continue;
            }
            if kind.is_dir() && depth < MOST_DEPTH {
                self.directory(&path.join(&name), &folder.join(&name), depth + 1)?;
            } else if kind.is_file() {
                if self.sources.len() == MOST_FILES {
                    let text =
                        format!("there are more than {MOST_FILES} files; name some of the folders");
                    return Err(Error::new(Kind::BadInput, text));
                }
                self.sources.push(Source {
                    path: path.join(&name),
                    folder: folder.to_owned(),
                    is_found: true,
                });
            }
        }
        Ok(())
    }
}
