//! Breaks text into lines in a fixed-width font: the widths of characters, and where lines may end. Knows the ranges that
//! matter in running text, not all of Unicode's UAX #11 and UAX #14.

/// The number of columns that a text takes.
pub(crate) fn width(text: &str) -> usize {
    text.chars().map(width_of).sum()
}

/// 2 for East Asian characters and most emoji, 0 for combining marks, and 1 for everything else.
fn width_of(c: char) -> usize {
    match u32::from(c) {
        0..=0x2ff => 1,
        0x300..=0x36f | 0x200b..=0x200f | 0x20d0..=0x20f0 | 0xfe00..=0xfe0f => 0,
        0x591..=0x5bd
        | 0x610..=0x61a
        | 0x64b..=0x65f
        | 0x670
        | 0xe31
        | 0xe34..=0xe3a
        | 0xe47..=0xe4e => 0,
        0x1100..=0x115f | 0x2e80..=0x303e | 0x3041..=0xa4cf | 0xac00..=0xd7a3 => 2,
        0xf900..=0xfaff | 0xfe30..=0xfe6f | 0xff00..=0xff60 | 0xffe0..=0xffe6 => 2,
        0x1f300..=0x1f64f | 0x1f680..=0x1f6ff | 0x1f900..=0x1f9ff | 0x20000..=0x3fffd => 2,
        _ => 1,
    }
}

/// Breaks a text into lines of at most `room` columns; a longer word gets a line of its own. Spaces at the beginning stay.
/// `begins` says whether a line may begin with the text that it is given.
pub(crate) fn filled<'t>(
    text: &'t str,
    room: usize,
    begins: &dyn Fn(&str) -> bool,
) -> Vec<&'t str> {
    let mut lines = Vec::new();
    let mut start = 0;
    let mut width = 0;
    // Where the line may end, and the width of the line up to the word after that.
    let mut end = None;
    // Whether the last character was white space, and whether the line may end there.
    let (mut gap, mut ends) = (false, false);
    for (at, c) in text.char_indices() {
        if c == ' ' || c == '\t' {
            width += 1;
            if !std::mem::replace(&mut gap, true) {
                let behind = text[at..].trim_start_matches([' ', '\t']);
                ends = !text[start..at].trim_start().is_empty() && begins(behind);
                if ends {
                    end = Some((at, width));
                }
            } else if ends {
                end = end.map(|(space, _)| (space, width));
            }
            continue;
        }
        gap = false;
        let wide = width_of(c);
        if width + wide > room
            && let Some((space, before)) = end.take()
        {
            lines.push(&text[start..space]);
            let rest = text[space..].trim_start_matches([' ', '\t']);
            start = text.len() - rest.len();
            width -= before.min(width);
        } else if wide == 2 && width + wide > room && start < at {
            // East Asian text may be broken between any two characters.
            lines.push(&text[start..at]);
            start = at;
            width = 0;
        }
        width += wide;
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
}
