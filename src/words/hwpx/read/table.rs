//! Reads tables. Each cell states the row and column where it begins, and its spans; covered cells are not in the file.
//! Only cells state widths, but the tree needs the widths of the columns first, so a table is read twice: first for its
//! geometry, then for its content.

use super::{
    body::{Anchored, Body},
    lengths::{extent, is_set, number, units},
    objects,
    text::is_letter,
};
use crate::{
    containers::xml::{Element, Reader},
    error::Result,
    job::{Job, Lease},
};
use convertd_office::wordprocessing::{Caption, Paragraph};
use convertd_tree::{
    Alignment, CellShape, CellStyle, Column, Length, MAX_COLUMNS, Part, Turn, VerticalAlignment,
    Width,
};

/// Memory of the geometry of a row, in bytes.
const ROW: u64 = 128;

/// Geometry of a table, from the first pass.
struct Shape<'a, 'x> {
    /// Memory that is reserved for the rows.
    lease: Lease<'a>,
    width: Option<Length>,
    /// Element with the default padding of cells.
    margin: Option<Element<'x>>,
    /// Caption, as a reader at its beginning.
    caption: Option<Reader<'x>>,
    rows: Vec<Row>,
    widths: Vec<Option<Length>>,
    /// Widths of cells that span several columns: first column, number of columns, and width.
    spans: Vec<(usize, usize, Length)>,
}

#[derive(Default)]
struct Row {
    height: Option<Length>,
    is_head: bool,
    alignments: Vec<Option<Alignment>>,
}

