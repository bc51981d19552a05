//! The state of layout: that of the whole document, the place in which blocks are set, and what one block passes on to the next. Sets
//! nothing itself.

use super::{
    around::{Around, Taken},
    faces::Faces,
    float::Ground,
    item::Float,
    item::{Begins, Frame, Pen, Strip},
    layers::{Layers, Spot},
    links::Links,
    look::Look,
    manner::Manner,
    medium::Gallery,
    memory::{Memory, Part},
    notes::NoteNumbers,
    outline::Outline,
    pictures::Pictures,
    reach::Reach,
    structure::{NodeId, Structure},
    word::Word,
};
use crate::{
    error::{Error, Result},
    job::Job,
};
use convertd_tree::{Alignment, Colour, Direction, Document, Typesetter, losses::Losses};
use std::{borrow::Cow, cell::Cell, rc::Rc};

/// Indent of a list's items, in points: by this writer's taste, and, on a document's own paper, that of office programs.
pub(crate) const LIST_INDENT: f32 = 20.0;
pub(crate) const OFFICE_INDENT: f32 = 36.0;

/// The width of some words, which indents leave.
const NARROW: f32 = 72.0;

/// Takes strips, one below the other.
pub trait Sink {
    fn put(&mut self, strip: Strip) -> Result<()>;

    /// Place of a strip of this height with this much room above.
    fn spot(&self, begins: Begins, before: f32, height: f32) -> Spot;

    /// Takes the room for frames that are anchored at this spot, and returns what the lines there flow around.
    fn claim(&mut self, floats: &[Float], spot: &Spot) -> Vec<Taken>;

    /// Whether text has to flow around anything.
    fn is_crowded(&self) -> bool;
}

/// Keeps strips for callers that need all of them before any is placed.
pub struct Kept<'a> {
    pub strips: Vec<Strip>,
    memory: &'a Memory<'a>,
    /// Reference areas for positions of frames, from the corner of the first strip.
    ground: Ground,
    layers: Layers,
    /// Height of the strips.
    height: f32,
    /// The frames, with the upper edge of the strip that they are anchored in, if they are not to become parts of it.
    pub floats: Option<Vec<(Float, f32)>>,
}

impl<'a> Kept<'a> {
    pub fn new(memory: &'a Memory<'a>, ground: Ground) -> Self {
        Self {
            strips: Vec::new(),
            memory,
            ground,
            layers: Layers::default(),
            height: 0.0,
            floats: None,
        }
    }

    /// The strips, which are at least as high as the frames among their text.
    pub fn finish(mut self) -> Vec<Strip> {
        let more = self.layers.deepest() - self.height;
        if more > 0.0 && self.floats.is_none() {
            self.strips.push(Strip {
                height: more,
                ..Strip::default()
            });
        }
        self.strips
    }

    /// Start of the next strip.
    fn below(&self, before: f32) -> f32 {
        self.height + if self.strips.is_empty() { 0.0 } else { before }
    }
}

impl Sink for Kept<'_> {
    fn put(&mut self, mut strip: Strip) -> Result<()> {
        let y = self.below(strip.before);
        self.height = y + strip.height;
        for float in std::mem::take(&mut strip.floats) {
            match &mut self.floats {
                Some(floats) => floats.push((float, y)),
                None => {
                    let ground = Ground {
                        paragraph: y,
                        ..self.ground
                    };
                    let corner = float.corner(&ground);
                    self.layers.claim(&float, 0, corner);
                    float.inlay(&mut strip, (corner.0, corner.1 - y));
                }
            }
        }
        self.strips.push(strip);
        // A strip with its words, about.
        const STRIP: u64 = 1024;
        self.memory
            .set(Part::Cells, self.memory.get(Part::Cells) + STRIP)
    }

    fn spot(&self, _: Begins, before: f32, _: f32) -> Spot {
        let y = self.below(before);
        Spot {
            page: 0,
            is_ahead: false,
            x: 0.0,
            y,
            bottom: f32::INFINITY,
            less: (0.0, 0.0),
            ground: Ground {
                paragraph: y,
                ..self.ground
            },
        }
    }

    fn claim(&mut self, floats: &[Float], spot: &Spot) -> Vec<Taken> {
        self.layers.claim_all(floats, spot)
    }

    fn is_crowded(&self) -> bool {
        self.layers.is_crowded()
    }
}

