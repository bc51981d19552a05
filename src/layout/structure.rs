//! The logical structure of a document (ISO 32000-2, 14.7): the parent of each element. Does not contain the content of
//! elements.
//!
//! Elements are added when blocks are laid out, before it is known whether and where they are
//! drawn. The output format, such as PDF, adds an element to its parent when the first content of the
//! element is drawn. So children are in reading order, and elements without content are left out.

use std::cell::RefCell;

/// Index of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeId(u32);

impl NodeId {
    /// The root, which encloses all other elements.
    pub const DOCUMENT: Self = Self(0);

    /// The element with this index, in the order of adding.
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
    /// A heading of this level, from 1.
    Heading(u8),
    /// A list, with the kind of its labels.
    List(ListLabels),
    ListItem,
    Label,
    ListBody,
    Table,
    TableHead,
    TableBody,
    TableFoot,
    TableRow,
    /// A header cell, with the number of rows and columns that it spans. `of_row` is true if it is the header of a row.
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
    Formula,
}

/// Kind of labels of a list (attribute `ListNumbering`; ISO 32000-2, 14.8.5.5).
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

/// A structure element.
#[derive(Debug)]
pub struct Node {
    pub role: Role,
    pub parent: NodeId,
    /// Alternative text (`Alt`).
    pub alternative: Option<Box<str>>,
    /// Language tag (`Lang`).
    pub language: Option<Box<str>>,
}

/// All elements, by index.
pub struct Structure(RefCell<Vec<Node>>);

impl Default for Structure {
    fn default() -> Self {
        Self::new()
    }
}

impl Structure {
    /// A structure tree with only its root.
    pub fn new() -> Self {
        Self(RefCell::new(vec![Node {
            role: Role::Document,
            parent: NodeId::DOCUMENT,
            alternative: None,
            language: None,
        }]))
    }

    /// Adds an element.
    pub fn add(&self, parent: NodeId, role: Role) -> NodeId {
        self.add_with(parent, role, None, None)
    }

    /// Adds an element with alternative text and language.
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

    /// The parent of an element.
    pub fn parent(&self, id: NodeId) -> NodeId {
        self.0.borrow()[id.index()].parent
    }

    /// The nearest ancestor, or the element itself, that is not inside a paragraph or heading. Notes become children of
    /// this element.
    pub fn block_around(&self, mut id: NodeId) -> NodeId {
        let nodes = self.0.borrow();
        while let Role::Paragraph
        | Role::Heading(_)
        | Role::Span
        | Role::Link
        | Role::Code
        | Role::Formula
        | Role::Reference = nodes[id.index()].role
        {
            id = nodes[id.index()].parent;
        }
        id
    }

    /// Number of elements.
    #[allow(clippy::len_without_is_empty)] // No caller needs `is_empty`.
    pub fn len(&self) -> usize {
        self.0.borrow().len()
    }

    /// Takes all elements, by index.
    pub fn take(&self) -> Vec<Node> {
        self.0.take()
    }
}
