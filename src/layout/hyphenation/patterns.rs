//! Patterns of languages. They give a level to each place between two letters of a word (F. M. Liang, "Word
//! Hy-phen-a-tion by Com-put-er", 1983). Knows no text, only words.
//!
//! The patterns are those of TeX; `patterns.py` packs them, and `LICENSE` has their notices and changes. The package
//! `hypher` has the same patterns in tables that are used without unpacking. These take 366 KB for the eleven languages
//! here, of which German takes 206 KB. The patterns here are compressed to 137 KB, and those of a language are unpacked
//! for the first word in that language: German takes about 20 ms and 1 MB, and then 3 µs for a word. Apart from German,
//! languages with more than 60 KB are left out (Norwegian, Hungarian), and so are those whose patterns have a licence
//! that asks more of a program than a notice (Slovak).

use convertd_core::coding::xz;
use std::{collections::VecDeque, ops::Range, sync::OnceLock};

/// A language with patterns.
pub(super) struct Language {
    /// Primary subtag of its tags (BCP 47).
    tag: &'static str,
    /// The unpacked length in bytes (32 bits, little-endian), and an xz stream.
    packed: &'static [u8],
    /// Smallest numbers of letters before and after a hyphen.
    pub(super) least: (usize, usize),
    patterns: OnceLock<Patterns>,
}

/// Makes a row of [`LANGUAGES`].
const fn language(tag: &'static str, packed: &'static [u8], least: (usize, usize)) -> Language {
    Language {
        tag,
        packed,
        least,
        patterns: OnceLock::new(),
    }
}

/// All languages, with the smallest numbers of letters before and after a hyphen that their patterns are made for.
static LANGUAGES: [Language; 11] = [
    language("da", include_bytes!("da.xz"), (2, 2)),
    language("de", include_bytes!("de.xz"), (2, 2)),
    language("en", include_bytes!("en.xz"), (2, 3)),
    language("es", include_bytes!("es.xz"), (2, 2)),
    language("fi", include_bytes!("fi.xz"), (2, 2)),
    language("fr", include_bytes!("fr.xz"), (2, 2)),
    language("it", include_bytes!("it.xz"), (2, 2)),
    language("nl", include_bytes!("nl.xz"), (2, 2)),
    language("pl", include_bytes!("pl.xz"), (2, 2)),
    language("pt", include_bytes!("pt.xz"), (2, 3)),
    language("sv", include_bytes!("sv.xz"), (2, 2)),
];

impl Language {
    /// The language of a tag such as `de-CH`. `None` if there are no patterns for it.
    pub(super) fn of(tag: &str) -> Option<&'static Self> {
        let primary = tag.split(['-', '_']).next()?;
        LANGUAGES
            .iter()
            .find(|own| own.tag.eq_ignore_ascii_case(primary))
    }

    /// Level of each place in a word in lower case, by the number of letters before it. A word may be divided at odd
    /// levels.
    pub(super) fn levels(&self, word: &str) -> Vec<u8> {
        let patterns = self
            .patterns
            .get_or_init(|| Patterns::unpack(self.packed).unwrap_or_default());
        patterns.levels(word)
    }
}

/// The patterns of a language as a tree of their letters.
#[derive(Debug, Default)]
struct Patterns {
    /// The first node is the start of all patterns. The nodes that continue the same node are adjacent.
    nodes: Vec<Node>,
    /// Different rows of levels. A row begins with the level before the first letter of a pattern, and continues with
    /// the level after each letter, without the zeros at the end.
    rows: Vec<Box<[u8]>>,
}

/// A letter of the patterns that begin with the same letters up to this one.
#[derive(Clone, Debug)]
struct Node {
    letter: char,
    /// Row of levels, if a pattern ends here.
    row: Option<u16>,
    /// Indices of the nodes for the next letter, in the order of their letters.
    next: Range<u32>,
}

