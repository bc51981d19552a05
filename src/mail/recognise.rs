//! Recognises mails among other texts. Only the beginning of a file counts, since a text about mails may quote a
//! mail.

use crate::containers::mime::Head;

/// Length of the beginning of a file that is searched, in bytes. The fields that identify a mail may come after a long
/// list of `Received` fields.
pub(super) const HEAD: usize = 8 << 10;

/// Header fields that real mails have, in lower case.
const KNOWN_FIELDS: [&str; 16] = [
    "from",
    "to",
    "subject",
    "date",
    "message-id",
    "received",
    "return-path",
    "mime-version",
    "content-type",
    "delivered-to",
    "cc",
    "reply-to",
    "x-mailer",
    "dkim-signature",
    "sender",
    "content-transfer-encoding",
];
/// Extensions of text files that may begin like a mail without being a mail.
const TEXTS: [&str; 12] = [
    "txt", "md", "csv", "tsv", "json", "yaml", "yml", "toml", "xml", "html", "log", "rtf",
];

/// Returns whether a file begins like a mail: with three known fields, or with one known field if the file has the
/// extension of a mail. A file with an extension of [`TEXTS`] is not a mail.
pub(super) fn is_mail(head: &[u8], extension: Option<&str>) -> bool {
    let fields = known_fields(head);
    match extension {
        Some("eml" | "mht" | "mhtml") => fields >= 1,
        Some(other) if TEXTS.contains(&other) => false,
        Some(_) | None => fields >= 3,
    }
}

/// Returns whether a file begins like a mailbox: with `From `, and a known field in the head after it, unless the
/// extension is `mbox`. A file with an extension of [`TEXTS`] is not a mailbox.
pub(super) fn is_box(head: &[u8], extension: Option<&str>) -> bool {
    let is_text = extension.is_some_and(|name| TEXTS.contains(&name));
    let is_called = extension == Some("mbox");
    head.starts_with(b"From ") && !is_text && (is_called || known_fields(head) >= 1)
}

/// Returns the number of different known fields in the head.
fn known_fields(head: &[u8]) -> usize {
    let (fields, _) = Head::split(head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head));
    KNOWN_FIELDS
        .iter()
        .filter(|name| fields.raw(name).is_some())
        .count()
}
