//! Finds models by name in the service's directories, and opens one when a converter asks for it. Reads no model, and
//! keeps none open.
//!
//! Directories are listed again each time, so a package that is installed while the service runs is found. A listing of
//! 160 files takes a fraction of a millisecond, and only conversions that recognise text ask for one.

use super::source::{Available, Source};
use rustix::fs::OFlags;
use std::{
    collections::BTreeSet,
    fs::{self, File, OpenOptions},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

/// Subdirectory in which some distributions keep the models of scripts.
const SCRIPTS: &str = "script";
const EXTENSION: &str = "traineddata";
/// The maximum number of models that are listed, so that the list fits into a message. Tesseract itself offers 160.
const MAX_MODELS: usize = 500;
/// Tesseract's model for detecting orientation and script. It has no network, so it is not listed.
const WITHOUT_NETWORK: &str = "osd";

/// The directories of models, and the operator's default languages.
#[derive(Debug, Default)]
pub struct Shelf {
    directories: Vec<PathBuf>,
    default: Vec<String>,
}

impl Shelf {
    /// Makes a shelf of the models in these directories, the first of which takes precedence, and the default
    /// languages.
    pub fn new(directories: Vec<PathBuf>, default: Vec<String>) -> Self {
        Self {
            directories,
            default,
        }
    }

    /// The directories, each with its folder of scripts.
    fn directories(&self) -> impl Iterator<Item = PathBuf> {
        let each = |directory: &PathBuf| [directory.clone(), directory.join(SCRIPTS)];
        self.directories.iter().flat_map(each)
    }
}

impl Source for Shelf {
    fn available(&self) -> Available {
        let mut installed = BTreeSet::new();
        for directory in self.directories() {
            let entries = fs::read_dir(directory).into_iter().flatten().flatten();
            let names = entries.filter_map(|entry| name(&entry.path()));
            installed.extend(names.take(MAX_MODELS));
        }
        Available {
            installed: installed.into_iter().take(MAX_MODELS).collect(),
            default: self.default.clone(),
        }
    }

    fn file(&self, name: &str) -> Option<File> {
        // A child may be under an attacker's control, so its request must be the name of a model and not a path.
        let name = super::file_name(name)?;
        self.directories()
            .find_map(|directory| open(&directory.join(&name).with_extension(EXTENSION)))
    }
}

/// The name of the model at this path. `None` unless the file's name is that of a model with a network.
fn name(path: &Path) -> Option<String> {
    let stem = path.file_stem()?.to_str()?;
    let is_model = path.extension()?.to_str()? == EXTENSION && stem != WITHOUT_NETWORK;
    (is_model && super::file_name(stem)? == stem).then(|| stem.to_owned())
}

/// Opens a regular file; `None` for anything else. Opening does not block, even if the path is that of a pipe.
fn open(path: &Path) -> Option<File> {
    let mut options = OpenOptions::new();
    let flags = (OFlags::NONBLOCK | OFlags::NOCTTY).bits() as i32;
    let file = options.read(true).custom_flags(flags).open(path).ok()?;
    file.metadata().ok()?.is_file().then_some(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_models_are_found_by_name() {
        let at = std::env::temp_dir().join(format!("convertd-models-{}", std::process::id()));
        fs::create_dir_all(at.join("script")).unwrap();
        for name in [
            "deu.traineddata",
            "osd.traineddata",
            "readme.txt",
            "a b.traineddata",
            "script/Cyrillic.traineddata",
        ] {
            fs::write(at.join(name), b"x").unwrap();
        }
        let shelf = Shelf::new(vec![at.clone()], vec!["deu".to_owned()]);
        let available = shelf.available();
        assert_eq!(available.installed, ["Cyrillic", "deu"]);
        assert_eq!(available.default, ["deu"]);
        assert!(shelf.file("deu").is_some() && shelf.file("de").is_some());
        assert!(shelf.file("Cyrillic").is_some());
        assert!(shelf.file("fra").is_none() && shelf.file("../deu").is_none());
        fs::remove_dir_all(at).unwrap();
    }
}
