//! The state of a story: what is open, and what the document has so far. What is told is in the other files.

use super::{
    resolved::Resolved,
    text::{Text, Within},
};
use crate::{
    drawing::Sketched,
    error::Result,
    job::{Job, Notes},
    wordprocessing::{
        fields::WordField,
        numbering::Lists,
        properties::{RunProperties, ThemeFonts},
        text::Looks,
    },
};
use convertd_tree::{
    Builder, Document, Length, NoteId, NoteKind, PageSetup, Picture, PictureSource,
};
use std::{
    collections::{HashMap, HashSet},
    rc::Rc,
};

/// A document while it is being read.
pub struct Story<'a> {
    /// The tree so far. Readers use it for metadata, styles of cells, and losses.
    pub build: Builder<'a>,
    /// The lists of the document, if its paragraphs name them.
    pub lists: Lists,
    /// The fonts of the theme.
    pub fonts: ThemeFonts,
    /// The names of the bookmarks that links and fields refer to. Others that a program has generated are left out.
    pub targets: HashSet<Box<str>>,
    /// Whether paragraphs and runs repeat what their styles say.
    pub repeats_styles: bool,
    /// The texts that are open, the innermost last. The first is the main text.
    pub(super) texts: Vec<Text>,
    /// The style of the current paragraph, and the properties of the current run.
    pub(super) style: Rc<Resolved>,
    pub(super) run: RunProperties,
    /// The fields that are open, the innermost last, and the number of those beyond the limit.
    pub(super) fields: Vec<WordField>,
    pub(super) fields_beyond: usize,
    /// The targets and titles of the links that are open.
    pub(super) links: Vec<(Box<str>, Box<str>)>,
    /// The notes that have been referred to, by kind and by identifier in the file.
    pub(super) notes: HashMap<(NoteKind, i64), NoteId>,
    /// The pictures by their names in the file.
    pub(super) resources: HashMap<Box<str>, Option<PictureSource>>,
    /// Whether only the title block has been read so far.
    pub(super) at_title: bool,
    pub(super) looks: Looks,
    held: u64,
}

impl<'a> Story<'a> {
    /// Begins a document, with its main text.
    pub fn new(job: &'a Job<'a>) -> Self {
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
    pub fn hold(&mut self, bytes: u64) -> Result<()> {
        self.held = self.held.saturating_add(bytes);
        self.build.own_memory(self.held)
    }

    /// Makes room for so many bytes that the reader holds only until the next call of this kind.
    pub fn make_room(&mut self, bytes: u64) -> Result<()> {
        self.build.own_memory(self.held.saturating_add(bytes))
    }

    /// Keeps a drawing, as a picture without a description.
    pub fn sketched(&mut self, Sketched { svg, size }: Sketched) -> Result<Picture> {
        self.make_room(svg.len() as u64)?;
        let id = self.build.drawing(svg)?;
        self.make_room(0)?;
        Ok(Picture {
            source: PictureSource::Resource(id),
            alternative: Box::default(),
            title: Box::default(),
            width: Some(Length::points(size.0)),
            height: Some(Length::points(size.1)),
            frame: None,
        })
    }

    /// Ends a section, which has this page layout.
    pub fn end_section(&mut self, page: Option<PageSetup>) -> Result<()> {
        self.end_blocks()?;
        if let Some(page) = page {
            self.build.set_page(page);
        }
        self.build.begin_section()
    }

    /// Ends the document.
    pub fn finish(mut self, notes: &mut Notes) -> Result<Document> {
        self.end_blocks()?;
        self.build.finish(notes)
    }
}
