//! The general number format: all digits, if they fit into eleven characters or into the width that the caller states.
//!
//! Excel limits numbers to eleven characters, including the decimal point but not the sign. If too many digits would be
//! lost, it uses scientific notation with six digits.

use super::decimal::Decimal;

/// Max. number of characters of a number, without its sign.
const WIDTH: i32 = 11;

/// Number of decimal places of the mantissa in scientific notation.
const MANTISSA: usize = 5;

/// Power of ten of the first digit. [`write`] shows numbers with this power or a smaller one in plain notation only if
/// no digits are lost, and [`fitting`] shows them in scientific notation.
const SMALL: i32 = -5;

/// Appends a finite number.
pub(super) fn write(value: f64, out: &mut String) {
    let mut number = Decimal::of(value);
    if value < 0.0 && !number.is_zero() {
        out.push('-');
    }
    let power = number.power();
    // Number of decimal places that fit beside the integer digits and the decimal point.
    let places = WIDTH - 1 - power.max(0) - 1;
    let too_small = power <= SMALL && number.fraction().len() as i32 > places;
    if power >= WIDTH || too_small {
        return scientific(number, out);
    }
    number.round(usize::try_from(places).unwrap_or(0));
    plain(&number, out);
}

/// Appends the digits of a number in plain notation.
fn plain(number: &Decimal, out: &mut String) {
    let digit = |digit: u8| char::from(b'0' + digit);
    let whole = number.whole();
    if whole.is_empty() {
        out.push('0');
    }
    out.extend(whole.into_iter().map(digit));
    let fraction = number.fraction();
    if !fraction.is_empty() {
        out.push('.');
        out.extend(fraction.into_iter().map(digit));
    }
}

/// Appends a number in scientific notation.
fn scientific(number: Decimal, out: &mut String) {
    mantissa(number, MANTISSA, out);
}

/// Appends a number in scientific notation with at most `places` decimal places.
fn mantissa(mut number: Decimal, places: usize, out: &mut String) {
    let mut power = number.power();
    number.scale(-power);
    number.round(places);
    // Rounding may add a digit before the decimal point.
    if number.power() > 0 {
        power += 1;
        number.scale(-1);
    }
    plain(&number, out);
    let sign = if power < 0 { '-' } else { '+' };
    out.push_str(&format!("E{sign}{:02}", power.unsigned_abs()));
}

/// Formats a finite number in at most `characters` characters, including its sign. If the text of the general format
/// is longer, it gets fewer decimal places or scientific notation. `None` if the number still does not fit.
pub(super) fn fitting(value: f64, characters: usize) -> Option<String> {
    let number = Decimal::of(value);
    let sign = if value < 0.0 && !number.is_zero() {
        "-"
    } else {
        ""
    };
    let width_left = characters.checked_sub(sign.len())?;
    let fits = |text: &str| text.len() <= width_left;
    let whole = number.power().max(0) as usize + 1;
    let is_small = number.power() <= SMALL;
    // Plain notation, with as many decimal places as fit.
    if whole <= width_left && whole <= WIDTH as usize && !is_small {
        let places = width_left.saturating_sub(whole + 1).min(WIDTH as usize);
        let mut rounded = Decimal::of(value);
        rounded.round(places);
        let mut text = String::new();
        plain(&rounded, &mut text);
        if fits(&text) {
            return Some(format!("{sign}{text}"));
        }
    }
    // Scientific notation, with as many decimal places as fit.
    for places in (0..=MANTISSA).rev() {
        let mut text = String::new();
        mantissa(Decimal::of(value), places, &mut text);
        if fits(&text) {
            return Some(format!("{sign}{text}"));
        }
    }
    // Numbers close to zero are shown as zero if their exponent does not fit.
    (is_small && width_left > 0).then(|| "0".to_owned())
}
