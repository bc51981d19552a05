//! Drop caps (ECMA-376 part 1, 17.3.1.11, `dropCap`): the large first letter of a paragraph, as a
//! frame around which the first lines of the paragraph flow.

use super::{
    context::Layout,
    item::Float,
    item::{Item, Owner, Pen},
    line_box::LineBox,
    shape::Shape,
    spans::{RunKind, Spans},
    units::points,
};
use convertd_tree::{At, Base, DropCap, Edges, Extent, Frame, Length, Position, Side, Wrap};

/// Reduction of the frame's height, in points. Otherwise, if the lines are slightly less tall than plain lines, one
/// line too many would flow around the frame.
const TOLERANCE: f32 = 0.1;

impl Layout<'_> {
    /// Takes the first letters out of a paragraph and makes a frame of them. `None` if the paragraph does not begin
    /// with letters or has no other content, or if no font was found. `indent` is the indent of the paragraph's first
    /// line, in points.
    ///
    /// The letter has to reach from the top of capitals in the first line to the baseline of the last line beside the
    /// letter. So the font size grows by the distance between the baselines of these two lines, divided by the font's
    /// cap height in ems.
    pub fn drop_cap(
        &mut self,
        cap: DropCap,
        spans: &mut Spans,
        shape: &Shape<'_>,
        indent: f32,
    ) -> Option<Float> {
        let lines = f32::from(cap.lines.clamp(1, 20));
        let (text, mut text_format, node) = spans.take_letters(usize::from(cap.letters.max(1)))?;
        let chosen = self
            .faces
            .choose(text_format.family, text_format.bold, text_format.italic)?;
        let capital = self.faces.capital(chosen);
        // No atoms are given, so this is the line box of the paragraph's own font.
        let line = LineBox::of(&[], &[], shape, None, &mut self.faces);
        // Distance from the baseline of the first line to that of the last line beside the letter.
        let lower = (lines - 1.0) * line.height;
        text_format.size = (text_format.size + lower / capital).clamp(1.0, 2000.0);
        let pen = Pen::new(chosen, &text_format, &self.faces);
        let language = text_format.language.clone();
        let word = self.faces.word(
            chosen,
            &text,
            false,
            text_format.joining(),
            language.as_deref(),
        );
        let distance = points(cap.distance).clamp(0.0, 200.0);
        let (width, height) = (pen.width(&word), lines * line.height - TOLERANCE);
        let item = Item::Text {
            pen,
            y: line.baseline + lower,
            words: vec![(0.0, word)],
            belongs: Owner::To(node),
        };
        // In the margin, the letter ends at `distance` before the beginning of the text. Otherwise it begins where the
        // text begins.
        let offset = match cap.in_margin {
            true => indent - width - distance,
            false => indent,
        };
        // The frame is placed like any other one. Lines flow around the frame unless it is in the margin.
        let position = |base, offset: f32| Position {
            base,
            at: At::Offset(Length::points(f64::from(offset))),
        };
        let frame = Frame {
            horizontal: position(Base::Column, offset),
            vertical: position(Base::Paragraph, 0.0),
            height: Extent::Exactly(Length::points(f64::from(height))),
            wrap: match cap.in_margin {
                true => Wrap::None,
                false => Wrap::Around(Side::Right),
            },
            distances: Edges {
                right: cap.distance,
                ..Edges::default()
            },
            ..Frame::default()
        };
        self.count += 1;
        Some(Float::new(self.count, &frame, (width, height), vec![item]))
    }
}

impl Spans {
    /// Takes this many letters from the beginning of the paragraph, with punctuation before them such as a quotation
    /// mark. Returns their text, formatting and structure element. `None` if the paragraph does not begin with letters
    /// or digits, or has no other content.
    fn take_letters(
        &mut self,
        letters: usize,
    ) -> Option<(
        String,
        super::text_format::TextFormat,
        super::structure::NodeId,
    )> {
        let at = self
            .runs
            .iter()
            .position(|run| !matches!(run.kind, RunKind::Anchor(_)))?;
        // Anchors at the beginning are skipped, because they are invisible.
        let begin = at.checked_sub(1).map_or(0, |before| self.runs[before].end);
        let run = &self.runs[at];
        if !matches!(run.kind, RunKind::Text) {
            return None;
        }
        let text = &self.text[begin..run.end];
        let mut taken = 0;
        let mut end = 0;
        for (place, character) in text.char_indices() {
            if taken == letters || character.is_whitespace() {
                break;
            }
            taken += usize::from(character.is_alphanumeric());
            end = place + character.len_utf8();
        }
        // Combining marks stay with their letter.
        let rest = text[end..].chars();
        let accents = rest.take_while(|c| ('\u{300}'..'\u{370}').contains(c));
        end += accents.map(char::len_utf8).sum::<usize>();
        if taken == 0 || begin + end == self.text.len() {
            return None;
        }
        let taken = (text[..end].to_owned(), (*run.text_format).clone(), run.node);
        self.text.replace_range(begin..begin + end, "");
        for run in &mut self.runs[at..] {
            run.end -= end;
        }
        if self.runs[at].end == begin {
            self.runs.remove(at);
        }
        Some(taken)
    }
}
