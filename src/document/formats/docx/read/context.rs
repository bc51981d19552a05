//! The state of a document that is being read: its package, styles, lists and counters. Reads no content itself.

use super::styles::{Resolved, Styles};
use crate::{
    containers::{
        opc::{Package, Relationships},
        xml::Reader,
    },
    document::{
        Loss,
        office::{Flow, Line, Lists, Look, Looks, RunProperties, Script, WordField},
        tree::{Builder, Margins, NoteId, NoteKind, ResourceId},
    },
    error::Result,
    job::Job,
};
use std::{
    collections::{HashMap, HashSet},
    rc::Rc,
};

pub(super) static LABELS: Loss = Loss {
    one: "The label of a list item was written as a plain number.",
    many: "The labels of {} list items were written as plain numbers.",
};

pub(super) static SUBDOCUMENTS: Loss = Loss {
    one: "A subdocument was left out: it is a file of its own.",
    many: "{} subdocuments were left out: they are files of their own.",
};

/// A document that is being read.
pub(super) struct Context<'a> {
    pub(super) job: &'a Job<'a>,
    pub(super) package: Package<'a>,
    pub(super) styles: Styles,
    pub(super) lists: Lists,
    /// The relationships of the current part.
    pub(super) relationships: Rc<Relationships>,
    /// The notes that have been referred to, by kind and by identifier in the file.
    pub(super) notes: HashMap<(NoteKind, i64), NoteId>,
    pub(super) resources: HashMap<Box<str>, Option<ResourceId>>,
    /// The fields that are open, the innermost last.
    pub(super) fields: Vec<WordField>,
    /// The targets and titles of the links that are open around the next run.
    pub(super) links: Vec<(Box<str>, Box<str>)>,
    /// The names of the bookmarks that links or fields refer to.
    pub(super) targets: HashSet<Box<str>>,
    /// Whether only the title block has been read so far.
    pub(super) at_title: bool,
    pub(super) even_and_odd: bool,
    /// The number of tables around the current position.
    pub(super) tables: usize,
    /// The headers and footers of the section before. A section inherits each one that it does not define.
    pub(super) headers: Margins,
    pub(super) footers: Margins,
    /// Their size, in bytes of XML.
    pub(super) margins_size: u64,
    looks: Looks,
    memory: u64,
}

/// A flow of block-level content: the main text, a table cell, a note, or a text box.
pub(super) struct Story<'x> {
    pub(super) flow: Flow,
    /// The content of the current paragraph.
    pub(super) line: Line,
    /// The text boxes anchored in the current paragraph, each as a reader positioned at its content.
    pub(super) boxes: Vec<Reader<'x>>,
    /// Whether this is the main text.
    pub(super) main: bool,
    /// Whether this is a note whose first paragraph, with the number of the note in front, is still to come.
    pub(super) note: bool,
    /// Whether the runs of the paragraph keep no look of their own, as with a drop cap.
    pub(super) plain: bool,
    /// Whether the paragraph contains a horizontal rule.
    pub(super) rule: bool,
    /// The number of following paragraphs that have already been read, as captions.
    pub(super) skipped: usize,
    /// How deep it is nested in text boxes.
    pub(super) depth: usize,
}

impl Story<'_> {
    pub(super) fn new() -> Self {
        Self {
            flow: Flow::default(),
            line: Line::default(),
            boxes: Vec::new(),
            main: false,
            note: false,
            plain: false,
            rule: false,
            skipped: 0,
            depth: 0,
        }
    }
}

impl<'a> Context<'a> {
    /// The state at the beginning of a document.
    pub(super) fn new(job: &'a Job<'a>, package: Package<'a>) -> Self {
        Self {
            job,
            package,
            styles: Styles::default(),
            lists: Lists::default(),
            relationships: Rc::default(),
            notes: HashMap::new(),
            resources: HashMap::new(),
            fields: Vec::new(),
            links: Vec::new(),
            targets: HashSet::new(),
            at_title: true,
            even_and_odd: false,
            tables: 0,
            headers: Margins::default(),
            footers: Margins::default(),
            margins_size: 0,
            looks: Looks::default(),
            memory: 0,
        }
    }

    /// The text of a part, or `None` if it does not exist. Its memory is held until the document has been read.
    pub(super) fn part(&mut self, build: &mut Builder<'_>, name: &str) -> Result<Option<String>> {
        let Some(size) = self.package.size(name) else {
            return Ok(None);
        };
        // Twice the size, to allow for the conversion from UTF-16 and for lists of what the part contains.
        self.hold(build, size.saturating_mul(2))?;
        self.package.text(name).map(Some)
    }

    /// Accounts for memory that is held until the document has been read, in bytes.
    pub(super) fn hold(&mut self, build: &mut Builder<'_>, bytes: u64) -> Result<()> {
        self.memory = self.memory.saturating_add(bytes);
        build.own_memory(self.memory)
    }

    /// The bytes of a part that the tree will own.
    pub(super) fn bytes(&mut self, build: &mut Builder<'_>, name: &str) -> Result<Option<Vec<u8>>> {
        let Some(size) = self.package.size(name) else {
            return Ok(None);
        };
        build.own_memory(self.memory.saturating_add(size))?;
        let bytes = self.package.bytes(name)?;
        build.own_memory(self.memory)?;
        Ok(Some(bytes))
    }

    /// The look of a run with these properties, in a paragraph of this style.
    pub(super) fn look(
        &mut self,
        build: &mut Builder<'_>,
        run: &RunProperties,
        style: &Resolved,
        script: Script,
    ) -> Result<Look> {
        let Self { looks, styles, .. } = self;
        looks.get(run, &style.text, script, || {
            styles.look(build, run, style, script)
        })
    }
}
