//! Colours, shading and borders (MS-DOC 2.9.16, 2.9.17, 2.9.119, 2.9.247), in the encodings of all versions.

use crate::containers::fields::Fields;
use convertd_office::wordprocessing::{indexed, patterned};
use convertd_tree::{Border, Colour, Length, LineKind};

/// Decodes a colour (COLORREF). `None` for the automatic colour.
pub(super) fn rgb(value: Fields<'_>) -> Option<Colour> {
    (value.u8(3) == 0).then(|| Colour(value.u8(0), value.u8(1), value.u8(2)))
}

/// Decodes a shading of Word 97 (Shd80): two colour indices of 5 bits, and a pattern of 6 bits.
pub(super) fn old_shading(word: u16) -> Option<Colour> {
    let [front, back] = [word & 31, word >> 5 & 31].map(|number| indexed(number as u8));
    match word {
        0xffff => None,
        _ => mixed(front, back, word >> 10),
    }
}

/// Decodes a shading since Word 2000 (Shd): foreground, background and pattern.
pub(super) fn shading(value: Fields<'_>) -> Option<Colour> {
    mixed(rgb(value), rgb(value.from(4)), value.u16(8))
}

/// Mixes the two colours of a pattern into the average colour that a reader sees from a distance.
fn mixed(front: Option<Colour>, back: Option<Colour>, pattern: u16) -> Option<Colour> {
    /// Share of the area that the foreground covers, in thousandths (MS-DOC 2.9.121). Dark hatchings (14 to 19) cover
    /// about a third, and light ones (20 to 25) about a sixth.
    fn share(pattern: u16) -> u32 {
        match pattern {
            1 => 1000,
            2 => 50,
            3 => 100,
            4 => 200,
            5 => 250,
            6 => 300,
            7 => 400,
            8 => 500,
            9 => 600,
            10 => 700,
            11 => 750,
            12 => 800,
            13 => 900,
            14..=19 => 333,
            20..=25 => 166,
            35..=62 => [
                25, 75, 125, 150, 175, 225, 275, 325, 350, 375, 425, 450, 475, 525, 550, 575, 625,
                650, 675, 725, 775, 825, 850, 875, 925, 950, 970, 970,
            ][usize::from(pattern) - 35],
            _ => 0,
        }
    }
    patterned(front, back, share(pattern))
}

/// Decodes a border of Word 97 (Brc80, 4 bytes). `None` if the kind is 0, which leaves the border unspecified;
/// `Some(None)` if the value states that there is no border.
pub(super) fn border_97(value: Fields<'_>) -> Option<Option<Border>> {
    match (value.u32(0), value.u8(1)) {
        (u32::MAX, _) => Some(None),
        (_, 0) => None,
        (_, kind) => {
            let line = border(value.u8(0), kind, indexed(value.u8(2)));
            Some(line.map(|line| spaced(line, value.u8(3))))
        }
    }
}

/// Decodes a border of Word 2000 (Brc, 8 bytes), with the same two kinds of `None` as in [`border_97`].
pub(super) fn border_2000(value: Fields<'_>) -> Option<Option<Border>> {
    match (value.u8(5), value.u8(4)) {
        (0, _) => None,
        (255, _) => Some(None),
        (kind, eighths) => {
            let line = border(eighths, kind, rgb(value));
            Some(line.map(|line| spaced(line, value.u8(6))))
        }
    }
}

/// Decodes a border of Word 6 (2 bytes): width, kind and colour index. `None` if the kind is 0, which means no border.
pub(super) fn border_6(word: u16) -> Option<Option<Border>> {
    if word == 0 || word >> 3 & 3 == 0 {
        return None;
    }
    // Widths are in units of 0.75 points. The values 6 and 7 mean a dotted and a dashed line.
    let width = word & 7;
    let kind = match (width, word >> 3 & 3) {
        (6, _) => 6,
        (7, _) => 7,
        (_, 3) => 3,
        _ => 1,
    };
    let eighths = if width >= 6 { 6 } else { width * 6 };
    Some(border(eighths as u8, kind, indexed((word >> 6 & 31) as u8)))
}

/// Builds a border from its width in eighths of a point (limited to 2 to 96) and its kind (MS-DOC 2.9.17). `None` if
/// there is no line.
fn border(eighths: u8, kind: u8, colour: Option<Colour>) -> Option<Border> {
    let kind = match kind {
        0 | 255 => return None,
        3 | 10..=19 | 21 => LineKind::Double,
        6 => LineKind::Dotted,
        7..=9 | 22 | 23 => LineKind::Dashed,
        _ => LineKind::Solid,
    };
    Some(Border {
        width: Length::points(f64::from(eighths.clamp(2, 96)) / 8.0),
        colour,
        kind,
        space: None,
    })
}

/// Adds the distance to the text: the lowest five bits of a byte, in points.
fn spaced(border: Border, byte: u8) -> Border {
    Border {
        space: Some(Length::points(f64::from(byte & 31))),
        ..border
    }
}
