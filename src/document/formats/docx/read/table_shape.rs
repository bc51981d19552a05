//! The shape of a table, read in advance (ECMA-376 part 1, 17.4): columns, rows, and how many of them each cell spans. Reads no
//! content.

use super::{
    context::Context,
    properties::{alignment, on, twips},
    table_styles::{CellLook, Position, Shown, TableStyle},
};
use crate::{
    containers::xml::{Element, Reader},
    document::tree::{Alignment, CellStyle, Column, Length, MAX_COLUMNS, Width},
    error::Result,
};
use std::rc::Rc;

/// The shape of a table.
#[derive(Default)]
pub(super) struct Shape {
    pub(super) columns: Vec<Column>,
    pub(super) width: Option<Width>,
    pub(super) alignment: Option<Alignment>,
    style: Rc<TableStyle>,
    look: CellLook,
    shown: Shown,
    pub(super) rows: Vec<Row>,
    /// The number of header rows, which are repeated on every page.
    pub(super) head: usize,
}

/// A row without the content of its cells.
#[derive(Default)]
pub(super) struct Row {
    header: bool,
    pub(super) deleted: bool,
    pub(super) height: Option<Length>,
    /// The number of grid columns that are skipped before the first cell.
    pub(super) before: usize,
    pub(super) cells: Vec<Cell>,
}

/// A cell without its content.
#[derive(Default)]
pub(super) struct Cell {
    pub(super) columns: usize,
    /// The number of rows that it spans. Until `resolve_spans`, 0 marks the continuation of the cell above.
    pub(super) rows: usize,
    pub(super) alignment: Option<Alignment>,
    look: CellLook,
}

impl Context<'_> {
    /// Reads the shape of a table, which is the innermost open element.
    pub(super) fn table_shape(&mut self, xml: &mut Reader<'_>) -> Result<Shape> {
        let mut shape = Shape::default();
        self.add_shape(xml, &mut shape)?;
        shape.resolve_spans();
        Ok(shape)
    }

    fn add_shape(&mut self, xml: &mut Reader<'_>, shape: &mut Shape) -> Result<()> {
        let level = xml.level();
        while let Some(element) = xml.next_element(level)? {
            match (element.space, element.name) {
                ("w", "tblPr") => {
                    let mut style = None;
                    while let Some(child) = xml.next_element(level + 1)? {
                        match (child.space, child.name) {
                            ("w", "tblStyle") => style = child.attribute("val"),
                            ("w", "tblLook") => shape.shown = Shown::read(&child),
                            ("w", "jc") => {
                                let side = child.attribute("val").map(|value| alignment(&value));
                                shape.alignment = side.filter(|side| *side != Alignment::Start);
                            }
                            ("w", "tblW") => shape.width = width(&child),
                            _ => shape.look.add(xml, &child)?,
                        }
                    }
                    shape.style = self.styles.table(style.as_deref());
                }
                ("w", "tblGrid") => {
                    while let Some(column) = xml.next_element(level + 1)? {
                        let width = column.attribute("w").and_then(|width| twips(&width));
                        if column.name == "gridCol" && shape.columns.len() < MAX_COLUMNS {
                            shape.columns.push(Column {
                                alignment: None,
                                width: width
                                    .filter(|width| *width > Length::ZERO)
                                    .map(Width::Fixed),
                            });
                        }
                    }
                }
                ("w", "tr") => {
                    let row = read_row(xml)?;
                    shape.rows.push(row);
                }
                ("w", "sdt" | "sdtContent" | "customXml" | "ins") => self.add_shape(xml, shape)?,
                _ => {}
            }
        }
        Ok(())
    }
}

fn read_row(xml: &mut Reader<'_>) -> Result<Row> {
    let mut row = Row::default();
    cells_of_row(xml, &mut row)?;
    Ok(row)
}

fn cells_of_row(xml: &mut Reader<'_>, row: &mut Row) -> Result<()> {
    let level = xml.level();
    while let Some(element) = xml.next_element(level)? {
        match (element.space, element.name) {
            ("w", "trPr") => {
                while let Some(child) = xml.next_element(level + 1)? {
                    match child.name {
                        "tblHeader" => row.header = on(&child),
                        "del" => row.deleted = true,
                        "gridBefore" => row.before = number(&child).min(MAX_COLUMNS),
                        "trHeight" => {
                            let height = child.attribute("val").and_then(|height| twips(&height));
                            row.height = height.filter(|height| *height > Length::ZERO);
                        }
                        _ => {}
                    }
                }
            }
            ("w", "tc") => {
                let cell = read_cell(xml)?;
                row.cells.push(cell);
            }
            ("w", "sdt" | "sdtContent" | "customXml" | "ins") => cells_of_row(xml, row)?,
            _ => {}
        }
    }
    Ok(())
}

fn read_cell(xml: &mut Reader<'_>) -> Result<Cell> {
    let mut cell = Cell {
        columns: 1,
        rows: 1,
        ..Cell::default()
    };
    let mut paragraphs = 0;
    let level = xml.level();
    while let Some(element) = xml.next_element(level)? {
        match (element.space, element.name) {
            ("w", "tcPr") => {
                while let Some(child) = xml.next_element(level + 1)? {
                    match (child.space, child.name) {
                        ("w", "gridSpan") => cell.columns = number(&child).clamp(1, MAX_COLUMNS),
                        ("w", "vMerge") => {
                            let begins = child.attribute("val").as_deref() == Some("restart");
                            cell.rows = usize::from(begins);
                        }
                        _ => cell.look.add(xml, &child)?,
                    }
                }
            }
            ("w", "p") => {
                // If all paragraphs of a cell have the same alignment, it becomes the cell's.
                let side = paragraph_alignment(xml)?;
                cell.alignment = if paragraphs == 0 {
                    side
                } else {
                    cell.alignment.filter(|own| side == Some(*own))
                };
                paragraphs += 1;
            }
            _ => {}
        }
    }
    Ok(cell)
}

