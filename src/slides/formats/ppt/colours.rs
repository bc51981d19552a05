//! Colours (MS-PPT 2.4.17, 2.12.2; MS-ODRAW 2.2.2): in red, green and blue, or by their index in the scheme of the slide. Decides
//! nothing about what has them.

use crate::containers::fields::Fields;
use convertd_office::{art::Colours, drawing::Rgba};

/// The eight colours of a slide: of the background, of text and lines, of shadows, of titles, of fills, and three accents.
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
    /// Reads a scheme.
    pub(super) fn read(data: Fields<'_>) -> Self {
        Self(std::array::from_fn(|at| {
            std::array::from_fn(|part| data.u8(at * 4 + part))
        }))
    }

    /// A colour of text: its last byte is the index, or says that the others are red, green and blue.
    pub(super) fn of_text(&self, value: u32) -> Rgba {
        let [r, g, b, index] = value.to_le_bytes();
        Rgba::opaque(match self.0.get(usize::from(index)) {
            Some(colour) => *colour,
            None => [r, g, b],
        })
    }
}

impl Colours for Scheme {
    /// The colours of fills, of the background and of text.
    const USUAL: [u32; 3] = [0x0800_0004, 0x0800_0000, 0x0800_0001];

    /// A flag in the last byte says that the first one is the index.
    fn of(&self, value: u32) -> Rgba {
        let [r, g, b, flags] = value.to_le_bytes();
        Rgba::opaque(match self.0.get(usize::from(r)) {
            Some(colour) if flags & 8 != 0 => *colour,
            _ => [r, g, b],
        })
    }
}
