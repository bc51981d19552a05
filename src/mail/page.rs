//! Writes mails as one HTML page: the header fields, the body with its own pictures, and the names of the attachments.
//! Other packages convert the page to the target. Fetches nothing.

use super::{
    message::{Attachment, Message},
    saved,
};
use crate::job::{Notes, Tag};
use convertd_markup::html::{Named, Names, Parts};
use std::{fmt::Write, sync::Arc};

/// HTML page of one mail, or of many with a heading each. It grows with each mail.
#[derive(Default)]
pub(super) struct Pages {
    page: String,
}

impl Pages {
    /// Returns whether no mail was added yet.
    pub(super) fn is_empty(&self) -> bool {
        self.page.is_empty()
    }

    /// Length of the page so far, in bytes.
    pub(super) fn len(&self) -> usize {
        self.page.len()
    }

    /// Closes the page, and returns it.
    pub(super) fn finish(mut self) -> String {
        self.page.push_str("</body></html>");
        self.page
    }

    /// Adds a mail, with a heading if it belongs to a mailbox (`is_box`). Returns the attachments of the mail.
    pub(super) fn add(
        &mut self,
        mut message: Message,
        is_box: bool,
        notes: &mut Notes,
    ) -> Vec<Attachment> {
        let page = &mut self.page;
        // A page that a browser saved as a mail is returned as that page, without a table of header fields.
        if message.is_page
            && !is_box
            && page.is_empty()
            && let Some(html) = saved::page(&mut message, notes)
        {
            page.push_str(&html);
            return message.attachments;
        }
        if page.is_empty() {
            page.push_str("<!DOCTYPE html><html><head><meta charset=\"utf-8\">");
            if !is_box {
                about(&message, page);
            }
            page.push_str("</head><body>");
        }
        if is_box {
            heading("h1", &message, page);
        }
        letter(&mut message, page, notes);
        for remark in message.remarks.drain(..) {
            if !notes.0.contains(&remark) {
                notes.add(remark);
            }
        }
        message.attachments
    }
}

/// Writes a heading with the subject of a mail.
fn heading(tag: &str, message: &Message, page: &mut String) {
    let subject = match message.subject.trim() {
        "" => "(no subject)",
        subject => subject,
    };
    page.extend(["<", tag, ">"]);
    escape(subject, page);
    page.extend(["</", tag, ">"]);
}

/// Writes the head and the body of a mail, and then the mails of a digest, each with a heading. The attachments of the
/// inner mails are added to those of `message`.
fn letter(message: &mut Message, page: &mut String, notes: &mut Notes) {
    // The body is rendered first, since it marks the pictures that it shows. Those are not listed as attachments.
    let mut shown = String::new();
    body(message, &mut shown, notes);
    head(message, page);
    message.shown.iter().for_each(|part| page.push_str(part));
    page.push_str(&shown);
    for mut inner in std::mem::take(&mut message.inner) {
        page.push_str("<hr>");
        heading("h2", &inner, page);
        letter(&mut inner, page, notes);
        message.attachments.extend(inner.attachments);
    }
}

/// Writes title, author and date as metadata for the converters of pages.
fn about(message: &Message, page: &mut String) {
    page.push_str("<title>");
    escape(message.subject.trim(), page);
    page.push_str("</title>");
    let mut meta = |name: &str, value: &str| {
        if !value.is_empty() {
            // Writing to a string cannot fail.
            let _ = write!(page, "<meta name=\"{name}\" content=\"");
            escape(value, page);
            page.push_str("\">");
        }
    };
    meta("author", &message.from);
    meta(
        "dcterms.date",
        message.moment.as_deref().unwrap_or_default(),
    );
}

/// Writes the header fields of the mail, one a line, and the names and sizes of its attachments.
fn head(message: &Message, page: &mut String) {
    let files = message
        .listed()
        .map(|file| format!("{} ({})", file.name, size(file.bytes.len())));
    let files = files.collect::<Vec<_>>().join(", ");
    let lines = [
        ("From", &message.from),
        ("To", &message.to),
        ("Cc", &message.cc),
        ("Bcc", &message.bcc),
        ("Date", &message.date),
        ("Subject", &message.subject),
        ("Attachments", &files),
    ];
    let given: Vec<_> = lines
        .iter()
        .filter(|(_, value)| !value.trim().is_empty())
        .collect();
    if given.is_empty() {
        return;
    }
    page.push_str("<p>");
    for (nth, (name, value)) in given.into_iter().enumerate() {
        if nth > 0 {
            page.push_str("<br>");
        }
        let _ = write!(page, "<b>{name}:</b> ");
        escape(value, page);
    }
    page.push_str("</p><hr>");
}

