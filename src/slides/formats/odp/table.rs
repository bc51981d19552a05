//! Tables (OpenDocument 1.3, part 3, 9): columns, rows and cells, with the styles of templates, rows and the cells
//! themselves. Does no layout.

use super::{
    look,
    properties::Properties,
    sheet::{Family, TableLook},
    text::{Base, Texts},
};
use crate::{
    containers::xml::{Element, Reader},
    deck::{Body, Cell, Row, Table},
    error::Result,
};
use convertd_office::drawing::{Line, odf::paints::opaque};
use convertd_tree::VerticalAlignment;
use std::rc::Rc;

/// Maximum number of columns.
const MAX_COLUMNS: usize = 1000;
/// Maximum number of cells.
const MAX_CELLS: usize = 200_000;

/// Default distances of the text from a cell's edges, in English Metric Units: left and right, top and bottom.
const INSETS: (f64, f64) = (90_000.0, 45_000.0);

/// Parts of a table with a style of their own in the template, and the attributes that enable them.
const PARTS: [(&str, &str); 6] = [
    ("first-row", "use-first-row-styles"),
    ("last-row", "use-last-row-styles"),
    ("first-column", "use-first-column-styles"),
    ("last-column", "use-last-column-styles"),
    ("odd-rows", "use-banding-rows-styles"),
    ("odd-columns", "use-banding-columns-styles"),
];

/// Template of a table.
struct Template<'s> {
    look: Option<&'s TableLook>,
    /// Whether each of [`PARTS`] is enabled.
    uses: [bool; 6],
}

impl Template<'_> {
    /// Names of the styles that apply to a cell, from the most general to the most specific. The style of the last row
    /// is not applied.
    fn styles(&self, row: usize, column: usize, columns: usize) -> Vec<&str> {
        let Some(look) = self.look else {
            return Vec::new();
        };
        let banded = |uses: bool, at: usize, even: &'static str, odd: &'static str| match uses {
            false => None,
            true if at % 2 == 1 => Some(even),
            true => Some(odd),
        };
        let [first_row, _, first_column, last_column, rows, lanes] = self.uses;
        let names = [
            Some("body"),
            banded(lanes, column, "even-columns", "odd-columns"),
            banded(rows, row + usize::from(!first_row), "odd-rows", "even-rows"),
            (first_column && column == 0).then_some("first-column"),
            (last_column && column + 1 == columns).then_some("last-column"),
            (first_row && row == 0).then_some("first-row"),
        ];
        let names = names.into_iter().flatten();
        names
            .filter_map(|name| look.get(name).map(|style| &**style))
            .collect()
    }
}

/// Reads the open `table:table`.
pub(super) fn read(texts: Texts<'_>, xml: &mut Reader<'_>, element: &Element<'_>) -> Result<Table> {
    let is_true = |name| element.attribute(name).as_deref() == Some("true");
    let name = element.attribute("template-name").unwrap_or_default();
    let template = Template {
        look: texts.sheet.tables.get(&*name),
        uses: PARTS.map(|(_, attribute)| is_true(attribute)),
    };
    let mut reader = Tables {
        texts,
        template,
        table: Table {
            headed: is_true("use-first-row-styles"),
            ..Table::default()
        },
        cells: 0,
        begun: false,
    };
    reader.parts(xml)?;
    let mut table = reader.table;
    for row in &mut table.rows {
        row.cells.resize_with(table.columns.len(), covered);
    }
    table.end_spans_at_cells();
    Ok(table)
}

/// Creates a covered cell.
fn covered() -> Cell {
    Cell {
        spans: (0, 0),
        text: Body::default(),
        fill: Default::default(),
        borders: Default::default(),
    }
}

/// State of the reader.
struct Tables<'s> {
    texts: Texts<'s>,
    template: Template<'s>,
    table: Table,
    /// Number of cells so far.
    cells: usize,
    /// Whether a row has been read.
    begun: bool,
}

