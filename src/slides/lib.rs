//! Converts presentations to documents, PDF and other presentations, and documents to presentations. Runs no macros,
//! plays no media, and never fetches linked files.
//!
//! ```text
//! formats/<format> ──► deck::Slide ──┬─► kept ──► formats/<format>/write/kept
//!                                    ├─► outline ──► document::tree
//!                                    └─► plan (art, setting) ──► pages ──► pdf
//! document::tree ──► write ──► formats/<format>/write
//! ```
//! Readers resolve the inheritance from masters, layouts and themes, so that a [`deck`] contains the final formatting
//! of each text and the place of each frame. The later stages do not depend on the format of the file.
//!
//! Never: running macros, playing media, fetching linked files; spreadsheets (`convertd_sheets`); writing of PDF
//! (`pdf_writer`, `hayro`).

mod convert;
mod counters;
mod deck;
mod deck_material;
mod formats;
mod losses;
mod options;
mod order;
mod outline;
mod pages;
mod pictures;
mod plan;
mod row;
mod setting;
mod words;
mod write;

use crate::{
    format::Format,
    job::{Converter, OptionSpec, Pair},
};
use convertd_pages::document;
use formats::ROWS;
use std::sync::LazyLock;

// Names that all modules use.
pub(crate) use convertd_core::{coding, containers, error, format, job, numbered};

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

/// A target format, the meaning of the quality for it, and its options.
type Field = (&'static Format, &'static str, Vec<&'static OptionSpec>);

/// Returns all pairs of formats that this converter supports.
fn pairs() -> Vec<Pair> {
    static FIELDS: LazyLock<Vec<Field>> = LazyLock::new(fields);
    let pairs = ROWS.iter().flat_map(|from| {
        FIELDS.iter().map(|(to, quality, options)| Pair {
            from: &from.format,
            to,
            quality,
            options,
        })
    });
    pairs.chain(presentation_pairs()).collect()
}

/// Meaning of the quality for presentations as targets.
const QUALITY: &str =
    "embedded pictures: reduced to 110 dpi (low) or 200 dpi (medium), or kept as they are (high)";

/// Returns the pairs whose target is a presentation. Their sources are documents and presentations.
fn presentation_pairs() -> impl Iterator<Item = Pair> {
    static DOCUMENT_OPTIONS: &[&OptionSpec] = &[&convertd_tree::options::TITLE];
    static SLIDE_OPTIONS: &[&OptionSpec] = &[
        &convertd_tree::options::TITLE,
        &options::HIDDEN_AMONG_SLIDES,
    ];
    let targets = ROWS.iter().filter(|row| row.write.is_some());
    targets.flat_map(|to| {
        let pair = |from, options| Pair {
            from,
            to: &to.format,
            quality: QUALITY,
            options,
        };
        let documents = document::sources().map(move |from| pair(from, DOCUMENT_OPTIONS));
        let slides = ROWS
            .iter()
            .map(move |from| pair(&from.format, SLIDE_OPTIONS));
        documents.chain(slides)
    })
}

/// Returns the target formats of documents, with the options that apply to slides. PDF pages have options of their
/// own.
fn fields() -> Vec<Field> {
    let mut fields = Vec::new();
    for (format, quality, options) in document::targets() {
        let own: &[&OptionSpec] = match format == document::pdf() {
            true => &[
                &convertd_tree::options::TITLE,
                &options::HIDDEN,
                &options::NOTES,
            ],
            false => &[&options::HIDDEN],
        };
        let shared = options.iter().filter(|_| format != document::pdf());
        let all = shared.chain(own).copied().collect();
        fields.push((format, quality, all));
    }
    fields
}
