//! Fonts, cell formats and the palette in the globals of a workbook (MS-XLS 2.4.122, 2.4.353, 2.4.188).

use super::{super::sheet::Context, names::Names};
use crate::{
    document::tree::Colour,
    error::Result,
    spreadsheet::{
        biff::Record,
        formats::xls::{records::Records, strings::Texts},
        shown::{
            book::{Book, MAX_LIST},
            style::{
                Across, Align, Down, Edge, Edges, Fill, Font, Format, Position, Stroke, Style,
                Turn, Underline, density, mixed,
            },
        },
    },
};
use std::{collections::HashMap, rc::Rc};

const END: u16 = 0x0a;
const NAME: u16 = 0x18;
const FONT: u16 = 0x31;
const PALETTE: u16 = 0x92;
const STYLE: u16 = 0xe0;
const FORMAT: u16 = 0x41e;

/// The kinds of borders by their numbers (2.5.11), from 1.
const STROKES: [Stroke; 13] = [
    Stroke::Thin,
    Stroke::Medium,
    Stroke::Dashed,
    Stroke::Dotted,
    Stroke::Thick,
    Stroke::Double,
    Stroke::Hair,
    Stroke::MediumDashed,
    Stroke::DashDot,
    Stroke::MediumDashDot,
    Stroke::DashDotDot,
    Stroke::MediumDashDotDot,
    Stroke::SlantDashDot,
];

/// The names of fill patterns by their numbers (2.5.125).
const PATTERNS: [&str; 19] = [
    "none",
    "solid",
    "mediumGray",
    "darkGray",
    "lightGray",
    "darkHorizontal",
    "darkVertical",
    "darkDown",
    "darkUp",
    "darkGrid",
    "darkTrellis",
    "lightHorizontal",
    "lightVertical",
    "lightDown",
    "lightUp",
    "lightGrid",
    "lightTrellis",
    "gray125",
    "gray0625",
];

/// A font whose colour is a number of the palette, which comes later.
struct Written {
    font: Font,
    colour: u16,
}

/// Reads the globals, which begin here. Cell formats go to the book.
pub(super) fn read(records: &mut Records<'_>, context: &Context, book: &mut Book) -> Result<Names> {
    let mut names = Names::default();
    let mut fonts: Vec<Written> = Vec::new();
    let mut formats: Vec<Vec<u8>> = Vec::new();
    let mut codes: HashMap<u16, Rc<Format>> = HashMap::new();
    let wide = context.texts == Texts::Unicode;
    while let Some(record) = records.next()? {
        match record.kind {
            FONT if fonts.len() < MAX_LIST => fonts.push(font(record, context.texts)),
            STYLE if formats.len() < MAX_LIST => formats.push(record.data.to_vec()),
            FORMAT if codes.len() < 4096 => {
                let mut code = String::new();
                let text = record.data.get(2..).unwrap_or_default();
                context.texts.read(text, !wide, &mut code);
                codes.insert(record.u16(0), Rc::new(Format::new(&code)));
            }
            PALETTE => {
                let colours = record.data.get(2..).unwrap_or_default().chunks_exact(4);
                for (slot, four) in book.palette.0.iter_mut().skip(8).zip(colours) {
                    *slot = Colour(four[0], four[1], four[2]);
                }
            }
            NAME if wide => names.add(record),
            END => break,
            _ => {}
        }
    }
    let fonts: Vec<Rc<Font>> = fonts
        .into_iter()
        .map(|mut written| {
            // The colour of text in windows is no colour of its own.
            written.font.colour = match written.colour {
                0x7fff => None,
                number => book.palette.get(number.into()),
            };
            Rc::new(written.font)
        })
        .collect();
    book.normal = fonts.first().cloned().unwrap_or_default();
    for data in &formats {
        let record = Record { kind: STYLE, data };
        // There is no font with the number 4.
        let number = usize::from(record.u16(0));
        let number = number - usize::from(number > 4);
        let id = record.u16(2);
        let format = codes
            .entry(id)
            .or_insert_with(|| Rc::new(Format::built_in(id.into())));
        let mut style = match wide {
            true => modern(record, book),
            false => old(record, book),
        };
        style.font = fonts
            .get(number)
            .or(fonts.first())
            .cloned()
            .unwrap_or_default();
        style.format = format.clone();
        book.styles.push(Rc::new(style));
    }
    // Cells refer to formats of cells, of which the one behind the fifteen of styles is that of cells that say nothing.
    if let Some(usual) = book.styles.get(15).cloned() {
        book.styles[0] = usual;
    }
    Ok(names)
}

fn font(record: Record<'_>, texts: Texts) -> Written {
    let mut name = String::new();
    texts.read(record.data.get(14..).unwrap_or_default(), true, &mut name);
    let flags = record.u16(2);
    Written {
        font: Font {
            name: name.chars().take(64).collect(),
            size: (f32::from(record.u16(0)) / 20.0).clamp(1.0, 409.0),
            bold: record.u16(6) >= 600,
            italic: flags & 2 != 0,
            strike: flags & 8 != 0,
            underline: match record.u8(10) {
                0 => Underline::None,
                0x02 | 0x22 => Underline::Double,
                _ => Underline::Single,
            },
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

/// A cell format since Excel 97.
fn modern(record: Record<'_>, book: &Book) -> Style {
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

/// A cell format of Excel 5 and 95.
fn old(record: Record<'_>, book: &Book) -> Style {
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

fn align(byte: u8) -> Align {
    Align {
        across: match byte & 7 {
            1 => Across::Left,
            2 => Across::Centre,
            3 => Across::Right,
            4 => Across::Fill,
            5 => Across::Justify,
            6 => Across::CentreContinuous,
            7 => Across::Distributed,
            _ => Across::General,
        },
        down: match byte >> 4 & 7 {
            0 => Down::Top,
            1 => Down::Centre,
            3 => Down::Justify,
            4 => Down::Distributed,
            _ => Down::Bottom,
        },
        wrap: byte & 8 != 0,
        ..Align::default()
    }
}

fn edge(stroke: u32, colour: u32, book: &Book) -> Option<Edge> {
    let stroke = *STROKES.get((stroke as usize).checked_sub(1)?)?;
    let colour = book.palette.get(colour).unwrap_or(Colour(0, 0, 0));
    Some(Edge { stroke, colour })
}

fn fill(pattern: u32, fore: u32, back: u32, book: &Book) -> Option<Fill> {
    let density = density(PATTERNS.get(pattern as usize & 63)?)?;
    let fore = book.palette.get(fore).unwrap_or(Colour(0, 0, 0));
    let back = book.palette.get(back).unwrap_or(Colour(255, 255, 255));
    Some(Fill {
        colour: mixed(fore, back, density),
    })
}
