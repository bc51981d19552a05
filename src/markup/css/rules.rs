//! Boundaries of rules and declarations in a token list (CSS Syntax 3, 5). Interprets no property.
//!
//! Rules are found by their brackets alone, as the specification demands: a rule that cannot be
//! parsed ends where its block ends, and what follows stays valid.

use super::{
    tokens::{Token, closing, trimmed},
    value::Cursor,
};
use std::rc::Rc;

/// An `@counter-style` rule: name and descriptors.
pub(super) type CounterRule = (Rc<str>, Vec<(String, Vec<Token>, bool)>);

/// Parses a sheet with nothing but `@counter-style` rules.
pub(super) fn counter_rules(all: &[Token]) -> Vec<CounterRule> {
    let (mut rules, mut at) = (Vec::new(), 0);
    while let Some(open) = block(all, at) {
        let end = closing(all, open);
        // The name is the last token before the block; it follows `@counter-style`.
        if let [.., Token::Ident(name)] = trimmed(&all[at..open]) {
            rules.push((name.clone(), pairs(&all[open + 1..end.max(open + 1)])));
        }
        at = end + 1;
    }
    rules
}

/// Index of the opening brace of the rule that begins at `at`.
pub(super) fn block(all: &[Token], at: usize) -> Option<usize> {
    opening(all, at, false).ok()
}

/// Index of the opening brace of an at-rule whose prelude begins at `at`. The error of a rule without a block is the
/// index of its end.
pub(super) fn at_block(all: &[Token], at: usize) -> Result<usize, usize> {
    opening(all, at, true)
}

/// Index of the first opening brace from `at` on, outside of brackets. The error is the index of a semicolon before the
/// brace, if `ends_at_semicolon` is set, or else the number of tokens.
fn opening(all: &[Token], mut at: usize, ends_at_semicolon: bool) -> Result<usize, usize> {
    while at < all.len() {
        match &all[at] {
            Token::Open('{') => return Ok(at),
            Token::Semicolon if ends_at_semicolon => return Err(at),
            Token::Function(_) | Token::Open(_) => at = closing(all, at),
            _ => {}
        }
        at += 1;
    }
    Err(all.len())
}

/// Declarations of a block: property (in lower case, unless it is a custom property), value, and whether the
/// declaration is `!important` (CSS Syntax 3, 5.4). Parts without a name and a colon are skipped.
pub(super) fn pairs(body: &[Token]) -> Vec<(String, Vec<Token>, bool)> {
    let mut pairs = Vec::new();
    for (from, to) in parts(body).0 {
        let tokens = trimmed(&body[from..to]);
        // White space may precede the name, and also the colon.
        let start = tokens
            .iter()
            .position(|token| *token != Token::Space)
            .unwrap_or(0);
        let [Token::Ident(name), rest @ ..] = &tokens[start.min(tokens.len())..] else {
            continue;
        };
        let colon = rest.iter().position(|token| *token != Token::Space);
        let Some(colon) = colon.filter(|at| rest[*at] == Token::Colon) else {
            continue;
        };
        let mut value = &rest[colon + 1..];
        // `!important` is an exclamation mark and a word at the end, with white space allowed
        // between.
        let mut important = false;
        if let [before @ .., Token::Ident(word)] = value
            && word.eq_ignore_ascii_case("important")
            && let [before @ .., Token::Delim('!')] = trimmed(before)
        {
            important = true;
            value = trimmed(before);
        }
        // Custom properties are case-sensitive; all others are not.
        let name = match name.starts_with("--") {
            true => name.to_string(),
            false => name.to_ascii_lowercase(),
        };
        pairs.push((name, Cursor::new(value).rest().to_vec(), important));
    }
    pairs
}

/// Token ranges: start and end.
pub(super) type Ranges = Vec<(usize, usize)>;

/// Ranges of the declarations in a block, and of its nested rules.
///
/// A semicolon ends a declaration. A block in braces ends a nested rule, unless it is the value of
/// a custom property; an at-rule with a block is a nested rule, too.
pub(super) fn parts(body: &[Token]) -> (Ranges, Ranges) {
    let (mut declared, mut inner) = (Vec::new(), Vec::new());
    // Start of the current declaration or rule, and the token looked at.
    let (mut from, mut at) = (0, 0);
    while at < body.len() {
        match &body[at] {
            Token::Semicolon => {
                declared.push((from, at));
                from = at + 1;
            }
            Token::Open('{') => {
                let end = (closing(body, at) + 1).min(body.len());
                // The block belongs to the value of a custom property, or ends a nested rule.
                let custom = body[from..at].iter().find(|token| **token != Token::Space);
                let custom = matches!(custom, Some(Token::Ident(name)) if name.starts_with("--"));
                at = end;
                if !custom {
                    inner.push((from, end));
                    from = end;
                }
                continue;
            }
            Token::Function(_) | Token::Open(_) => at = closing(body, at),
            // An at-rule without a block, such as a nested `@layer a;`, ends at its semicolon.
            Token::At(_) => {
                if let Ok(open) = at_block(body, at) {
                    let end = (closing(body, open) + 1).min(body.len());
                    inner.push((at, end));
                    at = end;
                    from = end;
                    continue;
                }
            }
            _ => {}
        }
        at += 1;
    }
    declared.push((from, body.len()));
    (declared, inner)
}
