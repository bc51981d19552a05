//! Adds content without children: text, code, pictures, formulas, breaks. Opens and closes only the paragraphs and
//! other nodes that this content needs.

use super::{ALLOCATION, Builder, NESTED_NOTES};
use crate::{
    document::{
        Block, Code, Field, Inline, Mark, Math, Node, NoteId, ParagraphStyleId, Picture,
        PictureSource, Ruby,
        frames::{Content, Product},
        node::Takes,
        place,
    },
    error::Result,
};

impl Builder<'_> {
    /// Adds text. Line ends in it become spaces.
    pub fn text(&mut self, text: &str) -> Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        if self.top().takes != Takes::Inlines && !self.wants_inlines(text)? {
            return Ok(());
        }
        self.charge(text.len())?;
        self.begin_line()?;
        if let Content::Inlines(content) = &mut self.top().content
            && let Some(Inline::Text(last)) = content.last_mut()
        {
            append(last, text);
            return Ok(());
        }
        let mut own = String::new();
        append(&mut own, text);
        self.charge(ALLOCATION)?;
        self.add(Product::Inline(Inline::Text(own)))
    }

    /// Adds inline code.
    pub fn code(&mut self, code: impl Into<String>) -> Result<()> {
        let code = code.into();
        self.inline(code.len(), Inline::Code(code))
    }

    /// Adds a picture. An external picture that was sent with the source becomes a resource of the document.
    pub fn picture(&mut self, mut picture: Picture) -> Result<()> {
        if let PictureSource::Address(address) = &picture.source
            && let Some(beside) = self.account.job().beside
            && let Some(bytes) = beside.read(address)
        {
            picture.source = PictureSource::Resource(self.resource(bytes, "", None)?);
        }
        let size = size_of::<Picture>() + picture.alternative.len() + picture.title.len();
        self.inline(size, Inline::Picture(Box::new(picture)))
    }

    /// Adds a line break.
    pub fn line_break(&mut self) -> Result<()> {
        self.inline(0, Inline::LineBreak)
    }

    /// Adds a line end of the source, which means the same as a space.
    pub fn soft_break(&mut self) -> Result<()> {
        self.inline(0, Inline::SoftBreak)
    }

    /// Adds a formula in TeX.
    pub fn math(&mut self, tex: impl Into<Box<str>>, display: bool) -> Result<()> {
        let tex = tex.into();
        let size = size_of::<Math>() + tex.len();
        self.inline(size, Inline::Math(Box::new(Math { tex, display })))
    }

    /// Adds a word with a text above it. A word without such a text is plain text.
    pub fn ruby(&mut self, base: &str, above: &str) -> Result<()> {
        if base.is_empty() || above.is_empty() {
            return self.text(base);
        }
        let ruby = Ruby {
            base: base.into(),
            above: above.into(),
        };
        let size = size_of::<Ruby>() + base.len() + above.len();
        self.inline(size, Inline::Ruby(Box::new(ruby)))
    }

    /// Adds a field, whose text is known only after the layout.
    pub fn field(&mut self, field: Field) -> Result<()> {
        self.inline(0, Inline::Field(field))
    }

    /// Adds a target for links to `#name`. If several targets have the same name, only the first is added.
    pub fn bookmark(&mut self, name: &str) -> Result<()> {
        if !self.ids.claim(name) {
            return Ok(());
        }
        self.inline(2 * name.len(), Inline::Bookmark(name.into()))
    }

    /// Adds a reference to a note. Inside a note, the reference is left out and counted as a loss.
    pub fn note(&mut self, note: NoteId) -> Result<()> {
        if place::in_note(&self.stack) {
            self.losses.add(&NESTED_NOTES);
            return Ok(());
        }
        self.inline(0, Inline::Note(note))
    }

    /// Adds an HTML tag or comment.
    pub fn raw_html_inline(&mut self, html: &str) -> Result<()> {
        self.document.raw_html = true;
        self.inline(html.len(), Inline::RawHtml(html.into()))
    }

    /// Adds lines of HTML.
    pub fn raw_html(&mut self, html: &str) -> Result<()> {
        self.document.raw_html = true;
        self.block(html.len(), Block::RawHtml(html.into()))
    }

    /// Adds a horizontal rule.
    pub fn rule(&mut self) -> Result<()> {
        self.block(0, Block::Rule)
    }

    /// Adds a page break.
    pub fn page_break(&mut self) -> Result<()> {
        self.block(0, Block::PageBreak)
    }

    /// Adds a column break.
    pub fn column_break(&mut self) -> Result<()> {
        self.block(0, Block::ColumnBreak)
    }

    /// Adds a code block. Ignores one line end at the end of `text`.
    pub fn code_block(&mut self, info: impl Into<Box<str>>, text: impl Into<String>) -> Result<()> {
        let mut text = text.into();
        if text.ends_with('\n') {
            text.pop();
        }
        let code = Code {
            info: info.into(),
            text,
        };
        let size = size_of::<Code>() + code.info.len() + code.text.len();
        self.block(size, Block::Code(Box::new(code)))
    }

    fn inline(&mut self, size: usize, inline: Inline) -> Result<()> {
        if self.top().takes != Takes::Inlines && !self.wants_inlines("x")? {
            return Ok(());
        }
        self.charge(size + if size > 0 { ALLOCATION } else { 0 })?;
        self.begin_line()?;
        self.add(Product::Inline(inline))
    }

    /// Adds a complete block where the innermost container allows it, and opens missing containers.
    fn block(&mut self, size: usize, block: Block) -> Result<()> {
        let place = Node::Paragraph(ParagraphStyleId::default());
        self.close_implicit_for(&place)?;
        if !self.top().accepts(&place) {
            self.open_missing(&place)?;
        }
        self.charge(size + if size > 0 { ALLOCATION } else { 0 })?;
        if self.top().takes == Takes::Inlines {
            // Among inlines, a block of code becomes lines of code. Other blocks, such as rules and page breaks, are
            // dropped.
            self.top().breaks = true;
            if let Block::Code(code) = block {
                for (number, line) in code.text.split('\n').enumerate() {
                    if number > 0 {
                        self.line_break()?;
                    }
                    self.code(line)?;
                }
                self.top().breaks = true;
            }
            return Ok(());
        }
        self.add(Product::Block(block))
    }

    /// Adds a line break before the next content, if a block began or ended here.
    fn begin_line(&mut self) -> Result<()> {
        let top = self.top();
        if !std::mem::take(&mut top.breaks) {
            return Ok(());
        }
        match &top.content {
            Content::Inlines(content) if !content.is_empty() => {
                self.add(Product::Inline(Inline::LineBreak))
            }
            _ => Ok(()),
        }
    }

    /// Opens the containers that inlines need in the innermost container. Returns false, and opens nothing, if `text`
    /// is only white space and the container takes no blocks, such as a list.
    fn wants_inlines(&mut self, text: &str) -> Result<bool> {
        if self.top().takes != Takes::Blocks && text.trim_ascii().is_empty() {
            return Ok(false);
        }
        self.open_missing(&Node::Marked(Mark::Emphasis))?;
        Ok(true)
    }
}

/// Appends text, with a space for each line end.
fn append(own: &mut String, text: &str) {
    let mut pieces = text.split(['\n', '\r']);
    if let Some(first) = pieces.next() {
        own.push_str(first);
    }
    for piece in pieces {
        own.push(' ');
        own.push_str(piece);
    }
}
