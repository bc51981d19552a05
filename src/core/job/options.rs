//! Optional fields of a conversion, as data: their names, the values that they accept, and the values that a client
//! sent. The converters decide what a value does.

use crate::{
    clock,
    error::{Error, Kind, Result, quoted},
};
use serde::{Deserialize, Serialize};
use std::{borrow::Cow, ops::RangeInclusive};

/// Maximum number of digits in each part of a time.
const DIGITS: usize = 6;

/// An optional form field. The check of its values, error messages and the public list of options are all derived from
/// this description.
#[derive(Debug)]
pub struct OptionSpec {
    /// The name of the form field.
    pub name: &'static str,
    /// The values that it accepts.
    pub kind: OptionKind,
    /// The value that is used if the field is not sent; `None` if there is no single such value.
    pub default: Option<&'static str>,
    /// Effect of the field, in one line.
    pub help: &'static str,
}

/// The values that a field accepts.
#[derive(Debug)]
pub enum OptionKind {
    /// A whole number in this range, both ends included. A range up to [`u32::MAX`] is described as having no upper
    /// end.
    Integer(RangeInclusive<u32>),
    /// A whole number of at least 1, a range of such numbers (`3-7`, `5-`), or this word.
    RangeOr(&'static str),
    /// A word from this list.
    OneOf(&'static [&'static str]),
    /// `white`, `black`, or six hexadecimal digits for red, green and blue, with or without `#`.
    Colour,
    /// `true` or `false`.
    Flag,
    /// Text of at most this many characters (Unicode scalar values), without control characters.
    Text(usize),
    /// A part of a picture: `WIDTHxHEIGHT+LEFT+TOP`, in whole numbers.
    Area,
    /// A time: seconds, or minutes and seconds, or hours, minutes and seconds, with at most three decimals.
    Time,
}

impl OptionKind {
    /// A description of the accepted values that completes the sentence "it must be …".
    pub fn expected(&self) -> Cow<'static, str> {
        match self {
            Self::Integer(range) if *range.end() == u32::MAX => {
                format!("a whole number of {} or more", range.start()).into()
            }
            Self::Integer(range) => {
                format!("a whole number from {} to {}", range.start(), range.end()).into()
            }
            Self::RangeOr(word) => {
                format!("a whole number of 1 or more, a range (3-7 or 5-), or {word}").into()
            }
            Self::OneOf(words) => format!("one of {}", words.join(", ")).into(),
            Self::Colour => "white, black, or #rrggbb".into(),
            Self::Flag => "true or false".into(),
            Self::Text(max) => format!("text of at most {max} characters").into(),
            Self::Area => "WIDTHxHEIGHT+LEFT+TOP, such as 640x480+0+20".into(),
            Self::Time => "seconds (90 or 1.5), or a time (1:30 or 1:02:03.5)".into(),
        }
    }

    fn takes(&self, value: &str) -> bool {
        match self {
            Self::Integer(range) => value.parse().is_ok_and(|value| range.contains(&value)),
            Self::RangeOr(word) => value == *word || range(value).is_some(),
            Self::OneOf(words) => words.contains(&value),
            Self::Colour => colour(value).is_some(),
            Self::Flag => matches!(value, "true" | "false"),
            Self::Text(max) => value.chars().count() <= *max && !value.contains(char::is_control),
            Self::Area => area(value).is_some(),
            Self::Time => seconds(value).is_some(),
        }
    }
}

impl OptionSpec {
    /// Checks a value, and returns it without surrounding white space. `name` is the field's name in error messages.
    ///
    /// Errors: [`Kind::BadInput`] with the field, the value and the accepted values.
    pub fn accept<'v>(&self, name: &str, value: &'v str) -> Result<&'v str> {
        let value = match (&self.kind, value) {
            // A tab is the only white space that can be a value; its name is `tab`.
            (OptionKind::OneOf(words), "\t") if words.contains(&"tab") => "tab",
            _ => value.trim(),
        };
        if self.kind.takes(value) {
            return Ok(value);
        }
        let expected = self.kind.expected();
        Err(Error::new(
            Kind::BadInput,
            format!("{name} is {}; it must be {expected}", quoted(value)),
        ))
    }

    /// Effect of the field and its values, in one line.
    pub fn description(&self) -> String {
        let default = match self.default {
            Some(default) => format!(" (default {default})"),
            None => String::new(),
        };
        format!("{}: {}{default}", self.help, self.kind.expected())
    }
}

