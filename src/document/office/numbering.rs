//! Lists as word processors have them: paragraphs belong to a level of a list, a list to a definition of nine levels, and lists
//! that share their definition go on counting together. Counts as Word does; reads no file.

use super::{
    ParagraphProperties,
    symbol::{in_symbol_font, is_symbol_font},
};
use crate::document::{
    numbering::write as write_number,
    tree::{Delimiter, Length, ListKind, ListLook, Numbering, Numeral},
};
use std::collections::HashMap;

/// Levels of a list.
pub(crate) const LEVELS: usize = 9;

/// Most characters of a label that are looked at.
const MAX_LABEL: usize = 200;

/// The lists of a document, and how far each has been counted.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    pub(crate) definitions: HashMap<u32, Definition>,
    pub(crate) lists: HashMap<u32, List>,
    /// For each definition.
    counts: HashMap<u32, Counts>,
}

/// What lists have in common that share it.
#[derive(Debug, Default)]
pub(crate) struct Definition {
    pub(crate) levels: [Level; LEVELS],
    /// The style whose list this one stands for, and the one that it defines.
    pub(crate) stands_for: Option<Box<str>>,
    pub(crate) defines: Option<Box<str>>,
}

/// A list of a document.
#[derive(Debug, Default)]
pub(crate) struct List {
    pub(crate) definition: u32,
    /// Where its levels begin, if not where the definition says.
    pub(crate) starts: [Option<u32>; LEVELS],
    /// Levels of its own, each with its number.
    pub(crate) levels: Vec<(usize, Level)>,
}

#[derive(Debug, Default)]
struct Counts {
    /// The last number of each level; 0 before the first.
    last: [Option<u32>; LEVELS],
    /// The lists whose own start has been used, for each level.
    started: Vec<(u32, usize)>,
}

/// A level of a list.
#[derive(Clone, Debug)]
pub(crate) struct Level {
    pub(crate) start: u32,
    pub(crate) format: LevelFormat,
    /// What is shown: `%1` to `%9` stand for the numbers of levels.
    pub(crate) text: Box<str>,
    /// The level after which it begins anew; 0 for never.
    pub(crate) restart: Option<u8>,
    /// All numbers in front are written in digits.
    pub(crate) legal: bool,
    /// The style whose paragraphs stand at this level.
    pub(crate) style: Option<Box<str>>,
    /// Where its text stands.
    pub(crate) indent: Option<Length>,
    pub(crate) hanging: Option<Length>,
    /// The font of what is shown.
    pub(crate) font: Option<Box<str>>,
}

/// How numbers are written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum LevelFormat {
    None,
    Bullet,
    Number(Numeral),
    /// Two digits at least.
    Zero,
    /// Written as digits here.
    Other,
}

impl Default for Level {
    fn default() -> Self {
        Self {
            start: 1,
            format: LevelFormat::Number(Numeral::Decimal),
            text: Box::default(),
            restart: None,
            legal: false,
            style: None,
            indent: None,
            hanging: None,
            font: None,
        }
    }
}

impl Level {
    /// The bullet, if it is one character that fonts without pictures have.
    pub(crate) fn bullet(&self) -> Option<char> {
        if self.format != LevelFormat::Bullet {
            return None;
        }
        let mut chars = self.text.trim().chars();
        let c = chars.next().filter(|_| chars.next().is_none())?;
        let shown = match self.font.as_deref() {
            Some(font) if is_symbol_font(font) => in_symbol_font(font, c),
            // The bullets that Word has in fonts of pictures.
            _ => match c {
                '\u{f0b7}' => '\u{2022}',
                '\u{f0a7}' => '\u{25aa}',
                '\u{f0d8}' => '\u{27a2}',
                '\u{f0fc}' => '\u{2713}',
                // It stands for a small circle.
                'o' => '\u{25e6}',
                c => c,
            },
        };
        let is_private = matches!(shown, '\u{e000}'..='\u{f8ff}');
        (!is_private && !shown.is_control()).then_some(shown)
    }

