//! State for all writers of word processor formats: the document, and the position in it.

use crate::{
    error::Result,
    job::{Job, Lease},
    wordprocessing::{
        measure::{heading_numbers, targets},
        styles::{Styles, Use},
        written_lists::WrittenLists,
    },
};
use convertd_tree::{
    Alignment, Code, Colour, Document, Frame, Length, NoteId, code, losses::Losses, options,
};
use std::{
    collections::{HashMap, HashSet},
    rc::Rc,
};

/// Document that is being written.
pub struct Context<'a> {
    /// Job of the conversion.
    pub job: &'a Job<'a>,
    /// Document in the tree.
    pub document: &'a Document,
    /// Paragraph styles of the file.
    pub styles: Styles,
    /// Lists of the file.
    pub lists: WrittenLists,
    /// Notes about lost content.
    pub losses: Losses,
    /// Names of bookmarks that links refer to.
    pub targets: HashSet<&'a str>,
    /// Whether a period ends the numbers of headings. `None` if headings cannot be numbered automatically.
    pub heading_numbers: Option<bool>,
    /// Containers of the current position.
    pub place: Containers,
    /// Whether the next paragraph begins a new page.
    pub break_pending: bool,
    /// Bookmarks at the beginning of the next paragraph.
    pub bookmarks_pending: Vec<&'a str>,
    /// State of the check box at the beginning of the next paragraph, in formats that write it as text.
    pub task_pending: Option<bool>,
    /// Whether the current text is in a link. Links cannot be nested.
    pub in_link: bool,
    /// Width of the text area, for pictures and tables that fill it.
    pub text_width: Length,
    /// Numbers of notes in the order of their first references.
    pub notes: HashMap<usize, usize>,
    /// Memory lease for the output.
    written: Lease<'a>,
}

/// Containers of a paragraph.
#[derive(Clone, Debug, Default)]
pub struct Containers {
    /// Use of ordinary paragraphs, which determines their built-in style. `None` in list items, and outside all
    /// containers.
    pub within: Option<Use>,
    /// List and level of the current item.
    pub list: Option<(u32, usize)>,
    /// Whether the number of the current item was written.
    pub numbered: bool,
    /// Number of enclosing lists.
    pub depth: usize,
    /// Numbers of the item and of enclosing items, the outermost first and without delimiters, in formats that write
    /// them.
    pub numbers: Vec<String>,
    /// Number of enclosing tables.
    pub tables: usize,
    /// Alignment of the enclosing table cell.
    pub alignment: Option<Alignment>,
    /// Language of the enclosing group.
    pub language: Option<Box<str>>,
    /// Whether the language of the enclosing group is written from right to left.
    pub right_to_left: bool,
    /// Enclosing frame, in formats that write frames.
    pub frame: Option<Rc<Frame>>,
}

impl Containers {
    /// Returns the place of a separate text, such as a note.
    pub fn of(within: Use) -> Self {
        Self {
            within: Some(within),
            ..Self::default()
        }
    }

    /// Returns the use of ordinary paragraphs.
    pub(super) fn text(&self) -> Use {
        self.within.unwrap_or(match self.list {
            Some(_) => Use::List,
            None => Use::Text,
        })
    }
}

impl<'a> Context<'a> {
    /// Creates the state at the beginning of a document.
    pub fn new(job: &'a Job<'a>, document: &'a Document) -> Self {
        Self {
            job,
            document,
            styles: Styles::new(document),
            lists: WrittenLists::new(),
            losses: Losses::default(),
            targets: targets(document, job.options().flag(options::TOC.name)),
            heading_numbers: heading_numbers(document),
            place: Containers::default(),
            break_pending: false,
            bookmarks_pending: Vec::new(),
            task_pending: None,
            in_link: false,
            text_width: Length::inches(6.5),
            notes: HashMap::new(),
            written: job.empty_lease(),
        }
    }

    /// Returns the lines of a code block, divided into pieces with their colours for syntax highlighting. A piece
    /// without a colour has the ordinary one.
    pub fn code_lines<'c>(
        &self,
        block: &'c Code,
    ) -> impl Iterator<Item = Vec<(Option<Colour>, &'c str)>> + use<'c> {
        let language = options::language(self.job, block);
        code::lines(language, &block.text).map(|line| {
            let coloured =
                |(kind, text): code::Piece<'c>| (kind.map(code::TokenKind::colour), text);
            line.into_iter().map(coloured).collect()
        })
    }

    /// Leases memory for `written` bytes of output. Half of the memory of document and output, and 4 MiB, are added for
    /// the compressed parts, which are in memory at the same time. Fails also if the job must end ([`Job::check`]).
    pub fn grow(&mut self, written: u64) -> Result<()> {
        if written > self.written.bytes() {
            let all = self.document.memory() + written;
            self.written.set_exactly(written + all / 2 + (4 << 20))?;
        }
        self.job.check()
    }

    /// Returns the number of a note, in the order of first references, and whether there was a reference before.
    pub fn note_number(&mut self, note: NoteId) -> (usize, bool) {
        let next = self.notes.len() + 1;
        let number = *self.notes.entry(note.index()).or_insert(next);
        (number, number < next)
    }
}
