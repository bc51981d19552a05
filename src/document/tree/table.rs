//! Tables as a grid: every cell has a place, and none covers another's. Draws nothing.

use super::{Alignment, Block, CellStyleId, Length, Width};

/// Most columns that a table may have.
pub const MAX_COLUMNS: usize = 1000;

/// A table. Every row that stands in it fits its grid: cells and what hangs over from rows above fill at most
/// `columns.len()` places, and no cell reaches below the part (head, body, foot) that it stands in.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// What it shows, in words.
    pub caption: Vec<Block>,
    /// At least one, at most [`MAX_COLUMNS`].
    pub columns: Vec<Column>,
    /// Rows that are set again on every page.
    pub head: Vec<Row>,
    /// All other rows.
    pub body: Vec<Row>,
    /// Rows at the end that sum up.
    pub foot: Vec<Row>,
    /// How wide it is. As wide as it has to be, if nobody said.
    pub width: Option<Width>,
    /// Where it stands between the margins.
    pub alignment: Option<Alignment>,
}

/// A column of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Column {
    /// Where the lines in its cells stand, unless a cell says otherwise.
    pub alignment: Option<Alignment>,
    /// How wide it is. Shares are of the table's width.
    pub width: Option<Width>,
}

/// A row of a table. It may hold fewer cells than there are columns: the rest is empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// In the order of columns; places that are covered from above are left out.
    pub cells: Vec<Cell>,
    /// At least this high.
    pub height: Option<Length>,
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// How many rows it covers, at least 1.
    pub rows: u16,
    /// How many columns it covers, at least 1.
    pub columns: u16,
    /// Names its row or column.
    pub heading: bool,
    /// Where its lines stand, unless a paragraph says otherwise.
    pub alignment: Option<Alignment>,
    /// How it looks.
    pub style: CellStyleId,
    /// What it holds.
    pub blocks: Vec<Block>,
}

impl Default for Cell {
    fn default() -> Self {
        Self {
            rows: 1,
            columns: 1,
            heading: false,
            alignment: None,
            style: CellStyleId::default(),
            blocks: Vec::new(),
        }
    }
}

/// One place of a row, in the order of columns.
#[derive(Clone, Copy, Debug)]
pub enum Place<'a> {
    /// A cell begins here. It covers the next `cell.columns - 1` places as well, which are not told.
    Cell {
        /// The number of its first column, from 0.
        column: usize,
        /// What begins here.
        cell: &'a Cell,
    },
    /// A cell from a row above reaches here.
    Covered {
        /// The number of its first column, from 0.
        column: usize,
        /// The cell.
        cell: &'a Cell,
    },
    /// The row has no cell for this place.
    Missing {
        /// The number of the column, from 0.
        column: usize,
    },
}

impl Table {
    /// All rows: head, body, foot.
    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        self.head.iter().chain(&self.body).chain(&self.foot)
    }

    /// Goes through one part of the table (its head, body or foot), row by row, and says for each which cells begin, which
    /// reach down from above, and which places are empty.
    pub fn grid<'a>(&'a self, part: &'a [Row]) -> impl Iterator<Item = (&'a Row, Vec<Place<'a>>)> {
        // For each column: the cell that covers it, and for how many more rows.
        let mut hanging: Vec<Option<(&Cell, u16)>> = vec![None; self.columns.len()];
        part.iter().map(move |row| (row, places(row, &mut hanging)))
    }
}

