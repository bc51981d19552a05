//! Remarks on the files of an archive, and how many there may be: an archive of ten thousand damaged files must not have ten
//! thousand sentences.

use crate::job::Notes;

/// Remarks that are kept.
const MOST: usize = 40;
/// The longest name in a remark, and the longest remark, in characters.
const MOST_NAME: usize = 100;
const MOST_TEXT: usize = 300;

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Remarks {
    notes: Notes,
    /// Failures and remarks that are not among the notes.
    failures: usize,
    others: usize,
}

impl Remarks {
    /// A file could not be converted.
    pub(super) fn failed(&mut self, name: &str, why: &str) {
        if self.notes.0.len() < MOST {
            self.notes.add(about(name, &format!("left out: {why}")));
        } else {
            self.failures += 1;
        }
    }

    /// Something about the result of a file.
    pub(super) fn add(&mut self, name: &str, remark: &str) {
        if self.notes.0.len() < MOST {
            self.notes.add(about(name, remark));
        } else {
            self.others += 1;
        }
    }

    /// The first of them.
    pub(super) fn first(&self) -> Option<&str> {
        self.notes.0.first().map(String::as_str)
    }

    /// The result is an archive.
    pub(super) fn mark_archive(&mut self) {
        self.notes.mark_archive();
    }

    /// All of them, with a sentence about those that are not among them.
    pub(super) fn into_notes(mut self) -> Notes {
        match (self.failures, self.others) {
            (0, 0) => {}
            (0, others) => self.notes.add(format!("There are {others} more remarks.")),
            (failures, _) => self
                .notes
                .add(format!("{failures} more files could not be converted.")),
        }
        self.notes
    }
}

fn about(name: &str, text: &str) -> String {
    let cut = |text: &str, most: usize| text.chars().take(most).collect::<String>();
    let printable: String = name.chars().filter(|c| !c.is_control()).collect();
    let mut remark = format!("{}: {}", cut(&printable, MOST_NAME), cut(text, MOST_TEXT));
    if !remark.ends_with('.') {
        remark.push('.');
    }
    remark
}
