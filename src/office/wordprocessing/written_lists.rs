//! Numbers the lists of a document for writers. A list becomes a separate instance, so its numbers begin where the
//! document states, and do not continue those of a list before it. Only a nested list with numbers such as 2.1 can be a
//! level of the enclosing list. Lists with the same formatting share a definition. Writes no file.

use super::numbering::LEVELS;
use convertd_tree::{Block, Delimiter, Length, List, ListKind, ListLook, Numbering};
use std::collections::{HashMap, HashSet};

/// Number of the list for items with an unchecked check box.
const UNTICKED: u32 = 1;
/// Number of the list for items with a checked check box.
const TICKED: u32 = 2;

/// Max. number of definitions with their own start values or indents. Further lists use the definition with the default
/// formatting, and override the start value of that definition.
const MAX_DEFINITIONS: usize = 500;

/// Label of a level of a list definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WrittenLabel {
    /// No label.
    Nothing,
    /// A bullet with this character.
    Bullet(char),
    /// The default bullet of the level.
    Bullets,
    /// A number in this form.
    Number(Numbering),
}

/// Level of a list definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WrittenLevel {
    /// Label of the items at this level.
    pub label: WrittenLabel,
    /// Left indent of the items' text.
    pub indent: Length,
    /// Indent of the first line, which contains the label, relative to `indent`. Negative for a hanging label.
    pub first_line: Length,
}

/// Levels of a list definition.
type Levels = [WrittenLevel; LEVELS];

impl WrittenLevel {
    /// Returns levels with this label and the default indents.
    fn all(label: WrittenLabel) -> Levels {
        std::array::from_fn(|level| Self {
            label,
            indent: Length::twips(720 * (level as i64 + 1)),
            first_line: Length::twips(-360),
        })
    }

    /// Returns the bullet of the level. `None` without a bullet.
    pub fn bullet(self, level: usize) -> Option<char> {
        match self.label {
            WrittenLabel::Bullet(bullet) => Some(bullet),
            WrittenLabel::Bullets => Some(['\u{2022}', '\u{25e6}', '\u{25aa}'][level % 3]),
            WrittenLabel::Nothing | WrittenLabel::Number(_) => None,
        }
    }

    /// Sets the indents to those of the source, if its left indent is between 0 and 20 inches. The label does not begin
    /// left of the text area.
    fn put(&mut self, look: ListLook) {
        let limit = Length::inches(20.0);
        let Some(indent) = look.indent.filter(|at| (Length::ZERO..=limit).contains(at)) else {
            return;
        };
        self.indent = indent;
        let first_line = look.label.unwrap_or(self.first_line);
        self.first_line = first_line.clamp(Length::ZERO - indent, limit);
    }
}

/// Definitions and lists of a file.
pub struct WrittenLists {
    /// List definitions.
    pub definitions: Vec<Levels>,
    /// For each list, the index of its definition, and its level and start value if it is numbered.
    pub lists: Vec<(usize, Option<(usize, u32)>)>,
    /// Definitions that lists share, by their levels.
    shared: HashMap<Levels, usize>,
    /// Indexes of definitions that belong to one list. Lists nested in that list can change their own level of the
    /// definition.
    own: HashSet<usize>,
    /// List that numbers headings, and whether a period ends its numbers.
    pub headings: Option<(u32, bool)>,
}

impl Default for WrittenLists {
    fn default() -> Self {
        Self::new()
    }
}

impl WrittenLists {
    /// Creates the lists for items with check boxes.
    pub fn new() -> Self {
        let mut new = Self {
            definitions: Vec::new(),
            lists: Vec::new(),
            shared: HashMap::new(),
            own: HashSet::new(),
            headings: None,
        };
        for bullet in ['\u{2610}', '\u{2612}'] {
            let definition = new.definition(WrittenLevel::all(WrittenLabel::Bullet(bullet)));
            new.lists.push((definition, None));
        }
        new
    }

    /// Returns the number of the list for items with a check box.
    pub fn task(ticked: bool) -> u32 {
        if ticked { TICKED } else { UNTICKED }
    }

    /// Adds a list at this level, inside the list `around`. Returns its number.
    pub fn add(&mut self, list: &List, level: usize, around: Option<u32>) -> u32 {
        let at = level.min(LEVELS - 1);
        let plain = match list.kind {
            ListKind::Bullet => WrittenLabel::Bullets,
            ListKind::Ordered(numbering) => WrittenLabel::Number(Numbering {
                start: 1,
                ..numbering
            }),
        };
        let mut levels = WrittenLevel::all(plain);
        levels[at].put(list.look);
        let start = match list.kind {
            ListKind::Ordered(numbering) => {
                // Pandoc reads start values only from definitions, so the level states the start value as well.
                levels[at].label = WrittenLabel::Number(numbering);
                Some((at, numbering.start))
            }
            ListKind::Bullet => {
                // If an item has a check box, the bullets of the list are check boxes, and belong to its items. The
                // bullet of the list is ignored.
                let boxes = list.items.iter().any(|item| item.task.is_some());
                if let Some(bullet) = list.look.bullet.filter(|_| !boxes) {
                    levels[at].label = WrittenLabel::Bullet(bullet);
                }
                None
            }
        };
        if let ListKind::Ordered(Numbering { nested: true, .. }) = list.kind
            && let Some(around) = around
            && let Some((definition, _)) = self.lists.get(around as usize - 1).copied()
            && self.own.contains(&definition)
        {
            // Numbers such as 2.1.3 combine several levels of a definition. The list must therefore use the definition
            // of the enclosing list.
            self.definitions[definition][at] = levels[at];
            return around;
        }
        let definition = if self.definitions.len() >= MAX_DEFINITIONS {
            self.definition(WrittenLevel::all(plain))
        } else if holds_nested(list, 0) {
            self.definitions.push(levels);
            self.own.insert(self.definitions.len() - 1);
            self.definitions.len() - 1
        } else {
            self.definition(levels)
        };
        self.lists.push((definition, start));
        self.lists.len() as u32
    }

