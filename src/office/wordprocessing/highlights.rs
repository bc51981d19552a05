//! Highlight colours of Word (ECMA-376 part 1, 17.18.40; MS-DOC 2.9.119). The sixteen colours have names in DOCX and
//! numbers in DOC. Draws nothing.

use super::RunProperties;
use convertd_tree::Colour;

/// Names and colours, from number 1 on.
const COLOURS: [(&str, Colour); 16] = [
    ("black", Colour(0, 0, 0)),
    ("blue", Colour(0, 0, 255)),
    ("cyan", Colour(0, 255, 255)),
    ("green", Colour(0, 255, 0)),
    ("magenta", Colour(255, 0, 255)),
    ("red", Colour(255, 0, 0)),
    (DEFAULT, Colour(255, 255, 0)),
    ("white", Colour(255, 255, 255)),
    ("darkBlue", Colour(0, 0, 128)),
    ("darkCyan", Colour(0, 128, 128)),
    ("darkGreen", Colour(0, 128, 0)),
    ("darkMagenta", Colour(128, 0, 128)),
    ("darkRed", Colour(128, 0, 0)),
    ("darkYellow", Colour(128, 128, 0)),
    ("darkGray", Colour(128, 128, 128)),
    ("lightGray", Colour(192, 192, 192)),
];

/// Colour of highlights without a stated colour.
const DEFAULT: &str = "yellow";

/// Returns the colour with this name.
pub fn highlight(name: &str) -> Option<Colour> {
    let found = COLOURS.iter().find(|(known, _)| *known == name);
    found.map(|(_, colour)| *colour)
}

/// Returns the colour with this number. `None` for 0, the automatic colour, and for unknown numbers.
pub fn indexed(number: u8) -> Option<Colour> {
    let at = usize::from(number).checked_sub(1)?;
    COLOURS.get(at).map(|(_, colour)| *colour)
}

/// Mixes the two colours of a pattern into the average colour that a reader sees from a distance. `share` is the part
/// of the area that the foreground covers, in thousandths. `None` is black for the foreground, and white for the
/// background.
pub fn patterned(front: Option<Colour>, back: Option<Colour>, share: u32) -> Option<Colour> {
    if share == 0 {
        return back;
    }
    let Colour(r, g, b) = front.unwrap_or(Colour(0, 0, 0));
    let Colour(back_r, back_g, back_b) = back.unwrap_or(Colour(255, 255, 255));
    let mix = |front: u8, back: u8| {
        let back_share = 1000_u32.saturating_sub(share);
        ((u32::from(front) * share.min(1000) + u32::from(back) * back_share) / 1000) as u8
    };
    Some(Colour(mix(r, back_r), mix(g, back_g), mix(b, back_b)))
}

/// Returns the name of the highlight colour that equals a background colour, and yellow for any other background.
pub fn pen(background: Option<Colour>) -> &'static str {
    let found = COLOURS.iter().find(|(_, own)| Some(*own) == background);
    found.map_or(DEFAULT, |(name, _)| name)
}

impl RunProperties {
    /// Highlights the text. `None` stands for an unknown colour; yellow, the default, is stored as unknown as well. The
    /// highlight covers any shading.
    pub fn highlighted(&mut self, colour: Option<Colour>) {
        self.highlight = Some(true);
        self.background = Some(colour.filter(|colour| Some(*colour) != highlight(DEFAULT)));
    }

    /// Shades the text, unless it is highlighted.
    pub fn shaded(&mut self, colour: Option<Colour>) {
        if self.highlight != Some(true) {
            self.background = Some(colour);
        }
    }
}
