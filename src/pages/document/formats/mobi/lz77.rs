//! The compression of PalmDOC: LZ77 within a record of text, by bytes. Knows no other compression.
//!
//! A byte is a letter, or says that some letters follow (1 to 8), that a space and a letter stand here (192 and more),
//! or begins a pair of bytes with the distance and the length of a copy (128 to 191).

/// Unpacks a record and adds it to `out`. Returns whether it was whole: a copy from before its beginning ends it.
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
                // The copy may overlap what it adds.
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
        // Five letters from three back.
        check(b"abc\x80\x1a", b"abcabcab", true);
        check(b"abc\x80\x20", b"abc", false);
        check(b"abc\x80\x00", b"abc", false);
        check(b"abc\x80", b"abc", false);
        check(b"\x04abc", b"abc", false);
    }
}
