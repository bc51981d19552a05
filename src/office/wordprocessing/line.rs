//! The content of a paragraph that is being read: a sequence of text, pictures and fields with their formatting. It is
//! added to the tree when the paragraph is complete, because the role of a paragraph may depend on its end.
//!
//! Word processors store text as runs, each with all of its properties. The tree has nested marks and spans. Opening a
//! container for each run would result in `**a****b**` in Markdown. [`Line::write`] therefore opens as few containers
//! as possible, and keeps them open while the following pieces share them.

mod note_mark;
pub(crate) mod ruby;

use super::{
    marks::Marks,
    properties::Font,
    symbol::{in_symbol_font, is_symbol_font},
};
use crate::error::Result;
use convertd_tree::{Builder, Field, Mark, Node, NoteId, Picture, Ruby, TextStyleId};

/// Formatting of a piece.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Formatting {
    /// Marks, such as emphasis.
    pub marks: Marks,
    /// Text style: properties that differ from those of the paragraph.
    pub style: TextStyleId,
    /// Whether the text is inline code.
    pub code: bool,
    /// Number of the link around the text, from [`Line::link`].
    pub link: Option<u32>,
}

/// Content of a paragraph, as a sequence of pieces.
#[derive(Debug, Default)]
pub struct Line {
    /// Text of all pieces.
    text: String,
    /// Pieces with their formatting.
    pieces: Vec<(Formatting, Piece)>,
    /// Targets and titles of links.
    links: Vec<(Box<str>, Box<str>)>,
}

/// Part of a paragraph.
#[derive(Debug)]
enum Piece {
    /// Text from the end of the previous text piece to this byte of `Line::text`.
    Text(usize),
    LineBreak,
    PageBreak,
    ColumnBreak,
    Field(Field),
    Note(NoteId),
    Picture(Box<Picture>),
    /// A formula in TeX, and whether it is a display formula.
    Math(Box<str>, bool),
    Bookmark(Box<str>),
    Ruby(Box<Ruby>),
}

impl Line {
    /// Appends text. Adjacent texts with the same formatting become one piece.
    pub fn text(&mut self, look: Formatting, text: &str) {
        if text.is_empty() {
            return;
        }
        self.text.push_str(text);
        match self.pieces.last_mut() {
            Some((last, Piece::Text(end))) if *last == look => *end = self.text.len(),
            _ => self.pieces.push((look, Piece::Text(self.text.len()))),
        }
    }

    /// Appends text in a font. Characters of symbol fonts are converted to Unicode.
    pub(crate) fn text_in(&mut self, look: Formatting, font: Option<&Font>, text: &str) {
        match font.and_then(Font::name) {
            Some(font) if is_symbol_font(font) => {
                let text: String = text.chars().map(|c| in_symbol_font(font, c)).collect();
                self.text(look, &text);
            }
            _ => self.text(look, text),
        }
    }

    /// Adds a link, and returns its number for [`Formatting::link`]. Consecutive runs with the same target and title
    /// have the same number.
    pub fn link(&mut self, target: &str, title: &str) -> u32 {
        let known = self.links.last();
        if !known.is_some_and(|(last, words)| **last == *target && **words == *title) {
            self.links.push((target.into(), title.into()));
        }
        self.links.len() as u32 - 1
    }

    /// Appends a line break.
    pub fn line_break(&mut self, look: Formatting) {
        self.pieces.push((look, Piece::LineBreak));
    }

    /// Appends a page break.
    pub fn page_break(&mut self) {
        self.pieces.push((Formatting::default(), Piece::PageBreak));
    }

    /// Appends a column break.
    pub fn column_break(&mut self) {
        self.pieces
            .push((Formatting::default(), Piece::ColumnBreak));
    }

    /// Appends a field that depends on the layout, such as the page number.
    pub fn field(&mut self, look: Formatting, field: Field) {
        self.pieces.push((look, Piece::Field(field)));
    }

    /// Appends a word with a text above it.
    pub(super) fn ruby(&mut self, look: Formatting, ruby: Ruby) {
        self.pieces.push((look, Piece::Ruby(Box::new(ruby))));
    }

    /// Appends a note reference. It has no formatting, because writers format it themselves.
    pub fn note(&mut self, note: NoteId) {
        self.pieces.push((Formatting::default(), Piece::Note(note)));
    }

