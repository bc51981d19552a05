//! Tables. Finds the rows of all tables in a part of the text first, because the tree needs their geometry before their
//! content; then follows the paragraphs through them. Computes no geometry itself.
//!
//! In DOC, a table is a sequence of paragraphs with a property that puts them into a table. A cell ends with a special
//! mark, and a row with a paragraph that only holds the row's definition. Paragraphs of nested tables state their
//! depth.

use super::{file::Doc, row_shape::RowShape};
use crate::error::Result;
use convertd_office::wordprocessing::{Story, cells};
use convertd_tree::{CellShape, Column, Part};
use std::ops::Range;

/// Limit on nested tables. The content of deeper tables is added to the innermost table.
pub(super) const MAX_DEPTH: usize = 8;

/// Max. number of rows in a part of the text. Further rows have no definition.
const MAX_ROWS: usize = 1 << 18;

/// Number of paragraphs between two checks of the deadline.
const PER_CHECK: u32 = 1 << 12;

/// Row of a table.
#[derive(Debug, Default)]
struct Row {
    /// Geometry and borders of the row.
    shape: RowShape,
    /// Whether the row is the first row of its table.
    first: bool,
    /// Whether the row is the last row of its table.
    last: bool,
    /// Columns of the table. Only the first row has them.
    columns: Vec<Column>,
}

impl AsMut<convertd_office::wordprocessing::GridRow> for Row {
    fn as_mut(&mut self) -> &mut convertd_office::wordprocessing::GridRow {
        &mut self.shape.grid
    }
}

/// Tables of a part of the text.
pub(super) struct Tables {
    /// Rows at each nesting depth, counted from 0, in the order of their ends.
    rows: [Vec<Row>; MAX_DEPTH],
    /// Index of the next row at each depth.
    next: [usize; MAX_DEPTH],
    /// Open tables, outermost first. Each is in a cell of the previous table.
    open: Vec<Open>,
}

/// An open table.
#[derive(Clone, Copy, Debug, Default)]
struct Open {
    /// Whether a row is open.
    in_row: bool,
    /// Part of the table that the row belongs to, if its height is exact.
    exact: Option<Part>,
    /// Current cell.
    cell: Cell,
    /// Index of the current cell, or between two cells, of the next one.
    at: usize,
}

/// State of the current cell.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Cell {
    /// Between two cells.
    #[default]
    None,
    Open,
    /// The cell continues another cell, so that its content is dropped.
    Covered,
}

impl Tables {
    /// Finds the rows of all tables in a range of character positions (CPs). A table ends where a paragraph has a
    /// lower depth.
    pub(super) fn read(doc: &Doc<'_>, range: Range<u32>) -> Result<Self> {
        let mut tables = Self {
            rows: Default::default(),
            next: [0; MAX_DEPTH],
            open: Vec::new(),
        };
        let units = doc.text.units(range.start, range.end);
        if !units.contains(&0x07) {
            return Ok(tables);
        }
        // Index of the first row of the current table at each depth.
        let mut begun = [0; MAX_DEPTH];
        let (mut at, mut count, mut found) = (range.start, 0_u32, 0);
        while at < range.end {
            count = count.wrapping_add(1);
            if count.is_multiple_of(PER_CHECK) {
                doc.job.check()?;
            }
            let end = doc.paragraph_end(at, range.end);
            let place = doc.paragraph(end - 1).place;
            let depth = place.depth().min(MAX_DEPTH);
            let ends = place.ends_row || place.ends_inner_row;
            tables.settle(&mut begun, if ends { depth.max(1) } else { depth });
            if ends && found < MAX_ROWS {
                found += 1;
                tables.rows[depth.max(1) - 1].push(Row {
                    shape: doc.row(end - 1),
                    ..Row::default()
                });
            }
            at = end;
        }
        tables.settle(&mut begun, 0);
        Ok(tables)
    }

    /// Computes the columns, merged cells and header rows of the tables that end here: all tables that are nested
    /// deeper than `depth`.
    fn settle(&mut self, begun: &mut [usize; MAX_DEPTH], depth: usize) {
        for (rows, begun) in self.rows.iter_mut().zip(begun).skip(depth) {
            let rows = &mut rows[*begun..];
            *begun += rows.len();
            let columns = cells::columns(rows);
            cells::join(rows);
            let head = cells::head(rows, 0);
            for (at, row) in rows.iter_mut().enumerate() {
                row.shape.grid.is_head = at < head;
            }
            if let Some(first) = rows.first_mut() {
                first.first = true;
                first.columns = columns;
            }
            if let Some(last) = rows.last_mut() {
                last.last = true;
            }
        }
    }

