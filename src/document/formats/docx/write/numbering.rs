//! The part with the lists (ECMA-376 part 1, 17.9). Every list of the document is one of its own, so that it begins where it
//! says; lists that look alike share a definition.

use super::properties::value;
use crate::{
    containers::xml::Writer,
    document::tree::{Delimiter, List, ListKind, Numbering, Numeral},
};

/// Levels that a definition has.
const LEVELS: usize = 9;

/// The list of paragraphs that go on with the item above: their bullet is a space. Programs that know lists alone would not
/// know otherwise that they belong to it.
pub(super) const CONTINUED: u32 = 1;
const UNTICKED: u32 = 2;
const TICKED: u32 = 3;

/// What stands in front of a paragraph, at one level of a definition.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Label {
    Bullet(&'static str),
    Bullets,
    Number(Numbering),
}

/// The lists of a document.
pub(super) struct Lists {
    definitions: Vec<[Label; LEVELS]>,
    /// For each list: its definition, and where its level begins.
    lists: Vec<(usize, Option<(usize, u32)>)>,
    /// Lists whose definitions are their own.
    own: Vec<usize>,
    /// The list that numbers headings, and whether a period ends their numbers.
    headings: Option<(u32, bool)>,
}

impl Lists {
    pub(super) fn new() -> Self {
        let fixed = [" ", "\u{2610}", "\u{2612}"];
        Self {
            definitions: fixed.map(|bullet| [Label::Bullet(bullet); LEVELS]).into(),
            lists: vec![(0, None), (1, None), (2, None)],
            own: Vec::new(),
            headings: None,
        }
    }

    /// The number of the list of boxes to tick.
    pub(super) fn task(ticked: bool) -> u32 {
        if ticked { TICKED } else { UNTICKED }
    }

    /// The number of a new list at this level. `around` is the list that it stands in.
    pub(super) fn add(&mut self, list: &List, level: usize, around: Option<u32>) -> u32 {
        let at = level.min(LEVELS - 1);
        let label = match list.kind {
            ListKind::Bullet => Label::Bullets,
            ListKind::Ordered(numbering) => Label::Number(Numbering {
                start: 1,
                ..numbering
            }),
        };
        let start = match list.kind {
            ListKind::Ordered(numbering) => Some((at, numbering.start)),
            ListKind::Bullet => None,
        };
        if let ListKind::Ordered(Numbering { nested: true, .. }) = list.kind
            && let Some(around) = around
            && let Some((definition, _)) = self.lists.get(around as usize - 1).copied()
            && self.own.contains(&definition)
        {
            // Numbers of the lists around stand in front, so these are one list.
            self.definitions[definition][at] = label;
            return around;
        }
        let definition = if holds_nested(list, 0) {
            self.definitions.push([label; LEVELS]);
            self.own.push(self.definitions.len() - 1);
            self.definitions.len() - 1
        } else {
            let known = self
                .definitions
                .iter()
                .position(|known| *known == [label; LEVELS]);
            known.unwrap_or_else(|| {
                self.definitions.push([label; LEVELS]);
                self.definitions.len() - 1
            })
        };
        self.lists.push((definition, start));
        self.lists.len() as u32
    }

    /// The number of the list that gives headings numbers such as 2.1, with or without a period behind.
    pub(super) fn number_headings(&mut self, period: bool) {
        let numbering = Numbering {
            delimiter: if period {
                Delimiter::Period
            } else {
                Delimiter::None
            },
            nested: true,
            ..Numbering::default()
        };
        self.definitions.push([Label::Number(numbering); LEVELS]);
        self.lists.push((self.definitions.len() - 1, None));
        self.headings = Some((self.lists.len() as u32, period));
    }

    /// See [`number_headings`](Self::number_headings).
    pub(super) fn headings(&self) -> Option<u32> {
        self.headings.map(|(list, _)| list)
    }

    /// The part.
    pub(super) fn write(&self) -> String {
        let mut xml = Writer::new();
        xml.start("w:numbering").attribute("xmlns:w", super::W);
        let headings = self
            .headings
            .map(|(list, _)| self.lists[list as usize - 1].0);
        for (number, levels) in self.definitions.iter().enumerate() {
            xml.start("w:abstractNum")
                .number("w:abstractNumId", number as i64);
            value(&mut xml, "w:multiLevelType", "multilevel");
            for (level, label) in levels.iter().enumerate() {
                write_level(&mut xml, level, *label, headings == Some(number));
            }
            xml.end();
        }
        for (number, (definition, start)) in (1_u32..).zip(&self.lists) {
            xml.start("w:num").number("w:numId", number);
            value(&mut xml, "w:abstractNumId", &definition.to_string());
            if let Some((level, start)) = start {
                xml.start("w:lvlOverride").number("w:ilvl", *level as i64);
                value(&mut xml, "w:startOverride", &start.to_string());
                xml.end();
            }
            xml.end();
        }
        xml.finish()
    }
}

/// Whether a list stands in this one whose numbers begin with those of this one.
fn holds_nested(list: &List, depth: usize) -> bool {
    use crate::document::tree::Block;
    depth < LEVELS
        && matches!(list.kind, ListKind::Ordered(_))
        && list
            .items
            .iter()
            .flat_map(|item| &item.blocks)
            .any(|block| match block {
                Block::List(inner) => {
                    matches!(
                        inner.kind,
                        ListKind::Ordered(Numbering { nested: true, .. })
                    ) || holds_nested(inner, depth + 1)
                }
                _ => false,
            })
}

fn write_level(xml: &mut Writer, level: usize, label: Label, heading: bool) {
    let (format, text) = match label {
        Label::Bullet(bullet) => ("bullet", bullet.to_owned()),
        Label::Bullets => {
            let bullet = ["\u{2022}", "\u{25e6}", "\u{25aa}"][level % 3];
            ("bullet", bullet.to_owned())
        }
        Label::Number(numbering) => (numeral(numbering.numeral), number_text(level, numbering)),
    };
    xml.start("w:lvl").number("w:ilvl", level as i64);
    value(xml, "w:start", "1");
    value(xml, "w:numFmt", format);
    if heading {
        value(xml, "w:pStyle", &format!("Heading{}", level + 1));
    }
    value(xml, "w:lvlText", &text);
    value(xml, "w:lvlJc", "left");
    xml.start("w:pPr").start("w:ind");
    if heading {
        xml.number("w:left", 0).number("w:firstLine", 0);
    } else {
        xml.number("w:left", 720 * (level as i64 + 1))
            .number("w:hanging", 360);
    }
    xml.end().end().end();
}

fn numeral(numeral: Numeral) -> &'static str {
    match numeral {
        Numeral::Decimal => "decimal",
        Numeral::LowerAlpha => "lowerLetter",
        Numeral::UpperAlpha => "upperLetter",
        Numeral::LowerRoman => "lowerRoman",
        Numeral::UpperRoman => "upperRoman",
    }
}

fn number_text(level: usize, numbering: Numbering) -> String {
    let first = if numbering.nested { 0 } else { level };
    let numbers: Vec<String> = (first..=level)
        .map(|level| format!("%{}", level + 1))
        .collect();
    let numbers = numbers.join(".");
    match numbering.delimiter {
        Delimiter::Period => numbers + ".",
        Delimiter::Parenthesis => numbers + ")",
        Delimiter::Parentheses => format!("({numbers})"),
        Delimiter::None => numbers,
    }
}
