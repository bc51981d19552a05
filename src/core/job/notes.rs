//! A converter's report on its result: remarks, and whether the result is an archive. Contains no errors, because the
//! conversion has succeeded.
//!
//! The number and the total size of notes are limited, whatever a converter adds, because they travel from a child in
//! one message and are stored with the result.

use serde::{Deserialize, Serialize};

/// Largest number of remarks that are kept.
const MAX: usize = 50;
/// Maximum length of a remark, in bytes. In JSON it may take twice as much.
const MAX_REMARK: usize = 1000;
/// Maximum length of all kept remarks together, in bytes. In JSON they may take twice as much.
const MAX_TOTAL: usize = 12 << 10;

/// Kind of a loss that code reacts to. Remarks are sentences for people, and no code compares their words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Tag {
    /// A resource that a page refers to was not sent, and is missing.
    Resource,
    /// A file of an archive is not in the result.
    File,
}

/// Remarks on the result for the person who requested it: losses and changes.
///
/// They also state the kind of the result: one file in the target format, unless the converter [marks
/// it](Self::mark_archive) as a ZIP archive of such files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notes(pub Vec<String>, bool, usize, Vec<Tagged>);

/// A tag, and the index of its remark in the list. The index is `None` if the remark was counted but not kept, or if
/// the tag was recorded without a remark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Tagged(Tag, Option<u8>);

impl Notes {
    /// Adds a remark, which must be a whole sentence. Beyond the limit it is only counted, and the last remark states
    /// the number of further ones.
    pub fn add(&mut self, remark: impl Into<String>) {
        self.keep(remark.into());
    }

    /// Adds a remark together with the tag that code reads.
    pub fn add_tagged(&mut self, tag: Tag, remark: impl Into<String>) {
        let index = self.keep(remark.into());
        self.note(tag, index);
    }

    /// The remarks with this tag, without those that were only counted.
    pub fn tagged(&self, tag: Tag) -> impl Iterator<Item = &str> {
        let matching = self.3.iter().filter(move |tagged| tagged.0 == tag);
        matching
            .filter_map(|tagged| self.0.get(usize::from(tagged.1?)))
            .map(String::as_str)
    }

    /// Returns whether this loss occurred, even if its remark was not kept.
    pub fn has(&self, tag: Tag) -> bool {
        self.3.iter().any(|tagged| tagged.0 == tag)
    }

    /// Records a loss for code, without a remark for people.
    pub fn mark(&mut self, tag: Tag) {
        self.note(tag, None);
    }

    /// Records a tag: one entry for each kept remark, and a single entry without an index for all other occurrences.
    fn note(&mut self, tag: Tag, index: Option<usize>) {
        let index = index.and_then(|index| u8::try_from(index).ok());
        let tagged = Tagged(tag, index);
        if !self.3.contains(&tagged) {
            self.3.push(tagged);
        }
    }

    /// The tag of a remark.
    fn tag(&self, index: usize) -> Option<Tag> {
        let tagged = self.3.iter();
        tagged
            .filter(|tagged| tagged.1.map(usize::from) == Some(index))
            .map(|tagged| tagged.0)
            .next()
    }

    /// Adds a remark, and returns its number if it is kept.
    fn keep(&mut self, remark: String) -> Option<usize> {
        let remark = shorten(remark);
        if self.2 == 0 && self.0.len() < MAX && self.len() + remark.len() <= MAX_TOTAL {
            self.0.push(remark);
            return Some(self.0.len() - 1);
        }
        self.2 += 1;
        if self.2 > 1 {
            self.0.pop();
        }
        self.0.push(match self.2 {
            1 => "There is one more note.".to_owned(),
            more => format!("There are {more} more notes."),
        });
        None
    }

    /// Adds several remarks.
    pub fn extend(&mut self, remarks: impl IntoIterator<Item = impl Into<String>>) {
        remarks.into_iter().for_each(|remark| self.add(remark));
    }

    /// Returns whether a remark of this many bytes, and one more of the maximum length, would still fit.
    pub fn have_room(&self, bytes: usize) -> bool {
        self.0.len() + 1 < MAX && self.len() + bytes.min(MAX_REMARK) + MAX_REMARK <= MAX_TOTAL
    }

    /// The length of all remarks in bytes.
    fn len(&self) -> usize {
        self.0.iter().map(String::len).sum()
    }

