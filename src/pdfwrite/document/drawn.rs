//! Painted part of a document's structure (ISO 32000-2, 14.7): the marked content of each element, and its children in
//! the order in which they were painted. Writes nothing to the file.

use convertd_layout::structure::{NodeId, Structure};

/// A child of an element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kid {
    Node(NodeId),
    /// Marked content: the page number, counted from 0, and the MCID on that page.
    Content {
        page: u32,
        mark: u32,
    },
    /// Annotation: the page number, and the annotation's number in the document.
    Annotation {
        page: u32,
        number: u32,
    },
}

/// Painted part of an element.
#[derive(Clone, Debug, Default)]
struct Element {
    kids: Vec<Kid>,
    /// Whether the element is a child of its parent already.
    is_seen: bool,
}

/// All elements that have been painted, by their number in the structure.
#[derive(Default)]
pub(super) struct Drawn(Vec<Element>);

impl Drawn {
    /// Adds content to an element. The first content also adds the element to its parent, and so on up to the root.
    pub(super) fn draw(&mut self, structure: &Structure, id: NodeId, kid: Kid) {
        self.element(id).kids.push(kid);
        let mut id = id;
        while id != NodeId::DOCUMENT && !std::mem::replace(&mut self.element(id).is_seen, true) {
            let parent = structure.parent(id);
            self.element(parent).kids.push(Kid::Node(id));
            id = parent;
        }
    }

    /// Children of an element; `None` if it was not painted.
    pub(super) fn kids(&self, id: NodeId) -> Option<&[Kid]> {
        let element = self.0.get(id.index());
        let seen = element.filter(|element| element.is_seen || id == NodeId::DOCUMENT);
        match (seen, id) {
            (Some(element), _) => Some(&element.kids),
            (None, NodeId::DOCUMENT) => Some(&[]),
            (None, _) => None,
        }
    }

    /// Entry of an element; entries before it are added as needed.
    fn element(&mut self, id: NodeId) -> &mut Element {
        if self.0.len() <= id.index() {
            self.0.resize(id.index() + 1, Element::default());
        }
        &mut self.0[id.index()]
    }
}
