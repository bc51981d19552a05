//! Comparison and conversion of values (ECMA-376 part 1, 18.17.5). Reads no cells.

use super::Fault;
use crate::shown::{book::Value, validation::Operator};
use convertd_office::{number_format::NumberFormat, time::Epoch};
use std::cmp::Ordering;

// Error values of formulas (18.17.3).

/// Division by zero.
pub(super) const DIVISION: &str = "#DIV/0!";
/// A value that was not found.
pub(super) const NOT_AVAILABLE: &str = "#N/A";
/// A number that is out of range or not finite.
pub(super) const NUMBER: &str = "#NUM!";
/// A reference to cells that do not exist.
pub(super) const REFERENCE: &str = "#REF!";
/// An argument that cannot be used, such as one of the wrong type.
pub(super) const WRONG: &str = "#VALUE!";
/// Errors that a criterion may name.
const ERRORS: [&str; 7] = [
    DIVISION,
    NOT_AVAILABLE,
    NUMBER,
    REFERENCE,
    WRONG,
    "#NAME?",
    "#NULL!",
];

/// Maximum length of a text value, in bytes. Excel's limit is 32,767 characters.
pub(super) const MAX_TEXT: usize = 1 << 15;

/// Number of a numeric value, or `None` for other types. Dates are numbers, too.
pub(in crate::shown) fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) if number.is_finite() => Some(*number),
        _ => None,
    }
}

/// Value as lower-case text, because comparisons ignore case.
pub(in crate::shown) fn lower(value: &Value) -> String {
    match value {
        Value::Empty => String::new(),
        Value::Number(number) => number.to_string(),
        Value::Text(text) => text.to_lowercase(),
        Value::Rich(runs) => {
            let all: String = runs.iter().map(|run| &*run.text).collect();
            all.to_lowercase()
        }
        Value::Boolean(is) => is.to_string(),
        Value::Error(error) => error.to_lowercase(),
    }
}

/// Types of values in the order of Excel: numbers are less than texts, and texts less than truth values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Number,
    Text,
    Truth,
}

/// Type of a value. `None` for errors and empty cells.
fn rank(value: &Value) -> Option<Rank> {
    match value {
        Value::Number(_) => Some(Rank::Number),
        Value::Text(_) | Value::Rich(_) => Some(Rank::Text),
        Value::Boolean(_) => Some(Rank::Truth),
        Value::Empty | Value::Error(_) => None,
    }
}

/// Order of two values. An empty cell counts as 0, as an empty text or as FALSE, depending on the other value. `None`
/// if one of them is an error, or if two numbers are compared and one is not finite: every such comparison is false.
pub(in crate::shown) fn order(value: &Value, other: &Value) -> Option<Ordering> {
    if let (Value::Error(_), _) | (_, Value::Error(_)) = (value, other) {
        return None;
    }
    let (own, others) = (rank(value), rank(other));
    let (Some(own), Some(others)) = (own.or(others), others.or(own)) else {
        // Two empty cells.
        return Some(Ordering::Equal);
    };
    if own != others {
        return Some(own.cmp(&others));
    }
    match own {
        Rank::Number => {
            let number = |value: &Value| match value {
                Value::Empty => Some(0.0),
                value => number(value),
            };
            number(value)?.partial_cmp(&number(other)?)
        }
        Rank::Text => Some(lower(value).cmp(&lower(other))),
        Rank::Truth => {
            let is = |value: &Value| matches!(value, Value::Boolean(true));
            Some(is(value).cmp(&is(other)))
        }
    }
}

/// Returns whether a comparison with this result satisfies an operator. It never satisfies `Between` and `NotBetween`,
/// which need two comparisons.
pub(in crate::shown) fn holds(operator: Operator, order: Ordering) -> bool {
    match operator {
        Operator::Less => order.is_lt(),
        Operator::LessOrEqual => order.is_le(),
        Operator::Equal => order.is_eq(),
        Operator::NotEqual => order.is_ne(),
        Operator::GreaterOrEqual => order.is_ge(),
        Operator::Greater => order.is_gt(),
        Operator::Between | Operator::NotBetween => false,
    }
}

/// Converts an operand of arithmetic to a number. A text with digits that is not a plain number may be a number or
/// date in some locale, and is therefore unknown rather than an error.
pub(super) fn operand(value: &Value) -> Result<f64, Fault> {
    match value {
        Value::Empty => Ok(0.0),
        Value::Boolean(is) => Ok(f64::from(u8::from(*is))),
        Value::Number(number) => finite(*number),
        Value::Error(error) => Err(Fault::Error(error.clone())),
        Value::Text(_) | Value::Rich(_) => {
            let text = value.text().unwrap_or_default();
            let plain = text.trim();
            let parsed = match plain.strip_suffix('%') {
                Some(share) => share.parse::<f64>().map(|share| share / 100.0),
                None => plain.parse::<f64>(),
            };
            match parsed.ok().filter(|number| number.is_finite()) {
                Some(number) => Ok(number),
                None if plain.contains(|c: char| c.is_ascii_digit()) => Err(Fault::Unknown),
                None => Err(fault(WRONG)),
            }
        }
    }
}

