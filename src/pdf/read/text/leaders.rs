//! Leaders in tables of contents: the dots between a title and its page number.

/// Minimum number of dots in a leader.
const DOTS: usize = 4;

/// Limit on the length of a page number, in bytes.
const NUMBER: usize = 8;

/// Returns whether a line is an entry of a table of contents: it ends with a leader, or with a leader and a short word,
/// such as a page number.
pub(super) fn is_entry(line: &str) -> bool {
    let end = line.trim_end();
    // The page number, if there is one, comes after the last dot or space.
    let number = end.rsplit(['.', ' ', '…']).next().unwrap_or_default();
    let title = &end[..end.len() - number.len()];
    number.len() <= NUMBER && leader(title).0 >= DOTS
}

/// Number of dots at the end of a text, and the length of the dots and the spaces between them in bytes. Two ellipses in a
/// row, or one beside a full stop, are punctuation and count as no dots.
fn leader(text: &str) -> (usize, usize) {
    let is_part = |c: &char| matches!(c, '.' | ' ' | '…');
    let part: Vec<char> = text.chars().rev().take_while(is_part).collect();
    let count = |wanted| part.iter().filter(|c| **c == wanted).count();
    let dots = match (count('.'), count('…')) {
        (0 | 1, 0..=2) => 0,
        (dots, ellipses) => dots + 3 * ellipses,
    };
    (dots, part.iter().map(|c| c.len_utf8()).sum())
}

/// Replaces each leader in a text by an ellipsis.
pub(super) fn shorten(text: &mut String) {
    let starts = ["..", ". .", "………", "… … …"];
    if !starts.iter().any(|start| text.contains(start)) {
        return;
    }
    // Each round copies the dots and spaces at the start of the rest, or an ellipsis if they are a leader, and the text
    // up to the next dot or space.
    let mut done = String::with_capacity(text.len());
    let mut rest = &text[..];
    while !rest.is_empty() {
        let end = rest
            .find(|c: char| !matches!(c, '.' | ' ' | '…'))
            .unwrap_or(rest.len());
        let (part, after) = rest.split_at(end);
        match leader(part).0 >= DOTS {
            true => done.push_str(" … "),
            false => done.push_str(part),
        }
        let next = after.find(['.', ' ', '…']).unwrap_or(after.len());
        done.push_str(&after[..next]);
        rest = &after[next..];
    }
    *text = done;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaders_are_recognised_and_shortened() {
        #[track_caller]
        fn check(line: &str, expected: bool, short: &str) {
            assert_eq!(is_entry(line), expected, "{line}");
            let mut line = line.to_owned();
            shorten(&mut line);
            assert_eq!(line, short);
        }
        check("1.1 Means . . . . . . 12", true, "1.1 Means … 12");
        check("Notices.......vii", true, "Notices … vii");
        check("Notices………… 7", true, "Notices … 7");
        check("Notices … … … 7", true, "Notices … 7");
        check("他说……然后", false, "他说……然后");
        check("A. … B, and C.. D", false, "A. … B, and C.. D");
        check("Well… 12", false, "Well… 12");
        check("Well... 12", false, "Well... 12");
        check(
            "It ends here. And so on.",
            false,
            "It ends here. And so on.",
        );
    }
}