/// Writes the HTML body of a mail, or its plain text if it has no HTML.
fn body(message: &mut Message, page: &mut String, notes: &mut Notes) {
    let html = message.html.take().filter(|html| !html.trim().is_empty());
    let Some(html) = html else {
        text(message.text.as_deref().unwrap_or_default(), page);
        return;
    };
    content(&inlined(&html, &mut message.attachments, notes), page);
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
    let mut own = Own {
        files: attachments,
        pictures: Vec::new(),
    };
    let (html, told) = convertd_markup::html::inline(html, &mut own, most);
    if told.remote > 0 {
        let one = "A file on another host that the mail refers to was not loaded.";
        let text = match told.remote {
            1 => one.to_owned(),
            many => format!("{many} files on other hosts that the mail refers to were not loaded."),
        };
        notes.add_tagged(Tag::Resource, text);
    }
    if told.too_much > 0 {
        notes.add("The mail has more pictures than can be shown, so some are missing.");
    }
    html
}

/// Writes the style sheets and the body of an HTML page as a `<div>` of the page.
fn content(html: &str, page: &mut String) {
    let parts = Parts::of(html);
    parts.styles.iter().for_each(|style| page.push_str(style));
    division(&parts, page);
}

/// Writes the body of an HTML page as a `<div>`, with the attributes of its `<body>`.
pub(super) fn division(parts: &Parts<'_>, page: &mut String) {
    page.push_str("<div");
    page.push_str(parts.attributes);
    page.push('>');
    page.push_str(parts.body);
    page.push_str("</div>");
}

/// Writes plain text: an empty line separates paragraphs, line breaks are kept, and web addresses become links.
fn text(text: &str, page: &mut String) {
    let normal = text.replace("\r\n", "\n");
    let mut is_open = false;
    for line in normal.split('\n') {
        if line.trim().is_empty() {
            if is_open {
                page.push_str("</p>");
            }
            is_open = false;
            continue;
        }
        page.push_str(if is_open { "<br>" } else { "<p>" });
        is_open = true;
        linked(line.trim_end(), page);
    }
    if is_open {
        page.push_str("</p>");
    }
}

/// Writes a line of plain text. Runs of spaces, which HTML would collapse, get no-break spaces; web addresses become
/// links.
fn linked(line: &str, page: &mut String) {
    let spaced = line
        .replace("  ", "\u{a0} ")
        .replace('\t', "\u{a0}\u{a0}\u{a0} ");
    let spaced = match spaced.strip_prefix(' ') {
        Some(rest) => format!("\u{a0}{rest}"),
        None => spaced,
    };
    let mut rest = spaced.as_str();
    while let Some(at) = ["https://", "http://"]
        .iter()
        .filter_map(|scheme| rest.find(scheme))
        .min()
    {
        escape(&rest[..at], page);
        let address = &rest[at..];
        let end = address
            .find(|c: char| c.is_whitespace() || "<>\"'".contains(c))
            .unwrap_or(address.len());
        // Punctuation at the end belongs to the sentence, and not to the address.
        let address = address[..end].trim_end_matches(['.', ',', ')', ';', ':', '!', '?']);
        page.push_str("<a href=\"");
        escape(address, page);
        page.push_str("\">");
        escape(address, page);
        page.push_str("</a>");
        rest = &rest[at + address.len()..];
    }
    escape(rest, page);
}

/// Appends escaped text of a mail. Control characters become spaces.
pub(super) fn escape(text: &str, page: &mut String) {
    convertd_markup::html::text(&text.replace(char::is_control, " "), page);
}

/// Formats a size for people, in B, KiB or MiB.
fn size(bytes: usize) -> String {
    match bytes {
        0..1024 => format!("{bytes} B"),
        1024..0x10_0000 => format!("{:.2} KiB", bytes as f64 / 1024.0),
        _ => format!("{:.2} MiB", bytes as f64 / f64::from(1 << 20)),
    }
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
struct Own<'m> {
    files: &'m mut [Attachment],
    /// Pictures found so far with their index, so that each is copied once even if it is used often.
    pictures: Vec<(usize, Arc<[u8]>)>,
}

impl Names for Own<'_> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mail_is_a_page() {
        let mut notes = Notes::default();
        let picture = Attachment {
            name: "i.png".into(),
            media_type: "image/png".into(),
            content_id: Some("i".into()),
            bytes: b"x".to_vec(),
            ..Attachment::default()
        };
        let message = Message {
            from: "A <a@x>".into(),
            subject: "s & t".into(),
            html: Some("<html><head><style>p{}</style></head><body class=x><p><img src=\"cid:i\"><img src=http://a/b></body></html>".into()),
            attachments: vec![picture],
            ..Message::default()
        };
        let mut pages = Pages::default();
        pages.add(message, false, &mut notes);
        let page = pages.finish();
        assert!(
            page.contains("<b>From:</b> A &lt;a@x&gt;<br><b>Subject:</b> s &amp; t</p>"),
            "{page}"
        );
        assert!(
            page.contains(
                "<style>p{}</style><div class=x><p><img src=\"data:image/png;base64,eA==\">"
            ),
            "{page}"
        );
        assert_eq!(notes.0.len(), 1);
    }

    #[test]
    fn text_keeps_its_lines() {
        let mut page = String::new();
        text("a\n  b <https://x.y/z>.\n\nc", &mut page);
        assert_eq!(
            page,
            "<p>a<br>\u{a0} b &lt;<a href=\"https://x.y/z\">https://x.y/z</a>&gt;.</p><p>c</p>"
        );
    }
}
