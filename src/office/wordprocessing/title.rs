//! The title block: leading paragraphs in the styles Title, Subtitle, Author and Date. The tree keeps them in its
//! metadata instead of its blocks. Recognises no paragraph by its look.

use super::{line::Line, names::ParagraphRole};
use convertd_tree::Metadata;

/// Moves a paragraph into the metadata if its style makes it a part of the title block, and returns whether it did.
/// Callers ask only as long as every paragraph before was a part of it too.
pub(crate) fn take_title(metadata: &mut Metadata, role: ParagraphRole, line: &Line) -> bool {
    let words = line.lines().replace(['\n', '\t'], " ");
    let words = words.trim().to_owned();
    if words.is_empty() || !line.is_plain() {
        return false;
    }
    let shown = metadata.title_block;
    match role {
        ParagraphRole::Title if !shown => {
            // The title block is visible text, so it takes precedence over what the file's document properties say.
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
