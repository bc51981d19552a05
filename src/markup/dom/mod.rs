//! The elements of a page as a tree, for style sheets and the layout, which need all of them at once. Interprets no
//! element.
//!
//! [`build`](mod@build) builds it from the markup. Names of elements, classes and identifiers are numbered, so that
//! selectors compare numbers instead of strings.

mod build;
mod events;

use crate::syntax::tag::Tag;
use std::{collections::HashMap, rc::Rc};

pub use crate::syntax::svg::Drawing;
pub use build::{build, build_within};
pub(crate) use events::{Event, Events, Start};

/// A node, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

impl NodeId {
    /// The document itself, which holds the root element.
    pub const DOCUMENT: Self = Self(0);

    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The number of a name in [`Names`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Name(u32);

/// All names of a page and its style sheets.
pub struct Names {
    numbers: HashMap<Rc<str>, Name>,
    names: Vec<Rc<str>>,
    /// Memory of the names, in bytes.
    memory: u64,
}

impl Default for Names {
    /// Begins with the names of all tags, so that their numbers are the indices of `Tag::at`.
    fn default() -> Self {
        let mut names = Self {
            numbers: HashMap::new(),
            names: Vec::new(),
            memory: 0,
        };
        for name in Tag::names() {
            names.number(name);
        }
        names
    }
}

impl Names {
    pub fn number(&mut self, name: &str) -> Name {
        /// Memory of a name besides its letters, in bytes: reference counts, and entries in the list and in the hash
        /// table, with those that are still free.
        const NAME: usize = 112;
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        self.memory += (name.len() + NAME) as u64;
        let (number, name) = (Name(self.names.len() as u32), Rc::<str>::from(name));
        self.names.push(name.clone());
        self.numbers.insert(name, number);
        number
    }

    pub fn name(&self, number: Name) -> &str {
        &self.names[number.0 as usize]
    }
}

/// Quirks mode of a page (HTML, 13.2.6.4.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Quirks {
    #[default]
    None,
    Limited,
    Full,
}

/// An element.
#[derive(Debug)]
pub struct Element {
    pub name: Name,
    pub id: Option<Name>,
    pub classes: Vec<Name>,
    /// Names in lower case, and values.
    pub attributes: Vec<(String, String)>,
}

impl Element {
    /// The value of an attribute.
    pub fn get(&self, name: &str) -> Option<&str> {
        let mut all = self.attributes.iter();
        all.find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    }
}

/// Kind of a node.
#[derive(Debug)]
pub enum Data {
    Document,
    Element(Box<Element>),
    Text(String),
    /// An inline SVG drawing, with its root element.
    Drawing(Box<Element>, Box<Drawing>),
}

impl Data {
    /// Memory of a node, in bytes, including what allocations and growing lists leave unused.
    fn memory(&self) -> u64 {
        const NODE: usize = 2 * size_of::<Node>();
        const ELEMENT: usize = size_of::<Element>() + 16;
        const ATTRIBUTE: usize = 2 * size_of::<(String, String)>();
        let own = match self {
            Self::Document => 0,
            Self::Text(text) => text.capacity() + 16,
            Self::Element(element) | Self::Drawing(element, _) => {
                let attributes = element.attributes.iter();
                let values = attributes.map(|(name, value)| name.len() + value.len() + ATTRIBUTE);
                let classes = element.classes.capacity() * size_of::<Name>();
                ELEMENT + classes + values.sum::<usize>()
            }
        };
        let file = match self {
            Self::Drawing(_, drawing) => drawing.file.as_ref().map_or(0, String::capacity),
            _ => 0,
        };
        (NODE + own + file) as u64
    }
}

/// A node, with its parent, its siblings before and after it, and its first and last child.
#[derive(Debug)]
pub struct Node {
    pub parent: Option<NodeId>,
    pub before: Option<NodeId>,
    pub after: Option<NodeId>,
    pub first: Option<NodeId>,
    pub last: Option<NodeId>,
    pub data: Data,
}

/// The tree of a page; see the module.
pub struct Dom {
    nodes: Vec<Node>,
    /// Memory of the nodes, in bytes.
    memory: u64,
    pub names: Names,
    pub quirks: Quirks,
}

impl std::fmt::Debug for Dom {
    /// Writes no nodes: references to a tree are in values that are printed often.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Dom").finish_non_exhaustive()
    }
}

impl Dom {
    fn new() -> Self {
        let mut dom = Self {
            nodes: Vec::new(),
            memory: 0,
            names: Names::default(),
            quirks: Quirks::Full,
        };
        dom.add(Data::Document);
        dom
    }

    /// A tree without elements, for XML: identifiers and classes are case-sensitive.
    #[cfg(feature = "svg")]
    pub(crate) fn of_xml() -> Self {
        Self {
            quirks: Quirks::None,
            ..Self::new()
        }
    }

    /// Adds an element at the end of another, or of the document. Returns its node.
    pub fn append(
        &mut self,
        parent: NodeId,
        name: &str,
        attributes: Vec<(String, String)>,
    ) -> NodeId {
        let of = |wanted: &str| {
            let found = attributes.iter().find(|(name, _)| name == wanted);
            found.map_or("", |(_, value)| value.as_str())
        };
        let id = Some(of("id")).filter(|id| !id.is_empty());
        let element = Element {
            name: self.names.number(name),
            id: id.map(|id| self.names.number(id)),
            classes: of("class")
                .split_ascii_whitespace()
                .map(|class| self.names.number(class))
                .collect(),
            attributes,
        };
        let node = self.add(Data::Element(Box::new(element)));
        self.insert(node, parent, None);
        node
    }

