//! Context of a part: its relationships, and the theme of its master. Reads no shapes.

use crate::containers::{opc::Relationships, xml::Node};
use convertd_office::drawing::{Fill, FillStyle, Palette, Rgba, Theme};
use std::{collections::HashMap, rc::Rc};

/// Context of a part.
#[derive(Clone, Default)]
pub(super) struct Scope {
    /// Targets of the identifiers in the part.
    pub(super) relationships: Rc<Relationships>,
    pub(super) theme: Rc<Theme>,
    /// Colours by name, after the colour map of the part.
    pub(super) palette: Palette,
    /// Slide numbers (from 1) by the names of their parts, for links between slides.
    pub(super) numbers: Rc<HashMap<Box<str>, usize>>,
}

impl Scope {
    /// Returns the name of the part to which a relationship refers. Empty if it refers to nothing within the package.
    pub(super) fn part(&self, id: &str) -> Box<str> {
        let relationship = self
            .relationships
            .get(id)
            .filter(|relationship| !relationship.external);
        relationship
            .map(|relationship| relationship.target.clone())
            .unwrap_or_default()
    }

    /// Returns the target of a click, from the `hlinkClick` child of an element. Links to slides become `#` and the
    /// number.
    pub(super) fn link(&self, parent: &Node<'_>) -> Option<Rc<str>> {
        let click = parent.child("a", "hlinkClick")?;
        let relationship = self.relationships.get(&click.attribute("id")?)?;
        if relationship.external {
            return Some(relationship.target.as_ref().into());
        }
        let number = self.numbers.get(&relationship.target)?;
        Some(format!("#{number}").into())
    }

    /// Resolves the colours and the picture of a fill. `placeholder` is the colour that a reference to the theme
    /// states, and `group` is the fill of the surrounding group.
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
