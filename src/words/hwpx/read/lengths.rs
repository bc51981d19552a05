//! Parses lengths, colours and numbers in the notation of OWPML.

use crate::containers::xml::Element;
use convertd_tree::{Colour, Length};

/// Number of HWPUNITs per point.
const PER_POINT: f64 = 100.0;

/// Converts a length in HWPUNITs, which are hundredths of a point.
pub(super) fn units(units: i64) -> Length {
    Length::points(units as f64 / PER_POINT)
}

/// Parses a number, and drops its fraction. Some programs write a negative number as an unsigned number, modulo 2³².
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

/// Parses a length.
pub(super) fn length(element: &Element<'_>, name: &str) -> Option<Length> {
    number(element, name).map(units)
}

/// Parses a length. `None` unless it is positive.
pub(super) fn extent(element: &Element<'_>, name: &str) -> Option<Length> {
    length(element, name).filter(|length| *length > Length::ZERO)
}

/// Parses a colour: `#rrggbb`, or `#aarrggbb`, whose opacity is ignored. `None` for any other value, such as `none`.
pub(super) fn colour(element: &Element<'_>, name: &str) -> Option<Colour> {
    let value = element.attribute(name)?;
    let digits = value.strip_prefix('#')?;
    match digits.len() {
        8 if digits.is_ascii() => Colour::parse(&digits[2..]),
        _ => Colour::parse(digits),
    }
}

/// Returns whether a boolean attribute is true.
pub(super) fn is_set(element: &Element<'_>, name: &str) -> bool {
    matches!(element.attribute(name).as_deref(), Some("1" | "true"))
}
