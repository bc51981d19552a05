//! HTML that the pages of mails share, and the files of a mail that its HTML refers to. Fetches nothing.

use super::message::Attachment;
use crate::job::{Notes, Tag};
use convertd_markup::html::{Parts, Related, inline_related};

/// Appends escaped text of a mail. Control characters become spaces.
pub(super) fn escape(text: &str, page: &mut String) {
    convertd_markup::html::text(&text.replace(char::is_control, " "), page);
}

/// Writes the body of an HTML page as a `<div>`, with the attributes of its `<body>`.
pub(super) fn division(parts: &Parts<'_>, page: &mut String) {
    page.push_str("<div");
    page.push_str(parts.attributes);
    page.push('>');
    page.push_str(parts.body);
    page.push_str("</div>");
}

/// Embeds the pictures, style sheets and frames of the mail into its HTML, which is at the address `location`, and
/// notes the files that are missing.
pub(super) fn inlined(
    html: &str,
    location: &str,
    attachments: &mut [Attachment],
    notes: &mut Notes,
) -> String {
    let (html, not_embedded) = inline_related(html, location, attachments);
    if not_embedded.remote > 0 {
        let single = "A file on another host that the mail refers to was not loaded.";
        let text = match not_embedded.remote {
            1 => single.to_owned(),
            many => format!("{many} files on other hosts that the mail refers to were not loaded."),
        };
        notes.add_tagged(Tag::Resource, text);
    }
    if not_embedded.too_much > 0 {
        notes.add("The mail has more pictures than can be shown, so some are missing.");
    }
    html
}

impl Related for Attachment {
    fn content_id(&self) -> Option<&str> {
        self.content_id.as_deref()
    }

    fn location(&self) -> Option<&str> {
        self.location.as_deref()
    }

    fn media_type(&self) -> &str {
        &self.media_type
    }

    fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    fn show(&mut self) {
        self.is_shown = true;
    }
}
