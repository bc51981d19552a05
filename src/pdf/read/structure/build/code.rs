//! Code in tagged files: blocks and pieces of a line, and listings without a tag of their own. Finds no code in files
//! without tags.

use super::{
    super::{Kid, Role},
    Parts, Writer,
};
use crate::{
    error::Result,
    read::text::{block::BlockKind, lines::Line, passages},
};

impl<'s> Writer<'s, '_> {
    /// Returns whether a text in an element of this role is a listing: several lines directly in a group, section or
    /// quote, all of them in a monospaced font, if the body text of the file is not monospaced. Browsers have no tag
    /// for a `pre` that contains no `code`, and its text is in no paragraph.
    pub(super) fn is_listing(&self, around: Role, text: u32) -> bool {
        let in_block = matches!(around, Role::Group | Role::Section | Role::Quote);
        let Some(parts) = self
            .texts
            .get(&text)
            .filter(|_| in_block && !self.body.fixed)
        else {
            return false;
        };
        let mut lines = parts.iter().flat_map(|(_, part)| &part.lines);
        let Some(first) = lines.clone().next() else {
            return false;
        };
        let is_fixed = |line: &Line| line.runs.iter().all(|run| run.style.fixed);
        lines.clone().all(is_fixed) && lines.any(|line| (line.y - first.y).abs() > 0.5 * first.size)
    }

    /// Writes a text as a code block.
    pub(super) fn listing(&mut self, number: u32, text: u32) -> Result<()> {
        self.mark_page_of(number)?;
        let mut slices: Vec<(&[Line], &[String])> = Vec::new();
        self.lines_of_text(text, &mut slices);
        let spans = passages::spans(&slices, &BlockKind::Code, &self.body);
        self.composer.builder.code_block("", passages::text(&spans))
    }

    /// Returns whether the text of an element has at most one line.
    pub(super) fn is_line(&self, number: u32) -> bool {
        let mut slices: Vec<(&[Line], &[String])> = Vec::new();
        self.lines_of(number, &mut slices);
        slices.iter().map(|(lines, _)| lines.len()).sum::<usize>() < 2
    }

    /// Adds code to the open paragraph.
    pub(super) fn code_in_line(&mut self, number: u32) -> Result<()> {
        let mut slices: Vec<(&[Line], &[String])> = Vec::new();
        self.lines_of(number, &mut slices);
        let spans = passages::spans(&slices, &BlockKind::Text, &self.body);
        let first = first_text(&self.structure.element(number).kids);
        let parts = first.and_then(|text| self.texts.get(&text));
        let is_spaced = |parts: &Parts<'_>| parts.iter().take(1).any(|(_, part)| part.spaced);
        if self.has_text && parts.is_some_and(is_spaced) {
            self.composer.builder.text(" ")?;
        }
        self.composer
            .builder
            .code(passages::text(&spans).trim_end())
    }

    /// Writes a code block.
    pub(super) fn code(&mut self, number: u32) -> Result<()> {
        self.mark_page_of(number)?;
        let mut slices: Vec<(&[Line], &[String])> = Vec::new();
        self.lines_of(number, &mut slices);
        let spans = passages::spans(&slices, &BlockKind::Code, &self.body);
        let regions = self.regions_of_block(number);
        let is_placed = self.composer.open_regions(&regions)?;
        self.composer
            .builder
            .code_block("", passages::text(&spans))?;
        self.composer.close_regions(is_placed)
    }

    /// Collects all lines of an element, with the links of their pages.
    pub(super) fn lines_of(&self, number: u32, slices: &mut Vec<(&'s [Line], &'s [String])>) {
        for kid in &self.structure.element(number).kids {
            match kid {
                Kid::Text(text) => self.lines_of_text(*text, slices),
                Kid::Element(kid) => self.lines_of(*kid, slices),
            }
        }
    }

    /// Collects the lines of a text, with the links of their pages.
    fn lines_of_text(&self, text: u32, slices: &mut Vec<(&'s [Line], &'s [String])>) {
        let pages = self.pages;
        let parts = self.texts.get(&text).into_iter().flatten();
        slices.extend(parts.map(|(page, part)| (&part.lines[..], &pages[*page].links[..])));
    }
}

/// Number of the first text among the children of an element.
fn first_text(kids: &[Kid]) -> Option<u32> {
    kids.iter().find_map(|kid| match kid {
        Kid::Text(text) => Some(*text),
        Kid::Element(_) => None,
    })
}
