//! Converts a structure tree to the document tree, and fills in the texts of its marked content.
//!
//! Walks over the elements in order. The first text in an element opens a paragraph, and the next block closes it.

mod code;
mod figures;
mod grids;
mod heads;
mod notes;
mod regions;

use super::{Element, Kid, Role, Structure};
use crate::{
    error::Result,
    read::{
        compose::{Composer, page_mark},
        text::{
            block::{BlockKind, BodyStyle, Page},
            lines::Line,
            marked,
            page_text::Figure,
            paragraphs::marker,
            passages,
        },
    },
};
use convertd_tree::{Node, Region};
use std::collections::{HashMap, HashSet};

/// The parts of a text that continues over several pages, each with the index of its page.
type Parts<'a> = Vec<(usize, &'a marked::TextFragment)>;

/// Writes a structure tree.
///
/// Errors: memory for the tree is not granted.
pub(crate) fn write<'a>(
    composer: Composer<'a>,
    structure: &Structure,
    pages: &[Page],
    marks_pages: bool,
) -> Result<Composer<'a>> {
    // A text may continue on the next page. Its parts are collected in the order of the pages.
    let mut texts: HashMap<u32, Parts<'_>> = HashMap::new();
    let mut figures: HashMap<u32, Vec<&Figure>> = HashMap::new();
    for (at, page) in pages.iter().enumerate() {
        for part in &page.marked.parts {
            texts.entry(part.text).or_default().push((at, part));
        }
        for (text, figure) in &page.marked.figures {
            figures
                .entry(*text)
                .or_default()
                .push(&page.figures[*figure]);
        }
    }
    let regions = match composer.builder.pages.is_empty() {
        true => HashMap::new(),
        false => regions::of(pages),
    };
    let mut writer = Writer {
        composer,
        structure,
        pages,
        body: BodyStyle::of(pages),
        texts,
        figures,
        regions,
        placed: HashSet::new(),
        open_regions: Vec::new(),
        notes: HashMap::new(),
        heads: HashMap::new(),
        done: HashSet::new(),
        next_page: marks_pages.then_some(0),
        within: 0,
        sections: 0,
        is_plain: false,
        dropped_label: None,
        has_text: false,
    };
    // Notes and headings are found in advance: a mark precedes its note, and the level of a heading depends on all
    // headings.
    writer.find_notes();
    writer.find_heads();
    writer.flow(0, TextStyle::Paragraphs)?;
    writer.mark_pages(pages.len().saturating_sub(1))?;
    Ok(writer.composer)
}

/// The kind of node that the text of an element becomes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TextStyle {
    Paragraphs,
    Heading(u8),
}

/// A label to remove from the beginning of the next text.
enum Label {
    /// The bullet or number of an item, if it is part of the item's text.
    Marker,
    /// The mark of a note, which consists of these words.
    Words(String),
}

/// State of the conversion, in this order: output, input, texts and figures by the number of their text, results of the
/// searches before the walk, and state of the walk.
struct Writer<'s, 'a> {
    composer: Composer<'a>,
    structure: &'s Structure,
    pages: &'s [Page],
    body: BodyStyle,
    texts: HashMap<u32, Parts<'s>>,
    figures: HashMap<u32, Vec<&'s Figure>>,
    /// Positions of texts and their pictures, if the target format can store positions.
    regions: HashMap<u32, Vec<Region>>,
    /// Elements whose first paragraph already has the positions of the element.
    placed: HashSet<u32>,
    /// An entry for each open paragraph: whether a group with the paragraph's positions is open around it.
    open_regions: Vec<bool>,
    /// Notes by their marks. Notes with the same mark are in reverse order, so that `pop` returns the first one.
    notes: HashMap<String, Vec<u32>>,
    /// Levels of paragraphs that look like headings, in structures without heading elements.
    heads: HashMap<u32, u8>,
    /// Notes that are already written.
    done: HashSet<u32>,
    /// Index of the next page whose beginning will be marked. `None` if the target does not want page marks.
    next_page: Option<usize>,
    /// Number of open nodes in which page marks are not written, such as lists, tables, figures and quotes.
    within: usize,
    /// Number of open sections.
    sections: u8,
    /// Whether bold text is written as normal text, because all text of a heading or header cell is bold.
    is_plain: bool,
    /// A label to remove from the beginning of the next text.
    dropped_label: Option<Label>,
    /// Whether the open paragraph has any text.
    has_text: bool,
}

