//! Names of files and folders that are not meant to be converted: files of operating systems, unfinished files of other
//! programs, and patterns of the user. Looks at names only.

use crate::litter;
use std::{ffi::OsStr, os::unix::ffi::OsStrExt, path::Path};

/// Suffix of the file that explains why a file was not converted.
pub(super) const NOTE: &str = ".error.txt";

/// Beginnings of names: hidden files, including lock files of LibreOffice and temporary files of rsync; lock files of
/// Microsoft Office; temporary files of Syncthing on Windows.
const BEGINNINGS: [&str; 3] = [".", "~$", "~syncthing~"];

/// Endings of names, in lower case.
const ENDINGS: [&str; 31] = [
    NOTE,
    // Backup copies and temporary files, and unfinished downloads of browsers, file transfer programs and torrent
    // clients.
    "~",
    ".!bt",
    ".!qb",
    ".!sync",
    ".!ut",
    ".aria2",
    ".bc!",
    ".crdownload",
    ".download",
    ".fdmdownload",
    ".filepart",
    ".lftp-pget-status",
    ".opdownload",
    ".part",
    ".partial",
    ".tmp",
    ".unfinished",
    // Placeholders of synchronised folders, whose content is on a server.
    ".gdoc",
    ".gdraw",
    ".gform",
    ".gjam",
    ".glink",
    ".gmap",
    ".gscript",
    ".gsheet",
    ".gsite",
    ".gslides",
    ".gtable",
    ".nextcloud",
    ".owncloud",
];

/// Patterns of ignored names.
#[derive(Debug, Default)]
pub(super) struct Ignored(Vec<Pattern>);

/// A pattern of names, or of paths below the watched folder if it has a slash.
#[derive(Debug)]
struct Pattern {
    parts: Vec<PatternToken>,
    is_path: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PatternToken {
    Byte(u8),
    /// `?`: one character other than a slash.
    One,
    /// `*`: any number of characters other than slashes.
    Some,
    /// `**`: any number of characters.
    All,
}

impl Ignored {
    /// Adds a pattern. Returns false if it is empty.
    pub(super) fn add(&mut self, pattern: &OsStr) -> bool {
        let text = pattern.as_bytes();
        // Other programs accept `folder/` and `/folder`, so this one does, too.
        let inner = text.strip_suffix(b"/").unwrap_or(text);
        let is_path = inner.contains(&b'/');
        let inner = inner.strip_prefix(b"/").unwrap_or(inner);
        let mut parts = Vec::new();
        for &byte in inner {
            match (byte, parts.last_mut()) {
                (b'*', Some(last @ (PatternToken::Some | PatternToken::All))) => {
                    *last = PatternToken::All
                }
                (b'*', _) => parts.push(PatternToken::Some),
                (b'?', _) => parts.push(PatternToken::One),
                _ => parts.push(PatternToken::Byte(byte)),
            }
        }
        let is_some = !parts.is_empty();
        if is_some {
            self.0.push(Pattern { parts, is_path });
        }
        is_some
    }

    /// Returns whether a file or folder is ignored. `path` is relative to the watched folder.
    pub(super) fn covers(&self, path: &Path) -> bool {
        let name = path.file_name().unwrap_or_default().as_bytes();
        let small = name.to_ascii_lowercase();
        litter::is_of_system(name)
            || BEGINNINGS
                .iter()
                .any(|begin| small.starts_with(begin.as_bytes()))
            || ENDINGS.iter().any(|end| small.ends_with(end.as_bytes()))
            || self.0.iter().any(|pattern| match pattern.is_path {
                true => pattern.matches(path.as_os_str().as_bytes()),
                false => pattern.matches(name),
            })
    }
}

impl Pattern {
    /// Returns whether the pattern matches the whole text.
    ///
    /// It follows all possible matches at the same time, part by part, as a nondeterministic automaton does. So it
    /// takes at most as many steps as the product of the numbers of parts and bytes, while a matcher that tries one
    /// match after another could take exponentially many.
    fn matches(&self, text: &[u8]) -> bool {
        // Positions in the text where a match of the parts so far can end.
        let mut reached = vec![false; text.len() + 1];
        reached[0] = true;
        for part in &self.parts {
            let mut next = vec![false; text.len() + 1];
            for (at, is_reached) in reached.iter().enumerate() {
                let after = text.get(at).copied();
                if *is_reached {
                    match part {
                        PatternToken::Byte(byte) if after == Some(*byte) => next[at + 1] = true,
                        PatternToken::One if after.is_some_and(|byte| byte != b'/') => {
                            next[at + character(&text[at..])] = true;
                        }
                        PatternToken::Some | PatternToken::All => next[at] = true,
                        PatternToken::Byte(_) | PatternToken::One => {}
                    }
                }
                // A star may also take the next byte.
                let goes_on = match part {
                    PatternToken::Some => after.is_some_and(|byte| byte != b'/'),
                    PatternToken::All => after.is_some(),
                    PatternToken::Byte(_) | PatternToken::One => false,
                };
                if next[at] && goes_on {
                    next[at + 1] = true;
                }
            }
            reached = next;
        }
        reached[text.len()]
    }
}

/// Length of the first character of a text in bytes. In other encodings than UTF-8, up to three bytes from 0x80 to 0xbf
/// count as part of the character before them.
fn character(text: &[u8]) -> usize {
    let more = text.iter().skip(1).take(3);
    1 + more.take_while(|byte| **byte & 0xc0 == 0x80).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(patterns: &[&str], path: &str, expected: bool) {
        let mut ignored = Ignored::default();
        for pattern in patterns {
            assert!(ignored.add(OsStr::new(pattern)), "{pattern}");
        }
        assert_eq!(ignored.covers(Path::new(path)), expected, "{path}");
    }

    #[test]
    fn files_of_systems_and_programs_are_ignored() {
        for path in [
            "report.error.txt",
            ".hidden.png",
            ".~lock.report.odt#",
            "~$report.docx",
            "a.png.part",
            "a.docx~",
            "film.CRDOWNLOAD",
            "Thumbs.db",
            "Desktop.ini",
            "photos/@eaDir",
            "#recycle",
            "$RECYCLE.BIN",
            "System Volume Information",
            "lost+found",
            "letter.gdoc",
            "big.iso.!qB",
            "a.pdf.nextcloud",
        ] {
            check(&[], path, true);
        }
        for path in [
            "a.png",
            "error.txt",
            "part",
            "download.pdf",
            "recycle",
            "a.$$$",
        ] {
            check(&[], path, false);
        }
    }

    #[test]
    fn patterns_match_names_or_paths() {
        check(&["*.txt"], "a/b.txt", true);
        check(&["*.txt"], "a/b.txt.png", false);
        check(&["draft-?.*"], "draft-ä.png", true);
        check(&["draft-?.*"], "draft-10.png", false);
        check(&["old/"], "a/old", true);
        check(&["a/*.png"], "a/b.png", true);
        check(&["a/*.png"], "a/b/c.png", false);
        check(&["a/**.png"], "a/b/c.png", true);
        check(&["/a"], "a", true);
        check(&["/a"], "b/a", false);
        check(&["x", "a*b*c*"], "aXbXc", true);
        assert!(!Ignored::default().add(OsStr::new("/")));
    }
}
