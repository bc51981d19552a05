//! The role of a paragraph: one table for every format.
//!
//! No word processor says "this is a quotation". It names a style, a list, an indent, and readers have to infer the
//! rest. A reader gathers what it knows as [`Facts`], and [`Facts::role`] decides, from the surest fact to the weakest:
//! what is said to be a heading is one whatever its indent, and an indent counts only where nothing else says anything.
//! Looks at no file and no tree.

use super::names::ParagraphRole;
use convertd_tree::{ListKind, ListLook};

/// Properties of a paragraph at its end that bear on its role.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    /// The role that its style gives it.
    pub style: ParagraphRole,
    /// Its level as a heading, from 1, if the file says that it is one, whatever its style.
    pub heading: Option<u8>,
    /// The outline level that it states beside its style, from 0. Level 9 is body text.
    pub outline: Option<u8>,
    /// Its place in a list.
    pub listed: Listed,
    /// Whether it says that it goes on with an item, by having no number where others have one.
    pub goes_on: bool,
    /// The level of the open item that has its indent.
    pub item: Option<u8>,
    /// Whether it is indented beyond its style.
    pub is_indented: bool,
    /// Whether nothing in it is visible.
    pub is_blank: bool,
    /// Whether its only visible content is a picture.
    pub is_picture: bool,
    /// Whether its only visible content is code, in a format in which this makes it a line of a code block.
    pub is_code: bool,
}

/// The place of a paragraph in a list.
#[derive(Clone, Debug, Default)]
pub(super) enum Listed {
    /// It is in none.
    #[default]
    No,
    /// It begins this item.
    Item(Item),
    /// It is in a list at this level, but the level shows no label.
    Unlabelled(u8),
}

/// The beginning of a list item.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// Its list and level.
    pub place: ListPlace,
    /// The kind of the list, numbered from this item on. Used only if the item begins a list.
    pub kind: ListKind,
    /// Whether its check box is checked, if it has one.
    pub task: Option<bool>,
    /// Its label, where the kind of its list does not say it.
    pub label: Option<Box<str>>,
    /// Whether the list is tight, without space between its items.
    pub tight: bool,
    /// The look of the items. Used only if the item begins a list.
    pub look: ListLook,
}

/// The list and level of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListPlace {
    /// The number of the list.
    pub list: u32,
    /// The level, from 0.
    pub level: u8,
}

/// The role of a paragraph.
#[derive(Clone, Debug, PartialEq)]
pub enum Role {
    /// Ordinary text.
    Body,
    /// A heading.
    Heading {
        /// The level, from 1.
        level: u8,
        /// The name of its bookmark, if the source has one.
        id: Option<Box<str>>,
        /// The number that the source shows before it.
        label: Option<Box<str>>,
    },
    /// The first paragraph of a list item.
    Item(Item),
    /// A further paragraph of the item at this level or the nearest higher one. Ordinary text if no list is open.
    ItemText(u8),
    /// A paragraph of a block quotation.
    Quote,
    /// A line of a code block.
    Code,
    /// A line of a code block in the item at this level or the nearest higher one.
    ItemCode(u8),
    /// The caption of the table that follows, or of the picture before.
    Caption,
    /// A picture whose caption follows.
    Figure,
    /// A term in a definition list.
    Term,
    /// A paragraph of the definition of the term before.
    Details,
}

/// Deeper than any list: an item at this level or the nearest higher one is the innermost.
const INNERMOST: u8 = 8;

impl Facts {
    /// The level of the paragraph as a heading, from 1. Told apart from the role because a heading may have a number,
    /// which has to be counted before.
    pub(crate) fn heading_level(&self) -> Option<u8> {
        match (self.heading, self.style, self.outline) {
            (Some(level), ..) => Some(level),
            (None, ParagraphRole::Heading(level), None | Some(0..=8)) => Some(level),
            (None, ParagraphRole::Body, Some(level @ 0..=8)) => Some(level + 1),
            _ => None,
        }
    }

    /// The role of the paragraph. The first rule that fits decides. A heading has neither name nor number yet.
    pub(super) fn role(self) -> Role {
        use ParagraphRole as Style;
        if let Some(level) = self.heading_level() {
            return Role::Heading {
                level,
                id: None,
                label: None,
            };
        }
        let goes_on = self.item.filter(|_| self.goes_on);
        let is_indented = self.is_indented && !self.is_blank;
        match (self.style, self.listed) {
            (Style::Caption, _) => Role::Caption,
            (_, Listed::Item(item)) => Role::Item(item),
            (style, Listed::Unlabelled(level)) => continued(style, level),
            (style, Listed::No) => match (style, goes_on) {
                (style, Some(level)) => continued(style, level),
                (Style::Quote, None) => Role::Quote,
                (Style::Code, None) => Role::Code,
                (Style::Figure, None) if self.is_picture => Role::Figure,
                (Style::Term, None) => Role::Term,
                (Style::Details, None) => Role::Details,
                (Style::ListText, None) => Role::ItemText(self.item.unwrap_or(INNERMOST)),
                (Style::Body, None) if self.is_code => Role::Code,
                // An unnumbered paragraph whose indent matches the items above continues the last of them; any other
                // indented paragraph counts as a block quotation.
                _ if is_indented => self.item.map_or(Role::Quote, Role::ItemText),
                _ if self.is_picture => Role::Figure,
                _ => Role::Body,
            },
        }
    }
}

