//! Reads a book into a tree: its cover, its bodies with sections, poems, citations and tables, and its notes, which are
//! in separate bodies.
//!
//! A section is a heading with its content; sections may be nested. Names of sections and paragraphs become link
//! targets only if a link refers to them.

use super::{
    NAMESPACES, is_book,
    metadata::Description,
    scan::{Scan, is_notes},
};
use crate::{
    containers::{
        xml::{self, Element, Reader},
        zip::Archive,
    },
    error::Result,
    job::{Input, Job, Lease, Notes},
};
use convertd_tree::{
    Alignment, Builder, CellShape, Document, Length, Mark, Node, NoteId, ParagraphStyle,
    ParagraphStyleId, Part, ResourceId, input::read_all, losses::Loss,
};
use std::collections::HashMap;

static DAMAGED: Loss = Loss {
    one: "A picture in the book is not valid Base64.",
    many: "{} pictures in the book are not valid Base64.",
};

/// Memory in bytes per byte of the file: for the decoded text, its source, and the pictures.
const TIMES: u64 = 4;

/// Reads a book.
///
/// Errors: [`BadInput`](crate::error::Kind::BadInput) if the book is not XML, or if its archive is damaged or contains
/// no book.
pub(super) fn read(job: &Job<'_>, input: &mut dyn Input, notes: &mut Notes) -> Result<Document> {
    let (bytes, _lease) = text(job, input)?;
    let text = xml::decode_owned(bytes);
    let scan = Scan::read(&mut Reader::new(job, &text, NAMESPACES))?;
    let mut xml = Reader::new(job, &text, NAMESPACES);
    let mut build = Builder::new(job);
    for _ in 0..scan.damaged {
        build.lost(&DAMAGED);
    }
    let styles = SpecialStyles::new(&mut build)?;
    let mut book = Book {
        build,
        scan,
        styles,
        notes: HashMap::new(),
        resources: HashMap::new(),
        pending: Vec::new(),
        in_note: false,
    };
    book.read(&mut xml)?;
    book.build.finish(notes)
}

/// Returns the bytes of the XML file, decompressed, and a lease for [`TIMES`] times as many bytes.
fn text<'a>(job: &Job<'a>, input: &mut dyn Input) -> Result<(Vec<u8>, Lease<'a>)> {
    let (bytes, lease) = read_all(job, input, TIMES)?;
    if !bytes.starts_with(b"PK\x03\x04") {
        return Ok((bytes, lease));
    }
    drop(bytes);
    let mut archive = Archive::open(job, input)?;
    let mut entries = archive.entries().iter();
    let Some(nth) = entries.position(|entry| is_book(&entry.name)) else {
        return Err(job.unreadable("the archive contains no book"));
    };
    let size = archive.entries()[nth].size;
    lease.grow_exactly(size.saturating_mul(TIMES))?;
    Ok((archive.read_nth(nth)?, lease))
}

/// A book that is being read.
pub(super) struct Book<'a> {
    pub(super) build: Builder<'a>,
    pub(super) scan: Scan,
    styles: SpecialStyles,
    /// Numbers of the notes that the text refers to, by name.
    pub(super) notes: HashMap<String, NoteId>,
    pub(super) resources: HashMap<String, ResourceId>,
    /// Names of link targets that wait for the next paragraph or heading.
    pending: Vec<String>,
    pub(super) in_note: bool,
}

/// Styles of special paragraphs.
struct SpecialStyles {
    verse: ParagraphStyleId,
    author: ParagraphStyleId,
    subtitle: ParagraphStyleId,
}

impl SpecialStyles {
    /// Defines the paragraph styles of verses, authors of quoted texts, and subtitles.
    fn new(build: &mut Builder<'_>) -> Result<Self> {
        let mut define = |name: &str, change: fn(&mut ParagraphStyle)| {
            let mut style = ParagraphStyle {
                name: Some(name.into()),
                ..ParagraphStyle::default()
            };
            change(&mut style);
            build.paragraph_style(style)
        };
        Ok(Self {
            verse: define("Verse", |style| {
                style.indent_start = Some(Length::points(24.0));
            })?,
            author: define("Text Author", |style| {
                style.alignment = Some(Alignment::End);
            })?,
            subtitle: define("Subtitle", |style| {
                style.alignment = Some(Alignment::Centre);
                style.keep_with_next = true;
            })?,
        })
    }
}

