//! Reads tables. The module `iwork` of `convertd_office` finds their rows and cells; here each cell becomes a text.

use super::body::Body;
use crate::error::Result;
use convertd_office::{
    iwork::{Spans, Table, Value},
    wordprocessing::Paragraph,
};
use convertd_tree::{CellShape, Column, Length, MAX_COLUMNS, Part, Width, losses::Loss};
use std::collections::HashMap;

/// Limit on the number of rows.
const MAX_ROWS: u32 = 100_000;

/// Limit on the number of cells of a table, missing cells included.
const MAX_CELLS: u64 = 1_000_000;

static UNREAD: Loss = Loss {
    one: "A cell could not be read.",
    many: "{} cells could not be read.",
};

static FORMATS: Loss = Loss {
    one: "A number in a cell was written without its format.",
    many: "{} numbers in cells were written without their formats.",
};

impl Body<'_, '_> {
    /// Reads the table of the object with this number.
    pub(super) fn table(&mut self, number: u64) -> Result<()> {
        let Some(table) = Table::open(self.job, self.objects, number, MAX_ROWS)? else {
            return Ok(());
        };
        let width = table.width().min(MAX_COLUMNS as u64) as u32;
        let height = table.height().min(MAX_ROWS.into());
        let height = height.min(MAX_CELLS / u64::from(width.max(1))) as u32;
        if width == 0 || height == 0 {
            return Ok(());
        }
        let columns = table
            .widths(width as usize)
            .into_iter()
            .map(|points| Column {
                alignment: None,
                width: (points > 0.0).then(|| Width::Fixed(Length::points(points))),
            });
        let spans = Spans::read(&table, width, height)?;
        self.story.open_table(columns.collect(), None, None, None)?;
        let mut rows = table.rows().peekable();
        let mut cells = HashMap::new();
        for row in 0..height {
            self.job.check()?;
            cells.clear();
            if let Some((_, info)) = rows.next_if(|(own, _)| *own == row) {
                cells.extend(table.cells(info, width));
            }
            let is_head = u64::from(row) < table.header_rows();
            let part = if is_head { Part::Head } else { Part::Body };
            self.story.open_row(part, None)?;
            for column in 0..width {
                let Some((rows, columns)) = spans.at(row, column) else {
                    continue;
                };
                self.story.open_cell(CellShape {
                    rows,
                    columns,
                    heading: is_head || u64::from(column) < table.header_columns(),
                    ..CellShape::default()
                })?;
                if let Some(value) = cells.get(&column) {
                    self.value(*value)?;
                }
                self.story.close_text()?;
            }
            self.story.close_row()?;
        }
        self.story.close_table()
    }

    /// Adds the value of a cell. Its lines become paragraphs.
    fn value(&mut self, value: Value<'_>) -> Result<()> {
        match value {
            Value::Rich(number) => return self.text(number),
            Value::Number(_) => self.story.build.lost(&FORMATS),
            Value::Damaged => self.story.build.lost(&UNREAD),
            Value::Boolean(_) | Value::Moment(_) | Value::Error | Value::Text(_) => {}
        }
        let mut buffer = String::new();
        let text = value.text(&mut buffer);
        for line in text.split(['\n', '\r', '\u{2029}']) {
            self.story.open_paragraph(Default::default());
            for (nth, part) in line.split('\u{2028}').enumerate() {
                if nth > 0 {
                    self.story.line_break()?;
                }
                self.story.text(part)?;
            }
            self.story.close_paragraph(Paragraph::default())?;
        }
        Ok(())
    }
}