/// The optional fields of a task. Their [`OptionSpec`]s have accepted all values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Options(Vec<(String, String)>);

impl Options {
    /// Adds a field. If it is added more than once, the first value counts.
    pub fn insert(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.0.push((name.into(), value.into()));
    }

    /// Returns the fields that another conversion takes over: those that are in its `specs` and whose values these
    /// accept.
    pub fn for_specs(&self, specs: &[&OptionSpec]) -> Self {
        let mut options = Self::default();
        for spec in specs {
            let value = self.word(spec.name);
            if let Some(Ok(value)) = value.map(|value| spec.accept(spec.name, value)) {
                options.insert(spec.name, value);
            }
        }
        options
    }

    /// All fields except those of these specs.
    pub fn without<'s>(&self, specs: impl Iterator<Item = &'s OptionSpec>) -> Self {
        let names: Vec<&str> = specs.map(|spec| spec.name).collect();
        let accepted = self
            .0
            .iter()
            .filter(|(name, _)| !names.contains(&name.as_str()));
        Self(accepted.cloned().collect())
    }

    /// Returns whether the client sent no optional fields.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value of a field as text, if the client sent it.
    pub fn word(&self, name: &str) -> Option<&str> {
        self.0
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    }

    /// The value of an [`OptionKind::Integer`] or a number in [`OptionKind::RangeOr`], if the client sent it.
    pub fn integer(&self, name: &str) -> Option<u32> {
        self.word(name)?.parse().ok()
    }

    /// The ends of a range in [`OptionKind::RangeOr`], if the client sent one.
    pub fn range(&self, name: &str) -> Option<RangeInclusive<u32>> {
        let value = self.word(name)?;
        value.contains('-').then(|| range(value))?
    }

    /// Returns whether an [`OptionKind::Flag`] is `true`.
    pub fn flag(&self, name: &str) -> bool {
        self.word(name) == Some("true")
    }

    /// Width, height, left and top of an [`OptionKind::Area`], if the client sent it.
    pub fn area(&self, name: &str) -> Option<[u32; 4]> {
        area(self.word(name)?)
    }

    /// Seconds of an [`OptionKind::Time`], if the client sent it.
    pub fn seconds(&self, name: &str) -> Option<f64> {
        seconds(self.word(name)?)
    }

    /// Red, green and blue of an [`OptionKind::Colour`], gamma-encoded, if the client sent it.
    pub fn colour(&self, name: &str) -> Option<[u8; 3]> {
        colour(self.word(name)?)
    }
}

/// Parses a whole number of at most nine digits, without leading zeros.
fn whole(digits: &str) -> Option<u32> {
    let is_plain = digits.bytes().all(|digit| digit.is_ascii_digit())
        && (digits.len() == 1 || !digits.starts_with('0'));
    digits
        .parse()
        .ok()
        .filter(|_| is_plain && digits.len() < 10)
}

/// Parses a range of numbers from 1 on, or a single number. A range without an end extends to [`u32::MAX`].
fn range(value: &str) -> Option<RangeInclusive<u32>> {
    let (first, last) = match value.split_once('-') {
        None => (whole(value)?, whole(value)?),
        Some((first, "")) => (whole(first)?, u32::MAX),
        Some((first, last)) => (whole(first)?, whole(last)?),
    };
    (first > 0 && first <= last).then_some(first..=last)
}

fn area(value: &str) -> Option<[u32; 4]> {
    let (width, rest) = value.split_once('x')?;
    let (height, rest) = rest.split_once('+')?;
    let (left, top) = rest.split_once('+')?;
    let (width, height) = (whole(width)?, whole(height)?);
    (width > 0 && height > 0).then_some([width, height, whole(left)?, whole(top)?])
}

/// Parses a time into seconds, with at most three decimals.
fn seconds(value: &str) -> Option<f64> {
    let (_, fraction) = value.split_once('.').unwrap_or((value, "0"));
    let is_plain = value
        .bytes()
        .all(|b| b.is_ascii_digit() || matches!(b, b':' | b'.'));
    let is_short = value.split([':', '.']).all(|part| part.len() <= DIGITS);
    if !is_plain || !is_short || !(1..=3).contains(&fraction.len()) {
        return None;
    }
    Some(clock::milliseconds(value)? as f64 / 1000.0)
}

