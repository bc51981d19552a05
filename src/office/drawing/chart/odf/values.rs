//! Table with the values of an OpenDocument chart (OpenDocument 1.3, part 3, 9.1 and 11.1). Draws nothing, and never
//! opens the sheet that the values come from.
//!
//! A series may refer to cells of the sheet, so a column of the table may state the cells that it is a copy of. For
//! series that refer to no cells, the columns have the order of the series.

use super::super::{
    elements::{MAX_ALL, MAX_POINTS, MAX_SERIES},
    model::Points,
};
use crate::containers::xml::Node;

/// Values of a chart.
#[derive(Default)]
pub(super) struct Values {
    columns: Vec<Column>,
    /// Number of columns with the names of points.
    pub(super) headers: usize,
    /// Whether the limit on the number of values was reached, so that values may be missing.
    pub(super) cut: bool,
}

/// Column of the table.
#[derive(Default)]
struct Column {
    name: String,
    texts: Vec<String>,
    /// Addresses of the cells from which its values and its name are copied.
    copies: Vec<String>,
}

impl Values {
    pub(super) fn read(table: &Node<'_>) -> Self {
        let mut values = Self {
            headers: usize::from(table.named("table-header-columns").is_some()),
            ..Self::default()
        };
        let mut left = MAX_ALL;
        for (group, is_head) in [("table-header-rows", true), ("table-rows", false)] {
            let groups = table.all_named(group);
            let rows = groups.flat_map(|group| group.all_named("table-row"));
            for row in rows.take(MAX_POINTS) {
                values.row(row, is_head, &mut left);
            }
        }
        values.cut = left == 0;
        values
    }

    /// Adds the cells of a row to their columns. A header row names the columns. `left` counts down the values that may
    /// still be added.
    fn row(&mut self, row: &Node<'_>, is_head: bool, left: &mut usize) {
        for (at, cell) in row.all_named("table-cell").enumerate().take(MAX_SERIES) {
            if self.columns.len() <= at {
                self.columns.push(Column::default());
            }
            let column = &mut self.columns[at];
            let source = cell.named("g").and_then(|group| group.named("desc"));
            column
                .copies
                .extend(source.map(|source| source.text.trim().to_owned()));
            let text = text(cell);
            match is_head {
                true => column.name = text,
                false if *left > 0 => {
                    *left -= 1;
                    column.texts.push(text);
                }
                false => {}
            }
        }
    }

    /// Index of the column that is a copy of these cells, or that an address in the table itself refers to.
    pub(super) fn find(&self, address: &str) -> Option<usize> {
        let is_copy = |column: &Column| column.copies.iter().any(|copy| copy == address);
        self.columns.iter().position(is_copy).or_else(|| {
            let place = address.strip_prefix("local-table.")?;
            let letters = place.trim_start_matches('$').chars();
            let letters = letters.take_while(char::is_ascii_alphabetic).take(3);
            // Letters of a column are digits to the base 26.
            let number = letters.fold(0, |number, letter| {
                26 * number + (letter.to_ascii_uppercase() as usize - 'A' as usize + 1)
            });
            number.checked_sub(1).filter(|at| *at < self.columns.len())
        })
    }

    pub(super) fn name(&self, column: usize) -> &str {
        self.columns.get(column).map_or("", |column| &column.name)
    }

    pub(super) fn points(&self, column: usize) -> Points {
        Points {
            texts: (self.columns.get(column))
                .map(|column| column.texts.clone())
                .unwrap_or_default(),
            format: None,
        }
    }
}

/// Content of a cell: its exact number, or its text.
fn text(cell: &Node<'_>) -> String {
    let is_number = cell
        .attribute("value-type")
        .is_some_and(|kind| matches!(&*kind, "float" | "percentage" | "currency"));
    let exact = cell.attribute("value").filter(|_| is_number);
    match exact {
        // A missing value is written as NaN.
        Some(number) if number.eq_ignore_ascii_case("nan") => String::new(),
        Some(number) => number.trim().chars().take(64).collect(),
        None => super::words(cell),
    }
}