impl<'a, 'x> Body<'_, 'a, 'x> {
    /// Reads a `tbl` in a paragraph. A table that is inline, or has no text beside it (`TOP_AND_BOTTOM`), becomes a
    /// block between two parts of the paragraph. Any other table is anchored, and is read after the paragraph.
    pub(super) fn table_in_line(&mut self, element: &Element<'x>) -> Result<()> {
        let mut ahead = self.xml.clone();
        let level = ahead.level();
        let (mut pos, mut size, mut outer) = (None, None, None);
        while let Some(child) = ahead.next_element(level)? {
            match child.name {
                "pos" => pos = Some(child),
                "sz" => size = Some(child),
                "outMargin" => outer = Some(child),
                "tr" => break,
                _ => {}
            }
        }
        let wrap = element.attribute("textWrap").unwrap_or_default();
        let is_in_text_flow = is_letter(pos.as_ref()) || wrap == "TOP_AND_BOTTOM";
        if !is_in_text_flow {
            let frame = objects::frame(element, pos.as_ref(), size.as_ref(), outer.as_ref());
            let frame = convertd_tree::Frame {
                height: convertd_tree::Extent::Content,
                apart: false,
                ..frame
            };
            self.state.anchored.push((
                Anchored::Table(self.xml.clone(), *element),
                Some(Box::new(frame)),
            ));
            self.story.anchor();
            return Ok(());
        }
        let alignment = self.state.look.properties.alignment;
        let alignment = alignment.filter(|side| matches!(side, Alignment::Centre | Alignment::End));
        self.cut()?;
        self.table(element, alignment)?;
        self.continue_paragraph();
        Ok(())
    }

    /// Reads a `tbl`, which is the innermost open element.
    pub(super) fn table(
        &mut self,
        element: &Element<'x>,
        alignment: Option<Alignment>,
    ) -> Result<()> {
        let mut shape = self.table_shape()?;
        let caption = match shape.caption.take() {
            Some(xml) => Some(self.caption(xml)?),
            None => self.story.take_caption(),
        };
        let widths = shape.columns();
        let columns = widths.into_iter().map(|width| Column {
            alignment: None,
            width: width.map(Width::Fixed),
        });
        let columns = columns.collect();
        let width = shape.width.map(Width::Fixed);
        self.story.open_table(columns, width, alignment, caption)?;
        self.story.build.place_table(None, true);
        if !is_set(element, "repeatHeader") {
            self.story.build.keep_head_once();
        }
        let head = shape.rows.iter().take_while(|row| row.is_head).count();
        let level = self.xml.level();
        let mut at = 0;
        while let Some(row) = self.xml.next_element(level)? {
            if row.name != "tr" {
                continue;
            }
            let own = shape.rows.get(at);
            let part = match at < head {
                true => Part::Head,
                false => Part::Body,
            };
            self.story.open_row(part, own.and_then(|own| own.height))?;
            self.cells(&shape, own, part)?;
            self.story.close_row()?;
            at += 1;
        }
        self.story.close_table()
    }

    fn cells(&mut self, shape: &Shape<'_, '_>, row: Option<&Row>, part: Part) -> Result<()> {
        let level = self.xml.level();
        let mut at = 0;
        while let Some(cell) = self.xml.next_element(level)? {
            if cell.name != "tc" {
                continue;
            }
            let found = cell_elements(&mut self.xml)?;
            let style = match self.cell_style(shape, &cell, &found) {
                style if style == CellStyle::default() => Default::default(),
                style => self.story.build.cell_style(style)?,
            };
            let span = |name| {
                let count = found.span.as_ref().and_then(|span| number(span, name));
                count.unwrap_or(1).clamp(1, MAX_COLUMNS as i64) as u16
            };
            self.story.open_cell(CellShape {
                rows: span("rowSpan"),
                columns: span("colSpan"),
                heading: part == Part::Head || is_set(&cell, "header"),
                alignment: row.and_then(|row| row.alignments.get(at).copied().flatten()),
                style,
            })?;
            if let Some(text) = found.text {
                let around = std::mem::replace(&mut self.xml, text);
                self.text()?;
                self.xml = around;
            }
            self.story.close_text()?;
            at += 1;
        }
        Ok(())
    }

    fn cell_style(
        &self,
        shape: &Shape<'_, '_>,
        cell: &Element<'_>,
        found: &CellElements<'_>,
    ) -> CellStyle {
        let id = cell.attribute("borderFillIDRef").unwrap_or_default();
        let fill = self.context.header.border_fill(&id);
        let list = found.list.as_ref();
        let own = |name| {
            list.and_then(|list| list.attribute(name))
                .unwrap_or_default()
        };
        let margin = match is_set(cell, "hasMargin") {
            true => found.margin.as_ref(),
            false => shape.margin.as_ref(),
        };
        let side = |name| {
            margin
                .and_then(|own| number(own, name))
                .filter(|own| *own >= 0)
        };
        let side = |name| side(name).map(units);
        CellStyle {
            background: fill.background,
            borders: fill.borders,
            vertical: match &*own("vertAlign") {
                "CENTER" => Some(VerticalAlignment::Middle),
                "BOTTOM" => Some(VerticalAlignment::Bottom),
                _ => None,
            },
            turn: own("textDirection")
                .starts_with("VERTICAL")
                .then_some(Turn::Down),
            padding: side("left"),
            padding_end: side("right"),
            padding_top: side("top"),
            padding_bottom: side("bottom"),
        }
    }

    /// Reads the geometry of the table that is the innermost open element. The reader keeps its position.
    fn table_shape(&self) -> Result<Shape<'a, 'x>> {
        let mut shape = Shape::new(self.context.job);
        let mut xml = self.xml.clone();
        let level = xml.level();
        while let Some(child) = xml.next_element(level)? {
            match child.name {
                "sz" => shape.width = extent(&child, "width"),
                "inMargin" => shape.margin = Some(child),
                "caption" => {
                    while let Some(list) = xml.next_element(level + 1)? {
                        if list.name == "subList" {
                            shape.caption = Some(xml.clone());
                        }
                    }
                }
                "tr" => {
                    let mut row = Row {
                        is_head: true,
                        ..Row::default()
                    };
                    while let Some(cell) = xml.next_element(level + 1)? {
                        if cell.name == "tc" {
                            let elements = cell_elements(&mut xml)?;
                            row.is_head &= is_set(&cell, "header");
                            let alignment = match elements.text.clone() {
                                Some(text) => self.alignment(text)?,
                                None => None,
                            };
                            row.alignments.push(alignment);
                            shape.add(&mut row, elements);
                        }
                    }
                    shape.lease.grow(ROW)?;
                    shape.rows.push(row);
                }
                _ => {}
            }
        }
        Ok(shape)
    }

    /// Alignment of a cell: centre or end, if all of its paragraphs have this alignment.
    fn alignment(&self, mut xml: Reader<'_>) -> Result<Option<Alignment>> {
        let level = xml.level();
        let mut all = None;
        while let Some(element) = xml.next_element(level)? {
            let look = element.attribute("paraPrIDRef").unwrap_or_default();
            let look = self.context.header.paragraph(&look);
            let own = look.properties.alignment;
            let own = own.filter(|side| matches!(side, Alignment::Centre | Alignment::End));
            if *all.get_or_insert(own) != own {
                return Ok(None);
            }
        }
        Ok(all.flatten())
    }

    /// Reads a caption. Its paragraphs are joined into one, with line breaks between them.
    pub(super) fn caption(&mut self, xml: Reader<'x>) -> Result<Caption> {
        let around = std::mem::replace(&mut self.xml, xml);
        let state = std::mem::take(&mut self.state);
        self.story.open_caption();
        let level = self.xml.level();
        let mut is_first = true;
        while let Some(element) = self.xml.next_element(level)? {
            let own = |name| element.attribute(name).unwrap_or_default();
            if !std::mem::take(&mut is_first) {
                self.story.line_break()?;
            }
            self.state.style = self.context.header.style(&own("styleIDRef"));
            self.state.look = self.context.header.paragraph(&own("paraPrIDRef"));
            self.story.open_paragraph(self.state.style.clone());
            while let Some(run) = self.xml.next_element(level + 1)? {
                if run.name == "run" {
                    self.deeper(|body| body.run(&run))?;
                }
            }
        }
        let mut own = self.own();
        own.list = Some(0);
        self.xml = around;
        self.state = state;
        self.story.close_caption(&Paragraph {
            own,
            ..Paragraph::default()
        })
    }
}

