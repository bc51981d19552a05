//! The content of one paragraph while it is being read: a sequence of pieces (text, pictures, fields), each with its
//! look. It is added to the tree only when the paragraph is complete, because the role of a paragraph may be known only
//! at its end.
//!
//! Word processors store text as runs, each with a complete set of properties; the tree has nested marks and spans.
//! Opening a container per run would yield `**a****b**` in Markdown, so [`Line::write`] opens as few containers as
//! possible: one stays open for as long as the following pieces share it.

use super::{
    marks::Marks,
    properties::Font,
    symbol::{in_symbol_font, is_symbol_font},
};
use crate::error::Result;
use convertd_tree::{Builder, Field, Mark, Node, NoteId, Picture, TextStyleId};

/// The look of a piece.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// Its marks, such as emphasis.
    pub marks: Marks,
    /// Its text style, as far as it differs from the paragraph's.
    pub style: TextStyleId,
    /// Whether it is inline code.
    pub code: bool,
    /// The number of the link that it belongs to, from [`Line::link`].
    pub link: Option<u32>,
}

/// The content of a paragraph, as a sequence of pieces.
#[derive(Debug, Default)]
pub struct Line {
    text: String,
    pieces: Vec<(Look, Piece)>,
    links: Vec<(Box<str>, Box<str>)>,
}

#[derive(Debug)]
enum Piece {
    /// Text from the end of the previous text piece up to this byte of `Line::text`.
    Text(usize),
    LineBreak,
    PageBreak,
    ColumnBreak,
    Field(Field),
    Note(NoteId),
    Picture(Box<Picture>),
    Math(Box<str>, bool),
    Bookmark(Box<str>),
}

impl Line {
    /// Appends text. Adjacent pieces of text with the same look become one.
    pub fn text(&mut self, look: Look, text: &str) {
        if text.is_empty() {
            return;
        }
        self.text.push_str(text);
        match self.pieces.last_mut() {
            Some((last, Piece::Text(end))) if *last == look => *end = self.text.len(),
            _ => self.pieces.push((look, Piece::Text(self.text.len()))),
        }
    }

    /// Appends text in a font. The characters of symbol fonts are mapped to Unicode.
    pub(crate) fn text_in(&mut self, look: Look, font: Option<&Font>, text: &str) {
        match font.and_then(Font::name) {
            Some(font) if is_symbol_font(font) => {
                let text: String = text.chars().map(|c| in_symbol_font(font, c)).collect();
                self.text(look, &text);
            }
            _ => self.text(look, text),
        }
    }

    /// Registers a link and returns its number, for [`Look::link`]. Consecutive runs with the same target and title get
    /// the same number.
    pub fn link(&mut self, target: &str, title: &str) -> u32 {
        let known = self.links.last();
        if !known.is_some_and(|(last, words)| **last == *target && **words == *title) {
            self.links.push((target.into(), title.into()));
        }
        self.links.len() as u32 - 1
    }

    /// Appends a line break.
    pub fn line_break(&mut self, look: Look) {
        self.pieces.push((look, Piece::LineBreak));
    }

    /// Appends a page break.
    pub fn page_break(&mut self) {
        self.pieces.push((Look::default(), Piece::PageBreak));
    }

    /// Appends a column break.
    pub fn column_break(&mut self) {
        self.pieces.push((Look::default(), Piece::ColumnBreak));
    }

    /// Appends a field that only the layout can fill in, such as the page number.
    pub fn field(&mut self, look: Look, field: Field) {
        self.pieces.push((look, Piece::Field(field)));
    }

    /// Appends a note reference. It gets no look, since writers style the reference mark themselves.
    pub fn note(&mut self, note: NoteId) {
        self.pieces.push((Look::default(), Piece::Note(note)));
    }

    /// Appends a picture. It keeps the link of its look, but no marks.
    pub fn picture(&mut self, look: Look, picture: Picture) {
        let look = Look {
            link: look.link,
            ..Look::default()
        };
        self.pieces.push((look, Piece::Picture(Box::new(picture))));
    }

    /// Appends a formula in TeX.
    pub fn math(&mut self, tex: impl Into<Box<str>>, display: bool) {
        self.pieces
            .push((Look::default(), Piece::Math(tex.into(), display)));
    }

    /// Appends a bookmark, which links may point to.
    pub fn bookmark(&mut self, name: &str) {
        self.pieces
            .push((Look::default(), Piece::Bookmark(name.into())));
    }

    pub fn clear(&mut self) {
        self.text.clear();
        self.pieces.clear();
        self.links.clear();
    }

