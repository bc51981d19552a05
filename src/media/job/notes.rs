//! What a converter says of its result: remarks, and whether the result is an archive. Never errors: the conversion has
//! succeeded.
//!
//! Notes are limited, in number and in bytes, whatever converters say: they travel from a child in one message, and are stored with
//! the result.

use serde::{Deserialize, Serialize};

/// The most remarks that are kept.
const MOST: usize = 50;
/// The maximum length of a remark, and of all of them together, in bytes. JSON takes up to twice as much.
const MOST_EACH: usize = 1000;
const MOST_TOGETHER: usize = 12 << 10;

/// Remarks on the result for the person who asked: what was left out or changed on the way.
///
/// A result is one file in the target format, unless the converter [says](Self::mark_archive) that it is a ZIP archive of
/// such files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notes(pub Vec<String>, bool, usize);

impl Notes {
    /// Adds a remark, which must be a whole sentence. If there are too many already, it is only counted, and the last remark says
    /// how many there are beside those that are kept.
    pub fn add(&mut self, remark: impl Into<String>) {
        let remark = shorten(remark.into());
        if self.2 == 0 && self.0.len() < MOST && self.len() + remark.len() <= MOST_TOGETHER {
            return self.0.push(remark);
        }
        self.2 += 1;
        if self.2 > 1 {
            self.0.pop();
        }
        self.0.push(match self.2 {
            1 => "There is one more remark.".to_owned(),
            more => format!("There are {more} more remarks."),
        });
    }

    /// Adds several remarks.
    pub fn extend(&mut self, remarks: impl IntoIterator<Item = impl Into<String>>) {
        remarks.into_iter().for_each(|remark| self.add(remark));
    }

    /// Whether so many bytes more would be kept, and a further remark as long as can be.
    #[cfg(feature = "document")]
    pub fn have_room(&self, bytes: usize) -> bool {
        self.0.len() + 1 < MOST && self.len() + bytes.min(MOST_EACH) + MOST_EACH <= MOST_TOGETHER
    }

    /// The length of all remarks in bytes.
    fn len(&self) -> usize {
        self.0.iter().map(String::len).sum()
    }

    /// Adds these remarks to others, each of which is said once.
    #[cfg(feature = "document")]
    pub fn tell_once(self, others: &mut Self) {
        for remark in self.0 {
            if !others.0.contains(&remark) {
                others.add(remark);
            }
        }
    }

    /// Says that the result is a ZIP archive of files in the target format, rather than one such file. Its media type and the
    /// extension of its name follow from that; the target format stays the one that was asked for.
    pub fn mark_archive(&mut self) {
        self.1 = true;
    }

    /// Whether the result is a ZIP archive of files in the target format.
    pub fn is_archive(&self) -> bool {
        self.1
    }
}

/// Cuts a remark to [`MOST_EACH`] bytes, and takes out what would be written as six bytes of JSON or upset a terminal.
fn shorten(mut remark: String) -> String {
    if remark.len() > MOST_EACH {
        remark.truncate(remark.floor_char_boundary(MOST_EACH - '…'.len_utf8()));
        remark.push('…');
    }
    match remark.contains(char::is_control) {
        true => remark.replace(char::is_control, " "),
        false => remark,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a message from a child may have; see `engine/isolation/channel.rs`.
    const MESSAGE: usize = 32 << 10;

    #[track_caller]
    fn check(remark: &str, count: usize, kept: usize, last: &str) {
        let mut notes = Notes::default();
        notes.extend((0..count).map(|_| remark));
        assert_eq!(notes.0.len(), kept);
        assert_eq!(notes.0.last().map(String::as_str), Some(last));
        let message = serde_json::to_vec(&notes).expect("it is JSON");
        assert!(message.len() < MESSAGE - 100, "{} bytes", message.len());
    }

    #[test]
    fn notes_are_limited_in_number_and_in_bytes() {
        check("So.", 50, 50, "So.");
        check("So.", 51, 51, "There is one more remark.");
        check("So.", 5000, 51, "There are 4950 more remarks.");
        let long = "漢".repeat(400);
        let cut = format!("{}…", "漢".repeat(332));
        check(&long, 1, 1, &cut);
        check(&long, 12, 12, &cut);
        check(&long, 40, 13, "There are 28 more remarks.");
        check(&"\"".repeat(2000), 100, 13, "There are 88 more remarks.");
        check("a\u{1b}[2J\nb", 1, 1, "a [2J b");
        check(&"\u{1}".repeat(999), 100, 13, "There are 88 more remarks.");
    }
}
