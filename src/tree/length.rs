//! Lengths on paper, which every document format states in its own unit. Does not depend on the resolution of a
//! screen: CSS defines an inch as 96 pixels.

/// A length in English Metric Units: an inch has 914,400, a point 12,700, a millimetre 36,000, a twip 635, a CSS pixel
/// 9,525. All these are integers, so whole numbers of the units of Word, OpenDocument and CSS are stored exactly.
/// Limited to 59 metres in either direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Length(i32);

/// English Metric Units in a point.
pub const POINT: f64 = 12_700.0;

const INCH: f64 = 72.0 * POINT;

impl Length {
    /// The length 0.
    pub const ZERO: Self = Self(0);

    /// Converts from English Metric Units, as in DrawingML (ECMA-376 part 1, 20.1.2.1).
    pub const fn emu(units: i64) -> Self {
        if units > i32::MAX as i64 {
            Self(i32::MAX)
        } else if units < i32::MIN as i64 {
            Self(i32::MIN)
        } else {
            Self(units as i32)
        }
    }

    /// Converts from twips (twentieths of a point), as in WordprocessingML and RTF.
    pub const fn twips(twips: i64) -> Self {
        Self::emu(twips.saturating_mul(635))
    }

    /// Converts from points, 72 per inch.
    pub fn points(points: f64) -> Self {
        Self::inches(points / 72.0)
    }

    /// Converts from CSS pixels, 96 per inch.
    pub fn pixels(pixels: f64) -> Self {
        Self::inches(pixels / 96.0)
    }

    /// Converts from millimetres.
    pub fn millimetres(millimetres: f64) -> Self {
        Self::inches(millimetres / 25.4)
    }

    /// Converts from inches. NaN becomes 0.
    pub fn inches(inches: f64) -> Self {
        // `as` saturates, and turns NaN into 0.
        Self((inches * INCH).round() as i32)
    }

    /// Parses a number with a unit, as in CSS and OpenDocument: `2.5cm`, `12pt`, `1in`, `10mm`, `1pc`, `3px`, with or
    /// without white space around the number. `None` for a relative unit (`em`, `%`) or a missing unit.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let unit = text.find(|c: char| c.is_ascii_alphabetic() && c != 'e' && c != 'E')?;
        let number: f64 = text[..unit].trim().parse().ok()?;
        if !number.is_finite() {
            return None;
        }
        let in_inch = match text[unit..].to_ascii_lowercase().as_str() {
            "in" | "inch" => 1.0,
            "cm" => 2.54,
            "mm" => 25.4,
            "q" => 101.6,
            "pt" => 72.0,
            "pc" | "pi" => 6.0,
            "px" => 96.0,
            _ => return None,
        };
        Some(Self::inches(number / in_inch))
    }

    /// Converts to English Metric Units.
    pub const fn to_emu(self) -> i64 {
        self.0 as i64
    }

    /// Converts to twips (twentieths of a point), rounded.
    pub fn to_twips(self) -> i64 {
        (f64::from(self.0) / 635.0).round() as i64
    }

    /// Converts to points.
    pub fn to_points(self) -> f64 {
        f64::from(self.0) / POINT
    }

    /// Converts to CSS pixels.
    pub fn to_pixels(self) -> f64 {
        f64::from(self.0) / 9_525.0
    }

    /// Converts to millimetres.
    pub fn to_millimetres(self) -> f64 {
        f64::from(self.0) / 36_000.0
    }

    /// Returns the length, multiplied by `part`.
    pub fn scaled(self, part: f64) -> Self {
        Self((f64::from(self.0) * part).round() as i32)
    }
}

impl std::ops::Add for Length {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl std::ops::Sub for Length {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

/// The width of a table, a column or a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Width {
    /// A fixed length.
    Fixed(Length),
    /// A share of the available width, from 0 to 1.
    Share(f32),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_every_format_are_kept_exactly() {
        assert_eq!(Length::twips(1440), Length::inches(1.0));
        assert_eq!(Length::points(72.0), Length::inches(1.0));
        assert_eq!(Length::millimetres(25.4), Length::inches(1.0));
        assert_eq!(Length::twips(567).to_twips(), 567);
        assert_eq!(Length::twips(i64::MAX).to_emu(), i64::from(i32::MAX));
        assert_eq!(Length::inches(f64::NAN), Length::ZERO);
    }

    #[test]
    fn lengths_are_read_with_their_units() {
        #[track_caller]
        fn check(text: &str, expected: Option<Length>) {
            assert_eq!(Length::parse(text), expected, "{text}");
        }
        check("2.54cm", Some(Length::inches(1.0)));
        check(" 12 pt ", Some(Length::points(12.0)));
        check("-3px", Some(Length::pixels(-3.0)));
        check("1e1mm", Some(Length::millimetres(10.0)));
        check("50%", None);
        check("2em", None);
        check("12", None);
        check("", None);
        check("1e999in", None);
        check("é1in", None);
    }
}
