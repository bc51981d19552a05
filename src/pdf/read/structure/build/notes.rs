//! Notes of a structure tree, and the marks that refer to them. A reference in the text is matched with the note that
//! begins with the same mark, because files seldom link references to notes.

use super::{Label, TextStyle, Writer};
use crate::{error::Result, read::structure::Role};
use convertd_tree::{Node, NoteKind};

/// Limit on the length of a mark, in bytes.
const LONGEST_MARK: usize = 8;

impl Writer<'_, '_> {
    /// Collects all notes, grouped by their marks.
    pub(super) fn find_notes(&mut self) {
        let elements = (0..).zip(&self.structure.elements);
        let notes: Vec<u32> = elements
            .filter(|(_, element)| element.role == Role::Note)
            .map(|(number, _)| number)
            .collect();
        // The notes are pushed in reverse order, so that the first note with a mark is on top of its stack.
        for note in notes.into_iter().rev() {
            let mark = as_mark(&self.label(note).unwrap_or_else(|| self.words(note)));
            self.notes.entry(mark).or_default().push(note);
        }
    }

    /// The note that a reference in the text refers to: the next note with the same mark that is not written yet.
    /// `None` if no such note is left.
    pub(super) fn note_of(&self, reference: u32) -> Option<u32> {
        let mark = as_mark(&self.words(reference));
        let notes = self.notes.get(&mark)?;
        notes.last().copied().filter(|_| !mark.is_empty())
    }

    /// Writes the note of a reference at the position of the reference. Without such a note, writes nothing.
    pub(super) fn reference(&mut self, reference: u32) -> Result<()> {
        let mark = as_mark(&self.words(reference));
        let Some(note) = self.notes.get_mut(&mark).and_then(Vec::pop) else {
            return Ok(());
        };
        self.done.insert(note);
        // The target format generates the mark of a note, so a mark at the start of its text is dropped. A label
        // element in a note is always left out.
        self.dropped_label = match self.label(note) {
            Some(_) => None,
            None => Some(Label::Words(mark)),
        };
        self.composer.builder.open(Node::Note(NoteKind::Footnote))?;
        self.within += 1;
        self.flow(note, TextStyle::Paragraphs)?;
        self.within -= 1;
        self.dropped_label = None;
        self.has_text = true;
        self.composer.builder.close()
    }
}

/// The mark at the start of a text, without the brackets, dots and colons around it. Empty if the text does not begin
/// with a mark.
fn as_mark(text: &str) -> String {
    let word = text.split_whitespace().next().unwrap_or_default();
    // A mark consists of digits and signs, or is a single ASCII letter.
    let mark = word.trim_matches(['[', ']', '(', ')', '.', ':']);
    let is_mark = |c: char| c.is_ascii_digit() || (!c.is_alphanumeric() && !c.is_control());
    match mark.len() <= LONGEST_MARK && (mark.chars().all(is_mark) || mark.len() == 1) {
        true => mark.to_owned(),
        false => String::new(),
    }
}
