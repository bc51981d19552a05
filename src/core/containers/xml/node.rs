//! A small part of an XML file as a tree, for content that cannot be read in one pass. Never used for a whole document,
//! because a node takes some hundred bytes.

use super::{Element, Piece, Reader};
use crate::error::Result;
use std::borrow::Cow;

/// An element with everything in it.
#[derive(Clone, Debug)]
pub struct Node<'a> {
    /// The element's name and attributes.
    pub element: Element<'a>,
    /// The elements directly in it.
    pub children: Vec<Node<'a>>,
    /// The text directly in it.
    pub text: Cow<'a, str>,
}

impl<'a> Node<'a> {
    /// Reads all of `element`, which has to be the innermost open element of `xml`.
    ///
    /// Errors: those of [`Reader::next`].
    pub fn read(xml: &mut Reader<'a>, element: Element<'a>) -> Result<Self> {
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

    /// Returns whether the element has this namespace and name.
    pub fn is(&self, space: &str, name: &str) -> bool {
        self.element.space == space && self.element.name == name
    }

    /// The first child with this name.
    pub fn child(&self, space: &str, name: &str) -> Option<&Self> {
        self.children.iter().find(|child| child.is(space, name))
    }

    /// The first child with this name in any namespace.
    pub fn named(&self, name: &str) -> Option<&Self> {
        self.all_named(name).next()
    }

    /// All children with this name in any namespace.
    pub fn all_named(&self, name: &str) -> impl Iterator<Item = &Self> {
        let children = self.children.iter();
        children.filter(move |child| child.element.name == name)
    }

    /// See [`Element::attribute`].
    pub fn attribute(&self, name: &str) -> Option<Cow<'a, str>> {
        self.element.attribute(name)
    }
}
