//! The resolution of a picture in pixels per inch, which determines its size in print. Changes no pixel.
//!
//! Formats state it in different units: PNG and BMP in pixels per metre, JFIF in pixels per inch or centimetre, and
//! TIFF in fractions of either. 300 dots per inch become 11811 pixels per metre in PNG. To get exactly 300 back, a
//! reader here looks for a whole number of dots per inch which, converted and rounded up or down, gives the same pixels
//! per metre. All formats except BMP can also state only the ratio of a pixel's width to its height.

use super::exif::MAX_ENTRIES;
use convertd_core::{
    containers::ifd::{Directory, Numbers},
    job::Input,
};
use std::ops::RangeInclusive;
use tiff::tags::{ResolutionUnit, Tag};

/// Number of inches in a metre.
const INCHES: f64 = 1.0 / 0.0254;

/// Plausible resolutions in pixels per inch; others are ignored.
const PLAUSIBLE: RangeInclusive<f64> = 0.01..=100_000.0;

/// A resolution: pixels per unit of length, horizontally and vertically.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Resolution {
    across: f64,
    down: f64,
    /// Whether the unit is the inch. Otherwise the unit is unknown, and only the ratio of both numbers has a meaning.
    is_absolute: bool,
}

impl Resolution {
    /// A resolution in pixels per inch. `None` unless both numbers are plausible.
    pub(crate) fn per_inch(across: f64, down: f64) -> Option<Self> {
        let is_plausible = PLAUSIBLE.contains(&across) && PLAUSIBLE.contains(&down);
        is_plausible.then_some(Self {
            across,
            down,
            is_absolute: true,
        })
    }

    /// A resolution in pixels per metre.
    pub(crate) fn per_metre(across: f64, down: f64) -> Option<Self> {
        let inch = |metre: f64| {
            let whole = (metre / INCHES).round();
            match (whole * INCHES - metre).abs() < 1.0 {
                true => whole,
                false => metre / INCHES,
            }
        };
        Self::per_inch(inch(across), inch(down))
    }

    /// A resolution without a unit. `None` for square pixels, which are the default, and for implausible numbers.
    pub(crate) fn ratio(across: f64, down: f64) -> Option<Self> {
        let found = Self::per_inch(across, down).filter(|_| across != down)?;
        Some(Self {
            is_absolute: false,
            ..found
        })
    }

    /// Reads the resolution in the first directory of a TIFF structure (TIFF 6.0, section 8; Exif 2.32, 4.6.4).
    /// `ResolutionUnit` is 1 for no unit, 2 for the inch, which is the default, and 3 for the centimetre.
    pub(crate) fn read(input: &mut dyn Input) -> Option<Self> {
        let (numbers, first) = Numbers::of(input).ok()??;
        let directory = Directory::read(input, numbers, first, MAX_ENTRIES).ok()?;
        let mut fraction = |tag| directory.fractions(input, tag).ok()?;
        let [across] = fraction(Tag::XResolution)?;
        let [down] = fraction(Tag::YResolution)?;
        let (across, down) = (f64::from(across), f64::from(down));
        let unit = directory.value(input, Tag::ResolutionUnit).ok()?;
        match unit {
            Some(1) => Self::ratio(across, down),
            None | Some(2) => Self::per_inch(across, down),
            Some(3) => Self::per_metre(100.0 * across, 100.0 * down),
            Some(_) => None,
        }
    }

    /// The resolution in pixels per inch, horizontally and vertically. `None` if only a ratio is known.
    #[cfg_attr(not(feature = "document"), allow(dead_code))]
    pub(crate) fn inches(self) -> Option<(f64, f64)> {
        self.is_absolute.then_some((self.across, self.down))
    }

    /// Resolution of the picture after a rotation by 90 degrees.
    pub(crate) fn swapped(self) -> Self {
        Self {
            across: self.down,
            down: self.across,
            ..self
        }
    }

    /// Whole numbers of pixels per metre, for PNG and BMP, and whether they are absolute. A ratio becomes numbers up to
    /// 10,000 with that ratio.
    pub(crate) fn metres(self) -> ([u32; 2], bool) {
        let scale = match self.is_absolute {
            true => INCHES,
            false => self.ratio_scale(),
        };
        (self.whole(scale), self.is_absolute)
    }

