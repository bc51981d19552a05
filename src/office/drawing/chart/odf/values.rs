//! The table that a chart of OpenDocument carries its values in (part 3, 9.1 and 11.1). Draws nothing, and never opens
//! the sheet that the values come from.
//!
//! A series names cells of that sheet, so the table says in each column which cells it is a copy of. Where it does not,
//! its columns are in the order of the series.

use super::super::{
    elements::{MAX_ALL, MAX_POINTS, MAX_SERIES},
    model::Points,
};
use crate::containers::xml::Node;

/// The values of a chart.
#[derive(Default)]
pub(super) struct Values {
    columns: Vec<Column>,
    /// Number of columns with the names of points.
    pub(super) headers: usize,
    /// There were more values than are kept.
    pub(super) cut: bool,
}

#[derive(Default)]
struct Column {
    name: String,
    texts: Vec<String>,
    /// The cells that it is a copy of, and those that its name is from.
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

    /// Adds the cells of a table row to their columns. A header row names the columns. `left` limits the number of all
    /// values.
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

    /// The number of the column with the cells of an address, or of a place in the table itself.
    pub(super) fn find(&self, address: &str) -> Option<usize> {
        let is_copy = |column: &Column| column.copies.iter().any(|copy| copy == address);
        self.columns.iter().position(is_copy).or_else(|| {
            let place = address.strip_prefix("local-table.")?;
            let letters = place.trim_start_matches('$').chars();
            let letters = letters.take_while(char::is_ascii_alphabetic).take(3);
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
        // A missing value is stated as NaN.
        Some(number) if number.eq_ignore_ascii_case("nan") => String::new(),
        Some(number) => number.trim().chars().take(64).collect(),
        None => super::words(cell),
    }
}
