//! Reads block-level content (OpenDocument 1.3, part 3, 5.1): paragraphs and headings, of the main text as well as of
//! table cells, notes, headers and text boxes. The modules `items`, `table` and `inlines` read lists, tables and
//! inline content. The [`Story`] decides the role of each paragraph.

use super::context::{Context, DEEP, ListPlace, place};
use crate::{
    containers::xml::{Element, Reader},
    error::Result,
};
use convertd_office::{
    drawing::Chart,
    wordprocessing::{Paragraph, ParagraphProperties, Story, Within, charts, losses},
};
use convertd_tree::{Frame, PageSetup};

/// Limit on the nesting of blocks and spans.
const MAX_DEPTH: usize = 64;

/// State of a part that is being read.
pub(super) struct Body<'c, 'a, 'x> {
    // Context, target and source.
    pub(super) context: &'c mut Context<'a>,
    pub(super) story: &'c mut Story<'a>,
    pub(super) xml: Reader<'x>,
    // State of the position.
    pub(super) state: TextState<'x>,
    /// Whether leading white space is dropped, because white space or the start of the paragraph precedes it.
    pub(super) space: bool,
    /// Whether a page break precedes the next block of the main text.
    pub(super) page_break: bool,
    /// Nesting depth of blocks and spans.
    depth: usize,
}

