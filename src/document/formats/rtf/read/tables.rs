//! Tables while their text is read. Their shapes are known by then.

use super::reader::Reader;
use crate::{
    document::tree::{Builder, CellShape, Node, Part},
    error::Result,
};

impl Reader<'_> {
    /// A paragraph begins: opens the cell that it stands in, or ends the table that it does not stand in.
    pub(super) fn enter_table(&mut self, build: &mut Builder<'_>) -> Result<()> {
        let inside = self.state().in_table;
        if !inside {
            return self.leave_table(build);
        }
        self.open_cell(build)
    }

    fn open_cell(&mut self, build: &mut Builder<'_>) -> Result<()> {
        let row = self.rows.get(self.row).cloned().unwrap_or_default();
        let story = self.story();
        if story.table.cell {
            return Ok(());
        }
        if !story.table.table {
            story.flow.block(build, false)?;
            build.open(Node::Table {
                columns: Vec::new(),
                width: None,
                alignment: None,
            })?;
            story.table.table = true;
        }
        let part = if row.header { Part::Head } else { Part::Body };
        if !story.table.row {
            build.open(Node::Row { part, height: None })?;
            story.table.row = true;
            story.table.at = 0;
        }
        let shape = row.cells.get(story.table.at);
        build.open(Node::Cell(CellShape {
            rows: shape.map_or(1, |cell| cell.rows.max(1)),
            columns: shape.map_or(1, |cell| cell.columns.max(1)),
            heading: part == Part::Head,
            ..CellShape::default()
        }))?;
        story.table.cell = true;
        Ok(())
    }

    /// `\cell`: the paragraph and the cell end.
    pub(super) fn end_cell(&mut self, build: &mut Builder<'_>) -> Result<()> {
        let at = self.story().table.at;
        let shape = self.rows.get(self.row).and_then(|row| row.cells.get(at));
        let covered = shape.is_some_and(|cell| cell.rows == 0 || cell.columns == 0);
        let story = self.story();
        let blank = story.line.is_blank() && !story.table.cell;
        if covered && blank {
            // One that goes on from above or from the left is not there.
            story.line.clear();
            if !story.table.row && story.table.table {
                self.open_row(build)?;
            }
        } else {
            if !blank || self.story().table.cell {
                self.state().in_table = true;
            }
            self.open_cell(build)?;
            self.finish_paragraph(build)?;
            let story = self.story();
            story.flow.end(build)?;
            build.close()?;
            story.table.cell = false;
        }
        self.story().table.at += 1;
        Ok(())
    }

    fn open_row(&mut self, build: &mut Builder<'_>) -> Result<()> {
        let header = self.rows.get(self.row).is_some_and(|row| row.header);
        let part = if header { Part::Head } else { Part::Body };
        build.open(Node::Row { part, height: None })?;
        let story = self.story();
        story.table.row = true;
        story.table.at = 0;
        Ok(())
    }

    /// `\row`: the row ends.
    pub(super) fn end_row(&mut self, build: &mut Builder<'_>) -> Result<()> {
        let last = self.rows.get(self.row).is_some_and(|row| row.last);
        self.row += 1;
        self.close_row(build)?;
        if last {
            self.close_table(build)?;
        }
        Ok(())
    }

    fn close_row(&mut self, build: &mut Builder<'_>) -> Result<()> {
        let story = self.story();
        if std::mem::take(&mut story.table.cell) {
            story.flow.end(build)?;
            build.close()?;
        }
        if std::mem::take(&mut story.table.row) {
            build.close()?;
        }
        story.table.at = 0;
        Ok(())
    }

    fn close_table(&mut self, build: &mut Builder<'_>) -> Result<()> {
        if std::mem::take(&mut self.story().table.table) {
            build.close()?;
        }
        Ok(())
    }

    /// Ends the table that is open, if there is one.
    pub(super) fn leave_table(&mut self, build: &mut Builder<'_>) -> Result<()> {
        self.close_row(build)?;
        self.close_table(build)
    }
}
