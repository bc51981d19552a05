//! Geometry and formatting of a table, read before its content (ECMA-376 part 1, 17.4): columns, rows and cells.
//! Reads no content.

use super::{
    anchor,
    context::Context,
    lengths::twips,
    properties::{alignment, on},
    table_styles::{CellLook, CellText, Position, Shown, TableStyle},
};
use crate::{
    containers::xml::{Element, Reader},
    error::Result,
};
use convertd_office::wordprocessing::{GridCell, GridRow, cells};
use convertd_tree::{Alignment, CellStyle, Column, Frame, Length, MAX_COLUMNS, Width};
use std::rc::Rc;

/// Geometry and formatting of a table.
#[derive(Default)]
pub(super) struct Shape {
    // Properties of the table.
    pub(super) columns: Vec<Column>,
    pub(super) width: Option<Width>,
    /// Alignment of the table.
    pub(super) alignment: Option<Alignment>,
    /// Indent of the table from the margin.
    pub(super) indent: Option<Length>,
    /// Whether columns have the stated widths regardless of their content.
    pub(super) fixed: bool,
    /// Whether columns run from right to left.
    pub(super) backwards: bool,
    /// Frame of a floating table.
    pub(super) frame: Option<Frame>,
    // Formatting of cells: the table style, the properties of the table itself, and the parts of the style that it
    // uses.
    style: Rc<TableStyle>,
    look: CellLook,
    shown: Shown,
    // Content.
    pub(super) rows: Vec<Row>,
    /// Positions of the cells in the grid, row by row.
    pub(super) grid: Vec<GridRow>,
    /// Number of header rows.
    pub(super) head: usize,
    /// Whether the header rows are repeated on every page. A row that only has the format of a header is not
    /// repeated.
    pub(super) repeats_head: bool,
}

/// Row without the content of its cells.
#[derive(Default)]
pub(super) struct Row {
    /// Whether a tracked change deleted the row.
    pub(super) deleted: bool,
    /// Stated height.
    pub(super) height: Option<Length>,
    /// Whether the height is exact. Otherwise it is a minimum.
    pub(super) exact: bool,
    /// Cells, in the order of the file.
    pub(super) cells: Vec<Cell>,
}

/// Cell without its content.
#[derive(Default)]
pub(super) struct Cell {
    /// Alignment that all paragraphs of the cell have.
    pub(super) alignment: Option<Alignment>,
    /// Preferred width.
    width: Option<Length>,
    /// Own properties of the cell.
    look: CellLook,
}

impl Context<'_> {
    /// Reads the geometry of a table, which is the innermost open element.
    pub(super) fn table_shape(&mut self, xml: &mut Reader<'_>) -> Result<Shape> {
        let mut shape = Shape::default();
        self.add_shape(xml, &mut shape)?;
        cells::join(&mut shape.grid);
        let least = usize::from(shape.shown.first_row);
        shape.repeats_head = shape.grid.first().is_some_and(|row| row.is_head);
        shape.head = cells::head(&mut shape.grid, least);
        shape.align_columns();
        if !shape.fixed {
            shape.widen_columns();
        }
        // Before 2013, Word aligned the text of the first column with the margin. Since then, it aligns the edge of the
        // cell. So a table of an older version without an alignment begins further to the left, by the padding.
        let padding = shape.style.padding(&shape.look).unwrap_or_default();
        if self.mode < 15 && shape.alignment.is_none() {
            shape.indent = Some(shape.indent.unwrap_or_default() - padding);
        }
        Ok(shape)
    }

    /// Reads the properties, the grid and all rows of a table, without content. Wrappers such as content controls are
    /// transparent.
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
                            ("w", "tblpPr") => shape.frame = Some(anchor::table(&child)),
                            ("w", "tblW") => shape.width = width(&child),
                            ("w", "tblLayout") => {
                                shape.fixed = child.attribute("type").as_deref() == Some("fixed");
                            }
                            ("w", "bidiVisual") => shape.backwards = on(&child),
                            ("w", "tblInd") => shape.indent = fixed_width(&child),
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
                    let (mut row, mut grid) = (Row::default(), GridRow::default());
                    read_row(xml, &mut row, &mut grid)?;
                    shape.rows.push(row);
                    shape.grid.push(grid);
                }
                ("w", "sdt" | "sdtContent" | "customXml" | "ins") => self.add_shape(xml, shape)?,
                _ => {}
            }
        }
        Ok(())
    }
}

/// Reads the properties of a row (`w:trPr`) and of its cells.
fn read_row(xml: &mut Reader<'_>, row: &mut Row, grid: &mut GridRow) -> Result<()> {
    let level = xml.level();
    while let Some(element) = xml.next_element(level)? {
        match (element.space, element.name) {
            ("w", "trPr") => {
                while let Some(child) = xml.next_element(level + 1)? {
                    match child.name {
                        "tblHeader" => grid.is_head = on(&child),
                        "del" => row.deleted = true,
                        "gridBefore" => grid.before = number(&child).min(MAX_COLUMNS) as u16,
                        "trHeight" => {
                            let height = child.attribute("val").and_then(|height| twips(&height));
                            row.height = height.filter(|height| *height > Length::ZERO);
                            row.exact = child.attribute("hRule").as_deref() == Some("exact");
                        }
                        _ => {}
                    }
                }
            }
            ("w", "tc") => {
                let (cell, place) = read_cell(xml)?;
                row.cells.push(cell);
                grid.cells.push(place);
            }
            ("w", "sdt" | "sdtContent" | "customXml" | "ins") => read_row(xml, row, grid)?,
            _ => {}
        }
    }
    Ok(())
}

