//! Selectors (Selectors 4), as they are held. [`selector_parser`](super::selector_parser) reads them, and
//! [`matching`](super::matching) compares them with elements.

use crate::html::dom::Name;
use std::rc::Rc;

/// Comparison of an attribute.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Operator {
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
pub(super) enum Simple {
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
        /// Only these siblings count.
        among: Option<Box<[Selector]>>,
    },
    Only(bool),
    /// Shared: rules nested in one another name those around them many times over.
    Is(Rc<[Selector]>),
    Not(Box<[Selector]>),
    Has(Box<[(Combinator, Selector)]>),
    Language(Box<str>),
    /// Dynamic pseudo-classes (`:hover`, `:focus`): never match.
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Combinator {
    Descendant,
    Child,
    Next,
    Later,
}

/// A part of an element that a rule is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pseudo {
    Before,
    After,
    Marker,
    FirstLine,
    FirstLetter,
}

/// A selector.
#[derive(Clone, Debug)]
pub struct Selector {
    /// From the element outwards. The combinator of each leads to the next one.
    pub(super) compounds: Box<[(Vec<Simple>, Combinator)]>,
    pub(crate) pseudo: Option<Pseudo>,
    pub(crate) specificity: u32,
}

/// Key under which the rules for an element are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    Id(Name),
    Class(Name),
    Type(Name),
    Any,
}

impl Selector {
    /// Key of the elements that this selector may match.
    pub fn key(&self) -> Key {
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
