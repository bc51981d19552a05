//! Structure tree of a tagged PDF (ISO 32000-2, 14.7 and 14.8): which content is a heading, list
//! item or table cell. Used only if it covers the text of the pages, in an order close to that of
//! drawing (`sanity`).
//!
//! Content streams number their marked content, and the structure tree refers to these numbers. Letters of consecutive
//! marked content of an element are collected as one text, page by page, and become lines as in files without tags. So
//! spaces and hyphens follow from the layout, meaning and reading order from the tree.

mod attributes;
mod build;
mod parse;
mod sanity;

use std::collections::HashMap;

pub(super) use build::write;
pub(super) use parse::read;
pub(super) use sanity::is_sane;

/// Structure tree of a file.
#[derive(Debug, Default)]
pub(super) struct Structure {
    /// All elements; the first is the root.
    elements: Vec<Element>,
    /// Texts by marked-content identifier, one map for each page.
    texts: Vec<HashMap<u32, u32>>,
    /// Number of texts, which are numbered in tree order.
    count: u32,
}

impl Structure {
    /// Texts on a page (index from 0) by marked-content identifier.
    pub(super) fn texts(&self, page: usize) -> Option<&HashMap<u32, u32>> {
        self.texts.get(page)
    }

    /// Memory of the structure tree, in bytes.
    pub(super) fn memory(&self) -> u64 {
        // Maps need about twice the size of their entries.
        let marks: usize = self.texts.iter().map(HashMap::len).sum();
        let elements = self.elements.len() * 2 * size_of::<Element>();
        (elements + marks * 4 * size_of::<u64>()) as u64
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

/// Child of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kid {
    Element(u32),
    /// Consecutive marked content, by the number of the text.
    Text(u32),
}

/// Structure type of an element, after role mapping (14.7.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// Grouping without meaning.
    Group,
    /// Section; unnumbered headings (`H`) inside are one level deeper.
    Section,
    Paragraph,
    Heading(u8),
    /// Heading whose level follows from its section.
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
    /// Mark that refers to a note.
    Reference,
    Figure,
    /// Printed box or radio button, which has a sign instead of content.
    Field,
    /// Inline-level element, part of the text around.
    Inline,
    /// Artifact or private content, ignored.
    Skipped,
}

impl Role {
    /// Returns whether content of this role is inline, so that grouping elements inside are inline
    /// as well.
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

    /// Role for a standard structure type (14.8.4). `None` if unknown.
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
            // `NonStruct` is transparent (14.8.4.8). Browsers wrap every piece of a line in one.
            "NonStruct" => Self::Inline,
            "Artifact" | "Private" => Self::Skipped,
            _ => return None,
        })
    }
}
