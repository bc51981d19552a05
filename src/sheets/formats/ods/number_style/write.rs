//! Translates format codes to number styles of OpenDocument. Formats no values.

use super::{
    BUILT_IN, CODE, COLOURS, MAX_LENGTH,
    elements::{field, number},
};
use crate::coding::escape::escaped;
use std::fmt::Write as _;

/// Splits a code into its sections, at most four. Semicolons separate them, except in quotation marks and brackets, and
/// after a backslash.
fn sections(code: &str) -> Vec<String> {
    let mut sections = vec![String::new()];
    let mut characters = code.chars().take(MAX_LENGTH);
    let (mut quoted, mut bracket) = (false, false);
    while let Some(character) = characters.next() {
        let Some(last) = sections.last_mut() else {
            break;
        };
        match character {
            ';' if !quoted && !bracket => {
                sections.push(String::new());
                continue;
            }
            '"' => quoted = !quoted,
            '[' if !quoted => bracket = true,
            ']' => bracket = false,
            '\\' if !quoted => {
                last.push(character);
                last.extend(characters.next());
                continue;
            }
            _ => {}
        }
        last.push(character);
    }
    sections.truncate(4);
    sections
}

/// Number styles for a code. The style `name`, which cells refer to, comes last, because styles must be defined
/// before they are mapped to.
pub(in crate::formats::ods) fn to_xml(code: &str, name: &str, built_in: Option<u32>) -> String {
    let sections = sections(code);
    let count = sections.len();
    let mut xml = String::new();
    let mut maps = String::new();
    for (at, section) in sections.iter().enumerate() {
        let is_last = at + 1 == count;
        let own = match is_last {
            true => name.to_owned(),
            false => format!("{name}P{at}"),
        };
        // Without conditions, the first section is for positive numbers, or for all but negative ones if there are
        // only two.
        let condition = condition(section).or(match (at, count) {
            (0, 2) => Some(">=0".to_owned()),
            (0, _) => Some(">0".to_owned()),
            (1, 3 | 4) => Some("<0".to_owned()),
            _ => Some("=0".to_owned()),
        });
        let map = if is_last {
            std::mem::take(&mut maps)
        } else {
            String::new()
        };
        let code_attribute = match (is_last, built_in) {
            (false, _) => String::new(),
            (true, Some(id)) => format!(" convertd:{BUILT_IN}=\"{id}\""),
            (true, None) => format!(" convertd:{CODE}=\"{}\"", escaped(code)),
        };
        xml += &Section::of(section).xml(&own, &map, &code_attribute);
        if let (false, Some(condition)) = (is_last, condition) {
            let condition = escaped(&condition);
            let _ = write!(
                maps,
                "<style:map style:condition=\"value(){condition}\" style:apply-style-name=\"{own}\"/>"
            );
        }
    }
    xml
}

/// First condition in brackets in a section, such as `[<100]`, with the inequality sign of OpenDocument.
fn condition(section: &str) -> Option<String> {
    let mut rest = section;
    while let Some(at) = rest.find('[') {
        let end = rest[at..].find(']')? + at;
        let inner = &rest[at + 1..end];
        if inner.starts_with(['<', '>', '=']) {
            return Some(inner.replace("<>", "!=").replace(' ', ""));
        }
        rest = &rest[end + 1..];
    }
    None
}

/// A part of a section that becomes an element.
#[derive(Clone, Debug, PartialEq)]
enum Part {
    /// Literal text.
    Text(String),
    /// Digits of the number, as placeholders.
    Digits(String),
    /// A unit of a date or time: its letter (`n` for minutes), the number of repetitions, and whether it counts elapsed
    /// time beyond a day.
    Field(char, usize, bool),
    /// `AM/PM`.
    HalfDay,
    /// Decimal places of seconds.
    Fraction(usize),
    /// A character that fills the cell.
    Fill(char),
    /// The text of the cell, `@`.
    Cell,
    /// The number in the format General.
    General,
}

/// A section of a code.
#[derive(Default)]
struct Section {
    /// Elements in the order of the code.
    parts: Vec<Part>,
    /// Whether it is a percentage.
    percent: bool,
    /// Colour of the text, in CSS notation.
    colour: Option<&'static str>,
}

