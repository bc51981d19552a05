//! Walks through the text paragraph by paragraph, and within a paragraph run by run. Positions are character positions
//! (CPs, MS-DOC 2.2.1). Builds no blocks of the tree: the [`Story`] does.

use super::{
    characters::Run,
    drawings::Drawings,
    fib::{DocumentPart, Table},
    file::Doc,
    lists,
    paragraphs::Paragraph,
    plex::Plex,
    sections::Inherited,
    tables::{MAX_DEPTH, Tables},
};
use crate::error::Result;
use convertd_office::wordprocessing::{self as office, Resolved, Story, in_symbol_font, losses};
use convertd_tree::{DropCap, Frame, NoteKind};
use std::{collections::HashMap, ops::Range};

/// Number of paragraphs between two checks of the deadline.
const PER_CHECK: u32 = 1 << 10;

/// A document that is being read.
pub(super) struct Body<'b, 'a> {
    // Source and target.
    pub(super) doc: &'b Doc<'b>,
    pub(super) story: &'b mut Story<'a>,
    /// Drawings anchored in the main text and in headers.
    pub(super) drawings: Drawings<'b>,
    /// Text boxes anchored in the current paragraph: the range of CPs of each text, and its frame.
    pub(super) anchored: Vec<(Range<u32>, Box<Frame>)>,
    /// Notes by the CP of their reference, each with the range of CPs of its text.
    notes: HashMap<u32, NoteText>,
    /// Names of bookmarks by the CP where they begin.
    bookmarks: HashMap<u32, Vec<String>>,
    /// Open fields, outermost first, and for each of them whether its result has begun.
    fields: Vec<bool>,
    // State of the current paragraph.
    /// Whether runs ignore character formatting, as in a drop cap.
    is_plain: bool,
    /// Drop cap whose letter has been read. It belongs to the next paragraph.
    drop_cap: Option<DropCap>,
    /// Number of paragraphs so far, for the checks of the deadline.
    paragraphs: u32,
}

impl<'b, 'a> Body<'b, 'a> {
    pub(super) fn new(doc: &'b Doc<'b>, story: &'b mut Story<'a>) -> Self {
        Self {
            drawings: Drawings::read(doc),
            anchored: Vec::new(),
            notes: notes(doc),
            bookmarks: bookmarks(doc),
            doc,
            story,
            fields: Vec::new(),
            is_plain: false,
            drop_cap: None,
            paragraphs: 0,
        }
    }

    /// Reads the whole document, section by section. The headers and footers of a section are read after its text. Text
    /// boxes that no drawing refers to come last.
    pub(super) fn document(&mut self) -> Result<()> {
        self.find_targets();
        let mut start = 0;
        let mut inherited = Inherited::default();
        for (number, section) in self.doc.sections.iter().enumerate() {
            let end = section.end.min(self.doc.text.len());
            self.range(start..end)?;
            let mut page = section.page.clone();
            (page.headers, page.footers) = self.margins(number, &mut inherited)?;
            self.story.end_section(Some(page))?;
            start = end.max(start);
        }
        self.unanchored_boxes()
    }

    /// Finds the bookmarks that fields refer to, before the text is read. A hidden bookmark, whose name begins with
    /// `_`, only becomes an anchor of the tree if it is one of these. The instruction of a field is the text from 0x13
    /// to the next field character.
    fn find_targets(&mut self) {
        let units = self.doc.text.units(0, self.doc.text.len());
        let mut rest = units;
        let mut instructions = Vec::new();
        while let Some(begin) = rest.iter().position(|unit| *unit == 0x13) {
            rest = &rest[begin + 1..];
            let len = rest.iter().position(|unit| matches!(unit, 0x13..=0x15));
            let (instruction, after) = rest.split_at(len.unwrap_or(rest.len()));
            instructions.extend_from_slice(instruction);
            instructions.push(0x13);
            rest = after;
        }
        let text = String::from_utf16_lossy(&instructions);
        for before in ["\\l ", "REF "] {
            self.story.find_targets(text.as_bytes(), before, '\u{13}');
        }
    }

