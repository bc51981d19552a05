//! Writes block-level content. Paragraphs are written one after another; their styles and lists express the structure.
//! Writes no inline content.

use super::{
    context::{Context, Place},
    header::RULE,
};
use crate::{
    document::{
        contents::Entry,
        numbering,
        office::Use,
        tree::{
            Block, Code, Definition, Group, GroupKind, Heading, Inline, List, ListKind, Margins,
            PageSetup, ParagraphStyleId, SectionStart,
        },
    },
    error::Result,
};

impl<'a> Context<'a> {
    /// Writes blocks one after another.
    pub(super) fn blocks(&mut self, blocks: &'a [Block]) -> Result<()> {
        for block in blocks {
            self.grow()?;
            self.block(block)?;
        }
        Ok(())
    }

    fn block(&mut self, block: &'a Block) -> Result<()> {
        let plain = ParagraphStyleId::default();
        match block {
            Block::Paragraph(paragraph) => {
                let place = self.place.within.unwrap_or(match self.place.list {
                    Some(_) => Use::List,
                    None => Use::Text,
                });
                self.paragraph(place, paragraph.style, &paragraph.content)
            }
            Block::Heading(heading) => self.heading(heading),
            Block::List(list) => self.list(list),
            Block::Definitions(all) => self.definitions(all),
            Block::Table(table) => self.table(table),
            Block::Code(code) => {
                self.code(code);
                Ok(())
            }
            Block::Quote(blocks) => self.within(Use::Quote, |this| this.blocks(blocks)),
            Block::Group(group) => self.group(group),
            Block::Rule => {
                self.begin_paragraph(Use::Text, plain, false);
                self.number("s", RULE as i64);
                self.out.push_str("\\brdrb\\brdrs\\brdrw15 ");
                Ok(())
            }
            Block::PageBreak => {
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

    fn paragraph(
        &mut self,
        place: Use,
        style: ParagraphStyleId,
        content: &'a [Inline],
    ) -> Result<()> {
        self.begin_paragraph(place, style, true);
        self.inlines(content)
    }

    /// Ends the open paragraph.
    pub(super) fn end_paragraph(&mut self) {
        if std::mem::take(&mut self.open) {
            self.out.push_str("\\par\n");
        }
    }

    /// Opens a paragraph and writes its properties.
    pub(super) fn begin_paragraph(&mut self, place: Use, own: ParagraphStyleId, numbered: bool) {
        self.end_paragraph();
        self.open = true;
        if let Some(label) = self.label_pending.take() {
            self.out.push_str("{\\listtext\\pard\\plain ");
            self.text(&label);
            self.out.push_str("\\tab}");
        }
        self.out.push_str("\\pard\\plain");
        self.in_table();
        let (id, base) = self.styles.style(place, own, self.document);
        let (id, base) = (id.to_owned(), base.clone());
        let number = self.styles.built_in(&id);
        let outline = self.styles.all[number].outline;
        self.number("s", number as i64);
        let own = self.document.paragraph_style(own).clone();
        self.paragraph_look(&own, &base);
        if let Some(level) = outline {
            self.number("outlinelevel", level.into());
        }
        if let Some((list, level)) = self.place.list {
            let level = level.min(8);
            let written = self.lists.level(list, level);
            // A paragraph that continues an item is in no list, but has the indent of the item.
            let begins = !self.place.numbered;
            if begins {
                self.number("ls", list.into());
                self.number("ilvl", level as i64);
            }
            self.number("li", written.indent.to_twips());
            self.number(
                "fi",
                if begins {
                    written.first_line.to_twips()
                } else {
                    0
                },
            );
            self.place.numbered |= numbered;
        }
        let size = self.styles.text.size;
        let mut text = crate::document::office::over(&base.text, &own.text);
        text.size = text.size.or(size);
        self.text_look(&text);
        self.out.push(' ');
        if std::mem::take(&mut self.break_pending) {
            self.out.push_str("\\page ");
        }
        if std::mem::take(&mut self.note_mark) {
            self.out.push_str("{\\super\\chftn} ");
        }
        if let Some(ticked) = self.task_pending.take() {
            self.text(if ticked { "\u{2612} " } else { "\u{2610} " });
        }
    }

    fn heading(&mut self, heading: &'a Heading) -> Result<()> {
        self.begin_paragraph(Use::Heading(heading.level), heading.style, true);
        if self.targets.contains(&*heading.id) {
            self.bookmark(&heading.id);
        }
        if let Some(label) = &heading.label {
            self.text(label);
            self.text("\t");
        }
        self.inlines(&heading.content)
    }

    fn list(&mut self, list: &'a List) -> Result<()> {
        let around = self.place.clone();
        // Check boxes are text, because some programs drop the labels of items. The items have no bullets beside them.
        let boxes =
            list.kind == ListKind::Bullet && list.items.iter().all(|item| item.task.is_some());
        let own = if boxes {
            self.lists.add_blank()
        } else {
            self.lists
                .add(list, around.depth, around.list.map(|(list, _)| list))
        };
        for (count, item) in (0..).zip(&list.items) {
            let mut numbers = around.numbers.clone();
            let label = match list.kind {
                ListKind::Ordered(kind) => {
                    let number = kind.start.saturating_add(count);
                    let label = numbering::label(number, kind, &numbers);
                    numbers.push(numbering::write(number, kind.numeral));
                    label
                }
                ListKind::Bullet => {
                    let written = self.lists.level(own, around.depth);
                    String::from_iter(written.bullet(around.depth))
                }
            };
            self.label_pending = Some(label);
            self.task_pending = item.task;
            self.place = Place {
                within: None,
                list: Some((own, around.depth)),
                numbered: false,
                depth: around.depth + 1,
                numbers,
                ..around.clone()
            };
            if !matches!(item.blocks.first(), Some(Block::Paragraph(_))) {
                self.begin_paragraph(Use::List, ParagraphStyleId::default(), true);
            }
            self.blocks(&item.blocks)?;
        }
        self.place = around;
        // The text after a nested list continues the enclosing item, which has its number already.
        self.place.numbered = true;
        Ok(())
    }

    fn definitions(&mut self, all: &'a [Definition]) -> Result<()> {
        for definition in all {
            self.paragraph(Use::Term, ParagraphStyleId::default(), &definition.term)?;
            for details in &definition.details {
                self.within(Use::Details, |this| this.blocks(details))?;
            }
        }
        Ok(())
    }

    fn code(&mut self, code: &Code) {
        self.begin_paragraph(Use::Code, ParagraphStyleId::default(), false);
        self.out.push_str("{\\f1 ");
        for (number, line) in code.text.split('\n').enumerate() {
            if number > 0 {
                self.out.push_str("\\line ");
            }
            self.text(line.trim_end_matches('\r'));
        }
        self.out.push('}');
    }

    fn group(&mut self, group: &'a Group) -> Result<()> {
        match &group.kind {
            GroupKind::Figure { caption } => {
                self.within(Use::Figure, |this| this.blocks(&group.blocks))?;
                self.within(Use::FigureCaption, |this| this.blocks(caption))
            }
            GroupKind::Aside => self.blocks(&group.blocks),
            GroupKind::Language(tag) => {
                let primary = tag.split('-').next().unwrap_or_default();
                let before = self.place.right_to_left;
                self.place.right_to_left = matches!(primary, "ar" | "he" | "fa" | "ur" | "yi");
                self.blocks(&group.blocks)?;
                self.place.right_to_left = before;
                Ok(())
            }
        }
    }

    /// Writes the title block, if the document has one in its metadata.
    pub(super) fn title(&mut self) {
        let metadata = &self.document.metadata;
        if !metadata.title_block {
            return;
        }
        let lines = metadata.title.iter().map(|line| (Use::Title, line));
        let lines = lines.chain(metadata.subtitle.iter().map(|line| (Use::Subtitle, line)));
        let lines = lines.chain(metadata.authors.iter().map(|line| (Use::Author, line)));
        for (place, line) in lines.chain(metadata.date.iter().map(|line| (Use::Date, line))) {
            self.begin_paragraph(place, ParagraphStyleId::default(), true);
            self.text(line);
        }
    }

    /// Writes a table of contents: links to the headings.
    pub(super) fn contents(&mut self, entries: &[Entry], level: i64) {
        for entry in entries {
            self.end_paragraph();
            self.open = true;
            self.out.push_str("\\pard\\plain\\ql");
            self.number("li", 220 * (level - 1));
            self.out.push(' ');
            self.begin_link(&format!("#{}", entry.id));
            self.text(&entry.text);
            self.end_link();
            self.contents(&entry.below, level + 1);
        }
    }

    /// Begins a section with its page size, margins, headers and footers.
    pub(super) fn begin_section(&mut self, page: Option<&'a PageSetup>, first: bool) -> Result<()> {
        if !first {
            self.end_paragraph();
            self.out.push_str("\\sect\n");
        }
        let Some(page) = page else { return Ok(()) };
        self.text_width = page.width - page.left - page.right;
        if first {
            self.page = Some(page);
        }
        self.word("sectd");
        self.word(match page.begins {
            SectionStart::NewPage => "sbkpage",
            SectionStart::SamePage => "sbknone",
            SectionStart::OddPage => "sbkodd",
            SectionStart::EvenPage => "sbkeven",
        });
        for (word, length) in [
            ("pgwsxn", page.width),
            ("pghsxn", page.height),
            ("marglsxn", page.left),
            ("margrsxn", page.right),
            ("margtsxn", page.top),
            ("margbsxn", page.bottom),
        ] {
            self.number(word, length.to_twips());
        }
        if page.columns > 1 {
            self.number("cols", page.columns.into());
        }
        if page.headers.first.is_some() || page.footers.first.is_some() {
            self.word("titlepg");
        }
        self.out.push('\n');
        self.margins("header", &page.headers, Use::Header)?;
        self.margins("footer", &page.footers, Use::Footer)
    }

    fn margins(&mut self, word: &str, margins: &'a Margins, place: Use) -> Result<()> {
        let all: [(&str, Option<&'a [Block]>); 3] = [
            ("", Some(&margins.all)),
            ("f", margins.first.as_deref()),
            ("l", margins.even.as_deref()),
        ];
        for (suffix, blocks) in all {
            let Some(blocks) = blocks.filter(|blocks| !blocks.is_empty()) else {
                continue;
            };
            self.out.push('{');
            self.word(&format!("{word}{suffix}"));
            self.within(place, |this| this.blocks(blocks))?;
            self.end_paragraph();
            self.out.push_str("}\n");
        }
        Ok(())
    }
}
