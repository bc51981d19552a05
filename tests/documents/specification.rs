//! Markdown, compared with the examples of its specifications: CommonMark 0.31.2, and GitHub's extensions. Line ends,
//! and the HTML around the text of a page, are not compared.

use crate::{
    harness::{convert_with, data},
    markup::unescape,
};

/// Elements around which white space has no meaning.
const BLOCKS: &[&str] = &[
    "p",
    "ul",
    "ol",
    "li",
    "blockquote",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "table",
    "thead",
    "tbody",
    "tr",
    "td",
    "th",
    "div",
    "br",
    "pre",
];

/// Markdown and HTML of each example in a file.
fn examples(name: &str) -> Vec<(String, String)> {
    let text = String::from_utf8(data(name)).unwrap();
    let examples = text.split("\u{c}\n").skip(1).map(|example| {
        let example = format!("\n{example}");
        let (markdown, html) = example.split_once("\n.\n").unwrap();
        let plain = |text: &str| text.replace('→', "\t");
        (plain(&format!("{markdown}\n")[1..]), plain(html))
    });
    examples.collect()
}

/// HTML without differences that a reader cannot see.
fn normalise(html: &str) -> String {
    let mut out = String::new();
    let mut rest = html;
    while !rest.is_empty() {
        let (plain, pre) = match rest.find("<pre") {
            Some(at) => rest.split_at(at),
            None => (rest, ""),
        };
        out.push_str(&loose(plain));
        let end = pre
            .find("</pre>")
            .map_or(pre.len(), |at| at + "</pre>".len());
        out.push_str(&pre[..end]);
        rest = &pre[end..];
        if end > 0 {
            rest = rest.trim_start();
        }
    }
    unescape(&out).trim().to_owned()
}

/// Replaces white space by single spaces, and removes it beside block elements.
fn loose(html: &str) -> String {
    let mut spaced = String::new();
    for word in html.split_ascii_whitespace() {
        spaced.push_str(word);
        spaced.push(' ');
    }
    if html.trim_ascii_end() == html {
        spaced.pop();
    }
    let mut spaced = match html.starts_with(|c: char| c.is_ascii_whitespace()) {
        true => format!(" {spaced}"),
        false => spaced,
    };
    for name in BLOCKS {
        for tag in [
            format!("<{name}>"),
            format!("</{name}>"),
            format!("<{name} />"),
        ] {
            spaced = spaced.replace(&format!(" {tag}"), &tag);
            spaced = spaced.replace(&format!("{tag} "), &tag);
        }
        let open = format!(" <{name} ");
        spaced = spaced.replace(&open, open.trim_start());
    }
    spaced
}

/// The body of a page in the form of the examples: headings have no identifiers.
fn body(page: &str) -> String {
    let (_, body) = page.split_once("<body>\n").unwrap();
    let (body, _) = body.rsplit_once("</body>").unwrap();
    let mut plain = String::new();
    let mut rest = body;
    while let Some(at) = rest.find("<h") {
        let level = rest.as_bytes().get(at + 2).copied().unwrap_or_default();
        let end = at + 3;
        plain.push_str(&rest[..end.min(rest.len())]);
        rest = rest.get(end..).unwrap_or_default();
        if level.is_ascii_digit()
            && let Some(id) = rest.strip_prefix(" id=\"")
            && let Some((_, behind)) = id.split_once('"')
        {
            rest = behind;
        }
    }
    plain + rest
}

#[track_caller]
fn check(name: &str, count: usize, adapt: &dyn Fn(String) -> String) {
    let examples = examples(name);
    assert_eq!(examples.len(), count);
    let mut wrong = String::new();
    for (number, (markdown, html)) in (1..).zip(&examples) {
        // Colours of code are not in the specification.
        let plain = [("highlight", "false")];
        let page = convert_with("example.md", markdown.as_bytes(), "html", "medium", &plain);
        let page = page.unwrap().0;
        // Text with a script is read as a page, and scripts are left out of pages.
        if markdown.to_lowercase().contains("<script") {
            assert!(!page.windows(7).any(|part| part == b"<script"), "{number}");
            continue;
        }
        let found = normalise(&adapt(body(&String::from_utf8(page).unwrap())));
        let expected = normalise(&adapt(html.clone()));
        let found = match name == "commonmark.txt" && LINKS_AT_GITHUB.contains(&number) {
            true => without_links(&found),
            false => found,
        };
        if found != expected {
            wrong +=
                &format!("{number}: {markdown:?}\n expected {expected:?}\n found    {found:?}\n");
        }
    }
    assert!(wrong.is_empty(), "{name}:\n{wrong}");
}

#[test]
fn commonmark_examples_give_the_expected_html() {
    check("commonmark.txt", 652, &|html| html);
}

/// Numbers of CommonMark's examples with URLs that are not links there, but that GitHub's extension links.
const LINKS_AT_GITHUB: [usize; 4] = [606, 608, 611, 612];

fn without_links(html: &str) -> String {
    let mut plain = String::new();
    let mut rest = html;
    while let Some((before, link)) = rest.split_once("<a href=") {
        plain += before;
        rest = link.split_once('>').unwrap().1;
    }
    (plain + rest).replace("</a>", "")
}

#[test]
fn github_extension_examples_give_the_expected_html() {
    // Markdown does not define how alignment and checkboxes are written in HTML.
    check("gfm.txt", 23, &|html| {
        let mut html = html.replace("<del>", "<s>").replace("</del>", "</s>");
        for side in ["left", "center", "right", "start", "end"] {
            html = html.replace(&format!(" align=\"{side}\""), "");
            html = html.replace(&format!(" style=\"text-align: {side}\""), "");
        }
        html = html.replace("<ul class=\"task-list\">", "<ul>");
        for attribute in ["checked", "disabled", "type"] {
            for value in ["", "checkbox"] {
                html = html.replace(&format!(" {attribute}=\"{value}\""), "");
            }
        }
        html.replace("<input />", "<input>")
    });
}
