//! Fonts of style sheets (`@font-face`, CSS Fonts 4, 4): names and sources. Parses no font file.
//! Only fonts within data URLs are used, because nothing is downloaded.

use super::{tokens::Token, value::Cursor};
use crate::syntax::is_data_url;
use std::rc::Rc;

/// A font that an `@font-face` rule declares.
pub struct FontFace {
    /// Family name in lower case.
    pub name: Rc<str>,
    /// Range of weights, 1 to 1000; both ends are equal for a static font.
    pub weight: (u16, u16),
    pub italic: bool,
    /// Whether `unicode-range` includes the letter A, or is omitted.
    pub is_latin: bool,
    /// Sources in data URLs in order of preference; empty if the font must be downloaded.
    pub addresses: Vec<Rc<str>>,
}

impl FontFace {
    /// Parses the descriptors of a rule. `None` without a family or a source.
    pub(super) fn read(pairs: &[(String, Vec<Token>, bool)]) -> Option<Self> {
        // If a descriptor occurs twice, the later one wins.
        let of = |name: &str| {
            let mut named = pairs.iter().rev().filter(|(own, ..)| own == name);
            named.next().map(|(_, value, _)| value.as_slice())
        };
        let sources = of("src")?;
        // Nothing is downloaded, so only data URLs are of use.
        let addresses = sources.iter().filter_map(|token| match token {
            Token::Url(url) | Token::Text(url) if is_data_url(url) => Some(url.clone()),
            _ => None,
        });
        Some(Self {
            name: family(of("font-family")?)?,
            weight: of("font-weight").map_or((400, 400), weight),
            italic: of("font-style").is_some_and(|style| {
                let word = Cursor::new(style).word();
                matches!(word.as_deref(), Some("italic" | "oblique"))
            }),
            is_latin: of("unicode-range").is_none_or(has_letters),
            addresses: addresses.collect(),
        })
    }
}

/// Family name in lower case, without commas: lists of names are joined by them.
fn family(value: &[Token]) -> Option<Rc<str>> {
    let words = value.iter().filter_map(|token| match token {
        Token::Text(word) | Token::Ident(word) => Some(&**word),
        _ => None,
    });
    let name = words.collect::<Vec<_>>().join(" ").replace(',', " ");
    (!name.is_empty()).then(|| name.to_lowercase().into())
}

/// Parses a weight, or the range of a variable font (CSS Fonts 4, 4.4). An invalid weight counts as 400, that of normal
/// text.
fn weight(value: &[Token]) -> (u16, u16) {
    let mut cursor = Cursor::new(value);
    // A static font has one weight, a variable font two.
    let mut one = || {
        if let Some(number) = cursor.attempt(|cursor| cursor.number()) {
            return Some(number.clamp(1.0, 1000.0) as u16);
        }
        match cursor.word()?.as_str() {
            "normal" => Some(400),
            "bold" => Some(700),
            _ => None,
        }
    };
    let low = one().unwrap_or(400);
    let high = one().unwrap_or(low);
    (low.min(high), low.max(high))
}

/// Returns whether one of the ranges in `unicode-range` contains the letter A (U+0041). Web fonts
/// are often split by script; only the Latin part serves as the font of a family.
fn has_letters(value: &[Token]) -> bool {
    let text: String = value.iter().map(written).collect();
    text.split(',').any(|range| {
        let range = range.trim_start_matches(['u', 'U', '+']);
        let (from, to) = range.split_once('-').unwrap_or((range, range));
        // `U+4??` means U+400 to U+4FF.
        let number = |text: &str, wild: &str| {
            u32::from_str_radix(&text.trim().replace('?', wild), 16).unwrap_or(0)
        };
        number(from, "0") <= 0x41 && 0x41 <= number(to, "f")
    })
}

/// Restores the text of a token of `unicode-range`: the tokenizer splits `U+0000-00FF` into
/// identifiers, numbers and dimensions.
fn written(token: &Token) -> String {
    match token {
        Token::Ident(text) => text.to_string(),
        Token::Number(number) => format!("{number:+}"),
        Token::Dimension(number, unit) => format!("{number:+}{unit}"),
        Token::Comma => ",".to_owned(),
        Token::Delim(sign) => sign.to_string(),
        _ => String::new(),
    }
}