    /// Reads a range of CPs as a text of paragraphs and tables.
    pub(super) fn range(&mut self, range: Range<u32>) -> Result<()> {
        let mut tables = Tables::read(self.doc, range.clone())?;
        let mut at = range.start;
        while at < range.end {
            self.paragraphs = self.paragraphs.wrapping_add(1);
            if self.paragraphs.is_multiple_of(PER_CHECK) {
                self.doc.job.check()?;
            }
            let end = self.doc.paragraph_end(at, range.end);
            self.paragraph(at..end, &mut tables)?;
            at = end;
        }
        if !self.story.is_blank() {
            self.story.close_paragraph(office::Paragraph::default())?;
        }
        tables.leave(self.story, 0)
    }

    /// Reads a paragraph. Its last character, which is the paragraph mark unless the text ends without one, has the
    /// properties of the paragraph.
    fn paragraph(&mut self, range: Range<u32>, tables: &mut Tables) -> Result<()> {
        let last = range.end - 1;
        let mark = self.doc.text.unit(last);
        let paragraph = self.doc.paragraph(last);
        let place = paragraph.place;
        let depth = place.depth().min(MAX_DEPTH);
        // The mark of a row ends the row, and has no text.
        if (place.ends_row || place.ends_inner_row) && depth > 0 {
            return tables.end_row(self.story, depth - 1);
        }
        let is_shown = tables.enter(self.story, depth)?;
        if is_shown {
            // The last paragraph of a text may lack a mark; then its last character is text.
            let is_mark = matches!(mark, 0x0d | 0x07 | 0x0c);
            let end = if is_mark { last } else { range.end };
            self.content(range.start..end, paragraph)?;
        }
        // 0x07 ends a cell of the outermost table. In a nested table, an ordinary paragraph mark with the property
        // sprmPFInnerTableCell ends the cell.
        let ends_cell = depth > 0 && (mark == 0x07 || place.ends_inner_cell);
        if ends_cell {
            let depth = if mark == 0x07 { 1 } else { depth };
            tables.end_cell(self.story, depth - 1)?;
        }
        Ok(())
    }

    /// Adds the content of a paragraph. In two cases the next paragraph continues it: a drop cap, which Word stores as
    /// a paragraph, and a mark that a tracked change has deleted.
    fn content(&mut self, range: Range<u32>, paragraph: Paragraph) -> Result<()> {
        let style = self.doc.style(paragraph.style);
        self.story.open_paragraph(style.clone());
        self.is_plain = paragraph.drop_cap.is_some();
        let mark = range.end;
        self.runs(range, &style)?;
        if std::mem::take(&mut self.is_plain) {
            // The letter of the drop cap becomes the first letter of the next paragraph.
            self.drop_cap = paragraph.drop_cap;
            return Ok(());
        }
        // A tracked change deleted the mark, so the next paragraph continues this one.
        if self.doc.text.unit(mark) == 0x0d && self.doc.run(mark, &style).0.deleted {
            self.story.build.lost(&losses::CHANGES);
            return Ok(());
        }
        // A field instruction ends with its paragraph, even if the file does not say so.
        self.fields.retain(|in_result| *in_result);
        let mut own = paragraph.own;
        own.drop_cap = self.drop_cap.take();
        let continues = own.indent_start.and_then(|at| self.story.item_at(at));
        self.story.close_paragraph(office::Paragraph {
            item: lists::old_item(paragraph.old_number),
            own,
            continues,
            ..office::Paragraph::default()
        })?;
        for (text, frame) in std::mem::take(&mut self.anchored) {
            self.story.open_frame(frame)?;
            self.separate_text(text)?;
            self.story.close_text()?;
        }
        Ok(())
    }

    /// Reads the text boxes that no drawing refers to.
    fn unanchored_boxes(&mut self) -> Result<()> {
        for text in self.drawings.unanchored_texts(self.doc) {
            self.story.open_box()?;
            self.separate_text(text)?;
            self.story.close_text()?;
        }
        Ok(())
    }

    /// Reads a text outside of the main flow, such as a note. The open fields and the text boxes of the surrounding
    /// text are saved before, and restored after it.
    pub(super) fn separate_text(&mut self, text: Range<u32>) -> Result<()> {
        let fields = std::mem::take(&mut self.fields);
        let anchored = std::mem::take(&mut self.anchored);
        self.range(text)?;
        self.fields = fields;
        self.anchored = anchored;
        Ok(())
    }

