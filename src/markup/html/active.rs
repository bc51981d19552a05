//! Finds scripts in raw HTML, which a Markdown document may contain. Removes nothing.

use crate::syntax::tokens::has_scripts;
use convertd_tree::{Block, Document, Inline, each_block, each_inline};

/// Returns whether any raw HTML in a document would run a script: by an element, by an attribute, or by an address.
pub fn runs_scripts(document: &Document) -> bool {
    let mut found = false;
    let sections = document.sections().iter().map(|section| &section.blocks);
    let notes = document.notes().iter().map(|note| &note.blocks);
    for blocks in sections.chain(notes) {
        each_block(blocks, &mut |block| {
            if let Block::RawHtml(html) = block {
                found = found || has_scripts(html);
            }
        });
        each_inline(blocks, &mut |inline| {
            if let Inline::RawHtml(html) = inline {
                found = found || has_scripts(html);
            }
        });
    }
    found
}
