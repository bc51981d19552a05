//! Johab (KS X 1001, annex 3; code page 1361), the Korean encoding that composes syllables: five bits for each of their
//! three letters. `encoding_rs` lacks it, because no web page uses it; old documents do. Does not encode.

/// Letter of a syllable: its number, or the filler that stands for no letter.
#[derive(Clone, Copy, PartialEq)]
enum Letter {
    Is(u32),
    Filler,
}

use Letter::{Filler, Is};

/// Initial consonant by its five bits.
fn initial(bits: u16) -> Option<Letter> {
    match bits {
        1 => Some(Filler),
        2..=20 => Some(Is(u32::from(bits) - 2)),
        _ => None,
    }
}

/// Vowel by its five bits. The codes of the vowels have gaps.
fn medial(bits: u16) -> Option<Letter> {
    let before = match bits {
        2 => return Some(Filler),
        3..=7 => 3,
        10..=15 => 5,
        18..=23 => 7,
        26..=29 => 9,
        _ => return None,
    };
    Some(Is(u32::from(bits) - before))
}

/// Final consonant by its five bits, numbered from 1 as in Unicode. A syllable that ends with its vowel has the filler.
fn last(bits: u16) -> Option<Letter> {
    match bits {
        1 => Some(Filler),
        2..=17 => Some(Is(u32::from(bits) - 1)),
        19..=29 => Some(Is(u32::from(bits) - 2)),
        _ => None,
    }
}

/// Initial consonants as separate letters, in the order of their numbers.
const INITIALS: &str = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ";
/// Final consonants as separate letters, in the order of their numbers.
const LASTS: &str = "ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ";

/// Returns whether a byte is the first of two.
pub(super) fn leads(byte: u8) -> bool {
    matches!(byte, 0x84..=0xd3 | 0xd9..=0xde | 0xe0..=0xf9)
}

/// Decodes text. Bytes that are not characters become U+FFFD.
pub(super) fn decode(bytes: &[u8]) -> String {
    let mut text = String::new();
    let mut rest = bytes;
    while let [first, after @ ..] = rest {
        rest = after;
        if *first < 0x80 {
            text.push(char::from(*first));
            continue;
        }
        let Some((second, after)) = after.split_first().filter(|_| leads(*first)) else {
            text.push(char::REPLACEMENT_CHARACTER);
            continue;
        };
        rest = after;
        let letter = match first {
            0x84..=0xd3 => syllable(u16::from_be_bytes([*first, *second])),
            _ => sign_or_hanja(*first, *second),
        };
        text.push(letter.unwrap_or(char::REPLACEMENT_CHARACTER));
    }
    text
}

/// Composes a syllable. A code with only one letter yields that letter.
fn syllable(code: u16) -> Option<char> {
    let letters = (
        initial(code >> 10 & 31)?,
        medial(code >> 5 & 31)?,
        last(code & 31)?,
    );
    match letters {
        (Is(initial), Is(medial), end) => {
            let end = match end {
                Is(end) => end,
                Filler => 0,
            };
            char::from_u32(0xac00 + (initial * 21 + medial) * 28 + end)
        }
        (Is(initial), Filler, Filler) => INITIALS.chars().nth(initial as usize),
        // Unicode has the separate vowels in the same order.
        (Filler, Is(medial), Filler) => char::from_u32(0x314f + medial),
        (Filler, Filler, Is(end)) => LASTS.chars().nth(end as usize - 1),
        (Filler, Filler, Filler) => Some('\u{3164}'),
        _ => None,
    }
}

/// Decodes a sign or a Chinese character. Johab keeps the order of KS X 1001 for them, but joins every two rows of 94
/// characters into a row of 188.
fn sign_or_hanja(first: u8, second: u8) -> Option<char> {
    let column = match second {
        0x31..=0x7e => second - 0x31,
        0x91..=0xfe => second - 0x43,
        _ => return None,
    };
    let row = match first {
        0xd9..=0xde => 2 * (u16::from(first) - 0xd9),
        _ => 2 * u16::from(first) - 0x197,
    };
    // The position in the joined row selects the first or the second of the two rows of KS X 1001.
    let (row, column) = (row + u16::from(column / 94), column % 94);
    let code = [u8::try_from(row).ok()?.checked_add(0xa1)?, column + 0xa1];
    let (text, is_lost) = encoding_rs::EUC_KR.decode_without_bom_handling(&code);
    text.chars().next().filter(|_| !is_lost)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn syllables_signs_and_chinese_characters_are_decoded() {
        #[track_caller]
        fn check(bytes: &[u8], expected: &str) {
            assert_eq!(decode(bytes), expected, "{bytes:x?}");
        }
        // The expected texts are those of the codec `johab` of Python.
        check(b"a\x88\x61z", "a가z");
        check(b"\xd0\x65\x8b\x69", "한글");
        check(b"\xd3\xbd", "힣");
        check(b"\x88\x41\x84\x61\x84\x42", "ㄱㅏㄱ");
        check(b"\xd9\x31\xd9\x91", "\u{3000}\u{223d}");
        check(b"\xe0\x31\xf9\xfe", "伽詰");
        check(b"\xff\x84", "\u{fffd}\u{fffd}");
    }
}
