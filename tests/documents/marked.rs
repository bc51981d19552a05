//! Markdown as a source and as a target: structure that pages express in different ways, and the styles of documents
//! made from Markdown.

use crate::{harness::convert, zips};

#[track_caller]
fn check(name: &str, content: &str, to: &str, expected: &str) {
    let made =
        convert(name, content.as_bytes(), to).unwrap_or_else(|err| panic!("{}", err.message()));
    assert_eq!(
        String::from_utf8(made).unwrap().trim(),
        expected,
        "{content}"
    );
}

#[test]
fn leading_rows_of_header_cells_are_the_table_head() {
    let table = |rows: &str| format!("<table>{rows}</table>");
    check(
        "a.html",
        &table("<tr><th>Name</th><th>Price</th></tr><tr><td>Lamp</td><td>20</td></tr>"),
        "md",
        "| Name | Price |\n|------|-------|\n| Lamp | 20    |",
    );
    // Row headings do not make a header row.
    check(
        "a.html",
        &table("<tr><th>Name</th><td>Lamp</td></tr><tr><th>Price</th><td>20</td></tr>"),
        "md",
        "|       |      |\n|-------|------|\n| Name  | Lamp |\n| Price | 20   |",
    );
    // A table with one row of cells is used for layout.
    check(
        "a.html",
        &table("<tr><td>Left</td><td>Right</td></tr>"),
        "md",
        "Left\n\nRight",
    );
}

#[test]
fn alerts_are_quotations_with_a_title() {
    check(
        "a.md",
        "> [!WARNING]\n> Back up *first*.\n\n> [!NOTE] and more\n",
        "md",
        "> **Warning**\n>\n> Back up *first*.\n\n> \\[!NOTE\\] and more",
    );
}

#[test]
fn emoji_names_are_replaced_except_in_code_and_urls() {
    check(
        "a.md",
        "Ship it :rocket: at 10:30:45, `:rocket:`, [:+1:](https://a.example/:rocket:)\n",
        "md",
        "Ship it \u{1f680} at 10:30:45, `:rocket:`, [\u{1f44d}](https://a.example/:rocket:)",
    );
}

/// The document part of a docx.
fn content(markdown: &str) -> String {
    let docx = convert("a.md", markdown.as_bytes(), "docx")
        .unwrap_or_else(|err| panic!("{}", err.message()));
    let parts = zips::entries(&docx).into_iter();
    let mut parts = parts.filter(|(name, _)| name == "word/document.xml");
    String::from_utf8(parts.next().unwrap().1).unwrap()
}

#[test]
fn docx_paragraphs_have_only_their_style() {
    let document = content("# Head\n\n> Quoted\n\n```\ncode\n```\n");
    for style in ["Heading1", "Quote", "SourceCode"] {
        let properties = format!("<w:pPr><w:pStyle w:val=\"{style}\"/></w:pPr>");
        assert!(document.contains(&properties), "{document}");
    }
}
