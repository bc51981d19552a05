//! Writes block-level content. Paragraphs are written one after another; their styles and list levels express the structure
//! (ECMA-376 part 1, 17.3.1). Writes no inline content.

use super::{
    context::{Context, Place},
    properties::{self, Run},
};
use crate::{
    containers::xml::Writer,
    document::{
        office::{Use, WrittenLists},
        tree::{
            Block, Code, Definition, Group, GroupKind, Heading, Inline, Length, List, Paragraph,
            ParagraphStyleId,
        },
    },
    error::Result,
};

/// The number of the list for paragraphs without a number.
const NO_LIST: u32 = 0;

impl<'a> Context<'a> {
    /// Writes blocks one after another.
    pub(super) fn blocks(&mut self, xml: &mut Writer, blocks: &'a [Block]) -> Result<()> {
        let mut table_before = false;
        for block in blocks {
            self.grow(xml)?;
            let table = matches!(block, Block::Table(_));
            if table && table_before {
                // Word joins adjacent tables into one, so an empty paragraph keeps them apart.
                self.empty_paragraph(xml);
            }
            table_before = table;
            self.block(xml, block)?;
        }
        Ok(())
    }

    /// Writes blocks and makes sure that a paragraph comes last, as the schema requires in cells and notes.
    pub(super) fn blocks_with_end(&mut self, xml: &mut Writer, blocks: &'a [Block]) -> Result<()> {
        self.blocks(xml, blocks)?;
        self.end_page(xml);
        if !blocks.last().is_some_and(ends_in_paragraph) {
            self.empty_paragraph(xml);
        }
        Ok(())
    }

    fn block(&mut self, xml: &mut Writer, block: &'a Block) -> Result<()> {
        match block {
            Block::Paragraph(paragraph) => self.text(xml, paragraph),
            Block::Heading(heading) => self.heading(xml, heading),
            Block::List(list) => self.list(xml, list),
            Block::Definitions(all) => self.definitions(xml, all),
            Block::Table(table) => self.table(xml, table),
            Block::Code(code) => {
                self.code(xml, code);
                Ok(())
            }
            Block::Quote(blocks) => self.within(Use::Quote, |this| this.blocks(xml, blocks)),
            Block::Group(group) => self.group(xml, group),
            Block::Rule => {
                self.number_item(xml);
                self.paragraph_start(xml, Use::Text, ParagraphStyleId::default(), false);
                xml.raw(RULE).end();
                Ok(())
            }
            Block::PageBreak => {
                self.end_page(xml);
                self.break_pending = true;
                Ok(())
            }
            Block::RawHtml(_) => Ok(()),
        }
    }

    fn within(&mut self, place: Use, write: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        let before = self.place.within.replace(place);
        let written = write(self);
        self.place.within = before;
        written
    }

    fn text(&mut self, xml: &mut Writer, paragraph: &'a Paragraph) -> Result<()> {
        let place = self.place.within.unwrap_or(match self.place.list {
            Some(_) => Use::List,
            None => Use::Text,
        });
        self.paragraph_of(xml, place, paragraph.style, &paragraph.content)
    }

    pub(super) fn paragraph_of(
        &mut self,
        xml: &mut Writer,
        place: Use,
        style: ParagraphStyleId,
        content: &'a [Inline],
    ) -> Result<()> {
        self.paragraph_start(xml, place, style, true);
        let run = self.run();
        self.inlines(xml, content, &run)?;
        xml.end();
        Ok(())
    }

