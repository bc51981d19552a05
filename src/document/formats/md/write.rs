//! Writes a tree as Markdown. What Markdown has no signs for is HTML, which it may hold: tables with spans, definitions,
//! underlined text.

mod inlines;
mod tables;

use super::head;
use crate::{
    document::{
        Loss, Losses, contents, html,
        lines::filled,
        options,
        tree::{
            Block, Code, Definition, Delimiter, Document, Group, GroupKind, Heading, Ids, Inline,
            Item, List, ListKind, Metadata, NoteId, Numeral, ResourceId, each_block, each_inline,
            plain_text,
        },
    },
    error::{Error, Result},
    job::{Job, Notes, Output, Quality},
};
use std::{
    collections::{HashMap, HashSet},
    io::Write,
};

/// How much is gathered before it is written, in bytes.
const BUFFER: usize = 64 << 10;

/// The narrowest that text is set, however deep it stands.
const NARROWEST: usize = 24;

static PICTURES: Loss = Loss {
    one: "An embedded picture was left out, as the quality low asks for.",
    many: "{} embedded pictures were left out, as the quality low asks for.",
};

static LOOKS: Loss = Loss {
    one: "A font, size or colour of text was left out.",
    many: "Fonts, sizes and colours of text were left out.",
};

static LAYOUTS: Loss = Loss {
    one: "A table that lays out the page was taken apart.",
    many: "{} tables that lay out the page were taken apart.",
};

static NUMERALS: Loss = Loss {
    one: "A list that is numbered with letters or Roman numerals is numbered with digits.",
    many: "{} lists that are numbered with letters or Roman numerals are numbered with digits.",
};

pub(super) fn write(
    job: &Job<'_>,
    document: &Document,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    let largest = document.resources().iter().map(|one| one.bytes.len()).max();
    job.reserve(document.memory() + 4 * largest.unwrap_or(0) as u64 + (4 << 20))?;
    let mut text = Writer::new(job, document, Some(output));
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
    text.flush()?;
    text.losses.tell(notes);
    Ok(())
}

struct Writer<'a> {
    job: &'a Job<'a>,
    document: &'a Document,
    wrap: Option<usize>,
    sink: Option<&'a mut dyn Write>,
    out: String,
    /// What stands in front of each line.
    indent: String,
    /// What stands in front of the next line, behind so many bytes of the indent.
    marker: Option<(usize, String)>,
    /// The next block is set apart by an empty line.
    apart: bool,
    /// How many lists are around.
    lists: usize,
    /// The last list has the other one of the two signs that it could have.
    other_sign: bool,
    numbers: HashMap<NoteId, usize>,
    order: Vec<NoteId>,
    /// The names that readers of Markdown will give to headings, by those that they have.
    headings: HashMap<&'a str, Box<str>>,
    /// The names that links lead to.
    targets: HashSet<&'a str>,
    losses: Losses,
}

impl<'a> Writer<'a> {
    fn new(job: &'a Job<'a>, document: &'a Document, sink: Option<&'a mut dyn Write>) -> Self {
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
        let wrap = match job.options().word(options::WRAP.name) {
            Some("none") => None,
            _ => Some(72),
        };
        Self {
            job,
            document,
            wrap,
            sink,
            out: String::new(),
            indent: String::new(),
            marker: None,
            apart: false,
            lists: 0,
            other_sign: false,
            numbers: HashMap::new(),
            order: Vec::new(),
            headings,
            targets,
            losses: Losses::default(),
        }
    }

    fn flush(&mut self) -> Result<()> {
        if let Some(sink) = &mut self.sink {
            sink.write_all(self.out.as_bytes())
                .map_err(|err| Error::storage("the result could not be written", err))?;
            self.out.clear();
        }
        Ok(())
    }

    fn head(&mut self, metadata: &Metadata) {
        if metadata.title.is_none() && metadata.authors.is_empty() {
            return;
        }
        self.out.push_str("---\n");
        let mut field = |name: &str, value: &Option<String>| {
            if let Some(value) = value {
                self.out.push_str(name);
                self.out.push_str(": ");
                head::quote(value, &mut self.out);
                self.out.push('\n');
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
                self.out.push_str(name);
                self.out.push_str(":\n");
            }
            for value in values {
                self.out.push_str("- ");
                head::quote(value, &mut self.out);
                self.out.push('\n');
            }
        }
        self.out.push_str("---\n");
        self.apart = true;
    }

