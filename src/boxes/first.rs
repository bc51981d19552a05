//! Styles of `::first-letter` and `::first-line` (CSS Pseudo-Elements 4, 2). Lays out nothing.

use super::{
    generate::Generator,
    tree::{BoxContent, BoxId, Inlines, Piece, Span, is_space},
};
use crate::error::Result;
use convertd_markup::{
    css::{
        selectors::Pseudo,
        style::{Display, Style},
    },
    dom::NodeId,
};
use std::rc::Rc;

/// Limit on the depth at which the first line of a block is searched for.
const DEEPEST: usize = 50;
/// Limit on the punctuation before a first letter, on its combining marks, and on the punctuation after it, each.
const MAX_MARKS: usize = 32;

impl Generator<'_, '_> {
    /// Applies the pseudo-element styles of a block to its first line, if there are any. Only block
    /// containers have a first formatted line (CSS Pseudo-Elements 4, 2.1).
    pub(super) fn begin_lines(&mut self, dom: NodeId, style: &Rc<Style>, id: BoxId) -> Result<()> {
        let blocks = matches!(
            style.display,
            Display::Block
                | Display::ListItem
                | Display::InlineBlock
                | Display::FlowRoot
                | Display::Cell
                | Display::Caption
        );
        if !blocks {
            return Ok(());
        }
        // Most documents use neither pseudo-element. Then no search is necessary.
        let of = |this: &mut Self, part| this.cascade.part(dom, part, style, this.root_size);
        let (letter, line) = (of(self, Pseudo::FirstLetter), of(self, Pseudo::FirstLine));
        if letter.is_none() && line.is_none() {
            return Ok(());
        }
        let Some(first) = self.first_lines(id) else {
            return Ok(());
        };
        let BoxContent::Lines(lines) = &mut self.boxes.get_mut(first).kind else {
            return Ok(());
        };
        // Lines that are shared stay as they are. The lines of a box under construction are not shared yet.
        let Some(mut own) = Rc::get_mut(lines).map(std::mem::take) else {
            return Ok(());
        };
        if letter.is_some() {
            self.first_letter(dom, &mut own)?;
        }
        if let Some(line) = line {
            own.first = Some(self.restyled(&own, &line));
        }
        self.boxes.get_mut(first).kind = BoxContent::Lines(Rc::new(own));
        Ok(())
    }

    /// Finds the block container that holds the first formatted line of a block: the block itself, or the first
    /// container of lines on the way down through first in-flow children.
    fn first_lines(&self, id: BoxId) -> Option<BoxId> {
        let mut id = id;
        for _ in 0..DEEPEST {
            let node = self.boxes.get(id);
            let children = match &node.kind {
                BoxContent::Lines(_) => return Some(id),
                BoxContent::Blocks(children) => children,
                BoxContent::Table(_) | BoxContent::Replaced(_) | BoxContent::Turned(..) => {
                    return None;
                }
            };
            id = *children.iter().find(|child| {
                let own = &self.boxes.get(**child).style;
                !own.is_absolute() && !own.floats()
            })?;
            // The search ends at any other box, such as a table or a flex container, because its lines are its own.
            if !matches!(
                self.boxes.get(id).style.display,
                Display::Block | Display::ListItem | Display::FlowRoot
            ) {
                return None;
            }
        }
        None
    }

