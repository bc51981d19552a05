//! Several PDFs as one. The engine merges an archive, so they are put into one first.

use super::refusal::Refusal;
use crate::api::compat::{
    item::Item,
    work::{Order, Work},
};

/// The name of what was put together.
pub(super) const NAME: &str = "merged.pdf";

/// All files, in this order, as one PDF.
pub(super) fn together(work: &Work<'_, '_>, files: &[Item]) -> Result<Item, Refusal> {
    // Folders keep the order, and titles in the outline are the names of files.
    let named: Vec<(String, &Item)> = files
        .iter()
        .enumerate()
        .map(|(nth, item)| (format!("{nth:05}/{}", item.name), item))
        .collect();
    let mut archive = work.pack(&named)?;
    archive.name = "merged.zip".to_owned();
    let order = Order {
        target: "pdf",
        quality: None,
        options: &[("merge", "true".to_owned())],
    };
    let made = work.convert(&archive, &order)?;
    // A file that could not be read would be missing without a word.
    if let Some(lost) = made.notes.iter().find(|note| is_loss(note)) {
        return Err(Refusal::bad(format!(
            "The PDFs could not be merged: {lost}"
        )));
    }
    let mut merged = made.item;
    merged.name = NAME.to_owned();
    Ok(merged)
}

fn is_loss(note: &str) -> bool {
    note.contains("was left out") || note.contains("could not be")
}
