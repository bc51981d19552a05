//! Writes simple tables with the pipe syntax, in which a cell is a single line, and other tables as HTML. A table that
//! only arranges the page is replaced by the content of its cells.

use super::{LAYOUTS, Writer};
use crate::{document::lines::width, error::Result};
use convertd_tree::{Alignment, Block, Cell, Row, Slot, Table};

/// The width, in characters, up to which columns are padded.
const WIDEST: usize = 40;

impl Writer<'_> {
    /// Writes a table: as a pipe table if its cells are plain, otherwise as HTML. A layout table is replaced by the
    /// content of its cells.
    pub(super) fn table(&mut self, table: &Table, block: &Block) -> Result<()> {
        if is_layout(table) {
            self.losses.add(&LAYOUTS);
            self.blocks(&table.caption, false)?;
            for cell in table.rows().flat_map(|row| &row.cells) {
                self.blocks(&cell.blocks, false)?;
            }
            return Ok(());
        }
        if !is_plain(table) {
            return self.html(block);
        }
        self.blocks(&table.caption, false)?;
        self.lines.begin()?;
        let columns = table.columns.len();
        let mut rows = Vec::new();
        let (head, body) = match table.head.split_first() {
            Some((first, rest)) => (Some(first), rest),
            None => (None, [].as_slice()),
        };
        rows.push(match head {
            Some(row) => self.cells(table, row),
            None => Vec::new(),
        });
        for row in body.iter().chain(&table.body).chain(&table.foot) {
            rows.push(self.cells(table, row));
        }
        // Cells are padded so that the pipes line up, unless a column is too wide or there are too many columns.
        let mut widths = vec![3; columns];
        for (wide, text) in rows.iter().flat_map(|row| row.iter().enumerate()) {
            widths[wide] = widths[wide].max(width(text).min(WIDEST));
        }
        if columns > 16 {
            widths.fill(3);
        }
        for (number, row) in rows.iter().enumerate() {
            let mut line = String::from("|");
            for (column, wide) in widths.iter().enumerate() {
                let text = row.get(column).map(String::as_str).unwrap_or_default();
                let rest = wide.saturating_sub(width(text));
                line.push(' ');
                line.push_str(text);
                line.push_str(&" ".repeat(rest));
                line.push_str(" |");
            }
            self.lines.line(&line)?;
            if number == 0 {
                let mut line = String::from("|");
                for (column, wide) in table.columns.iter().zip(&widths) {
                    let dashes = "-".repeat(*wide);
                    line.push_str(&match column.alignment {
                        Some(Alignment::Start) => format!(":{dashes}-|"),
                        Some(Alignment::Centre) => format!(":{dashes}:|"),
                        Some(Alignment::End) => format!("-{dashes}:|"),
                        Some(Alignment::Justify) | None => format!("-{dashes}-|"),
                    });
                }
                self.lines.line(&line)?;
            }
        }
        self.lines.apart = true;
        Ok(())
    }

    fn cells(&mut self, table: &Table, row: &Row) -> Vec<String> {
        let mut texts = Vec::with_capacity(row.cells.len());
        for (_, places) in table.grid(std::slice::from_ref(row)) {
            for place in places {
                if let Slot::Cell { cell, .. } = place {
                    texts.push(self.cell(cell));
                }
            }
        }
        texts
    }

    fn cell(&mut self, cell: &Cell) -> String {
        match cell.blocks.as_slice() {
            [Block::Paragraph(paragraph)] => {
                let text = self.inlines(&paragraph.content);
                // In running text, pipes have been escaped already. In tables they have to be escaped in code and URLs
                // too.
                bars(text.replace("\\\n", "<br>").replace('\n', " ").trim())
            }
            _ => String::new(),
        }
    }
}

fn bars(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = None;
    for c in text.chars() {
        if c == '|' && before != Some('\\') {
            out.push('\\');
        }
        out.push(c);
        before = Some(c);
    }
    out
}

/// Returns whether a table is used for the layout of a page. This is assumed in three cases: it contains headings or
/// other tables; it is a single column that the pipe syntax cannot express; or it is a single row of several cells,
/// without a caption and without header cells.
fn is_layout(table: &Table) -> bool {
    let mut rows = table.rows();
    let only = rows.next().filter(|_| rows.next().is_none());
    let is_row = |row: &Row| row.cells.len() > 1 && !row.cells.iter().any(|cell| cell.heading);
    if table.head.is_empty() && table.caption.is_empty() && only.is_some_and(is_row) {
        return true;
    }
    let part = |block: &Block| matches!(block, Block::Table(_) | Block::Heading(_));
    let mut cells = table.rows().flat_map(|row| &row.cells);
    cells.any(|cell| cell.blocks.iter().any(part)) || table.columns.len() == 1 && !is_plain(table)
}

/// Returns whether the pipe syntax can express a table: every cell is empty or a single paragraph, no cell spans rows
/// or columns, and there is at most one header row.
fn is_plain(table: &Table) -> bool {
    let plain = |cell: &Cell| {
        let line = matches!(cell.blocks.as_slice(), [] | [Block::Paragraph(_)]);
        cell.rows == 1 && cell.columns == 1 && line
    };
    table.head.len() <= 1 && table.rows().flat_map(|row| &row.cells).all(plain)
}
