//! The fonts of converters besides the compiled-in ones, and their transfer to a child. Does not parse fonts.

use std::{convert::Infallible, fs::File, path::PathBuf, str::FromStr, sync::Arc};

/// Directories of a system's fonts (hier(7)).
const SYSTEM_DIRECTORIES: [&str; 2] = ["/usr/share/fonts", "/usr/local/share/fonts"];

/// Source of fonts besides those that are compiled in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Fonts {
    /// The machine's fonts.
    #[default]
    Auto,
    /// Compiled-in fonts only, so that results are the same on every machine.
    None,
    /// Fonts of a directory and of its subdirectories.
    Directory(PathBuf),
}

impl FromStr for Fonts {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(match text {
            "auto" => Self::Auto,
            "none" => Self::None,
            directory => Self::Directory(directory.into()),
        })
    }
}

impl Fonts {
    fn directories(&self) -> Vec<PathBuf> {
        match self {
            Self::Auto => SYSTEM_DIRECTORIES.map(PathBuf::from).into(),
            Self::None => Vec::new(),
            Self::Directory(directory) => vec![directory.clone()],
        }
    }
}

/// The fonts that a service hands to its children.
#[derive(Clone)]
pub(crate) struct SharedFonts(Arc<imp::Shelf>);

impl SharedFonts {
    pub(crate) fn new(fonts: &Fonts) -> Self {
        Self(Arc::new(imp::Shelf::new(fonts.directories())))
    }

    /// The list of fonts, made on the first request. `None` without fonts.
    pub(super) fn list(&self) -> Option<File> {
        imp::Source::list(&*self.0)
    }

    /// The file of a font, by its number in the list.
    pub(super) fn file(&self, number: u16) -> Option<File> {
        imp::Source::file(&*self.0, number)
    }

    /// Makes these fonts available to conversions in this process.
    pub(crate) fn use_here(self) {
        imp::come_from(self.0);
    }
}

#[cfg(any(feature = "document", feature = "svg"))]
pub(super) use crate::fonts::more as imp;

/// Stub for builds that convert neither documents nor drawings, and so need no fonts.
#[cfg(not(any(feature = "document", feature = "svg")))]
pub(super) mod imp {
    use std::{fs::File, path::PathBuf, sync::Arc};

    pub(crate) trait Source: Send + Sync {
        fn list(&self) -> Option<File>;
        fn file(&self, number: u16) -> Option<File>;
    }

    pub(crate) struct Shelf;

    impl Shelf {
        pub(crate) fn new(_: Vec<PathBuf>) -> Self {
            Self
        }
    }

    impl Source for Shelf {
        fn list(&self) -> Option<File> {
            None
        }

        fn file(&self, _: u16) -> Option<File> {
            None
        }
    }

    pub(crate) fn come_from(_: Arc<dyn Source>) {}
}
