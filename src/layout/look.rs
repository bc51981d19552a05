//! The look of text, as styles, marks and the defaults of this writer make it. Knows fonts only by their family.

use super::face::Joining;
use crate::fonts::Family;
use convertd_tree::{Colour, Direction, Mark, TextStyle};
use std::rc::Rc;

/// The default size of text in points.
pub const SIZE: f32 = 11.0;
/// The default family.
pub(crate) const FAMILY: Family = Family::Calibri;
/// The colour of links.
pub const LINK: Colour = Colour(0x0b, 0x57, 0xa4);
/// The colour of subtitles and captions.
pub(crate) const QUIET: Colour = Colour(0x55, 0x55, 0x55);
/// The background of code.
pub(crate) const SHADE: Colour = Colour(0xf4, 0xf4, 0xf5);
/// The colour of rules.
pub(crate) const HAIR: Colour = Colour(0xbf, 0xbf, 0xbf);
/// The background of highlighted text.
const PEN: Colour = Colour(0xff, 0xf1, 0x76);
/// Sizes of superscripts and subscripts, and of small capitals, relative to the text.
const RAISED_SIZE: f32 = 0.65;
pub(crate) const SMALL_CAPITALS: f32 = 0.8;

/// Look of a piece of text.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    pub family: Family,
    pub bold: bool,
    pub italic: bool,
    /// In points.
    pub size: f32,
    pub colour: Colour,
    pub background: Option<Colour>,
    pub underline: bool,
    pub strike: bool,
    pub capitals: bool,
    pub small_capitals: bool,
    /// Only the edges of letters are drawn.
    pub outlined: bool,
    /// Rise of the baseline, in points.
    pub raised: f32,
    /// Further room behind each letter, in points; less than zero for letters that stand closer.
    pub spacing: f32,
    /// Horizontal scale of letters; 1 is the font's own width.
    pub scale: f32,
    /// From which size on pairs of letters are kerned, in points; none if they are not.
    pub kerned_from: Option<f32>,
    /// Letters are joined to ligatures.
    pub ligated: bool,
    pub language: Option<Rc<str>>,
    pub direction: Option<Direction>,
}

impl Look {
    /// Text without any formatting.
    pub fn plain() -> Self {
        Self {
            family: FAMILY,
            bold: false,
            italic: false,
            size: SIZE,
            colour: Colour(0, 0, 0),
            background: None,
            underline: false,
            strike: false,
            capitals: false,
            small_capitals: false,
            outlined: false,
            raised: 0.0,
            spacing: 0.0,
            scale: 1.0,
            kerned_from: Some(0.0),
            ligated: true,
            language: None,
            direction: None,
        }
    }

    /// The same text in a style. `family` finds the family for names of fonts.
    pub fn styled(
        &self,
        style: &TextStyle,
        family: &mut dyn FnMut(&str, Family) -> Family,
    ) -> Self {
        let mut look = self.clone();
        if let Some(font) = &style.font {
            look.family = family(font, Family::Sans);
        }
        if let Some(size) = style.size {
            // A base line that is raised stays so: text in another size stands on the same one.
            look.size = super::units::points(size).clamp(1.0, 1000.0);
        }
        if let Some(colour) = style.colour {
            look.colour = colour;
        }
        if let Some(background) = style.background {
            look.background = Some(background);
        }
        if let Some(language) = &style.language {
            look.language = Some(Rc::from(&**language));
        }
        look.spacing = style.spacing.map_or(look.spacing, |length| {
            super::units::points(length).clamp(-200.0, 200.0)
        });
        look.scale = style.scale.map_or(look.scale, |percent| {
            f32::from(percent.clamp(1, 600)) / 100.0
        });
        if let Some(raised) = style.raised {
            look.raised += super::units::points(raised).clamp(-500.0, 500.0);
        }
        if let Some(from) = style.kerned_from {
            look.kerned_from = Some(super::units::points(from)).filter(|from| *from >= 0.0);
        }
        look.ligated = style.ligatures.unwrap_or(look.ligated);
        look.direction = style.direction.or(look.direction);
        look.capitals |= style.capitals;
        look.outlined |= style.outlined;
        look.bold = style.bold.unwrap_or(look.bold);
        look.italic = style.italic.unwrap_or(look.italic);
        look
    }

    /// Kerning and ligatures of neighbouring letters.
    pub fn joining(&self) -> Joining {
        Joining {
            kerned: self.kerned_from.is_some_and(|from| self.size >= from),
            // Letters that stand apart do not join.
            ligated: self.ligated && self.spacing == 0.0,
        }
    }

    /// The same text with a mark on it.
    pub fn marked(&self, mark: Mark) -> Self {
        let mut look = self.clone();
        match mark {
            Mark::Emphasis => look.italic = true,
            Mark::Strong => look.bold = true,
            Mark::Strikethrough => look.strike = true,
            Mark::Underline => look.underline = true,
            Mark::SmallCaps => look.small_capitals = true,
            Mark::Superscript => {
                look.raised += 0.33 * look.size;
                look.size *= RAISED_SIZE;
            }
            Mark::Subscript => {
                look.raised -= 0.14 * look.size;
                look.size *= RAISED_SIZE;
            }
            Mark::Highlight => _ = look.background.get_or_insert(PEN),
        }
        look
    }

    /// The same text as code within a line.
    pub fn code(&self) -> Self {
        let mut look = self.clone();
        look.family = Family::Mono;
        look.size *= 0.9;
        look
    }
}
