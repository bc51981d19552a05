//! Hints that a page is a workbook. They are searched for in its text, because Excel writes the names of sheets into
//! comments, which the document tree does not contain. Reads no tables.

use crate::{separators::Separators, sheet::MAX_SHEETS};
use convertd_markup::{dom, html::Syntax};
use memchr::memmem;

/// Namespace of Excel's attributes and comments.
const EXCEL: &str = "urn:schemas-microsoft-com:office:excel";

/// Hints of a page.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Hints {
    /// Whether the page was written for Excel.
    pub(super) for_excel: bool,
    /// Names of its sheets.
    pub(super) names: Vec<String>,
    /// Decimal separator of its numbers.
    pub(super) separators: Option<Separators>,
}

impl Hints {
    /// Collects the hints from the text of a page.
    pub(super) fn of(text: &str) -> Self {
        let has = |what: &str| memmem::find(text.as_bytes(), what.as_bytes()).is_some();
        let names = names(text);
        Self {
            for_excel: !names.is_empty() || has(EXCEL) || has("mso-number-format"),
            names,
            separators: separators(text),
        }
    }
}

/// Decimal separator, which Excel states in a style.
fn separators(text: &str) -> Option<Separators> {
    let (_, rest) = text.split_once("mso-displayed-decimal-separator:")?;
    match rest
        .trim_start_matches(['"', '\'', '\\', ' '])
        .chars()
        .next()?
    {
        '.' => Some(Separators::Point),
        ',' => Some(Separators::Comma),
        _ => None,
    }
}

/// Names of the sheets, from the `ExcelWorksheet` elements. `Name` elements outside of these name ranges.
fn names(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    for sheet in text.split("<x:ExcelWorksheet>").skip(1).take(MAX_SHEETS) {
        let Some((_, rest)) = sheet.split_once("<x:Name>") else {
            continue;
        };
        let name = rest.split('<').next().unwrap_or_default();
        let name = dom::build(name, Syntax::Html).text(dom::NodeId::DOCUMENT);
        names.push(name.trim().to_owned());
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_name_sheets() {
        let text = "<!--[if gte mso 9]><xml><x:ExcelWorkbook><x:ExcelWorksheets><x:ExcelWorksheet><x:Name>Q&amp;A</x:Name></x:ExcelWorksheet></x:ExcelWorksheets><x:ExcelName><x:Name>Print_Area</x:Name></x:ExcelName></x:ExcelWorkbook></xml><![endif]-->";
        let hints = Hints::of(text);
        assert!(hints.for_excel);
        assert_eq!(hints.names, ["Q&A"]);
        assert_eq!(Hints::of("<table>"), Hints::default());
        let style = "table {mso-displayed-decimal-separator:\"\\,\"}";
        assert_eq!(Hints::of(style).separators, Some(Separators::Comma));
    }
}
