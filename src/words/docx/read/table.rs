//! Reads tables (ECMA-376 part 1, 17.4).
//!
//! A vertically merged cell is stored once per row: it begins with `w:vMerge w:val="restart"`, and the cells below are
//! marked as continuations. The number of rows that it spans is known only at the end of the table, but the tree needs
//! it at the beginning. Therefore a table is read twice, unless it is nested too deeply: first its geometry, and then
//! its content. The module `table_styles` resolves the styles of cells.

use super::{anchor, body::Body, properties::DirectProperties, table_shape::Shape};
use crate::{containers::xml::Reader, error::Result};
use convertd_office::wordprocessing::{Caption, Paragraph, ParagraphRole, losses};
use convertd_tree::{CellShape, Part};

/// Max. depth of nested tables that are read twice. Without a limit, the number of passes over the innermost table
/// would double per level. Merged cells of deeper tables are not joined.
const MAX_SHAPED: usize = 12;

impl<'x> Body<'_, '_, 'x> {
    /// Reads `w:tbl`, which is the innermost open element.
    pub(super) fn table(&mut self) -> Result<()> {
        let mut shape = Shape::default();
        let mut caption = self.story.take_caption();
        if self.context.tables < MAX_SHAPED {
            let mut ahead = self.xml.clone();
            shape = self.context.table_shape(&mut ahead)?;
            if caption.is_none() {
                caption = self.caption_below(ahead)?;
                self.skipped = usize::from(caption.is_some());
            }
        }
        let columns = std::mem::take(&mut shape.columns);
        let frame = shape.frame.take();
        let is_floating = frame.is_some();
        if let Some(mut frame) = frame {
            frame.width = anchor::width(shape.width, &columns);
            self.story.open_frame(Box::new(frame))?;
        }
        self.story
            .open_table(columns, shape.width, shape.alignment, caption)?;
        self.story.build.place_table(shape.indent, shape.fixed);
        if shape.backwards {
            self.story.build.turn_table();
        }
        if !shape.repeats_head {
            self.story.build.keep_head_once();
        }
        self.context.tables += 1;
        let skipped = std::mem::take(&mut self.skipped);
        self.rows(&shape, &mut 0)?;
        self.skipped = skipped;
        self.context.tables -= 1;
        self.story.close_table()?;
        match is_floating {
            true => self.story.close_text(),
            false => Ok(()),
        }
    }

    /// Reads the caption below a table, if there is one: a paragraph with the style of captions. `ahead` is after the
    /// end of the table.
    fn caption_below(&mut self, mut ahead: Reader<'x>) -> Result<Option<Caption>> {
        let level = ahead.level();
        let Some(next) = ahead.next_element(level)? else {
            return Ok(None);
        };
        if next.space != "w" || next.name != "p" {
            return Ok(None);
        }
        let mut properties = ahead.clone();
        let named = match properties.next_element(level + 1)? {
            Some(first) if first.name == "pPr" => DirectProperties::read(&mut properties)?,
            _ => return Ok(None),
        };
        let id = named.paragraph.style.as_deref();
        let role = self.context.styles.paragraph(id).role;
        if role != ParagraphRole::Caption || named.section.is_some() {
            return Ok(None);
        }
        // A caption directly above another table belongs to that table.
        let mut following = ahead.clone();
        if let Some(after) = following.next_element(level)?
            && after.name == "tbl"
        {
            return Ok(None);
        }
        self.story.open_caption();
        self.open_paragraph(id);
        let around = std::mem::replace(&mut self.xml, ahead);
        self.inlines()?;
        self.xml = around;
        self.boxes.clear();
        self.story.close_caption(&Paragraph::default()).map(Some)
    }

    /// Reads the rows of a table whose geometry is known. Rows that a tracked change deleted are left out.
    fn rows(&mut self, shape: &Shape, number: &mut usize) -> Result<()> {
        let level = self.xml.level();
        while let Some(element) = self.xml.next_element(level)? {
            match (element.space, element.name) {
                ("w", "tr") => {
                    let row = shape.rows.get(*number);
                    if row.is_some_and(|row| row.deleted) {
                        self.story.build.lost(&losses::CHANGES);
                    } else {
                        let part = if *number < shape.head {
                            Part::Head
                        } else {
                            Part::Body
                        };
                        self.story.open_row(part, row.and_then(|row| row.height))?;
                        // Columns that the row skips at its beginning get an empty cell.
                        let before = shape.grid.get(*number).map_or(0, |row| row.before);
                        if before > 0 {
                            self.story.open_cell(CellShape {
                                columns: before,
                                ..CellShape::default()
                            })?;
                            self.story.close_text()?;
                        }
                        self.cells(shape, *number, &mut 0)?;
                        self.story.close_row()?;
                        if row.is_some_and(|row| row.exact) {
                            self.story.build.set_exact_row(part);
                        }
                    }
                    *number += 1;
                }
                ("w", "sdt" | "sdtContent" | "customXml" | "ins") => self.rows(shape, number)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Reads the cells of a row. Cells that a vertical merge covers are skipped.
    fn cells(&mut self, shape: &Shape, row: usize, number: &mut usize) -> Result<()> {
        let level = self.xml.level();
        while let Some(element) = self.xml.next_element(level)? {
            match (element.space, element.name) {
                ("w", "tc") => {
                    let at = *number;
                    *number += 1;
                    let cell = shape.rows.get(row).and_then(|row| row.cells.get(at));
                    let grid = shape.grid.get(row).and_then(|row| row.cells.get(at));
                    let place = grid.copied().unwrap_or_default();
                    if place.is_covered() {
                        continue;
                    }
                    let style = match shape.cell_style(row, at) {
                        Some(style) => self.story.build.cell_style(style)?,
                        None => Default::default(),
                    };
                    self.story.open_cell(CellShape {
                        alignment: cell.and_then(|cell| cell.alignment),
                        style,
                        ..place.shape(row < shape.head)
                    })?;
                    let around = self.context.styles.enter_cell(shape.cell_text(row, at));
                    self.blocks()?;
                    self.context.styles.leave_cell(around);
                    self.story.close_text()?;
                }
                ("w", "sdt" | "sdtContent" | "customXml" | "ins") => {
                    self.cells(shape, row, number)?;
                }
                _ => {}
            }
        }
        Ok(())
    }
}
