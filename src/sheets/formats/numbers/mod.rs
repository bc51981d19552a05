//! Spreadsheets of Apple's Numbers since 2013. Reads the values in the cells of all tables; a sheet may have several
//! tables. Never writes the format.

mod read;

use crate::{
    containers::zip,
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
    // Documents of Pages and Keynote consist of the same parts, so only the extension of the file name tells them
    // apart. Documents from before 2013 have other parts.
    recognise: |head, input, extension| {
        extension.is_some_and(|name| ROW.format.is_called(name))
            && zip::holds(
                head,
                input,
                &[&|name| name.ends_with("Index/Document.iwa") || name.ends_with("Index.zip")],
            )
    },
    open: read::open,
    write: None,
};