    /// Moves these remarks with their tags into `target`, skipping remarks that are already there.
    pub fn move_into(mut self, target: &mut Self) {
        for (index, remark) in std::mem::take(&mut self.0).into_iter().enumerate() {
            let tag = self.tag(index);
            if let Some(index) = target.0.iter().position(|kept| *kept == remark) {
                if let Some(tag) = tag {
                    target.note(tag, Some(index));
                }
                continue;
            }
            match tag {
                None => target.add(remark),
                Some(tag) => target.add_tagged(tag, remark),
            }
        }
        for Tagged(tag, index) in self.3 {
            if index.is_none() {
                target.mark(tag);
            }
        }
    }

    /// Calls `visit` with each kept remark and its tag.
    pub fn each(&self, mut visit: impl FnMut(&str, Option<Tag>)) {
        for (index, remark) in self.0.iter().enumerate() {
            visit(remark, self.tag(index));
        }
    }

    /// Marks the result as a ZIP archive of files in the target format, rather than one such file. Its media type and
    /// the extension of its name are then those of ZIP; the target format stays the requested one.
    pub fn mark_archive(&mut self) {
        self.1 = true;
    }

    /// Returns whether the result is a ZIP archive of files in the target format.
    pub fn is_archive(&self) -> bool {
        self.1
    }
}

/// Cuts a remark to [`MAX_REMARK`] bytes, and removes control characters: JSON writes each as six bytes, and they can
/// upset a terminal.
fn shorten(mut remark: String) -> String {
    if remark.len() > MAX_REMARK {
        remark.truncate(remark.floor_char_boundary(MAX_REMARK - '…'.len_utf8()));
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

    /// Limit on a message from a child, in bytes; see `engine/isolation/channel.rs`.
    const MESSAGE: usize = 32 << 10;

    #[track_caller]
    fn check(remark: &str, count: usize, remark_count: usize, last: &str) {
        let mut notes = Notes::default();
        notes.extend((0..count).map(|_| remark));
        assert_eq!(notes.0.len(), remark_count);
        assert_eq!(notes.0.last().map(String::as_str), Some(last));
        let message = serde_json::to_vec(&notes).expect("it is JSON");
        assert!(message.len() < MESSAGE - 100, "{} bytes", message.len());
    }

    #[test]
    fn a_remark_that_is_there_already_takes_the_tag() {
        let (mut notes, mut moved) = (Notes::default(), Notes::default());
        notes.add("A picture is missing.");
        moved.add_tagged(Tag::Resource, "A picture is missing.");
        moved.move_into(&mut notes);
        assert_eq!(notes.0.len(), 1);
        assert!(notes.tagged(Tag::Resource).eq(["A picture is missing."]));
    }

    #[test]
    fn tags_stay_with_their_remarks_and_count_beyond_the_limit() {
        let mut notes = Notes::default();
        notes.add("So.");
        notes.add_tagged(Tag::Resource, "A picture is missing.");
        assert_eq!(
            notes.tagged(Tag::Resource).collect::<Vec<_>>(),
            ["A picture is missing."]
        );
        assert!(!notes.has(Tag::File));
        notes.extend((0..MAX).map(|_| "So."));
        notes.add_tagged(Tag::File, "A file is missing.");
        notes.add_tagged(Tag::File, "Another one is missing.");
        assert!(notes.has(Tag::File));
        assert_eq!(notes.tagged(Tag::File).next(), None);
        let json = serde_json::to_vec(&notes).expect("it is JSON");
        let again: Notes = serde_json::from_slice(&json).expect("it is the same");
        assert_eq!(again, notes);
    }

    #[test]
    fn tags_move_together_with_their_remarks() {
        let (mut notes, mut others) = (Notes::default(), Notes::default());
        others.add("So.");
        notes.add("So.");
        notes.add_tagged(Tag::Resource, "A picture is missing.");
        notes.mark(Tag::File);
        notes.move_into(&mut others);
        assert_eq!(others.0, ["So.", "A picture is missing."]);
        let tagged: Vec<_> = others.tagged(Tag::Resource).collect();
        assert_eq!(tagged, ["A picture is missing."]);
        assert!(others.has(Tag::File));
    }

    #[test]
    fn notes_are_limited_in_number_and_in_bytes() {
        check("So.", 50, 50, "So.");
        check("So.", 51, 51, "There is one more note.");
        check("So.", 5000, 51, "There are 4950 more notes.");
        let long = "漢".repeat(400);
        let cut = format!("{}…", "漢".repeat(332));
        check(&long, 1, 1, &cut);
        check(&long, 12, 12, &cut);
        check(&long, 40, 13, "There are 28 more notes.");
        check(&"\"".repeat(2000), 100, 13, "There are 88 more notes.");
        check("a\u{1b}[2J\nb", 1, 1, "a [2J b");
        check(&"\u{1}".repeat(999), 100, 13, "There are 88 more notes.");
    }
}
