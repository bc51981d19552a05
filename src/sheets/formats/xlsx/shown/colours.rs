//! Colours (ECMA-376 part 1, 18.8.3 and 18.8.19): red, green and blue, or an index of the palette or the theme, with
//! an optional tint. Draws nothing.

use crate::{containers::xml::Node, shown::book::Palette};
use convertd_office::drawing::{self, lightened};
use convertd_tree::Colour;

/// Palette and theme of a workbook.
#[derive(Clone, Debug, Default)]
pub(in crate::formats) struct Colours {
    /// Colours by index.
    pub(in crate::formats) palette: Palette,
    /// Colours of the theme, by name.
    pub(in crate::formats) theme: drawing::Palette,
}

/// Position in the theme of each colour number. SpreadsheetML swaps light and dark in the first two pairs of the theme.
const THEME: [usize; 12] = [1, 0, 3, 2, 4, 5, 6, 7, 8, 9, 10, 11];

impl Colours {
    /// Reads a colour from the attributes of an element. `None` for the automatic colour, or if they state no colour.
    pub(super) fn read(&self, node: &Node<'_>) -> Option<Colour> {
        let tint = node.attribute("tint");
        let tint = tint.and_then(|tint| tint.trim().parse::<f64>().ok());
        Some(tinted(self.base(node)?, tint.unwrap_or(0.0)))
    }

    /// Theme colour with a tint.
    pub(in crate::formats) fn themed(&self, number: usize, tint: f64) -> Option<Colour> {
        Some(tinted(self.theme.numbered(*THEME.get(number)?)?, tint))
    }

    /// Colour without its tint: from the theme, as RGB, or by index.
    fn base(&self, node: &Node<'_>) -> Option<[u8; 3]> {
        let number = |name: &str| node.attribute(name)?.trim().parse::<usize>().ok();
        if let Some(number) = number("theme") {
            return self.theme.numbered(*THEME.get(number)?);
        }
        if let Some(rgb) = node.attribute("rgb") {
            // Eight digits begin with the opacity, which is always full or wrong, so only the last six are read.
            let rgb = rgb.trim();
            let at = rgb.len().saturating_sub(6);
            return drawing::hexadecimal(rgb.get(at..)?);
        }
        let indexed = u32::try_from(number("indexed")?).ok()?;
        let Colour(red, green, blue) = self.palette.get(indexed)?;
        Some([red, green, blue])
    }
}

/// Applies a tint from -1 (black) to 1 (white).
pub(in crate::formats) fn tinted(rgb: [u8; 3], tint: f64) -> Colour {
    let [red, green, blue] = match tint.is_finite() && tint != 0.0 {
        true => lightened(rgb, tint),
        false => rgb,
    };
    Colour(red, green, blue)
}