    /// Appends a picture. Only the link of `look` applies to it.
    pub fn picture(&mut self, look: Formatting, picture: Picture) {
        let look = Formatting {
            link: look.link,
            ..Formatting::default()
        };
        self.pieces.push((look, Piece::Picture(Box::new(picture))));
    }

    /// Appends a formula in TeX.
    pub fn math(&mut self, tex: impl Into<Box<str>>, display: bool) {
        self.pieces
            .push((Formatting::default(), Piece::Math(tex.into(), display)));
    }

    /// Appends a bookmark, the target of links.
    pub fn bookmark(&mut self, name: &str) {
        self.pieces
            .push((Formatting::default(), Piece::Bookmark(name.into())));
    }

    /// Removes all content.
    pub fn clear(&mut self) {
        self.text.clear();
        self.pieces.clear();
        self.links.clear();
    }

    /// Returns the number of pieces.
    pub fn len(&self) -> usize {
        self.pieces.len()
    }

    /// Returns whether there are no pieces.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Returns whether no content is visible.
    pub fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
            && self
                .pieces
                .iter()
                .all(|(_, piece)| matches!(piece, Piece::Text(_) | Piece::Bookmark(_)))
    }

    /// Returns whether the line consists only of text, line breaks and bookmarks. Such lines can be stored as metadata.
    pub fn is_plain(&self) -> bool {
        self.pieces.iter().all(|(_, piece)| {
            matches!(
                piece,
                Piece::Text(_) | Piece::Bookmark(_) | Piece::LineBreak
            )
        })
    }

    /// Returns whether all visible content is inline code.
    pub fn is_code(&self) -> bool {
        let seen = |piece: &Piece| !matches!(piece, Piece::LineBreak | Piece::Bookmark(_));
        let mut pieces = self.pieces.iter().filter(|(_, piece)| seen(piece));
        !self.text.trim().is_empty()
            && pieces.all(|(look, piece)| look.code && matches!(piece, Piece::Text(_)))
    }

    /// Returns whether a conversion to lines of code loses only formatting. That is so if the line has no field, note,
    /// picture, formula or ruby, and if the text of each link is the address that the link leads to.
    pub(crate) fn fits_code(&self) -> bool {
        let mut at = 0;
        self.pieces.iter().all(|(look, piece)| match piece {
            Piece::Text(end) => {
                let text = &self.text[std::mem::replace(&mut at, *end)..*end];
                let link = look.link.and_then(|link| self.links.get(link as usize));
                link.is_none_or(|(target, _)| bare_address(target) == bare_address(text))
            }
            Piece::LineBreak | Piece::PageBreak | Piece::ColumnBreak | Piece::Bookmark(_) => true,
            Piece::Field(_)
            | Piece::Note(_)
            | Piece::Picture(_)
            | Piece::Math(..)
            | Piece::Ruby(_) => false,
        })
    }

    /// Returns whether the only visible content is one picture.
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

    /// Returns the text with `\n` for line breaks, for paragraphs that become lines of a code block.
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

    /// Returns the name of the bookmark at the beginning.
    pub(crate) fn leading_bookmark(&self) -> Option<&str> {
        match self.pieces.first()? {
            (_, Piece::Bookmark(name)) => Some(name),
            _ => None,
        }
    }

    /// Removes a check box character (☐, ☑ or ☒) at the beginning, and the space or tab after it. Returns whether the
    /// box is checked. `None` if the line does not begin with a check box and a space or tab.
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

    /// Returns the text before the first tab, which may be the label of a list item. `None` if there is no tab, or if
    /// the part up to the tab has other content than plain text.
    pub fn label(&self) -> Option<&str> {
        let (label, _) = self.text.split_once('\t')?;
        let mut texts = self.pieces.iter().take_while(|(look, piece)| {
            matches!(piece, Piece::Text(_)) && look.link.is_none() && !look.code
        });
        let covers = |piece: &Piece| matches!(piece, Piece::Text(end) if *end > label.len());
        texts.any(|(_, piece)| covers(piece)).then_some(label)
    }

    /// Removes the text up to the first tab, including the tab.
    pub fn cut_label(&mut self) {
        if let Some(tab) = self.text.find('\t') {
            self.cut_start(tab + 1);
        }
    }

    /// Removes and returns the picture, if there is exactly one.
    pub fn take_picture(&mut self) -> Option<Picture> {
        let is_picture = |piece: &(Formatting, Piece)| matches!(piece.1, Piece::Picture(_));
        let at = self.pieces.iter().position(is_picture)?;
        if self.pieces[at + 1..].iter().any(is_picture) {
            return None;
        }
        match self.pieces.remove(at) {
            (_, Piece::Picture(picture)) => Some(*picture),
            _ => None,
        }
    }

    /// If the line has exactly one formula, makes it a display formula if nothing else is visible, and otherwise an
    /// inline formula. Several formulas stay unchanged.
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

    /// Removes a mark that all text has. The mark then belongs to the paragraph: a heading, for example, is bold by
    /// its style.
    pub fn unmark(&mut self, mark: Mark) {
        let text = |piece: &Piece| matches!(piece, Piece::Text(_));
        let mut texts = self.pieces.iter().filter(|(_, piece)| text(piece));
        if texts.all(|(look, _)| look.marks.has(mark)) {
            for (look, _) in &mut self.pieces {
                look.marks.set(mark, false);
            }
        }
    }

    /// Removes one space at the end.
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

    /// Removes white space at the beginning, such as that between the number of a note and its text.
    pub fn trim_start(&mut self) {
        self.cut_start(self.text.len() - self.text.trim_start().len());
    }

    /// Removes a number of bytes of text from the beginning.
    fn cut_start(&mut self, len: usize) {
        self.text.drain(..len);
        for (_, piece) in &mut self.pieces {
            if let Piece::Text(end) = piece {
                *end = end.saturating_sub(len);
            }
        }
    }

    /// Adds the content to the tree, and empties the line. `open` opens the paragraph. It is called once per page or
    /// column, because paragraphs of the tree cannot contain page breaks and column breaks. A line that contains only
    /// page breaks opens no paragraph.
    pub fn write(
        &mut self,
        build: &mut Builder<'_>,
        mut open: impl FnMut(&mut Builder<'_>) -> Result<()>,
    ) -> Result<()> {
        let text = std::mem::take(&mut self.text);
        let links = std::mem::take(&mut self.links);
        // Position in the text, in bytes.
        let mut at = 0;
        // Containers that are open inside the paragraph.
        let mut opened = Vec::new();
        let mut in_paragraph = false;
        // Whether a page break was added.
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
                // The rest of the paragraph belongs to the new column, even if it is empty.
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
                Piece::Ruby(ruby) => build.ruby(&ruby.base, &ruby.above)?,
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
        // Keep the allocated memory for the next paragraph.
        self.text = text;
        self.text.clear();
        Ok(())
    }
}

