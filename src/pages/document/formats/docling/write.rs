//! Turns the blocks of a tree into the items of a DoclingDocument, which [`Items`] writes as JSON.

use super::{
    WITHOUT_PICTURES,
    items::{CODE, ItemRef, Items, Layer, List, Members},
    languages,
};
use crate::{
    error::Result,
    job::{Job, Notes, Output},
};
use convertd_tree::{
    self as tree, Block, Document, Group, GroupKind, Inline, ListKind, Mark, NoteId, Picture,
    PictureSource, Region,
};

/// Writes a document.
pub(super) fn write(
    job: &Job<'_>,
    document: &Document,
    output: &mut dyn Output,
    _: &mut Notes,
) -> Result<()> {
    let mut writer = Writer {
        document,
        items: Items::new(job, &document.pages),
        regions: &[],
        notes: Vec::new(),
        around: Vec::new(),
    };
    let metadata = &document.metadata;
    if let Some(title) = metadata.title.as_deref().filter(|_| metadata.title_block) {
        writer.text(ItemRef::Body, "title", title, Members::default())?;
    }
    let mut margins: Option<(&[Block], &[Block])> = None;
    for section in document.sections() {
        writer.blocks(ItemRef::Body, &section.blocks)?;
        let Some(page) = &section.page else { continue };
        let own = (&*page.headers.all, &*page.footers.all);
        if margins.replace(own) != Some(own) {
            writer.margin("page_header", own.0)?;
            writer.margin("page_footer", own.1)?;
        }
    }
    let name = job.task.file_title.as_deref().unwrap_or("document");
    let with_pictures = job.options().word(WITHOUT_PICTURES).is_none();
    writer.items.write(document, name, with_pictures, output)
}

/// State of the conversion.
pub(super) struct Writer<'d, 'j> {
    pub(super) document: &'d Document,
    pub(super) items: Items<'j>,
    /// Positions of the current block on the pages.
    pub(super) regions: &'d [Region],
    /// Notes that the current block refers to.
    notes: Vec<NoteId>,
    /// Numbers of the enclosing items of ordered lists, the outermost first.
    around: Vec<String>,
}

/// Content of a paragraph.
#[derive(Default)]
struct Content<'d> {
    text: String,
    pictures: Vec<&'d Picture>,
}

