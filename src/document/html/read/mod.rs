//! Makes a tree of HTML: the construction of HTML, 13.2.6, cut down to what a document can hold.
//!
//! The standard builds a tree of elements and moves parts of it about when tags are nested wrongly. Here the tree of the document
//! is built at once, so nothing is moved: the stack of open elements and the list of formatting elements are those of the
//! standard, and each piece of text gets what all elements on the stack say about it. That gives every text the marks that it
//! has in a browser. What differs: stray blocks between the rows of a table become a row of their own, and not a block before it.
//!
//! Browsers stop nesting at 512 elements; so does this, which bounds every search through the stack.

mod attributes;
mod blocks;
mod elements;
mod formatting;
mod inlines;
mod notes;
mod origin;
mod stack;
mod state;
mod tables;

pub(crate) use origin::{Origin, Page, addresses};
pub(crate) use state::NoteNames;

use super::tokens::{Syntax, Token, Tokens};
use crate::{document::tree::Builder, error::Result};
use state::Reader;

/// Adds what some HTML says.
pub(crate) fn read(
    build: &mut Builder<'_>,
    text: &str,
    syntax: Syntax,
    origin: &mut dyn Origin,
) -> Result<()> {
    read_with(build, text, syntax, origin, &mut NoteNames::default())
}

/// The same for a part of a document, whose notes may stand in another.
pub(crate) fn read_with(
    build: &mut Builder<'_>,
    text: &str,
    syntax: Syntax,
    origin: &mut dyn Origin,
    notes: &mut NoteNames,
) -> Result<()> {
    let mut reader = Reader::new(build, syntax, origin, notes);
    for token in Tokens::new(text, syntax) {
        match token {
            Token::Start(start) => reader.start(&start)?,
            Token::End(tag) => reader.end(tag)?,
            Token::Text(text) => reader.text(&text)?,
        }
    }
    reader.finish()
}
