//! List styles, and the numbers of lists (OpenDocument 1.3, part 3, 5.3). Unlike Word, OpenDocument has elements for
//! lists and items, so only the numbers have to be computed. Reads no items.

use crate::{
    containers::xml::{Element, Reader},
    error::Result,
};
use convertd_office::wordprocessing::{LEVELS, Label, Level, LevelFormat, label};
use convertd_tree::{LabelEnd, Length, ListLook, numerals::Format};
use std::{collections::HashMap, rc::Rc};

/// List style: the label of each level.
#[derive(Debug, Default)]
pub(super) struct ListStyle {
    levels: [Level; LEVELS],
    /// Whether the document defines each level.
    known: [bool; LEVELS],
}

impl ListStyle {
    /// Reads `text:list-style` or `text:outline-style`, which is the innermost open element of `xml`.
    pub(super) fn read(xml: &mut Reader<'_>) -> Result<Self> {
        let mut style = Self::default();
        let level = xml.level();
        while let Some(element) = xml.next_element(level)? {
            let number = element
                .attribute("level")
                .and_then(|level| level.parse().ok());
            let Some(at) = number.and_then(|number: usize| number.checked_sub(1)) else {
                continue;
            };
            if at >= LEVELS {
                continue;
            }
            style.known[at] = true;
            style.levels[at] = match element.name {
                "list-level-style-number" | "outline-level-style" => numbered(&element, at),
                _ => Level {
                    format: LevelFormat::Bullet,
                    text: element
                        .attribute("bullet-char")
                        .unwrap_or("\u{2022}".into())
                        .into(),
                    ..Level::default()
                },
            };
            place(&mut style.levels[at], xml)?;
        }
        Ok(style)
    }

    /// Layout of items at this level, counted from 0.
    pub(super) fn look(&self, at: usize) -> ListLook {
        self.levels[at.min(LEVELS - 1)].look()
    }

    /// Label of an item at this level, counted from 0, for the current numbers of all levels.
    pub(super) fn label(&self, at: usize, numbers: &[u32; LEVELS]) -> Label {
        let at = at.min(LEVELS - 1);
        if !self.known[at] {
            // LibreOffice shows this bullet at a level that the style of the list does not define.
            let level = Level {
                format: LevelFormat::Bullet,
                text: "\u{2022}".into(),
                ..Level::default()
            };
            return label(&|_| Some(&level), at, numbers);
        }
        label(&|at| self.levels.get(usize::from(at)), at, numbers)
    }

    /// Start value of a level.
    pub(super) fn start(&self, at: usize) -> u32 {
        self.levels[at.min(LEVELS - 1)].start
    }
}

/// Reads the position of a level (17.19 and 17.20), in the innermost open element of `xml`. Current files state the
/// indents of the label and of the text; files of OpenDocument 1.1 state the space before the label and its minimum
/// width.
fn place(at: &mut Level, xml: &mut Reader<'_>) -> Result<()> {
    let level = xml.level();
    while let Some(element) = xml.next_element(level)? {
        if element.name != "list-level-properties" {
            continue;
        }
        let length = |element: &Element<'_>, name| {
            element
                .attribute(name)
                .and_then(|value| Length::parse(&value))
        };
        let before = length(&element, "space-before");
        let wide = length(&element, "min-label-width");
        if before.is_some() || wide.is_some() {
            let wide = wide.unwrap_or_default();
            at.indent = Some(before.unwrap_or_default() + wide);
            at.hanging = Some(Length::ZERO - wide);
        }
        while let Some(inner) = xml.next_element(level + 1)? {
            if inner.name == "list-level-label-alignment" {
                let end = inner.attribute("label-followed-by");
                at.end = LabelEnd::of_name(&end.unwrap_or_default());
                at.indent = length(&inner, "margin-left").or(at.indent);
                at.hanging = length(&inner, "text-indent").or(at.hanging);
            }
        }
    }
    Ok(())
}

