//! A small piece of XML as a tree, for what cannot be read in one pass. Never for a whole text: a node takes some hundred bytes.

use super::{Element, Piece, Reader};
use crate::error::Result;
use std::borrow::Cow;

/// An element with all that it holds.
#[derive(Clone, Debug)]
pub(crate) struct Node<'a> {
    /// The element itself.
    pub(crate) element: Element<'a>,
    /// The elements in it.
    pub(crate) children: Vec<Node<'a>>,
    /// The characters directly in it.
    pub(crate) text: Cow<'a, str>,
}

impl<'a> Node<'a> {
    /// Reads the innermost element of `xml`, `element`, to its end.
    ///
    /// Errors: what [`Reader::next`] meets.
    pub(crate) fn read(xml: &mut Reader<'a>, element: Element<'a>) -> Result<Self> {
        let level = xml.level();
        let mut node = Self {
            element,
            children: Vec::new(),
            text: Cow::Borrowed(""),
        };
        while let Some(piece) = xml.next(level)? {
            match piece {
                Piece::Element(child) => node.children.push(Self::read(xml, child)?),
                Piece::Text(text) if node.text.is_empty() => node.text = text,
                Piece::Text(text) => node.text.to_mut().push_str(&text),
            }
        }
        Ok(node)
    }

    /// Whether this is its name.
    pub(crate) fn is(&self, space: &str, name: &str) -> bool {
        self.element.space == space && self.element.name == name
    }

    /// The first child with this name.
    pub(crate) fn child(&self, space: &str, name: &str) -> Option<&Self> {
        self.children.iter().find(|child| child.is(space, name))
    }

    /// See [`Element::attribute`].
    pub(crate) fn attribute(&self, name: &str) -> Option<Cow<'a, str>> {
        self.element.attribute(name)
    }
}
