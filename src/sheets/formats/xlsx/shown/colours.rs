//! Colours of cells (ECMA-376 part 1, 18.8.3 and 18.8.19): red, green and blue, or a number of the palette or of the theme, made lighter
//! or darker by a tint.

use crate::{containers::xml::Node, shown::book::Palette};
use convertd_office::drawing::{self, lightened};
use convertd_tree::Colour;

/// Theme and palette of colours.
#[derive(Clone, Debug, Default)]
pub(in crate::formats) struct Colours {
    pub(in crate::formats) palette: Palette,
    pub(in crate::formats) theme: drawing::Palette,
}

/// The theme's colours in the order of their numbers: the first two pairs are swapped against the theme's own order.
const THEME: [usize; 12] = [1, 0, 3, 2, 4, 5, 6, 7, 8, 9, 10, 11];

impl Colours {
    /// The colour that the attributes of an element say. `None` for the automatic one, and for none.
    pub(super) fn read(&self, node: &Node<'_>) -> Option<Colour> {
        let tint = node.attribute("tint");
        let tint = tint.and_then(|tint| tint.trim().parse::<f64>().ok());
        Some(tinted(self.base(node)?, tint.unwrap_or(0.0)))
    }

    /// The colour of the theme with this number, made lighter or darker.
    pub(in crate::formats) fn themed(&self, number: usize, tint: f64) -> Option<Colour> {
        Some(tinted(self.theme.numbered(*THEME.get(number)?)?, tint))
    }

    /// The colour before its tint: from the theme, as RGB, or by index.
    fn base(&self, node: &Node<'_>) -> Option<[u8; 3]> {
        let number = |name: &str| node.attribute(name)?.trim().parse::<usize>().ok();
        if let Some(number) = number("theme") {
            return self.theme.numbered(*THEME.get(number)?);
        }
        if let Some(rgb) = node.attribute("rgb") {
            // Eight digits with the opacity first, which is always full or wrong.
            let rgb = rgb.trim();
            let at = rgb.len().saturating_sub(6);
            return drawing::hexadecimal(rgb.get(at..)?);
        }
        let indexed = u32::try_from(number("indexed")?).ok()?;
        let Colour(red, green, blue) = self.palette.get(indexed)?;
        Some([red, green, blue])
    }
}

/// A colour that is made lighter or darker, by a share from -1 to 1.
pub(in crate::formats) fn tinted(rgb: [u8; 3], tint: f64) -> Colour {
    let [red, green, blue] = match tint.is_finite() && tint != 0.0 {
        true => lightened(rgb, tint),
        false => rgb,
    };
    Colour(red, green, blue)
}
