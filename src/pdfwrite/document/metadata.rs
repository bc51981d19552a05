//! Writes the metadata of a document as XMP (ISO 16684-1), and prepares it for the document information dictionary. XMP
//! also states the standards that the file conforms to: PDF/UA-1, and PDF/A on request.

use crate::{
    coding::{date::Date, escape},
    job::{OptionKind, OptionSpec, Options},
};
use convertd_tree::Metadata;

/// Option for PDF/A. It is off by default, because programs open such files as read-only.
pub static ARCHIVE: OptionSpec = OptionSpec {
    name: "pdf_a",
    kind: OptionKind::OneOf(&["false", "true", "2", "3"]),
    default: Some("false"),
    help: "write PDF/A, for archives: PDF/A-2u (true or 2) or PDF/A-3u (3)",
};

/// Part of PDF/A that a job asks for; `None` if it does not ask for PDF/A.
pub fn archive(options: &Options) -> Option<&'static str> {
    match options.word(ARCHIVE.name)? {
        "true" | "2" => Some("2"),
        "3" => Some("3"),
        _ => None,
    }
}

/// Producer of the files.
pub(crate) const PRODUCER: &str = concat!("convertd ", env!("CARGO_PKG_VERSION"));

/// Date of the document. The time of day is left out if its time zone is unknown.
pub fn date(metadata: &Metadata) -> Option<Date> {
    Date::parse(metadata.date.as_deref()?).map(Date::or_day)
}

/// Returns the metadata stream. `archive` is the part of PDF/A. PDF/UA and PDF/A require the data to match the document
/// information dictionary.
pub fn xmp(metadata: &Metadata, title: &str, language: &str, archive: Option<&str>) -> String {
    // The packet header has a fixed identifier (ISO 16684-1).
    let mut xmp = String::from(
        "<?xpacket begin=\"\u{feff}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\
         <x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\
         <rdf:Description rdf:about=\"\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\" \
         xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\" xmlns:pdf=\"http://ns.adobe.com/pdf/1.3/\" \
         xmlns:pdfuaid=\"http://www.aiim.org/pdfua/ns/id/\" xmlns:pdfaid=\"http://www.aiim.org/pdfa/ns/id/\">",
    );
    // `list` is the kind of RDF array, if the property is an array: language alternatives, a sequence or a bag.
    let mut element = |name: &str, text: &str, list: Option<&str>| {
        let text = escape::escaped(text);
        let text = match list {
            Some("Alt") => {
                format!("<rdf:Alt><rdf:li xml:lang=\"x-default\">{text}</rdf:li></rdf:Alt>")
            }
            Some(list) => format!("<rdf:{list}><rdf:li>{text}</rdf:li></rdf:{list}>"),
            None => text,
        };
        xmp.push_str(&format!("<{name}>{text}</{name}>"));
    };
    element("dc:title", title, Some("Alt"));
    if !metadata.authors.is_empty() {
        element("dc:creator", &metadata.authors.join(", "), Some("Seq"));
    }
    if let Some(subject) = about(metadata) {
        element("dc:description", subject, Some("Alt"));
    }
    element("dc:language", language, Some("Bag"));
    if !metadata.keywords.is_empty() {
        element("pdf:Keywords", &metadata.keywords.join(", "), None);
    }
    element("pdf:Producer", PRODUCER, None);
    if let Some(date) = date(metadata) {
        element("xmp:CreateDate", &date.xmp(), None);
    }
    element("pdfuaid:part", "1", None);
    if let Some(part) = archive {
        element("pdfaid:part", part, None);
        element("pdfaid:conformance", "U", None);
    }
    xmp.push_str("</rdf:Description>");
    if archive.is_some() {
        xmp.push_str(ACCESSIBLE);
    }
    xmp.push_str("</rdf:RDF></x:xmpmeta><?xpacket end=\"w\"?>");
    xmp
}

/// Subject of the document, or else its description.
pub fn about(metadata: &Metadata) -> Option<&str> {
    metadata
        .subject
        .as_deref()
        .or(metadata.description.as_deref())
}

/// Extension schema for PDF/UA: PDF/A requires a description of properties that it does not define (ISO 19005-2,
/// 6.6.2.3.3).
pub const ACCESSIBLE: &str = "<rdf:Description rdf:about=\"\" xmlns:pdfaExtension=\"http://www.aiim.org/pdfa/ns/extension/\" \
    xmlns:pdfaSchema=\"http://www.aiim.org/pdfa/ns/schema#\" xmlns:pdfaProperty=\"http://www.aiim.org/pdfa/ns/property#\">\
    <pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType=\"Resource\">\
    <pdfaSchema:schema>PDF/UA identification schema</pdfaSchema:schema>\
    <pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI>\
    <pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix><pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType=\"Resource\">\
    <pdfaProperty:name>part</pdfaProperty:name><pdfaProperty:valueType>Integer</pdfaProperty:valueType>\
    <pdfaProperty:category>internal</pdfaProperty:category>\
    <pdfaProperty:description>Indicates which part of ISO 14289 is followed</pdfaProperty:description>\
    </rdf:li></rdf:Seq></pdfaSchema:property></rdf:li></rdf:Bag></pdfaExtension:schemas></rdf:Description>";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn xmp_is_well_formed_whatever_the_title_is() {
        let xmp = xmp(&Metadata::default(), "a\u{fffe}\u{1}<&>\r\nb", "en", None);
        assert!(xmp.contains(">a&lt;&amp;&gt;&#13;&#10;b</rdf:li>"), "{xmp}");
    }
}
