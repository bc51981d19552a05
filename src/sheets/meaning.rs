//! Classifies a number format by its format code (ECMA-376 part 1, 18.8.30 and 18.8.31): number, percentage, date or
//! time. Sheets store a date as a number, so only the number format distinguishes them. Formats nothing.

use super::{number::NumberStyle, time::Clock};

/// Meaning of the number in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Meaning {
    /// An ordinary number, with the style in which it is shown.
    Number(NumberStyle),
    /// A date or time, stored as a serial number of days.
    Moment(Clock),
}

impl Default for Meaning {
    fn default() -> Self {
        Self::Number(NumberStyle::General)
    }
}

impl Meaning {
    /// Meaning of a built-in number format, which files refer to by number only. Its notation depends on the user's
    /// locale, but its kind does not (18.8.30).
    pub(crate) fn built_in(number: u32) -> Self {
        match number {
            2 => Self::Number(NumberStyle::Fixed(2)),
            9 => Self::Number(NumberStyle::Percent(0)),
            10 => Self::Number(NumberStyle::Percent(2)),
            11 => Self::Number(NumberStyle::Scientific(2)),
            14..=17 | 27..=31 | 36 | 50..=54 | 57 | 58 => Self::Moment(Clock::Date),
            18..=21 | 32..=35 | 45 | 47 | 55 | 56 => Self::Moment(Clock::Time),
            22 => Self::Moment(Clock::DateTime),
            46 => Self::Moment(Clock::Duration),
            _ => Self::default(),
        }
    }

    /// Meaning of a format code. Only its first section counts, the one for positive numbers.
    pub(crate) fn of(code: &str) -> Self {
        let Letters { text, elapsed } = Letters::of(code);
        let has = |letter: char| text.contains(letter);
        if text.trim() == "general" || text.is_empty() && !elapsed {
            return Self::default();
        }
        if elapsed {
            return Self::Moment(Clock::Duration);
        }
        // In a code with hours, seconds or AM/PM, `m` and `mm` mean minutes; otherwise, they mean months. `mmm` always
        // means months.
        let time = has('h') || has('s') || text.contains("am/pm") || text.contains("a/p");
        let power = text.contains("e+") || text.contains("e-");
        // e, g and b stand for eras and Buddhist years, but not in a code with an exponent or with placeholders of
        // digits.
        let era = !power && (has('e') || has('g') || has('b')) && !has('0') && !has('#');
        let date = has('y') || has('d') || text.contains("mmm") || era || has('m') && !time;
        match (date, time) {
            (true, true) => Self::Moment(Clock::DateTime),
            (true, false) => Self::Moment(Clock::Date),
            (false, true) => Self::Moment(Clock::Time),
            (false, false) => Self::Number(number_style(&text)),
        }
    }
}

/// A format code without literal text, colours, conditions and locales.
struct Letters {
    /// Remaining code, in lower case.
    text: String,
    /// Whether the code shows elapsed time, such as `[h]`, which may exceed 24 hours.
    elapsed: bool,
}

impl Letters {
    /// Reduces the first section of a format code to its letters.
    fn of(code: &str) -> Self {
        let mut letters = Self {
            text: String::new(),
            elapsed: false,
        };
        let mut chars = code.chars();
        while let Some(c) = chars.next() {
            match c {
                ';' => break,
                '"' => while chars.next().is_some_and(|c| c != '"') {},
                // These characters take the next one as a literal, a padding width or a fill character.
                '\\' | '_' | '*' => drop(chars.next()),
                '[' => {
                    let inner: String = chars.by_ref().take_while(|c| *c != ']').collect();
                    let inner = inner.to_ascii_lowercase();
                    let only = |letter| !inner.is_empty() && inner.chars().all(|c| c == letter);
                    letters.elapsed |= only('h') || only('m') || only('s');
                }
                _ => letters.text.push(c.to_ascii_lowercase()),
            }
        }
        letters
    }
}

/// Style for a format code of the form `0.00`, `0.00%` or `0.00E+00`. Of other codes, such as `#,##0.00`, only a
/// percent sign is kept.
fn number_style(code: &str) -> NumberStyle {
    let code = code.trim();
    // Number of decimal places in a code of the form `0` or `0.00`.
    let decimals = |digits: &str| -> Option<u8> {
        let fraction = match digits.strip_prefix('0')? {
            "" => return Some(0),
            rest => rest.strip_prefix('.')?,
        };
        let zeros = fraction.bytes().all(|byte| byte == b'0') && !fraction.is_empty();
        u8::try_from(fraction.len())
            .ok()
            .filter(|len| zeros && *len <= 15)
    };
    if let Some(digits) = code.strip_suffix('%') {
        return NumberStyle::Percent(decimals(digits).unwrap_or(0));
    }
    if code.contains('%') {
        return NumberStyle::Percent(0);
    }
    if let Some((digits, power)) = code.split_once("e+")
        && let Some(decimals) = decimals(digits)
        && power.bytes().all(|byte| byte == b'0')
    {
        return NumberStyle::Scientific(decimals);
    }
    match decimals(code) {
        Some(decimals) if decimals > 0 => NumberStyle::Fixed(decimals),
        _ => NumberStyle::General,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_determine_the_kind_of_a_number() {
        #[track_caller]
        fn check(code: &str, expected: Meaning) {
            assert_eq!(Meaning::of(code), expected, "{code}");
        }
        let number = Meaning::Number;
        for code in [
            "General",
            "GENERAL",
            "0",
            "#,##0.00",
            "@",
            "",
            "00000",
            "# ?/?",
            "0.00_);[Red](0.00)\\d",
            "\"day\" 0",
        ] {
            let fixed = code.starts_with("0.00_");
            check(
                code,
                number(if fixed {
                    NumberStyle::Fixed(2)
                } else {
                    NumberStyle::General
                }),
            );
        }
        check("0.000", number(NumberStyle::Fixed(3)));
        check("0%", number(NumberStyle::Percent(0)));
        check("0.00%", number(NumberStyle::Percent(2)));
        check("#,##0.0%", number(NumberStyle::Percent(0)));
        check("0.00E+00", number(NumberStyle::Scientific(2)));
        check("##0.0E+0", number(NumberStyle::General));
        for code in [
            "yyyy-mm-dd",
            "d. mmmm",
            "mmm",
            "m",
            "[$-409]d/m/yy;@",
            "[$-F800]dddd, mmmm dd, yyyy",
            "ggge\"年\"m\"月\"",
        ] {
            check(code, Meaning::Moment(Clock::Date));
        }
        for code in [
            "h:mm",
            "hh:mm:ss AM/PM",
            "mm:ss.0",
            "[Red]h:mm",
            "[$-409]h:mm:ss",
        ] {
            check(code, Meaning::Moment(Clock::Time));
        }
        for code in [
            "yyyy\\-mm\\-dd\\Thh:mm:ss",
            "m/d/yy h:mm",
            "d.m.yyyy h:mm:ss",
        ] {
            check(code, Meaning::Moment(Clock::DateTime));
        }
        for code in ["[h]:mm:ss", "[mm]:ss", "[ss]", "[HH]:mm"] {
            check(code, Meaning::Moment(Clock::Duration));
        }
    }
}
