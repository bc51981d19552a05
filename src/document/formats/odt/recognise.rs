//! Recognises flat OpenDocument texts among XML files. Reads no document.

/// Whether the root element is that of a flat text document. `head` is the beginning of the file, in any encoding that
/// contains ASCII.
pub(super) fn is_flat(head: &[u8]) -> bool {
    let has = |what: &[u8]| memchr::memmem::find(head, what).is_some();
    let head_begins = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    head_begins.trim_ascii_start().starts_with(b"<")
        && has(b"<office:document")
        && has(super::MEDIA_TYPE.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flat_documents_are_told_from_other_xml() {
        #[track_caller]
        fn check(head: &str, expected: bool) {
            assert_eq!(is_flat(head.as_bytes()), expected, "{head}");
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
