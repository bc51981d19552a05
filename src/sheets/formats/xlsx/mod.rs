//! Excel workbooks (XLSX): SpreadsheetML inside an Office Open XML package (ECMA-376 part 1, 18; ISO/IEC 29500),
//! transitional and strict. Computes no formulas, runs no macros, and never fetches linked content.

mod cells;
mod read;
mod rich;
mod sheet;
#[cfg(feature = "document")]
pub(super) mod shown;
mod styles;
#[cfg(test)]
mod tests;
#[cfg(feature = "document")]
mod whole;
mod write;

use crate::{
    containers::{cfb, zip},
    format::{Category, Format},
    ooxml, options,
    row::{Row, Target},
};

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "xlsx",
        aliases: &["xlsm", "xltx", "xltm"],
        category: Category::Spreadsheet,
        description: "Excel workbook",
        media_type: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        magic: &[],
    },
    recognise: |head, input, extension| {
        // An encrypted file does not reveal its format, so its extension decides.
        let named = extension.is_some_and(|name| ROW.format.is_called(name) || name == "xlsb");
        let default = |name: &str| name == "xl/workbook.xml";
        // Parts may have any names (ECMA-376 part 2, 6.2.2), but without the usual name of the workbook part, the
        // file could also be a document or presentation with an embedded workbook.
        let unusual = |name: &str| {
            let is_embedded = name.starts_with("ppt/") || name.starts_with("word/");
            !is_embedded && (name.contains("worksheet") || name.contains("workbook.xml"))
        };
        ooxml::is_workbook(head, input, &default)
            || named
                && (cfb::is_encrypted_package(head, input)
                    || zip::is_cut_off(head, input) && extension != Some("xlsb")
                    || extension != Some("xlsb") && ooxml::is_workbook(head, input, &unusual))
    },
    open: read::open,
    write: Some(Target {
        create: write::create,
        #[cfg(feature = "document")]
        whole: Some(whole::write),
        #[cfg(feature = "document")]
        pictures: whole::ACCEPTED,
        many: true,
        quality: "compression effort: fast, normal and thorough; nothing is lost at any level",
        options: &[&options::SHEET],
    }),
};
