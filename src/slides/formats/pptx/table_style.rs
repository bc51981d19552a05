//! Table styles (ECMA-376 part 1, 20.1.4.2): formatting of the parts of a table, such as the first row or alternate
//! rows. Reads no tables.

use super::styles::RunStyle;
use crate::containers::xml::Node;
use convertd_office::drawing::{Colour, FillStyle, LineStyle, Theme, flag, number};

/// Limit on table styles of a presentation.
const MAX_STYLES: usize = 1000;

/// Identifiers of Medium Style 2 for accents 1 to 6. The first one is the default of tables without a known style.
const USUAL: [&str; 6] = [
    "{5C22544A-7EE6-4342-B048-85BDC9FD1C3A}",
    "{21E4AEA4-8DFA-4A89-87EB-49C32662AFE0}",
    "{F5AB1C69-6EDB-4FF4-983F-18BD219EF322}",
    "{00A15C55-8517-42AA-B614-E9B94910E393}",
    "{7DF18680-E054-41AD-8BC1-D1AEF772440D}",
    "{93296810-A885-4BE3-A3E7-6D5BEEA58F35}",
];

/// Identifiers of the built-in styles without formatting, and with a grid only.
const NOTHING: &str = "{2D5ABB26-0587-4C30-8999-92F81FD0307C}";
const GRID: &str = "{5940675A-B579-460E-94D1-54222C63F5DA}";

/// Table styles of a presentation, by identifier.
#[derive(Default)]
pub(super) struct TableStyles(Vec<(Box<str>, TableStyle)>);

/// A table style.
#[derive(Clone, Default)]
pub(super) struct TableStyle {
    /// Formatting of all cells.
    whole: Part,
    /// Formatting of odd and even rows, and of odd and even columns.
    rows: [Part; 2],
    columns: [Part; 2],
    first_column: Part,
    last_column: Part,
    first_row: Part,
    last_row: Part,
}

/// Formatting of a part of a table.
#[derive(Clone, Default)]
pub(super) struct Part {
    pub(super) fill: Option<FillStyle>,
    /// Lines on the left, upper, right and lower side, between columns, and between rows.
    pub(super) lines: [Option<LineStyle>; 6],
    /// Properties of the text.
    pub(super) letters: RunStyle,
}

/// Parts of the style that a table uses (21.1.3.15).
#[derive(Clone, Copy, Default)]
pub(super) struct Shown {
    pub(super) first_row: bool,
    pub(super) last_row: bool,
    pub(super) first_column: bool,
    pub(super) last_column: bool,
    /// Whether the rows alternate.
    pub(super) rows: bool,
    /// Whether the columns alternate.
    pub(super) columns: bool,
}

impl Shown {
    /// Reads an `a:tblPr`.
    pub(super) fn read(node: Option<&Node<'_>>) -> Self {
        let has = |name| node.and_then(|node| flag(node, name)).unwrap_or(false);
        Self {
            first_row: has("firstRow"),
            last_row: has("lastRow"),
            first_column: has("firstCol"),
            last_column: has("lastCol"),
            rows: has("bandRow"),
            columns: has("bandCol"),
        }
    }
}

impl TableStyles {
    /// Reads an `a:tblStyleLst`.
    pub(super) fn read(node: &Node<'_>, theme: &Theme) -> Self {
        let styles = node.children.iter().take(MAX_STYLES).filter_map(|style| {
            let id = style.attribute("styleId")?;
            let part = |name| {
                let part = style.child("a", name);
                part.map(|part| Part::read(part, theme)).unwrap_or_default()
            };
            let own = TableStyle {
                whole: part("wholeTbl"),
                rows: [part("band1H"), part("band2H")],
                columns: [part("band1V"), part("band2V")],
                first_column: part("firstCol"),
                last_column: part("lastCol"),
                first_row: part("firstRow"),
                last_row: part("lastRow"),
            };
            Some((id.as_ref().into(), own))
        });
        Self(styles.collect())
    }

    /// Finds a style by its identifier. Files do not contain the built-in styles that they use, so that some of these
    /// are defined here.
    pub(super) fn get(&self, id: &str) -> TableStyle {
        let own = self.0.iter().find(|(known, _)| **known == *id);
        if let Some((_, own)) = own {
            return own.clone();
        }
        match USUAL.iter().position(|known| *known == id) {
            Some(nth) => TableStyle::usual(nth + 1),
            None if id == GRID => TableStyle::grid(),
            None if id.is_empty() || id == NOTHING => TableStyle::default(),
            None => TableStyle::usual(1),
        }
    }
}

