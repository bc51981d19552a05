//! Parses format codes into sections of parts. Formats nothing.
//!
//! The grammar is that of ECMA-376 part 1, 18.8.31, as read by Excel. Where the standard is ambiguous, Excel's
//! behaviour decides: A comma between integer digits groups them, a comma after the last integer digit or after all
//! digits divides by 1,000, a comma before all digits is literal, and a comma between decimal places has no effect. `m`
//! or `mm` means minutes after hours or seconds, or before seconds, otherwise months. Characters without a meaning are
//! literal.

use super::{
    date::{Field, Unit},
    numerals::{Language, Numerals},
};

/// Max. length of a format code, in characters. Excel allows 255.
const MAX_LENGTH: usize = 1024;

/// Part of a section.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum FormatToken {
    /// Literal text.
    Literal(String),
    /// `0`, `#` or `?`: a placeholder for a digit.
    Digit(DigitPlaceholder),
    /// The decimal point.
    Point,
    /// `%`, which also multiplies the number by 100.
    Percent,
    /// `E+`, `E-`, `e+` or `e-`: the letter, and whether positive exponents have a sign.
    Exponent(char, bool),
    /// A comma. Before the section is complete, the parser replaces it by its meaning.
    Comma,
    /// `/`: the slash of a fraction, if it is between digits.
    Slash,
    /// A number after `/`: a fixed denominator.
    Denominator(u32),
    /// `_x`: a space as wide as the character.
    Gap(char),
    /// `*x`: the character, repeated to fill the column.
    Fill(char),
    /// `@`: the text of the cell.
    Text,
    /// `General`.
    General,
    /// A component of a date or time.
    Date(Field),
}

/// Placeholder of a digit. Each kind shows an unneeded digit in its own way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DigitPlaceholder {
    /// `0`: a zero.
    Zero,
    /// `#`: nothing.
    Nothing,
    /// `?`: a space.
    Space,
}

/// Condition of a section, such as `[<=100]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Condition {
    Less(f64),
    LessOrEqual(f64),
    Equal(f64),
    NotEqual(f64),
    GreaterOrEqual(f64),
    Greater(f64),
}

/// Colour of a section, such as `[Red]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// Red, green and blue.
    Named([u8; 3]),
    /// `[Color12]`: a colour of the palette, from 1.
    Indexed(u8),
}

/// Named colours.
const INKS: [(&str, [u8; 3]); 8] = [
    ("black", [0, 0, 0]),
    ("blue", [0, 0, 255]),
    ("cyan", [0, 255, 255]),
    ("green", [0, 255, 0]),
    ("magenta", [255, 0, 255]),
    ("red", [255, 0, 0]),
    ("white", [255, 255, 255]),
    ("yellow", [255, 255, 0]),
];

/// Section of a format code. Semicolons separate sections.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Section {
    /// Parts, in order.
    pub(super) tokens: Vec<FormatToken>,
    /// Condition for the numbers that the section formats.
    pub(super) condition: Option<Condition>,
    /// Colour of the text.
    pub(super) colour: Option<Ink>,
    /// Numerals that replace digits.
    pub(super) numerals: Option<Numerals>,
    /// Power of ten by which the number is multiplied: 2 for each `%`, and -3 for each comma after the digits.
    pub(super) scale: i32,
    /// Whether digits are grouped by thousands.
    pub(super) grouped: bool,
}

impl Section {
    /// Returns whether any part meets a condition.
    pub(super) fn has(&self, is: impl Fn(&FormatToken) -> bool) -> bool {
        self.tokens.iter().any(is)
    }

    /// Returns whether the section formats dates, or times of day.
    pub(super) fn is_moment(&self) -> bool {
        self.is_date() && !self.has(|token| matches!(token, FormatToken::Date(Field::Elapsed(..))))
    }

    /// Returns whether the section formats dates or times.
    pub(super) fn is_date(&self) -> bool {
        self.has(|token| matches!(token, FormatToken::Date(_)))
    }
}

/// Splits a format code into its sections. There are one to four.
pub(super) fn sections(code: &str) -> Vec<Section> {
    let mut reader = Parser {
        rest: code
            .chars()
            .take(MAX_LENGTH)
            .collect::<Vec<_>>()
            .into_iter(),
        section: Section::default(),
        numerals: None,
        language: None,
        done: Vec::new(),
    };
    reader.read();
    reader.end_section();
    reader.done.truncate(4);
    reader.done
}

/// State of the parser.
struct Parser {
    /// Characters that are not read yet.
    rest: std::vec::IntoIter<char>,
    /// Current section.
    section: Section,
    /// Number of the current section's `DBNum` tag.
    numerals: Option<u8>,
    /// Language of the current section.
    language: Option<Language>,
    /// Finished sections.
    done: Vec<Section>,
}

