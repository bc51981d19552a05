//! The document tree, which every reader builds and every writer walks. Depends on no file format.
//!
//! A [`Document`] has [`Section`]s; a section has [`Block`]s, one below another; a block has further blocks or
//! [`Inline`]s. Parts that may be used in several places are stored once in the document and referred to by number:
//! styles, the text of notes, the bytes of pictures.
//!
//! Trees are walked by recursive functions, so their depth has to be limited when they are built. A [`Builder`] moves
//! content that would be deeper than [`MAX_DEPTH`] to the nearest node that may contain it, and adds a note. It also
//! counts the memory of the tree and reserves it from the job while the tree grows, because a small file can hold
//! millions of paragraphs.

mod block;
mod build;
mod frame;
mod frames;
mod hyphenation;
mod ids;
mod inline;
mod node;
mod notes;
pub mod numbering;
mod ornaments;
mod page;
mod place;
mod region;
mod style;
mod table;
pub mod testing;
mod walk;

pub use block::{
    Block, Code, Definition, Delimiter, Group, GroupKind, Heading, Item, LabelEnd, List, ListKind,
    ListLook, Numbering, Numeral, Paragraph,
};
pub use build::Builder;
pub use frame::{Anchor, At, Base, Edges, Extent, Frame, Position, Side, Wrap};
pub use hyphenation::Hyphenation;
pub use ids::Ids;
pub use inline::{Field, Inline, Link, Mark, Math, Picture, PictureSource, Ruby, StyleReference};
pub use node::{CellShape, Node, Part};
pub use notes::{NoteCount, NoteLabels, NotePosition, NoteSetup, NoteSetups};
pub use ornaments::{EmphasisMark, EmphasisShape, Stroke, Underline};
pub use page::{
    BorderedPages, LineCount, LineNumbers, Margins, PageBorders, PageSetup, Section, SectionStart,
};
pub use region::Region;
pub use style::{
    Alignment, Border, Borders, CellStyle, CellStyleId, Colour, Direction, DropCap, LineHeight,
    LineKind, LinkLook, ParagraphStyle, ParagraphStyleId, TabStop, TextStyle, TextStyleId, Turn,
    Typesetter, VerticalAlignment,
};
pub use table::{Cell, Column, MAX_COLUMNS, Row, Slot, Table};
pub use walk::{each_block, each_block_in, each_inline, plain_text};

use crate::{
    error::Result,
    job::Job,
    length::{Length, Width},
};
use image::metadata::Orientation;
use std::sync::OnceLock;
use style::Styles;

/// Limit on the depth of a tree: blocks within blocks, and then inlines within inlines. A list and its items count as
/// one level, and so do a table and its cells.
pub const MAX_DEPTH: usize = MAX_BLOCK_DEPTH + MAX_INLINE_DEPTH;

/// Limit on the nesting of blocks.
pub const MAX_BLOCK_DEPTH: usize = 48;

/// Limit on the nesting of inlines.
pub const MAX_INLINE_DEPTH: usize = 16;

/// A whole document. Only a [`Builder`] makes one.
#[derive(Debug, Default)]
pub struct Document {
    /// The metadata of the document.
    pub metadata: Metadata,
    /// Default style of text. Other styles override its properties.
    pub text: TextStyle,
    /// Whether the spaces below a paragraph and above the next paragraph overlap, so that the distance is the larger
    /// of the two spaces. Otherwise the distance is their sum.
    pub spaces_overlap: bool,
    /// The program whose layout rules apply to the document.
    pub typesetter: Typesetter,
    /// Automatic hyphenation.
    pub hyphenation: Hyphenation,
    /// Formatting of links.
    pub links: LinkLook,
    /// Numbering of notes in sections that state no numbering of notes.
    pub note_setups: NoteSetups,
    /// Whether the source has no formatting, so that the default formatting of the target applies to paragraphs
    /// without a style: a quotation then has the formatting of other quotations in the target format.
    pub is_plain: bool,
    /// Widths and heights of the pages of the source, in points, for targets that keep the [`Region`]s of blocks.
    pub pages: Vec<(f32, f32)>,
    sections: Vec<Section>,
    notes: Vec<Note>,
    resources: Vec<Resource>,
    paragraph_styles: Styles<ParagraphStyle>,
    text_styles: Styles<TextStyle>,
    cell_styles: Styles<CellStyle>,
    labels: OnceLock<NoteLabels>,
    memory: u64,
    raw_html: bool,
}