impl Section {
    /// Splits a section into parts (part 3, 16.29). Two more passes distinguish minutes from months, and reduce
    /// fractions to numerator and denominator.
    fn of(text: &str) -> Self {
        let mut section = Self::default();
        let characters: Vec<char> = text.chars().collect();
        let mut at = 0;
        while let Some(&character) = characters.get(at) {
            at += 1;
            let run = |at: usize| {
                characters[at..]
                    .iter()
                    .take_while(|c| c.eq_ignore_ascii_case(&character))
                    .count()
            };
            match character {
                '"' => {
                    let end = characters[at..].iter().position(|c| *c == '"');
                    let end = end.map_or(characters.len(), |end| at + end);
                    section.text(characters[at..end].iter().collect());
                    at = end + 1;
                }
                // A literal character.
                '\\' | '!' => {
                    section.text(characters.get(at).map(char::to_string).unwrap_or_default());
                    at += 1;
                }
                // Space of the width of a character, which becomes a space.
                '_' => {
                    section.text(" ".to_owned());
                    at += 1;
                }
                '*' => {
                    section
                        .parts
                        .extend(characters.get(at).map(|c| Part::Fill(*c)));
                    at += 1;
                }
                '[' => {
                    let end = characters[at..].iter().position(|c| *c == ']');
                    let end = end.map_or(characters.len(), |end| at + end);
                    section.bracket(&characters[at..end].iter().collect::<String>());
                    at = end + 1;
                }
                '@' => section.parts.push(Part::Cell),
                '%' => {
                    section.percent = true;
                    section.text("%".to_owned());
                }
                // Zeros after seconds and a decimal point are fractions of a second.
                '0' if matches!(section.parts.last(), Some(Part::Text(dot)) if dot.ends_with('.') && section.is_clock()) =>
                {
                    let places = 1 + run(at);
                    at += places - 1;
                    if let Some(Part::Text(text)) = section.parts.last_mut() {
                        text.pop();
                    }
                    section.parts.push(Part::Fraction(places));
                }
                '0' | '#' | '?' | '.' | ',' | '/'
                    if section.takes_digits(character, characters.get(at)) =>
                {
                    section.digit(character);
                }
                'E' | 'e' if matches!(characters.get(at), Some('+' | '-')) => {
                    section.digit('E');
                    section.digit(characters[at]);
                    at += 1;
                }
                'G' | 'g'
                    if text[text.len().min(char_at(text, at - 1))..]
                        .to_lowercase()
                        .starts_with("general") =>
                {
                    section.parts.push(Part::General);
                    at += 6;
                }
                'A' | 'a'
                    if characters[at..]
                        .iter()
                        .collect::<String>()
                        .to_lowercase()
                        .starts_with("m/pm") =>
                {
                    section.parts.push(Part::HalfDay);
                    at += 4;
                }
                'y' | 'Y' | 'm' | 'M' | 'd' | 'D' | 'h' | 'H' | 's' | 'S' => {
                    let more = run(at);
                    at += more;
                    let letter = character.to_ascii_lowercase();
                    section.parts.push(Part::Field(letter, 1 + more, false));
                }
                other => section.text(other.to_string()),
            }
        }
        section.minutes();
        section.fractions();
        section
    }

    /// Returns whether a unit of seconds occurred so far.
    fn is_clock(&self) -> bool {
        self.parts
            .iter()
            .any(|part| matches!(part, Part::Field('s', ..)))
    }

    /// Returns whether the section is a date or time.
    fn is_date(&self) -> bool {
        self.parts
            .iter()
            .any(|part| matches!(part, Part::Field(..) | Part::HalfDay))
    }

    /// Adds literal text.
    fn text(&mut self, text: String) {
        match self.parts.last_mut() {
            Some(Part::Text(before)) => before.push_str(&text),
            _ => self.parts.push(Part::Text(text)),
        }
    }

    /// Returns whether a character belongs to the digits of a number. Separators do so only beside digits.
    fn takes_digits(&self, sign: char, next: Option<&char>) -> bool {
        if self.is_date() {
            return false;
        }
        match sign {
            '.' | ',' | '/' => {
                matches!(self.parts.last(), Some(Part::Digits(_)))
                    || sign == '.' && matches!(next, Some('0' | '#' | '?'))
            }
            _ => true,
        }
    }

    /// Adds a placeholder to the digits of the number.
    fn digit(&mut self, sign: char) {
        match self.parts.last_mut() {
            Some(Part::Digits(digits)) => digits.push(sign),
            _ => self.parts.push(Part::Digits(sign.into())),
        }
    }

    /// Interprets brackets: a currency, a colour, or elapsed time. Conditions are read in [`condition`].
    fn bracket(&mut self, inner: &str) {
        let lower = inner.to_lowercase();
        if let Some(currency) = inner.strip_prefix('$') {
            let symbol = currency.split('-').next().unwrap_or_default();
            self.text(symbol.to_owned());
        } else if let Some((_, colour)) = COLOURS.iter().find(|(name, _)| *name == lower) {
            self.colour = Some(colour);
        } else if let Some(letter) = lower.chars().next()
            && lower.chars().all(|c| c == letter)
            && matches!(letter, 'h' | 'm' | 's')
        {
            self.parts.push(Part::Field(letter, lower.len(), true));
        }
    }

