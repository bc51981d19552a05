//! The content of one paragraph while it is read: a row of pieces, each with its look. Adds nothing to a tree before the
//! paragraph is whole, since what a paragraph is may be known at its end only.
//!
//! Word processors give each run of letters all its properties; the tree has marks that stand in one another. So the
//! row is turned into as few containers as possible: what goes on from one piece to the next stays open.

use super::{
    Font,
    symbol::{in_symbol_font, is_symbol_font},
};
use crate::{
    document::tree::{Builder, Field, Mark, Node, NoteId, Picture, TextStyleId},
    error::Result,
};

/// A set of marks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Marks(u8);

/// In the order in which they are opened where nothing else decides.
const ALL_MARKS: [Mark; 8] = [
    Mark::Strong,
    Mark::Emphasis,
    Mark::Underline,
    Mark::Strikethrough,
    Mark::Highlight,
    Mark::SmallCaps,
    Mark::Superscript,
    Mark::Subscript,
];

impl Marks {
    /// Adds a mark.
    pub(crate) fn set(&mut self, mark: Mark, on: bool) {
        let bit = 1 << mark as u8;
        if on {
            self.0 |= bit;
        } else {
            self.0 &= !bit;
        }
    }

    fn has(self, mark: Mark) -> bool {
        self.0 & 1 << mark as u8 != 0
    }

    fn all(self) -> impl Iterator<Item = Mark> {
        ALL_MARKS.into_iter().filter(move |mark| self.has(*mark))
    }
}

/// How a piece looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Look {
    /// What is said about it.
    pub(crate) marks: Marks,
    /// Its letters, where they differ from those of the paragraph.
    pub(crate) style: TextStyleId,
    /// It is computer code.
    pub(crate) code: bool,
    /// Which of the links of the line it belongs to. See [`Line::link`].
    pub(crate) link: Option<u32>,
}

/// A row of pieces.
#[derive(Debug, Default)]
pub(crate) struct Line {
    text: String,
    pieces: Vec<(Look, Piece)>,
    links: Vec<(Box<str>, Box<str>)>,
}

#[derive(Debug)]
enum Piece {
    /// Up to this byte of the line's text.
    Text(usize),
    LineBreak,
    PageBreak,
    Field(Field),
    Note(NoteId),
    Picture(Box<Picture>),
    Math(Box<str>, bool),
    Bookmark(Box<str>),
}

impl Line {
    /// Adds text.
    pub(crate) fn text(&mut self, look: Look, text: &str) {
        if text.is_empty() {
            return;
        }
        self.text.push_str(text);
        match self.pieces.last_mut() {
            Some((last, Piece::Text(end))) if *last == look => *end = self.text.len(),
            _ => self.pieces.push((look, Piece::Text(self.text.len()))),
        }
    }

    /// Adds text in a font, which may be one of pictures instead of letters.
    pub(crate) fn text_in(&mut self, look: Look, font: Option<&Font>, text: &str) {
        match font.and_then(Font::name) {
            Some(font) if is_symbol_font(font) => {
                let text: String = text.chars().map(|c| in_symbol_font(font, c)).collect();
                self.text(look, &text);
            }
            _ => self.text(look, text),
        }
    }

    /// The number of a link, for [`Look::link`].
    pub(crate) fn link(&mut self, target: &str, title: &str) -> u32 {
        let known = self.links.last();
        if !known.is_some_and(|(last, words)| **last == *target && **words == *title) {
            self.links.push((target.into(), title.into()));
        }
        self.links.len() as u32 - 1
    }

    /// Adds a line end that is meant.
    pub(crate) fn line_break(&mut self, look: Look) {
        self.pieces.push((look, Piece::LineBreak));
    }

    /// Ends the page.
    pub(crate) fn page_break(&mut self) {
        self.pieces.push((Look::default(), Piece::PageBreak));
    }

    /// Adds what only the layout knows.
    pub(crate) fn field(&mut self, look: Look, field: Field) {
        self.pieces.push((look, Piece::Field(field)));
    }

    /// Adds a reference to a note. Its number has a look of its own in every format.
    pub(crate) fn note(&mut self, note: NoteId) {
        self.pieces.push((Look::default(), Piece::Note(note)));
    }

    /// Adds a picture.
    pub(crate) fn picture(&mut self, look: Look, picture: Picture) {
        let look = Look {
            link: look.link,
            ..Look::default()
        };
        self.pieces.push((look, Piece::Picture(Box::new(picture))));
    }

    /// Adds a formula of TeX.
    pub(crate) fn math(&mut self, tex: impl Into<Box<str>>, display: bool) {
        self.pieces
            .push((Look::default(), Piece::Math(tex.into(), display)));
    }

    /// Adds a place that links lead to.
    pub(crate) fn bookmark(&mut self, name: &str) {
        self.pieces
            .push((Look::default(), Piece::Bookmark(name.into())));
    }

