//! Selectors (Selectors 4): reads them, and says whether they match an element. Knows no style.
//!
//! Every comparison of a part of a selector with an element is counted, in [`Matching::steps`]: a page may hold more rules and elements
//! than can be tried on one another in any reasonable time, and whoever asks stops when the count is beyond what he allows.

use super::{
    tokens::{Token, closing},
    value::Cursor,
};
use crate::document::html::dom::{Data, Dom, Name, Names, NodeId, Quirks};
use std::cell::{Cell, OnceCell};

/// How deep selectors may stand in selectors.
const DEEPEST: usize = 8;
/// The most parts of a selector. Longer ones match nothing.
const MOST_PARTS: usize = 1000;

/// How an attribute is compared.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Operator {
    Has,
    Is,
    Word,
    Dash,
    Begins,
    Ends,
    Contains,
}

/// A simple selector.
#[derive(Clone, Debug)]
enum Simple {
    Any,
    Type(Name),
    Id(Name),
    Class(Name),
    Attribute {
        name: Box<str>,
        operator: Operator,
        value: Box<str>,
        any_case: bool,
    },
    Root,
    Empty,
    Link,
    Checked,
    Disabled,
    Enabled,
    /// Its place among its siblings: every `a`-th from `b` on, from the end, of its type.
    Nth {
        a: i32,
        b: i32,
        last: bool,
        of_type: bool,
    },
    Only(bool),
    Is(Box<[Selector]>),
    Not(Box<[Selector]>),
    Has(Box<[(Combinator, Selector)]>),
    Language(Box<str>),
    /// What a reader would have to do something for.
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Combinator {
    Descendant,
    Child,
    Next,
    Later,
}

/// A part of an element that a rule is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pseudo {
    Before,
    After,
    Marker,
    FirstLine,
    FirstLetter,
}

/// A selector.
#[derive(Clone, Debug)]
pub(crate) struct Selector {
    /// From the element outwards. The combinator of each leads to the next one.
    compounds: Box<[(Vec<Simple>, Combinator)]>,
    pub(crate) pseudo: Option<Pseudo>,
    pub(crate) specificity: u32,
}

/// By what an element is found that a selector may match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    Id(Name),
    Class(Name),
    Type(Name),
    Any,
}

/// Names and habits while selectors are read.
pub(crate) struct Reading<'a> {
    pub(crate) names: &'a mut Names,
    pub(crate) quirks: Quirks,
    /// What `&` stands for.
    pub(crate) parent: Option<&'a [Selector]>,
}

