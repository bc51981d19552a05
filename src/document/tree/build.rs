//! Builds trees for readers. Never fails because of what a file holds: what cannot be in one place is put into the nearest
//! place where it can, and only the job can stop the work.
//!
//! The trap is nesting. A file can nest elements as deep as it likes, and trees are walked by recursive functions. So a node
//! that would be too deep is opened without a trace: its content goes into the node around it, and the loss is noted. Memory
//! is counted as the tree grows, and requested from the job before it is used.

use super::{
    Block, CellStyle, CellStyleId, Code, Document, Field, Inline, MAX_BLOCK_DEPTH, Math, Metadata,
    Node, Note, NoteId, NoteKind, PageSetup, ParagraphStyle, ParagraphStyleId, Picture, Resource,
    ResourceId, Section, TextStyle, TextStyleId,
    frames::{Content, Frame, Product, Takes},
    ids::{Ids, name_headings},
    place::{self, Place},
};
use crate::{
    document::{Loss, Losses, media},
    error::Result,
    job::{Job, Notes},
};
use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
};

static TOO_DEEP: Loss = Loss {
    one: "A part that is nested more than 64 levels deep was moved up.",
    many: "{} parts that are nested more than 64 levels deep were moved up.",
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

/// Number of added pieces between two checks of the job's deadline.
const PIECES_PER_CHECK: u32 = 4096;

/// Builds a [`Document`] piece by piece, in reading order.
///
/// Containers are opened, and closed innermost first. Everything in between is added to the innermost container. Inlines
/// where blocks are expected get a paragraph of the default style around them. A block where inlines are expected becomes
/// lines of text. Rows outside a table, items outside a list and the like are left out, but their content stays. So the
/// reader of a well-formed format need not check anything, and a reader of HTML only what HTML itself prescribes.
pub struct Builder<'a> {
    /// The document's metadata.
    pub metadata: Metadata,
    /// The text style where no other style says otherwise.
    pub text: TextStyle,
    job: &'a Job<'a>,
    document: Document,
    page: Option<Box<PageSetup>>,
    stack: Vec<Frame>,
    ids: Ids,
    known_resources: HashMap<u64, Vec<ResourceId>>,
    losses: Losses,
    /// Memory of the tree in bytes.
    memory: u64,
    /// Memory of the reader in bytes, besides the tree.
    own: u64,
    granted: u64,
    pieces: u32,
}

impl<'a> Builder<'a> {
    /// Begins an empty document. Its memory is reserved from `job` as it grows.
    pub fn new(job: &'a Job<'a>) -> Self {
        Self {
            metadata: Metadata::default(),
            text: TextStyle::default(),
            job,
            document: Document::default(),
            page: None,
            stack: vec![Frame::new(None, 0, false)],
            ids: Ids::default(),
            known_resources: HashMap::new(),
            losses: Losses::default(),
            memory: 0,
            own: 0,
            granted: 0,
            pieces: 0,
        }
    }

    /// States how many bytes the reader itself holds from now on, in buffers and tables. Replaces the previous statement.
    /// Has to be called before that memory is allocated.
    pub fn own_memory(&mut self, bytes: u64) -> Result<()> {
        self.own = bytes;
        self.charge(0)
    }

    /// Counts a loss.
    pub fn lost(&mut self, loss: &'static Loss) {
        self.losses.add(loss);
    }

