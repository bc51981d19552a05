//! Makes a table of contents from the headings of a document. Gives no page numbers, because only a layout knows them.

use crate::document::{Block, Document, Heading, each_block, plain_text};
use crate::job::Job;

/// The lowest level of headings in a table of contents.
const DEEPEST: u8 = 3;

/// A line of a table of contents, with the lines below it.
#[derive(Debug, PartialEq, Eq)]
pub struct Entry {
    /// The target of the line's link, without `#`.
    pub id: Box<str>,
    /// The number of the heading, if it has one, and its text.
    pub text: String,
    /// The headings below this one.
    pub below: Vec<Entry>,
}

/// The headings of a document down to the third level, as a tree. Where a document skips a level, the tree does not: a
/// heading is placed below the nearest higher heading before it.
pub fn of(document: &Document) -> Vec<Entry> {
    let mut headings = Vec::new();
    for section in document.sections() {
        each_block(&section.blocks, &mut |block| {
            if let Block::Heading(heading) = block
                && heading.level <= DEEPEST
            {
                headings.push(&**heading);
            }
        });
    }
    nest(&headings)
}

/// Nests headings by level: a heading belongs to the nearest heading before it that has a higher level.
fn nest(headings: &[&Heading]) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut rest = headings;
    while let Some((first, after)) = rest.split_first() {
        let below = after.iter().take_while(|other| other.level > first.level);
        let (below, next) = after.split_at(below.count());
        let mut text = plain_text(&first.content);
        if let Some(label) = &first.label {
            text = format!("{label} {text}");
        }
        entries.push(Entry {
            id: first.id.clone(),
            text,
            // The headings below have lower levels than this heading, and there are three levels, so the recursion is
            // bounded.
            below: nest(below),
        });
        rest = next;
    }
    entries
}

/// Sets a title in the metadata of a document without one: its first heading, or the name of its file. The title is not
/// shown on the page.
pub fn ensure_title(job: &Job<'_>, document: &mut Document) {
    let own = document.metadata.title.as_deref();
    // A title block is visible on the page, so a title that the source does not state is not added to it.
    if document.metadata.title_block || own.is_some_and(|title| !title.trim().is_empty()) {
        return;
    }
    let first = of(document).into_iter().next();
    let heading = first.map(|entry| entry.text.trim().to_owned());
    document.metadata.title = heading
        .filter(|text| !text.is_empty())
        .or_else(|| job.task.file_title.as_deref().map(Into::into));
}
