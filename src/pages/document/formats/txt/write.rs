//! Writes a tree as plain text for a fixed-width font. Structure is shown by indents, markers and underlines.
//! Superscript and subscript are kept; other marks and the targets of links are left out.

mod tables;

use crate::{
    document::{
        lines::{filled, width},
        sheet::{self, COLUMNS, Sheet},
    },
    error::Result,
    job::{Job, Notes, Output},
};
use convertd_tree::{
    Block, Document, GroupKind, Inline, Item, List, ListKind, Mark, NoteId, PictureSource,
    contents,
    losses::{Loss, Losses},
    math, numbering, options, plain_text,
};
use std::{collections::HashSet, io::Write};

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
    let _lease = job.lease(4 << 20)?;
    let mut text = Writer::new(job, document, sheet::wrap(job), Some(output));
    text.title_block()?;
    if job.options().flag(options::TOC.name) {
        text.contents(&contents::of(document), 0)?;
    }
    text.blocks(document.blocks(), false)?;
    text.notes()?;
    text.lines.flush()?;
    text.losses.add_notes(notes);
    Ok(())
}

struct Writer<'a> {
    job: &'a Job<'a>,
    document: &'a Document,
    lines: Sheet<'a>,
    /// Notes with a reference so far.
    referred: HashSet<NoteId>,
    /// The notes in `referred`, in the order of their first references.
    order: Vec<NoteId>,
    /// Numbers of the ordered list items around the text, from the outermost one.
    labels: Vec<String>,
    losses: Losses,
    /// Number of tables around the text that this writer writes.
    tables: usize,
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
            lines: Sheet::new(job, wrap, sink),
            referred: HashSet::new(),
            order: Vec::new(),
            labels: Vec::new(),
            losses: Losses::default(),
            tables: 0,
        }
    }

    fn title_block(&mut self) -> Result<()> {
        let metadata = &self.document.metadata;
        if !metadata.title_block {
            return Ok(());
        }
        let lines = metadata.title.iter().chain(&metadata.subtitle);
        for line in lines.chain(&metadata.authors).chain(&metadata.date) {
            self.paragraph(line)?;
            self.lines.apart = false;
        }
        self.lines.apart = true;
        Ok(())
    }

    fn contents(&mut self, entries: &[contents::Entry], depth: usize) -> Result<()> {
        for entry in entries {
            let indent = self.lines.indent.len();
            self.lines.marker = Some((indent, format!("{}- ", "  ".repeat(depth))));
            self.lines.indent.push_str(&" ".repeat(2 * depth + 2));
            self.paragraph(&entry.text)?;
            self.lines.indent.truncate(indent);
            self.lines.apart = false;
            self.contents(&entry.below, depth + 1)?;
        }
        self.lines.apart = true;
        Ok(())
    }

    fn notes(&mut self) -> Result<()> {
        if !self.order.is_empty() {
            self.rule()?;
        }
        for id in std::mem::take(&mut self.order) {
            let label = self.document.note_label(id);
            self.lines.marker = Some((self.lines.indent.len(), format!("[{label}] ")));
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
                self.lines.apart = false;
            }
        }
        Ok(())
    }

    fn indented(&mut self, by: &str, blocks: &[Block], tight: bool) -> Result<()> {
        let indent = self.lines.indent.len();
        self.lines.indent.push_str(by);
        self.blocks(blocks, tight)?;
        if self.lines.marker.is_some() {
            // No line was written, so the marker has not been written either: write it alone.
            self.line("")?;
        }
        self.lines.indent.truncate(indent);
        Ok(())
    }

    /// Writes a block, usually after a blank line (see [`Sheet::apart`]).
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
                    self.lines.apart = false;
                    for details in &definition.details {
                        self.indented("    ", details, false)?;
                    }
                    self.lines.apart = true;
                }
                Ok(())
            }
            Block::Table(table) => self.table(table),
            Block::Code(code) => {
                self.lines.begin()?;
                for line in code.text.split('\n') {
                    self.line(&format!("    {line}"))?;
                }
                self.lines.apart = true;
                Ok(())
            }
            Block::Quote(blocks) => self.indented("  ", blocks, false),
            Block::Group(group) => {
                self.blocks(&group.blocks, false)?;
                match &group.kind {
                    GroupKind::Figure { caption } => self.blocks(caption, false),
                    GroupKind::Aside
                    | GroupKind::Speaker
                    | GroupKind::Frame(_)
                    | GroupKind::Language(_)
                    | GroupKind::Regions(_) => Ok(()),
                }
            }
            Block::Rule => self.rule(),
            // U+000C form feed makes a printer begin a new page.
            Block::PageBreak => {
                self.lines.out.push('\x0c');
                Ok(())
            }
            Block::ColumnBreak | Block::RawHtml(_) => Ok(()),
        }
    }

    fn rule(&mut self) -> Result<()> {
        self.lines.begin()?;
        let width = self.lines.room_within(COLUMNS).min(COLUMNS);
        self.line(&"-".repeat(width))?;
        self.lines.apart = true;
        Ok(())
    }

    /// Writes a list. The text of an item is indented by the width of its label and a space.
    fn list(&mut self, list: &List) -> Result<()> {
        for (index, item) in (0..).zip(&list.items) {
            let mut marker = match list.kind {
                ListKind::Bullet => item.label.as_deref().unwrap_or("-").to_owned() + " ",
                ListKind::Ordered(numbering) => {
                    let number = numbering.start.saturating_add(index);
                    let label = numbering::label(number, numbering, &self.labels);
                    self.labels
                        .push(numbering::write(number, numbering.numeral));
                    item.label.as_deref().unwrap_or(&label).to_owned() + " "
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
            self.lines.apart = !list.tight;
        }
        self.lines.apart = true;
        Ok(())
    }

    fn item(&mut self, item: &Item, marker: String, indent: &str, tight: bool) -> Result<()> {
        if self.lines.marker.is_some() {
            // The enclosing item or note begins with this list: write the marker of that item or note on a line of its
            // own.
            self.line("")?;
        }
        self.lines.begin()?;
        self.lines.marker = Some((self.lines.indent.len(), marker));
        self.indented(indent, &item.blocks, tight)
    }

    /// Writes a line without trailing white space.
    fn line(&mut self, text: &str) -> Result<()> {
        self.lines.line(text.trim_end_matches([' ', '\t']))
    }

    /// Writes a paragraph, wrapped to the line width if there is one. Each `\n` in the text is a line break.
    fn paragraph(&mut self, text: &str) -> Result<()> {
        self.lines.begin()?;
        for line in text.split('\n') {
            let Some(room) = self.lines.room() else {
                self.line(line)?;
                continue;
            };
            for piece in filled(line, room, &|_| true) {
                self.line(piece)?;
            }
        }
        self.lines.apart = true;
        Ok(())
    }

    fn inlines(&mut self, content: &[Inline]) -> String {
        let mut text = String::new();
        self.add_inlines(content, &mut text);
        text
    }

    /// Appends inlines as text. The target of a link is left out. This counts as a loss if the link leads out of the
    /// document and its text is not the target.
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
                Inline::Picture(picture) if self.document.is_decoration(picture) => {}
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
                    if self.referred.insert(*id) {
                        self.order.push(*id);
                    }
                    text.push_str(&format!("[{}]", self.document.note_label(*id)));
                }
                Inline::LineBreak => text.push('\n'),
                Inline::SoftBreak => text.push(' '),
                Inline::Math(formula) => {
                    self.losses.add(&math::FORMULAS_AS_TEX);
                    text.push_str(&formula.tex);
                }
                Inline::Ruby(ruby) => text.push_str(&ruby.spelled()),
                Inline::Bookmark(_) | Inline::Field(_) | Inline::RawHtml(_) => {}
            }
        }
    }
}

/// Writes superscript or subscript with Unicode's raised and lowered characters if all of the text has them, and as
/// `^(…)` or `_(…)` otherwise.
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
