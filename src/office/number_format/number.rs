//! Formats numbers with placeholders for digits: `0`, `#`, `?`. Chooses no section, and writes no minus sign before the
//! number.
//!
//! Digits fill the placeholders of the integer part from the right. If a number has more digits than placeholders,
//! the additional digits are written before the first placeholder. Literal text between placeholders keeps its
//! position, so 123456789 can become 123-45-6789.

use super::{
    decimal::Decimal,
    general,
    grammar::{DigitPlaceholder, FormatToken, Section},
};

/// Appends a number that is not negative.
pub(super) fn write(section: &Section, value: f64, out: &mut String) {
    if section.tokens == [FormatToken::General] {
        return general::write(value, out);
    }
    let layout = Layout::of(section);
    let mut number = Decimal::of(value);
    let mut power = 0;
    if layout.exponent.is_empty() {
        number.scale(section.scale);
        number.round(layout.fraction.len());
    } else {
        power = normalise(&mut number, &layout);
    }
    // Zero has no digits. In scientific notation, all placeholders of its integer part show zeros.
    let whole = match number.is_zero() && !layout.exponent.is_empty() {
        true => vec![0; layout.integer.len()],
        false => number.whole(),
    };
    let mut integer = Digits::new(&layout.integer, &whole, section.grouped);
    let mut fraction = Fraction::new(&layout.fraction, number.fraction());
    let exponent = match layout.exponent.is_empty() || power == 0 {
        true => vec![0],
        false => Decimal::of(power.into()).whole(),
    };
    let mut exponent = Digits::new(&layout.exponent, &exponent, false);
    // The sign of the exponent precedes its first digit.
    let mut sign = None;
    let (mut behind_point, mut behind_exponent) = (false, false);
    for token in &section.tokens {
        match token {
            FormatToken::Digit(_) if behind_exponent => {
                out.extend(sign.take());
                exponent.next(out);
            }
            FormatToken::Digit(_) if behind_point => fraction.next(out),
            FormatToken::Digit(_) => integer.next(out),
            FormatToken::Point => {
                integer.without_places(out);
                behind_point = true;
                out.push('.');
            }
            FormatToken::Exponent(letter, plus) => {
                behind_exponent = true;
                out.push(*letter);
                sign = match power < 0 {
                    true => Some('-'),
                    false => plus.then_some('+'),
                };
            }
            FormatToken::Text | FormatToken::General => general::write(value, out),
            other => write_plain(other, out),
        }
    }
}

/// Mark before a character that fills the column. Texts do not contain it, because it is a Unicode noncharacter, which
/// is reserved for internal use.
pub(super) const FILL: char = '\u{fdd0}';

/// Appends a part that does not depend on the value.
pub(super) fn write_plain(token: &FormatToken, out: &mut String) {
    match token {
        FormatToken::Literal(text) => out.push_str(text),
        FormatToken::Gap(_) => out.push(' '),
        FormatToken::Fill(character) => out.extend([FILL, *character]),
        FormatToken::Percent => out.push('%'),
        FormatToken::Slash => out.push('/'),
        FormatToken::Point => out.push('.'),
        FormatToken::Denominator(number) => out.push_str(&number.to_string()),
        FormatToken::Comma
        | FormatToken::Digit(_)
        | FormatToken::Exponent(..)
        | FormatToken::Text
        | FormatToken::General
        | FormatToken::Date(_) => {}
    }
}

/// Scales and rounds a number for scientific notation. Returns the exponent, which is a multiple of the number of
/// integer placeholders.
fn normalise(number: &mut Decimal, layout: &Layout) -> i32 {
    let width = i32::try_from(layout.integer.len())
        .unwrap_or(i32::MAX)
        .max(1);
    let mut power = number.power().div_euclid(width) * width;
    number.scale(-power);
    number.round(layout.fraction.len());
    // Rounding may add a digit.
    if number.power() >= width {
        power += width;
        number.scale(-width);
    }
    power
}

/// Placeholders of a section.
#[derive(Default)]
struct Layout {
    /// Placeholders of the integer part.
    integer: Vec<DigitPlaceholder>,
    /// Placeholders of the decimal places.
    fraction: Vec<DigitPlaceholder>,
    /// Placeholders of the exponent.
    exponent: Vec<DigitPlaceholder>,
}