    /// Takes out everything.
    pub(crate) fn clear(&mut self) {
        self.text.clear();
        self.pieces.clear();
        self.links.clear();
    }

    /// How many pieces it has.
    pub(crate) fn len(&self) -> usize {
        self.pieces.len()
    }

    /// Whether there is nothing in it.
    pub(crate) fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Whether nothing in it would be seen.
    pub(crate) fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
            && self
                .pieces
                .iter()
                .all(|(_, piece)| matches!(piece, Piece::Text(_) | Piece::Bookmark(_)))
    }

    /// Whether it is text and line ends alone, as the words of a title in the metadata are.
    pub(crate) fn is_plain(&self) -> bool {
        self.pieces.iter().all(|(_, piece)| {
            matches!(
                piece,
                Piece::Text(_) | Piece::Bookmark(_) | Piece::LineBreak
            )
        })
    }

    /// Whether it is code and nothing else.
    pub(crate) fn is_code(&self) -> bool {
        let seen = |piece: &Piece| !matches!(piece, Piece::LineBreak | Piece::Bookmark(_));
        let mut pieces = self.pieces.iter().filter(|(_, piece)| seen(piece));
        !self.text.trim().is_empty()
            && pieces.all(|(look, piece)| look.code && matches!(piece, Piece::Text(_)))
    }

    /// Whether it holds one picture and nothing else that would be seen.
    pub(crate) fn is_picture(&self) -> bool {
        let pictures = self.pieces.iter();
        let pictures = pictures.filter(|(_, piece)| matches!(piece, Piece::Picture(_)));
        self.text.trim().is_empty()
            && pictures.count() == 1
            && self.pieces.iter().all(|(_, piece)| {
                matches!(
                    piece,
                    Piece::Picture(_) | Piece::Text(_) | Piece::Bookmark(_)
                )
            })
    }

    /// Its text with line ends as such, for what becomes lines of code.
    pub(crate) fn lines(&self) -> String {
        let mut lines = String::with_capacity(self.text.len());
        let mut at = 0;
        for (_, piece) in &self.pieces {
            match piece {
                Piece::Text(end) => {
                    lines.push_str(&self.text[at..*end]);
                    at = *end;
                }
                Piece::LineBreak => lines.push('\n'),
                _ => {}
            }
        }
        lines
    }

    /// The name of the first bookmark that stands in front of all text.
    pub(crate) fn leading_bookmark(&self) -> Option<&str> {
        match self.pieces.first()? {
            (_, Piece::Bookmark(name)) => Some(name),
            _ => None,
        }
    }

    /// Takes the box to tick off its beginning, and says whether it is ticked.
    pub(crate) fn take_task(&mut self) -> Option<bool> {
        let (boxes, ticked) = [("\u{2610}", false), ("\u{2612}", true), ("\u{2611}", true)]
            .into_iter()
            .find(|(ticked, _)| {
                let rest = self.text.strip_prefix(ticked);
                rest.is_some_and(|rest| rest.starts_with([' ', '\t', '\u{a0}']))
            })?;
        let cut = boxes.len() + self.text[boxes.len()..].chars().next()?.len_utf8();
        self.text.drain(..cut);
        for (_, piece) in &mut self.pieces {
            if let Piece::Text(end) = piece {
                *end = end.saturating_sub(cut);
            }
        }
        Some(ticked)
    }

    /// Takes out the only picture. None if there is none, or another one.
    pub(crate) fn take_picture(&mut self) -> Option<Picture> {
        let is_picture = |piece: &(Look, Piece)| matches!(piece.1, Piece::Picture(_));
        let at = self.pieces.iter().position(is_picture)?;
        if self.pieces[at + 1..].iter().any(is_picture) {
            return None;
        }
        match self.pieces.remove(at) {
            (_, Piece::Picture(picture)) => Some(*picture),
            _ => None,
        }
    }

    /// A formula that stands alone is set in a line of its own.
    pub(crate) fn show_alone(&mut self) {
        let formulas = self.pieces.iter();
        let formulas = formulas.filter(|(_, piece)| matches!(piece, Piece::Math(..)));
        if formulas.count() == 1 {
            let alone = self.text.trim().is_empty()
                && self.pieces.iter().all(|(_, piece)| {
                    matches!(piece, Piece::Math(..) | Piece::Text(_) | Piece::Bookmark(_))
                });
            for (_, piece) in &mut self.pieces {
                if let Piece::Math(_, display) = piece {
                    *display = alone;
                }
            }
        }
    }

    /// Takes away a mark that all of its text has, where that is how the paragraph looks.
    pub(crate) fn unmark(&mut self, mark: Mark) {
        let text = |piece: &Piece| matches!(piece, Piece::Text(_));
        let mut texts = self.pieces.iter().filter(|(_, piece)| text(piece));
        if texts.all(|(look, _)| look.marks.has(mark)) {
            for (look, _) in &mut self.pieces {
                look.marks.set(mark, false);
            }
        }
    }

    /// Takes one space off its end.
    pub(crate) fn trim_end(&mut self) {
        let whole = self.text.len();
        if let Some((_, Piece::Text(end))) = self.pieces.last_mut()
            && *end == whole
            && self.text.ends_with(' ')
        {
            self.text.pop();
            *end -= 1;
        }
    }

    /// Takes white space off its beginning, as stands behind the number of a note.
    pub(crate) fn trim_start(&mut self) {
        let cut = self.text.len() - self.text.trim_start().len();
        self.text.drain(..cut);
        for (_, piece) in &mut self.pieces {
            if let Piece::Text(end) = piece {
                *end = end.saturating_sub(cut);
            }
        }
    }

    /// Adds all of it to a tree, and is empty afterwards. `open` opens what it stands in, once for each page: there is no
    /// break of pages within a paragraph of the tree. A line that holds nothing but such breaks becomes no paragraph.
    pub(crate) fn write(
        &mut self,
        build: &mut Builder<'_>,
        mut open: impl FnMut(&mut Builder<'_>) -> Result<()>,
    ) -> Result<()> {
        let text = std::mem::take(&mut self.text);
        let links = std::mem::take(&mut self.links);
        let mut at = 0;
        let mut opened = Vec::new();
        let mut in_paragraph = false;
        let mut broken = false;
        for (look, piece) in self.pieces.drain(..) {
            if let Piece::PageBreak = piece {
                if in_paragraph {
                    close_down_to(build, &mut opened, 0)?;
                    build.close()?;
                    in_paragraph = false;
                }
                build.page_break()?;
                broken = true;
                continue;
            }
            if !in_paragraph {
                open(build)?;
                in_paragraph = true;
            }
            wear(build, &mut opened, look, &links)?;
            match piece {
                Piece::Text(end) => {
                    let piece = text.get(at..end).unwrap_or_default();
                    if look.code {
                        build.code(piece)?;
                    } else {
                        build.text(piece)?;
                    }
                    at = end;
                }
                Piece::LineBreak => build.line_break()?,
                Piece::PageBreak => {}
                Piece::Field(field) => build.field(field)?,
                Piece::Note(note) => build.note(note)?,
                Piece::Picture(picture) => build.picture(*picture)?,
                Piece::Math(tex, display) => build.math(tex, display)?,
                Piece::Bookmark(name) => build.bookmark(&name)?,
            }
        }
        if !in_paragraph && !broken {
            open(build)?;
            in_paragraph = true;
        }
        if in_paragraph {
            close_down_to(build, &mut opened, 0)?;
            build.close()?;
        }
        // The next paragraph fills the same memory.
        self.text = text;
        self.text.clear();
        Ok(())
    }
}

