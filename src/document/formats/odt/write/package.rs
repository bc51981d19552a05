//! Writes the metadata of a document (part 3, 4). Writes no statistics.

use crate::{
    containers::xml::Writer,
    document::{office, tree::Metadata},
};

/// `meta.xml`, the metadata.
pub(super) fn meta(metadata: &Metadata) -> String {
    let mut xml = super::part("office:document-meta");
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
    // The schema accepts only a date, or a date with a time.
    let date = metadata.date.clone().filter(|date| is_date(date));
    leaf(&mut xml, "meta:creation-date", &date);
    leaf(&mut xml, "dc:language", &metadata.language);
    xml.finish()
}

/// Whether this is a date or a date and time as in XML Schema.
fn is_date(date: &str) -> bool {
    let shape = |text: &str, shape: &str| {
        text.len() == shape.len()
            && text
                .bytes()
                .zip(shape.bytes())
                .all(|(byte, shape)| match shape {
                    b'0' => byte.is_ascii_digit(),
                    shape => byte == shape,
                })
    };
    let (day, time) = date.split_once('T').unwrap_or((date, "00:00:00"));
    shape(day, "0000-00-00") && shape(time.trim_end_matches('Z'), "00:00:00")
}
