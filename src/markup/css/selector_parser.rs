//! Parser of selectors (Selectors 4). Matches nothing.

use super::{
    selectors::{Combinator, Operator, Pseudo, Selector, Simple},
    tokens::{Token, closing},
    value::Cursor,
};
use crate::dom::{Name, Names, Quirks};
use std::rc::Rc;

/// Limit on nested selectors, as in `:is(:is(…))`, against deep recursion.
const DEEPEST: usize = 8;
/// Limit on the parts of a selector; a longer one is invalid.
const MAX_PARTS: usize = 1000;

/// Context of parsing.
pub(super) struct Reading<'a> {
    /// Numbers of names.
    pub names: &'a mut Names,
    /// In quirks mode, ids and classes ignore case.
    pub quirks: Quirks,
    /// Selectors of the enclosing rule, for `&`.
    pub parent: Option<&'a Rc<[Selector]>>,
}

/// Parts of a selector that have been parsed.
#[derive(Default)]
struct Parts {
    /// Simple selectors of the current compound.
    compound: Vec<Simple>,
    pseudo: Option<Pseudo>,
    /// Specificity of the whole selector.
    specificity: u32,
}

impl Parts {
    /// Adds to the specificity.
    fn add(&mut self, weight: u32) {
        self.specificity = self.specificity.saturating_add(weight);
    }
}

