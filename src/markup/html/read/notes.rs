//! Recognises footnotes and endnotes as EPUB 3 and DPUB-ARIA, GitHub, pandoc and this program write them: a link to the
//! note, and the text of the note elsewhere with a link back. Numbers no notes; writers do.

use super::state::PageReader;
use crate::{dom::Start, error::Result};
use convertd_tree::{NoteId, NoteKind};

/// Returns whether a link refers to a note.
pub(super) fn is_reference(start: &Start<'_>) -> bool {
    start.has_word("role", "doc-noteref")
        || start.has_word("epub:type", "noteref")
        || start.has_word("class", "footnote-ref")
        || start.get("data-footnote-ref").is_some()
}

impl PageReader<'_, '_, '_> {
    /// Handles a link that refers to a note, or leads back from one. Returns false for any other link. The text of the
    /// link is only a number, and is left out.
    pub(super) fn note_reference(&mut self, start: &Start<'_>) -> Result<bool> {
        let is = |attribute: &str, word: &str| start.has_word(attribute, word);
        if is("role", "doc-backlink")
            || is("class", "footnote-back")
            || is("class", "footnote-backref")
            || start.get("data-footnote-backref").is_some()
        {
            self.skips = true;
            return Ok(true);
        }
        let refers = is_reference(start);
        let address = start.get("href").unwrap_or_default();
        let target = self.origin.link(address);
        let Some(name) = target.strip_prefix('#').filter(|_| refers) else {
            return Ok(false);
        };
        let name = name.to_owned();
        if self.hidden > 0 {
            self.skips = true;
            return Ok(true);
        }
        let note = match self.notes.get(&name) {
            Some(note) => *note,
            None => {
                let note = self.build.reserve_note(NoteKind::Footnote)?;
                self.notes.insert(name, note);
                note
            }
        };
        // Writers superscript the reference mark themselves.
        self.begin_plainly()?;
        self.build.note(note)?;
        self.skips = true;
        Ok(true)
    }

    /// Returns whether an element contains only notes, of which at least one has been referred to before. Such an
    /// element has no node of its own.
    pub(super) fn begins_notes(&self, start: &Start<'_>) -> bool {
        let is = |word: &str| start.has_word("role", word) || start.has_word("class", word);
        let says = is("doc-endnotes") || is("footnotes") || start.get("data-footnotes").is_some();
        says && !self.notes.is_empty()
    }

    /// The note whose text is in this element. `None` for any other element.
    pub(super) fn note_body(&self, start: &Start<'_>) -> Option<NoteId> {
        let id = start.get("id")?;
        self.notes.get(&*self.origin.name(id)).copied()
    }
}