/// Container that is open in the tree.
#[derive(Clone, Copy, PartialEq)]
enum Open {
    Link(u32),
    Mark(Mark),
    Style(TextStyleId),
}

/// Closes and opens containers for the formatting of the next piece.
fn set_look(
    build: &mut Builder<'_>,
    opened: &mut Vec<Open>,
    look: Formatting,
    links: &[(Box<str>, Box<str>)],
) -> Result<()> {
    let is_shared = |open: &Open| match open {
        Open::Link(link) => look.link == Some(*link),
        Open::Mark(mark) => look.marks.has(*mark),
        Open::Style(style) => look.style == *style,
    };
    // A link must enclose marks. Inside a mark it would be split wherever marks change. Therefore a new link closes all
    // containers.
    let link_missing = look
        .link
        .is_some_and(|link| !opened.contains(&Open::Link(link)));
    let remaining = if link_missing {
        0
    } else {
        opened.iter().take_while(|open| is_shared(open)).count()
    };
    close_down_to(build, opened, remaining)?;
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

/// Closes the innermost containers until only `remaining` are open.
fn close_down_to(build: &mut Builder<'_>, opened: &mut Vec<Open>, remaining: usize) -> Result<()> {
    while opened.len() > remaining {
        opened.pop();
        build.close()?;
    }
    Ok(())
}
/// Returns an address without its scheme and final slash, for comparisons.
fn bare_address(address: &str) -> &str {
    let address = address.trim().trim_end_matches('/');
    let known = ["http://", "https://", "mailto:"];
    let bare = known.iter().find_map(|scheme| address.strip_prefix(scheme));
    bare.unwrap_or(address)
}
