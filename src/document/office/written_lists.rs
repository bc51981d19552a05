//! Numbers the lists of a document for writers. Each list becomes an instance of its own, so that its numbers begin where
//! the document says and do not continue those of a list before it. Lists that look alike share a definition. Writes no
//! file.

use super::LEVELS;
use crate::document::tree::{Block, Delimiter, List, ListKind, Numbering};

/// The list for paragraphs that continue an item. Its bullet is a space. Some programs recognise a paragraph as part of a
/// list only if it has a list itself.
pub(crate) const CONTINUED: u32 = 1;
const UNTICKED: u32 = 2;
const TICKED: u32 = 3;

/// The label at one level of a list definition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum WrittenLabel {
    /// This character as the bullet.
    Bullet(&'static str),
    /// The bullet that is usual for the level.
    Bullets,
    /// A number.
    Number(Numbering),
}

/// The definitions and lists that a file needs.
pub(crate) struct WrittenLists {
    pub(crate) definitions: Vec<[WrittenLabel; LEVELS]>,
    /// For each list, the index of its definition and, if it is numbered, its level with the start value.
    pub(crate) lists: Vec<(usize, Option<(usize, u32)>)>,
    /// The definitions that belong to a single list, so that its nested lists can set their own level.
    own: Vec<usize>,
    /// The list that numbers headings, and whether a period ends its numbers.
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

    /// The list for items with a check box.
    pub(crate) fn task(ticked: bool) -> u32 {
        if ticked { TICKED } else { UNTICKED }
    }

    /// Adds a list at this level, inside the list `around`, and returns its number.
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
            // A number such as 2.1.3 is built from several levels of one definition, so this list has to use that of the
            // enclosing list.
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

    /// Adds the list that numbers headings (2.1), with or without a period at the end.
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

    /// The list that numbers headings, if there is one.
    pub(crate) fn headings(&self) -> Option<u32> {
        self.headings.map(|(list, _)| list)
    }
}

/// Whether this list contains one whose labels include its numbers, as 2.1 does.
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