    /// How items look at this level of a list.
    pub(crate) fn look(&self) -> ListLook {
        ListLook {
            indent: self.indent,
            label: self.hanging,
            bullet: self.bullet(),
        }
    }
}

/// What stands in front of a paragraph.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Label {
    /// Written out.
    pub(crate) text: String,
    /// As a list that begins here. None if nothing is shown.
    pub(crate) kind: Option<ListKind>,
    /// It is a box to tick, and ticked or not.
    pub(crate) task: Option<bool>,
    /// The list says more than its kind does: other words or numerals.
    pub(crate) simplified: bool,
}

impl Lists {
    /// The list and level of a paragraph. `own` are its own properties, `style` those of its style with this identifier.
    pub(crate) fn place(
        &self,
        own: &ParagraphProperties,
        style: &ParagraphProperties,
        style_id: Option<&str>,
    ) -> Option<(u32, u8)> {
        let list = own.list.or(style.list).filter(|list| *list != 0)?;
        let levels = &self.definition(list)?.levels;
        let level = own.list_level.or(style.list_level).or_else(|| {
            let linked =
                |level: &Level| level.style.is_some() && level.style.as_deref() == style_id;
            levels.iter().position(linked).map(|level| level as u8)
        });
        Some((list, level.unwrap_or(0).min(LEVELS as u8 - 1)))
    }

    /// What is known of a level.
    pub(crate) fn level(&self, list: u32, level: u8) -> Option<&Level> {
        let level = usize::from(level);
        let own = self.lists.get(&list)?.levels.iter();
        let mut own = own.filter(|(at, _)| *at == level);
        match own.next_back() {
            Some((_, own)) => Some(own),
            None => self.definition(list)?.levels.get(level),
        }
    }

    /// How the items at this place look. What a paragraph says itself about where it stands counts most; then what its style says
    /// if that one names the list; then the list (17.9.22).
    pub(crate) fn look(
        &self,
        (list, level): (u32, u8),
        own: &ParagraphProperties,
        style: &ParagraphProperties,
    ) -> ListLook {
        let level = self.level(list, level);
        let look = level.map(Level::look).unwrap_or_default();
        let style = (own.list.is_none() && style.list.is_some()).then_some(style);
        let of_style = |get: fn(&ParagraphProperties) -> Option<Length>| style.and_then(get);
        ListLook {
            indent: own
                .indent_start
                .or(of_style(|style| style.indent_start))
                .or(look.indent),
            label: own
                .first_line
                .or(of_style(|style| style.first_line))
                .or(look.label),
            bullet: look.bullet,
        }
    }

    /// Counts one more paragraph at this place, and says what stands in front of it.
    pub(crate) fn count(&mut self, list: u32, level: u8) -> Label {
        let at = usize::from(level).min(LEVELS - 1);
        let id = self.lists.get(&list).map_or(0, |list| list.definition);
        let starts = self
            .lists
            .get(&list)
            .map(|list| list.starts)
            .unwrap_or_default();
        let first: [u32; LEVELS] = std::array::from_fn(|at| {
            let level = self.level(list, at as u8);
            starts[at].or(level.map(|level| level.start)).unwrap_or(1)
        });
        let restarts: [Option<u8>; LEVELS] =
            std::array::from_fn(|at| self.level(list, at as u8).and_then(|level| level.restart));
        let counts = self.counts.entry(id).or_default();
        let begins = starts[at].is_some() && !counts.started.contains(&(list, at));
        if begins {
            counts.started.push((list, at));
        }
        let number = match counts.last[at] {
            Some(last) if !begins => last.saturating_add(1),
            _ => first[at],
        };
        counts.last[at] = Some(number);
        for (last, restart) in counts.last.iter_mut().zip(restarts).skip(at + 1) {
            // A level begins anew after any one above it, or after those up to the one that it names.
            if restart.is_none_or(|above| at < usize::from(above)) {
                *last = None;
            }
        }
        let numbers: [u32; LEVELS] = std::array::from_fn(|at| counts.last[at].unwrap_or(first[at]));
        label(&|at| self.level(list, at), at, &numbers)
    }

