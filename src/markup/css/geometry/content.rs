//! Generated content and counters (CSS Content 3, 2; CSS Lists 3, 4). Makes no boxes.

use super::super::{
    property::{Compute, Declaration, now, one, own},
    style::{Content, Counters},
    tokens::Token,
    value::Cursor,
};
use std::rc::Rc;

/// Parses the declaration of `content` or of a property of counters; `None` if it is unknown or invalid.
pub(super) fn declare(name: &str, cursor: Cursor<'_>) -> Option<Vec<Declaration>> {
    match name {
        "content" => one(cursor, own!(content), content),
        "counter-reset" => one(cursor, own!(counter_reset), |cursor| counters(cursor, 0)),
        "counter-increment" => one(cursor, own!(counter_increment), |cursor| {
            counters(cursor, 1)
        }),
        "counter-set" => one(cursor, own!(counter_set), |cursor| counters(cursor, 0)),
        _ => None,
    }
}

/// Parses counters with values (CSS Lists 3, 4); `default` replaces an omitted value: 0 to reset or set a counter, 1 to
/// increment it.
fn counters(cursor: &mut Cursor<'_>, default: i32) -> Option<Compute<Counters>> {
    if cursor.is_word("none") {
        return now(Rc::from([]));
    }
    let mut all: Vec<(Rc<str>, i32)> = Vec::new();
    while let Some(Token::Ident(name)) = cursor.peek() {
        let name = name.clone();
        cursor.next();
        all.push((name, cursor.integer().unwrap_or(default)));
    }
    let all: Counters = all.into();
    (!all.is_empty()).then(|| now(all))?
}

/// Parses `content` (CSS Content 3, 2): a sequence of texts, images, counters and quotation marks.
fn content(cursor: &mut Cursor<'_>) -> Option<Compute<Option<Rc<[Content]>>>> {
    if cursor.is_word("normal") || cursor.is_word("none") {
        return now(None);
    }
    let mut all = Vec::new();
    while let Some(token) = cursor.peek() {
        match token {
            Token::Text(text) => {
                all.push(Content::Text(text.clone()));
                cursor.next();
            }
            Token::Url(url) => {
                all.push(Content::Url(url.clone()));
                cursor.next();
            }
            Token::Ident(_) => {
                let word = cursor.word()?;
                let (opens, shown) = match word.as_str() {
                    "open-quote" => (true, true),
                    "close-quote" => (false, true),
                    "no-open-quote" => (true, false),
                    "no-close-quote" => (false, false),
                    _ => return None,
                };
                all.push(Content::Quote { opens, shown });
            }
            Token::Function(_) => {
                let (name, inside) = cursor.function()?;
                all.push(generated(name, inside)?);
            }
            // Alternative text for speech follows; it is ignored.
            Token::Delim('/') => *cursor = Cursor::new(&[]),
            _ => return None,
        }
    }
    now(Some(all.into()))
}

/// Parses a function in `content`: `attr()`, `url()`, `counter()` or `counters()`.
fn generated(name: &str, mut inside: Cursor<'_>) -> Option<Content> {
    let ident = |cursor: &mut Cursor<'_>| match cursor.next() {
        Some(Token::Ident(name)) => Some(name.clone()),
        _ => None,
    };
    match name {
        "attr" => Some(Content::Attribute(
            ident(&mut inside)?.to_ascii_lowercase().into(),
        )),
        "url" => match inside.next() {
            Some(Token::Text(url)) => Some(Content::Url(url.clone())),
            _ => None,
        },
        "counter" | "counters" => {
            let name_of = ident(&mut inside)?;
            let mut between = None;
            // `counters()` joins the values of nested counters with a text, the second argument.
            if name == "counters" {
                inside.is_comma();
                match inside.next() {
                    Some(Token::Text(text)) => between = Some(text.clone()),
                    _ => return None,
                }
            }
            let style = if inside.is_comma() {
                ident(&mut inside)?
            } else {
                "decimal".into()
            };
            inside
                .is_done()
                .then_some(Content::Counter(name_of, style, between))
        }
        _ => None,
    }
}
