//! `/unpack`: the files within a file, as an archive; `/unpack/all` adds the text and the metadata of the outer file.

use super::{
    answer::{csv, empty, plain},
    detect::File,
    extract, metadata,
    paths::Content,
};
use crate::{
    api::compat::{item::Item, work::Work},
    error::{Error, Result},
    format::ARCHIVE_MEDIA_TYPE,
    http::{Response, Status},
};

/// Name of the text in the archive, as in Tika.
const TEXT: &str = "__TEXT__";
/// Name of the metadata in the archive, as in Tika.
const METADATA: &str = "__METADATA__";

/// Answers with the archive, or with 204 if the file contains no other files. If `all`, the archive also has the text
/// and the metadata of the file, so it is never empty.
pub(super) fn respond(work: &Work<'_, '_>, file: &File, all: bool) -> Result<Response> {
    let mut files = work.embedded(&file.item)?;
    if files.is_empty() && !all {
        return Ok(empty(Status::NO_CONTENT));
    }
    if all {
        let rows = csv(&metadata::of(work, file)?);
        let text = match extract::content(work, file, Content::Text)? {
            Some(text) => text,
            None => write(work, "")?,
        };
        files.push(named(text, TEXT));
        files.push(named(write(work, &rows)?, METADATA));
    }
    let files: Vec<(String, &Item)> = files.iter().map(|file| (file.name.clone(), file)).collect();
    let archive = work.pack(&files)?;
    Ok(plain(Status::OK)
        .field("Content-Type", ARCHIVE_MEDIA_TYPE)
        .payload(archive.payload()?))
}

fn named(mut item: Item, name: &str) -> Item {
    item.name = name.to_owned();
    item
}

fn write(work: &Work<'_, '_>, text: &str) -> Result<Item> {
    work.write("", |out| {
        out.write_all(text.as_bytes()).map_err(Error::unwritten)
    })
}
