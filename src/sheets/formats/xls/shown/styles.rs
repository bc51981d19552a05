//! Fonts, cell formats and the palette from the globals of a workbook (MS-XLS 2.4.122, 2.4.353, 2.4.188). Reads no
//! cells.

use super::super::sheet::Context;
use crate::{
    biff::{PATTERNS, Record, STROKES, across, down, underline},
    formats::xls::strings::Texts,
    shown::{
        book::{Book, MAX_LIST},
        style::{Align, Edge, Edges, Fill, Font, Format, Position, Style, Turn},
    },
};
use convertd_tree::Colour;
use std::{collections::HashMap, rc::Rc};

// Types of records.
/// A font (`Font`).
const FONT: u16 = 0x31;
/// Colours of the palette, if they were changed (`Palette`).
const PALETTE: u16 = 0x92;
/// A cell style (`XF`).
const STYLE: u16 = 0xe0;
/// A number format (`Format`).
const FORMAT: u16 = 0x41e;

/// A font whose colour is still an index into the palette, which comes later in the file.
struct StoredFont {
    font: Font,
    /// Index of its colour.
    colour: u16,
}

/// Records of fonts, cell formats and number formats, in file order.
#[derive(Default)]
pub(super) struct Styles {
    fonts: Vec<StoredFont>,
    /// Data of the cell formats.
    formats: Vec<Vec<u8>>,
    /// Number formats by their index.
    codes: HashMap<u16, Rc<Format>>,
}

impl Styles {
    /// Reads a record of the globals, if it belongs to the formats.
    pub(super) fn take(&mut self, record: Record<'_>, context: &Context, book: &mut Book) {
        match record.kind {
            FONT if self.fonts.len() < MAX_LIST => self.fonts.push(font(record, context.texts)),
            STYLE if self.formats.len() < MAX_LIST => self.formats.push(record.data.to_vec()),
            FORMAT if self.codes.len() < 4096 => {
                let mut code = String::new();
                let text = record.data.get(2..).unwrap_or_default();
                let short = context.texts != Texts::Unicode;
                context.texts.read(text, short, &mut code);
                let format = Rc::new(Format::new(&code));
                self.codes.insert(record.u16(0), format);
            }
            PALETTE => {
                let colours = record.data.get(2..).unwrap_or_default().chunks_exact(4);
                for (slot, four) in book.palette.0.iter_mut().skip(8).zip(colours) {
                    *slot = Colour(four[0], four[1], four[2]);
                }
            }
            _ => {}
        }
    }

    /// Creates the cell styles after all records were read. `wide` is set for Excel 97 and later.
    pub(super) fn finish(mut self, wide: bool, book: &mut Book) -> Fonts {
        let fonts = self.fonts.into_iter().map(|mut written| {
            // The system colour of window text counts as no colour.
            written.font.colour = match written.colour {
                0x7fff => None,
                number => book.palette.get(number.into()),
            };
            Rc::new(written.font)
        });
        let fonts = Fonts(fonts.collect());
        book.normal = fonts.0.first().cloned().unwrap_or_default();
        for data in &self.formats {
            let record = Record { kind: STYLE, data };
            let id = record.u16(2);
            let built_in = || Rc::new(Format::built_in(id.into()));
            let format = self.codes.entry(id).or_insert_with(built_in).clone();
            let style = match wide {
                true => read_modern(record, book),
                false => read_old(record, book),
            };
            let font = fonts.get(record.u16(0));
            book.styles.push(Rc::new(Style {
                font: font.unwrap_or_else(|| book.normal.clone()),
                format,
                ..style
            }));
        }
        // The first fifteen formats are for named styles. The one after them is the default of cells, and becomes style
        // 0.
        if let Some(default) = book.styles.get(15).cloned() {
            book.styles[0] = default;
        }
        fonts
    }
}

/// Fonts of a workbook.
pub(super) struct Fonts(Vec<Rc<Font>>);

impl Fonts {
    /// Font with this index. Index 4 is never used (2.5.130), so a higher index is one more than the position of its
    /// font.
    pub(super) fn get(&self, number: u16) -> Option<Rc<Font>> {
        let at = usize::from(number) - usize::from(number > 4);
        self.0.get(at).cloned()
    }
}

