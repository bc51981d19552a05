//! Places, styles and values of the cells of a table, for rows and for whole workbooks. Keeps no cells.
//!
//! Cells and rows follow one another unless they state their number (`ss:Index`, from 1). The trap is that a merged
//! cell shifts the cells after it, and a row that spans several rows shifts those below it, although the file has no
//! elements for the covered cells and rows.

use super::{Named, number};
use crate::{cells::COLUMNS, containers::xml::Element, stored::Stored, time::Moment};

/// Maximum number of column elements. A sheet has 256 columns in Excel 2003.
const MAX_RUNS: usize = 1 << 14;

/// Position in a table, with the style of the current cell.
#[derive(Default)]
pub(super) struct Place {
    /// Row and column of the current cell or of the next one, from 0.
    pub(super) row: u32,
    pub(super) column: u32,
    /// Style of the current cell: its own, or else the style of its row, its column or the table.
    pub(super) style: usize,
    /// Style that the current row states.
    pub(super) row_style: Option<usize>,
    /// Numbers of rows and columns that the current row and cell span.
    rows: u32,
    pub(super) columns: u32,
    /// Style of the table.
    table_style: usize,
    /// Column elements in order, without overlaps: first and last column, and style.
    runs: Vec<(u32, u32, usize)>,
    /// Column that the next column element describes.
    next_column: u32,
}

impl Place {
    /// Begins the table.
    pub(super) fn begin_table(&mut self, element: &Element<'_>, named: &Named) {
        self.table_style = named.style(element).unwrap_or(0);
    }

    /// Reads a column element, which may span several columns: first and last column, and style. `None` if it lies
    /// beyond the last column.
    pub(super) fn add_columns(
        &mut self,
        element: &Element<'_>,
        named: &Named,
    ) -> Option<(u32, u32, usize)> {
        if let Some(index @ 1..) = number(element, "Index") {
            self.next_column = self.next_column.max(index - 1);
        }
        let first = self.next_column;
        let last = first.saturating_add(number(element, "Span").unwrap_or(0));
        self.next_column = last.saturating_add(1);
        if first >= COLUMNS || self.runs.len() == MAX_RUNS {
            return None;
        }
        let style = named.style(element).unwrap_or(self.table_style);
        self.runs.push((first, last.min(COLUMNS - 1), style));
        self.runs.last().copied()
    }

    /// Begins a row. An index of an earlier row is ignored.
    pub(super) fn begin_row(&mut self, element: &Element<'_>, named: &Named) {
        if let Some(index @ 1..) = number(element, "Index") {
            self.row = self.row.max(index - 1);
        }
        self.rows = number(element, "Span").unwrap_or(0).saturating_add(1);
        self.row_style = named.style(element);
        self.column = 0;
    }

    /// Begins a cell. An index to the left of the current column is ignored.
    pub(super) fn begin_cell(&mut self, element: &Element<'_>, named: &Named) {
        if let Some(index @ 1..) = number(element, "Index") {
            self.column = self.column.max(index - 1);
        }
        let merged = number(element, "MergeAcross").unwrap_or(0);
        self.columns = merged.saturating_add(1);
        let at = self
            .runs
            .partition_point(|(_, last, _)| *last < self.column);
        let run = self
            .runs
            .get(at)
            .filter(|(first, ..)| *first <= self.column);
        let own = named.style(element).or(self.row_style);
        self.style = own.unwrap_or_else(|| run.map_or(self.table_style, |(.., style)| *style));
    }

    pub(super) fn end_cell(&mut self) {
        self.column = self.column.saturating_add(self.columns);
    }

    pub(super) fn end_row(&mut self) {
        self.row = self.row.saturating_add(self.rows);
    }
}

/// Value of a cell by the type of its data: `Number`, `DateTime` and so on. Data that contradict their type are text.
pub(super) fn value<'t>(kind: &str, text: &'t mut String) -> Stored<'t> {
    normalize_lines(text);
    let trimmed = text.trim();
    let typed = match kind {
        "Number" => {
            let number = trimmed.parse().ok();
            number.filter(|it: &f64| it.is_finite()).map(Stored::Number)
        }
        "DateTime" => moment(trimmed).map(Stored::Moment),
        "Boolean" => Some(Stored::Boolean(trimmed == "1")),
        "Error" => Some(Stored::Error(trimmed)),
        _ => None,
    };
    typed.unwrap_or_else(|| Stored::text(text))
}

/// Replaces the line ends of Excel for Mac, which are carriage returns.
pub(super) fn normalize_lines(text: &mut String) {
    if text.contains('\r') {
        *text = text.replace("\r\n", "\n").replace('\r', "\n");
    }
}

/// Parses a date and time. A time alone has the date 1899-12-31, which is dropped.
fn moment(text: &str) -> Option<Moment> {
    let text = text.strip_suffix(".000").unwrap_or(text);
    Moment::parse(text.strip_prefix("1899-12-31T").unwrap_or(text))
}
