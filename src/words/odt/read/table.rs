//! Reads tables (OpenDocument 1.3, part 3, 9). Repeated columns, rows and cells are stored once with a repeat count,
//! which is limited here. Resolves no styles.

use super::{body::Body, styles::Family};
use crate::{
    containers::xml::{Element, Reader},
    error::Result,
};
use convertd_office::wordprocessing::{Caption, Paragraph, ParagraphRole, Within};
use convertd_tree::{Alignment, CellShape, CellStyle, Column, MAX_COLUMNS, Part, Width};

/// Max. depth of nested tables that are examined for their columns, their caption and the alignment of their cells
/// before they are read. Without a limit, the number of passes over the innermost table would double per level.
const MAX_SHAPED: usize = 12;

/// Max. number of repetitions of a row. Spreadsheets repeat an empty row up to the end of the sheet.
const MAX_REPEATED: usize = 100;

impl<'x> Body<'_, '_, 'x> {
    /// Reads `table:table`, which is the innermost open element.
    pub(super) fn table(&mut self, element: &Element<'x>) -> Result<()> {
        let name = element.attribute("style-name");
        let style = self.context.styles.table(Family::Table, name.as_deref());
        let mut columns = Vec::new();
        let mut caption = self.story.take_caption();
        if self.context.tables < MAX_SHAPED {
            let mut ahead = self.xml.clone();
            self.columns(&mut ahead, &mut columns)?;
            if caption.is_none() {
                caption = self.caption_below(ahead)?;
                self.state.skipped = usize::from(caption.is_some());
            }
        }
        if self.story.within() == Within::Main
            && (std::mem::take(&mut self.page_break) || style.page_break == Some(true))
        {
            self.story.break_page()?;
        }
        let columns = share_out(columns);
        self.story
            .open_table(columns, style.width, style.alignment, caption)?;
        let backwards = style.backwards == Some(true);
        if backwards {
            self.story.build.turn_table();
        }
        self.context.tables += 1;
        let outer = std::mem::replace(&mut self.state.backwards, backwards);
        let read = self.rows(Part::Body);
        self.state.backwards = outer;
        self.context.tables -= 1;
        read?;
        self.story.close_table()
    }

    /// Reads the caption below a table, if there is one: a paragraph with the style of captions. `ahead` is a reader
    /// at the position after the table.
    fn caption_below(&mut self, mut ahead: Reader<'x>) -> Result<Option<Caption>> {
        let level = ahead.level();
        let Some(next) = ahead.next_element(level)? else {
            return Ok(None);
        };
        if !(next.space == "text" && next.name == "p") {
            return Ok(None);
        }
        let name = next.attribute("style-name");
        let formatting = self.context.styles.paragraph(name.as_deref());
        if formatting.style.role != ParagraphRole::Caption {
            return Ok(None);
        }
        // A caption directly above another table belongs to that table.
        if let Some(after) = ahead.clone().next_element(level)?
            && after.name == "table"
        {
            return Ok(None);
        }
        self.caption(name.as_deref(), ahead).map(Some)
    }

    /// Reads a paragraph, which is the innermost open element of `xml`, as a caption.
    pub(super) fn caption(&mut self, style: Option<&str>, xml: Reader<'x>) -> Result<Caption> {
        let around = std::mem::replace(&mut self.xml, xml);
        let state = std::mem::take(&mut self.state);
        self.story.open_caption();
        let formatting = self.open_paragraph(style);
        self.space = true;
        self.inlines()?;
        self.xml = around;
        self.state = state;
        self.story.close_caption(&Paragraph {
            own: formatting.direct.clone(),
            ..Paragraph::default()
        })
    }

