//! The formats of word processors, each a folder with its row of facts, its reader and its writer.
//!
//! - [`docx`]: Word's XML. [`doc`]: Word's binary files. [`odt`]: OpenDocument, packed and flat. [`rtf`]: Rich Text Format.
//!
//! A reader turns marks of a file into calls of [`Story`](convertd_office::wordprocessing::Story), which decides what they mean for all
//! four; a writer says in its dialect what the walk over the document finds.
//!
//! Never: layout, CSS or HTML (`convertd_layout`, `convertd_markup`, `html5gum`); how a page is written (`pdf_writer`); one format that
//! imports another.

// Fields and variants whose names say all. Only packages of this workspace see them.
#![allow(missing_docs)]

pub mod doc;
pub mod docx;
pub mod odt;
pub mod rtf;

// The words that everything here uses.
pub(crate) use convertd_core::{coding, containers, error, format, job};
