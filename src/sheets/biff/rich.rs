//! Texts with several fonts (MS-XLS 2.5.129, MS-XLSB 2.5.155). Reads no records.

use crate::shown::{
    book::{Run, Value},
    style::Font,
};
use std::rc::Rc;

/// Creates a text with several fonts. Each run is a position in UTF-16 code units and the index of the font from
/// there on; `font` resolves the index. Text before the first run has the font of the cell.
pub(crate) fn rich(
    text: &str,
    runs: &[(u16, u16)],
    font: &dyn Fn(u16) -> Option<Rc<Font>>,
) -> Value {
    if text.is_empty() {
        return Value::Empty;
    }
    let mut parts: Vec<Run> = Vec::new();
    let mut add = |text: &str, number: Option<u16>| {
        if !text.is_empty() {
            parts.push(Run {
                text: text.into(),
                font: number.and_then(font),
            });
        }
    };
    let (mut start, mut current, mut units, mut next) = (0, None, 0, runs.iter().peekable());
    for (at, character) in text.char_indices() {
        // A position inside a surrogate pair takes effect after the character.
        while let Some((_, number)) = next.next_if(|(place, _)| u32::from(*place) <= units) {
            add(&text[start..at], current);
            (start, current) = (at, Some(*number));
        }
        units += character.len_utf16() as u32;
    }
    add(&text[start..], current);
    // A text whose runs all have the cell's font is a plain one.
    match parts.iter().any(|part| part.font.is_some()) {
        true => Value::Rich(parts.into()),
        false => Value::Text(text.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_where_runs_begin() {
        #[track_caller]
        fn check(text: &str, runs: &[(u16, u16)], expected: &[(&str, bool)]) {
            let font = |number| (number < 9).then(|| Rc::new(Font::default()));
            let found = match rich(text, runs, &font) {
                Value::Rich(parts) => parts.to_vec(),
                Value::Text(text) => vec![Run {
                    text: (*text).into(),
                    font: None,
                }],
                _ => Vec::new(),
            };
            let found: Vec<_> = found
                .iter()
                .map(|run| (&*run.text, run.font.is_some()))
                .collect();
            assert_eq!(found, expected);
        }
        check("plain", &[], &[("plain", false)]);
        check("ab", &[(1, 2)], &[("a", false), ("b", true)]);
        check("ab", &[(0, 2)], &[("ab", true)]);
        // A character outside the Basic Multilingual Plane counts as two units.
        check("😀b", &[(2, 2)], &[("😀", false), ("b", true)]);
        // Two runs at the same position, runs out of order, a position after the end, and an unknown font.
        check(
            "abc",
            &[(1, 1), (1, 2), (0, 3), (7, 4)],
            &[("a", false), ("bc", true)],
        );
        check("abc", &[(1, 9)], &[("abc", false)]);
        check("", &[(0, 1)], &[]);
    }
}