/// Reads a numbered level. OpenDocument has attributes for the text before and after the number; LibreOffice adds a
/// pattern for all of the label (`num-list-format`).
fn numbered(element: &Element<'_>, at: usize) -> Level {
    let value = |name| element.attribute(name).unwrap_or_default();
    let format = match &*value("num-format") {
        "" => LevelFormat::None,
        example => Format::of_example(example).map_or(LevelFormat::DECIMAL, LevelFormat::Number),
    };
    let shown: usize = value("display-levels").parse().unwrap_or(1);
    let first = (at + 1).saturating_sub(shown.max(1));
    let numbers: Vec<String> = (first..=at)
        .map(|level| format!("%{}", level + 1))
        .collect();
    let pattern = element.attribute("num-list-format");
    let text = match (format, pattern) {
        (LevelFormat::None, _) => format!("{}{}", value("num-prefix"), value("num-suffix")),
        // The pattern also contains the text between the numbers: `%1%.%2%.`.
        (_, Some(pattern)) => pattern_of(&pattern),
        (_, None) => format!(
            "{}{}{}",
            value("num-prefix"),
            numbers.join("."),
            value("num-suffix")
        ),
    };
    Level {
        start: value("start-value").parse().unwrap_or(1),
        format,
        text: text.into(),
        ..Level::default()
    }
}

/// Converts a pattern with a percent sign on both sides of each level to the notation of [`Level`].
fn pattern_of(pattern: &str) -> String {
    let mut text = String::new();
    let mut rest = pattern;
    while let Some((before, after)) = rest.split_once('%') {
        text.push_str(before);
        let level = after.split_once('%');
        let level = level.filter(|(level, _)| level.parse().is_ok_and(|at: u8| at > 0));
        match level {
            Some((level, after)) => {
                // Only nine levels exist, so a number of several digits is left out.
                if level.len() == 1 {
                    text.push('%');
                    text.push_str(level);
                }
                rest = after;
            }
            None => {
                text.push('%');
                rest = after;
            }
        }
    }
    text + rest
}

/// Numbering of headings.
#[derive(Debug, Default)]
pub(super) struct Outline {
    style: Rc<ListStyle>,
    /// Last number of each level.
    last: [u32; LEVELS],
}

impl Outline {
    pub(super) fn new(style: ListStyle) -> Self {
        Self {
            style: Rc::new(style),
            last: [0; LEVELS],
        }
    }

    /// Counts a heading of this level, counted from 1. Returns its label, or an empty string if it has none.
    pub(super) fn count(&mut self, level: u8) -> String {
        let style = self.style.clone();
        count(
            &style,
            &mut self.last,
            usize::from(level).clamp(1, LEVELS) - 1,
            None,
        )
    }
}

/// Counts an item at this level, counted from 0, and returns its label. `start` is its explicit number. Deeper levels
/// start again.
pub(super) fn count(
    style: &ListStyle,
    last: &mut [u32; LEVELS],
    at: usize,
    start: Option<u32>,
) -> String {
    last[at] = start.unwrap_or(match last[at] {
        0 => style.start(at),
        number => number.saturating_add(1),
    });
    last[at + 1..].fill(0);
    let numbers = std::array::from_fn(|level| match last[level] {
        0 => style.start(level),
        number => number,
    });
    if !style.known[at] {
        return String::new();
    }
    style.label(at, &numbers).text
}

/// Last numbers of lists, for lists that continue other lists.
#[derive(Debug, Default)]
pub(super) struct Counted {
    by_style: HashMap<Box<str>, [Option<u32>; LEVELS]>,
    by_id: HashMap<Box<str>, u32>,
}

impl Counted {
    /// Next number of the list with this identifier, or without an identifier, of the last list with this style and
    /// level. `None` if there was no such list, or (without an identifier) if an item of an outer level followed it.
    pub(super) fn next(&self, id: Option<&str>, style: &str, level: usize) -> Option<u32> {
        let last = match id {
            Some(id) => self.by_id.get(id).copied(),
            None => self
                .by_style
                .get(style)
                .and_then(|levels| levels[level.min(LEVELS - 1)]),
        };
        last.map(|last| last.saturating_add(1))
    }

    /// Records the beginning of an item. Numbers of deeper levels start again after it.
    pub(super) fn begin(&mut self, style: &str, level: usize) {
        if let Some(levels) = self.by_style.get_mut(style) {
            levels[(level + 1).min(LEVELS)..].fill(None);
        }
    }

    /// Records the last number of a list.
    pub(super) fn end(&mut self, id: Option<&str>, style: &str, level: usize, last: u32) {
        let levels = self.by_style.entry(style.into()).or_default();
        levels[level.min(LEVELS - 1)] = Some(last);
        if let Some(id) = id {
            self.by_id.insert(id.into(), last);
        }
    }
}
