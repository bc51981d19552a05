//! Number formats: converts a value and a format code to the text that a spreadsheet program shows. Depends on neither
//! cells nor files.
//!
//! A format code has up to four sections, separated by semicolons: for positive numbers, negative numbers, zero, and
//! text (ECMA-376 part 1, 18.8.31). The standard describes the results only briefly. The implementation therefore
//! follows the results that Excel stored in test workbooks of Apache POI, and reproduces all of them.
//!
//! `ssfmt` 0.1.2, the only library with the complete grammar, reproduces 262 of 808 results. It lacks literal text in
//! scientific notation, spaces in fractions, and text sections without a placeholder.

mod built_in;
mod date;
mod decimal;
mod fraction;
mod general;
mod grammar;
mod number;
mod numerals;
#[cfg(test)]
mod tests;

use super::time::Epoch;
use date::Moment;
use fraction::Fraction;
pub use grammar::Ink;
use grammar::{Condition, FormatToken, Section};
use number::FILL;

/// Text that Excel shows for a number that none of several sections formats, and for a date outside the calendar.
const OVERFLOW: &str = "########";

/// Parsed format code.
#[derive(Clone, Debug)]
pub struct NumberFormat {
    /// Sections for numbers: one to three.
    numbers: Vec<Section>,
    /// Section for text. `None` if text is shown unchanged.
    text: Option<Section>,
}

impl Default for NumberFormat {
    /// Returns the general format.
    fn default() -> Self {
        Self::parse("General")
    }
}

impl NumberFormat {
    /// Parses a format code. All texts are valid, because characters without a meaning are literal.
    pub fn parse(code: &str) -> Self {
        if code.is_empty() {
            return Self::default();
        }
        let mut numbers = grammar::sections(code);
        let has_text_section = numbers.last().is_some_and(|section| {
            let text = section.has(|token| *token == FormatToken::Text);
            // A single section of literal text applies to numbers and to text.
            numbers.len() == 4 || text || numbers.len() == 1 && is_literal(section)
        });
        let text = numbers.last().filter(|_| has_text_section).cloned();
        if text.is_some() && numbers.len() > 1 {
            numbers.pop();
        }
        Self { numbers, text }
    }

    /// Returns a built-in number format by its identifier (18.8.30), in its US English form.
    pub fn built_in(number: u32) -> Self {
        Self::parse(built_in::code(number))
    }

    /// Appends a formatted finite number.
    pub fn number(&self, value: f64, epoch: Epoch, out: &mut String) {
        let start = out.len();
        self.write(value, epoch, out);
        without_fill(out, start);
    }

    /// Formats a finite number for a cell that is wide enough.
    pub fn show(&self, value: f64, epoch: Epoch) -> Display {
        let mut text = String::new();
        self.write(value, epoch, &mut text);
        let colour = self.choose(value).and_then(|(section, _)| section.colour);
        Display::of(text, colour)
    }

    /// Returns whether this is the general format, which shows as many digits as fit into the cell.
    pub fn is_general(&self) -> bool {
        let [section] = &*self.numbers else {
            return self.numbers.is_empty();
        };
        section.tokens == [FormatToken::General] && section.condition.is_none()
    }

    /// Returns whether a number is shown as a date or as a time of day, and not as a duration.
    pub fn is_moment(&self, value: f64) -> bool {
        self.choose(value)
            .is_some_and(|(section, _)| section.is_moment())
    }

    /// Appends a number in its section's format: as a date, a fraction or a number.
    fn write(&self, value: f64, epoch: Epoch, out: &mut String) {
        let Some((section, signed)) = self.choose(value) else {
            return match self.numbers.len() {
                // With a single conditional section, other numbers have the general format.
                1 => general::write(value, out),
                _ => out.push_str(OVERFLOW),
            };
        };
        let start = out.len();
        if section.is_date() {
            write_date(section, value, epoch, out);
        } else {
            if signed && value < 0.0 {
                out.push('-');
            }
            match Fraction::of(section) {
                Some(fraction) => fraction.write(section, value.abs(), out),
                None => number::write(section, value.abs(), out),
            }
        }
        if let Some(numerals) = section.numerals {
            numerals.replace(out, start, spoken(section));
        }
    }

    /// Formats a text. `None` if it is unchanged.
    pub fn text(&self, text: &str) -> Option<String> {
        let section = self.text.as_ref()?;
        let mut out = String::new();
        for token in &section.tokens {
            match token {
                FormatToken::Text | FormatToken::General => out.push_str(text),
                other => number::write_plain(other, &mut out),
            }
        }
        without_fill(&mut out, 0);
        Some(out)
    }

