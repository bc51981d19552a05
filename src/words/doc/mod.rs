//! Word documents of the binary kind (DOC), which Word wrote until 2003 (MS-DOC), and those of Word 6 and 95, which differ in
//! details that are told where they matter. Only read. Never runs macros, and never follows links to other files.
//!
//! A document is a compound file with a stream of text and formatting, `WordDocument`, and one or two more. The text of all parts
//! (the main text, then footnotes, headers, comments and so on) is one sequence of characters; positions in it are called CPs.
//! It lies in the stream in pieces, in any order, each in one byte or two a character; positions in the stream are called FCs.
//! Formatting is found by FC, everything else by CP.
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