    /// The number of pieces.
    pub fn len(&self) -> usize {
        self.pieces.len()
    }

    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Returns whether nothing in it is visible.
    pub fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
            && self
                .pieces
                .iter()
                .all(|(_, piece)| matches!(piece, Piece::Text(_) | Piece::Bookmark(_)))
    }

    /// Returns whether it has only text and line breaks, so that it can be stored as metadata.
    pub fn is_plain(&self) -> bool {
        self.pieces.iter().all(|(_, piece)| {
            matches!(
                piece,
                Piece::Text(_) | Piece::Bookmark(_) | Piece::LineBreak
            )
        })
    }

    /// Returns whether all its visible content is inline code.
    pub fn is_code(&self) -> bool {
        let seen = |piece: &Piece| !matches!(piece, Piece::LineBreak | Piece::Bookmark(_));
        let mut pieces = self.pieces.iter().filter(|(_, piece)| seen(piece));
        !self.text.trim().is_empty()
            && pieces.all(|(look, piece)| look.code && matches!(piece, Piece::Text(_)))
    }

    /// Returns whether nothing but looks is lost if it becomes lines of code: there are no pictures, notes and
    /// formulas, and the links are addresses that the text shows.
    pub(crate) fn fits_code(&self) -> bool {
        let mut at = 0;
        self.pieces.iter().all(|(look, piece)| match piece {
            Piece::Text(end) => {
                let text = &self.text[std::mem::replace(&mut at, *end)..*end];
                let link = look.link.and_then(|link| self.links.get(link as usize));
                link.is_none_or(|(target, _)| bare_address(target) == bare_address(text))
            }
            Piece::LineBreak | Piece::PageBreak | Piece::ColumnBreak | Piece::Bookmark(_) => true,
            Piece::Field(_) | Piece::Note(_) | Piece::Picture(_) | Piece::Math(..) => false,
        })
    }

    /// Returns whether its only visible content is a single picture.
    pub fn is_picture(&self) -> bool {
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

    /// Its text with each line break as `\n`. Used where the paragraph becomes lines of a code block.
    pub fn lines(&self) -> String {
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

    /// The name of the bookmark at its very beginning.
    pub(crate) fn leading_bookmark(&self) -> Option<&str> {
        match self.pieces.first()? {
            (_, Piece::Bookmark(name)) => Some(name),
            _ => None,
        }
    }

    /// Removes a leading check box character (☐, ☑ or ☒) with the space behind it, and returns whether the box is
    /// checked.
    pub(crate) fn take_task(&mut self) -> Option<bool> {
        let (boxes, ticked) = [("\u{2610}", false), ("\u{2612}", true), ("\u{2611}", true)]
            .into_iter()
            .find(|(ticked, _)| {
                let rest = self.text.strip_prefix(ticked);
                rest.is_some_and(|rest| rest.starts_with([' ', '\t', '\u{a0}']))
            })?;
        let cut = boxes.len() + self.text[boxes.len()..].chars().next()?.len_utf8();
        self.cut_start(cut);
        Some(ticked)
    }

    /// The text before its first tab, where the label of a list item may be. `None` if something other than text is
    /// there.
    pub fn label(&self) -> Option<&str> {
        let (label, _) = self.text.split_once('\t')?;
        let mut texts = self.pieces.iter().take_while(|(look, piece)| {
            matches!(piece, Piece::Text(_)) && look.link.is_none() && !look.code
        });
        let covers = |piece: &Piece| matches!(piece, Piece::Text(end) if *end > label.len());
        texts.any(|(_, piece)| covers(piece)).then_some(label)
    }

    /// Removes the text up to and including its first tab.
    pub fn cut_label(&mut self) {
        if let Some(tab) = self.text.find('\t') {
            self.cut_start(tab + 1);
        }
    }

    /// Removes and returns its picture, provided that it has exactly one.
    pub fn take_picture(&mut self) -> Option<Picture> {
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

    /// Makes a formula a display formula if it is the paragraph's only visible content, and an inline formula
    /// otherwise.
    pub fn show_alone(&mut self) {
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

    /// Removes a mark if all text has it. It then belongs to the look of the paragraph, as with the bold text of a
    /// heading.
    pub fn unmark(&mut self, mark: Mark) {
        let text = |piece: &Piece| matches!(piece, Piece::Text(_));
        let mut texts = self.pieces.iter().filter(|(_, piece)| text(piece));
        if texts.all(|(look, _)| look.marks.has(mark)) {
            for (look, _) in &mut self.pieces {
                look.marks.set(mark, false);
            }
        }
    }

    /// Removes a single space from the end.
    pub fn trim_end(&mut self) {
        let whole = self.text.len();
        if let Some((_, Piece::Text(end))) = self.pieces.last_mut()
            && *end == whole
            && self.text.ends_with(' ')
        {
            self.text.pop();
            *end -= 1;
        }
    }

    /// Removes leading white space, such as the space between the number of a note and its text.
    pub fn trim_start(&mut self) {
        self.cut_start(self.text.len() - self.text.trim_start().len());
    }

    /// Removes this many bytes of text from the beginning.
    fn cut_start(&mut self, len: usize) {
        self.text.drain(..len);
        for (_, piece) in &mut self.pieces {
            if let Piece::Text(end) = piece {
                *end = end.saturating_sub(len);
            }
        }
    }

    /// Adds the content to the tree and leaves the line empty. `open` opens the enclosing paragraph. It is called once
    /// per page, because paragraphs in the tree contain no page breaks; a line that holds nothing but page breaks opens
    /// no paragraph at all.
    pub fn write(
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
            if let Piece::ColumnBreak = piece {
                if in_paragraph {
                    close_down_to(build, &mut opened, 0)?;
                    build.close()?;
                }
                build.column_break()?;
                // The rest of the paragraph stands in the new column, even if it shows nothing.
                open(build)?;
                in_paragraph = true;
                continue;
            }
            if !in_paragraph {
                open(build)?;
                in_paragraph = true;
            }
            set_look(build, &mut opened, look, &links)?;
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
                Piece::PageBreak | Piece::ColumnBreak => {}
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
        // Keep the buffer, so that the next paragraph does not have to allocate one.
        self.text = text;
        self.text.clear();
        Ok(())
    }
}

/// A container that is currently open in the tree.
#[derive(Clone, Copy, PartialEq)]
enum Open {
    Link(u32),
    Mark(Mark),
    Style(TextStyleId),
}

/// Closes and opens containers so that the next piece gets this look.
fn set_look(
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
    // A link has to enclose its marks: nested inside one, it would be split wherever the marks change. So a new link
    // closes everything first.
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
/// An address, shortened for display.
fn bare_address(address: &str) -> &str {
    let address = address.trim().trim_end_matches('/');
    let known = ["http://", "https://", "mailto:"];
    let bare = known.iter().find_map(|scheme| address.strip_prefix(scheme));
    bare.unwrap_or(address)
}
