//! Writes the metadata of documents for packages of Office Open XML and OpenDocument. Writes no statistics.

use crate::{containers::xml::Writer, wordprocessing as office};
use convertd_tree::{Metadata, date};

/// Returns `docProps/core.xml`, the core properties of a package (ECMA-376 part 2, 8).
pub fn core_properties(metadata: &Metadata) -> String {
    let mut xml = Writer::new();
    xml.start("cp:coreProperties");
    for (name, space) in [
        (
            "xmlns:cp",
            "http://schemas.openxmlformats.org/package/2006/metadata/core-properties",
        ),
        ("xmlns:dc", "http://purl.org/dc/elements/1.1/"),
        ("xmlns:dcterms", "http://purl.org/dc/terms/"),
        ("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance"),
    ] {
        xml.attribute(name, space);
    }
    let authors = office::authors(metadata);
    let keywords = office::keywords(metadata);
    let all = [
        ("dc:title", &metadata.title),
        ("dc:subject", &metadata.subject),
        ("dc:creator", &authors),
        ("cp:keywords", &keywords),
        ("dc:description", &metadata.description),
        ("dc:language", &metadata.language),
    ];
    for (name, value) in all {
        if let Some(value) = value {
            xml.leaf(name, value);
        }
    }
    // The schema accepts only W3CDTF dates, whose times have a time zone. Other dates are left out.
    let is_date = |date: &&str| date::is_day(date) || date::is_moment(date) && date.ends_with('Z');
    if let Some(date) = metadata.date.as_deref().filter(is_date) {
        xml.start("dcterms:created")
            .attribute("xsi:type", "dcterms:W3CDTF")
            .text(date)
            .end();
    }
    xml.finish()
}

/// Returns `meta.xml` of OpenDocument (OpenDocument 1.3, part 3, 4). Its root element is open in `xml`.
pub fn open_metadata(mut xml: Writer, metadata: &Metadata) -> String {
    xml.start("office:meta");
    let authors = office::authors(metadata);
    let leaf = |xml: &mut Writer, name: &'static str, value: &Option<String>| {
        if let Some(value) = value {
            xml.leaf(name, value);
        }
    };
    leaf(&mut xml, "dc:title", &metadata.title);
    leaf(&mut xml, "dc:description", &metadata.description);
    leaf(&mut xml, "dc:subject", &metadata.subject);
    for word in &metadata.keywords {
        xml.leaf("meta:keyword", word);
    }
    leaf(&mut xml, "meta:initial-creator", &authors);
    leaf(&mut xml, "dc:creator", &authors);
    let date = metadata.date.as_deref().and_then(moment);
    leaf(&mut xml, "meta:creation-date", &date);
    leaf(&mut xml, "dc:language", &metadata.language);
    xml.finish()
}

/// Returns a date in the form that the schema requires: always with a time (OpenDocument 1.3, part 3, 18.2
/// "dateTime").
fn moment(date: &str) -> Option<String> {
    match date {
        day if date::is_day(day) => Some(format!("{day}T00:00:00")),
        moment => date::is_moment(moment).then(|| moment.to_owned()),
    }
}