/// Sets blocks. What belongs to the whole document is kept here.
pub struct Layout<'a> {
    pub job: &'a Job<'a>,
    pub document: &'a Document,
    pub structure: &'a Structure,
    pub faces: Faces<'a>,
    pub pictures: Pictures<'a>,
    pub links: Links,
    pub outline: Outline,
    pub notes: NoteNumbers,
    pub losses: Losses,
    /// The number of the page and of all pages, on demand.
    pub page: (String, String),
    /// The room that pictures may take, in points.
    pub(crate) picture_room: (f32, f32),
    /// The level of the last heading, as it is tagged.
    pub(crate) last_level: u8,
    /// Place for footnotes; `None` in headers, footers and notes.
    pub(crate) note_place: Option<Place>,
    /// The height that lines of text are multiples of, in points; 0 for any.
    pub grid: f32,
    /// The texts of drawings that stand like letters in what is set next, by the numbers of the drawings.
    pub letters: Vec<(i64, Float)>,
    /// The frames of the paragraph that is being set, and the number of all so far.
    pub floats: Vec<Float>,
    pub count: usize,
    /// Reference areas for the sizes of frames.
    pub ground: Ground,
    /// An error that occurred where none could be returned.
    pub failed: Option<Error>,
    pub memory: &'a Memory<'a>,
}

impl<'a> Layout<'a> {
    /// Whether pages are to be those that Word made.
    pub fn is_word(&self) -> bool {
        self.document.typesetter == Typesetter::Word
    }

    /// For a document whose pictures go to `gallery`.
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
            page: ("1".to_owned(), "1".to_owned()),
            picture_room: (0.0, 0.0),
            last_level: 0,
            note_place: None,
            grid: 0.0,
            letters: Vec::new(),
            floats: Vec::new(),
            count: 0,
            ground: Ground::default(),
            failed: None,
            memory,
        }
    }
}

/// Place of blocks, and the properties that they inherit.
#[derive(Clone)]
pub struct Place {
    pub left: f32,
    pub width: f32,
    pub look: Rc<Look>,
    /// The element around.
    pub node: NodeId,
    /// Room below paragraphs without a style.
    pub after: f32,
    /// Whether the larger one of the room below a block and above the next one counts, and not both.
    pub overlap: bool,
    /// Default alignment of paragraphs.
    pub alignment: Alignment,
    pub direction: Option<Direction>,
    /// Bars and backgrounds of the boxes around.
    pub bars: Vec<Bar>,
    /// Indent of a list's items.
    pub list_indent: f32,
    /// Left edge of the outermost list around, from which the indents of a document's own lists count.
    pub list_left: Option<f32>,
    /// Number of enclosing lists.
    pub lists: usize,
    /// The numbers of the items around, for numbering such as 2.1.3.
    pub numbers: Vec<String>,
    /// Nothing of it is read aloud, and nothing refers to notes: headers and footers.
    pub silent: bool,
}

impl Place {
    /// Indent of something in this place: as wanted, as long as some letters have room beside it. Deeply nested text would else
    /// stand one letter below the other, on thousands of pages.
    pub fn indent(&self, wanted: f32) -> f32 {
        wanted.min((self.width - NARROW).max(0.0))
    }
}

/// See [`Frame`].
#[derive(Clone)]
pub struct Bar {
    pub x: f32,
    pub width: f32,
    pub colour: Colour,
    /// A strip of the box was set.
    pub begun: Rc<Cell<bool>>,
}

/// State that continues from block to block.
pub struct Flow<'s> {
    sink: &'s mut dyn Sink,
    /// Room that the last block wants below itself.
    pub after: f32,
    /// The label of an item, for its first line.
    pub label: Option<Label>,
    /// Frames that are anchored in what comes next.
    pub floats: Vec<Float>,
    begins: Begins,
    /// Name of the last paragraph's style, and whether it wants no room between it and others of the same style.
    last: (Option<Rc<str>>, bool),
    /// Whether the next paragraph shares its borders with those above and below.
    pub joins: Joins,
}

