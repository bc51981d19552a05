//! Writes the elements of OpenDocument for each node of the tree.

use super::{
    context::{Odt, OpenList, object},
    lists, properties,
    styles::CODE,
};
use crate::{containers::xml::Writer, error::Result};
use convertd_office::wordprocessing::{
    self as office, Use,
    write::{Context, Dialect, TableRow, paragraph},
};
use convertd_tree::{
    Cell, Code, Field, Frame, Item, Length, List, Mark, NoteId, NoteKind, ParagraphStyleId, Part,
    Picture, ResourceId, Ruby, Table, TextStyle, math::mathml,
};

impl<'a> Dialect<'a> for Odt<'a> {
    const AFTER_LABEL: &'static str = " ";
    const FRAMES: bool = true;

    fn context(&mut self) -> &mut Context<'a> {
        &mut self.context
    }

    // The memory is estimated at four times the length of the text so far.
    fn written(&self) -> u64 {
        4 * self.xml.len() as u64
    }

    // A `text:p` or `text:h`, with frames, bookmarks and the check box of an item at its beginning.
    fn open_paragraph(&mut self, place: Use, style: ParagraphStyleId, _: bool) {
        self.reopen_lists();
        let style = self.style_name(place, style);
        let element = match place {
            Use::Heading(_) => "text:h",
            _ => "text:p",
        };
        let xml = self.xml.start(element).attribute("text:style-name", style);
        if let Use::Heading(level) = place {
            xml.number("text:outline-level", level);
        }
        // A space at the beginning is written as `text:s`.
        self.space = true;
        self.settle_frames();
        for name in std::mem::take(&mut self.context.bookmarks_pending) {
            self.bookmark(name);
        }
        if let Some(ticked) = self.context.task_pending.take() {
            self.plain_text(if ticked { "\u{2612} " } else { "\u{2610} " });
        }
    }

    fn close_paragraph(&mut self) {
        self.xml.end();
    }

    // A `text:p` with the style of the title, subtitle, author or date.
    fn title_line(&mut self, place: Use, line: &str) {
        let style = self.style_name(place, ParagraphStyleId::default());
        self.xml.start("text:p").attribute("text:style-name", style);
        self.space = true;
        self.plain_text(line);
        self.xml.end();
    }

    fn code_block(&mut self, code: &Code) {
        // Lines of code are separated by breaks within one paragraph.
        self.open_paragraph(Use::Code, ParagraphStyleId::default(), true);
        for (number, line) in self.context.code_lines(code).enumerate() {
            if number > 0 {
                self.xml.start("text:line-break").end();
                self.space = true;
            }
            for (colour, piece) in line {
                let style = TextStyle {
                    colour,
                    ..TextStyle::default()
                };
                if colour.is_some() {
                    self.open_span(&style);
                }
                self.plain_text(piece);
                if colour.is_some() {
                    self.close_span();
                }
            }
        }
        self.xml.end();
    }

    // An empty paragraph with LibreOffice's style for horizontal lines.
    fn rule(&mut self) {
        self.reopen_lists();
        self.xml
            .start("text:p")
            .attribute("text:style-name", "Horizontal_20_Line")
            .end();
    }

    // The style of a paragraph contains its page break, so an empty paragraph is enough.
    fn end_page(&mut self) {
        if self.context.break_pending {
            let style = self.style_name(Use::Text, ParagraphStyleId::default());
            let xml = self.xml.start("text:p");
            xml.attribute("text:style-name", style).end();
        }
    }

    // A `text:list` with the style of its levels. The start value is an attribute of the first item.
    fn open_list(&mut self, number: u32) {
        self.reopen_lists();
        let lists = &self.context.lists;
        let start = lists.lists[number as usize - 1].1;
        let style = lists::name(lists, number);
        let xml = self.xml.start("text:list");
        xml.attribute("text:style-name", &style);
        self.lists.all.push(OpenList {
            style,
            start: start.map(|(_, start)| start),
        });
    }

    // A `text:list-item`. After a table the enclosing lists are opened again.
    fn open_item(&mut self, _list: &'a List, item: &'a Item, index: u32) -> Result<()> {
        if self.lists.is_closed {
            self.open_again("text:list-item");
        } else {
            self.xml.start("text:list-item");
        }
        // A list begins with 1 unless its first item states another number.
        let start = self.lists.all.last().and_then(|list| list.start);
        if let Some(start) = start.filter(|start| index == 0 && *start != 1) {
            self.xml.number("text:start-value", start);
        }
        self.context.task_pending = item.task;
        Ok(())
    }

    // An item without a paragraph gets one, for its check box or because the schema requires it. Lists that a table has
    // ended are already closed.
    fn close_item(&mut self, item: &'a Item) -> Result<()> {
        if self.context.task_pending.is_some() || item.blocks.is_empty() {
            paragraph(self, Use::List, ParagraphStyleId::default(), &[])?;
        }
        if !self.lists.is_closed {
            self.xml.end();
        }
        Ok(())
    }

    // The end tags of lists that a table has ended are already written. `is_closed` stays true until the last of
    // these lists is closed.
    fn close_list(&mut self) {
        self.lists.all.pop();
        if !self.lists.is_closed {
            self.xml.end();
        }
        self.lists.is_closed &= !self.lists.all.is_empty();
    }

    fn open_frame(&mut self, frame: &Frame) {
        self.begin_frame(frame);
    }

    fn close_frame(&mut self) {
        self.end_frame();
    }

    // Frames at the end of a sequence of blocks get an empty paragraph.
    fn end_blocks(&mut self) {
        if self.frames_wait() {
            self.reopen_lists();
            self.xml.start("text:p");
            self.settle_frames();
            self.xml.end();
        }
    }

    // Tables cannot be in lists, so the open lists are closed, and continue after the table.
    fn before_table(&mut self) {
        self.end_blocks();
        self.leave_lists();
        let lists = std::mem::take(&mut self.lists);
        self.around_tables.push(lists);
    }

    fn after_table(&mut self) {
        self.lists = self.around_tables.pop().unwrap_or_default();
    }

    // A `table:table` and its columns.
    fn open_table(&mut self, table: &'a Table, widths: &[Length], _lists: usize) {
        self.start_table(table, widths);
    }

    // Only header rows have an enclosing element.
    fn open_part(&mut self, part: Part) {
        if part == Part::Head {
            self.xml.start("table:table-header-rows");
        }
    }

    fn open_row(&mut self, row: &TableRow<'_, 'a>) {
        self.start_row(row.row);
    }

    // The length of the output so far shows at the end of the cell whether the cell is empty.
    fn open_cell(&mut self, cell: &'a Cell, _width: Length) {
        self.start_cell(cell);
        self.cells.push(self.xml.len());
    }

    // An empty cell gets a paragraph, as the schema requires. Further columns that the cell spans follow as covered
    // cells.
    fn close_cell(&mut self, cell: &'a Cell) -> Result<()> {
        if self.cells.pop() == Some(self.xml.len()) {
            self.xml.start("text:p").end();
        }
        self.xml.end();
        self.covered_cells(usize::from(cell.columns).saturating_sub(1));
        Ok(())
    }

    // One `table:covered-table-cell` for each column.
    fn covered(&mut self, cell: &'a Cell, _width: Length) {
        self.covered_cells(cell.columns.into());
    }

    // An empty cell.
    fn missing(&mut self, _width: Length) {
        let xml = self.xml.start("table:table-cell");
        xml.start("text:p").end().end();
    }

    // A row without cells gets a cell, as the schema requires.
    fn close_row(&mut self, row: &TableRow<'_, 'a>) {
        if row.places.is_empty() {
            self.xml.start("table:table-cell").end();
        }
        self.xml.end();
    }

    fn close_part(&mut self, part: Part) {
        if part == Part::Head {
            self.xml.end();
        }
    }

    fn close_table(&mut self) {
        self.xml.end();
    }

    fn text(&mut self, text: &str) {
        self.plain_text(text);
    }

    // A `text:span` with an automatic style.
    fn open_mark(&mut self, mark: Mark) {
        self.start_span(&properties::text(&TextStyle::default(), Some(mark)));
    }

    fn close_mark(&mut self) {
        self.end_span();
    }

    // A `text:span` with an automatic style.
    fn open_span(&mut self, style: &TextStyle) {
        self.start_span(&properties::text(style, None));
    }

    fn close_span(&mut self) {
        self.end_span();
    }

    // A `text:span` with the style of inline code.
    fn code(&mut self, code: &str) {
        self.xml
            .start("text:span")
            .attribute("text:style-name", CODE);
        self.plain_text(code);
        self.xml.end();
    }

    fn line_break(&mut self) {
        self.xml.start("text:line-break").end();
        self.space = true;
    }

    // A `text:a` with LibreOffice's style for links.
    fn open_link(&mut self, target: &str, title: &str) {
        let xml = &mut self.xml;
        xml.start("text:a")
            .attribute("xlink:type", "simple")
            .attribute("xlink:href", office::uri_reference(target));
        if !title.is_empty() {
            xml.attribute("office:title", title);
        }
        xml.attribute("text:style-name", "Internet_20_link");
    }

    fn close_link(&mut self) {
        self.xml.end();
    }

    fn picture(&mut self, id: ResourceId, picture: &'a Picture, _words: &str) -> Result<()> {
        self.show(id, picture);
        Ok(())
    }

    // The element of the first reference to a note contains the note. Further references become cross-references.
    fn note(&mut self, id: NoteId) -> Result<()> {
        self.space = false;
        let (number, is_known) = self.context.note_number(id);
        let document = self.context.document;
        let note = document.note(id);
        let label = document.note_label(id);
        let (class, place) = match note.kind {
            NoteKind::Footnote => ("footnote", Use::Footnote),
            NoteKind::Endnote => ("endnote", Use::Endnote),
        };
        let name = format!("ftn{number}");
        let xml = &mut self.xml;
        if is_known {
            xml.start("text:note-ref")
                .attribute("text:note-class", class)
                .attribute("text:ref-name", name)
                .attribute("text:reference-format", "text");
            xml.text(label).end();
            return Ok(());
        }
        xml.start("text:note")
            .attribute("text:id", name)
            .attribute("text:note-class", class);
        xml.start("text:note-citation");
        if let Some(mark) = &note.mark {
            xml.attribute("text:label", &**mark);
        }
        xml.text(label).end();
        xml.start("text:note-body");
        self.separate_text(place, &note.blocks)?;
        self.xml.end().end();
        Ok(())
    }

    fn ruby(&mut self, ruby: &Ruby) {
        self.space = false;
        self.xml.start("text:ruby").start("text:ruby-base");
        self.plain_text(&ruby.base);
        self.xml.end().start("text:ruby-text");
        self.plain_text(&ruby.above);
        self.xml.end().end();
    }

    // An embedded object in MathML, which is a part of its own.
    fn formula(&mut self, tex: &str, display: bool) -> bool {
        let mut formula = Writer::new();
        if !mathml::write(&mut formula, tex, display) {
            return false;
        }
        self.frame(None);
        self.xml
            .start("draw:object")
            .attribute("xlink:href", format!("./{}", object(self.formulas.len())))
            .attribute("xlink:type", "simple")
            .attribute("xlink:show", "embed")
            .attribute("xlink:actuate", "onLoad");
        self.xml.end().end();
        self.formulas.push(formula.finish());
        true
    }

    // Fields contain their last value, for programs that do not compute them.
    fn field(&mut self, field: &Field) {
        let stored = field.stored();
        let stored = &*stored;
        let (field, format) = match field {
            Field::Formatted(field, format) => (&**field, format.example()),
            field => (field, None),
        };
        match field {
            Field::Page => self
                .xml
                .start("text:page-number")
                .attribute("text:select-page", "current"),
            // OpenDocument has no field for the pages of a section, so the pages of the document are counted.
            Field::Pages | Field::SectionPages => self.xml.start("text:page-count"),
            // A chapter field refers to headings by level. For other styles, only the last value is written.
            Field::Styled(reference) => {
                let Some(level) = reference.name.strip_prefix("heading ") else {
                    return self.text(stored);
                };
                self.xml
                    .start("text:chapter")
                    .attribute("text:display", "name")
                    .attribute("text:outline-level", level)
            }
            Field::Section | Field::Formatted(..) => {
                self.xml.text(stored);
                self.space = false;
                return;
            }
        };
        if let Some(format) = format {
            self.xml.attribute("style:num-format", format);
        }
        self.xml.text(stored).end();
        self.space = false;
    }

    // A bookmark at a position has no end element in OpenDocument, so no identifier connects the two ends.
    fn open_bookmark(&mut self, name: &str) -> u32 {
        self.bookmark(name);
        0
    }
}
