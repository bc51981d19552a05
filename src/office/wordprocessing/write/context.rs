//! State that every writer of a word processor format needs: the document, and the position of the walk in it.

use crate::{
    error::Result,
    job::{Job, Lease},
    wordprocessing::{
        measure::{heading_numbers, targets},
        styles::{Styles, Use},
        written_lists::WrittenLists,
    },
};
use convertd_tree::{Alignment, Document, Frame, Length, NoteId, losses::Losses, options};
use std::{
    collections::{HashMap, HashSet},
    rc::Rc,
};

/// A document that is being written.
pub struct Context<'a> {
    pub job: &'a Job<'a>,
    pub document: &'a Document,
    pub styles: Styles,
    pub lists: WrittenLists,
    pub losses: Losses,
    /// The names of the bookmarks that links point to.
    pub targets: HashSet<&'a str>,
    /// Whether headings can be numbered automatically, and then whether a period ends the number.
    pub heading_numbers: Option<bool>,
    /// Containers around the current position.
    pub place: Place,
    /// Whether the next paragraph has to begin a new page.
    pub break_pending: bool,
    /// The bookmarks that the next paragraph begins with.
    pub bookmarks_pending: Vec<&'a str>,
    /// The state of the check box that the next paragraph begins with, in formats that write it as text.
    pub task_pending: Option<bool>,
    /// Whether the current text is in a link. Links cannot be nested.
    pub in_link: bool,
    /// The width of the text area, for pictures and tables that fill it.
    pub text_width: Length,
    /// The numbers of the notes, by first reference.
    pub notes: HashMap<usize, usize>,
    /// Memory for the output.
    written: Lease<'a>,
}

/// Containers around a paragraph.
#[derive(Clone, Debug, Default)]
pub struct Place {
    /// The style of paragraphs that have none of their own.
    pub within: Option<Use>,
    /// The list and level of the current item.
    pub list: Option<(u32, usize)>,
    /// Whether the current item has its number.
    pub numbered: bool,
    /// The number of enclosing lists.
    pub depth: usize,
    /// The numbers of the item and of those around it, outermost first and without delimiters, in formats that write
    /// them.
    pub numbers: Vec<String>,
    /// The number of enclosing tables.
    pub tables: usize,
    /// The alignment of the enclosing table cell.
    pub alignment: Option<Alignment>,
    pub language: Option<Box<str>>,
    pub right_to_left: bool,
    /// The enclosing frame, in formats that put paragraphs into frames.
    pub frame: Option<Rc<Frame>>,
}

impl Place {
    /// The place of a text of its own, such as a note.
    pub fn of(within: Use) -> Self {
        Self {
            within: Some(within),
            ..Self::default()
        }
    }

    /// The style of paragraphs of text here.
    pub(super) fn text(&self) -> Use {
        self.within.unwrap_or(match self.list {
            Some(_) => Use::List,
            None => Use::Text,
        })
    }
}

impl<'a> Context<'a> {
    pub fn new(job: &'a Job<'a>, document: &'a Document) -> Self {
        Self {
            job,
            document,
            styles: Styles::new(document),
            lists: WrittenLists::new(),
            losses: Losses::default(),
            targets: targets(document, job.options().flag(options::TOC.name)),
            heading_numbers: heading_numbers(document),
            place: Place::default(),
            break_pending: false,
            bookmarks_pending: Vec::new(),
            task_pending: None,
            in_link: false,
            text_width: Length::inches(6.5),
            notes: HashMap::new(),
            written: job.empty_lease(),
        }
    }

    /// Makes sure that memory for `written` bytes of output is leased. Asks for half as much again as there is then,
    /// because what is packed comes beside what is written.
    pub fn grow(&mut self, written: u64) -> Result<()> {
        if written > self.written.bytes() {
            let all = self.document.memory() + written;
            self.written.set_exactly(written + all / 2 + (4 << 20))?;
        }
        self.job.check()
    }

    /// The number of a note, by first reference, and whether it has been referred to before.
    pub fn note_number(&mut self, note: NoteId) -> (usize, bool) {
        let next = self.notes.len() + 1;
        let number = *self.notes.entry(note.index()).or_insert(next);
        (number, number < next)
    }
}
