//! Paragraphs without content, and the rules for the ends of block sequences. Blocks are written one after another;
//! their styles and list levels express the structure (ECMA-376 part 1, 17.3.1).

use super::context::Docx;
use crate::error::Result;
use convertd_office::wordprocessing::{
    Use,
    write::{Dialect, blocks},
};
use convertd_tree::{Block, ParagraphStyleId};

/// List number of paragraphs without a number.
pub(super) const NO_LIST: u32 = 0;

impl<'a> Docx<'a> {
    /// Writes blocks, and then an empty paragraph if the last element is not a paragraph: the schema requires a
    /// paragraph at the end of cells and notes.
    pub(super) fn blocks_with_end(&mut self, all: &'a [Block]) -> Result<()> {
        self.lacks_paragraph = true;
        blocks(self, all)?;
        self.end_with_paragraph();
        Ok(())
    }

    /// Writes an empty paragraph, unless a paragraph was the last element.
    pub(super) fn end_with_paragraph(&mut self) {
        self.end_page();
        if self.lacks_paragraph {
            self.empty_paragraph();
        }
    }

    /// Writes a paragraph with the reference mark of a note, for a note that does not begin with a paragraph.
    pub(super) fn mark_paragraph(&mut self) {
        self.open_paragraph(Use::Footnote, ParagraphStyleId::default(), true);
        self.xml.end();
    }

    /// Writes an empty paragraph, with the section properties that are pending.
    pub(super) fn empty_paragraph(&mut self) {
        self.lacks_paragraph = false;
        self.xml.start("w:p");
        if let Some(section) = self.section_pending.take() {
            self.xml.start("w:pPr").raw(&section).end();
        }
        self.xml.end();
    }

    /// Writes an empty numbered paragraph, for a list item that does not begin with a paragraph.
    pub(super) fn number_item(&mut self) {
        self.open_paragraph(Use::List, ParagraphStyleId::default(), true);
        self.xml.end();
    }
}

/// Run with a page break.
pub(super) const PAGE_BREAK: &str = r#"<w:r><w:br w:type="page"/></w:r>"#;

/// Horizontal rule in VML (ECMA-376 part 4, 19.1.2.16), in the form that Word writes and other programs recognise.
pub(super) const RULE: &str = concat!(
    r#"<w:r><w:pict><v:rect style="width:0;height:1.5pt" o:hralign="center" "#,
    r#"o:hrstd="t" o:hr="t" fillcolor="gray" stroked="f"/></w:pict></w:r>"#,
);
