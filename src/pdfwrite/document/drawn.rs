//! Drawn part of a document's structure (ISO 32000-2, 14.7): the marks on pages that belong to each element, and its
//! children in the order in which they were first seen. Writes nothing to the file.

use convertd_layout::structure::{NodeId, Structure};

/// A child of an element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kid {
    Node(NodeId),
    /// Marked content, by the number of the page and its own on that page.
    Content {
        page: u32,
        mark: u32,
    },
    /// An annotation, by its number among all of the document.
    Annotation {
        page: u32,
        number: u32,
    },
}

/// Drawn part of an element.
#[derive(Clone, Debug, Default)]
struct Element {
    kids: Vec<Kid>,
    is_seen: bool,
}

/// All elements of which something was drawn, by their number in the structure.
#[derive(Default)]
pub(super) struct Drawn(Vec<Element>);

impl Drawn {
    /// Adds content, and also its element and all ancestors if this is their first content.
    pub(super) fn draw(&mut self, structure: &Structure, id: NodeId, kid: Kid) {
        self.element(id).kids.push(kid);
        let mut id = id;
        while id != NodeId::DOCUMENT && !std::mem::replace(&mut self.element(id).is_seen, true) {
            let parent = structure.parent(id);
            self.element(parent).kids.push(Kid::Node(id));
            id = parent;
        }
    }

    /// Children of an element; `None` if nothing of it was drawn.
    pub(super) fn kids(&self, id: NodeId) -> Option<&[Kid]> {
        let element = self.0.get(id.index());
        let seen = element.filter(|element| element.is_seen || id == NodeId::DOCUMENT);
        match (seen, id) {
            (Some(element), _) => Some(&element.kids),
            (None, NodeId::DOCUMENT) => Some(&[]),
            (None, _) => None,
        }
    }

    fn element(&mut self, id: NodeId) -> &mut Element {
        if self.0.len() <= id.index() {
            self.0.resize(id.index() + 1, Element::default());
        }
        &mut self.0[id.index()]
    }
}