/// Converts a condition to a truth value.
pub(super) fn truth(value: &Value) -> Result<bool, Fault> {
    match value {
        Value::Boolean(is) => Ok(*is),
        Value::Number(number) => Ok(*number != 0.0),
        Value::Empty => Ok(false),
        Value::Error(error) => Err(Fault::Error(error.clone())),
        Value::Text(_) | Value::Rich(_) => match &*lower(value) {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(fault(WRONG)),
        },
    }
}

/// Converts a value to text, as `&` does. Numbers appear in the format General.
pub(super) fn written(value: &Value) -> Result<String, Fault> {
    Ok(match value {
        Value::Empty => String::new(),
        Value::Boolean(true) => "TRUE".to_owned(),
        Value::Boolean(false) => "FALSE".to_owned(),
        Value::Error(error) => return Err(Fault::Error(error.clone())),
        Value::Number(number) => {
            let mut text = String::new();
            NumberFormat::built_in(0).number(*number, Epoch::From1900, &mut text);
            text
        }
        Value::Text(_) | Value::Rich(_) => value.text().unwrap_or_default(),
    })
}

/// Creates the fault for an error value.
pub(super) fn fault(error: &str) -> Fault {
    Fault::Error(error.into())
}

/// Checks that a result is a finite number. Others are `#NUM!`.
pub(super) fn finite(number: f64) -> Result<f64, Fault> {
    match number.is_finite() {
        true => Ok(number),
        false => Err(fault(NUMBER)),
    }
}

/// Rounds to fifteen significant digits, as spreadsheet programs do, so that sums of cents do not end in the rest of
/// a binary fraction.
pub(super) fn fifteen(number: f64) -> f64 {
    format!("{number:.14e}").parse().unwrap_or(number)
}

/// Linear interpolation between sorted numbers, at a position counted from 0. 0 for an empty list.
pub(in crate::shown) fn interpolated(numbers: &[f64], at: f64) -> f64 {
    let number = |at: f64| numbers.get(at as usize).copied().unwrap_or(0.0);
    let (below, above) = (number(at.floor()), number(at.ceil()));
    below + (above - below) * at.fract()
}

/// Maximum length of a pattern, in characters, as in Excel. Longer ones are compared literally.
const MAX_PATTERN: usize = 255;

/// Returns whether a text matches a pattern: `*` stands for any text, `?` for one character, and `~` before either
/// makes it literal. Both texts are in lower case.
///
/// A mismatch goes back to the last star only and lets it take one more character. Earlier stars need no retry,
/// because the last one can take whatever they could, so the time is at most the product of both lengths.
pub(super) fn is_like(text: &str, pattern: &str) -> bool {
    if pattern.chars().nth(MAX_PATTERN).is_some() {
        return text == pattern;
    }
    let text: Vec<char> = text.chars().collect();
    let mut parts = Vec::new();
    let mut characters = pattern.chars().peekable();
    while let Some(character) = characters.next() {
        parts.push(match character {
            '*' => PatternElement::Any,
            '?' => PatternElement::One,
            '~' if matches!(characters.peek(), Some('*' | '?' | '~')) => {
                PatternElement::Is(characters.next().unwrap_or('~'))
            }
            other => PatternElement::Is(other),
        });
    }
    // Position of the last star in the pattern, and end of the text that it has taken so far.
    let (mut at, mut part, mut star) = (0, 0, None);
    while at < text.len() {
        match parts.get(part) {
            Some(PatternElement::Any) => {
                star = Some((part, at));
                part += 1;
                continue;
            }
            Some(PatternElement::One) => {}
            Some(PatternElement::Is(character)) if *character == text[at] => {}
            _ => {
                let Some((begun, taken)) = star else {
                    return false;
                };
                star = Some((begun, taken + 1));
                (part, at) = (begun + 1, taken + 1);
                continue;
            }
        }
        (part, at) = (part + 1, at + 1);
    }
    parts[part..]
        .iter()
        .all(|part| matches!(part, PatternElement::Any))
}

/// Element of a pattern.
enum PatternElement {
    /// `*`
    Any,
    /// `?`
    One,
    /// This character.
    Is(char),
}

/// Criterion of `COUNTIF` and its relatives: a comparison with a value.
pub(super) struct Criterion {
    /// Comparison that a cell must pass.
    comparison: Operator,
    /// Value with which cells are compared.
    operand: Value,
}

