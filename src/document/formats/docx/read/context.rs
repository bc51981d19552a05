//! What is known while a document is read: its parts, its styles, what is counted. Reads no text itself.

use super::{
    package::{Package, Relationships},
    styles::{Resolved, Styles},
};
use crate::{
    containers::xml::Reader,
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

pub(super) static PARTS: Loss = Loss {
    one: "A part of another file that the document refers to was left out.",
    many: "{} parts of other files that the document refers to were left out.",
};

/// A document that is being read.
pub(super) struct Context<'a> {
    pub(super) job: &'a Job<'a>,
    pub(super) package: Package<'a>,
    pub(super) styles: Styles,
    pub(super) lists: Lists,
    /// What the part refers to that is being read.
    pub(super) relationships: Rc<Relationships>,
    /// The numbers of notes, by kind and by the number that the file has.
    pub(super) notes: HashMap<(NoteKind, i64), NoteId>,
    pub(super) resources: HashMap<Box<str>, Option<ResourceId>>,
    /// Fields that have begun and not ended, innermost last.
    pub(super) fields: Vec<WordField>,
    /// Where the links around the next run lead, and what they show when pointed at.
    pub(super) links: Vec<(Box<str>, Box<str>)>,
    /// The names of places that something leads to.
    pub(super) targets: HashSet<Box<str>>,
    /// Nothing but the title and what belongs to it has been read.
    pub(super) at_title: bool,
    pub(super) even_and_odd: bool,
    /// How many tables stand around what is being read.
    pub(super) tables: usize,
    /// Those of the section before, which count where a section has none.
    pub(super) headers: Margins,
    pub(super) footers: Margins,
    /// How many bytes of XML they were.
    pub(super) margins_size: u64,
    looks: Looks,
    memory: u64,
}

/// A text of its own: the document's, a cell's, a note's, that of a text box.
pub(super) struct Story<'x> {
    pub(super) flow: Flow,
    /// What has been read of the paragraph.
    pub(super) line: Line,
    /// The text boxes in the paragraph, each where its text begins.
    pub(super) boxes: Vec<Reader<'x>>,
    /// It is the document's own text.
    pub(super) main: bool,
    /// It is a note, and its number stands in front of its text.
    pub(super) note: bool,
    /// The paragraph has no look of its own.
    pub(super) plain: bool,
    /// There is a line across in the paragraph.
    pub(super) rule: bool,
    /// So many paragraphs that come next have been read already.
    pub(super) skipped: usize,
    /// How deep it is in text boxes.
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
    /// A document of which nothing has been read.
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

    /// The characters of a part, which are held until the end. None if there is no such part.
    pub(super) fn part(&mut self, build: &mut Builder<'_>, name: &str) -> Result<Option<String>> {
        let Some(size) = self.package.size(name) else {
            return Ok(None);
        };
        // As much again for one that is not UTF-8, and for lists of what is in it.
        self.hold(build, size.saturating_mul(2))?;
        self.package.text(name).map(Some)
    }

    /// Says that so many more bytes are held until the end.
    pub(super) fn hold(&mut self, build: &mut Builder<'_>, bytes: u64) -> Result<()> {
        self.memory = self.memory.saturating_add(bytes);
        build.own_memory(self.memory)
    }

    /// The bytes of a part that the tree is going to hold.
    pub(super) fn bytes(&mut self, build: &mut Builder<'_>, name: &str) -> Result<Option<Vec<u8>>> {
        let Some(size) = self.package.size(name) else {
            return Ok(None);
        };
        build.own_memory(self.memory.saturating_add(size))?;
        let bytes = self.package.bytes(name)?;
        build.own_memory(self.memory)?;
        Ok(Some(bytes))
    }

    /// How a run looks that has these properties, in a paragraph of this style.
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
