//! Reads tables (part 3, 9). Repeated columns, rows and cells are stored once with a repeat count, which is limited here.
//! Resolves no styles.

use super::{
    context::{Context, Story},
    styles::Family,
};
use crate::{
    containers::xml::{Element, Reader},
    document::{
        office::{Line, ParagraphRole},
        tree::{
            Alignment, Builder, CellShape, CellStyle, Column, MAX_COLUMNS, Node, ParagraphStyleId,
            Part, Width,
        },
    },
    error::Result,
};

/// How many nested tables are examined for the alignment of their cells beforehand. The innermost one would otherwise be
/// read twice per level, which is exponential.
const MAX_SHAPED: usize = 12;

/// The limit on repetitions of a row. Spreadsheets repeat an empty row up to the end of the sheet.
const MAX_REPEATED: usize = 100;

impl Context<'_> {
    /// Reads `table:table`, which is the innermost open element.
    pub(super) fn table<'x>(
        &mut self,
        build: &mut Builder<'_>,
        xml: &mut Reader<'x>,
        element: &Element<'x>,
        story: &mut Story<'x>,
    ) -> Result<()> {
        let name = element.attribute("style-name");
        let style = self.styles.table(Family::Table, name.as_deref());
        let mut columns = Vec::new();
        let mut caption = story.flow.take_caption();
        if self.tables < MAX_SHAPED {
            let mut ahead = xml.clone();
            self.columns(&mut ahead, &mut columns)?;
            if caption.is_none() {
                caption = self.caption_below(build, &mut ahead)?;
                story.skipped = usize::from(caption.is_some());
            }
        }
        story.flow.block(build, false)?;
        if std::mem::take(&mut story.page_break) || (style.page_break && story.main) {
            build.page_break()?;
        }
        build.open(Node::Table {
            columns: share_out(columns),
            width: style.width,
            alignment: style.alignment,
        })?;
        if let Some((style, mut line)) = caption {
            build.open(Node::Caption)?;
            line.write(build, |build| build.open(Node::Paragraph(style)))?;
            build.close()?;
        }
        self.tables += 1;
        let read = self.rows(build, xml, Part::Body);
        self.tables -= 1;
        read?;
        build.close()
    }

    /// The caption below a table, if there is one. `xml` has just passed the table's end.
    fn caption_below<'x>(
        &mut self,
        build: &mut Builder<'_>,
        xml: &mut Reader<'x>,
    ) -> Result<Option<(ParagraphStyleId, Line)>> {
        let level = xml.level();
        let Some(next) = xml.next_element(level)? else {
            return Ok(None);
        };
        if !(next.space == "text" && next.name == "p") {
            return Ok(None);
        }
        let style = self
            .styles
            .paragraph(next.attribute("style-name").as_deref());
        if style.role != ParagraphRole::Caption {
            return Ok(None);
        }
        // A caption directly above another table belongs to that table.
        if let Some(after) = xml.clone().next_element(level)?
            && after.name == "table"
        {
            return Ok(None);
        }
        let mut story = Story::new();
        self.inlines(build, xml, &mut story, &style, &Default::default())?;
        let look = build.paragraph_style(self.styles.look(&style, false))?;
        Ok(Some((look, story.line)))
    }

    /// Reads the columns of the table.
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
                    let style = self.styles.table(Family::Column, name.as_deref());
                    let column = Column {
                        alignment: None,
                        width: style.width,
                    };
                    let times = repeated(&element, "number-columns-repeated", MAX_COLUMNS);
                    let room = MAX_COLUMNS - columns.len();
                    columns.extend(std::iter::repeat_n((column, style.parts), times.min(room)));
                }
                ("table", "table-columns" | "table-header-columns" | "table-column-group") => {
                    self.columns(xml, columns)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn rows(&mut self, build: &mut Builder<'_>, xml: &mut Reader<'_>, part: Part) -> Result<()> {
        let level = xml.level();
        while let Some(element) = xml.next_element(level)? {
            match (element.space, element.name) {
                ("table", "table-header-rows") => self.rows(build, xml, Part::Head)?,
                ("table", "table-rows" | "table-row-group") => self.rows(build, xml, part)?,
                ("table", "table-row") => {
                    let name = element.attribute("style-name");
                    let style = self.styles.table(Family::Row, name.as_deref());
                    let times = repeated(&element, "number-rows-repeated", MAX_REPEATED);
                    for number in 1..=times {
                        build.open(Node::Row {
                            part,
                            height: style.height,
                        })?;
                        // The last repetition is read from the original reader, and only earlier ones from a copy. Nested
                        // tables would otherwise be read many times.
                        if number < times {
                            self.cells(build, &mut xml.clone(), part)?;
                        } else {
                            self.cells(build, xml, part)?;
                        }
                        build.close()?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn cells(&mut self, build: &mut Builder<'_>, xml: &mut Reader<'_>, part: Part) -> Result<()> {
        let level = xml.level();
        while let Some(element) = xml.next_element(level)? {
            if !(element.space == "table" && element.name == "table-cell") {
                continue;
            }
            let name = element.attribute("style-name");
            let look = self.styles.table(Family::Cell, name.as_deref()).cell;
            let style = if look == CellStyle::default() {
                Default::default()
            } else {
                build.cell_style(look)?
            };
            let alignment = if self.tables < MAX_SHAPED {
                self.alignment(&mut xml.clone())?
            } else {
                None
            };
            let span = |name| repeated(&element, name, u16::MAX.into()) as u16;
            let times = repeated(&element, "number-columns-repeated", MAX_COLUMNS);
            for number in 1..=times {
                build.open(Node::Cell(CellShape {
                    rows: span("number-rows-spanned"),
                    columns: span("number-columns-spanned"),
                    heading: part == Part::Head,
                    alignment,
                    style,
                }))?;
                if number < times {
                    self.story(build, &mut xml.clone(), Story::new())?;
                } else {
                    self.story(build, xml, Story::new())?;
                }
                build.close()?;
            }
        }
        Ok(())
    }

    /// The alignment of a cell, if all its paragraphs have the same.
    fn alignment(&mut self, xml: &mut Reader<'_>) -> Result<Option<Alignment>> {
        let level = xml.level();
        let mut all = None;
        while let Some(element) = xml.next_element(level)? {
            if !(element.space == "text" && matches!(element.name, "p" | "h")) {
                continue;
            }
            let style = self
                .styles
                .paragraph(element.attribute("style-name").as_deref());
            let own = style.all.properties.alignment;
            if *all.get_or_insert(own) != own {
                return Ok(None);
            }
        }
        Ok(all.flatten())
    }
}

/// A repeat count or span, at least 1.
fn repeated(element: &Element<'_>, name: &str, most: usize) -> usize {
    let times = element.attribute(name).and_then(|times| times.parse().ok());
    times.unwrap_or(1_usize).clamp(1, most)
}

/// Gives each column without an absolute width its share of the table.
fn share_out(columns: Vec<(Column, Option<f32>)>) -> Vec<Column> {
    let all: f32 = columns.iter().filter_map(|(_, parts)| *parts).sum();
    let given = |column: (Column, Option<f32>)| {
        let (mut column, parts) = column;
        if let (None, Some(parts)) = (column.width, parts) {
            column.width = Some(Width::Share(parts / all));
        }
        column
    };
    columns.into_iter().map(given).collect()
}