impl<'s> Writer<'s, '_> {
    /// Text of an element's label, if it has one.
    fn label(&self, element_id: u32) -> Option<String> {
        self.structure
            .element(element_id)
            .kids
            .iter()
            .find_map(|kid| {
                let Kid::Element(kid) = *kid else { return None };
                match self.structure.element(kid).role {
                    Role::Label => Some(self.words(kid)),
                    // The label of a note may be inside its paragraph.
                    Role::Paragraph | Role::Group => self.label(kid),
                    _ => None,
                }
            })
    }

    /// The words at the start of each text in an element, up to a length that is enough to recognise labels and marks.
    fn words(&self, element_id: u32) -> String {
        // In bytes. Labels are shorter, and more words than necessary do no harm.
        const ENOUGH: usize = 200;
        let mut words = String::new();
        let mut open = vec![element_id];
        while let Some(element_id) = open.pop() {
            let element = self.structure.element(element_id);
            open.extend(element.children().rev());
            for kid in &element.kids {
                if let Kid::Text(text) = kid
                    && words.len() < ENOUGH
                    && let Some(line) = self.first_line(*text)
                {
                    words.push_str(&line.text);
                }
            }
        }
        words.trim().to_owned()
    }

    /// First line of a text.
    fn first_line(&self, text: u32) -> Option<&'s Line> {
        let (_, part) = self.texts.get(&text)?.first()?;
        part.lines.first()
    }

    /// Index of the page on which an element begins.
    fn page_of(&self, element_id: u32) -> Option<usize> {
        let kids = &self.structure.element(element_id).kids;
        kids.iter().find_map(|kid| match kid {
            Kid::Text(text) => Some(self.texts.get(text)?.first()?.0),
            Kid::Element(kid) => self.page_of(*kid),
        })
    }

    /// Marks the starts of all pages up to this one. Does nothing while a list, a table or another such node is open,
    /// because a mark would interrupt it.
    fn mark_pages(&mut self, page: usize) -> Result<()> {
        while let Some(next) = self.next_page
            && next <= page
            && self.within == 0
        {
            self.composer.builder.raw_html(&page_mark(next + 1))?;
            self.next_page = Some(next + 1);
        }
        Ok(())
    }

    /// Marks the starts of all pages up to the one on which an element begins.
    fn mark_page_of(&mut self, element_id: u32) -> Result<()> {
        match self.page_of(element_id) {
            Some(page) => self.mark_pages(page),
            None => Ok(()),
        }
    }

    /// Writes the content of an element: its texts as paragraphs or as a heading, and its blocks between them.
    fn flow(&mut self, element_id: u32, style: TextStyle) -> Result<()> {
        let structure = self.structure;
        let element = structure.element(element_id);
        let mut open = false;
        // The first text opens a paragraph, and a block closes it.
        for kid in &element.kids {
            match *kid {
                Kid::Text(text) if self.is_listing(element.role, text) => {
                    self.end(&mut open)?;
                    self.listing(element_id, text)?;
                }
                Kid::Text(text) => {
                    if self.texts.contains_key(&text) {
                        self.begin(element_id, style, &mut open)?;
                        self.text(text, style)?;
                    }
                    self.pictures(element_id, text, style, &mut open)?;
                }
                Kid::Element(kid) => self.kid(element_id, kid, style, &mut open)?,
            }
        }
        self.end(&mut open)
    }

    /// Opens a paragraph or heading for an element, unless one is open.
    fn begin(&mut self, element_id: u32, style: TextStyle, open: &mut bool) -> Result<()> {
        if *open {
            return Ok(());
        }
        *open = true;
        self.has_text = false;
        self.mark_page_of(element_id)?;
        let regions = self.regions_of_paragraph(element_id);
        let is_placed = self.composer.open_regions(&regions)?;
        self.open_regions.push(is_placed);
        let alignment = self.structure.element(element_id).attributes.alignment;
        let styles = &mut self.composer.document_styles;
        let paragraph = styles.paragraph(&mut self.composer.builder, alignment)?;
        self.composer.builder.open(match style {
            TextStyle::Paragraphs => Node::Paragraph(paragraph),
            TextStyle::Heading(level) => Node::Heading {
                level,
                id: None,
                label: None,
                style: paragraph,
            },
        })
    }

    /// Closes the paragraph, if one is open.
    fn end(&mut self, open: &mut bool) -> Result<()> {
        match std::mem::take(open) {
            true => {
                self.composer.builder.close()?;
                let is_placed = self.open_regions.pop().unwrap_or_default();
                self.composer.close_regions(is_placed)
            }
            false => Ok(()),
        }
    }

    /// Writes an element that is a child of another element.
    fn kid(&mut self, element_id: u32, kid: u32, style: TextStyle, open: &mut bool) -> Result<()> {
        let around = self.structure.element(element_id).role;
        let element = self.structure.element(kid);
        // In a paragraph or heading, and while one is open, code and simple pictures are written inline.
        let is_line = matches!(around, Role::Paragraph | Role::Heading(_)) || *open;
        match element.role {
            Role::Label if self.labels(around) => Ok(()),
            Role::Reference if self.note_of(kid).is_some() => {
                self.begin(element_id, style, open)?;
                self.reference(kid)
            }
            Role::Note if self.done.contains(&kid) => Ok(()),
            Role::Field => {
                self.begin(element_id, style, open)?;
                let space = if self.has_text { " " } else { "" };
                let sign = element.attributes.sign().unwrap_or_default();
                self.has_text = true;
                self.composer.builder.text(&format!("{space}{sign}"))
            }
            Role::Label | Role::Reference => self.inline(element_id, kid, style, open),
            Role::Code if is_line && self.structure.element(element_id).kids.len() > 1 => {
                self.begin(element_id, style, open)?;
                self.code_in_line(kid)
            }
            // In a table cell, code of at most one line is written inline, and not as a block.
            Role::Code
                if matches!(around, Role::HeadCell | Role::DataCell) && self.is_line(kid) =>
            {
                self.begin(element_id, style, open)?;
                self.code_in_line(kid)
            }
            Role::Figure if is_line && self.is_simple(element) => {
                self.inline(element_id, kid, style, open)
            }
            _ => {
                self.end(open)?;
                self.block(kid)
            }
        }
    }

    /// Returns whether the target generates labels in elements of this role, so that they are not written as text. This
    /// is so in lists and notes, and while a label is to be dropped.
    fn labels(&self, around: Role) -> bool {
        matches!(around, Role::Item | Role::Note) || self.dropped_label.is_some()
    }

    /// Returns whether an element has no child elements.
    pub(super) fn is_simple(&self, element: &Element) -> bool {
        let is_text = |kid: &Kid| matches!(kid, Kid::Text(_));
        element.kids.iter().all(is_text)
    }

    /// Writes an element inline, in the text of another.
    fn inline(
        &mut self,
        element_id: u32,
        kid: u32,
        style: TextStyle,
        open: &mut bool,
    ) -> Result<()> {
        let structure = self.structure;
        for part in &structure.element(kid).kids {
            match *part {
                Kid::Text(text) => {
                    if self.texts.contains_key(&text) {
                        self.begin(element_id, style, open)?;
                        self.text(text, style)?;
                    }
                    self.pictures(kid, text, style, open)?;
                }
                Kid::Element(inner) => self.inline(element_id, inner, style, open)?,
            }
        }
        Ok(())
    }

    /// Writes an element as a block.
    fn block(&mut self, number: u32) -> Result<()> {
        let structure = self.structure;
        let element = structure.element(number);
        match element.role {
            Role::Heading(level) => self.head(number, level),
            Role::HeadingOfSection => self.head(number, self.sections.max(1)),
            Role::Section => {
                // The level of an `H` element is the number of sections around it.
                self.sections = self.sections.saturating_add(1);
                self.flow(number, TextStyle::Paragraphs)?;
                self.sections -= 1;
                Ok(())
            }
            Role::List => self.list(number),
            // A table without content on the page would appear as an empty grid, so it is left out.
            Role::Table if self.is_empty(number) => Ok(()),
            Role::Table => self.table(number),
            Role::Quote => self.within(number, Node::Quote),
            Role::Code => self.code(number),
            // A paragraph that consists of code becomes a code block. A paragraph that looks like a heading becomes a
            // heading.
            Role::Paragraph => match element.kids[..] {
                [Kid::Element(only)] if structure.element(only).role == Role::Code => {
                    self.code(only)
                }
                _ => match self.heads.get(&number) {
                    Some(level) => self.head(number, *level),
                    None => self.flow(number, TextStyle::Paragraphs),
                },
            },
            Role::Figure => self.figure(number),
            Role::Note => {
                self.done.insert(number);
                self.flow(number, TextStyle::Paragraphs)
            }
            _ => self.flow(number, TextStyle::Paragraphs),
        }
    }

    /// Returns whether an element has neither text nor pictures.
    fn is_empty(&self, number: u32) -> bool {
        let is_none =
            |text: &u32| !self.texts.contains_key(text) && !self.figures.contains_key(text);
        let kids = &self.structure.element(number).kids;
        kids.iter().all(|kid| match kid {
            Kid::Text(text) => is_none(text),
            Kid::Element(kid) => self.is_empty(*kid),
        })
    }

    /// Writes a heading, without marking bold text in it.
    fn head(&mut self, number: u32, level: u8) -> Result<()> {
        let previous = std::mem::replace(&mut self.is_plain, true);
        self.flow(number, TextStyle::Heading(level))?;
        self.is_plain = previous;
        Ok(())
    }

    /// Writes an element as a node that contains blocks.
    fn within(&mut self, number: u32, node: Node) -> Result<()> {
        self.mark_page_of(number)?;
        self.composer.builder.open(node)?;
        self.within += 1;
        self.flow(number, TextStyle::Paragraphs)?;
        self.within -= 1;
        self.composer.builder.close()
    }

    /// Adds a text to the open paragraph. If `dropped_label` is set, the text is written without this label.
    fn text(&mut self, text: u32, style: TextStyle) -> Result<()> {
        let Some(parts) = self.texts.get(&text) else {
            return Ok(());
        };
        let kind = match style {
            TextStyle::Paragraphs => BlockKind::Text,
            TextStyle::Heading(level) => BlockKind::Heading(level),
        };
        let pages = self.pages;
        let slices: Vec<(&[Line], &[String])> = parts
            .iter()
            .map(|(page, part)| (&part.lines[..], &pages[*page].links[..]))
            .collect();
        // Hyphens and spaces at line ends are treated as in files without tags.
        let mut spans = passages::spans(&slices, &kind, &self.body);
        for span in spans.iter_mut().filter(|_| self.is_plain) {
            span.style.bold = false;
        }
        let is_spaced = parts.first().is_some_and(|(_, part)| part.spaced);
        // The label is removed only from the first text.
        if let (Some(label), Some(first)) = (self.dropped_label.take(), spans.first_mut()) {
            let len = match &label {
                Label::Marker => marker(&first.text).map_or(0, |(_, len)| len),
                Label::Words(words) if first.text.starts_with(&words[..]) => words.len(),
                Label::Words(_) => 0,
            };
            first.text = first.text[len..].trim_start().to_owned();
        }
        if is_spaced && self.has_text {
            self.composer.builder.text(" ")?;
        }
        self.has_text = true;
        self.composer.inlines(&spans)
    }
}
