//! The source from which a process gets models that are not compiled in. Opens no file by itself.

use std::{
    fs::File,
    sync::{Arc, OnceLock},
};

/// The models that are installed in addition to those compiled in, and the default languages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Available {
    /// Names of the installed models' files without the extension, sorted.
    pub installed: Vec<String>,
    /// File names of the languages that are used if the client names none. Empty if the operator has not set any.
    pub default: Vec<String>,
}

/// Finds and opens models.
pub trait Source: Send + Sync {
    /// The installed models, and the operator's default languages.
    fn available(&self) -> Available;

    /// Opens the model with this name. `None` if it is missing.
    fn file(&self, name: &str) -> Option<File>;
}

static SOURCE: OnceLock<Arc<dyn Source>> = OnceLock::new();

/// Sets the source of all models of this process. Only the first call counts: later ones come from tests in the same
/// process.
pub fn come_from(source: Arc<dyn Source>) {
    let _ = SOURCE.set(source);
}

/// Models of this process's source; empty without one.
pub(super) fn available() -> Available {
    SOURCE
        .get()
        .map(|source| source.available())
        .unwrap_or_default()
}

/// A model of this process's source.
pub(super) fn file(name: &str) -> Option<File> {
    SOURCE.get()?.file(name)
}
