//! The title of a document and what belongs to it: paragraphs at the beginning of the text, which the tree keeps in its metadata.

use super::{Line, ParagraphRole};
use crate::document::tree::Metadata;

/// Takes a paragraph out of the text if it is a part of the title. Nothing but other such parts may stand before it.
pub(crate) fn take_title(metadata: &mut Metadata, role: ParagraphRole, line: &Line) -> bool {
    let words = line.lines().replace(['\n', '\t'], " ");
    let words = words.trim().to_owned();
    if words.is_empty() || !line.is_plain() {
        return false;
    }
    let shown = metadata.title_block;
    match role {
        ParagraphRole::Title if !shown => {
            // From here on, what is in the metadata is shown; what the file's properties say besides is not.
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
