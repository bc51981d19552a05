//! Reads the metadata of a document (part 3, 4). Ignores statistics.

use super::super::NAMESPACES;
use crate::{
    containers::xml::Reader,
    document::{office, tree::Builder},
    error::Result,
    job::Job,
};

/// Reads `office:meta`, at any depth.
pub(super) fn read(job: &Job<'_>, text: &str, build: &mut Builder<'_>) -> Result<()> {
    let mut xml = Reader::new(job, text, NAMESPACES);
    xml.root()?;
    let metadata = &mut build.metadata;
    let mut last_author = None;
    while let Some(outer) = xml.next_element(1)? {
        if !(outer.space == "office" && outer.name == "meta") {
            continue;
        }
        while let Some(element) = xml.next_element(2)? {
            let value = xml.text()?;
            let value = value.trim();
            if value.is_empty() {
                continue;
            }
            let own = Some(value.to_owned());
            match (element.space, element.name) {
                ("dc", "title") => metadata.title = own,
                ("dc", "subject") => metadata.subject = own,
                ("dc", "description") => metadata.description = own,
                ("dc", "language") => metadata.language = own,
                // One element may name several authors.
                ("meta", "initial-creator") => {
                    office::add_authors(metadata, value);
                }
                ("dc", "creator") => last_author = own,
                ("meta", "keyword") => {
                    office::add_keywords(metadata, value);
                }
                // A day without a time has to be stored with one.
                ("meta", "creation-date") => {
                    let day = value.strip_suffix("T00:00:00");
                    metadata.date = Some(day.unwrap_or(value).to_owned());
                }
                _ => {}
            }
        }
        break;
    }
    if metadata.authors.is_empty() {
        metadata.authors.extend(last_author);
    }
    Ok(())
}
