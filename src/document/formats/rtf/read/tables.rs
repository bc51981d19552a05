//! Adds tables to the tree while their text is being read. Their shapes are known from a first pass over the file. A nested
//! table is among the paragraphs of its cell; each paragraph states its nesting depth itself (`\itap`). Computes no shapes.

use super::{
    reader::Reader,
    shapes::{self, Row},
    story::OpenTable,
};
use crate::{
    document::tree::{Builder, CellShape, Node, Part},
    error::Result,
};

impl Reader<'_> {
    /// The number of tables around the current paragraph.
    pub(super) fn depth(&mut self) -> usize {
        let state = self.state();
        shapes::depth(state.in_table, state.depth)
    }

    /// Begins a paragraph: opens the cell that it is in, or ends the tables that it is not in.
    pub(super) fn enter_table(&mut self, build: &mut Builder<'_>) -> Result<()> {
        let depth = self.depth();
        self.close_tables(build, depth)?;
        self.open_cells(build, depth)
    }

    /// Opens tables, with a cell each, until this many are open.
    fn open_cells(&mut self, build: &mut Builder<'_>, depth: usize) -> Result<()> {
        for at in 0..depth {
            self.open_cell(build, at)?;
        }
        Ok(())
    }

    /// The shape of the current row of the table at this depth.
    fn shape(&self, depth: usize) -> Option<&Row> {
        self.rows[depth].get(self.row[depth])
    }

    fn open_cell(&mut self, build: &mut Builder<'_>, depth: usize) -> Result<()> {
        let table = self.story().tables.get(depth).copied();
        if table.is_some_and(|table| table.cell) {
            return Ok(());
        }
        if table.is_none() {
            let story = self.story();
            story.flow.block(build, false)?;
            build.open(Node::Table {
                columns: Vec::new(),
                width: None,
                alignment: None,
            })?;
            story.tables.push(OpenTable::default());
        }
        if !table.is_some_and(|table| table.row) {
            self.open_row(build, depth)?;
        }
        let at = self.story().tables[depth].at;
        let row = self.shape(depth);
        let heading = row.is_some_and(|row| row.header);
        let shape = row.and_then(|row| row.cells.get(at)).copied();
        build.open(Node::Cell(CellShape {
            rows: shape.map_or(1, |cell| cell.rows.max(1)),
            columns: shape.map_or(1, |cell| cell.columns.max(1)),
            heading,
            ..CellShape::default()
        }))?;
        self.story().tables[depth].cell = true;
        Ok(())
    }

    /// Handles `\cell` or `\nestcell`, which end a paragraph and a cell of the table at this depth.
    pub(super) fn end_cell(&mut self, build: &mut Builder<'_>, depth: usize) -> Result<()> {
        let story = self.story();
        let goes_on = story.tables.len() > depth;
        let blank = story.line.is_blank() && !(goes_on && story.tables[depth].cell);
        let at = story.tables.get(depth).map_or(0, |table| table.at);
        let shape = self.shape(depth).and_then(|row| row.cells.get(at));
        let covered = shape.is_some_and(|cell| cell.rows == 0 || cell.columns == 0);
        if covered && blank && goes_on {
            // A cell that continues the one above or to the left has no content of its own.
            self.story().line.clear();
            self.close_tables(build, depth + 1)?;
            if !self.story().tables[depth].row {
                self.open_row(build, depth)?;
            }
        } else {
            if !blank {
                self.state().in_table = true;
            }
            self.close_tables(build, depth + 1)?;
            self.open_cells(build, depth + 1)?;
            // RTF requires a paragraph after a nested table. If it is empty, it has no other purpose.
            let story = self.story();
            if story.tables[depth].after_table && story.line.is_empty() {
                story.line.clear();
            } else {
                self.finish_paragraph(build)?;
            }
            let story = self.story();
            story.flow.end(build)?;
            build.close()?;
            story.tables[depth].cell = false;
            story.tables[depth].after_table = false;
        }
        self.story().tables[depth].at += 1;
        Ok(())
    }

    fn open_row(&mut self, build: &mut Builder<'_>, depth: usize) -> Result<()> {
        let header = self.shape(depth).is_some_and(|row| row.header);
        let part = if header { Part::Head } else { Part::Body };
        build.open(Node::Row { part, height: None })?;
        let table = &mut self.story().tables[depth];
        table.row = true;
        table.at = 0;
        Ok(())
    }

    /// Handles `\row` or `\nestrow`, which end a row of the table at this depth.
    pub(super) fn end_row(&mut self, build: &mut Builder<'_>, depth: usize) -> Result<()> {
        let last = self.shape(depth).is_some_and(|row| row.last);
        self.row[depth] += 1;
        self.close_tables(build, depth + 1)?;
        if self.story().tables.len() > depth {
            self.close_row(build)?;
            if last {
                self.close_tables(build, depth)?;
            }
        }
        Ok(())
    }

    /// Closes the row of the innermost table.
    fn close_row(&mut self, build: &mut Builder<'_>) -> Result<()> {
        let story = self.story();
        let Some(table) = story.tables.last_mut() else {
            return Ok(());
        };
        table.at = 0;
        if std::mem::take(&mut table.cell) {
            story.flow.end(build)?;
            build.close()?;
        }
        if std::mem::take(&mut table.row) {
            build.close()?;
        }
        Ok(())
    }

    /// Closes the innermost tables until at most `left` are open.
    fn close_tables(&mut self, build: &mut Builder<'_>, left: usize) -> Result<()> {
        while self.story().tables.len() > left {
            self.close_row(build)?;
            let story = self.story();
            story.tables.pop();
            if let Some(around) = story.tables.last_mut() {
                around.after_table = true;
            }
            build.close()?;
        }
        Ok(())
    }

    /// Ends all open tables.
    pub(super) fn leave_table(&mut self, build: &mut Builder<'_>) -> Result<()> {
        self.close_tables(build, 0)
    }
}
