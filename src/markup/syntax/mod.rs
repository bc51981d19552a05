//! The syntax of HTML, XHTML and SVG: from text to tokens and tags, and characters that text and attributes have to
//! escape. Builds no tree.

mod data_url;
pub(crate) mod element;
pub(crate) mod escape;
pub(crate) mod kinds;
pub(crate) mod svg;
pub(crate) mod tag;
pub(crate) mod tokens;
mod xhtml;

pub use data_url::{data_url, is_data_url, parse_data_url};
pub use xhtml::{expanded, page as xhtml_page};
