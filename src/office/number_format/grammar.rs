//! Parses format codes into sections of parts. Formats nothing.
//!
//! The grammar is that of ECMA-376 part 1, 18.8.31, as Excel reads it. What the standard leaves open is decided by
//! Excel: a comma between digits groups them, a comma behind the last digit divides by 1,000, any other is itself; `m`
//! stands for minutes next to hours or seconds, else for months; any character without a meaning stands for itself.

use super::{
    date::{Field, Unit},
    numerals::{Language, Numerals},
};

/// The limit on the length of a code in characters. Excel's own is 255.
const MAX_LENGTH: usize = 1024;

/// A part of a section.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Part {
    /// Text that is shown as it is.
    Literal(String),
    /// `0`, `#` or `?`: a place for a digit.
    Digit(Place),
    /// The decimal point.
    Point,
    /// `%`, which also multiplies by 100.
    Percent,
    /// `E+`, `E-`, `e+` or `e-`, with the letter, and whether a positive exponent has a sign.
    Exponent(char, bool),
    /// A comma. None is left in a section that has been read to its end.
    Comma,
    /// `/`: the line of a fraction if it stands between digits.
    Slash,
    /// A number behind a `/`: the denominator that all fractions have.
    Denominator(u32),
    /// `_x`: a gap as wide as the character.
    Gap(char),
    /// `*x`: the character, as often as the column has room for it.
    Fill(char),
    /// `@`: the text of the cell.
    Text,
    /// `General`.
    General,
    /// A part of a date or time.
    Date(Field),
}

/// Placeholder of a digit: what an unneeded one shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// `0`: a zero.
    Zero,
    /// `#`: nothing.
    Nothing,
    /// `?`: a space.
    Space,
}

/// A condition of a section, such as `[<=100]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Condition {
    Less(f64),
    LessOrEqual(f64),
    Equal(f64),
    NotEqual(f64),
    GreaterOrEqual(f64),
    Greater(f64),
}

/// The colour of a section, such as `[Red]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// Red, green and blue.
    Named([u8; 3]),
    /// `[Color12]`: one of the palette, from 1.
    Indexed(u8),
}

/// The colours that have names.
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

/// A section of a format code; semicolons separate sections.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Section {
    pub(super) parts: Vec<Part>,
    pub(super) condition: Option<Condition>,
    pub(super) colour: Option<Ink>,
    /// Characters in place of digits.
    pub(super) numerals: Option<Numerals>,
    /// Power of ten by which the number is multiplied: 2 for each `%`, and -3 for each comma behind the digits.
    pub(super) scale: i32,
    /// Whether digits are grouped by thousands.
    pub(super) grouped: bool,
}

impl Section {
    pub(super) fn has(&self, is: impl Fn(&Part) -> bool) -> bool {
        self.parts.iter().any(is)
    }

    pub(super) fn is_date(&self) -> bool {
        self.has(|part| matches!(part, Part::Date(_)))
    }
}

