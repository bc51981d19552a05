//! Documents of Apple's Pages since 2013: objects that refer to one another, in an archive. Never writes
//! the format.

mod read;

use crate::{
    containers::iwa,
    format::{Category, Format},
};
use convertd_tree::row::Row;

pub static ROW: Row = Row {
    format: Format {
        name: "pages",
        aliases: &[],
        category: Category::Document,
        description: "Document of Apple's Pages",
        media_type: "application/vnd.apple.pages",
        magic: &[],
    },
    recognise: Some(|head, input, extension| {
        extension.is_some_and(|name| ROW.format.is_called(name)) && iwa::is_document(head, input)
    }),
    turns_pictures: false,
    read: Some(read::read),
    write: None,
};
