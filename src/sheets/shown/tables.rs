//! Built-in table styles, such as `TableStyleMedium2` (ECMA-376 part 1, 18.5.1.5 and the presets in its annex). Reads
//! no file.
//!
//! There are three families (light, medium, dark) of groups of seven styles: one in black, and one in each accent
//! colour of the theme. Files contain only the name, so the properties of each group are given here. The cell's own
//! format usually takes precedence: see `Group::style`.

use super::{
    book::{Book, Grid, Range},
    style::{Edge, Fill, Font, Stroke, Style},
};
use convertd_office::drawing::lightened;
use convertd_tree::Colour;
use std::rc::Rc;

/// A table on a sheet, with the options of its style.
pub(crate) struct Table {
    /// Cells of the table, with header and totals.
    pub(crate) range: Range,
    /// Name of the table style.
    pub(crate) style: Box<str>,
    /// Whether the first row is a header.
    pub(crate) has_header: bool,
    /// Whether the last row holds totals.
    pub(crate) has_totals: bool,
    /// Whether every other row is shaded.
    pub(crate) row_stripes: bool,
    /// Whether every other column is shaded.
    pub(crate) column_stripes: bool,
    /// Whether the first column is bold.
    pub(crate) first_column: bool,
    /// Whether the last column is bold.
    pub(crate) last_column: bool,
}

/// Maximum number of cells of a sheet with overlays. A table that would exceed it keeps the formats of its cells.
const MAX_CELLS: u64 = 250_000;

/// Formatting of a group of table styles.
#[derive(Clone, Copy, Default)]
struct Group {
    /// Fill of the header.
    header_fill: Option<Colour>,
    /// Colour of the header's text.
    header_text: Option<Colour>,
    /// Fill of the totals, and of rows and columns without a stripe.
    fill: Option<Colour>,
    /// Fill of every other row or column.
    stripe: Option<Colour>,
    /// Colour of the text outside of the header.
    text: Option<Colour>,
    /// Border around the table.
    outline: Option<Edge>,
    /// Border between rows.
    rows: Option<Edge>,
    /// Border between columns.
    columns: Option<Edge>,
    /// Border below the header.
    below_header: Option<Edge>,
}

/// Applies a table style to the cells of a table. `accents` is black, followed by the accent colours of the theme.
pub(crate) fn apply(table: &Table, accents: [[u8; 3]; 7], grid: &mut Grid, book: &Book) {
    let Some(group) = group(&table.style, accents) else {
        return;
    };
    let range = table.range;
    let rows = u64::from(range.last.0.saturating_sub(range.first.0)) + 1;
    let columns = u64::from(range.last.1.saturating_sub(range.first.1)) + 1;
    if rows * columns + grid.overlays.len() as u64 > MAX_CELLS {
        return;
    }
    for row in range.first.0..=range.last.0 {
        for column in range.first.1..=range.last.1 {
            let own = grid.look(book, row, grid.row(row), column);
            let style = group.style(table, &own, &book.normal, row, column);
            let overlay = grid.overlays.entry((row, column)).or_default();
            overlay.style = Some(Rc::new(style));
        }
    }
}

impl Group {
    /// Style of a cell in the table. The cell's own fill, borders and text colour take precedence over those of the
    /// table style, except for the border below the header. Bold text of the table style is always applied.
    fn style(&self, table: &Table, own: &Style, normal: &Font, row: u32, column: u32) -> Style {
        let range = table.range;
        let is_header = table.has_header && row == range.first.0;
        let is_total = table.has_totals && row == range.last.0;
        let mut style = own.clone();
        let first_row = range.first.0 + u32::from(table.has_header);
        let striped = table.row_stripes && (row.wrapping_sub(first_row)).is_multiple_of(2)
            || table.column_stripes && (column - range.first.1).is_multiple_of(2);
        let fill = match (is_header, is_total) {
            (true, _) => self.header_fill,
            (_, true) => self.fill,
            _ if striped => self.stripe.or(self.fill),
            _ => self.fill,
        };
        style.fill = style.fill.or(fill.map(|colour| Fill { colour }));
        let bold = is_header
            || is_total
            || table.first_column && column == range.first.1
            || table.last_column && column == range.last.1;
        let colour = if is_header {
            self.header_text
        } else {
            self.text
        };
        // A text colour other than the workbook's default was chosen for the cell, so it stays.
        let plain = own.font.colour == normal.colour || own.font.colour.is_none();
        if bold || colour.is_some() {
            let mut font = (*own.font).clone();
            font.bold |= bold;
            if plain {
                font.colour = colour.or(font.colour);
            }
            style.font = Rc::new(font);
        }
        let edges = &mut style.edges;
        let side = |own: Option<Edge>, outer: bool, inner: Option<Edge>| {
            own.or(if outer { self.outline } else { inner })
        };
        edges.left = side(edges.left, column == range.first.1, self.columns);
        edges.right = side(edges.right, column == range.last.1, self.columns);
        edges.top = side(edges.top, row == range.first.0, self.rows);
        edges.bottom = side(edges.bottom, row == range.last.0, self.rows);
        if is_header {
            edges.bottom = self.below_header.or(edges.bottom);
        }
        if is_total {
            let double = self.outline.or(self.rows).map(|edge| Edge {
                stroke: Stroke::Double,
                ..edge
            });
            edges.top = own.edges.top.or(double);
        }
        style
    }
}

