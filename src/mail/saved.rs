//! Pages that a browser or Word saved with all their files as one mail (MHTML, RFC 2557). The result is that page
//! alone, since such a mail has neither a sender nor attachments.

use super::{
    html::{division, escape, inlined},
    message::Message,
};
use crate::job::Notes;
use convertd_markup::html::{Addresses, Parts};

/// Maximum number of frames whose content is embedded.
const MAX_FRAMES: usize = 64;

/// Returns the saved page, with its pictures, style sheets and frames embedded. `None` if the mail has no HTML part;
/// such a mail is an ordinary mail.
pub(super) fn page(message: &mut Message, notes: &mut Notes) -> Option<String> {
    let html = message.html.take().filter(|html| !html.trim().is_empty())?;
    let html = framed(&html, message);
    let html = inlined(&html, &mut message.attachments, notes);
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

/// Replaces each frame whose page is in the mail by the content of that page.
fn framed(html: &str, message: &Message) -> String {
    let mut out = String::with_capacity(html.len());
    let mut rest = html;
    let lower = html.to_ascii_lowercase();
    let addresses = Addresses::of(&message.attachments);
    for _ in 0..MAX_FRAMES {
        let from = html.len() - rest.len();
        let Some(at) = lower[from..].find("<iframe").map(|at| from + at) else {
            break;
        };
        let Some(end) = lower[at..].find('>').map(|end| at + end + 1) else {
            break;
        };
        out.push_str(&html[from..at]);
        let tag = &html[at..end];
        let frame = source(tag).and_then(|address| frame(message, addresses.find(address)?));
        // 9 is the length of `</iframe>`.
        let close = lower[end..].find("</iframe>").map(|close| end + close + 9);
        match (frame, close) {
            (Some(frame), Some(close)) => {
                division(&Parts::of(&frame), &mut out);
                rest = &html[close..];
            }
            _ => {
                out.push_str(tag);
                rest = &html[end..];
            }
        }
    }
    out.push_str(rest);
    out
}

/// Value of the attribute `src` in a tag.
fn source(tag: &str) -> Option<&str> {
    let at = tag.find(" src=").map(|at| at + 5)?;
    let value = &tag[at..];
    let end = match value.chars().next()? {
        quote @ ('"' | '\'') => return value[1..].split(quote).next(),
        _ => value.find([' ', '>']).unwrap_or(value.len()),
    };
    Some(&value[..end])
}

/// HTML of the frame in an attachment. `None` if the attachment is not a page.
fn frame(message: &Message, nth: usize) -> Option<String> {
    let file = &message.attachments[nth];
    (file.media_type == "text/html").then(|| String::from_utf8_lossy(&file.bytes).into_owned())
}
