//! The lists of a document that is written. Every one is a list of its own, so that it begins where it says; lists that look alike
//! share a definition. Writes no file.

use super::LEVELS;
use crate::document::tree::{Block, Delimiter, List, ListKind, Numbering};

/// The list of paragraphs that go on with the item above: their bullet is a space. Programs that know lists alone would not
/// know otherwise that they belong to it.
pub(crate) const CONTINUED: u32 = 1;
const UNTICKED: u32 = 2;
const TICKED: u32 = 3;

/// What stands in front of a paragraph, at one level of a definition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum WrittenLabel {
    /// This character.
    Bullet(&'static str),
    /// One that belongs to the level.
    Bullets,
    /// A number.
    Number(Numbering),
}

/// The lists of a document.
pub(crate) struct WrittenLists {
    pub(crate) definitions: Vec<[WrittenLabel; LEVELS]>,
    /// For each list: its definition, and where its level begins.
    pub(crate) lists: Vec<(usize, Option<(usize, u32)>)>,
    /// Lists whose definitions are their own.
    own: Vec<usize>,
    /// The list that numbers headings, and whether a period ends their numbers.
    pub(crate) headings: Option<(u32, bool)>,
}

impl WrittenLists {
    pub(crate) fn new() -> Self {
        let fixed = [" ", "\u{2610}", "\u{2612}"];
        Self {
            definitions: fixed
                .map(|bullet| [WrittenLabel::Bullet(bullet); LEVELS])
                .into(),
            lists: vec![(0, None), (1, None), (2, None)],
            own: Vec::new(),
            headings: None,
        }
    }

    /// The number of the list of boxes to tick.
    pub(crate) fn task(ticked: bool) -> u32 {
        if ticked { TICKED } else { UNTICKED }
    }

    /// The number of a new list at this level. `around` is the list that it stands in.
    pub(crate) fn add(&mut self, list: &List, level: usize, around: Option<u32>) -> u32 {
        let at = level.min(LEVELS - 1);
        let label = match list.kind {
            ListKind::Bullet => WrittenLabel::Bullets,
            ListKind::Ordered(numbering) => WrittenLabel::Number(Numbering {
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
    pub(crate) fn number_headings(&mut self, period: bool) {
        let numbering = Numbering {
            delimiter: if period {
                Delimiter::Period
            } else {
                Delimiter::None
            },
            nested: true,
            ..Numbering::default()
        };
        self.definitions
            .push([WrittenLabel::Number(numbering); LEVELS]);
        self.lists.push((self.definitions.len() - 1, None));
        self.headings = Some((self.lists.len() as u32, period));
    }

    /// See [`number_headings`](Self::number_headings).
    pub(crate) fn headings(&self) -> Option<u32> {
        self.headings.map(|(list, _)| list)
    }
}

/// Whether a list stands in this one whose numbers begin with those of this one.
fn holds_nested(list: &List, depth: usize) -> bool {
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