/// State of one text. A text within it, such as a cell or a note, has its own state.
#[derive(Default)]
pub(super) struct TextState<'x> {
    /// Text boxes anchored in the current paragraph: a reader at the content of each, and its frame, if known.
    pub(super) boxes: Vec<(Reader<'x>, Option<Box<Frame>>)>,
    /// Group of shapes around the position.
    #[cfg(feature = "presentation")]
    pub(super) group: Option<super::places::Grouped>,
    /// Charts of the current paragraph that become tables after it.
    pub(super) charts: Vec<Chart>,
    /// Position in lists, inside a list item.
    pub(super) list: Option<ListPlace>,
    /// Whether columns of the table around the position run from right to left.
    pub(super) backwards: bool,
    /// Number of following paragraphs that have already been read, as captions.
    pub(super) skipped: usize,
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
            space: true,
            page_break: false,
            depth: 0,
        }
    }

    /// Reads the block-level content of the innermost open element as a separate text.
    pub(super) fn text(&mut self, list: Option<ListPlace>) -> Result<()> {
        let state = TextState {
            list,
            ..TextState::default()
        };
        let around = std::mem::replace(&mut self.state, state);
        self.blocks()?;
        self.end_loose()?;
        self.state = around;
        Ok(())
    }

    /// Reads the block-level content of the innermost open element.
    fn blocks(&mut self) -> Result<()> {
        let level = self.xml.level();
        while let Some(element) = self.xml.next_element(level)? {
            self.deeper(|body| body.block(&element))?;
        }
        Ok(())
    }

    /// Reads a block-level element.
    fn block(&mut self, element: &Element<'x>) -> Result<()> {
        match (element.space, element.name) {
            ("text", "p") if self.state.skipped > 0 => self.state.skipped -= 1,
            ("text", "p") => return self.paragraph(element, None),
            ("text", "h") => {
                let level = element.attribute("outline-level");
                let level = level.and_then(|level| level.parse().ok()).unwrap_or(1_u8);
                return self.paragraph(element, Some(level.clamp(1, 9)));
            }
            ("text", "list") => {
                self.end_loose()?;
                return self.list(element);
            }
            ("table", "table") => {
                self.end_loose()?;
                return self.table(element);
            }
            ("text", "section") if element.attribute("display").as_deref() == Some("none") => {
                self.story.build.lost(&losses::HIDDEN);
            }
            ("text", name) if is_container(name) => {
                let style = element
                    .attribute("style-name")
                    .filter(|_| name == "section");
                let columns = style.and_then(|style| self.context.styles.columns(&style));
                // Only sections of the main text have columns, and only outside of lists and of other columns.
                return match columns.filter(|_| self.is_outermost()) {
                    Some(columns) => self.in_columns(columns),
                    None => self.blocks(),
                };
            }
            ("text", "tracked-changes") => {
                let level = self.xml.level();
                while let Some(region) = self.xml.next_element(level)? {
                    if region.name == "changed-region" {
                        self.story.build.lost(&losses::CHANGES);
                    }
                }
            }
            ("office", "annotation") => self.story.build.lost(&losses::COMMENTS),
            ("draw", _) | ("text", "bookmark" | "bookmark-start") => {
                // A drawing that is anchored to a page is outside of paragraphs, and a bookmark may be. A paragraph is
                // created for them.
                self.open_paragraph(None);
                return self.inline(element);
            }
            _ => {}
        }
        Ok(())
    }

    /// Calls `read` one level deeper. Beyond the limit, the content is added as plain text instead.
    pub(super) fn deeper(&mut self, read: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        if self.depth >= MAX_DEPTH {
            self.story.build.lost(&DEEP);
            let text = self.xml.text()?;
            return self.story.text(&text);
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }

    /// Returns whether the position is in the main text, and in neither a list nor columns.
    fn is_outermost(&self) -> bool {
        let pages = &self.context.pages;
        self.story.within() == Within::Main && self.state.list.is_none() && pages.columns.is_none()
    }

    /// Reads a text section with several columns.
    fn in_columns(&mut self, columns: std::rc::Rc<PageSetup>) -> Result<()> {
        self.end_loose()?;
        self.set_columns(Some(columns))?;
        self.blocks()?;
        self.end_loose()?;
        self.set_columns(None)
    }

    /// Ends the implicit paragraph around drawings outside of paragraphs.
    fn end_loose(&mut self) -> Result<()> {
        if self.story.is_blank() {
            return Ok(());
        }
        self.open_paragraph(None);
        self.close_paragraph(ParagraphProperties::default(), None)
    }

    /// Begins a paragraph with the named style, and returns the formatting of the style.
    pub(super) fn open_paragraph(
        &mut self,
        name: Option<&str>,
    ) -> std::rc::Rc<super::styles::Formatting> {
        let formatting = self.context.styles.paragraph(name);
        self.story.open_paragraph(formatting.style.clone());
        formatting
    }

    /// Reads a paragraph or a heading. Its style may begin a new page, with another master page (part 3, 16.9).
    fn paragraph(&mut self, element: &Element<'x>, heading: Option<u8>) -> Result<()> {
        let is_main = self.story.within() == Within::Main;
        let formatting = self.open_paragraph(element.attribute("style-name").as_deref());
        if is_main {
            self.begin_page(formatting.page.as_deref(), formatting.page_number)?;
            if std::mem::take(&mut self.page_break) {
                self.story.break_page()?;
            }
        }
        self.space = true;
        if let Some(id) = element.attribute("id").map(|id| place(&id))
            && self.story.targets.contains(&*id)
        {
            self.story.bookmark(&id);
        }
        self.inlines()?;
        let heading = heading.or(formatting.outline).map(|level| {
            let numbered = element.attribute("is-list-header").as_deref() != Some("true");
            let label = if numbered && !self.story.line().is_blank() {
                self.context.styles.outline.count(level)
            } else {
                String::new()
            };
            (level, label)
        });
        self.close_paragraph(formatting.direct.clone(), heading)?;
        if is_main {
            self.page_break = formatting.break_after == Some(true);
        }
        Ok(())
    }

    /// Ends the paragraph, reads the text boxes anchored in it, and adds its charts as tables. `heading` is the level
    /// and the number of a heading.
    pub(super) fn close_paragraph(
        &mut self,
        own: ParagraphProperties,
        heading: Option<(u8, String)>,
    ) -> Result<()> {
        let line = self.story.line();
        line.trim_end();
        line.show_alone();
        if let Some((_, label)) = &heading {
            self.place_heading(label);
        }
        self.story.close_paragraph(Paragraph {
            own,
            heading,
            ..Paragraph::default()
        })?;
        for (text, frame) in std::mem::take(&mut self.state.boxes) {
            let around = std::mem::replace(&mut self.xml, text);
            // A box with a picture and its caption becomes a figure.
            if !self.figure()? {
                match frame {
                    Some(frame) => self.story.open_frame(frame)?,
                    None => self.story.open_box()?,
                }
                self.text(None)?;
                self.story.close_text()?;
            }
            self.xml = around;
        }
        for chart in std::mem::take(&mut self.state.charts) {
            self.story.open_box()?;
            let loss = charts::table(&mut self.story.build, &chart, None)?;
            self.story.close_text()?;
            self.story.build.lost(loss);
        }
        Ok(())
    }

    /// Adds bookmarks with the text of the heading, because links may refer to a heading by its text.
    fn place_heading(&mut self, label: &str) {
        let words = self.story.line().lines();
        for name in [
            format!("{words}|outline"),
            format!("{label}{words}|outline"),
            // LibreOffice puts a period after every number in a link, even if the heading shows none.
            format!("{}.{words}|outline", label.trim_end_matches('.')),
            format!("{label} {words}|outline"),
        ] {
            let name = place(&name);
            if self.story.targets.contains(&*name) {
                self.story.bookmark(&name);
            }
        }
        // A link with a number leads to the first heading with its text that has no number, as in LibreOffice.
        if label.is_empty() {
            let words = place(&format!("{words}|outline"));
            for name in self.context.numbered.remove(&words).unwrap_or_default() {
                self.story.bookmark(&name);
            }
        }
    }
}

/// Returns whether an element only groups blocks.
fn is_container(name: &str) -> bool {
    matches!(
        name,
        "section"
            | "index-body"
            | "index-title"
            | "table-of-content"
            | "illustration-index"
            | "table-index"
            | "object-index"
            | "user-index"
            | "alphabetical-index"
            | "bibliography"
            | "numbered-paragraph"
    )
}