    fn definition(&self, list: u32) -> Option<&Definition> {
        self.definitions.get(&self.lists.get(&list)?.definition)
    }

    /// Lets lists that stand for the list of a style use its definition.
    pub(crate) fn resolve_links(&mut self) {
        let defining: HashMap<Box<str>, u32> = self
            .definitions
            .iter()
            .filter_map(|(id, definition)| Some((definition.defines.clone()?, *id)))
            .collect();
        for list in self.lists.values_mut() {
            let link = self.definitions.get(&list.definition);
            let link = link.and_then(|definition| definition.stands_for.as_ref());
            if let Some(id) = link.and_then(|style| defining.get(style)) {
                list.definition = *id;
            }
        }
    }
}

/// What stands in front of a paragraph at level `at` of a list with these levels, which has been counted so far.
pub(crate) fn label<'l>(
    levels: &dyn Fn(u8) -> Option<&'l Level>,
    at: usize,
    numbers: &[u32; LEVELS],
) -> Label {
    let Some(level) = levels(at as u8) else {
        return Label {
            text: String::new(),
            kind: None,
            task: None,
            simplified: false,
        };
    };
    let mut text = String::new();
    let mut shown = 0;
    let mut chars = level.text.chars().take(MAX_LABEL);
    let mut around = [String::new(), String::new()];
    while let Some(c) = chars.next() {
        let digit = (c == '%').then(|| chars.clone().next()).flatten();
        let Some(digit) = digit
            .and_then(|digit| digit.to_digit(10))
            .filter(|digit| *digit > 0)
        else {
            text.push(c);
            around[usize::from(shown > 0)].push(c);
            continue;
        };
        chars.next();
        let which = digit as usize - 1;
        shown += 1;
        around[1].clear();
        let format = levels(which as u8).map(|level| level.format);
        text.push_str(&match format {
            _ if level.legal => numbers[which].to_string(),
            Some(LevelFormat::Number(numeral)) => write_number(numbers[which], numeral),
            Some(LevelFormat::Zero) => format!("{:02}", numbers[which]),
            Some(LevelFormat::None | LevelFormat::Bullet) => String::new(),
            _ => numbers[which].to_string(),
        });
    }
    let [before, after] = around.each_ref().map(|text| text.trim());
    let (delimiter, plain) = match (before, after) {
        ("", "") => (Delimiter::None, true),
        ("", ".") => (Delimiter::Period, true),
        ("", ")") => (Delimiter::Parenthesis, true),
        ("(", ")") => (Delimiter::Parentheses, true),
        (_, after) if after.starts_with(')') => (Delimiter::Parenthesis, false),
        _ => (Delimiter::Period, false),
    };
    let numeral = match level.format {
        LevelFormat::Number(numeral) => numeral,
        _ => Numeral::Decimal,
    };
    let kind = match level.format {
        // Some programs keep room for a bullet where they show none.
        LevelFormat::Bullet if !text.is_empty() && text.trim().is_empty() => None,
        LevelFormat::Bullet => Some(ListKind::Bullet),
        LevelFormat::None => None,
        _ if shown == 0 && level.text.is_empty() => None,
        _ => Some(ListKind::Ordered(Numbering {
            start: numbers[at],
            numeral,
            delimiter,
            nested: shown > 1,
        })),
    };
    let ordered = matches!(kind, Some(ListKind::Ordered(_)));
    Label {
        task: match (level.format, text.trim()) {
            (LevelFormat::Bullet, "\u{2610}") => Some(false),
            (LevelFormat::Bullet, "\u{2611}" | "\u{2612}") => Some(true),
            _ => None,
        },
        text: text.trim().to_owned(),
        kind,
        simplified: ordered && (!plain || level.format == LevelFormat::Other),
    }
}
