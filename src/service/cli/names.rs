//! Shortens file names: with an extension, a number or a suffix, a name may become longer than the file system allows,
//! so its stem is cut. Chooses no names.

use rustix::fs::statvfs;
use std::{
    ffi::{OsStr, OsString},
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::Path,
};

/// The longest name on most file systems, in bytes (`NAME_MAX` in limits.h).
const DEFAULT: usize = 255;

/// The maximum length of a name in a directory, in bytes (statvfs(3)); [`DEFAULT`] if it is unknown.
pub(super) fn longest(directory: &Path) -> usize {
    let stats = statvfs(directory).ok();
    let stats = stats.and_then(|stats| usize::try_from(stats.f_namemax).ok());
    stats.filter(|most| *most > 0).unwrap_or(DEFAULT)
}

/// Joins a stem and its ending. The stem is cut, between two characters, so that both together have at most `most`
/// bytes. The ending is never cut, even if it is longer.
pub(super) fn fitted(stem: &OsStr, ending: &str, most: usize) -> OsString {
    let bytes = stem.as_bytes();
    let mut len = bytes.len().min(most.saturating_sub(ending.len()));
    let is_inside = |at: usize| bytes.get(at).is_some_and(|byte| byte & 0xc0 == 0x80);
    // A UTF-8 character has at most three bytes after its first byte. In other encodings, at most three bytes are lost.
    for _ in 0..3 {
        if is_inside(len) {
            len = len.saturating_sub(1);
        }
    }
    let mut name = bytes[..len].to_vec();
    name.extend_from_slice(ending.as_bytes());
    OsString::from_vec(name)
}

/// Joins a stem, the number behind it as [`numbered`](crate::numbered) writes it, and an extension: `a (2).png`.
pub(super) fn numbered(stem: &OsStr, number: &str, extension: &str, most: usize) -> OsString {
    let mut ending = number.to_owned();
    if !extension.is_empty() {
        ending.push('.');
        ending.push_str(extension);
    }
    fitted(stem, &ending, most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stem_is_cut_between_two_characters() {
        for (stem, ending, most, expected) in [
            ("abc", ".png", 255, "abc.png"),
            ("abcdef", ".png", 7, "abc.png"),
            ("abä", ".png", 8, "abä.png"),
            ("abä", ".png", 7, "ab.png"),
            ("a\u{1f600}", ".x", 6, "a.x"),
            ("abc", ".long", 3, ".long"),
        ] {
            assert_eq!(fitted(OsStr::new(stem), ending, most), expected, "{stem}");
        }
    }
}
