//! Numbering (ECMA-376 part 1, 17.9): which list a paragraph belongs to, how it is numbered, and by which number. Counts as
//! Word does: lists that share their definition go on counting together.

use super::super::NAMESPACES;
use super::properties::{ParagraphProperties, on};
use crate::{
    containers::xml::{Element, Reader},
    document::{
        numbering::write as write_number,
        tree::{Delimiter, Length, ListKind, Numbering, Numeral},
    },
    error::Result,
    job::Job,
};
use std::collections::HashMap;

const LEVELS: usize = 9;

/// Most characters of a label that are looked at.
const MAX_LABEL: usize = 200;

/// The lists of a document, and how far each has been counted.
#[derive(Debug, Default)]
pub(super) struct Lists {
    definitions: HashMap<u32, Definition>,
    lists: HashMap<u32, List>,
    /// For each definition.
    counts: HashMap<u32, Counts>,
}

#[derive(Debug, Default)]
struct Definition {
    levels: [Level; LEVELS],
    /// The style whose list this one stands for (`numStyleLink`), and the one that it defines (`styleLink`).
    stands_for: Option<Box<str>>,
    defines: Option<Box<str>>,
}

#[derive(Debug, Default)]
struct List {
    definition: u32,
    starts: [Option<u32>; LEVELS],
    levels: Vec<(usize, Level)>,
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
pub(super) struct Level {
    start: u32,
    format: Format,
    text: Box<str>,
    /// The level after which it begins anew; 0 for never.
    restart: Option<u8>,
    /// All numbers in front are written in digits.
    legal: bool,
    style: Option<Box<str>>,
    /// Where its text stands.
    pub(super) indent: Option<Length>,
    pub(super) hanging: Option<Length>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Format {
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
            format: Format::Number(Numeral::Decimal),
            text: Box::default(),
            restart: None,
            legal: false,
            style: None,
            indent: None,
            hanging: None,
        }
    }
}

/// What stands in front of a paragraph.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Label {
    /// Written out.
    pub(super) text: String,
    /// As a list that begins here. None if nothing is shown.
    pub(super) kind: Option<ListKind>,
    /// It is a box to tick, and ticked or not.
    pub(super) task: Option<bool>,
    /// The list says more than its kind does: other words or numerals.
    pub(super) simplified: bool,
}

impl Lists {
    /// Reads the part with the lists.
    pub(super) fn read(job: &Job<'_>, text: &str) -> Result<Self> {
        let mut all = Self::default();
        let mut xml = Reader::new(job, text, NAMESPACES);
        xml.root()?;
        while let Some(element) = xml.next_element(1)? {
            let number = |name| element.attribute(name).and_then(|id| id.parse().ok());
            match element.name {
                "abstractNum" => {
                    let definition = Definition::read(&mut xml)?;
                    if let Some(id) = number("abstractNumId") {
                        all.definitions.insert(id, definition);
                    }
                }
                "num" => {
                    let list = List::read(&mut xml)?;
                    if let Some(id) = number("numId") {
                        all.lists.insert(id, list);
                    }
                }
                _ => {}
            }
        }
        all.resolve_links();
        Ok(all)
    }

