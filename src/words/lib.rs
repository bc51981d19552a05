//! Formats of word processors. Each has a folder with its row for the registry and its reader, and its writer if
//! documents can be converted to the format.
//!
//! - [`docx`]: Word's XML. [`doc`]: Word's binary files. [`odt`]: OpenDocument, packed and flat. [`rtf`]: Rich Text
//!   Format. [`hwpx`]: Hangul's XML. [`pages`]: Apple's Pages.
//!
//! A reader translates a file into calls of [`Story`](convertd_office::wordprocessing::Story), which interprets them
//! in the same way for all formats. A writer implements a dialect; a common traversal of the document calls its
//! functions.
//!
//! Never: layout, CSS and HTML (`convertd_layout`, `convertd_markup`, `html5gum`); PDF (`pdf_writer`); a format that
//! uses the code of another one.

// The names of fields and variants suffice here, since only packages of this workspace see them.
#![allow(missing_docs)]

pub mod doc;
pub mod docx;
pub mod hwpx;
pub mod odt;
pub mod pages;
pub mod rtf;

#[cfg(test)]
mod round_trips;

// Modules of `convertd_core` that this package uses.
pub(crate) use convertd_core::{coding, containers, error, format, job};