    /// Opens a paragraph and writes its properties.
    fn paragraph_start(
        &mut self,
        xml: &mut Writer,
        place: Use,
        style: ParagraphStyleId,
        numbered: bool,
    ) {
        let own = self.document.paragraph_style(style);
        let (id, base) = self.styles.style(place, style, self.document);
        let section = self.section_pending.take();
        let goes_on = self.place.list.filter(|_| self.place.numbered || !numbered);
        // A paragraph that continues an item has the indent of the item, and says that it has no number at that level. Word
        // writes it so, and others know by it to which item it belongs.
        let indented = goes_on.map(|(list, level)| {
            let item = self.lists.level(list, level);
            let mut own = own.clone();
            own.indent_start = own.indent_start.max(Some(item.indent));
            own.first_line = own.first_line.or(base.first_line.and(Some(Length::ZERO)));
            own
        });
        let own = indented.as_ref().unwrap_or(own);
        let list = match goes_on {
            Some((_, level)) => Some((NO_LIST, level.min(8))),
            None => self.place.list.map(|(list, level)| (list, level.min(8))),
        };
        let list = list.filter(|_| {
            !matches!(place, Use::Heading(_) | Use::TableCaption) || !self.place.numbered
        });
        let named = (id != "Normal").then_some(id);
        let properties = properties::Place {
            style: named,
            list,
            keep_with_next: false,
            alignment: self.place.alignment,
            right_to_left: self.place.right_to_left,
            section: section.as_deref(),
        };
        xml.start("w:p");
        properties::paragraph(xml, &properties, own, base);
        self.place.numbered |= numbered;
        if let Some(mark) = self.note_mark.take() {
            xml.raw(&mark);
            super::inlines::text(xml, &Run::default(), " ");
        }
        if std::mem::take(&mut self.break_pending) {
            xml.raw(PAGE_BREAK);
        }
    }

    /// Writes a paragraph with the number of the note, for a note that does not begin with a paragraph.
    pub(super) fn mark_paragraph(&mut self, xml: &mut Writer) {
        self.paragraph_start(xml, Use::Footnote, ParagraphStyleId::default(), true);
        xml.end();
    }

    fn empty_paragraph(&mut self, xml: &mut Writer) {
        xml.start("w:p");
        if let Some(section) = self.section_pending.take() {
            xml.start("w:pPr").raw(&section).end();
        }
        xml.end();
    }

    /// Writes a page break that is still pending, in a paragraph of its own.
    pub(super) fn end_page(&mut self, xml: &mut Writer) {
        if std::mem::take(&mut self.break_pending) {
            xml.start("w:p").raw(PAGE_BREAK).end();
        }
    }

    /// Writes an empty numbered paragraph, for a list item that does not begin with a paragraph.
    pub(super) fn number_item(&mut self, xml: &mut Writer) {
        if self.place.list.is_some() && !self.place.numbered {
            self.paragraph_start(xml, Use::List, ParagraphStyleId::default(), true);
            xml.end();
        }
    }

    fn heading(&mut self, xml: &mut Writer, heading: &'a Heading) -> Result<()> {
        self.paragraph_start(xml, Use::Heading(heading.level), heading.style, true);
        let named = self.targets.contains(&*heading.id);
        let id = named.then(|| self.open_bookmark(xml, &heading.id));
        if let Some(label) = &heading.label
            && self.lists.headings().is_none()
        {
            let run = self.run();
            super::inlines::text(xml, &run, label);
            super::inlines::text(xml, &run, "\t");
        }
        let run = self.run();
        self.inlines(xml, &heading.content, &run)?;
        if let Some(id) = id {
            xml.start("w:bookmarkEnd").number("w:id", id).end();
        }
        xml.end();
        Ok(())
    }

    fn list(&mut self, xml: &mut Writer, list: &'a List) -> Result<()> {
        let around = self.place.clone();
        let own = self
            .lists
            .add(list, around.depth, around.list.map(|(list, _)| list));
        for item in &list.items {
            let number = item.task.map_or(own, WrittenLists::task);
            self.place = Place {
                within: None,
                list: Some((number, around.depth)),
                numbered: false,
                depth: around.depth + 1,
                ..around.clone()
            };
            let first = item.blocks.first();
            if !matches!(first, Some(Block::Paragraph(_) | Block::Heading(_))) {
                self.number_item(xml);
            }
            self.blocks(xml, &item.blocks)?;
        }
        self.place = around;
        // The text after a nested list continues the enclosing item, which has its number already.
        self.place.numbered = true;
        Ok(())
    }

    fn definitions(&mut self, xml: &mut Writer, all: &'a [Definition]) -> Result<()> {
        self.number_item(xml);
        for definition in all {
            self.paragraph_of(
                xml,
                Use::Term,
                ParagraphStyleId::default(),
                &definition.term,
            )?;
            for details in &definition.details {
                self.within(Use::Details, |this| this.blocks(xml, details))?;
            }
        }
        Ok(())
    }

