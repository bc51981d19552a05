//! Reads paragraphs of sections, cells, notes, headers and text boxes. The modules `text`, `table` and `objects` read
//! the runs, tables and drawings in them.
//!
//! In HWPX, a paragraph contains everything: tables, pictures, text boxes, headers, and in the first paragraph of a
//! section even the section properties. The tree has tables between paragraphs. So an inline table cuts its paragraph
//! in two, and a paragraph that contains only a table becomes that table.

use super::{
    context::{Context, DEEP},
    header::ParagraphLook,
    lengths::is_set,
};
use crate::{
    containers::xml::{Element, Reader},
    error::Result,
};
use convertd_office::{
    drawing::Chart,
    wordprocessing::{
        Paragraph, ParagraphProperties, Resolved, RunProperties, Story, Within, charts,
    },
};
use convertd_tree::{Alignment, Frame, Length, LineHeight};
use std::rc::Rc;

/// Maximum nesting of texts and objects.
const MAX_DEPTH: usize = 64;

/// A part with text that is being read.
pub(super) struct Body<'c, 'a, 'x> {
    pub(super) context: &'c mut Context<'a>,
    pub(super) story: &'c mut Story<'a>,
    pub(super) xml: Reader<'x>,
    pub(super) state: TextState<'x>,
}

/// State of a paragraph. A text inside the paragraph, such as a note, has its own state.
#[derive(Default)]
pub(super) struct TextState<'x> {
    pub(super) style: Rc<Resolved>,
    pub(super) look: Rc<ParagraphLook>,
    /// Properties of the current run, as the file states them.
    pub(super) run: Rc<RunProperties>,
    /// Largest font size of the text so far, which determines the line height. 0 before the first text.
    pub(super) size: Length,
    /// Font size of the current run, which replaces `size` in a paragraph without any text.
    pub(super) empty_size: Length,
    /// Whether an inline picture or shape is in the paragraph.
    pub(super) has_object: bool,
    /// Whether a table or a change of columns has cut the paragraph, whose first part is therefore already closed.
    pub(super) is_cut: bool,
    /// Content that is anchored in the paragraph. It is read after the end of the paragraph.
    pub(super) anchored: Vec<(Anchored<'x>, Option<Box<Frame>>)>,
    pub(super) charts: Vec<Chart>,
    /// Identifiers of the open fields, each with whether the field is a link.
    pub(super) fields: Vec<(Box<str>, bool)>,
}