impl Reading<'_> {
    fn name(&mut self, text: &str) -> Name {
        match self.quirks {
            Quirks::Full => self.names.number(&text.to_ascii_lowercase()),
            Quirks::None | Quirks::Limited => self.names.number(text),
        }
    }

    /// A list of selectors. `None` if one of them is not valid.
    pub(crate) fn list(&mut self, tokens: &[Token]) -> Option<Vec<Selector>> {
        self.list_at(Cursor::new(super::property::trimmed(tokens)), 0)
    }

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

    /// A list whose invalid selectors are dropped, as in `:is()`.
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

    fn selector(&mut self, tokens: &[Token], depth: usize) -> Option<Selector> {
        let tokens = super::property::trimmed(tokens);
        let mut compounds: Vec<(Vec<Simple>, Combinator)> = Vec::new();
        let mut current: Vec<Simple> = Vec::new();
        let (mut pseudo, mut specificity) = (None, 0_u32);
        let mut at = 0;
        let mut combinator = None;
        if tokens.is_empty() || tokens.len() > 4 * MOST_PARTS {
            return None;
        }
        while at < tokens.len() {
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
            if let Some(leading) = combinator.take() {
                if current.is_empty() {
                    // Only relative selectors begin so, and they are cut before.
                    return None;
                }
                compounds.push((std::mem::take(&mut current), leading));
            }
            if pseudo.is_some() {
                return None;
            }
            match &tokens[at] {
                Token::Delim('*') => current.push(Simple::Any),
                Token::Delim('|') => {}
                Token::Delim('&') => {
                    let parent = self.parent?.to_vec();
                    specificity += parent
                        .iter()
                        .map(|parent| parent.specificity)
                        .max()
                        .unwrap_or(0);
                    current.push(Simple::Is(parent.into()));
                }
                Token::Ident(name) => {
                    specificity += 1;
                    let name = self.names.number(&name.to_ascii_lowercase());
                    current.push(Simple::Type(name));
                }
                Token::Hash(name) => {
                    specificity += 1 << 20;
                    current.push(Simple::Id(self.name(name)));
                }
                Token::Delim('.') => {
                    at += 1;
                    let Some(Token::Ident(name)) = tokens.get(at) else {
                        return None;
                    };
                    specificity += 1 << 10;
                    current.push(Simple::Class(self.name(name)));
                }
                Token::Open('[') => {
                    let end = closing(tokens, at);
                    specificity += 1 << 10;
                    current.push(attribute(Cursor::new(&tokens[at + 1..end]))?);
                    at = end;
                }
                Token::Colon => {
                    at += 1;
                    let double = tokens.get(at) == Some(&Token::Colon);
                    at += usize::from(double);
                    match tokens.get(at)? {
                        Token::Ident(name) => {
                            let name = name.to_ascii_lowercase();
                            if let Some(found) = element_part(&name, double) {
                                pseudo = Some(found);
                                specificity += 1;
                            } else if double {
                                return None;
                            } else {
                                specificity += 1 << 10;
                                current.push(state(&name)?);
                            }
                        }
                        Token::Function(name) if !double => {
                            let end = closing(tokens, at);
                            let inside =
                                Cursor::new(super::property::trimmed(&tokens[at + 1..end]));
                            let (simple, weight) = self.function(name, inside, depth)?;
                            specificity += weight;
                            current.push(simple);
                            at = end;
                        }
                        _ => return None,
                    }
                }
                _ => return None,
            }
            at += 1;
        }
        if combinator.is_some_and(|last| last != Combinator::Descendant) {
            return None;
        }
        if current.is_empty() && pseudo.is_none() {
            return None;
        }
        compounds.push((current, Combinator::Descendant));
        // A combinator stands behind the compound on its left; it leads from the one on its right to that.
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
            pseudo,
            specificity,
        })
    }

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
                // Not within another one (Selectors 4, 4.5).
                if depth > 0 {
                    return None;
                }
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
                    weight = weight.max(selector.specificity);
                    list.push((combinator, selector));
                }
                (Simple::Has(list.into()), weight)
            }
            "nth-child" | "nth-last-child" | "nth-of-type" | "nth-last-of-type" => {
                let (a, b) = every(inside)?;
                let nth = Simple::Nth {
                    a,
                    b,
                    last: name.contains("last"),
                    of_type: name.ends_with("type"),
                };
                (nth, 1 << 10)
            }
            "lang" => match inside.peek()? {
                Token::Ident(tag) | Token::Text(tag) => {
                    (Simple::Language(tag.to_ascii_lowercase().into()), 1 << 10)
                }
                _ => return None,
            },
            "dir" | "host" | "host-context" | "state" => (Simple::Never, 1 << 10),
            _ => return None,
        })
    }
}

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

fn state(name: &str) -> Option<Simple> {
    let nth = |b, last, of_type| Simple::Nth {
        a: 0,
        b,
        last,
        of_type,
    };
    Some(match name {
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
        "scope" => Simple::Root,
        "hover" | "active" | "focus" | "focus-within" | "focus-visible" | "visited" | "target"
        | "target-within" | "fullscreen" | "modal" | "open" | "playing" | "paused" | "autofill"
        | "indeterminate" | "invalid" | "user-invalid" | "out-of-range" | "placeholder-shown"
        | "read-only" | "read-write" | "required" | "optional" | "valid" | "in-range"
        | "default" | "defined" => Simple::Never,
        _ => return None,
    })
}

