//! Error texts beside files that were not converted. A file is tried again when its text is deleted.

use super::ignored::NOTE;
use crate::{cli::names, error::Error};
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// Places of error texts: beside their files, or among the results if the folder of the files cannot be written.
#[derive(Debug)]
pub(super) struct Notes {
    /// The watched folder and the folder of results, each with the maximum length of a file name in it, in bytes.
    roots: [(PathBuf, usize); 2],
}

impl Notes {
    pub(super) fn new(input: &Path, output: &Path) -> Self {
        Self {
            roots: [input, output].map(|root| (root.to_owned(), names::longest(root))),
        }
    }

    /// Returns whether an error text exists for the file at `path`, which is relative to the watched folder.
    pub(super) fn is_there(&self, path: &Path) -> bool {
        self.places(path).any(|place| place.exists())
    }

    /// Writes the error text of a file.
    ///
    /// Errors: the error from the last path that was tried, if no path could be written to.
    pub(super) fn write(&self, path: &Path, error: &Error) -> io::Result<()> {
        let mut written = Ok(());
        for place in self.places(path) {
            let mut text = format!("{}\n", error.message());
            if !is_named(&place, path) {
                // If the name of the text had to be cut, the text itself names the file.
                let name = path.file_name().unwrap_or_default();
                text = format!("{}: {text}", name.to_string_lossy());
            }
            written = write_whole(&place, &text);
            if written.is_ok() {
                break;
            }
        }
        written
    }

    /// Deletes the error text of a file.
    pub(super) fn remove(&self, path: &Path) {
        for place in self.places(path) {
            // Usually no such file exists.
            let _ = fs::remove_file(place);
        }
    }

    /// The paths at which the error text of a file may be, in the order in which they are tried.
    fn places<'a>(&'a self, path: &'a Path) -> impl Iterator<Item = PathBuf> + 'a {
        let roots = self.roots.iter();
        roots.map(move |(root, longest)| {
            let name = path.file_name().unwrap_or_default();
            let whole = names::fitted(name, NOTE, usize::MAX);
            let whole = match whole.len() <= *longest {
                true => whole,
                // Two files whose cut names are equal must not share a text, so a checksum of the whole name is added.
                false => {
                    let number = crc32fast::hash(name.as_encoded_bytes());
                    names::fitted(name, &format!("~{number:08x}{NOTE}"), *longest)
                }
            };
            root.join(path.with_file_name(whole))
        })
    }
}

/// Returns whether the name of a text begins with the whole name of its file.
fn is_named(note: &Path, path: &Path) -> bool {
    let [note, name] = [note, path].map(|path| path.file_name().unwrap_or_default());
    note.as_encoded_bytes().starts_with(name.as_encoded_bytes())
}

/// Writes a text under another name and renames it, so that no reader sees half of it.
fn write_whole(place: &Path, text: &str) -> io::Result<()> {
    place.parent().map_or(Ok(()), fs::create_dir_all)?;
    // Several watches may write to the same folder, so the name has the number of this process.
    let hidden = place.with_file_name(format!(".convertd-{}", std::process::id()));
    let written = fs::write(&hidden, text).and_then(|()| fs::rename(&hidden, place));
    if written.is_err() {
        let _ = fs::remove_file(&hidden);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_long_name_has_its_own_error_file() {
        let notes = Notes {
            roots: [("in".into(), 255), ("out".into(), 255)],
        };
        let place = |path: &str| notes.places(Path::new(path)).next().unwrap();
        assert_eq!(place("a/b.png"), Path::new("in/a/b.png.error.txt"));
        let [one, other] = ["x", "y"].map(|end| format!("a/{}{end}", "n".repeat(250)));
        assert_ne!(place(&one), place(&other));
        for place in [place(&one), place(&other)] {
            assert_eq!(place.file_name().unwrap().len(), 255);
        }
    }
}
