//! The compression of PalmDOC: LZ77 on the bytes of a record. Does not unpack other compression.
//!
//! A byte from 1 to 8 is followed by this many bytes of text. A byte from 128 to 191 begins a pair of bytes, with the
//! distance and the length of a copy. A byte from 192 on is a space and a character. All other bytes are text.

/// Unpacks a record and appends its text to `out`. Returns false if the record is damaged, for example if a copy begins
/// before the record.
pub(super) fn unpack(packed: &[u8], out: &mut Vec<u8>) -> bool {
    let start = out.len();
    let mut bytes = packed.iter().copied();
    while let Some(byte) = bytes.next() {
        match byte {
            1..=8 => {
                let before = out.len();
                out.extend(bytes.by_ref().take(byte.into()));
                if out.len() - before < usize::from(byte) {
                    return false;
                }
            }
            0 | 9..=0x7f => out.push(byte),
            0x80..=0xbf => {
                let Some(second) = bytes.next() else {
                    return false;
                };
                let pair = usize::from(byte) << 8 | usize::from(second);
                let (distance, len) = ((pair & 0x3fff) >> 3, (pair & 7) + 3);
                if distance == 0 || distance > out.len() - start {
                    return false;
                }
                // The source of the copy may overlap its target, so bytes are copied one after another.
                for _ in 0..len {
                    out.push(out[out.len() - distance]);
                }
            }
            0xc0..=0xff => out.extend([b' ', byte ^ 0x80]),
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_unpacked() {
        #[track_caller]
        fn check(packed: &[u8], text: &[u8], whole: bool) {
            let mut out = b"before".to_vec();
            assert_eq!(unpack(packed, &mut out), whole);
            assert_eq!(&out[6..], text);
        }
        check(b"", b"", true);
        check(b"a\xe2\x02\xc3\xa9", "a b\u{e9}".as_bytes(), true);
        // A copy of five bytes from a distance of three.
        check(b"abc\x80\x1a", b"abcabcab", true);
        check(b"abc\x80\x20", b"abc", false);
        check(b"abc\x80\x00", b"abc", false);
        check(b"abc\x80", b"abc", false);
        check(b"\x04abc", b"abc", false);
    }
}
