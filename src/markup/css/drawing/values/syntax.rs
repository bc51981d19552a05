//! Parsers of single values of SVG, which write what they read in the syntax of usvg. Knows no cascade.

use super::grammar::{
    Grammar::{self, Across, Down},
    SYSTEM,
};
use crate::css::{
    colour::{Paint, colour},
    rgba::Rgba,
    tokens::Token,
    value::{Context, Cursor},
};
use std::fmt::Write;

/// Parses a value that must extend to the end.
pub(super) fn whole<T>(
    mut cursor: Cursor<'_>,
    read: impl FnOnce(&mut Cursor<'_>) -> Option<T>,
) -> Option<T> {
    let value = read(&mut cursor)?;
    cursor.is_done().then_some(value)
}

/// Parses a colour, system colours included.
pub(super) fn colour_of(cursor: &mut Cursor<'_>) -> Option<Paint> {
    if let Some(found) = colour(cursor) {
        return Some(found);
    }
    cursor.attempt(|cursor| {
        let word = cursor.word()?;
        let known = SYSTEM.iter().find(|(name, _)| *name == word);
        known.map(|(_, [red, green, blue])| Paint::Rgba(Rgba::opaque(*red, *green, *blue)))
    })
}

/// Writes a colour for usvg, which reads hexadecimal digits and `rgba()`.
pub(super) fn plain(colour: Rgba) -> String {
    let [red, green, blue] = colour.rgb;
    match colour.alpha {
        alpha if alpha >= 1.0 => format!("#{red:02x}{green:02x}{blue:02x}"),
        alpha => format!("rgba({red},{green},{blue},{})", number(alpha)),
    }
}

/// Parses a paint (SVG 2, 13.2): a URL may have a fallback, for the case that it names nothing.
pub(super) fn paint(mut cursor: Cursor<'_>) -> Option<String> {
    let cursor = &mut cursor;
    for word in ["none", "context-fill", "context-stroke"] {
        if cursor.is_word(word) {
            return cursor.is_done().then(|| word.to_owned());
        }
    }
    let mut out = String::new();
    if let Some(found) = cursor.attempt(address) {
        out.push_str(&found);
        if cursor.is_done() {
            return Some(out);
        }
        out.push(' ');
        if cursor.is_word("none") {
            out.push_str("none");
            return cursor.is_done().then_some(out);
        }
    }
    match colour_of(cursor)? {
        Paint::Current => out.push_str("currentColor"),
        Paint::Rgba(colour) => out.push_str(&plain(colour)),
    }
    // An ICC colour may follow and is ignored (SVG 1.1, 11.2).
    cursor.attempt(|cursor| cursor.function().filter(|(name, _)| *name == "icc-color"));
    cursor.is_done().then_some(out)
}

/// Parses `none` or the URL of an element.
pub(super) fn address(cursor: &mut Cursor<'_>) -> Option<String> {
    if cursor.is_word("none") {
        return Some("none".to_owned());
    }
    // usvg reads unquoted URLs. A URL with special characters is written in single quotes, and those within it are
    // escaped.
    let of = |address: &str| {
        let is_plain = !address.contains(['"', '\'', '(', ')', ' ']);
        match is_plain {
            true => format!("url({address})"),
            false => format!("url('{}')", address.replace('\'', "%27")),
        }
    };
    match cursor.peek()? {
        Token::Url(address) => {
            let address = of(address);
            cursor.next();
            Some(address)
        }
        Token::Function(name) if &**name == "url" => {
            let (_, mut inside) = cursor.function()?;
            match inside.next()? {
                Token::Text(address) => Some(of(address)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Parses a length, and writes it as a number of px or a percentage. Percentages mixed with lengths are resolved
/// against the viewport.
pub(super) fn length(
    name: &str,
    mut cursor: Cursor<'_>,
    kind: Grammar,
    context: &Context,
    is_attribute: bool,
) -> Option<String> {
    if cursor.is_word("auto") || cursor.is_word("normal") {
        let is_known = matches!(name, "rx" | "ry" | "letter-spacing" | "word-spacing");
        return match (cursor.is_done() && is_known, name) {
            (true, "rx" | "ry") => Some("auto".to_owned()),
            (true, _) => Some("normal".to_owned()),
            _ => None,
        };
    }
    // A single number or percentage in an attribute is left to usvg.
    let plain = matches!(cursor.rest(), [Token::Number(_) | Token::Percentage(_)]);
    if is_attribute && plain {
        return None;
    }
    let read = cursor.length(true)?;
    let is_negative = read.is_negative()
        && matches!(
            name,
            "width" | "height" | "r" | "rx" | "ry" | "stroke-width"
        );
    if !cursor.is_done() || is_negative {
        return None;
    }
    // Percentages are kept, because usvg knows their base.
    let read = read.computed(context);
    if let Some(percent) = read.only_percent() {
        return Some(format!("{}%", number(percent)));
    }
    let (width, height) = context.viewport;
    Some(number(match kind {
        Across => read.of(width),
        Down => read.of(height),
        // The normalized diagonal (SVG 2, 8.9).
        _ => read.of(((width * width + height * height) / 2.0).sqrt()),
    }))
}

/// Parses `stroke-dasharray` (SVG 2, 13.5.6): lengths with commas or spaces between them. Negative
/// ones are invalid.
pub(super) fn dashes(mut cursor: Cursor<'_>, context: &Context) -> Option<String> {
    if cursor.is_word("none") {
        return cursor.is_done().then(|| "none".to_owned());
    }
    let mut all = Vec::new();
    while !cursor.is_done() {
        let read = cursor.length(true)?;
        if read.is_negative() {
            return None;
        }
        let read = read.computed(context);
        all.push(match read.only_percent() {
            Some(percent) => format!("{}%", number(percent)),
            None => number(read.of(0.0)),
        });
        // Commas between dashes are optional.
        cursor.is_comma();
    }
    (!all.is_empty()).then(|| all.join(" "))
}

/// Parses `path()` and returns its path data. The fill rule in front is not part of the data.
pub(super) fn path(mut cursor: Cursor<'_>) -> Option<String> {
    let (name, mut inside) = cursor.function()?;
    if name != "path" {
        return None;
    }
    if inside.is_word("evenodd") || inside.is_word("nonzero") {
        inside.is_comma();
    }
    match inside.next()? {
        Token::Text(path) => Some(path.to_string()),
        _ => None,
    }
}

/// Parses `font-size`, in px. Keywords have the sizes of browsers for a default of 16 px.
pub(super) fn font_size(mut cursor: Cursor<'_>, context: &Context) -> Option<f32> {
    const WORDS: [(&str, f32); 8] = [
        ("xx-small", 9.0),
        ("x-small", 10.0),
        ("small", 13.0),
        ("medium", 16.0),
        ("large", 18.0),
        ("x-large", 24.0),
        ("xx-large", 32.0),
        ("xxx-large", 48.0),
    ];
    if let Some(word) = cursor.attempt(Cursor::word) {
        return match word.as_str() {
            // Relative sizes, by the usual factor of 1.2 (CSS Fonts 4, 2.5).
            "smaller" => Some(context.em / 1.2),
            "larger" => Some(context.em * 1.2),
            "inherit" => Some(context.em),
            word => {
                let known = WORDS.iter().find(|(known, _)| *known == word);
                known.map(|(_, size)| *size)
            }
        };
    }
    let length = cursor.length(true)?;
    let is_valid = cursor.is_done() && !length.is_negative();
    is_valid.then(|| length.computed(context).of(context.em))
}

/// Formats a number with at most five decimals. Adding zero turns `-0` into `0`.
pub(in crate::css::drawing) fn number(number: f32) -> String {
    let rounded = (f64::from(number) * 1e5).round() / 1e5;
    format!("{}", rounded + 0.0)
}

/// Serializes tokens to text that a tokenizer splits in the same way.
pub(in crate::css::drawing) fn text(tokens: &[Token]) -> String {
    let mut out = String::new();
    for token in tokens {
        // Writing to a text cannot fail.
        let _ = match token {
            Token::Ident(word) => write!(out, "{word}"),
            Token::Function(name) => write!(out, "{name}("),
            Token::At(name) => write!(out, "@{name}"),
            Token::Hash(name) => write!(out, "#{name}"),
            // A text is written between quotation marks that it does not contain. If it contains both kinds, its double
            // ones are dropped.
            Token::Text(text) => match text.contains('\'') {
                true => write!(out, "\"{}\"", text.replace('"', "")),
                false => write!(out, "'{text}'"),
            },
            Token::Url(address) => write!(out, "url({address})"),
            Token::Number(value) => write!(out, "{}", number(*value)),
            Token::Percentage(value) => write!(out, "{}%", number(*value)),
            Token::Dimension(value, unit) => write!(out, "{}{unit}", number(*value)),
            Token::Space => write!(out, " "),
            Token::Colon => write!(out, ":"),
            Token::Semicolon => write!(out, ";"),
            Token::Comma => write!(out, ","),
            Token::Open(bracket) | Token::Close(bracket) => write!(out, "{bracket}"),
            Token::Delim(sign) => write!(out, "{sign}"),
        };
    }
    out
}
