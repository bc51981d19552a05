//! The structure of a tagged PDF (ISO 32000-2, 14.7 and 14.8): which marked content is a heading, an item, a cell. Trusts it only
//! where it covers the text of the pages, in an order near that in which they are drawn.
//!
//! Content streams number their parts, and a tree of elements refers to these numbers. Letters of one paragraph are collected
//! page by page and become lines as all others do, so that what stands on a page decides about spaces and hyphens; the tree
//! decides what the lines are, and in which order they are read.

mod attributes;
mod build;
mod parse;
mod sanity;

use std::collections::HashMap;

pub(super) use build::write;
pub(super) use parse::read;
pub(super) use sanity::is_sane;

/// The elements of a file.
#[derive(Debug, Default)]
pub(super) struct Structure {
    /// The first is the root.
    elements: Vec<Element>,
    /// The texts that marked content belongs to, by page from 0 and number on it.
    texts: Vec<HashMap<u32, u32>>,
    /// Number of texts. They are numbered in the order of the tree.
    count: u32,
}

impl Structure {
    /// The texts of a page, counted from 0, by the numbers of its marked content.
    pub(super) fn texts(&self, page: usize) -> Option<&HashMap<u32, u32>> {
        self.texts.get(page)
    }

    /// The bytes that it takes.
    pub(super) fn memory(&self) -> u64 {
        let marks: usize = self.texts.iter().map(HashMap::len).sum();
        let elements = self.elements.len() * 2 * size_of::<Element>();
        (elements + marks * 4 * size_of::<u64>()) as u64
    }

    fn element(&self, number: u32) -> &Element {
        &self.elements[number as usize]
    }
}

/// An element that is no part of a line.
#[derive(Debug)]
struct Element {
    role: Role,
    kids: Vec<Kid>,
    /// Alternative text.
    alternative: Option<Box<str>>,
    attributes: attributes::Attributes,
}

impl Element {
    /// The numbers of the elements in it.
    fn children(&self) -> impl DoubleEndedIterator<Item = u32> + '_ {
        self.kids.iter().filter_map(|kid| match kid {
            Kid::Element(kid) => Some(*kid),
            Kid::Text(_) => None,
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kid {
    Element(u32),
    /// Consecutive marked content.
    Text(u32),
}

/// Role of an element, after the file's role map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// Has no meaning of its own.
    Group,
    /// A section, whose headings are one level deeper.
    Section,
    Paragraph,
    Heading(u8),
    /// A heading of the level of its section.
    HeadingOfSection,
    List,
    Item,
    /// A bullet, or the number of an item or a note.
    Label,
    Table,
    Head,
    Body,
    Foot,
    Row,
    HeadCell,
    DataCell,
    Caption,
    Quote,
    Code,
    Note,
    /// The mark of a note in the text.
    Reference,
    Figure,
    /// A part of what it stands in, which is a line in most cases.
    Inline,
    /// Is not read.
    Skipped,
}

impl Role {
    /// Whether its content is inline, so that elements that only group parts of it are inline, too.
    fn holds_lines(self) -> bool {
        matches!(
            self,
            Self::Paragraph
                | Self::Heading(_)
                | Self::HeadingOfSection
                | Self::Label
                | Self::Reference
                | Self::Code
        )
    }

    /// The role of a standard name.
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "Document" | "DocumentFragment" | "Part" | "Div" | "Art" | "Aside" | "Index"
            | "TOC" | "LBody" | "Form" | "StructTreeRoot" => Self::Group,
            "Sect" => Self::Section,
            "P" | "TOCI" | "Title" => Self::Paragraph,
            "H" => Self::HeadingOfSection,
            "H1" => Self::Heading(1),
            "H2" => Self::Heading(2),
            "H3" => Self::Heading(3),
            "H4" => Self::Heading(4),
            "H5" => Self::Heading(5),
            "H6" => Self::Heading(6),
            "L" => Self::List,
            "LI" => Self::Item,
            "Lbl" => Self::Label,
            "Table" => Self::Table,
            "THead" => Self::Head,
            "TBody" => Self::Body,
            "TFoot" => Self::Foot,
            "TR" => Self::Row,
            "TH" => Self::HeadCell,
            "TD" => Self::DataCell,
            "Caption" => Self::Caption,
            "BlockQuote" => Self::Quote,
            "Code" => Self::Code,
            "Note" | "FENote" => Self::Note,
            "Reference" => Self::Reference,
            "Figure" | "Formula" => Self::Figure,
            "Span" | "Link" | "Quote" | "Em" | "Strong" | "Sub" | "BibEntry" | "Annot" | "Ruby"
            | "RB" | "RT" | "RP" | "Warichu" | "WT" | "WP" => Self::Inline,
            // Without a meaning of its own: its content stays in its place (14.8.4.8). Browsers have one around every piece of a line.
            "NonStruct" => Self::Inline,
            "Artifact" | "Private" => Self::Skipped,
            _ => return None,
        })
    }
}
