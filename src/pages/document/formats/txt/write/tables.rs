//! Writes tables as plain text: aligned columns, with the header underlined. Draws no borders.

use super::Writer;
use crate::{
    document::lines::{filled, width},
    error::Result,
};
use convertd_tree::{Alignment, Block, Column, Row, Slot, Table};

/// Tables with more columns than this are written with a tab between cells, without alignment.
const MAX_COLUMNS: usize = 16;

/// The maximum width of a table column, in characters of normal width. If lines are wrapped, [`fit`] may narrow columns
/// further.
const WIDEST: usize = 60;

/// A table inside this many other tables is written cell below cell. Each level wraps the lines of all levels inside it
/// again, so text and time would grow with the square of the depth. Columns nested so deeply would also be unreadable.
const MAX_NESTED: usize = 3;

/// The number of spaces between two columns.
const GAP: usize = 2;

/// The text of each cell of a row, by column.
type Texts = Vec<String>;

impl Writer<'_> {
    /// Writes a table with columns side by side. The cells of a table with more than [`MAX_COLUMNS`] columns are
    /// separated by tabs, and those of a deeply nested table are written one below another.
    pub(super) fn table(&mut self, table: &Table) -> Result<()> {
        self.blocks(&table.caption, false)?;
        if self.tables == MAX_NESTED {
            let mut cells = table.rows().flat_map(|row| &row.cells);
            return cells.try_for_each(|cell| self.blocks(&cell.blocks, true));
        }
        self.lines.begin()?;
        if table.columns.len() > MAX_COLUMNS {
            for row in table.rows() {
                let cells: Result<Vec<String>> = row
                    .cells
                    .iter()
                    .map(|cell| self.cell(&cell.blocks))
                    .collect();
                let line = cells?.join("\t").replace('\n', " ");
                self.line(&line)?;
            }
            self.lines.apart = true;
            return Ok(());
        }
        let mut widths = vec![0; table.columns.len()];
        let head = self.texts(table, &table.head, &mut widths)?;
        let body = self.texts(table, &table.body, &mut widths)?;
        let foot = self.texts(table, &table.foot, &mut widths)?;
        let line_width = self.lines.room().unwrap_or(usize::MAX);
        fit(&mut widths, line_width);
        for row in &head {
            self.row(row, &widths, &table.columns)?;
        }
        if !head.is_empty() {
            let dashes: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
            self.line(&dashes.join(&" ".repeat(GAP)))?;
        }
        for row in body.iter().chain(&foot) {
            self.row(row, &widths, &table.columns)?;
        }
        self.lines.apart = true;
        Ok(())
    }

    fn cell(&mut self, blocks: &[Block]) -> Result<String> {
        if let [Block::Paragraph(paragraph)] = blocks {
            return Ok(self.inlines(&paragraph.content));
        }
        let mut cell = Writer::new(self.job, self.document, None, None);
        cell.tables = self.tables + 1;
        cell.referred = std::mem::take(&mut self.referred);
        cell.order = std::mem::take(&mut self.order);
        cell.losses = std::mem::take(&mut self.losses);
        cell.blocks(blocks, true)?;
        self.referred = cell.referred;
        self.order = cell.order;
        self.losses = cell.losses;
        Ok(cell.lines.out.trim_end().to_owned())
    }

    fn texts(&mut self, table: &Table, rows: &[Row], widths: &mut [usize]) -> Result<Vec<Texts>> {
        let mut all = Vec::with_capacity(rows.len());
        for (_, places) in table.grid(rows) {
            let mut texts = Texts::new();
            for place in places {
                if let Slot::Cell { column, cell } = place {
                    let text = self.cell(&cell.blocks)?;
                    texts.resize(column, String::new());
                    if cell.columns == 1 {
                        let widest = text.split('\n').map(width).max().unwrap_or(0);
                        widths[column] = widths[column].max(widest).min(WIDEST);
                    }
                    texts.push(text);
                }
            }
            all.push(texts);
        }
        Ok(all)
    }

    /// Writes a row. Each cell is wrapped to the width of its column, and aligned as the column is.
    fn row(&mut self, texts: &Texts, widths: &[usize], columns: &[Column]) -> Result<()> {
        let cells: Vec<Vec<&str>> = texts
            .iter()
            .zip(widths)
            .map(|(text, wide)| {
                text.split('\n')
                    .flat_map(|line| filled(line, (*wide).max(1), &|_| true))
                    .collect()
            })
            .collect();
        let high = cells.iter().map(Vec::len).max().unwrap_or(0);
        for number in 0..high {
            let mut line = String::new();
            for ((cell, wide), column) in cells.iter().zip(widths).zip(columns) {
                let text = cell.get(number).copied().unwrap_or_default();
                let rest = wide.saturating_sub(width(text));
                let before = match column.alignment {
                    Some(Alignment::End) => rest,
                    Some(Alignment::Centre) => rest / 2,
                    _ => 0,
                };
                line.push_str(&" ".repeat(before));
                line.push_str(text);
                line.push_str(&" ".repeat(rest - before + GAP));
            }
            self.line(&line)?;
        }
        Ok(())
    }
}

/// Narrows the columns, the widest first, until they fit side by side into `room`, but not below four characters on
/// average.
fn fit(widths: &mut [usize], room: usize) {
    let gaps = GAP * widths.len().saturating_sub(1);
    let room = room.saturating_sub(gaps).max(4 * widths.len());
    while widths.iter().sum::<usize>() > room {
        let Some(widest) = widths.iter_mut().max() else {
            return;
        };
        *widest -= 1;
    }
}
