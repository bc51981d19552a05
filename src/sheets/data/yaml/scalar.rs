//! Types of plain scalars (YAML 1.2.2, 10.3.2), and the texts that need quotation marks. Does not parse lists or maps.

use crate::data::{Node, json, toml};

/// Converts a plain scalar. The core schema has no dates and times; they are recognised in the notation of TOML.
pub(super) fn plain(text: &str) -> Node {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Node::Nothing,
        "true" | "True" | "TRUE" => Node::Boolean(true),
        "false" | "False" | "FALSE" => Node::Boolean(false),
        ".nan" | ".NaN" | ".NAN" => Node::Unbounded(".nan"),
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => Node::Unbounded(".inf"),
        "-.inf" | "-.Inf" | "-.INF" => Node::Unbounded("-.inf"),
        _ => match number(text) {
            Some(number) => Node::Number(number),
            None if toml::is_moment(text) => Node::Moment(text.to_owned()),
            None => Node::Text(text.to_owned()),
        },
    }
}

/// Converts a number to the notation of JSON. `None` if the text is not a number.
fn number(text: &str) -> Option<String> {
    let radix = |prefix: &str, radix: u32| {
        let digits = text
            .strip_prefix(prefix)
            .filter(|digits| !digits.starts_with('+'))?;
        u128::from_str_radix(digits, radix)
            .ok()
            .map(|number| number.to_string())
    };
    if let Some(number) = radix("0o", 8).or_else(|| radix("0x", 16)) {
        return Some(number);
    }
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    let (mantissa, exponent) = match rest.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (rest, None),
    };
    let (whole, part) = match mantissa.split_once('.') {
        Some((whole, part)) => (whole, Some(part)),
        None => (mantissa, None),
    };
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let digits = whole.len() + part.map_or(0, str::len);
    let exponent_is_right = exponent.is_none_or(|exponent| {
        let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        !digits.is_empty() && is_digits(digits)
    });
    if digits == 0 || !is_digits(whole) || !part.is_none_or(is_digits) || !exponent_is_right {
        return None;
    }
    // JSON permits no leading zeros, and requires digits on both sides of the point.
    let mut number = format!("{sign}{}", whole.trim_start_matches('0'));
    if number.len() == sign.len() {
        number.push('0');
    }
    if let Some(part) = part {
        number.push('.');
        number.push_str(if part.is_empty() { "0" } else { part });
    }
    if let Some(exponent) = exponent {
        number.push('e');
        number.push_str(exponent);
    }
    Some(number)
}

/// Writes a value other than a list or a map.
pub(super) fn write(node: &Node, out: &mut String) {
    match node {
        Node::Boolean(is) => out.push_str(if *is { "true" } else { "false" }),
        Node::Number(digits) => digits_of(digits, out),
        Node::Unbounded(text) => out.push_str(text),
        Node::Text(text) => string(text, out),
        // Only a date may be plain, because version 1.1 would read a time alone as a number in base 60.
        Node::Moment(text) if text.as_bytes().get(4) == Some(&b'-') => out.push_str(text),
        Node::Moment(text) => json::string(text, out),
        Node::Nothing | Node::List(_) | Node::Map(_) => out.push_str("null"),
    }
}

/// Writes a number. With an exponent, version 1.1 requires a point and a sign.
fn digits_of(digits: &str, out: &mut String) {
    let Some((mantissa, exponent)) = digits.split_once(['e', 'E']) else {
        out.push_str(digits);
        return;
    };
    out.push_str(mantissa);
    out.push_str(if mantissa.contains('.') { "e" } else { ".0e" });
    if !exponent.starts_with(['+', '-']) {
        out.push('+');
    }
    out.push_str(exponent);
}

/// Words that version 1.1 reads as another type than text.
const WORDS: [&str; 9] = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"];

/// Writes a text, without quotation marks if it cannot be mistaken for anything else.
pub(super) fn string(text: &str, out: &mut String) {
    let begins = |sign: char| sign.is_alphabetic() || "_/".contains(sign);
    let is_inner = |sign: char| sign.is_alphanumeric() || "_/-.+@() ,;".contains(sign);
    let is_plain = text.starts_with(begins)
        && text.chars().all(is_inner)
        && !text.ends_with(' ')
        && !WORDS.iter().any(|word| word.eq_ignore_ascii_case(text));
    match is_plain {
        true => out.push_str(text),
        false => json::string(text, out),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_scalars_are_those_of_the_core_schema() {
        #[track_caller]
        fn check(text: &str, expected: &str) {
            assert_eq!(
                number(text).as_deref(),
                Some(expected).filter(|text| !text.is_empty()),
                "{text}"
            );
        }
        for (text, expected) in [
            ("12", "12"),
            ("-0", "-0"),
            ("+7", "7"),
            ("007", "7"),
            ("000", "0"),
            (".5", "0.5"),
            ("-.5", "-0.5"),
            ("5.", "5.0"),
            ("1e3", "1e3"),
            ("1.5E-3", "1.5e-3"),
            ("0x1F", "31"),
            ("0o17", "15"),
            (
                "123456789012345678901234567890",
                "123456789012345678901234567890",
            ),
            (".", ""),
            ("e3", ""),
            ("1e", ""),
            ("1_000", ""),
            ("0x", ""),
            ("0x+1", ""),
            ("--1", ""),
            ("1.2.3", ""),
            ("-", ""),
            ("", ""),
        ] {
            check(text, expected);
        }
        assert_eq!(plain("2001-12-14"), Node::Moment("2001-12-14".into()));
        assert_eq!(plain("yes"), Node::Text("yes".into()));
        assert_eq!(plain("Null"), Node::Nothing);
    }

    #[test]
    fn texts_that_mean_something_else_are_quoted() {
        #[track_caller]
        fn check(text: &str, is_plain: bool) {
            let mut out = String::new();
            string(text, &mut out);
            assert_eq!(!out.starts_with('"'), is_plain, "{text}: {out}");
        }
        for text in ["words", "a b", "grün", "/etc/passwd", "a-b.c"] {
            check(text, true);
        }
        for text in [
            "",
            "Yes",
            "off",
            "~",
            "12",
            "-a",
            "a: b",
            "a #b",
            "a ",
            "<<",
            "=",
            "*a",
            "2001-01-01",
            "\u{85}",
            "a\nb",
            "!x",
        ] {
            check(text, false);
        }
    }
}
