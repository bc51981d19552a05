//! State of the reader that is not in the story: the package, styles and relationships. Reads no paragraphs.

use super::{NAMESPACES, chunk::Chunks, styles::Styles};
use crate::{
    containers::{
        opc::{Package, Relationships},
        xml::Reader,
    },
    error::Result,
    job::{Job, Notes},
};
use convertd_office::{
    drawing::{Theme, VmlOutline},
    wordprocessing::Story,
};
use convertd_tree::{Length, Margins, losses::Loss};
use std::{collections::HashMap, rc::Rc};

pub(super) static SUBDOCUMENTS: Loss = Loss {
    one: "A subdocument was left out: it is a separate file.",
    many: "{} subdocuments were left out: they are separate files.",
};

/// State that all parts of a document share.
pub(super) struct Context<'a> {
    // Source.
    pub(super) job: &'a Job<'a>,
    /// Package with all parts.
    pub(super) package: Package<'a>,
    /// Styles of the document.
    pub(super) styles: Styles,
    /// Relationships of the current part.
    pub(super) relationships: Rc<Relationships>,
    // Settings, and readers of embedded documents.
    /// Whether even and odd pages have different headers and footers.
    pub(super) even_and_odd: bool,
    /// Whether the space for the binding is at the top of pages.
    pub(super) gutter_at_top: bool,
    /// Reader of documents within this document.
    pub(super) chunks: Option<Chunks>,
    /// Notes from reading those documents.
    pub(super) chunk_notes: Notes,
    /// Version of Word that the document was made for (`compatibilityMode`): 12 is Word 2007, and 15 is Word 2013 and
    /// later.
    pub(super) mode: u32,
    /// Name of the theme part, until it is read.
    pub(super) theme_part: Option<Box<str>>,
    /// Theme, once a shape has needed it.
    theme: Option<Rc<Theme>>,
    // Counters and state of the position.
    /// Number of inline drawings so far.
    pub(super) letters: i64,
    /// Shape types of VML by their identifiers.
    pub(super) vml_kinds: HashMap<Box<str>, Rc<VmlKind>>,
    /// Number of tables around the current position.
    pub(super) tables: usize,
    /// Width of the text between the margins.
    pub(super) text_width: Length,
    /// Headers of the previous section. A section inherits each header that it does not define.
    pub(super) headers: Margins,
    /// Footers of the previous section.
    pub(super) footers: Margins,
    /// Sizes of the header and footer parts in force, in bytes of XML: all pages, even pages and the first page, of
    /// footers and then of headers.
    pub(super) margin_sizes: [[u64; 3]; 2],
    /// Total size of the pictures of shapes read so far, in bytes. A picture counts each time it is used.
    pub(super) pictures_size: usize,
}

impl<'a> Context<'a> {
    /// Creates the state at the beginning of a document.
    pub(super) fn new(job: &'a Job<'a>, package: Package<'a>) -> Self {
        Self {
            job,
            package,
            styles: Styles::default(),
            relationships: Rc::default(),
            even_and_odd: false,
            gutter_at_top: false,
            chunks: None,
            chunk_notes: Notes::default(),
            mode: 12,
            theme_part: None,
            theme: None,
            letters: 0,
            vml_kinds: HashMap::new(),
            tables: 0,
            // A4 with margins of an inch.
            text_width: Length::twips(9026),
            headers: Margins::default(),
            footers: Margins::default(),
            margin_sizes: [[0; 3]; 2],
            pictures_size: 0,
        }
    }

    /// Returns the theme that shapes refer to.
    pub(super) fn theme(&mut self, story: &mut Story<'_>) -> Result<Rc<Theme>> {
        if let Some(theme) = &self.theme {
            return Ok(theme.clone());
        }
        let name = self.theme_part.take();
        let text = match name {
            Some(name) => self.part(story, &name)?,
            None => None,
        };
        let theme = text.map(|text| Theme::read(&mut Reader::new(self.job, &text, NAMESPACES)));
        // A theme that cannot be read has the default colours.
        let theme = Rc::new(theme.transpose().ok().flatten().unwrap_or_default());
        self.theme = Some(theme.clone());
        Ok(theme)
    }

    /// Reads the text of a part. `None` if there is no such part. The memory of the text stays reserved until the end
    /// of the document.
    pub(super) fn part(&mut self, story: &mut Story<'_>, name: &str) -> Result<Option<String>> {
        let Some(size) = self.package.size(name) else {
            return Ok(None);
        };
        // Twice the size: for the conversion from UTF-16, and for indexes of the part.
        story.hold(size.saturating_mul(2))?;
        self.package.text(name).map(Some)
    }

    /// Reads the bytes of a part that will belong to the tree.
    pub(super) fn bytes(&mut self, story: &mut Story<'_>, name: &str) -> Result<Option<Vec<u8>>> {
        let Some(size) = self.package.size(name) else {
            return Ok(None);
        };
        story.make_room(size)?;
        let bytes = self.package.bytes(name)?;
        story.make_room(0)?;
        Ok(Some(bytes))
    }
}

/// Properties of a shape type (`v:shapetype`).
#[derive(Debug)]
pub(super) struct VmlKind {
    /// Outline, whose values a shape may override.
    pub(super) outline: VmlOutline,
    /// Whether shapes are filled.
    pub(super) filled: bool,
    /// Whether shapes have a line.
    pub(super) stroked: bool,
}
