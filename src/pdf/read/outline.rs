//! Document outline (ISO 32000-2, 12.3.3) as titles with levels. Ignores destinations, and stops at
//! cycles.

use super::text::{headings::Title, strings};
use hayro::hayro_syntax::{
    Pdf,
    object::{Dict, ObjectIdentifier, String as PdfString},
};
use std::collections::HashSet;

/// Limit on the number of entries.
const MAX: usize = 5000;
/// Limit on the level of an entry. Deeper entries are left out.
const MAX_DEPTH: u8 = 6;

/// Titles of the outline in order.
pub(super) fn titles(pdf: &Pdf) -> Vec<Title> {
    let mut titles = Vec::new();
    let catalog = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id());
    if let Some(root) = catalog.and_then(|catalog| catalog.get::<Dict<'_>>("Outlines")) {
        add(&root, 1, &mut HashSet::new(), &mut titles);
    }
    titles
}

/// Adds the entries below an outline item, following the chain of siblings. An entry that was seen before ends the
/// chain, because it is part of a cycle; so does an entry that is not an indirect object.
fn add(
    parent: &Dict<'_>,
    depth: u8,
    seen: &mut HashSet<ObjectIdentifier>,
    titles: &mut Vec<Title>,
) {
    let mut next = parent.get::<Dict<'_>>("First");
    while let Some(entry) = next {
        let is_new = entry.obj_id().is_some_and(|id| seen.insert(id));
        if !is_new || titles.len() >= MAX {
            return;
        }
        if let Some(title) = entry.get::<PdfString<'_>>("Title") {
            titles.push(Title::new(&strings::decode(&title), depth));
        }
        if depth < MAX_DEPTH {
            add(&entry, depth + 1, seen, titles);
        }
        next = entry.get::<Dict<'_>>("Next");
    }
}
