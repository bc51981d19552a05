//! Writes the control words for each node of the tree.

use super::{
    context::{NESTED, Rtf, escape},
    header::{CODE, RULE},
};
use crate::error::Result;
use convertd_office::wordprocessing::{
    Use, instruction, over, ruby_instruction,
    write::{Containers, Context, Dialect, TableRow, blocks},
};
use convertd_tree::{
    Block, Cell, Code, Field, Item, Length, List, ListKind, Mark, Note, NoteId, NoteKind,
    ParagraphStyleId, Picture, ResourceId, Ruby, Table, TextStyle, losses::Loss, numbering,
};
use std::fmt::Write as _;

impl<'a> Dialect<'a> for Rtf<'a> {
    const FRAMES: bool = true;

    const NESTED_TABLES: Option<(usize, &'static Loss)> = Some((8, &NESTED));

    fn context(&mut self) -> &mut Context<'a> {
        &mut self.context
    }

    // The memory is estimated at twice the length of the text so far.
    fn written(&self) -> u64 {
        2 * self.out.len() as u64
    }

    // Paragraphs repeat the properties of their style, because many programs ignore style sheets.
    fn open_paragraph(&mut self, place: Use, own: ParagraphStyleId, takes_number: bool) {
        self.end_paragraph();
        self.open = true;
        // The label of the item is written for programs that do not count list items.
        if let Some(label) = self.label_pending.take() {
            self.out.push_str("{\\listtext\\pard\\plain ");
            self.plain(&label);
            self.out.push_str("\\tab}");
        }
        self.out.push_str("\\pard\\plain");
        self.in_table();
        let (id, base) = self.context.styles.style(place, own, self.context.document);
        let (id, base) = (id.to_owned(), base.clone());
        let number = self.context.styles.built_in(&id);
        let outline = self.context.styles.all[number].outline;
        self.number("s", number as i64);
        let context = &self.context;
        let own = context.styles.look(place, own, context.document).clone();
        self.paragraph_look(&own, &base);
        let frame = self.context.place.frame.clone();
        // The frame of a paragraph in a table is left out.
        if let Some(frame) = frame.filter(|_| self.context.place.tables == 0) {
            self.frame(&frame);
        }
        if let Some(level) = outline {
            self.number("outlinelevel", level.into());
        }
        if let Some((list, level)) = self.context.place.list {
            let level = level.min(8);
            let written = self.context.lists.level(list, level);
            // A paragraph that continues an item is in no list, but has the indent of the item.
            let begins = !self.context.place.numbered;
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
            self.context.place.numbered |= takes_number;
        }
        let size = self.context.styles.text.size;
        let mut text = over(&base.text, &own.text);
        text.size = text.size.or(size);
        self.text_look(&text);
        self.out.push(' ');
        if std::mem::take(&mut self.context.break_pending) {
            self.out.push_str("\\page ");
        }
        for name in std::mem::take(&mut self.context.bookmarks_pending) {
            self.bookmark(name);
        }
        if let Some(mark) = self.note_mark.take() {
            self.out.push_str(&mark);
            self.out.push(' ');
        }
        if let Some(ticked) = self.context.task_pending.take() {
            self.plain(if ticked { "\u{2612} " } else { "\u{2610} " });
        }
    }

    /// Writes nothing. The next paragraph writes the end of this paragraph, because the last paragraph of a cell or
    /// note has no end mark.
    fn close_paragraph(&mut self) {}

    // A paragraph with the style of the title, subtitle, author or date.
    fn title_line(&mut self, place: Use, line: &str) {
        self.open_paragraph(place, ParagraphStyleId::default(), true);
        self.plain(line);
    }

    // A paragraph in the monospaced font, with line breaks.
    fn code_block(&mut self, code: &Code) {
        self.open_paragraph(Use::Code, ParagraphStyleId::default(), false);
        self.out.push_str("{\\f1 ");
        for (number, line) in self.context.code_lines(code).enumerate() {
            if number > 0 {
                self.out.push_str("\\line ");
            }
            for (colour, piece) in line {
                if let Some(colour) = colour {
                    let number = self.colour(colour);
                    write!(self.out, "{{\\cf{number} ").unwrap_or_default();
                }
                self.plain(piece);
                if colour.is_some() {
                    self.out.push('}');
                }
            }
        }
        self.out.push('}');
    }

    // A paragraph with a bottom border.
    fn rule(&mut self) {
        self.open_paragraph(Use::Text, ParagraphStyleId::default(), false);
        self.number("s", RULE as i64);
        self.out.push_str("\\brdrb\\brdrs\\brdrw15 ");
    }

    // A page break at the end of the document is written with an empty paragraph.
    fn end_page(&mut self) {
        if self.context.break_pending {
            self.open_paragraph(Use::Text, ParagraphStyleId::default(), false);
        }
    }

    /// Check boxes are text, because some programs drop the labels of items. If all items of a bulleted list have check
    /// boxes, the list has no bullets.
    fn add_list(&mut self, list: &List) -> u32 {
        let is_task = list.items.iter().all(|item| item.task.is_some());
        if list.kind == ListKind::Bullet && is_task {
            return self.context.lists.add_blank();
        }
        let place = &self.context.place;
        let around = place.list.map(|(list, _)| list);
        self.context.lists.add(list, place.depth, around)
    }

    // Computes the label, which programs without list support show.
    fn open_item(&mut self, list: &'a List, item: &'a Item, index: u32) -> Result<()> {
        let place = &mut self.context.place;
        let level = place.depth.saturating_sub(1);
        self.label_pending = Some(match list.kind {
            ListKind::Ordered(kind) => {
                let number = kind.start.saturating_add(index);
                let label = numbering::label(number, kind, &place.numbers);
                place.numbers.push(numbering::write(number, kind.numeral));
                label
            }
            ListKind::Bullet => {
                let (own, _) = place.list.unwrap_or_default();
                String::from_iter(self.context.lists.level(own, level).bullet(level))
            }
        });
        self.context.task_pending = item.task;
        // Items that do not begin with a paragraph have an empty paragraph for their label.
        if !matches!(item.blocks.first(), Some(Block::Paragraph(_))) {
            self.open_paragraph(Use::List, ParagraphStyleId::default(), true);
        }
        Ok(())
    }

    fn open_table(&mut self, _table: &'a Table, _widths: &[Length], _lists: usize) {
        self.end_paragraph();
    }

    /// The definition of a row precedes its cells. In a nested table, it follows after them instead.
    fn open_row(&mut self, row: &TableRow<'_, 'a>) {
        if self.context.place.tables == 1 {
            self.row_properties(row);
            self.out.push('\n');
        }
    }

    fn open_cell(&mut self, _cell: &'a Cell, _width: Length) {}

    fn close_cell(&mut self, _cell: &'a Cell) -> Result<()> {
        self.end_cell();
        Ok(())
    }

    // The definition of the row marks the cell as a continuation. Even so, the end of the cell must be written.
    fn covered(&mut self, _cell: &'a Cell, _width: Length) {
        self.end_cell();
    }

    fn missing(&mut self, _width: Length) {
        self.end_cell();
    }

    fn close_row(&mut self, row: &TableRow<'_, 'a>) {
        self.end_row(row);
    }

    // `\pard` ends the table.
    fn close_table(&mut self) {
        if self.context.place.tables == 1 {
            self.out.push_str("\\pard\n");
        }
    }

    /// Adjacent rows are one table, so an empty paragraph separates tables.
    fn between_tables(&mut self) {
        self.open_paragraph(Use::Text, ParagraphStyleId::default(), false);
    }

    fn text(&mut self, text: &str) {
        self.plain(text);
    }

    // Groups limit marks to their text.
    fn open_mark(&mut self, mark: Mark) {
        self.out.push('{');
        self.begin_mark(mark);
        self.out.push(' ');
    }

    fn close_mark(&mut self) {
        self.marks.pop();
        self.out.push('}');
    }

    fn open_span(&mut self, style: &TextStyle) {
        self.out.push('{');
        self.text_look(style);
        self.out.push(' ');
    }

    fn close_span(&mut self) {
        self.out.push('}');
    }

    // A character style and the monospaced font.
    fn code(&mut self, code: &str) {
        write!(self.out, "{{\\cs{CODE}\\f1 ").unwrap_or_default();
        self.plain(code);
        self.out.push('}');
    }

    fn line_break(&mut self) {
        self.out.push_str("\\line ");
    }

    // A `HYPERLINK` field, whose result is underlined and coloured.
    fn open_link(&mut self, target: &str, _title: &str) {
        self.out.push_str("{\\field{\\*\\fldinst HYPERLINK ");
        let (switch, target) = match target.strip_prefix('#') {
            Some(name) => ("\\\\l ", name),
            None => ("", target),
        };
        self.out.push_str(switch);
        self.out.push('"');
        // A quotation mark would end the address.
        escape(&mut self.out, &target.replace('"', "%22"));
        self.out.push_str("\"}{\\fldrslt{\\ul\\cf1 ");
    }

    fn close_link(&mut self) {
        self.out.push_str("}}}");
    }

    fn picture(&mut self, id: ResourceId, picture: &'a Picture, words: &str) -> Result<()> {
        self.show(id, picture, words)
    }

    // The reference mark of the note, and the note itself at the same position.
    fn note(&mut self, id: NoteId) -> Result<()> {
        let document = self.context.document;
        let note = document.note(id);
        let (word, place) = match note.kind {
            NoteKind::Footnote => ("", Use::Footnote),
            NoteKind::Endnote => ("\\ftnalt", Use::Endnote),
        };
        let mark = note_mark(note);
        // The note must be in the group of its mark. Otherwise, LibreOffice replaces the mark by a number.
        self.out.push_str(mark.strip_suffix('}').unwrap_or(&mark));
        write!(self.out, "{{\\footnote{word}").unwrap_or_default();
        let around = std::mem::replace(&mut self.context.place, Containers::of(place));
        let open = std::mem::take(&mut self.open);
        self.note_mark = Some(mark);
        blocks(self, &note.blocks)?;
        // A note without paragraphs has an empty paragraph for its number.
        if self.note_mark.is_some() {
            self.open_paragraph(place, ParagraphStyleId::default(), true);
        }
        self.context.place = around;
        self.open = open;
        self.out.push_str("}}");
        Ok(())
    }

    // A field that places one text over the other, as Word writes it. Texts that cannot be arguments of the field are
    // written side by side.
    fn ruby(&mut self, ruby: &Ruby) {
        let size = self.context.styles.text.size;
        let halves = size.map_or(22.0, |size| size.to_points() * 2.0).round() as i64;
        let Some(instruction) = ruby_instruction(ruby, halves) else {
            self.plain(&ruby.spelled());
            return;
        };
        self.out.push_str("{\\field{\\*\\fldinst ");
        self.plain(&instruction);
        self.out.push_str("}{\\fldrslt ");
        self.plain(&ruby.spelled());
        self.out.push_str("}}");
    }

    // A field with its instruction and its last value.
    fn field(&mut self, field: &Field) {
        self.out.push_str("{\\field{\\*\\fldinst ");
        self.plain(&instruction(field));
        self.out.push_str("}{\\fldrslt ");
        self.plain(&field.stored());
        self.out.push_str("}}");
    }

    fn open_bookmark(&mut self, name: &str) -> u32 {
        self.bookmark(name);
        0
    }
}

/// Reference mark of a note: its number, or its own mark.
fn note_mark(note: &Note) -> String {
    let mut out = String::from("{\\super");
    match &note.mark {
        Some(mark) => {
            out.push(' ');
            escape(&mut out, mark);
        }
        None => out.push_str("\\chftn"),
    }
    out.push('}');
    out
}
