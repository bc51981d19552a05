//! Breaks text into lines for a fixed-width font, by the widths of characters (UAX #11). East Asian text can break
//! between any two characters, and other text at spaces. Other rules of UAX #14 are not needed here.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// The number of columns that a text takes.
pub(crate) fn width(text: &str) -> usize {
    text.width()
}

/// The number of columns that a character takes on its own.
fn width_of(c: char) -> usize {
    c.width().unwrap_or(1)
}

/// Breaks a text into lines of at most `room` columns. A longer word gets a line of its own. Spaces at the beginning of
/// the text stay. `begins` returns whether a line may begin with the rest of the text that it gets. Where it may not, a
/// line can be longer, too.
pub(crate) fn filled<'t>(
    text: &'t str,
    room: usize,
    begins: &dyn Fn(&str) -> bool,
) -> Vec<&'t str> {
    let mut lines = Vec::new();
    let mut start = 0;
    let mut width = 0;
    // Position at which the line may end, and the width of the line up to the word after that position.
    let mut end = None;
    // Whether the last character was white space, and whether the line may end there.
    let (mut gap, mut ends) = (false, false);
    for (at, c) in text.char_indices() {
        if c == ' ' || c == '\t' {
            width += 1;
            if !std::mem::replace(&mut gap, true) {
                let after = text[at..].trim_start_matches([' ', '\t']);
                ends = !text[start..at].trim_start().is_empty() && begins(after);
                if ends {
                    end = Some((at, width));
                }
            } else if ends {
                end = end.map(|(space, _)| (space, width));
            }
            continue;
        }
        gap = false;
        let char_width = width_of(c);
        if width + char_width > room
            && let Some((space, before)) = end.take()
        {
            lines.push(&text[start..space]);
            let rest = text[space..].trim_start_matches([' ', '\t']);
            start = text.len() - rest.len();
            width -= before.min(width);
        } else if char_width == 2 && width + char_width > room && start < at {
            // East Asian text may be broken between any two characters.
            lines.push(&text[start..at]);
            start = at;
            width = 0;
        }
        width += char_width;
    }
    lines.push(&text[start..]);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_filled() {
        #[track_caller]
        fn check(text: &str, room: usize, expected: &[&str]) {
            assert_eq!(filled(text, room, &|text| !text.starts_with('-')), expected);
        }
        check("", 5, &[""]);
        check("one two three", 7, &["one two", "three"]);
        check("one two three", 6, &["one", "two", "three"]);
        check("  one two", 5, &["  one", "two"]);
        check("extraordinary one", 5, &["extraordinary", "one"]);
        check("日本語の文章", 5, &["日本", "語の", "文章"]);
        check("a  b", 2, &["a", "b"]);
        check("one -two three", 4, &["one -two", "three"]);
    }

    #[test]
    fn widths_are_those_of_a_terminal() {
        assert_eq!(width("a\u{308}b"), 2);
        assert_eq!(width("日本"), 4);
        assert_eq!(width("한국"), 4);
        // A family emoji is one character on the screen.
        assert_eq!(width("👩‍👩‍👧"), 2);
    }
}
