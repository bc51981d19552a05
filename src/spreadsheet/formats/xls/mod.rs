//! Excel workbooks from 1993 to 2003 (MS-XLS: BIFF5, BIFF7 and BIFF8) in compound files. Only read, never written.

mod read;
mod records;
mod sheet;
mod strings;

use crate::{
    containers::cfb,
    format::{Category, Format},
    spreadsheet::row::Row,
};

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "xls",
        aliases: &["xlt"],
        category: Category::Spreadsheet,
        description: "Excel workbook of 2003 and before",
        media_type: "application/vnd.ms-excel",
        magic: &[],
    },
    // Stream names are compared without regard to case by the specification, but these are the names that programs write.
    recognise: |head, input, _| {
        let mut has = |name| cfb::mentions(input, name);
        head.starts_with(cfb::SIGNATURE)
            && ["Workbook", "Book", "WORKBOOK", "BOOK"]
                .into_iter()
                .any(&mut has)
    },
    open: read::open,
    write: None,
};
