//! Detects the format of a file by its content. If the content is ambiguous, the name or the declared type decides.
//! Reads no more than necessary.

use crate::{
    api::{compat::item::Item, file_name},
    error::{Reason, Result},
    format::{self, Format},
    http::Head,
    registry,
};
use std::io::BufReader;

/// Length of the beginning of a text that is searched for HTML tags, in bytes.
const HEAD: u64 = 4096;

/// A file of known type.
pub(super) struct File {
    /// The file, under a name whose extension matches its format.
    pub(super) item: Item,
    /// The name that the client sent.
    pub(super) name: Option<String>,
    pub(super) format: &'static Format,
    pub(super) media_type: &'static str,
    /// Password that opens the file, if it is encrypted.
    pub(super) password: Option<String>,
}

/// Detects the format of a file. An ambiguous content is tried as the format of the name's extension, then as the
/// declared type, then as HTML if it looks like HTML, and finally as plain text.
///
/// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) for unsupported or encrypted files.
pub(super) fn detect(item: &Item, head: &Head) -> Result<File> {
    let mut item = item.clone();
    let name =
        Some(item.name.clone()).filter(|name| !name.is_empty() && name != file_name::NAMELESS);
    let extension = name.as_deref().and_then(format::extension);
    let sent = || head.field("content-type").and_then(of_type);
    let found = identify(&item, extension.as_deref())
        .or_else(|error| sent().map_or(Err(error), |name| identify(&item, Some(name))))
        // A text without a useful name is an HTML page or plain text.
        .or_else(|error| match is_page(&item) {
            true => identify(&item, Some("html")),
            false => Err(error),
        })
        .or_else(|error| identify(&item, Some("txt")).map_err(|_| error));
    let format = found.map_err(|error| match error.reason() {
        Some(Reason::UnknownFormat) => error.within("no parser"),
        _ => error,
    })?;
    if name
        .as_deref()
        .and_then(format::extension)
        .is_none_or(|extension| !format.is_called(&extension))
    {
        item.name = format!("file.{}", format.name);
    }
    Ok(File {
        item,
        name,
        format,
        media_type: format.media_type,
        password: head.field("password").map(str::to_owned),
    })
}

/// Returns whether a file begins like an HTML page.
fn is_page(item: &Item) -> bool {
    let head = item
        .part(String::new(), 0..item.len().min(HEAD))
        .bytes(HEAD);
    begins_a_page(&head.unwrap_or_default())
}

/// Returns whether a text begins like an HTML page. Other XML may have titles and heads, too; in an HTML page they come
/// first.
fn begins_a_page(head: &[u8]) -> bool {
    const PAGE: [&[u8]; 2] = [b"<!doctype html", b"<html"];
    const FIRST: [&[u8]; 5] = [b"<head", b"<body", b"<title", b"<meta", b"<style"];
    let head = head.to_ascii_lowercase();
    let has = |tag: &&[u8]| memchr::memmem::find(&head, tag).is_some();
    // Other elements have names that begin in the same way, such as `header`.
    let continues = |c: &u8| c.is_ascii_alphanumeric() || matches!(c, b'-' | b':');
    let is = |tag: &[u8], name: &[u8]| {
        tag.starts_with(name) && !tag.get(name.len()).is_some_and(continues)
    };
    let first = first_tag(&head);
    PAGE.iter().any(has) || first.is_some_and(|tag| FIRST.iter().any(|name| is(tag, name)))
}

/// Returns the text from the first start tag on. Skips declarations and comments.
fn first_tag(text: &[u8]) -> Option<&[u8]> {
    let mut rest = text;
    loop {
        rest = &rest[memchr::memchr(b'<', rest)?..];
        if rest.get(1).is_some_and(u8::is_ascii_alphabetic) {
            return Some(rest);
        }
        let end = match rest.starts_with(b"<!--") {
            true => memchr::memmem::find(rest, b"-->")?,
            false => 1,
        };
        rest = &rest[end..];
    }
}

fn identify(item: &Item, extension: Option<&str>) -> Result<&'static Format> {
    let mut input = BufReader::with_capacity(format::HEAD_LEN, item.file()?);
    registry::identify(&mut input, extension)
}

/// Returns the extension of the format with this media type, if there is one.
fn of_type(content_type: &str) -> Option<&'static str> {
    let media_type = content_type.split(';').next().unwrap_or_default().trim();
    let mut formats = registry::formats();
    let known = formats.find(|format| format.media_type.eq_ignore_ascii_case(media_type));
    known.map(|format| format.name).or(match media_type {
        "application/xhtml+xml" => Some("html"),
        "text/x-markdown" => Some("md"),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::begins_a_page;

    #[test]
    fn other_xml_with_titles_is_not_html() {
        #[track_caller]
        fn check(text: &str, expected: bool) {
            assert_eq!(begins_a_page(text.as_bytes()), expected, "{text}");
        }
        check("<!-- x -->\n<!DOCTYPE html><p>a", true);
        check("<?xml version='1.0'?><HTML lang='en'>", true);
        check("<title>a</title><p>b", true);
        check("<?xml version='1.0'?><book><title>a</title></book>", false);
        check("<?xml version='1.0'?><headers><a/></headers>", false);
        check("<!-- <head> --><book/>", false);
        check("<head><base href='x'>", true);
        check("<meta charset=utf-8><title>a</title>", true);
        check("a < b, <head>", true);
        check("plain", false);
    }
}
