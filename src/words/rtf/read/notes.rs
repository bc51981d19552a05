//! Numbering and position of notes (RTF 1.9.1, "Document Formatting Properties" and "Section Formatting Properties").
//! Words that begin with `s` apply to a section, and a section changes only the properties that it states. Reads no
//! notes.

use super::super::notes::FORMATS;
use convertd_tree::{NoteCount, NoteKind, NotePosition, NoteSetup, NoteSetups, numerals::Format};

/// A property of the numbering.
#[derive(Clone, Copy, Debug)]
enum Change {
    Format(Format),
    Start(u32),
    Restart(NoteCount),
    Position(NotePosition),
}

/// Changes that the current section makes to the numbering of the document.
#[derive(Clone, Debug, Default)]
pub(super) struct SectionNotes(Vec<(NoteKind, Change)>);

impl SectionNotes {
    /// Handles a control word, whose property goes to the document or to this section. Returns false for any other
    /// word.
    pub(super) fn word(
        &mut self,
        word: &str,
        number: Option<i32>,
        document: &mut NoteSetups,
    ) -> bool {
        let (is_section, word) = match word.strip_prefix('s') {
            Some(rest) if rest.starts_with("ftn") || rest.starts_with("aftn") => (true, rest),
            _ => (false, word),
        };
        let (kind, word) = match word.strip_prefix('a') {
            Some(rest) => (NoteKind::Endnote, rest),
            None => (NoteKind::Footnote, word),
        };
        let Some(change) = change(word, number) else {
            return false;
        };
        match is_section {
            // A section that repeats a word replaces its value, so a file cannot make the list long.
            true => {
                let same = |(old_kind, old): &(NoteKind, Change)| {
                    *old_kind == kind
                        && std::mem::discriminant(old) == std::mem::discriminant(&change)
                };
                self.0.retain(|old| !same(old));
                self.0.push((kind, change));
            }
            false => apply(change, document.of_mut(kind)),
        }
        true
    }

    /// Returns to the numbering of the document.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Numbering of the section, if it differs from that of the document.
    pub(super) fn setups(&self, document: NoteSetups) -> Option<NoteSetups> {
        let mut setups = document;
        for (kind, change) in &self.0 {
            apply(*change, setups.of_mut(*kind));
        }
        (setups != document).then_some(setups)
    }
}

fn apply(change: Change, setup: &mut NoteSetup) {
    match change {
        Change::Format(format) => setup.format = format,
        Change::Start(start) => setup.start = start,
        Change::Restart(restart) => setup.restart = restart,
        Change::Position(position) => setup.position = position,
    }
}

/// Property that a control word states. `word` is without the prefixes `s` (for a section) and `a` (for endnotes).
fn change(word: &str, number: Option<i32>) -> Option<Change> {
    if let Some(name) = word.strip_prefix("ftnn") {
        let (_, code) = FORMATS.iter().find(|(known, _)| *known == name)?;
        return Format::of_code(*code).map(Change::Format);
    }
    Some(match word {
        "ftnstart" => Change::Start(u32::try_from(number?).ok()?.max(1)),
        "ftnrstcont" => Change::Restart(NoteCount::Document),
        "ftnrestart" => Change::Restart(NoteCount::Section),
        "ftnrstpg" => Change::Restart(NoteCount::Page),
        "ftnbj" => Change::Position(NotePosition::PageEnd),
        "ftntj" => Change::Position(NotePosition::TextEnd),
        "endnotes" => Change::Position(NotePosition::SectionEnd),
        "enddoc" => Change::Position(NotePosition::DocumentEnd),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn section_control_words_override_the_document() {
        let mut document = NoteSetups::default();
        let mut section = SectionNotes::default();
        for (word, number) in [
            ("sftnnchi", None),
            ("ftnnalc", None),
            ("ftnstart", Some(3)),
            ("ftnrstpg", None),
            ("aftnnruc", None),
            ("aendnotes", None),
        ] {
            assert!(section.word(word, number, &mut document), "{word}");
        }
        assert!(!section.word("aspalpha", None, &mut document));
        assert_eq!(document.footnotes.format.write(2), "b");
        assert_eq!(document.footnotes.start, 3);
        assert_eq!(document.footnotes.restart, NoteCount::Page);
        assert_eq!(document.endnotes.format.write(2), "II");
        assert_eq!(document.endnotes.position, NotePosition::SectionEnd);
        let own = section.setups(document).expect("its own numbering");
        assert_eq!(own.footnotes.format.write(2), "†");
        assert_eq!(own.footnotes.restart, NoteCount::Page);
        section.clear();
        assert_eq!(section.setups(document), None);
    }
}
