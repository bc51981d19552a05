//! Structure tree of a tagged PDF (ISO 32000-2, 14.7 and 14.8). It tells which content is a heading, list item or table
//! cell. `sanity` decides whether the tree is used: for example, the tree must cover the text of the pages, in an order
//! close to that of drawing.
//!
//! Content streams number their marked content, and the structure tree refers to these numbers. The letters of
//! consecutive marked content in an element are collected page by page as one text, and are joined to lines as in files
//! without tags. So the layout determines spaces and hyphens, and the tree determines meaning and reading order.

mod attributes;
mod build;
mod parse;
mod sanity;

use std::collections::{HashMap, HashSet};

pub(super) use build::write;
pub(super) use parse::read;
pub(super) use sanity::is_sane;

/// The structure tree of a file.
#[derive(Debug, Default)]
pub(super) struct Structure {
    /// All elements. The first one is the root.
    elements: Vec<Element>,
    /// Numbers of texts by marked-content identifier, with one map for each page.
    texts: Vec<HashMap<u32, u32>>,
    /// Marked-content identifiers in form fields (structure type `Form`, or `NonStruct` as browsers write it), with one
    /// set for each page.
    fields: Vec<HashSet<u32>>,
    /// Number of texts. Texts are numbered in tree order.
    count: u32,
}

impl Structure {
    /// The numbers of the texts on a page (index from 0) by marked-content identifier.
    pub(super) fn texts(&self, page: usize) -> Option<&HashMap<u32, u32>> {
        self.texts.get(page)
    }

    /// The marked-content identifiers of the form fields on a page (index from 0).
    pub(super) fn fields(&self, page: usize) -> Option<&HashSet<u32>> {
        self.fields.get(page)
    }

    /// Estimate of the memory of the structure tree, in bytes.
    pub(super) fn memory(&self) -> u64 {
        // Four words per entry of a map, two per entry of a set, and twice the size of an element because of its
        // children.
        let marks: usize = self.texts.iter().map(HashMap::len).sum();
        let fields: usize = self.fields.iter().map(HashSet::len).sum();
        let elements = self.elements.len() * 2 * size_of::<Element>();
        (elements + marks * 4 * size_of::<u64>() + fields * 2 * size_of::<u64>()) as u64
    }

    /// Element with this number.
    fn element(&self, number: u32) -> &Element {
        &self.elements[number as usize]
    }
}

/// A structure element that is not inline.
#[derive(Debug)]
struct Element {
    role: Role,
    kids: Vec<Kid>,
    /// Alternative text.
    alternative: Option<Box<str>>,
    attributes: attributes::Attributes,
}

impl Element {
    /// The numbers of the child elements.
    fn children(&self) -> impl DoubleEndedIterator<Item = u32> + '_ {
        self.kids.iter().filter_map(|kid| match kid {
            Kid::Element(kid) => Some(*kid),
            Kid::Text(_) => None,
        })
    }
}

/// A child of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kid {
    Element(u32),
    /// Consecutive marked content, as the number of its text.
    Text(u32),
}

/// The role of an element: its structure type after role mapping (14.7.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// Grouping without meaning.
    Group,
    /// A section. An `H` heading, which states no level, is one level deeper inside it.
    Section,
    Paragraph,
    Heading(u8),
    /// An `H` heading, whose level depends on the number of enclosing sections.
    HeadingOfSection,
    List,
    Item,
    /// Label of an item or note: bullet, number or mark.
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
    /// A mark that refers to a note.
    Reference,
    Figure,
    /// A printed check box or radio button. It is written as a sign instead of its content.
    Field,
    /// An inline element. Its text is part of the enclosing element.
    Inline,
    /// An artifact or private content, which is not converted.
    Skipped,
}

impl Role {
    /// Returns whether an element of this role contains lines of text. Grouping elements in it are then inline.
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

    /// The role for a standard structure type (14.8.4). `None` if the type is unknown.
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
            // `NonStruct` has no meaning of its own (14.8.4.8). Browsers wrap every piece of a line in such an element.
            "NonStruct" => Self::Inline,
            "Artifact" | "Private" => Self::Skipped,
            _ => return None,
        })
    }
}
