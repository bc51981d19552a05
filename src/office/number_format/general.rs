//! The general number format: as many digits as there are, in at most eleven characters. Knows nothing of the width of a column.
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

fn scientific(mut number: Decimal, out: &mut String) {
    let mut power = number.power();
    number.scale(-power);
    number.round(MANTISSA);
    if number.power() > 0 {
        power += 1;
        number.scale(-1);
    }
    plain(&number, out);
    let sign = if power < 0 { '-' } else { '+' };
    out.push_str(&format!("E{sign}{:02}", power.unsigned_abs()));
}