/// Elements that describe a cell.
#[derive(Default)]
struct CellElements<'x> {
    address: Option<Element<'x>>,
    span: Option<Element<'x>>,
    size: Option<Element<'x>>,
    margin: Option<Element<'x>>,
    list: Option<Element<'x>>,
    /// Text of the cell, as a reader at its beginning.
    text: Option<Reader<'x>>,
}

/// Reads a `tc`, which is the innermost open element, without its text.
fn cell_elements<'x>(xml: &mut Reader<'x>) -> Result<CellElements<'x>> {
    let mut elements = CellElements::default();
    let level = xml.level();
    while let Some(child) = xml.next_element(level)? {
        match child.name {
            "cellAddr" => elements.address = Some(child),
            "cellSpan" => elements.span = Some(child),
            "cellSz" => elements.size = Some(child),
            "cellMargin" => elements.margin = Some(child),
            "subList" => {
                elements.list = Some(child);
                elements.text = Some(xml.clone());
            }
            _ => {}
        }
    }
    Ok(elements)
}

impl<'a> Shape<'a, '_> {
    fn new(job: &'a Job<'a>) -> Self {
        Self {
            lease: job.empty_lease(),
            width: None,
            margin: None,
            caption: None,
            rows: Vec::new(),
            widths: Vec::new(),
            spans: Vec::new(),
        }
    }

    /// Records the width of a cell for its columns, and its height for its row unless the cell spans several rows.
    fn add(&mut self, row: &mut Row, elements: CellElements<'_>) {
        let number_of = |element: &Option<Element<'_>>, name: &str| {
            let value = element.as_ref().and_then(|own| number(own, name));
            value.and_then(|value| usize::try_from(value).ok())
        };
        let Some(column) = number_of(&elements.address, "colAddr").filter(|at| *at < MAX_COLUMNS)
        else {
            return;
        };
        let columns = number_of(&elements.span, "colSpan")
            .unwrap_or(1)
            .clamp(1, MAX_COLUMNS - column);
        let end = column + columns;
        if self.widths.len() < end {
            self.widths.resize(end, None);
        }
        let size = elements.size.as_ref();
        if let Some(width) = size.and_then(|size| extent(size, "width")) {
            match columns {
                1 => self.widths[column] = self.widths[column].max(Some(width)),
                _ => self.spans.push((column, columns, width)),
            }
        }
        if number_of(&elements.span, "rowSpan").unwrap_or(1) == 1 {
            row.height = row.height.max(size.and_then(|size| extent(size, "height")));
        }
    }

    /// Computes the widths of the columns. If every cell of a column also spans other columns, the cell that spans the
    /// fewest columns decides: its columns without a width share the width that its other columns leave.
    fn columns(&mut self) -> Vec<Option<Length>> {
        self.spans.sort_by_key(|(_, columns, _)| *columns);
        for (first, columns, width) in &self.spans {
            let all = &mut self.widths[*first..first + columns];
            let known = all
                .iter()
                .flatten()
                .fold(Length::ZERO, |sum, own| sum + *own);
            let open = all.iter().filter(|own| own.is_none()).count();
            if open > 0 && known < *width {
                let share = (*width - known).scaled(1.0 / open as f64);
                for own in all.iter_mut().filter(|own| own.is_none()) {
                    *own = Some(share);
                }
            }
        }
        std::mem::take(&mut self.widths)
    }
}
