//! Indexed colours of a workbook: its palette of 64 colours (ECMA-376 part 1, 18.8.27), and two system colours with the
//! indices after it. Reads no file.

use super::book::Palette;
use convertd_tree::Colour;

/// Index of the system colour of window text.
const WINDOW_TEXT: u32 = 64;
/// Index of the system colour of the window background.
const WINDOW: u32 = 65;

/// Default palette, as RGB: eight basic colours, the same eight again, and 48 more.
const DEFAULT: [u32; 64] = [
    0x000000, 0xffffff, 0xff0000, 0x00ff00, 0x0000ff, 0xffff00, 0xff00ff, 0x00ffff, 0x000000,
    0xffffff, 0xff0000, 0x00ff00, 0x0000ff, 0xffff00, 0xff00ff, 0x00ffff, 0x800000, 0x008000,
    0x000080, 0x808000, 0x800080, 0x008080, 0xc0c0c0, 0x808080, 0x9999ff, 0x993366, 0xffffcc,
    0xccffff, 0x660066, 0xff8080, 0x0066cc, 0xccccff, 0x000080, 0xff00ff, 0xffff00, 0x00ffff,
    0x800080, 0x800000, 0x008080, 0x0000ff, 0x00ccff, 0xccffff, 0xccffcc, 0xffff99, 0x99ccff,
    0xff99cc, 0xcc99ff, 0xffcc99, 0x3366ff, 0x33cccc, 0x99cc00, 0xffcc00, 0xff9900, 0xff6600,
    0x666699, 0x969696, 0x003366, 0x339966, 0x003300, 0x333300, 0x993300, 0x993366, 0x333399,
    0x333333,
];

impl Default for Palette {
    fn default() -> Self {
        Self(DEFAULT.map(|rgb| {
            let [_, red, green, blue] = rgb.to_be_bytes();
            Colour(red, green, blue)
        }))
    }
}

impl Palette {
    /// Returns the colour with this index. `None` for an unknown one.
    pub(crate) fn get(&self, number: u32) -> Option<Colour> {
        match number {
            WINDOW_TEXT => Some(Colour(0, 0, 0)),
            WINDOW => Some(Colour(255, 255, 255)),
            _ => self.0.get(number as usize).copied(),
        }
    }
}
