//! Ruby: words with a text above them. The base of the ruby was read into the line like other text. Does not read the
//! text above.

use super::{Line, Piece};
use convertd_tree::Ruby;

/// Place in a line: the number of pieces before it, and the number of bytes of text before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinePosition(usize, usize);

impl Line {
    /// The end of the line, at which a base begins.
    pub(crate) fn end(&self) -> LinePosition {
        LinePosition(self.pieces.len(), self.text.len())
    }

    /// Turns the text from `start` on into a word with `above` above it. The word has the formatting of its first
    /// letter. Returns false, and changes nothing, if no text follows `start`, or if anything other than text
    /// follows.
    pub(crate) fn ruby_from(&mut self, start: LinePosition, above: &str) -> bool {
        let LinePosition(pieces, length) = start;
        let added = self.pieces.get(pieces..).unwrap_or_default();
        let is_text = |piece: &Piece| matches!(piece, Piece::Text(_));
        let base = self.text.get(length..).unwrap_or_default().trim();
        if base.is_empty() || !added.iter().all(|(_, piece)| is_text(piece)) {
            return false;
        }
        // If the base begins with the formatting of the text before it, its beginning was appended to the piece of that
        // text.
        let before = pieces.checked_sub(1).and_then(|at| self.pieces.get(at));
        let look = match before {
            Some((look, Piece::Text(end))) if *end > length => Some(*look),
            _ => added.first().map(|(look, _)| *look),
        };
        let ruby = Ruby {
            base: base.into(),
            above: above.into(),
        };
        self.text.truncate(length);
        self.pieces.truncate(pieces);
        if let Some((_, Piece::Text(end))) = self.pieces.last_mut() {
            *end = length.min(*end);
        }
        self.ruby(look.unwrap_or_default(), ruby);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wordprocessing::line::Formatting;

    #[test]
    fn only_text_becomes_a_base() {
        #[track_caller]
        fn check(add: impl Fn(&mut Line), base: Option<&str>, rest: &str) {
            let mut line = Line::default();
            line.text(Formatting::default(), "before");
            let start = line.end();
            add(&mut line);
            assert_eq!(line.ruby_from(start, "above"), base.is_some());
            let found = line.pieces.iter().find_map(|(_, piece)| match piece {
                Piece::Ruby(ruby) => Some(&*ruby.base),
                _ => None,
            });
            assert_eq!(found, base);
            assert_eq!(line.text, rest);
        }
        let code = Formatting {
            code: true,
            ..Formatting::default()
        };
        let text = |line: &mut Line| line.text(Formatting::default(), "base ");
        check(text, Some("base"), "before");
        check(|line| line.text(code, "base"), Some("base"), "before");
        let both = |line: &mut Line| {
            text(line);
            line.text(code, "too");
        };
        check(both, Some("base too"), "before");
        let with_break = |line: &mut Line| {
            text(line);
            line.line_break(code);
        };
        check(with_break, None, "beforebase ");
        check(|_| {}, None, "before");
    }
}
