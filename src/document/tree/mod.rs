//! A document as a tree: what every reader builds and every writer walks. Knows no file format.
//!
//! A [`Document`] has sections; a [`Section`] has [`Block`]s, one below the other; a block has further blocks or
//! [`Inline`]s. What is used in several places is kept once, beside them, and named by number: styles, the bodies of notes,
//! the bytes of pictures.
//!
//! Trees are walked by functions that call themselves, so depth is bounded where they are made: a [`Builder`] sets
//! what stands deeper than [`MAX_DEPTH`] where there is still room, and says so in the notes. It also counts the memory that
//! it fills, and asks the job for it while it grows: a small file can hold millions of paragraphs.

mod block;
mod build;
mod frames;
mod ids;
mod inline;
mod length;
mod page;
mod style;
mod table;
mod walk;

pub use block::{
    Block, Code, Definition, Delimiter, Group, GroupKind, Heading, Item, List, ListKind, Numbering,
    Numeral, Paragraph,
};
pub use build::Builder;
pub use frames::{CellShape, Node, Part};
pub(crate) use ids::Ids;
pub use inline::{Field, Inline, Link, Mark, Math, Picture, PictureSource};
pub use length::{Length, Width};
pub use page::{Margins, PageSetup, Section, SectionStart};
pub use style::{
    Alignment, Border, Borders, CellStyle, CellStyleId, Colour, Direction, LineHeight, LineKind,
    ParagraphStyle, ParagraphStyleId, TabStop, TextStyle, TextStyleId, VerticalAlignment,
};
pub use table::{Cell, Column, MAX_COLUMNS, Place, Row, Table};
pub use walk::{each_block, each_inline, plain_text};

use style::Styles;

/// How deep things stand in one another, at most: blocks in blocks, then inlines in inlines. A list and its items, or a table
/// and its cells, count as one.
pub const MAX_DEPTH: usize = MAX_BLOCK_DEPTH + MAX_INLINE_DEPTH;

/// How deep blocks stand in blocks, at most.
pub const MAX_BLOCK_DEPTH: usize = 48;

/// How deep inlines stand in inlines, at most.
pub const MAX_INLINE_DEPTH: usize = 16;

/// A whole document. Made by a [`Builder`] only.
#[derive(Debug, Default)]
pub struct Document {
    /// What is known about it.
    pub metadata: Metadata,
    /// How its text looks where no style says otherwise.
    pub text: TextStyle,
    sections: Vec<Section>,
    notes: Vec<Note>,
    resources: Vec<Resource>,
    paragraph_styles: Styles<ParagraphStyle>,
    text_styles: Styles<TextStyle>,
    cell_styles: Styles<CellStyle>,
    memory: u64,
    raw_html: bool,
}

/// What is known about a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    /// Its title.
    pub title: Option<String>,
    /// Stands below the title.
    pub subtitle: Option<String>,
    /// Who wrote it, in order.
    pub authors: Vec<String>,
    /// A BCP 47 tag, such as `de-CH`.
    pub language: Option<String>,
    /// When it was written, as the source has it; RFC 3339 where the format has times.
    pub date: Option<String>,
    /// What it is about, in short.
    pub subject: Option<String>,
    /// Words to find it by.
    pub keywords: Vec<String>,
    /// What it is about, in some sentences.
    pub description: Option<String>,
    /// Title, subtitle, authors and date stand at the beginning of the document, and not in its blocks. Otherwise a writer
    /// puts them where nobody reads but programs.
    pub title_block: bool,
}

/// Which [`Note`] of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NoteId(u32);

impl NoteId {
    /// Its number among all notes of the document, from 0, in the order in which they were read.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A note that some text refers to.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// Where it is set.
    pub kind: NoteKind,
    /// What it says. Holds no reference to a note.
    pub blocks: Vec<Block>,
}

/// Where a note is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NoteKind {
    /// At the foot of the page.
    Footnote,
    /// At the end of the document.
    Endnote,
}

/// Which [`Resource`] of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ResourceId(u32);

impl ResourceId {
    /// Its number among all resources of the document, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A file within a document: a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    /// What its content is, by its first bytes; what the source claims, where those say nothing.
    pub media_type: Box<str>,
    /// What the source calls it, without folders. Empty if it has no name. Never used as a path.
    pub name: Box<str>,
    /// Its content.
    pub bytes: Vec<u8>,
}

impl Document {
    /// Its parts, at least one.
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    /// The blocks of all parts, for formats without paper.
    pub fn blocks(&self) -> impl Iterator<Item = &Block> {
        self.sections.iter().flat_map(|section| &section.blocks)
    }

    /// All notes, in the order in which they were read. Some may be referred to twice, or never.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// The note with this number.
    pub fn note(&self, id: NoteId) -> &Note {
        &self.notes[id.index()]
    }

    /// All pictures, each once.
    pub fn resources(&self) -> &[Resource] {
        &self.resources
    }

    /// The picture with this number.
    pub fn resource(&self, id: ResourceId) -> &Resource {
        &self.resources[id.index()]
    }

    /// Puts other bytes in the place of a picture's.
    pub(crate) fn replace_resource(&mut self, number: usize, bytes: Vec<u8>) {
        self.resources[number].bytes = bytes;
    }

    /// The style with this number.
    pub fn paragraph_style(&self, id: ParagraphStyleId) -> &ParagraphStyle {
        self.paragraph_styles.get(id.0)
    }

    /// All styles of paragraphs with their numbers, the default first, each once.
    pub fn paragraph_styles(&self) -> impl Iterator<Item = (ParagraphStyleId, &ParagraphStyle)> {
        (0..).map(ParagraphStyleId).zip(self.paragraph_styles.all())
    }

    /// The style with this number.
    pub fn text_style(&self, id: TextStyleId) -> &TextStyle {
        self.text_styles.get(id.0)
    }

    /// All styles of text with their numbers, the default first, each once.
    pub fn text_styles(&self) -> impl Iterator<Item = (TextStyleId, &TextStyle)> {
        (0..).map(TextStyleId).zip(self.text_styles.all())
    }

    /// The style with this number.
    pub fn cell_style(&self, id: CellStyleId) -> &CellStyle {
        self.cell_styles.get(id.0)
    }

    /// All styles of cells with their numbers, the default first, each once.
    pub fn cell_styles(&self) -> impl Iterator<Item = (CellStyleId, &CellStyle)> {
        (0..).map(CellStyleId).zip(self.cell_styles.all())
    }

    /// Whether pieces of HTML stand in it as they are.
    pub fn has_raw_html(&self) -> bool {
        self.raw_html
    }

    /// What the tree takes in memory, in bytes, as far as a builder counts it. A writer that needs memory of its own
    /// reserves this much and its own together, since a reservation replaces the one before.
    pub fn memory(&self) -> u64 {
        self.memory
    }
}
