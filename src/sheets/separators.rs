//! Numbers as people write them, with decimal and group separators. Determines the notation once for a whole
//! file.

/// Languages with a decimal comma, by their ISO 639-1 code.
const COMMA: [&str; 26] = [
    "bg", "ca", "cs", "da", "de", "el", "es", "et", "fi", "fr", "hr", "hu", "it", "lt", "lv", "nb",
    "nl", "no", "pl", "pt", "ro", "ru", "sk", "sl", "sv", "uk",
];

/// Notation of numbers in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Separators {
    /// Decimal point; commas may separate groups.
    Point,
    /// Decimal comma; points may separate groups.
    Comma,
}

impl Separators {
    /// Determines the notation of some texts. Only numbers that are valid in exactly one notation count; if both are
    /// equally frequent, the language decides, and without a language the point.
    pub(crate) fn of(texts: impl Iterator<Item = impl AsRef<str>>, language: Option<&str>) -> Self {
        let (mut points, mut commas) = (0, 0);
        for text in texts {
            let text = text.as_ref();
            match (
                Self::Point.plain(text).is_some(),
                Self::Comma.plain(text).is_some(),
            ) {
                (true, false) => points += 1,
                (false, true) => commas += 1,
                _ => {}
            }
        }
        let has_comma = language.is_some_and(|language| {
            let main = language.split(['-', '_']).next().unwrap_or_default();
            COMMA.contains(&main.to_lowercase().as_str())
        });
        match points.cmp(&commas) {
            std::cmp::Ordering::Greater => Self::Point,
            std::cmp::Ordering::Less => Self::Comma,
            std::cmp::Ordering::Equal if has_comma => Self::Comma,
            std::cmp::Ordering::Equal => Self::Point,
        }
    }

    /// Rewrites a number without group separators and with a decimal point. `None` if the text is not a number in
    /// this notation.
    pub(crate) fn plain(self, text: &str) -> Option<String> {
        let (point, group) = match self {
            Self::Point => ('.', ','),
            Self::Comma => (',', '.'),
        };
        let text = text.trim();
        let (sign, unsigned) = match text.strip_prefix(['-', '\u{2212}', '\u{2013}']) {
            Some(rest) => ("-", rest),
            None => ("", text),
        };
        let (number, percent) = match unsigned.strip_suffix('%') {
            Some(number) => (number.trim_end(), "%"),
            None => (unsigned, ""),
        };
        let (whole, fraction) = match number.split_once(point) {
            Some((whole, fraction)) => (whole, Some(fraction)),
            None => (number, None),
        };
        let is_space = |c: char| {
            matches!(
                c,
                ' ' | '\u{a0}' | '\u{2009}' | '\u{202f}' | '\'' | '\u{2019}'
            )
        };
        let separator = whole.chars().find(|c| *c == group || is_space(*c));
        let digits = match separator {
            None => whole.to_owned(),
            Some(separator) => {
                let mut groups = whole.split(separator);
                // The first group has one to three digits, every other one exactly three.
                let first = groups.next()?;
                let is_first = (1..=3).contains(&first.len());
                if !is_first || !groups.all(|group| group.len() == 3) {
                    return None;
                }
                whole.replace(separator, "")
            }
        };
        let are_digits =
            |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if !are_digits(&digits) || fraction.is_some_and(|fraction| !are_digits(fraction)) {
            return None;
        }
        let fraction = fraction
            .map(|fraction| format!(".{fraction}"))
            .unwrap_or_default();
        Some(format!("{sign}{digits}{fraction}{percent}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_with_the_separators_of_their_file() {
        #[track_caller]
        fn check(texts: &[&str], language: Option<&str>, expected: &[Option<&str>]) {
            let separators = Separators::of(texts.iter(), language);
            let found: Vec<Option<String>> =
                texts.iter().map(|text| separators.plain(text)).collect();
            let found: Vec<Option<&str>> = found.iter().map(Option::as_deref).collect();
            assert_eq!(found, expected);
        }
        check(&["1,234", "5.6"], None, &[Some("1234"), Some("5.6")]);
        check(&["1.234", "5,6"], None, &[Some("1234"), Some("5.6")]);
        check(&["1.234"], None, &[Some("1.234")]);
        check(&["1.234"], Some("de-AT"), &[Some("1234")]);
        check(&["1\u{a0}234\u{a0}567,5"], None, &[Some("1234567.5")]);
        check(
            &["\u{2212}3", "12 %", "-0.5%"],
            None,
            &[Some("-3"), Some("12%"), Some("-0.5%")],
        );
        check(
            &["12 34", "1,23,4", "$5", "(3)", "3*", "", "n/a"],
            None,
            &[None; 7],
        );
    }
}
