//! Page rules: `@page` with its selectors and margin boxes (CSS Paged Media 3, 4 and 5). Lays out no pages.

use super::super::{
    property::Declaration,
    rules::{block, pairs},
    tokens::{Token, closing},
    value::Cursor,
};
use super::{SheetParser, declarations};
use std::rc::Rc;

/// Selector of an `@page` rule: name and pseudo-classes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PageSelector {
    pub name: Option<Rc<str>>,
    pub first: bool,
    pub left: bool,
    pub right: bool,
    pub blank: bool,
}

impl PageSelector {
    /// Returns the specificity (CSS Paged Media 3, 4.4): whether the selector has a name, `:first` or `:blank`, and
    /// `:left` or `:right`.
    pub fn weight(&self) -> (bool, bool, bool) {
        (
            self.name.is_some(),
            self.first || self.blank,
            self.left || self.right,
        )
    }
}

/// An `@page` rule.
#[derive(Clone)]
pub struct PageRule {
    pub selector: PageSelector,
    /// Value of `size`; `None` without this declaration.
    pub size: Option<Rc<[Token]>>,
    pub declarations: Rc<[Declaration]>,
    /// Margin boxes by name, with their declarations.
    pub margins: Vec<(Rc<str>, Rc<[Declaration]>)>,
}

impl<'a> SheetParser<'a> {
    /// Parses `@page` with its margin boxes (CSS Paged Media 3, 4 and 5). A selector list makes
    /// several rules.
    pub(super) fn page(&mut self, prelude: &[Token], body: &[Token]) {
        // A selector is a page name, pseudo-classes, or both; an empty prelude means all pages.
        let mut selectors = Vec::new();
        for mut part in Cursor::new(prelude).parts() {
            let mut selector = PageSelector::default();
            while let Some(token) = part.next() {
                match token {
                    Token::Ident(name) => selector.name = Some(name.clone()),
                    Token::Colon => match part.word().as_deref() {
                        Some("first") => selector.first = true,
                        Some("left") => selector.left = true,
                        Some("right") => selector.right = true,
                        Some("blank") => selector.blank = true,
                        _ => {}
                    },
                    _ => {}
                }
            }
            selectors.push(selector);
        }
        // At-rules with a block are margin boxes; the other tokens are declarations of the page.
        let mut margins = Vec::new();
        let mut plain = Vec::new();
        let mut at = 0;
        while at < body.len() {
            if let Token::At(name) = &body[at]
                && let Some(open) = block(body, at)
            {
                let end = closing(body, open);
                let (found, _) = declarations(&body[open + 1..end.max(open + 1)]);
                margins.push((name.clone(), found.into()));
                at = end + 1;
            } else {
                plain.push(body[at].clone());
                at += 1;
            }
        }
        let (found, _) = declarations(&plain);
        let found: Rc<[Declaration]> = found.into();
        let grounds = ["background", "background-color", "background-image"];
        let mut written = pairs(&plain).into_iter();
        self.sheets.paints_pages |= written.any(|(name, ..)| grounds.contains(&&*name));
        // `size` is a descriptor and not a property of boxes; its last declaration counts.
        let size = pairs(&plain)
            .into_iter()
            .rev()
            .find(|(name, ..)| name == "size");
        let size: Option<Rc<[Token]>> = size.map(|(_, value, _)| value.into());
        for selector in selectors {
            self.sheets.pages.push(PageRule {
                selector,
                size: size.clone(),
                declarations: found.clone(),
                margins: margins.clone(),
            });
        }
    }
}
