//! Draws the text of a device: decodes characters by their charset, and places them at the positions that the file
//! states. Does not measure text: if the file states no positions, the renderer of the SVG aligns the text.

use super::{
    bytes::Bytes,
    device::Device,
    objects::Font,
    page::{hex, round},
    path::Outline,
};
use convertd_core::coding::{code_page::CodePage, escape::escaped_line};
use std::fmt::Write as _;

/// Largest number of bytes, or of UTF-16 units, that are decoded of a text.
const MAX_LETTERS: usize = 8000;

/// TA_UPDATECP, a flag of the text alignment (MS-WMF 2.1.2.3): text begins at the current position, and moves it.
const UPDATE: u32 = 1;
/// The bits of the text alignment for the horizontal direction. 0 is TA_LEFT.
const ACROSS: u32 = 6;
/// TA_RIGHT: the reference point is at the right end of the text.
const RIGHT: u32 = 2;
/// TA_CENTER: the reference point is in the middle of the text.
const CENTRE: u32 = 6;
/// The bits of the text alignment for the vertical direction. 0 is TA_TOP.
const DOWN: u32 = 24;
/// TA_BOTTOM: the reference point is at the bottom of the text.
const BOTTOM: u32 = 8;
/// TA_BASELINE: the reference point is on the baseline of the text.
const BASELINE: u32 = 24;

/// The characters of the font Symbol, which has Greek instead of Latin letters, for the codes from `A` to `Z`.
const CAPITALS: &str = "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ";

/// The characters of the font Symbol for the codes from `a` to `z`.
const SMALL: &str = "αβχδεφγηιϕκλμνοπθρστυϖωξψζ";

/// Other characters of the font Symbol, with their codes.
const SIGNS: [(u8, char); 30] = [
    (0x22, '∀'),
    (0x24, '∃'),
    (0x2d, '−'),
    (0x40, '≅'),
    (0x5c, '∴'),
    (0x5e, '⊥'),
    (0xa2, '′'),
    (0xa3, '≤'),
    (0xa5, '∞'),
    (0xab, '↔'),
    (0xac, '←'),
    (0xad, '↑'),
    (0xae, '→'),
    (0xaf, '↓'),
    (0xb0, '°'),
    (0xb1, '±'),
    (0xb3, '≥'),
    (0xb4, '×'),
    (0xb5, '∝'),
    (0xb6, '∂'),
    (0xb7, '•'),
    (0xb8, '÷'),
    (0xb9, '≠'),
    (0xba, '≡'),
    (0xbb, '≈'),
    (0xce, '∈'),
    (0xd6, '√'),
    (0xd7, '⋅'),
    (0xe5, '∑'),
    (0xf2, '∫'),
];

/// A text to draw.
pub(super) struct Text {
    /// Reference point, in logical units.
    pub(super) at: (f64, f64),
    /// The decoded characters.
    pub(super) words: String,
    /// Distances from each character to the next, in logical units. Empty if the file does not state them.
    pub(super) advances: Vec<f64>,
    /// A rectangle around the text: left, top, right, bottom.
    pub(super) within: Option<[f64; 4]>,
    /// Whether the rectangle is filled with the background colour before the text is drawn.
    pub(super) filled: bool,
    /// Whether the text is clipped to the rectangle.
    pub(super) clipped: bool,
}

impl Device {
    /// Fills the rectangle around a text if requested, and draws the text with the selected font.
    pub(super) fn write(&mut self, text: Text) {
        let (around, clip) = (text.within, self.state.clip);
        if let (Some(corners), true) = (around, text.filled) {
            self.fill_back(corners);
        }
        if let (Some(corners), true) = (around, text.clipped) {
            self.clip_rectangle(corners, true);
        }
        self.letters(&text);
        self.state.clip = clip;
    }

    /// Fills a rectangle with the background colour.
    fn fill_back(&mut self, corners: [f64; 4]) {
        let mut outline = Outline::default();
        outline.rectangle(self.matrix(), corners);
        if self.state.hidden || corners[0] == corners[2] || corners[1] == corners[3] {
            return;
        }
        let element = format!(
            "<path d=\"{}\" fill=\"{}\"/>",
            outline.data,
            hex(self.state.back)
        );
        self.page.ink(self.matrix().apply((corners[0], corners[1])));
        self.page.add(self.state.clip, &element);
    }

