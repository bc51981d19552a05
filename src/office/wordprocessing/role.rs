//! The roles of paragraphs, with the same rules for all formats.
//!
//! Word processors do not state that a paragraph is a quotation. They state a style, a list and an indent, and readers
//! must infer the role. A reader collects [`Facts`], from which [`Facts::role`] decides. Reliable facts have priority:
//! a stated heading is a heading whatever its indent, and an indent decides only if neither style nor list nor code
//! does. Considers no files and no tree.

use super::names::ParagraphRole;
use convertd_tree::{ListKind, ListLook};

/// Properties of a complete paragraph that are relevant to its role.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    /// Role of the paragraph's style.
    pub style: ParagraphRole,
    /// Level as a heading, from 1, if the file states that the paragraph is a heading, regardless of its style.
    pub heading: Option<u8>,
    /// Outline level that the paragraph states in addition to its style, from 0. Level 9 is body text.
    pub outline: Option<u8>,
    /// Place in a list.
    pub listed: Listed,
    /// Whether the paragraph turns off the number that it would have by its style or list, which means that it
    /// continues an item.
    pub continues_item: bool,
    /// Level of the open item with the same indent.
    pub item: Option<u8>,
    /// Whether the paragraph is indented further than its style.
    pub is_indented: bool,
    /// Whether no content is visible.
    pub is_blank: bool,
    /// Whether the only visible content is a picture.
    pub is_picture: bool,
    /// Whether the only visible content is code, and such paragraphs are lines of a code block in this format.
    pub is_code: bool,
}

/// Place of a paragraph in a list.
#[derive(Clone, Debug, Default)]
pub(super) enum Listed {
    /// The paragraph is in no list.
    #[default]
    No,
    /// The first paragraph of an item.
    Item(Item),
    /// A paragraph in a list, at this level, at which the list has no labels.
    Unlabelled(u8),
}

/// Beginning of a list item.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// List and level.
    pub place: ListPlace,
    /// Kind of the list, with the number of this item. Used only if the item begins a list.
    pub kind: ListKind,
    /// Whether the check box is checked. `None` without a check box.
    pub task: Option<bool>,
    /// Label, if the kind of the list does not represent it.
    pub label: Option<Box<str>>,
    /// Whether there is no space between items.
    pub tight: bool,
    /// Formatting of items. Used only if the item begins a list.
    pub look: ListLook,
}

/// List and level of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListPlace {
    /// Number of the list.
    pub list: u32,
    /// Level in the list, from 0.
    pub level: u8,
}

/// Role of a paragraph.
#[derive(Clone, Debug, PartialEq)]
pub enum Role {
    /// Ordinary text.
    Body,
    /// A heading.
    Heading {
        /// Level of the heading, from 1.
        level: u8,
        /// Name of the heading's bookmark, if the source has one.
        id: Option<Box<str>>,
        /// Number that the source shows before the text of the heading.
        label: Option<Box<str>>,
    },
    /// The first paragraph of a list item.
    Item(Item),
    /// A further paragraph of the innermost open item at this level or at an outer level. If all open items are deeper,
    /// it belongs to the outermost item. Ordinary text if no list is open.
    ItemText(u8),
    /// A paragraph of a block quotation.
    Quote,
    /// A line of a code block.
    Code,
    /// A line of a code block, in the item that [`Self::ItemText`] with this level continues. Outside of lists if no
    /// list is open.
    ItemCode(u8),
    /// The caption of the next table, or of the picture before.
    Caption,
    /// A picture whose caption follows.
    Figure,
    /// A term in a definition list.
    Term,
    /// A paragraph in the description of the term before.
    Details,
}

/// Largest list level. In [`Role::ItemText`], it stands for the innermost open item.
const INNERMOST: u8 = 8;

impl Facts {
    /// Returns the level as a heading, from 1. It is needed before the role, because the number of a heading must be
    /// counted first.
    pub(crate) fn heading_level(&self) -> Option<u8> {
        match (self.heading, self.style, self.outline) {
            (Some(level), ..) => Some(level),
            (None, ParagraphRole::Heading(level), None | Some(0..=8)) => Some(level),
            (None, ParagraphRole::Body, Some(level @ 0..=8)) => Some(level + 1),
            _ => None,
        }
    }

    /// Returns the role. Headings have priority; for other paragraphs, the first match arm that applies decides. The
    /// name and the number of a heading are added later.
    pub(super) fn role(self) -> Role {
        use ParagraphRole as Style;
        if let Some(level) = self.heading_level() {
            return Role::Heading {
                level,
                id: None,
                label: None,
            };
        }
        let continued_item = self.item.filter(|_| self.continues_item);
        let is_indented = self.is_indented && !self.is_blank;
        match (self.style, self.listed) {
            (Style::Caption, _) => Role::Caption,
            (_, Listed::Item(item)) => Role::Item(item),
            (style, Listed::Unlabelled(level)) => continued(style, level),
            (style, Listed::No) => match (style, continued_item) {
                (style, Some(level)) => continued(style, level),
                (Style::Quote, None) => Role::Quote,
                (Style::Code, None) => Role::Code,
                (Style::Figure, None) if self.is_picture => Role::Figure,
                (Style::Term, None) => Role::Term,
                (Style::Details, None) => Role::Details,
                (Style::ListText, None) => Role::ItemText(self.item.unwrap_or(INNERMOST)),
                (Style::Body, None) if self.is_code => Role::Code,
                // An unnumbered paragraph with the indent of an item continues that item. Other indented paragraphs are
                // block quotations.
                _ if is_indented => self.item.map_or(Role::Quote, Role::ItemText),
                _ if self.is_picture => Role::Figure,
                _ => Role::Body,
            },
        }
    }
}

/// Returns the role of a paragraph that continues the item at this level.
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
    fn styles_and_outline_levels_give_headings() {
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
        let facts = Facts {
            heading: Some(2),
            is_indented: true,
            ..of(Style::Quote)
        };
        check(&facts, &heading(2));
        let numbered = Facts {
            listed: Listed::Item(item()),
            ..of(Style::Heading(1))
        };
        check(&numbered, &heading(1));
    }

    #[test]
    fn captions_override_lists_and_lists_override_styles() {
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
        let continuing = |style, item| Facts {
            continues_item: true,
            item,
            ..of(style)
        };
        check(&continuing(Style::Body, Some(1)), &Role::ItemText(1));
        check(&continuing(Style::Quote, Some(1)), &Role::ItemText(1));
        check(&continuing(Style::Code, Some(1)), &Role::ItemCode(1));
        check(&continuing(Style::Quote, None), &Role::Quote);
        check(&of(Style::ListText), &Role::ItemText(INNERMOST));
        let fits = Facts {
            item: Some(0),
            ..of(Style::ListText)
        };
        check(&fits, &Role::ItemText(0));
    }

    #[test]
    fn styles_override_indents() {
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
    fn pictures_are_figures_by_default() {
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
