//! SVG drawings that are embedded in the markup of a page.

mod draft;
mod names;
#[cfg(test)]
mod tests;

pub(super) use draft::{Draft, Next};

use super::element::Start;

/// A drawing that was embedded in a page.
#[derive(Debug)]
pub(crate) struct Drawing {
    /// The tag of its `svg` element.
    pub(crate) root: Start,
    /// The drawing as an SVG file. `None` if it shows nothing.
    pub(crate) file: Option<String>,
    /// Tags of its `image` elements that refer to external pictures. They are left out of the file, which must not
    /// refer to other files.
    pub(crate) images: Vec<Start>,
    /// Its title and its description, as far as it has them.
    pub(crate) words: String,
    /// Whether visible content was left out: the drawing is too large, or it shows content from outside of it.
    pub(crate) lost: bool,
}
