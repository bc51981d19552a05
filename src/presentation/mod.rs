//! Converts presentations to documents: slides with titles, bullets, tables, pictures and notes. Runs no macros, plays nothing,
//! and never fetches what a deck refers to.
//!
//! ```text
//! formats/<format> ──► deck::Slide, one at a time ──► outline ──► document::tree
//! ```
//! A reader resolves what masters, layouts and themes contribute, so that a [`deck`] says of each piece of text how it looks and
//! of each frame where it is. Whatever is made of it knows no format.

mod convert;
#[expect(dead_code, reason = "where frames are and how they look is for pages")]
mod deck;
mod formats;
mod options;
mod order;
mod outline;
mod row;
mod words;

use crate::{
    document,
    format::Format,
    job::{Converter, OptionSpec, Pair},
};
use formats::ROWS;
use std::sync::LazyLock;

/// The converter for presentations.
pub static CONVERTER: Converter = Converter {
    name: "presentation",
    formats: || ROWS.iter().map(|row| &row.format).collect(),
    pairs,
    recognise: |head, input, extension| {
        let mut rows = ROWS.iter();
        rows.find(|row| (row.recognise)(head, input, extension))
            .map(|row| &row.format)
    },
    convert: convert::convert,
};

/// A document format with what quality means for it, and its optional fields.
type Field = (&'static Format, &'static str, Vec<&'static OptionSpec>);

fn pairs() -> Vec<Pair> {
    static FIELDS: LazyLock<Vec<Field>> = LazyLock::new(|| {
        let targets = document::targets().filter(|(format, ..)| format.name != "pdf");
        targets
            .map(|(format, quality, options)| {
                let own = [&options::HIDDEN].into_iter();
                (
                    format,
                    quality,
                    options.iter().copied().chain(own).collect(),
                )
            })
            .collect()
    });
    let pairs = ROWS.iter().flat_map(|from| {
        FIELDS.iter().map(|(to, quality, options)| Pair {
            from: &from.format,
            to,
            quality,
            options,
        })
    });
    pairs.collect()
}
