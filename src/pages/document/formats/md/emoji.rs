//! Emoji by name, as GitHub writes them: `:rocket:`. The names are those of gemoji; `emoji.py` describes how the data
//! was made. Names of pictures that exist only on GitHub (`:octocat:`) stay text.

use miniz_oxide::inflate::decompress_to_vec_zlib;
use std::{borrow::Cow, collections::HashMap, sync::LazyLock};

/// Compressed list: each line has a name and the emoji.
static PACKED: &[u8] = include_bytes!("emoji.zlib");

/// Emoji by name.
static ALL: LazyLock<HashMap<Box<str>, Box<str>>> = LazyLock::new(|| {
    let text = decompress_to_vec_zlib(PACKED).unwrap_or_default();
    let text = String::from_utf8(text).unwrap_or_default();
    let lines = text.lines().filter_map(|line| line.split_once(' '));
    lines
        .map(|(name, emoji)| (name.into(), emoji.into()))
        .collect()
});

/// Limit on the length of a name, in bytes. The longest name has 40.
const MAX_NAME: usize = 64;

/// Returns the text with names of emoji replaced. A colon after a letter or digit does not begin a name, and a colon
/// before a letter or digit does not end a name, so that times and ratios stay unchanged.
pub(super) fn replaced(text: &str) -> Cow<'_, str> {
    let mut result = String::new();
    // End of the part of the text that has been copied to the result.
    let mut done = 0;
    for (start, _) in text.match_indices(':') {
        let before = text[..start].chars().next_back();
        if start < done || before.is_some_and(char::is_alphanumeric) {
            continue;
        }
        let rest = &text[start + 1..];
        let is_part = |c: u8| c.is_ascii_lowercase() || c.is_ascii_digit() || b"_+-".contains(&c);
        let length = rest
            .bytes()
            .take(MAX_NAME)
            .take_while(|c| is_part(*c))
            .count();
        let Some(after) = rest[length..].strip_prefix(':').filter(|_| length > 0) else {
            continue;
        };
        if after.chars().next().is_some_and(char::is_alphanumeric) {
            continue;
        }
        if let Some(emoji) = ALL.get(&rest[..length]) {
            result.push_str(&text[done..start]);
            result.push_str(emoji);
            done = start + length + 2;
        }
    }
    if done == 0 {
        return Cow::Borrowed(text);
    }
    result.push_str(&text[done..]);
    Cow::Owned(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_between_colons_become_emoji() {
        #[track_caller]
        fn check(text: &str, expected: &str) {
            assert_eq!(replaced(text), expected);
        }
        check("up :rocket:!", "up \u{1f680}!");
        check(":+1::-1:", "\u{1f44d}\u{1f44e}");
        check("(:stuck_out_tongue_winking_eye:)", "(\u{1f61c})");
        for text in [
            "1:100:2",
            "at 10:30:45",
            ":unknown:",
            "a::b",
            "::",
            ":rocket",
            "no:rocket:",
            ":rocket:s",
        ] {
            check(text, text);
        }
    }

    #[test]
    fn the_list_is_whole() {
        assert_eq!(ALL.len(), 1913);
        assert!(ALL.keys().all(|name| name.len() <= MAX_NAME));
        assert!(
            ALL.values()
                .all(|emoji| !emoji.is_empty() && !emoji.is_ascii())
        );
    }
}