/// Reads a record Font (MS-XLS 2.4.122). The size is in twentieths of a point, and a weight of 600 or more is bold.
fn font(record: Record<'_>, texts: Texts) -> StoredFont {
    let mut name = String::new();
    texts.read(record.data.get(14..).unwrap_or_default(), true, &mut name);
    let flags = record.u16(2);
    StoredFont {
        font: Font {
            name: name.chars().take(64).collect(),
            size: (f32::from(record.u16(0)) / 20.0).clamp(1.0, 409.0),
            bold: record.u16(6) >= 600,
            italic: flags & 2 != 0,
            strike: flags & 8 != 0,
            underline: underline(record.u8(10).into()),
            position: match record.u16(8) {
                1 => Position::Superscript,
                2 => Position::Subscript,
                _ => Position::Baseline,
            },
            colour: None,
        },
        colour: record.u16(4),
    }
}

/// Reads a cell format of Excel 97 and later.
fn read_modern(record: Record<'_>, book: &Book) -> Style {
    let (sides, more, colours) = (record.u32(10), record.u32(14), record.u16(18));
    let edge = |stroke: u32, colour: u32| edge(stroke & 15, colour & 127, book);
    let diagonal = edge(more >> 21, more >> 14);
    let turn = i64::from(record.u8(7));
    Style {
        fill: fill(
            more >> 26,
            u32::from(colours) & 127,
            u32::from(colours) >> 7 & 127,
            book,
        ),
        edges: Edges {
            left: edge(sides, sides >> 16),
            right: edge(sides >> 4, sides >> 23),
            top: edge(sides >> 8, more),
            bottom: edge(sides >> 12, more >> 7),
            down: diagonal.filter(|_| sides & 1 << 30 != 0),
            up: diagonal.filter(|_| sides & 1 << 31 != 0),
        },
        align: Align {
            indent: record.u8(8) & 15,
            shrink: record.u8(8) & 16 != 0,
            backwards: record.u8(8) >> 6 == 2,
            turn: Turn::of(turn),
            ..align(record.u8(6))
        },
        ..Style::default()
    }
}

/// Reads a cell format of Excel 5 and 95.
fn read_old(record: Record<'_>, book: &Book) -> Style {
    let (area, sides) = (record.u32(8), record.u32(12));
    let edge = |stroke: u32, colour: u32| edge(stroke & 7, colour & 127, book);
    Style {
        fill: fill(area >> 16, area & 127, area >> 7 & 127, book),
        edges: Edges {
            left: edge(sides >> 3, sides >> 16),
            right: edge(sides >> 6, sides >> 23),
            top: edge(sides, sides >> 9),
            bottom: edge(area >> 22, area >> 25),
            ..Edges::default()
        },
        align: Align {
            turn: match record.u8(7) & 3 {
                1 => Turn::Stacked,
                2 => Turn::By(90),
                3 => Turn::By(-90),
                _ => Turn::None,
            },
            ..align(record.u8(6))
        },
        ..Style::default()
    }
}

/// Alignment and wrapping, which are the same in all versions.
fn align(byte: u8) -> Align {
    Align {
        across: across(byte.into()),
        down: down(u32::from(byte) >> 4),
        wrap: byte & 8 != 0,
        ..Align::default()
    }
}

/// Border with a line style and a palette index, or `None` without a line.
fn edge(stroke: u32, colour: u32, book: &Book) -> Option<Edge> {
    let stroke = *STROKES.get((stroke as usize).checked_sub(1)?)?;
    let colour = book.palette.get(colour).unwrap_or(Colour(0, 0, 0));
    Some(Edge { stroke, colour })
}

/// Fill with a pattern and two palette indices.
fn fill(pattern: u32, fore: u32, back: u32, book: &Book) -> Option<Fill> {
    let fore = book.palette.get(fore).unwrap_or(Colour(0, 0, 0));
    let back = book.palette.get(back).unwrap_or(Colour(255, 255, 255));
    let name = PATTERNS.get(pattern as usize & 63)?;
    Fill::of_pattern(name, Some(fore), Some(back), false)
}