    /// Reads the columns of the table, with their relative widths.
    fn columns(
        &mut self,
        xml: &mut Reader<'_>,
        columns: &mut Vec<(Column, Option<f32>)>,
    ) -> Result<()> {
        let level = xml.level();
        while let Some(element) = xml.next_element(level)? {
            match (element.space, element.name) {
                ("table", "table-column") => {
                    let name = element.attribute("style-name");
                    let style = self.context.styles.table(Family::Column, name.as_deref());
                    let column = Column {
                        alignment: None,
                        width: style.width,
                    };
                    let times = repeated(&element, "number-columns-repeated", MAX_COLUMNS);
                    let remaining = MAX_COLUMNS - columns.len();
                    columns.extend(std::iter::repeat_n(
                        (column, style.parts),
                        times.min(remaining),
                    ));
                }
                ("table", "table-columns" | "table-header-columns" | "table-column-group") => {
                    self.columns(xml, columns)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Reads rows. Header rows and groups of rows are in elements of their own.
    fn rows(&mut self, part: Part) -> Result<()> {
        let level = self.xml.level();
        while let Some(element) = self.xml.next_element(level)? {
            match (element.space, element.name) {
                ("table", "table-header-rows") => self.rows(Part::Head)?,
                ("table", "table-rows" | "table-row-group") => self.rows(part)?,
                ("table", "table-row") => {
                    let name = element.attribute("style-name");
                    let style = self.context.styles.table(Family::Row, name.as_deref());
                    let times = repeated(&element, "number-rows-repeated", MAX_REPEATED);
                    self.repeat(times, |body| {
                        body.story.open_row(part, style.height)?;
                        body.cells(part)?;
                        body.story.close_row()?;
                        if style.exact {
                            body.story.build.set_exact_row(part);
                        }
                        Ok(())
                    })?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Calls `read` this many times for the innermost open element. The last pass consumes the element. Earlier
    /// passes restore the position of the reader.
    fn repeat(
        &mut self,
        times: usize,
        mut read: impl FnMut(&mut Self) -> Result<()>,
    ) -> Result<()> {
        for _ in 1..times {
            let before = self.xml.clone();
            read(self)?;
            self.xml = before;
        }
        read(self)
    }

    /// Reads the cells of a row. Covered cells are skipped, because the spans of other cells imply them.
    fn cells(&mut self, part: Part) -> Result<()> {
        let level = self.xml.level();
        while let Some(element) = self.xml.next_element(level)? {
            if !(element.space == "table" && element.name == "table-cell") {
                continue;
            }
            let name = element.attribute("style-name");
            let look = self.context.styles.table(Family::Cell, name.as_deref());
            let mut cell = look.cell;
            if self.state.backwards {
                // The file states the left and right side of the page; the tree states the start and end of the row.
                std::mem::swap(&mut cell.borders.start, &mut cell.borders.end);
                if let Some(end) = cell.padding_end {
                    cell.padding_end = cell.padding.replace(end);
                }
            }
            let style = match cell == CellStyle::default() {
                true => Default::default(),
                false => self.story.build.cell_style(cell)?,
            };
            let alignment = if self.context.tables < MAX_SHAPED {
                self.alignment(&mut self.xml.clone())?
            } else {
                None
            };
            let span = |name| repeated(&element, name, u16::MAX.into()) as u16;
            let shape = CellShape {
                rows: span("number-rows-spanned"),
                columns: span("number-columns-spanned"),
                heading: part == Part::Head,
                alignment,
                style,
            };
            let times = repeated(&element, "number-columns-repeated", MAX_COLUMNS);
            self.repeat(times, |body| {
                body.story.open_cell(shape)?;
                body.text(None)?;
                body.story.close_text()
            })?;
        }
        Ok(())
    }

    /// Alignment of a cell, if all of its paragraphs have the same alignment.
    fn alignment(&mut self, xml: &mut Reader<'_>) -> Result<Option<Alignment>> {
        let level = xml.level();
        let mut all = None;
        while let Some(element) = xml.next_element(level)? {
            if !(element.space == "text" && matches!(element.name, "p" | "h")) {
                continue;
            }
            let name = element.attribute("style-name");
            let own = self.context.styles.paragraph(name.as_deref()).alignment();
            if *all.get_or_insert(own) != own {
                return Ok(None);
            }
        }
        Ok(all.flatten())
    }
}

/// Repeat count or span, from 1 to `most`.
fn repeated(element: &Element<'_>, name: &str, most: usize) -> usize {
    let times = element.attribute(name).and_then(|times| times.parse().ok());
    times.unwrap_or(1_usize).clamp(1, most)
}

/// Converts the relative widths of columns without an absolute width to shares of the table.
fn share_out(columns: Vec<(Column, Option<f32>)>) -> Vec<Column> {
    let all: f32 = columns.iter().filter_map(|(_, parts)| *parts).sum();
    let with_share = |column: (Column, Option<f32>)| {
        let (mut column, parts) = column;
        if let (None, Some(parts)) = (column.width, parts) {
            column.width = Some(Width::Share(parts / all));
        }
        column
    };
    columns.into_iter().map(with_share).collect()
}
