//! Reads block-level content (ECMA-376 part 1, 17.2): paragraphs and tables, of the main document as well as of table
//! cells, notes, headers and text boxes. The module `runs` reads the runs, and the [`Story`] decides the role of each
//! paragraph.

use super::{context::Context, framing::Framed, properties::DirectProperties};
use crate::{
    containers::xml::{Element, Reader},
    error::Result,
};
use convertd_office::wordprocessing::{Paragraph, ParagraphProperties, Story, Within, losses};
use convertd_tree::{Alignment, DropCap, Frame, Length, NoteId};

/// Tab stop: position, alignment and leader. A stop without an alignment removes the inherited stop at its position.
pub(super) type AlignedTab = (Length, Option<Alignment>, Option<char>);

/// State of a part that is being read.
pub(super) struct Body<'c, 'a, 'x> {
    // Context, target (`story`) and source (`xml`).
    pub(super) context: &'c mut Context<'a>,
    pub(super) story: &'c mut Story<'a>,
    pub(super) xml: Reader<'x>,
    /// Text boxes anchored in the current paragraph: a reader at the content of each, and its frame, if known.
    pub(super) boxes: Vec<(Reader<'x>, Option<Box<Frame>>)>,
    /// Frame that is open, which encloses the last paragraph.
    framed: Option<Frame>,
    /// Whether runs ignore character formatting, as in a drop cap.
    pub(super) is_plain: bool,
    /// Drop cap whose letter has been read. It belongs to the next paragraph.
    drop_cap: Option<DropCap>,
    /// Tab stops of the current paragraph that are relative to the margins.
    pub(super) aligned_tabs: Vec<AlignedTab>,
    /// Note whose reference mark is the text that follows in its run.
    pub(super) marked: Option<NoteId>,
    /// Number of following paragraphs that have already been read, as captions.
    pub(super) skipped: usize,
    /// Charts of the current paragraph that become tables after it.
    #[cfg(feature = "presentation")]
    pub(super) charts: Vec<convertd_office::drawing::Chart>,
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
            boxes: Vec::new(),
            aligned_tabs: Vec::new(),
            marked: None,
            framed: None,
            is_plain: false,
            drop_cap: None,
            skipped: 0,
            #[cfg(feature = "presentation")]
            charts: Vec::new(),
        }
    }

    /// Reads all block-level content of the innermost open element.
    pub(super) fn blocks(&mut self) -> Result<()> {
        let around = self.framed.take();
        let level = self.xml.level();
        while let Some(element) = self.xml.next_element(level)? {
            self.block(&element)?;
        }
        self.go_to_frame(None)?;
        self.framed = around;
        Ok(())
    }

    /// Enters the frame of a paragraph, and leaves the frame of the paragraph before it. Consecutive paragraphs with
    /// equal frames share a frame.
    fn go_to_frame(&mut self, frame: Option<Frame>) -> Result<()> {
        if self.framed == frame {
            return Ok(());
        }
        if self.framed.take().is_some() {
            self.story.close_text()?;
        }
        if let Some(frame) = frame {
            self.story.open_frame(Box::new(frame.clone()))?;
            self.framed = Some(frame);
        }
        Ok(())
    }

    /// Reads a block-level element. Wrappers such as content controls and insertions are transparent: their content is
    /// read as if they were not there.
    fn block(&mut self, element: &Element<'x>) -> Result<()> {
        match (element.space, element.name) {
            ("w", "p") if self.skipped > 0 => self.skipped -= 1,
            ("w", "p") => return self.paragraph(),
            ("w", "tbl") => {
                self.go_to_frame(None)?;
                return self.table();
            }
            ("w", "sdt" | "sdtContent" | "customXml" | "smartTag") => {
                self.go_to_frame(None)?;
                return self.blocks();
            }
            ("w", "ins" | "moveTo") => {
                self.go_to_frame(None)?;
                self.story.build.lost(&losses::CHANGES);
                return self.blocks();
            }
            ("w", "altChunk") => {
                self.go_to_frame(None)?;
                return self.chunk(element);
            }
            ("w", "bookmarkStart") => self.bookmark(element),
            ("w", "sectPr") if self.story.within() == Within::Main => {
                return self.context.section(self.story, &mut self.xml);
            }
            // Only the first alternative is read.
            ("mc", "AlternateContent") => {
                let level = self.xml.level();
                let mut first = true;
                while self.xml.next_element(level)?.is_some() {
                    if std::mem::take(&mut first) {
                        self.blocks()?;
                    }
                }
            }
            // A formula outside of a paragraph gets a paragraph of its own.
            ("m", "oMathPara" | "oMath") => {
                self.open_paragraph(None);
                self.inline(element)?;
                return self.close_paragraph(ParagraphProperties::default());
            }
            _ => {}
        }
        Ok(())
    }

    /// Reads a paragraph (17.3.1.22). Its properties come first; they decide whether it is in a frame, a drop cap, a
    /// heading or a list item. If a tracked change deleted its mark, the next paragraph continues it.
    fn paragraph(&mut self) -> Result<()> {
        let mut direct = DirectProperties::default();
        let level = self.xml.level();
        let mut first = self.xml.next_element(level)?;
        if first.is_some_and(|first| first.space == "w" && first.name == "pPr") {
            direct = DirectProperties::read(&mut self.xml)?;
            first = self.xml.next_element(level)?;
        }
        let style = direct.paragraph.style.as_deref();
        let framing = self.context.styles.framing(style, direct.framing.take());
        let mut framed = framing.map_or_else(Framed::default, |framing| framing.place());
        // A paragraph that ends a section cannot be in a frame, which would span the section break.
        framed.frame = framed.frame.filter(|_| direct.section.is_none());
        direct.paragraph.alignment = framed.alignment.or(direct.paragraph.alignment);
        self.go_to_frame(framed.frame)?;
        self.is_plain = framed.drop_cap.is_some();
        self.open_paragraph(direct.paragraph.style.as_deref());
        self.aligned_tabs.clear();
        while let Some(element) = first {
            self.inline(&element)?;
            first = self.xml.next_element(level)?;
        }
        self.align_tabs(&mut direct.paragraph);
        self.is_plain = false;
        if direct.joined {
            self.story.build.lost(&losses::CHANGES);
        } else if framed.drop_cap.is_some() {
            // The letter of the drop cap becomes the first letter of the next paragraph.
            self.drop_cap = framed.drop_cap;
        } else {
            direct.paragraph.drop_cap = self.drop_cap.take();
            self.close_paragraph(direct.paragraph)?;
        }
        // Only the main text has sections.
        match direct.section {
            Some(mut section) if self.story.within() == Within::Main => {
                self.context.section(self.story, &mut section)
            }
            _ => Ok(()),
        }
    }

    /// If the paragraph has tab stops that are relative to the margins, these replace its other tab stops and those of
    /// its style.
    fn align_tabs(&mut self, own: &mut ParagraphProperties) {
        if self.aligned_tabs.is_empty() {
            return;
        }
        let style = self.context.styles.paragraph(own.style.as_deref());
        let inherited = style
            .paragraph
            // A stop without alignment removes the inherited stop at its position.
            .tabs
            .iter()
            .map(|(at, ..)| (*at, None, None));
        own.tabs = inherited.collect();
        own.tabs.append(&mut self.aligned_tabs);
    }

    /// Begins a paragraph with the style of this identifier.
    pub(super) fn open_paragraph(&mut self, style: Option<&str>) {
        let style = self.context.styles.paragraph(style);
        self.story.open_paragraph(style);
    }

    /// Ends the paragraph, reads the text boxes anchored in it, and adds the tables of its charts.
    fn close_paragraph(&mut self, own: ParagraphProperties) -> Result<()> {
        let continues = own.indent_start.and_then(|at| self.story.item_at(at));
        self.story.close_paragraph(Paragraph {
            own,
            continues,
            ..Paragraph::default()
        })?;
        for (text, frame) in std::mem::take(&mut self.boxes) {
            let around = std::mem::replace(&mut self.xml, text);
            match frame {
                Some(frame) => self.story.open_frame(frame)?,
                None => self.story.open_box()?,
            }
            self.blocks()?;
            self.story.close_text()?;
            self.xml = around;
        }
        #[cfg(feature = "presentation")]
        self.tables_of_charts()?;
        Ok(())
    }
}
