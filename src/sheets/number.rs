//! Numbers of sheets in decimal notation. Never rounds: reading the text back gives the same number.

use std::fmt::Write as _;

/// A number with its number format.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Number {
    /// Value. Always finite.
    pub(crate) value: f64,
    /// The number format.
    pub(crate) look: NumberStyle,
}

/// The part of a number format that survives a conversion: 1.50 keeps two decimal places, 15 % stays a percentage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum NumberStyle {
    /// As many digits as necessary.
    #[default]
    General,
    /// At least this many decimal places.
    Fixed(u8),
    /// A percentage with at least this many decimal places.
    Percent(u8),
    /// Scientific notation with at least this many decimal places.
    Scientific(u8),
}

/// Magnitude from which numbers are written in scientific notation, as spreadsheet programs do.
const LARGE: f64 = 1e21;
/// Magnitude below which numbers are written in scientific notation.
const SMALL: f64 = 1e-9;

impl Number {
    /// Creates a number in the general format.
    pub(crate) fn general(value: f64) -> Self {
        Self {
            value,
            look: NumberStyle::General,
        }
    }

    /// Appends the number in its format, with all of its digits.
    pub(crate) fn write(self, out: &mut String) {
        match self.look {
            NumberStyle::General => shortest(self.value, out),
            NumberStyle::Fixed(least) => {
                let start = out.len();
                shortest(self.value, out);
                pad(out, start, least);
            }
            NumberStyle::Percent(least) => {
                let start = out.len();
                append_percent(self.value, out);
                pad(out, start, least);
                out.push('%');
            }
            NumberStyle::Scientific(least) => scientific(self.value, least, out),
        }
    }

    /// Appends the number without percent sign and padding, as JSON and XML need it.
    pub(crate) fn write_plain(self, out: &mut String) {
        shortest(self.value, out);
    }
}

/// Appends the shortest decimal notation that reads back as the same number.
fn shortest(value: f64, out: &mut String) {
    let size = value.abs();
    if size == 0.0 {
        out.push('0');
    } else if size < 1e15 && size.fract() == 0.0 {
        // Most numbers in sheets are integers, and formatting an integer takes a fifth of the time.
        write!(out, "{}", value as i64).unwrap_or_default();
    } else if (SMALL..LARGE).contains(&size) {
        write!(out, "{value}").unwrap_or_default();
    } else {
        scientific(value, 0, out);
    }
}

/// Appends scientific notation with at least `least` decimal places. The exponent has a sign and at least two digits,
/// as in spreadsheet programs.
fn scientific(value: f64, least: u8, out: &mut String) {
    let text = format!("{value:e}");
    let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
    let start = out.len();
    out.push_str(digits);
    pad(out, start, least);
    let power: i32 = power.parse().unwrap_or(0);
    let sign = if power < 0 { '-' } else { '+' };
    write!(out, "E{sign}{:02}", power.unsigned_abs()).unwrap_or_default();
}

/// Appends a hundred times the number, by moving the decimal point. A multiplication would round.
fn append_percent(value: f64, out: &mut String) {
    let text = format!("{value}");
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text.as_str()),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let (moved, rest) = fraction.split_at(fraction.len().min(2));
    let whole = format!("{whole}{moved:0<2}");
    let whole = whole.trim_start_matches('0');
    out.push_str(sign);
    out.push_str(if whole.is_empty() { "0" } else { whole });
    if !rest.is_empty() {
        out.push('.');
        out.push_str(rest);
    }
}

/// Pads the number that begins at `start` with zeros to `least` decimal places.
fn pad(out: &mut String, start: usize, least: u8) {
    let number = &out[start..];
    if least == 0 || number.contains('E') {
        return;
    }
    let have = match number.find('.') {
        Some(point) => number.len() - point - 1,
        None => {
            out.push('.');
            0
        }
    };
    for _ in have..usize::from(least) {
        out.push('0');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_they_are_shown() {
        #[track_caller]
        fn check(value: f64, look: NumberStyle, expected: &str) {
            let mut text = String::new();
            Number { value, look }.write(&mut text);
            assert_eq!(text, expected);
        }
        check(0.0, NumberStyle::General, "0");
        check(-12.0, NumberStyle::General, "-12");
        check(0.1 + 0.2, NumberStyle::General, "0.30000000000000004");
        check(
            123_456_789_012_345_680.0,
            NumberStyle::General,
            "123456789012345680",
        );
        check(1e300, NumberStyle::General, "1E+300");
        check(-2.5e-12, NumberStyle::General, "-2.5E-12");
        check(0.000_012, NumberStyle::General, "0.000012");
        check(1.5, NumberStyle::Fixed(2), "1.50");
        check(3.0, NumberStyle::Fixed(1), "3.0");
        check(1.2345, NumberStyle::Fixed(2), "1.2345");
        check(0.155, NumberStyle::Percent(0), "15.5%");
        check(0.15, NumberStyle::Percent(2), "15.00%");
        check(-0.07, NumberStyle::Percent(0), "-7%");
        check(12.0, NumberStyle::Percent(0), "1200%");
        check(0.0007, NumberStyle::Percent(0), "0.07%");
        check(1.5e-10, NumberStyle::Scientific(2), "1.50E-10");
        check(6.02e23, NumberStyle::Scientific(2), "6.02E+23");
    }
}