fn colour(value: &str) -> Option<[u8; 3]> {
    match value {
        "white" => return Some([255; 3]),
        "black" => return Some([0; 3]),
        _ => {}
    }
    let digits = value.strip_prefix('#').unwrap_or(value);
    if digits.len() != 6 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let [_, r, g, b] = u32::from_str_radix(digits, 16).ok()?.to_be_bytes();
    Some([r, g, b])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(kind: OptionKind, value: &str, accepted: bool) {
        let spec = OptionSpec {
            name: "x",
            kind,
            default: None,
            help: "",
        };
        let result = spec.accept("x", value);
        assert_eq!(result.is_ok(), accepted, "{value:?}: {result:?}");
    }

    #[test]
    fn values_are_checked() {
        use OptionKind::*;
        check(Integer(1..=100), "100", true);
        check(Integer(1..=100), " 1 ", true);
        for value in ["0", "101", "-1", "1.5", "", "one"] {
            check(Integer(1..=100), value, false);
        }
        check(Integer(1..=u32::MAX), "4294967295", true);
        for value in ["all", "12", "1-12", "12-12", "5-"] {
            check(RangeOr("all"), value, true);
        }
        for value in [
            "0", "-1", "+1", "07", "every", "", "-", "0-3", "7-5", "1-2-3", "1,2",
        ] {
            check(RangeOr("all"), value, false);
        }
        check(OneOf(&["cover", "fill"]), "cover", true);
        check(OneOf(&["cover", "fill"]), "Cover", false);
        for value in ["white", "black", "#ff8000", "FF8000"] {
            check(Colour, value, true);
        }
        for value in ["red", "#ff80", "#é80000", "#ff80001"] {
            check(Colour, value, false);
        }
        check(Flag, "true", true);
        check(Flag, "yes", false);
        check(Area, "640x480+0+20", true);
        for value in [
            "640x480",
            "0x480+0+0",
            "640x480+-1+0",
            "x480+0+0",
            "6x4+1+2+3",
            "06x4+1+2",
            "6x4+1+9999999999",
        ] {
            check(Area, value, false);
        }
        for value in ["0", "90", "1.5", "1:30", "1:02:03.125"] {
            check(Time, value, true);
        }
        for value in [
            "", "-1", "1.", ".5", "1.2345", "1::2", "1:2:3:4", "1e3", "1234567",
        ] {
            check(Time, value, false);
        }
        check(Text(4), "né!", true);
        check(Text(4), "née!!", false);
        check(Text(4), "日本語!", true);
        check(Text(4), "a\nb", false);
    }

    #[test]
    fn a_tab_character_stands_for_the_word_tab() {
        let spec = |words| OptionSpec {
            name: "x",
            kind: OptionKind::OneOf(words),
            default: None,
            help: "",
        };
        let accepted = |words, value| spec(words).accept("x", value).ok();
        assert_eq!(accepted(&["comma", "tab"], "\t"), Some("tab"));
        assert_eq!(accepted(&["comma", "tab"], "\tcomma "), Some("comma"));
        assert_eq!(accepted(&["comma"], "\t"), None);
    }

    #[test]
    fn errors_name_the_field_the_value_and_the_accepted_values() {
        let spec = OptionSpec {
            name: "width",
            kind: OptionKind::Integer(1..=9),
            default: None,
            help: "largest width in pixels",
        };
        assert_eq!(
            spec.accept("--option width", "x").unwrap_err().message(),
            "--option width is \"x\"; it must be a whole number from 1 to 9"
        );
        assert_eq!(
            spec.description(),
            "largest width in pixels: a whole number from 1 to 9"
        );
    }

    #[test]
    fn values_are_read_by_their_type() {
        let mut options = Options::default();
        options.insert("n", "7");
        options.insert("c", "#0a0b0c");
        options.insert("f", "true");
        options.insert("n", "8");
        assert_eq!(options.integer("n"), Some(7));
        assert_eq!(options.colour("c"), Some([10, 11, 12]));
        assert!(options.flag("f") && !options.flag("g"));
        assert_eq!(options.word("g"), None);
    }
}
