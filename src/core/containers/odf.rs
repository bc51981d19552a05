//! Packages of OpenDocument (OASIS OpenDocument 1.3, part 2), and the flat form in a single XML file.

use super::xml::Element;
use super::{
    xml::{self, Namespaces, Reader, decode_owned},
    zip::Archive,
};
use crate::{
    error::Result,
    job::{Input, Job, read_head},
};

/// Bytes at the beginning of a flat file that are searched for the media type. The root element declares some forty
/// namespaces before it states the type.
const HEAD_LEN: usize = 16 << 10;

/// Returns whether a file is a flat document of this media type, in any encoding that contains ASCII. `head` is its
/// beginning.
pub fn is_flat(head: &[u8], input: &mut dyn Input, media_type: &str) -> bool {
    if !xml::begins(head) {
        return false;
    }
    let head = read_head(input, HEAD_LEN).unwrap_or_default();
    let has = |what: &[u8]| memchr::memmem::find(&head, what).is_some();
    has(b"<office:document")
        && ['"', '\'']
            .iter()
            .any(|quote| has(format!("{quote}{media_type}{quote}").as_bytes()))
}

/// Calls `style` for each font and style that `text`, a part of a package, declares outside of master styles
/// (OpenDocument 1.3, part 3, 3.14 and 3.15), in their order. The flag that `style` gets says whether the style is
/// automatic, i.e. belongs to this part of the package alone.
///
/// Errors: those of the XML, and those of `style`.
pub fn each_style(
    job: &Job<'_>,
    text: &str,
    namespaces: Namespaces,
    mut style: impl FnMut(&mut Reader<'_>, &Element<'_>, bool) -> Result<()>,
) -> Result<()> {
    let mut xml = Reader::new(job, text, namespaces);
    xml.root()?;
    while let Some(group) = xml.next_element(1)? {
        let is_automatic = match (group.space, group.name) {
            ("office", "font-face-decls" | "styles") => false,
            ("office", "automatic-styles") => true,
            _ => continue,
        };
        while let Some(element) = xml.next_element(2)? {
            style(&mut xml, &element, is_automatic)?;
        }
    }
    Ok(())
}

/// An open package.
pub struct Package<'a> {
    archive: Archive<'a>,
}

impl<'a> Package<'a> {
    /// Opens the package.
    ///
    /// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) if the file is not an archive.
    pub fn open(job: &'a Job<'a>, input: &'a mut dyn Input) -> Result<Self> {
        let archive = Archive::open(job, input)?;
        Ok(Self { archive })
    }

    /// The size of a part in bytes, or `None` if it does not exist.
    pub fn size(&self, name: &str) -> Option<u64> {
        Some(self.archive.entry(name)?.size)
    }

    /// The bytes of a part. The caller leases the memory.
    pub fn bytes(&mut self, name: &str) -> Result<Vec<u8>> {
        self.archive.read(name)
    }

    /// The text of a part. The caller leases the memory.
    pub fn text(&mut self, name: &str) -> Result<String> {
        Ok(decode_owned(self.bytes(name)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flat_documents_are_distinguished_from_other_xml() {
        #[track_caller]
        fn check(head: &str, expected: bool) {
            let text = "application/vnd.oasis.opendocument.text";
            let mut input = std::io::Cursor::new(head.as_bytes());
            let found = is_flat(head.as_bytes(), &mut input, text);
            assert_eq!(found, expected, "{head}");
        }
        let kind = |kind: &str| {
            format!(
                "<?xml version=\"1.0\"?>\n<office:document xmlns:office=\"urn:o\" office:mimetype=\"application/vnd.oasis.opendocument.{kind}\">"
            )
        };
        check(&kind("text"), true);
        check(&format!("\u{feff}{}", kind("text")), true);
        check(&kind("spreadsheet"), false);
        check(&kind("text")[1..], false);
        check("<html>", false);
        check("", false);
    }
}
