//! Counters and quotation marks (CSS Lists 3, 4; CSS Content 3, 4). Knows no box.

use convertd_markup::{
    css::{
        counter_style::CounterStyles,
        style::{Display, Style},
    },
    html::dom::NodeId,
};
use std::{collections::HashMap, rc::Rc};

/// The deepest that one counter may be nested.
const DEEPEST: usize = 256;

/// The counters of a page while its elements are gone through.
#[derive(Default)]
pub(crate) struct Counters {
    /// The values of each counter, outermost first, with the depth of the element whose children see it.
    values: HashMap<Rc<str>, Vec<(usize, i32)>>,
    depth: usize,
    quotes: usize,
    /// Counter styles.
    pub styles: Rc<CounterStyles>,
    /// Start numbers of lists that elements state.
    starts: HashMap<NodeId, i32>,
}

impl Counters {
    pub(crate) fn new(styles: Rc<CounterStyles>) -> Self {
        Self {
            styles,
            ..Self::default()
        }
    }

    /// Sets the first number of a list, by its `start` attribute, or the number of an item, by its `value`.
    pub(crate) fn begin_at(&mut self, dom: NodeId, number: i32) {
        self.starts.insert(dom, number);
    }

    /// An element begins: its counters are reset and incremented.
    pub(crate) fn enter(&mut self, dom: NodeId, style: &Style) {
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

    /// An element ends: what its children have reset is gone.
    pub(crate) fn leave(&mut self, _: NodeId) {
        let depth = self.depth;
        for values in self.values.values_mut() {
            while values.last().is_some_and(|(at, _)| *at > depth) {
                values.pop();
            }
        }
        self.depth = depth.saturating_sub(1);
    }

    fn reset(&mut self, name: &Rc<str>, value: i32) {
        let depth = self.depth;
        let values = self.values.entry(name.clone()).or_default();
        // A sibling before may have reset the same one.
        if values.last().is_some_and(|last| last.0 >= depth) {
            values.pop();
        }
        if values.len() < DEEPEST {
            values.push((depth, value));
        }
    }

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

    /// The innermost value of a counter.
    pub(crate) fn value(&self, name: &str) -> i32 {
        self.values
            .get(name)
            .and_then(|values| values.last())
            .map_or(0, |last| last.1)
    }

    /// A counter as text; with the outer ones, if something stands between them.
    pub(crate) fn text(&self, name: &str, style: &str, between: Option<&str>) -> String {
        let style = self.styles.named(style);
        let written = |number: i32| self.styles.written(number, &style);
        let Some(between) = between else {
            return written(self.value(name));
        };
        let values = self.values.get(name).map_or(&[][..], Vec::as_slice);
        if values.is_empty() {
            return written(0);
        }
        let texts: Vec<String> = values.iter().map(|(_, value)| written(*value)).collect();
        texts.join(between)
    }

    /// The next quotation mark.
    pub(crate) fn quote(&mut self, opens: bool, style: &Style) -> String {
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
                let [outer, inner] = usual(style.text.language.as_deref().unwrap_or_default());
                let (open, close) = if level == 0 { outer } else { inner };
                if opens { open } else { close }.to_owned()
            }
        }
    }
}

/// The outer and the inner quotation marks of a language (HTML, 15.3.6, after CLDR).
fn usual(language: &str) -> [(&'static str, &'static str); 2] {
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
