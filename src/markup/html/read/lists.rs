//! Numbers and markers of lists (HTML, 4.4.5 to 4.4.8; CSS Lists 3): the style of a list or of its items, and the
//! numbers in attributes (`start` of a list, `value` of an item). Ignores the attribute `reversed`, and `type` of an
//! item.

use super::state::PageReader;
use crate::{
    css::{counter_style::CounterStyles, look::Look, style::ListStyle},
    dom::Start,
    error::Result,
    syntax::tag::Tag,
};
use convertd_tree::{Delimiter, ListKind, ListLook, Node, Numbering, Numeral};

/// An open list.
#[derive(Debug)]
pub(super) struct Counter {
    is_ordered: bool,
    style: ListStyle,
    /// Number of the next item.
    next: i32,
    /// Kind of the open list in the tree.
    kind: ListKind,
    /// Number that the open list in the tree gives to its next item.
    implied: i64,
}

/// Appearance of the marker of an item.
enum Marker {
    Bullet,
    Number(Numeral),
    /// Label for which the tree has no numerals.
    Text(String),
}

impl Counter {
    /// Starts a list from its attributes and its style.
    pub(super) fn new(start: &Start<'_>, look: &Look, styles: &CounterStyles) -> Self {
        let is_ordered = start.tag == Tag::Ol;
        let named = |name: &str| ListStyle::Named(name.into());
        let usual = named(if is_ordered { "decimal" } else { "disc" });
        // The attribute is weaker than any style.
        let of_type = match start.get("type").map(str::trim) {
            Some("a") => Some(named("lower-alpha")),
            Some("A") => Some(named("upper-alpha")),
            Some("i") => Some(named("lower-roman")),
            Some("I") => Some(named("upper-roman")),
            _ => None,
        };
        let style = look.list_style.clone().or(of_type).unwrap_or(usual);
        let first = number(start, "start").unwrap_or(1);
        let mut counter = Self {
            is_ordered,
            style,
            next: first,
            kind: ListKind::Bullet,
            implied: 0,
        };
        let marker = counter.marker(&counter.style, first, styles);
        counter.continue_with(&marker);
        counter
    }

    pub(super) fn node(&self) -> Node {
        Node::List {
            kind: self.kind,
            tight: true,
            look: ListLook::default(),
        }
    }

    /// Prepares another list of the tree. The marker of its first item decides its kind; its first number is that of
    /// the next item, but at least 0.
    fn continue_with(&mut self, marker: &Marker) {
        let ordered = |numeral| {
            ListKind::Ordered(Numbering {
                start: self.next.max(0).unsigned_abs(),
                numeral,
                delimiter: Delimiter::Period,
                nested: false,
            })
        };
        self.kind = match marker {
            Marker::Bullet => ListKind::Bullet,
            Marker::Number(numeral) => ordered(*numeral),
            Marker::Text(_) => ordered(Numeral::Decimal),
        };
        self.implied = i64::from(self.next.max(0));
    }

    /// Marker of the item with this number.
    fn marker(&self, style: &ListStyle, number: i32, styles: &CounterStyles) -> Marker {
        let name = match style {
            ListStyle::Named(name) => &**name,
            // Hidden numbers, or numbers written by other means, still tell the items of an ordered list apart, so they
            // are shown.
            ListStyle::None if self.is_ordered => "decimal",
            ListStyle::None | ListStyle::Text(_) => return Marker::Bullet,
            ListStyle::Own(own) => {
                let text = styles.marker(number, own);
                return Marker::Text(text.trim().to_owned());
            }
        };
        match name {
            "disc" | "circle" | "square" | "disclosure-open" | "disclosure-closed" => {
                Marker::Bullet
            }
            _ if number < 0 => Marker::Text(format!("{number}.")),
            "decimal" => Marker::Number(Numeral::Decimal),
            "lower-alpha" | "lower-latin" => Marker::Number(Numeral::LowerAlpha),
            "upper-alpha" | "upper-latin" => Marker::Number(Numeral::UpperAlpha),
            "lower-roman" => Marker::Number(Numeral::LowerRoman),
            "upper-roman" => Marker::Number(Numeral::UpperRoman),
            name => {
                let text = styles.marker(number, &styles.named(name));
                match text.trim() == format!("{number}.") {
                    true => Marker::Number(Numeral::Decimal),
                    false => Marker::Text(text.trim().to_owned()),
                }
            }
        }
    }
}

impl PageReader<'_, '_, '_> {
    /// Returns whether an item has a text instead of a marker: `list-style: none`, and a short `::before`.
    pub(super) fn is_marked_by_text(&self, look: &Look) -> bool {
        /// Limit on the length of such a text, in bytes.
        const LONGEST: usize = 16;
        let list = self.stack.last().and_then(|open| open.counter.as_ref());
        let style = (look.list_style.as_ref()).or(list.map(|list| &list.style));
        let text = look.before.as_deref().map_or("", str::trim);
        style == Some(&ListStyle::None) && (1..=LONGEST).contains(&text.len())
    }

    /// The node of an item. An item whose number or kind of marker does not continue the open list begins another list
    /// in the tree; a text as a marker continues any ordered list.
    pub(super) fn item(&mut self, start: &Start<'_>, look: &Look) -> Result<Node> {
        let mut label = None;
        let own = number(start, "value");
        let is_marked = self.is_marked_by_text(look);
        // Only items that are children of the list are its own.
        if let Some(counter) = self.stack.last_mut().and_then(|open| open.counter.as_mut()) {
            counter.next = own.filter(|_| counter.is_ordered).unwrap_or(counter.next);
            let style = look.list_style.as_ref().unwrap_or(&counter.style);
            let text = look.before.as_deref().filter(|_| is_marked);
            let marker = match text.map(str::trim) {
                // A text without letters and digits is a bullet.
                Some(text) if !text.contains(char::is_alphanumeric) => Marker::Bullet,
                Some(text) if text != format!("{}.", counter.next) => Marker::Text(text.into()),
                Some(_) => Marker::Number(Numeral::Decimal),
                None => counter.marker(style, counter.next, &self.counter_styles),
            };
            let follows = match (&marker, counter.kind) {
                (Marker::Bullet, ListKind::Bullet) => true,
                (Marker::Text(_), ListKind::Ordered(_)) => true,
                (Marker::Number(numeral), ListKind::Ordered(numbering)) => {
                    numbering.numeral == *numeral && counter.implied == i64::from(counter.next)
                }
                _ => false,
            };
            if !follows {
                counter.continue_with(&marker);
                let node = counter.node();
                self.build.close()?;
                self.build.open(node)?;
            }
            if let Marker::Text(text) = marker {
                label = Some(text.into());
            }
            counter.next = counter.next.saturating_add(1);
            counter.implied += 1;
        }
        Ok(Node::Item { task: None, label })
    }
}

/// A number in an attribute.
fn number(start: &Start<'_>, name: &str) -> Option<i32> {
    start.get(name)?.trim().parse().ok()
}
