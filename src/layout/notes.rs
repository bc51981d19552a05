//! Numbers notes in the order of their references: footnotes 1, 2, 3 and endnotes i, ii, iii. Sets no text.

use convertd_tree::{NoteId, NoteKind, Numeral, numbering};
use std::collections::HashMap;

/// Notes with references so far.
#[derive(Default)]
pub struct NoteNumbers {
    labels: HashMap<NoteId, String>,
    footnotes: u32,
    /// Endnotes in the order of their first references.
    pub endnotes: Vec<NoteId>,
}

impl NoteNumbers {
    /// The reference mark of a note, and whether this is its first reference.
    pub fn label(&mut self, id: NoteId, kind: NoteKind) -> (String, bool) {
        if let Some(label) = self.labels.get(&id) {
            return (label.clone(), false);
        }
        let label = match kind {
            NoteKind::Footnote => {
                self.footnotes += 1;
                self.footnotes.to_string()
            }
            NoteKind::Endnote => {
                self.endnotes.push(id);
                numbering::write(self.endnotes.len() as u32, Numeral::LowerRoman)
            }
        };
        self.labels.insert(id, label.clone());
        (label, true)
    }

    /// The reference mark of a note, without counting the note. `00`, of an average width, for a
    /// note without references so far.
    pub fn peek(&self, id: NoteId) -> &str {
        self.labels.get(&id).map_or("00", String::as_str)
    }
}

/// The name of the destination of a note.
pub fn place(id: NoteId) -> String {
    format!("note\u{1f}{}", id.index())
}

/// The name of the destination of the first reference to a note.
pub fn back(id: NoteId) -> String {
    format!("back\u{1f}{}", id.index())
}
