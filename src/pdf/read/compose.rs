//! Conversion of recognised blocks of a PDF to the common document tree. Recognises nothing itself.

use super::text::{
    block::{Block, BlockKind, Cell, Span, Table},
    document_styles::DocumentStyles,
    headings,
    styles::Shift,
};
use crate::error::Result;
use convertd_tree::{
    Alignment, Builder, CellShape, Delimiter, Length, ListKind, ListLook, Mark, Node, NoteKind,
    Numbering, ParagraphStyleId, Part, Picture, PictureSource, Region, ResourceId,
};
use std::collections::HashMap;

/// Largest difference between the indents of two items in the same list, in points.
const INDENT_TOLERANCE: f32 = 4.0;

/// Limit on the length of a caption, in bytes.
const LONGEST_CAPTION: usize = 1000;

/// Text of the mark at the start of a page.
pub(super) fn page_mark(number: usize) -> String {
    format!("<!-- page {number} -->")
}

/// A document tree under construction, with its styles, pictures and footnotes.
pub(super) struct Composer<'a> {
    pub(super) builder: Builder<'a>,
    /// Text and paragraph styles, if the target keeps them.
    pub(super) document_styles: DocumentStyles<'a>,
    /// Picture files by number. A file becomes empty when it becomes a resource.
    files: Vec<Vec<u8>>,
    /// Resources for pictures that are already in the document.
    pictures: HashMap<usize, ResourceId>,
    /// Texts of footnotes, by the number that marks in the text refer to. A text becomes empty when it is added to the
    /// document.
    pub(super) footnotes: Vec<Vec<Span>>,
}

impl<'a> Composer<'a> {
    /// Begins a composer for these picture files.
    pub(super) fn new(
        builder: Builder<'a>,
        document_styles: DocumentStyles<'a>,
        files: Vec<Vec<u8>>,
    ) -> Self {
        Self {
            builder,
            document_styles,
            files,
            pictures: HashMap::new(),
            footnotes: Vec::new(),
        }
    }

    /// Adds blocks. A caption next to a table or picture becomes a part of it. A caption between two tables belongs to
    /// the lower one, and a caption between two pictures to the upper one. If two captions could belong to the same
    /// table or picture, it gets the first one.
    ///
    /// List items are blocks with an indent; a list is open as long as items follow one another.
    pub(super) fn blocks(&mut self, blocks: &[Block]) -> Result<()> {
        // For each open list, from the outermost one: its indent, and whether it is numbered.
        let mut lists: Vec<(f32, bool)> = Vec::new();
        let captions = captions(blocks);
        for (at, block) in blocks.iter().enumerate() {
            // Captions are skipped here, because they are added with their table or picture.
            if captions.values().any(|caption| *caption == at) {
                continue;
            }
            let BlockKind::Item(number, indent) = block.kind else {
                // Each open list contains an open item, so both are closed.
                while lists.pop().is_some() {
                    self.builder.close()?;
                    self.builder.close()?;
                }
                let caption = captions.get(&at).map(|caption| &blocks[*caption]);
                self.block(block, caption)?;
                continue;
            };
            self.item(&mut lists, number, indent)?;
            let is_open = self.open_regions(&block.regions)?;
            self.paragraph(&block.spans, None)?;
            self.close_regions(is_open)?;
        }
        while lists.pop().is_some() {
            self.builder.close()?;
            self.builder.close()?;
        }
        Ok(())
    }

    /// Opens a group with the positions of a block, if the document has pages. Returns whether a group was opened.
    pub(super) fn open_regions(&mut self, regions: &[Region]) -> Result<bool> {
        let is_open = !self.builder.pages.is_empty() && !regions.is_empty();
        if is_open {
            self.builder.open(Node::Regions(regions.into()))?;
        }
        Ok(is_open)
    }

    /// Closes the group that [`Self::open_regions`] opened, if it opened one.
    pub(super) fn close_regions(&mut self, is_open: bool) -> Result<()> {
        match is_open {
            true => self.builder.close(),
            false => Ok(()),
        }
    }

    /// Adds a block that is not a list item.
    fn block(&mut self, block: &Block, caption: Option<&Block>) -> Result<()> {
        let is_open = self.open_regions(&block.regions)?;
        self.block_itself(block, caption)?;
        self.close_regions(is_open)
    }

