//! Lengths and colours in attributes (OpenDocument 1.3, part 3, 18.3). Does not look up the attributes.

use convertd_tree::{Colour, Length};

/// Parses a length to points. Limited to 200 inches in either direction.
pub(super) fn points(text: &str) -> Option<f32> {
    let points = Length::parse(text.trim())?.to_points() as f32;
    points
        .is_finite()
        .then_some(points.clamp(-14_400.0, 14_400.0))
}

/// Parses a colour such as `#ff0000`. `None` for other texts, such as `transparent`.
pub(super) fn colour(text: &str) -> Option<Colour> {
    let [red, green, blue] = convertd_office::drawing::hexadecimal(text)?;
    Some(Colour(red, green, blue))
}
