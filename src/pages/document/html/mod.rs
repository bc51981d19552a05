//! The HTML language: from text to the tree, and from the tree to text. The formats decide what surrounds it: a file, a
//! chapter of a book, or a table in Markdown.

mod active;
mod css;
mod data_url;
mod dissolve;
pub(crate) mod dom;
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

pub(crate) use active::runs_scripts;
pub(crate) use css::{Look, Parted, on_paper};
pub(crate) use data_url::{data_url, is_data_url, parse_data_url, percent_decoded};
pub(crate) use dissolve::dissolve;
pub(crate) use escape::{attribute, href, text};
#[cfg(any(feature = "mail", feature = "pdf"))]
pub(crate) use inline::joined;
pub(crate) use inline::{Named, Names, inline};
pub(crate) use marks::mark_tags;
pub(crate) use parts::Parts;
pub(crate) use read::{NoteNames, Origin, Page, addresses, read, read_styled, read_with};
pub(crate) use tag::is_block;
pub(crate) use tokens::Syntax;
pub(crate) use write::{Surroundings, Writer, direction};
pub(crate) use xhtml::{expanded, page as xhtml_page};