fn places<'a>(row: &'a Row, hanging: &mut [Option<(&'a Cell, u16)>]) -> Vec<Place<'a>> {
    let mut places = Vec::with_capacity(row.cells.len());
    let mut cells = row.cells.iter();
    let mut column = 0;
    while column < hanging.len() {
        let (place, wide) = if let Some((cell, left)) = hanging[column] {
            let wide = usize::from(cell.columns).max(1);
            let end = (column + wide).min(hanging.len());
            hanging[column..end].fill((left > 1).then(|| (cell, left - 1)));
            (Place::Covered { column, cell }, wide)
        } else if let Some(cell) = cells.next() {
            let wide = usize::from(cell.columns).max(1);
            let end = (column + wide).min(hanging.len());
            if cell.rows > 1 {
                hanging[column..end].fill(Some((cell, cell.rows - 1)));
            }
            (Place::Cell { column, cell }, wide)
        } else {
            (Place::Missing { column }, 1)
        };
        places.push(place);
        column += wide;
    }
    places
}

/// Makes rows fit a grid: counts its columns, and cuts cells that reach below the end of the part, cover another one, or
/// go beyond [`MAX_COLUMNS`]. Cells without a place are taken out. Returns the number of columns and of cells that had to be
/// cut or taken out.
pub(super) fn fit(part: &mut [Row]) -> (usize, usize) {
    let mut columns = 0;
    let mut cut = 0;
    // For each column: for how many more rows it is covered from above.
    let mut hanging = vec![0_usize; MAX_COLUMNS];
    let rows = part.len();
    for (number, row) in part.iter_mut().enumerate() {
        let below = rows - number;
        let mut column = 0;
        let mut covers: Vec<(usize, usize, usize)> = Vec::new();
        row.cells.retain_mut(|cell| {
            while column < MAX_COLUMNS && hanging[column] > 0 {
                column += 1;
            }
            if column == MAX_COLUMNS {
                cut += 1;
                return false;
            }
            let free = hanging[column..]
                .iter()
                .take_while(|left| **left == 0)
                .count();
            let wide = usize::from(cell.columns).clamp(1, free);
            let high = usize::from(cell.rows).clamp(1, below);
            if wide < usize::from(cell.columns) {
                cut += 1;
            }
            cell.columns = wide as u16;
            cell.rows = high.min(usize::from(u16::MAX)) as u16;
            covers.push((column, column + wide, high));
            column += wide;
            columns = columns.max(column);
            true
        });
        for left in &mut hanging[..columns] {
            *left = left.saturating_sub(1);
        }
        for (from, to, high) in covers {
            hanging[from..to].fill(high - 1);
        }
    }
    (columns, cut)
}

/// Says of a column what all its cells say of themselves. Formats state alignment here or there; most writers look at columns.
pub(super) fn align_columns(table: &mut Table) {
    let mut said: Vec<Option<Option<Alignment>>> = vec![None; table.columns.len()];
    for part in [&table.head, &table.body, &table.foot] {
        for (_, places) in table.grid(part) {
            for place in places {
                let Place::Cell { column, cell } = place else {
                    continue;
                };
                let said = &mut said[column];
                match said {
                    None => *said = Some(cell.alignment),
                    Some(before) if *before != cell.alignment => *said = Some(None),
                    Some(_) => {}
                }
            }
        }
    }
    for (column, said) in table.columns.iter_mut().zip(said) {
        column.alignment = column.alignment.or(said.flatten());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(cells: &[(u16, u16)]) -> Row {
        let cells = cells.iter().map(|(rows, columns)| Cell {
            rows: *rows,
            columns: *columns,
            ..Cell::default()
        });
        Row {
            cells: cells.collect(),
            height: None,
        }
    }

    #[test]
    fn cells_get_places_and_none_covers_another() {
        #[track_caller]
        fn check(rows: &[&[(u16, u16)]], columns: usize, cut: usize, drawn: &[&str]) {
            let mut body: Vec<Row> = rows.iter().map(|cells| row(cells)).collect();
            assert_eq!(fit(&mut body), (columns, cut));
            let table = Table {
                columns: vec![Column::default(); columns],
                body,
                ..Table::default()
            };
            let grid = table.grid(&table.body).map(|(_, places)| {
                let letters = places.iter().map(|place| match place {
                    Place::Cell { cell, .. } => "c".repeat(cell.columns.into()),
                    Place::Covered { cell, .. } => "|".repeat(cell.columns.into()),
                    Place::Missing { .. } => "-".to_owned(),
                });
                letters.collect::<String>()
            });
            assert_eq!(grid.collect::<Vec<_>>(), drawn);
        }
        check(&[&[(1, 1), (1, 1)], &[(1, 2)]], 2, 0, &["cc", "cc"]);
        check(&[&[(2, 1), (1, 1)], &[(1, 1)]], 2, 0, &["cc", "|c"]);
        check(&[&[(9, 1), (1, 1)], &[]], 2, 0, &["cc", "|-"]);
        check(&[&[(1, 1), (2, 1)], &[(1, 5)]], 2, 1, &["cc", "c|"]);
        check(
            &[&[(2, 2), (1, 1)], &[(1, 1)], &[(1, 1)]],
            3,
            0,
            &["ccc", "||c", "c--"],
        );
        check(&[&[(0, 0)]], 1, 0, &["c"]);
        check(
            &[&[(1, u16::MAX)], &[(1, 1)]],
            1000,
            1,
            &[&"c".repeat(1000), &format!("c{}", "-".repeat(999))],
        );
    }
}
