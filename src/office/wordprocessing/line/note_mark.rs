//! Reference marks of notes that a file stores as text before the reference, and at the beginning of the note. Numbers
//! nothing.

use super::{Line, Piece};
use convertd_tree::Mark;

/// Limit on the length of a note's mark, in characters.
const LONGEST_MARK: usize = 10;
/// Limit on the pieces without text, such as anchors, between a mark and the text before it.
const MAX_BETWEEN: usize = 64;

impl Line {
    /// Removes the reference mark of a note from the beginning, and the white space after it. A word or number that
    /// begins with the same characters as the mark is text.
    pub(crate) fn cut_mark(&mut self, mark: &str) {
        let Some(rest) = self.text.strip_prefix(mark) else {
            return;
        };
        let mut ends = self.pieces.iter().filter_map(|(_, piece)| match piece {
            Piece::Text(end) => Some(*end),
            _ => None,
        });
        let is_separate = ends.next() == Some(mark.len())
            || !mark.ends_with(char::is_alphanumeric)
            || !rest.starts_with(char::is_alphanumeric);
        if is_separate {
            self.cut_start(mark.len());
            self.trim_start();
        }
    }

    /// Removes the raised text at the end of the line, and returns it: the mark of the note that follows. It has no
    /// spaces and at most [`LONGEST_MARK`] characters.
    pub(crate) fn take_mark(&mut self) -> Option<String> {
        let (look, Piece::Text(end)) = self.pieces.last()? else {
            return None;
        };
        let before = self.pieces.iter().rev().skip(1);
        let mut ends = before
            .take(MAX_BETWEEN)
            .filter_map(|(_, piece)| match piece {
                Piece::Text(end) => Some(*end),
                _ => None,
            });
        // Each note searches again. Without the limit, a paragraph that consists only of notes would take quadratic
        // time.
        let begin = match ends.next() {
            Some(end) => end,
            None if self.pieces.len() > MAX_BETWEEN + 1 => return None,
            None => 0,
        };
        let text = self.text.get(begin..*end)?;
        let is_mark = look.marks.has(Mark::Superscript)
            && text.chars().count() <= LONGEST_MARK
            && !text.contains(char::is_whitespace);
        if !is_mark {
            return None;
        }
        self.pieces.pop();
        Some(self.text.split_off(begin))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wordprocessing::{line::Formatting, marks::Marks};

    #[test]
    fn superscript_before_a_note_is_its_mark() {
        #[track_caller]
        fn check(pieces: [(&str, bool); 2], mark: Option<&str>, rest: &str) {
            let mut line = Line::default();
            for (text, raised) in pieces {
                let mut marks = Marks::default();
                marks.set(Mark::Superscript, raised);
                let look = Formatting {
                    marks,
                    ..Formatting::default()
                };
                line.text(look, text);
            }
            assert_eq!(line.take_mark().as_deref(), mark);
            assert_eq!(line.lines(), rest);
        }
        check([("text", false), ("*", true)], Some("*"), "text");
        check([("text", false), ("†† ", true)], None, "text†† ");
        check([("text", false), ("*", false)], None, "text*");
        check([("x", true), ("text", false)], None, "xtext");
    }

    #[test]
    fn a_mark_is_found_after_a_few_anchors() {
        #[track_caller]
        fn check(anchors: usize, mark: Option<&str>) {
            let mut line = Line::default();
            line.text(Formatting::default(), "text");
            for _ in 0..anchors {
                line.bookmark("anchor");
            }
            let mut marks = Marks::default();
            marks.set(Mark::Superscript, true);
            let look = Formatting {
                marks,
                ..Formatting::default()
            };
            line.text(look, "*");
            assert_eq!(line.take_mark().as_deref(), mark, "{anchors}");
        }
        check(MAX_BETWEEN - 1, Some("*"));
        check(MAX_BETWEEN, None);
    }

    #[test]
    fn the_mark_at_the_beginning_of_a_note_is_removed() {
        #[track_caller]
        fn check(mark: &str, texts: [&str; 2], expected: &str) {
            let mut line = Line::default();
            for (text, code) in texts.into_iter().zip([false, true]) {
                let look = Formatting {
                    code,
                    ..Formatting::default()
                };
                line.text(look, text);
            }
            line.cut_mark(mark);
            assert_eq!(line.lines(), expected, "{mark}: {texts:?}");
        }
        check("†", ["* A note.", ""], "* A note.");
        check("*", ["* A note.", ""], "A note.");
        check("*", ["*A note.", ""], "A note.");
        check("1", ["1. A note.", ""], ". A note.");
        check("1", ["1984 was a year.", ""], "1984 was a year.");
        check("1", ["1", "984 was a year."], "984 was a year.");
    }
}
