//! Reads HTML into a tree, with a simplified form of the tree construction of the standard (HTML, 13.2.6).
//!
//! The standard first builds a tree of elements, parts of which are moved if tags are nested incorrectly. Here the
//! document tree is built directly, and nothing is moved. The stack of open elements and the list of active formatting
//! elements are those of the standard, and each piece of text gets the marks of all elements on the stack, which gives
//! it the formatting that it has in a browser. One difference remains: misplaced blocks between the rows of a table
//! become a row, instead of a block before the table.
//!
//! Browsers limit the nesting of elements to 512. The same limit here bounds every search of the stack.

mod attributes;
mod blocks;
mod controls;
mod drawings;
mod elements;
mod formatting;
mod inlines;
mod lists;
mod notes;
mod origin;
mod ruby;
mod stack;
mod state;
mod tables;

pub use blocks::language_of_class;
pub use origin::{Origin, Page, addresses};
pub use state::NoteNames;

use crate::{
    css::look::Look,
    error::Result,
    syntax::tokens::{Syntax, Token, Tokens},
};
use convertd_tree::Builder;
use state::Reader;

/// Adds the content of HTML to a tree.
pub fn read(
    build: &mut Builder<'_>,
    text: &str,
    syntax: Syntax,
    origin: &mut dyn Origin,
) -> Result<()> {
    read_with(build, text, syntax, origin, &mut NoteNames::default())
}

/// Like [`read`], for a page as it is displayed: with the styles of its style sheets, and without the content of closed
/// elements.
pub fn read_styled(
    build: &mut Builder<'_>,
    text: &str,
    syntax: Syntax,
    origin: &mut dyn Origin,
    look: &dyn Fn(usize) -> Option<Look>,
) -> Result<()> {
    let mut notes = NoteNames::default();
    let reader = Reader::new(build, syntax, origin, &mut notes);
    read_all(
        Reader {
            as_shown: true,
            sheets: Some(look),
            ..reader
        },
        text,
    )
}

/// Like [`read`], for a part of a document whose notes may be in another part.
pub fn read_with(
    build: &mut Builder<'_>,
    text: &str,
    syntax: Syntax,
    origin: &mut dyn Origin,
    notes: &mut NoteNames,
) -> Result<()> {
    read_all(Reader::new(build, syntax, origin, notes), text)
}

fn read_all(mut reader: Reader<'_, '_, '_>, text: &str) -> Result<()> {
    for token in Tokens::new(text, reader.syntax) {
        match token {
            Token::Start(start) => reader.start(&start)?,
            Token::End(tag) => reader.end(tag)?,
            Token::Text(text) => reader.text(&text)?,
            Token::Drawing(root, drawing) => reader.drawing(&root, &drawing)?,
        }
    }
    reader.finish()
}
