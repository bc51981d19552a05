//! Tagged PDF files: their structure is used if it is complete, and otherwise ignored.

use crate::{
    harness::{convert, convert_with},
    make,
};

#[track_caller]
fn markdown(file: &[u8]) -> String {
    String::from_utf8(convert("a.pdf", file, "md").unwrap()).unwrap()
}

/// Checks that a tagged PDF of this program is read back without changes.
#[track_caller]
fn returns(text: &str) {
    let file = convert("a.md", text.as_bytes(), "pdf").unwrap();
    let result = markdown(&file);
    // A title in the document has priority.
    let (_, body) = result.rsplit_once("---\n\n# ").unwrap_or(("", &result));
    assert_eq!(format!("# {}", body.trim()), text.trim());
}

#[test]
fn documents_are_restored_from_their_tags() {
    returns("# One\n\nSome text.\n\n## Two\n\nMore of it.");
    returns("# Lists\n\n- one\n- two\n  1. inner first\n  2. inner second\n- three");
    returns("# Table\n\n| a   | b   |\n|-----|-----|\n| 1   | 2   |\n| 3   | 4   |");
    returns("# Code\n\n```\nfn main() {\n    body();\n}\n```\n\n> A quotation.");
    returns("# Notes\n\nA mark[^1] in a text.\n\n[^1]: What it says.");
}

#[test]
fn code_of_html_keeps_its_lines() {
    let code = "fn main() {\n    one(<i>&amp;two</i>);\n}";
    let expected = "Before.\n\n```\nfn main() {\n    one(&two);\n}\n```\n\nAfter.";
    for page in [
        format!("<pre>{code}</pre>"),
        format!("<pre><code>{code}</code>\n</pre>"),
    ] {
        let page = format!("<h1>Code</h1><p>Before.</p>{page}<p>After.</p>");
        let file = convert("a.html", page.as_bytes(), "pdf").unwrap();
        let result = markdown(&file);
        assert!(result.trim_end().ends_with(expected), "{result}");
    }
}

#[test]
fn paragraphs_continue_across_pages() {
    let long = "word ".repeat(1500);
    let text = format!("# Title\n\n{}\n\n# Next\n\nEnd.", long.trim());
    let file = convert("a.md", text.as_bytes(), "pdf").unwrap();
    let result = markdown(&file);
    let paragraphs = result.split("\n\n").filter(|text| text.starts_with("word"));
    assert_eq!(paragraphs.count(), 1, "{result}");
    let marked = convert_with("a.pdf", &file, "md", "high", &[("pages", "marked")])
        .unwrap()
        .0;
    let marked = String::from_utf8(marked).unwrap();
    assert_eq!(marked.matches("<!-- page ").count(), 3, "{marked}");
}

/// A page with a heading and two lines. The structure contains the first `count` of them.
fn page(count: usize, role: &str) -> Vec<u8> {
    let lines = [
        "A small heading",
        "A line that says something.",
        "Another line of text.",
    ];
    let mut content = String::new();
    for (at, line) in lines.iter().enumerate() {
        let y = 700 - 40 * at;
        content.push_str(&format!(
            "/P << /MCID {at} >> BDC BT /F 10 Tf 50 {y} Td ({line}) Tj ET EMC\n"
        ));
    }
    let element = |at: usize| {
        let role = if at == 0 { role } else { "P" };
        format!("<< /S /{role} /Pg 3 0 R /K {at} >>")
    };
    let elements: String = (0..count).map(element).collect();
    let tree = format!(
        "<< /Type /StructTreeRoot /K [{elements}] /RoleMap << /Chapter /Title2 /Title2 /H2 /Ring /Ring >> >>"
    );
    tagged(&content, &tree)
}

/// A file of one page with this content and this structure tree.
fn tagged(content: &str, tree: &str) -> Vec<u8> {
    let mut file = make::File::new();
    file.object(
        "<< /Type /Catalog /Pages 2 0 R /MarkInfo << /Marked true >> /StructTreeRoot 5 0 R >>",
    );
    file.object("<< /Type /Pages /Kids [3 0 R] /Count 1 >>");
    file.object(
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << \
         /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >> \
         /M << /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >> >> >> >>",
    );
    file.stream("", content);
    file.object(tree);
    file.finish()
}

