//! Values that are text of the style sheet: marks of lists, generated content, quotes and counters. Counts nothing.

use super::counter_style::CounterStyle;
use std::rc::Rc;

/// Marker of a list item.
#[derive(Clone, Debug, PartialEq)]
pub enum ListStyle {
    None,
    /// A counter style, by its name.
    Named(Rc<str>),
    /// A style that is written in place (`symbols()`).
    Own(Rc<CounterStyle>),
    Text(Rc<str>),
}

/// A piece of generated content.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    Text(Rc<str>),
    Attribute(Rc<str>),
    /// Name, style, and what stands between the numbers of all levels.
    Counter(Rc<str>, Rc<str>, Option<Rc<str>>),
    Url(Rc<str>),
    Quote {
        opens: bool,
        shown: bool,
    },
}

/// Pairs of quotation marks; `None` for those of the language.
pub type Quotes = Option<Rc<[(Rc<str>, Rc<str>)]>>;

/// Changes of a counter.
pub type Counters = Rc<[(Rc<str>, i32)]>;