    /// Draws the characters. Their position, direction and size follow from the reference point, the alignment, and the
    /// angle of the font.
    fn letters(&mut self, text: &Text) {
        let matrix = self.matrix();
        let Font { size, turn, .. } = self.state.font;
        let updates = self.state.align & UPDATE != 0;
        let start = if updates { self.state.at } else { text.at };
        // The direction and the height of the text follow from the two axes of the transform. A transform that mirrors
        // also reverses the angle of the font. If both axes are reversed, the text is turned by another 180 degrees, so
        // that it stays upright.
        let [a, b, c, d, ..] = matrix.0;
        let mirrored = a * d - b * c < 0.0;
        let (along, up) = (a.hypot(b), c.hypot(d));
        let sign = if mirrored { 1.0 } else { -1.0 };
        let own = if a < 0.0 && !mirrored {
            std::f64::consts::PI
        } else {
            0.0
        };
        let angle = b.atan2(a) + own + (sign * turn).to_radians();
        let height = size * up;
        let total: f64 = text.advances.iter().sum::<f64>() * along;
        let has_advances = !text.advances.is_empty();
        let (mut x, mut y) = matrix.apply(start);
        let (sin, cos) = angle.sin_cos();
        let across = match self.state.align & ACROSS {
            CENTRE => 0.5,
            RIGHT => 1.0,
            _ => 0.0,
        };
        // Without advances, the renderer aligns the text (`text-anchor`).
        if has_advances {
            x -= cos * total * across;
            y -= sin * total * across;
        }
        // Distance from the reference point down to the baseline. It is negative if text is aligned at the bottom: the
        // baseline is then about the descent of common fonts (0.21 of the height) above the point. If text is aligned
        // at the top, the baseline is about the ascent (0.91 of the height) below the point.
        let drop = match self.state.align & DOWN {
            BASELINE => 0.0,
            BOTTOM => -0.21,
            _ => 0.91,
        } * height;
        let (bx, by) = (x - sin * drop, y + cos * drop);
        if updates {
            // Without advances, half the font size is assumed as the advance of each character.
            let moved = if has_advances {
                text.advances.iter().sum()
            } else {
                size * 0.5 * text.words.chars().count() as f64
            };
            self.state.at = (start.0 + moved, start.1);
        }
        if text.words.trim().is_empty() || self.state.hidden || height <= 0.0 {
            return;
        }
        for corner in [
            (bx, by),
            (bx + cos * total, by + sin * total),
            (x, y - height),
        ] {
            self.page.ink(corner);
        }
        // usvg does not handle tiny font sizes, so text has the font size 10, and a transform scales it.
        let unit = height / 10.0;
        let mut element = String::from("<text xml:space=\"preserve\" x=\"0");
        if has_advances {
            let mut position = 0.0;
            let count = text.words.chars().count();
            for advance in text.advances.iter().take(count.saturating_sub(1)) {
                position += advance * along / unit;
                let _ = write!(element, " {}", round(position));
            }
        }
        let anchor = match across {
            0.5 if !has_advances => " text-anchor=\"middle\"",
            1.0 if !has_advances => " text-anchor=\"end\"",
            _ => "",
        };
        let font = &self.state.font;
        let placed = super::page::Matrix([cos * unit, sin * unit, -sin * unit, cos * unit, bx, by]);
        let colour = self.state.forced.unwrap_or(self.state.text);
        let _ = write!(
            element,
            "\" y=\"0\" font-size=\"10\" font-family=\"{}\" fill=\"{}\"{anchor}{}",
            family(&font.name),
            hex(colour),
            placed.attribute()
        );
        push_style(&mut element, font);
        let _ = write!(element, ">{}</text>", escaped_line(&text.words));
        self.page.add(self.state.clip, &element);
    }

