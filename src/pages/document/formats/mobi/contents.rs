//! Reads the table of contents of a book (NCX), which is an index with the labels of its entries in records after it.
//! Adds no entry to the text.
//!
//! Tables of contents and outlines of other formats are made of headings. Many books have none: their chapters begin
//! with large paragraphs. So a paragraph becomes a heading if an entry leads to it whose label has the same words.

use super::{
    database::{Database, Record},
    index,
};
use crate::{
    coding::{code_page::CodePage, escape::decoded},
    error::{Kind, Result},
    job::{Job, Lease},
};
use convertd_markup::html::{tag_end, tag_name};
use std::collections::HashMap;

/// Tag with the offset in the text to which an entry leads.
const OFFSET: u8 = 1;
/// Tag with the position of an entry's label.
const LABEL: u8 = 3;
/// Tag with the level of an entry.
const LEVEL: u8 = 4;
/// Tag with the target of an entry in KF8: the number of a fragment, and an offset in it.
const FRAGMENT: u8 = 6;

/// Number of positions of labels per record: the lower 16 bits of a position are an offset in a record, and the upper
/// bits are the number of the record.
const RECORD: usize = 0x1_0000;

/// Limit on the number of entries.
const MAX_ENTRIES: usize = 10_000;

/// Limit on the length of a label, in bytes.
const MAX_LABEL: usize = 1000;

/// An entry of the table of contents.
pub(super) struct Entry {
    /// Offset of the place in the text to which the entry leads, in bytes (MOBI 6).
    pub(super) offset: Option<usize>,
    /// The number of a fragment, and an offset in it (KF8).
    pub(super) fragment: Option<(usize, usize)>,
    /// Level in the table of contents, from 0.
    level: usize,
    /// Words of the label, in lower case.
    label: String,
}