    /// Adds a bullet list without visible bullets, for items whose text begins with a check box. Returns its number.
    pub fn add_blank(&mut self) -> u32 {
        let definition = self.definition(WrittenLevel::all(WrittenLabel::Nothing));
        self.lists.push((definition, None));
        self.lists.len() as u32
    }

    /// Returns a level of a list's definition.
    pub fn level(&self, list: u32, level: usize) -> WrittenLevel {
        let (definition, _) = self.lists[list as usize - 1];
        self.definitions[definition][level.min(LEVELS - 1)]
    }

    /// Returns the index of the definition with these levels, and adds it if it is missing.
    fn definition(&mut self, levels: Levels) -> usize {
        let new = self.definitions.len();
        let known = *self.shared.entry(levels).or_insert(new);
        if known == new {
            self.definitions.push(levels);
        }
        known
    }

    /// Adds the list that numbers headings, with numbers such as 2.1. `period` adds a period after the numbers.
    pub fn number_headings(&mut self, period: bool) {
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
            .push(WrittenLevel::all(WrittenLabel::Number(numbering)));
        self.lists.push((self.definitions.len() - 1, None));
        self.headings = Some((self.lists.len() as u32, period));
    }
}

/// Returns whether an ordered list contains, directly or in nested ordered lists, a list whose labels repeat the
/// numbers of the lists around it, such as 2.1.
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

#[cfg(test)]
mod tests {
    use super::*;
    use convertd_tree::{Item, LabelEnd};

    fn list(kind: ListKind, look: ListLook) -> List {
        List {
            kind,
            tight: true,
            look,
            items: vec![Item::default()],
        }
    }

    fn numbered(start: u32) -> List {
        let numbering = Numbering {
            start,
            ..Numbering::default()
        };
        list(ListKind::Ordered(numbering), ListLook::default())
    }

    #[test]
    fn a_level_takes_its_indents_from_the_list() {
        let mut lists = WrittenLists::new();
        let look = ListLook {
            indent: Some(Length::twips(500)),
            label: Some(Length::twips(-900)),
            bullet: Some('\u{2013}'),
            label_style: None,
            label_end: LabelEnd::Tab,
        };
        let number = lists.add(&list(ListKind::Bullet, look), 1, None);
        let level = lists.level(number, 1);
        assert_eq!(level.bullet(1), Some('\u{2013}'));
        assert_eq!(level.indent, Length::twips(500));
        assert_eq!(level.first_line, Length::twips(-500), "not off the page");
        assert_eq!(lists.level(number, 0).indent, Length::twips(720));
        let far = ListLook {
            indent: Some(Length::inches(90.0)),
            ..ListLook::default()
        };
        let number = lists.add(&list(ListKind::Bullet, far), 0, None);
        assert_eq!(lists.level(number, 0).indent, Length::twips(720));
    }

    #[test]
    fn equal_lists_share_a_definition_and_the_number_is_bounded() {
        let mut lists = WrittenLists::new();
        let before = lists.definitions.len();
        lists.add(&numbered(7), 0, None);
        lists.add(&numbered(7), 0, None);
        assert_eq!(lists.definitions.len(), before + 1);
        let WrittenLabel::Number(numbering) = lists.definitions[before][0].label else {
            panic!("no numbers");
        };
        assert_eq!(numbering.start, 7);
        for start in 0..2000 {
            let number = lists.add(&numbered(start), 0, None);
            let (_, begins) = lists.lists[number as usize - 1];
            assert_eq!(begins, Some((0, start)), "all say where they begin");
        }
        assert!(lists.definitions.len() <= MAX_DEFINITIONS + 1);
    }

    #[test]
    fn definitions_of_nested_numbers_are_bounded() {
        let inner = list(
            ListKind::Ordered(Numbering {
                nested: true,
                ..Numbering::default()
            }),
            ListLook::default(),
        );
        let mut outer = numbered(1);
        outer.items[0]
            .blocks
            .push(Block::List(Box::new(inner.clone())));
        let mut lists = WrittenLists::new();
        let own = lists.add(&outer, 0, None);
        assert_eq!(
            lists.add(&inner, 1, Some(own)),
            own,
            "2.1 needs both levels"
        );
        for _ in 0..2000 {
            let number = lists.add(&outer, 0, None);
            let (_, begins) = lists.lists[number as usize - 1];
            assert_eq!(begins, Some((0, 1)), "all say where they begin");
            lists.add(&inner, 1, Some(number));
        }
        // The definitions of both numberings with their default formatting are added when the limit is reached.
        assert!(lists.definitions.len() <= MAX_DEFINITIONS + 2);
    }
}