impl Tables<'_> {
    /// Reads columns and rows. Repetitions are limited, because a file of a few bytes can state any number.
    fn parts(&mut self, xml: &mut Reader<'_>) -> Result<()> {
        let texts = self.texts;
        let level = xml.level();
        while let Some(element) = xml.next_element(level)? {
            match (element.space, element.name) {
                ("table", "table-column") => {
                    let name = element.attribute("style-name").unwrap_or_default();
                    let style = texts.sheet.style(texts.scope, Family::Column, &name);
                    let width = style.extent.unwrap_or(0.0).clamp(0.0, 5e7);
                    for _ in 0..repeated(&element, "number-columns-repeated") {
                        if self.table.columns.len() < MAX_COLUMNS {
                            self.table.columns.push(width);
                        }
                    }
                }
                ("table", "table-row") => self.row(xml, &element)?,
                ("table", "table-header-rows") => {
                    self.table.headed |= !self.begun;
                    self.parts(xml)?;
                }
                ("table", "table-rows" | "table-columns" | "table-header-columns")
                | ("table", "table-row-group" | "table-column-group") => self.parts(xml)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Reads a row. Covered cells are included, so that the index of a cell is its column.
    fn row(&mut self, xml: &mut Reader<'_>, element: &Element<'_>) -> Result<()> {
        self.begun = true;
        let texts = self.texts;
        let name = element.attribute("style-name").unwrap_or_default();
        let style = texts.sheet.style(texts.scope, Family::Row, &name);
        let default = element.attribute("default-cell-style-name");
        let mut row = Row {
            height: style.extent.unwrap_or(0.0).clamp(0.0, 5e7),
            cells: Vec::new(),
        };
        let level = xml.level();
        while let Some(element) = xml.next_element(level)? {
            let count = repeated(&element, "number-columns-repeated");
            let free_columns = self.table.columns.len().saturating_sub(row.cells.len());
            match element.name {
                "table-cell" if free_columns > 0 && self.cells < MAX_CELLS => {
                    let at = (self.table.rows.len(), row.cells.len());
                    let cell = self.cell(xml, &element, default.as_deref(), at)?;
                    let count = count.min(free_columns);
                    self.cells += count;
                    row.cells.extend(std::iter::repeat_n(cell, count));
                }
                "covered-table-cell" => {
                    let count = count.min(free_columns);
                    self.cells += count;
                    row.cells.extend((0..count).map(|_| covered()));
                }
                _ => {}
            }
        }
        self.table.rows.push(row);
        Ok(())
    }

    /// Reads a cell. Its style is that of the template, overridden by its own style or the row's default.
    fn cell(
        &mut self,
        xml: &mut Reader<'_>,
        element: &Element<'_>,
        default: Option<&str>,
        (row, column): (usize, usize),
    ) -> Result<Cell> {
        let texts = self.texts;
        let mut below = Properties::default();
        let columns = self.table.columns.len();
        for name in self.template.styles(row, column, columns) {
            below.put(&texts.sheet.style(texts.scope, Family::Cell, name));
        }
        let own = element.attribute("style-name");
        let name = own.as_deref().or(default).unwrap_or_default();
        let mut style = below.clone();
        style.put(&texts.sheet.style(texts.scope, Family::Cell, name));
        let base = Base {
            family: Family::Cell,
            name,
            outline: false,
            paragraph: None,
            below: Some(Rc::new(below)),
        };
        let paragraphs = texts.read(xml, &base)?;
        let shape = &style.shape;
        let inset = |side: usize, default: f64| shape.paddings[side].unwrap_or(default);
        let borders = style.paragraph.borders.map(|border| {
            let border = border.flatten()?;
            Some(Line {
                width: border.width,
                colour: opaque(border.colour),
                dashes: &[],
                round: false,
                ends: Default::default(),
            })
        });
        let span = |name| repeated(element, name).min(MAX_COLUMNS) as u16;
        Ok(Cell {
            spans: (span("number-rows-spanned"), span("number-columns-spanned")),
            text: Body {
                paragraphs,
                insets: [
                    inset(0, INSETS.0),
                    inset(1, INSETS.1),
                    inset(2, INSETS.0),
                    inset(3, INSETS.1),
                ],
                anchor: shape.anchor.or(Some(VerticalAlignment::Top)),
                wraps: true,
                ..Body::default()
            },
            fill: look::fill(&texts.sheet.paints, shape),
            borders,
        })
    }
}

/// Number in an attribute, at least 1; 1 if the attribute is missing or damaged.
fn repeated(element: &Element<'_>, name: &str) -> usize {
    let count = element.attribute(name);
    let count = count.and_then(|count| count.parse().ok());
    count.unwrap_or(1).max(1)
}
