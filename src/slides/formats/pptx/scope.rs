//! Names that a part refers to: its relationships, and the theme of its master. Reads no shapes.

use crate::containers::{opc::Relationships, xml::Node};
use convertd_office::drawing::{Fill, FillStyle, Palette, Rgba, Theme};
use std::{collections::HashMap, rc::Rc};

/// The names in a part.
#[derive(Clone, Default)]
pub(super) struct Scope {
    pub(super) relationships: Rc<Relationships>,
    pub(super) theme: Rc<Theme>,
    pub(super) palette: Palette,
    /// The numbers of the slides by the names of their parts, from 1.
    pub(super) numbers: Rc<HashMap<Box<str>, usize>>,
}

impl Scope {
    /// The part that a relationship leads to. Empty if it leads nowhere in the package.
    pub(super) fn part(&self, id: &str) -> Box<str> {
        let one = self.relationships.get(id).filter(|one| !one.external);
        one.map(|one| one.target.clone()).unwrap_or_default()
    }

    /// Target of a click, by the `hlinkClick` among the children of an element.
    pub(super) fn link(&self, parent: &Node<'_>) -> Option<Rc<str>> {
        let click = parent.child("a", "hlinkClick")?;
        let one = self.relationships.get(&click.attribute("id")?)?;
        if one.external {
            return Some(one.target.as_ref().into());
        }
        let number = self.numbers.get(&one.target)?;
        Some(format!("#{number}").into())
    }

    /// A fill as it is drawn, with the part of its picture.
    pub(super) fn fill(&self, style: &FillStyle, placeholder: Option<Rgba>, group: &Fill) -> Fill {
        let mut fill = style.resolve(&self.palette, placeholder, group);
        if let (Fill::Picture(picture), FillStyle::Picture(_)) = (&mut fill, style) {
            picture.id = self.part(&picture.id);
            if picture.id.is_empty() {
                return Fill::None;
            }
        }
        fill
    }
}
