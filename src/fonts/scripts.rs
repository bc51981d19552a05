//! Names of scripts, for telling a user which one no font could show. Chooses no font.

/// The script that a character belongs to, in words. Signs that many scripts use have their own word.
pub(crate) fn name(character: char) -> &'static str {
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