#[test]
fn implausible_tags_are_ignored() {
    let followed = "## A small heading\n\nA line that says something.\n\nAnother line of text.";
    assert_eq!(markdown(&page(3, "H2")).trim(), followed);
    // A custom role that is mapped to a standard one.
    assert_eq!(markdown(&page(3, "Chapter")).trim(), followed);
    let guessed = "A small heading\n\nA line that says something.\n\nAnother line of text.";
    // Structures that leave text out, contain hardly anything, or have circular role maps.
    assert_eq!(markdown(&page(1, "H2")).trim(), guessed);
    assert_eq!(markdown(&page(3, "P")).trim(), guessed);
    assert_eq!(markdown(&page(3, "Ring")).trim(), guessed);
}

#[test]
fn content_of_elements_without_meaning_belongs_to_their_parents() {
    let line = |at: usize, x: usize, y: usize, text: &str| {
        format!("/NonStruct << /MCID {at} >> BDC BT /F 10 Tf {x} {y} Td ({text}) Tj ET EMC\n")
    };
    let content = line(0, 50, 700, "A heading")
        + &line(1, 50, 660, "One line")
        + &line(2, 91, 660, "in three")
        + &line(3, 130, 660, "pieces.")
        + &line(4, 50, 620, "An item.");
    let of = |kids: &str| format!("<< /S /NonStruct /Pg 3 0 R /K {kids} >>");
    // A part of a line may be in a grouping element, or in one with an unknown name.
    let pieces = format!(
        "{} << /S /Div /K [{}] >> << /S /Unheard /K [{}] >>",
        of("1"),
        of("2"),
        of("3")
    );
    let body = format!("<< /S /LBody /K [{}] >>", of("4"));
    let tree = format!(
        "<< /Type /StructTreeRoot /K << /S /Document /K [<< /S /H1 /K [{}] >> << /S /P /K [{pieces}] >> << /S /L /K [<< /S /LI /K [{body}] >>] >>] >> >>",
        of("0")
    );
    let found = markdown(&tagged(&content, &tree));
    assert_eq!(
        found.trim(),
        "# A heading\n\nOne line in three pieces.\n\n- An item."
    );
}

#[test]
fn listings_of_browsers_keep_their_lines() {
    let text = |at: usize, font: &str, x: usize, y: usize, text: &str| {
        format!("/NonStruct << /MCID {at} >> BDC BT /{font} 10 Tf {x} {y} Td ({text}) Tj ET EMC\n")
    };
    let content = text(0, "F", 50, 700, "A heading of the page")
        + &text(
            1,
            "F",
            50,
            660,
            "A paragraph with more words than the listing below it has.",
        )
        + &text(2, "M", 50, 620, "def")
        + &text(3, "M", 74, 620, "f\\(x\\):")
        + &text(4, "M", 74, 608, "return")
        + &text(5, "M", 116, 608, "x")
        + &text(6, "M", 50, 560, "13");
    let of = |kids: &str| format!("<< /S /NonStruct /Pg 3 0 R /K {kids} >>");
    let pieces: String = (2..6).map(|at| of(&at.to_string())).collect();
    let cell = format!("<< /S /TD /K << /S /Code /K [{}] >> >>", of("6"));
    let tree = format!(
        "<< /Type /StructTreeRoot /K << /S /Document /K [<< /S /H1 /K [{}] >> << /S /P /K [{}] >> << /S /NonStruct /K [{pieces}] >> << /S /Table /K << /S /TR /K [{cell} {cell2}] >> >>] >> >>",
        of("0"),
        of("1"),
        cell2 = "<< /S /TD /K [] >>",
    );
    let found = markdown(&tagged(&content, &tree));
    assert!(
        found.contains("```\ndef f(x):\n    return x\n```"),
        "{found}"
    );
    assert!(
        found.contains("`13`") && !found.contains("```\n13"),
        "{found}"
    );
}

