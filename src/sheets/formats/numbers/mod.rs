//! Spreadsheets of Apple's Numbers since 2013. Reads the values in the cells of all tables; a sheet may have several
//! tables. Never writes the format.

mod read;

use crate::{
    containers::iwa,
    format::{Category, Format},
    row::Row,
};

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "numbers",
        aliases: &["nmbtemplate"],
        category: Category::Spreadsheet,
        description: "Spreadsheet of Apple's Numbers",
        media_type: "application/vnd.apple.numbers",
        magic: &[],
    },
    recognise: |head, input, extension| {
        extension.is_some_and(|name| ROW.format.is_called(name)) && iwa::is_document(head, input)
    },
    open: read::open,
    write: None,
};
