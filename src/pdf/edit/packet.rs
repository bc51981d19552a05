//! The XMP metadata of PDF/A files (ISO 19005-2, 6.6): the entries of the information dictionary,
//! and the conformance level.

use super::{
    claims::Claims,
    faults::text_of,
    metadata,
    store::{Data, Object, Store},
    value::{Dict, Id, Value},
};
use crate::coding::date::Date;
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

/// Writes the metadata of a document that claims this part of PDF/A, and also PDF/UA if `is_accessible` is set. Empty
/// texts and unreadable dates are also removed from the information dictionary.
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
        match date.as_deref().and_then(Date::parse) {
            Some(date) => body.push_str(&metadata::element(element, "", &date.xmp())),
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

/// If a document claims to be PDF/A, removes its metadata, which contain the claim.
pub(super) fn forget(store: &mut Store<'_>, catalog: Id) {
    let Some(mut own) = store.dict_of(catalog) else {
        return;
    };
    if Claims::of(store, &own).is_archive() {
        own.remove("Metadata");
        store.set(catalog, own);
    }
}
