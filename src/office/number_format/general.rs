//! The general number format: as many digits as there are, in at most eleven characters. Knows nothing of the width of
//! a column.
//!
//! Excel gives eleven characters to a number, its decimal point included and its sign not, and changes to scientific
//! notation with six digits where that would lose too many.

use super::decimal::Decimal;

/// The characters that a number may have.
const WIDTH: i32 = 11;

/// The decimal places of the mantissa in scientific notation.
const MANTISSA: usize = 5;

/// From this power of ten down, a fraction is shown in plain notation only if all of it can be.
const SMALL: i32 = -5;

/// Appends a finite number.
pub(super) fn write(value: f64, out: &mut String) {
    let mut number = Decimal::of(value);
    if value < 0.0 && !number.is_zero() {
        out.push('-');
    }
    let power = number.power();
    // The integer digits, and a point behind them.
    let places = WIDTH - 1 - power.max(0) - 1;
    let too_small = power <= SMALL && number.fraction().len() as i32 > places;
    if power >= WIDTH || too_small {
        return scientific(number, out);
    }
    number.round(usize::try_from(places).unwrap_or(0));
    plain(&number, out);
}

/// Appends the digits of a number without a format.
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

fn scientific(number: Decimal, out: &mut String) {
    mantissa(number, MANTISSA, out);
}

/// Appends a number in scientific notation with at most this many decimal places.
fn mantissa(mut number: Decimal, places: usize, out: &mut String) {
    let mut power = number.power();
    number.scale(-power);
    number.round(places);
    if number.power() > 0 {
        power += 1;
        number.scale(-1);
    }
    plain(&number, out);
    let sign = if power < 0 { '-' } else { '+' };
    out.push_str(&format!("E{sign}{:02}", power.unsigned_abs()));
}

/// A finite number in at most this many characters, its sign included: with fewer decimal places, or else in scientific
/// notation.
pub(super) fn fitting(value: f64, characters: usize) -> Option<String> {
    let number = Decimal::of(value);
    let sign = if value < 0.0 && !number.is_zero() {
        "-"
    } else {
        ""
    };
    let room = characters.checked_sub(sign.len())?;
    let fits = |text: &str| text.len() <= room;
    let whole = number.power().max(0) as usize + 1;
    let is_small = number.power() <= SMALL;
    if whole <= room && whole <= WIDTH as usize && !is_small {
        let places = room.saturating_sub(whole + 1).min(WIDTH as usize);
        let mut rounded = Decimal::of(value);
        rounded.round(places);
        let mut text = String::new();
        plain(&rounded, &mut text);
        if fits(&text) {
            return Some(format!("{sign}{text}"));
        }
    }
    for places in (0..=MANTISSA).rev() {
        let mut text = String::new();
        mantissa(Decimal::of(value), places, &mut text);
        if fits(&text) {
            return Some(format!("{sign}{text}"));
        }
    }
    // A number close to zero is zero in a column that has no room for its exponent.
    (is_small && room > 0).then(|| "0".to_owned())
}
