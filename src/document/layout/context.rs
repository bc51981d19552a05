//! The state of layout: that of the whole document, the place in which blocks are set, and what one block passes on to the next. Sets
//! nothing itself.

use super::{
    faces::Faces,
    item::{Begins, Frame, Pen, Strip},
    line_box::Reach,
    links::Links,
    look::Look,
    medium::Gallery,
    memory::{Memory, Part},
    notes::NoteNumbers,
    outline::Outline,
    paragraphs::Manner,
    pictures::Pictures,
    structure::{NodeId, Structure},
    word::Word,
};
use crate::{
    document::{
        Losses,
        tree::{Alignment, Colour, Direction, Document, Typesetter},
    },
    error::{Error, Result},
    job::Job,
};
use std::{cell::Cell, rc::Rc};

/// How far the items of a list are indented, by this writer's taste, and on a document's own paper: that of office programs.
pub(crate) const LIST_INDENT: f32 = 20.0;
pub(crate) const OFFICE_INDENT: f32 = 36.0;

/// Takes strips, one below the other.
pub(crate) trait Sink {
    fn put(&mut self, strip: Strip) -> Result<()>;
}

/// Keeps strips, for whoever has to see all of them before any is placed.
pub(crate) struct Kept<'a> {
    pub(crate) strips: Vec<Strip>,
    memory: &'a Memory<'a>,
}

impl<'a> Kept<'a> {
    pub(crate) fn new(memory: &'a Memory<'a>) -> Self {
        Self {
            strips: Vec::new(),
            memory,
        }
    }
}

impl Sink for Kept<'_> {
    fn put(&mut self, strip: Strip) -> Result<()> {
        self.strips.push(strip);
        // A strip with its words, about.
        const STRIP: u64 = 1024;
        self.memory
            .set(Part::Cells, self.memory.get(Part::Cells) + STRIP)
    }
}

/// Sets blocks. What belongs to the whole document is kept here.
pub(crate) struct Layout<'a> {
    pub(crate) job: &'a Job<'a>,
    pub(crate) document: &'a Document,
    pub(crate) structure: &'a Structure,
    pub(crate) faces: Faces,
    pub(crate) pictures: Pictures<'a>,
    pub(crate) links: Links,
    pub(crate) outline: Outline,
    pub(crate) notes: NoteNumbers,
    pub(crate) losses: Losses,
    /// The number of the page and of all pages, where somebody asks for them.
    pub(crate) page: (String, String),
    /// The room that pictures may take, in points.
    pub(crate) picture_room: (f32, f32),
    /// The level of the last heading, as it is tagged.
    pub(crate) last_level: u8,
    /// Where footnotes are set; nowhere in headers, footers and notes.
    pub(crate) note_place: Option<Place>,
    /// The height that lines of text are multiples of, in points; 0 for any.
    pub(crate) grid: f32,
    /// An error that occurred where none could be returned.
    pub(crate) failed: Option<Error>,
    pub(crate) memory: &'a Memory<'a>,
}

impl<'a> Layout<'a> {
    /// Whether pages are to be those that Word made.
    pub(crate) fn is_word(&self) -> bool {
        self.document.typesetter == Typesetter::Word
    }

    /// For a document whose pictures go to `gallery`.
    pub(crate) fn new(
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
            failed: None,
            memory,
        }
    }
}

/// Where blocks stand, and what they inherit.
#[derive(Clone)]
pub(crate) struct Place {
    pub(crate) left: f32,
    pub(crate) width: f32,
    pub(crate) look: Rc<Look>,
    /// The element around.
    pub(crate) node: NodeId,
    /// Room below paragraphs without a style.
    pub(crate) after: f32,
    /// Whether the larger one of the room below a block and above the next one counts, and not both.
    pub(crate) overlap: bool,
    /// Of paragraphs that say nothing about it.
    pub(crate) alignment: Alignment,
    pub(crate) direction: Option<Direction>,
    /// Bars and backgrounds of the boxes around.
    pub(crate) bars: Vec<Bar>,
    /// How far the items of a list are indented.
    pub(crate) list_indent: f32,
    /// Where the outermost list around begins, from which the indents of a document's own lists count.
    pub(crate) list_left: Option<f32>,
    /// How many lists stand around.
    pub(crate) lists: usize,
    /// The numbers of the items around, for numbering such as 2.1.3.
    pub(crate) numbers: Vec<String>,
    /// Nothing of it is read aloud, and nothing refers to notes: headers and footers.
    pub(crate) silent: bool,
}

/// See [`Frame`].
#[derive(Clone)]
pub(crate) struct Bar {
    pub(crate) x: f32,
    pub(crate) width: f32,
    pub(crate) colour: Colour,
    /// A strip of the box was set.
    pub(crate) begun: Rc<Cell<bool>>,
}

/// What goes on from block to block.
pub(crate) struct Flow<'s> {
    sink: &'s mut dyn Sink,
    /// Room that the last block wants below itself.
    pub(crate) after: f32,
    /// The label of an item, for its first line.
    pub(crate) label: Option<Label>,
    begins: Begins,
    /// What the style of the last paragraph is called, and whether it wants no room between it and others of the same style.
    last: (Option<Rc<str>>, bool),
    /// Whether the next paragraph shares its borders with those above and below.
    pub(crate) joins: Joins,
}

/// Whether a paragraph is in one box with its neighbours.
#[derive(Clone, Copy, Default)]
pub(crate) struct Joins {
    pub(crate) above: bool,
    pub(crate) below: bool,
}

pub(crate) struct Label {
    /// Its left edge, from the left edge of the column.
    pub(crate) x: f32,
    pub(crate) pen: Pen,
    pub(crate) word: Rc<Word>,
    /// How far its font reaches above and below the base line.
    pub(crate) reach: Reach,
    pub(crate) node: NodeId,
}

impl<'s> Flow<'s> {
    pub(crate) fn new(sink: &'s mut dyn Sink) -> Self {
        Self {
            sink,
            after: 0.0,
            label: None,
            begins: Begins::Anywhere,
            last: (None, false),
            joins: Joins::default(),
        }
    }

    /// Meets the next paragraph: returns the room above it, and forgets that below the last one if nothing is wanted between them.
    pub(crate) fn meet(&mut self, manner: &Manner) -> f32 {
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
    pub(crate) fn forget(&mut self) {
        self.last = (None, false);
    }

    /// Leaves a paragraph.
    pub(crate) fn leave(&mut self, manner: &Manner) {
        self.after = manner.after;
        self.last = (manner.name.clone(), manner.contextual);
    }

    pub(crate) fn begin_page(&mut self, begins: Begins) {
        if self.begins == Begins::Anywhere {
            self.begins = begins;
        }
    }

    /// More room below what was set.
    pub(crate) fn space(&mut self, room: f32) {
        self.after = self.after.max(room);
    }

    pub(crate) fn put(&mut self, place: &Place, mut strip: Strip) -> Result<()> {
        let after = std::mem::take(&mut self.after);
        strip.before = match place.overlap {
            true => strip.before.max(after),
            false => strip.before + after,
        };
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
