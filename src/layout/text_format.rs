//! Formatting of text: styles, marks and the defaults of this program. Contains the families of fonts, not the fonts.

use super::face::Joining;
use crate::fonts::Family;
use convertd_tree::{Border, Colour, Direction, EmphasisMark, Mark, TextStyle, Underline};
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
/// Size of superscripts and subscripts, relative to the text.
const RAISED_SIZE: f32 = 0.65;

/// Size of small capitals, relative to the text.
pub(crate) const SMALL_CAPITALS: f32 = 0.8;

/// Formatting of a piece of text: a computed style.
#[derive(Clone, Debug, PartialEq)]
pub struct TextFormat {
    pub family: Family,
    pub bold: bool,
    pub italic: bool,
    /// Font size in points.
    pub size: f32,
    pub colour: Colour,
    /// Whether the colour is the automatic one, which becomes white on a dark background.
    pub automatic: bool,
    pub background: Option<Colour>,
    pub underline: bool,
    /// Style of the underline.
    pub line: Underline,
    pub emphasis: Option<EmphasisMark>,
    /// Border around the text.
    pub border: Option<Border>,
    pub strike: bool,
    pub capitals: bool,
    pub small_capitals: bool,
    /// Whether only the outlines of letters are drawn.
    pub outlined: bool,
    /// Rise of the baseline, in points; negative for subscripts.
    pub raised: f32,
    /// Letter spacing in points; negative for closer letters.
    pub spacing: f32,
    /// Horizontal scale of letters; 1 is the font's own width.
    pub scale: f32,
    /// Smallest text size at which pairs of letters are kerned, in points. `None` disables kerning.
    pub kerned_from: Option<f32>,
    /// Whether letters form ligatures.
    pub ligated: bool,
    /// Language tag (BCP 47).
    pub language: Option<Rc<str>>,
    pub direction: Option<Direction>,
}

impl TextFormat {
    /// Formatting of text that has no style.
    pub fn plain() -> Self {
        Self {
            family: FAMILY,
            bold: false,
            italic: false,
            size: SIZE,
            colour: Colour(0, 0, 0),
            automatic: true,
            background: None,
            underline: false,
            line: Underline::default(),
            emphasis: None,
            border: None,
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

    /// This formatting after the application of a style. `family` finds the family for font names.
    pub fn styled(
        &self,
        style: &TextStyle,
        family: &mut dyn FnMut(&str, Family) -> Family,
    ) -> Self {
        let mut text_format = self.clone();
        if let Some(font) = &style.font {
            text_format.family = family(font, Family::Sans);
        }
        if let Some(size) = style.size {
            // If the size changes, the rise of the baseline stays the same.
            text_format.size = super::units::points(size).clamp(1.0, 1000.0);
        }
        if let Some(colour) = style.colour {
            text_format.colour = colour;
            text_format.automatic = false;
        }
        if let Some(background) = style.background {
            text_format.background = Some(background);
        }
        if let Some(language) = &style.language {
            text_format.language = Some(Rc::from(&**language));
        }
        text_format.spacing = style.spacing.map_or(text_format.spacing, |length| {
            super::units::points(length).clamp(-200.0, 200.0)
        });
        text_format.scale = style.scale.map_or(text_format.scale, |percent| {
            f32::from(percent.clamp(1, 600)) / 100.0
        });
        if let Some(raised) = style.raised {
            text_format.raised += super::units::points(raised).clamp(-500.0, 500.0);
        }
        if let Some(from) = style.kerned_from {
            text_format.kerned_from = Some(super::units::points(from)).filter(|from| *from >= 0.0);
        }
        text_format.ligated = style.ligatures.unwrap_or(text_format.ligated);
        text_format.direction = style.direction.or(text_format.direction);
        text_format.capitals |= style.capitals;
        text_format.outlined |= style.outlined;
        text_format.line = style.underline.unwrap_or(text_format.line);
        text_format.emphasis = style.emphasis.or(text_format.emphasis);
        text_format.border = style.border.or(text_format.border);
        text_format.bold = style.bold.unwrap_or(text_format.bold);
        text_format.italic = style.italic.unwrap_or(text_format.italic);
        text_format
    }

    /// The colour of text in the automatic colour on a dark background: white, as in office programs. `None` for text
    /// that keeps its colour. The background of the text itself takes precedence over `ground`.
    pub(crate) fn settled(&self, behind: Option<Colour>) -> Option<Colour> {
        let is_lost = self.automatic && self.background.or(behind).is_some_and(Colour::is_dark);
        is_lost.then_some(Colour(0xff, 0xff, 0xff))
    }

    /// Kerning and ligatures of neighbouring letters.
    pub fn joining(&self) -> Joining {
        Joining {
            kerned: self.kerned_from.is_some_and(|from| self.size >= from),
            // Letter spacing prevents ligatures (CSS Text 3, section 8.2).
            ligated: self.ligated && self.spacing == 0.0,
        }
    }

    /// This formatting after the application of a mark.
    pub fn marked(&self, mark: Mark) -> Self {
        let mut text_format = self.clone();
        match mark {
            Mark::Emphasis => text_format.italic = true,
            Mark::Strong => text_format.bold = true,
            Mark::Strikethrough => text_format.strike = true,
            Mark::Underline => text_format.underline = true,
            Mark::SmallCaps => text_format.small_capitals = true,
            Mark::Superscript => {
                text_format.raised += 0.33 * text_format.size;
                text_format.size *= RAISED_SIZE;
            }
            Mark::Subscript => {
                text_format.raised -= 0.14 * text_format.size;
                text_format.size *= RAISED_SIZE;
            }
            Mark::Highlight => _ = text_format.background.get_or_insert(PEN),
        }
        text_format
    }

    /// This formatting with the changes for inline code.
    pub fn code(&self) -> Self {
        let mut text_format = self.clone();
        text_format.family = Family::Mono;
        text_format.size *= 0.9;
        text_format
    }
}
