//! SVG drawings between the tags of a page, which are not files of their own there.

mod draft;
mod names;
#[cfg(test)]
mod tests;

pub(super) use draft::{Draft, Next};

use super::element::Start;

/// A drawing that stood in a page.
#[derive(Debug)]
pub(crate) struct Drawing {
    /// The tag of its `svg` element.
    pub(crate) root: Start,
    /// The drawing as an SVG file. `None` if it shows nothing.
    pub(crate) file: Option<String>,
    /// The tags of its `image` elements whose pictures are elsewhere. They are not in the file, which cannot refer to
    /// others.
    pub(crate) images: Vec<Start>,
    /// Its title and its description, as far as it has them.
    pub(crate) words: String,
    /// Whether it is left out because of its size, or because what it shows is elsewhere.
    pub(crate) lost: bool,
}
