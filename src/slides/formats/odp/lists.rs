//! List styles (OpenDocument 1.3, part 3, 16.30 to 16.35): labels and indentation of each level. Reads no items.

use super::{
    place::{emu, percent},
    properties::{FontFaces, RunStyle, Size},
};
use crate::{
    containers::xml::{Element, Reader},
    deck::{Bullet, BulletLook},
    error::Result,
};
use convertd_office::drawing::Rgba;
use convertd_tree::{Colour, Delimiter, Numbering, Numeral};

/// Number of levels of a list style.
pub(super) const LEVELS: usize = 10;

/// A level of a list style.
#[derive(Clone, Debug, Default)]
pub(super) struct Level {
    pub(super) bullet: Bullet,
    pub(super) look: BulletLook,
    /// Distance of the text from the edge, in English Metric Units.
    pub(super) indent: f64,
    /// Position of the bullet relative to the text, in English Metric Units. Negative to the left.
    pub(super) hanging: f64,
}

/// A list style.
#[derive(Clone, Debug, Default)]
pub(super) struct ListStyle([Level; LEVELS]);

impl ListStyle {
    /// Level with this index, from 0. Levels beyond the last level are like the last level.
    pub(super) fn level(&self, at: usize) -> &Level {
        &self.0[at.min(LEVELS - 1)]
    }

    /// Reads the open `text:list-style`.
    pub(super) fn read(xml: &mut Reader<'_>, fonts: &FontFaces) -> Result<Self> {
        let mut style = Self::default();
        let level = xml.level();
        while let Some(element) = xml.next_element(level)? {
            let number = element.attribute("level");
            let number = number.and_then(|number| number.parse::<usize>().ok());
            let Some(slot) = number.and_then(|number| style.0.get_mut(number.wrapping_sub(1)))
            else {
                continue;
            };
            slot.bullet = match element.name {
                "list-level-style-number" => numbered(&element),
                "list-level-style-bullet" => {
                    let bullet = element.attribute("bullet-char").unwrap_or_default();
                    bullet.chars().next().map_or(Bullet::None, |bullet| {
                        Bullet::Character(shown(bullet).to_string().into())
                    })
                }
                "list-level-style-image" => Bullet::Picture(Box::default()),
                _ => continue,
            };
            slot.read(xml, fonts)?;
        }
        Ok(style)
    }
}

/// Visible form of a bullet. Office programs use private characters of their own fonts, which become a plain bullet.
fn shown(bullet: char) -> char {
    match bullet {
        '\u{e000}'..='\u{f8ff}' => '•',
        bullet => bullet,
    }
}

/// Reads a numbered level (19.880). Prefix and suffix of the number are separate attributes.
fn numbered(element: &Element<'_>) -> Bullet {
    let value = |name| element.attribute(name).unwrap_or_default();
    let numeral = match &*value("num-format") {
        "1" => Numeral::Decimal,
        "a" => Numeral::LowerAlpha,
        "A" => Numeral::UpperAlpha,
        "i" => Numeral::LowerRoman,
        "I" => Numeral::UpperRoman,
        _ => return Bullet::None,
    };
    Bullet::Number(Numbering {
        start: value("start-value").parse().unwrap_or(1),
        numeral,
        delimiter: match (&*value("num-prefix"), &*value("num-suffix")) {
            ("(", ")") => Delimiter::Parentheses,
            (_, ")") => Delimiter::Parenthesis,
            (_, "") => Delimiter::None,
            _ => Delimiter::Period,
        },
        nested: false,
    })
}

impl Level {
    /// Reads the position and the text properties of a level. Newer files state the indentation of label and text.
    /// Files of OpenDocument 1.1, and most presentations, state the space before the label and its minimum width.
    fn read(&mut self, xml: &mut Reader<'_>, fonts: &FontFaces) -> Result<()> {
        let level = xml.level();
        while let Some(element) = xml.next_element(level)? {
            let value = |element: &Element<'_>, name| {
                let value = element.attribute(name)?;
                emu(&value)
            };
            match element.name {
                "list-level-properties" => {
                    let before = value(&element, "space-before").unwrap_or(0.0);
                    let label_width = value(&element, "min-label-width").unwrap_or(0.0);
                    (self.indent, self.hanging) = (before + label_width, -label_width);
                    while let Some(inner) = xml.next_element(level + 1)? {
                        if inner.name == "list-level-label-alignment" {
                            self.indent = value(&inner, "margin-left").unwrap_or(self.indent);
                            self.hanging = value(&inner, "text-indent").unwrap_or(self.hanging);
                        }
                    }
                }
                "text-properties" => {
                    let mut run = RunStyle::default();
                    run.read(&element, fonts);
                    let size = element.attribute("font-size");
                    let scale = size.and_then(|size| percent(&size));
                    self.look = BulletLook {
                        font: run.font.filter(|font| !is_symbol_font(font)),
                        size: match run.size {
                            Some(Size::Points(points)) => Some(points),
                            _ => None,
                        },
                        scale: scale.map(|scale| scale.clamp(0.1, 4.0)),
                        colour: run
                            .colour
                            .flatten()
                            .map(|Colour(red, green, blue)| Rgba::opaque([red, green, blue])),
                    };
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Returns whether a font contains only symbols. Its bullets are drawn in another font.
fn is_symbol_font(font: &str) -> bool {
    matches!(font, "StarSymbol" | "OpenSymbol" | "Wingdings" | "Symbol")
}
