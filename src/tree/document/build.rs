//! Builds trees for readers. Never fails because of a file's content: content that is not allowed in a place moves to
//! the nearest place that allows it, and only the job can stop the work.
//!
//! A file can nest elements as deep as it likes, and trees are walked by recursive functions. So a node that would be
//! too deep is not added: its content goes into the node around it, and the loss is noted. Memory is counted as the
//! tree grows, and requested from the job before it is used.

mod account;
mod content;
mod graft;
mod shared;
mod stack;

use super::{
    Block, Column, Direction, Document, Hyphenation, Length, LinkLook, Metadata, Node, NoteSetups,
    PageSetup, Part, ResourceId, Section, Table, TextStyle, Typesetter,
    frames::{Content, Frame},
    ids::{Ids, name_headings},
    node::Takes,
    place::Allowed,
};
use crate::{
    error::Result,
    job::{Job, Notes},
    losses::{Loss, Losses},
    scripts::{LINKS, is_script},
};
use account::Account;
use std::collections::HashMap;

static TOO_DEEP: Loss = Loss {
    one: "A part that is nested more than 64 levels deep was moved to the deepest allowed level.",
    many: "{} parts that are nested more than 64 levels deep were moved to the deepest allowed level.",
};

static CUT_CELLS: Loss = Loss {
    one: "A table cell was cut, because it overlaps others.",
    many: "{} table cells were cut, because they overlap others.",
};

static NESTED_NOTES: Loss = Loss {
    one: "A note inside another note was left out, or became part of its text.",
    many: "{} notes inside other notes were left out, or became part of their texts.",
};

/// Bytes that the allocator adds to each allocation.
const ALLOCATION: usize = 16;

/// Builds a [`Document`] piece by piece, in reading order.
///
/// Containers are opened and closed; the innermost one is closed first. Everything in between is added to the innermost
/// open container. If inlines are added in a place for blocks, they get a paragraph of the default style. A block in a
/// place for inlines becomes lines of text. Misplaced nodes, such as rows outside of a table or items outside of a
/// list, are left out, but their content stays. So the reader of a well-formed format has nothing to check, and a
/// reader of HTML has to check only the rules of HTML.
pub struct Builder<'a> {
    /// The document's metadata.
    pub metadata: Metadata,
    /// The style of text for which no other style states anything.
    pub text: TextStyle,
    /// See [`Document::spaces_overlap`].
    pub spaces_overlap: bool,
    /// See [`Document::typesetter`].
    pub typesetter: Typesetter,
    /// See [`Document::hyphenation`].
    pub hyphenation: Hyphenation,
    /// See [`Document::links`].
    pub links: LinkLook,
    /// See [`Document::note_setups`].
    pub note_setups: NoteSetups,
    /// See [`Document::is_plain`].
    pub is_plain: bool,
    /// See [`Document::pages`].
    pub pages: Vec<(f32, f32)>,
    account: Account<'a>,
    document: Document,
    page: Option<Box<PageSetup>>,
    stack: Vec<Frame>,
    ids: Ids,
    known_resources: HashMap<u64, Vec<ResourceId>>,
    losses: Losses,
}

impl<'a> Builder<'a> {
    /// Begins an empty document. Its memory is leased from `job` as it grows, and given back at its
    /// [end](Self::finish).
    pub fn new(job: &'a Job<'a>) -> Self {
        Self {
            metadata: Metadata::default(),
            text: TextStyle::default(),
            spaces_overlap: false,
            typesetter: Typesetter::default(),
            hyphenation: Hyphenation::default(),
            links: LinkLook::default(),
            note_setups: NoteSetups::default(),
            is_plain: false,
            pages: Vec::new(),
            account: Account::new(job),
            document: Document::default(),
            page: None,
            stack: vec![Frame::new(None, 0, false)],
            ids: Ids::default(),
            known_resources: HashMap::new(),
            losses: Losses::default(),
        }
    }

    /// Leases as many bytes as the reader itself holds from now on, in buffers and tables, until the document is
    /// finished. Each call replaces the number of the previous call. Has to be called before that memory is allocated.
    pub fn own_memory(&mut self, bytes: u64) -> Result<()> {
        self.account.set_own(bytes)
    }