    /// Distinguishes minutes from months, which have the same letter: one or two letters are minutes if they follow
    /// hours, precede seconds, or count elapsed time. Minutes get the letter `n`.
    fn minutes(&mut self) {
        let fields: Vec<usize> = (0..self.parts.len())
            .filter(|at| matches!(self.parts[*at], Part::Field(..)))
            .collect();
        let letters: Vec<char> = fields
            .iter()
            .map(|at| match self.parts[*at] {
                Part::Field(letter, ..) => letter,
                _ => ' ',
            })
            .collect();
        for (place, at) in fields.iter().enumerate() {
            let before = place.checked_sub(1).map(|before| letters[before]);
            let after = letters.get(place + 1);
            if let Part::Field(letter @ 'm', count, elapsed) = &mut self.parts[*at]
                && *count <= 2
                && (before == Some('h') || after == Some(&'s') || *elapsed)
            {
                *letter = 'n';
            }
        }
    }

    /// Removes the integer part in front of a fraction, with the space between them: `# ?/?` is one number, and becomes
    /// one element.
    fn fractions(&mut self) {
        let is_fraction =
            |part: &Part| matches!(part, Part::Digits(digits) if digits.contains('/'));
        let Some(at) = self
            .parts
            .iter()
            .position(is_fraction)
            .filter(|at| *at >= 2)
        else {
            return;
        };
        let space = matches!(&self.parts[at - 1], Part::Text(text) if text == " ");
        if space && matches!(self.parts[at - 2], Part::Digits(_)) {
            self.parts.drain(at - 2..at);
        }
    }

    /// Writes the section as a number style. `map` holds the elements of its maps, and `code_attribute` an attribute
    /// with the original code or the index of a built-in format. Both may be empty.
    fn xml(&self, name: &str, map: &str, code_attribute: &str) -> String {
        let is_text = self.parts.contains(&Part::Cell);
        let has_day = self
            .parts
            .iter()
            .any(|part| matches!(part, Part::Field('y' | 'm' | 'd', ..)));
        let element = match () {
            () if is_text => "text-style",
            () if has_day => "date-style",
            () if self.is_date() => "time-style",
            () if self.percent => "percentage-style",
            () => "number-style",
        };
        let elapsed = self
            .parts
            .iter()
            .any(|part| matches!(part, Part::Field(.., true)));
        let overflow = if elapsed {
            " number:truncate-on-overflow=\"false\""
        } else {
            ""
        };
        let mut xml = format!("<number:{element} style:name=\"{name}\"{overflow}{code_attribute}>");
        if let Some(colour) = self.colour {
            let _ = write!(xml, "<style:text-properties fo:color=\"{colour}\"/>");
        }
        let places = self.parts.iter().find_map(|part| match part {
            Part::Fraction(places) => Some(*places),
            _ => None,
        });
        for part in &self.parts {
            match part {
                Part::Text(text) => {
                    let _ = write!(xml, "<number:text>{}</number:text>", escaped(text));
                }
                Part::Digits(digits) => xml += &number(digits),
                Part::General => xml += "<number:number number:min-integer-digits=\"1\"/>",
                Part::Cell => xml += "<number:text-content/>",
                Part::HalfDay => xml += "<number:am-pm/>",
                Part::Fill(character) => {
                    let fill = escaped(&character.to_string());
                    let _ = write!(xml, "<number:fill-character>{fill}</number:fill-character>");
                }
                Part::Fraction(_) => {}
                Part::Field(letter, count, _) => xml += &field(*letter, *count, places),
            }
        }
        let _ = write!(xml, "{map}</number:{element}>");
        xml
    }
}

/// Offset of a character in a text, in bytes.
fn char_at(text: &str, number: usize) -> usize {
    text.char_indices()
        .nth(number)
        .map_or(text.len(), |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_become_styles() {
        #[track_caller]
        fn check(code: &str, expected: &str) {
            let xml = to_xml(code, "N", None);
            assert!(xml.contains(expected), "{xml}");
        }
        check(
            "#,##0.00",
            "number:decimal-places=\"2\" number:min-decimal-places=\"2\" number:min-integer-digits=\"1\" number:grouping=\"true\"",
        );
        check("0%", "<number:percentage-style");
        check(
            "yyyy\\-mm\\-dd",
            "<number:year number:style=\"long\"/><number:text>-</number:text><number:month number:style=\"long\"/>",
        );
        check(
            "h:mm:ss",
            "<number:hours/><number:text>:</number:text><number:minutes number:style=\"long\"/>",
        );
        check("[h]:mm", "number:truncate-on-overflow=\"false\"");
        check("0.00E+00", "<number:scientific-number");
        check("0;[Red]-0", "style:condition=\"value()&gt;=0\"");
        check("@", "<number:text-content/>");
        check("0\"\u{1}<\"", "<number:text>&lt;</number:text>");
    }
}