fn attribute(mut cursor: Cursor<'_>) -> Option<Simple> {
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
    // Attributes whose values HTML compares without regard to case, of those that style sheets ask for.
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

/// `2n+1`, `odd` and the like (CSS Syntax 3, 6).
fn every(cursor: Cursor<'_>) -> Option<(i32, i32)> {
    let mut text = String::new();
    for token in cursor.rest() {
        match token {
            Token::Ident(word) => text.push_str(&word.to_ascii_lowercase()),
            Token::Number(number) => {
                // A sign in front of a number belongs to it.
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

impl Selector {
    /// By what elements are found that this may match.
    pub(crate) fn key(&self) -> Key {
        let mut key = Key::Any;
        let first = self
            .compounds
            .first()
            .map_or(&[][..], |(simples, _)| simples.as_slice());
        for simple in first {
            match (simple, key) {
                (Simple::Id(name), _) => return Key::Id(*name),
                (Simple::Class(name), _) => key = Key::Class(*name),
                (Simple::Type(name), Key::Any) => key = Key::Type(*name),
                _ => {}
            }
        }
        key
    }
}

/// Where an element stands among its siblings, from 1: from the first, from the last; the same among those of its type.
#[derive(Clone, Copy, Default)]
struct Standing {
    places: [u32; 4],
}

/// The elements of a page while selectors are compared with them.
pub(crate) struct Matching<'d> {
    dom: &'d Dom,
    standings: OnceCell<Vec<Standing>>,
    /// How often a part of a selector was compared with an element.
    pub(crate) steps: Cell<u64>,
}

impl<'d> Matching<'d> {
    pub(crate) fn new(dom: &'d Dom) -> Self {
        Self {
            dom,
            standings: OnceCell::new(),
            steps: Cell::new(0),
        }
    }

    /// Whether a selector matches an element.
    pub(crate) fn matches(&self, selector: &Selector, element: NodeId) -> bool {
        self.from(selector, 0, element, None)
    }

    /// Whether the compounds from `at` on match. `scope` bounds the search outwards.
    fn from(&self, selector: &Selector, at: usize, element: NodeId, scope: Option<NodeId>) -> bool {
        self.steps.set(self.steps.get() + 1);
        let Some((simples, combinator)) = selector.compounds.get(at) else {
            return true;
        };
        if !simples.iter().all(|simple| self.simple(simple, element)) {
            return false;
        }
        if at + 1 == selector.compounds.len() {
            return true;
        }
        let step = |from: NodeId| match combinator {
            Combinator::Descendant | Combinator::Child => {
                self.dom.parent(from).filter(|_| Some(from) != scope)
            }
            Combinator::Next | Combinator::Later => self.dom.element_before(from),
        };
        let mut next = step(element);
        while let Some(candidate) = next {
            if self.from(selector, at + 1, candidate, scope) {
                return true;
            }
            if matches!(combinator, Combinator::Child | Combinator::Next)
                || self.steps.get() > STEPS
            {
                return false;
            }
            next = step(candidate);
        }
        false
    }

    fn simple(&self, simple: &Simple, id: NodeId) -> bool {
        let Some(element) = self.dom.element(id) else {
            return false;
        };
        match simple {
            Simple::Any => true,
            Simple::Type(name) => element.name == *name,
            Simple::Id(name) => element.id == Some(*name),
            Simple::Class(name) => element.classes.contains(name),
            Simple::Attribute {
                name,
                operator,
                value,
                any_case,
            } => element
                .get(name)
                .is_some_and(|own| compare(own, *operator, value, *any_case)),
            Simple::Root => self.dom.parent(id).is_none(),
            Simple::Empty => self
                .dom
                .children(id)
                .all(|child| match &self.dom.node(child).data {
                    Data::Text(text) => text.is_empty(),
                    _ => false,
                }),
            Simple::Link => {
                matches!(self.dom.tag(id), "a" | "area") && element.get("href").is_some()
            }
            Simple::Checked => {
                element.get("checked").is_some() || element.get("selected").is_some()
            }
            Simple::Disabled => element.get("disabled").is_some(),
            Simple::Enabled => {
                matches!(
                    self.dom.tag(id),
                    "button" | "input" | "select" | "textarea" | "option" | "fieldset"
                ) && element.get("disabled").is_none()
            }
            Simple::Nth {
                a,
                b,
                last,
                of_type,
            } => {
                let place =
                    self.standing(id).places[usize::from(*last) + 2 * usize::from(*of_type)];
                let off = place as i32 - b;
                match a {
                    0 => off == 0,
                    a => off % a == 0 && off / a >= 0,
                }
            }
            Simple::Only(of_type) => {
                let places = self.standing(id).places;
                let from = 2 * usize::from(*of_type);
                places[from] == 1 && places[from + 1] == 1
            }
            Simple::Is(list) => list.iter().any(|one| self.from(one, 0, id, None)),
            Simple::Not(list) => !list.iter().any(|one| self.from(one, 0, id, None)),
            Simple::Has(list) => list
                .iter()
                .any(|(combinator, one)| self.has(*combinator, one, id)),
            Simple::Language(tag) => {
                let around = std::iter::successors(Some(id), |id| self.dom.parent(*id));
                let own = around
                    .filter_map(|id| self.dom.attribute(id, "lang"))
                    .next();
                own.is_some_and(|own| compare(own, Operator::Dash, tag, true))
            }
            Simple::Never => false,
        }
    }

    fn has(&self, combinator: Combinator, selector: &Selector, id: NodeId) -> bool {
        let siblings =
            std::iter::successors(self.dom.element_after(id), |id| self.dom.element_after(*id));
        match combinator {
            Combinator::Next => siblings
                .take(1)
                .any(|one| self.from(selector, 0, one, None)),
            Combinator::Later => siblings
                .into_iter()
                .any(|one| self.from(selector, 0, one, None)),
            Combinator::Child => self
                .dom
                .children(id)
                .any(|one| self.from(selector, 0, one, Some(id))),
            Combinator::Descendant => {
                let mut open: Vec<NodeId> = self.dom.children(id).collect();
                while let Some(one) = open.pop() {
                    if self.from(selector, 0, one, Some(id)) {
                        return true;
                    }
                    if self.steps.get() > STEPS {
                        return false;
                    }
                    open.extend(self.dom.children(one));
                }
                false
            }
        }
    }

    fn standing(&self, id: NodeId) -> Standing {
        self.standings.get_or_init(|| standings(self.dom))[id.index()]
    }
}

/// How many comparisons a page may take: about half a second.
pub(crate) const STEPS: u64 = 20_000_000;

fn standings(dom: &Dom) -> Vec<Standing> {
    let mut standings = vec![Standing::default(); dom.len()];
    let mut open = vec![NodeId::DOCUMENT];
    while let Some(parent) = open.pop() {
        let children: Vec<NodeId> = dom
            .children(parent)
            .filter(|child| dom.element(*child).is_some())
            .collect();
        for last in [false, true] {
            let mut types = std::collections::HashMap::new();
            let mut number = |place: usize, child: NodeId| {
                let of_type = dom
                    .element(child)
                    .map(|element| types.entry(element.name).or_insert(0_u32));
                let of_type = of_type.map_or(0, |count| {
                    *count += 1;
                    *count
                });
                let places = &mut standings[child.index()].places;
                places[usize::from(last)] = place as u32 + 1;
                places[2 + usize::from(last)] = of_type;
            };
            match last {
                false => children
                    .iter()
                    .enumerate()
                    .for_each(|(place, child)| number(place, *child)),
                true => children
                    .iter()
                    .rev()
                    .enumerate()
                    .for_each(|(place, child)| number(place, *child)),
            }
        }
        open.extend(children);
    }
    standings
}

fn compare(own: &str, operator: Operator, value: &str, any_case: bool) -> bool {
    if any_case && operator != Operator::Has {
        return compare(
            &own.to_ascii_lowercase(),
            operator,
            &value.to_ascii_lowercase(),
            false,
        );
    }
    match operator {
        Operator::Has => true,
        Operator::Is => own == value,
        Operator::Word => {
            !value.is_empty() && own.split_ascii_whitespace().any(|word| word == value)
        }
        Operator::Dash => own
            .strip_prefix(value)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('-')),
        Operator::Begins => !value.is_empty() && own.starts_with(value),
        Operator::Ends => !value.is_empty() && own.ends_with(value),
        Operator::Contains => !value.is_empty() && own.contains(value),
    }
}
