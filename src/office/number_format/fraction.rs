//! Formats numbers as fractions, such as `# ?/?`. The result is the nearest fraction with the denominator that the
//! format code states. If the format code has placeholders for the denominator instead, it may have as many digits as
//! placeholders, but at most five.
//!
//! Excel may hide a fraction or an integer part of zero, depending on the placeholders. Hidden parts leave spaces if
//! certain placeholders are `?`. Parts with the placeholder `0` are never hidden.

use super::{
    decimal::Decimal,
    grammar::{DigitPlaceholder, FormatToken, Section},
    number::{Digits, write_plain},
};
use std::ops::Range;

/// Max. number of digits of a denominator that is computed.
const MAX_DIGITS: u32 = 5;

/// Positions of the numbers of a fraction among the parts of a section.
pub(super) struct Fraction {
    /// Placeholders of the integer part, and literals between them. Empty without an integer part.
    integer: Range<usize>,
    /// Placeholders of the numerator.
    numerator: Range<usize>,
    /// Placeholders of the denominator, or its fixed value.
    denominator: Range<usize>,
}

impl Fraction {
    /// Finds the fraction of a section. `None` if the section has no fraction.
    pub(super) fn of(section: &Section) -> Option<Self> {
        let tokens = &section.tokens;
        let is_digit = |token: &FormatToken| matches!(token, FormatToken::Digit(_));
        let slash = tokens
            .iter()
            .position(|token| *token == FormatToken::Slash)?;
        // The last run of digits before the slash is the numerator. Digits before it are the integer part.
        let end = tokens[..slash].iter().rposition(is_digit)? + 1;
        let start = tokens[..end].iter().rposition(|token| !is_digit(token));
        let numerator = start.map_or(0, |at| at + 1)..end;
        let is_below =
            |token: &FormatToken| is_digit(token) || matches!(token, FormatToken::Denominator(_));
        // The first run of digits after the slash is the denominator.
        let below = slash + tokens[slash..].iter().position(is_below)?;
        let len = match tokens[below] {
            FormatToken::Denominator(_) => 1,
            _ => tokens[below..]
                .iter()
                .take_while(|token| is_digit(token))
                .count(),
        };
        let before = &tokens[..numerator.start];
        let integer = match (
            before.iter().position(is_digit),
            before.iter().rposition(is_digit),
        ) {
            (Some(first), Some(last)) => first..last + 1,
            _ => 0..0,
        };
        Some(Self {
            integer,
            numerator,
            denominator: below..below + len,
        })
    }

    /// Appends a number that is not negative.
    pub(super) fn write(&self, section: &Section, value: f64, out: &mut String) {
        let tokens = &section.tokens;
        let mixed = !self.integer.is_empty();
        let mut whole = if mixed { value.floor() } else { 0.0 };
        let (mut numerator, denominator) = self.nearest(value - whole, tokens);
        // If rounding results in a fraction of 1, it is added to the integer part.
        if mixed && numerator == denominator {
            (whole, numerator) = (whole + 1.0, 0.0);
        }
        // Placeholders in a range.
        let places = |range: &Range<usize>| -> Vec<DigitPlaceholder> {
            let places = tokens[range.clone()]
                .iter()
                .filter_map(|token| match token {
                    FormatToken::Digit(place) => Some(*place),
                    _ => None,
                });
            places.collect()
        };
        let integer = places(&self.integer);
        let above = places(&self.numerator);
        let below = places(&self.denominator);
        let spaces = [&integer, &above, &below]
            .iter()
            .any(|places| places.contains(&DigitPlaceholder::Space));
        // Without a numerator the fraction is hidden, with the text between it and the integer part.
        let hidden = mixed && numerator == 0.0 && !above.contains(&DigitPlaceholder::Zero);
        // An integer part of zero is hidden, with the text between it and the fraction, unless a placeholder prevents
        // it.
        let closed = mixed
            && whole == 0.0
            && !hidden
            && !integer.contains(&DigitPlaceholder::Zero)
            && (numerator != 0.0 || !integer.contains(&DigitPlaceholder::Space));
        // Whether the hidden integer part leaves spaces.
        let gap = integer.contains(&DigitPlaceholder::Space)
            || above.first() == Some(&DigitPlaceholder::Space);
        let digits = |number: f64| Decimal::of(number).whole();
        let whole = match digits(whole) {
            whole if whole.is_empty() && !closed => vec![0],
            whole => whole,
        };
        let numerator = match digits(numerator) {
            zero if zero.is_empty() && !mixed => vec![0],
            numerator => numerator,
        };
        let denominator = digits(denominator);
        let mut whole = Digits::new(&integer, &whole, section.grouped);
        let mut above = Digits::new(&above, &numerator, false);
        for (at, token) in tokens.iter().enumerate() {
            let in_fraction = at >= self.integer.end && at < self.denominator.end;
            let in_separator = at >= self.integer.end && at < self.numerator.start;
            let is_digit = matches!(token, FormatToken::Digit(_));
            if hidden && in_fraction {
                let width = if spaces { width(token) } else { 0 };
                out.extend(std::iter::repeat_n(' ', width));
            } else if closed && in_separator {
                let width = if gap { width(token) } else { 0 };
                out.extend(std::iter::repeat_n(' ', width));
            } else if self.integer.contains(&at) && is_digit {
                whole.next(out);
            } else if self.numerator.contains(&at) {
                above.next(out);
            } else if at == self.denominator.start {
                write_denominator(&below, &denominator, out);
            } else if !is_digit {
                write_plain(token, out);
            }
        }
    }

    /// Returns the numerator and denominator of the nearest fraction.
    fn nearest(&self, value: f64, tokens: &[FormatToken]) -> (f64, f64) {
        if let FormatToken::Denominator(denominator) = tokens[self.denominator.start] {
            let denominator = f64::from(denominator);
            return ((value * denominator).round(), denominator);
        }
        let digits = u32::try_from(self.denominator.len()).unwrap_or(MAX_DIGITS);
        let largest = 10_u32.pow(digits.min(MAX_DIGITS)) - 1;
        let mut best = (value.round(), 1.0);
        let mut error = (value - value.round()).abs();
        for denominator in 2..=largest {
            // Smaller errors are not visible in 15 digits.
            if error < 1e-15 * value.max(1.0) {
                break;
            }
            let denominator = f64::from(denominator);
            let numerator = (value * denominator).round();
            let current_error = (value - numerator / denominator).abs();
            if current_error < error {
                (best, error) = ((numerator, denominator), current_error);
            }
        }
        best
    }
}

/// Appends a denominator. It is aligned to the left, so that fractions in a column align at their slashes.
fn write_denominator(places: &[DigitPlaceholder], digits: &[u8], out: &mut String) {
    let missing = places.len().saturating_sub(digits.len());
    if places.first() == Some(&DigitPlaceholder::Zero) {
        out.extend(std::iter::repeat_n('0', missing));
    }
    out.extend(digits.iter().map(|digit| char::from(b'0' + digit)));
    if places.last() == Some(&DigitPlaceholder::Space) {
        out.extend(std::iter::repeat_n(' ', missing));
    }
}

/// Returns the number of characters of a part.
fn width(token: &FormatToken) -> usize {
    match token {
        FormatToken::Literal(text) => text.chars().count(),
        FormatToken::Denominator(number) => number.to_string().len(),
        _ => 1,
    }
}
