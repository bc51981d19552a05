//! The rows of all tables in a part of the text, which the tree needs before what is in them, and the walk through them. Computes
//! no shapes.
//!
//! A table is a run of paragraphs that say that they are in one. A cell ends with a mark of its own, and a row with a paragraph
//! that holds nothing but its definition. Paragraphs of nested tables say how deep they are.

use super::{file::Doc, row_shape::RowShape};
use crate::error::Result;
use convertd_office::wordprocessing::{Story, cells};
use convertd_tree::{CellShape, Column, Part};
use std::ops::Range;

/// The limit on nested tables. Deeper ones are added to the innermost.
pub(super) const MAX_DEPTH: usize = 8;

/// The number of rows in a part of the text. Those beyond it are added without a shape.
const MAX_ROWS: usize = 1 << 18;

/// Paragraphs between two checks of the deadline.
const PER_CHECK: u32 = 1 << 12;

/// A row of a table.
#[derive(Debug, Default)]
struct Row {
    shape: RowShape,
    /// Whether it is the first, and the last one of its table.
    first: bool,
    last: bool,
    /// The columns of the table, if it is the first row.
    columns: Vec<Column>,
}

impl AsMut<convertd_office::wordprocessing::GridRow> for Row {
    fn as_mut(&mut self) -> &mut convertd_office::wordprocessing::GridRow {
        &mut self.shape.grid
    }
}

/// The tables of a part of the text.
pub(super) struct Tables {
    /// The rows by nesting depth, from 0, in the order of their ends, and the next row at each depth.
    rows: [Vec<Row>; MAX_DEPTH],
    next: [usize; MAX_DEPTH],
    /// The tables that are open. Each is in a cell of the one before.
    open: Vec<Open>,
}

/// An open table.
#[derive(Clone, Copy, Debug, Default)]
struct Open {
    in_row: bool,
    cell: Cell,
    /// The index of the current cell, or the next one.
    at: usize,
}

/// State of the current cell.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Cell {
    /// Before the first cell.
    #[default]
    None,
    Open,
    /// It continues another cell, so that nothing of it is shown.
    Covered,
}

impl Tables {
    /// Finds the rows of all tables in a range of CPs.
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

    /// Works out the geometry of the tables at this depth and below, which end here.
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

    /// Begins a paragraph in this many tables: opens the cell that it is in, and ends the tables that it is not in. Returns whether
    /// it is shown.
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

    /// The current row of the table at this depth.
    fn row(&self, depth: usize) -> Option<&Row> {
        self.rows[depth].get(self.next[depth])
    }

    /// Opens the next cell at this depth, and before it the table and the row, if they are not open yet. Word stores neither;
    /// both follow from the properties of the row's end mark.
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
            self.open[depth] = Open {
                in_row: true,
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
            let right = row.shape.grid.cells[at.min(row.shape.grid.cells.len())..].iter();
            let covered = right.skip(1).take_while(|cell| cell.columns == 0).count();
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
