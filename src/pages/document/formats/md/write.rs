//! Writes a tree as Markdown. Markdown may contain HTML, so tables with merged cells, underlined text and page breaks,
//! which have no syntax of their own, are written as HTML. Fonts, sizes and colours are left out.
//!
//! The meaning of a character depends on its surroundings: two lists with the same marker would become one list, and a
//! line that begins with a number and a period would begin a list.

mod inlines;
mod lists;
pub(super) mod media;
mod notes;
mod tables;

use super::head;
use crate::{
    containers::zip::{self, Names},
    document::{
        lines::filled,
        sheet::{self, Sheet},
    },
    error::Result,
    job::{Job, Notes, Output},
};
use convertd_markup::html;
use convertd_tree::{
    Block, Code, Document, Group, GroupKind, Heading, Ids, Inline, ListKind, Metadata, NoteId,
    ResourceId, contents, each_block, each_inline,
    losses::{Loss, Losses},
    options, plain_text,
};
use media::Media;
use std::{
    collections::{HashMap, HashSet},
    io::Write,
};

/// Name of the text in an archive if the job states no title.
const UNNAMED: &str = "document";

static PICTURES: Loss = Loss {
    one: "An embedded picture was left out, because the quality is low.",
    many: "{} embedded pictures were left out, because the quality is low.",
};

static LOOKS: Loss = Loss {
    one: "A font, size or colour of text was left out.",
    many: "Fonts, sizes and colours of text were left out.",
};

static LAYOUTS: Loss = Loss {
    one: "A table that only arranges the page was replaced by the content of its cells.",
    many: "{} tables that only arrange the page were replaced by the content of their cells.",
};

static NUMERALS: Loss = Loss {
    one: "A list with letters or Roman numerals is now numbered with digits.",
    many: "{} lists with letters or Roman numerals are now numbered with digits.",
};

/// Writes the document block by block. Links to headings use the identifiers that GitHub makes of their text. If
/// pictures become files, the result is an archive with the text and these files.
pub(super) fn write(
    job: &Job<'_>,
    document: &Document,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    let largest = document.resources().iter().map(|one| one.bytes.len()).max();
    let _lease = job.lease(4 * largest.unwrap_or(0) as u64 + (4 << 20))?;
    let media = Media::of(job);
    if !media.is_beside() {
        write_text(job, document, &media, output, notes)?;
        return Ok(());
    }
    let mut archive = zip::Writer::new(job, output);
    let mut names = Names::default();
    let title = job.task.file_title.as_deref().unwrap_or(UNNAMED);
    archive.begin(&names.add_file(title, &job.task.to), Some(zip::LEVEL))?;
    write_text(job, document, &media, &mut archive, notes)?;
    archive.end()?;
    notes.mark_archive();
    media.finish(job, document, archive, &mut names)
}

/// Writes the document as Markdown: its metadata, a table of contents if the job asks for it, its blocks and its
/// notes.
fn write_text(
    job: &Job<'_>,
    document: &Document,
    media: &Media,
    output: &mut dyn Write,
    notes: &mut Notes,
) -> Result<()> {
    let mut text = Writer::new(job, document, media, Some(output));
    text.head(&document.metadata);
    if job.options().flag(options::TOC.name) {
        text.contents(&contents::of(document), 0)?;
    }
    let mut before = None;
    for block in document.blocks() {
        text.block(block, before)?;
        before = Some(block);
    }
    text.notes()?;
    text.lines.flush()?;
    text.losses.add_notes(notes);
    Ok(())
}

struct Writer<'a> {
    job: &'a Job<'a>,
    document: &'a Document,
    media: &'a Media,
    lines: Sheet<'a>,
    /// The number of enclosing lists.
    lists: usize,
    /// Whether the last list used the alternative marker: `*` instead of `-`, or after numbers the other one of `.` and
    /// `)`.
    other_sign: bool,
    /// Numbers of the notes that have been referred to, from 1 on.
    numbers: HashMap<NoteId, usize>,
    /// The same notes, in the order of their numbers.
    order: Vec<NoteId>,
    /// Whether the reference marks of notes are their names.
    notes_have_names: bool,
    /// Maps the identifier of each heading in the tree to the identifier that renderers derive from its text.
    headings: HashMap<&'a str, Box<str>>,
    /// The identifiers that links point to.
    targets: HashSet<&'a str>,
    losses: Losses,
}

