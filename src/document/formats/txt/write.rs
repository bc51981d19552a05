//! Writes a tree as plain text for a font of fixed width: what a thing is shows in where it stands and in what stands in front of
//! it. Marks and the addresses of links are left out.

mod tables;

use crate::{
    document::{
        Loss, Losses, contents,
        lines::{filled, width},
        math, numbering, options,
        tree::{
            Block, Document, GroupKind, Inline, Item, List, ListKind, Mark, NoteId, PictureSource,
            plain_text,
        },
    },
    error::{Error, Result},
    job::{Job, Notes, Output},
};
use std::{collections::HashMap, io::Write};

/// How much is gathered before it is written, in bytes.
const BUFFER: usize = 64 << 10;

/// The narrowest that text is set, however deep it stands.
const NARROWEST: usize = 24;

static PICTURES: Loss = Loss {
    one: "A picture was replaced by its alternative text.",
    many: "{} pictures were replaced by their alternative texts.",
};

static ADDRESSES: Loss = Loss {
    one: "The address of a link was left out.",
    many: "The addresses of {} links were left out.",
};

pub(super) fn write(
    job: &Job<'_>,
    document: &Document,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    job.reserve(document.memory() + (4 << 20))?;
    let wrap = match job.options().word(options::WRAP.name) {
        Some("none") => None,
        _ => Some(72),
    };
    let mut text = Writer::new(job, document, wrap, Some(output));
    text.title_block()?;
    if job.options().flag(options::TOC.name) {
        text.contents(&contents::of(document), 0)?;
    }
    text.blocks(document.blocks(), false)?;
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
    numbers: HashMap<NoteId, usize>,
    order: Vec<NoteId>,
    labels: Vec<String>,
    losses: Losses,
}

