//! Notes on the files of an archive, with a limit on their number: an archive of ten thousand damaged files must not
//! produce ten thousand sentences. Notes beyond the limit are only counted.

use crate::job::{Notes, Tag};

/// Limit on the notes that are shown.
const MAX: usize = 40;
/// The maximum length of a name, in characters.
const MAX_NAME: usize = 100;
/// The maximum length of the text of a note, in characters.
const MAX_TEXT: usize = 300;

/// The notes on a conversion.
#[derive(Debug, Default)]
pub(super) struct MemberNotes {
    notes: Notes,
    /// Number of failures beyond the limit.
    failures: usize,
    /// Number of other notes beyond the limit.
    others: usize,
}

impl MemberNotes {
    /// Records that a file could not be converted.
    pub(super) fn failed(&mut self, name: &str, why: &str) {
        let remark = about(name, &format!("left out: {why}"));
        self.failures += usize::from(!self.keep(remark, Some(Tag::File)));
    }

    /// Records a note about the result for a file.
    fn add(&mut self, name: &str, remark: &str, tag: Option<Tag>) {
        let remark = about(name, remark);
        self.others += usize::from(!self.keep(remark, tag));
    }

    /// Records the notes that a file's own conversion made.
    pub(super) fn add_all(&mut self, name: &str, notes: &Notes) {
        notes.each(|note, tag| self.add(name, note, tag));
    }

    /// Adds a note within the limits, and returns whether it was added. Beyond the limits only its tag is recorded.
    fn keep(&mut self, remark: String, tag: Option<Tag>) -> bool {
        let is_kept = self.notes.0.len() < MAX && self.notes.have_room(remark.len());
        match tag {
            None if is_kept => self.notes.add(remark),
            Some(tag) if is_kept => self.notes.add_tagged(tag, remark),
            Some(tag) => self.notes.mark(tag),
            None => {}
        }
        is_kept
    }

    /// Records a note about the result as a whole, to which [`MAX`] does not apply.
    pub(super) fn say(&mut self, remark: &str) {
        self.notes.add(remark);
    }

    /// The first note.
    pub(super) fn first(&self) -> Option<&str> {
        self.notes.0.first().map(String::as_str)
    }

    /// Records that the result is an archive.
    pub(super) fn mark_archive(&mut self) {
        self.notes.mark_archive();
    }

    /// Returns all notes. If some are beyond the limit, a last note states how many files failed, or else how many other
    /// notes there are.
    pub(super) fn into_notes(mut self) -> Notes {
        match (self.failures, self.others) {
            (0, 0) => {}
            (0, others) => self.notes.add(format!("There are {others} more notes.")),
            (failures, _) => self
                .notes
                .add(format!("{failures} more files could not be converted.")),
        }
        self.notes
    }
}

/// Returns a name as notes show it: without control characters, and cut off after [`MAX_NAME`] characters.
pub(super) fn shown(name: &str) -> String {
    let printable = name.chars().filter(|c| !c.is_control());
    printable.take(MAX_NAME).collect()
}

fn about(name: &str, text: &str) -> String {
    let text: String = text.chars().take(MAX_TEXT).collect();
    let mut remark = format!("{}: {text}", shown(name));
    if !remark.ends_with('.') {
        remark.push('.');
    }
    remark
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_beyond_the_limit_are_counted() {
        let mut notes = MemberNotes::default();
        (0..MAX + 2).for_each(|_| notes.add("a.txt", "cut", None));
        let notes = notes.into_notes().0;
        assert_eq!(notes.len(), MAX + 1);
        assert_eq!(notes[MAX], "There are 2 more notes.");
    }
}
