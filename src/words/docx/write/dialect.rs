//! Writes the elements of WordprocessingML for each node of the tree.

use super::{
    body::{NO_LIST, PAGE_BREAK, RULE},
    context::{Docx, bookmark},
    inlines::text,
    properties::{self, Run, value},
};
use crate::error::Result;
use convertd_office::wordprocessing::{
    self as office, Use, WrittenLists,
    write::{Context, Dialect, TableRow},
};
use convertd_tree::{
    Block, Cell, Code, Field, Item, Length, List, Mark, NoteId, NoteKind, ParagraphStyleId,
    Picture, ResourceId, Ruby, Table, TextStyle, math,
};

impl<'a> Dialect<'a> for Docx<'a> {
    const FRAMES: bool = true;

    fn context(&mut self) -> &mut Context<'a> {
        &mut self.context
    }

    // The memory is estimated at twice the length of the text so far.
    fn written(&self) -> u64 {
        2 * self.xml.len() as u64
    }

    // Opens a `w:p`, and writes its properties: its style, its place in a list, and all differences from the style.
    fn open_paragraph(&mut self, place: Use, style: ParagraphStyleId, takes_number: bool) {
        let context = &mut self.context;
        let own = context.document.paragraph_style(style);
        let (id, base) = context.styles.style(place, style, context.document);
        // If the source has no formatting, a paragraph without a style of its own has the formatting of its Word style.
        let is_unformatted = context.document.is_plain && style == ParagraphStyleId::DEFAULT;
        let own = if is_unformatted { base } else { own };
        let section = self.section_pending.take();
        let position = &mut context.place;
        let continued_item = position.list.filter(|_| position.numbered || !takes_number);
        // A paragraph that continues a list item has the indent of the item, and the list number 0 at its level. Word
        // writes it this way, and other programs recognise by the list number that the paragraph belongs to the item.
        let indented = continued_item.map(|(list, level)| {
            let item = context.lists.level(list, level);
            let mut own = own.clone();
            own.indent_start = own.indent_start.max(Some(item.indent));
            own.first_line = own.first_line.or(base.first_line.and(Some(Length::ZERO)));
            own
        });
        let own = indented.as_ref().unwrap_or(own);
        let list = match continued_item {
            Some((_, level)) => Some((NO_LIST, level.min(8))),
            None => position.list.map(|(list, level)| (list, level.min(8))),
        };
        // Headings and captions of tables only have a number if they begin the item.
        let list = list.filter(|_| {
            !matches!(place, Use::Heading(_) | Use::TableCaption) || !position.numbered
        });
        let properties = properties::PositionProperties {
            style: (id != "Normal").then_some(id),
            list,
            keep_with_next: false,
            alignment: position.alignment,
            right_to_left: position.right_to_left,
            section: section.as_deref(),
            frame: position.frame.as_deref().filter(|_| position.tables == 0),
        };
        self.lacks_paragraph = false;
        self.xml.start("w:p");
        properties::paragraph(&mut self.xml, &properties, own, base);
        position.numbered |= takes_number;
        // Word has text formatting of paragraphs only in named styles. Formatting beyond that of the style goes to the
        // runs.
        let of_style = office::over(&context.styles.text, &base.text);
        let mut text_style = office::without(own.text.clone(), &of_style);
        text_style.language = position.language.clone();
        let run = Run {
            text: text_style,
            ..Run::default()
        };
        // Properties of runs, the innermost last. Marks and spans add to them.
        self.runs = vec![run];
        // A note begins with its number.
        if let Some(mark) = self.note_mark.take() {
            self.xml.raw(&mark);
            text(&mut self.xml, &Run::default(), " ");
        }
        if std::mem::take(&mut context.break_pending) {
            self.xml.raw(PAGE_BREAK);
        }
    }

    fn close_paragraph(&mut self) {
        self.xml.end();
    }

    // Writes a paragraph with the style of the title, subtitle, author or date.
    fn title_line(&mut self, place: Use, line: &str) {
        let context = &self.context;
        let style = ParagraphStyleId::default();
        let (id, base) = context.styles.style(place, style, context.document);
        let properties = properties::PositionProperties {
            style: Some(id),
            ..properties::PositionProperties::default()
        };
        self.xml.start("w:p");
        properties::paragraph(&mut self.xml, &properties, base, base);
        text(&mut self.xml, &Run::default(), line);
        self.xml.end();
    }

    fn code_block(&mut self, code: &Code) {
        self.open_paragraph(Use::Code, ParagraphStyleId::default(), false);
        let mut run = Run {
            code: true,
            ..Run::default()
        };
        for (number, line) in self.context.code_lines(code).enumerate() {
            // Lines of code are separated by breaks within one paragraph.
            if number > 0 {
                self.xml.raw("<w:r><w:br/></w:r>");
            }
            for (colour, piece) in line {
                run.text.colour = colour;
                text(&mut self.xml, &run, piece);
            }
        }
        self.xml.end();
    }

    // Writes a paragraph that contains a horizontal rule in VML.
    fn rule(&mut self) {
        self.open_paragraph(Use::Text, ParagraphStyleId::default(), false);
        self.xml.raw(RULE).end();
    }

    // If a page break is pending, writes a paragraph that contains only this break. At the end of a text, another
    // paragraph follows on the new page.
    fn end_page(&mut self) {
        if std::mem::take(&mut self.context.break_pending) {
            self.lacks_paragraph = true;
            self.xml.start("w:p").raw(PAGE_BREAK).end();
        }
    }

    // Items with check boxes are in one of two lists, whose bullets are check boxes.
    fn list_of(&self, list: u32, item: &Item) -> u32 {
        item.task.map_or(list, WrittenLists::task)
    }

    // Items that do not begin with a paragraph or a heading have an empty paragraph for their number.
    fn open_item(&mut self, _list: &'a List, item: &'a Item, _index: u32) -> Result<()> {
        let first = item.blocks.first();
        if !matches!(first, Some(Block::Paragraph(_) | Block::Heading(_))) {
            self.number_item();
        }
        Ok(())
    }

    fn before_table(&mut self) {
        self.end_page();
    }

    // Opens a `w:tbl`, and writes its columns.
    fn open_table(&mut self, table: &'a Table, widths: &[Length], lists: usize) {
        self.start_table(table, widths, lists);
    }

    fn open_row(&mut self, row: &TableRow<'_, 'a>) {
        self.start_row(row);
    }

    fn open_cell(&mut self, cell: &'a Cell, width: Length) {
        self.lacks_paragraph = true;
        self.start_cell(Some(cell), width, true);
    }

    // The schema requires a paragraph at the end of a cell.
    fn close_cell(&mut self, _cell: &'a Cell) -> Result<()> {
        self.end_with_paragraph();
        self.xml.end();
        Ok(())
    }

    // Writes a continuation of the cell above (`w:vMerge`).
    fn covered(&mut self, cell: &'a Cell, width: Length) {
        self.start_cell(Some(cell), width, false);
        self.xml.raw("<w:p/>").end();
    }

    // Writes an empty cell.
    fn missing(&mut self, width: Length) {
        self.start_cell(None, width, true);
        self.xml.raw("<w:p/>").end();
    }

    // The schema requires a cell in each row.
    fn close_row(&mut self, row: &TableRow<'_, 'a>) {
        if row.places.is_empty() {
            self.xml.raw("<w:tc><w:p/></w:tc>");
        }
        self.xml.end();
    }

    fn close_table(&mut self) {
        self.lacks_paragraph = true;
        self.xml.end();
    }

    /// Word joins adjacent tables into one, so an empty paragraph keeps them apart.
    fn between_tables(&mut self) {
        self.empty_paragraph();
    }

    fn text(&mut self, words: &str) {
        let run = self.run();
        text(&mut self.xml, &run, words);
    }

    // Marks become properties of all runs in them.
    fn open_mark(&mut self, mark: Mark) {
        self.push_run(|run| run.marks.push(mark));
    }

    fn close_mark(&mut self) {
        self.runs.pop();
    }

    fn open_span(&mut self, style: &TextStyle) {
        self.push_run(|run| run.text = office::over(&run.text, style));
    }

    fn close_span(&mut self) {
        self.runs.pop();
    }

    fn code(&mut self, code: &str) {
        self.push_run(|run| run.code = true);
        self.text(code);
        self.runs.pop();
    }

    fn line_break(&mut self) {
        self.xml.raw("<w:r><w:br/></w:r>");
    }

    // Opens a `w:hyperlink`. Targets in the document are bookmarks, and other targets are relationships.
    fn open_link(&mut self, target: &str, title: &str) {
        match target.strip_prefix('#').filter(|name| !name.is_empty()) {
            Some(name) => {
                let xml = self.xml.start("w:hyperlink");
                xml.attribute("w:anchor", bookmark(name));
            }
            None => {
                let id = self.relationships.add("hyperlink", target, true);
                self.xml.start("w:hyperlink").attribute("r:id", id);
            }
        }
        if !title.is_empty() {
            self.xml.attribute("w:tooltip", title);
        }
        self.push_run(|run| run.link = true);
    }

    fn close_link(&mut self) {
        self.runs.pop();
        self.xml.end();
    }

    fn picture(&mut self, id: ResourceId, picture: &'a Picture, words: &str) -> Result<()> {
        self.show(id, picture, words);
        Ok(())
    }

    // Writes a run with the reference to a note. The text of the note is in another part.
    fn note(&mut self, note: NoteId) -> Result<()> {
        let (number, _) = self.context.note_number(note);
        let (style, element) = match self.context.document.note(note).kind {
            NoteKind::Footnote => ("FootnoteReference", "w:footnoteReference"),
            NoteKind::Endnote => ("EndnoteReference", "w:endnoteReference"),
        };
        let xml = &mut self.xml;
        xml.start("w:r").start("w:rPr");
        xml.start("w:rStyle").attribute("w:val", style).end().end();
        xml.start(element);
        let mark = self.context.document.note(note).mark.as_deref();
        if mark.is_some() {
            xml.attribute("w:customMarkFollows", "1");
        }
        xml.number("w:id", number as i64).end();
        if let Some(mark) = mark {
            xml.leaf("w:t", mark);
        }
        xml.end();
        Ok(())
    }

    // Writes a formula as Office Math.
    fn formula(&mut self, tex: &str, display: bool) -> bool {
        math::omml::write(&mut self.xml, tex, display)
    }

    // Writes a run with the word and the text above it, which has half the size (17.3.3.25).
    fn ruby(&mut self, ruby: &Ruby) {
        let run = self.run();
        let size = run.text.size.or(self.context.styles.text.size);
        let halves = size.map_or(22.0, |size| size.to_points() * 2.0).round() as i64;
        let small = Run {
            text: TextStyle {
                size: Some(Length::points(halves as f64 / 4.0)),
                ..run.text.clone()
            },
            ..run.clone()
        };
        let xml = &mut self.xml;
        xml.start("w:r").start("w:ruby").start("w:rubyPr");
        value(xml, "w:rubyAlign", "distributeSpace");
        for (name, number) in [
            ("w:hps", halves / 2),
            ("w:hpsRaise", halves - 2),
            ("w:hpsBaseText", halves),
        ] {
            value(xml, name, &number.max(2).to_string());
        }
        value(
            xml,
            "w:lid",
            run.text.language.as_deref().unwrap_or("ja-JP"),
        );
        xml.end().start("w:rt");
        text(xml, &small, &ruby.above);
        xml.end().start("w:rubyBase");
        text(xml, &run, &ruby.base);
        xml.end().end().end();
    }

    // Writes a simple field with its last value.
    fn field(&mut self, field: &Field) {
        self.xml
            .start("w:fldSimple")
            .attribute("w:instr", office::instruction(field));
        self.text(&field.stored());
        self.xml.end();
    }

    // Bookmarks begin and end with an identifier, so they may contain several paragraphs.
    fn open_bookmark(&mut self, name: &str) -> u32 {
        let id = self.id();
        self.xml
            .start("w:bookmarkStart")
            .number("w:id", id)
            .attribute("w:name", bookmark(name))
            .end();
        id
    }

    fn close_bookmark(&mut self, bookmark: u32) {
        self.xml
            .start("w:bookmarkEnd")
            .number("w:id", bookmark)
            .end();
    }

    fn open_block_bookmark(&mut self, name: &'a str) -> Option<u32> {
        Some(self.open_bookmark(name))
    }
}