impl Book<'_> {
    /// Reads the description with the cover, and the bodies of text and of notes.
    fn read(&mut self, xml: &mut Reader<'_>) -> Result<()> {
        xml.root()?;
        let level = xml.level();
        while let Some(element) = xml.next_element(level)? {
            match element.name {
                "description" => {
                    let description = Description::read(xml)?;
                    self.build.metadata = description.metadata;
                    if let Some(cover) = description.cover {
                        self.open(ParagraphStyleId::DEFAULT)?;
                        self.picture(&cover, "Cover".into(), "".into())?;
                        self.build.close()?;
                        self.build.page_break()?;
                    }
                }
                "body" if is_notes(&element) => self.notes(xml)?,
                "body" => self.body(xml)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Reads a body of text.
    fn body(&mut self, xml: &mut Reader<'_>) -> Result<()> {
        let level = xml.level();
        while let Some(element) = xml.next_element(level)? {
            match element.name {
                "title" => self.book_title(xml)?,
                _ => self.block(xml, &element, 1)?,
            }
        }
        Ok(())
    }

    /// Reads the title of a body. Lines that repeat the book's title or an author, which the description has stated
    /// already, are dropped.
    fn book_title(&mut self, xml: &mut Reader<'_>) -> Result<()> {
        let level = xml.level();
        while let Some(element) = xml.next_element(level)? {
            if element.name != "p" {
                continue;
            }
            let line = xml.text()?;
            let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
            let metadata = &self.build.metadata;
            let mut known = metadata.title.iter().chain(&metadata.authors);
            let is_known = metadata.title_block
                && known.any(|known| known.to_lowercase() == line.to_lowercase());
            if !is_known && !line.is_empty() {
                self.open(self.styles.subtitle)?;
                self.build.text(&line)?;
                self.build.close()?;
            }
        }
        Ok(())
    }

    /// Reads the sections of a body of notes. Notes without a reference become ordinary text.
    fn notes(&mut self, xml: &mut Reader<'_>) -> Result<()> {
        let level = xml.level();
        while let Some(element) = xml.next_element(level)? {
            let id = element.attribute("id");
            let is_note = |id: &&str| self.scan.targets.contains(*id);
            match id.as_deref().filter(is_note) {
                Some(id) if element.name == "section" => {
                    let note = self.note(id)?;
                    self.build.open(Node::NoteBody(note))?;
                    self.in_note = true;
                    self.note_text(xml)?;
                    self.in_note = false;
                    self.build.close()?;
                }
                // A section without an identifier is a group of notes.
                _ if element.name == "section" && id.is_none() => self.notes(xml)?,
                _ if element.name == "title" => {}
                _ => self.block(xml, &element, 1)?,
            }
        }
        Ok(())
    }

    /// Reads the text of a note, without its title, which is its number.
    fn note_text(&mut self, xml: &mut Reader<'_>) -> Result<()> {
        let level = xml.level();
        while let Some(element) = xml.next_element(level)? {
            if element.name != "title" {
                self.block(xml, &element, 1)?;
            }
        }
        Ok(())
    }

    /// Reads a block element, in a section of this depth.
    fn block(&mut self, xml: &mut Reader<'_>, element: &Element<'_>, depth: u8) -> Result<()> {
        if let Some(id) = element.attribute("id")
            && self.scan.targets.contains(&*id)
            && !self.scan.notes.contains(&*id)
        {
            self.pending.push(id.into_owned());
        }
        match element.name {
            "section" => self.blocks(xml, depth + 1),
            "title" => self.title(xml, depth.saturating_sub(1).max(1)),
            "subtitle" => self.paragraph(xml, self.styles.subtitle, Some(Mark::Strong)),
            "text-author" => self.paragraph(xml, self.styles.author, None),
            "v" | "date" => self.paragraph(xml, self.styles.verse, None),
            "empty-line" => {
                self.open(ParagraphStyleId::DEFAULT)?;
                self.build.close()
            }
            "epigraph" | "cite" | "annotation" => {
                self.build.open(Node::Quote)?;
                self.blocks(xml, depth)?;
                self.build.close()
            }
            "poem" => self.blocks(xml, depth + 1),
            "stanza" => self.stanza(xml, depth),
            "image" => {
                self.open(ParagraphStyleId::DEFAULT)?;
                self.image(element)?;
                self.build.close()
            }
            "table" => self.table(xml),
            _ => self.paragraph(xml, ParagraphStyleId::DEFAULT, None),
        }
    }

    fn blocks(&mut self, xml: &mut Reader<'_>, depth: u8) -> Result<()> {
        let level = xml.level();
        let depth = depth.min(100);
        while let Some(element) = xml.next_element(level)? {
            self.block(xml, &element, depth)?;
        }
        Ok(())
    }

    /// Reads a title of one or several lines.
    fn title(&mut self, xml: &mut Reader<'_>, depth: u8) -> Result<()> {
        let id = match self.pending.is_empty() {
            true => None,
            false => Some(self.pending.remove(0).into()),
        };
        self.build.open(Node::Heading {
            level: depth,
            id,
            label: None,
            style: ParagraphStyleId::DEFAULT,
        })?;
        self.place()?;
        let level = xml.level();
        let mut is_first = true;
        while let Some(element) = xml.next_element(level)? {
            if element.name != "p" {
                continue;
            }
            if !std::mem::take(&mut is_first) {
                self.build.line_break()?;
            }
            self.inlines(xml)?;
        }
        self.build.close()
    }

    /// Reads a stanza as a paragraph with each verse on a line of its own. Other elements, such as a title, interrupt
    /// the paragraph.
    fn stanza(&mut self, xml: &mut Reader<'_>, depth: u8) -> Result<()> {
        let level = xml.level();
        let mut is_open = false;
        while let Some(element) = xml.next_element(level)? {
            if element.name != "v" {
                if std::mem::take(&mut is_open) {
                    self.build.close()?;
                }
                self.block(xml, &element, depth + 1)?;
                continue;
            }
            match is_open {
                true => self.build.line_break()?,
                false => self.open(self.styles.verse)?,
            }
            is_open = true;
            self.inlines(xml)?;
        }
        if is_open {
            self.build.close()?;
        }
        Ok(())
    }

    fn paragraph(
        &mut self,
        xml: &mut Reader<'_>,
        style: ParagraphStyleId,
        mark: Option<Mark>,
    ) -> Result<()> {
        self.open(style)?;
        if let Some(mark) = mark {
            self.build.open(Node::Marked(mark))?;
        }
        self.inlines(xml)?;
        if mark.is_some() {
            self.build.close()?;
        }
        self.build.close()
    }

    /// Reads a table. Its elements have the names of those in HTML.
    fn table(&mut self, xml: &mut Reader<'_>) -> Result<()> {
        self.build.open(Node::Table {
            columns: Vec::new(),
            width: None,
            alignment: None,
        })?;
        let level = xml.level();
        while let Some(row) = xml.next_element(level)? {
            if row.name != "tr" {
                continue;
            }
            self.build.open(Node::Row {
                part: Part::Body,
                height: None,
            })?;
            let level = xml.level();
            while let Some(cell) = xml.next_element(level)? {
                let span = |name: &str| {
                    let span = cell.attribute(name)?.trim().parse::<u16>().ok()?;
                    (span > 0).then_some(span)
                };
                let alignment = match cell.attribute("align").as_deref() {
                    Some("center") => Some(Alignment::Centre),
                    Some("right") => Some(Alignment::End),
                    Some("left") => Some(Alignment::Start),
                    _ => None,
                };
                self.build.open(Node::Cell(CellShape {
                    rows: span("rowspan").unwrap_or(1),
                    columns: span("colspan").unwrap_or(1),
                    heading: cell.name == "th",
                    alignment,
                    ..CellShape::default()
                }))?;
                self.paragraph(xml, ParagraphStyleId::DEFAULT, None)?;
                self.build.close()?;
            }
            self.build.close()?;
        }
        self.build.close()
    }

    /// Opens a paragraph, and makes it the target of the pending names.
    fn open(&mut self, style: ParagraphStyleId) -> Result<()> {
        self.build.open(Node::Paragraph(style))?;
        self.place()
    }

    fn place(&mut self) -> Result<()> {
        for name in std::mem::take(&mut self.pending) {
            self.build.bookmark(&name)?;
        }
        Ok(())
    }
}
