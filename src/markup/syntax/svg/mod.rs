//! SVG drawings that are embedded in the markup of a page.

mod draft;
mod names;
#[cfg(test)]
mod tests;

pub(super) use draft::{Draft, Next};

use super::element::Element;

/// A drawing that was embedded in a page.
#[derive(Debug)]
pub struct Drawing {
    /// The drawing as an SVG file. `None` if it shows nothing, or is too large.
    pub file: Option<String>,
    /// Its title (from `aria-label` or `title`) and its description, as far as it has them.
    pub words: String,
    /// Tags of its `image` elements that refer to external pictures. They are left out of the file, which must not
    /// refer to other files.
    pub(crate) images: Vec<Element>,
    /// Whether visible content was left out: the drawing is too large, or refers to content that is missing or in
    /// another file.
    pub(crate) lost: bool,
}
