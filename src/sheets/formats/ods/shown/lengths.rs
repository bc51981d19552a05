//! Lengths and colours as attributes hold them (OpenDocument 1.3, part 3, 18.3).

use convertd_tree::{Colour, Length};

/// A length in points.
pub(super) fn points(text: &str) -> Option<f32> {
    let points = Length::parse(text.trim())?.to_points() as f32;
    points
        .is_finite()
        .then_some(points.clamp(-14_400.0, 14_400.0))
}

/// A colour such as `#ff0000`. `None` for `transparent`.
pub(super) fn colour(text: &str) -> Option<Colour> {
    let [red, green, blue] = convertd_office::drawing::hexadecimal(text)?;
    Some(Colour(red, green, blue))
}
