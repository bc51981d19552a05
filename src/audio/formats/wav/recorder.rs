//! Chunks that recorders and editors write into WAV files: the broadcast extension `bext` (EBU Tech 3285), and markers,
//! which are positions in the chunk `cue ` with names in a `LIST` chunk of type `adtl`. Reads no sound.
//!
//! The texts of `bext` are kept under the names that FFmpeg gives them. Markers become chapters, because no other
//! format has markers. Every length is checked against the bytes that follow it. A file may have many chunks with
//! markers, so the number of markers and names that are kept is limited for the whole file.

use crate::tags::{
    Key, Tags,
    chapters::{Chapter, MAX_CHAPTERS, MAX_TITLE},
};

/// Bytes of `bext` that are read: the fields of fixed length, and one byte more of the coding history than is kept of a
/// text, so that there is a note if it is cut.
pub(super) const MAX_EXTENSION: u32 = 602 + (64 << 10) + 1;
/// Bytes of the markers and of their names that are read. A marker has 24 bytes.
pub(super) const MAX_MARKERS: u32 = 1 << 20;
/// Largest number of markers that are kept. One more than there can be chapters is enough for the note about them.
const MAX_CUES: usize = MAX_CHAPTERS + 1;
/// Largest number of names that are kept. Names need not be in the order of their markers.
const MAX_NAMES: usize = 4 * MAX_CHAPTERS;

/// Note on the parts of `bext` that are not texts: an identifier and measures of loudness.
const MEASURES: &str =
    "The identifier and the loudness that a recorder wrote (bext) were left out.";
/// Note on names of markers beyond the limits.
const NAMES_OMITTED: &str = "Names of markers were left out, because there are more than 4,000, or more than 1 MiB of them.";
/// Note on a name of a marker that is longer than [`MAX_TITLE`].
const NAME_CUT: &str = "The name of a marker was cut after 1 KiB.";
/// Note on the remarks and lengths of markers, which are not read.
const REMARKS: &str = "The remarks and lengths of the markers were left out.";

/// Reads the broadcast extension. A comment and a date that `tags` already has take precedence.
pub(super) fn read_extension(chunk: &[u8], tags: &mut Tags) {
    // Fields of a fixed length end with zeros if they are shorter.
    let text = |start: usize, len: usize| {
        let field = chunk.get(start..).unwrap_or_default();
        let field = &field[..len.min(field.len())];
        let field = match field.iter().position(|byte| *byte == 0) {
            Some(end) => &field[..end],
            // A program that fills the field may cut the last letter.
            None => whole_letters(field),
        };
        match std::str::from_utf8(field) {
            Ok(text) => text.to_owned(),
            Err(_) => field.iter().map(|byte| char::from(*byte)).collect(),
        }
    };
    tags.add_if_missing(Key::Comment, &text(0, 256));
    tags.add_own("ENCODED-BY", &text(256, 32));
    tags.add_own("ORIGINATOR_REFERENCE", &text(288, 32));
    let (date, time) = (text(320, 10), text(330, 8));
    if date.bytes().any(|digit| (b'1'..=b'9').contains(&digit)) {
        // Recorders separate the numbers by different characters.
        let numbers: Vec<_> = date.split(|c: char| !c.is_ascii_digit()).collect();
        tags.add_if_missing(Key::Date, &numbers.join("-"));
        tags.add_own("CREATION_TIME", &time);
    }
    // Sample frames since midnight.
    let reference = chunk.get(338..).and_then(<[u8]>::first_chunk);
    let reference = reference.map_or(0, |bytes| u64::from_le_bytes(*bytes));
    if reference > 0 {
        tags.add_own("TIME_REFERENCE", &reference.to_string());
    }
    tags.add_own("CODING_HISTORY", &text(602, MAX_EXTENSION as usize));
    let measures = chunk.get(348..422).unwrap_or_default();
    if measures.iter().any(|byte| *byte != 0) {
        tags.leave_out(MEASURES);
    }
}

/// Returns the bytes without the last letter, if `bytes` are UTF-8 that is cut within that letter. Bytes that are not
/// UTF-8 are returned as they are.
fn whole_letters(bytes: &[u8]) -> &[u8] {
    match std::str::from_utf8(bytes) {
        Err(err) if err.error_len().is_none() => &bytes[..err.valid_up_to()],
        _ => bytes,
    }
}

/// The markers of a file.
#[derive(Default)]
pub(super) struct Markers {
    /// Identifier and position of each marker, in sample frames.
    cues: Vec<(u32, u32)>,
    /// Identifiers and names.
    names: Vec<(u32, String)>,
    has_remarks: bool,
    has_more_names: bool,
    has_cut_name: bool,
}

impl Markers {
    /// Reads the chunk `cue `: the number of markers, and for each an identifier, a position in a play list, a chunk,
    /// two positions of blocks in it, and the position in the sound.
    pub(super) fn read_cues(&mut self, chunk: &[u8]) {
        let cues = chunk.get(4..).unwrap_or_default().as_chunks::<24>().0;
        let free = MAX_CUES.saturating_sub(self.cues.len());
        self.cues.extend(cues.iter().take(free).map(|cue| {
            let word =
                |at: usize| u32::from_le_bytes([cue[at], cue[at + 1], cue[at + 2], cue[at + 3]]);
            (word(0), word(20))
        }));
    }