    fn block_itself(&mut self, block: &Block, caption: Option<&Block>) -> Result<()> {
        match block.kind {
            BlockKind::Heading(level) => {
                let style = self
                    .document_styles
                    .paragraph(&mut self.builder, block.alignment)?;
                self.builder.open(Node::Heading {
                    level,
                    id: None,
                    label: None,
                    style,
                })?;
                self.inlines(&block.spans)?;
                self.builder.close()
            }
            BlockKind::Code => {
                let text: String = block.spans.iter().map(|span| &span.text[..]).collect();
                self.builder.code_block("", text)
            }
            BlockKind::Table(ref of) => self.table(of, caption),
            BlockKind::Figure(file, size) => {
                let Some(caption) = caption else {
                    return self.figure(file, size, "");
                };
                self.builder.open(Node::Figure { id: None })?;
                self.figure(file, size, "")?;
                self.caption(caption)?;
                self.builder.close()
            }
            BlockKind::Page(number) => self.builder.raw_html(&page_mark(number)),
            BlockKind::Text | BlockKind::Item(..) => self.paragraph(&block.spans, block.alignment),
        }
    }

    /// Opens a list item, and a list if the item is the first one in it. Before that, closes lists with a larger
    /// indent. At the same indent, a change between bullets and numbers begins a new list.
    fn item(
        &mut self,
        lists: &mut Vec<(f32, bool)>,
        number: Option<u32>,
        indent: f32,
    ) -> Result<()> {
        // Whether the innermost list ends before this item.
        let ends = |lists: &[(f32, bool)]| match lists {
            [] => false,
            [(open, _)] => indent < open + INDENT_TOLERANCE && lists[0].1 != number.is_some(),
            [.., (open, has_numbers)] => {
                indent < open - INDENT_TOLERANCE
                    || (indent < open + INDENT_TOLERANCE && *has_numbers != number.is_some())
            }
        };
        while ends(lists) {
            lists.pop();
            self.builder.close()?;
            self.builder.close()?;
        }
        // At the same indent, the previous item ends. At a larger indent, a nested list begins inside the previous
        // item.
        match lists.last() {
            Some((open, _)) if indent <= open + INDENT_TOLERANCE => self.builder.close()?,
            _ => {
                lists.push((indent, number.is_some()));
                let kind = number.map_or(ListKind::Bullet, |start| {
                    ListKind::Ordered(Numbering {
                        start,
                        delimiter: Delimiter::Period,
                        ..Numbering::default()
                    })
                });
                self.builder.open(Node::List {
                    kind,
                    tight: true,
                    look: ListLook::default(),
                })?;
            }
        }
        self.builder.open(Node::Item {
            task: None,
            label: None,
        })
    }

    /// Adds a paragraph with only a picture, of this width and height in points.
    pub(super) fn figure(&mut self, file: usize, size: (f32, f32), words: &str) -> Result<()> {
        self.builder
            .open(Node::Paragraph(ParagraphStyleId::DEFAULT))?;
        self.picture(file, size, words)?;
        self.builder.close()
    }

    /// Adds a picture to the open paragraph. `words` is its alternative text.
    pub(super) fn picture(
        &mut self,
        file: usize,
        (width, height): (f32, f32),
        words: &str,
    ) -> Result<()> {
        let source = match self.pictures.get(&file) {
            // A file becomes a resource at its first use; later uses refer to it.
            Some(known) => *known,
            None => {
                let bytes = std::mem::take(&mut self.files[file]);
                let source = self.builder.resource(bytes, "", None)?;
                self.pictures.insert(file, source);
                source
            }
        };
        let points = |side: f32| Some(Length::points(f64::from(side)));
        self.builder.picture(Picture {
            source: PictureSource::Resource(source),
            alternative: words.into(),
            title: "".into(),
            width: points(width),
            height: points(height),
            frame: None,
        })
    }

    /// Adds a caption.
    fn caption(&mut self, caption: &Block) -> Result<()> {
        self.builder.open(Node::Caption)?;
        let is_open = self.open_regions(&caption.regions)?;
        self.paragraph(&caption.spans, None)?;
        self.close_regions(is_open)?;
        self.builder.close()
    }

    /// Adds a table; its first `heads` rows are header rows.
    fn table(&mut self, table: &Table, caption: Option<&Block>) -> Result<()> {
        self.builder.open(Node::Table {
            columns: Vec::new(),
            width: None,
            alignment: None,
        })?;
        if let Some(caption) = caption {
            self.caption(caption)?;
        }
        for (nth, row) in table.rows.iter().enumerate() {
            self.row(row, nth < table.heads)?;
        }
        self.builder.close()
    }

