//! Styles part (MS-XLSB 2.1.7.51): fonts, fills, borders, number formats, and cell formats that combine them. Reads
//! no cells.

use super::{super::records::Records, changes};
use crate::{
    biff::{PATTERNS, Record, STROKES, across, down, underline},
    error::Result,
    formats::xlsx::shown::colours::{Colours, tinted},
    shown::{
        book::{Book, MAX_LIST},
        differential::Differential,
        style::{Align, Edge, Edges, Fill, Font, Format, Position, Style, Turn, mixed},
    },
};
use convertd_office::drawing::Palette;
use convertd_tree::Colour;
use std::{collections::HashMap, io::BufRead, rc::Rc};

// Types of records.
/// A font (`BrtFont`).
const FONT: u16 = 43;
/// A number format (`BrtFmt`).
const FORMAT: u16 = 44;
/// A fill (`BrtFill`).
const FILL: u16 = 45;
/// The borders of a cell (`BrtBorder`).
const BORDER: u16 = 46;
/// A cell style or named style (`BrtXF`).
const COMBINATION: u16 = 47;
/// A differential format (`BrtDXF`).
const CHANGE: u16 = 507;
/// A colour of the palette (`BrtIndexedColor`).
const PALETTE_COLOUR: u16 = 475;
/// Beginning of the palette, if it was changed (`BrtBeginIndexedColors`).
const PALETTE: u16 = 565;
/// Beginning of the cell styles (`BrtBeginCellXFs`).
const CELLS: u16 = 617;
/// End of the cell styles (`BrtEndCellXFs`).
const CELLS_END: u16 = 618;
/// Beginning of the named styles (`BrtBeginCellStyleXFs`).
const NAMED: u16 = 626;
/// End of the named styles (`BrtEndCellStyleXFs`).
const NAMED_END: u16 = 627;

/// Pattern number of a gradient (2.5.161).
const GRADIENT: u32 = 0x28;

/// Styles of a workbook.
pub(super) struct Styles {
    /// Palette and theme.
    colours: Colours,
    /// Differential formats of rules.
    pub(super) changes: Vec<Rc<Differential>>,
    /// Fonts, to which cell styles refer by index.
    fonts: Vec<Rc<Font>>,
    /// Fills, to which cell styles refer by index.
    fills: Vec<Option<Fill>>,
    /// Borders, to which cell styles refer by index.
    edges: Vec<Edges>,
    /// Number formats by their index.
    codes: HashMap<u16, Rc<Format>>,
}

impl Styles {
    /// Creates an empty list with the colours of a theme.
    pub(super) fn new(theme: Palette) -> Self {
        Self {
            colours: Colours {
                theme,
                ..Colours::default()
            },
            changes: Vec::new(),
            fonts: Vec::new(),
            fills: Vec::new(),
            edges: Vec::new(),
            codes: HashMap::new(),
        }
    }

    /// Reads the part. Cell formats go to `book`.
    pub(super) fn read<R: BufRead>(
        &mut self,
        records: &mut Records<'_, R>,
        book: &mut Book,
    ) -> Result<()> {
        let (mut in_cells, mut in_named, mut next, mut normal) = (false, false, 0, None);
        // The palette comes last but applies to everything before it, so the records are kept.
        let mut all: Vec<(u16, Box<[u8]>)> = Vec::new();
        while let Some(record) = records.next()? {
            match record.kind {
                PALETTE => next = 0,
                PALETTE_COLOUR => {
                    let (red, green, blue) = (record.u8(0), record.u8(1), record.u8(2));
                    if let Some(slot) = self.colours.palette.0.get_mut(next) {
                        *slot = Colour(red, green, blue);
                    }
                    next += 1;
                }
                CELLS => in_cells = true,
                CELLS_END => in_cells = false,
                NAMED => in_named = true,
                NAMED_END => in_named = false,
                COMBINATION if in_named && normal.is_none() => normal = Some(record.u16(4)),
                COMBINATION if !in_cells => {}
                FONT | FORMAT | FILL | BORDER | COMBINATION | CHANGE
                    if all.len() < 4 * MAX_LIST =>
                {
                    all.push((record.kind, record.data.into()));
                }
                _ => {}
            }
        }
        for (kind, data) in &all {
            let record = Record { kind: *kind, data };
            match *kind {
                FONT => self.fonts.push(Rc::new(self.font(record))),
                FORMAT => {
                    let mut code = String::new();
                    record.text(2, &mut code);
                    self.codes
                        .insert(record.u16(0), Rc::new(Format::new(&code)));
                }
                FILL => self.fills.push(self.fill(record)),
                BORDER => self.edges.push(self.edges(record)),
                CHANGE => {
                    let change = changes::read(record, &|at| self.colour(record, at));
                    self.changes.push(Rc::new(change));
                }
                _ => {
                    let style = self.style(record);
                    book.styles.push(Rc::new(style));
                }
            }
        }
        book.normal = self.font_at(normal.unwrap_or(0)).unwrap_or_default();
        book.palette = self.colours.palette.clone();
        Ok(())
    }