    /// Reads a list of type `adtl`: names (`labl`), remarks (`note`), and texts about a part (`ltxt`).
    pub(super) fn read_list(&mut self, list: &[u8]) {
        let mut rest = list;
        while let Some((head, body)) = rest.split_first_chunk::<8>() {
            let size = u32::from_le_bytes([head[4], head[5], head[6], head[7]]) as usize;
            let Some(body) = body.get(..size) else {
                // The caller cuts a list at this length, so more names may follow.
                self.has_more_names |= list.len() + b"adtl".len() >= MAX_MARKERS as usize;
                return;
            };
            match (&head[..4], body.split_first_chunk::<4>()) {
                (b"labl", Some(_)) if self.names.len() >= MAX_NAMES => self.has_more_names = true,
                (b"labl", Some((id, name))) => {
                    let end = name.iter().position(|byte| *byte == 0);
                    let mut name = &name[..end.unwrap_or(name.len())];
                    if name.len() > MAX_TITLE {
                        name = whole_letters(&name[..MAX_TITLE]);
                        self.has_cut_name = true;
                    }
                    let name = String::from_utf8_lossy(name).into_owned();
                    self.names.push((u32::from_le_bytes(*id), name));
                }
                (b"note" | b"ltxt", _) => self.has_remarks = true,
                _ => {}
            }
            rest = rest.get(8 + size + size % 2..).unwrap_or_default();
        }
    }

    /// Adds the markers to the tags as chapters, unless these have chapters. Notes the parts of the markers that are
    /// left out.
    pub(super) fn add_to(mut self, tags: &mut Tags, rate: u32) {
        if self.cues.is_empty() || rate == 0 || !tags.chapters().is_empty() {
            return;
        }
        self.names.sort_by_key(|(id, _)| *id);
        for (i, (id, frame)) in self.cues.iter().enumerate() {
            let named = self.names.binary_search_by_key(id, |(id, _)| *id);
            let start = u64::from(*frame) * 1000 / u64::from(rate);
            tags.add_chapter(match named {
                Ok(at) => Chapter::new(start, &self.names[at].1),
                Err(_) => Chapter::new(start, &format!("Marker {}", i + 1)),
            });
        }
        tags.has_markers = true;
        for (applies, note) in [
            (self.has_remarks, REMARKS),
            (self.has_more_names, NAMES_OMITTED),
            (self.has_cut_name, NAME_CUT),
        ] {
            if applies {
                tags.leave_out(note);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damaged_chunks_are_read_as_far_as_they_go() {
        let mut list = b"labl\x07\0\0\0\x02\0\0\0Two\0".to_vec();
        list.extend(b"note\x05\0\0\0\x02\0\0\0x\0");
        let mut cues = 3u32.to_le_bytes().to_vec();
        for (id, frame) in [(1u32, 0u32), (2, 8000)] {
            cues.extend(id.to_le_bytes());
            cues.extend([0; 16]);
            cues.extend(frame.to_le_bytes());
        }
        for end in 0..=cues.len().max(list.len()) {
            let mut markers = Markers::default();
            markers.read_cues(&cues[..end.min(cues.len())]);
            markers.read_list(&list[..end.min(list.len())]);
            markers.add_to(&mut Tags::default(), 8000);
            read_extension(&vec![b'1'; end * 20], &mut Tags::default());
        }
        let mut markers = Markers::default();
        markers.read_cues(&cues);
        markers.read_list(&list);
        let mut tags = Tags::default();
        markers.add_to(&mut tags, 8000);
        let expected = [Chapter::new(0, "Marker 1"), Chapter::new(1000, "Two")];
        assert_eq!(tags.chapters(), expected);
        assert_eq!(tags.left_out, [REMARKS]);
        assert!(tags.has_markers);
    }

    #[test]
    fn the_limits_apply_to_all_chunks_of_a_file() {
        let mut markers = Markers::default();
        let mut list = Vec::new();
        for id in 0..MAX_NAMES as u32 - 1 {
            list.extend(b"labl\x05\0\0\0");
            list.extend(id.to_le_bytes());
            list.extend(b"x\0");
        }
        markers.read_list(&list);
        assert!(!markers.has_more_names);
        // The limit cuts the second byte of a letter.
        let long = format!("y{}", "ä".repeat(MAX_TITLE / 2));
        let mut list = b"labl".to_vec();
        list.extend((4 + long.len() as u32).to_le_bytes());
        list.extend(u32::MAX.to_le_bytes());
        list.extend(long.as_bytes());
        list.push(0);
        markers.read_list(&list);
        assert!(markers.has_cut_name && !markers.has_more_names);
        assert_eq!(markers.names[MAX_NAMES - 1].1, long[..MAX_TITLE - 1]);
        markers.read_list(&list);
        assert!(markers.has_more_names);
        assert_eq!(markers.names.len(), MAX_NAMES);
        for _ in 0..3 {
            markers.read_cues(&vec![0; 4 + 24 * MAX_CHAPTERS]);
        }
        assert_eq!(markers.cues.len(), MAX_CUES);
        let mut tags = Tags::default();
        markers.add_to(&mut tags, 8000);
        assert_eq!(tags.chapters().len(), MAX_CHAPTERS);
        assert_eq!(tags.left_out.len(), 3);
    }

    #[test]
    fn a_letter_that_the_end_of_a_field_cuts_is_left_out() {
        #[track_caller]
        fn check(originator: &[u8], expected: &str) {
            let mut chunk = vec![0; 602];
            chunk[256..][..originator.len()].copy_from_slice(originator);
            let mut tags = Tags::default();
            read_extension(&chunk, &mut tags);
            assert_eq!(tags.own().next(), Some(("ENCODED-BY", expected)));
        }
        let long = format!("{}ä", "ö".repeat(15) + "o");
        check(&long.as_bytes()[..32], &long[..31]);
        check("ö".repeat(16).as_bytes(), &"ö".repeat(16));
        // Latin-1, whose last letter would begin a letter of UTF-8.
        check(b"Caf\xe9", "Café");
    }
}
