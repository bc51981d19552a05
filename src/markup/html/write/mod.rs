//! Writes parts of a tree as HTML that is well-formed XML, too: lower-case names, quoted attributes, no omitted tags.
//! Line ends are placed as in the reference implementation of CommonMark, so that its examples can be compared
//! literally.
//!
//! The look of paragraphs is left to the reader's style sheet, except for what carries meaning: alignment, direction,
//! page breaks, and the styles of single words, such as colour and size.

mod drawing;
mod inlines;
mod lists;
mod look;
mod tables;

pub use look::direction;

use crate::{
    error::{Error, Result},
    job::Job,
    syntax::escape,
};
use convertd_tree::{
    Alignment, Block, Code, Document, Group, GroupKind, Heading, NoteId, Paragraph,
    ParagraphStyleId, ResourceId, code::TokenKind, losses::Losses,
};
use look::text_align;
use std::{borrow::Cow, collections::HashMap, fmt::Write as _, io::Write};

/// Length of the output, in bytes, beyond which it is passed to the sink before the next block.
const BUFFER: usize = 64 << 10;

/// Container of the HTML, which knows the URLs of pictures and links.
pub trait Surroundings {
    /// Writes the URL of a picture, for use in an attribute.
    fn picture(&self, document: &Document, id: ResourceId, out: &mut String);

    /// Returns whether this picture can be shown. If not, its alternative text is written.
    fn shows(&self, _: &Document, _: ResourceId) -> bool {
        true
    }

    /// Returns whether drawings whose shapes are part of the document become elements of the page, and not files.
    fn draws(&self) -> bool {
        false
    }

    /// Returns whether pictures outside of the document can be shown.
    fn shows_remote(&self) -> bool {
        true
    }

    /// The URL for a link, or `None` if only its text is to be written.
    fn link<'t>(&self, target: &'t str) -> Option<Cow<'t, str>> {
        Some(Cow::Borrowed(target))
    }
}

/// Writes blocks as HTML.
pub struct Writer<'a> {
    /// The losses so far.
    pub losses: Losses,
    /// Whether blocks of code are coloured by their language. `false` unless the caller sets it.
    pub colours_code: bool,
    job: &'a Job<'a>,
    document: &'a Document,
    around: &'a dyn Surroundings,
    /// The output that has not been passed to the sink yet.
    pub out: String,
    sink: Option<&'a mut dyn Write>,
    /// For each note, its number in the order of first reference, and how often it has been referred to.
    numbers: HashMap<NoteId, (usize, usize)>,
    /// The notes that have been referred to but not written yet.
    pending: Vec<NoteId>,
    /// Whether the position is inside a link. Links cannot be nested.
    in_link: bool,
    /// The number of drawings so far.
    drawings: usize,
}

impl<'a> Writer<'a> {
    /// Creates a writer. Without a sink, all output stays in `out`.
    pub fn new(
        job: &'a Job<'a>,
        document: &'a Document,
        around: &'a dyn Surroundings,
        sink: Option<&'a mut dyn Write>,
    ) -> Self {
        Self {
            losses: Losses::default(),
            colours_code: false,
            job,
            document,
            around,
            out: String::new(),
            sink,
            numbers: HashMap::new(),
            pending: Vec::new(),
            in_link: false,
            drawings: 0,
        }
    }

    /// Passes the buffer to the sink.
    pub fn flush(&mut self) -> Result<()> {
        if let Some(sink) = &mut self.sink {
            sink.write_all(self.out.as_bytes())
                .map_err(Error::unwritten)?;
            self.out.clear();
        }
        Ok(())
    }

