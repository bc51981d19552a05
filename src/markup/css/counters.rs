//! Counters, quotation marks and texts of generated content (CSS Lists 3, 4; CSS Content 3, 2 and 3). Does not depend
//! on boxes.
//!
//! Elements are entered and left in document order. Each counter name has a stack of instances, one
//! per nested `counter-reset`. An instance is visible to the element that resets it, to its
//! descendants and to its following siblings; so it lives at the depth of the element, and ends
//! when that element's parent is left (CSS Lists 3, 4.4).

use super::{
    counter_style::CounterStyles,
    style::{Content, Display, Style},
};
use crate::dom::NodeId;
use std::{collections::HashMap, rc::Rc};

/// Limit on nested instances of one counter; deeper resets are ignored.
const DEEPEST: usize = 256;
/// Length after which a generated text is cut, in bytes. A style sheet may repeat a long separator or attribute
/// thousands of times.
const LONGEST: usize = 1 << 20;

/// State of all counters and of the quote depth at one point of the document.
#[derive(Default)]
pub struct Counters {
    /// Instances of each counter, outermost first: the depth of the element that made it, and its
    /// value.
    values: HashMap<Rc<str>, Vec<(usize, i32)>>,
    /// Number of elements that are open.
    depth: usize,
    /// Number of quotation marks that are open.
    quotes: usize,
    /// Counter styles of the page, built-in and by `@counter-style`.
    pub styles: Rc<CounterStyles>,
    /// First numbers of lists and items, from attributes (see [`Counters::begin_at`]).
    starts: HashMap<NodeId, i32>,
}

impl Counters {
    pub fn new(styles: Rc<CounterStyles>) -> Self {
        Self {
            styles,
            ..Self::default()
        }
    }

    /// Records the first number of a list (its `start` attribute) or the number of an item (its
    /// `value`).
    pub fn begin_at(&mut self, dom: NodeId, number: i32) {
        self.starts.insert(dom, number);
    }

    /// Enters an element: resets, increments and sets its counters, in this order (CSS Lists 3,
    /// 4.4).
    ///
    /// A list item also increments `list-item` by 1, unless its style or its `value` attribute says
    /// otherwise.
    pub fn enter(&mut self, dom: NodeId, style: &Style) {
        self.depth += 1;
        let own = self.starts.get(&dom).copied();
        for (name, value) in style.counter_reset.iter() {
            let value = if &**name == "list-item" {
                own.unwrap_or(*value)
            } else {
                *value
            };
            self.reset(name, value);
        }
        // The implicit counter of list items (CSS Lists 3, 4.6).
        if style.display == Display::ListItem {
            match own {
                Some(number) => self.set("list-item", number),
                None if style
                    .counter_increment
                    .iter()
                    .any(|(name, _)| &**name == "list-item") => {}
                None => self.add("list-item", 1),
            }
        }
        for (name, value) in style.counter_increment.iter() {
            self.add(name, *value);
        }
        for (name, value) in style.counter_set.iter() {
            self.set(name, *value);
        }
    }

    /// Leaves an element: ends the counter instances that its children made.
    pub fn leave(&mut self, _: NodeId) {
        let depth = self.depth;
        for values in self.values.values_mut() {
            while values.last().is_some_and(|(at, _)| *at > depth) {
                values.pop();
            }
        }
        self.depth = depth.saturating_sub(1);
    }

    /// Makes a new instance of a counter.
    fn reset(&mut self, name: &Rc<str>, value: i32) {
        let depth = self.depth;
        let values = self.values.entry(name.clone()).or_default();
        // A preceding sibling's instance is replaced, not nested.
        if values.last().is_some_and(|last| last.0 >= depth) {
            values.pop();
        }
        if values.len() < DEEPEST {
            values.push((depth, value));
        }
    }

    /// Value of the innermost instance, which is made if the counter has none.
    fn last(&mut self, name: &str) -> &mut i32 {
        let depth = self.depth;
        let values = self.values.entry(name.into()).or_default();
        if values.is_empty() {
            values.push((depth, 0));
        }
        let last = values.len() - 1;
        &mut values[last].1
    }

    fn add(&mut self, name: &str, value: i32) {
        let last = self.last(name);
        *last = last.saturating_add(value);
    }

    fn set(&mut self, name: &str, value: i32) {
        *self.last(name) = value;
    }

    /// Value of the innermost instance; 0 if the counter does not exist.
    pub fn value(&self, name: &str) -> i32 {
        self.values
            .get(name)
            .and_then(|values| values.last())
            .map_or(0, |last| last.1)
    }

