//! The list of contents of a document, from its headings. Gives no page numbers: only a layout knows those.

use super::tree::{Block, Document, Heading, each_block, plain_text};

/// The deepest level of headings that a list of contents shows.
const DEEPEST: u8 = 3;

/// A line of a list of contents, and the lines below it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// What a link's `#name` leads to.
    pub(crate) id: Box<str>,
    /// The heading's number, if it has one, and its text.
    pub(crate) text: String,
    /// Headings below this one.
    pub(crate) below: Vec<Entry>,
}

/// The headings of a document down to the third level, as a tree as deep as that. A level that is left out makes none of its
/// own: a heading stands below the nearest one before it that is higher.
pub(crate) fn of(document: &Document) -> Vec<Entry> {
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

fn nest(headings: &[&Heading]) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut rest = headings;
    while let Some((first, behind)) = rest.split_first() {
        let below = behind.iter().take_while(|other| other.level > first.level);
        let (below, next) = behind.split_at(below.count());
        let mut text = plain_text(&first.content);
        if let Some(label) = &first.label {
            text = format!("{label} {text}");
        }
        entries.push(Entry {
            id: first.id.clone(),
            text,
            // Each level is lower than the one before, so this ends after three.
            below: nest(below),
        });
        rest = next;
    }
    entries
}
