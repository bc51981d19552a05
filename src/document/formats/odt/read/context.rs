//! What is known while a document is read: its parts, its styles, what is counted. Reads no text itself.

use super::{
    layouts::Pages,
    lists::Counted,
    package::Package,
    styles::{Resolved, Styles},
};
use crate::{
    containers::xml::Reader,
    document::{
        Loss,
        office::{Flow, Line, Look, Looks, RunProperties, Script, look},
        tree::{Builder, ResourceId},
    },
    error::Result,
    job::Job,
};
use std::collections::{HashMap, HashSet};

pub(super) static DEEP: Loss = Loss {
    one: "A part that is nested more than 64 levels deep became plain text.",
    many: "{} parts that are nested more than 64 levels deep became plain text.",
};

/// How deep blocks and spans may stand in one another.
const MAX_DEPTH: usize = 64;

/// A document that is being read.
pub(super) struct Context<'a> {
    pub(super) job: &'a Job<'a>,
    /// None if everything is in one file.
    package: Option<Package<'a>>,
    pub(super) styles: Styles,
    pub(super) pages: Pages,
    pub(super) counted: Counted,
    pub(super) resources: HashMap<Box<str>, Option<ResourceId>>,
    /// Where the links around the next text lead, and what they show when pointed at.
    pub(super) links: Vec<(Box<str>, Box<str>)>,
    /// The names of places that something leads to.
    pub(super) targets: HashSet<Box<str>>,
    /// Nothing but the title and what belongs to it has been read.
    pub(super) at_title: bool,
    /// How many tables stand around what is being read.
    pub(super) tables: usize,
    depth: usize,
    looks: Looks,
    memory: u64,
}

/// The item of a list that a text stands in.
#[derive(Clone, Debug)]
pub(super) struct ListPlace {
    /// The list style.
    pub(super) style: Box<str>,
    /// From 0.
    pub(super) level: usize,
}

/// A text of its own: the document's, a cell's, an item's, a note's, that of a text box.
pub(super) struct Story<'x> {
    pub(super) flow: Flow,
    /// What has been read of the paragraph.
    pub(super) line: Line,
    /// The text boxes in the paragraph, each where its text begins.
    pub(super) boxes: Vec<Reader<'x>>,
    /// It is the document's own text.
    pub(super) main: bool,
    /// It is an item of a list.
    pub(super) list: Option<ListPlace>,
    /// Nothing of the item has been read.
    pub(super) item_begins: bool,
    /// White space that comes next says nothing: some stands before it, or the paragraph begins.
    pub(super) space: bool,
    /// A page begins in front of the next block.
    pub(super) page_break: bool,
    /// So many paragraphs that come next have been read already.
    pub(super) skipped: usize,
}

impl Story<'_> {
    pub(super) fn new() -> Self {
        Self {
            flow: Flow::default(),
            line: Line::default(),
            boxes: Vec::new(),
            main: false,
            list: None,
            item_begins: false,
            space: true,
            page_break: false,
            skipped: 0,
        }
    }
}

impl<'a> Context<'a> {
    /// A document of which nothing has been read.
    pub(super) fn new(job: &'a Job<'a>, package: Option<Package<'a>>) -> Self {
        Self {
            job,
            package,
            styles: Styles::default(),
            pages: Pages::default(),
            counted: Counted::default(),
            resources: HashMap::new(),
            links: Vec::new(),
            targets: HashSet::new(),
            at_title: true,
            tables: 0,
            depth: 0,
            looks: Looks::default(),
            memory: 0,
        }
    }

    /// The characters of a part, which are held until the end. None if there is no such part.
    pub(super) fn part(&mut self, build: &mut Builder<'_>, name: &str) -> Result<Option<String>> {
        let Some(size) = self.package.as_ref().and_then(|package| package.size(name)) else {
            return Ok(None);
        };
        // As much again for one that is not UTF-8, and for lists of what is in it.
        self.hold(build, size.saturating_mul(2))?;
        self.package
            .as_mut()
            .map(|package| package.text(name))
            .transpose()
    }

    /// Says that so many more bytes are held until the end.
    pub(super) fn hold(&mut self, build: &mut Builder<'_>, bytes: u64) -> Result<()> {
        self.memory = self.memory.saturating_add(bytes);
        build.own_memory(self.memory)
    }

    /// The bytes of a part that the tree is going to hold. None if there is no such part.
    pub(super) fn bytes(&mut self, build: &mut Builder<'_>, name: &str) -> Result<Option<Vec<u8>>> {
        let Some(package) = &mut self.package else {
            return Ok(None);
        };
        let Some(size) = package.size(name) else {
            return Ok(None);
        };
        build.own_memory(self.memory.saturating_add(size))?;
        let bytes = package.bytes(name)?;
        build.own_memory(self.memory)?;
        Ok(Some(bytes))
    }

    /// Goes one deeper, unless that is too deep: then what is there is read as plain text.
    pub(super) fn deeper<'x>(
        &mut self,
        build: &mut Builder<'_>,
        xml: &mut Reader<'x>,
        story: &mut Story<'x>,
        read: impl FnOnce(&mut Self, &mut Builder<'_>, &mut Reader<'x>, &mut Story<'x>) -> Result<()>,
    ) -> Result<()> {
        if self.depth >= MAX_DEPTH {
            build.lost(&DEEP);
            let text = xml.text()?;
            story.line.text(Look::default(), &text);
            return Ok(());
        }
        self.depth += 1;
        let read = read(self, build, xml, story);
        self.depth -= 1;
        read
    }

    /// How text looks that has these properties of its own, in a paragraph of this style.
    pub(super) fn look(
        &mut self,
        build: &mut Builder<'_>,
        run: &RunProperties,
        style: &Resolved,
        script: Script,
    ) -> Result<Look> {
        let Self { looks, styles, .. } = self;
        looks.get(run, &style.text, script, || {
            let mut all = style.run.clone();
            all.apply(run);
            let text = styles.text_style(&all, script);
            look(build, run, run.style.is_some(), text, &style.text)
        })
    }

    /// Notes the names that links in this text lead to, so that other places need not be kept. Looks at letters alone, since
    /// one name too many does no harm.
    pub(super) fn find_targets(&mut self, text: &str) {
        for before in ["xlink:href=\"#", "text:ref-name=\""] {
            for at in memchr::memmem::find_iter(text.as_bytes(), before.as_bytes()) {
                let rest = &text[at + before.len()..];
                let rest = &rest[..rest.floor_char_boundary(400)];
                let name = rest.split('"').next().unwrap_or_default();
                if !name.is_empty() && self.targets.len() < 100_000 {
                    self.targets.insert(place(name).into());
                }
            }
        }
    }
}

/// The name of a place, which may hold spaces and signs that stand for something in an address.
pub(super) fn place(name: &str) -> String {
    let name = name
        .replace("%20", " ")
        .replace("&apos;", "'")
        .replace("&amp;", "&");
    let clean = name.chars().map(|c| match c {
        c if c.is_whitespace() => '-',
        '|' | '"' | '#' | '%' => '-',
        c => c,
    });
    clean.collect()
}