impl TableStyle {
    /// Returns Medium Style 2 in an accent colour, which is the default of new tables.
    fn usual(accent: usize) -> Self {
        let accent = format!("accent{accent}");
        let fill = |tint: Option<f64>| Some(FillStyle::Solid(Colour::tinted(&accent, tint)));
        let line = |width| {
            Some(LineStyle {
                width: Some(width),
                fill: Some(FillStyle::Solid(Colour::tinted("lt1", None))),
                ..LineStyle::default()
            })
        };
        let heading = Part {
            fill: fill(None),
            lines: [None, None, None, line(38_100), None, None],
            letters: RunStyle {
                bold: Some(true),
                colour: Some(Some(Colour::tinted("lt1", None))),
                ..RunStyle::default()
            },
        };
        let aside = Part {
            lines: Default::default(),
            ..heading.clone()
        };
        Self {
            whole: Part {
                fill: fill(Some(0.2)),
                lines: std::array::from_fn(|_| line(12_700)),
                letters: RunStyle {
                    colour: Some(Some(Colour::tinted("dk1", None))),
                    ..RunStyle::default()
                },
            },
            rows: [
                Part {
                    fill: fill(Some(0.4)),
                    ..Part::default()
                },
                Part::default(),
            ],
            columns: [
                Part {
                    fill: fill(Some(0.4)),
                    ..Part::default()
                },
                Part::default(),
            ],
            first_column: aside.clone(),
            last_column: aside,
            last_row: Part {
                lines: [None, line(38_100), None, None, None, None],
                ..heading.clone()
            },
            first_row: heading,
        }
    }

    /// Returns the built-in style "Table Grid": thin lines, without fills.
    fn grid() -> Self {
        let line = LineStyle {
            width: Some(12_700),
            fill: Some(FillStyle::Solid(Colour::tinted("tx1", None))),
            ..LineStyle::default()
        };
        Self {
            whole: Part {
                lines: std::array::from_fn(|_| Some(line.clone())),
                ..Part::default()
            },
            ..Self::default()
        }
    }

    /// Combines the formatting of all parts that contain a cell, the most specific last. The arguments give its row
    /// and column and the numbers of rows and columns.
    pub(super) fn cell(
        &self,
        shown: Shown,
        (row, rows): (usize, usize),
        (column, columns): (usize, usize),
    ) -> Part {
        let mut cell = Part::default();
        let edges = |first: bool, last: bool| (first, last);
        let (top, bottom) = edges(row == 0, row + 1 == rows);
        let (left, right) = edges(column == 0, column + 1 == columns);
        cell.put(&self.whole, [left, top, right, bottom]);
        // Cells in the first and last rows and columns do not alternate.
        let is_head = shown.first_row && top;
        let is_foot = shown.last_row && bottom;
        let is_side = shown.first_column && left;
        let is_end = shown.last_column && right;
        if shown.columns && !is_side && !is_end {
            let band = column - usize::from(shown.first_column);
            cell.put(&self.columns[band % 2], [true; 4]);
        }
        if shown.rows && !is_head && !is_foot {
            let band = row - usize::from(shown.first_row);
            cell.put(&self.rows[band % 2], [left, true, right, true]);
        }
        if is_side {
            cell.put(&self.first_column, [true, top, true, bottom]);
        }
        if is_end {
            cell.put(&self.last_column, [true, top, true, bottom]);
        }
        if is_head {
            cell.put(&self.first_row, [left, true, right, true]);
        }
        if is_foot {
            cell.put(&self.last_row, [left, true, right, true]);
        }
        cell
    }
}

impl Part {
    /// Reads an `a:wholeTbl` or an element of the same type.
    fn read(node: &Node<'_>, theme: &Theme) -> Self {
        let style = node.child("a", "tcStyle");
        let fill = style.and_then(|style| {
            if let Some(fill) = style.child("a", "fill") {
                return FillStyle::read(fill);
            }
            let reference = style.child("a", "fillRef")?;
            let fill = theme.fill(number(reference, "idx")?)?;
            Some(match Colour::read(reference) {
                Some(colour) => fill.with_placeholder(&colour),
                None => fill.clone(),
            })
        });
        let borders = style.and_then(|style| style.child("a", "tcBdr"));
        let lines = ["left", "top", "right", "bottom", "insideV", "insideH"].map(|name| {
            let side = borders?.child("a", name)?;
            if let Some(own) = side.child("a", "ln") {
                return Some(LineStyle::read(own));
            }
            let reference = side.child("a", "lnRef")?;
            let line = theme.line(number(reference, "idx")?)?;
            Some(match Colour::read(reference) {
                Some(colour) => line.with_placeholder(&colour),
                None => line.clone(),
            })
        });
        let letters = node.child("a", "tcTxStyle").map(|style| RunStyle {
            bold: style.attribute("b").map(|bold| bold == "on"),
            italic: style.attribute("i").map(|italic| italic == "on"),
            colour: Colour::read(style).map(Some),
            ..RunStyle::default()
        });
        Self {
            fill,
            lines,
            letters: letters.unwrap_or_default(),
        }
    }

    /// Overrides formatting with that of another part. `edges` tells at which sides the cell lies on the border of
    /// that part. At the other sides, the inner lines of the part apply.
    fn put(&mut self, above: &Self, edges: [bool; 4]) {
        if above.fill.is_some() {
            self.fill.clone_from(&above.fill);
        }
        for (side, is_edge) in edges.into_iter().enumerate() {
            let between = if side % 2 == 0 { 4 } else { 5 };
            let line = &above.lines[if is_edge { side } else { between }];
            if line.is_some() {
                self.lines[side].clone_from(line);
            }
        }
        self.letters.put(&above.letters);
    }
}
