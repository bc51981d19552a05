//! The state of a layout. It consists of the state of the document ([`Layout`]), the context in which blocks are set
//! ([`BlockContext`]), and the flow from one block to the next ([`Flow`]). Other modules set the blocks.

mod flow;

use super::{
    around::Exclusion,
    faces::Faces,
    float::ReferenceAreas,
    hyphenation::Hyphenator,
    item::{BreakBefore, Float, Pen, Slice},
    layers::{Layers, SlicePosition},
    line_extent::LineExtent,
    links::Links,
    medium::Gallery,
    memory::{Memory, Part},
    notes::NoteNumbers,
    outline::Outline,
    pictures::Pictures,
    structure::{NodeId, Structure},
    text_format::TextFormat,
    word::Word,
};
use crate::{
    error::{Error, Result},
    job::Job,
};
use convertd_tree::{Alignment, Colour, Direction, Document, NoteId, Typesetter, losses::Losses};
use std::{cell::Cell, collections::HashMap, rc::Rc};

/// Indent of a list's items, in points. The value is this program's own.
pub(crate) const LIST_INDENT: f32 = 20.0;

/// Indent of a list's items on a document's own paper, in points: half an inch, as in office programs.
pub(crate) const OFFICE_INDENT: f32 = 36.0;

/// Smallest width that indents leave for text, in points: an inch.
const NARROW: f32 = 72.0;

/// Consumer of slices, which arrive from top to bottom: the pages, or a [`SliceCollector`] list.
pub trait Sink {
    /// Takes the next slice.
    ///
    /// Errors: the job was stopped, or there is not enough memory.
    fn put(&mut self, slice: Slice) -> Result<()>;

    /// Position that a slice of this height would get, with `before` points of space above it.
    fn position(&self, begins: BreakBefore, before: f32, height: f32) -> SlicePosition;

    /// Reserves the areas of frames that are anchored at this position. Returns all exclusions that apply there.
    fn reserve(&mut self, floats: &[Float], position: &SlicePosition) -> Vec<Exclusion>;

    /// Returns whether any frame or narrower column may change the width of lines.
    fn is_crowded(&self) -> bool;
}

/// A [`Sink`] that stores its slices, for callers that need all slices before any of them is placed.
pub struct SliceCollector<'a> {
    /// The slices so far.
    pub slices: Vec<Slice>,
    memory: &'a Memory<'a>,
    /// Reference areas for the positions of frames, relative to the upper left corner of the first slice.
    areas: ReferenceAreas,
    layers: Layers,
    /// Height of the slices, in points.
    height: f32,
    /// Frames that callers place themselves, each with the upper edge of the slice that it is
    /// anchored in. `None` if frames become parts of their slices.
    pub floats: Option<Vec<(Float, f32)>>,
}

impl<'a> SliceCollector<'a> {
    /// A list without slices.
    pub fn new(memory: &'a Memory<'a>, areas: ReferenceAreas) -> Self {
        Self {
            slices: Vec::new(),
            memory,
            areas,
            layers: Layers::default(),
            height: 0.0,
            floats: None,
        }
    }

    /// Returns the slices. If frames reach below the text, an empty slice at the end adds the missing height.
    pub fn finish(mut self) -> Vec<Slice> {
        let more = self.layers.deepest() - self.height;
        if more > 0.0 && self.floats.is_none() {
            self.slices.push(Slice {
                height: more,
                ..Slice::default()
            });
        }
        self.slices
    }

    /// Upper edge of the next slice, which has `before` points of space above itself.
    fn below(&self, before: f32) -> f32 {
        self.height + if self.slices.is_empty() { 0.0 } else { before }
    }
}

