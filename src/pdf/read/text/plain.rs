//! Plain text of pages: lines as on the page, empty lines between blocks. Words hyphenated at the
//! end of a line are joined.

use super::lines::Line;

/// Distance of two lines from which an empty line separates them, in multiples of the font size.
const BLOCK_GAP: f32 = 1.7;

/// Writes the lines of a page.
pub(crate) fn write(lines: &[Line], text: &mut String) {
    let mut lines = lines.iter().peekable();
    // Length in bytes of the part of the line that completed the word on the previous line.
    let mut consumed = 0;
    while let Some(line) = lines.next() {
        let own = line.text[consumed..].trim_start();
        consumed = 0;
        match lines.peek().and_then(|next| joined(own, &next.text)) {
            Some((begin, rest)) => {
                text.push_str(begin);
                text.push_str(rest);
                consumed = rest.len();
            }
            None => text.push_str(own),
        }
        text.push('\n');
        if let Some(next) = lines.peek() {
            let gap = next.y - line.y;
            let is_near = gap > 0.0 && gap < BLOCK_GAP * line.size.max(next.size);
            if !is_near || (next.block != line.block && gap > 1.4 * line.size) {
                text.push('\n');
            }
        }
        // The next line is left out if all of it completed the word.
        if consumed > 0
            && lines
                .peek()
                .is_some_and(|next| next.text[consumed..].trim().is_empty())
        {
            lines.next();
            consumed = 0;
        }
    }
}

/// Parts of a hyphenated word: its start at the end of a line, without hyphen, and its end at the start of the next.
/// `None` if no word is hyphenated there.
pub(crate) fn joined<'t>(line: &'t str, next: &'t str) -> Option<(&'t str, &'t str)> {
    let begin = line.strip_suffix(['-', '\u{2010}', '\u{ad}'])?;
    let is_word = begin.ends_with(char::is_alphabetic) && next.starts_with(char::is_lowercase);
    let end = next.find(' ').unwrap_or(next.len());
    is_word.then(|| (begin, &next[..end]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_joined_and_blocks_kept_apart() {
        #[track_caller]
        fn check(lines: &[(&str, f32)], expected: &str) {
            let lines: Vec<Line> = lines
                .iter()
                .map(|(text, y)| Line {
                    text: (*text).to_owned(),
                    runs: Vec::new(),
                    x: (0.0, 100.0),
                    y: *y,
                    size: 10.0,
                    block: 1,
                    artifact: false,
                    angle: 0,
                    object: None,
                })
                .collect();
            let mut text = String::new();
            write(&lines, &mut text);
            assert_eq!(text, expected);
        }
        check(&[("a", 10.0), ("b", 22.0), ("c", 50.0)], "a\nb\n\nc\n");
        check(
            &[("an exam-", 10.0), ("ple of it", 22.0)],
            "an example\nof it\n",
        );
        check(
            &[("an exam-", 10.0), ("ple", 22.0), ("x", 34.0)],
            "an example\nx\n",
        );
        check(&[("1990-", 10.0), ("2000", 22.0)], "1990-\n2000\n");
        check(&[("Anglo-", 10.0), ("Saxon", 22.0)], "Anglo-\nSaxon\n");
    }
}