    /// Reads the runs of a paragraph.
    fn runs(&mut self, range: Range<u32>, style: &Resolved) -> Result<()> {
        let mut at = range.start;
        while at < range.end {
            let (run, end) = self.doc.run(at, style);
            let end = end.min(range.end);
            self.run(at..end, &run)?;
            at = end;
        }
        Ok(())
    }

    /// Reads a run: stretches of plain text, and the special characters between them. Text that a tracked change
    /// deleted is left out.
    fn run(&mut self, range: Range<u32>, run: &Run) -> Result<()> {
        if run.deleted {
            self.story.build.lost(&losses::CHANGES);
            return Ok(());
        }
        if run.inserted {
            self.story.build.lost(&losses::CHANGES);
        }
        if !self.is_plain {
            self.story.set_run(run.look.clone());
        }
        let doc = self.doc;
        let units = doc.text.units(range.start, range.end);
        let mut rest = units;
        while !rest.is_empty() {
            let at = range.start + (units.len() - rest.len()) as u32;
            let is_text = |at: u32, unit: u16| {
                let is_plain = unit >= 0x20 || unit == 0x09;
                is_plain && !run.is_special && !self.is_marked(at)
            };
            let mut cps = at..;
            let len = rest
                .iter()
                .take_while(|unit| cps.next().is_some_and(|at| is_text(at, **unit)))
                .count();
            if len > 0 {
                let (text, after) = rest.split_at(len);
                self.text(&doc.decode(text, run))?;
                rest = after;
                continue;
            }
            self.mark(at, rest[0], run)?;
            rest = &rest[1..];
        }
        Ok(())
    }

    /// Returns whether a note has its reference, or a bookmark begins, at this CP.
    fn is_marked(&self, at: u32) -> bool {
        self.notes.contains_key(&at) || self.bookmarks.contains_key(&at)
    }

    /// Adds text to the paragraph, or to the instruction of the innermost open field if its result has not begun.
    fn text(&mut self, text: &str) -> Result<()> {
        match self.fields.last() {
            Some(false) => {
                self.story.instruct(text);
                Ok(())
            }
            _ => self.story.text(text),
        }
    }

    /// Reads a character that is a control character, belongs to a special run, or has a bookmark or a note at its
    /// position.
    fn mark(&mut self, at: u32, unit: u16, run: &Run) -> Result<()> {
        for name in self.bookmarks.remove(&at).unwrap_or_default() {
            self.story.bookmark(&name);
        }
        if let Some(note) = self.notes.remove(&at) {
            let mark = match note.is_numbered {
                true => None,
                false => self.mark_of_note(unit, run),
            };
            self.note(note, mark.as_deref())?;
            if mark.is_some() {
                return Ok(());
            }
        }
        match unit {
            // Begin, separator and end of a field (MS-DOC 2.8.25).
            0x13 => {
                self.story.begin_field();
                self.fields.push(false);
                Ok(())
            }
            0x14 => match self.fields.last_mut() {
                Some(in_result @ false) => {
                    *in_result = true;
                    self.story.begin_result()
                }
                _ => Ok(()),
            },
            0x15 => match self.fields.pop() {
                Some(_) => self.story.end_field(),
                None => Ok(()),
            },
            // Line, column and page breaks.
            0x0b => self.story.line_break(),
            0x0e => self.story.column_break(),
            0x0c => {
                self.story.page_break();
                Ok(())
            }
            // Non-breaking hyphen, and soft hyphen.
            0x1e => self.text("\u{2011}"),
            0x1f => self.text("\u{ad}"),
            _ if run.is_special => self.special(at, unit, run),
            0x09 | 0x20.. => self.text(&self.doc.decode(&[unit], run)),
            _ => Ok(()),
        }
    }

    /// Reads a character of a run with [`Run::is_special`]: a symbol, a picture, a drawing, or plain text.
    fn special(&mut self, at: u32, unit: u16, run: &Run) -> Result<()> {
        match unit {
            _ if run.symbol.is_some() => {
                let (font, c) = run.symbol.unwrap_or_default();
                let font = self.doc.fonts.font(font);
                let font = font
                    .as_ref()
                    .and_then(|font| font.name())
                    .unwrap_or_default();
                match char::from_u32(c.into()) {
                    Some(c) => self.story.symbol(font, c),
                    None => Ok(()),
                }
            }
            0x01 => self.picture(run),
            0x08 => self.drawing(at),
            0x20.. => self.text(&self.doc.decode(&[unit], run)),
            _ => Ok(()),
        }
    }

