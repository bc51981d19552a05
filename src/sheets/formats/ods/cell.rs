//! Attributes, text and value of a cell (part 3, 9.1.4), for rows and for whole workbooks. Reads no places.

use crate::{
    cells::MAX_TEXT, containers::xml::Element, error::Result, job::Job, stored::Stored,
    time::Moment,
};
use std::borrow::Cow;

/// Maximum number of spaces in one `text:s` element.
const MAX_SPACES: u32 = 1 << 15;

/// Returns whether a row or column is hidden, by hand or by a filter.
pub(super) fn is_hidden(element: &Element<'_>) -> bool {
    let visibility = element.attribute("visibility");
    matches!(visibility.as_deref(), Some("collapse" | "filter"))
}

/// Number of repetitions in an attribute. At least 1.
pub(super) fn count(element: &Element<'_>, name: &str) -> u32 {
    let count = element.attribute(name);
    count
        .and_then(|it| it.trim().parse().ok())
        .unwrap_or(1)
        .max(1)
}

/// Type of a value.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Type {
    /// The cell states no type, or an unknown one.
    #[default]
    None,
    Text,
    /// A number, or an amount of money.
    Number,
    Percent,
    Boolean,
    Date,
    Time,
    Error,
}

impl Type {
    /// Returns whether the cell has a displayed text beside its value.
    pub(super) fn is_displayed(self) -> bool {
        !matches!(self, Self::None | Self::Text | Self::Error)
    }
}

/// Type and value of a cell as its attributes state them.
#[derive(Default)]
pub(super) struct Stated {
    pub(super) kind: Type,
    /// Value, in the notation of its type.
    value: Option<String>,
    /// Whether the cell has a formula. LibreOffice stores the truth value of a formula as a number, and its word as the
    /// displayed text.
    has_formula: bool,
    /// Number of columns that the cell is repeated in. At least 1.
    pub(super) repeated: u32,
}

impl Stated {
    /// Reads the attributes of a cell. Returns them with the name of the cell's style.
    pub(super) fn of<'e>(element: &Element<'e>) -> (Self, Option<Cow<'e, str>>) {
        let (mut stated, mut style, mut is_error) = (Self::default(), None, false);
        stated.repeated = 1;
        for (name, value) in element.attributes() {
            match name {
                "number-columns-repeated" => {
                    stated.repeated = value.trim().parse().unwrap_or(1).max(1);
                }
                "style-name" => style = Some(value),
                "formula" => stated.has_formula = true,
                // LibreOffice repeats the value type in its own namespace (`calcext`), where the type "error" exists,
                // too.
                "value-type" if value == "error" => is_error = true,
                "value-type" => {
                    stated.kind = match &*value {
                        "float" | "currency" => Type::Number,
                        "percentage" => Type::Percent,
                        "boolean" => Type::Boolean,
                        "date" => Type::Date,
                        "time" => Type::Time,
                        "string" => Type::Text,
                        _ => Type::None,
                    }
                }
                "value" | "date-value" | "time-value" | "boolean-value" | "string-value" => {
                    stated.value = Some(value.into_owned());
                }
                _ => {}
            }
        }
        if is_error {
            stated.kind = Type::Error;
        }
        (stated, style)
    }

    /// Value of the cell with this text.
    pub(super) fn value<'t>(&'t self, text: &'t CellText) -> Stored<'t> {
        let (shown, stated) = (&*text.text, self.value.as_deref());
        let typed = match (self.kind, shown) {
            (Type::Error, _) => Some(Stored::Error(shown)).filter(|_| !shown.is_empty()),
            (Type::Number, "TRUE") if self.has_formula && stated == Some("1") => {
                Some(Stored::Boolean(true))
            }
            (Type::Number, "FALSE") if self.has_formula && stated == Some("0") => {
                Some(Stored::Boolean(false))
            }
            (Type::Number | Type::Percent, _) => {
                let number = stated.and_then(|value| value.trim().parse::<f64>().ok());
                number.filter(|it| it.is_finite()).map(Stored::Number)
            }
            (Type::Boolean, _) => stated.map(|value| Stored::Boolean(value == "true")),
            (Type::Date, _) => stated.and_then(date).map(Stored::Moment),
            (Type::Time, _) => stated.and_then(time).map(Stored::Moment),
            (Type::None | Type::Text, _) => None,
        };
        typed.unwrap_or_else(|| {
            // Without paragraphs, the attribute is shown (part 3, 19.379). A value that contradicts its type is a text.
            let text = match text.paragraphs > 0 && (!shown.is_empty() || !self.kind.is_displayed())
            {
                true => shown,
                false => stated.unwrap_or(shown),
            };
            match text.is_empty() && self.kind != Type::Text {
                true => Stored::Empty,
                false => Stored::Text(text),
            }
        })
    }
}