    /// Wraps the first letter of a block in a span of its own, or in a float. Nothing happens if an
    /// atomic inline or a line break comes first.
    ///
    /// The letter is searched in the first text that has more than white space. The text is divided into the part
    /// before the letter, the letter, and the part after it.
    fn first_letter(&mut self, dom: NodeId, lines: &mut Inlines) -> Result<()> {
        let found = lines.pieces.iter().enumerate().find_map(|(at, piece)| {
            let Piece::Text(text, span) = piece else {
                let ends = matches!(piece, Piece::Atomic(..) | Piece::Break(_));
                return ends.then_some(None);
            };
            let begin = text.len() - text.trim_start_matches(is_space).len();
            let len = letter_len(&text[begin..]);
            (begin < text.len()).then_some((len > 0).then_some((at, *span, begin, begin + len)))
        });
        let Some((at, span, begin, end)) = found.flatten() else {
            return Ok(());
        };
        // The letter inherits from the inline box that contains it, not from the block.
        let around = lines.spans[span].style.clone();
        let part = self
            .cascade
            .part(dom, Pseudo::FirstLetter, &around, self.root_size);
        let (Some(style), Piece::Text(text, _)) = (part, &lines.pieces[at]) else {
            return Ok(());
        };
        let (before, letter) = (text[..begin].to_owned(), text[begin..end].to_owned());
        let rest = Piece::Text(text[end..].to_owned(), span);
        let node = lines.spans[span].node;
        let floats = style.floats();
        let new = |style: Rc<Style>, parent: Option<usize>| Span {
            style,
            parent,
            dom: None,
            node,
            link: None,
            begins: true,
            ends: true,
        };
        // A floating letter (drop cap) becomes a box, any other an inline box.
        let own = if floats {
            let inside = Inlines {
                spans: vec![new(style.clone(), None)],
                pieces: vec![Piece::Text(letter, 0)],
                first: None,
            };
            let id = self
                .boxes
                .add(style, BoxContent::Lines(Rc::new(inside)), None);
            vec![Piece::Text(before, span), Piece::Float(id), rest]
        } else {
            lines.spans.push(new(style, Some(span)));
            let own = lines.spans.len() - 1;
            vec![
                Piece::Text(before, span),
                Piece::Open(own),
                Piece::Text(letter, own),
                Piece::Close(own),
                rest,
            ]
        };
        lines.pieces.splice(at..=at, own);
        Ok(())
    }

    /// Computes the styles of the spans as descendants of `::first-line`, which inherit from it
    /// (CSS Pseudo-Elements 4, 2.1.2).
    fn restyled(&mut self, lines: &Inlines, line: &Rc<Style>) -> Vec<Rc<Style>> {
        // Spans come after their parents, so the new style of the parent is known. A span without an element keeps its
        // style.
        let mut styles: Vec<Rc<Style>> = Vec::with_capacity(lines.spans.len());
        for (number, span) in lines.spans.iter().enumerate() {
            let own = match (span.parent, span.dom) {
                _ if number == 0 => {
                    let mut root = (*span.style).clone();
                    root.text = line.text.clone();
                    root.background = line.background;
                    root.layers = line.layers.clone();
                    Rc::new(root)
                }
                (Some(parent), Some(dom)) if parent < number => {
                    let around = styles[parent].clone();
                    self.cascade.style(dom, &around, Some(self.root_size))
                }
                _ => span.style.clone(),
            };
            styles.push(own);
        }
        styles
    }
}

