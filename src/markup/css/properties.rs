//! Parsing of declarations by property name, and substitution of custom properties (CSS Variables 1). The parsers of
//! the values are in other modules.

use super::{
    longhand,
    property::{Declaration, Stage, Wide, wide},
    shorthand,
    tokens::{Token, closing, trimmed},
    value::Cursor,
};
use std::rc::Rc;

/// Limit on the tokens visited while `var()` in a value is substituted: a few properties that double one another would
/// otherwise fill the memory.
const MAX_TOKENS: usize = 10_000;

/// Limit on chains of custom properties that refer to others.
const DEEPEST_VAR: usize = 32;

/// Properties of Microsoft Office that describe tables of workbooks. They are stored like custom
/// properties, for the reader of spreadsheets.
const OFFICE: [&str; 2] = ["mso-number-format", "mso-ignore"];

/// Parses the tokens of a declaration. `None` if it is invalid. A value with `var()` is parsed only
/// when it is computed.
pub(super) fn parse(name: &str, tokens: &[Token]) -> Option<Vec<Declaration>> {
    if name.starts_with("--") || OFFICE.contains(&name) {
        let (name, tokens) = (Rc::<str>::from(name), Rc::<[Token]>::from(tokens));
        return Some(vec![Declaration {
            stage: Stage::Custom,
            important: false,
            measures: false,
            set: Rc::new(move |style, apply| {
                let word = wide(&Cursor::new(&tokens));
                let text = Rc::make_mut(&mut style.text);
                let custom = &mut Rc::make_mut(text.custom.get_or_insert_default()).0;
                let inherited = || apply.parent.text.custom.as_ref()?.0.get(&name).cloned();
                // `initial` removes the value, so `var()` uses its fallback.
                match word {
                    None => custom.insert(name.clone(), tokens.clone()),
                    Some(Wide::Initial) => custom.remove(&name),
                    Some(Wide::Inherit | Wide::Unset) => match inherited() {
                        Some(tokens) => custom.insert(name.clone(), tokens),
                        None => custom.remove(&name),
                    },
                };
            }),
        }]);
    }
    // A value with `var()` cannot be validated before substitution, so it is kept as tokens.
    let has_var = |token: &Token| matches!(token, Token::Function(name) if &**name == "var");
    if tokens.iter().any(has_var) {
        let (name, tokens) = (Rc::<str>::from(name), Rc::<[Token]>::from(tokens));
        // The declaration runs after all custom properties are set: font properties and the line height in their own
        // stages, `zoom` before them, and all others in the last one.
        let stage = match &*name {
            "font" | "font-size" | "font-family" => Stage::Font,
            "line-height" => Stage::Line,
            "zoom" => Stage::Zoom,
            _ => Stage::Other,
        };
        return Some(vec![Declaration {
            stage,
            important: false,
            measures: false,
            set: Rc::new(move |style, apply| {
                let (mut out, mut steps) = (Vec::new(), 0);
                let custom = style.text.custom.clone();
                let held = |name: &Rc<str>| custom.as_ref()?.0.get(name).cloned();
                let complete = substitute(&tokens, &held, (0, &mut steps), &mut out);
                apply.steps.set(apply.steps.get() + steps as u64);
                // A value that is invalid after substitution counts as `unset` (CSS Variables 1,
                // 3.1).
                let unset = [Token::Ident("unset".into())];
                let parsed = complete.and_then(|()| declare(&name, Cursor::new(trimmed(&out))));
                let parsed = parsed.or_else(|| declare(&name, Cursor::new(&unset)));
                for declaration in parsed.unwrap_or_default() {
                    (declaration.set)(style, apply);
                }
            }),
        }]);
    }
    declare(name, Cursor::new(trimmed(tokens)))
}

/// Returns the tokens of a custom property.
pub(super) type Custom<'c> = &'c dyn Fn(&Rc<str>) -> Option<Rc<[Token]>>;

/// Replaces `var()` by the values of custom properties (CSS Variables 1, 3). `None` if a property has neither a value
/// nor a fallback, or if a limit is exceeded. All tokens visited are counted, because even empty values can be
/// referenced many times.
pub(super) fn substitute(
    tokens: &[Token],
    custom: Custom<'_>,
    (depth, steps): (usize, &mut usize),
    out: &mut Vec<Token>,
) -> Option<()> {
    if depth > DEEPEST_VAR {
        return None;
    }
    let mut at = 0;
    while at < tokens.len() {
        *steps += 1;
        if *steps > MAX_TOKENS {
            return None;
        }
        match &tokens[at] {
            Token::Function(name) if &**name == "var" => {
                let end = closing(tokens, at);
                let mut inside = Cursor::new(&tokens[at + 1..end]);
                let Some(Token::Ident(name)) = inside.next() else {
                    return None;
                };
                // The tokens that an invalid property has added are removed again.
                let before = out.len();
                let found = custom(name)
                    .and_then(|held| substitute(&held, custom, (depth + 1, steps), out));
                // Without a value, the fallback after the comma is used.
                if found.is_none() {
                    out.truncate(before);
                    if !inside.is_comma() {
                        return None;
                    }
                    substitute(inside.rest(), custom, (depth + 1, steps), out)?;
                }
                at = end + 1;
            }
            token => {
                out.push(token.clone());
                at += 1;
            }
        }
    }
    Some(())
}

/// Parses a declaration without `var()`.
fn declare(name: &str, cursor: Cursor<'_>) -> Option<Vec<Declaration>> {
    longhand::declare(name, cursor).or_else(|| shorthand::declare(name, cursor))
}
