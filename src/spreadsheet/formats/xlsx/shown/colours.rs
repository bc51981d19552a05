//! Colours of cells (ECMA-376 part 1, 18.8.3 and 18.8.19): red, green and blue, or a number of the palette or of the theme, made lighter
//! or darker by a tint.

use crate::{
    containers::xml::Node,
    document::tree::Colour,
    office::drawing::{self, lightened},
    spreadsheet::shown::book::Palette,
};

/// What colours are looked up in.
#[derive(Clone, Debug, Default)]
pub(super) struct Colours {
    pub(super) palette: Palette,
    pub(super) theme: drawing::Palette,
}

/// The theme's colours in the order of their numbers: the first two pairs are swapped against the theme's own order.
const THEME: [usize; 12] = [1, 0, 3, 2, 4, 5, 6, 7, 8, 9, 10, 11];

impl Colours {
    /// The colour that the attributes of an element say. `None` for the automatic one, and for none.
    pub(super) fn read(&self, node: &Node<'_>) -> Option<Colour> {
        let rgb = self.base(node)?;
        let tint = node.attribute("tint");
        let tint = tint.and_then(|tint| tint.trim().parse::<f64>().ok());
        let [red, green, blue] = match tint.filter(|tint| tint.is_finite() && *tint != 0.0) {
            Some(tint) => lightened(rgb, tint),
            None => rgb,
        };
        Some(Colour(red, green, blue))
    }

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
