//! HTML that the pages of mails share, and the files of a mail that its HTML refers to. Fetches nothing.

use super::message::Attachment;
use crate::job::{Notes, Tag};
use convertd_markup::html::{Named, Names, Parts};
use std::sync::Arc;

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

/// Embeds the pictures and style sheets of the mail into its HTML as `data:` addresses, and notes the files that are
/// missing.
pub(super) fn inlined(html: &str, attachments: &mut [Attachment], notes: &mut Notes) -> String {
    // Limit on the embedded bytes. Base64 needs 4/3 of a file's size, and a picture is often used twice (factor 3
    // covers both, rounded up). 64 KiB are added for short texts.
    let most = attachments
        .iter()
        .map(|file| file.bytes.len())
        .sum::<usize>()
        * 3
        + (1 << 16);
    let mut own = OwnAttachments {
        files: attachments,
        pictures: Vec::new(),
    };
    let (html, not_embedded) = convertd_markup::html::inline(html, &mut own, most);
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

/// Index of the attachment that an address refers to: `cid:` with a content identifier (RFC 2392), or its
/// `Content-Location`.
pub(super) fn named(files: &[Attachment], address: &str) -> Option<usize> {
    let lower = address.get(..4).map(str::to_ascii_lowercase);
    let id = match lower.as_deref() {
        Some("cid:") => Some(convertd_markup::html::percent_decoded(&address[4..])),
        _ => None,
    };
    files.iter().position(|file| match &id {
        Some(id) => file.content_id.as_deref() == Some(id),
        None => file.location.as_deref() == Some(address),
    })
}

/// Attachments that the body of a mail may refer to: only the mail's own.
struct OwnAttachments<'m> {
    files: &'m mut [Attachment],
    /// Pictures found so far with their index, so that each is copied once even if it is used often.
    pictures: Vec<(usize, Arc<[u8]>)>,
}

impl Names for OwnAttachments<'_> {
    fn find(&mut self, address: &str) -> Option<Named> {
        let nth = named(self.files, address)?;
        let file = &mut self.files[nth];
        file.is_shown = true;
        let known = self.pictures.iter().find(|(known, _)| *known == nth);
        let bytes = match known {
            Some((_, bytes)) => bytes.clone(),
            None => {
                let bytes: Arc<[u8]> = file.bytes.as_slice().into();
                self.pictures.push((nth, bytes.clone()));
                bytes
            }
        };
        // The media type comes from the mail, and is written into an attribute.
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "/+.-".contains(c);
        Some(Named {
            media_type: file.media_type.chars().filter(|c| is_plain(*c)).collect(),
            bytes,
        })
    }
}
