//! Binary Word documents (DOC, MS-DOC), which Word wrote until 2003. Also reads documents of Word 6 and 95; comments
//! describe their differences. Never writes the format, never runs macros, and never follows links to other files.
//!
//! A document is a compound file with the stream `WordDocument` for text and formatting, and one or two other
//! streams. The text of all parts (the main text, then footnotes, headers, comments and so on) is one sequence of
//! characters. Positions in it are called CPs. In the stream, the text is stored in pieces, in any order, with one or
//! two bytes per character. Offsets in the stream are called FCs. Formatting is found by FC, everything else by CP.
//!
//! ```text
//! fib ──► text (pieces)  ─┐
//!     ──► formatting pages ├─► body ──► office::Story
//!     ──► styles, lists    │
//!     ──► parts (sections, notes, fields …) ─┘
//! ```

mod body;
mod characters;
mod colours;
mod drawings;
mod fib;
mod file;
mod fonts;
mod formatting;
mod lists;
mod margins;
mod notes;
mod paragraphs;
mod pictures;
mod pieces;
mod plex;
mod read;
mod recognise;
mod row_shape;
mod sections;
mod shapes;
mod sprm;
mod styles;
mod tables;

use crate::format::{Category, Format};
use convertd_tree::row::Row;

/// Row of the registry: DOC as a source of documents.
pub static ROW: Row = Row {
    format: Format {
        name: "doc",
        aliases: &["dot"],
        category: Category::Document,
        description: "Word document (2003 and older)",
        media_type: "application/msword",
        magic: &[],
    },
    recognise: Some(recognise::is_word),
    turns_pictures: false,
    read: Some(read::read),
    write: None,
};
