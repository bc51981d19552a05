//! Lengths, colours and numbers as OWPML writes them. Clamps none.

use crate::containers::xml::Element;
use convertd_tree::{Colour, Length};

/// HWPUNITs in a point.
const PER_POINT: f64 = 100.0;

/// A length in HWPUNITs (a hundredth of a point).
pub(super) fn units(units: i64) -> Length {
    Length::points(units as f64 / PER_POINT)
}

/// A whole number in an attribute. Negative ones are written as if they had no sign, modulo 2³².
pub(super) fn number(element: &Element<'_>, name: &str) -> Option<i64> {
    let value = element.attribute(name)?;
    let number = match value.trim().parse::<i64>() {
        Ok(number) => number,
        Err(_) => value.trim().parse::<f64>().ok().filter(|n| n.is_finite())? as i64,
    };
    match u32::try_from(number) {
        Ok(unsigned) => Some(i64::from(unsigned as i32)),
        Err(_) => Some(i64::from(i32::try_from(number).ok()?)),
    }
}

/// A length in an attribute.
pub(super) fn length(element: &Element<'_>, name: &str) -> Option<Length> {
    number(element, name).map(units)
}

/// A length that is more than nothing.
pub(super) fn extent(element: &Element<'_>, name: &str) -> Option<Length> {
    length(element, name).filter(|length| *length > Length::ZERO)
}

/// A colour: `#rrggbb`, or `#aarrggbb`, whose first two digits are not used. `none` is no colour.
pub(super) fn colour(element: &Element<'_>, name: &str) -> Option<Colour> {
    let value = element.attribute(name)?;
    let digits = value.strip_prefix('#')?;
    match digits.len() {
        8 if digits.is_ascii() => Colour::parse(&digits[2..]),
        _ => Colour::parse(digits),
    }
}

/// Whether an attribute says 1.
pub(super) fn is_set(element: &Element<'_>, name: &str) -> bool {
    matches!(element.attribute(name).as_deref(), Some("1" | "true"))
}
