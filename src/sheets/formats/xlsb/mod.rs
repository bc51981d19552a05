//! Binary workbooks of Excel (MS-XLSB): the package of xlsx with binary records in place of XML. Read only, never
//! written.

mod cells;
mod read;
mod records;
#[cfg(feature = "document")]
mod shown;
#[cfg(test)]
mod tests;

use crate::{
    format::{Category, Format},
    ooxml,
    row::Row,
};

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "xlsb",
        aliases: &[],
        category: Category::Spreadsheet,
        description: "Excel binary workbook",
        media_type: "application/vnd.ms-excel.sheet.binary.macroEnabled.12",
        magic: &[],
    },
    recognise: |head, input, extension| {
        let default = |name: &str| name == "xl/workbook.bin";
        ooxml::is_workbook(head, input, &default)
            || extension == Some("xlsb")
                && ooxml::is_workbook(head, input, &|name| name.contains("workbook.bin"))
    },
    open: read::open,
    write: None,
};