impl<'d> Writer<'d, '_> {
    fn blocks(&mut self, parent: ItemRef, blocks: &'d [Block]) -> Result<()> {
        for block in blocks {
            self.block(parent, block)?;
            for note in std::mem::take(&mut self.notes) {
                let text = self.flat(&self.document.note(note).blocks)?;
                // A note stands at the foot of a page, at an unknown position. So the regions of the block do not apply
                // to it.
                let around = std::mem::take(&mut self.regions);
                self.text(parent, "footnote", &text, Members::default())?;
                self.regions = around;
            }
        }
        Ok(())
    }

    fn block(&mut self, parent: ItemRef, block: &'d Block) -> Result<()> {
        match block {
            Block::Paragraph(paragraph) => self.paragraph(parent, &paragraph.content),
            Block::Heading(heading) => {
                let content = self.content(&heading.content)?;
                let text = match &heading.label {
                    Some(label) => format!("{label} {}", content.text),
                    None => content.text,
                };
                // A heading of the first level is a title, and levels count below it, as in docling's readers of HTML
                // and Markdown.
                match heading.level {
                    0 | 1 => self.text(parent, "title", &text, Members::default())?,
                    level => {
                        let level = Members::default().json("level", &(level - 1));
                        self.text(parent, "section_header", &text, level)?
                    }
                };
                self.pictures(parent, &content.pictures, &[])
            }
            Block::List(list) => self.list(parent, list),
            Block::Definitions(definitions) => {
                for definition in definitions {
                    self.paragraph(parent, &definition.term)?;
                    for blocks in &definition.details {
                        self.blocks(parent, blocks)?;
                    }
                }
                Ok(())
            }
            Block::Table(table) => self.table(parent, table, &table.caption),
            Block::Code(code) => {
                let language = languages::name_of(code.language());
                let members = Members::default().text("code_language", language);
                self.text(parent, CODE, &code.text, members).map(drop)
            }
            Block::Quote(blocks) => self.blocks(parent, blocks),
            Block::Group(group) => self.group(parent, group),
            Block::Rule | Block::PageBreak | Block::ColumnBreak | Block::RawHtml(_) => Ok(()),
        }
    }

    /// Adds a text. An empty text is left out.
    fn text(
        &mut self,
        parent: ItemRef,
        label: &'static str,
        text: &str,
        members: Members,
    ) -> Result<Option<ItemRef>> {
        let text = text.trim_matches([' ', '\n']);
        if text.is_empty() {
            return Ok(None);
        }
        let members = members.text("orig", text).text("text", text);
        let place = self.items.add(List::Texts, parent, label, members)?;
        let characters = text.chars().count();
        self.items.set_places(place, self.regions, characters)?;
        Ok(Some(place))
    }

    fn paragraph(&mut self, parent: ItemRef, content: &'d [Inline]) -> Result<()> {
        if let [Inline::Math(math)] = content {
            let text = self.text(parent, "formula", &math.tex, Members::default());
            return text.map(drop);
        }
        let read = self.content(content)?;
        self.text(parent, "text", &read.text, shared_formatting(content))?;
        self.pictures(parent, &read.pictures, &[])
    }

    /// Collects the text and the pictures of a paragraph, a heading or a list item. Notes that it refers to are written
    /// after the block.
    fn content(&mut self, content: &'d [Inline]) -> Result<Content<'d>> {
        let mut read = Content::default();
        self.add(content, &mut read);
        self.items.hold(read.text.len())?;
        Ok(read)
    }

    fn add(&mut self, content: &'d [Inline], read: &mut Content<'d>) {
        for inline in content {
            match inline {
                Inline::Text(text) | Inline::Code(text) => read.text.push_str(text),
                Inline::Marked(_, content) | Inline::Span(_, content) => self.add(content, read),
                Inline::Link(link) => self.add(&link.content, read),
                Inline::Picture(picture) if !self.document.is_decoration(picture) => {
                    read.pictures.push(picture);
                }
                Inline::Note(note) => self.notes.push(*note),
                Inline::LineBreak => read.text.push('\n'),
                Inline::SoftBreak => read.text.push(' '),
                Inline::Math(math) => {
                    read.text.push('$');
                    read.text.push_str(&math.tex);
                    read.text.push('$');
                }
                Inline::Ruby(ruby) => read.text.push_str(&ruby.spelled()),
                Inline::Picture(_)
                | Inline::Bookmark(_)
                | Inline::Field(_)
                | Inline::RawHtml(_) => {}
            }
        }
    }

    pub(super) fn pictures(
        &mut self,
        parent: ItemRef,
        pictures: &[&'d Picture],
        caption: &'d [Block],
    ) -> Result<()> {
        for picture in pictures {
            let mut members = Members::default();
            if !picture.alternative.is_empty() {
                let description = Members::default()
                    .text("kind", "description")
                    .text("text", &picture.alternative)
                    .text("provenance", "alternative text");
                members = members.json("annotations", &format!("[{}]", description.object()));
            }
            let place = self.items.add(List::Pictures, parent, "picture", members)?;
            self.items.set_places(place, self.regions, 0)?;
            if let PictureSource::Resource(id) = picture.source {
                self.items.set_picture(place, id);
            }
            self.caption(place, caption)?;
        }
        Ok(())
    }

    pub(super) fn caption(&mut self, of: ItemRef, caption: &'d [Block]) -> Result<()> {
        let text = self.flat(caption)?;
        let (regions, _) = placed(caption);
        let around = std::mem::replace(&mut self.regions, regions);
        let caption = self.text(of, "caption", &text, Members::default())?;
        self.regions = around;
        if let Some(caption) = caption {
            self.items.set_caption(of, caption);
        }
        Ok(())
    }

    fn list(&mut self, parent: ItemRef, list: &'d tree::List) -> Result<()> {
        let group = Members::default().text("name", "list");
        let group = self.items.add(List::Groups, parent, "list", group)?;
        for (at, item) in list.items.iter().enumerate() {
            let numbering = match list.kind {
                ListKind::Ordered(numbering) => Some(numbering),
                ListKind::Bullet => None,
            };
            let number = numbering.map(|own| own.start.saturating_add(at as u32));
            let marker = match (&item.label, item.task, numbering.zip(number)) {
                (Some(label), ..) => label.to_string(),
                (None, Some(true), _) => "[x]".to_owned(),
                (None, Some(false), _) => "[ ]".to_owned(),
                (None, None, Some((numbering, number))) => {
                    tree::numbering::label(number, numbering, &self.around)
                }
                (None, None, None) => "-".to_owned(),
            };
            let (first, rest) = item.blocks.split_at(item.blocks.len().min(1));
            let (regions, first) = placed(first);
            let (content, rest) = match first {
                [Block::Paragraph(first)] => (self.content(&first.content)?, rest),
                _ => (Content::default(), &*item.blocks),
            };
            let text = content.text.trim();
            let members = Members::default()
                .json("enumerated", &numbering.is_some())
                .text("marker", &marker)
                .text("orig", text)
                .text("text", text);
            let place = self.items.add(List::Texts, group, "list_item", members)?;
            self.items
                .set_places(place, regions, text.chars().count())?;
            self.pictures(place, &content.pictures, &[])?;
            if let Some((numbering, number)) = numbering.zip(number) {
                self.around
                    .push(tree::numbering::write(number, numbering.numeral));
            }
            self.blocks(place, rest)?;
            if numbering.is_some() {
                self.around.pop();
            }
        }
        Ok(())
    }

    fn group(&mut self, parent: ItemRef, group: &'d Group) -> Result<()> {
        match &group.kind {
            GroupKind::Regions(regions) => {
                let around = std::mem::replace(&mut self.regions, regions);
                let written = self.blocks(parent, &group.blocks);
                self.regions = around;
                written
            }
            GroupKind::Figure { caption } => {
                let (regions, blocks) = placed(&group.blocks);
                let regions = Some(regions).filter(|regions| !regions.is_empty());
                let regions = regions.unwrap_or(self.regions);
                let around = std::mem::replace(&mut self.regions, regions);
                let written = self.figure(parent, blocks, caption);
                self.regions = around;
                written
            }
            GroupKind::Speaker => {
                let layer = std::mem::replace(&mut self.items.layer, Layer::Notes);
                let written = self.blocks(parent, &group.blocks);
                self.items.layer = layer;
                written
            }
            GroupKind::Aside | GroupKind::Frame(_) | GroupKind::Language(_) => {
                self.blocks(parent, &group.blocks)
            }
        }
    }

    /// Adds a figure: a table, or pictures, with a caption. Any other content is added as blocks, and the caption after
    /// it.
    fn figure(&mut self, parent: ItemRef, blocks: &'d [Block], caption: &'d [Block]) -> Result<()> {
        match blocks {
            [Block::Table(table)] if table.caption.is_empty() => self.table(parent, table, caption),
            [Block::Paragraph(paragraph)] => {
                let content = self.content(&paragraph.content)?;
                if content.pictures.is_empty() {
                    self.blocks(parent, blocks)?;
                    return self.blocks(parent, caption);
                }
                self.text(parent, "text", &content.text, Members::default())?;
                self.pictures(parent, &content.pictures, caption)
            }
            blocks => {
                self.blocks(parent, blocks)?;
                self.blocks(parent, caption)
            }
        }
    }

    /// Adds the text of a header or footer.
    fn margin(&mut self, label: &'static str, blocks: &'d [Block]) -> Result<()> {
        let text = self.flat(blocks)?;
        let layer = std::mem::replace(&mut self.items.layer, Layer::Furniture);
        let written = self.text(ItemRef::Body, label, &text, Members::default());
        self.items.layer = layer;
        written.map(drop)
    }

    /// Returns the text of all paragraphs, headings and code in these blocks, each on a line of its own.
    pub(super) fn flat(&mut self, blocks: &'d [Block]) -> Result<String> {
        let mut text = String::new();
        tree::each_block(blocks, &mut |block| {
            let line = match block {
                Block::Paragraph(paragraph) => tree::plain_text(&paragraph.content),
                Block::Heading(heading) => tree::plain_text(&heading.content),
                Block::Code(code) => code.text.clone(),
                _ => return,
            };
            if !text.is_empty() && !line.is_empty() {
                text.push('\n');
            }
            text.push_str(&line);
        });
        self.items.hold(text.len())?;
        Ok(text)
    }
}

/// If the blocks are a single group with positions on the pages, returns these positions and the blocks in the group.
/// Otherwise returns no positions, and the blocks themselves.
fn placed(blocks: &[Block]) -> (&[Region], &[Block]) {
    match blocks {
        [Block::Group(group)] => match &group.kind {
            GroupKind::Regions(regions) => (regions, &group.blocks),
            _ => (&[], blocks),
        },
        _ => (&[], blocks),
    }
}

/// Returns the members for the formatting and the link that the whole content shares.
fn shared_formatting(mut content: &[Inline]) -> Members {
    let mut members = Members::default();
    let mut marks = Vec::new();
    let mut script = "baseline";
    while let [only] = content {
        match only {
            Inline::Marked(mark, inner) => {
                match mark {
                    Mark::Strong => marks.push("bold"),
                    Mark::Emphasis => marks.push("italic"),
                    Mark::Underline => marks.push("underline"),
                    Mark::Strikethrough => marks.push("strikethrough"),
                    Mark::Superscript => script = "super",
                    Mark::Subscript => script = "sub",
                    Mark::SmallCaps | Mark::Highlight => {}
                }
                content = inner;
            }
            Inline::Span(_, inner) => content = inner,
            Inline::Link(link) => {
                if link.bookmark().is_none() {
                    members = members.text("hyperlink", &link.target);
                }
                content = &link.content;
            }
            _ => break,
        }
    }
    if marks.is_empty() && script == "baseline" {
        return members;
    }
    let formatting = ["bold", "italic", "underline", "strikethrough"]
        .into_iter()
        .fold(Members::default(), |all, name| {
            all.json(name, &marks.contains(&name))
        });
    members.json("formatting", &formatting.text("script", script).object())
}
