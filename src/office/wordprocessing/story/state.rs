//! State of a story: open containers, and the document so far. Most calls of readers are in the other files.

use super::{
    resolved::Resolved,
    text::{Text, Within},
};
use crate::{
    drawing::Sketched,
    error::Result,
    job::{Job, Notes},
    wordprocessing::{
        charts,
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

/// Document that is being read.
pub struct Story<'a> {
    /// Tree so far. Readers use it for metadata, styles of cells, and losses.
    pub build: Builder<'a>,
    /// Lists of the document, if its paragraphs refer to lists.
    pub lists: Lists,
    /// Fonts of the theme.
    pub fonts: ThemeFonts,
    /// Names of bookmarks that links and fields refer to. Other generated bookmarks are left out.
    pub targets: HashSet<Box<str>>,
    /// Whether paragraphs and runs repeat the properties of their styles.
    pub repeats_styles: bool,
    /// Open texts, the innermost last. The first text is the main text.
    pub(super) texts: Vec<Text>,
    /// Style of the current paragraph.
    pub(super) style: Rc<Resolved>,
    /// Properties of the current run.
    pub(super) run: RunProperties,
    /// Open fields, the innermost last.
    pub(super) fields: Vec<WordField>,
    /// Number of open fields beyond the limit.
    pub(super) fields_beyond: usize,
    /// Targets and titles of open links.
    pub(super) links: Vec<(Box<str>, Box<str>)>,
    /// Notes whose text follows in another part of the file, by kind and by identifier in the file.
    pub(super) notes: HashMap<(NoteKind, i64), NoteId>,
    /// Custom reference marks of notes, which replace their numbers.
    pub(super) marks: HashMap<NoteId, Box<str>>,
    /// Pictures by their names in the file. `None` for missing pictures.
    pub(super) resources: HashMap<Box<str>, Option<PictureSource>>,
    /// Whether only the title block was read so far.
    pub(super) at_title: bool,
    /// Cache for the formatting of runs.
    pub(super) looks: Looks,
    /// Memory that the reader holds until the end of the document, in bytes.
    held: u64,
}

impl<'a> Story<'a> {
    /// Begins a document and its main text.
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
            marks: HashMap::new(),
            resources: HashMap::new(),
            at_title: true,
            looks: Looks::default(),
            held: 0,
        }
    }

    /// Leases `bytes` of memory, which the reader holds until the end of the document.
    pub fn hold(&mut self, bytes: u64) -> Result<()> {
        self.held = self.held.saturating_add(bytes);
        self.build.own_memory(self.held)
    }

    /// Leases `bytes` of memory, which the reader holds until the next call of this function or of [`Self::hold`].
    pub fn make_room(&mut self, bytes: u64) -> Result<()> {
        self.build.own_memory(self.held.saturating_add(bytes))
    }

    /// Adds the drawing of a chart.
    pub fn charted(&mut self, svg: Vec<u8>) -> Result<PictureSource> {
        self.make_room(svg.len() as u64)?;
        let id = self.build.resource(svg, "", Some(charts::DRAWING))?;
        self.make_room(0)?;
        Ok(PictureSource::Resource(id))
    }

    /// Adds a drawing, as a picture without a description.
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

    /// Ends a section with this page layout.
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