impl Reading<'_> {
    /// Number of an id or class.
    fn name(&mut self, text: &str) -> Name {
        match self.quirks {
            Quirks::Full => self.names.number(&text.to_ascii_lowercase()),
            Quirks::None | Quirks::Limited => self.names.number(text),
        }
    }

    /// Parses a selector list. `None` if any selector is invalid.
    pub(super) fn list(&mut self, tokens: &[Token]) -> Option<Vec<Selector>> {
        self.list_at(Cursor::new(super::tokens::trimmed(tokens)), 0)
    }

    /// Parses a selector list at a nesting depth.
    fn list_at(&mut self, cursor: Cursor<'_>, depth: usize) -> Option<Vec<Selector>> {
        if depth > DEEPEST {
            return None;
        }
        cursor
            .parts()
            .into_iter()
            .map(|part| self.selector(part.rest(), depth))
            .collect()
    }

    /// Parses a forgiving list, as of `:is()` (Selectors 4, 4.2): invalid selectors are dropped.
    fn forgiving(&mut self, cursor: Cursor<'_>, depth: usize) -> Vec<Selector> {
        if depth > DEEPEST {
            return Vec::new();
        }
        cursor
            .parts()
            .into_iter()
            .filter_map(|part| self.selector(part.rest(), depth))
            .collect()
    }

    /// Parses a complex selector: compounds with combinators between them (Selectors 4).
    ///
    /// Specificity is packed into one number: ids from bit 20 on, classes, attributes and pseudo-classes from bit 10
    /// on, types and pseudo-elements from bit 0 on. Compounds are stored right to left, as they are matched.
    fn selector(&mut self, tokens: &[Token], depth: usize) -> Option<Selector> {
        let tokens = super::tokens::trimmed(tokens);
        let mut compounds: Vec<(Vec<Simple>, Combinator)> = Vec::new();
        let mut parts = Parts::default();
        let mut at = 0;
        let mut combinator = None;
        // The limit is checked on tokens, with four tokens for each part.
        if tokens.is_empty() || tokens.len() > 4 * MAX_PARTS {
            return None;
        }
        while at < tokens.len() {
            // Combinators. White space is a combinator, unless another combinator is next to it.
            match &tokens[at] {
                Token::Space => {
                    combinator = combinator.or(Some(Combinator::Descendant));
                    at += 1;
                    continue;
                }
                Token::Delim(c @ ('>' | '+' | '~')) => {
                    combinator = Some(match c {
                        '>' => Combinator::Child,
                        '+' => Combinator::Next,
                        _ => Combinator::Later,
                    });
                    at += 1;
                    continue;
                }
                _ => {}
            }
            // The combinator before this token ends the compound so far.
            if let Some(leading) = combinator.take() {
                if parts.compound.is_empty() {
                    // A leading combinator is allowed in `:has()` only, which removes it first.
                    return None;
                }
                compounds.push((std::mem::take(&mut parts.compound), leading));
            }
            // Nothing may follow a pseudo-element.
            if parts.pseudo.is_some() {
                return None;
            }
            at = self.part(tokens, at, depth, &mut parts)?;
        }
        // White space at the end is not a combinator; any other combinator needs a compound after it.
        if combinator.is_some_and(|last| last != Combinator::Descendant) {
            return None;
        }
        if parts.compound.is_empty() && parts.pseudo.is_none() {
            return None;
        }
        // The last compound is the subject of the selector. No combinator follows it, so `Descendant` is a placeholder.
        compounds.push((parts.compound, Combinator::Descendant));
        // So far each combinator is stored with the compound on its left; move it to the one on its
        // right.
        compounds.reverse();
        let combinators: Vec<Combinator> = compounds
            .iter()
            .skip(1)
            .map(|(_, combinator)| *combinator)
            .collect();
        for (compound, combinator) in compounds.iter_mut().zip(combinators) {
            compound.1 = combinator;
        }
        Some(Selector {
            compounds: compounds.into(),
            pseudo: parts.pseudo,
            specificity: parts.specificity,
        })
    }

    /// Parses the part of a compound at `at`: a simple selector or a pseudo-element. Returns the index of the token
    /// after it.
    fn part(
        &mut self,
        tokens: &[Token],
        mut at: usize,
        depth: usize,
        parts: &mut Parts,
    ) -> Option<usize> {
        match &tokens[at] {
            Token::Delim('*') => parts.compound.push(Simple::Any),
            // Namespace separators are ignored.
            Token::Delim('|') => {}
            // The nesting selector represents the list of the enclosing rule (CSS Nesting 1).
            Token::Delim('&') => {
                let parent = self.parent?.clone();
                parts.add(
                    parent
                        .iter()
                        .map(|parent| parent.specificity)
                        .max()
                        .unwrap_or(0),
                );
                parts.compound.push(Simple::Is(parent));
            }
            Token::Ident(name) => {
                parts.add(1);
                let name = self.names.number(&name.to_ascii_lowercase());
                parts.compound.push(Simple::Type(name));
            }
            // Ids and classes ignore case in quirks mode (see `name`), types always do in HTML.
            Token::Hash(name) => {
                parts.add(1 << 20);
                parts.compound.push(Simple::Id(self.name(name)));
            }
            Token::Delim('.') => {
                at += 1;
                let Some(Token::Ident(name)) = tokens.get(at) else {
                    return None;
                };
                parts.add(1 << 10);
                parts.compound.push(Simple::Class(self.name(name)));
            }
            // Attributes, pseudo-classes and classes have the same weight.
            Token::Open('[') => {
                let end = closing(tokens, at);
                parts.add(1 << 10);
                parts
                    .compound
                    .push(attribute(Cursor::new(&tokens[at + 1..end]))?);
                at = end;
            }
            // One colon begins a pseudo-class, two a pseudo-element; the oldest pseudo-elements may have one.
            Token::Colon => {
                at += 1;
                let double = tokens.get(at) == Some(&Token::Colon);
                at += usize::from(double);
                match tokens.get(at)? {
                    Token::Ident(name) => {
                        let name = name.to_ascii_lowercase();
                        if let Some(found) = element_part(&name, double) {
                            parts.pseudo = Some(found);
                            parts.add(1);
                        } else if double {
                            return None;
                        } else {
                            parts.add(1 << 10);
                            parts.compound.push(state(&name)?);
                        }
                    }
                    Token::Function(name) if !double => {
                        let end = closing(tokens, at);
                        let inside = Cursor::new(super::tokens::trimmed(&tokens[at + 1..end]));
                        let (simple, weight) = self.function(name, inside, depth)?;
                        parts.add(weight);
                        parts.compound.push(simple);
                        at = end;
                    }
                    _ => return None,
                }
            }
            _ => return None,
        }
        Some(at + 1)
    }

    /// Parses a functional pseudo-class. Returns it with its specificity (Selectors 4): that of the most specific
    /// selector in its list for `:is()`, `:not()` and `:has()`, 0 for `:where()`, and that of a class for others, to
    /// which `:nth-child()` adds its list.
    fn function(&mut self, name: &str, inside: Cursor<'_>, depth: usize) -> Option<(Simple, u32)> {
        let heaviest =
            |list: &[Selector]| list.iter().map(|one| one.specificity).max().unwrap_or(0);
        Some(match name {
            "is" | "matches" | "-webkit-any" | "-moz-any" => {
                let list = self.forgiving(inside, depth + 1);
                let weight = heaviest(&list);
                (Simple::Is(list.into()), weight)
            }
            "where" => (Simple::Is(self.forgiving(inside, depth + 1).into()), 0),
            "not" => {
                let list = self.list_at(inside, depth + 1)?;
                let weight = heaviest(&list);
                (Simple::Not(list.into()), weight)
            }
            "has" => {
                // Relative selectors may begin with a combinator; the default is a descendant.
                let mut list = Vec::new();
                let mut weight = 0;
                for mut part in inside.parts() {
                    let combinator = match part.peek() {
                        Some(Token::Delim('>')) => Combinator::Child,
                        Some(Token::Delim('+')) => Combinator::Next,
                        Some(Token::Delim('~')) => Combinator::Later,
                        _ => Combinator::Descendant,
                    };
                    if combinator != Combinator::Descendant {
                        part.next();
                    }
                    let selector = self.selector(part.rest(), depth + 1)?;
                    // `:has()` must not be nested (Selectors 4, 4.5).
                    if looks_inside(&selector) {
                        return None;
                    }
                    weight = weight.max(selector.specificity);
                    list.push((combinator, selector));
                }
                (Simple::Has(list.into()), weight)
            }
            "nth-child" | "nth-last-child" | "nth-of-type" | "nth-last-of-type" => {
                // `An+B of S` counts only siblings that match S.
                let tokens = inside.rest();
                let is_of = |token: &Token| matches!(token, Token::Ident(word) if word.eq_ignore_ascii_case("of"));
                // The list after `of` is allowed with `-child` only (Selectors 4, 13.3.1).
                let of = tokens
                    .iter()
                    .position(is_of)
                    .filter(|_| name.ends_with("child"));
                let end = of.unwrap_or(tokens.len());
                let (a, b) = every(Cursor::new(&tokens[..end]))?;
                let among = match of {
                    Some(of) => Some(self.list_at(Cursor::new(&tokens[of + 1..]), depth + 1)?),
                    None => None,
                };
                let weight = among.as_deref().map_or(0, heaviest);
                let nth = Simple::Nth {
                    a,
                    b,
                    last: name.contains("last"),
                    of_type: name.ends_with("type"),
                    among: among.map(Into::into),
                };
                (nth, weight.saturating_add(1 << 10))
            }
            "lang" => match inside.peek()? {
                Token::Ident(tag) | Token::Text(tag) => {
                    (Simple::Language(tag.to_ascii_lowercase().into()), 1 << 10)
                }
                _ => return None,
            },
            // `:dir()` is not supported, and states of shadow trees and of scripts never occur: these match nothing.
            "dir" | "host" | "host-context" | "state" => (Simple::Never, 1 << 10),
            _ => return None,
        })
    }
}