    /// Adds a text at the end of an element.
    #[cfg(feature = "svg")]
    pub(crate) fn append_text(&mut self, parent: NodeId, text: &str) {
        let node = self.add(Data::Text(text.to_owned()));
        self.insert(node, parent, None);
    }

    /// Memory of the tree, in bytes.
    pub(crate) fn memory(&self) -> u64 {
        self.memory + self.names.memory
    }

    /// Frees all nodes. Their numbers are invalid afterwards.
    pub fn clear(&mut self) {
        self.nodes = Vec::new();
    }

    fn add(&mut self, data: Data) -> NodeId {
        self.memory += data.memory();
        self.nodes.push(Node {
            parent: None,
            before: None,
            after: None,
            first: None,
            last: None,
            data,
        });
        NodeId(self.nodes.len() as u32 - 1)
    }

    /// Replaces the content of a node.
    fn replace(&mut self, id: NodeId, data: Data) {
        self.memory += data.memory();
        let before = std::mem::replace(&mut self.nodes[id.index()].data, data);
        self.memory -= before.memory();
    }

    #[allow(clippy::len_without_is_empty)] // No caller needs `is_empty`.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    pub fn element(&self, id: NodeId) -> Option<&Element> {
        match &self.nodes[id.index()].data {
            Data::Element(element) | Data::Drawing(element, ..) => Some(element),
            Data::Document | Data::Text(_) => None,
        }
    }

    /// The name of an element; empty for other nodes.
    pub fn tag(&self, id: NodeId) -> &str {
        self.element(id)
            .map_or("", |element| self.names.name(element.name))
    }

    /// The tag of an element. `None` for other nodes, and for elements whose names are not in [`Tag`].
    pub(crate) fn kind(&self, id: NodeId) -> Option<Tag> {
        Tag::at(self.element(id)?.name.0 as usize)
    }

    pub fn attribute(&self, id: NodeId, name: &str) -> Option<&str> {
        self.element(id)?.get(name)
    }

    /// The children of a node, in order.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.node(id).first, |child| self.node(*child).after)
    }

    /// The parent, if it is an element.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.node(id)
            .parent
            .filter(|parent| self.element(*parent).is_some())
    }

    /// The nearest element before this one among the children of its parent.
    pub(crate) fn element_before(&self, id: NodeId) -> Option<NodeId> {
        let mut at = self.node(id).before;
        while let Some(one) = at {
            if self.element(one).is_some() {
                return Some(one);
            }
            at = self.node(one).before;
        }
        None
    }

    /// The nearest element after this one among the children of its parent.
    pub(crate) fn element_after(&self, id: NodeId) -> Option<NodeId> {
        let mut at = self.node(id).after;
        while let Some(one) = at {
            if self.element(one).is_some() {
                return Some(one);
            }
            at = self.node(one).after;
        }
        None
    }

    /// All text inside a node, including that of the elements inside.
    pub fn text(&self, id: NodeId) -> String {
        let mut text = String::new();
        let mut open: Vec<NodeId> = vec![id];
        while let Some(id) = open.pop() {
            if let Data::Text(own) = &self.node(id).data {
                text.push_str(own);
            }
            let from = open.len();
            open.extend(self.children(id));
            open[from..].reverse();
        }
        text
    }

    /// The text directly in a node, without the text inside its elements (DOM, "child text content"). This is the text
    /// of a style sheet: in broken pages `style` elements may be nested, and the outer one must not repeat the inner
    /// one.
    pub fn own_text(&self, id: NodeId) -> String {
        let texts = self.children(id).map(|child| match &self.node(child).data {
            Data::Text(text) => &text[..],
            _ => "",
        });
        texts.collect()
    }

    /// All nodes, in the order in which they were made.
    pub fn all(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// The elements of this class.
    pub fn of_class(&self, class: Name) -> Vec<NodeId> {
        let is_of = |id: &NodeId| {
            let element = self.element(*id);
            element.is_some_and(|element| element.classes.contains(&class))
        };
        self.all().filter(is_of).collect()
    }

    /// Replaces the content of a node by a text.
    pub fn set_text(&mut self, id: NodeId, text: &str) {
        let text = self.add(Data::Text(text.to_owned()));
        self.nodes[text.index()].parent = Some(id);
        let node = &mut self.nodes[id.index()];
        (node.first, node.last) = (Some(text), Some(text));
    }

    /// Unlinks a node from its parent and its siblings.
    fn detach(&mut self, id: NodeId) {
        let (parent, before, after) = {
            let node = &mut self.nodes[id.index()];
            (node.parent.take(), node.before.take(), node.after.take())
        };
        match before {
            Some(before) => self.nodes[before.index()].after = after,
            None => {
                if let Some(parent) = parent {
                    self.nodes[parent.index()].first = after;
                }
            }
        }
        match after {
            Some(after) => self.nodes[after.index()].before = before,
            None => {
                if let Some(parent) = parent {
                    self.nodes[parent.index()].last = before;
                }
            }
        }
    }

    /// Inserts a node among the children of another: before the child `next`, or at the end.
    fn insert(&mut self, id: NodeId, parent: NodeId, next: Option<NodeId>) {
        self.detach(id);
        let before = match next {
            Some(next) => self.nodes[next.index()].before,
            None => self.nodes[parent.index()].last,
        };
        let node = &mut self.nodes[id.index()];
        node.parent = Some(parent);
        node.before = before;
        node.after = next;
        match before {
            Some(before) => self.nodes[before.index()].after = Some(id),
            None => self.nodes[parent.index()].first = Some(id),
        }
        match next {
            Some(next) => self.nodes[next.index()].before = Some(id),
            None => self.nodes[parent.index()].last = Some(id),
        }
    }
}
