//! The colours of a workbook by number: its palette of 64 (ECMA-376 part 1, 18.8.27), and those of its theme. Reads no file.

use super::book::Palette;
use convertd_tree::Colour;

/// The number of the colour of text in windows, and that of their background.
const WINDOW_TEXT: u32 = 64;
const WINDOW: u32 = 65;

/// The palette that a workbook has which says nothing: eight colours, twice, and then 48 more.
const USUAL: [u32; 64] = [
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
        Self(USUAL.map(|rgb| {
            let [_, red, green, blue] = rgb.to_be_bytes();
            Colour(red, green, blue)
        }))
    }
}

impl Palette {
    /// The colour with this number.
    pub(crate) fn get(&self, number: u32) -> Option<Colour> {
        match number {
            WINDOW_TEXT => Some(Colour(0, 0, 0)),
            WINDOW => Some(Colour(255, 255, 255)),
            _ => self.0.get(number as usize).copied(),
        }
    }
}