/// Pseudo-element by name; the oldest ones allow a single colon (Selectors 4, 3.6).
fn element_part(name: &str, double: bool) -> Option<Pseudo> {
    Some(match name {
        "before" => Pseudo::Before,
        "after" => Pseudo::After,
        "first-line" => Pseudo::FirstLine,
        "first-letter" => Pseudo::FirstLetter,
        "marker" if double => Pseudo::Marker,
        _ => return None,
    })
}

/// Pseudo-class without arguments. Those that depend on interaction or the validity of forms, and some that are not
/// supported, never match. Unknown ones are invalid.
fn state(name: &str) -> Option<Simple> {
    // `:first-child` and its relatives are short forms of `:nth-child()` and so on.
    let nth = |b, last, of_type| Simple::Nth {
        a: 0,
        b,
        last,
        of_type,
        among: None,
    };
    let has = |name: &str| Simple::Attribute {
        name: name.into(),
        operator: Operator::Has,
        value: "".into(),
        any_case: false,
    };
    Some(match name {
        "required" => has("required"),
        "open" => has("open"),
        "root" => Simple::Root,
        "empty" => Simple::Empty,
        "link" | "any-link" | "-webkit-any-link" => Simple::Link,
        "checked" => Simple::Checked,
        "disabled" => Simple::Disabled,
        "enabled" => Simple::Enabled,
        "first-child" => nth(1, false, false),
        "last-child" => nth(1, true, false),
        "first-of-type" => nth(1, false, true),
        "last-of-type" => nth(1, true, true),
        "only-child" => Simple::Only(false),
        "only-of-type" => Simple::Only(true),
        // Without a scoping root, `:scope` is the root (Selectors 4, 8).
        "scope" => Simple::Root,
        "hover" | "active" | "focus" | "focus-within" | "focus-visible" | "visited" | "target"
        | "target-within" | "fullscreen" | "modal" | "playing" | "paused" | "autofill"
        | "indeterminate" | "invalid" | "user-invalid" | "out-of-range" | "placeholder-shown"
        | "read-only" | "read-write" | "optional" | "valid" | "in-range" | "default"
        | "defined" => Simple::Never,
        _ => return None,
    })
}