    /// Writes blocks one after another.
    pub fn blocks<'b>(&mut self, blocks: impl IntoIterator<Item = &'b Block>) -> Result<()> {
        for block in blocks {
            self.block(block)?;
        }
        Ok(())
    }

    /// Writes the notes that have been referred to since the last call.
    pub fn notes(&mut self) -> Result<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let first = self.numbers.len() - self.pending.len() + 1;
        self.line_start();
        self.out
            .push_str("<section class=\"footnotes\" role=\"doc-endnotes\">\n<hr />\n");
        match first {
            1 => self.out.push_str("<ol>\n"),
            _ => writeln!(self.out, "<ol start=\"{first}\">").unwrap_or_default(),
        }
        for id in std::mem::take(&mut self.pending) {
            let (number, times) = self.numbers.get(&id).copied().unwrap_or_default();
            write!(self.out, "<li id=\"fn.{number}\"").unwrap_or_default();
            look::note_marker(self.document.note_label(id), number, &mut self.out);
            self.out.push('>');
            let blocks = &self.document.note(id).blocks;
            let (last, others) = match blocks.split_last() {
                Some((Block::Paragraph(last), others)) => (Some(last), others),
                _ => (None, blocks.as_slice()),
            };
            self.blocks(others)?;
            self.line_start();
            self.out.push_str("<p>");
            if let Some(last) = last {
                self.inlines(&last.content)?;
            }
            for time in 1..=times {
                let again = again(time);
                write!(
                    self.out,
                    " <a href=\"#fnref.{number}{again}\" role=\"doc-backlink\">↩</a>"
                )
                .unwrap_or_default();
            }
            self.out.push_str("</p>\n</li>\n");
        }
        self.out.push_str("</ol>\n</section>\n");
        Ok(())
    }

    /// Begins a new line, unless the output is at the beginning of one.
    pub fn line_start(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with('\n') {
            self.out.push('\n');
        }
    }

    /// Writes a block. A full buffer goes to the sink first, so that memory does not grow with the document.
    fn block(&mut self, block: &Block) -> Result<()> {
        if self.out.len() > BUFFER {
            self.job.check()?;
            // Keep the last byte, which shows whether the output is at the beginning of a line.
            if self.sink.is_some() {
                let last = self.out.pop();
                self.flush()?;
                self.out.extend(last);
            }
        }
        match block {
            Block::Paragraph(paragraph) => self.paragraph(paragraph),
            Block::Heading(heading) => self.heading(heading),
            Block::List(list) => self.list(list),
            Block::Definitions(all) => self.definitions(all),
            Block::Table(table) => self.table(table),
            Block::Code(code) => {
                self.code(code);
                Ok(())
            }
            Block::Quote(blocks) => self.container("blockquote", "", blocks),
            Block::Group(group) => self.group(group),
            Block::Rule => {
                self.line_start();
                self.out.push_str("<hr />\n");
                Ok(())
            }
            Block::PageBreak => {
                self.line_start();
                self.out
                    .push_str("<div style=\"break-after: page\"></div>\n");
                Ok(())
            }
            Block::ColumnBreak => Ok(()),
            Block::RawHtml(html) => {
                self.line_start();
                self.out.push_str(html);
                self.line_start();
                Ok(())
            }
        }
    }

    fn container(&mut self, name: &str, attributes: &str, blocks: &[Block]) -> Result<()> {
        self.line_start();
        writeln!(self.out, "<{name}{attributes}>").unwrap_or_default();
        self.blocks(blocks)?;
        self.line_start();
        writeln!(self.out, "</{name}>").unwrap_or_default();
        Ok(())
    }

    fn paragraph(&mut self, paragraph: &Paragraph) -> Result<()> {
        if paragraph.content.is_empty() {
            return Ok(());
        }
        self.line_start();
        self.out.push_str("<p");
        self.paragraph_style(paragraph.style);
        self.out.push('>');
        self.inlines(&paragraph.content)?;
        self.out.push_str("</p>\n");
        Ok(())
    }

    fn heading(&mut self, heading: &Heading) -> Result<()> {
        self.line_start();
        let level = heading.level.min(6);
        write!(self.out, "<h{level} id=\"").unwrap_or_default();
        escape::attribute(&heading.id, &mut self.out);
        self.out.push('"');
        self.paragraph_style(heading.style);
        self.out.push('>');
        if let Some(label) = &heading.label {
            self.out.push_str("<span class=\"number\">");
            escape::text(label, &mut self.out);
            self.out.push_str("</span> ");
        }
        self.inlines(&heading.content)?;
        writeln!(self.out, "</h{level}>").unwrap_or_default();
        Ok(())
    }

    /// Writes the attributes for direction, alignment, and a page break before the paragraph.
    fn paragraph_style(&mut self, id: ParagraphStyleId) {
        if id == ParagraphStyleId::default() {
            return;
        }
        let style = self.document.paragraph_style(id);
        direction(style.direction, &mut self.out);
        let mut css = String::new();
        if let Some(alignment) = style.alignment.filter(|side| *side != Alignment::Start) {
            css.push_str(text_align(alignment));
        }
        if style.page_break_before {
            css.push_str("break-before: page; ");
        }
        self.style(&css);
    }

    /// Writes a `style` attribute, unless it would be empty.
    fn style(&mut self, css: &str) {
        let css = css.trim_end_matches([' ', ';']);
        if !css.is_empty() {
            self.out.push_str(" style=\"");
            escape::attribute(css, &mut self.out);
            self.out.push('"');
        }
    }

    /// Writes the blocks of a cell, caption, figure or definition. A single paragraph gets no `p` element, unless its
    /// style needs attributes.
    fn loosely(&mut self, blocks: &[Block]) -> Result<()> {
        match blocks {
            [Block::Paragraph(paragraph)] if !self.shows_style(paragraph.style) => {
                self.inlines(&paragraph.content)
            }
            _ => self.blocks(blocks),
        }
    }

    /// Returns whether a paragraph style has anything that would be written.
    fn shows_style(&mut self, id: ParagraphStyleId) -> bool {
        let before = self.out.len();
        self.paragraph_style(id);
        let shows = self.out.len() > before;
        self.out.truncate(before);
        shows
    }

    fn code(&mut self, code: &Code) {
        self.line_start();
        self.out.push_str("<pre><code");
        if let Some(language) = code.language() {
            self.out.push_str(" class=\"language-");
            escape::attribute(language, &mut self.out);
            self.out.push('"');
        }
        self.out.push('>');
        if self.colours_code {
            for (kind, text) in convertd_tree::code::pieces(&code.info, &code.text) {
                self.piece(kind, text);
            }
        } else {
            escape::text(&code.text, &mut self.out);
        }
        if !code.text.is_empty() {
            self.out.push('\n');
        }
        self.out.push_str("</code></pre>\n");
    }

    /// Writes a piece of code, in the colour of its kind if it has one.
    fn piece(&mut self, kind: Option<TokenKind>, text: &str) {
        if let Some(kind) = kind {
            let colour = kind.colour().hex();
            write!(self.out, "<span style=\"color: #{colour}\">").unwrap_or_default();
        }
        escape::text(text, &mut self.out);
        if kind.is_some() {
            self.out.push_str("</span>");
        }
    }

    /// Writes a group as the element that comes closest to its kind. Regions, and frames whose content is a part of the
    /// main text, get no element.
    fn group(&mut self, group: &Group) -> Result<()> {
        let mut attributes = String::new();
        if let Some(id) = &group.id {
            attributes.push_str(" id=\"");
            escape::attribute(id, &mut attributes);
            attributes.push('"');
        }
        match &group.kind {
            GroupKind::Regions(_) => self.blocks(&group.blocks),
            GroupKind::Frame(frame) if !frame.apart => self.blocks(&group.blocks),
            GroupKind::Aside | GroupKind::Frame(_) => {
                self.container("aside", &attributes, &group.blocks)
            }
            GroupKind::Speaker => self.container("aside", " class=\"notes\"", &group.blocks),
            GroupKind::Language(tag) => {
                attributes.push_str(" lang=\"");
                escape::attribute(tag, &mut attributes);
                attributes.push('"');
                self.container("div", &attributes, &group.blocks)
            }
            GroupKind::Figure { caption } => {
                self.line_start();
                writeln!(self.out, "<figure{attributes}>").unwrap_or_default();
                match group.blocks.as_slice() {
                    [Block::Paragraph(_)] => self.loosely(&group.blocks)?,
                    blocks => self.blocks(blocks)?,
                }
                if !caption.is_empty() {
                    self.line_start();
                    self.out.push_str("<figcaption>");
                    self.loosely(caption)?;
                    self.out.push_str("</figcaption>");
                }
                self.line_start();
                self.out.push_str("</figure>\n");
                Ok(())
            }
        }
    }
}

/// The suffix that makes the identifier of a repeated note reference unique; empty for the first reference.
fn again(time: usize) -> String {
    match time {
        1 => String::new(),
        _ => format!(".{time}"),
    }
}
