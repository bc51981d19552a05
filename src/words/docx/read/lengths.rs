//! Parses the lengths of WordprocessingML.

use convertd_tree::Length;

/// Parses a measure (ST_TwipsMeasure): twentieths of a point, or a number with a unit, as in the strict variant.
pub(super) fn twips(value: &str) -> Option<Length> {
    match value.parse::<f64>() {
        Ok(twips) if twips.is_finite() => Some(Length::twips(twips as i64)),
        _ => Length::parse(value),
    }
}

/// Parses a font size (ST_HpsMeasure): half points, or a number with a unit. `None` unless the half points are above 0
/// and below 4000.
pub(super) fn half_points(value: &str) -> Option<Length> {
    match value.parse::<f64>() {
        Ok(halves) if halves > 0.0 && halves < 4000.0 => Some(Length::points(halves / 2.0)),
        Ok(_) => None,
        Err(_) => Length::parse(value),
    }
}