fn paragraph_alignment(xml: &mut Reader<'_>) -> Result<Option<Alignment>> {
    let level = xml.level();
    let Some(first) = xml.next_element(level)? else {
        return Ok(None);
    };
    if first.name != "pPr" {
        return Ok(None);
    }
    while let Some(property) = xml.next_element(level + 1)? {
        if property.name == "jc" {
            return Ok(property.attribute("val").map(|value| alignment(&value)));
        }
    }
    Ok(None)
}

fn number(element: &Element<'_>) -> usize {
    let value = element.attribute("val");
    value.and_then(|value| value.parse().ok()).unwrap_or(0)
}

/// A table width (17.4.63): in twips, in fiftieths of a percent, or with a percent sign.
fn width(element: &Element<'_>) -> Option<Width> {
    let value = element.attribute("w")?;
    let percent = value
        .strip_suffix('%')
        .and_then(|value| value.parse::<f32>().ok());
    match (element.attribute("type").as_deref(), percent) {
        (_, Some(percent)) => Some(Width::Share(percent / 100.0)),
        (Some("pct"), _) => value
            .parse()
            .ok()
            .map(|fiftieths: f32| Width::Share(fiftieths / 5000.0)),
        (Some("dxa"), _) => twips(&value).map(Width::Fixed),
        _ => None,
    }
    .filter(|width| match width {
        Width::Share(share) => *share > 0.0 && *share <= 2.0,
        Width::Fixed(length) => *length > Length::ZERO,
    })
}

impl Shape {
    /// The number of rows at the beginning that are marked as header rows.
    fn marked_head(&self) -> usize {
        let marked = self.rows.iter().take_while(|row| row.header).count();
        match marked {
            0 if self.shown.first_row => 1.min(self.rows.len()),
            marked => marked,
        }
    }

    /// Extends the header to all rows that a cell beginning in it spans.
    fn stretch_head(&mut self) {
        let mut row = 0;
        while row < self.head.min(self.rows.len()) {
            let rows = self.rows[row].cells.iter().map(|cell| cell.rows).max();
            self.head = self.head.max(row + rows.unwrap_or(1));
            row += 1;
        }
    }

    /// Computes how many rows each cell spans, by counting the continuations of the same width below it.
    fn resolve_spans(&mut self) {
        // For each grid column, the row, index and width of the cell that can be continued there.
        let mut open: Vec<Option<(usize, usize, usize)>> = vec![None; MAX_COLUMNS];
        for number in 0..self.rows.len() {
            let mut column = self.rows[number].before;
            for at in 0..self.rows[number].cells.len() {
                let cell = &self.rows[number].cells[at];
                let (wide, goes_on) = (cell.columns, cell.rows == 0);
                let above = open.get(column).copied().flatten();
                match above {
                    Some((row, cell, width)) if goes_on && width == wide => {
                        self.rows[row].cells[cell].rows += 1;
                    }
                    _ => {
                        self.rows[number].cells[at].rows = 1;
                        if column < MAX_COLUMNS {
                            open[column] = Some((number, at, wide));
                        }
                    }
                }
                column = (column + wide).min(MAX_COLUMNS);
            }
        }
        self.head = self.marked_head();
        self.stretch_head();
        self.align_columns();
    }

    /// Gives a column the alignment that all its cells have.
    fn align_columns(&mut self) {
        let mut sides: Vec<Option<Option<Alignment>>> = vec![None; self.columns.len()];
        for row in &self.rows {
            let mut column = row.before;
            for cell in &row.cells {
                if cell.columns == 1
                    && cell.rows > 0
                    && let Some(side) = sides.get_mut(column)
                {
                    *side = match side {
                        None => Some(cell.alignment),
                        Some(known) if *known == cell.alignment => Some(cell.alignment),
                        Some(_) => Some(None),
                    };
                }
                column += cell.columns;
            }
        }
        for (column, side) in self.columns.iter_mut().zip(sides) {
            column.alignment = side.flatten();
        }
        // In a column with an alignment, a cell without one needs an explicit "start".
        for row in &mut self.rows {
            let mut column = row.before;
            for cell in &mut row.cells {
                let said = self.columns.get(column).and_then(|column| column.alignment);
                if said.is_some() {
                    cell.alignment.get_or_insert(Alignment::Start);
                }
                column += cell.columns;
            }
        }
    }

    /// The style of the cell with these numbers, or `None` if there is no such cell.
    pub(super) fn cell_style(&self, row: usize, at: usize) -> Option<CellStyle> {
        let cells = &self.rows.get(row)?.cells;
        let cell = cells.get(at)?;
        let before = self.rows[row].before;
        let column = before + cells[..at].iter().map(|cell| cell.columns).sum::<usize>();
        let position = Position {
            row,
            row_end: row + cell.rows,
            rows: self.rows.len(),
            column,
            column_end: column + cell.columns,
            columns: self.columns.len().max(1),
        };
        Some(
            self.style
                .cell(self.shown, position, &self.look, &cell.look),
        )
    }
}
