//! Reads tables (ECMA-376 part 1, 17.4).
//!
//! A vertically merged cell is stored once per row: it starts with `w:vMerge w:val="restart"`, and the cells below are
//! marked as its continuation. The number of rows that it spans is known only at the end of the table, but the tree needs it
//! at the beginning. Every table is therefore read twice, first for its shape and then for its content. Cell styles are
//! resolved elsewhere.

use super::{
    context::{Context, Story},
    properties::DirectProperties,
    table_shape::Shape,
};
use crate::{
    containers::xml::Reader,
    document::{
        office::{Line, ParagraphRole, losses},
        tree::{Builder, CellShape, Node, ParagraphStyleId, Part},
    },
    error::Result,
};

/// How many nested tables are read twice. The innermost table would otherwise be read twice per level, which is exponential;
/// below this depth, merged cells are not joined.
const MAX_SHAPED: usize = 12;

impl Context<'_> {
    /// Reads `w:tbl`, which is the innermost open element.
    pub(super) fn table<'x>(
        &mut self,
        build: &mut Builder<'_>,
        xml: &mut Reader<'x>,
        story: &mut Story<'x>,
    ) -> Result<()> {
        let mut shape = Shape::default();
        let mut caption = story.flow.take_caption();
        if self.tables < MAX_SHAPED {
            let mut ahead = xml.clone();
            shape = self.table_shape(&mut ahead)?;
            if caption.is_none() {
                caption = self.caption_below(build, &mut ahead)?;
                story.skipped = usize::from(caption.is_some());
            }
        }
        story.flow.block(build, false)?;
        build.open(Node::Table {
            columns: std::mem::take(&mut shape.columns),
            width: shape.width,
            alignment: shape.alignment,
        })?;
        if let Some((style, mut line)) = caption {
            build.open(Node::Caption)?;
            line.write(build, |build| build.open(Node::Paragraph(style)))?;
            build.close()?;
        }
        self.tables += 1;
        let mut row = 0;
        self.rows(build, xml, &shape, &mut row)?;
        self.tables -= 1;
        build.close()
    }

    /// Reads the caption below a table, if there is one. `xml` has just passed the table's end.
    fn caption_below<'x>(
        &mut self,
        build: &mut Builder<'_>,
        xml: &mut Reader<'x>,
    ) -> Result<Option<(ParagraphStyleId, Line)>> {
        let level = xml.level();
        let Some(next) = xml.next_element(level)? else {
            return Ok(None);
        };
        if next.space != "w" || next.name != "p" {
            return Ok(None);
        }
        let mut ahead = xml.clone();
        let named = match ahead.next_element(level + 1)? {
            Some(first) if first.name == "pPr" => DirectProperties::read(&mut ahead)?,
            _ => return Ok(None),
        };
        let style = self.styles.paragraph(named.paragraph.style.as_deref());
        if style.role != ParagraphRole::Caption || named.section.is_some() {
            return Ok(None);
        }
        // A caption directly above another table belongs to that table.
        let mut ahead = xml.clone();
        if let Some(after) = ahead.next_element(level)?
            && after.name == "tbl"
        {
            return Ok(None);
        }
        let mut story = Story::new();
        while let Some(element) = xml.next_element(level + 1)? {
            self.inline(build, xml, &element, &mut story, &style)?;
        }
        let look = self.styles.paragraph_style(&style, &style.paragraph);
        Ok(Some((build.paragraph_style(look)?, story.line)))
    }

    fn rows<'x>(
        &mut self,
        build: &mut Builder<'_>,
        xml: &mut Reader<'x>,
        shape: &Shape,
        number: &mut usize,
    ) -> Result<()> {
        let level = xml.level();
        while let Some(element) = xml.next_element(level)? {
            match (element.space, element.name) {
                ("w", "tr") => {
                    let row = shape.rows.get(*number);
                    if row.is_some_and(|row| row.deleted) {
                        build.lost(&losses::CHANGES);
                    } else {
                        let part = if *number < shape.head {
                            Part::Head
                        } else {
                            Part::Body
                        };
                        let height = row.and_then(|row| row.height);
                        build.open(Node::Row { part, height })?;
                        if let Some(before) = row.map(|row| row.before).filter(|before| *before > 0)
                        {
                            build.open(Node::Cell(CellShape {
                                columns: before as u16,
                                ..CellShape::default()
                            }))?;
                            build.close()?;
                        }
                        self.cells(build, xml, shape, *number, &mut 0)?;
                        build.close()?;
                    }
                    *number += 1;
                }
                ("w", "sdt" | "sdtContent" | "customXml" | "ins") => {
                    self.rows(build, xml, shape, number)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn cells<'x>(
        &mut self,
        build: &mut Builder<'_>,
        xml: &mut Reader<'x>,
        shape: &Shape,
        row: usize,
        number: &mut usize,
    ) -> Result<()> {
        let level = xml.level();
        while let Some(element) = xml.next_element(level)? {
            match (element.space, element.name) {
                ("w", "tc") => {
                    let at = *number;
                    *number += 1;
                    let cell = shape.rows.get(row).and_then(|row| row.cells.get(at));
                    if cell.is_some_and(|cell| cell.rows == 0) {
                        continue;
                    }
                    let style = match shape.cell_style(row, at) {
                        Some(style) => build.cell_style(style)?,
                        None => Default::default(),
                    };
                    build.open(Node::Cell(CellShape {
                        rows: cell.map_or(1, |cell| cell.rows.min(u16::MAX.into()) as u16),
                        columns: cell.map_or(1, |cell| cell.columns as u16),
                        heading: row < shape.head,
                        alignment: cell.and_then(|cell| cell.alignment),
                        style,
                    }))?;
                    self.story(build, xml, Story::new())?;
                    build.close()?;
                }
                ("w", "sdt" | "sdtContent" | "customXml" | "ins") => {
                    self.cells(build, xml, shape, row, number)?;
                }
                _ => {}
            }
        }
        Ok(())
    }
}
