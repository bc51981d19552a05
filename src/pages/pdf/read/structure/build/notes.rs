//! Notes of a structure tree and the marks that refer to them. They are matched by the text of the
//! mark, because files seldom link them.

use super::{Leaves, Lines, Writer};
use crate::{error::Result, pdf::read::structure::Role};
use convertd_tree::{Node, NoteKind};

/// Limit on the length of a mark, in bytes.
const LONGEST_MARK: usize = 8;

impl Writer<'_, '_> {
    /// Collects all notes by their marks.
    pub(super) fn find_notes(&mut self) {
        let elements = (0..).zip(&self.structure.elements);
        let notes: Vec<u32> = elements
            .filter(|(_, element)| element.role == Role::Note)
            .map(|(number, _)| number)
            .collect();
        for note in notes.into_iter().rev() {
            let mark = as_mark(&self.label(note).unwrap_or_else(|| self.words(note)));
            self.notes.entry(mark).or_default().push(note);
        }
    }

    /// Note that a mark in the text refers to.
    pub(super) fn note_of(&self, reference: u32) -> Option<u32> {
        let mark = as_mark(&self.words(reference));
        let notes = self.notes.get(&mark)?;
        notes.last().copied().filter(|_| !mark.is_empty())
    }

    /// Writes a note at its mark.
    pub(super) fn reference(&mut self, reference: u32) -> Result<()> {
        let mark = as_mark(&self.words(reference));
        let Some(note) = self.notes.get_mut(&mark).and_then(Vec::pop) else {
            return Ok(());
        };
        self.done.insert(note);
        self.leaves_out = match self.label(note) {
            Some(_) => None,
            None => Some(Leaves::Words(mark)),
        };
        self.composer.builder.open(Node::Note(NoteKind::Footnote))?;
        self.within += 1;
        self.flow(note, Lines::Paragraphs)?;
        self.within -= 1;
        self.leaves_out = None;
        self.has_text = true;
        self.composer.builder.close()
    }
}

/// Mark at the start of a text, without brackets; empty if it does not begin with a mark.
fn as_mark(text: &str) -> String {
    let word = text.split_whitespace().next().unwrap_or_default();
    let mark = word.trim_matches(['[', ']', '(', ')', '.', ':']);
    let is_mark = |c: char| c.is_ascii_digit() || (!c.is_alphanumeric() && !c.is_control());
    match mark.len() <= LONGEST_MARK && (mark.chars().all(is_mark) || mark.len() == 1) {
        true => mark.to_owned(),
        false => String::new(),
    }
}
