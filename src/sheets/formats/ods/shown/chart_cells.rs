//! Values of the cells that a chart refers to. Charts that Excel writes need them, because they have no table of their
//! own. Draws nothing.

use super::ranges::ranges;
use crate::shown::book::Grid;

/// Maximum number of cells in one reference.
const MAX_POINTS: usize = 32_000;

/// Texts of the cells in a reference such as `'My sheet'.$A$1:.$A$9`, row by row. `None` if the reference is invalid,
/// the sheet is missing, or the range has more than [`MAX_POINTS`] cells.
pub(super) fn values(address: &str, grids: &[Grid]) -> Option<Vec<String>> {
    let range = ranges(address).into_iter().next()?;
    let sheet = match address.trim_start_matches('$').strip_prefix('\'') {
        Some(quoted) => quoted.split_once("'.")?.0.replace("''", "'"),
        None => address
            .trim_start_matches('$')
            .split_once('.')?
            .0
            .to_owned(),
    };
    let grid = grids.iter().find(|grid| grid.sheet.name() == sheet)?;
    let (rows, columns) = (range.first.0..=range.last.0, range.first.1..=range.last.1);
    let count = rows.clone().count().saturating_mul(columns.clone().count());
    if count > MAX_POINTS {
        return None;
    }
    let mut values = Vec::with_capacity(count);
    for row in rows {
        let line = grid.row(row);
        for column in columns.clone() {
            let cell = line.and_then(|line| line.cell(column));
            let shown = cell.and_then(|cell| cell.value.charted());
            values.push(shown.unwrap_or_default());
        }
    }
    Some(values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        sheet::Sheet,
        shown::book::{Cell, Line, Value},
    };

    #[test]
    fn references_have_the_values_of_their_cells() {
        let cell = |column, value| Cell {
            value,
            ..Cell::empty(column)
        };
        let grid = Grid {
            sheet: Sheet {
                title: Some("It's".to_owned()),
                ..Sheet::default()
            },
            rows: vec![Line {
                number: 1,
                cells: vec![
                    cell(1, Value::Text("Q1".into())),
                    cell(2, Value::Number(0.5)),
                ],
                ..Line::default()
            }],
            ..Grid::default()
        };
        let grids = [grid];
        let check = |address: &str, expected: Option<&[&str]>| {
            let found = values(address, &grids);
            let found: Option<Vec<&str>> = found
                .as_ref()
                .map(|all| all.iter().map(String::as_str).collect());
            assert_eq!(found.as_deref(), expected, "{address}");
        };
        check("'It''s'.$B$2:.$C$3", Some(&["Q1", "0.5", "", ""]));
        check("$'It''s'.C2", Some(&["0.5"]));
        check("Other.B2", None);
        check("'It''s'.A1:.XFD1048576", None);
        check("'It", None);
        check("", None);
    }
}
