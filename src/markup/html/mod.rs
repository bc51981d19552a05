//! The HTML language: from text to the tree, and from the tree to text. The formats decide what surrounds it: a file, a
//! chapter of a book, or a table in Markdown.

mod active;
mod css;
mod data_url;
mod dissolve;
pub mod dom;
mod element;
mod escape;
mod inline;
mod marks;
mod mathml;
mod parts;
mod read;
mod svg;
mod tag;
mod tokens;
mod write;
mod xhtml;

pub use crate::coding::percent::decoded as percent_decoded;
pub use active::runs_scripts;
pub use css::{Look, Parted, on_paper};
pub use data_url::{data_url, is_data_url, parse_data_url};
pub use dissolve::dissolve;
pub use escape::{attribute, href, text};

pub use inline::{Named, Names, inline, joined, plain_address};
pub use marks::mark_tags;
pub use parts::Parts;
pub use read::{NoteNames, Origin, Page, addresses, read, read_styled, read_with};
pub use tag::is_block;
pub use tokens::Syntax;
pub use write::{Surroundings, Writer, direction};
pub use xhtml::{expanded, page as xhtml_page};