    /// Returns the section for a number, and whether a negative number shows its minus sign. A section that formats
    /// only negative numbers shows no minus sign, because it marks them itself, for example with parentheses.
    fn choose(&self, value: f64) -> Option<(&Section, bool)> {
        let several = self.numbers.len() > 1;
        let mut only_negative = false;
        for (at, section) in self.numbers.iter().enumerate() {
            // Sections without a condition have default conditions, which depend on the number of sections.
            let condition = section.condition.or(match (at, self.numbers.len()) {
                (0, 2) => Some(Condition::GreaterOrEqual(0.0)),
                (0, 3..) => Some(Condition::Greater(0.0)),
                (1, 3..) => Some(Condition::Less(0.0)),
                _ => None,
            });
            let matches = condition.is_none_or(|condition| condition.holds(value));
            if matches {
                let negative = only_negative || condition.is_some_and(Condition::is_negative);
                return Some((section, !(several && negative)));
            }
            only_negative |= condition.is_some_and(Condition::leaves_only_negative);
        }
        None
    }
}

/// Formatted number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Display {
    /// Text without the repeated character.
    pub text: String,
    /// Position in the text, in bytes, and the character that is repeated there to fill the cell.
    pub fill: Option<(usize, char)>,
    /// Colour of the section.
    pub colour: Option<Ink>,
}

impl Display {
    /// Removes fill characters from a text, and stores the first of them with its position.
    fn of(mut text: String, colour: Option<Ink>) -> Self {
        let at = text.find(FILL);
        let fill = at.and_then(|at| {
            let character = text[at..].chars().nth(1)?;
            Some((at, character))
        });
        without_fill(&mut text, 0);
        Self { text, fill, colour }
    }
}

/// Returns the format code of a built-in number format.
pub fn built_in(number: u32) -> &'static str {
    built_in::code(number)
}

/// Formats a number in the general format for a column of `characters` characters. `None` if it does not fit.
pub fn general_in(value: f64, characters: usize) -> Option<String> {
    general::fitting(value, characters)
}

/// Removes fill characters with the marks before them.
fn without_fill(text: &mut String, start: usize) {
    while let Some(at) = text[start..].find(FILL) {
        let at = start + at;
        let end = text[at..].char_indices().nth(2);
        let end = end.map_or(text.len(), |(end, _)| at + end);
        text.replace_range(at..end, "");
    }
}

impl Condition {
    /// Returns whether a number meets the condition.
    fn holds(self, value: f64) -> bool {
        match self {
            Self::Less(limit) => value < limit,
            Self::LessOrEqual(limit) => value <= limit,
            Self::Equal(limit) => value == limit,
            Self::NotEqual(limit) => value != limit,
            Self::GreaterOrEqual(limit) => value >= limit,
            Self::Greater(limit) => value > limit,
        }
    }

    /// Returns whether only negative numbers meet the condition.
    fn is_negative(self) -> bool {
        match self {
            Self::Less(limit) => limit <= 0.0,
            Self::LessOrEqual(limit) | Self::Equal(limit) => limit < 0.0,
            Self::NotEqual(_) | Self::GreaterOrEqual(_) | Self::Greater(_) => false,
        }
    }

    /// Returns whether all numbers except negative numbers meet the condition.
    fn leaves_only_negative(self) -> bool {
        match self {
            Self::GreaterOrEqual(limit) => limit <= 0.0,
            Self::Greater(limit) | Self::NotEqual(limit) => limit < 0.0,
            Self::Less(_) | Self::LessOrEqual(_) | Self::Equal(_) => false,
        }
    }
}

/// Returns the max. number of consecutive digits that a section with its own numerals writes as a spoken number (21 as
/// 二十一, not as 二一).
fn spoken(section: &Section) -> usize {
    if section.is_date() {
        return 2;
    }
    match section.has(|token| *token == FormatToken::General) {
        true => 16,
        false => 0,
    }
}

/// Returns whether a section has only literal text.
fn is_literal(section: &Section) -> bool {
    !section.tokens.is_empty()
        && section.tokens.iter().all(|token| {
            matches!(
                token,
                FormatToken::Literal(_) | FormatToken::Gap(_) | FormatToken::Fill(_)
            )
        })
}

/// Appends a serial date. A negative value is shown only if the section shows total hours, minutes or seconds.
fn write_date(section: &Section, value: f64, epoch: Epoch, out: &mut String) {
    let fields = section.tokens.iter().filter_map(|token| match token {
        FormatToken::Date(field) => Some(*field),
        _ => None,
    });
    let elapsed = fields
        .clone()
        .any(|field| matches!(field, date::Field::Elapsed(..)));
    let serial = if elapsed { value.abs() } else { value };
    let Some(moment) = Moment::of(serial, fields, epoch) else {
        return out.push_str(OVERFLOW);
    };
    if value < 0.0 {
        out.push('-');
    }
    for token in &section.tokens {
        match token {
            FormatToken::Date(field) => moment.write(*field, out),
            FormatToken::Digit(_) => out.push('0'),
            other => number::write_plain(other, out),
        }
    }
}