    /// Adds a table row.
    fn row(&mut self, row: &[Cell], is_head: bool) -> Result<()> {
        self.builder.open(Node::Row {
            part: if is_head { Part::Head } else { Part::Body },
            height: None,
        })?;
        for cell in row {
            self.builder.open(Node::Cell(CellShape {
                rows: cell.rows as u16,
                columns: cell.columns as u16,
                heading: is_head,
                ..CellShape::default()
            }))?;
            for spans in &cell.paragraphs {
                self.paragraph(spans, None)?;
            }
            self.builder.close()?;
        }
        self.builder.close()
    }

    /// Adds a paragraph.
    fn paragraph(&mut self, spans: &[Span], alignment: Option<Alignment>) -> Result<()> {
        let style = self
            .document_styles
            .paragraph(&mut self.builder, alignment)?;
        self.builder.open(Node::Paragraph(style))?;
        self.inlines(spans)?;
        self.builder.close()
    }

    /// Adds a footnote at its mark. If several marks refer to the same note, only the first mark gets the text of the
    /// note.
    fn footnote(&mut self, number: usize) -> Result<()> {
        let spans = self.footnotes.get_mut(number).map(std::mem::take);
        self.builder.open(Node::Note(NoteKind::Footnote))?;
        self.paragraph(&spans.unwrap_or_default(), None)?;
        self.builder.close()
    }

    /// Adds text spans to the open paragraph. White space at the end of a span stays outside of its
    /// formatting.
    pub(super) fn inlines(&mut self, spans: &[Span]) -> Result<()> {
        let last = spans.len().saturating_sub(1);
        for (at, span) in spans.iter().enumerate() {
            // The target format generates the marks of notes, so the note itself replaces its mark here.
            if let Shift::Mark(number) = span.style.shift {
                self.footnote(usize::from(number))?;
                let mark = span.text.trim_end();
                self.builder.text(&span.text[mark.len()..])?;
                continue;
            }
            let mut text = &span.text[..];
            if at == last {
                text = text.trim_end();
            }
            // Spaces at the end stay unformatted: Markdown allows no space before a closing mark.
            let word = text.trim_end();
            let marks = [
                (span.style.bold, Mark::Strong),
                (span.style.italic, Mark::Emphasis),
                (span.style.shift == Shift::Raised, Mark::Superscript),
                (span.style.shift == Shift::Lowered, Mark::Subscript),
            ];
            // The outermost node is opened first: the link, then the style, then marks.
            let mut open = 0;
            if let Some(target) = &span.link {
                self.builder.open(Node::Link {
                    target: target.clone(),
                    title: "".into(),
                })?;
                open += 1;
            }
            if let Some(style) = self
                .document_styles
                .text(&mut self.builder, span.style.appearance)?
            {
                self.builder.open(Node::Span(style))?;
                open += 1;
            }
            for (_, mark) in marks.into_iter().filter(|(is_set, _)| *is_set) {
                self.builder.open(Node::Marked(mark))?;
                open += 1;
            }
            match span.style.fixed && !self.document_styles.are_kept() {
                true => self.builder.code(word)?,
                false => self.builder.text(word)?,
            }
            for _ in 0..open {
                self.builder.close()?;
            }
            self.builder.text(&text[word.len()..])?;
        }
        Ok(())
    }
}

/// Finds the captions: index of the caption for each table or picture that has one.
fn captions(blocks: &[Block]) -> HashMap<usize, usize> {
    let mut found: HashMap<usize, usize> = HashMap::new();
    // A caption joins an adjacent table or picture that has no caption yet.
    for (at, block) in blocks.iter().enumerate() {
        let len: usize = block.spans.iter().map(|span| span.text.len()).sum();
        let is_one = block.kind == BlockKind::Text
            && (1..LONGEST_CAPTION).contains(&len)
            && headings::is_caption(&block.text());
        if !is_one {
            continue;
        }
        // In most documents, captions are above tables and below pictures.
        let (above, below) = (at.checked_sub(1), Some(at + 1));
        let is_table = |of: &usize| matches!(blocks[*of].kind, BlockKind::Table(_));
        let is_figure = |of: &usize| matches!(blocks[*of].kind, BlockKind::Figure(..));
        let free = |of: &usize| *of < blocks.len() && !found.contains_key(of);
        let (above, below) = (above.filter(free), below.filter(free));
        let of = match headings::is_caption_of_table(&block.text()) {
            true => below
                .filter(is_table)
                .or(above.filter(is_table))
                .or(below.filter(is_figure)),
            false => above.filter(is_figure).or(below.filter(is_figure)),
        };
        if let Some(of) = of {
            found.insert(of, at);
        }
    }
    found
}
