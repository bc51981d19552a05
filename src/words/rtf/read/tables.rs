//! Adds tables to the tree while their text is being read. Their geometry is known from a first pass over the file.
//! The paragraphs of a nested table are among the paragraphs of its cell; each paragraph states its nesting depth
//! (`\itap`). Computes no geometry.

use super::{
    reader::RtfReader,
    shapes::{self, Row},
    text::OpenTable,
};
use crate::error::Result;
use convertd_tree::Part;

impl RtfReader<'_> {
    /// Number of tables around the current paragraph.
    pub(super) fn depth(&mut self) -> usize {
        let state = self.state();
        shapes::depth(state.in_table, state.depth)
    }

    /// Begins a paragraph: opens the cells around it, and ends deeper tables.
    pub(super) fn enter_table(&mut self) -> Result<()> {
        let depth = self.depth();
        self.close_tables(depth)?;
        self.open_cells(depth)
    }

    /// Opens a cell in each of the outermost `depth` tables, unless a cell is open there. Missing tables are opened,
    /// too.
    fn open_cells(&mut self, depth: usize) -> Result<()> {
        // The text of the paragraph so far moves into the cell.
        let line = self.story.take_line();
        if depth > 0 && self.texts.len() == 1 {
            self.leave_frame()?;
        }
        for at in 0..depth {
            self.open_cell(at)?;
        }
        *self.story.line() = line;
        Ok(())
    }

    /// Geometry of the current row of the table at this depth. Rows in notes have none.
    fn shape(&self, depth: usize) -> Option<&Row> {
        match self.is_in_note() {
            true => None,
            false => self.rows[depth].get(self.row[depth]),
        }
    }

    /// Returns whether the position is in a note. The first pass over the file skips notes.
    fn is_in_note(&self) -> bool {
        self.texts.iter().any(|text| text.is_note)
    }

    /// Opens the next cell at this depth, unless a cell is open. If necessary, the table and the row are opened first.
    fn open_cell(&mut self, depth: usize) -> Result<()> {
        let table = self.open().tables.get(depth).copied();
        if table.is_some_and(|table| table.cell) {
            return Ok(());
        }
        if table.is_none() {
            let caption = self.story.take_caption();
            let columns = self.shape(depth).map(Row::columns);
            self.story
                .open_table(columns.unwrap_or_default(), None, None, caption)?;
            if self.shape(depth).is_some_and(|row| row.backwards) {
                self.story.build.turn_table();
            }
            self.open().tables.push(OpenTable::default());
        }
        if !table.is_some_and(|table| table.row) {
            self.open_row(depth)?;
        }
        let at = self.open().tables[depth].at;
        let row = self.shape(depth);
        let is_head = row.is_some_and(|row| row.is_head);
        let cell = row.and_then(|row| row.grid.cells.get(at)).copied();
        let mut shape = cell.unwrap_or_default().shape(is_head);
        // The border at the end depends on the last cell that this cell covers.
        if let Some(row) = row {
            let following = row.grid.cells.iter().skip(at + 1);
            let covered = following.take_while(|cell| cell.columns == 0).count();
            let look = self.looks.get(row.look(at));
            let style = look.style(&self.looks.get(row.look(at + covered)), &self.colours);
            shape.style = self.story.build.cell_style(style)?;
        }
        self.story.open_cell(shape)?;
        self.open().tables[depth].cell = true;
        Ok(())
    }

    /// Handles `\cell` and `\nestcell`, which end a paragraph and a cell of the table at this depth.
    pub(super) fn end_cell(&mut self, depth: usize) -> Result<()> {
        let table = self.open().tables.get(depth).copied();
        let has_table = table.is_some();
        let blank = self.story.line().is_blank() && !table.is_some_and(|table| table.cell);
        let at = table.map_or(0, |table| table.at);
        let shape = self.shape(depth).and_then(|row| row.grid.cells.get(at));
        let covered = shape.is_some_and(|cell| cell.is_covered());
        if covered && blank && has_table {
            // A blank cell that a merged cell covers is not opened; it only counts.
            self.story.line().clear();
            self.close_tables(depth + 1)?;
            if !self.open().tables[depth].row {
                self.open_row(depth)?;
            }
        } else {
            if !blank {
                self.state().in_table = true;
            }
            self.close_tables(depth + 1)?;
            self.open_cells(depth + 1)?;
            // RTF requires a paragraph after a nested table. If this paragraph is empty, it has no other purpose, and
            // is dropped.
            if self.open().tables[depth].after_table && self.story.line().is_empty() {
                self.story.line().clear();
            } else {
                self.finish_paragraph()?;
            }
            self.story.close_text()?;
            let table = &mut self.open().tables[depth];
            table.cell = false;
            table.after_table = false;
        }
        self.open().tables[depth].at += 1;
        Ok(())
    }

    /// Opens a row with the properties that its definition states.
    fn open_row(&mut self, depth: usize) -> Result<()> {
        let row = self.shape(depth);
        let part = row.map_or(Part::Body, Row::part);
        let height = row.and_then(Row::height);
        self.story.open_row(part, height)?;
        let table = &mut self.open().tables[depth];
        table.row = true;
        table.at = 0;
        Ok(())
    }

    /// Handles `\row` and `\nestrow`, which end a row of the table at this depth.
    pub(super) fn end_row(&mut self, depth: usize) -> Result<()> {
        let row = self.shape(depth);
        let last = row.is_some_and(|row| row.last);
        let exact = row.filter(|row| row.is_exact()).map(|row| row.part());
        if !self.is_in_note() {
            self.row[depth] += 1;
        }
        self.close_tables(depth + 1)?;
        if self.open().tables.len() > depth {
            self.close_row()?;
            if let Some(part) = exact {
                self.story.build.set_exact_row(part);
            }
            if last {
                self.close_tables(depth)?;
            }
        }
        Ok(())
    }

    /// Closes the row of the innermost table, and the cell in it, if they are open.
    fn close_row(&mut self) -> Result<()> {
        let Some(table) = self.open().tables.last_mut() else {
            return Ok(());
        };
        table.at = 0;
        let (cell, row) = (table.cell, table.row);
        table.cell = false;
        table.row = false;
        if cell {
            self.story.close_text()?;
        }
        if row {
            self.story.close_row()?;
        }
        Ok(())
    }

    /// Closes the innermost tables until at most `left` are open.
    fn close_tables(&mut self, left: usize) -> Result<()> {
        let line = self.story.take_line();
        while self.open().tables.len() > left {
            self.close_row()?;
            let tables = &mut self.open().tables;
            tables.pop();
            if let Some(around) = tables.last_mut() {
                around.after_table = true;
            }
            self.story.close_table()?;
        }
        *self.story.line() = line;
        Ok(())
    }

    /// Ends all open tables.
    pub(super) fn leave_table(&mut self) -> Result<()> {
        self.close_tables(0)
    }
}
