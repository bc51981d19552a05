//! Converts the markup of Mobipocket (MOBI 6 and before) to HTML. It differs from HTML in links, which are offsets in
//! the text, in pictures, which have numbers, in page breaks, and in attributes of paragraphs. Other tags with the
//! prefix `mbp:` are dropped; all tags of HTML are copied.

use super::{
    contents::{self, Entry},
    places::{self, Named},
    resources::Resources,
};
use crate::{
    coding::{code_page::CodePage, escape::decoded},
    error::Result,
    job::Job,
};
use convertd_markup::html::{Parts, attribute, attribute_named, attributes, tag_end, tag_name};
use std::collections::BTreeSet;

/// Default styles of paragraphs, as reading systems apply them to these books.
const STYLES: &str = "<style>p { margin: 0; text-indent: 1.5em } \
    blockquote { margin: 0 0 0 2em } h1, h2, h3, h4, h5, h6 { text-indent: 0 }</style>";

/// HTML for a page break.
const BREAK: &str = "<div style=\"page-break-after: always\"></div>";

/// Attributes with the number of a picture. If a tag has several, the first in this order has the largest picture.
const NUMBERS: [&str; 3] = ["hirecindex", "recindex", "lorecindex"];

/// Converts the text of a book to a chapter in HTML. `file` is the chapter's name, and `entries` its table of contents.
pub(super) fn chapter(
    job: &Job<'_>,
    text: &[u8],
    code_page: CodePage,
    resources: &Resources,
    file: &str,
    entries: &[Entry],
) -> Result<String> {
    let mut places = offsets(text);
    places.extend(entries.iter().filter_map(|entry| entry.offset));
    let Named { text, names } = places::name(text, &places);
    let text = code_page.decode(&text);
    let body = Parts::of(&text).body;
    let mut page = format!("<html><head>{STYLES}</head><body>");
    // Place of the last page break or of the beginning, as long as no content follows it. A page break there would make
    // an empty page.
    let mut last = Some(page.len()..page.len());
    let mut rest = body;
    while let Some(at) = memchr::memchr(b'<', rest.as_bytes()) {
        page.push_str(&rest[..at]);
        if !rest[..at].trim().is_empty() {
            last = None;
        }
        let (tag, after) = rest[at..].split_at(tag_end(&rest.as_bytes()[at..]));
        rest = after;
        let link = |offset: usize| match names.get(&offset) {
            Some(name) => format!("#{name}"),
            // An unknown place becomes the beginning of the chapter.
            None => file.to_owned(),
        };
        match tag_name(tag).as_str() {
            "mbp:pagebreak" if last.is_none() => {
                last = Some(page.len()..page.len() + BREAK.len());
                page.push_str(BREAK);
            }
            "a" => replaced(tag, &mut page, |name, value| {
                let offset = value.trim().parse().ok();
                let offset = offset.filter(|_| name == "filepos")?;
                Some(("href", link(offset)))
            }),
            "img" => {
                last = None;
                picture(tag, resources, &mut page);
            }
            "p" | "div" | "blockquote" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "li" => {
                paragraph(tag, &mut page);
            }
            name if name.starts_with("mbp:") || tag.starts_with("</mbp:") => {}
            _ => page.push_str(tag),
        }
    }
    page.push_str(rest);
    if let Some(last) = last.filter(|_| rest.trim().is_empty()) {
        page.replace_range(last, "");
    }
    page.push_str("</body></html>");
    let wanted = entries.iter().filter_map(|entry| {
        let name = names.get(&entry.offset?)?;
        Some((name.as_str(), entry))
    });
    contents::mark(job, page, wanted.collect())
}

/// The offsets that links lead to.
fn offsets(text: &[u8]) -> BTreeSet<usize> {
    const LINK: &[u8] = b"filepos=";
    let links = memchr::memmem::find_iter(text, LINK).filter_map(|at| {
        let value = &text[at + LINK.len()..];
        let value = value.strip_prefix(b"\"").unwrap_or(value);
        let value = value.strip_prefix(b"'").unwrap_or(value);
        let digits = value
            .iter()
            .take(12)
            .take_while(|byte| byte.is_ascii_digit());
        let len = digits.count();
        str::from_utf8(&value[..len]).ok()?.parse().ok()
    });
    links.collect()
}

