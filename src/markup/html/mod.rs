//! The HTML language: from text to the tree, and from the tree to text. The formats decide what surrounds it: a file, a
//! chapter of a book, or a table in Markdown.

mod active;
mod dissolve;
mod inline;
mod marks;
mod mathml;
mod parts;
mod read;
mod related;
mod tags;
mod urls;
mod write;

pub use crate::{
    coding::percent::decoded as percent_decoded,
    css::look::{EdgeBreaks, Look, on_paper},
    syntax::{
        data_url,
        escape::{attribute, href, text},
        expanded, is_data_url, parse_data_url,
        tag::is_block,
        tokens::Syntax,
        xhtml_page,
    },
};
pub use active::runs_scripts;
pub use dissolve::dissolve;
pub use inline::{Named, Names, inline};
pub use marks::mark_tags;
pub use parts::Parts;
pub use read::{
    NoteNames, Origin, Page, addresses, language_of_class, read, read_styled, read_tree, read_with,
};
pub use related::{Related, inline_related};
pub use tags::{Attribute, attribute_named, attributes, tag_end, tag_name};
pub use urls::{has_scheme, joined, plain_address};
pub use write::{Surroundings, Writer, direction};
