//! Inference of cell types in formats without types, such as CSV. A field becomes a number, date or truth value only if
//! writing it back gives the same text, apart from the case of letters and the form of an exponent; anything else stays
//! text.
//!
//! A wrong guess destroys data: 00501 is a postal code, 1234567890123456 an account number, 1e5 a product code. So a
//! number has no sign except minus, no leading zeros, and at most 15 digits, all of which a floating-point number
//! preserves (IEEE 754, binary64). Trailing zeros become part of the number format. Scientific notation requires a
//! decimal point, and a date has to be in ISO 8601.

use super::{
    cells::Value,
    number::{Number, NumberStyle},
    time::Moment,
};

/// Number of significant decimal digits that a 64-bit floating-point number always preserves.
const DIGITS: usize = 15;

/// Value of a text with its inferred type, or [`Value::Text`].
pub(crate) fn infer(text: &str) -> Value<'_> {
    let bytes = text.as_bytes();
    let found = match bytes {
        // The limit on the length saves parsing texts that cannot be numbers or dates.
        [b'-' | b'0'..=b'9', ..] if bytes.len() <= 30 => number(text)
            .map(Value::Number)
            .or_else(|| Moment::parse(text).map(Value::Moment)),
        b"TRUE" | b"true" => Some(Value::Boolean(true)),
        b"FALSE" | b"false" => Some(Value::Boolean(false)),
        _ => None,
    };
    found.unwrap_or(Value::Text(text))
}

/// Parses a number with its format. `None` if writing it back would give another text, apart from the form of an
/// exponent.
pub(crate) fn number(text: &str) -> Option<Number> {
    let (digits, percent) = match text.strip_suffix('%') {
        Some(digits) => (digits, true),
        None => (text, false),
    };
    let (mantissa, power) = match digits.find(['e', 'E']) {
        Some(at) => (&digits[..at], Some(&digits[at + 1..])),
        None => (digits, None),
    };
    let unsigned = mantissa.strip_prefix('-').unwrap_or(mantissa);
    let (whole, fraction) = match unsigned.split_once('.') {
        Some((_, "")) => return None,
        Some((whole, fraction)) => (whole, fraction),
        None => (unsigned, ""),
    };
    let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let plain = !whole.is_empty()
        && all_digits(whole)
        && all_digits(fraction)
        && (whole == "0" || !whole.starts_with('0'));
    // Leading zeros of a fraction are not significant digits.
    let significant = match whole {
        "0" => fraction.trim_start_matches('0').len(),
        _ => whole.len() + fraction.len(),
    };
    if !plain || significant > DIGITS {
        return None;
    }
    let decimals = u8::try_from(fraction.len()).ok()?;
    let look = match power {
        Some(power) => {
            let power = power.strip_prefix(['+', '-']).unwrap_or(power);
            let normal = whole.len() == 1 && whole != "0" && !fraction.is_empty();
            if percent || !normal || !(1..=3).contains(&power.len()) || !all_digits(power) {
                return None;
            }
            NumberStyle::Scientific(decimals)
        }
        None if percent => NumberStyle::Percent(decimals),
        None if fraction.ends_with('0') => NumberStyle::Fixed(decimals),
        None => NumberStyle::General,
    };
    let value: f64 = match percent {
        true => format!("{digits}e-2").parse().ok()?,
        false => digits.parse().ok()?,
    };
    // Minus zero would lose its sign, and a number out of range would become infinite or zero. Such texts are not
    // numbers.
    let is_preserved = match value == 0.0 {
        true => !text.starts_with('-') && power.is_none(),
        false => value.is_finite(),
    };
    is_preserved.then_some(Number { value, look })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typed_cell_is_the_same_text_again() {
        for text in [
            "0",
            "1",
            "-7",
            "12.5",
            "1.50",
            "0.00",
            "0.001",
            "123456789012345",
            "15%",
            "15.50%",
            "-3.0",
            "1.5E-10",
            "6.02E+23",
            "0.0000001",
            "99999999.99",
        ] {
            let Value::Number(number) = infer(text) else {
                panic!("{text} is no number");
            };
            let mut written = String::new();
            number.write(&mut written);
            assert_eq!(written, text);
        }
    }

    #[test]
    fn text_that_only_resembles_a_number_stays_text() {
        for text in [
            "",
            "-",
            "00501",
            "1234567890123456",
            "0.1234567890123456",
            "+5",
            "1e5",
            "12E4",
            "1,5",
            "1 000",
            "-0",
            "-0.0",
            ".5",
            "5.",
            "0x10",
            "NaN",
            "inf",
            "1.5e999",
            "1.5e-999",
            "1.5e+",
            "=1+1",
            "1_000",
            "٣",
            "--1",
            "1.2.3",
            "%",
            "1e5%",
            "01.5",
            "yes",
            "True",
            "22.11.2026",
            "=cmd|' /C calc'!A0",
        ] {
            assert_eq!(infer(text), Value::Text(text));
        }
    }

    #[test]
    fn words_and_dates_have_types() {
        assert_eq!(infer("TRUE"), Value::Boolean(true));
        assert_eq!(infer("false"), Value::Boolean(false));
        assert_eq!(infer("1970-01-02"), Value::Moment(Moment::Date(1)));
        assert_eq!(
            infer("1970-01-01T00:00:01"),
            Value::Moment(Moment::DateTime(1000))
        );
        assert_eq!(infer("00:00:01"), Value::Moment(Moment::Time(1000)));
    }
}