/// Length in bytes of the first letter: adjacent punctuation, the letter, and its combining marks
/// (CSS Pseudo-Elements 4, 2.2).
fn letter_len(text: &str) -> usize {
    let marks = |text: &str| -> usize {
        let marks = text.chars().take_while(|c| is_mark(*c)).take(MAX_MARKS);
        marks.map(char::len_utf8).sum()
    };
    // Punctuation without a letter right after it gets the style alone.
    let begin = marks(text);
    let Some(letter) = text[begin..].chars().next().filter(|c| !is_space(*c)) else {
        return begin;
    };
    let mut end = begin + letter.len_utf8();
    let combines = |c: &char| matches!(*c, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{20d0}'..='\u{20ff}' | '\u{fe00}'..='\u{fe2f}');
    let combining = text[end..]
        .chars()
        .take_while(combines)
        .take(MAX_MARKS)
        .map(char::len_utf8);
    end += combining.sum::<usize>();
    end + marks(&text[end..])
}

/// Returns whether a character is punctuation that joins the first letter: Unicode classes Ps, Pe,
/// Pi, Pf and Po, in the blocks that contain most of them.
fn is_mark(c: char) -> bool {
    match c {
        '!'..='/' => !matches!(c, '$' | '+' | '-'),
        ':' | ';' | '?' | '@' | '[' | '\\' | ']' | '{' | '}' => true,
        '\u{a1}' | '\u{a7}' | '\u{ab}' | '\u{b6}' | '\u{b7}' | '\u{bb}' | '\u{bf}' => true,
        '\u{37e}' | '\u{387}' | '\u{55a}'..='\u{55f}' | '\u{589}' => true,
        '\u{5c0}' | '\u{5c3}' | '\u{5c6}' | '\u{5f3}' | '\u{5f4}' | '\u{60c}' | '\u{61b}' => true,
        '\u{61f}' | '\u{66a}'..='\u{66d}' | '\u{6d4}' | '\u{700}'..='\u{70d}' => true,
        '\u{964}' | '\u{965}' | '\u{970}' | '\u{e4f}' | '\u{e5a}' | '\u{e5b}' => true,
        '\u{f04}'..='\u{f12}' | '\u{f3a}'..='\u{f3d}' | '\u{f85}' => true,
        '\u{104a}'..='\u{104f}' | '\u{10fb}' | '\u{1361}'..='\u{1368}' => true,
        '\u{169b}' | '\u{169c}' | '\u{16eb}'..='\u{16ed}' | '\u{1735}' | '\u{1736}' => true,
        '\u{17d4}'..='\u{17d6}' | '\u{17d8}'..='\u{17da}' | '\u{1800}'..='\u{180a}' => {
            c != '\u{1806}'
        }
        '\u{1944}' | '\u{1945}' | '\u{2016}'..='\u{2027}' | '\u{2030}'..='\u{205e}' => !matches!(
            c,
            '\u{203f}' | '\u{2040}' | '\u{2044}' | '\u{2052}' | '\u{2054}'
        ),
        '\u{207d}' | '\u{207e}' | '\u{208d}' | '\u{208e}' | '\u{2329}' | '\u{232a}' => true,
        '\u{2768}'..='\u{2775}' | '\u{27c5}' | '\u{27c6}' | '\u{27e6}'..='\u{27ef}' => true,
        '\u{2983}'..='\u{2998}' | '\u{29d8}'..='\u{29db}' | '\u{29fc}' | '\u{29fd}' => true,
        '\u{2cf9}'..='\u{2cff}' | '\u{2e00}'..='\u{2e2e}' => {
            !matches!(c, '\u{2cfd}' | '\u{2e17}' | '\u{2e1a}')
        }
        '\u{3001}'..='\u{3003}' | '\u{3008}'..='\u{3011}' | '\u{3014}'..='\u{301f}' => {
            c != '\u{301c}'
        }
        '\u{303d}' | '\u{30fb}' | '\u{a874}'..='\u{a877}' | '\u{fd3e}' | '\u{fd3f}' => true,
        '\u{fe10}'..='\u{fe19}' | '\u{fe30}' | '\u{fe35}'..='\u{fe4c}' => true,
        '\u{fe50}'..='\u{fe52}' | '\u{fe54}'..='\u{fe61}' | '\u{fe68}' | '\u{fe6a}' => {
            c != '\u{fe58}'
        }
        '\u{fe6b}' | '\u{ff01}'..='\u{ff0f}' => !matches!(c, '\u{ff04}' | '\u{ff0b}' | '\u{ff0d}'),
        '\u{ff1a}' | '\u{ff1b}' | '\u{ff1f}' | '\u{ff20}' | '\u{ff3b}'..='\u{ff3d}' => true,
        '\u{ff5b}' | '\u{ff5d}' | '\u{ff5f}'..='\u{ff65}' => true,
        '\u{10100}' | '\u{10101}' | '\u{1039f}' | '\u{10a50}'..='\u{10a58}' => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::letter_len;

    #[test]
    fn punctuation_belongs_to_the_first_letter() {
        let first = |text: &str| text[..letter_len(text)].to_owned();
        assert_eq!(first("Once"), "O");
        assert_eq!(first("“O’Neill"), "“O’");
        assert_eq!(first("(e\u{301})t"), "(e\u{301})");
        assert_eq!(first("- a"), "-");
        assert_eq!(first("\" a"), "\"");
    }
}
