//! Paragraphs without content, and the rules for the ends of block sequences. Blocks are written one after another;
//! their styles and list levels express the structure (ECMA-376 part 1, 17.3.1).

use super::context::Docx;
use crate::error::Result;
use convertd_office::wordprocessing::{
    Use,
    write::{Dialect, blocks},
};
use convertd_tree::{Block, GroupKind, ParagraphStyleId};

/// List number of paragraphs without a number.
pub(super) const NO_LIST: u32 = 0;

impl<'a> Docx<'a> {
    /// Writes blocks, and then an empty paragraph if the last block does not end with a paragraph: the schema requires
    /// a paragraph at the end of cells and notes.
    pub(super) fn blocks_with_end(&mut self, all: &'a [Block]) -> Result<()> {
        blocks(self, all)?;
        self.end_blocks(all);
        Ok(())
    }

    /// Writes an empty paragraph, unless these blocks end with a paragraph.
    pub(super) fn end_blocks(&mut self, all: &'a [Block]) {
        self.end_page();
        if !all.last().is_some_and(ends_in_paragraph) {
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

/// Returns whether the last element that is written for a block is a paragraph.
pub(super) fn ends_in_paragraph(block: &Block) -> bool {
    let last = |blocks: &[Block]| blocks.last().is_some_and(ends_in_paragraph);
    match block {
        Block::Table(_) | Block::PageBreak | Block::ColumnBreak | Block::RawHtml(_) => false,
        Block::Quote(blocks) => last(blocks),
        Block::Group(group) => match &group.kind {
            GroupKind::Figure { caption } if !caption.is_empty() => last(caption),
            _ => last(&group.blocks),
        },
        Block::List(list) => list
            .items
            .last()
            .is_none_or(|item| item.blocks.is_empty() || last(&item.blocks)),
        Block::Definitions(all) => all.last().is_none_or(|definition| {
            definition
                .details
                .last()
                .is_none_or(|details| last(details))
        }),
        Block::Paragraph(_) | Block::Heading(_) | Block::Code(_) | Block::Rule => true,
    }
}

/// Run with a page break.
pub(super) const PAGE_BREAK: &str = r#"<w:r><w:br w:type="page"/></w:r>"#;

/// Horizontal rule in VML (ECMA-376 part 4, 19.1.2.16), in the form that Word writes and other programs recognise.
pub(super) const RULE: &str = concat!(
    r#"<w:r><w:pict><v:rect style="width:0;height:1.5pt" o:hralign="center" "#,
    r#"o:hrstd="t" o:hr="t" fillcolor="gray" stroked="f"/></w:pict></w:r>"#,
);