impl Sink for SliceCollector<'_> {
    fn put(&mut self, mut slice: Slice) -> Result<()> {
        let y = self.below(slice.before);
        self.height = y + slice.height;
        // A header or footer places its floats when it is painted on a page. Elsewhere, such as in a cell, a float
        // becomes a part of the slice that it is anchored in.
        for float in std::mem::take(&mut slice.floats) {
            match &mut self.floats {
                Some(floats) => floats.push((float, y)),
                None => {
                    let areas = ReferenceAreas {
                        paragraph: y,
                        ..self.areas
                    };
                    let corner = float.corner(&areas);
                    self.layers.reserve(&float, 0, corner);
                    float.inlay(&mut slice, (corner.0, corner.1 - y));
                }
            }
        }
        self.slices.push(slice);
        // Memory of a slice with its words, in bytes: an estimate.
        const STRIP: u64 = 1024;
        self.memory
            .set(Part::Cells, self.memory.get(Part::Cells) + STRIP)
    }

    fn position(&self, _: BreakBefore, before: f32, _: f32) -> SlicePosition {
        let y = self.below(before);
        SlicePosition {
            page: 0,
            is_ahead: false,
            x: 0.0,
            y,
            bottom: f32::INFINITY,
            less: (0.0, 0.0),
            areas: ReferenceAreas {
                paragraph: y,
                ..self.areas
            },
        }
    }

    fn reserve(&mut self, floats: &[Float], position: &SlicePosition) -> Vec<Exclusion> {
        self.layers.reserve_all(floats, position)
    }

    fn is_crowded(&self) -> bool {
        self.layers.is_crowded()
    }
}

/// Numbers that fields show.
pub struct PageNumbers {
    /// The number of the current page, in the format of its section.
    pub label: String,
    /// The number of the current page.
    pub number: u32,
    /// The number of pages of the document.
    pub count: usize,
}

/// Sets blocks, and keeps everything that belongs to the whole document.
pub struct Layout<'a> {
    // The input: the job, its document, and the structure that layout fills.
    pub job: &'a Job<'a>,
    pub document: &'a Document,
    pub structure: &'a Structure,
    // Collected while the text is set.
    pub faces: Faces<'a>,
    pub pictures: Pictures<'a>,
    pub links: Links,
    pub outline: Outline,
    pub notes: NoteNumbers,
    pub losses: Losses,
    /// Finds the places of hyphens, and collects the languages for which it has no patterns.
    pub hyphenator: Hyphenator,
    /// The current page, and the number of pages, for fields.
    pub page: PageNumbers,
    /// The number of the current section, from 1, and the count of its pages.
    pub section: (usize, usize),
    /// The texts that headers and footers repeat, one entry for each style that they refer to.
    pub heads: Vec<RunningHead>,
    /// The number of pages of each section, once all sections are set.
    pub section_pages: Vec<usize>,
    /// The page of each footnote, once all pages are set.
    pub note_pages: HashMap<NoteId, usize>,
    /// The largest width and height of pictures, in points.
    pub(crate) picture_room: (f32, f32),
    /// The level of the last heading in the structure, in which headings skip no level.
    pub(crate) last_level: u8,
    /// Place in which footnotes are set. `None` in headers, footers and notes, which have no footnotes.
    pub(crate) note_place: Option<BlockContext>,
    /// Line pitch of the document grid, in points (ECMA-376 part 1, 17.6.5); 0 without a grid.
    pub grid: f32,
    /// Texts of drawings that are set inline, with the numbers of their drawings.
    pub letters: Vec<(i64, Float)>,
    /// Frames of the current paragraph.
    pub floats: Vec<Float>,
    /// Number of frames so far.
    pub count: usize,
    /// Reference areas for the sizes of frames.
    pub areas: ReferenceAreas,
    /// An error from a function that cannot return one. Setting the next block returns it.
    pub failed: Option<Error>,
    /// Leases for the memory that the layout holds.
    pub memory: &'a Memory<'a>,
}

impl<'a> Layout<'a> {
    /// Returns whether the document comes from Word, so that its pages shall break where Word
    /// breaks them.
    pub fn is_word(&self) -> bool {
        self.document.typesetter == Typesetter::Word
    }

    /// Begins the layout of a document whose pictures go to `gallery`.
    pub fn new(
        job: &'a Job<'a>,
        document: &'a Document,
        structure: &'a Structure,
        gallery: &'a dyn Gallery,
        memory: &'a Memory<'a>,
    ) -> Self {
        Self {
            job,
            document,
            structure,
            faces: Faces::new(),
            pictures: Pictures::new(document, gallery),
            links: Links::default(),
            outline: Outline::default(),
            notes: NoteNumbers::default(),
            losses: Losses::default(),
            hyphenator: Hyphenator::default(),
            page: PageNumbers {
                label: "1".to_owned(),
                number: 1,
                count: 1,
            },
            section: (1, 1),
            heads: Vec::new(),
            section_pages: Vec::new(),
            note_pages: HashMap::new(),
            picture_room: (0.0, 0.0),
            last_level: 0,
            note_place: None,
            grid: 0.0,
            letters: Vec::new(),
            floats: Vec::new(),
            count: 0,
            areas: ReferenceAreas::default(),
            failed: None,
            memory,
        }
    }
}