impl Parser {
    /// Reads all sections of the format code.
    fn read(&mut self) {
        while let Some(c) = self.rest.next() {
            match c {
                ';' => self.end_section(),
                '"' => {
                    let text = self.rest.by_ref().take_while(|c| *c != '"').collect();
                    self.push(FormatToken::Literal(text));
                }
                '\\' | '!' => {
                    if let Some(c) = self.rest.next() {
                        self.push(FormatToken::Literal(c.into()));
                    }
                }
                '_' => {
                    if let Some(c) = self.rest.next() {
                        self.push(FormatToken::Gap(c));
                    }
                }
                '*' => {
                    if let Some(c) = self.rest.next() {
                        self.push(FormatToken::Fill(c));
                    }
                }
                '[' => self.bracket(),
                '0' => self.push(FormatToken::Digit(DigitPlaceholder::Zero)),
                '#' => self.push(FormatToken::Digit(DigitPlaceholder::Nothing)),
                '?' => self.push(FormatToken::Digit(DigitPlaceholder::Space)),
                '.' => self.point(),
                ',' => self.push(FormatToken::Comma),
                '%' => {
                    self.section.scale += 2;
                    self.push(FormatToken::Percent);
                }
                '/' => self.push(FormatToken::Slash),
                '@' => self.push(FormatToken::Text),
                '1'..='9' if self.section.tokens.last() == Some(&FormatToken::Slash) => {
                    self.denominator(c)
                }
                _ => self.word(c),
            }
        }
    }

    /// Reads letters that have a meaning, or a single literal character.
    fn word(&mut self, c: char) {
        let lower = c.to_ascii_lowercase();
        match lower {
            'g' if self.skip("eneral") => return self.push(FormatToken::General),
            'e' if matches!(self.next(), Some('+' | '-')) => {
                let plus = self.rest.next() == Some('+');
                return self.push(FormatToken::Exponent(c, plus));
            }
            'a' if self.skip("m/pm") => {
                return self.push(FormatToken::Date(Field::HalfDay("AM", "PM")));
            }
            'a' if self.skip("/p") => {
                let (am, pm) = if c == 'a' { ("a", "p") } else { ("A", "P") };
                return self.push(FormatToken::Date(Field::HalfDay(am, pm)));
            }
            'y' | 'm' | 'd' | 'h' | 's' | 'e' | 'g' | 'b' => {}
            _ => return self.push(FormatToken::Literal(c.into())),
        }
        // Count the letters of a component of a date or time.
        let mut count = 1;
        while self.next().is_some_and(|c| c.eq_ignore_ascii_case(&lower)) {
            self.rest.next();
            count += 1;
        }
        let field = match lower {
            'y' => Field::Year(count),
            'e' => Field::Year(4),
            'm' => Field::Month(count),
            'd' => Field::Day(count),
            'h' => Field::Clock(Unit::Hour, count),
            's' => Field::Clock(Unit::Second, count),
            'b' => Field::BuddhistYear(count),
            // `g`: name of an era. The Gregorian calendar has none, so the letters are left out.
            _ => return,
        };
        self.push(FormatToken::Date(field));
    }

    /// Returns the next character without reading it.
    fn next(&self) -> Option<char> {
        self.rest.as_slice().first().copied()
    }

    /// Reads these letters, in any case, if they follow. Returns whether they do.
    fn skip(&mut self, letters: &str) -> bool {
        let next = self.rest.as_slice().iter().map(char::to_ascii_lowercase);
        let found = next.take(letters.len()).eq(letters.chars());
        if found {
            self.rest.by_ref().take(letters.len()).for_each(drop);
        }
        found
    }

    /// Reads the rest of a fixed denominator.
    fn denominator(&mut self, first: char) {
        let mut number = first.to_digit(10).unwrap_or(1);
        while let Some(digit) = self.next().and_then(|c| c.to_digit(10)) {
            self.rest.next();
            number = number.saturating_mul(10).saturating_add(digit);
        }
        self.push(FormatToken::Denominator(number));
    }

    /// Reads a decimal point. Zeros after it are the fraction of a second, if seconds precede it.
    fn point(&mut self) {
        let seconds = matches!(
            self.section.tokens.last(),
            Some(FormatToken::Date(
                Field::Clock(Unit::Second, _) | Field::Elapsed(Unit::Second, _)
            ))
        );
        let zeros = self.rest.as_slice().iter().take_while(|c| **c == '0');
        match zeros.count() {
            zeros if seconds && zeros > 0 => {
                self.rest.by_ref().take(zeros).for_each(drop);
                self.push(FormatToken::Date(Field::Fraction(zeros)));
            }
            _ => self.push(FormatToken::Point),
        }
    }