    /// Text of a counter in a counter style: `counter()`, or `counters()` with a separator between
    /// all instances.
    pub fn text(&self, name: &str, style: &str, between: Option<&str>) -> String {
        let style = self.styles.named(style);
        let written = |number: i32| self.styles.written(number, &style);
        let Some(between) = between else {
            return written(self.value(name));
        };
        // All instances, outermost first: `1.2.3`.
        let values = self.values.get(name).map_or(&[][..], Vec::as_slice);
        if values.is_empty() {
            return written(0);
        }
        let mut text = String::new();
        for (at, (_, value)) in values.iter().enumerate() {
            if text.len() > LONGEST {
                break;
            }
            if at > 0 {
                text.push_str(between);
            }
            text.push_str(&written(*value));
        }
        text
    }

    /// Text of a `content` list: strings, attributes, counters and quotation marks. `attribute` returns the value of an
    /// attribute of the element.
    pub fn words<'d>(
        &mut self,
        content: &[Content],
        style: &Style,
        attribute: impl Fn(&str) -> Option<&'d str>,
    ) -> String {
        let mut text = String::new();
        for part in content {
            if text.len() > LONGEST {
                break;
            }
            match part {
                Content::Text(own) => text.push_str(own),
                Content::Attribute(name) => text.push_str(attribute(name).unwrap_or_default()),
                Content::Counter(name, named, between) => {
                    text.push_str(&self.text(name, named, between.as_deref()));
                }
                Content::Url(_) => {}
                Content::Quote { opens, shown } => {
                    let quote = self.quote(*opens, style);
                    if *shown {
                        text.push_str(&quote);
                    }
                }
            }
        }
        text
    }

    /// Returns the text of the next opening or closing quotation mark, and changes the quote depth. If the level is
    /// deeper than the style has pairs, the last pair is used (CSS Content 3, 3).
    pub fn quote(&mut self, opens: bool, style: &Style) -> String {
        // The level of an opening mark is the depth before the mark; the level of a closing mark is the depth after it.
        let level = match opens {
            true => {
                self.quotes += 1;
                self.quotes - 1
            }
            false => {
                self.quotes = self.quotes.saturating_sub(1);
                self.quotes
            }
        };
        match &style.text.quotes {
            Some(pairs) => {
                let pair = pairs.get(level.min(pairs.len().saturating_sub(1)));
                let mark = pair.map(|(open, close)| if opens { open } else { close });
                mark.map(|mark| mark.to_string()).unwrap_or_default()
            }
            None => {
                let [outer, inner] =
                    language_quotes(style.text.language.as_deref().unwrap_or_default());
                let (open, close) = if level == 0 { outer } else { inner };
                if opens { open } else { close }.to_owned()
            }
        }
    }
}

/// Outer and inner quotation marks of a language (HTML, 15.3.6, after CLDR).
fn language_quotes(language: &str) -> [(&'static str, &'static str); 2] {
    let language = language.to_ascii_lowercase();
    let primary = language.split(['-', '_']).next().unwrap_or_default();
    match primary {
        "de" | "cs" | "sk" | "sl" | "is" | "lt" | "et" | "bg" | "mk" => [("„", "“"), ("‚", "‘")],
        "hr" | "sr" | "bs" => [("„", "”"), ("‚", "‘")],
        "fr" if language.ends_with("-ch") => [("«", "»"), ("‹", "›")],
        "fr" | "hy" => [("«", "»"), ("«", "»")],
        "ru" | "uk" | "be" => [("«", "»"), ("„", "“")],
        "it" if language.ends_with("-ch") => [("«", "»"), ("‹", "›")],
        "it" | "es" | "ca" | "gl" | "el" | "sq" | "eu" => [("«", "»"), ("“", "”")],
        "no" | "nb" | "nn" => [("«", "»"), ("‘", "’")],
        "fa" => [("«", "»"), ("‹", "›")],
        "pl" | "ro" => [("„", "”"), ("«", "»")],
        "hu" => [("„", "”"), ("»", "«")],
        "sv" | "fi" => [("”", "”"), ("’", "’")],
        "he" => [("”", "”"), ("’", "’")],
        "nl" | "ko" => [("‘", "’"), ("“", "”")],
        "ja" => [("「", "」"), ("『", "』")],
        "zh" if ["hant", "tw", "hk", "mo"]
            .iter()
            .any(|end| language.ends_with(end)) =>
        {
            [("「", "」"), ("『", "』")]
        }
        _ => [("“", "”"), ("‘", "’")],
    }
}
