//! Parsed selectors (Selectors 4). [`selector_parser`](super::selector_parser) makes them, and
//! [`matching`](super::matching) matches them.

use crate::dom::Name;
use std::rc::Rc;

/// Operator of an attribute selector (Selectors 4, 6.1 and 6.2).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Operator {
    /// `[name]`
    Has,
    /// `=`
    Is,
    /// `~=`
    Word,
    /// `|=`
    Dash,
    /// `^=`
    Begins,
    /// `$=`
    Ends,
    /// `*=`
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
    /// `:nth-child()` and relatives: every `a`-th from `b` on; `last` counts from the end,
    /// `of_type` within the type.
    Nth {
        a: i32,
        b: i32,
        last: bool,
        of_type: bool,
        /// Selectors that siblings must match to be counted.
        among: Option<Box<[Selector]>>,
    },
    /// `:only-child`, or `:only-of-type`.
    Only(bool),
    /// `:is()` and `:where()`. Shared, because nested rules repeat the selectors of enclosing ones
    /// many times.
    Is(Rc<[Selector]>),
    Not(Box<[Selector]>),
    Has(Box<[(Combinator, Selector)]>),
    /// `:lang()`.
    Language(Box<str>),
    /// Pseudo-classes that never match, such as the dynamic `:hover` and `:focus`.
    Never,
}

/// Combinator, from the compound on its right to that on its left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Combinator {
    Descendant,
    Child,
    Next,
    Later,
}

/// Pseudo-element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pseudo {
    Before,
    After,
    Marker,
    FirstLine,
    FirstLetter,
}

/// A complex selector.
#[derive(Clone, Debug)]
pub struct Selector {
    /// Compounds from right to left, each with the combinator to the next.
    pub(super) compounds: Box<[(Vec<Simple>, Combinator)]>,
    pub(crate) pseudo: Option<Pseudo>,
    pub(crate) specificity: u32,
}

/// Index key of a rule, by its rightmost compound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    Id(Name),
    Class(Name),
    Type(Name),
    Any,
}

impl Selector {
    /// Most selective key of this selector; an element without this name cannot match. An id is rarer than a class, and
    /// a class rarer than a type.
    pub fn key(&self) -> Key {
        // Only simple selectors of the compound itself give a key, not those within `:is()`.
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
