//! Tells mails from other texts. A text about a mail is not a mail: only the beginning of a file counts.

use super::header::Head;

/// Length of the beginning of a file that is searched, in bytes: the fields that tell a mail may come late.
pub(super) const HEAD: usize = 8 << 10;

/// Fields of which a mail has several.
const KNOWN: [&str; 16] = [
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
/// Extensions of texts that may begin like a mail without being one.
const TEXTS: [&str; 11] = [
    "txt", "md", "csv", "tsv", "json", "yaml", "yml", "toml", "html", "log", "rtf",
];

/// Returns whether this is the beginning of a mail.
pub(super) fn is_mail(head: &[u8], extension: Option<&str>) -> bool {
    let fields = known_fields(head);
    match extension {
        Some("eml" | "mht" | "mhtml") => fields >= 1,
        Some(other) if TEXTS.contains(&other) => false,
        Some(_) | None => fields >= 3,
    }
}

/// Returns whether this is the beginning of a mailbox.
pub(super) fn is_box(head: &[u8], extension: Option<&str>) -> bool {
    let is_text = extension.is_some_and(|name| TEXTS.contains(&name));
    let is_called = extension == Some("mbox");
    head.starts_with(b"From ") && !is_text && (is_called || known_fields(head) >= 1)
}

fn known_fields(head: &[u8]) -> usize {
    let (fields, _) = Head::split(head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head));
    KNOWN
        .iter()
        .filter(|name| fields.raw(name).is_some())
        .count()
}
