//! The state of layout: that of the whole document, the place in which blocks are set, and what one block passes on to the next. Sets
//! nothing itself.

use super::{
    draw::{Begins, Frame, Pen, Strip},
    faces::Faces,
    links::Links,
    look::Look,
    memory::{Memory, Part},
    notes::NoteNumbers,
    outline::Outline,
    pictures::Pictures,
    structure::{NodeId, Structure},
    word::Word,
};
use crate::{
    document::{
        Losses,
        tree::{Alignment, Colour, Direction, Document},
    },
    error::{Error, Result},
    job::Job,
};
use std::{cell::Cell, rc::Rc};

/// How far the items of a list are indented, by this writer's taste, and on a document's own paper: that of office programs.
pub(super) const LIST_INDENT: f32 = 20.0;
pub(super) const OFFICE_INDENT: f32 = 36.0;

/// Takes strips, one below the other.
pub(super) trait Sink {
    fn put(&mut self, strip: Strip) -> Result<()>;
}

/// Keeps strips, for whoever has to see all of them before any is placed.
pub(super) struct Kept<'a> {
    pub(super) strips: Vec<Strip>,
    memory: &'a Memory<'a>,
}

impl<'a> Kept<'a> {
    pub(super) fn new(memory: &'a Memory<'a>) -> Self {
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
pub(super) struct Layout<'a> {
    pub(super) job: &'a Job<'a>,
    pub(super) document: &'a Document,
    pub(super) structure: &'a Structure,
    pub(super) faces: Faces,
    pub(super) pictures: Pictures<'a>,
    pub(super) links: Links,
    pub(super) outline: Outline,
    pub(super) notes: NoteNumbers,
    pub(super) losses: Losses,
    /// The number of the page and of all pages, where somebody asks for them.
    pub(super) page: (String, String),
    /// The room that pictures may take, in points.
    pub(super) picture_room: (f32, f32),
    /// The level of the last heading, as it is tagged.
    pub(super) last_level: u8,
    /// Where footnotes are set; nowhere in headers, footers and notes.
    pub(super) note_place: Option<Place>,
    /// An error that occurred where none could be returned.
    pub(super) failed: Option<Error>,
    pub(super) memory: &'a Memory<'a>,
}

/// Where blocks stand, and what they inherit.
#[derive(Clone)]
pub(super) struct Place {
    pub(super) left: f32,
    pub(super) width: f32,
    pub(super) look: Rc<Look>,
    /// The element around.
    pub(super) node: NodeId,
    /// Room below paragraphs without a style.
    pub(super) after: f32,
    /// Whether the larger one of the room below a block and above the next one counts, and not both.
    pub(super) overlap: bool,
    /// Of paragraphs that say nothing about it.
    pub(super) alignment: Alignment,
    pub(super) direction: Option<Direction>,
    /// Bars and backgrounds of the boxes around.
    pub(super) bars: Vec<Bar>,
    /// How far the items of a list are indented.
    pub(super) list_indent: f32,
    /// Where the outermost list around begins, from which the indents of a document's own lists count.
    pub(super) list_left: Option<f32>,
    /// How many lists stand around.
    pub(super) lists: usize,
    /// The numbers of the items around, for numbering such as 2.1.3.
    pub(super) numbers: Vec<String>,
    /// Nothing of it is read aloud, and nothing refers to notes: headers and footers.
    pub(super) silent: bool,
}

/// See [`Frame`].
#[derive(Clone)]
pub(super) struct Bar {
    pub(super) x: f32,
    pub(super) width: f32,
    pub(super) colour: Colour,
    /// A strip of the box was set.
    pub(super) begun: Rc<Cell<bool>>,
}

/// What goes on from block to block.
pub(super) struct Flow<'s> {
    sink: &'s mut dyn Sink,
    /// Room that the last block wants below itself.
    pub(super) after: f32,
    /// The label of an item, for its first line.
    pub(super) label: Option<Label>,
    begins: Begins,
}

pub(super) struct Label {
    /// Its left edge, from the left edge of the column.
    pub(super) x: f32,
    pub(super) pen: Pen,
    pub(super) word: Rc<Word>,
    pub(super) node: NodeId,
}

impl<'s> Flow<'s> {
    pub(super) fn new(sink: &'s mut dyn Sink) -> Self {
        Self {
            sink,
            after: 0.0,
            label: None,
            begins: Begins::Anywhere,
        }
    }

    pub(super) fn begin_page(&mut self) {
        self.begins = Begins::Page;
    }

    /// More room below what was set.
    pub(super) fn space(&mut self, room: f32) {
        self.after = self.after.max(room);
    }

    pub(super) fn put(&mut self, place: &Place, mut strip: Strip) -> Result<()> {
        let after = std::mem::take(&mut self.after);
        strip.before = match place.overlap {
            true => strip.before.max(after),
            false => strip.before + after,
        };
        if std::mem::take(&mut self.begins) == Begins::Page {
            strip.begins = Begins::Page;
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