    /// Counts a loss.
    pub fn lost(&mut self, loss: &'static Loss) {
        self.losses.add(loss);
    }

    /// Opens a container.
    pub fn open(&mut self, node: Node) -> Result<()> {
        // Links that run a script lose their target, but keep their content.
        if let Node::Link { target, .. } = &node
            && is_script(target)
        {
            self.losses.add(&LINKS);
            self.top().flat.push(false);
            return Ok(());
        }
        self.close_implicit_for(&node)?;
        if !self.top().accepts(&node) {
            self.open_missing(&node)?;
        }
        let place = if self.top().accepts(&node) {
            self.place_of(&node)
        } else {
            Allowed::Nowhere
        };
        let depth = match place {
            Allowed::At(depth) => depth,
            Allowed::Nowhere | Allowed::NoteInNote | Allowed::TooDeep => {
                match place {
                    Allowed::NoteInNote => self.losses.add(&NESTED_NOTES),
                    Allowed::TooDeep => self.losses.add(&TOO_DEEP),
                    Allowed::At(_) | Allowed::Nowhere => {}
                }
                let lines = node.is() != Some(Takes::Inlines) || matches!(node, Node::Note(_));
                let top = self.top();
                top.flat.push(lines);
                top.breaks |= lines;
                return Ok(());
            }
        };
        self.stack.push(Frame::new(Some(node), depth, false));
        self.charge(0)
    }

    /// Closes the innermost container that the reader has opened. Does nothing without an open container.
    pub fn close(&mut self) -> Result<()> {
        loop {
            let top = self.top();
            if let Some(lines) = top.flat.pop() {
                top.breaks |= lines;
                return Ok(());
            }
            if top.node.is_none() {
                return Ok(());
            }
            let implicit = top.implicit;
            self.pop()?;
            if !implicit {
                return Ok(());
            }
        }
    }

    /// Ends the paragraph that the builder opened around inlines, if there is one. Meant for formats in which an
    /// element that the tree does not know ends the paragraph before it.
    pub fn end_paragraph(&mut self) -> Result<()> {
        while let Some(top) = self.stack.last()
            && top.implicit
            && top.takes == Takes::Inlines
        {
            self.pop()?;
        }
        Ok(())
    }

    /// Makes the innermost list loose. The innermost open container has to be one of its items.
    pub fn set_loose(&mut self) {
        let mut nodes = self.stack.iter_mut().rev().filter(|frame| !frame.implicit);
        if let Some(item) = nodes.next()
            && let Some(Node::Item { .. }) = item.node
            && let Some(list) = nodes.next()
            && let Some(Node::List { tight, .. }) = &mut list.node
        {
            *tight = false;
        }
    }

    /// Gives the innermost open item a check box. Returns false if no item is open.
    pub fn set_task(&mut self, done: bool) -> bool {
        let items = self
            .stack
            .iter_mut()
            .rev()
            .filter_map(|frame| frame.node.as_mut());
        for node in items {
            if let Node::Item { task, .. } = node {
                *task = Some(done);
                return true;
            }
        }
        false
    }

    /// Sets the indent of the innermost open table, and whether the stated widths of its columns are final.
    pub fn place_table(&mut self, indent: Option<Length>, fixed: bool) {
        if let Some(table) = self.open_table() {
            table.indent = indent;
            table.fixed = fixed;
        }
    }

    /// Sets the columns of the innermost open table, if it has neither columns nor rows yet: in some formats, the
    /// caption is before the columns.
    pub fn set_columns(&mut self, known: Vec<Column>) {
        let mut frames = self.stack.iter_mut().rev();
        let table = frames.find_map(|frame| match (&mut frame.node, &frame.content) {
            (Some(Node::Table { columns, .. }), Content::Table(table)) => Some((columns, table)),
            _ => None,
        });
        if let Some((columns, table)) = table
            && columns.is_empty()
            && table.rows().next().is_none()
        {
            *columns = known;
        }
    }

    /// Makes the columns of the innermost open table run from right to left.
    pub fn turn_table(&mut self) {
        if let Some(table) = self.open_table() {
            table.direction = Some(Direction::RightToLeft);
        }
    }