/// Copies a tag, but replaces the attributes for which `new` returns a name and a value.
fn replaced(
    tag: &str,
    page: &mut String,
    mut new: impl FnMut(&str, &str) -> Option<(&'static str, String)>,
) {
    let mut done = 0;
    for one in attributes(tag) {
        let name = one.name.to_ascii_lowercase();
        let Some((name, value)) = new(&name, one.value) else {
            continue;
        };
        // The range of an attribute is that of its value, so its name is searched before it.
        let before = &tag[done..one.at.0];
        let start = before.rfind(one.name).unwrap_or(before.len());
        page.push_str(&before[..start]);
        page.push_str(name);
        page.push_str("=\"");
        attribute(&value, page);
        page.push('"');
        done = one.at.1;
    }
    page.push_str(&tag[done..]);
}

/// Copies the tag of a picture, with the address of its file.
fn picture(tag: &str, resources: &Resources, page: &mut String) {
    let known = attributes(tag);
    let file = |wanted: &'static str| {
        let one = attribute_named(&known, wanted)?;
        let resource = resources.get(one.value.trim().parse().ok()?)?;
        Some((wanted, resource.name.as_str()))
    };
    // If the picture is missing, the address is a name without a file.
    let missing = (NUMBERS[1], "missing");
    let (wanted, address) = NUMBERS.into_iter().find_map(file).unwrap_or(missing);
    replaced(tag, page, |name, _| {
        (name == wanted).then(|| ("src", address.to_owned()))
    });
}

/// Copies the tag of a paragraph. In Mobipocket, `height` is the margin above it, and `width` the indent of its first
/// line.
fn paragraph(tag: &str, page: &mut String) {
    let known = attributes(tag);
    let length = |wanted: &str| {
        let value = attribute_named(&known, wanted)?.value.trim();
        let unit = value.trim_start_matches(|c: char| c.is_ascii_digit() || "+-.".contains(c));
        match unit {
            "" if value.parse::<f32>().is_ok() => Some(format!("{value}px")),
            "em" | "pt" | "px" | "%" | "ex" | "in" | "cm" | "mm" => Some(value.to_owned()),
            _ => None,
        }
    };
    let styles = [
        ("margin-top", length("height")),
        ("text-indent", length("width")),
    ];
    let mut style = String::new();
    for (property, length) in styles {
        if let Some(length) = length {
            style.push_str(&format!("{property}: {length};"));
        }
    }
    if style.is_empty() {
        return page.push_str(tag);
    }
    // The paragraph's own styles come last, so that they take precedence.
    if attribute_named(&known, "style").is_some() {
        return replaced(tag, page, |name, value| {
            (name == "style").then(|| ("style", format!("{style}{}", decoded(value.into()))))
        });
    }
    let name = tag_name(tag).len() + 1;
    page.push_str(&format!(
        "{} style=\"{style}\"{}",
        &tag[..name],
        &tag[name..]
    ));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let page = crate::job::testing::with_job(|job| {
            let unicode = CodePage::by_number(65001).unwrap();
            let none = &Resources::default();
            chapter(job, text.as_bytes(), unicode, none, "text.html", &[]).unwrap()
        });
        let page = page.strip_prefix("<html><head>").unwrap();
        let page = page.strip_prefix(STYLES).unwrap();
        let page = page.strip_prefix("</head><body>").unwrap();
        assert_eq!(page.strip_suffix("</body></html>"), Some(expected));
    }

    #[test]
    fn markup_of_old_books_becomes_html() {
        check("<html><body>text", "text");
        check(
            "<a filepos=0000000027>a</a><p>b",
            "<a href=\"#place27\">a</a><p id=\"place27\">b",
        );
        check(
            "<body><A class='a' filepos='38' >a</a><p>b",
            "<A class='a' href=\"#place38\" >a</a><p id=\"place38\">b",
        );
        check(
            "<body><a filepos=0000000000>a</a>",
            "<a href=\"text.html\">a</a>",
        );
        check(
            "<mbp:pagebreak/>a<mbp:pagebreak/> <mbp:pagebreak/>b<mbp:pagebreak></mbp:pagebreak><p></p>",
            &format!("a{BREAK} b<p></p>"),
        );
        check("a<mbp:pagebreak/>b", &format!("a{BREAK}b"));
        check(
            "<img align=middle recindex=\"00001\" alt='a'>",
            "<img align=middle src=\"missing\" alt='a'>",
        );
        check(
            "<p height=\"1em\" width=\"-14pt\" align=\"left\"><p width=0 style='color: red'><p width=\"x\">",
            "<p style=\"margin-top: 1em;text-indent: -14pt;\" height=\"1em\" width=\"-14pt\" align=\"left\">\
             <p width=0 style=\"text-indent: 0px;color: red\"><p width=\"x\">",
        );
        check("a < b <", "a < b <");
    }
}