impl<'a> Writer<'a> {
    /// Collects link targets and assigns identifiers to headings, before the first block is written.
    fn new(
        job: &'a Job<'a>,
        document: &'a Document,
        media: &'a Media,
        sink: Option<&'a mut dyn Write>,
    ) -> Self {
        let mut headings = HashMap::new();
        let mut targets = HashSet::new();
        let mut ids = Ids::default();
        for section in document.sections() {
            each_block(&section.blocks, &mut |block| {
                if let Block::Heading(heading) = block {
                    let id = ids.invent(&plain_text(&heading.content));
                    headings.insert(&*heading.id, id);
                }
            });
        }
        let notes = document.notes().iter().map(|note| &note.blocks);
        for blocks in document
            .sections()
            .iter()
            .map(|section| &section.blocks)
            .chain(notes)
        {
            each_inline(blocks, &mut |inline| {
                if let Inline::Link(link) = inline {
                    targets.extend(link.bookmark());
                }
            });
        }
        Self {
            job,
            document,
            media,
            lines: Sheet::new(job, sheet::wrap(job), sink),
            lists: 0,
            other_sign: false,
            numbers: HashMap::new(),
            order: Vec::new(),
            notes_have_names: notes::are_names(document),
            headings,
            targets,
            losses: Losses::default(),
        }
    }

    /// Writes the metadata as YAML. If there is neither a title nor an author, writes nothing.
    fn head(&mut self, metadata: &Metadata) {
        if metadata.title.is_none() && metadata.authors.is_empty() {
            return;
        }
        self.lines.out.push_str("---\n");
        let mut field = |name: &str, value: &Option<String>| {
            if let Some(value) = value {
                self.lines.out.push_str(name);
                self.lines.out.push_str(": ");
                head::quote(value, &mut self.lines.out);
                self.lines.out.push('\n');
            }
        };
        field("title", &metadata.title);
        field("subtitle", &metadata.subtitle);
        field("date", &metadata.date);
        field("lang", &metadata.language);
        field("subject", &metadata.subject);
        field("description", &metadata.description);
        for (name, values) in [
            ("author", &metadata.authors),
            ("keywords", &metadata.keywords),
        ] {
            if !values.is_empty() {
                self.lines.out.push_str(name);
                self.lines.out.push_str(":\n");
            }
            for value in values {
                self.lines.out.push_str("- ");
                head::quote(value, &mut self.lines.out);
                self.lines.out.push('\n');
            }
        }
        self.lines.out.push_str("---\n");
        self.lines.apart = true;
    }

    fn contents(&mut self, entries: &[contents::Entry], depth: usize) -> Result<()> {
        for entry in entries {
            let mut line = format!("{}- [", "  ".repeat(depth));
            inlines::escape(&entry.text, &mut line);
            let id = self.headings.get(&*entry.id).unwrap_or(&entry.id);
            line.push_str(&format!("](#{id})"));
            self.lines.line(&line)?;
            self.contents(&entry.below, depth + 1)?;
        }
        self.lines.apart = true;
        Ok(())
    }

    fn blocks(&mut self, blocks: &[Block], tight: bool) -> Result<()> {
        let mut before = None;
        for block in blocks {
            // A tight item has no blank lines, unless the next block would be read as a continuation of the paragraph
            // before.
            if tight && before.is_some() && interrupts(block) {
                self.lines.apart = false;
            }
            self.block(block, before)?;
            before = Some(block);
        }
        Ok(())
    }

    /// Writes blocks after a marker (`- `, `> `), with `indent` before all further lines.
    fn nested(
        &mut self,
        marker: String,
        indent: &str,
        blocks: &[Block],
        tight: bool,
    ) -> Result<()> {
        let len = self.lines.indent.len();
        self.lines.marker = Some(match self.lines.marker.take() {
            // A list item that begins with a list has both markers on one line.
            Some((at, around)) => (at, around + &marker),
            None => (len, marker),
        });
        self.lines.indent.push_str(indent);
        self.blocks(blocks, tight)?;
        if self.lines.marker.is_some() {
            self.lines.line("")?;
        }
        self.lines.indent.truncate(len);
        Ok(())
    }

    /// Writes a block. `before` is the previous block, from which some blocks must be separated.
    fn block(&mut self, block: &Block, before: Option<&Block>) -> Result<()> {
        match block {
            Block::Paragraph(paragraph) => {
                let text = self.inlines(&paragraph.content);
                self.paragraph(&text)
            }
            Block::Heading(heading) => self.heading(heading),
            Block::List(list) => self.list(list, before),
            Block::Definitions(all) => self.definitions(all),
            Block::Table(table) => self.table(table, block),
            Block::Code(code) => self.code(code),
            Block::Quote(blocks) => {
                self.lines.begin()?;
                self.nested("> ".into(), "> ", blocks, false)?;
                self.lines.apart = true;
                Ok(())
            }
            Block::Group(group) => self.group(group),
            Block::Rule => {
                self.lines.begin()?;
                // `- ---` would be a thematic break instead of a list item.
                self.lines
                    .line(if self.lists > 0 { "___" } else { "---" })?;
                self.lines.apart = true;
                Ok(())
            }
            Block::PageBreak => self.html(block),
            Block::ColumnBreak => Ok(()),
            Block::RawHtml(html) => {
                self.lines.begin()?;
                for line in html.split('\n') {
                    self.lines.line(line)?;
                }
                self.lines.apart = true;
                Ok(())
            }
        }
    }

