//! Writes notes (GitHub's footnotes). A note has a name, which renderers replace by a number.

use super::Writer;
use crate::error::Result;
use convertd_tree::{Document, NoteId, losses::Loss};
use std::collections::HashSet;

static NOTE_MARKS: Loss = Loss {
    one: "The marks of notes became numbers from 1 on.",
    many: "The marks of notes became numbers from 1 on.",
};

impl Writer<'_> {
    /// Writes the notes that the text refers to, in the order of their first references.
    pub(super) fn notes(&mut self) -> Result<()> {
        if !self.notes_have_names && !self.order.is_empty() {
            self.losses.add(&NOTE_MARKS);
        }
        for (number, id) in (1..).zip(std::mem::take(&mut self.order)) {
            self.lines.begin()?;
            let blocks = &self.document.note(id).blocks;
            let name = self.note_name(id, number);
            self.nested(format!("[^{name}]: "), "    ", blocks, false)?;
            self.lines.apart = true;
        }
        Ok(())
    }

    /// The name of a note: its mark, or else the number of its first reference.
    pub(super) fn note_name(&self, id: NoteId, number: usize) -> String {
        match self.notes_have_names {
            true => self.document.note_label(id).to_owned(),
            false => number.to_string(),
        }
    }
}

/// Returns whether the reference marks of notes can be their names: the marks consist of letters and digits, and no two
/// notes have the same mark. GitHub reads names without regard to case, so that `A` and `a` are the same. A note
/// without references has an empty mark, and is not written.
pub(super) fn are_names(document: &Document) -> bool {
    let mut known = HashSet::new();
    let mut all =
        (0..document.notes().len()).map(|note| document.note_label(document.note_id(note)));
    all.all(|label| {
        let is_name = label.bytes().all(|byte| byte.is_ascii_alphanumeric());
        label.is_empty() || is_name && known.insert(label.to_ascii_lowercase())
    })
}
