//! Structure of the PDFs that pages become, as poppler finds it.

use crate::harness::{convert, directory, has, output_of};
use std::fs;

/// The structure elements of a PDF with their depths, and the words in them.
fn tags(page: &str) -> String {
    let at = directory("tagged");
    let file = at.join("a.pdf");
    fs::write(&file, convert("a.html", page.as_bytes(), "pdf").unwrap()).unwrap();
    let tags = output_of("pdfinfo", &["-struct-text", &file.display().to_string()]);
    let _ = fs::remove_dir_all(at);
    let lines = tags.lines().map(str::trim).filter(|line| !line.is_empty());
    let names = lines.map(|line| line.split(" <").next().unwrap_or(line).trim());
    names
        .collect::<Vec<_>>()
        .join(" ")
        .replace(": /ListNumbering /None", "")
        .replace(" (block)", "")
}

#[test]
fn terms_are_labels_of_their_definitions() {
    if !has("pdfinfo") {
        return;
    }
    let page = "<dl><dt>One<dt>1<dd>first<dd><p>uno<dl><dt>in<dd>side</dl><dt>Two<dd>second</dl>";
    let item = |label: &str, body: &str| format!("LI Lbl \"{label}\" LBody {body}");
    let inner = format!("P \"uno\" L {}", item("in", "\"side\""));
    let expected = format!(
        "L LI Lbl \"One\" Lbl \"1\" LBody \"first\" LBody {inner} {}",
        item("Two", "\"second\"")
    );
    let found = tags(page);
    assert!(found.contains(&expected), "{found}\n{expected}");
    let grouped = tags("<dl><div><dt>a<dd>b</div><div><dt>c<dd>d</div></dl>");
    let expected = format!("L {} {}", item("a", "\"b\""), item("c", "\"d\""));
    assert!(grouped.contains(&expected), "{grouped}");
    let in_german = tags("<dl><div lang=de><dt>a<dd>b</div><div><dt>c<dd>d</div></dl>");
    assert!(!in_german.contains("Div"), "{in_german}");
    // Outside of a list they are paragraphs.
    assert!(!tags("<dt>a<dd>b").contains("Lbl"));
}
