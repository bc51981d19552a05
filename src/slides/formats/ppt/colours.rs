//! Colours (MS-PPT 2.4.17, 2.12.2; MS-ODRAW 2.2.2): red, green and blue, or an index of the slide's colour scheme.
//! Draws nothing.

use crate::containers::fields::Fields;
use convertd_office::{art::Colours, drawing::Rgba};

/// Colour scheme of a slide: background, text and lines, shadows, titles, fills, and three accents.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scheme([[u8; 3]; 8]);

impl Default for Scheme {
    fn default() -> Self {
        let (white, black, grey) = ([255; 3], [0; 3], [128; 3]);
        Self([
            white,
            black,
            grey,
            black,
            [187, 224, 227],
            [51, 51, 153],
            [0, 153, 153],
            [153, 204, 0],
        ])
    }
}

impl Scheme {
    /// Reads a colour scheme.
    pub(super) fn read(data: Fields<'_>) -> Self {
        Self(std::array::from_fn(|at| {
            std::array::from_fn(|part| data.u8(at * 4 + part))
        }))
    }

    /// Resolves a text colour. Its last byte is an index, or says that the other bytes are red, green and blue.
    pub(super) fn of_text(&self, value: u32) -> Rgba {
        let [r, g, b, index] = value.to_le_bytes();
        Rgba::opaque(match self.0.get(usize::from(index)) {
            Some(colour) => *colour,
            None => [r, g, b],
        })
    }
}

impl Colours for Scheme {
    /// Default colours of a fill, of the far end of its gradient, and of a line.
    const DEFAULT: [u32; 3] = [0x0800_0004, 0x0800_0000, 0x0800_0001];

    /// Resolves a colour of a shape. If a flag in the last byte is set, the first byte is an index.
    fn of(&self, value: u32) -> Rgba {
        let [r, g, b, flags] = value.to_le_bytes();
        Rgba::opaque(match self.0.get(usize::from(r)) {
            Some(colour) if flags & 8 != 0 => *colour,
            _ => [r, g, b],
        })
    }
}
