//! Adds the blocks of a source document to a target document, in which their styles, pictures and notes get new
//! numbers. Drops the page layout of the source: the blocks are on pages of the target.

use super::Builder;
use crate::{
    document::{
        Block, Cell, CellShape, CellStyleId, Document, GroupKind, Heading, Inline, Item, Length,
        List, Node, NoteId, ParagraphStyle, ParagraphStyleId, Part, Picture, PictureSource,
        ResourceId, Row, Table, TextStyleId, Typesetter, walk::each_in_line,
    },
    error::Result,
};
use std::collections::HashMap;

/// A source document that is being added, and the numbers that its pictures and notes have got in the target so far.
struct Graft<'b, 'a, 'd> {
    build: &'b mut Builder<'a>,
    from: &'d Document,
    resources: HashMap<usize, ResourceId>,
    notes: HashMap<usize, NoteId>,
}

impl Builder<'_> {
    /// Adds all blocks of the document `from` to the innermost open container.
    pub fn graft(&mut self, from: &Document) -> Result<()> {
        let mut graft = Graft {
            build: self,
            from,
            resources: HashMap::new(),
            notes: HashMap::new(),
        };
        for section in from.sections() {
            graft.blocks(&section.blocks)?;
        }
        Ok(())
    }
}

impl Graft<'_, '_, '_> {
    fn paragraph_style(&mut self, id: ParagraphStyleId) -> Result<ParagraphStyleId> {
        let mut style = self.own_style(id);
        style.text.size = style.text.size.or(self.from.text.size);
        self.build.paragraph_style(style)
    }

    /// A paragraph style with font, colour and language of the source document, whose text style does not apply to the
    /// target document.
    fn own_style(&self, id: ParagraphStyleId) -> ParagraphStyle {
        let mut style = self.from.paragraph_style(id).clone();
        let all = self.from.text.clone();
        style.text.font = style.text.font.or(all.font);
        style.text.colour = style.text.colour.or(all.colour);
        style.text.language = style.text.language.or(all.language);
        style
    }

    /// Style of a heading. If the source states neither its size nor the program whose layout rules apply, the heading
    /// gets the size, weight and spacing of a heading in Word, because the sizes of headings in the target document are
    /// meant for its own headings.
    fn heading_style(&mut self, heading: &Heading) -> Result<ParagraphStyleId> {
        /// Font sizes of levels 1, 2, 3, and of all lower levels, in points.
        const SIZES: [f64; 4] = [16.0, 13.0, 12.0, 11.0];
        let mut style = self.own_style(heading.style);
        if style.text.size.is_none() && self.from.typesetter == Typesetter::Own {
            let level = usize::from(heading.level.max(1)) - 1;
            style.text.size = Some(Length::points(SIZES[level.min(SIZES.len() - 1)]));
            style.text.bold = Some(true);
            style.space_before = style.space_before.or(Some(Length::points(12.0)));
            style.keep_with_next = true;
        }
        self.build.paragraph_style(style)
    }

    fn text_style(&mut self, id: TextStyleId) -> Result<TextStyleId> {
        self.build.text_style(self.from.text_style(id).clone())
    }

    fn cell_style(&mut self, id: CellStyleId) -> Result<CellStyleId> {
        match id == CellStyleId::default() {
            true => Ok(id),
            false => self.build.cell_style(self.from.cell_style(id).clone()),
        }
    }

    fn resource(&mut self, id: ResourceId) -> Result<ResourceId> {
        if let Some(known) = self.resources.get(&id.index()) {
            return Ok(*known);
        }
        let own = self.from.resource(id);
        let bytes = own.bytes.clone();
        let new = match own.drawn {
            true => self.build.drawing(bytes)?,
            false => (self.build).resource(bytes, &own.name, Some(&own.media_type))?,
        };
        self.resources.insert(id.index(), new);
        Ok(new)
    }

    fn note(&mut self, id: NoteId) -> Result<NoteId> {
        if let Some(known) = self.notes.get(&id.index()) {
            return Ok(*known);
        }
        let own = self.from.note(id);
        let new = self.build.reserve_note(own.kind)?;
        if let Some(mark) = &own.mark {
            self.build.mark_note(new, mark);
        }
        self.notes.insert(id.index(), new);
        self.within(Node::NoteBody(new), &own.blocks)?;
        Ok(new)
    }

    fn within(&mut self, node: Node, blocks: &[Block]) -> Result<()> {
        self.build.open(node)?;
        self.blocks(blocks)?;
        self.build.close()
    }

    fn line(&mut self, node: Node, content: &[Inline]) -> Result<()> {
        // Adds the texts of the line's notes first, because they are not part of the line.
        let mut notes = Vec::new();
        each_in_line(content, &mut |inline| {
            if let Inline::Note(id) = inline {
                notes.push(*id);
            }
        });
        for id in notes {
            self.note(id)?;
        }
        self.build.open(node)?;
        self.inlines(content)?;
        self.build.close()
    }

    /// Copies blocks. Recursive; the depth of trees is limited.
    fn blocks(&mut self, blocks: &[Block]) -> Result<()> {
        for block in blocks {
            match block {
                Block::Paragraph(paragraph) => {
                    let style = self.paragraph_style(paragraph.style)?;
                    self.line(Node::Paragraph(style), &paragraph.content)?;
                }
                Block::Heading(heading) => {
                    let style = self.heading_style(heading)?;
                    let node = Node::Heading {
                        level: heading.level,
                        id: Some(heading.id.clone()),
                        label: heading.label.clone(),
                        style,
                    };
                    self.line(node, &heading.content)?;
                }
                Block::List(list) => self.list(list)?,
                Block::Definitions(all) => {
                    self.build.open(Node::Definitions)?;
                    for definition in all {
                        self.line(Node::Term, &definition.term)?;
                        for details in &definition.details {
                            self.within(Node::Details, details)?;
                        }
                    }
                    self.build.close()?;
                }
                Block::Table(table) => self.table(table)?,
                Block::Code(code) => {
                    (self.build).code_block(code.info.clone(), code.text.clone())?;
                }
                Block::Quote(blocks) => self.within(Node::Quote, blocks)?,
                Block::Group(group) => {
                    let id = group.id.clone();
                    match &group.kind {
                        GroupKind::Figure { caption } => {
                            self.build.open(Node::Figure { id })?;
                            self.blocks(&group.blocks)?;
                            if !caption.is_empty() {
                                self.within(Node::Caption, caption)?;
                            }
                            self.build.close()?;
                        }
                        GroupKind::Aside => self.within(Node::Aside { id }, &group.blocks)?,
                        GroupKind::Speaker => self.within(Node::Speaker, &group.blocks)?,
                        GroupKind::Frame(frame) => {
                            let mut frame = frame.clone();
                            if let Some(backdrop) = &mut frame.backdrop {
                                **backdrop = self.picture(backdrop)?;
                            }
                            self.within(Node::Frame(frame), &group.blocks)?;
                        }
                        GroupKind::Language(tag) => {
                            self.within(Node::Language(tag.clone()), &group.blocks)?;
                        }
                        // Regions refer to the pages of the source, which the target does not have, so only the blocks
                        // are added.
                        GroupKind::Regions(_) => self.blocks(&group.blocks)?,
                    }
                }
                Block::Rule => self.build.rule()?,
                Block::PageBreak => self.build.page_break()?,
                Block::ColumnBreak => self.build.column_break()?,
                Block::RawHtml(html) => self.build.raw_html(html)?,
            }
        }
        Ok(())
    }

    fn list(&mut self, list: &List) -> Result<()> {
        let mut look = list.look;
        if let Some(style) = look.label_style {
            look.label_style = Some(self.text_style(style)?);
        }
        self.build.open(Node::List {
            kind: list.kind,
            tight: list.tight,
            look,
        })?;
        for Item {
            task,
            label,
            blocks,
        } in &list.items
        {
            let (task, label) = (*task, label.clone());
            self.within(Node::Item { task, label }, blocks)?;
        }
        self.build.close()
    }

    fn table(&mut self, table: &Table) -> Result<()> {
        self.build.open(Node::Table {
            columns: table.columns.clone(),
            width: table.width,
            alignment: table.alignment,
        })?;
        self.build.place_table(table.indent, table.fixed);
        if table.direction.is_some() {
            self.build.turn_table();
        }
        if table.head_once {
            self.build.keep_head_once();
        }
        if !table.caption.is_empty() {
            self.within(Node::Caption, &table.caption)?;
        }
        let parts = [
            (Part::Head, &table.head),
            (Part::Body, &table.body),
            (Part::Foot, &table.foot),
        ];
        for (part, rows) in parts {
            for row in rows {
                self.row(part, row)?;
            }
        }
        self.build.close()
    }

    fn row(&mut self, part: Part, row: &Row) -> Result<()> {
        let height = row.height;
        self.build.open(Node::Row { part, height })?;
        for cell in &row.cells {
            let Cell {
                rows,
                columns,
                heading,
                alignment,
                style,
                blocks,
            } = cell;
            let shape = CellShape {
                rows: *rows,
                columns: *columns,
                heading: *heading,
                alignment: *alignment,
                style: self.cell_style(*style)?,
            };
            self.within(Node::Cell(shape), blocks)?;
        }
        self.build.close()?;
        if row.exact {
            self.build.set_exact_row(part);
        }
        Ok(())
    }

    fn picture(&mut self, picture: &Picture) -> Result<Picture> {
        let mut picture = picture.clone();
        if let PictureSource::Resource(id) = picture.source {
            picture.source = PictureSource::Resource(self.resource(id)?);
        }
        Ok(picture)
    }

    fn inlines(&mut self, content: &[Inline]) -> Result<()> {
        for inline in content {
            match inline {
                Inline::Text(text) => self.build.text(text)?,
                Inline::Marked(mark, content) => {
                    self.build.open(Node::Marked(*mark))?;
                    self.inlines(content)?;
                    self.build.close()?;
                }
                Inline::Span(style, content) => {
                    let style = self.text_style(*style)?;
                    self.build.open(Node::Span(style))?;
                    self.inlines(content)?;
                    self.build.close()?;
                }
                Inline::Code(code) => self.build.code(code.clone())?,
                Inline::Link(link) => {
                    self.build.open(Node::Link {
                        target: link.target.clone(),
                        title: link.title.clone(),
                    })?;
                    self.inlines(&link.content)?;
                    self.build.close()?;
                }
                Inline::Picture(picture) => {
                    let picture = self.picture(picture)?;
                    self.build.picture(picture)?;
                }
                Inline::Note(id) => {
                    let id = self.note(*id)?;
                    self.build.note(id)?;
                }
                Inline::LineBreak => self.build.line_break()?,
                Inline::SoftBreak => self.build.soft_break()?,
                Inline::Math(math) => self.build.math(math.tex.clone(), math.display)?,
                Inline::Bookmark(name) => self.build.bookmark(name)?,
                Inline::Field(field) => self.build.field(field.clone())?,
                Inline::Ruby(ruby) => self.build.ruby(&ruby.base, &ruby.above)?,
                Inline::RawHtml(html) => self.build.raw_html_inline(html)?,
            }
        }
        Ok(())
    }
}
