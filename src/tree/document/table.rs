//! Tables as grids, in which every cell has its place and no cells overlap. Draws nothing.

use super::{Alignment, Block, CellStyleId, Direction, Length, Width};

/// Maximum number of columns of a table.
pub const MAX_COLUMNS: usize = 1000;

/// A table. All its rows fit the grid: the cells of a row, together with cells that span into it from above, take at
/// most `columns.len()` places, and no cell reaches beyond its part (head, body or foot).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The caption.
    pub caption: Vec<Block>,
    /// The columns, at least one and at most [`MAX_COLUMNS`].
    pub columns: Vec<Column>,
    /// The rows that are repeated on every page, unless `head_once` is set.
    pub head: Vec<Row>,
    /// Whether the head is shown only once, above the first row.
    pub head_once: bool,
    /// The rows between the head and the foot.
    pub body: Vec<Row>,
    /// The rows at the end, such as totals.
    pub foot: Vec<Row>,
    /// The width. Without one, the content decides.
    pub width: Option<Width>,
    /// The position between the margins.
    pub alignment: Option<Alignment>,
    /// Indent from the margin; negative if it reaches into the margin.
    pub indent: Option<Length>,
    /// Whether the stated widths of columns are final, even if the content needs more.
    pub fixed: bool,
    /// The direction of the columns. `None` if the columns have the direction of the surrounding text.
    pub direction: Option<Direction>,
}

/// A column of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Column {
    /// The default alignment of lines in the cells of the column.
    pub alignment: Option<Alignment>,
    /// The width, as a length or as a share of the table's width.
    pub width: Option<Width>,
}

/// A row of a table. If it has fewer cells than there are columns, the rest is empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// The cells in the order of their columns. A place that is covered from above has no cell here.
    pub cells: Vec<Cell>,
    /// The minimum height.
    pub height: Option<Length>,
    /// Whether the height is exact; overflowing content is then cut off.
    pub exact: bool,
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The number of rows that the cell spans, at least 1.
    pub rows: u16,
    /// The number of columns that the cell spans, at least 1.
    pub columns: u16,
    /// Whether the cell is the heading of a row or column.
    pub heading: bool,
    /// The default alignment of the cell's paragraphs.
    pub alignment: Option<Alignment>,
    /// The style of the cell.
    pub style: CellStyleId,
    /// The blocks in the cell.
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

/// Content of a row at one column.
#[derive(Clone, Copy, Debug)]
pub enum Slot<'a> {
    /// A cell begins here. The next `cell.columns - 1` columns belong to it as well, and are not listed.
    Cell {
        /// The index of the cell's first column.
        column: usize,
        /// The cell.
        cell: &'a Cell,
    },
    /// A cell from a row above covers this place.
    Covered {
        /// The index of the cell's first column.
        column: usize,
        /// The cell.
        cell: &'a Cell,
    },
    /// The row has no cell here.
    Missing {
        /// The index of the column.
        column: usize,
    },
}

impl Table {
    /// All rows: those of the head, the body and the foot.
    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        self.head.iter().chain(&self.body).chain(&self.foot)
    }

    /// Goes through a part of the table (head, body or foot) and lists the places of each row: the cells that begin
    /// there, the places that are covered from above, and those that are empty.
    pub fn grid<'a>(&'a self, part: &'a [Row]) -> impl Iterator<Item = (&'a Row, Vec<Slot<'a>>)> {
        // For each column, the cell that covers it, and the number of further rows that the cell covers.
        let mut hanging: Vec<Option<(&Cell, u16)>> = vec![None; self.columns.len()];
        part.iter().map(move |row| (row, places(row, &mut hanging)))
    }
}

/// The places of a row. `hanging` holds the cells that reach down into it, and is updated for the next row.
fn places<'a>(row: &'a Row, hanging: &mut [Option<(&'a Cell, u16)>]) -> Vec<Slot<'a>> {
    let mut places = Vec::with_capacity(row.cells.len());
    let mut cells = row.cells.iter();
    let mut column = 0;
    while column < hanging.len() {
        let (place, wide) = if let Some((cell, left)) = hanging[column] {
            let wide = usize::from(cell.columns).max(1);
            let end = (column + wide).min(hanging.len());
            hanging[column..end].fill((left > 1).then(|| (cell, left - 1)));
            (Slot::Covered { column, cell }, wide)
        } else if let Some(cell) = cells.next() {
            let wide = usize::from(cell.columns).max(1);
            let end = (column + wide).min(hanging.len());
            if cell.rows > 1 {
                hanging[column..end].fill(Some((cell, cell.rows - 1)));
            }
            (Slot::Cell { column, cell }, wide)
        } else {
            (Slot::Missing { column }, 1)
        };
        places.push(place);
        column += wide;
    }
    places
}

/// Makes rows fit a grid: cuts cells that reach beyond the end of the part, overlap another cell, or go beyond
/// [`MAX_COLUMNS`], and removes cells without a place. Returns the number of columns, and the number of cells that lost
/// columns or were removed. A cell that is cut only at the end of the part is not counted.
pub(super) fn fit(part: &mut [Row]) -> (usize, usize) {
    let mut columns = 0;
    let mut cut = 0;
    // For each column, the number of further rows in which it is covered from above.
    let mut hanging = vec![0_usize; MAX_COLUMNS];
    let rows = part.len();
    for (number, row) in part.iter_mut().enumerate() {
        let below = rows - number;
        let mut column = 0;
        let mut covers: Vec<(usize, usize, usize)> = Vec::new();
        row.cells.retain_mut(|cell| {
            // Advances to the next column that is not covered from above.
            while column < MAX_COLUMNS && hanging[column] > 0 {
                column += 1;
            }
            if column == MAX_COLUMNS {
                cut += 1;
                return false;
            }
            let span = usize::from(cell.columns).max(1);
            // The cell ends before the next column that is covered.
            let wide = hanging[column..]
                .iter()
                .take(span)
                .take_while(|left| **left == 0)
                .count();
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
        // The spans of this row cover columns from the next row on.
        for left in &mut hanging[..columns] {
            *left = left.saturating_sub(1);
        }
        for (from, to, high) in covers {
            hanging[from..to].fill(high - 1);
        }
    }
    (columns, cut)
}

/// Gives each column without an alignment the alignment that all its cells have. Formats state the alignment in cells
/// or in columns, and most writers use only the alignment of columns.
pub(super) fn align_columns(table: &mut Table) {
    let mut alignments: Vec<Option<Option<Alignment>>> = vec![None; table.columns.len()];
    for part in [&table.head, &table.body, &table.foot] {
        for (_, places) in table.grid(part) {
            for place in places {
                let Slot::Cell { column, cell } = place else {
                    continue;
                };
                let alignment = &mut alignments[column];
                match alignment {
                    None => *alignment = Some(cell.alignment),
                    Some(before) if *before != cell.alignment => *alignment = Some(None),
                    Some(_) => {}
                }
            }
        }
    }
    for (column, alignment) in table.columns.iter_mut().zip(alignments) {
        column.alignment = column.alignment.or(alignment.flatten());
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
            ..Row::default()
        }
    }

    #[test]
    fn cells_are_placed_without_overlap() {
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
                    Slot::Cell { cell, .. } => "c".repeat(cell.columns.into()),
                    Slot::Covered { cell, .. } => "|".repeat(cell.columns.into()),
                    Slot::Missing { .. } => "-".to_owned(),
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
