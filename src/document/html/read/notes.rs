//! Footnotes and endnotes, as books (EPUB 3, DPUB-ARIA), GitHub, pandoc and this program write them: a link to a note, and the note
//! somewhere behind, with a link back.

use super::state::{Capture, Reader};
use crate::{
    document::{
        html::{tag::Tag, tokens::Start},
        tree::{NoteId, NoteKind},
    },
    error::Result,
};

impl Reader<'_, '_, '_> {
    /// Whether a link refers to a note, or leads back from one. What it shows is left out: a number.
    pub(super) fn note_reference(&mut self, start: &Start) -> Result<bool> {
        let is = |attribute: &str, word: &str| start.has_word(attribute, word);
        if is("role", "doc-backlink")
            || is("class", "footnote-back")
            || is("class", "footnote-backref")
            || start.get("data-footnote-backref").is_some()
        {
            self.skip(Tag::A);
            return Ok(true);
        }
        let refers = is("role", "doc-noteref")
            || is("epub:type", "noteref")
            || is("class", "footnote-ref")
            || start.get("data-footnote-ref").is_some();
        let address = start.get("href").unwrap_or_default();
        let target = self.origin.link(address);
        let Some(name) = target.strip_prefix('#').filter(|_| refers) else {
            return Ok(false);
        };
        let name = name.to_owned();
        if self.hidden > 0 {
            self.skip(Tag::A);
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
        // The raised number is a matter of whoever shows it.
        self.begin_plainly()?;
        self.build.note(note)?;
        self.capture = Some(Capture::Skip(Tag::A, 1));
        Ok(true)
    }

    /// Whether an element holds nothing but notes: then it is none of the tree's.
    pub(super) fn begins_notes(&self, start: &Start) -> bool {
        let is = |word: &str| start.has_word("role", word) || start.has_word("class", word);
        let says = is("doc-endnotes") || is("footnotes") || start.get("data-footnotes").is_some();
        says && !self.notes.is_empty()
    }

    /// The note whose text an element is.
    pub(super) fn note_body(&self, start: &Start) -> Option<NoteId> {
        let id = start.get("id")?;
        self.notes.get(&*self.origin.name(id)).copied()
    }
}