    /// Begins a paragraph at this depth: ends deeper tables, and opens the cells around the paragraph. Returns whether
    /// the paragraph is shown.
    pub(super) fn enter(&mut self, story: &mut Story<'_>, depth: usize) -> Result<bool> {
        self.leave(story, depth)?;
        for at in 0..depth {
            if self
                .open
                .get(at)
                .is_some_and(|open| open.cell == Cell::Covered)
            {
                return Ok(false);
            }
            if self.open.get(at).is_none_or(|open| open.cell == Cell::None) {
                self.open_cell(story, at)?;
            }
        }
        Ok(self.open.iter().all(|open| open.cell != Cell::Covered))
    }

    /// Current row of the table at this depth.
    fn row(&self, depth: usize) -> Option<&Row> {
        self.rows[depth].get(self.next[depth])
    }

    /// Opens the next cell at this depth, and the table and the row before it, if necessary. Word has no marks for
    /// their beginnings, so they follow from the definition of the row.
    fn open_cell(&mut self, story: &mut Story<'_>, depth: usize) -> Result<()> {
        if self.open.len() == depth {
            let row = self.row(depth);
            let columns = row.map(|row| row.columns.clone()).unwrap_or_default();
            let alignment = row.and_then(|row| row.shape.alignment);
            let backwards = row.is_some_and(|row| row.shape.backwards);
            let caption = story.take_caption();
            story.open_table(columns, None, alignment, caption)?;
            if backwards {
                story.build.turn_table();
            }
            self.open.push(Open::default());
        }
        if !self.open[depth].in_row {
            let row = self.row(depth);
            let part = match row.is_some_and(|row| row.shape.grid.is_head) {
                true => Part::Head,
                false => Part::Body,
            };
            let height = row.and_then(|row| row.shape.height);
            story.open_row(part, height)?;
            let exact = self.row(depth).is_some_and(|row| row.shape.exact);
            self.open[depth] = Open {
                in_row: true,
                exact: exact.then_some(part),
                ..Open::default()
            };
        }
        let at = self.open[depth].at;
        let row = self.row(depth);
        let grid = row.and_then(|row| row.shape.grid.cells.get(at)).copied();
        let grid = grid.unwrap_or_default();
        if grid.is_covered() {
            self.open[depth].cell = Cell::Covered;
            return Ok(());
        }
        let mut shape = CellShape {
            ..grid.shape(row.is_some_and(|row| row.shape.grid.is_head))
        };
        if let Some(row) = row {
            // Borders depend on the last cell that this cell covers, to the right and below.
            let following = row.shape.grid.cells[at.min(row.shape.grid.cells.len())..].iter();
            let covered = following
                .skip(1)
                .take_while(|cell| cell.columns == 0)
                .count();
            let below = usize::from(grid.rows.max(1)) - 1;
            let lowest = self.rows[depth].get(self.next[depth] + below);
            let ends = (row.first, lowest.is_none_or(|row| row.last));
            let style = row.shape.style(at, at + covered, ends);
            shape.style = story.build.cell_style(style)?;
        }
        story.open_cell(shape)?;
        self.open[depth].cell = Cell::Open;
        Ok(())
    }

    /// Ends the current cell of the table at this depth, counted from 0.
    pub(super) fn end_cell(&mut self, story: &mut Story<'_>, depth: usize) -> Result<()> {
        self.leave(story, depth + 1)?;
        let Some(open) = self.open.get_mut(depth) else {
            return Ok(());
        };
        open.at += 1;
        match std::mem::take(&mut open.cell) {
            Cell::Open => story.close_text(),
            Cell::None | Cell::Covered => Ok(()),
        }
    }

    /// Ends the current row of the table at this depth, counted from 0.
    pub(super) fn end_row(&mut self, story: &mut Story<'_>, depth: usize) -> Result<()> {
        let last = self.row(depth).is_some_and(|row| row.last);
        self.leave(story, depth + 1)?;
        if self.open.len() > depth {
            self.close_row(story)?;
            if last {
                self.leave(story, depth)?;
            }
        }
        self.next[depth] += 1;
        Ok(())
    }

    /// Ends the row of the innermost table.
    fn close_row(&mut self, story: &mut Story<'_>) -> Result<()> {
        let Some(open) = self.open.last_mut() else {
            return Ok(());
        };
        let ended = std::mem::take(open);
        if ended.cell == Cell::Open {
            story.close_text()?;
        }
        if ended.in_row {
            story.close_row()?;
            if let Some(part) = ended.exact {
                story.build.set_exact_row(part);
            }
        }
        Ok(())
    }

    /// Ends the innermost tables until at most `left` are open.
    pub(super) fn leave(&mut self, story: &mut Story<'_>, left: usize) -> Result<()> {
        while self.open.len() > left {
            self.close_row(story)?;
            self.open.pop();
            story.close_table()?;
        }
        Ok(())
    }
}