/// Returns the group of a style by its name. `None` for a style that is not built in.
fn group(name: &str, accents: [[u8; 3]; 7]) -> Option<Group> {
    let name = name.strip_prefix("TableStyle")?;
    let digits = name.find(|c: char| c.is_ascii_digit())?;
    let (family, number) = name.split_at(digits);
    let number = number.parse::<usize>().ok()?.checked_sub(1)?;
    let (kind, accent) = (number / 7, accents[number % 7]);
    let is_black = number % 7 == 0;
    let colour = |rgb: [u8; 3]| Colour(rgb[0], rgb[1], rgb[2]);
    let tint = |by: f64| match is_black {
        // Tints of black are shades of grey, which the function for accent colours cannot produce.
        true => colour([(255.0 * (by * 0.25 + 0.7).min(1.0)) as u8; 3]),
        false => colour(lightened(accent, by)),
    };
    let edge = |stroke, colour| Some(Edge { stroke, colour });
    let (full, white, black) = (colour(accent), Colour(255, 255, 255), Colour(0, 0, 0));
    let plain = Group::default();
    Some(match (family, kind) {
        ("Light", 0) => Group {
            stripe: Some(tint(0.8)),
            text: (!is_black).then(|| colour(lightened(accent, -0.25))),
            header_text: (!is_black).then(|| colour(lightened(accent, -0.25))),
            below_header: edge(Stroke::Thin, full),
            // No borders between rows: the table has only an outline.
            rows: None,
            outline: edge(Stroke::Thin, full),
            ..plain
        },
        ("Light", 1) => Group {
            header_fill: Some(full),
            header_text: Some(white),
            outline: edge(Stroke::Thin, full),
            rows: edge(Stroke::Thin, full),
            ..plain
        },
        ("Light", _) => Group {
            stripe: Some(tint(0.8)),
            outline: edge(Stroke::Thin, full),
            rows: edge(Stroke::Thin, full),
            columns: edge(Stroke::Thin, full),
            below_header: edge(Stroke::Medium, full),
            ..plain
        },
        ("Medium", 0) => Group {
            header_fill: Some(full),
            header_text: Some(white),
            stripe: Some(tint(0.8)),
            outline: edge(Stroke::Thin, tint(0.4)),
            rows: edge(Stroke::Thin, tint(0.4)),
            ..plain
        },
        ("Medium", 1) => Group {
            header_fill: Some(full),
            header_text: Some(white),
            fill: Some(tint(0.8)),
            stripe: Some(tint(0.6)),
            rows: edge(Stroke::Thin, white),
            columns: edge(Stroke::Thin, white),
            below_header: edge(Stroke::Thick, white),
            ..plain
        },
        ("Medium", 2) => Group {
            header_fill: Some(full),
            header_text: Some(white),
            stripe: Some(Colour(0xd9, 0xd9, 0xd9)),
            below_header: edge(Stroke::Medium, black),
            ..plain
        },
        ("Medium", _) => Group {
            fill: Some(tint(0.8)),
            stripe: Some(tint(0.6)),
            outline: edge(Stroke::Thin, tint(0.4)),
            rows: edge(Stroke::Thin, tint(0.4)),
            columns: edge(Stroke::Thin, tint(0.4)),
            ..plain
        },
        ("Dark", 0) => Group {
            header_fill: Some(black),
            header_text: Some(white),
            fill: Some(full),
            stripe: Some(colour(lightened(accent, -0.25))),
            text: Some(white),
            below_header: edge(Stroke::Medium, white),
            ..plain
        },
        ("Dark", _) => Group {
            header_fill: Some(full),
            header_text: Some(white),
            fill: Some(tint(0.8)),
            stripe: Some(tint(0.6)),
            ..plain
        },
        _ => return None,
    })
}