/// The metadata of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    /// The title.
    pub title: Option<String>,
    /// The subtitle.
    pub subtitle: Option<String>,
    /// The authors, in the order of the source.
    pub authors: Vec<String>,
    /// The language as a BCP 47 tag, such as `de-CH`.
    pub language: Option<String>,
    /// The date as the source states it; RFC 3339 if the format has times.
    pub date: Option<String>,
    /// The subject, in a few words.
    pub subject: Option<String>,
    /// The keywords.
    pub keywords: Vec<String>,
    /// The description, in some sentences.
    pub description: Option<String>,
    /// Whether title, subtitle, authors and date belong at the beginning of the text, though they are not among its
    /// blocks. Otherwise a writer stores them only as metadata, which readers of the text do not see.
    pub title_block: bool,
}

/// The number of a [`Note`] in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NoteId(u32);

impl NoteId {
    /// Returns the index of the note among all notes of the document, in the order in which they were read.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A footnote or endnote.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// Whether the note is a footnote or an endnote.
    pub kind: NoteKind,
    /// Custom reference mark, such as `*`, which replaces the number. A note with a custom mark is not counted.
    pub mark: Option<Box<str>>,
    /// The text of the note. It contains no reference to another note.
    pub blocks: Vec<Block>,
}

/// The kind of a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NoteKind {
    /// A footnote, at the foot of the page.
    Footnote,
    /// An endnote, at the end of the document or of the section.
    Endnote,
}

/// The number of a [`Resource`] in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ResourceId(u32);

impl ResourceId {
    /// Returns the index of the resource among all resources of the document.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A picture's file inside a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    /// The media type: identified by the first bytes, or else as the source states it.
    pub media_type: Box<str>,
    /// The name of the resource in the source, without folders. Empty if the source states none. Never used as a
    /// path.
    pub name: Box<str>,
    /// The bytes of the resource.
    pub bytes: Vec<u8>,
    /// Orientation in which the picture is shown. `None` if the picture's own metadata determine it.
    pub orientation: Option<Orientation>,
    /// Whether the resource is a drawing that the document describes itself, and not a picture that was inserted.
    pub drawn: bool,
    /// The same picture as a PNG, for formats that cannot hold the picture itself. `None` if no PNG was made.
    pub pixels: Option<Vec<u8>>,
}

impl Resource {
    /// Returns the bytes and the media type of the picture, if its media type is one of `held`, or else those of its
    /// PNG. `None` if neither is possible.
    pub fn as_one_of(&self, held: &[&str]) -> Option<(&[u8], &str)> {
        match &self.pixels {
            _ if held.contains(&&*self.media_type) => Some((&self.bytes, &self.media_type)),
            Some(png) => Some((png, "image/png")),
            None => None,
        }
    }
}

impl Document {
    /// Returns the sections of the document, at least one.
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    /// The blocks of all sections, for formats without pages.
    pub fn blocks(&self) -> impl Iterator<Item = &Block> {
        self.sections.iter().flat_map(|section| &section.blocks)
    }

    /// All notes, in the order in which they were read. A note may be referred to several times, or never.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// The note with this number.
    pub fn note(&self, id: NoteId) -> &Note {
        &self.notes[id.index()]
    }

    /// The number of the note with this index.
    pub fn note_id(&self, index: usize) -> NoteId {
        NoteId(index as u32)
    }

