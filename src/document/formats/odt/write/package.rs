//! Writes the metadata of a document (part 3, 4). Writes no statistics.

use crate::{
    containers::xml::Writer,
    document::{date, office, tree::Metadata},
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
    let date = metadata.date.as_deref().and_then(moment);
    leaf(&mut xml, "meta:creation-date", &date);
    leaf(&mut xml, "dc:language", &metadata.language);
    xml.finish()
}

/// A date as the schema accepts it, which is only with a time (part 3, 18.2 "dateTime").
fn moment(date: &str) -> Option<String> {
    match date {
        day if date::is_day(day) => Some(format!("{day}T00:00:00")),
        moment => date::is_moment(moment).then(|| moment.to_owned()),
    }
}
