//! Merges several PDFs. The engine merges the files of an archive, so the PDFs are first packed into an archive. A file
//! that cannot be read is an error, which names the file; no file is left out.

use super::refusal::Refusal;
use crate::{
    api::compat::{
        item::Item,
        work::{Order, Work},
    },
    error::Kind,
    job::Tag,
};

/// Name of the merged file.
pub(super) const NAME: &str = "merged.pdf";

/// Merges all files in the given order.
pub(super) fn together(
    work: &Work<'_, '_>,
    files: &[Item],
    options: &[(&'static str, String)],
) -> Result<Item, Refusal> {
    // Numbered folders keep the order. Titles in the outline are the names of files without the folder.
    let named: Vec<(String, &Item)> = files
        .iter()
        .enumerate()
        .map(|(nth, item)| (format!("{nth:05}/{}", item.name), item))
        .collect();
    let mut archive = work.pack(&named)?;
    archive.name = "merged.zip".to_owned();
    let mut options = options.to_vec();
    options.push(("merge", "true".to_owned()));
    let order = Order {
        target: "pdf",
        quality: None,
        options: &options,
    };
    let made = work
        .convert(&archive, &order)
        .map_err(|error| match error.kind() {
            Kind::BadInput => unmerged(without_folder(error.message())),
            _ => error.into(),
        })?;
    // The engine refuses files that it cannot merge. If it nevertheless leaves one out, the result is not returned.
    if made.notes.has(Tag::File) {
        let lost: Vec<&str> = made.notes.tagged(Tag::File).map(without_folder).collect();
        return Err(unmerged(&lost.join("\n")));
    }
    let mut merged = made.item;
    merged.name = NAME.to_owned();
    Ok(merged)
}

fn unmerged(why: &str) -> Refusal {
    Refusal::bad(format!("The PDFs could not be merged: {why}"))
}

/// Removes the numbered folder before a file name at the beginning of a message. Other messages stay unchanged.
fn without_folder(message: &str) -> &str {
    match message.split_once('/') {
        Some((folder, rest)) if folder.len() >= 5 && folder.bytes().all(|c| c.is_ascii_digit()) => {
            rest
        }
        _ => message,
    }
}