    /// Reads a drawing at its anchor. Its texts follow after the paragraph.
    fn drawing(&mut self, at: u32) -> Result<()> {
        match self.drawings.at(at) {
            Some(drawing) if drawing.is_picture() => self.placed_picture(&drawing),
            Some(drawing) => self.placed_shapes(&drawing),
            None => Ok(()),
        }
    }

    /// Returns the custom reference mark of a note, which replaces its number: the character at the reference. `None`
    /// if this is a space or a control character.
    fn mark_of_note(&self, unit: u16, run: &Run) -> Option<String> {
        match run.symbol {
            Some((font, c)) => {
                let font = self.doc.fonts.font(font);
                let font = font.as_ref().and_then(|font| font.name());
                let c = char::from_u32(c.into())?;
                Some(in_symbol_font(font.unwrap_or_default(), c).into())
            }
            None if unit > 0x20 => Some(self.doc.decode(&[unit], run)),
            None => None,
        }
    }

    /// Reads a note at its reference.
    fn note(&mut self, NoteText { kind, text, .. }: NoteText, mark: Option<&str>) -> Result<()> {
        let note = self.story.note(kind)?;
        if let Some(mark) = mark {
            self.story.mark_note(note, mark);
        }
        self.story.open_note(note)?;
        self.separate_text(text)?;
        self.story.close_text()
    }
}

/// A note of the document.
struct NoteText {
    kind: NoteKind,
    /// CPs of the note's text.
    text: Range<u32>,
    /// Whether the reference mark of the note is a number. Otherwise, the mark is the character at the reference.
    is_numbered: bool,
}

/// Finds the notes of a document. One PLC (array of positions with records) contains the references, and another PLC
/// contains the texts in the same order (MS-DOC 2.8.11, 2.8.14, 2.8.18, 2.8.19).
fn notes(doc: &Doc<'_>) -> HashMap<u32, NoteText> {
    let kinds = [
        (
            NoteKind::Footnote,
            DocumentPart::Footnotes,
            Table::FootnoteReferences,
            Table::FootnoteTexts,
        ),
        (
            NoteKind::Endnote,
            DocumentPart::Endnotes,
            Table::EndnoteReferences,
            Table::EndnoteTexts,
        ),
    ];
    let mut notes = HashMap::new();
    let main = doc.fib.part(DocumentPart::Main);
    for (kind, part, references, texts) in kinds {
        let references = Plex::new(doc.table(references), 2);
        let texts = Plex::new(doc.table(texts), 0);
        for at in 0..references.len().min(texts.len()) {
            let text = doc.within(part, texts.position(at), texts.position(at + 1));
            let reference = references.position(at);
            if main.contains(&reference) && !text.is_empty() {
                let is_numbered = references.record(at).u16(0) != 0;
                notes.insert(
                    reference,
                    NoteText {
                        kind,
                        text,
                        is_numbered,
                    },
                );
            }
        }
    }
    notes
}

/// Finds the bookmarks. A PLC contains their starts, and a string table their names in the same order (MS-DOC 2.8.10,
/// 2.9.280).
fn bookmarks(doc: &Doc<'_>) -> HashMap<u32, Vec<String>> {
    let starts = Plex::new(doc.table(Table::BookmarkStarts), 4);
    let names = doc.table(Table::BookmarkNames);
    let mut bookmarks: HashMap<u32, Vec<String>> = HashMap::new();
    if doc.fib.is_old || names.u16(0) != 0xffff {
        return bookmarks;
    }
    let mut rest = names.from(6);
    for at in 0..starts.len().min(names.u16(2).into()) {
        let len = usize::from(rest.u16(0));
        // Word allows at most 40 characters; a longer name is cut.
        let name = rest.utf16(2, len.min(40));
        rest = rest.from(2 + len * 2);
        bookmarks.entry(starts.position(at)).or_default().push(name);
    }
    bookmarks
}