impl<'a> Writer<'a> {
    fn new(
        job: &'a Job<'a>,
        document: &'a Document,
        wrap: Option<usize>,
        sink: Option<&'a mut dyn Write>,
    ) -> Self {
        Self {
            job,
            document,
            wrap,
            sink,
            out: String::new(),
            indent: String::new(),
            marker: None,
            apart: false,
            numbers: HashMap::new(),
            order: Vec::new(),
            labels: Vec::new(),
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

    fn title_block(&mut self) -> Result<()> {
        let metadata = &self.document.metadata;
        if !metadata.title_block {
            return Ok(());
        }
        let lines = metadata.title.iter().chain(&metadata.subtitle);
        for line in lines.chain(&metadata.authors).chain(&metadata.date) {
            self.paragraph(line)?;
            self.apart = false;
        }
        self.apart = true;
        Ok(())
    }

    fn contents(&mut self, entries: &[contents::Entry], depth: usize) -> Result<()> {
        for entry in entries {
            let indent = self.indent.len();
            self.marker = Some((indent, format!("{}- ", "  ".repeat(depth))));
            self.indent.push_str(&" ".repeat(2 * depth + 2));
            self.paragraph(&entry.text)?;
            self.indent.truncate(indent);
            self.apart = false;
            self.contents(&entry.below, depth + 1)?;
        }
        self.apart = true;
        Ok(())
    }

    fn notes(&mut self) -> Result<()> {
        if !self.order.is_empty() {
            self.rule()?;
        }
        for (number, id) in (1..).zip(std::mem::take(&mut self.order)) {
            self.marker = Some((self.indent.len(), format!("[{number}] ")));
            self.indented("    ", &self.document.note(id).blocks, false)?;
        }
        Ok(())
    }

    fn blocks<'b>(
        &mut self,
        blocks: impl IntoIterator<Item = &'b Block>,
        tight: bool,
    ) -> Result<()> {
        for block in blocks {
            self.block(block)?;
            if tight {
                self.apart = false;
            }
        }
        Ok(())
    }

    fn indented(&mut self, by: &str, blocks: &[Block], tight: bool) -> Result<()> {
        let indent = self.indent.len();
        self.indent.push_str(by);
        self.blocks(blocks, tight)?;
        if self.marker.is_some() {
            // Nothing came that it could stand in front of.
            self.line("")?;
        }
        self.indent.truncate(indent);
        Ok(())
    }

    fn block(&mut self, block: &Block) -> Result<()> {
        match block {
            Block::Paragraph(paragraph) => {
                let text = self.inlines(&paragraph.content);
                if !text.trim().is_empty() {
                    self.paragraph(&text)?;
                }
                Ok(())
            }
            Block::Heading(heading) => {
                let mut text = self.inlines(&heading.content);
                if let Some(label) = &heading.label {
                    text = format!("{label} {text}");
                }
                self.paragraph(&text)
            }
            Block::List(list) => self.list(list),
            Block::Definitions(all) => {
                for definition in all {
                    let term = self.inlines(&definition.term);
                    self.paragraph(&term)?;
                    self.apart = false;
                    for details in &definition.details {
                        self.indented("    ", details, false)?;
                    }
                    self.apart = true;
                }
                Ok(())
            }
            Block::Table(table) => self.table(table),
            Block::Code(code) => {
                self.begin()?;
                for line in code.text.split('\n') {
                    self.line(&format!("    {line}"))?;
                }
                self.apart = true;
                Ok(())
            }
            Block::Quote(blocks) => self.indented("  ", blocks, false),
            Block::Group(group) => {
                self.blocks(&group.blocks, false)?;
                match &group.kind {
                    GroupKind::Figure { caption } => self.blocks(caption, false),
                    GroupKind::Aside | GroupKind::Language(_) => Ok(()),
                }
            }
            Block::Rule => self.rule(),
            // A form feed is what printers take for it.
            Block::PageBreak => {
                self.out.push('\x0c');
                Ok(())
            }
            Block::RawHtml(_) => Ok(()),
        }
    }

    fn rule(&mut self) -> Result<()> {
        self.begin()?;
        let width = self.room().min(72);
        self.line(&"-".repeat(width))?;
        self.apart = true;
        Ok(())
    }

    fn list(&mut self, list: &List) -> Result<()> {
        for (index, item) in (0..).zip(&list.items) {
            let mut marker = match list.kind {
                ListKind::Bullet => "- ".to_owned(),
                ListKind::Ordered(numbering) => {
                    let number = numbering.start.saturating_add(index);
                    let label = numbering::label(number, numbering, &self.labels);
                    self.labels
                        .push(numbering::write(number, numbering.numeral));
                    label + " "
                }
            };
            let indent = " ".repeat(width(&marker));
            if let Some(done) = item.task {
                marker.push_str(if done { "[x] " } else { "[ ] " });
            }
            self.item(item, marker, &indent, list.tight)?;
            if let ListKind::Ordered(_) = list.kind {
                self.labels.pop();
            }
            self.apart = !list.tight;
        }
        self.apart = true;
        Ok(())
    }

    fn item(&mut self, item: &Item, marker: String, indent: &str, tight: bool) -> Result<()> {
        if self.marker.is_some() {
            // An item that begins with a list.
            self.line("")?;
        }
        self.begin()?;
        self.marker = Some((self.indent.len(), marker));
        self.indented(indent, &item.blocks, tight)
    }

    /// How wide text may be here.
    fn room(&self) -> usize {
        let wrap = self.wrap.unwrap_or(72);
        wrap.saturating_sub(self.indent.len()).max(NARROWEST)
    }

    /// Sets what comes apart from what came.
    fn begin(&mut self) -> Result<()> {
        if std::mem::take(&mut self.apart) && !self.out.is_empty() && self.marker.is_none() {
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
        let end = self.out[start..].trim_end_matches([' ', '\t']).len();
        self.out.truncate(start + end);
        self.out.push('\n');
        Ok(())
    }

    /// Sets text in lines. Those that `\n` ends were meant.
    fn paragraph(&mut self, text: &str) -> Result<()> {
        self.begin()?;
        for line in text.split('\n') {
            let Some(_) = self.wrap else {
                self.line(line)?;
                continue;
            };
            for piece in filled(line, self.room(), &|_| true) {
                self.line(piece)?;
            }
        }
        self.apart = true;
        Ok(())
    }

    fn inlines(&mut self, content: &[Inline]) -> String {
        let mut text = String::new();
        self.add_inlines(content, &mut text);
        text
    }

    fn add_inlines(&mut self, content: &[Inline], text: &mut String) {
        for inline in content {
            match inline {
                Inline::Text(piece) | Inline::Code(piece) => text.push_str(piece),
                Inline::Marked(mark @ (Mark::Superscript | Mark::Subscript), content) => {
                    script(*mark, &plain_text(content), text);
                }
                Inline::Marked(_, content) | Inline::Span(_, content) => {
                    self.add_inlines(content, text);
                }
                Inline::Link(link) => {
                    if link.bookmark().is_none() && plain_text(&link.content) != *link.target {
                        self.losses.add(&ADDRESSES);
                    }
                    self.add_inlines(&link.content, text);
                }
                Inline::Picture(picture) => {
                    self.losses.add(&PICTURES);
                    let name = match &picture.source {
                        _ if !picture.alternative.is_empty() => &picture.alternative,
                        PictureSource::Resource(_) => "picture",
                        PictureSource::Address(address) => address,
                    };
                    text.push('[');
                    text.push_str(name);
                    text.push(']');
                }
                Inline::Note(id) => {
                    let next = self.numbers.len() + 1;
                    let number = *self.numbers.entry(*id).or_insert_with(|| {
                        self.order.push(*id);
                        next
                    });
                    text.push_str(&format!("[{number}]"));
                }
                Inline::LineBreak => text.push('\n'),
                Inline::SoftBreak => text.push(' '),
                Inline::Math(formula) => {
                    self.losses.add(&math::AS_TEXT);
                    text.push_str(&formula.tex);
                }
                Inline::Bookmark(_) | Inline::Field(_) | Inline::RawHtml(_) => {}
            }
        }
    }
}

/// Text as raised or lowered characters, where all of it has such, else in brackets behind a sign.
fn script(mark: Mark, content: &str, text: &mut String) {
    const PLAIN: &str = "0123456789+-=()n";
    let (scripts, sign) = match mark {
        Mark::Superscript => ("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ", '^'),
        _ => ("₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₙ", '_'),
    };
    let raised = |c| scripts.chars().nth(PLAIN.find(c)?);
    match content.chars().map(raised).collect::<Option<String>>() {
        Some(raised) => text.push_str(&raised),
        None => {
            text.push(sign);
            text.push('(');
            text.push_str(content);
            text.push(')');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_shown_as_far_as_there_are_letters_for_them() {
        let with = |mark, content| {
            let mut text = String::new();
            script(mark, content, &mut text);
            text
        };
        assert_eq!(with(Mark::Superscript, "-12"), "⁻¹²");
        assert_eq!(with(Mark::Subscript, "2"), "₂");
        assert_eq!(with(Mark::Superscript, "th"), "^(th)");
    }
}