    /// Reads the text in brackets: total hours, minutes or seconds, a currency with a language, the numerals of a
    /// language (`DBNum`), a condition, or a colour. Other texts are left out.
    fn bracket(&mut self) {
        let inner: String = self.rest.by_ref().take_while(|c| *c != ']').collect();
        let lower = inner.to_ascii_lowercase();
        let only = |letter| !lower.is_empty() && lower.chars().all(|c| c == letter);
        let units = [('h', Unit::Hour), ('m', Unit::Minute), ('s', Unit::Second)];
        if let Some((_, unit)) = units.into_iter().find(|(letter, _)| only(*letter)) {
            self.push(FormatToken::Date(Field::Elapsed(unit, lower.len())));
        } else if let Some(currency) = inner.strip_prefix('$') {
            let (symbol, language) = currency.split_once('-').unwrap_or((currency, ""));
            let language = u32::from_str_radix(language, 16).ok();
            self.language = language.and_then(Language::of).or(self.language);
            self.push(FormatToken::Literal(symbol.to_owned()));
        } else if let Some(kind) = lower.strip_prefix("dbnum") {
            let kind = kind.parse().ok().filter(|kind| (1..=4).contains(kind));
            self.numerals = kind.or(self.numerals);
        } else if let Some(condition) = condition(&inner) {
            self.section.condition = Some(condition);
        } else if let Some(ink) = ink(&lower) {
            self.section.colour = Some(ink);
        }
    }

    /// Adds a part to the current section.
    fn push(&mut self, token: FormatToken) {
        self.section.tokens.push(token);
    }

    /// Finishes the current section.
    fn end_section(&mut self) {
        let mut section = std::mem::take(&mut self.section);
        let language = self.language.take().unwrap_or_default();
        let numerals = self.numerals.take();
        section.numerals = numerals.map(|kind| Numerals::new(kind, language));
        tell_commas_apart(&mut section);
        tell_minutes_from_months(&mut section.tokens);
        self.done.push(section);
    }
}

/// Returns the colour with a name in lower case.
fn ink(name: &str) -> Option<Ink> {
    if let Some((_, rgb)) = INKS.iter().find(|(known, _)| *known == name) {
        return Some(Ink::Named(*rgb));
    }
    let number = name.strip_prefix("color")?.trim().parse().ok()?;
    (1..=56).contains(&number).then_some(Ink::Indexed(number))
}

/// Constructor of a condition from its limit.
type Make = fn(f64) -> Condition;

/// Parses a condition. Spaces may follow the operator.
fn condition(text: &str) -> Option<Condition> {
    let operators: [(&str, Make); 6] = [
        ("<=", Condition::LessOrEqual),
        (">=", Condition::GreaterOrEqual),
        ("<>", Condition::NotEqual),
        ("<", Condition::Less),
        (">", Condition::Greater),
        ("=", Condition::Equal),
    ];
    let mut found = operators.into_iter().filter_map(|(operator, make)| {
        let number: f64 = text.trim().strip_prefix(operator)?.trim().parse().ok()?;
        Some(make(number))
    });
    found.next()
}

/// Replaces each comma by its meaning: grouping, a division by 1,000, literal text, or nothing.
fn tell_commas_apart(section: &mut Section) {
    let tokens = std::mem::take(&mut section.tokens);
    let is_digit = |token: &FormatToken| matches!(token, FormatToken::Digit(_));
    let first = tokens.iter().position(is_digit);
    let end = |token: &FormatToken| matches!(token, FormatToken::Point | FormatToken::Exponent(..));
    for (at, token) in tokens.iter().enumerate() {
        if *token != FormatToken::Comma {
            section.tokens.push(token.clone());
            continue;
        }
        // Whether digits precede the comma.
        let after = first.is_some_and(|first| first < at);
        let rest = &tokens[at..];
        // Parts between the comma and the decimal point, exponent or end.
        let integer = &rest[..rest.iter().position(end).unwrap_or(rest.len())];
        let before_point = !tokens[..at].iter().any(end);
        if after && before_point && integer.iter().any(is_digit) {
            section.grouped = true;
        } else if after && (before_point || !rest.iter().any(is_digit)) {
            section.scale -= 3;
        } else if !after {
            section.tokens.push(FormatToken::Literal(",".to_owned()));
        }
    }
}

/// Distinguishes minutes from months. `m` or `mm` is a minute if the component before it is an hour or second, or if
/// the component after it is a second.
fn tell_minutes_from_months(tokens: &mut [FormatToken]) {
    let mut after_clock = false;
    for at in 0..tokens.len() {
        let next = tokens[at + 1..].iter().find_map(|token| match token {
            FormatToken::Date(field) => Some(*field),
            _ => None,
        });
        let Some(FormatToken::Date(field)) = tokens.get_mut(at) else {
            continue;
        };
        let before_second = matches!(
            next,
            Some(Field::Clock(Unit::Second, _) | Field::Elapsed(Unit::Second, _))
        );
        if let Field::Month(width @ 1..=2) = *field
            && (after_clock || before_second)
        {
            *field = Field::Clock(Unit::Minute, width);
        }
        after_clock = matches!(
            field,
            Field::Clock(Unit::Hour | Unit::Second, _)
                | Field::Elapsed(Unit::Hour | Unit::Second, _)
        );
    }
}
