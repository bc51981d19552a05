//! Packages in a single XML file. This "flat OPC" format is read and written by Office. ECMA-376 describes the parts;
//! the elements around them belong to the `xmlPackage` schema of 2006. XML parts are embedded unchanged, and other
//! parts in Base64.
//!
//! Elements around a part may declare prefixes that the part uses. These declarations are copied to the root of the
//! part.

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

/// Namespace of the elements around parts.
pub(super) const NAMESPACE: &str = "http://schemas.microsoft.com/office/2006/xmlPackage";

const NAMESPACES: Namespaces = &[(NAMESPACE, "pkg")];

/// Max. number of parts. Documents have some dozens.
const MAX_PARTS: usize = 50_000;

/// Adds all parts of the file to a ZIP archive.
///
/// Errors: [`BadInput`](crate::error::Kind::BadInput) if the file is malformed, or has too many parts.
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
                // Damaged parts are treated as missing.
                if let Some(bytes) = base64::decode(xml.text()?) {
                    zip.add(name, &bytes, Packing::Stored)?;
                }
            }
        }
    }
    Ok(())
}

/// Returns whether an element belongs to the package and not to a part, and has this name.
fn is(name: &str, element: &Element<'_>) -> bool {
    (element.space, element.name) == ("pkg", name)
}

/// Returns the content of the innermost open element, with `declarations` added to the root of the content. The root's
/// own declarations follow, and take precedence.
fn within(xml: &mut Reader<'_>, text: &str, declarations: &str) -> Result<String> {
    let (from, level) = (xml.position(), xml.level());
    let mut name_end = from;
    // Find the end of the root's name, where the declarations are inserted.
    if xml.next_element(level)?.is_some() {
        let tag = text.get(from..xml.position()).unwrap_or_default();
        let start = tag.rfind('<').unwrap_or(0);
        let ends = |c: char| c.is_ascii_whitespace() || matches!(c, '/' | '>');
        let name = tag[start..].find(ends).unwrap_or(0);
        name_end += start + name;
    }
    while xml.next(level)?.is_some() {}
    let before = text.get(from..name_end).unwrap_or_default();
    let after = text.get(name_end..xml.position()).unwrap_or_default();
    // The last end tag belongs to the element around the content, and is cut off.
    let after = after.rsplit_once("</").map_or("", |(after, _)| after);
    Ok([before, declarations, after].concat())
}

/// Returns the namespace declarations of the elements around a part, except for that of the package's namespace and for
/// those with a quotation mark.
fn declarations(around: [&Element<'_>; 3]) -> String {
    let mut declarations = String::new();
    for (name, value) in around.iter().flat_map(|element| element.declarations()) {
        if value != NAMESPACE && !value.contains('"') {
            let _ = write!(declarations, " {name}=\"{value}\"");
        }
    }
    declarations
}
