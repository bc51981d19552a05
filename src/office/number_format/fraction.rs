//! Numbers as fractions: `# ?/?`. Finds the nearest fraction whose denominator has as many digits as there are places,
//! or has the denominator that the code names.
//!
//! Excel's text for a fraction or an integer part of zero follows from the placeholders: with a `?` among them the room
//! is kept as spaces, else it closes; a `0` keeps what it stands for.

use super::{
    decimal::Decimal,
    grammar::{Part, Place, Section},
    number::{Digits, write_plain},
};
use std::ops::Range;

/// The limit on the digits of a denominator that is searched for.
const MAX_DIGITS: u32 = 5;

/// Positions of a fraction's numbers among the parts of a section.
pub(super) struct Fraction {
    /// Places of the integer part, with literals between them. Empty if absent.
    integer: Range<usize>,
    numerator: Range<usize>,
    denominator: Range<usize>,
}

impl Fraction {
    /// Finds the fraction in a section, if it has one.
    pub(super) fn of(section: &Section) -> Option<Self> {
        let parts = &section.parts;
        let is_digit = |part: &Part| matches!(part, Part::Digit(_));
        let slash = parts.iter().position(|part| *part == Part::Slash)?;
        let end = parts[..slash].iter().rposition(is_digit)? + 1;
        let start = parts[..end].iter().rposition(|part| !is_digit(part));
        let numerator = start.map_or(0, |at| at + 1)..end;
        let is_below = |part: &Part| is_digit(part) || matches!(part, Part::Denominator(_));
        let below = slash + parts[slash..].iter().position(is_below)?;
        let len = match parts[below] {
            Part::Denominator(_) => 1,
            _ => parts[below..]
                .iter()
                .take_while(|part| is_digit(part))
                .count(),
        };
        let before = &parts[..numerator.start];
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
        let parts = &section.parts;
        let mixed = !self.integer.is_empty();
        let mut whole = if mixed { value.floor() } else { 0.0 };
        let (mut numerator, denominator) = self.nearest(value - whole, parts);
        if mixed && numerator == denominator {
            (whole, numerator) = (whole + 1.0, 0.0);
        }
        let places = |range: &Range<usize>| -> Vec<Place> {
            let places = parts[range.clone()].iter().filter_map(|part| match part {
                Part::Digit(place) => Some(*place),
                _ => None,
            });
            places.collect()
        };
        let integer = places(&self.integer);
        let above = places(&self.numerator);
        let below = places(&self.denominator);
        let spaces = [&integer, &above, &below]
            .iter()
            .any(|places| places.contains(&Place::Space));
        // Without a numerator the whole fraction goes, from behind the integer part on.
        let hidden = mixed && numerator == 0.0 && !above.contains(&Place::Zero);
        // An integer part of zero goes, with what stands between it and the fraction, unless one of its places keeps
        // it.
        let closed = mixed
            && whole == 0.0
            && !hidden
            && !integer.contains(&Place::Zero)
            && (numerator != 0.0 || !integer.contains(&Place::Space));
        let gap = integer.contains(&Place::Space) || above.first() == Some(&Place::Space);
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
        for (at, part) in parts.iter().enumerate() {
            let in_fraction = at >= self.integer.end && at < self.denominator.end;
            let in_separator = at >= self.integer.end && at < self.numerator.start;
            let is_digit = matches!(part, Part::Digit(_));
            if hidden && in_fraction {
                let width = if spaces { width(part) } else { 0 };
                out.extend(std::iter::repeat_n(' ', width));
            } else if closed && in_separator {
                let width = if gap { width(part) } else { 0 };
                out.extend(std::iter::repeat_n(' ', width));
            } else if self.integer.contains(&at) && is_digit {
                whole.next(out);
            } else if self.numerator.contains(&at) {
                above.next(out);
            } else if at == self.denominator.start {
                write_denominator(&below, &denominator, out);
            } else if !is_digit {
                write_plain(part, out);
            }
        }
    }

    /// The numerator and denominator nearest to a number.
    fn nearest(&self, value: f64, parts: &[Part]) -> (f64, f64) {
        if let Part::Denominator(denominator) = parts[self.denominator.start] {
            let denominator = f64::from(denominator);
            return ((value * denominator).round(), denominator);
        }
        let digits = u32::try_from(self.denominator.len()).unwrap_or(MAX_DIGITS);
        let largest = 10_u32.pow(digits.min(MAX_DIGITS)) - 1;
        let mut best = (value.round(), 1.0);
        let mut error = (value - value.round()).abs();
        for denominator in 2..=largest {
            // The precision of 15 digits: whatever is nearer is the same number.
            if error < 1e-15 * value.max(1.0) {
                break;
            }
            let denominator = f64::from(denominator);
            let numerator = (value * denominator).round();
            let this = (value - numerator / denominator).abs();
            if this < error {
                (best, error) = ((numerator, denominator), this);
            }
        }
        best
    }
}

/// Appends a denominator. It stands to the left of its places, as fractions below one another align at their lines.
fn write_denominator(places: &[Place], digits: &[u8], out: &mut String) {
    let missing = places.len().saturating_sub(digits.len());
    if places.first() == Some(&Place::Zero) {
        out.extend(std::iter::repeat_n('0', missing));
    }
    out.extend(digits.iter().map(|digit| char::from(b'0' + digit)));
    if places.last() == Some(&Place::Space) {
        out.extend(std::iter::repeat_n(' ', missing));
    }
}

/// The characters that a part takes.
fn width(part: &Part) -> usize {
    match part {
        Part::Literal(text) => text.chars().count(),
        Part::Denominator(number) => number.to_string().len(),
        _ => 1,
    }
}