/// Returns whether a selector contains `:has()`.
fn looks_inside(selector: &Selector) -> bool {
    let simples = selector.compounds.iter().flat_map(|(simples, _)| simples);
    simples.into_iter().any(|simple| match simple {
        Simple::Has(_) => true,
        Simple::Is(list) => list.iter().any(looks_inside),
        Simple::Not(list) => list.iter().any(looks_inside),
        _ => false,
    })
}

/// Parses an attribute selector (Selectors 4, 6): a name, an operator, a value, and a flag for its case. The prefixes
/// `*|` and `|` are ignored; named namespaces are invalid.
fn attribute(mut cursor: Cursor<'_>) -> Option<Simple> {
    // Prefixes `*|` and `|`.
    cursor.is_delim('*');
    cursor.is_delim('|');
    let Some(Token::Ident(name)) = cursor.next() else {
        return None;
    };
    let name: Box<str> = name.to_ascii_lowercase().into();
    if cursor.is_done() {
        return Some(Simple::Attribute {
            name,
            operator: Operator::Has,
            value: "".into(),
            any_case: false,
        });
    }
    // Operators of two characters are two tokens.
    let operator = match cursor.next()? {
        Token::Delim('=') => Operator::Is,
        Token::Delim(c) => {
            let operator = match c {
                '~' => Operator::Word,
                '|' => Operator::Dash,
                '^' => Operator::Begins,
                '$' => Operator::Ends,
                '*' => Operator::Contains,
                _ => return None,
            };
            cursor.is_delim('=').then_some(operator)?
        }
        _ => return None,
    };
    let value = match cursor.next()? {
        Token::Text(value) | Token::Ident(value) => value.clone(),
        Token::Number(number) => number.to_string().into(),
        _ => return None,
    };
    // Attributes whose values HTML compares case-insensitively (HTML, 4.16.2), as far as style
    // sheets use them.
    let html = matches!(
        &*name,
        "type" | "align" | "valign" | "dir" | "lang" | "method" | "rel" | "media"
    );
    let any_case = cursor.is_word("i") || html && !cursor.is_word("s");
    Some(Simple::Attribute {
        name,
        operator,
        value: (*value).into(),
        any_case,
    })
}

/// Parses `An+B`, such as `2n+1` or `odd` (CSS Syntax 3, 6). Returns A and B. The tokens are joined
/// to a text first, because the tokenizer splits them in many ways: `2n-1` is a single dimension token.
fn every(cursor: Cursor<'_>) -> Option<(i32, i32)> {
    let mut text = String::new();
    for token in cursor.rest() {
        match token {
            Token::Ident(word) => text.push_str(&word.to_ascii_lowercase()),
            Token::Number(number) => {
                // The tokenizer drops the plus sign of a number, so it is added again.
                if *number >= 0.0 && text.ends_with('n') {
                    text.push('+');
                }
                text.push_str(&number.to_string());
            }
            Token::Dimension(number, unit) => text.push_str(&format!("{number}{unit}")),
            Token::Delim(c) => text.push(*c),
            Token::Space => {}
            _ => return None,
        }
    }
    match text.as_str() {
        "odd" => return Some((2, 1)),
        "even" => return Some((2, 0)),
        _ => {}
    }
    // Without `n` the text is the number B alone.
    let Some((a, b)) = text.split_once('n') else {
        return Some((0, text.parse().ok()?));
    };
    let a = match a {
        "" | "+" => 1,
        "-" => -1,
        a => a.parse().ok()?,
    };
    let b = match b.trim_start_matches('+') {
        "" => 0,
        b => b.parse().ok()?,
    };
    Some((a, b))
}
