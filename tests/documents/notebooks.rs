//! Jupyter notebooks: the cells that become content, and the notes about others.

use crate::harness::{convert, convert_with};
use convertd::error::Kind;

/// A picture of one pixel.
const PICTURE: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

fn notebook(cells: &str) -> String {
    format!(
        "{{\"cells\": [{cells}], \"metadata\": {{\"title\": \"Notes\", \"kernelspec\": {{\"language\": \"python\"}}, \"x\": [1, {{}}]}}, \"nbformat\": 4, \"nbformat_minor\": 5}}"
    )
}

#[track_caller]
fn check(cells: &str, expected: &str, notes: &[&str]) {
    let bytes = notebook(cells);
    let (found, said) = convert_with("a.ipynb", bytes.as_bytes(), "md", "high", &[]).unwrap();
    let found = String::from_utf8(found).unwrap();
    let body = found.strip_prefix("---\ntitle: \"Notes\"\n---\n").unwrap();
    assert_eq!(body.trim(), expected, "{cells}");
    assert_eq!(said.0, notes, "{cells}");
}

#[test]
fn cells_are_converted_by_their_type() {
    check(
        "{\"cell_type\": \"markdown\", \"metadata\": {}, \"source\": [\"# A *b*\\n\", \"\\n\", \"$x$ and `c`\"]}",
        "# A *b*\n\n$x$ and `c`",
        &[],
    );
    check(
        "{\"cell_type\": \"code\", \"source\": \"print(1)\\n\", \"outputs\": [{\"output_type\": \"stream\", \"text\": [\"1\\n\", \"\\u001b[31m2\\u001b[0m\\n\"]}]}, {\"cell_type\": \"code\", \"source\": [], \"outputs\": []}",
        "```python\nprint(1)\n```\n\n```\n1\n2\n```",
        &[],
    );
    check(
        "{\"cell_type\": \"code\", \"source\": \"x\", \"outputs\": [{\"output_type\": \"error\", \"ename\": \"E\", \"traceback\": [\"one\", \"two\"]}, {\"data\": {\"text/html\": \"<b>r</b>\", \"text/plain\": \"r\"}}, {\"data\": {\"text/plain\": \"m\", \"text/markdown\": [\"**m**\"]}}]}",
        "```python\nx\n```\n\n```\none\ntwo\n```\n\n```\nr\n```\n\n**m**",
        &[],
    );
    let picture = format!(
        "{{\"cell_type\": \"code\", \"source\": \"\", \"outputs\": [{{\"data\": {{\"image/png\": \"{PICTURE}\\n\", \"text/plain\": \"<Figure>\"}}}}]}}"
    );
    check(
        &picture,
        &format!("![](data:image/png;base64,{PICTURE})"),
        &[],
    );
}

#[test]
fn cells_of_older_versions_are_in_worksheets() {
    let file = format!(
        r##"{{"metadata": {{"name": "Older notes"}}, "nbformat": 3, "nbformat_minor": 0, "worksheets": [
        {{"metadata": {{}}, "cells": [
            {{"cell_type": "heading", "level": 2, "metadata": {{}}, "source": ["First\n", "part"]}},
            {{"cell_type": "markdown", "source": ["Some *text*."]}},
            {{"cell_type": "code", "collapsed": false, "input": ["x = 1\n", "x"], "language": "python", "prompt_number": 1,
              "outputs": [{{"output_type": "pyout", "prompt_number": 1, "text": ["1"]}}]}}]}},
        {{"cells": [
            {{"cell_type": "code", "input": "plot()", "language": "python", "outputs": [
                {{"output_type": "stream", "stream": "stdout", "text": ["drawn\n"]}},
                {{"output_type": "display_data", "png": "{PICTURE}", "text": ["<Figure>"]}},
                {{"output_type": "pyerr", "ename": "E", "evalue": "e", "traceback": ["E: e"]}}]}}]}}]}}"##
    );
    let (found, said) = convert_with("a.ipynb", file.as_bytes(), "md", "high", &[]).unwrap();
    assert_eq!(
        String::from_utf8(found).unwrap().trim(),
        format!(
            "---\ntitle: \"Older notes\"\n---\n\n## First part\n\nSome *text*.\n\n```python\nx = 1\nx\n```\n\n```\n1\n```\n\n\
             ```python\nplot()\n```\n\n```\ndrawn\n```\n\n![](data:image/png;base64,{PICTURE})\n\n```\nE: e\n```"
        )
    );
    assert!(said.0.is_empty(), "{said:?}");
}