impl Layout {
    /// Collects the placeholders of a section.
    fn of(section: &Section) -> Self {
        let mut layout = Self::default();
        let (mut behind_point, mut behind_exponent) = (false, false);
        for token in &section.tokens {
            match token {
                FormatToken::Point => behind_point = true,
                FormatToken::Exponent(..) => behind_exponent = true,
                FormatToken::Digit(place) if behind_exponent => layout.exponent.push(*place),
                FormatToken::Digit(place) if behind_point => layout.fraction.push(*place),
                FormatToken::Digit(place) => layout.integer.push(*place),
                _ => {}
            }
        }
        layout
    }
}

/// Integer that is written into placeholders.
pub(super) struct Digits<'d> {
    /// Placeholders, from left to right.
    places: &'d [DigitPlaceholder],
    /// Digits, from left to right.
    digits: &'d [u8],
    /// Whether digits are grouped by thousands.
    grouped: bool,
    /// Number of filled placeholders.
    filled: usize,
}

impl<'d> Digits<'d> {
    /// Creates the state before the first placeholder.
    pub(super) fn new(places: &'d [DigitPlaceholder], digits: &'d [u8], grouped: bool) -> Self {
        Self {
            places,
            digits,
            grouped,
            filled: 0,
        }
    }

    /// Fills the next placeholder. The additional digits are written before the first placeholder.
    pub(super) fn next(&mut self, out: &mut String) {
        let from_right = self.places.len() - 1 - self.filled;
        self.filled += 1;
        if self.filled == 1 {
            for surplus in (from_right + 1..self.digits.len()).rev() {
                self.write(surplus, out);
            }
        }
        self.write(from_right, out);
    }

    /// Appends all digits if the integer part has no placeholders, as in `.00`.
    fn without_places(&mut self, out: &mut String) {
        if self.places.is_empty() {
            for from_right in (0..self.digits.len()).rev() {
                self.write(from_right, out);
            }
        }
    }

    /// Appends the digit at a position from the right, and a comma after it if it ends a group.
    fn write(&self, from_right: usize, out: &mut String) {
        let at = self.digits.len().checked_sub(from_right + 1);
        let digit = at.and_then(|at| self.digits.get(at));
        // A `0` makes all placeholders to its right show at least a zero.
        let until = self.places.len().saturating_sub(from_right);
        let zero = self.places[..until].contains(&DigitPlaceholder::Zero);
        let place = until.checked_sub(1).map(|at| self.places[at]);
        let (shown, comma) = match (digit, place) {
            (Some(digit), _) => (Some(char::from(b'0' + digit)), ','),
            (None, _) if zero => (Some('0'), ','),
            (None, Some(DigitPlaceholder::Space)) => (Some(' '), ' '),
            (None, _) => (None, ','),
        };
        out.extend(shown);
        if self.grouped && shown.is_some() && from_right > 0 && from_right.is_multiple_of(3) {
            out.push(comma);
        }
    }
}

/// Decimal places that are written into placeholders.
struct Fraction<'d> {
    /// Placeholders, from left to right.
    places: &'d [DigitPlaceholder],
    /// Digits after the decimal point.
    digits: Vec<u8>,
    /// Number of digits that must be shown, including zeros.
    needed: usize,
    /// Number of filled placeholders.
    filled: usize,
}

impl<'d> Fraction<'d> {
    /// Creates the state before the first placeholder.
    fn new(places: &'d [DigitPlaceholder], digits: Vec<u8>) -> Self {
        let last_zero = places
            .iter()
            .rposition(|place| *place == DigitPlaceholder::Zero);
        Self {
            places,
            needed: digits.len().max(last_zero.map_or(0, |at| at + 1)),
            digits,
            filled: 0,
        }
    }

    /// Fills the next placeholder.
    fn next(&mut self, out: &mut String) {
        let at = self.filled;
        self.filled += 1;
        if at < self.needed {
            let digit = self.digits.get(at).copied().unwrap_or(0);
            out.push(char::from(b'0' + digit));
        } else if self.places.get(at) == Some(&DigitPlaceholder::Space) {
            out.push(' ');
        }
    }
}
