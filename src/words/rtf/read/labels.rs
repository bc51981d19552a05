//! Lists without a list table: each item contains its number or bullet as text.
//!
//! Some programs, such as pandoc, write lists this way, and so do programs that copy a part of a document without its
//! list table. The label is at the beginning of the paragraph, followed by a tab, or in a group of its own
//! (`\listtext`, `\pntext`). A paragraph may also begin with a number or a dash by chance. So a label in the text is
//! accepted only if the paragraph has a hanging indent, and a number only if it continues a list or can be its first
//! number.

use convertd_office::wordprocessing::{Item, ListPlace};
use convertd_tree::{
    Delimiter, LabelEnd, Length, ListKind, ListLook, Numbering, Numeral, numbering,
};

/// Lists whose labels are text have numbers above this number, and lists of the list table have numbers below it.
const FIRST: u32 = 1 << 31;

/// Tolerance for the indents of one list, in twips. Programs round when they convert units.
const SAME: i64 = 20;

/// Largest number that a list may begin with. Larger numbers are years.
const LARGEST: u32 = 999;

/// Max. number of list levels.
const MAX_LEVELS: usize = 9;

/// Open lists, outermost first.
#[derive(Debug, Default)]
pub(super) struct Labels {
    open: Vec<Open>,
    /// Number of lists so far.
    begun: u32,
}

/// An open list.
#[derive(Clone, Copy, Debug)]
struct Open {
    /// Number of the list.
    list: u32,
    /// Indent of the list's items, in twips.
    indent: i64,
    label: Label,
}

/// Label of an item.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Label {
    Bullet(char),
    /// Numbering of the list, and number of its last item.
    Number(Numbering, u32),
}

impl Labels {
    /// Ends all lists.
    pub(super) fn clear(&mut self) {
        self.open.clear();
    }

    /// Returns the list item that a label begins in a paragraph with this indent and first line. `None` if the label
    /// may be ordinary text. `has_group` means that the label has a group of its own, which identifies it.
    pub(super) fn item(
        &mut self,
        text: &str,
        (indent, first_line): (Length, Length),
        has_group: bool,
    ) -> Option<Item> {
        // An open list with a smaller indent contains the item. An open list with the same indent is continued if the
        // label fits.
        let twips = indent.to_twips();
        let outer = |open: &Open| open.indent < twips - SAME;
        let around = self.open.iter().take_while(|open| outer(open)).count();
        let before = self.open.get(around).copied();
        let before = before.filter(|open| open.indent <= twips + SAME);
        let label = match before.and_then(|open| open.label.next(text)) {
            Some(label) => label,
            None => Label::first(text, has_group || around > 0, has_group)?,
        };
        let continued = before.filter(|open| label.continues(open.label));
        let list = match continued {
            Some(open) => open.list,
            None => {
                self.begun = (self.begun + 1) % (FIRST >> 1);
                FIRST + self.begun
            }
        };
        self.open.truncate(around.min(MAX_LEVELS - 1));
        self.open.push(Open {
            list,
            indent: twips,
            label,
        });
        Some(Item {
            place: ListPlace {
                list,
                level: self.open.len() as u8 - 1,
            },
            kind: label.kind(),
            task: None,
            label: None,
            tight: false,
            look: ListLook {
                label_style: None,
                label_end: LabelEnd::Tab,
                indent: Some(indent),
                label: Some(first_line),
                bullet: match label {
                    Label::Bullet('\u{f000}'..='\u{f0ff}') | Label::Number(..) => None,
                    Label::Bullet(bullet) => Some(bullet),
                },
            },
        })
    }

    /// Level of the item that a paragraph without a label continues: the item with the same indent.
    pub(super) fn level_at(&self, indent: Length) -> Option<u8> {
        let twips = indent.to_twips();
        let same = |open: &Open| (open.indent - twips).abs() <= SAME;
        self.open.iter().rposition(same).map(|level| level as u8)
    }

    /// Returns whether a list is open.
    pub(super) fn is_open(&self) -> bool {
        !self.open.is_empty()
    }
}

impl Label {
    /// The label after this label, if its text is `text`.
    fn next(self, text: &str) -> Option<Self> {
        match self {
            Self::Bullet(bullet) => {
                let mut chars = text.chars();
                (chars.next() == Some(bullet) && chars.next().is_none()).then_some(self)
            }
            Self::Number(numbering, number) => {
                let number = number.checked_add(1)?;
                let next = numbering::label(number, numbering, &[]) == text;
                next.then_some(Self::Number(numbering, number))
            }
        }
    }

    /// Returns whether this label follows directly after `before`.
    fn continues(self, before: Self) -> bool {
        match (before, self) {
            (Self::Bullet(one), Self::Bullet(other)) => one == other,
            (Self::Number(one, last), Self::Number(other, number)) => {
                one == other && last.checked_add(1) == Some(number)
            }
            _ => false,
        }
    }

