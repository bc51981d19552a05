//! Pages that a browser or Word saved with all their files as one mail (MHTML, RFC 2557). The result is that page
//! alone, since such a mail has neither a sender nor attachments.

use super::{
    html::{escape, inlined},
    message::Message,
};
use crate::job::Notes;

/// Returns the saved page, with its pictures, style sheets and frames embedded. `None` if the mail has no HTML part;
/// such a mail is an ordinary mail.
pub(super) fn page(message: &mut Message, notes: &mut Notes) -> Option<String> {
    let html = message.html.take().filter(|html| !html.trim().is_empty())?;
    let html = inlined(&html, &message.location, &mut message.attachments, notes);
    // The remaining parts also belong to the page, such as a list of its files. They are not attachments.
    message.attachments.clear();
    for remark in message.remarks.drain(..) {
        notes.add(remark);
    }
    // The beginning of the page is cut as bytes, since the limit may fall within a character.
    let head = &html.as_bytes()[..html.len().min(1 << 14)];
    let has_title = memchr::memmem::find(head, b"<title").is_some();
    let subject = message.subject.trim();
    if has_title || subject.is_empty() {
        return Some(html);
    }
    let mut title = String::from("<title>");
    escape(subject, &mut title);
    title.push_str("</title>");
    // The subject is the title of the page. It is added where it cannot break the page: after `<head>`, or before a
    // fragment without `<html>`.
    Some(match html.find("<head>") {
        Some(at) => format!("{}{title}{}", &html[..at + 6], &html[at + 6..]),
        None if html.contains("<html") => html,
        None => title + &html,
    })
}