/// A container that is open around the next piece.
#[derive(Clone, Copy, PartialEq)]
enum Open {
    Link(u32),
    Mark(Mark),
    Style(TextStyleId),
}

/// Closes and opens what has to be for the next piece to have this look.
fn wear(
    build: &mut Builder<'_>,
    opened: &mut Vec<Open>,
    look: Look,
    links: &[(Box<str>, Box<str>)],
) -> Result<()> {
    let wanted = |open: &Open| match open {
        Open::Link(link) => look.link == Some(*link),
        Open::Mark(mark) => look.marks.has(*mark),
        Open::Style(style) => look.style == *style,
    };
    // A link takes no part in what is inside of it, so it stands around all else.
    let link_missing = look
        .link
        .is_some_and(|link| !opened.contains(&Open::Link(link)));
    let kept = if link_missing {
        0
    } else {
        opened.iter().take_while(|open| wanted(open)).count()
    };
    close_down_to(build, opened, kept)?;
    if let Some(link) = look.link
        && link_missing
        && let Some((target, title)) = links.get(link as usize)
    {
        build.open(Node::Link {
            target: target.clone(),
            title: title.clone(),
        })?;
        opened.push(Open::Link(link));
    }
    for mark in look.marks.all() {
        if !opened.contains(&Open::Mark(mark)) {
            build.open(Node::Marked(mark))?;
            opened.push(Open::Mark(mark));
        }
    }
    if look.style != TextStyleId::default() && !opened.contains(&Open::Style(look.style)) {
        build.open(Node::Span(look.style))?;
        opened.push(Open::Style(look.style));
    }
    Ok(())
}

fn close_down_to(build: &mut Builder<'_>, opened: &mut Vec<Open>, kept: usize) -> Result<()> {
    while opened.len() > kept {
        opened.pop();
        build.close()?;
    }
    Ok(())
}
