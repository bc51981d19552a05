//! Pens, brushes and fonts of a device. Draws nothing.

use super::{bytes::Bytes, dib::Pixels};
use std::rc::Rc;

/// Red, green and blue.
pub(super) type Rgb = [u8; 3];

/// The colour of a `COLORREF` (MS-WMF 2.2.2.7).
pub(super) fn colour(value: u32) -> Rgb {
    let [red, green, blue, _] = value.to_le_bytes();
    [red, green, blue]
}

/// An object that is selected by a handle.
#[derive(Clone, Debug)]
pub(super) enum Object {
    Pen(Pen),
    Brush(Brush),
    Font(Font),
    /// An object that is selected without an effect, such as a palette.
    Other,
}

/// Pen: the style of lines.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pen {
    pub(super) colour: Rgb,
    /// Width in units of the drawing; 0 for the thinnest line.
    pub(super) width: f64,
    pub(super) dashes: &'static [f64],
    pub(super) shown: bool,
    /// The shapes of ends and of corners, as values of SVG.
    pub(super) cap: &'static str,
    pub(super) join: &'static str,
}

impl Default for Pen {
    fn default() -> Self {
        Self {
            colour: [0; 3],
            width: 0.0,
            dashes: &[],
            shown: true,
            cap: "round",
            join: "round",
        }
    }
}

impl Pen {
    /// Creates a pen with a style (MS-EMF 2.1.25), a width and a colour. The style determines ends and corners only if `styled`.
    pub(super) fn new(style: u32, width: f64, colour: Rgb, styled: bool) -> Self {
        let form = |shift: u32, names: [&'static str; 3]| {
            let at = (style >> shift & 0xf) as usize;
            names[if styled { at.min(2) } else { 0 }]
        };
        Self {
            colour,
            width: width.abs(),
            dashes: match style & 0xf {
                1 => &[3.0, 1.0],
                2 => &[1.0, 1.0],
                3 => &[3.0, 1.0, 1.0, 1.0],
                4 => &[3.0, 1.0, 1.0, 1.0, 1.0, 1.0],
                7 => &[3.0, 2.0],
                8 => &[1.0, 1.0],
                _ => &[],
            },
            shown: style & 0xf != 5,
            cap: form(8, ["round", "square", "butt"]),
            join: form(12, ["round", "bevel", "miter"]),
        }
    }
}

/// Brush: the fill of areas.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Brush {
    None,
    Solid(Rgb),
    /// Hatching: lines in one or two directions (MS-EMF 2.1.17).
    Hatch(u32, Rgb),
    /// A pattern of two colours: the text colour and the background colour at the time when it is used.
    Dots(Rc<Pixels>),
    /// A pattern that has been defined on the page, by its number.
    Pattern(usize),
}

/// Font of text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Font {
    /// The size in units of the drawing.
    pub(super) size: f64,
    /// The angle of the text, counterclockwise, in degrees.
    pub(super) turn: f64,
    pub(super) bold: bool,
    pub(super) italic: bool,
    pub(super) underlined: bool,
    pub(super) struck: bool,
    /// Character set of its bytes (MS-WMF 2.1.1.5).
    pub(super) charset: u8,
    pub(super) name: String,
}

impl Default for Font {
    fn default() -> Self {
        Self {
            size: 12.0,
            turn: 0.0,
            bold: false,
            italic: false,
            underlined: false,
            struck: false,
            charset: 0,
            name: String::new(),
        }
    }
}

/// SYMBOL_CHARSET.
const SYMBOLS: u8 = 2;

impl Font {
    /// Returns whether its characters are symbols instead of letters. Some programs give the font Symbol a charset of letters, so its
    /// name counts as well.
    pub(super) fn is_symbols(&self) -> bool {
        self.charset == SYMBOLS || self.name.eq_ignore_ascii_case("symbol")
    }

    /// A `LOGFONT` (MS-WMF 2.2.1.2, MS-EMF 2.2.13), whose numbers have 32 or 16 bits.
    pub(super) fn read(bytes: Bytes<'_>, wide: bool) -> Option<Self> {
        let number = |nth: usize| -> Option<f64> {
            Some(match wide {
                true => bytes.i32(nth * 4)?.into(),
                false => bytes.i16(nth * 2)?.into(),
            })
        };
        let flags = if wide { 20 } else { 10 };
        let height = number(0)?;
        let name = match wide {
            true => {
                let units = (0..32).map_while(|nth| bytes.u16(flags + 8 + nth * 2));
                let units: Vec<u16> = units.take_while(|unit| *unit != 0).collect();
                String::from_utf16_lossy(&units)
            }
            false => {
                let rest = bytes.rest(flags + 8).0;
                let end = rest.iter().take(32).position(|byte| *byte == 0);
                let name = &rest[..end.unwrap_or(rest.len().min(32))];
                name.iter().map(|byte| char::from(*byte)).collect()
            }
        };
        // A positive height is that of the character cell, which is larger than the em by its internal leading.
        let size = if height < 0.0 { -height } else { height * 0.87 };
        Some(Self {
            size: if size > 0.0 { size } else { 12.0 },
            turn: number(2)? / 10.0,
            bold: number(4)? >= 600.0,
            italic: bytes.u8(flags)? != 0,
            underlined: bytes.u8(flags + 1)? != 0,
            struck: bytes.u8(flags + 2)? != 0,
            charset: bytes.u8(flags + 3)?,
            name,
        })
    }
}

/// The objects that every device has (MS-EMF 2.1.31).
pub(super) fn stock(number: u32) -> Object {
    let pen = |colour, shown| {
        Object::Pen(Pen {
            colour,
            shown,
            ..Pen::default()
        })
    };
    match number {
        0 => Object::Brush(Brush::Solid([255; 3])),
        1 => Object::Brush(Brush::Solid([192; 3])),
        2 => Object::Brush(Brush::Solid([128; 3])),
        3 => Object::Brush(Brush::Solid([64; 3])),
        4 => Object::Brush(Brush::Solid([0; 3])),
        5 => Object::Brush(Brush::None),
        6 => pen([255; 3], true),
        7 => pen([0; 3], true),
        8 => pen([0; 3], false),
        10..=14 | 16 | 17 => Object::Font(Font::default()),
        18 => Object::Brush(Brush::Solid([255; 3])),
        19 => pen([0; 3], true),
        _ => Object::Other,
    }
}
