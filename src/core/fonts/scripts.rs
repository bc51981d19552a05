//! Scripts of characters: which are East Asian, which have no spaces between words, and their names for notes about
//! characters that no font could show. Does not choose fonts.

/// Returns whether a character belongs to Chinese, Japanese or Korean, punctuation included.
pub fn is_east_asian(character: char) -> bool {
    matches!(u32::from(character), 0x1100..=0x11ff | 0x2e80..=0xd7ff | 0xf900..=0xfaff | 0xfe30..=0xfe4f | 0xff00..=0xffef | 0x20000..=0x3ffff)
}

/// Returns whether a character belongs to Chinese or Japanese, punctuation included. These scripts have no spaces
/// between words, unlike Korean.
pub fn is_unspaced(character: char) -> bool {
    matches!(u32::from(character), 0x2e80..=0x312f | 0x3190..=0x9fff | 0xf900..=0xfaff | 0xff00..=0xffef | 0x20000..=0x3ffff)
}

/// Returns whether two adjacent words need no space between them, because Chinese or Japanese characters meet there.
pub fn touch(word: &str, next: &str) -> bool {
    word.ends_with(is_unspaced) && next.starts_with(is_unspaced)
}

/// The script that a character belongs to, in words. Signs that many scripts use have their own word.
pub fn name(character: char) -> &'static str {
    use unicode_script::{Script, UnicodeScript};
    match character.script() {
        Script::Common | Script::Inherited | Script::Unknown => match u32::from(character) {
            0x1f000..=0x1faff | 0x2600..=0x27bf => "emoji and pictograms",
            0xe000..=0xf8ff | 0xf0000.. => "private-use characters",
            _ => "rare signs",
        },
        Script::Han => "Chinese characters",
        Script::Hiragana | Script::Katakana => "Japanese kana",
        Script::Hangul => "Korean Hangul",
        script => script.full_name(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chinese_and_japanese_words_have_no_space_between_them() {
        assert!(touch("漢", "字") && touch("です。", "「か"));
        assert!(!touch("漢", "a") && !touch("a", "字") && !touch("a", "b"));
        assert!(!touch("한국", "어") && !touch("ㄱ", "ㄴ") && !touch("", "字"));
    }
}
