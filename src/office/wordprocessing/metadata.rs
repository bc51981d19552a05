//! Metadata of office files. Several authors or keywords are stored in a single property, which this module splits and
//! joins. Interprets no other properties.

use crate::{
    containers::{
        property_set::Summary,
        xml::{Namespaces, Reader},
    },
    error::Result,
    job::Job,
};
use convertd_tree::Metadata;

/// Namespaces of OpenDocument metadata.
const OPEN_DOCUMENT: Namespaces = &[
    ("urn:oasis:names:tc:opendocument:xmlns:office:1.0", "office"),
    ("urn:oasis:names:tc:opendocument:xmlns:meta:1.0", "meta"),
    ("http://purl.org/dc/elements/1.1/", "dc"),
];

/// Reads the core properties of a package (ECMA-376 part 2, 8).
pub fn read_core_properties(job: &Job<'_>, text: &str, metadata: &mut Metadata) -> Result<()> {
    let mut xml = Reader::new(job, text, &[]);
    xml.root()?;
    while let Some(element) = xml.next_element(1)? {
        let value = xml.text()?;
        let value = value.trim();
        if value.is_empty() {
            continue;
        }
        let own = Some(value.to_owned());
        match element.name {
            "title" => metadata.title = own,
            "subject" => metadata.subject = own,
            "creator" => add_authors(metadata, value),
            "keywords" => add_keywords(metadata, value),
            "description" => metadata.description = own,
            "language" => metadata.language = own,
            "created" => metadata.date = own,
            _ => {}
        }
    }
    Ok(())
}

/// Reads `office:meta` of OpenDocument (OpenDocument 1.3, part 3, 4) from its part or a flat file.
pub fn read_open_metadata(job: &Job<'_>, text: &str, metadata: &mut Metadata) -> Result<()> {
    let mut xml = Reader::new(job, text, OPEN_DOCUMENT);
    xml.root()?;
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
                // An element may name several authors.
                ("meta", "initial-creator") => {
                    add_authors(metadata, value);
                }
                ("dc", "creator") => last_author = own,
                ("meta", "keyword") => {
                    add_keywords(metadata, value);
                }
                // Dates without a time are stored with the time 0, which is removed.
                ("meta", "creation-date") => {
                    let day = value.strip_suffix("T00:00:00");
                    metadata.date = Some(day.unwrap_or(value).to_owned());
                }
                _ => {}
            }
        }
        break;
    }
    // The last author is used only if the first author is unknown.
    if metadata.authors.is_empty() {
        metadata.authors.extend(last_author);
    }
    Ok(())
}

/// Adds the properties of the summary stream of a binary file.
pub fn add_summary(metadata: &mut Metadata, summary: &Summary) {
    let text = |text: &String| (!text.is_empty()).then(|| text.clone());
    metadata.title = text(&summary.title);
    metadata.subject = text(&summary.subject);
    metadata.description = text(&summary.comments);
    metadata.date.clone_from(&summary.created);
    add_authors(metadata, &summary.author);
    add_keywords(metadata, &summary.keywords);
}

/// Adds authors, which are separated by semicolons. Commas may belong to names.
pub fn add_authors(metadata: &mut Metadata, text: &str) {
    metadata.authors.extend(parts(text, &[';']));
}

/// Adds keywords, which are separated by commas or semicolons.
pub fn add_keywords(metadata: &mut Metadata, text: &str) {
    metadata.keywords.extend(parts(text, &[',', ';']));
}

/// Returns the authors as the value of a property.
pub fn authors(metadata: &Metadata) -> Option<String> {
    (!metadata.authors.is_empty()).then(|| metadata.authors.join("; "))
}

/// Returns the keywords as the value of a property.
pub fn keywords(metadata: &Metadata) -> Option<String> {
    (!metadata.keywords.is_empty()).then(|| metadata.keywords.join(", "))
}

/// Splits a text, trims the parts, and removes empty parts.
fn parts(text: &str, between: &[char]) -> impl Iterator<Item = String> {
    text.split(between)
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn authors_and_keywords_are_split_and_joined() {
        let mut metadata = Metadata::default();
        add_authors(&mut metadata, "A, B.; C ;; ");
        add_keywords(&mut metadata, "one, two; three,");
        assert_eq!(metadata.authors, ["A, B.", "C"]);
        assert_eq!(metadata.keywords, ["one", "two", "three"]);
        assert_eq!(authors(&metadata).as_deref(), Some("A, B.; C"));
        assert_eq!(keywords(&metadata).as_deref(), Some("one, two, three"));
        assert_eq!(keywords(&Metadata::default()), None);
    }
}
