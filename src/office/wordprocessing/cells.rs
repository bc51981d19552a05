//! Geometry of tables: columns, cells that span several rows or columns, and header rows.
//!
//! Files store tables by rows. A cell that spans several rows is stored in each of them: it begins in one row, and the
//! cells below are marked as its continuation (`w:vMerge`, `\clvmrg`, fVertMerge). The number of its rows is known only
//! at the end of the table, but the tree needs it at the beginning. Readers therefore read tables twice. DOCX states
//! the number of columns of a cell. RTF and DOC state its right edge, and columns are computed from the edges of all
//! rows. Reads no content.

use convertd_tree::{CellShape, Column, Length, MAX_COLUMNS, Width};

/// Tolerance for the edges of a column, in twips. Programs round edges differently in each row.
const SAME: i32 = 30;

/// Row of a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GridRow {
    /// Whether the row is marked as a header row.
    pub is_head: bool,
    /// Number of columns before the first cell of the row.
    pub before: u16,
    /// Position of the row's left edge, in twips, in formats that state edges.
    pub left: i32,
    /// Cells from left to right.
    pub cells: Vec<GridCell>,
}

/// Cell of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridCell {
    /// Number of columns that the cell spans. 0 if the cell continues the cell to its left.
    pub columns: u16,
    /// Number of rows that the cell spans. 0 if the cell continues the cell above. Before [`join`], the number is
    /// only 0 or 1.
    pub rows: u16,
    /// Position of the cell's right edge, in twips, in formats that state edges.
    pub edge: i32,
}

impl Default for GridCell {
    fn default() -> Self {
        Self {
            columns: 1,
            rows: 1,
            edge: 0,
        }
    }
}

impl GridCell {
    /// Returns whether the cell continues another cell, and has no content of its own.
    pub fn is_covered(self) -> bool {
        self.rows == 0 || self.columns == 0
    }

    /// Returns the cell for the tree, without its formatting.
    pub fn shape(self, is_head: bool) -> CellShape {
        CellShape {
            rows: self.rows.max(1),
            columns: self.columns.max(1),
            heading: is_head,
            ..CellShape::default()
        }
    }
}

impl AsMut<Self> for GridRow {
    fn as_mut(&mut self) -> &mut Self {
        self
    }
}

/// Computes the number of columns of each cell from the edges of all rows. Returns the columns with their widths.
pub fn columns<R: AsMut<GridRow>>(rows: &mut [R]) -> Vec<Column> {
    let mut left = i32::MAX;
    let mut edges = Vec::new();
    for row in rows.iter_mut().map(AsMut::as_mut) {
        left = left.min(row.left);
        edges.extend(row.cells.iter().map(|cell| cell.edge));
    }
    // Edges that are almost equal are one edge.
    edges.sort_unstable();
    edges.dedup_by(|next, before| next.saturating_sub(*before) < SAME);
    let column = |edge: i32| edges.partition_point(|known| *known < edge.saturating_sub(SAME));
    for row in rows.iter_mut().map(AsMut::as_mut) {
        // If a row begins further to the right than others, its first cell includes the space.
        let mut from = 0;
        let mut first: Option<usize> = None;
        for at in 0..row.cells.len() {
            let to = column(row.cells[at].edge) + 1;
            let wide = to.saturating_sub(from).clamp(1, MAX_COLUMNS) as u16;
            match first {
                Some(first) if row.cells[at].columns == 0 => row.cells[first].columns += wide,
                _ => {
                    row.cells[at].columns = wide;
                    first = Some(at);
                }
            }
            from = to.max(from);
        }
    }
    let begins = std::iter::once(left).chain(edges.iter().copied());
    let widths = edges.iter().zip(begins).take(MAX_COLUMNS);
    let widths = widths.map(|(edge, begin)| i64::from(*edge) - i64::from(begin));
    let column = |width| Column {
        alignment: None,
        width: Some(Width::Fixed(Length::twips(width))).filter(|_| width > 0),
    };
    widths.map(column).collect()
}

/// Computes the number of rows of each cell. A cell continues the cell above only if it spans the same columns.
pub fn join<R: AsMut<GridRow>>(rows: &mut [R]) {
    // For each column, the row and the index of the cell that begins there, and may be continued below.
    let mut open: Vec<Option<(usize, usize)>> = vec![None; MAX_COLUMNS];
    for number in 0..rows.len() {
        let mut column = usize::from(rows[number].as_mut().before).min(MAX_COLUMNS);
        for at in 0..rows[number].as_mut().cells.len() {
            let cell = rows[number].as_mut().cells[at];
            let end = (column + usize::from(cell.columns)).min(MAX_COLUMNS);
            let above = open.get(column).copied().flatten();
            let above = above.filter(|_| cell.rows == 0 && cell.columns > 0);
            let above = above.and_then(|(row, at)| rows[row].as_mut().cells.get_mut(at));
            match above {
                Some(above) if above.columns == cell.columns => {
                    above.rows = above.rows.saturating_add(1);
                }
                _ if cell.columns > 0 => {
                    rows[number].as_mut().cells[at].rows = 1;
                    if let Some(covered) = open.get_mut(column..end) {
                        covered.fill(None);
                        covered[0] = Some((number, at));
                    }
                }
                _ => {}
            }
            column = end;
        }
    }
}

