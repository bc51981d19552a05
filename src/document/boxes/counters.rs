//! Counters and quotation marks (CSS Lists 3, 4; CSS Content 3, 4). Knows no box.

use crate::document::{
    css::style::{Display, Style},
    html::dom::NodeId,
    numbering,
    tree::Numeral,
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
    /// Where numbering of lists begins, that elements say.
    starts: HashMap<NodeId, i32>,
}

impl Counters {
    /// Where the numbering of a list begins, by its `start` attribute, or that of an item by its `value`.
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
        let Some(between) = between else {
            return written(self.value(name), style);
        };
        let values = self.values.get(name).map_or(&[][..], Vec::as_slice);
        if values.is_empty() {
            return written(0, style);
        }
        let texts: Vec<String> = values
            .iter()
            .map(|(_, value)| written(*value, style))
            .collect();
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
        let usual = [("“", "”"), ("‘", "’")];
        match &style.text.quotes {
            Some(pairs) => {
                let pair = pairs.get(level.min(pairs.len().saturating_sub(1)));
                let mark = pair.map(|(open, close)| if opens { open } else { close });
                mark.map(|mark| mark.to_string()).unwrap_or_default()
            }
            None => {
                let (open, close) = usual[level.min(1)];
                if opens { open } else { close }.to_owned()
            }
        }
    }
}

/// The letters of styles that add them up, from the largest number to the smallest: their numbers, and the largest sum.
type Additive = (&'static [(i32, &'static str)], i32);

/// Four letters for each power of ten, from 9 to 1.
const ARMENIAN: Additive = (
    &[
        (9000, "Ք"),
        (8000, "Փ"),
        (7000, "Ւ"),
        (6000, "Ց"),
        (5000, "Ր"),
        (4000, "Տ"),
        (3000, "Վ"),
        (2000, "Ս"),
        (1000, "Ռ"),
        (900, "Ջ"),
        (800, "Պ"),
        (700, "Չ"),
        (600, "Ո"),
        (500, "Շ"),
        (400, "Ն"),
        (300, "Յ"),
        (200, "Մ"),
        (100, "Ճ"),
        (90, "Ղ"),
        (80, "Ձ"),
        (70, "Հ"),
        (60, "Կ"),
        (50, "Ծ"),
        (40, "Խ"),
        (30, "Լ"),
        (20, "Ի"),
        (10, "Ժ"),
        (9, "Թ"),
        (8, "Ը"),
        (7, "Է"),
        (6, "Զ"),
        (5, "Ե"),
        (4, "Դ"),
        (3, "Գ"),
        (2, "Բ"),
        (1, "Ա"),
    ],
    9999,
);
const GEORGIAN: Additive = (
    &[
        (10000, "ჵ"),
        (9000, "ჰ"),
        (8000, "ჯ"),
        (7000, "ჴ"),
        (6000, "ხ"),
        (5000, "ჭ"),
        (4000, "წ"),
        (3000, "ძ"),
        (2000, "ც"),
        (1000, "ჩ"),
        (900, "შ"),
        (800, "ყ"),
        (700, "ღ"),
        (600, "ქ"),
        (500, "ფ"),
        (400, "ჳ"),
        (300, "ტ"),
        (200, "ს"),
        (100, "რ"),
        (90, "ჟ"),
        (80, "პ"),
        (70, "ო"),
        (60, "ჲ"),
        (50, "ნ"),
        (40, "მ"),
        (30, "ლ"),
        (20, "კ"),
        (10, "ი"),
        (9, "თ"),
        (8, "ჱ"),
        (7, "ზ"),
        (6, "ვ"),
        (5, "ე"),
        (4, "დ"),
        (3, "გ"),
        (2, "ბ"),
        (1, "ა"),
    ],
    19999,
);
const HEBREW: Additive = (
    &[
        (10000, "י׳"),
        (9000, "ט׳"),
        (8000, "ח׳"),
        (7000, "ז׳"),
        (6000, "ו׳"),
        (5000, "ה׳"),
        (4000, "ד׳"),
        (3000, "ג׳"),
        (2000, "ב׳"),
        (1000, "א׳"),
        (400, "ת"),
        (300, "ש"),
        (200, "ר"),
        (100, "ק"),
        (90, "צ"),
        (80, "פ"),
        (70, "ע"),
        (60, "ס"),
        (50, "נ"),
        (40, "מ"),
        (30, "ל"),
        (20, "כ"),
        (19, "יט"),
        (18, "יח"),
        (17, "יז"),
        (16, "טז"),
        (15, "טו"),
        (10, "י"),
        (9, "ט"),
        (8, "ח"),
        (7, "ז"),
        (6, "ו"),
        (5, "ה"),
        (4, "ד"),
        (3, "ג"),
        (2, "ב"),
        (1, "א"),
    ],
    10999,
);

/// A number as a sum of letters; as usual beyond what they reach.
fn added(number: i32, (letters, most): Additive) -> String {
    if !(1..=most).contains(&number) {
        return number.to_string();
    }
    let (mut rest, mut out) = (number, String::new());
    for (value, letter) in letters {
        while rest >= *value {
            out.push_str(letter);
            rest -= value;
        }
    }
    out
}

/// A number in a counter style, by its name (CSS Counter Styles 3, 6).
pub(crate) fn written(number: i32, style: &str) -> String {
    let numeral = match style {
        "lower-alpha" | "lower-latin" => Numeral::LowerAlpha,
        "upper-alpha" | "upper-latin" => Numeral::UpperAlpha,
        "lower-roman" => Numeral::LowerRoman,
        "upper-roman" => Numeral::UpperRoman,
        "decimal-leading-zero" => {
            let sign = if number < 0 { "-" } else { "" };
            return format!("{sign}{:02}", number.unsigned_abs());
        }
        "lower-greek" if (1..=24).contains(&number) => {
            const LETTERS: &str = "αβγδεζηθικλμνξοπρστυφχψω";
            let letter = LETTERS.chars().nth(number as usize - 1);
            return letter.map(String::from).unwrap_or_default();
        }
        "armenian" | "upper-armenian" => return added(number, ARMENIAN),
        "lower-armenian" => return added(number, ARMENIAN).to_lowercase(),
        "georgian" => return added(number, GEORGIAN),
        "hebrew" => return added(number, HEBREW),
        "disc" => return "•".to_owned(),
        "circle" => return "◦".to_owned(),
        "square" => return "▪".to_owned(),
        "none" => return String::new(),
        _ => return number.to_string(),
    };
    match u32::try_from(number) {
        Ok(positive) if positive > 0 && positive < 4000 => numbering::write(positive, numeral),
        _ => number.to_string(),
    }
}
