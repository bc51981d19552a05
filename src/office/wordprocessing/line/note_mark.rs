//! Reference marks of notes that are text in a file: before the reference, and at the beginning of the note. Numbers
//! nothing.

use super::{Line, Piece};
use convertd_tree::Mark;

/// Limit on the length of a note's mark, in characters.
const LONGEST_MARK: usize = 10;

impl Line {
    /// Removes the reference mark of a note from the beginning, and the white space after it.
    pub(crate) fn cut_mark(&mut self, mark: &str) {
        if self.text.starts_with(mark) {
            self.cut_start(mark.len());
            self.trim_start();
        }
    }

    /// Removes and returns a raised text of up to [`LONGEST_MARK`] characters without spaces at the end, which is the
    /// mark of the note that follows.
    pub(crate) fn take_mark(&mut self) -> Option<String> {
        let (look, Piece::Text(end)) = self.pieces.last()? else {
            return None;
        };
        let before = self.pieces.iter().rev().skip(1);
        let mut ends = before.filter_map(|(_, piece)| match piece {
            Piece::Text(end) => Some(*end),
            _ => None,
        });
        let begin = ends.next().unwrap_or(0);
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
    fn the_mark_at_the_beginning_of_a_note_is_removed() {
        let mut line = Line::default();
        line.text(Formatting::default(), "* A note.");
        line.cut_mark("†");
        assert_eq!(line.lines(), "* A note.");
        line.cut_mark("*");
        assert_eq!(line.lines(), "A note.");
    }
}
