//! Writes block-level content (part 3, 5).
//!
//! The trap is that a list item cannot contain a table. A table inside a list closes all open lists; if the item has more
//! content after it, they are opened again and continue their numbers. Writes no inline content.

use super::{
    automatic::Kind,
    context::{Context, OpenList, Place},
    lists, properties,
    styles::name,
};
use crate::{
    containers::xml::Writer,
    document::{
        contents::Entry,
        office::Use,
        tree::{
            Alignment, Block, Code, Definition, Direction, Group, GroupKind, Heading, Inline, List,
            Paragraph, ParagraphStyle, ParagraphStyleId, TextStyle,
        },
    },
    error::Result,
};

impl<'a> Context<'a> {
    /// Writes blocks one after another.
    pub(super) fn blocks(&mut self, xml: &mut Writer, blocks: &'a [Block]) -> Result<()> {
        for block in blocks {
            self.grow(xml)?;
            self.block(xml, block)?;
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
                self.go_on(xml);
                xml.start("text:p")
                    .attribute("text:style-name", "Horizontal_20_Line")
                    .end();
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
        let place = self.place.within.unwrap_or(if self.open.is_empty() {
            Use::Text
        } else {
            Use::List
        });
        self.paragraph(xml, place, paragraph.style, &paragraph.content)
    }

    fn paragraph(
        &mut self,
        xml: &mut Writer,
        place: Use,
        style: ParagraphStyleId,
        content: &'a [Inline],
    ) -> Result<()> {
        self.go_on(xml);
        let style = self.style_name(place, style);
        xml.start("text:p").attribute("text:style-name", style);
        self.begin_line(xml);
        self.inlines(xml, content)?;
        xml.end();
        Ok(())
    }

    /// Writes what precedes the text of a paragraph, such as a check box.
    fn begin_line(&mut self, xml: &mut Writer) {
        self.space = true;
        if let Some(ticked) = self.task_pending.take() {
            self.plain_text(xml, if ticked { "\u{2612} " } else { "\u{2610} " });
        }
    }

    /// The style of a paragraph: a common style, or an automatic one if its look differs from that.
    fn style_name(&mut self, place: Use, own: ParagraphStyleId) -> String {
        let (id, base) = self.styles.style(place, own, self.document);
        let (id, base) = (id.to_owned(), base.clone());
        let own = self.document.paragraph_style(own);
        let common = name(&self.styles.all[self.styles.built_in(&id)]);
        let mut own = own.clone();
        if !self.open.is_empty() {
            own.indent_start = None;
            own.first_line = None;
        }
        own.alignment = own.alignment.or(self.place.alignment);
        if self.place.right_to_left {
            own.direction = own.direction.or(Some(Direction::RightToLeft));
        }
        self.automatic_name(&common, &own, &base)
    }

    fn automatic_name(
        &mut self,
        common: &str,
        own: &ParagraphStyle,
        base: &ParagraphStyle,
    ) -> String {
        let mut more = Vec::new();
        if std::mem::take(&mut self.break_pending) && !own.page_break_before {
            more.push(("fo:break-before", "page".to_owned()));
        }
        let mut text = TextStyle {
            language: own.text.language.clone().or(self.place.language.clone()),
            ..own.text.clone()
        };
        subtract(&mut text, &base.text);
        let properties = properties::paragraph(own, base, &more) + &properties::text(&text, None);
        let master = self.master_pending.take();
        if properties.is_empty() && master.is_none() {
            return common.to_owned();
        }
        let mut attributes = vec![("style:parent-style-name", common)];
        if let Some(master) = &master {
            attributes.push(("style:master-page-name", master));
        }
        self.automatic
            .name(Kind::Paragraph, &attributes, &properties)
    }

    /// Writes a page break that is still pending, in a paragraph of its own.
    pub(super) fn end_page(&mut self, xml: &mut Writer) {
        if self.break_pending {
            let style = self.style_name(Use::Text, ParagraphStyleId::default());
            xml.start("text:p")
                .attribute("text:style-name", style)
                .end();
        }
    }

    fn heading(&mut self, xml: &mut Writer, heading: &'a Heading) -> Result<()> {
        self.go_on(xml);
        let style = self.style_name(Use::Heading(heading.level), heading.style);
        xml.start("text:h")
            .attribute("text:style-name", style)
            .number("text:outline-level", heading.level);
        self.begin_line(xml);
        if self.targets.contains(&*heading.id) {
            self.bookmark(xml, &heading.id);
        }
        if let Some(label) = &heading.label
            && self.outline.is_none()
        {
            self.plain_text(xml, &format!("{label} "));
        }
        self.inlines(xml, &heading.content)?;
        xml.end();
        Ok(())
    }

    fn list(&mut self, xml: &mut Writer, list: &'a List) -> Result<()> {
        self.go_on(xml);
        let around = self.open.last().map(|open| open.number);
        let number = self.lists.add(list, self.open.len(), around);
        let start = self.lists.lists[number as usize - 1].1;
        let style = lists::name(&self.lists, number);
        let within = self.place.within.take();
        xml.start("text:list").attribute("text:style-name", &style);
        self.open.push(OpenList { number, style });
        for (at, item) in list.items.iter().enumerate() {
            if self.left {
                self.open_again(xml, "text:list-item");
            } else {
                xml.start("text:list-item");
            }
            if let Some((_, start)) = start.filter(|(_, start)| at == 0 && *start != 1) {
                xml.number("text:start-value", start);
            }
            self.task_pending = item.task;
            self.blocks(xml, &item.blocks)?;
            if self.task_pending.is_some() || item.blocks.is_empty() {
                self.paragraph(xml, Use::List, ParagraphStyleId::default(), &[])?;
            }
            if !self.left {
                xml.end();
            }
        }
        self.open.pop();
        if !self.left {
            xml.end();
        }
        if self.open.is_empty() {
            self.left = false;
        }
        self.place.within = within;
        Ok(())
    }

    /// Opens the closed lists again, to continue the current item.
    fn go_on(&mut self, xml: &mut Writer) {
        if self.left {
            self.open_again(xml, "text:list-header");
        }
    }

    fn open_again(&mut self, xml: &mut Writer, innermost: &'static str) {
        self.left = false;
        let last = self.open.len().saturating_sub(1);
        for (at, list) in self.open.iter().enumerate() {
            xml.start("text:list")
                .attribute("text:style-name", &list.style)
                .attribute("text:continue-numbering", "true");
            xml.start(if at == last {
                innermost
            } else {
                "text:list-header"
            });
        }
    }

    /// Closes all open lists, before a block that cannot be in a list.
    pub(super) fn leave_lists(&mut self, xml: &mut Writer) {
        if !self.left {
            for _ in &self.open {
                xml.end().end();
            }
        }
        self.left = !self.open.is_empty();
    }

    fn definitions(&mut self, xml: &mut Writer, all: &'a [Definition]) -> Result<()> {
        for definition in all {
            let plain = ParagraphStyleId::default();
            self.paragraph(xml, Use::Term, plain, &definition.term)?;
            for details in &definition.details {
                self.within(Use::Details, |this| this.blocks(xml, details))?;
            }
        }
        Ok(())
    }

    fn code(&mut self, xml: &mut Writer, code: &Code) {
        self.go_on(xml);
        let style = self.style_name(Use::Code, ParagraphStyleId::default());
        xml.start("text:p").attribute("text:style-name", style);
        self.begin_line(xml);
        for (number, line) in code.text.split('\n').enumerate() {
            if number > 0 {
                xml.start("text:line-break").end();
                self.space = true;
            }
            self.plain_text(xml, line.trim_end_matches('\r'));
        }
        xml.end();
    }

    fn group(&mut self, xml: &mut Writer, group: &'a Group) -> Result<()> {
        match &group.kind {
            GroupKind::Figure { caption } => {
                self.within(Use::Figure, |this| this.blocks(xml, &group.blocks))?;
                self.within(Use::FigureCaption, |this| this.blocks(xml, caption))
            }
            GroupKind::Aside => self.blocks(xml, &group.blocks),
            GroupKind::Language(tag) => {
                let before = self.place.clone();
                let primary = tag.split('-').next().unwrap_or_default();
                self.place.language = Some(tag.clone());
                self.place.right_to_left = matches!(primary, "ar" | "he" | "fa" | "ur" | "yi");
                self.blocks(xml, &group.blocks)?;
                self.place = before;
                Ok(())
            }
        }
    }

    /// Writes the title block, if the document has one in its metadata.
    pub(super) fn title(&mut self, xml: &mut Writer) {
        let document = self.document;
        let metadata = &document.metadata;
        if !metadata.title_block {
            return;
        }
        let lines = metadata.title.iter().map(|line| (Use::Title, line));
        let lines = lines.chain(metadata.subtitle.iter().map(|line| (Use::Subtitle, line)));
        let lines = lines.chain(metadata.authors.iter().map(|line| (Use::Author, line)));
        for (place, line) in lines.chain(metadata.date.iter().map(|line| (Use::Date, line))) {
            let style = self.style_name(place, ParagraphStyleId::default());
            xml.start("text:p").attribute("text:style-name", style);
            self.space = true;
            self.plain_text(xml, line);
            xml.end();
        }
    }

    /// Writes a table of contents with links to the headings (part 3, 8.3).
    pub(super) fn contents(&mut self, xml: &mut Writer, entries: &[Entry]) {
        if entries.is_empty() {
            return;
        }
        xml.start("text:table-of-content")
            .attribute("text:name", "Contents");
        xml.start("text:table-of-content-source")
            .attribute("text:outline-level", "3")
            .end();
        xml.start("text:index-body");
        self.entries(xml, entries, 1);
        xml.end().end();
    }

    fn entries(&mut self, xml: &mut Writer, entries: &[Entry], level: u8) {
        for entry in entries {
            let style = format!("Contents_20_{level}");
            xml.start("text:p").attribute("text:style-name", style);
            self.space = true;
            xml.start("text:a")
                .attribute("xlink:type", "simple")
                .attribute("xlink:href", format!("#{}", entry.id));
            self.plain_text(xml, &entry.text);
            xml.end().end();
            self.entries(xml, &entry.below, (level + 1).min(3));
        }
    }

    /// Writes a separate flow of blocks, such as a note or a header.
    pub(super) fn apart(
        &mut self,
        xml: &mut Writer,
        place: Place,
        blocks: &'a [Block],
    ) -> Result<()> {
        let around = std::mem::replace(&mut self.place, place);
        let open = std::mem::take(&mut self.open);
        let left = std::mem::take(&mut self.left);
        let space = self.space;
        let before = xml.len();
        self.blocks(xml, blocks)?;
        if xml.len() == before {
            xml.start("text:p").end();
        }
        self.place = around;
        self.open = open;
        self.left = left;
        self.space = space;
        Ok(())
    }

    /// Sets the alignment of paragraphs in a cell that state none.
    pub(super) fn set_alignment(&mut self, alignment: Option<Alignment>) {
        self.place.alignment = alignment.filter(|side| *side != Alignment::Start);
    }
}

/// Removes the properties that are the same in the style below.
fn subtract(text: &mut TextStyle, base: &TextStyle) {
    fn same<T: PartialEq>(own: &mut Option<T>, base: &Option<T>) {
        if own == base {
            *own = None;
        }
    }
    same(&mut text.font, &base.font);
    same(&mut text.size, &base.size);
    same(&mut text.colour, &base.colour);
    same(&mut text.background, &base.background);
    same(&mut text.language, &base.language);
    same(&mut text.bold, &base.bold);
    same(&mut text.italic, &base.italic);
    text.capitals &= !base.capitals;
}