/// Column of blocks, and the properties that they inherit.
#[derive(Clone)]
pub struct BlockContext {
    /// Left edge in the column, in points.
    pub left: f32,
    /// Width, in points.
    pub width: f32,
    /// Formatting of text without a style.
    pub text_format: Rc<TextFormat>,
    /// The structure element that blocks become children of.
    pub node: NodeId,
    /// Space below paragraphs without a style, in points.
    pub after: f32,
    /// Whether the spaces below a block and above the next one collapse to the larger one.
    pub overlap: bool,
    /// Default alignment of paragraphs.
    pub alignment: Alignment,
    /// Base direction of paragraphs; `None` if their text decides.
    pub direction: Option<Direction>,
    /// Bars and backgrounds of the enclosing boxes.
    pub bars: Vec<Bar>,
    /// Indent of a list's items, in points.
    pub list_indent: f32,
    /// Left edge of the outermost enclosing list, from which indents that the document states for its lists are
    /// measured.
    pub list_left: Option<f32>,
    /// Number of enclosing lists.
    pub lists: usize,
    /// Numbers of the enclosing items, for labels such as 2.1.3.
    pub numbers: Vec<String>,
    /// Background colour behind the blocks.
    pub background: Option<Colour>,
}

impl BlockContext {
    /// Reduces an indent so that at least 72 points of width remain; to 0 if the whole width is smaller. Deeply nested
    /// text would otherwise have one letter on each line, and take thousands of pages.
    pub fn indent(&self, wanted: f32) -> f32 {
        wanted.min((self.width - NARROW).max(0.0))
    }
}

/// A bar or a background beside all slices of a box; each of them gets a [`Frame`](super::item::Frame).
#[derive(Clone)]
pub struct Bar {
    /// Left edge in the column, in points.
    pub x: f32,
    /// Width, in points.
    pub width: f32,
    pub colour: Colour,
    /// Whether the first slice of the box was set. Later slices also colour the space above themselves.
    pub begun: Rc<Cell<bool>>,
}

/// State that continues from block to block.
pub struct Flow<'s> {
    sink: &'s mut dyn Sink,
    /// Space that the last block needs below itself, in points.
    pub after: f32,
    /// Label of a list item, until its first line is set.
    pub label: Option<Label>,
    /// The label of an item, if the label is the beginning of the item's text.
    pub run_in: Option<RunIn>,
    /// Frames that are anchored in the next slice.
    pub floats: Vec<Float>,
    begins: BreakBefore,
    /// Style name of the last paragraph, and whether that style has contextual spacing (ECMA-376
    /// part 1, 17.3.1.9).
    last: (Option<Rc<str>>, bool),
    /// Whether the next paragraph shares its borders with its neighbours.
    pub joins: JoinedBorders,
}

/// Whether a paragraph is in one box with its neighbours (ECMA-376 part 1, 17.3.1.5).
#[derive(Clone, Copy, Default)]
pub struct JoinedBorders {
    /// Whether it shares a box with the block above.
    pub above: bool,
    /// Whether it shares a box with the block below.
    pub below: bool,
}

/// A style whose paragraphs are repeated in headers and footers, with the texts for the current page.
pub struct RunningHead {
    /// Name of the style.
    pub name: Box<str>,
    /// Text of the first paragraph on the page. On a page without such paragraphs, the last text before the page.
    pub first: String,
    /// Text of the last paragraph up to the end of the page.
    pub last: String,
}

/// A label that is set in the first line of an item, as the beginning of the text.
pub struct RunIn {
    pub text: String,
    pub text_format: Rc<TextFormat>,
    /// Indent of that line, in points.
    pub first_line: f32,
    pub node: NodeId,
}

/// The label of a list item after shaping.
pub struct Label {
    /// Left edge, relative to the left edge of the column, in points.
    pub x: f32,
    /// Words of its text, with their distances from the left edge of the label.
    pub words: Vec<(f32, Pen, Rc<Word>)>,
    /// Ascent and descent of its font. The first line of the item is at least as high.
    pub reach: LineExtent,
    /// Structure element of the label.
    pub node: NodeId,
}
