//! Entries for slides and masters: their names, styles and masters, and the texts of their footer fields. Reads no
//! shapes.

use crate::containers::xml::Element;
use std::{collections::HashMap, ops::Range};

/// Entry for a slide or a master.
#[derive(Clone, Debug, Default)]
pub(super) struct Listed {
    /// Byte range in the text of the part.
    pub(super) range: Range<usize>,
    pub(super) name: Box<str>,
    /// Name of the drawing page style.
    pub(super) style: Box<str>,
    /// Name of the master of a slide, or of the page layout of a master.
    pub(super) above: Box<str>,
    /// Names of the declarations for the header, footer and date of the page.
    pub(super) uses: [Box<str>; 3],
}

impl Listed {
    /// Creates the entry for a page that begins with this element.
    pub(super) fn new(element: &Element<'_>, range: Range<usize>) -> Self {
        let value = |name| element.attribute(name).unwrap_or_default().into();
        let above = match element.name {
            "master-page" => "page-layout-name",
            _ => "master-page-name",
        };
        Self {
            range,
            name: value("name"),
            style: value("style-name"),
            above: value(above),
            uses: ["use-header-name", "use-footer-name", "use-date-time-name"].map(value),
        }
    }
}

/// Texts of headers, footers and dates, by the type and name of their declaration.
#[derive(Clone, Debug, Default)]
pub(super) struct Declarations {
    pub(super) all: HashMap<(&'static str, Box<str>), Box<str>>,
}

impl Declarations {
    /// Texts of the fields of a page.
    pub(super) fn of(&self, page: &Listed) -> Declared {
        let kinds = ["header-decl", "footer-decl", "date-time-decl"];
        let mut named = kinds.into_iter().zip(&page.uses);
        Declared(std::array::from_fn(|_| {
            let found = named
                .next()
                .and_then(|(kind, name)| self.all.get(&(kind, name.clone())));
            found.cloned().unwrap_or_default()
        }))
    }
}

/// Texts of the header, footer and date fields of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Declared([Box<str>; 3]);

impl Declared {
    /// Text of a field.
    pub(super) fn of(&self, field: &str) -> &str {
        match field {
            "header" => &self.0[0],
            "footer" => &self.0[1],
            _ => &self.0[2],
        }
    }
}

/// Selection of the frames of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum FrameSelection {
    /// All frames.
    Slide,
    /// Frames of a master without a class, and the frames of its header, footer, page number and date that the slide
    /// shows.
    Master([bool; 4]),
}

impl FrameSelection {
    /// Returns whether a frame of this class is shown.
    pub(super) fn shows(self, class: Option<&str>) -> bool {
        let (Self::Master(shown), Some(class)) = (self, class) else {
            return true;
        };
        let classes = ["header", "footer", "page-number", "date-time"];
        let known = classes.iter().position(|known| *known == class);
        known.is_some_and(|at| shown[at])
    }
}
