//! Folders below which files may be read and written. Opens no file.
//!
//! Links are resolved before a path is compared, so that neither `..` nor a link leads out of the folders. Links
//! are not accepted as names of results.

use crate::{
    cli::Failure,
    error::{Error, Kind, Result},
};
use std::path::{Path, PathBuf};

/// The folders, as canonical paths.
#[derive(Default)]
pub(super) struct Roots(Vec<PathBuf>);

impl Roots {
    /// Adds a folder.
    ///
    /// Errors: [`Failure::Usage`] if it cannot be read.
    pub(super) fn add(&mut self, folder: PathBuf) -> Result<(), Failure> {
        match folder.canonicalize() {
            Ok(whole) if whole.is_dir() => {
                self.0.push(whole);
                Ok(())
            }
            Ok(_) | Err(_) => Err(Failure::Usage(format!(
                "{:?} is not a readable folder",
                folder.display()
            ))),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The names of the folders, for messages.
    pub(super) fn names(&self) -> String {
        let names: Vec<_> = self.0.iter().map(|it| it.display().to_string()).collect();
        names.join(", ")
    }

    /// The canonical path of a file that may be read. A relative path begins at the first folder.
    ///
    /// Errors: [`Kind::BadInput`] if there is no such file below the folders.
    pub(super) fn readable(&self, path: &str) -> Result<PathBuf> {
        let whole = self.whole(Path::new(path))?.canonicalize();
        let whole = whole.ok().filter(|whole| self.holds(whole));
        whole
            .filter(|whole| whole.is_file())
            .ok_or_else(|| self.refused(path, "there is no such file"))
    }

    /// The path of a file that may be written, which need not exist. The folder of the path is canonical.
    ///
    /// Errors: [`Kind::BadInput`] if the folder is not below these folders, or if the name is that of a link, a
    /// directory or a device.
    pub(super) fn writable(&self, path: &str) -> Result<PathBuf> {
        let whole = self.whole(Path::new(path))?;
        let refused = || self.refused(path, "no file can be written there");
        let (folder, name) = (whole.parent(), whole.file_name());
        let folder = folder.and_then(|folder| folder.canonicalize().ok());
        let folder = folder.filter(|folder| self.holds(folder));
        let whole = folder.ok_or_else(refused)?.join(name.ok_or_else(refused)?);
        match whole.symlink_metadata() {
            Ok(there) if !there.is_file() => Err(refused()),
            Ok(_) | Err(_) => Ok(whole),
        }
    }

    /// The path as it is, or below the first folder if it is relative.
    fn whole(&self, path: &Path) -> Result<PathBuf> {
        let first = self.0.first();
        first
            .map(|first| first.join(path))
            .ok_or_else(|| Error::internal("no folder was named", ""))
    }

    fn holds(&self, whole: &Path) -> bool {
        self.0.iter().any(|root| whole.starts_with(root))
    }

    /// The refusal of a path. It does not reveal whether there is a file outside of the folders.
    fn refused(&self, path: &str, why: &str) -> Error {
        let text = format!("{path:?}: {why} below {}", self.names());
        Error::new(Kind::BadInput, text)
    }
}