    /// Recognises the label of the first item of a list. Capital letters with a period may be initials, or the letters
    /// of questions and answers, so they begin a list only if `capitals` is set. Characters that occur in ordinary
    /// text, such as `o`, or belong to a symbol font are bullets only if `has_group` is set.
    fn first(text: &str, capitals: bool, has_group: bool) -> Option<Self> {
        let mut chars = text.chars();
        if let (Some(bullet), None) = (chars.next(), chars.next()) {
            let bullets = "•◦▪▫‣⁃·●○■□–-*";
            // Characters of Symbol and Wingdings are in the private use area.
            let is_bullet = bullets.contains(bullet)
                || has_group && matches!(bullet, 'o' | '§' | '\u{f000}'..='\u{f0ff}');
            return is_bullet.then_some(Self::Bullet(bullet));
        }
        let digits = text.trim_matches(['(', ')', '.']);
        let number = digits.parse().ok().filter(|number| *number <= LARGEST);
        // The label is recognised by comparison: a number is written in each numeral system with each delimiter until
        // the text is the same.
        let numerals = [
            (Numeral::Decimal, number.unwrap_or(1)),
            (Numeral::LowerRoman, 1),
            (Numeral::LowerAlpha, 1),
            (Numeral::UpperRoman, 1),
            (Numeral::UpperAlpha, 1),
        ];
        let delimiters = [
            Delimiter::Period,
            Delimiter::Parenthesis,
            Delimiter::Parentheses,
        ];
        let all = numerals.into_iter().flat_map(|numeral| {
            let pair_with = move |delimiter| (numeral, delimiter);
            delimiters.into_iter().map(pair_with)
        });
        for ((numeral, number), delimiter) in all {
            let numbering = Numbering {
                start: number,
                numeral,
                delimiter,
                nested: false,
            };
            let capital = matches!(numeral, Numeral::UpperAlpha | Numeral::UpperRoman);
            let doubtful = capital && delimiter == Delimiter::Period && !capitals;
            if !doubtful && numbering::label(number, numbering, &[]) == text {
                return Some(Self::Number(numbering, number));
            }
        }
        None
    }

    fn kind(self) -> ListKind {
        match self {
            Self::Bullet(_) => ListKind::Bullet,
            Self::Number(numbering, number) => ListKind::Ordered(Numbering {
                start: number,
                ..numbering
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Passes labels with their indents in points, and compares the lists and levels of the items: `1.0` is the first
    /// list at the outermost level, and `-` is ordinary text.
    #[track_caller]
    fn check(labels: &[(&str, i32)], expected: &str) {
        let mut open = Labels::default();
        let found = labels.iter().map(|(text, indent)| {
            let indents = (Length::points((*indent).into()), Length::points(-18.0));
            match open.item(text, indents, false) {
                Some(item) => format!("{}.{}", item.place.list - FIRST, item.place.level),
                None => "-".into(),
            }
        });
        let found: Vec<_> = found.collect();
        assert_eq!(found.join(" "), expected, "{labels:?}");
    }

    #[test]
    fn consecutive_numbers_are_a_list() {
        check(&[("1.", 18), ("2.", 18), ("3.", 18)], "1.0 1.0 1.0");
        check(&[("7)", 18), ("8)", 18), ("8)", 18)], "1.0 1.0 2.0");
        check(&[("(a)", 18), ("(b)", 18), ("(d)", 18)], "1.0 1.0 -");
        check(&[("i.", 18), ("ii.", 18), ("v.", 18)], "1.0 1.0 -");
        check(&[("h.", 18), ("i.", 18), ("j.", 18)], "- 1.0 -");
        check(
            &[("2024.", 18), ("1", 18), ("1.1", 18), ("", 18)],
            "- - - -",
        );
    }

    #[test]
    fn lists_nest_by_their_indents() {
        check(
            &[
                ("•", 18),
                ("–", 36),
                ("–", 37),
                ("•", 18),
                ("1.", 36),
                ("•", 0),
            ],
            "1.0 2.1 2.1 1.0 3.1 4.0",
        );
        check(&[("•", 36), ("•", 18), ("•", 36)], "1.0 2.0 3.1");
    }

    #[test]
    fn capital_letters_with_a_period_are_ambiguous() {
        check(&[("A.", 18), ("Q.", 18), ("I.", 18)], "- - -");
        check(&[("A)", 18), ("B)", 18)], "1.0 1.0");
        check(&[("1.", 18), ("A.", 36), ("B.", 36)], "1.0 2.1 2.1");
        check(&[("o", 18)], "-");
        let item = Labels::default().item("o", (Length::ZERO, Length::ZERO), true);
        assert_eq!(item.map(|item| item.kind), Some(ListKind::Bullet));
    }
}
