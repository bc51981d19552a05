//! Number formats: from a value and a format code to the text that a spreadsheet program shows. Knows neither cells nor
//! files.
//!
//! A format code has up to four sections that semicolons separate: for positive numbers, negative ones, zero, and text
//! (ECMA-376 part 1, 18.8.31). The standard says little about what a code shows; everything here follows the answers
//! that Excel stored in the test workbooks of Apache POI, and reproduces all of them.
//!
//! `ssfmt` 0.1.2, the one library with the whole grammar, gives 262 of 808 of these answers: it knows neither literal
//! text in scientific notation nor gaps in fractions, nor text sections without a number.

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
use grammar::{Condition, Part, Section};
use number::FILL;

/// Excel's text for a number without a section in its format, and for a date before the calendar begins.
const OVERFLOW: &str = "########";

/// A format code, ready to format values.
#[derive(Clone, Debug)]
pub struct NumberFormat {
    /// Sections for numbers; empty in a code for text only.
    numbers: Vec<Section>,
    text: Option<Section>,
}

impl Default for NumberFormat {
    /// The general format.
    fn default() -> Self {
        Self::parse("General")
    }
}

impl NumberFormat {
    /// Parses a format code. Every text is valid: characters without a meaning are literal.
    pub fn parse(code: &str) -> Self {
        if code.is_empty() {
            return Self::default();
        }
        let mut numbers = grammar::sections(code);
        let for_text = numbers.last().is_some_and(|section| {
            let text = section.has(|part| *part == Part::Text);
            // A section of nothing but literal text is shown for numbers as well as for text.
            numbers.len() == 4 || text || numbers.len() == 1 && is_literal(section)
        });
        let text = numbers.last().filter(|_| for_text).cloned();
        if text.is_some() && numbers.len() > 1 {
            numbers.pop();
        }
        Self { numbers, text }
    }

    /// The built-in number format of this identifier (18.8.30), in its US English form.
    pub fn built_in(number: u32) -> Self {
        Self::parse(built_in::code(number))
    }

    /// Appends a finite number.
    pub fn number(&self, value: f64, epoch: Epoch, out: &mut String) {
        let start = out.len();
        self.write(value, epoch, out);
        without_fill(out, start);
    }

    /// Formats a finite number as a cell shows it that is wide enough.
    pub fn show(&self, value: f64, epoch: Epoch) -> Display {
        let mut text = String::new();
        self.write(value, epoch, &mut text);
        let colour = self.choose(value).and_then(|(section, _)| section.colour);
        Display::of(text, colour)
    }

    /// Returns whether it is the general format, which shows as many digits as fit into the cell.
    pub fn is_general(&self) -> bool {
        let [section] = &*self.numbers else {
            return self.numbers.is_empty();
        };
        section.parts == [Part::General] && section.condition.is_none()
    }

    /// Formats a number with the section that applies to it: as a date, a fraction or a number.
    fn write(&self, value: f64, epoch: Epoch, out: &mut String) {
        let Some((section, signed)) = self.choose(value) else {
            return match self.numbers.len() {
                // A single section with a condition leaves all other numbers to the general format.
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

    /// Formatted text of a text. `None` if that is the text itself.
    pub fn text(&self, text: &str) -> Option<String> {
        let section = self.text.as_ref()?;
        let mut out = String::new();
        for part in &section.parts {
            match part {
                Part::Text | Part::General => out.push_str(text),
                other => number::write_plain(other, &mut out),
            }
        }
        without_fill(&mut out, 0);
        Some(out)
    }

    /// The section for a number, and whether a negative number keeps its minus sign. The sign is dropped in a section
    /// that only negative numbers use, because such a section shows the sign in its own way, for example by
    /// parentheses.
    fn choose(&self, value: f64) -> Option<(&Section, bool)> {
        let several = self.numbers.len() > 1;
        let mut only_negative = false;
        for (at, section) in self.numbers.iter().enumerate() {
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

/// Formatted text of a number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Display {
    pub text: String,
    /// The character that is repeated to fill the cell, and its position in the text.
    pub fill: Option<(usize, char)>,
    pub colour: Option<Ink>,
}

impl Display {
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

/// The format code of the built-in number format of this identifier.
pub fn built_in(number: u32) -> &'static str {
    built_in::code(number)
}

/// The general number format in a column that has room for this many characters. `None` if there is no room for the
/// number.
pub fn general_in(value: f64, characters: usize) -> Option<String> {
    general::fitting(value, characters)
}

/// Removes the fill characters, each with the marker before it.
fn without_fill(text: &mut String, start: usize) {
    while let Some(at) = text[start..].find(FILL) {
        let at = start + at;
        let end = text[at..].char_indices().nth(2);
        let end = end.map_or(text.len(), |(end, _)| at + end);
        text.replace_range(at..end, "");
    }
}

impl Condition {
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

    /// Returns whether it is true only for negative numbers.
    fn is_negative(self) -> bool {
        match self {
            Self::Less(limit) => limit <= 0.0,
            Self::LessOrEqual(limit) | Self::Equal(limit) => limit < 0.0,
            Self::NotEqual(_) | Self::GreaterOrEqual(_) | Self::Greater(_) => false,
        }
    }

    /// Returns whether it is false only for negative numbers.
    fn leaves_only_negative(self) -> bool {
        match self {
            Self::GreaterOrEqual(limit) => limit <= 0.0,
            Self::Greater(limit) | Self::NotEqual(limit) => limit < 0.0,
            Self::Less(_) | Self::LessOrEqual(_) | Self::Equal(_) => false,
        }
    }
}

/// Number of consecutive digits that are written as one spoken number, in a section with numerals of its own.
fn spoken(section: &Section) -> usize {
    if section.is_date() {
        return 2;
    }
    match section.has(|part| *part == Part::General) {
        true => 16,
        false => 0,
    }
}

/// Returns whether a section has only literal text.
fn is_literal(section: &Section) -> bool {
    !section.parts.is_empty()
        && section
            .parts
            .iter()
            .all(|part| matches!(part, Part::Literal(_) | Part::Gap(_) | Part::Fill(_)))
}

/// Appends a serial date. Elapsed time may be negative; a date may not.
fn write_date(section: &Section, value: f64, epoch: Epoch, out: &mut String) {
    let fields = section.parts.iter().filter_map(|part| match part {
        Part::Date(field) => Some(*field),
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
    for part in &section.parts {
        match part {
            Part::Date(field) => moment.write(*field, out),
            Part::Digit(_) => out.push('0'),
            other => number::write_plain(other, out),
        }
    }
}