/// The sections of a code, at least one and at most four.
pub(super) fn sections(code: &str) -> Vec<Section> {
    let mut reader = Reader {
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

struct Reader {
    rest: std::vec::IntoIter<char>,
    section: Section,
    /// The number of a `DBNum` of the section.
    numerals: Option<u8>,
    language: Option<Language>,
    done: Vec<Section>,
}

impl Reader {
    /// Splits a format code into the parts of its sections. A character without a meaning of its own is literal.
    fn read(&mut self) {
        while let Some(c) = self.rest.next() {
            match c {
                ';' => self.end_section(),
                '"' => {
                    let text = self.rest.by_ref().take_while(|c| *c != '"').collect();
                    self.push(Part::Literal(text));
                }
                '\\' | '!' => {
                    if let Some(c) = self.rest.next() {
                        self.push(Part::Literal(c.into()));
                    }
                }
                '_' => {
                    if let Some(c) = self.rest.next() {
                        self.push(Part::Gap(c));
                    }
                }
                '*' => {
                    if let Some(c) = self.rest.next() {
                        self.push(Part::Fill(c));
                    }
                }
                '[' => self.bracket(),
                '0' => self.push(Part::Digit(Place::Zero)),
                '#' => self.push(Part::Digit(Place::Nothing)),
                '?' => self.push(Part::Digit(Place::Space)),
                '.' => self.point(),
                ',' => self.push(Part::Comma),
                '%' => {
                    self.section.scale += 2;
                    self.push(Part::Percent);
                }
                '/' => self.push(Part::Slash),
                '@' => self.push(Part::Text),
                '1'..='9' if self.section.parts.last() == Some(&Part::Slash) => self.denominator(c),
                _ => self.word(c),
            }
        }
    }

    /// Reads letters that have a meaning, or a character that has none.
    fn word(&mut self, c: char) {
        let lower = c.to_ascii_lowercase();
        match lower {
            'g' if self.skip("eneral") => return self.push(Part::General),
            'e' if matches!(self.next(), Some('+' | '-')) => {
                let plus = self.rest.next() == Some('+');
                return self.push(Part::Exponent(c, plus));
            }
            'a' if self.skip("m/pm") => return self.push(Part::Date(Field::HalfDay("AM", "PM"))),
            'a' if self.skip("/p") => {
                let (am, pm) = if c == 'a' { ("a", "p") } else { ("A", "P") };
                return self.push(Part::Date(Field::HalfDay(am, pm)));
            }
            'y' | 'm' | 'd' | 'h' | 's' | 'e' | 'g' | 'b' => {}
            _ => return self.push(Part::Literal(c.into())),
        }
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
            // `g`: the name of an era, which the Gregorian calendar does not have.
            _ => return,
        };
        self.push(Part::Date(field));
    }

    fn next(&self) -> Option<char> {
        self.rest.as_slice().first().copied()
    }

    /// Skips these letters, in any case, if they come next.
    fn skip(&mut self, letters: &str) -> bool {
        let next = self.rest.as_slice().iter().map(char::to_ascii_lowercase);
        let found = next.take(letters.len()).eq(letters.chars());
        if found {
            self.rest.by_ref().take(letters.len()).for_each(drop);
        }
        found
    }

    /// Reads the rest of a number behind a `/`.
    fn denominator(&mut self, first: char) {
        let mut number = first.to_digit(10).unwrap_or(1);
        while let Some(digit) = self.next().and_then(|c| c.to_digit(10)) {
            self.rest.next();
            number = number.saturating_mul(10).saturating_add(digit);
        }
        self.push(Part::Denominator(number));
    }

    /// Reads a point. Zeros behind the point behind seconds stand for parts of a second.
    fn point(&mut self) {
        let seconds = matches!(
            self.section.parts.last(),
            Some(Part::Date(
                Field::Clock(Unit::Second, _) | Field::Elapsed(Unit::Second, _)
            ))
        );
        let zeros = self.rest.as_slice().iter().take_while(|c| **c == '0');
        match zeros.count() {
            zeros if seconds && zeros > 0 => {
                self.rest.by_ref().take(zeros).for_each(drop);
                self.push(Part::Date(Field::Fraction(zeros)));
            }
            _ => self.push(Part::Point),
        }
    }

    /// Reads what stands in brackets: elapsed time, a currency with its language, a condition, or a colour.
    fn bracket(&mut self) {
        let inner: String = self.rest.by_ref().take_while(|c| *c != ']').collect();
        let lower = inner.to_ascii_lowercase();
        let only = |letter| !lower.is_empty() && lower.chars().all(|c| c == letter);
        let units = [('h', Unit::Hour), ('m', Unit::Minute), ('s', Unit::Second)];
        if let Some((_, unit)) = units.into_iter().find(|(letter, _)| only(*letter)) {
            self.push(Part::Date(Field::Elapsed(unit, lower.len())));
        } else if let Some(currency) = inner.strip_prefix('$') {
            let (symbol, language) = currency.split_once('-').unwrap_or((currency, ""));
            let language = u32::from_str_radix(language, 16).ok();
            self.language = language.and_then(Language::of).or(self.language);
            self.push(Part::Literal(symbol.to_owned()));
        } else if let Some(kind) = lower.strip_prefix("dbnum") {
            let kind = kind.parse().ok().filter(|kind| (1..=4).contains(kind));
            self.numerals = kind.or(self.numerals);
        } else if let Some(condition) = condition(&inner) {
            self.section.condition = Some(condition);
        } else if let Some(ink) = ink(&lower) {
            self.section.colour = Some(ink);
        }
    }

    fn push(&mut self, part: Part) {
        self.section.parts.push(part);
    }

    fn end_section(&mut self) {
        let mut section = std::mem::take(&mut self.section);
        let language = self.language.take().unwrap_or_default();
        let numerals = self.numerals.take();
        section.numerals = numerals.map(|kind| Numerals::new(kind, language));
        tell_commas_apart(&mut section);
        tell_minutes_from_months(&mut section.parts);
        self.done.push(section);
    }
}

/// The colour of this name, in small letters.
fn ink(name: &str) -> Option<Ink> {
    if let Some((_, rgb)) = INKS.iter().find(|(known, _)| *known == name) {
        return Some(Ink::Named(*rgb));
    }
    let number = name.strip_prefix("color")?.trim().parse().ok()?;
    (1..=56).contains(&number).then_some(Ink::Indexed(number))
}

/// Makes a condition with this limit.
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

/// Replaces each comma by its meaning: grouping, a division by 1,000, or a literal.
fn tell_commas_apart(section: &mut Section) {
    let parts = std::mem::take(&mut section.parts);
    let is_digit = |part: &Part| matches!(part, Part::Digit(_));
    let first = parts.iter().position(is_digit);
    let end = |part: &Part| matches!(part, Part::Point | Part::Exponent(..));
    for (at, part) in parts.iter().enumerate() {
        if *part != Part::Comma {
            section.parts.push(part.clone());
            continue;
        }
        let behind = first.is_some_and(|first| first < at);
        let rest = &parts[at..];
        let integer = &rest[..rest.iter().position(end).unwrap_or(rest.len())];
        let before_point = !parts[..at].iter().any(end);
        if behind && before_point && integer.iter().any(is_digit) {
            section.grouped = true;
        } else if behind && (before_point || !rest.iter().any(is_digit)) {
            section.scale -= 3;
        } else if !behind {
            section.parts.push(Part::Literal(",".to_owned()));
        }
    }
}

/// `m` is a minute if the field before it is an hour or a second, or the one behind it a second.
fn tell_minutes_from_months(parts: &mut [Part]) {
    let mut after_clock = false;
    for at in 0..parts.len() {
        let next = parts[at + 1..].iter().find_map(|part| match part {
            Part::Date(field) => Some(*field),
            _ => None,
        });
        let Some(Part::Date(field)) = parts.get_mut(at) else {
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
