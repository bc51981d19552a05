//! Presentations of Apple's Keynote since 2013: objects that refer to one another, in an archive. Never writes the
//! format, and plays no animation.

mod frames;
mod looks;
mod read;
mod text;

use crate::{
    containers::iwa,
    format::{Category, Format},
    row::Row,
};

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "key",
        aliases: &["kth"],
        category: Category::Presentation,
        description: "Presentation of Apple's Keynote",
        media_type: "application/vnd.apple.keynote",
        magic: &[],
    },
    recognise: |head, input, extension| {
        extension.is_some_and(|name| ROW.format.is_called(name)) && iwa::is_document(head, input)
    },
    open: read::open,
    write: None,
};