    /// Two 16-bit numbers and their unit, for JFIF: 1 for the inch, 2 for the centimetre, 0 for a ratio. `None` if the
    /// numbers do not fit.
    pub(crate) fn density(self) -> Option<([u16; 2], u8)> {
        let is_whole = |scale: f64| {
            let near = |number: f64| (number * scale - (number * scale).round()).abs() < 1e-6;
            near(self.across) && near(self.down)
        };
        let centimetre = INCHES / 100.0;
        let (scale, unit) = match self.is_absolute {
            false => (self.ratio_scale(), 0),
            true if !is_whole(1.0) && is_whole(centimetre) => (centimetre, 2),
            true => (1.0, 1),
        };
        let [across, down] = self.whole(scale).map(u16::try_from);
        let numbers = [across.ok()?, down.ok()?];
        numbers
            .iter()
            .all(|&number| number > 0)
            .then_some((numbers, unit))
    }

    /// Two fractions and their unit, for TIFF and EXIF.
    pub(crate) fn fractions(self) -> ([[u32; 2]; 2], ResolutionUnit) {
        let fraction = |number: f64| match number.fract() == 0.0 {
            true => [number as u32, 1],
            false => [(number * 10_000.0).round() as u32, 10_000],
        };
        let unit = match self.is_absolute {
            true => ResolutionUnit::Inch,
            false => ResolutionUnit::None,
        };
        ([fraction(self.across), fraction(self.down)], unit)
    }

    fn whole(self, scale: f64) -> [u32; 2] {
        [self.across, self.down].map(|number| (number * scale).round() as u32)
    }

    /// The factor that turns both numbers of a ratio into whole numbers up to 10,000. It is 1 if both numbers already
    /// are whole numbers up to 10,000.
    fn ratio_scale(self) -> f64 {
        let fits = |number: f64| number.fract() == 0.0 && number <= 10_000.0;
        match fits(self.across) && fits(self.down) {
            true => 1.0,
            false => 10_000.0 / self.across.max(self.down),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_survive_a_change_of_units() {
        for dots in [1, 72, 96, 150, 300, 600, 1200, 9600] {
            let found = Resolution::per_inch(dots.into(), 2.0).unwrap();
            let ([across, _], is_absolute) = found.metres();
            assert!(is_absolute);
            let back = Resolution::per_metre(across.into(), 79.0).unwrap();
            assert_eq!((back.across, back.down), (dots.into(), 2.0));
        }
        // 96 dots per inch are 3779.5 per metre, which many programs round down.
        for metres in [3779.0, 3780.0] {
            let found = Resolution::per_metre(metres, metres);
            assert_eq!(found, Resolution::per_inch(96.0, 96.0));
        }
    }

    #[test]
    fn jfif_gets_the_unit_that_has_whole_numbers() {
        #[track_caller]
        fn check(found: Option<Resolution>, expected: Option<([u16; 2], u8)>) {
            assert_eq!(found.and_then(Resolution::density), expected);
        }
        check(Resolution::per_inch(300.0, 150.0), Some(([300, 150], 1)));
        check(
            Resolution::per_metre(11_800.0, 5900.0),
            Some(([118, 59], 2)),
        );
        check(Resolution::per_inch(72.3, 72.3), Some(([72, 72], 1)));
        check(Resolution::per_inch(70_000.0, 72.0), None);
        check(Resolution::per_inch(0.2, 72.0), None);
        check(Resolution::ratio(1.0, 2.0), Some(([1, 2], 0)));
        check(Resolution::ratio(0.5, 1.0), Some(([5000, 10_000], 0)));
        check(Resolution::ratio(3.0, 3.0), None);
    }

    #[test]
    fn implausible_resolutions_are_ignored() {
        for number in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e9] {
            assert_eq!(Resolution::per_inch(number, 1.0), None);
            assert_eq!(Resolution::per_metre(1.0, number), None);
            assert_eq!(Resolution::ratio(number, 1.0), None);
        }
    }
}