    /// Makes the head of the innermost open table appear only at the beginning of the table, not on every page.
    pub fn keep_head_once(&mut self) {
        if let Some(table) = self.open_table() {
            table.head_once = true;
        }
    }

    /// Makes the height of the last row exact in this part of the innermost open table.
    pub fn set_exact_row(&mut self, part: Part) {
        let Some(table) = self.open_table() else {
            return;
        };
        let rows = match part {
            Part::Head => &mut table.head,
            Part::Body => &mut table.body,
            Part::Foot => &mut table.foot,
        };
        if let Some(row) = rows.last_mut() {
            row.exact = true;
        }
    }

    fn open_table(&mut self) -> Option<&mut Table> {
        let frames = self.stack.iter_mut().rev();
        let tables = frames.filter_map(|frame| match &mut frame.content {
            Content::Table(table) => Some(&mut **table),
            _ => None,
        });
        tables.into_iter().next()
    }

    /// Sets the page layout of the current section.
    pub fn set_page(&mut self, page: PageSetup) {
        self.page = Some(Box::new(page));
    }

    /// Ends the current section, with the page layout from [`set_page`](Self::set_page), and begins another. Does
    /// nothing if the section is empty, or inside a container.
    pub fn begin_section(&mut self) -> Result<()> {
        if let Some(top) = self.stack.last()
            && top.implicit
        {
            self.pop()?;
        }
        if let [root] = self.stack.as_mut_slice()
            && let Content::Blocks { blocks, .. } = &mut root.content
            && !blocks.is_empty()
        {
            let section = Section {
                page: self.page.take(),
                blocks: std::mem::take(blocks),
            };
            self.document.sections.push(section);
            self.charge(size_of::<Section>())?;
        }
        Ok(())
    }

    /// Number of sections that have ended.
    pub fn ended_sections(&self) -> usize {
        self.document.sections.len()
    }

    /// Begins blocks that are separate from the text, such as a page header.
    pub fn begin_fragment(&mut self) {
        self.stack.push(Frame::new(None, 0, false));
    }

    /// Ends a fragment begun by [`begin_fragment`](Self::begin_fragment): closes its open nodes,
    /// and returns its blocks.
    pub fn end_fragment(&mut self) -> Result<Vec<Block>> {
        while self.stack.last().is_some_and(|frame| frame.node.is_some()) {
            self.pop()?;
        }
        // The first frame is the document itself and not a fragment, so it stays open.
        let frame = match self.stack.len() {
            0 | 1 => None,
            _ => self.stack.pop(),
        };
        Ok(match frame.map(|frame| frame.content) {
            Some(Content::Blocks { blocks, .. }) => blocks,
            _ => Vec::new(),
        })
    }

    /// Ends the document: closes open nodes, gives each heading a name, and reports losses in
    /// `notes`.
    pub fn finish(mut self, notes: &mut Notes) -> Result<Document> {
        while self.stack.len() > 1 {
            self.pop()?;
        }
        self.begin_section()?;
        if self.document.sections.is_empty() {
            self.document.sections.push(Section {
                page: self.page.take(),
                blocks: Vec::new(),
            });
        }
        let Self {
            mut document,
            mut ids,
            losses,
            ..
        } = self;
        for section in &mut document.sections {
            name_headings(&mut section.blocks, &mut ids);
        }
        for note in &mut document.notes {
            name_headings(&mut note.blocks, &mut ids);
        }
        losses.add_notes(notes);
        document.metadata = self.metadata;
        document.text = self.text;
        document.spaces_overlap = self.spaces_overlap;
        document.typesetter = self.typesetter;
        document.hyphenation = self.hyphenation;
        document.links = self.links;
        document.note_setups = self.note_setups;
        document.is_plain = self.is_plain;
        document.pages = self.pages;
        document.memory = self.account.memory();
        Ok(document)
    }

    /// Counts memory of the tree.
    fn charge(&mut self, bytes: usize) -> Result<()> {
        self.account.charge(bytes)
    }
}

#[cfg(test)]
mod tests;
