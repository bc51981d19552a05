//! Lists (part 3, 5.3): what stands in front of the items of each level, and by which number a list begins. In OpenDocument lists
//! are elements around their items, so only their numbers have to be counted.

use crate::{
    containers::xml::{Element, Reader},
    document::{
        office::{LEVELS, Label, Level, LevelFormat, label},
        tree::{Length, ListLook, Numeral},
    },
    error::Result,
};
use std::{collections::HashMap, rc::Rc};

/// What stands in front of items, for each level.
#[derive(Debug, Default)]
pub(super) struct ListStyle {
    levels: [Level; LEVELS],
    /// Levels that the document says something about.
    known: [bool; LEVELS],
}

impl ListStyle {
    /// Reads `text:list-style` or `text:outline-style`, the innermost element of `xml`.
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
            style.levels[at].place(xml)?;
        }
        Ok(style)
    }

    /// How items at this level, from 0, look.
    pub(super) fn look(&self, at: usize) -> ListLook {
        self.levels[at.min(LEVELS - 1)].look()
    }

    /// What stands in front of an item at this level, from 0, if levels have been counted so far.
    pub(super) fn label(&self, at: usize, numbers: &[u32; LEVELS]) -> Label {
        let at = at.min(LEVELS - 1);
        if !self.known[at] {
            // What LibreOffice shows for a list without a style.
            let level = Level {
                format: LevelFormat::Bullet,
                text: "\u{2022}".into(),
                ..Level::default()
            };
            return label(&|_| Some(&level), at, numbers);
        }
        label(&|at| self.levels.get(usize::from(at)), at, numbers)
    }

    /// The number that a level begins with.
    pub(super) fn start(&self, at: usize) -> u32 {
        self.levels[at.min(LEVELS - 1)].start
    }
}

impl Level {
    /// Reads where a level stands (17.19 and 17.20), in the innermost element of `xml`: the label and the text by their indents, or,
    /// as OpenDocument 1.1 has it, the label by the space before it and the text by the width of the label.
    fn place(&mut self, xml: &mut Reader<'_>) -> Result<()> {
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
                self.indent = Some(before.unwrap_or_default() + wide);
                self.hanging = Some(Length::ZERO - wide);
            }
            while let Some(inner) = xml.next_element(level + 1)? {
                if inner.name == "list-level-label-alignment" {
                    self.indent = length(&inner, "margin-left").or(self.indent);
                    self.hanging = length(&inner, "text-indent").or(self.hanging);
                }
            }
        }
        Ok(())
    }
}

/// A level with numbers (19.880): what stands around them is said beside them, and not in a pattern.
fn numbered(element: &Element<'_>, at: usize) -> Level {
    let value = |name| element.attribute(name).unwrap_or_default();
    let format = match &*value("num-format") {
        "" => LevelFormat::None,
        "1" => LevelFormat::Number(Numeral::Decimal),
        "a" => LevelFormat::Number(Numeral::LowerAlpha),
        "A" => LevelFormat::Number(Numeral::UpperAlpha),
        "i" => LevelFormat::Number(Numeral::LowerRoman),
        "I" => LevelFormat::Number(Numeral::UpperRoman),
        _ => LevelFormat::Other,
    };
    let shown: usize = value("display-levels").parse().unwrap_or(1);
    let first = (at + 1).saturating_sub(shown.max(1));
    let numbers: Vec<String> = (first..=at)
        .map(|level| format!("%{}", level + 1))
        .collect();
    let text = match format {
        LevelFormat::None => String::new(),
        _ => format!(
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

/// The numbers of headings.
#[derive(Debug, Default)]
pub(super) struct Outline {
    style: Rc<ListStyle>,
    last: [u32; LEVELS],
}

impl Outline {
    pub(super) fn new(style: ListStyle) -> Self {
        Self {
            style: Rc::new(style),
            last: [0; LEVELS],
        }
    }

    /// Counts one more heading of this level, from 1, and says what stands in front of it. Empty if nothing does.
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

/// Counts one more at this level, from 0, and says what stands in front of it. `start` is the number that it says itself.
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

/// How far lists have been counted that others may go on with.
#[derive(Debug, Default)]
pub(super) struct Counted {
    by_style: HashMap<(Box<str>, usize), u32>,
    by_id: HashMap<Box<str>, u32>,
}

impl Counted {
    /// The number after the last one of the list with this identifier, or else with this style and level. None if there is none.
    pub(super) fn next(&self, id: Option<&str>, style: &str, level: usize) -> Option<u32> {
        let last = match id {
            Some(id) => self.by_id.get(id),
            None => self.by_style.get(&(style.into(), level)),
        };
        last.map(|last| last.saturating_add(1))
    }

    /// A list has come to its end with this number.
    pub(super) fn end(&mut self, id: Option<&str>, style: &str, level: usize, last: u32) {
        self.by_style.insert((style.into(), level), last);
        if let Some(id) = id {
            self.by_id.insert(id.into(), last);
        }
    }
}