    /// All resources, each once.
    pub fn resources(&self) -> &[Resource] {
        &self.resources
    }

    /// The identifier of the resource with this number.
    pub fn resource_id(&self, number: usize) -> ResourceId {
        ResourceId(number as u32)
    }

    /// The resource with this identifier.
    pub fn resource(&self, id: ResourceId) -> &Resource {
        &self.resources[id.index()]
    }

    /// Returns whether a picture is a drawing without words, which a plain text can omit.
    pub fn is_decoration(&self, picture: &Picture) -> bool {
        let is_drawn = match picture.source {
            PictureSource::Resource(id) => self.resource(id).drawn,
            PictureSource::Address(_) => false,
        };
        is_drawn && picture.alternative.is_empty() && picture.title.is_empty()
    }

    /// Replaces the bytes of a picture by the bytes of an upright picture.
    pub fn replace_resource(&mut self, number: usize, bytes: Vec<u8>) {
        let resource = &mut self.resources[number];
        resource.bytes = bytes;
        resource.orientation = None;
    }

    /// Shows pictures without a stated orientation as they are stored, regardless of their own metadata.
    pub fn keep_pictures_as_stored(&mut self) {
        for resource in &mut self.resources {
            resource
                .orientation
                .get_or_insert(Orientation::NoTransforms);
        }
    }

    /// Adds a PNG of a picture.
    pub fn add_pixels(&mut self, number: usize, png: Vec<u8>) {
        self.memory += png.len() as u64;
        self.resources[number].pixels = Some(png);
    }

    /// Replaces a picture by a drawing (SVG) that shows the same.
    #[cfg(feature = "svg")]
    pub fn redraw(&mut self, number: usize, drawing: Vec<u8>) {
        self.memory += drawing.len() as u64;
        let resource = &mut self.resources[number];
        resource.bytes = drawing;
        resource.media_type = "image/svg+xml".into();
    }

    /// The style with this number.
    pub fn paragraph_style(&self, id: ParagraphStyleId) -> &ParagraphStyle {
        self.paragraph_styles.get(id.0)
    }

    /// All different paragraph styles with their numbers. The first is the default.
    pub fn paragraph_styles(&self) -> impl Iterator<Item = (ParagraphStyleId, &ParagraphStyle)> {
        (0..).map(ParagraphStyleId).zip(self.paragraph_styles.all())
    }

    /// Returns whether any paragraph of the document may be hyphenated.
    pub fn is_hyphenated(&self) -> bool {
        let mut styles = self.paragraph_styles.all().iter();
        self.hyphenation.automatic || styles.any(|style| style.hyphenated == Some(true))
    }

    /// The style with this number.
    pub fn text_style(&self, id: TextStyleId) -> &TextStyle {
        self.text_styles.get(id.0)
    }

    /// All different text styles with their numbers. The first is the default.
    pub fn text_styles(&self) -> impl Iterator<Item = (TextStyleId, &TextStyle)> {
        (0..).map(TextStyleId).zip(self.text_styles.all())
    }

    /// The style with this number.
    pub fn cell_style(&self, id: CellStyleId) -> &CellStyle {
        self.cell_styles.get(id.0)
    }

    /// All different cell styles with their numbers. The first is the default.
    pub fn cell_styles(&self) -> impl Iterator<Item = (CellStyleId, &CellStyle)> {
        (0..).map(CellStyleId).zip(self.cell_styles.all())
    }

    /// Returns whether the document contains raw HTML.
    pub fn has_raw_html(&self) -> bool {
        self.raw_html
    }

    /// The memory of the tree in bytes, as its builder counted it.
    pub fn memory(&self) -> u64 {
        self.memory
    }

    /// Reserves the memory of the tree for the job, in place of the memory that was reserved for the input file.
    /// Writers lease additional memory.
    ///
    /// Errors: those of [`Job::reserve`].
    pub fn hold(&self, job: &Job<'_>) -> Result<()> {
        job.reserve(self.memory)
    }
}
