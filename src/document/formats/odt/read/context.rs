//! The state of a document that is being read: its package, styles and counters. Reads no content itself.

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

/// The limit on the nesting of blocks and spans.
const MAX_DEPTH: usize = 64;

/// A document that is being read.
pub(super) struct Context<'a> {
    pub(super) job: &'a Job<'a>,
    /// The package, or `None` for a flat file.
    package: Option<Package<'a>>,
    pub(super) styles: Styles,
    pub(super) pages: Pages,
    pub(super) counted: Counted,
    pub(super) resources: HashMap<Box<str>, Option<ResourceId>>,
    /// The targets and titles of the links that are open around the next text.
    pub(super) links: Vec<(Box<str>, Box<str>)>,
    /// The names of the bookmarks that links or references refer to.
    pub(super) targets: HashSet<Box<str>>,
    /// Whether only the title block has been read so far.
    pub(super) at_title: bool,
    /// The number of tables around the current position.
    pub(super) tables: usize,
    depth: usize,
    looks: Looks,
    memory: u64,
}

/// The list around a flow of blocks.
#[derive(Clone, Debug)]
pub(super) struct ListPlace {
    /// The name of its list style.
    pub(super) style: Box<str>,
    /// The level, from 0.
    pub(super) level: usize,
    /// Whether the current item has no text of its own, so that a list in it goes on with the numbers of the one before.
    pub(super) bare: bool,
}

/// A flow of block-level content: the main text, a table cell, a list item, a note, or a text box.
pub(super) struct Story<'x> {
    pub(super) flow: Flow,
    /// The content of the current paragraph.
    pub(super) line: Line,
    /// The text boxes anchored in the current paragraph, each as a reader positioned at its content.
    pub(super) boxes: Vec<Reader<'x>>,
    /// Whether this is the main text.
    pub(super) main: bool,
    /// The list, if this is a list item.
    pub(super) list: Option<ListPlace>,
    /// Whether the first paragraph of the item is still to come.
    pub(super) item_begins: bool,
    /// Whether leading white space is to be dropped, because white space precedes it or the paragraph begins here.
    pub(super) space: bool,
    /// Whether a page break precedes the next block.
    pub(super) page_break: bool,
    /// The number of following paragraphs that have already been read, as captions.
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
    /// The state at the beginning of a document.
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

    /// The text of a part, or `None` if it does not exist. Its memory is held until the document has been read.
    pub(super) fn part(&mut self, build: &mut Builder<'_>, name: &str) -> Result<Option<String>> {
        let Some(size) = self.package.as_ref().and_then(|package| package.size(name)) else {
            return Ok(None);
        };
        // Twice the size, to allow for the conversion from UTF-16 and for lists of what the part contains.
        self.hold(build, size.saturating_mul(2))?;
        self.package
            .as_mut()
            .map(|package| package.text(name))
            .transpose()
    }

    /// Accounts for memory that is held until the document has been read, in bytes.
    pub(super) fn hold(&mut self, build: &mut Builder<'_>, bytes: u64) -> Result<()> {
        self.memory = self.memory.saturating_add(bytes);
        build.own_memory(self.memory)
    }

    /// The bytes of a part that the tree will own, or `None` if it does not exist.
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

    /// Reads one level deeper. Beyond the limit, adds the content as plain text instead.
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

    /// The look of text with these properties, in a paragraph of this style.
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

    /// Collects the names of all bookmarks that links and references in this part refer to, so that other bookmarks can be
    /// dropped. A plain text search is enough: a false match only keeps a bookmark that nothing refers to.
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

/// A bookmark name in the tree. Names in the file may contain spaces and characters with a meaning in URLs.
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
