//! The models of languages for OCR besides the compiled-in ones, and their transfer to a child. Does not parse models.

use serde::Serialize;
use std::path::PathBuf;

/// Folder of Tesseract's models on Debian and Ubuntu, with one subfolder for each version of the program.
#[cfg(feature = "ocr")]
const TESSERACT_DIRECTORY: &str = "/usr/share/tesseract-ocr";
/// Folders of Tesseract's models on other systems.
#[cfg(feature = "ocr")]
const SYSTEM_DIRECTORIES: [&str; 2] = ["/usr/share/tessdata", "/usr/local/share/tessdata"];

/// Languages for text recognition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Languages {
    /// Directory of models that take precedence over the machine's.
    pub directory: Option<PathBuf>,
    /// Default languages for clients that name none, as names of model files. If empty, the compiled-in languages are
    /// tried on each page.
    pub default: Vec<String>,
}

/// A language in which text can be recognised, as answers describe it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Language {
    /// Name of its model's file, as the option `language` takes it.
    pub name: String,
    /// English name; empty for a custom model.
    pub title: String,
    /// ISO 639-1 code, which is also a value of the option.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<&'static str>,
    /// Whether the model is part of the program.
    pub compiled_in: bool,
}

#[cfg(feature = "ocr")]
mod imp {
    use super::{Language, Languages, SYSTEM_DIRECTORIES, TESSERACT_DIRECTORY};
    use convertd_ocr::languages::{self, Available, Shelf, Source};
    use std::{fs::File, path::PathBuf, sync::Arc};

    /// The models of languages that a service hands to its children.
    #[derive(Clone)]
    pub(crate) struct Models(Arc<dyn Source>);

    impl Models {
        pub(crate) fn new(languages: &Languages) -> Self {
            let mut directories: Vec<PathBuf> = languages.directory.iter().cloned().collect();
            let versions = std::fs::read_dir(TESSERACT_DIRECTORY).into_iter().flatten();
            let mut versions: Vec<_> = versions
                .flatten()
                .map(|version| version.path().join("tessdata"))
                .collect();
            // The newest version, which is the last one by its name, comes first.
            versions.sort();
            directories.extend(versions.into_iter().rev());
            directories.extend(SYSTEM_DIRECTORIES.map(PathBuf::from));
            let shelf = Shelf::new(directories, languages.default.clone());
            Self(Arc::new(shelf))
        }

        /// Returns the names of the installed models, and the default languages that the operator has chosen.
        pub(crate) fn available(&self) -> (Vec<String>, Vec<String>) {
            let Available { installed, default } = self.0.available();
            (installed, default)
        }

        /// The file of a model, by its name.
        pub(crate) fn file(&self, name: &str) -> Option<File> {
            self.0.file(name)
        }

        /// All languages in which text can be recognised now, sorted by name.
        pub(crate) fn languages(&self) -> Vec<Language> {
            let names = languages::all(self.0.available().installed);
            let language = |name: String| Language {
                title: languages::title(&name).unwrap_or("").to_owned(),
                code: languages::code(&name),
                compiled_in: languages::BUILT_IN.contains(&&*name),
                name,
            };
            names.into_iter().map(language).collect()
        }

        /// Makes these models available to conversions in this process.
        pub(crate) fn use_here(self) {
            languages::come_from(self.0);
        }
    }
}

/// Stub for builds without OCR.
#[cfg(not(feature = "ocr"))]
mod imp {
    use super::{Language, Languages};
    use std::fs::File;

    #[derive(Clone)]
    pub(crate) struct Models;

    impl Models {
        pub(crate) fn new(_: &Languages) -> Self {
            Self
        }

        pub(crate) fn available(&self) -> (Vec<String>, Vec<String>) {
            (Vec::new(), Vec::new())
        }

        pub(crate) fn file(&self, _: &str) -> Option<File> {
            None
        }

        pub(crate) fn languages(&self) -> Vec<Language> {
            Vec::new()
        }

        pub(crate) fn use_here(self) {}
    }
}

pub(crate) use imp::Models;
