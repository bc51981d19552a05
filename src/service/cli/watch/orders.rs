//! Parameters of a watch, and the check that its folders fit together. Converts nothing.

use crate::{
    cli::work::Wanted,
    error::{Error, Kind, Result},
};
use std::{
    fs, io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    time::Duration,
};

/// Parameters of a watch.
pub(super) struct Orders {
    /// The folder that is watched.
    pub(super) input: PathBuf,
    /// The folder of the results.
    pub(super) output: PathBuf,
    /// The format of all results. If `None`, names of folders such as `to-pdf` decide.
    pub(super) to: Option<String>,
    pub(super) wanted: Wanted,
    pub(super) originals: Originals,
    /// Time without a change after which a file counts as complete, if the command line sets it.
    pub(super) settle: Option<Duration>,
}

/// Treatment of a file after its conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Originals {
    Move,
    Delete,
    Keep,
}

impl Originals {
    pub(super) fn parse(word: &str) -> Option<Self> {
        match word {
            "move" => Some(Self::Move),
            "delete" => Some(Self::Delete),
            "keep" => Some(Self::Keep),
            _ => None,
        }
    }
}

impl Orders {
    /// The reason why the two folders cannot be used; `None` if they can. If one contains the other, or both are the
    /// same, results would be converted again. Folders are compared by device and inode, because one folder may be
    /// mounted in two places.
    pub(super) fn contradiction(&self) -> Option<String> {
        let number = |path: &Path| {
            let folder = fs::metadata(path).ok();
            folder.map(|folder| (folder.dev(), folder.ino()))
        };
        let lies_in = |inner: &Path, outer: &Path| {
            let outer = number(outer);
            outer.is_some() && inner.ancestors().any(|path| number(path) == outer)
        };
        let (input, output) = (&self.input, &self.output);
        let (inner, outer) = match (lies_in(output, input), lies_in(input, output)) {
            (true, _) => (output, input),
            (false, true) => (input, output),
            (false, false) => return None,
        };
        Some(format!(
            "{} is inside of {}, so results would be converted again: name two separate folders",
            inner.display(),
            outer.display()
        ))
    }
}

/// Returns the path of an existing folder, with links resolved. `what` is the intended use of the folder, which
/// completes the error message "… cannot be …": for example "written to".
pub(super) fn folder(path: &Path, what: &str) -> Result<PathBuf> {
    let about = |err: io::Error| {
        let text = format!("{} cannot be {what}", path.display());
        Error::new(Kind::Internal, text).caused_by(err)
    };
    let whole = path.canonicalize().map_err(about)?;
    match whole.is_dir() {
        true => Ok(whole),
        false => Err(about(io::ErrorKind::NotADirectory.into())),
    }
}

/// The canonical path of a folder, which is created if it does not exist.
pub(super) fn made(path: &Path) -> Result<PathBuf> {
    fs::create_dir_all(path).map_err(|err| {
        let text = format!("{} cannot be created", path.display());
        Error::new(Kind::Internal, text).caused_by(err)
    })?;
    folder(path, "written to")
}
