//! Table styles (ECMA-376 part 1, 17.7.6): resolves the formatting of a cell.
//!
//! A table style has properties for the whole table, and overrides them for parts such as the first row, the last
//! column, or every second row ("bands"). A table selects the parts that apply (`w:tblLook`). Borders depend on the
//! position of the cell in its part: at an edge, the outer borders apply, and otherwise the inner borders. Reads no
//! content.

use super::{
    lengths::twips,
    properties::{self, border, shading},
};
use crate::{
    containers::xml::{Element, Reader},
    error::Result,
};
use convertd_office::wordprocessing::{ParagraphProperties, RunProperties};
use convertd_tree::{Border, Borders, CellStyle, Colour, Length, Turn, VerticalAlignment};

/// Borders of a table or of a part: the outer borders, and the borders between cells. `None` inherits, and
/// `Some(None)` removes a border.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct TableBorders {
    top: Option<Option<Border>>,
    bottom: Option<Option<Border>>,
    start: Option<Option<Border>>,
    end: Option<Option<Border>>,
    between_rows: Option<Option<Border>>,
    between_columns: Option<Option<Border>>,
}

/// Properties of cells, as a style, a table or a cell states them. `None` inherits.
#[derive(Clone, Debug, Default)]
pub(super) struct CellLook {
    /// Borders of the cell.
    borders: TableBorders,
    /// `Some(None)` is an explicit absence of shading.
    background: Option<Option<Colour>>,
    /// Vertical alignment of text.
    vertical: Option<VerticalAlignment>,
    /// Rotation of text; `Some(None)` is horizontal text.
    turn: Option<Option<Turn>>,
    // Distances from the edges to the text. The first distance is at the start.
    padding: Option<Length>,
    padding_end: Option<Length>,
    padding_top: Option<Length>,
    padding_bottom: Option<Length>,
}

/// Text format that a table style gives to a cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct CellText {
    /// Paragraph properties.
    pub(super) paragraph: ParagraphProperties,
    /// Run properties.
    pub(super) run: RunProperties,
}

impl CellText {
    /// Overrides this format with another.
    fn apply(&mut self, over: &Self) {
        self.paragraph.apply(&over.paragraph);
        self.run.apply(&over.run);
    }

    /// Reads paragraph or run properties, and ignores all other elements.
    pub(super) fn add(&mut self, xml: &mut Reader<'_>, element: &Element<'_>) -> Result<()> {
        match (element.space, element.name) {
            ("w", "pPr") => self.paragraph = properties::paragraph(xml)?,
            ("w", "rPr") => self.run = properties::run(xml)?,
            _ => {}
        }
        Ok(())
    }
}

/// A table style.
#[derive(Clone, Debug, Default)]
pub(super) struct TableStyle {
    /// Properties of the whole table.
    all: CellLook,
    /// Text format of the whole table.
    text: CellText,
    /// Overrides for parts, in increasing order of precedence.
    parts: Vec<(TablePart, CellLook, CellText)>,
    /// Number of rows in a band, if stated. The default is 1.
    band: Option<usize>,
}

/// Parts of a table that a style may format, in increasing order of precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum TablePart {
    // Bands of columns, and of rows.
    Band1Vertical,
    Band2Vertical,
    Band1Horizontal,
    Band2Horizontal,
    FirstColumn,
    LastColumn,
    FirstRow,
    LastRow,
    CornerNorthEast,
    CornerNorthWest,
    CornerSouthEast,
    CornerSouthWest,
}

/// Parts of the style that a table uses (`w:tblLook`, 17.4.56).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shown {
    /// Whether the first row has its own format.
    pub(super) first_row: bool,
    /// Whether the last row has its own format.
    last_row: bool,
    /// Whether the first column has its own format.
    first_column: bool,
    /// Whether the last column has its own format.
    last_column: bool,
    /// Whether rows have alternating formats.
    row_bands: bool,
    /// Whether columns have alternating formats.
    column_bands: bool,
}

/// Position of a cell in the grid: half-open ranges of rows and columns, and the size of the table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Position {
    /// First row.
    pub(super) row: usize,
    /// Row after the last row.
    pub(super) row_end: usize,
    /// Number of rows of the table.
    pub(super) rows: usize,
    /// First column.
    pub(super) column: usize,
    /// Column after the last column.
    pub(super) column_end: usize,
    /// Number of columns of the table.
    pub(super) columns: usize,
}

impl Shown {
    /// Reads `w:tblLook`, which has either a bit mask or one attribute per part. Both forms are in use.
    pub(super) fn read(element: &Element<'_>) -> Self {
        let value = element.attribute("val");
        let bits = value.and_then(|value| u32::from_str_radix(&value, 16).ok());
        let is_set = |name: &str, bit: u32| match element.attribute(name) {
            Some(value) => matches!(&*value, "1" | "true" | "on"),
            None => bits.unwrap_or(0) & bit != 0,
        };
        Self {
            first_row: is_set("firstRow", 0x20),
            last_row: is_set("lastRow", 0x40),
            first_column: is_set("firstColumn", 0x80),
            last_column: is_set("lastColumn", 0x100),
            // These attributes switch the bands off.
            row_bands: !is_set("noHBand", 0x200),
            column_bands: !is_set("noVBand", 0x400),
        }
    }
}