    /// Writes a block as an HTML block.
    fn html(&mut self, block: &Block) -> Result<()> {
        self.lines.begin()?;
        let around = HtmlContext(self.media);
        let mut writer = html::Writer::new(self.job, self.document, &around, None);
        writer.blocks([block])?;
        writer.notes()?;
        let html = std::mem::take(&mut writer.out);
        // A blank line would end the HTML block (CommonMark, 4.6).
        for line in html.lines().filter(|line| !line.trim().is_empty()) {
            self.lines.line(line)?;
        }
        self.lines.apart = true;
        Ok(())
    }

    fn heading(&mut self, heading: &Heading) -> Result<()> {
        self.lines.begin()?;
        let mut text = self.inlines(&heading.content);
        text = text.replace("\\\n", " ").replace('\n', " ");
        if let Some(label) = &heading.label {
            text = format!("{label} {text}");
        }
        if text.ends_with('#') {
            text.insert(text.len() - 1, '\\');
        }
        let signs = "#".repeat(heading.level.min(6).into());
        self.lines.line(&format!("{signs} {}", text.trim()))?;
        self.lines.apart = true;
        Ok(())
    }

    /// Writes fenced code. The fence is longer than any run of backticks in the code (CommonMark, 4.5).
    fn code(&mut self, code: &Code) -> Result<()> {
        self.lines.begin()?;
        let longest = code
            .text
            .split(|c| c != '`')
            .map(str::len)
            .max()
            .unwrap_or(0);
        let fence = "`".repeat(longest.max(2) + 1);
        let info: String = code
            .info
            .chars()
            .filter(|c| *c != '`' && !c.is_control())
            .collect();
        let space = if info.starts_with('`') { " " } else { "" };
        self.lines.line(&format!("{fence}{space}{info}"))?;
        if !code.text.is_empty() {
            for line in code.text.split('\n') {
                self.lines.line(line)?;
            }
        }
        self.lines.line(&fence)?;
        self.lines.apart = true;
        Ok(())
    }

    /// Writes a group. Only a language needs a tag; other groups are written as their content.
    fn group(&mut self, group: &Group) -> Result<()> {
        match &group.kind {
            GroupKind::Figure { caption } => {
                self.blocks(&group.blocks, false)?;
                self.blocks(caption, false)
            }
            GroupKind::Aside | GroupKind::Speaker | GroupKind::Frame(_) | GroupKind::Regions(_) => {
                self.blocks(&group.blocks, false)
            }
            GroupKind::Language(tag) => {
                let mut start = String::from("<div lang=\"");
                html::attribute(tag, &mut start);
                start.push_str("\">");
                self.lines.begin()?;
                self.lines.line(&start)?;
                self.lines.apart = true;
                self.blocks(&group.blocks, false)?;
                self.lines.begin()?;
                self.lines.line("</div>")?;
                self.lines.apart = true;
                Ok(())
            }
        }
    }

    /// Writes a paragraph, wrapped so that no line begins with a character that would be markup there.
    fn paragraph(&mut self, text: &str) -> Result<()> {
        let text = text.trim_matches([' ', '\t', '\n']);
        if text.is_empty() {
            return Ok(());
        }
        self.lines.begin()?;
        for line in text.split('\n') {
            let line = line.trim_matches([' ', '\t']);
            match self.lines.room() {
                Some(room) => {
                    for piece in filled(line, room, &|text| !inlines::means_something(text)) {
                        self.lines.line(piece)?;
                    }
                }
                None => self.lines.line(line)?,
            }
        }
        self.lines.apart = true;
        Ok(())
    }

    fn low(&self) -> bool {
        self.job.quality().pick(true, false, false)
    }
}

/// Returns whether a block can interrupt a paragraph, that is, begin without a blank line before it (CommonMark, 4.8).
fn interrupts(block: &Block) -> bool {
    match block {
        Block::List(list) => match list.kind {
            ListKind::Bullet => true,
            ListKind::Ordered(numbering) => numbering.start == 1,
        },
        Block::Code(_) | Block::Quote(_) | Block::Heading(_) => true,
        _ => false,
    }
}

/// Context of the HTML parts of a Markdown text. Pictures in them have the same addresses as in the rest of the text.
struct HtmlContext<'a>(&'a Media);

impl html::Surroundings for HtmlContext<'_> {
    fn picture(&self, document: &Document, id: ResourceId, out: &mut String) {
        self.0.address(document, id, out);
    }
}
