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

/// An object that a handle selects.
#[derive(Clone, Debug)]
pub(super) enum Object {
    Pen(Pen),
    Brush(Brush),
    Font(Font),
    /// An object whose selection has no effect, such as a palette.
    Other,
}

/// A pen: the style of lines.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pen {
    pub(super) colour: Rgb,
    /// Width in logical units; 0 means the thinnest line.
    pub(super) width: f64,
    /// Lengths of dashes and gaps, in widths of the line.
    pub(super) dashes: &'static [f64],
    /// Whether the pen draws anything (all styles except PS_NULL).
    pub(super) shown: bool,
    /// Shape of line ends, as the value of `stroke-linecap` in SVG.
    pub(super) cap: &'static str,
    /// Shape of corners, as the value of `stroke-linejoin` in SVG.
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
    /// A pen with a style (MS-EMF 2.1.25), a width and a colour. The style determines line ends and corners only if the
    /// pen is `styled`.
    pub(super) fn new(style: u32, width: f64, colour: Rgb, styled: bool) -> Self {
        let form = |shift: u32, names: [&'static str; 3]| {
            let at = (style >> shift & 0xf) as usize;
            names[if styled { at.min(2) } else { 0 }]
        };
        Self {
            colour,
            width: width.abs(),
            // PS_DASH, PS_DOT, PS_DASHDOT, PS_DASHDOTDOT, PS_USERSTYLE and PS_ALTERNATE; style 5 is PS_NULL.
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

/// A brush: the fill of areas.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Brush {
    None,
    Solid(Rgb),
    /// A hatch: lines in one or two directions (MS-EMF 2.1.17).
    Hatch(u32, Rgb),
    /// A bitmap in two colours: the text colour and the background colour at the time of drawing.
    Dots(Rc<Pixels>),
    /// An SVG pattern of the page, by its number.
    Pattern(usize),
}

/// A font for text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Font {
    /// Font size in logical units.
    pub(super) size: f64,
    /// Angle of the baseline in degrees, anticlockwise.
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

/// The character set SYMBOL_CHARSET (MS-WMF 2.1.1.5).
const SYMBOLS: u8 = 2;

impl Font {
    /// Returns whether its characters are symbols instead of letters. The name counts, too, because some programs use
    /// the font Symbol with a character set of letters.
    pub(super) fn is_symbols(&self) -> bool {
        self.charset == SYMBOLS || self.name.eq_ignore_ascii_case("symbol")
    }

    /// Reads a `LOGFONT` (MS-WMF 2.2.1.2, MS-EMF 2.2.13). Its numbers have 32 bits if `wide`, otherwise 16.
    pub(super) fn read(bytes: Bytes<'_>, wide: bool) -> Option<Self> {
        let number = |nth: usize| -> Option<f64> {
            Some(match wide {
                true => bytes.i32(nth * 4)?.into(),
                false => bytes.i16(nth * 2)?.into(),
            })
        };
        // Height, width, escapement, orientation and weight, followed by one byte for each flag, then the name.
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
        // A positive height is that of the character cell, which is larger than the em by the internal leading, about
        // 15 %.
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

/// The stock objects of every device (MS-EMF 2.1.31).
pub(super) fn stock(number: u32) -> Object {
    let pen = |colour, shown| {
        Object::Pen(Pen {
            colour,
            shown,
            ..Pen::default()
        })
    };
    match number {
        // Brushes: white, light grey, grey, dark grey, black, null. Pens: white, black, null. Then fonts, and the brush
        // and the pen of the device context.
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