impl CellLook {
    /// Reads a property of a table or cell, and ignores all others.
    pub(super) fn add(&mut self, xml: &mut Reader<'_>, element: &Element<'_>) -> Result<()> {
        match (element.space, element.name) {
            ("w", "tblBorders" | "tcBorders") => {
                let level = xml.level();
                while let Some(side) = xml.next_element(level)? {
                    self.borders.set(&side);
                }
            }
            ("w", "shd") => self.background = Some(shading(element)),
            ("w", "vAlign") => {
                self.vertical = Some(match element.attribute("val").as_deref() {
                    Some("center" | "both") => VerticalAlignment::Middle,
                    Some("bottom") => VerticalAlignment::Bottom,
                    _ => VerticalAlignment::Top,
                });
            }
            ("w", "textDirection") => {
                // The strict variant names the directions after the flow of lines (17.18.93).
                self.turn = Some(match element.attribute("val").as_deref() {
                    Some("tbRl" | "tbRlV" | "rl" | "rlV") => Some(Turn::Down),
                    Some("btLr" | "lr") => Some(Turn::Up),
                    _ => None,
                });
            }
            ("w", "tblCellMar" | "tcMar") => {
                let level = xml.level();
                while let Some(side) = xml.next_element(level)? {
                    let padding = match side.name {
                        "left" | "start" => &mut self.padding,
                        "right" | "end" => &mut self.padding_end,
                        "top" => &mut self.padding_top,
                        "bottom" => &mut self.padding_bottom,
                        _ => continue,
                    };
                    *padding = side.attribute("w").and_then(|width| twips(&width));
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Overrides these properties with others.
    fn apply(&mut self, over: &Self) {
        self.borders.apply(&over.borders);
        self.background = over.background.or(self.background);
        self.vertical = over.vertical.or(self.vertical);
        self.turn = over.turn.or(self.turn);
        self.padding = over.padding.or(self.padding);
        self.padding_end = over.padding_end.or(self.padding_end);
        self.padding_top = over.padding_top.or(self.padding_top);
        self.padding_bottom = over.padding_bottom.or(self.padding_bottom);
    }
}

impl TableBorders {
    /// Sets the border of the side that the element is named after.
    fn set(&mut self, element: &Element<'_>) {
        let side = match element.name {
            "top" => &mut self.top,
            "bottom" => &mut self.bottom,
            "left" | "start" => &mut self.start,
            "right" | "end" => &mut self.end,
            "insideH" => &mut self.between_rows,
            "insideV" => &mut self.between_columns,
            _ => return,
        };
        *side = Some(border(element));
    }

    /// Overrides these borders with others.
    fn apply(&mut self, over: &Self) {
        self.top = over.top.or(self.top);
        self.bottom = over.bottom.or(self.bottom);
        self.start = over.start.or(self.start);
        self.end = over.end.or(self.end);
        self.between_rows = over.between_rows.or(self.between_rows);
        self.between_columns = over.between_columns.or(self.between_columns);
    }

    /// Borders of a cell in the order top, bottom, start, end. `edges` marks the edges of the table or part that the
    /// cell touches: the outer borders apply there, and the inner borders elsewhere.
    fn around(&self, edges: [bool; 4]) -> [Option<Option<Border>>; 4] {
        let [top, bottom, start, end] = edges;
        [
            if top { self.top } else { self.between_rows },
            if bottom {
                self.bottom
            } else {
                self.between_rows
            },
            if start {
                self.start
            } else {
                self.between_columns
            },
            if end { self.end } else { self.between_columns },
        ]
    }
}

impl TableStyle {
    /// Reads an element of a style definition.
    pub(super) fn read(&mut self, xml: &mut Reader<'_>, element: &Element<'_>) -> Result<()> {
        if matches!(element.name, "pPr" | "rPr") {
            return self.text.add(xml, element);
        }
        let level = xml.level();
        if element.name != "tblStylePr" {
            while let Some(child) = xml.next_element(level)? {
                if child.name == "tblStyleRowBandSize" {
                    let size = child.attribute("val").and_then(|size| size.parse().ok());
                    self.band = size.filter(|size| (1..1000).contains(size));
                }
                self.all.add(xml, &child)?;
            }
            return Ok(());
        }
        use TablePart::*;
        let part = match element.attribute("type").as_deref() {
            Some("firstRow") => FirstRow,
            Some("lastRow") => LastRow,
            Some("firstCol") => FirstColumn,
            Some("lastCol") => LastColumn,
            Some("band1Vert") => Band1Vertical,
            Some("band2Vert") => Band2Vertical,
            Some("band1Horz") => Band1Horizontal,
            Some("band2Horz") => Band2Horizontal,
            Some("neCell") => CornerNorthEast,
            Some("nwCell") => CornerNorthWest,
            Some("seCell") => CornerSouthEast,
            Some("swCell") => CornerSouthWest,
            _ => return Ok(()),
        };
        let (mut look, mut text) = (CellLook::default(), CellText::default());
        while let Some(properties) = xml.next_element(level)? {
            if matches!(properties.name, "tblPr" | "tcPr") {
                while let Some(child) = xml.next_element(level + 1)? {
                    look.add(xml, &child)?;
                }
            } else {
                text.add(xml, &properties)?;
            }
        }
        self.parts.push((part, look, text));
        Ok(())
    }

    /// Overrides this style with a style that is based on it.
    pub(super) fn apply(&mut self, over: &Self) {
        self.all.apply(&over.all);
        self.text.apply(&over.text);
        self.parts.extend(over.parts.iter().cloned());
        self.parts.sort_by_key(|(part, ..)| *part);
        self.band = over.band.or(self.band);
    }

    /// Text format of a cell.
    pub(super) fn text(&self, shown: Shown, at: Position) -> CellText {
        let mut text = self.text.clone();
        for (part, _, over) in &self.parts {
            if self.edges(*part, shown, at).is_some() {
                text.apply(over);
            }
        }
        text
    }

    /// Distance from the start edge of cells to the text, as the table or the style states it.
    pub(super) fn padding(&self, table: &CellLook) -> Option<Length> {
        table.padding.or(self.all.padding)
    }

    /// Formatting of a cell: the style, the properties of the table, and the properties of the cell, in increasing
    /// order of precedence.
    pub(super) fn cell(
        &self,
        shown: Shown,
        at: Position,
        table: &CellLook,
        own: &CellLook,
    ) -> CellStyle {
        let edges = [
            at.row == 0,
            at.row_end >= at.rows,
            at.column == 0,
            at.column_end >= at.columns,
        ];
        let mut sides = self.all.borders.around(edges);
        let mut look = self.all.clone();
        // Borders are resolved per side, since the relevant border of each part depends on the edges that the cell
        // touches.
        let mut add_layer = |over: &CellLook, around: [Option<Option<Border>>; 4]| {
            look.apply(over);
            for (side, over) in sides.iter_mut().zip(around) {
                *side = over.or(*side);
            }
        };
        for (part, over, _) in &self.parts {
            if let Some(part_edges) = self.edges(*part, shown, at) {
                add_layer(over, over.borders.around(part_edges));
            }
        }
        add_layer(table, table.borders.around(edges));
        add_layer(own, own.borders.around([true; 4]));
        let [top, bottom, start, end] = sides.map(Option::flatten);
        CellStyle {
            background: look.background.flatten(),
            borders: Borders {
                top,
                end,
                bottom,
                start,
            },
            vertical: look.vertical,
            turn: look.turn.flatten(),
            padding: look.padding,
            padding_end: look.padding_end.filter(|end| Some(*end) != look.padding),
            padding_top: look.padding_top.filter(|top| *top > Length::ZERO),
            padding_bottom: look.padding_bottom.filter(|bottom| *bottom > Length::ZERO),
        }
    }

    /// Returns the edges of a part that a cell touches, in the order top, bottom, start, end. `None` if the cell is not
    /// in this part, or if the table does not use this part.
    fn edges(&self, part: TablePart, shown: Shown, at: Position) -> Option<[bool; 4]> {
        use TablePart::*;
        let first_row = shown.first_row && at.row == 0;
        let last_row = shown.last_row && at.row_end >= at.rows;
        let first_column = shown.first_column && at.column == 0;
        let last_column = shown.last_column && at.column_end >= at.columns;
        let start = at.column == 0;
        let end = at.column_end >= at.columns;
        let in_row = [true, true, start, end];
        let in_column = [at.row == 0, at.row_end >= at.rows, true, true];
        // Bands are counted after the first row or column, if that row or column is formatted.
        let band = |index: usize, first: bool, size: usize| {
            index
                .checked_sub(usize::from(first))
                .map(|index| index / size % 2)
        };
        let row_band = || band(at.row, shown.first_row, self.band.unwrap_or(1));
        let column_band = || band(at.column, shown.first_column, 1);
        let (belongs, edges) = match part {
            FirstRow => (first_row, in_row),
            LastRow => (last_row, in_row),
            FirstColumn => (first_column, in_column),
            LastColumn => (last_column, in_column),
            Band1Horizontal => (shown.row_bands && row_band() == Some(0), in_row),
            Band2Horizontal => (shown.row_bands && row_band() == Some(1), in_row),
            Band1Vertical => (shown.column_bands && column_band() == Some(0), in_column),
            Band2Vertical => (shown.column_bands && column_band() == Some(1), in_column),
            CornerNorthWest => (first_row && first_column, [true; 4]),
            CornerNorthEast => (first_row && last_column, [true; 4]),
            CornerSouthWest => (last_row && first_column, [true; 4]),
            CornerSouthEast => (last_row && last_column, [true; 4]),
        };
        belongs.then_some(edges)
    }
}