impl Criterion {
    /// Parses a criterion: an optional comparison operator, then a value. Without an operator it tests for equality.
    pub(super) fn new(wanted: &Value) -> Self {
        let condition = match wanted {
            Value::Text(_) | Value::Rich(_) => wanted.text().unwrap_or_default(),
            Value::Empty => "0".to_owned(),
            other => {
                return Self {
                    comparison: Operator::Equal,
                    operand: other.clone(),
                };
            }
        };
        let signs = super::expression::OPERATORS.iter();
        let mut signs = signs.filter_map(|(token, operator, _)| match operator {
            super::expression::Operator::Compare(comparison) => {
                Some((condition.strip_prefix(token)?, *comparison))
            }
            _ => None,
        });
        let (operand, comparison) = signs.next().unwrap_or((&condition, Operator::Equal));
        let operand = match operand.trim().parse::<f64>() {
            Ok(limit) if limit.is_finite() => Value::Number(limit),
            // Names of truth values and of errors stand for these values.
            _ => match &*operand.trim().to_lowercase() {
                "true" => Value::Boolean(true),
                "false" => Value::Boolean(false),
                error if ERRORS.iter().any(|known| known.eq_ignore_ascii_case(error)) => {
                    Value::Error(error.to_uppercase().into())
                }
                _ => Value::Text(operand.to_lowercase().into()),
            },
        };
        Self {
            comparison,
            operand,
        }
    }

    /// Returns whether a value meets the criterion. The operators for less and greater hold only between values of the
    /// same type, and never for empty cells.
    pub(super) fn is_met(&self, value: &Value) -> bool {
        let is_equal = match &self.operand {
            Value::Text(pattern) if pattern.is_empty() => value.is_empty(),
            Value::Text(pattern) => {
                matches!(value, Value::Text(_) | Value::Rich(_)) && is_like(&lower(value), pattern)
            }
            Value::Error(error) => matches!(value, Value::Error(own) if own == error),
            other => rank(value) == rank(other) && order(value, other).is_some_and(Ordering::is_eq),
        };
        match self.comparison {
            Operator::Equal => is_equal,
            Operator::NotEqual => !is_equal,
            comparison => {
                let alike = rank(value) == rank(&self.operand);
                alike
                    && !value.is_empty()
                    && order(value, &self.operand).is_some_and(|order| holds(comparison, order))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_have_wild_cards() {
        #[track_caller]
        fn check(text: &str, pattern: &str, is: bool) {
            assert_eq!(is_like(text, pattern), is, "{text} {pattern}");
        }
        check("apple", "a*e", true);
        check("apple", "a?ple", true);
        check("apple", "a?le", false);
        check("a*b", "a~*b", true);
        check("axb", "a~*b", false);
        check("abcabd", "*abd", true);
        check("", "*", true);
        check("", "?", false);
        check(&"a".repeat(5000), &"*a".repeat(120), true);
        check(&"a".repeat(5000), &"*a".repeat(2000), false);
    }

    #[test]
    fn types_have_an_order() {
        #[track_caller]
        fn check(value: Value, other: Value, expected: Option<Ordering>) {
            assert_eq!(order(&value, &other), expected, "{value:?} {other:?}");
            let turned = expected.map(Ordering::reverse);
            assert_eq!(order(&other, &value), turned, "{other:?} {value:?}");
        }
        let text = |text: &str| Value::Text(text.into());
        let (less, equal) = (Some(Ordering::Less), Some(Ordering::Equal));
        check(Value::Number(9.0), text("1"), less);
        check(text("z"), Value::Boolean(false), less);
        check(Value::Boolean(false), Value::Boolean(true), less);
        check(text("A"), text("a"), equal);
        // An empty cell equals 0, an empty text and FALSE. But 0 is less than an empty text, like any number.
        check(Value::Empty, Value::Number(0.0), equal);
        check(Value::Empty, text(""), equal);
        check(Value::Empty, Value::Boolean(false), equal);
        check(Value::Empty, Value::Empty, equal);
        check(Value::Number(0.0), text(""), less);
        for value in [
            Value::Number(0.0),
            text("x"),
            Value::Empty,
            Value::Error(DIVISION.into()),
        ] {
            check(Value::Error(WRONG.into()), value, None);
        }
    }

    #[test]
    fn criteria_name_values_of_any_type() {
        #[track_caller]
        fn check(criterion: &str, value: Value, is: bool) {
            let criterion_ = Criterion::new(&Value::Text(criterion.into()));
            assert_eq!(criterion_.is_met(&value), is, "{criterion} {value:?}");
        }
        let text = |text: &str| Value::Text(text.into());
        check("TRUE", Value::Boolean(true), true);
        check("true", Value::Boolean(false), false);
        check("TRUE", text("TRUE"), false);
        check("<>FALSE", Value::Boolean(true), true);
        check("#N/A", Value::Error(NOT_AVAILABLE.into()), true);
        check("#N/A", Value::Error(WRONG.into()), false);
        check(">0", Value::Error(WRONG.into()), false);
        check(">0", Value::Boolean(true), false);
        check("<5", Value::Empty, false);
        check("=5", Value::Number(5.0), true);
        check(">a", text("b"), true);
    }

    #[test]
    fn numbers_have_fifteen_digits() {
        assert_eq!(fifteen(0.1 + 0.2), 0.3);
        assert_eq!(fifteen(-1_234_567.89), -1_234_567.89);
        assert_eq!(fifteen(0.0), 0.0);
    }
}