/// Reads the table of contents whose index begins with record `first`. A damaged table counts as empty, because the
/// text does not need it.
pub(super) fn read(
    job: &Job<'_>,
    database: &Database,
    first: Option<usize>,
    code_page: CodePage,
    lease: &Lease<'_>,
) -> Result<Vec<Entry>> {
    let Some(first) = first else {
        return Ok(Vec::new());
    };
    let entries = match index::read(job, database, first, lease) {
        Ok(entries) => entries,
        Err(error) if error.kind() == Kind::BadInput => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let labels = first.saturating_add(1 + database.record(first).size(24));
    let read = entries.iter().take(MAX_ENTRIES).filter_map(|entry| {
        let place = entry.value(LABEL, 0)?;
        let record = database.record(labels.saturating_add(place / RECORD));
        let label = label(record.from(place % RECORD))?;
        let fragment = entry.value(FRAGMENT, 0).zip(entry.value(FRAGMENT, 1));
        Some(Entry {
            offset: entry.value(OFFSET, 0),
            fragment,
            level: entry.value(LEVEL, 0).unwrap_or(0),
            label: words(&code_page.decode(label)),
        })
    });
    let read: Vec<Entry> = read.filter(|entry| !entry.label.is_empty()).collect();
    let size: usize = read.iter().map(|entry| 2 * entry.label.len() + 128).sum();
    lease.grow(size as u64)?;
    Ok(read)
}

/// Reads a label, which is stored as its length and its bytes, up to [`MAX_LABEL`] bytes.
fn label(mut record: Record<'_>) -> Option<&[u8]> {
    let len = index::number(&mut record.0) as usize;
    record.0.get(..len.min(MAX_LABEL))
}

/// Text in lower case, without spaces at its ends, and with a single space between words.
fn words(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

/// Makes headings of the paragraphs of a page that entries lead to and whose words are those of the entry. `wanted` has
/// the entries by the identifiers of their places.
pub(super) fn mark(
    job: &Job<'_>,
    page: String,
    mut wanted: HashMap<&str, &Entry>,
) -> Result<String> {
    /// Beginning of an identifier of a tag.
    const IDENTIFIER: &[u8] = b" id=\"";
    // Names of tags to be replaced: the position and the length of the name, and the level of the heading.
    let mut edits: Vec<(usize, usize, usize)> = Vec::new();
    for at in memchr::memmem::find_iter(page.as_bytes(), IDENTIFIER) {
        let value = &page[at + IDENTIFIER.len()..];
        let value = value.split('"').next().unwrap_or_default();
        let Some(entry) = wanted.remove(value) else {
            continue;
        };
        job.check()?;
        if let Some((open, close, len)) = paragraph(&page, at, &entry.label) {
            let level = entry.level.min(5) + 1;
            edits.extend([(open, len, level), (close, len, level)]);
        }
    }
    if edits.is_empty() {
        return Ok(page);
    }
    edits.sort_unstable();
    edits.dedup_by_key(|(at, ..)| *at);
    let mut marked = String::with_capacity(page.len() + edits.len());
    let mut done = 0;
    for (at, len, level) in edits {
        marked.push_str(&page[done..at]);
        marked.push('h');
        marked.push_str(&level.to_string());
        done = at + len;
    }
    marked.push_str(&page[done..]);
    Ok(marked)
}

/// Finds the paragraph with the words `label` at an identifier. Returns the positions of the names in its two tags, and
/// the length of the name.
fn paragraph(page: &str, identifier: usize, label: &str) -> Option<(usize, usize, usize)> {
    /// Number of bytes before an anchor that are searched for its paragraph.
    const NEAR: usize = 400;
    /// Limit on the number of tags between an anchor and the words of its paragraph.
    const MAX_TAGS: usize = 32;
    let bytes = page.as_bytes();
    let is_block = |name: &str| matches!(name, "p" | "div");
    let tag_at = |start: usize| page.get(start..start + tag_end(&bytes[start..]));
    // The last tag that begins before a place.
    let before = |at: usize| {
        let from = at.saturating_sub(NEAR);
        memchr::memrchr(b'<', &bytes[from..at]).map(|found| from + found)
    };
    let own = before(identifier)?;
    // The last paragraph that begins before the place without any text between.
    let mut block = None;
    let mut at = own;
    while let Some(start) = before(at).filter(|start| own - start < NEAR) {
        let tag = tag_at(start)?;
        let between = page.get(start + tag.len()..at);
        if tag.starts_with("</") || between.is_none_or(|text| !text.trim().is_empty()) {
            break;
        }
        if is_block(&tag_name(tag)) {
            block = Some(start);
            break;
        }
        at = start;
    }
    // A paragraph that begins at the place or after it, with only tags and white space between, takes precedence. If
    // there are several, the last one does.
    let mut at = own;
    for _ in 0..MAX_TAGS {
        let window = bytes[at..].iter().take(NEAR);
        at += window.take_while(|byte| byte.is_ascii_whitespace()).count();
        if bytes.get(at) != Some(&b'<') {
            break;
        }
        let tag = tag_at(at)?;
        let name = tag_name(tag);
        match name.as_str() {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "table" | "ul" | "ol" | "li" => return None,
            name if is_block(name) => block = Some(at),
            _ => {}
        }
        at += tag.len();
    }
    let block = block?;
    let tag = tag_at(block)?;
    let kind = tag_name(tag);
    let after = block + tag.len();
    let window = &bytes[after..bytes.len().min(after + 4 * MAX_LABEL)];
    let end = after + memchr::memmem::find(window, format!("</{kind}>").as_bytes())?;
    let content = page.get(after..end)?;
    if words(&text(content)?) != label {
        return None;
    }
    Some((block + 1, end + 2, kind.len()))
}

/// Text of a paragraph. `None` if the paragraph contains other blocks.
fn text(content: &str) -> Option<String> {
    let mut text = String::new();
    let mut rest = content;
    while let Some(at) = rest.find('<') {
        text.push_str(&rest[..at]);
        let len = tag_end(&rest.as_bytes()[at..]);
        let tag = &rest[at..at + len];
        match tag_name(tag).as_str() {
            "p" | "div" | "table" | "ul" | "ol" | "blockquote" => return None,
            "br" => text.push(' '),
            _ => {}
        }
        rest = &rest[at + len..];
    }
    text.push_str(rest);
    Some(decoded(text.into()).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::testing::with_job;

    #[track_caller]
    fn check(page: &str, label: &str, expected: Option<&str>) {
        let entry = Entry {
            offset: Some(1),
            fragment: None,
            level: 1,
            label: words(label),
        };
        with_job(|job| {
            let wanted = HashMap::from([("place1", &entry)]);
            let marked = mark(job, page.to_owned(), wanted).unwrap();
            assert_eq!(marked, expected.unwrap_or(page));
        });
    }

    #[test]
    fn paragraphs_with_the_words_of_an_entry_are_headings() {
        check(
            "a<p id=\"place1\"><b>The  first</b></p>b",
            "the first",
            Some("a<h2 id=\"place1\"><b>The  first</b></h2>b"),
        );
        check(
            "<p>a</p><a id=\"place1\"></a><div class=x>One &amp; two</div>",
            "One & two",
            Some("<p>a</p><a id=\"place1\"></a><h2 class=x>One &amp; two</h2>"),
        );
        check(
            "<p><span><a id=\"place1\"></a>One</span></p>",
            "One",
            Some("<h2><span><a id=\"place1\"></a>One</span></h2>"),
        );
        // Other words, headings, paragraphs without an end, and text before the place.
        check("<p id=\"place1\">Two</p>", "One", None);
        check("<h3 id=\"place1\">One</h3>", "One", None);
        check("<p id=\"place1\">One", "One", None);
        check("<p>a <a id=\"place1\"></a>One</p>", "One", None);
        check(
            "<div id=\"place1\"><p>One</p><p>b</p></div>",
            "One",
            Some("<div id=\"place1\"><h2>One</h2><p>b</p></div>"),
        );
    }
}
