//! Excel workbooks from 1993 to 2003 (MS-XLS: BIFF5, BIFF7 and BIFF8) in compound files, older ones without a
//! compound file, and the XML of 2003. Read only, never written.

mod cells;
mod early;
mod read;
mod records;
mod sheet;
#[cfg(feature = "document")]
mod shown;
mod strings;
mod xml;

use crate::{
    containers::cfb,
    format::{Category, Format},
    row::Row,
};

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "xls",
        aliases: &["xlt"],
        category: Category::Spreadsheet,
        description: "Excel workbook (2003 and older)",
        media_type: "application/vnd.ms-excel",
        magic: &[],
    },
    // The specification compares stream names without regard to case, but programs write only these names.
    recognise: |head, input, extension| {
        let mut has = |name| cfb::mentions(input, name);
        head.starts_with(cfb::SIGNATURE)
            && ["Workbook", "Book", "WORKBOOK", "BOOK"]
                .into_iter()
                .any(&mut has)
            || extension.is_some_and(|name| ROW.format.is_called(name)) && is_bare(head)
            || xml::is_workbook(head, input)
    },
    open: read::open,
    write: None,
};

/// Returns whether a file begins with a BOF record instead of a compound file, as the workbooks of Excel 4 and before
/// do. Checks its type (in any version), its length and its content: a sheet, a workbook, or a workspace.
fn is_bare(head: &[u8]) -> bool {
    matches!(
        head,
        [
            0x09,
            0 | 2 | 4 | 8,
            4 | 6 | 8 | 16,
            0,
            _,
            _,
            0x05 | 0x10,
            0,
            ..
        ] | [0x09, 0 | 2 | 4 | 8, 4 | 6 | 8 | 16, 0, _, _, 0, 1, ..]
    )
}