    /// Opens a container.
    pub fn open(&mut self, node: Node) -> Result<()> {
        self.close_implicit_for(&node);
        if !self.top().accepts(&node) {
            self.make_room(&node)?;
        }
        let place = if self.top().accepts(&node) {
            self.place_of(&node)
        } else {
            Place::Nowhere
        };
        let depth = match place {
            Place::At(depth) => depth,
            Place::Nowhere | Place::NoteInNote | Place::TooDeep => {
                match place {
                    Place::NoteInNote => self.losses.add(&NESTED_NOTES),
                    Place::TooDeep => self.losses.add(&TOO_DEEP),
                    Place::At(_) | Place::Nowhere => {}
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

    /// Closes the innermost container that the reader has opened. Does nothing if there is none.
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

    /// Ends the paragraph that the builder opened around inlines, if there is one. For formats in which an element that the
    /// tree does not know ends the paragraph before it.
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

    /// Gives the innermost open item a check box.
    pub fn set_task(&mut self, done: bool) {
        let items = self
            .stack
            .iter_mut()
            .rev()
            .filter_map(|frame| frame.node.as_mut());
        for node in items {
            if let Node::Item { task } = node {
                *task = Some(done);
                return;
            }
        }
    }

    /// Adds text. Line ends in it become spaces.
    pub fn text(&mut self, text: &str) -> Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        if self.top().takes != Takes::Inlines && !self.wants_inlines(text)? {
            return Ok(());
        }
        self.charge(text.len())?;
        self.begin_line()?;
        if let Content::Inlines(content) = &mut self.top().content
            && let Some(Inline::Text(last)) = content.last_mut()
        {
            append(last, text);
            return Ok(());
        }
        let mut own = String::new();
        append(&mut own, text);
        self.charge(ALLOCATION)?;
        self.add(Product::Inline(Inline::Text(own)))
    }

    /// Adds inline code.
    pub fn code(&mut self, code: impl Into<String>) -> Result<()> {
        let code = code.into();
        self.inline(code.len(), Inline::Code(code))
    }

    /// Adds a picture.
    pub fn picture(&mut self, picture: Picture) -> Result<()> {
        let size = size_of::<Picture>() + picture.alternative.len() + picture.title.len();
        self.inline(size, Inline::Picture(Box::new(picture)))
    }

    /// Adds a line break.
    pub fn line_break(&mut self) -> Result<()> {
        self.inline(0, Inline::LineBreak)
    }

    /// Adds a line end of the source, which means the same as a space.
    pub fn soft_break(&mut self) -> Result<()> {
        self.inline(0, Inline::SoftBreak)
    }

    /// Adds a formula in TeX.
    pub fn math(&mut self, tex: impl Into<Box<str>>, display: bool) -> Result<()> {
        let tex = tex.into();
        let size = size_of::<Math>() + tex.len();
        self.inline(size, Inline::Math(Box::new(Math { tex, display })))
    }

    /// Adds a field, whose text only the layout knows.
    pub fn field(&mut self, field: Field) -> Result<()> {
        self.inline(0, Inline::Field(field))
    }

    /// Adds a target for links to `#name`. Of several with the same name, the first is used.
    pub fn bookmark(&mut self, name: &str) -> Result<()> {
        if !self.ids.claim(name) {
            return Ok(());
        }
        self.inline(2 * name.len(), Inline::Bookmark(name.into()))
    }

    /// Adds a reference to a note. Dropped inside a note.
    pub fn note(&mut self, note: NoteId) -> Result<()> {
        if place::in_note(&self.stack) {
            self.losses.add(&NESTED_NOTES);
            return Ok(());
        }
        self.inline(0, Inline::Note(note))
    }

    /// Adds an HTML tag or comment.
    pub fn raw_html_inline(&mut self, html: &str) -> Result<()> {
        self.document.raw_html = true;
        self.inline(html.len(), Inline::RawHtml(html.into()))
    }

    /// Adds lines of HTML.
    pub fn raw_html(&mut self, html: &str) -> Result<()> {
        self.document.raw_html = true;
        self.block(html.len(), Block::RawHtml(html.into()))
    }

    /// Adds a horizontal rule.
    pub fn rule(&mut self) -> Result<()> {
        self.block(0, Block::Rule)
    }

    /// Adds a page break.
    pub fn page_break(&mut self) -> Result<()> {
        self.block(0, Block::PageBreak)
    }

    /// Adds a code block. Ignores one line end at the end of `text`.
    pub fn code_block(&mut self, info: impl Into<Box<str>>, text: impl Into<String>) -> Result<()> {
        let mut text = text.into();
        if text.ends_with('\n') {
            text.pop();
        }
        let code = Code {
            info: info.into(),
            text,
        };
        let size = size_of::<Code>() + code.info.len() + code.text.len();
        self.block(size, Block::Code(Box::new(code)))
    }

    /// Reserves a number for a note whose text is in another part of the file. [`Node::NoteBody`] adds the text; if it is
    /// used twice, the second text follows the first.
    pub fn reserve_note(&mut self, kind: NoteKind) -> Result<NoteId> {
        self.charge(size_of::<Note>())?;
        let number = u32::try_from(self.document.notes.len()).unwrap_or(u32::MAX);
        self.document.notes.push(Note {
            kind,
            blocks: Vec::new(),
        });
        Ok(NoteId(number))
    }

    /// Adds a picture's bytes and returns their number. Equal bytes get the same number. `media_type` is what the source
    /// claims; the bytes decide. Their memory is reserved here. If they were allocated before, the reader has to reserve
    /// them earlier by [`own_memory`](Self::own_memory).
    pub fn resource(
        &mut self,
        bytes: Vec<u8>,
        name: &str,
        media_type: Option<&str>,
    ) -> Result<ResourceId> {
        let mut hasher = DefaultHasher::new();
        bytes.hash(&mut hasher);
        let known = self.known_resources.entry(hasher.finish()).or_default();
        let resources = &mut self.document.resources;
        if let Some(id) = known.iter().find(|id| resources[id.index()].bytes == bytes) {
            return Ok(*id);
        }
        let id = ResourceId(u32::try_from(resources.len()).unwrap_or(u32::MAX));
        known.push(id);
        let media_type = media::sniff(&bytes)
            .or(media_type)
            .unwrap_or("application/octet-stream");
        let size = bytes.len() + size_of::<Resource>();
        resources.push(Resource {
            media_type: media_type.into(),
            name: name.rsplit(['/', '\\']).next().unwrap_or_default().into(),
            bytes,
        });
        self.charge(size)?;
        Ok(id)
    }

    /// The number of a paragraph style.
    pub fn paragraph_style(&mut self, style: ParagraphStyle) -> Result<ParagraphStyleId> {
        let (number, new) = self.document.paragraph_styles.number(style);
        self.charge(if new {
            3 * size_of::<ParagraphStyle>()
        } else {
            0
        })?;
        Ok(ParagraphStyleId(number))
    }

    /// The number of a text style.
    pub fn text_style(&mut self, style: TextStyle) -> Result<TextStyleId> {
        let (number, new) = self.document.text_styles.number(style);
        self.charge(if new { 3 * size_of::<TextStyle>() } else { 0 })?;
        Ok(TextStyleId(number))
    }

    /// The number of a cell style.
    pub fn cell_style(&mut self, style: CellStyle) -> Result<CellStyleId> {
        let (number, new) = self.document.cell_styles.number(style);
        self.charge(if new { 3 * size_of::<CellStyle>() } else { 0 })?;
        Ok(CellStyleId(number))
    }

    /// Sets the page layout of the current section.
    pub fn set_page(&mut self, page: PageSetup) {
        self.page = Some(Box::new(page));
    }

    /// Ends the current section, with the page layout from [`set_page`](Self::set_page), and begins another. Does nothing if
    /// the section is empty, or inside a container.
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

    /// Builds blocks that are separate from the text, such as a page header. Closes what `fill` leaves open.
    pub fn fragment(&mut self, fill: impl FnOnce(&mut Self) -> Result<()>) -> Result<Vec<Block>> {
        let height = self.stack.len();
        self.stack.push(Frame::new(None, 0, false));
        let filled = fill(self);
        while self.stack.len() > height + 1 {
            self.pop()?;
        }
        let frame = self.stack.pop();
        filled?;
        Ok(match frame.map(|frame| frame.content) {
            Some(Content::Blocks { blocks, .. }) => blocks,
            _ => Vec::new(),
        })
    }

    /// Ends the document: closes what is still open, gives each heading a name, and reports losses in `notes`.
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
        losses.tell(notes);
        document.metadata = self.metadata;
        document.text = self.text;
        document.memory = self.memory;
        Ok(document)
    }

    fn top(&mut self) -> &mut Frame {
        if self.stack.is_empty() {
            self.stack.push(Frame::new(None, 0, false));
        }
        let last = self.stack.len() - 1;
        &mut self.stack[last]
    }

    fn inline(&mut self, size: usize, inline: Inline) -> Result<()> {
        if self.top().takes != Takes::Inlines && !self.wants_inlines("x")? {
            return Ok(());
        }
        self.charge(size + if size > 0 { ALLOCATION } else { 0 })?;
        self.begin_line()?;
        self.add(Product::Inline(inline))
    }

    fn block(&mut self, size: usize, block: Block) -> Result<()> {
        let place = Node::Paragraph(ParagraphStyleId::default());
        self.close_implicit_for(&place);
        if !self.top().accepts(&place) {
            self.make_room(&place)?;
        }
        self.charge(size + if size > 0 { ALLOCATION } else { 0 })?;
        if self.top().takes == Takes::Inlines {
            // Among inlines, a block of code becomes lines of code; a block that is only drawn is dropped.
            self.top().breaks = true;
            if let Block::Code(code) = block {
                for (number, line) in code.text.split('\n').enumerate() {
                    if number > 0 {
                        self.line_break()?;
                    }
                    self.code(line)?;
                }
                self.top().breaks = true;
            }
            return Ok(());
        }
        self.add(Product::Block(block))
    }

    /// Adds a line break before what comes next, if a block was to begin or end here.
    fn begin_line(&mut self) -> Result<()> {
        let top = self.top();
        if !std::mem::take(&mut top.breaks) {
            return Ok(());
        }
        match &top.content {
            Content::Inlines(content) if !content.is_empty() => {
                self.add(Product::Inline(Inline::LineBreak))
            }
            _ => Ok(()),
        }
    }

    fn add(&mut self, product: Product) -> Result<()> {
        let size = self.top().take(product);
        self.charge(size)
    }

    /// Closes containers that the builder opened itself and that cannot hold `node`.
    fn close_implicit_for(&mut self, node: &Node) {
        while let Some(top) = self.stack.last()
            && top.implicit
            && !top.accepts(node)
        {
            // Closing a container does not need memory.
            let _ = self.pop();
        }
    }

    /// Opens the containers that are missing between the innermost one and `node`, if they are obvious: an item in a list, a
    /// row and a cell in a table, details in a definition list, a paragraph around inlines.
    fn make_room(&mut self, node: &Node) -> Result<()> {
        while let Some(missing) = place::missing(self.top().takes, node) {
            self.open_implicit(missing)?;
        }
        Ok(())
    }

    fn open_implicit(&mut self, node: Node) -> Result<()> {
        // The container was opened only where there was room for one more level.
        let depth = match self.place_of(&node) {
            Place::At(depth) => depth,
            Place::Nowhere | Place::NoteInNote | Place::TooDeep => MAX_BLOCK_DEPTH,
        };
        self.stack.push(Frame::new(Some(node), depth, true));
        self.charge(0)
    }

    /// Opens a paragraph if inlines need one. False if `text` is white space that would be dropped here.
    fn wants_inlines(&mut self, text: &str) -> Result<bool> {
        if self.top().takes != Takes::Blocks && text.trim_ascii().is_empty() {
            return Ok(false);
        }
        self.make_room(&Node::Marked(super::Mark::Emphasis))?;
        Ok(true)
    }

    /// The depth that `node` gets in the innermost container, which accepts it.
    fn place_of(&mut self, node: &Node) -> Place {
        // So that there is one.
        self.top();
        place::place_of(&self.stack, node)
    }

    /// Closes the innermost container and adds the result to the container around it.
    fn pop(&mut self) -> Result<()> {
        if self.stack.len() < 2 {
            return Ok(());
        }
        let Some(mut frame) = self.stack.pop() else {
            return Ok(());
        };
        if let Some(Node::Heading { id, .. } | Node::Figure { id } | Node::Aside { id }) =
            &mut frame.node
            && let Some(name) = id
            && !self.ids.claim(name)
        {
            *id = None;
        }
        let (product, cut) = frame.finish();
        self.losses.add_many(&CUT_CELLS, cut);
        match product {
            Product::Nothing => Ok(()),
            Product::Note(id, blocks) => {
                if let Some(note) = self.document.notes.get_mut(id.index()) {
                    note.blocks.extend(blocks);
                }
                Ok(())
            }
            Product::InlineNote(kind, blocks) => {
                let id = self.reserve_note(kind)?;
                self.document.notes[id.index()].blocks = blocks;
                self.add(Product::Inline(Inline::Note(id)))
            }
            product => self.add(product),
        }
    }

    /// Counts memory, and reserves more when the reservation is used up.
    fn charge(&mut self, bytes: usize) -> Result<()> {
        self.memory += bytes as u64;
        self.pieces += 1;
        if self.pieces >= PIECES_PER_CHECK {
            self.pieces = 0;
            self.job.check()?;
        }
        let held = self.memory + self.own;
        if held > self.granted {
            // Reserves a quarter more than the tree needs, to ask rarely. What the reader holds is known exactly.
            self.granted = held + self.memory / 4 + (1 << 20);
            self.job.reserve(self.granted)?;
        }
        Ok(())
    }
}

/// Appends text, with a space for each line end.
fn append(own: &mut String, text: &str) {
    let mut pieces = text.split(['\n', '\r']);
    if let Some(first) = pieces.next() {
        own.push_str(first);
    }
    for piece in pieces {
        own.push(' ');
        own.push_str(piece);
    }
}

#[cfg(test)]
mod tests;