#[test]
fn html_cells_of_older_versions_are_read_as_html() {
    let file = r#"{"metadata": {}, "nbformat": 2, "worksheets": [{"cells": [
        {"cell_type": "html", "source": ["<div>\n", "\n", "    <p>in a <b>page</b></p>\n", "</div>"]},
        {"cell_type": "heading", "level": null, "source": "Head"},
        {"cell_type": "code", "input": null, "language": "python", "outputs": []}]}]}"#;
    let made = convert("a.ipynb", file.as_bytes(), "md").unwrap();
    let made = String::from_utf8(made).unwrap();
    assert_eq!(made.trim(), "in a **page**\n\n# Head");
}

#[test]
fn results_are_shown_in_their_richest_form() {
    let result = |data: &str| {
        format!(
            "{{\"cell_type\": \"code\", \"source\": \"\", \"outputs\": [{{\"data\": {{{data}, \"text/plain\": \"plain\"}}}}]}}"
        )
    };
    check(
        &result(
            "\"text/html\": [\"<table><thead><tr><th>a</th></tr></thead>\", \"<tr><td>1</td></tr></table>\"]",
        ),
        "| a   |\n|-----|\n| 1   |",
        &[],
    );
    check(
        &result("\"text/html\": \"<div id=plot></div><script>draw()</script>\""),
        "```\nplain\n```",
        &[],
    );
    check(
        &result("\"text/latex\": \"$\\\\displaystyle x^2$\""),
        "$\\displaystyle x^2$",
        &[],
    );
    let drawing = "<svg xmlns='http://www.w3.org/2000/svg' width='1' height='1'/>";
    let bytes = notebook(&result(&format!(
        "\"image/svg+xml\": \"{drawing}\", \"image/png\": \"{PICTURE}\""
    )));
    let made = convert("a.ipynb", bytes.as_bytes(), "md").unwrap();
    let made = String::from_utf8(made).unwrap();
    assert!(
        made.contains("data:image/svg+xml") && !made.contains("plain"),
        "{made}"
    );
}

#[test]
fn attached_pictures_are_shown_at_their_references() {
    let cell = |source: &str| {
        format!(
            "{{\"cell_type\": \"markdown\", \"source\": \"{source}\", \"attachments\": {{\"a b.png\": {{\"image/png\": \"{PICTURE}\"}}}}}}"
        )
    };
    let shown = format!("![x](data:image/png;base64,{PICTURE})");
    check(&cell("![x](attachment:a%20b.png)"), &shown, &[]);
    check(&cell("![x](<attachment:a b.png>)"), &shown, &[]);
}

#[test]
fn overwritten_output_is_not_shown() {
    check(
        "{\"cell_type\": \"code\", \"source\": \"\", \"outputs\": [{\"output_type\": \"stream\", \"text\": [\" 0%|\\r50%|#\\r\", \"99%|##\\ndone\\r\\n\"]}]}",
        "```\n99%|##\ndone\n```",
        &[],
    );
}

#[test]
fn omitted_output_is_noted() {
    check(
        "{\"cell_type\": \"code\", \"source\": \"\", \"outputs\": [{\"data\": {\"application/x\": {}}}]}, {\"cell_type\": \"markdown\", \"source\": \"a\", \"attachments\": {\"a.png\": {}}}, {\"cell_type\": \"markdown\", \"source\": \"b\", \"attachments\": {}}",
        "a\n\nb",
        &["An output of a code cell was left out: it exists only in a format for web browsers."],
    );
}

#[test]
fn invalid_notebooks_are_refused() {
    #[track_caller]
    fn check(file: &str, reason: &str) {
        let err = convert("a.ipynb", file.as_bytes(), "html").unwrap_err();
        assert_eq!(err.kind(), Kind::BadInput, "{file}");
        assert!(err.to_string().contains(reason), "{err}");
    }
    check(
        "{\"cells\": [], \"nbformat\": 1}",
        "its nbformat version is 1",
    );
    check("{\"cells\": [", "EOF");
    check("{}", "nbformat");
    check(
        &notebook("{\"cell_type\": \"code\", \"outputs\": [{\"data\": {\"image/png\": \"?\"}}]}"),
        "Base64",
    );
    // Nesting is not limited in parts that are not read.
    check(&format!("{{\"a\":{}", "[".repeat(100_000)), "EOF");
}