    fn code(&mut self, xml: &mut Writer, code: &Code) {
        self.number_item(xml);
        self.paragraph_start(xml, Use::Code, ParagraphStyleId::default(), false);
        let run = Run {
            code: true,
            ..Run::default()
        };
        for (number, line) in code.text.split('\n').enumerate() {
            if number > 0 {
                xml.raw("<w:r><w:br/></w:r>");
            }
            super::inlines::text(xml, &run, line.trim_end_matches('\r'));
        }
        xml.end();
    }

    fn group(&mut self, xml: &mut Writer, group: &'a Group) -> Result<()> {
        let named = group.id.as_deref().filter(|id| self.targets.contains(id));
        let id = named.map(|id| self.open_bookmark(xml, id));
        match &group.kind {
            GroupKind::Figure { caption } => {
                self.within(Use::Figure, |this| this.blocks(xml, &group.blocks))?;
                self.within(Use::FigureCaption, |this| this.blocks(xml, caption))?;
            }
            GroupKind::Aside => self.blocks(xml, &group.blocks)?,
            GroupKind::Language(tag) => {
                let before = self.place.clone();
                let primary = tag.split('-').next().unwrap_or_default();
                self.place.language = Some(tag.clone());
                self.place.right_to_left = matches!(primary, "ar" | "he" | "fa" | "ur" | "yi");
                self.blocks(xml, &group.blocks)?;
                self.place = Place {
                    numbered: self.place.numbered,
                    ..before
                };
            }
        }
        if let Some(id) = id {
            xml.start("w:bookmarkEnd").number("w:id", id).end();
        }
        Ok(())
    }

    /// Writes the title block, if the document has one in its metadata.
    pub(super) fn title(&mut self, xml: &mut Writer) {
        let metadata = &self.document.metadata;
        if !metadata.title_block {
            return;
        }
        let lines = metadata.title.iter().map(|line| (Use::Title, line));
        let lines = lines.chain(metadata.subtitle.iter().map(|line| (Use::Subtitle, line)));
        let lines = lines.chain(metadata.authors.iter().map(|line| (Use::Author, line)));
        for (place, line) in lines.chain(metadata.date.iter().map(|line| (Use::Date, line))) {
            self.plain(xml, place, line);
        }
    }

    /// Writes a paragraph of plain text in the style for `place`.
    pub(super) fn plain(&mut self, xml: &mut Writer, place: Use, line: &str) {
        let (id, base) = self
            .styles
            .style(place, ParagraphStyleId::default(), self.document);
        let properties = properties::Place {
            style: Some(id),
            ..properties::Place::default()
        };
        xml.start("w:p");
        properties::paragraph(xml, &properties, base, base);
        super::inlines::text(xml, &Run::default(), line);
        xml.end();
    }
}

/// Whether the last element that is written for a block is a paragraph.
pub(super) fn ends_in_paragraph(block: &Block) -> bool {
    let last = |blocks: &[Block]| blocks.last().is_some_and(ends_in_paragraph);
    match block {
        Block::Table(_) | Block::PageBreak | Block::RawHtml(_) => false,
        Block::Quote(blocks) => last(blocks),
        Block::Group(group) => match &group.kind {
            GroupKind::Figure { caption } if !caption.is_empty() => last(caption),
            _ => last(&group.blocks),
        },
        Block::List(list) => list
            .items
            .last()
            .is_none_or(|item| item.blocks.is_empty() || last(&item.blocks)),
        Block::Definitions(all) => all
            .last()
            .is_none_or(|one| one.details.last().is_none_or(|details| last(details))),
        Block::Paragraph(_) | Block::Heading(_) | Block::Code(_) | Block::Rule => true,
    }
}

const PAGE_BREAK: &str = r#"<w:r><w:br w:type="page"/></w:r>"#;

/// A horizontal rule in VML (ECMA-376 part 4, 19.1.2.16), as Word itself writes it. Every program that reads these documents
/// recognises it.
const RULE: &str = concat!(
    r#"<w:r><w:pict><v:rect style="width:0;height:1.5pt" o:hralign="center" "#,
    r#"o:hrstd="t" o:hr="t" fillcolor="gray" stroked="f"/></w:pict></w:r>"#,
);