    /// Decodes bytes by the charset of the selected font. Also returns the length of each character in bytes. If one
    /// code gives several characters, all but the first have the length 0.
    pub(super) fn decoded(&self, bytes: &[u8]) -> (String, Vec<usize>) {
        let bytes = &bytes[..bytes.len().min(MAX_LETTERS)];
        let font = &self.state.font;
        if font.is_symbols() {
            let words = bytes.iter().map(|byte| sign(*byte, &font.name)).collect();
            return (words, vec![1; bytes.len()]);
        }
        let page = CodePage::by_charset(font.charset.into()).unwrap_or(CodePage::DEFAULT);
        let mut words = String::new();
        let mut lens = Vec::new();
        let mut at = 0;
        while at < bytes.len() {
            let len = page.len_of(bytes[at]).min(bytes.len() - at);
            let one = page.decode(&bytes[at..at + len]);
            lens.extend(
                one.chars()
                    .enumerate()
                    .map(|(nth, _)| if nth == 0 { len } else { 0 }),
            );
            words.push_str(&one);
            at += len;
        }
        (words, lens)
    }

    /// Decodes `count` units of UTF-16 at the offset `at`, as the selected font displays them. Also returns the length
    /// of each character in units.
    pub(super) fn decoded_wide(
        &self,
        bytes: Bytes<'_>,
        at: usize,
        count: usize,
    ) -> (String, Vec<usize>) {
        let units = (0..count.min(MAX_LETTERS)).map_while(|nth| bytes.u16(at + nth * 2));
        let font = &self.state.font;
        let (mut words, mut lens) = (String::new(), Vec::new());
        for one in char::decode_utf16(units) {
            let one = one.unwrap_or(char::REPLACEMENT_CHARACTER);
            let code = u32::from(one);
            words.push(match code {
                // Symbol fonts have their characters at U+F000 plus the code.
                0xf020..=0xf0ff => sign((code & 0xff) as u8, &font.name),
                0x20..=0xff if font.is_symbols() => sign(code as u8, &font.name),
                _ => one,
            });
            lens.push(one.len_utf16());
        }
        (words, lens)
    }
}

/// Converts advances of bytes or UTF-16 units to advances of characters. `lens` are the lengths of the characters in
/// these bytes or units.
pub(super) fn advances(of_units: &[f64], lens: &[usize]) -> Vec<f64> {
    let mut at = 0;
    let of_letter = |len: &usize| {
        let own = of_units.get(at..at + len);
        at += len;
        own.map(|own| own.iter().sum())
    };
    lens.iter().map_while(of_letter).collect()
}

/// The Unicode character for a code of a symbol font. An unknown code of Wingdings or Webdings becomes a bullet; an
/// unknown code of another font becomes the Latin-1 character.
fn sign(code: u8, font: &str) -> char {
    let name = font.to_ascii_lowercase();
    if name.contains("wingdings") || name.contains("webdings") {
        return match code {
            0xfc => '✓',
            0xfb => '✗',
            0xa7 => '▪',
            0xe0 => '→',
            0x6c => '●',
            0x6e => '■',
            0x71 => '❑',
            0x76 => '❖',
            0xd8 => '➢',
            0x20 => ' ',
            _ => '•',
        };
    }
    if !name.contains("symbol") {
        return char::from(code);
    }
    let greek = match code {
        b'A'..=b'Z' => CAPITALS.chars().nth(usize::from(code - b'A')),
        b'a'..=b'z' => SMALL.chars().nth(usize::from(code - b'a')),
        _ => SIGNS
            .iter()
            .find(|(own, _)| *own == code)
            .map(|(_, sign)| *sign),
    };
    greek.unwrap_or(char::from(code))
}

/// Value of `font-family` for a font, with a family that every renderer has.
fn family(name: &str) -> String {
    if name.is_empty() {
        return "sans-serif".to_owned();
    }
    let name = escaped_line(&name.replace(['\'', ','], ""));
    format!("&apos;{name}&apos;,sans-serif")
}

/// Adds the attributes for the weight, slant and lines of a font.
fn push_style(element: &mut String, font: &Font) {
    for (has, attribute) in [
        (font.bold, " font-weight=\"bold\""),
        (font.italic, " font-style=\"italic\""),
        (font.underlined, " text-decoration=\"underline\""),
        (
            font.struck && !font.underlined,
            " text-decoration=\"line-through\"",
        ),
    ] {
        if has {
            element.push_str(attribute);
        }
    }
}
