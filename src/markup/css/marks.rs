//! Values that contain text from the style sheet: list markers, generated content, quotes, counters. Counts nothing.

use super::counter_style::CounterStyle;
use std::rc::Rc;

/// `list-style-type`.
#[derive(Clone, Debug, PartialEq)]
pub enum ListStyle {
    None,
    /// Name of a counter style.
    Named(Rc<str>),
    /// A style defined in place (`symbols()`).
    Own(Rc<CounterStyle>),
    /// A string.
    Text(Rc<str>),
}

/// An item of `content`.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    Text(Rc<str>),
    /// `attr()`, with the name in lower case.
    Attribute(Rc<str>),
    /// `counter()` or `counters()`: name, style, and the separator of the latter.
    Counter(Rc<str>, Rc<str>, Option<Rc<str>>),
    Url(Rc<str>),
    /// A quotation mark; with `no-open-quote` and the like it is not shown.
    Quote {
        opens: bool,
        shown: bool,
    },
}

/// Pairs of quotation marks; `None` for those of the language.
pub type Quotes = Option<Rc<[(Rc<str>, Rc<str>)]>>;

/// Values of `counter-reset` and similar properties: names with numbers.
pub type Counters = Rc<[(Rc<str>, i32)]>;
