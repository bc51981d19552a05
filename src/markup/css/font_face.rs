//! Fonts that style sheets bring (CSS Fonts 4, 4: `@font-face`): what they are called, and where they are. Reads no font.

use super::{tokens::Token, value::Cursor};
use crate::html::is_data_url;
use std::rc::Rc;

/// A font of a sheet.
pub struct FontFace {
    /// Name of its family, in lower case.
    pub name: Rc<str>,
    /// The least and the largest weight that it stands for.
    pub weight: (u16, u16),
    pub italic: bool,
    /// Its characters are said to have Latin letters among them, or nothing is said of them.
    pub is_latin: bool,
    /// The data URLs that it may be read from, the best one first; none if it stands elsewhere.
    pub addresses: Vec<Rc<str>>,
}

impl FontFace {
    /// Reads the descriptors of a rule. `None` without a family or a source.
    pub(super) fn read(pairs: &[(String, Vec<Token>, bool)]) -> Option<Self> {
        let of = |name: &str| {
            let mut named = pairs.iter().rev().filter(|(own, ..)| own == name);
            named.next().map(|(_, value, _)| value.as_slice())
        };
        let sources = of("src")?;
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

fn family(value: &[Token]) -> Option<Rc<str>> {
    let words = value.iter().filter_map(|token| match token {
        Token::Text(word) | Token::Ident(word) => Some(&**word),
        _ => None,
    });
    let name = words.collect::<Vec<_>>().join(" ").replace(',', " ");
    (!name.is_empty()).then(|| name.to_lowercase().into())
}

/// Parses a weight, or the range of a variable font.
fn weight(value: &[Token]) -> (u16, u16) {
    let mut cursor = Cursor::new(value);
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

/// Whether a range of characters has the letter A in it. Only its first character is looked at, and the last if it has one.
fn has_letters(value: &[Token]) -> bool {
    let text: String = value.iter().map(written).collect();
    text.split(',').any(|range| {
        let range = range.trim_start_matches(['u', 'U', '+']);
        let (from, to) = range.split_once('-').unwrap_or((range, range));
        let number = |text: &str, wild: &str| {
            u32::from_str_radix(&text.trim().replace('?', wild), 16).unwrap_or(0)
        };
        number(from, "0") <= 0x41 && 0x41 <= number(to, "f")
    })
}

/// A token of a range as it was written, as far as that matters: `U+0000-00FF` is an identifier, numbers and dimensions.
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