/// Whether a paragraph is in one box with its neighbours.
#[derive(Clone, Copy, Default)]
pub struct Joins {
    pub above: bool,
    pub below: bool,
}

pub struct Label {
    /// Its left edge, from the left edge of the column.
    pub x: f32,
    pub pen: Pen,
    pub word: Rc<Word>,
    /// Ascent and descent of its font.
    pub reach: Reach,
    pub node: NodeId,
}

impl<'s> Flow<'s> {
    pub fn new(sink: &'s mut dyn Sink) -> Self {
        Self {
            sink,
            after: 0.0,
            label: None,
            floats: Vec::new(),
            begins: Begins::Anywhere,
            last: (None, false),
            joins: Joins::default(),
        }
    }

    /// Meets the next paragraph: returns the room above it, and forgets that below the last one if nothing is wanted between them.
    pub fn meet(&mut self, manner: &Manner) -> f32 {
        let (name, contextual) = &self.last;
        let same = name.is_some() && *name == manner.name;
        if same && *contextual {
            self.after = 0.0;
        }
        if same && manner.contextual {
            return 0.0;
        }
        manner.before
    }

    /// Something that is no paragraph comes next.
    pub fn forget(&mut self) {
        self.last = (None, false);
    }

    /// Leaves a paragraph.
    pub fn leave(&mut self, manner: &Manner) {
        self.after = manner.after;
        self.last = (manner.name.clone(), manner.contextual);
    }

    pub fn begin_page(&mut self, begins: Begins) {
        if self.begins == Begins::Anywhere {
            self.begins = begins;
        }
    }

    /// More room below what was set.
    pub fn space(&mut self, room: f32) {
        self.after = self.after.max(room);
    }

    /// The room above what comes next, if it wants so much itself.
    fn before(&self, place: &Place, before: f32) -> f32 {
        match place.overlap {
            true => before.max(self.after),
            false => before + self.after,
        }
    }

    /// Exclusions for the lines of the next paragraph, if its first line has this height. Its own frames are anchored in it.
    pub fn around(
        &mut self,
        place: &Place,
        before: f32,
        height: impl FnOnce() -> f32,
    ) -> Option<Around> {
        if self.floats.is_empty() && !self.sink.is_crowded() {
            return None;
        }
        let before = self.before(place, before);
        let height = height();
        let need = self.floats.iter().map(Float::need).fold(height, f32::max);
        let spot = self.sink.spot(self.begins, before, need);
        if spot.is_ahead && need > height {
            self.begin_page(Begins::Page);
        }
        let taken = self.sink.claim(&self.floats, &spot);
        (!taken.is_empty() || spot.less != (0.0, 0.0)).then_some(Around {
            taken,
            bottom: spot.bottom - spot.y,
            less: spot.less,
        })
    }

    /// The place of what is no paragraph, in a column that is narrower than others.
    pub fn narrowed<'p>(&self, place: &'p Place) -> Cow<'p, Place> {
        if !self.sink.is_crowded() {
            return Cow::Borrowed(place);
        }
        let spot = self.sink.spot(self.begins, self.after, 0.0);
        if spot.less.0 == 0.0 {
            return Cow::Borrowed(place);
        }
        let width = (place.width - spot.less.0).max(1.0);
        Cow::Owned(Place {
            width,
            ..place.clone()
        })
    }

    pub fn put(&mut self, place: &Place, mut strip: Strip) -> Result<()> {
        strip.before = self.before(place, strip.before);
        self.after = 0.0;
        for float in &mut self.floats {
            strip.notes.append(&mut float.notes);
        }
        strip.floats.append(&mut self.floats);
        let begins = std::mem::take(&mut self.begins);
        if begins != Begins::Anywhere {
            strip.begins = begins;
        }
        for bar in &place.bars {
            strip.frames.push(Frame {
                x: bar.x,
                width: bar.width,
                colour: bar.colour,
                above: if bar.begun.replace(true) {
                    strip.before
                } else {
                    0.0
                },
            });
        }
        self.sink.put(strip)
    }
}
