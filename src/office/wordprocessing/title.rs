//! The title block: paragraphs at the beginning with the styles Title, Subtitle, Author and Date. They belong to the
//! metadata of the tree, not to its blocks. Considers no formatting.

use super::{line::Line, names::ParagraphRole};
use convertd_tree::Metadata;

/// Moves a paragraph to the metadata if its style makes it a part of the title block. Returns whether the paragraph was
/// moved. All paragraphs before it must be parts of the title block as well.
pub(crate) fn take_title(metadata: &mut Metadata, role: ParagraphRole, line: &Line) -> bool {
    let words = line.lines().replace(['\n', '\t'], " ");
    let words = words.trim().to_owned();
    if words.is_empty() || !line.is_plain() {
        return false;
    }
    let shown = metadata.title_block;
    match role {
        ParagraphRole::Title if !shown => {
            // The title block is visible, so it takes precedence over the file's properties.
            metadata.title = Some(words);
            metadata.subtitle = None;
            metadata.authors.clear();
            metadata.date = None;
            metadata.title_block = true;
        }
        ParagraphRole::Subtitle if shown && metadata.subtitle.is_none() => {
            metadata.subtitle = Some(words);
        }
        ParagraphRole::Author if shown => metadata.authors.push(words),
        ParagraphRole::Date if shown && metadata.date.is_none() => metadata.date = Some(words),
        _ => return false,
    }
    true
}
