//! The one model of a mail, whatever file it came from. Knows no format, and writes nothing.

/// A mail.
#[derive(Debug, Default)]
pub(crate) struct Message {
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) cc: String,
    pub(crate) bcc: String,
    /// As a reader shows it, and as RFC 3339 in UTC if it could be understood.
    pub(crate) date: String,
    pub(crate) moment: Option<String>,
    pub(crate) subject: String,
    /// The body as a page and as text; either may be missing.
    pub(crate) html: Option<String>,
    pub(crate) text: Option<String>,
    /// Invitations and reports, each as a part of a page.
    pub(crate) shown: Vec<String>,
    /// The mails of a digest.
    pub(crate) inner: Vec<Message>,
    /// It is a page that a browser or Word saved with its files, and no letter.
    pub(crate) is_page: bool,
    pub(crate) attachments: Vec<Attachment>,
    /// Sentences about what could not be kept.
    pub(crate) remarks: Vec<String>,
}

/// A file in a mail, or a picture of its body.
#[derive(Debug, Default)]
pub(crate) struct Attachment {
    pub(crate) name: String,
    pub(crate) media_type: String,
    /// `Content-ID` by which the body refers to it, without angle brackets.
    pub(crate) content_id: Option<String>,
    pub(crate) location: Option<String>,
    pub(crate) bytes: Vec<u8>,
    /// Whether the body has shown it, so that it is not listed.
    pub(crate) is_shown: bool,
}

impl Message {
    /// Adds a sentence once.
    pub(crate) fn remark(&mut self, text: &str) {
        if !self.remarks.iter().any(|known| known == text) {
            self.remarks.push(text.to_owned());
        }
    }

    /// Adds a part of the page once.
    pub(super) fn show(&mut self, part: String) {
        if !part.is_empty() && !self.shown.contains(&part) {
            self.shown.push(part);
        }
    }

    /// Everything that is attached to it, and to the mails of a digest.
    pub(super) fn into_attachments(self) -> Vec<Attachment> {
        let mut all = self.attachments;
        for inner in self.inner {
            all.extend(inner.into_attachments());
        }
        all
    }

    /// The attachments that the body does not show.
    pub(crate) fn listed(&self) -> impl Iterator<Item = &Attachment> {
        self.attachments
            .iter()
            .filter(|attachment| !attachment.is_shown)
    }
}

/// The last component of a name, without control characters.
pub(super) fn plain_name(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let name: String = last.chars().filter(|c| !c.is_control()).take(200).collect();
    match name.trim() {
        "" | "." | ".." => "attachment".to_owned(),
        name => name.to_owned(),
    }
}
