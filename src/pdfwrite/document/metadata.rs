//! Writes the metadata of a document as XMP (ISO 16684-1), and prepares it for the document information dictionary. XMP
//! also states the standards that the file conforms to: PDF/UA-1, and PDF/A on request.

use crate::{
    coding::escape,
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

/// Part of PDF/A that a job asks for.
pub fn archive(options: &Options) -> Option<&'static str> {
    match options.word(ARCHIVE.name)? {
        "true" | "2" => Some("2"),
        "3" => Some("3"),
        _ => None,
    }
}

/// Producer of the files.
pub(crate) const PRODUCER: &str = concat!("convertd ", env!("CARGO_PKG_VERSION"));

/// Date in a form that PDF and XMP can state.
pub struct Moment {
    pub year: u16,
    pub month: u8,
    pub day: u8,
    /// Hour, minute and second in UTC.
    pub time: Option<(u8, u8, u8)>,
}

impl Moment {
    /// Parses a date, if it begins as RFC 3339 does. Of a time in another zone than UTC, only the date is kept.
    pub fn of(date: &str) -> Option<Self> {
        let number = |from: usize, to: usize| date.get(from..to)?.parse::<u16>().ok();
        let dash = |at: usize| date.as_bytes().get(at) == Some(&b'-');
        let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
        if !dash(4) || !dash(7) || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
            return None;
        }
        let utc = date.ends_with('Z') && date.as_bytes().get(10) == Some(&b'T');
        let time = utc
            .then(|| Some((number(11, 13)?, number(14, 16)?, number(17, 19)?)))
            .flatten();
        let time = time.filter(|(hour, minute, second)| *hour < 24 && *minute < 60 && *second < 60);
        Some(Self {
            year,
            month: month as u8,
            day: day as u8,
            time: time.map(|(hour, minute, second)| (hour as u8, minute as u8, second as u8)),
        })
    }

    /// Formats the date for XMP (ISO 8601, in UTC).
    fn xmp(&self) -> String {
        let Self {
            year,
            month,
            day,
            time,
        } = self;
        let date = format!("{year:04}-{month:02}-{day:02}");
        match time {
            Some((hour, minute, second)) => format!("{date}T{hour:02}:{minute:02}:{second:02}Z"),
            None => date,
        }
    }

    /// Formats the date for PDF (ISO 32000-1, 7.9.4).
    pub fn pdf(&self) -> pdf_writer::Date {
        let date = pdf_writer::Date::new(self.year)
            .month(self.month)
            .day(self.day);
        match self.time {
            Some((hour, minute, second)) => date
                .hour(hour)
                .minute(minute)
                .second(second)
                .utc_offset_hour(0)
                .utc_offset_minute(0),
            None => date,
        }
    }
}

/// Returns the metadata stream. `archive` is the part of PDF/A. Both standards require the data to match the document
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
    if let Some(moment) = metadata.date.as_deref().and_then(Moment::of) {
        element("xmp:CreateDate", &moment.xmp(), None);
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
