//! Reference marks of notes, and the notes that are not at the foot of a page. The document itself numbers the notes.

use convertd_tree::{Document, NoteCount, NoteId, NoteKind, NoteLabels, NotePosition, NoteSetups};
use std::collections::{HashMap, HashSet};

/// The numbers of all notes, and the notes with references so far.
#[derive(Default)]
pub struct NoteNumbers {
    labels: NoteLabels,
    /// Numbering of the current section.
    pub setups: NoteSetups,
    referred: HashSet<NoteId>,
    /// Notes that are set at the end of the section, in the order of their first references.
    section_end: Vec<NoteId>,
    /// Notes that are set at the end of the document, in the same order.
    document_end: Vec<NoteId>,
}

impl NoteNumbers {
    /// Numbers the notes of a document. `pages` contains the page of each footnote, if an earlier pass determined it.
    pub fn new(document: &Document, pages: &HashMap<NoteId, usize>) -> Self {
        Self {
            labels: document.note_labels(pages),
            setups: document.note_setups,
            ..Self::default()
        }
    }

    /// Registers a reference to a note. Returns the reference mark of the note, and whether the text of the note
    /// belongs on the page of this reference. The text belongs there if this reference is the first one, and the note
    /// does not wait for the end of the section or of the document.
    pub fn refer(&mut self, id: NoteId, kind: NoteKind) -> (String, bool) {
        let label = self.labels.of(id).to_owned();
        if !self.referred.insert(id) {
            return (label, false);
        }
        match self.setups.of(kind).position {
            NotePosition::PageEnd | NotePosition::TextEnd => return (label, true),
            NotePosition::SectionEnd => self.section_end.push(id),
            NotePosition::DocumentEnd => self.document_end.push(id),
        }
        (label, false)
    }

    /// Removes and returns the notes that are set at the end of a section. If `is_last` is true, adds those that are
    /// set at the end of the document.
    pub fn take_ended(&mut self, is_last: bool) -> Vec<NoteId> {
        let mut all = std::mem::take(&mut self.section_end);
        if is_last {
            all.append(&mut self.document_end);
        }
        all
    }

    /// The reference mark of a note.
    pub fn label(&self, id: NoteId) -> &str {
        self.labels.of(id)
    }
}

/// Returns whether the numbers of footnotes depend on the pages of their references.
pub fn restart_on_pages(document: &Document) -> bool {
    let sections = document.sections().iter();
    let mut setups = sections.map(|section| document.note_setups_in(section));
    let restarts = setups.any(|setups| setups.footnotes.restart == NoteCount::Page);
    restarts && !document.notes().is_empty()
}

/// The name of the destination of a note.
pub fn place(id: NoteId) -> String {
    format!("note\u{1f}{}", id.index())
}

/// The name of the destination of the first reference to a note.
pub fn back(id: NoteId) -> String {
    format!("back\u{1f}{}", id.index())
}
