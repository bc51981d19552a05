//! The structure of a tagged PDF (ISO 32000-1, 14.7 and 14.8) while pages are made: which element stands in which, and which
//! marks on which page belong to it. Writes nothing to the file.
//!
//! Elements are made when blocks are laid out, which is before anybody knows whether and where they are drawn. An element
//! becomes a child of its parent when something of it is first drawn: so children stand in the order in which they are read,
//! and elements without content are left out.

use std::cell::RefCell;

/// Which element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct NodeId(u32);

impl NodeId {
    /// The element that stands around all others.
    pub(crate) const DOCUMENT: Self = Self(0);

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What an element is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Role {
    Document,
    Division,
    Paragraph,
    /// With its level, from 1.
    Heading(u8),
    /// How its items are numbered.
    List(ListLabels),
    ListItem,
    Label,
    ListBody,
    Table,
    TableHead,
    TableBody,
    TableFoot,
    TableRow,
    /// Rows and columns that it covers.
    HeadCell {
        rows: u16,
        columns: u16,
        of_row: bool,
    },
    DataCell {
        rows: u16,
        columns: u16,
    },
    Caption,
    Quote,
    Code,
    Span,
    Link,
    Reference,
    Note,
    Figure,
}

/// What stands in front of the items of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ListLabels {
    None,
    Disc,
    Circle,
    Square,
    Decimal,
    LowerAlpha,
    UpperAlpha,
    LowerRoman,
    UpperRoman,
}

/// What an element holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kid {
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

/// An element.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) role: Role,
    pub(crate) parent: NodeId,
    pub(crate) kids: Vec<Kid>,
    /// Drawn, at least in part.
    pub(crate) used: bool,
    /// What it shows, in words.
    pub(crate) alternative: Option<Box<str>>,
    pub(crate) language: Option<Box<str>>,
}

/// All elements.
pub(crate) struct Structure(RefCell<Vec<Node>>);

impl Structure {
    pub(crate) fn new() -> Self {
        Self(RefCell::new(vec![Node {
            role: Role::Document,
            parent: NodeId::DOCUMENT,
            kids: Vec::new(),
            used: true,
            alternative: None,
            language: None,
        }]))
    }

    pub(crate) fn add(&self, parent: NodeId, role: Role) -> NodeId {
        self.add_with(parent, role, None, None)
    }

    pub(crate) fn add_with(
        &self,
        parent: NodeId,
        role: Role,
        alternative: Option<Box<str>>,
        language: Option<Box<str>>,
    ) -> NodeId {
        let mut nodes = self.0.borrow_mut();
        let id = NodeId(nodes.len() as u32);
        nodes.push(Node {
            role,
            parent,
            kids: Vec::new(),
            used: false,
            alternative,
            language,
        });
        id
    }

    /// Adds what is drawn now, and with it the element and those around it, if nothing of them was drawn before.
    pub(crate) fn draw(&self, id: NodeId, kid: Kid) {
        let mut nodes = self.0.borrow_mut();
        nodes[id.index()].kids.push(kid);
        let mut id = id;
        while !nodes[id.index()].used {
            nodes[id.index()].used = true;
            let parent = nodes[id.index()].parent;
            nodes[parent.index()].kids.push(Kid::Node(id));
            id = parent;
        }
    }

    /// The element around the paragraph or heading that this one stands in.
    pub(crate) fn block_around(&self, mut id: NodeId) -> NodeId {
        let nodes = self.0.borrow();
        while let Role::Paragraph
        | Role::Heading(_)
        | Role::Span
        | Role::Link
        | Role::Code
        | Role::Reference = nodes[id.index()].role
        {
            id = nodes[id.index()].parent;
        }
        id
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.0.borrow().len()
    }

    /// All elements, in the order in which they were made.
    pub(crate) fn take(&self) -> Vec<Node> {
        self.0.take()
    }
}