    fn contents(&mut self, entries: &[contents::Entry], depth: usize) -> Result<()> {
        for entry in entries {
            let mut line = format!("{}- [", "  ".repeat(depth));
            inlines::escape(&entry.text, &mut line);
            let id = self.headings.get(&*entry.id).unwrap_or(&entry.id);
            line.push_str(&format!("](#{id})"));
            self.line(&line)?;
            self.contents(&entry.below, depth + 1)?;
        }
        self.apart = true;
        Ok(())
    }

    fn notes(&mut self) -> Result<()> {
        for (number, id) in (1..).zip(std::mem::take(&mut self.order)) {
            self.begin()?;
            let blocks = &self.document.note(id).blocks;
            self.nested(format!("[^{number}]: "), "    ", blocks, false)?;
            self.apart = true;
        }
        Ok(())
    }

    fn blocks(&mut self, blocks: &[Block], tight: bool) -> Result<()> {
        let mut before = None;
        for block in blocks {
            // Only where the next block cannot be taken for a part of the one before.
            if tight && before.is_some() && interrupts(block) {
                self.apart = false;
            }
            self.block(block, before)?;
            before = Some(block);
        }
        Ok(())
    }

    /// Writes blocks behind a marker, and `indent` in front of all further lines.
    fn nested(
        &mut self,
        marker: String,
        indent: &str,
        blocks: &[Block],
        tight: bool,
    ) -> Result<()> {
        let len = self.indent.len();
        self.marker = Some(match self.marker.take() {
            // An item that begins with a list: both markers stand in one line.
            Some((at, around)) => (at, around + &marker),
            None => (len, marker),
        });
        self.indent.push_str(indent);
        self.blocks(blocks, tight)?;
        if self.marker.is_some() {
            self.line("")?;
        }
        self.indent.truncate(len);
        Ok(())
    }

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
                self.begin()?;
                self.nested("> ".into(), "> ", blocks, false)?;
                self.apart = true;
                Ok(())
            }
            Block::Group(group) => self.group(group),
            Block::Rule => {
                self.begin()?;
                // `- ---` would be a rule and no item.
                self.line(if self.lists > 0 { "___" } else { "---" })?;
                self.apart = true;
                Ok(())
            }
            Block::PageBreak => self.html(block),
            Block::RawHtml(html) => {
                self.begin()?;
                for line in html.split('\n') {
                    self.line(line)?;
                }
                self.apart = true;
                Ok(())
            }
        }
    }

    /// Writes a block as HTML.
    fn html(&mut self, block: &Block) -> Result<()> {
        self.begin()?;
        let around = Around;
        let mut writer = html::Writer::new(self.job, self.document, &around, None);
        writer.blocks([block])?;
        writer.notes()?;
        let html = std::mem::take(&mut writer.out);
        // An empty line would end it.
        for line in html.lines().filter(|line| !line.trim().is_empty()) {
            self.line(line)?;
        }
        self.apart = true;
        Ok(())
    }

    fn heading(&mut self, heading: &Heading) -> Result<()> {
        self.begin()?;
        let mut text = self.inlines(&heading.content);
        text = text.replace("\\\n", " ").replace('\n', " ");
        if let Some(label) = &heading.label {
            text = format!("{label} {text}");
        }
        if text.ends_with('#') {
            text.insert(text.len() - 1, '\\');
        }
        let signs = "#".repeat(heading.level.min(6).into());
        self.line(&format!("{signs} {}", text.trim()))?;
        self.apart = true;
        Ok(())
    }

    fn code(&mut self, code: &Code) -> Result<()> {
        self.begin()?;
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
        self.line(&format!("{fence}{space}{info}"))?;
        if !code.text.is_empty() {
            for line in code.text.split('\n') {
                self.line(line)?;
            }
        }
        self.line(&fence)?;
        self.apart = true;
        Ok(())
    }

    /// In the form of PHP Markdown Extra, which most readers know, and all others show as text.
    fn definitions(&mut self, all: &[Definition]) -> Result<()> {
        for definition in all {
            self.begin()?;
            let term = self.inlines(&definition.term);
            let term = term.replace("\\\n", "\n");
            for line in term
                .split('\n')
                .map(str::trim)
                .filter(|line| !line.is_empty())
            {
                self.line(line)?;
            }
            for details in &definition.details {
                self.apart = details.len() > 1;
                self.begin()?;
                // Two spaces: for readers that know nothing of this, four would begin code.
                self.nested(": ".into(), "  ", details, false)?;
            }
            self.apart = true;
        }
        Ok(())
    }

    fn group(&mut self, group: &Group) -> Result<()> {
        match &group.kind {
            GroupKind::Figure { caption } => {
                self.blocks(&group.blocks, false)?;
                self.blocks(caption, false)
            }
            GroupKind::Aside => self.blocks(&group.blocks, false),
            GroupKind::Language(tag) => {
                let mut start = String::from("<div lang=\"");
                html::attribute(tag, &mut start);
                start.push_str("\">");
                self.begin()?;
                self.line(&start)?;
                self.apart = true;
                self.blocks(&group.blocks, false)?;
                self.begin()?;
                self.line("</div>")?;
                self.apart = true;
                Ok(())
            }
        }
    }

    fn list(&mut self, list: &List, before: Option<&Block>) -> Result<()> {
        // Two lists one after the other would be one, unless their signs differ.
        self.other_sign = match before {
            Some(Block::List(_)) => !self.other_sign,
            _ => false,
        };
        let other_sign = self.other_sign;
        if let ListKind::Ordered(numbering) = list.kind
            && numbering.numeral != Numeral::Decimal
        {
            self.losses.add(&NUMERALS);
        }
        self.lists += 1;
        for (index, item) in (0..).zip(&list.items) {
            self.begin()?;
            let marker = match list.kind {
                ListKind::Bullet => if other_sign { "* " } else { "- " }.to_owned(),
                ListKind::Ordered(numbering) => {
                    // A number has nine digits at most.
                    let number = numbering.start.saturating_add(index).min(999_999_999);
                    let round = numbering.delimiter == Delimiter::Parenthesis
                        || numbering.delimiter == Delimiter::Parentheses;
                    let sign = if round != other_sign { ')' } else { '.' };
                    format!("{number}{sign} ")
                }
            };
            self.item(item, marker, list.tight)?;
            self.apart = !list.tight;
        }
        self.lists -= 1;
        self.other_sign = other_sign;
        self.apart = true;
        Ok(())
    }

    fn item(&mut self, item: &Item, mut marker: String, tight: bool) -> Result<()> {
        let indent = " ".repeat(marker.len());
        if let Some(done) = item.task {
            marker.push_str(if done { "[x] " } else { "[ ] " });
        }
        self.nested(marker, &indent, &item.blocks, tight)
    }

    /// How wide text may be here.
    fn room(&self) -> Option<usize> {
        let room = self.wrap?.saturating_sub(self.indent.len());
        Some(room.max(NARROWEST))
    }

    /// Sets what comes apart from what came.
    fn begin(&mut self) -> Result<()> {
        if std::mem::take(&mut self.apart) && !self.out.is_empty() && self.marker.is_none() {
            let indent = self.indent.trim_end();
            self.out.push_str(indent);
            self.out.push('\n');
        }
        if self.out.len() > BUFFER && self.sink.is_some() {
            self.job.check()?;
            // Something stays, so that one can see that something came.
            let last = self.out.pop();
            self.flush()?;
            self.out.extend(last);
        }
        Ok(())
    }

    fn line(&mut self, text: &str) -> Result<()> {
        let start = self.out.len();
        match self.marker.take() {
            Some((at, marker)) => {
                self.out.push_str(&self.indent[..at]);
                self.out.push_str(&marker);
            }
            None => self.out.push_str(&self.indent),
        }
        self.out.push_str(text);
        if text.is_empty() {
            let end = self.out[start..].trim_end().len();
            self.out.truncate(start + end);
        }
        self.out.push('\n');
        Ok(())
    }

    fn paragraph(&mut self, text: &str) -> Result<()> {
        let text = text.trim_matches([' ', '\t', '\n']);
        if text.is_empty() {
            return Ok(());
        }
        self.begin()?;
        for line in text.split('\n') {
            let line = line.trim_matches([' ', '\t']);
            match self.room() {
                Some(room) => {
                    for piece in filled(line, room, &|text| !inlines::means_something(text)) {
                        self.line(piece)?;
                    }
                }
                None => self.line(line)?,
            }
        }
        self.apart = true;
        Ok(())
    }

    fn low(&self) -> bool {
        self.job.quality() == Quality::Low
    }
}

/// Whether a block that begins in the next line is not taken for a part of a paragraph.
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

/// HTML in Markdown has its pictures in it.
struct Around;

impl html::Surroundings for Around {
    fn picture(&self, document: &Document, id: ResourceId, out: &mut String) {
        html::data_url(document.resource(id), out);
    }
}
