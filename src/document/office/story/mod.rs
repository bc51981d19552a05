//! The story of a document: what every reader of a word processor format tells, in the order of its file.
//!
//! A file of this kind is a flat sequence of characters with marks in it: here a paragraph ends, here a cell, here a field
//! begins. A reader turns these marks into calls of [`Story`], and decides nothing: which role a paragraph has, what a field
//! shows, which runs share a look, what a list continues and where a caption belongs is decided here, once. The calls are
//!
//! ```text
//! open_paragraph(style)                     what its style says, resolved by the reader
//!   set_run(properties)                     what a run says beside that
//!   text, line_break, page_break, symbol, formula, picture, bookmark
//!   open_link … close_link                  around its text, which may be several runs
//!   begin_field, instruct, begin_result, end_field
//!   note … and at any later time open_note … close_text
//!   anchor … and after the paragraph open_box … close_text
//! close_paragraph(what it says itself)
//! open_table, open_row, open_cell … close_cell, close_row, close_table
//! open_margin … close_margin                headers and footers, as blocks
//! end_section, finish
//! ```
//! A text (the main text, a cell, a list item, a note, a box, a margin) may hold paragraphs and tables; each is opened inside
//! another, and its line and its lists are its own. The three things that a new reader has to know:
//!
//! - Properties may come late. In RTF a paragraph's style is known for sure only at its end, so `open_paragraph` may be called
//!   again before every piece of text; the last call counts for the role, and each for the text behind it. A reader that
//!   opens cells only then takes what is written of the paragraph along, by [`Story::take_line`].
//! - If a format repeats in every paragraph what its style says already (RTF does), set [`Story::repeats_styles`]. Formats
//!   that state only what differs (DOCX, ODT, the sprms of DOC) leave it alone.
//! - Lists of the kind that Word has (a paragraph names a list and a level) go into [`Story::lists`], and are counted here. In a
//!   format that has elements for items, the reader counts, and opens each item as a text.

mod fields;
mod inlines;
mod paragraphs;
mod tables;
mod texts;

pub(crate) use paragraphs::{Paragraph, Resolved};
pub(crate) use tables::Caption;
pub(crate) use texts::Within;

use super::{Lists, Looks, RunProperties, ThemeFonts, WordField};
use crate::{
    document::tree::{Builder, Document, NoteId, NoteKind, PageSetup, PictureSource},
    error::Result,
    job::{Job, Notes},
};
use std::{
    collections::{HashMap, HashSet},
    rc::Rc,
};
use texts::Text;

/// A document while it is being read.
pub(crate) struct Story<'a> {
    /// The tree so far. Readers use it for metadata, styles of cells, and losses.
    pub(crate) build: Builder<'a>,
    /// The lists of the document, if its paragraphs name them.
    pub(crate) lists: Lists,
    /// The fonts of the theme.
    pub(crate) fonts: ThemeFonts,
    /// The names of the bookmarks that links and fields refer to. Others that a program has generated are left out.
    pub(crate) targets: HashSet<Box<str>>,
    /// Whether paragraphs and runs repeat what their styles say.
    pub(crate) repeats_styles: bool,
    /// The texts that are open, the innermost last. The first is the main text.
    texts: Vec<Text>,
    /// The style of the current paragraph, and the properties of the current run.
    style: Rc<Resolved>,
    run: RunProperties,
    /// The fields that are open, the innermost last, and the number of those beyond the limit.
    fields: Vec<WordField>,
    fields_beyond: usize,
    /// The targets and titles of the links that are open.
    links: Vec<(Box<str>, Box<str>)>,
    /// The notes that have been referred to, by kind and by identifier in the file.
    notes: HashMap<(NoteKind, i64), NoteId>,
    /// The pictures by their names in the file.
    resources: HashMap<Box<str>, Option<PictureSource>>,
    /// Whether only the title block has been read so far.
    at_title: bool,
    looks: Looks,
    held: u64,
}

impl<'a> Story<'a> {
    /// Begins a document, with its main text.
    pub(crate) fn new(job: &'a Job<'a>) -> Self {
        Self {
            build: Builder::new(job),
            lists: Lists::default(),
            fonts: ThemeFonts::default(),
            targets: HashSet::new(),
            repeats_styles: false,
            texts: vec![Text::new(Within::Main)],
            style: Rc::default(),
            run: RunProperties::default(),
            fields: Vec::new(),
            fields_beyond: 0,
            links: Vec::new(),
            notes: HashMap::new(),
            resources: HashMap::new(),
            at_title: true,
            looks: Looks::default(),
            held: 0,
        }
    }

    /// Accounts for memory of the reader that is held until the document has been read, in bytes.
    pub(crate) fn hold(&mut self, bytes: u64) -> Result<()> {
        self.held = self.held.saturating_add(bytes);
        self.build.own_memory(self.held)
    }

    /// Makes room for so many bytes that the reader holds only until the next call of this kind.
    pub(crate) fn make_room(&mut self, bytes: u64) -> Result<()> {
        self.build.own_memory(self.held.saturating_add(bytes))
    }

    /// Ends a section, which has this page layout.
    pub(crate) fn end_section(&mut self, page: Option<PageSetup>) -> Result<()> {
        self.end_blocks()?;
        if let Some(page) = page {
            self.build.set_page(page);
        }
        self.build.begin_section()
    }

    /// Ends the document.
    pub(crate) fn finish(mut self, notes: &mut Notes) -> Result<Document> {
        self.end_blocks()?;
        self.build.finish(notes)
    }
}
