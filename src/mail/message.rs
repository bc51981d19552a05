//! The common model of a mail, filled by all readers. Does not depend on a format, and writes nothing.

/// Memory that a mail needs, in bytes per byte of input: the file, its parts, the HTML page, and the page's own reader.
pub(super) const MEMORY_PER_BYTE: u64 = 8;

/// A mail.
#[derive(Debug, Default)]
pub(crate) struct Message {
    // Header fields, decoded, as a mail program shows them. A missing field is empty.
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) cc: String,
    pub(crate) bcc: String,
    /// The date as the mail states it.
    pub(crate) date: String,
    /// The same date as RFC 3339 in UTC, if it could be parsed.
    pub(crate) moment: Option<String>,
    pub(crate) subject: String,
    /// The body as HTML; `None` if the mail has none.
    pub(crate) html: Option<String>,
    /// The body as plain text; `None` if the mail has none.
    pub(crate) text: Option<String>,
    /// Address of the HTML body (`Content-Location`). Empty if the mail does not state it.
    pub(crate) location: String,
    /// Invitations and reports, each as HTML.
    pub(crate) shown: Vec<String>,
    /// Mails of a digest.
    pub(crate) inner: Vec<Message>,
    /// Whether the mail is an HTML page that a browser or Word saved together with its files.
    pub(crate) is_page: bool,
    pub(crate) attachments: Vec<Attachment>,
    /// Losses, each as a sentence for the user.
    pub(crate) remarks: Vec<String>,
}

/// A file in a mail, or a picture of its body.
#[derive(Debug, Default)]
pub(crate) struct Attachment {
    pub(crate) name: String,
    pub(crate) media_type: String,
    /// Identifier by which the body refers to the file (`Content-ID`), without angle brackets.
    pub(crate) content_id: Option<String>,
    /// Address by which the body refers to the file (`Content-Location`).
    pub(crate) location: Option<String>,
    pub(crate) bytes: Vec<u8>,
    /// Whether the body shows this file. If so, the file is not listed as an attachment.
    pub(crate) is_shown: bool,
}

impl Message {
    /// Adds a loss, unless the list contains it already.
    pub(crate) fn remark(&mut self, text: &str) {
        if !self.remarks.iter().any(|known| known == text) {
            self.remarks.push(text.to_owned());
        }
    }

    /// Adds HTML to [`Self::shown`], unless the list contains it already: many mails have the same calendar twice.
    pub(super) fn show(&mut self, part: String) {
        if !part.is_empty() && !self.shown.contains(&part) {
            self.shown.push(part);
        }
    }

    /// Returns all attachments of the mail and of the mails of a digest.
    pub(super) fn into_attachments(self) -> Vec<Attachment> {
        let mut all = self.attachments;
        for inner in self.inner {
            all.extend(inner.into_attachments());
        }
        all
    }

    /// Returns the attachments that the body does not show.
    pub(crate) fn listed(&self) -> impl Iterator<Item = &Attachment> {
        self.attachments
            .iter()
            .filter(|attachment| !attachment.is_shown)
    }
}

/// Returns the last component of a path as a safe file name: without control characters, and at most 200 characters
/// long. A mail must not choose the folder. An empty name, `.` and `..` become `attachment`.
pub(super) fn plain_name(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let name: String = last.chars().filter(|c| !c.is_control()).take(200).collect();
    match name.trim() {
        "" | "." | ".." => "attachment".to_owned(),
        name => name.to_owned(),
    }
}
