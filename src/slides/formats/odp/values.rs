//! Values of properties that consist of several words (OpenDocument 1.3, part 3, 20). Reads no styles.

use super::{
    place::{emu, length},
    properties::Border,
};
use crate::{containers::xml::Element, deck::Columns};
use convertd_tree::Colour;
use std::rc::Rc;

/// First font family of a list in the notation of CSS.
pub(super) fn family_of(value: &str) -> Option<Rc<str>> {
    let first = value.split(',').next()?.trim().trim_matches(['\'', '"']);
    let name = first.trim();
    (!name.is_empty()).then(|| name[..name.floor_char_boundary(100)].into())
}

/// Parses a border such as `0.5pt solid #000000` (20.183).
pub(super) fn border(value: &str) -> Option<Border> {
    let mut border = Border {
        width: 9525,
        colour: Colour(0, 0, 0),
    };
    for word in value.split_whitespace() {
        match word {
            "none" | "hidden" => return None,
            word if word.starts_with('#') => border.colour = Colour::parse(word)?,
            word => border.width = emu(word).map_or(border.width, |width| width as i64),
        }
    }
    (border.width > 0).then_some(border)
}

/// Reads the columns of a text (`style:columns`, 17.12), at most 16 as in PowerPoint.
pub(super) fn columns(element: &Element<'_>) -> Columns {
    let count = element.attribute("column-count");
    let count = count.and_then(|count| count.parse::<u32>().ok());
    let gap = length(element, "column-gap").unwrap_or(0.0);
    Columns {
        count: count.unwrap_or(1).clamp(1, 16) as u8,
        gap: gap.clamp(0.0, 5e7),
    }
}

/// Parses the cropping of a picture, `rect(top, right, bottom, left)` (20.179).
pub(super) fn clip(value: &str) -> Option<[f64; 4]> {
    let sides = value.trim().strip_prefix("rect(")?.strip_suffix(')')?;
    let sides = sides.split(|c: char| c.is_whitespace() || c == ',');
    let mut sides = sides
        .filter(|side| !side.is_empty())
        .map(|side| emu(side).unwrap_or(0.0));
    let (top, right) = (sides.next()?, sides.next()?);
    let (bottom, left) = (sides.next()?, sides.next()?);
    Some([left, top, right, bottom])
}
