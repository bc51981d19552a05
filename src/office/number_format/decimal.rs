//! Decimal numbers that are rounded as in spreadsheet programs. Parses no format codes.
//!
//! Excel works with 15 significant digits. It rounds 1.005 to 1.01, although the nearest floating-point number is
//! slightly smaller, because it rounds the decimal number 1.00500000000000, half away from zero. Values are therefore
//! converted to 15 digits first. They are scaled by moving the decimal point, never by multiplication.

/// Number of significant digits in spreadsheet programs.
const DIGITS: usize = 15;

/// Max. number of decimal places for the fast conversion.
const MAX_PLACES: i32 = 6;

/// Number that is not negative: 0.`digits` × 10^`point`. Zero has no digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Decimal {
    /// Digits from 0 to 9. The first and the last are not 0.
    digits: Vec<u8>,
    /// Position of the decimal point, counted from the first digit.
    point: i32,
}

impl Decimal {
    /// Converts the absolute value of a finite number.
    pub(super) fn of(value: f64) -> Self {
        if let Some(decimal) = Self::short(value.abs()) {
            return decimal;
        }
        Self::long(value.abs())
    }

    /// Converts any number, by formatting it in scientific notation.
    fn long(value: f64) -> Self {
        let text = format!("{:.*e}", DIGITS - 1, value);
        let (mantissa, power) = text.split_once('e').unwrap_or((&text, "0"));
        let digits = mantissa.bytes().filter(u8::is_ascii_digit);
        let mut decimal = Self {
            digits: digits.map(|digit| digit - b'0').collect(),
            point: power.parse::<i32>().unwrap_or(0) + 1,
        };
        decimal.trim();
        decimal
    }

    /// Converts a number with few decimal places, which most numbers have. `None` for other numbers. The result equals
    /// that of [`Self::long`]: if the floating-point number nearest to a decimal number of up to 15 digits is `value`,
    /// then `value` rounded to 15 digits is this decimal number.
    fn short(value: f64) -> Option<Self> {
        let mut power = 1.0;
        for places in 0..=MAX_PLACES {
            let scaled = (value * power).round();
            // All integers below this limit are exact. The quotient is then rounded only once.
            if scaled >= 1e15 {
                return None;
            }
            if scaled / power == value {
                return Some(Self::of_integer(scaled as u64, places));
            }
            power *= 10.0;
        }
        None
    }

    /// Returns an integer divided by 10^`places`.
    fn of_integer(mut integer: u64, places: i32) -> Self {
        let mut digits = Vec::with_capacity(DIGITS);
        while integer > 0 {
            digits.push((integer % 10) as u8);
            integer /= 10;
        }
        digits.reverse();
        let mut decimal = Self {
            point: digits.len() as i32 - places,
            digits,
        };
        decimal.trim();
        decimal
    }

    /// Returns whether the number is zero.
    pub(super) fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }

    /// Returns the power of ten of the first digit, as in scientific notation. It is 2 for 123, and 0 for zero.
    pub(super) fn power(&self) -> i32 {
        if self.is_zero() { 0 } else { self.point - 1 }
    }

    /// Multiplies the number by 10^`power`.
    pub(super) fn scale(&mut self, power: i32) {
        if !self.is_zero() {
            self.point = self.point.saturating_add(power);
        }
    }

    /// Rounds to a number of decimal places, half away from zero.
    pub(super) fn round(&mut self, places: usize) {
        let places = i32::try_from(places).unwrap_or(i32::MAX);
        // Number of digits that remain. It is negative if the number is much smaller than the last decimal place.
        let keep = self.point.saturating_add(places);
        if keep < 0 {
            self.digits.clear();
        }
        let keep = usize::try_from(keep).unwrap_or(0);
        let Some(next) = self.digits.get(keep).copied() else {
            return self.trim();
        };
        self.digits.truncate(keep);
        if next >= 5 {
            self.carry();
        }
        self.trim();
    }

    /// Adds 1 to the last digit.
    fn carry(&mut self) {
        for digit in self.digits.iter_mut().rev() {
            if *digit < 9 {
                *digit += 1;
                return;
            }
            *digit = 0;
        }
        self.digits.insert(0, 1);
        self.point += 1;
    }

    /// Removes zeros at the beginning and the end of the digits.
    fn trim(&mut self) {
        while self.digits.last() == Some(&0) {
            self.digits.pop();
        }
        let zeros = self.digits.iter().take_while(|digit| **digit == 0).count();
        self.digits.drain(..zeros);
        self.point -= i32::try_from(zeros).unwrap_or(0);
        if self.digits.is_empty() {
            self.point = 0;
        }
    }

    /// Returns the digits before the decimal point, without leading zeros. 0.5 has no such digits.
    pub(super) fn whole(&self) -> Vec<u8> {
        let len = usize::try_from(self.point).unwrap_or(0);
        (0..len).map(|at| self.digit(at)).collect()
    }

    /// Returns the digits after the decimal point, without trailing zeros. 5 has no such digits.
    pub(super) fn fraction(&self) -> Vec<u8> {
        let zeros = usize::try_from(-self.point).unwrap_or(0);
        let from = usize::try_from(self.point).unwrap_or(0);
        let rest = self.digits.get(from..).unwrap_or_default();
        if rest.is_empty() {
            return Vec::new();
        }
        std::iter::repeat_n(0, zeros)
            .chain(rest.iter().copied())
            .collect()
    }

    /// Returns the digit with this index. Digits beyond the last digit are 0.
    fn digit(&self, at: usize) -> u8 {
        self.digits.get(at).copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimal_digits_are_rounded() {
        #[track_caller]
        fn check(value: f64, power: i32, places: usize, whole: &str, fraction: &str) {
            let mut decimal = Decimal::of(value);
            decimal.scale(power);
            decimal.round(places);
            let text = |digits: Vec<u8>| -> String {
                digits
                    .iter()
                    .map(|digit| char::from(b'0' + digit))
                    .collect()
            };
            assert_eq!(
                (text(decimal.whole()), text(decimal.fraction())),
                (whole.into(), fraction.into())
            );
        }
        check(1.005, 0, 2, "1", "01");
        check(-2.5, 0, 0, "3", "");
        check(0.5, 0, 0, "1", "");
        check(0.49, 0, 0, "", "");
        check(0.04, 0, 0, "", "");
        check(9.995, 0, 2, "10", "");
        check(0.000_35, 2, 2, "", "04");
        check(1_234_567.0, -3, 1, "1234", "6");
        check(1_234_567.0, -6, 0, "1", "");
        check(1e20, 0, 3, "100000000000000000000", "");
        check(0.1 + 0.2, 0, 20, "", "3");
        check(0.0, 5, 2, "", "");
        check(1e-300, 0, 2, "", "");
        check(123.0, 0, 2, "123", "");
    }

    #[test]
    fn short_and_long_conversion_agree() {
        let mut seed = 1_u64;
        for number in 0..20_000_u32 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let digits = (seed >> 33) as f64 * 10_f64.powi(number as i32 % 7);
            let value = digits / 10_f64.powi(number as i32 % 9);
            let Some(decimal) = Decimal::short(value) else {
                continue;
            };
            assert_eq!(decimal, Decimal::long(value), "{value}");
        }
        assert!(Decimal::short(0.1 + 0.2).is_none());
    }
}
