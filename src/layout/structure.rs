//! The structure of a document while it is laid out: which element stands in which, so that what is seen can also be read aloud.
//! Knows nothing of what is drawn.
//!
//! Elements are made when blocks are laid out, before it is known whether and where they are drawn. Whoever draws pages
//! makes an element a child of its parent when something of it is first drawn: so children stand in the order in which they are
//! read, and elements without content are left out.

use std::cell::RefCell;

/// Identifier of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeId(u32);

impl NodeId {
    /// The element that stands around all others.
    pub const DOCUMENT: Self = Self(0);

    /// The element with this number, in the order in which they were made.
    pub fn of(index: usize) -> Self {
        Self(index as u32)
    }

    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Role of an element (ISO 32000-2, 14.8.4).
#[derive(Clone, Debug, PartialEq)]
pub enum Role {
    Document,
    Division,
    Paragraph,
    /// With its level, from 1.
    Heading(u8),
    /// A list, with the numbering of its items.
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

/// Kind of labels of a list (`ListNumbering`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListLabels {
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

/// An element.
#[derive(Debug)]
pub struct Node {
    pub role: Role,
    pub parent: NodeId,
    /// Alternative text.
    pub alternative: Option<Box<str>>,
    pub language: Option<Box<str>>,
}

/// All elements.
pub struct Structure(RefCell<Vec<Node>>);

impl Default for Structure {
    fn default() -> Self {
        Self::new()
    }
}

impl Structure {
    pub fn new() -> Self {
        Self(RefCell::new(vec![Node {
            role: Role::Document,
            parent: NodeId::DOCUMENT,
            alternative: None,
            language: None,
        }]))
    }

    pub fn add(&self, parent: NodeId, role: Role) -> NodeId {
        self.add_with(parent, role, None, None)
    }

    pub fn add_with(
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
            alternative,
            language,
        });
        id
    }

    /// The element that this one stands in.
    pub fn parent(&self, id: NodeId) -> NodeId {
        self.0.borrow()[id.index()].parent
    }

    /// The element around the paragraph or heading that this one stands in.
    pub fn block_around(&self, mut id: NodeId) -> NodeId {
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

    /// Number of elements.
    #[allow(clippy::len_without_is_empty)] // Nobody asks whether it is empty.
    pub fn len(&self) -> usize {
        self.0.borrow().len()
    }

    /// All elements, in the order in which they were made.
    pub fn take(&self) -> Vec<Node> {
        self.0.take()
    }
}