    /// Font with this index.
    pub(super) fn font_at(&self, number: u16) -> Option<Rc<Font>> {
        self.fonts.get(usize::from(number)).cloned()
    }

    /// Reads a font (BrtFont). Its size is in twentieths of a point.
    fn font(&self, record: Record<'_>) -> Font {
        let mut name = String::new();
        record.text(21, &mut name);
        let flags = record.u16(2);
        Font {
            name: name.chars().take(64).collect(),
            size: (f32::from(record.u16(0)) / 20.0).clamp(1.0, 409.0),
            bold: record.u16(4) >= 600,
            italic: flags & 2 != 0,
            strike: flags & 8 != 0,
            underline: underline(record.u8(8).into()),
            position: match record.u16(6) {
                1 => Position::Superscript,
                2 => Position::Subscript,
                _ => Position::Baseline,
            },
            colour: self.colour(record, 12),
        }
    }

    /// Reads the colour at an offset (2.5.18): its type, its index, a tint, and red, green and blue. `None` for the
    /// automatic colour.
    pub(super) fn colour(&self, record: Record<'_>, at: usize) -> Option<Colour> {
        let tint = f64::from(record.u16(at + 2).cast_signed()) / 32_767.0;
        let number = record.u8(at + 1);
        match record.u8(at) >> 1 {
            1 => {
                let Colour(red, green, blue) = self.colours.palette.get(number.into())?;
                Some(tinted([red, green, blue], tint))
            }
            2 => Some(tinted([4, 5, 6].map(|part| record.u8(at + part)), tint)),
            3 => self.colours.themed(number.into(), tint),
            _ => None,
        }
    }

    /// Reads a fill (BrtFill). A gradient becomes the mean of its first and last colour.
    fn fill(&self, record: Record<'_>) -> Option<Fill> {
        let kind = record.u32(0);
        if kind == GRADIENT {
            // The stops follow the shape of the gradient: a colour and a position each.
            let count = record.u32(64).clamp(1, 256) as usize;
            let first = self.colour(record, 68)?;
            let last = self.colour(record, 68 + 16 * (count - 1)).unwrap_or(first);
            return Some(Fill {
                colour: mixed(first, last, 0.5),
            });
        }
        let (fore, back) = (self.colour(record, 4), self.colour(record, 12));
        Fill::of_pattern(PATTERNS.get(kind as usize)?, fore, back, false)
    }

    /// Reads borders (BrtBorder): ten bytes for each side.
    fn edges(&self, record: Record<'_>) -> Edges {
        let edge = |number: usize| {
            let at = 1 + 10 * number;
            let stroke = STROKES.get(usize::from(record.u8(at)).checked_sub(1)?)?;
            Some(Edge {
                stroke: *stroke,
                colour: self.colour(record, at + 2).unwrap_or(Colour(0, 0, 0)),
            })
        };
        let flags = record.u8(0);
        Edges {
            top: edge(0),
            bottom: edge(1),
            left: edge(2),
            right: edge(3),
            // The file has one line for both diagonals, and a flag for each.
            down: edge(4).filter(|_| flags & 1 != 0),
            up: edge(4).filter(|_| flags & 2 != 0),
        }
    }

    /// Reads a cell format (BrtXF), which refers to number format, font, fill and border by index.
    fn style(&mut self, record: Record<'_>) -> Style {
        let id = record.u16(2);
        let format = self.codes.entry(id);
        let format = format.or_insert_with(|| Rc::new(Format::built_in(id.into())));
        let flags = record.u16(12);
        Style {
            format: format.clone(),
            font: self
                .font_at(record.u16(4))
                .or_else(|| self.font_at(0))
                .unwrap_or_default(),
            fill: self
                .fills
                .get(usize::from(record.u16(6)))
                .copied()
                .flatten(),
            edges: self
                .edges
                .get(usize::from(record.u16(8)))
                .copied()
                .unwrap_or_default(),
            align: Align {
                across: across(flags.into()),
                down: down(u32::from(flags) >> 3),
                wrap: flags & 0x40 != 0,
                shrink: flags & 0x100 != 0,
                indent: record.u8(11).min(250),
                turn: Turn::of(record.u8(10).into()),
                backwards: flags >> 10 & 3 == 2,
            },
        }
    }
}
