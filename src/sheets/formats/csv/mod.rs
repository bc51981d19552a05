//! Comma-separated values (RFC 4180) and tab-separated values: fields separated by a delimiter, and quoted if they
//! contain it. Reads any encoding, writes UTF-8. Evaluates no formulas.

#[cfg(feature = "document")]
mod commas;
mod read;
mod sniff;
mod write;

use super::json;
use crate::{
    format::{Category, Format},
    options,
    row::{Row, Target},
};

const QUALITY: &str = "no effect: nothing is lost at any level";

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "csv",
        aliases: &[],
        category: Category::Spreadsheet,
        description: "Comma-separated values",
        media_type: "text/csv; charset=utf-8",
        magic: &[],
    },
    recognise: |head, _, extension| {
        let named = extension.is_some_and(|name| ROW.format.is_called(name));
        let is_table = || sniff::is_table(head, b",;|") && !json::is_begun(head, extension);
        sniff::is_text(head, named) && (named || is_table())
    },
    open: read::open,
    write: Some(Target {
        #[cfg(feature = "document")]
        whole: None,
        #[cfg(feature = "document")]
        pictures: &[],
        create: |job, output, _| write::create(output, options::delimiter(job.options()), "\r\n"),
        many: false,
        quality: QUALITY,
        options: &[
            &options::SHEET,
            &options::SHEETS,
            &options::DELIMITER,
            &options::VALUES,
        ],
    }),
};

pub(crate) static TABS: Row = Row {
    format: Format {
        name: "tsv",
        aliases: &["tab"],
        category: Category::Spreadsheet,
        description: "Tab-separated values",
        media_type: "text/tab-separated-values; charset=utf-8",
        magic: &[],
    },
    recognise: |head, _, extension| {
        // Report generators often give tab-separated text the extension `xls`, so that Excel opens it.
        let is_workbook = extension == Some("xls") && sniff::has_tab(head);
        let named = is_workbook || extension.is_some_and(|name| TABS.format.is_called(name));
        sniff::is_text(head, named) && (named || sniff::is_table(head, b"\t"))
    },
    open: read::open_tabs,
    write: Some(Target {
        #[cfg(feature = "document")]
        whole: None,
        #[cfg(feature = "document")]
        pictures: &[],
        create: |_, output, _| write::create(output, b'\t', "\n"),
        many: false,
        quality: QUALITY,
        options: &[&options::SHEET, &options::SHEETS, &options::VALUES],
    }),
};
