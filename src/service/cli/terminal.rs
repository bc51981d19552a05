//! Text for people on standard error. File names, and metadata of files, may contain control sequences for a terminal
//! (ECMA-48): to change its title, to hide a line, or to make it answer as if somebody typed. None of these reaches the
//! terminal.

use crate::{api::file_name::is_direction_mark, registry};
use std::{
    borrow::Cow,
    fmt,
    io::{self, Write},
};

/// Prints a line that begins with the name of the program. A failure to print is ignored.
pub(super) fn complain(text: impl fmt::Display) {
    let text = with_flags(&without_numbers(&text.to_string()));
    let _ = writeln!(io::stderr().lock(), "convertd: {}", harmless(&text));
}

/// Removes the error numbers of the operating system from a text: "(os error 2)".
pub(super) fn without_numbers(text: &str) -> String {
    const BEGIN: &str = " (os error ";
    let mut parts = text.split(BEGIN);
    let mut shown = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_digit());
        match rest.strip_prefix(')') {
            Some(rest) => shown.push_str(rest),
            None => {
                shown.push_str(BEGIN);
                shown.push_str(part);
            }
        }
    }
    shown
}

/// Replaces the names of form fields that are options by those of the command line: "the field page" by "--option
/// page".
pub(super) fn with_flags(text: &str) -> String {
    const FIELD: &str = "the field ";
    let mut parts = text.split(FIELD);
    let mut shown = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_part = |c: char| c.is_ascii_lowercase() || c == '_';
        let name = &part[..part.find(|c| !is_part(c)).unwrap_or(part.len())];
        shown.push_str(if registry::has_option(name) {
            "--option "
        } else {
            FIELD
        });
        shown.push_str(part);
    }
    shown
}

/// Escapes each character that a terminal would execute instead of showing it: ESC becomes `\u{1b}`.
pub(super) fn harmless(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_order) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match is_order(character) {
            true => shown.extend(character.escape_unicode()),
            false => shown.push(character),
        }
    }
    Cow::Owned(shown)
}

/// Returns whether a character changes how others are shown: control characters, line and paragraph separators, and
/// bidirectional formatting characters, which make `gpj.exe` look like `exe.jpg`.
fn is_order(character: char) -> bool {
    let is_separator = matches!(character, '\u{2028}' | '\u{2029}');
    character.is_control() || is_separator || is_direction_mark(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_errors_are_left_out() {
        for (text, shown) in [
            ("a: No such file (os error 2)", "a: No such file"),
            ("a (os error 2): b (os error 13)", "a: b"),
            ("a (os error x)", "a (os error x)"),
        ] {
            assert_eq!(without_numbers(text), shown);
        }
    }

    #[test]
    fn fields_are_named_as_on_the_command_line() {
        #[track_caller]
        fn check(text: &str, shown: &str) {
            assert_eq!(with_flags(text), shown);
        }
        check("no words", "no words");
        check(
            "the field page chooses another",
            "--option page chooses another",
        );
        check("send it in the field page", "send it in --option page");
        check(
            "the field of wheat, the field \"é\"",
            "the field of wheat, the field \"é\"",
        );
    }

    #[test]
    fn control_characters_are_escaped() {
        #[track_caller]
        fn check(text: &str, shown: &str) {
            assert_eq!(harmless(text), shown);
        }
        check("Grüße 你好.png", "Grüße 你好.png");
        check("\x1b]0;title\x07.png", "\\u{1b}]0;title\\u{7}.png");
        check("a\nconvertd: b", "a\\u{a}convertd: b");
        check("a\u{9b}2J", "a\\u{9b}2J");
        check("a\u{202e}gpj.exe", "a\\u{202e}gpj.exe");
        check("a\u{61c}b", "a\\u{61c}b");
        check("a\u{2028}b", "a\\u{2028}b");
    }
}