/// Returns the number of header rows: the marked rows at the beginning, or, if the first row is not marked, the first
/// `least` rows. Cells that begin in the header and span further rows extend the header.
pub fn head<R: AsMut<GridRow>>(rows: &mut [R], least: usize) -> usize {
    let marked = rows.iter_mut().map(AsMut::as_mut);
    let marked = marked.take_while(|row| row.is_head).count();
    let mut head = if marked == 0 { least } else { marked }.min(rows.len());
    let mut row = 0;
    while row < head {
        let cells = rows[row].as_mut().cells.iter();
        let most = cells.map(|cell| cell.rows).max().unwrap_or(1);
        head = head.max(row + usize::from(most)).min(rows.len());
        row += 1;
    }
    head
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a row of cells with their edges and signs: `<` continues the cell to its left, `^` the cell above.
    fn row(cells: &[(i32, &str)]) -> GridRow {
        let cells = cells.iter().map(|(edge, signs)| GridCell {
            columns: u16::from(!signs.contains('<')),
            rows: u16::from(!signs.contains('^')),
            edge: *edge,
        });
        GridRow {
            cells: cells.collect(),
            ..GridRow::default()
        }
    }

    /// Compares the columns and rows of each cell, and the widths of columns.
    #[track_caller]
    fn check(rows: &[&[(i32, &str)]], expected: &[&[(u16, u16)]], widths: &[i64]) {
        let mut rows: Vec<GridRow> = rows.iter().map(|cells| row(cells)).collect();
        let columns = columns(&mut rows);
        join(&mut rows);
        let spans = |row: &GridRow| -> Vec<(u16, u16)> {
            let cells = row.cells.iter();
            cells.map(|cell| (cell.columns, cell.rows)).collect()
        };
        assert_eq!(rows.iter().map(spans).collect::<Vec<_>>(), expected);
        let twips = |column: &Column| match column.width {
            Some(Width::Fixed(width)) => width.to_twips(),
            _ => 0,
        };
        assert_eq!(columns.iter().map(twips).collect::<Vec<_>>(), widths);
    }

    #[test]
    fn columns_follow_from_edges() {
        check(
            &[&[(100, ""), (200, "")]],
            &[&[(1, 1), (1, 1)]],
            &[100, 100],
        );
        check(
            &[&[(100, ""), (200, "")], &[(207, "")]],
            &[&[(1, 1), (1, 1)], &[(2, 1)]],
            &[100, 100],
        );
        check(
            &[&[(100, ""), (300, "<")]],
            &[&[(2, 1), (0, 1)]],
            &[100, 200],
        );
        check(&[&[(0, ""), (-90, "")]], &[&[(2, 1), (1, 1)]], &[0, 90]);
    }

    #[test]
    fn vertical_merges_give_row_spans() {
        let both: &[(i32, &str)] = &[(100, ""), (200, "")];
        let below: &[(i32, &str)] = &[(100, "^"), (200, "")];
        check(
            &[both, below, below],
            &[&[(1, 3), (1, 1)], &[(1, 0), (1, 1)], &[(1, 0), (1, 1)]],
            &[100, 100],
        );
        // No cell is above, or the cell above has another width.
        check(&[&[(100, "^")]], &[&[(1, 1)]], &[100]);
        check(
            &[both, &[(200, "^")]],
            &[&[(1, 1), (1, 1)], &[(2, 1)]],
            &[100, 100],
        );
        // A row with another cell in between ends the span.
        check(
            &[both, &[(200, "")], below],
            &[&[(1, 1), (1, 1)], &[(2, 1)], &[(1, 1), (1, 1)]],
            &[100, 100],
        );
        // Two rows and two columns.
        check(
            &[
                &[(100, ""), (200, "<"), (300, "")],
                &[(100, "^"), (200, "<^"), (300, "")],
            ],
            &[&[(2, 2), (0, 1), (1, 1)], &[(2, 0), (0, 0), (1, 1)]],
            &[100, 100, 100],
        );
    }

    #[test]
    fn the_head_does_not_split_merged_cells() {
        let marked = |rows: &mut [GridRow], heads: usize| {
            for row in &mut rows[..heads] {
                row.is_head = true;
            }
        };
        let mut rows = [row(&[(9, "")]), row(&[(9, "^")]), row(&[(9, "")])];
        assert_eq!(head(&mut rows, 0), 0);
        join(&mut rows);
        assert_eq!(head(&mut rows, 1), 2);
        marked(&mut rows, 1);
        assert_eq!(head(&mut rows, 0), 2);
        marked(&mut rows, 3);
        assert_eq!(head(&mut rows, 0), 3);
    }
}
