//! Standards that a file claims: PDF/A and PDF/UA, by properties in its XMP (ISO 19005-2, 6.6.4; ISO 14289-1, 5). These
//! may be elements or attributes with any prefix, and are recognised by their namespace. Similar text elsewhere in the
//! file is not a claim.

use super::{
    metadata,
    store::{Object, Store},
    value::{Dict, Value},
};
use crate::{
    containers::xml::{self, Element, Namespaces, Piece, Reader},
    error::Result,
    job::Job,
};
use std::borrow::Cow;

const NAMESPACES: Namespaces = &[
    ("http://www.w3.org/1999/02/22-rdf-syntax-ns#", "rdf"),
    ("http://www.aiim.org/pdfa/ns/id/", "pdfa"),
    ("http://www.aiim.org/pdfua/ns/id/", "pdfua"),
];

/// Claims of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Claims {
    /// The part of PDF/A that the file claims, such as 2.
    pub(super) part: Option<u8>,
    /// The level of conformance to PDF/A, such as `B`.
    pub(super) conformance: Option<String>,
    /// The part of PDF/UA that the file claims.
    pub(super) accessible: Option<u8>,
}

impl Claims {
    /// The claims of the document with this catalogue.
    pub(super) fn of(store: &mut Store<'_>, catalog: &Dict) -> Self {
        let id = catalog.get("Metadata").and_then(Value::as_ref);
        let object = id.map(|id| store.object(id));
        let Some(Object::Stream(_, data)) = object.as_deref() else {
            return Self::default();
        };
        let packet = metadata::packet(store, data.clone());
        Self::read(store.job(), &packet.unwrap_or_default())
    }

    /// The claims in an XMP packet. A packet that cannot be parsed completely has no claims.
    fn read(job: &Job<'_>, packet: &[u8]) -> Self {
        let text = xml::decode(packet);
        let mut claims = Self::default();
        // A byte order mark that the decoder left at the beginning is not part of the XML.
        match claims.root(&mut Reader::new(
            job,
            text.trim_start_matches('\u{feff}'),
            NAMESPACES,
        )) {
            Ok(()) => claims,
            Err(_) => Self::default(),
        }
    }

    /// Returns whether the file claims PDF/A.
    pub(super) fn is_archive(&self) -> bool {
        self.part.is_some()
    }

    fn root(&mut self, xml: &mut Reader<'_>) -> Result<()> {
        let level = xml.level();
        while let Some(element) = xml.next_element(level)? {
            match (element.space, element.name) {
                ("rdf", "RDF") => self.descriptions(xml)?,
                // Adobe's wrapper element, which some programs write in another namespace.
                (_, "xmpmeta" | "xapmeta") => self.root(xml)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn descriptions(&mut self, xml: &mut Reader<'_>) -> Result<()> {
        let level = xml.level();
        while let Some(element) = xml.next_element(level)? {
            if (element.space, element.name) == ("rdf", "Description") {
                for (space, name, value) in xml.attributes(&element) {
                    self.property(space, name, value);
                }
                self.properties(xml)?;
            }
        }
        Ok(())
    }

    fn properties(&mut self, xml: &mut Reader<'_>) -> Result<()> {
        let level = xml.level();
        while let Some(element) = xml.next_element(level)? {
            let Element { space, name, .. } = element;
            if matches!(space, "pdfa" | "pdfua") {
                let text = plain(xml)?;
                self.property(space, name, text.into());
            }
        }
        Ok(())
    }

    fn property(&mut self, space: &str, name: &str, value: Cow<'_, str>) {
        let value = value.trim();
        match (space, name) {
            ("pdfa", "part") => self.part = value.parse().ok(),
            ("pdfa", "conformance") => self.conformance = Some(value.to_owned()),
            ("pdfua", "part") => self.accessible = value.parse().ok(),
            _ => {}
        }
    }
}

/// The text of the innermost element. Child elements are skipped.
fn plain(xml: &mut Reader<'_>) -> Result<String> {
    let level = xml.level();
    let mut text = String::new();
    while let Some(piece) = xml.next(level)? {
        if let Piece::Text(piece) = piece {
            text.push_str(&piece);
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::testing::with_job;

    #[track_caller]
    fn check(
        properties: &str,
        attributes: &str,
        part: Option<u8>,
        level: Option<&str>,
        ua: Option<u8>,
    ) {
        let packet = format!(
            "<?xpacket begin=\"\u{feff}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?><x:xmpmeta xmlns:x=\"adobe:ns:meta/\">\
             <rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\
             <rdf:Description rdf:about=\"\" xmlns:a=\"http://www.aiim.org/pdfa/ns/id/\" \
             xmlns:pdfuaid=\"http://www.aiim.org/pdfua/ns/id/\" xmlns:pdfaid=\"http://example.org/\" {attributes}>\
             {properties}</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end=\"w\"?>"
        );
        with_job(|job| {
            let wide: Vec<u8> = packet.encode_utf16().flat_map(u16::to_be_bytes).collect();
            for bytes in [packet.as_bytes(), &wide] {
                let claims = Claims::read(job, bytes);
                let found = (
                    claims.part,
                    claims.conformance.as_deref(),
                    claims.accessible,
                );
                assert_eq!(found, (part, level, ua), "{properties} {attributes}");
            }
        });
    }

    #[test]
    fn properties_count_by_their_namespace() {
        check(
            "<a:part>2</a:part><a:conformance>B</a:conformance>",
            "",
            Some(2),
            Some("B"),
            None,
        );
        check(
            "",
            "a:part=\"3\" a:conformance=\"U\"",
            Some(3),
            Some("U"),
            None,
        );
        check("<pdfuaid:part> 1 </pdfuaid:part>", "", None, None, Some(1));
        // The usual prefix with another namespace, a comment, a text, and an invalid value.
        check("<pdfaid:part>2</pdfaid:part>", "", None, None, None);
        check("<!-- <a:part>2</a:part> -->", "", None, None, None);
        check(
            "<t>&lt;a:part&gt;2&lt;/a:part&gt;</t>",
            "",
            None,
            None,
            None,
        );
        check("<a:part>two</a:part>", "", None, None, None);
    }

    #[test]
    fn damaged_packets_have_no_claims() {
        with_job(|job| {
            for packet in ["", "pdfaid:part", "<a", "<rdf:RDF"] {
                assert_eq!(Claims::read(job, packet.as_bytes()), Claims::default());
            }
        });
    }
}
