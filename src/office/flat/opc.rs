//! Packages in a single file of XML: "flat OPC", which Office writes and reads (ECMA-376 describes the parts; the
//! elements around them are those of the schema `xmlPackage` of 2006). A part of XML stands in the file as it is, any
//! other one in Base64.
//!
//! Elements around a part may declare prefixes that the part uses. They are declared again in its root.

use crate::{
    coding::base64,
    containers::{
        xml::{Element, Namespaces, Reader},
        zip::{Packing, Writer},
    },
    error::Result,
    job::Job,
};
use std::fmt::Write;

pub(super) const NAMESPACE: &str = "http://schemas.microsoft.com/office/2006/xmlPackage";

const NAMESPACES: Namespaces = &[(NAMESPACE, "pkg")];

/// The most parts that are read. Documents have some dozens.
const MAX_PARTS: usize = 50_000;

/// Adds all parts of the file to an archive.
///
/// Errors: [`BadInput`](crate::error::Kind::BadInput) if it is malformed, or has too many parts.
pub(super) fn pack(job: &Job<'_>, text: &str, zip: &mut Writer<'_>) -> Result<()> {
    let mut xml = Reader::new(job, text, NAMESPACES);
    let root = xml.root()?;
    let mut parts = 0;
    while let Some(part) = xml.next_element(1)? {
        let name = part.attribute("name").unwrap_or_default();
        if !is("part", &part) || name.is_empty() {
            continue;
        }
        parts += 1;
        if parts > MAX_PARTS {
            return Err(job.unreadable(format!("it has more than {MAX_PARTS} parts")));
        }
        let name = name.trim_start_matches('/');
        while let Some(content) = xml.next_element(2)? {
            if is("xmlData", &content) {
                let around = declarations([&root, &part, &content]);
                let inside = within(&mut xml, text, &around)?;
                zip.add(name, inside.as_bytes(), Packing::Stored)?;
            } else if is("binaryData", &content) {
                // A damaged part is treated as missing.
                if let Some(bytes) = base64::decode(xml.text()?) {
                    zip.add(name, &bytes, Packing::Stored)?;
                }
            }
        }
    }
    Ok(())
}

fn is(name: &str, element: &Element<'_>) -> bool {
    (element.space, element.name) == ("pkg", name)
}

/// Content of the innermost open element, as it is in the file, with `declarations` in its root. The root's own
/// declarations follow them and win.
fn within(xml: &mut Reader<'_>, text: &str, declarations: &str) -> Result<String> {
    let (from, level) = (xml.position(), xml.level());
    let mut name_end = from;
    if xml.next_element(level)?.is_some() {
        let tag = text.get(from..xml.position()).unwrap_or_default();
        let start = tag.rfind('<').unwrap_or(0);
        let ends = |c: char| c.is_ascii_whitespace() || matches!(c, '/' | '>');
        let name = tag[start..].find(ends).unwrap_or(0);
        name_end += start + name;
    }
    while xml.next(level)?.is_some() {}
    let before = text.get(from..name_end).unwrap_or_default();
    let behind = text.get(name_end..xml.position()).unwrap_or_default();
    // The end tag of the element around it is the last one.
    let behind = behind.rsplit_once("</").map_or("", |(behind, _)| behind);
    Ok([before, declarations, behind].concat())
}

/// The namespaces that are declared around a part.
fn declarations(around: [&Element<'_>; 3]) -> String {
    let mut declarations = String::new();
    for (name, value) in around.iter().flat_map(|element| element.declarations()) {
        if value != NAMESPACE && !value.contains('"') {
            let _ = write!(declarations, " {name}=\"{value}\"");
        }
    }
    declarations
}
