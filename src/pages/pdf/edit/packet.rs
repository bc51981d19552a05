//! The XMP metadata of PDF/A files (ISO 19005-2, 6.6): the entries of the information dictionary,
//! and the conformance level.

use super::{
    claims::Claims,
    faults::text_of,
    metadata,
    store::{Data, Object, Store},
    value::{Dict, Id, Value},
};
use convertd_pdfwrite::document::ACCESSIBLE as PDF_UA_SCHEMA;
use std::rc::Rc;

/// Keys of the information dictionary, and the elements of XMP for them, with the kind of list.
const TEXTS: [(&str, &str, &str); 6] = [
    ("Title", "dc:title", "Alt"),
    ("Author", "dc:creator", "Seq"),
    ("Subject", "dc:description", "Alt"),
    ("Keywords", "pdf:Keywords", ""),
    ("Creator", "xmp:CreatorTool", ""),
    ("Producer", "pdf:Producer", ""),
];

/// Keys of dates in the information dictionary, and the elements of XMP for them.
const DATES: [(&str, &str); 2] = [
    ("CreationDate", "xmp:CreateDate"),
    ("ModDate", "xmp:ModifyDate"),
];

/// Writes the metadata of a document that claims this part of PDF/A, and PDF/UA if it `is_accessible`. Empty texts and
/// unreadable dates are also removed from the information dictionary.
pub(super) fn write(store: &mut Store<'_>, is_accessible: bool, info: &mut Dict, part: &str) -> Id {
    let mut body = String::new();
    for (key, element, list) in TEXTS {
        match text_of(store, info.get(key)) {
            Some(text) => body.push_str(&metadata::element(element, list, &text)),
            None => drop(info.remove(key)),
        }
    }
    for (key, element) in DATES {
        let date = text_of(store, info.get(key));
        match date.as_deref().and_then(moment) {
            Some(moment) => body.push_str(&metadata::element(element, "", &moment)),
            None => drop(info.remove(key)),
        }
    }
    body.push_str(&metadata::element("pdfaid:part", "", part));
    body.push_str(&metadata::element("pdfaid:conformance", "", "B"));
    if is_accessible {
        body.push_str(&metadata::element("pdfuaid:part", "", "1"));
    }
    let extension = if is_accessible { PDF_UA_SCHEMA } else { "" };
    let xmp = format!(
        "<?xpacket begin=\"\u{feff}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\
         <x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\
         <rdf:Description rdf:about=\"\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\" \
         xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\" xmlns:pdf=\"http://ns.adobe.com/pdf/1.3/\" \
         xmlns:pdfuaid=\"http://www.aiim.org/pdfua/ns/id/\" xmlns:pdfaid=\"http://www.aiim.org/pdfa/ns/id/\">\
         {body}</rdf:Description>{extension}</rdf:RDF></x:xmpmeta><?xpacket end=\"w\"?>"
    );
    let mut dict = Dict::of_type("Metadata");
    dict.set("Subtype", Value::name("XML"));
    store.add(Object::Stream(dict, Data::Own(Rc::new(xmp.into_bytes()))))
}

/// Removes the claim to be PDF/A from a document, together with the metadata that make it.
pub(super) fn forget(store: &mut Store<'_>, catalog: Id) {
    let Some(mut own) = store.dict_of(catalog) else {
        return;
    };
    if Claims::of(store, &own).is_archive() {
        own.remove("Metadata");
        store.set(catalog, own);
    }
}

/// A date of a PDF (7.9.4) in the form of XMP.
fn moment(date: &str) -> Option<String> {
    let date = date.trim().strip_prefix("D:").unwrap_or(date.trim());
    let digits = date.bytes().take_while(u8::is_ascii_digit).count();
    let part = |from: usize, to: usize| date.get(from..to).filter(|_| to <= digits);
    let mut moment = part(0, 4)?.to_owned();
    for (from, to, before) in [(4, 6, '-'), (6, 8, '-')] {
        let Some(part) = part(from, to) else {
            return Some(moment);
        };
        moment.push(before);
        moment.push_str(part);
    }
    let (Some(hour), Some(minute)) = (part(8, 10), part(10, 12)) else {
        return Some(moment);
    };
    moment.push_str(&format!(
        "T{hour}:{minute}:{}",
        part(12, 14).unwrap_or("00")
    ));
    let zone: String = date[digits..].chars().filter(|c| *c != '\'').collect();
    let is_zone = zone.len() == 5
        && zone.starts_with(['+', '-'])
        && zone[1..].bytes().all(|byte| byte.is_ascii_digit());
    match is_zone {
        true => moment.push_str(&format!("{}:{}", &zone[..3], &zone[3..])),
        false => moment.push('Z'),
    }
    Some(moment)
}

#[cfg(test)]
mod tests {
    use super::moment;

    #[test]
    fn dates_are_those_of_xmp() {
        #[track_caller]
        fn check(date: &str, expected: Option<&str>) {
            assert_eq!(moment(date).as_deref(), expected);
        }
        check("D:20060918162750-04'00'", Some("2006-09-18T16:27:50-04:00"));
        check("D:2006", Some("2006"));
        check("D:20060918162750Z", Some("2006-09-18T16:27:50Z"));
        check("yesterday", None);
    }
}