    /// The list and level of a paragraph. `own` are its own properties, `style` those of its style with this identifier.
    pub(super) fn place(
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
    pub(super) fn level(&self, list: u32, level: u8) -> Option<&Level> {
        let level = usize::from(level);
        let own = self.lists.get(&list)?.levels.iter();
        let mut own = own.filter(|(at, _)| *at == level);
        match own.next_back() {
            Some((_, own)) => Some(own),
            None => self.definition(list)?.levels.get(level),
        }
    }

    /// Counts one more paragraph at this place, and says what stands in front of it.
    pub(super) fn count(&mut self, list: u32, level: u8) -> Label {
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
        self.label(list, at, &numbers)
    }

    fn label(&self, list: u32, at: usize, numbers: &[u32; LEVELS]) -> Label {
        let Some(level) = self.level(list, at as u8) else {
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
            let format = self.level(list, which as u8).map(|level| level.format);
            text.push_str(&match format {
                _ if level.legal => numbers[which].to_string(),
                Some(Format::Number(numeral)) => write_number(numbers[which], numeral),
                Some(Format::Zero) => format!("{:02}", numbers[which]),
                Some(Format::None | Format::Bullet) => String::new(),
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
            Format::Number(numeral) => numeral,
            _ => Numeral::Decimal,
        };
        let kind = match level.format {
            // Some programs keep room for a bullet where they show none.
            Format::Bullet if !text.is_empty() && text.trim().is_empty() => None,
            Format::Bullet => Some(ListKind::Bullet),
            Format::None => None,
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
                (Format::Bullet, "\u{2610}") => Some(false),
                (Format::Bullet, "\u{2611}" | "\u{2612}") => Some(true),
                _ => None,
            },
            text: text.trim().to_owned(),
            kind,
            simplified: ordered && (!plain || level.format == Format::Other),
        }
    }

    fn definition(&self, list: u32) -> Option<&Definition> {
        self.definitions.get(&self.lists.get(&list)?.definition)
    }

    /// Lets lists that stand for the list of a style use its definition.
    fn resolve_links(&mut self) {
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

impl Definition {
    fn read(xml: &mut Reader<'_>) -> Result<Self> {
        let mut definition = Self::default();
        let at = xml.level();
        while let Some(element) = xml.next_element(at)? {
            match element.name {
                "lvl" => {
                    let (number, level) = Level::read(xml, &element)?;
                    if let Some(own) = definition.levels.get_mut(number) {
                        *own = level;
                    }
                }
                "numStyleLink" => definition.stands_for = element.attribute("val").map(Into::into),
                "styleLink" => definition.defines = element.attribute("val").map(Into::into),
                _ => {}
            }
        }
        Ok(definition)
    }
}

impl List {
    fn read(xml: &mut Reader<'_>) -> Result<Self> {
        let mut list = Self::default();
        let at = xml.level();
        while let Some(element) = xml.next_element(at)? {
            match element.name {
                "abstractNumId" => {
                    let id = element.attribute("val").and_then(|id| id.parse().ok());
                    list.definition = id.unwrap_or(0);
                }
                "lvlOverride" => {
                    let number = element
                        .attribute("ilvl")
                        .and_then(|level| level.parse().ok());
                    let number: usize = number.unwrap_or(0);
                    while let Some(child) = xml.next_element(at + 1)? {
                        match child.name {
                            "startOverride" => {
                                let start = child.attribute("val").and_then(|at| at.parse().ok());
                                if let Some(own) = list.starts.get_mut(number) {
                                    *own = start;
                                }
                            }
                            "lvl" if number < LEVELS => {
                                let (_, level) = Level::read(xml, &child)?;
                                list.levels.push((number, level));
                            }
                            _ => {}
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(list)
    }
}

impl Level {
    fn read(xml: &mut Reader<'_>, element: &Element<'_>) -> Result<(usize, Self)> {
        let number = element
            .attribute("ilvl")
            .and_then(|level| level.parse().ok());
        let mut level = Self::default();
        let at = xml.level();
        while let Some(child) = xml.next_element(at)? {
            let value = || child.attribute("val").unwrap_or_default();
            match (child.space, child.name) {
                ("w", "start") => level.start = value().parse().unwrap_or(1),
                ("w", "numFmt") => level.format = Format::parse(&value()),
                ("w", "lvlText") => {
                    level.text = value().into();
                }
                ("w", "lvlRestart") => level.restart = value().parse().ok(),
                ("w", "isLgl") => level.legal = on(&child),
                ("w", "pStyle") => level.style = Some(value().into()),
                ("w", "pPr") => {
                    let properties = ParagraphProperties::read(xml)?;
                    level.indent = properties.indent_start;
                    level.hanging = properties.first_line;
                }
                _ => {}
            }
        }
        Ok((number.unwrap_or(0), level))
    }
}

impl Format {
    /// From 17.18.59.
    fn parse(name: &str) -> Self {
        match name {
            "decimal" => Self::Number(Numeral::Decimal),
            "lowerLetter" => Self::Number(Numeral::LowerAlpha),
            "upperLetter" => Self::Number(Numeral::UpperAlpha),
            "lowerRoman" => Self::Number(Numeral::LowerRoman),
            "upperRoman" => Self::Number(Numeral::UpperRoman),
            "decimalZero" => Self::Zero,
            "bullet" => Self::Bullet,
            "none" => Self::None,
            _ => Self::Other,
        }
    }
}