/// The role of a paragraph that continues the item at this level.
fn continued(style: ParagraphRole, level: u8) -> Role {
    match style {
        ParagraphRole::Code => Role::ItemCode(level),
        _ => Role::ItemText(level),
    }
}

#[cfg(test)]
mod tests {
    use super::{ParagraphRole as Style, *};

    #[track_caller]
    fn check(facts: &Facts, expected: &Role) {
        assert_eq!(facts.clone().role(), *expected, "{facts:?}");
    }

    fn of(style: Style) -> Facts {
        Facts {
            style,
            ..Facts::default()
        }
    }

    fn heading(level: u8) -> Role {
        Role::Heading {
            level,
            id: None,
            label: None,
        }
    }

    fn item() -> Item {
        Item {
            place: ListPlace { list: 7, level: 1 },
            kind: ListKind::Bullet,
            task: None,
            label: None,
            tight: true,
            look: ListLook::default(),
        }
    }

    #[test]
    fn headings_are_said_or_are_in_the_outline() {
        let outlined = |style, outline| Facts {
            outline: Some(outline),
            ..of(style)
        };
        check(&of(Style::Heading(3)), &heading(3));
        check(&outlined(Style::Body, 1), &heading(2));
        check(&outlined(Style::Heading(3), 0), &heading(3));
        check(&outlined(Style::Heading(3), 9), &Role::Body);
        check(&outlined(Style::Body, 9), &Role::Body);
        check(&outlined(Style::Quote, 1), &Role::Quote);
        let said = Facts {
            heading: Some(2),
            is_indented: true,
            ..of(Style::Quote)
        };
        check(&said, &heading(2));
        let numbered = Facts {
            listed: Listed::Item(item()),
            ..of(Style::Heading(1))
        };
        check(&numbered, &heading(1));
    }

    #[test]
    fn lists_decide_before_styles_and_captions_before_lists() {
        let in_list = |style, listed| Facts {
            listed,
            is_indented: true,
            ..of(style)
        };
        let begun = || Listed::Item(item());
        check(&in_list(Style::Body, begun()), &Role::Item(item()));
        check(&in_list(Style::Quote, begun()), &Role::Item(item()));
        check(&in_list(Style::Caption, begun()), &Role::Caption);
        let unlabelled = || Listed::Unlabelled(2);
        check(&in_list(Style::Body, unlabelled()), &Role::ItemText(2));
        check(&in_list(Style::Code, unlabelled()), &Role::ItemCode(2));
        let goes_on = |style, item| Facts {
            goes_on: true,
            item,
            ..of(style)
        };
        check(&goes_on(Style::Body, Some(1)), &Role::ItemText(1));
        check(&goes_on(Style::Quote, Some(1)), &Role::ItemText(1));
        check(&goes_on(Style::Code, Some(1)), &Role::ItemCode(1));
        check(&goes_on(Style::Quote, None), &Role::Quote);
        check(&of(Style::ListText), &Role::ItemText(INNERMOST));
        let fits = Facts {
            item: Some(0),
            ..of(Style::ListText)
        };
        check(&fits, &Role::ItemText(0));
    }

    #[test]
    fn styles_decide_before_indents() {
        check(&of(Style::Quote), &Role::Quote);
        check(&of(Style::Code), &Role::Code);
        check(&of(Style::Caption), &Role::Caption);
        check(&of(Style::Term), &Role::Term);
        check(&of(Style::Details), &Role::Details);
        check(&of(Style::Rule), &Role::Body);
        check(&of(Style::Title), &Role::Body);
        let indented = |style| Facts {
            is_indented: true,
            ..of(style)
        };
        check(&indented(Style::Code), &Role::Code);
        check(&indented(Style::Body), &Role::Quote);
        check(&indented(Style::Figure), &Role::Quote);
        let blank = Facts {
            is_blank: true,
            ..indented(Style::Body)
        };
        check(&blank, &Role::Body);
        let fits = Facts {
            item: Some(1),
            ..indented(Style::Body)
        };
        check(&fits, &Role::ItemText(1));
        let code = Facts {
            is_code: true,
            ..indented(Style::Body)
        };
        check(&code, &Role::Code);
    }

    #[test]
    fn pictures_are_figures_where_nothing_else_is_said() {
        let picture = |style| Facts {
            is_picture: true,
            ..of(style)
        };
        check(&picture(Style::Figure), &Role::Figure);
        check(&picture(Style::Body), &Role::Figure);
        check(&picture(Style::Quote), &Role::Quote);
        check(&of(Style::Figure), &Role::Body);
    }
}