#[test]
fn printed_checkboxes_show_their_state() {
    let text = |at: usize, x: usize, y: usize, text: &str| {
        format!("/NonStruct << /MCID {at} >> BDC BT /F 10 Tf {x} {y} Td ({text}) Tj ET EMC\n")
    };
    let content = text(0, 50, 660, "A paragraph of the form")
        + &text(1, 190, 660, "Yes")
        + &text(2, 240, 660, "No")
        + &text(3, 50, 700, "A form");
    let of = |at: usize| format!("<< /S /NonStruct /Pg 3 0 R /K {at} >>");
    let field = |state: &str| {
        format!(
            "<< /S /Form /Pg 3 0 R /K 7 /A [<< /O /PrintField /Role /cb >> << /O /PrintField /checked /{state} >>] >>"
        )
    };
    let tree = format!(
        "<< /Type /StructTreeRoot /K << /S /Document /K [<< /S /H1 /K [{}] >> << /S /P /K [{} {} {} {} {}] >>] >> >>",
        of(3),
        of(0),
        field("on"),
        of(1),
        field("off"),
        of(2)
    );
    let found = markdown(&tagged(&content, &tree));
    assert!(found.contains("form ☒ Yes ☐ No"), "{found}");
}

#[test]
fn entries_of_menus_belong_to_their_frames() {
    // Chromium tags the frame of a menu or list, and draws the entries outside of marked content.
    let text = |at: usize, x: usize, y: usize, text: &str| {
        format!("/NonStruct << /MCID {at} >> BDC BT /F 10 Tf {x} {y} Td ({text}) Tj ET EMC\n")
    };
    let frame =
        |at: usize, x: usize| format!("/NonStruct << /MCID {at} >> BDC {x} 700 50 12 re S EMC\n");
    let content = text(0, 50, 740, "A heading")
        + &text(1, 50, 702, "City:")
        + &frame(2, 78)
        + "BT /F 10 Tf 80 702 Td (Bonn) Tj ET\n"
        + &text(3, 135, 702, "in")
        + &frame(4, 148)
        + "BT /F 10 Tf 150 716 Td (May) Tj 0 -14 Td (June) Tj ET\n"
        + &text(5, 50, 660, "The end.");
    let of = |at: usize| format!("<< /S /NonStruct /Pg 3 0 R /K {at} >>");
    let tree = format!(
        "<< /Type /StructTreeRoot /K << /S /Document /K [<< /S /H1 /K [{}] >> << /S /P /K [{} {} {} {}] >> << /S /P /K [{}] >>] >> >>",
        of(0),
        of(1),
        of(2),
        of(3),
        of(4),
        of(5)
    );
    assert_eq!(
        markdown(&tagged(&content, &tree)).trim(),
        "# A heading\n\nCity: Bonn in May June\n\nThe end."
    );
}

#[test]
fn a_text_area_follows_its_label() {
    let text = |tag: &str, at: usize, x: usize, y: usize, text: &str| {
        format!("/{tag} << /MCID {at} >> BDC BT /F 10 Tf {x} {y} Td ({text}) Tj ET EMC\n")
    };
    // The label is beside the last line of the text area.
    let content = text("NonStruct", 0, 50, 740, "A heading")
        + &text("NonStruct", 1, 50, 700, "Notes:")
        + &text("Form", 2, 90, 712, "first")
        + &text("Form", 3, 90, 700, "second")
        + &text("NonStruct", 4, 180, 700, "please");
    let of = |at: usize| format!("<< /S /NonStruct /Pg 3 0 R /K {at} >>");
    let tree = format!(
        "<< /Type /StructTreeRoot /K << /S /Document /K [<< /S /H1 /K [{}] >> \
         << /S /P /K [{} << /S /Form /Pg 3 0 R /K [2 3] /A << /O /PrintField /Role /tv >> >> {}] >>] >> >>",
        of(0),
        of(1),
        of(4)
    );
    assert_eq!(
        markdown(&tagged(&content, &tree)).trim(),
        "# A heading\n\nNotes: first second please"
    );
}