/// Content that is anchored in a paragraph.
pub(super) enum Anchored<'x> {
    /// A text, as a reader at its beginning.
    Text(Reader<'x>),
    /// A table, as a reader at its content.
    Table(Reader<'x>, Element<'x>),
    /// A caption. It continues the surrounding text, and is not a text of its own.
    Caption(Reader<'x>),
}

impl<'c, 'a, 'x> Body<'c, 'a, 'x> {
    pub(super) fn new(
        context: &'c mut Context<'a>,
        story: &'c mut Story<'a>,
        xml: Reader<'x>,
    ) -> Self {
        Self {
            context,
            story,
            xml,
            state: TextState::default(),
        }
    }

    /// Reads a section, whose element is open.
    pub(super) fn section(mut self) -> Result<()> {
        self.context.pages.begin(self.story)?;
        // A deletion or a highlight without an end would otherwise reach to the end of the document.
        self.context.deleting = false;
        self.context.pen = None;
        self.paragraphs()
    }

    /// Reads all paragraphs of the innermost open element as a text with its own state.
    pub(super) fn text(&mut self) -> Result<()> {
        let around = std::mem::take(&mut self.state);
        let read = self.deeper(Self::paragraphs);
        self.state = around;
        read
    }

    fn paragraphs(&mut self) -> Result<()> {
        let level = self.xml.level();
        while let Some(element) = self.xml.next_element(level)? {
            if element.name == "p" {
                self.paragraph(&element)?;
            }
        }
        Ok(())
    }

    /// Calls `read` one level deeper. Content beyond the limit is left out.
    pub(super) fn deeper(&mut self, read: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        if self.context.depth >= MAX_DEPTH {
            self.story.build.lost(&DEEP);
            return Ok(());
        }
        self.context.depth += 1;
        let read = read(self);
        self.context.depth -= 1;
        read
    }

    /// Reads a `p`, including the content that is anchored in it.
    fn paragraph(&mut self, element: &Element<'x>) -> Result<()> {
        let own = |name| element.attribute(name).unwrap_or_default();
        let is_main = self.story.within() == Within::Main;
        if is_main && is_set(element, "pageBreak") && !self.context.pages.is_at_start() {
            self.story.break_page()?;
        }
        self.state = TextState {
            style: self.context.header.style(&own("styleIDRef")),
            look: self.context.header.paragraph(&own("paraPrIDRef")),
            ..TextState::default()
        };
        self.story.open_paragraph(self.state.style.clone());
        if is_main && is_set(element, "columnBreak") {
            self.story.column_break()?;
        }
        let level = self.xml.level();
        while let Some(child) = self.xml.next_element(level)? {
            if child.name == "run" {
                self.run(&child)?;
            }
        }
        for (_, is_link) in std::mem::take(&mut self.state.fields) {
            if is_link {
                self.story.close_link();
            }
        }
        // If the paragraph was cut and nothing follows the cut, the empty rest is dropped.
        match self.state.is_cut && self.story.is_blank() {
            true => drop(self.story.take_line()),
            false => self.close_paragraph()?,
        }
        if is_main {
            self.context.pages.record_paragraph();
        }
        self.anchored()?;
        for chart in std::mem::take(&mut self.state.charts) {
            self.story.begin_list()?;
            let loss = charts::table(&mut self.story.build, &chart, None)?;
            self.story.build.lost(loss);
        }
        Ok(())
    }

    /// Ends the paragraph in front of an inline table or a change of columns, unless it is empty so far. The rest of
    /// the paragraph follows after this cut.
    pub(super) fn cut(&mut self) -> Result<()> {
        match self.story.is_blank() {
            true => drop(self.story.take_line()),
            false => self.close_paragraph()?,
        }
        self.state.is_cut = true;
        Ok(())
    }

    /// Continues a paragraph after a table or a change of columns that has cut it.
    pub(super) fn continue_paragraph(&mut self) {
        self.story.open_paragraph(self.state.style.clone());
        self.set_run();
    }

    /// Returns the properties of the paragraph. Some of them, such as the line height, depend on its content.
    pub(super) fn own(&self) -> ParagraphProperties {
        let state = &self.state;
        let mut own = state.look.properties.clone();
        let size = match state.size {
            Length::ZERO => state.empty_size,
            size => size,
        };
        if let Some(percent) = state.look.line_percent {
            // Hangul multiplies the font size by the percentage, not the line height that the font states.
            let height = size.scaled(percent.clamp(1, 1000) as f64 / 100.0);
            own.line_height = Some(match state.has_object {
                true => LineHeight::AtLeast(height),
                false => LineHeight::Exactly(height),
            });
        }
        if state.look.is_outline {
            own.list = Some(self.context.pages.outline);
        }
        if state.is_cut {
            own.list = Some(0);
        }
        if let Some(list) = own.list.filter(|list| *list > 0) {
            let level = own.list_level.unwrap_or(0);
            let is_numbered = self.story.lists.level(list, level);
            let label = is_numbered.map_or(Length::ZERO, |level| label_width(&level.text, size));
            let first = own.first_line.unwrap_or_default();
            // Hangul puts the text directly after the label, which in the tree is a hanging indent of the width of the
            // label.
            if !state.look.is_outline && first >= Length::ZERO && label > Length::ZERO {
                let start = own.indent_start.unwrap_or_default() + first;
                own.indent_start = Some(start + label);
                own.first_line = Some(Length::ZERO - label);
            }
        }
        if state.look.tab_at_end && self.story.within() == Within::Main {
            let width = self.context.pages.text_width;
            own.tabs.push((width, Some(Alignment::End), None));
        }
        own
    }

    fn close_paragraph(&mut self) -> Result<()> {
        let own = self.own();
        let continues = own.indent_start.and_then(|at| self.story.item_at(at));
        self.story.close_paragraph(Paragraph {
            own,
            continues,
            ..Paragraph::default()
        })
    }

    /// Reads the content that is anchored in the paragraph, which has ended.
    fn anchored(&mut self) -> Result<()> {
        for (content, frame) in std::mem::take(&mut self.state.anchored) {
            let is_caption = matches!(content, Anchored::Caption(_));
            match (frame, is_caption) {
                (_, true) => {}
                (Some(frame), _) => self.story.open_frame(frame)?,
                (None, _) => self.story.open_box()?,
            }
            match content {
                Anchored::Text(text) | Anchored::Caption(text) => {
                    let around = std::mem::replace(&mut self.xml, text);
                    self.text()?;
                    self.xml = around;
                }
                Anchored::Table(table, element) => {
                    let around = std::mem::replace(&mut self.xml, table);
                    self.deeper(|body| body.table(&element, None))?;
                    self.xml = around;
                }
            }
            if !is_caption {
                self.story.close_text()?;
            }
        }
        Ok(())
    }

    /// Passes the properties of the current run on to the story: their differences from the style of the paragraph.
    pub(super) fn set_run(&mut self) {
        let mut run = self.state.run.beyond(&self.state.style.run);
        if let Some(pen) = self.context.pen {
            run.highlighted(Some(pen));
        }
        self.story.set_run(run);
    }

    /// Records the size of the letters of the current run.
    pub(super) fn note_size(&mut self) {
        let size = self.state.run.size.unwrap_or_default();
        self.state.size = self.state.size.max(size);
    }
}

/// Estimates the width of a label from its pattern, including a gap of half an em. An ASCII character counts as 0.55
/// em, any other character as 1 em.
fn label_width(pattern: &str, size: Length) -> Length {
    let letters = pattern.chars().take(20).filter(|c| *c != '%');
    let ems: f64 = letters.map(|c| if c.is_ascii() { 0.55 } else { 1.0 }).sum();
    size.scaled(ems + 0.5)
}
