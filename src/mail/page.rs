//! Writes mails as one HTML page: the header fields, the body with its own pictures, and the names of the attachments.
//! Other packages convert the page to the target. Fetches nothing.

use super::{
    html::{division, escape, inlined},
    message::{Attachment, Message},
    saved,
};
use crate::job::Notes;
use convertd_markup::html::Parts;
use std::fmt::Write;

/// HTML page of one mail, or of many mails, each with a heading. It grows with each mail.
#[derive(Default)]
pub(super) struct Pages {
    page: String,
}

impl Pages {
    /// Returns whether no mail was added yet.
    pub(super) fn is_empty(&self) -> bool {
        self.page.is_empty()
    }

    /// Returns the length of the page so far, in bytes.
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
        // The head of the page precedes the first mail.
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
        // Remarks are noted once for all mails of a mailbox.
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
    // The body is rendered first, since rendering marks the pictures that it shows. Marked pictures are not listed as
    // attachments.
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

/// Writes the header fields of the mail, one on each line, and the names and sizes of its attachments.
fn head(message: &Message, page: &mut String) {
    // Names and sizes of the attachments.
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
    // Only header fields with a value are shown.
    let shown_lines: Vec<_> = lines
        .iter()
        .filter(|(_, value)| !value.trim().is_empty())
        .collect();
    if shown_lines.is_empty() {
        return;
    }
    page.push_str("<p>");
    for (nth, (name, value)) in shown_lines.into_iter().enumerate() {
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
    let html = inlined(&html, &message.location, &mut message.attachments, notes);
    content(&html, page);
}

/// Writes the style sheets and the body of an HTML page as a `<div>` of the page.
fn content(html: &str, page: &mut String) {
    let parts = Parts::of(html);
    parts.styles.iter().for_each(|style| page.push_str(style));
    division(&parts, page);
}

/// Writes plain text: an empty line separates paragraphs, line breaks stay, and web addresses become links.
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
    // HTML collapses spaces and tabs.
    let spaced = line
        .replace("  ", "\u{a0} ")
        .replace('\t', "\u{a0}\u{a0}\u{a0} ");
    let spaced = match spaced.strip_prefix(' ') {
        Some(rest) => format!("\u{a0}{rest}"),
        None => spaced,
    };
    let mut rest = spaced.as_str();
    // The next address begins with either scheme.
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

/// Formats a size for people, in B, KiB or MiB.
fn size(bytes: usize) -> String {
    match bytes {
        0..1024 => format!("{bytes} B"),
        1024..0x10_0000 => format!("{:.2} KiB", bytes as f64 / 1024.0),
        _ => format!("{:.2} MiB", bytes as f64 / f64::from(1 << 20)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{job::testing::with_job, mime};

    #[test]
    fn a_mail_becomes_a_page() {
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

    #[track_caller]
    fn check_saved(head: &str, expected: &str) {
        let mail = format!(
            "{head}MIME-Version: 1.0\nContent-Type: multipart/related; boundary=a\n\n--a\nContent-Type: text/html\nContent-ID: <p>\nContent-Location: http://x/\n\n\
             <html><head></head><body><p>x<img src=\"http://x/i.png\"><iframe src=\"cid:f\"></iframe></body></html>\n--a\nContent-Type: image/png\nContent-Location: http://x/i.png\n\ny\n\
             --a\nContent-Type: text/html\nContent-ID: <f>\n\n<html><body>frame</body></html>\n--a--\n"
        );
        let message = with_job(|job| mime::read(job, mail.as_bytes()).unwrap());
        let mut pages = Pages::default();
        let attached = pages.add(message, false, &mut Notes::default());
        let page = pages.finish();
        assert!(page.contains(expected), "{page}");
        assert_eq!(page.contains("<b>Subject"), !attached.is_empty(), "{page}");
    }

    #[test]
    fn saved_web_pages_are_recognised() {
        let page = "<html><head><title>T</title></head><body><p>x<img src=\"data:image/png;base64,eQ==\"><div>frame</div></body></html>";
        check_saved(
            "From: <Saved by Blink>\nSnapshot-Content-Location: http://x/\nSubject: T\n",
            page,
        );
        check_saved(
            "From: \"Saved by Windows Internet Explorer 8\"\nSubject: T\n",
            page,
        );
        check_saved("Subject: T\n", page);
        // A letter with a picture, which is not a saved page.
        check_saved(
            "From: ann@example.org\nSubject: T\n",
            "<b>From:</b> ann@example.org<br>",
        );
    }
}
