//! HTML files, each a single self-contained page. Never fetches style sheets, scripts, pictures or any other resource
//! that a page refers to.

mod read;
mod write;

use crate::{
    coding::encoding,
    format::{Category, Format},
};
use convertd_tree::{
    options,
    row::{Row, Target},
};

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "html",
        aliases: &["htm", "xhtml"],
        category: Category::Document,
        description: "HTML page",
        media_type: "text/html",
        magic: &[],
    },
    recognise: Some(recognise),
    turns_pictures: true,
    read: Some(read::read),
    write: Some(Target {
        write: write::write,
        quality: "embedded pictures: reduced to 110 dpi (low) or 200 dpi (medium), or kept as they are (high)",
        options: &[&options::TITLE, &options::TOC, &options::HIGHLIGHT],
        resamples: true,
        frames: false,
        pictures: Some(&write::PICTURES),
        keeps_html: true,
        titled: true,
    }),
};

/// Further first tags by which a file with the extension of a workbook is recognised as HTML.
const REPORTS: [&[u8]; 9] = [
    b"<meta", b"<style", b"<title", b"<link", b"<center", b"<div", b"<p", b"<h1", b"<h2",
];

/// Recognises HTML by its document type or its first element, whatever the name of the file, and otherwise any text
/// with the file name extension of HTML.
fn recognise(head: &[u8], _: &mut dyn crate::job::Input, extension: Option<&str>) -> bool {
    let mut rest = head
        .strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(head)
        .trim_ascii_start();
    while let Some(comment) = rest.strip_prefix(b"<!--") {
        let Some(end) = memchr::memmem::find(comment, b"-->") else {
            break;
        };
        rest = comment[end + 3..].trim_ascii_start();
    }
    if rest.starts_with(b"<?xml")
        && let Some(end) = memchr::memchr(b'>', rest)
    {
        rest = rest[end + 1..].trim_ascii_start();
    }
    let begins = |tag: &[u8]| {
        rest.len() > tag.len()
            && rest[..tag.len()].eq_ignore_ascii_case(tag)
            && !rest[tag.len()].is_ascii_alphanumeric()
    };
    let page =
        begins(b"<!doctype html") || begins(b"<html") || begins(b"<head") || begins(b"<body");
    // Web applications write reports as HTML with the extension of a workbook. Such a report may begin with any of
    // these tags.
    let is_report = extension.is_some_and(|name| matches!(name, "xls" | "xlt"));
    let page = page || begins(b"<table") || is_report && REPORTS.iter().any(|tag| begins(tag));
    let named = extension.is_some_and(|name| ROW.format.is_called(name));
    page || named && (!head.contains(&0) || encoding::is_wide(head))
}