/// Reads the properties of a cell (`w:tcPr`): spans, width, borders and shading. Its paragraphs are only checked for
/// their alignment.
fn read_cell(xml: &mut Reader<'_>) -> Result<(Cell, GridCell)> {
    let (mut cell, mut place) = (Cell::default(), GridCell::default());
    let mut paragraphs = 0;
    let level = xml.level();
    while let Some(element) = xml.next_element(level)? {
        match (element.space, element.name) {
            ("w", "tcPr") => {
                while let Some(child) = xml.next_element(level + 1)? {
                    match (child.space, child.name) {
                        ("w", "gridSpan") => {
                            place.columns = number(&child).clamp(1, MAX_COLUMNS) as u16;
                        }
                        ("w", "vMerge") => {
                            let begins = child.attribute("val").as_deref() == Some("restart");
                            place.rows = u16::from(begins);
                        }
                        ("w", "tcW") => cell.width = fixed_width(&child),
                        _ => cell.look.add(xml, &child)?,
                    }
                }
            }
            ("w", "p") => {
                // If all paragraphs of a cell have the same alignment, the cell gets this alignment.
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
    Ok((cell, place))
}

/// Alignment of a paragraph, from its own properties only.
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

/// Value of the attribute `val` as a number. 0 if it is missing or not a number.
fn number(element: &Element<'_>) -> usize {
    let value = element.attribute("val");
    value.and_then(|value| value.parse().ok()).unwrap_or(0)
}

/// Parses a width in twips. Other types are ignored.
fn fixed_width(element: &Element<'_>) -> Option<Length> {
    let kind = element.attribute("type");
    let value = element.attribute("w")?;
    match kind.as_deref() {
        None | Some("dxa") => twips(&value),
        _ => None,
    }
}

/// Parses a table width (17.4.63): in twips, in fiftieths of a percent, or with a percent sign. `None` unless it is
/// positive and, as a share, at most 200 percent.
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
    /// Sets each column to the largest preferred width among its cells that span only this column. The widths in the
    /// grid may be outdated, because a program computed them when it last saved the file.
    fn widen_columns(&mut self) {
        let mut preferred_widths: Vec<Option<Length>> = vec![None; self.columns.len()];
        for (row, grid) in self.rows.iter().zip(&self.grid) {
            let mut column = usize::from(grid.before);
            for (cell, place) in row.cells.iter().zip(&grid.cells) {
                if place.columns == 1
                    && let Some(width) = cell.width.filter(|width| *width > Length::ZERO)
                    && let Some(preferred) = preferred_widths.get_mut(column)
                {
                    *preferred = (*preferred).max(Some(width));
                }
                column += usize::from(place.columns);
            }
        }
        for (column, preferred) in self.columns.iter_mut().zip(preferred_widths) {
            column.width = preferred.map(Width::Fixed).or(column.width);
        }
    }

    /// Text format that the table's style gives to a cell.
    pub(super) fn cell_text(&self, row: usize, at: usize) -> CellText {
        let position = self.position(row, at);
        position.map_or_else(CellText::default, |position| {
            self.style.text(self.shown, position)
        })
    }

    /// Sets the alignment of each column in which all cells that span only this column have the same alignment.
    fn align_columns(&mut self) {
        let mut sides: Vec<Option<Option<Alignment>>> = vec![None; self.columns.len()];
        for (row, grid) in self.rows.iter().zip(&self.grid) {
            let mut column = usize::from(grid.before);
            for (cell, place) in row.cells.iter().zip(&grid.cells) {
                if place.columns == 1
                    && place.rows > 0
                    && let Some(side) = sides.get_mut(column)
                {
                    *side = match side {
                        None => Some(cell.alignment),
                        Some(known) if *known == cell.alignment => Some(cell.alignment),
                        Some(_) => Some(None),
                    };
                }
                column += usize::from(place.columns);
            }
        }
        for (column, side) in self.columns.iter_mut().zip(sides) {
            column.alignment = side.flatten();
        }
        // In a column with an alignment, a cell without an alignment needs an explicit "start".
        for (row, grid) in self.rows.iter_mut().zip(&self.grid) {
            let mut column = usize::from(grid.before);
            for (cell, place) in row.cells.iter_mut().zip(&grid.cells) {
                let alignment = self.columns.get(column).and_then(|column| column.alignment);
                if alignment.is_some() {
                    cell.alignment.get_or_insert(Alignment::Start);
                }
                column += usize::from(place.columns);
            }
        }
    }

    /// Formatting of a cell, or `None` if there is no such cell.
    pub(super) fn cell_style(&self, row: usize, at: usize) -> Option<CellStyle> {
        let cell = self.rows.get(row)?.cells.get(at)?;
        let position = self.position(row, at)?;
        Some(
            self.style
                .cell(self.shown, position, &self.look, &cell.look),
        )
    }

    /// Position of a cell in the grid, which decides the conditional formats that apply to it.
    fn position(&self, row: usize, at: usize) -> Option<Position> {
        let grid = self.grid.get(row)?;
        let place = grid.cells.get(at)?;
        let before = grid.cells[..at]
            .iter()
            .map(|cell| usize::from(cell.columns));
        let column = usize::from(grid.before) + before.sum::<usize>();
        Some(Position {
            row,
            row_end: row + usize::from(place.rows),
            rows: self.rows.len(),
            column,
            column_end: column + usize::from(place.columns),
            columns: self.columns.len().max(1),
        })
    }
}