/// Text of a cell, collected from its paragraphs. Runs of white space collapse to one space (part 3, 6.1.2), unless they
/// are elements.
#[derive(Default)]
pub(super) struct CellText {
    pub(super) text: String,
    /// Number of paragraphs so far. A line break precedes each further one.
    pub(super) paragraphs: u32,
    /// Whether white space that follows is dropped.
    space: bool,
}

impl CellText {
    /// Forgets the text of the previous cell.
    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.paragraphs = 0;
    }

    /// Begins a paragraph.
    pub(super) fn begin_paragraph(&mut self) {
        if self.paragraphs > 0 {
            self.text.push('\n');
        }
        self.paragraphs += 1;
        self.space = true;
    }

    /// Appends text.
    pub(super) fn add(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        if !text.contains("  ") && !text.contains(['\t', '\n', '\r']) && !text.starts_with(' ') {
            self.text.push_str(text);
            self.space = text.ends_with(' ');
            return;
        }
        // A leading space has to be an element, but LibreOffice writes a plain one, so it is kept. Leading tabs and
        // line ends are indentation of the XML and are dropped.
        if self.space
            && text.starts_with(' ')
            && (self.text.is_empty() || self.text.ends_with('\n'))
        {
            self.space = false;
        }
        for character in text.chars() {
            let is_space = matches!(character, ' ' | '\t' | '\n' | '\r');
            if !is_space {
                self.text.push(character);
            } else if !self.space {
                self.text.push(' ');
            }
            self.space = is_space;
        }
    }

    /// Appends the character or the spaces that an element of a paragraph stands for. Returns the number of spaces;
    /// `None` for an element without text of the cell: a note, a comment or a drawing.
    pub(super) fn add_element(&mut self, element: &Element<'_>) -> Option<usize> {
        match (element.space, element.name) {
            ("text", "s") => {
                let count = element.attribute("c").and_then(|it| it.trim().parse().ok());
                let count = count.unwrap_or(1).clamp(1, MAX_SPACES) as usize;
                self.text.extend(std::iter::repeat_n(' ', count));
                return Some(count);
            }
            ("text", "tab") => self.text.push('\t'),
            ("text", "line-break") => self.text.push('\n'),
            // Spans, links and fields contain text of the cell.
            ("text", name) if name != "note" => {}
            _ => return None,
        }
        Some(0)
    }

    /// Checks the length of the text.
    ///
    /// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) for a text that is too long.
    pub(super) fn check(&self, job: &Job<'_>) -> Result<()> {
        match self.text.len() > MAX_TEXT {
            true => Err(job.unreadable("a cell holds more than 8 MiB of text")),
            false => Ok(()),
        }
    }
}

/// Parses a date, or a date and time, to the millisecond (part 3, 18.3.7).
fn date(text: &str) -> Option<Moment> {
    let text = text.strip_suffix('Z').unwrap_or(text);
    let Some((whole, fraction)) = text.split_once('.') else {
        return Moment::parse(text);
    };
    let digits = fraction.trim_end_matches('0');
    match digits {
        "" => Moment::parse(whole),
        _ => Moment::parse(&format!("{whole}.{digits:0<3.3}")),
    }
}

/// Parses a time of day, which is a duration since midnight (part 3, 18.3.9), such as `PT12H30M00.5S`. Longer and
/// negative ones are durations.
fn time(text: &str) -> Option<Moment> {
    let (negative, text) = match text.strip_prefix('-') {
        Some(text) => (true, text),
        None => (false, text),
    };
    let mut millis = 0.0;
    let mut rest = text.strip_prefix('P')?;
    let mut in_time = false;
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('T') {
            (in_time, rest) = (true, after);
            continue;
        }
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.' && c != ',')?;
        let value: f64 = rest[..end].replace(',', ".").parse().ok()?;
        let unit = match (rest.as_bytes()[end], in_time) {
            (b'D', false) => 86_400_000.0,
            (b'H', true) => 3_600_000.0,
            (b'M', true) => 60_000.0,
            (b'S', true) => 1000.0,
            _ => return None,
        };
        millis += value * unit;
        rest = &rest[end + 1..];
    }
    if !(0.0..1e15).contains(&millis) {
        return None;
    }
    let millis = millis.round() as i64;
    Some(match (negative, millis) {
        (false, 0..86_400_000) => Moment::Time(millis),
        (false, _) => Moment::Duration(millis),
        (true, _) => Moment::Duration(-millis),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_lengths_of_time() {
        assert_eq!(time("PT12H30M00.5S"), Some(Moment::Time(45_000_500)));
        assert_eq!(time("PT26H"), Some(Moment::Duration(93_600_000)));
        assert_eq!(time("-PT1M"), Some(Moment::Duration(-60_000)));
        assert_eq!(time("P1DT1S"), Some(Moment::Duration(86_401_000)));
        for wrong in [
            "",
            "12:30",
            "PT1X",
            "P1M",
            "PTH",
            "PT1é",
            "PT99999999999999999999H",
        ] {
            assert_eq!(time(wrong), None, "{wrong}");
        }
    }
}