impl Patterns {
    /// Reads the text that `patterns.py` describes. `None` if it is damaged.
    fn unpack(packed: &[u8]) -> Option<Self> {
        let (len, stream) = packed.split_first_chunk()?;
        let mut bytes = vec![0; u32::from_le_bytes(*len) as usize];
        xz::unpack(stream, &mut bytes)?;
        let text = String::from_utf8(bytes).ok()?;
        let mut own = Self::default();
        let mut all: Vec<(Box<[char]>, u16)> = Vec::new();
        for line in text.lines() {
            let (levels, mut rest) = line.split_once(' ')?;
            let row = u16::try_from(own.rows.len()).ok()?;
            own.rows
                .push(levels.bytes().map(|digit| digit - b'0').collect());
            let mut letters: Vec<char> = Vec::new();
            // Each pattern begins with the number of letters that it shares with the previous one, as a character from
            // `0` to `@`.
            while let Some(shared) = rest.chars().next() {
                let end = rest[1..].find(|c| ('0'..='@').contains(&c));
                let end = end.map_or(rest.len(), |at| at + 1);
                letters.truncate((shared as usize).checked_sub('0' as usize)?);
                letters.extend(rest[1..end].chars());
                rest = &rest[end..];
                all.push((letters.as_slice().into(), row));
            }
        }
        all.sort_unstable();
        own.grow(&all);
        Some(own)
    }

    /// Makes the tree of the sorted patterns, breadth first, so that the nodes that continue the same node are
    /// adjacent.
    fn grow(&mut self, all: &[(Box<[char]>, u16)]) {
        let node = |letter| Node {
            letter,
            row: None,
            next: 0..0,
        };
        self.nodes.push(node(' '));
        // For each node without children so far: the patterns that begin with its letters, and the number of these
        // letters.
        let mut waiting = VecDeque::from([(all, 0)]);
        let mut at = 0;
        while let Some((mut part, depth)) = waiting.pop_front() {
            // Some files have a pattern twice. The last row of levels then applies.
            while let Some((letters, row)) = part.first()
                && letters.len() == depth
            {
                self.nodes[at].row = Some(*row);
                part = &part[1..];
            }
            let first = self.nodes.len() as u32;
            for same in part.chunk_by(|(one, _), (other, _)| one[depth] == other[depth]) {
                self.nodes.push(node(same[0].0[depth]));
                waiting.push_back((same, depth + 1));
            }
            self.nodes[at].next = first..self.nodes.len() as u32;
            at += 1;
        }
    }

    /// See [`Language::levels`].
    fn levels(&self, word: &str) -> Vec<u8> {
        let dotted: Vec<char> = std::iter::once('.')
            .chain(word.chars())
            .chain(['.'])
            .collect();
        // Levels before each of these letters, and after the last.
        let mut levels = vec![0; dotted.len() + 1];
        for start in 0..dotted.len() {
            let mut node = self.nodes.first();
            for letter in &dotted[start..] {
                let Some(own) = node else { break };
                let next = &self.nodes[own.next.start as usize..own.next.end as usize];
                let found = next.binary_search_by_key(letter, |node| node.letter);
                node = found.ok().map(|at| &next[at]);
                if let Some(row) = node.and_then(|node| node.row) {
                    let row = &self.rows[usize::from(row)];
                    for (level, own) in levels[start..].iter_mut().zip(row) {
                        *level = (*level).max(*own);
                    }
                }
            }
        }
        // Leaves out the places before the first dot and after the last one.
        levels[1..dotted.len()].to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_compiled_in_patterns_are_read() {
        // Number of patterns of each language. A pattern that is in a file twice counts once.
        let expected = [
            ("da", 1144),
            ("de", 36709),
            ("en", 4952),
            ("es", 4694),
            ("fi", 286),
            ("fr", 1145),
            ("it", 355),
            ("nl", 12763),
            ("pl", 4073),
            ("pt", 429),
            ("sv", 4693),
        ];
        let found = LANGUAGES.each_ref().map(|language| {
            let patterns = Patterns::unpack(language.packed).expect(language.tag);
            let ends = patterns.nodes.iter().filter(|node| node.row.is_some());
            (language.tag, ends.count())
        });
        assert_eq!(found, expected);
    }

    #[test]
    fn damaged_patterns_are_none() {
        assert!(Patterns::unpack(&[]).is_none());
        assert!(Patterns::unpack(&[9, 0, 0, 0, 1, 2, 3]).is_none());
    }

    #[test]
    fn tags_have_the_language_of_their_first_part() {
        let tag = |tag| Language::of(tag).map(|own| own.tag);
        assert_eq!(tag("de-CH"), Some("de"));
        assert_eq!(tag("EN_us"), Some("en"));
        assert_eq!(tag("den"), None);
        assert_eq!(tag(""), None);
    }
}
