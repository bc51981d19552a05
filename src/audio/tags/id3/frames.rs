//! The headers of ID3 tags and the names of their frames. Reads no content of frames.

use crate::tags::Key;

/// The frames of the texts with a [`Key`], by their names in versions 2.3 and 2.4, and in 2.2.
pub(super) const FRAMES: [(Key, &str, &str); 10] = [
    (Key::Title, "TIT2", "TT2"),
    (Key::Artist, "TPE1", "TP1"),
    (Key::Album, "TALB", "TAL"),
    (Key::AlbumArtist, "TPE2", "TP2"),
    (Key::Composer, "TCOM", "TCM"),
    (Key::Track, "TRCK", "TRK"),
    (Key::Disc, "TPOS", "TPA"),
    (Key::Date, "TDRC", "TYE"),
    (Key::Genre, "TCON", "TCO"),
    (Key::Comment, "COMM", "COM"),
];

/// Returns the length in bytes of the tag at the beginning of `head`, including its header; 0 if there is no tag.
pub(crate) fn length(head: &[u8]) -> u64 {
    match head {
        [b'I', b'D', b'3', 2..=4, _, flags, a, b, c, d, ..]
            if [a, b, c, d].iter().all(|byte| **byte < 0x80) =>
        {
            let footer = if flags & 0x10 != 0 { 10 } else { 0 };
            10 + synchsafe([*a, *b, *c, *d]) + footer
        }
        _ => 0,
    }
}

/// Decodes a synchsafe integer, in which each byte holds seven bits (ID3v2.4.0 structure, section 6.2), so that it
/// never looks like the beginning of an MPEG frame.
pub(super) fn synchsafe(bytes: [u8; 4]) -> u64 {
    bytes
        .iter()
        .fold(0, |n, byte| n << 7 | u64::from(byte & 0x7f))
}

/// Encodes a number below 2²⁸ as a synchsafe integer.
pub(super) fn to_synchsafe(n: usize) -> [u8; 4] {
    [21, 14, 7, 0].map(|shift| (n >> shift) as u8 & 0x7f)
}
