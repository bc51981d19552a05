//! Text of untagged pages: footnotes at their references, code, tables of contents, headers and footers that are left
//! out, paragraphs across columns.

use crate::{harness::convert, make};

/// Helvetica, Helvetica bold, and Courier.
const FONTS: &str = "/F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >> \
     /B << /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >> \
     /C << /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>";

/// Content with these lines, each with its font, size and position.
fn lines(lines: &[(&str, &str, f32, f32, f32)]) -> String {
    let line = |(text, font, size, x, y): &(&str, &str, f32, f32, f32)| {
        format!("BT /{font} {size} Tf {x} {y} Td ({text}) Tj ET\n")
    };
    lines.iter().map(line).collect()
}

/// The Markdown of these pages, with each paragraph on one line.
fn read(pages: &[String]) -> String {
    let mut file = make::File::new();
    let kids: Vec<String> = (0..pages.len())
        .map(|nth| format!("{} 0 R", 3 + 2 * nth))
        .collect();
    file.object("<< /Type /Catalog /Pages 2 0 R >>");
    file.object(format!(
        "<< /Type /Pages /Kids [{}] /Count {} /MediaBox [0 0 612 792] /Resources << /Font << {FONTS} >> >> >>",
        kids.join(" "),
        pages.len()
    ));
    for (nth, page) in pages.iter().enumerate() {
        file.object(format!(
            "<< /Type /Page /Parent 2 0 R /Contents {} 0 R >>",
            4 + 2 * nth
        ));
        file.stream("", page);
    }
    String::from_utf8(convert("a.pdf", &file.finish(), "md").unwrap()).unwrap()
}

/// A line with a superscript after it.
fn marked(text: &str, mark: &str, x: f32, y: f32) -> String {
    format!("BT /F 10 Tf {x} {y} Td ({text}) Tj /F 6 Tf 4 Ts ({mark}) Tj ET\n")
}

/// The words of Markdown.
fn words(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

/// Checks the Markdown of one page with these lines.
#[track_caller]
fn check(own: &[(&str, &str, f32, f32, f32)], expected: &str) {
    assert_eq!(read(&[lines(own)]), expected);
}

const LONG: &str = "This line of a paragraph is as long as the column is wide, and goes on";

#[test]
fn notes_are_linked_to_their_marks() {
    check(
        &[
            (LONG, "F", 10.0, 50.0, 700.0),
            ("and on to a word", "F", 10.0, 50.0, 688.0),
            ("1", "F", 6.0, 123.5, 692.0),
            (" with a note.", "F", 10.0, 127.0, 688.0),
            ("1", "F", 5.0, 50.0, 103.0),
            ("What the note says,", "F", 8.0, 54.0, 100.0),
            ("in two lines.", "F", 8.0, 50.0, 90.0),
        ],
        &format!(
            "{LONG}\nand on to a word[^1] with a note.\n\n[^1]: What the note says, in two lines.\n"
        ),
    );
    // A superscript without a note is an exponent, or has its note elsewhere.
    let page =
        lines(&[(LONG, "F", 10.0, 50.0, 700.0)]) + &marked("over an area in m", "2", 50.0, 688.0);
    let expected = format!("{LONG}\nover an area in m<sup>2</sup>\n");
    assert_eq!(read(&[page]), expected);
}

#[test]
fn code_keeps_its_indents_and_empty_lines() {
    check(
        &[
            (LONG, "F", 10.0, 50.0, 700.0),
            (LONG, "F", 10.0, 50.0, 688.0),
            (LONG, "F", 10.0, 50.0, 676.0),
            ("ends before code.", "F", 10.0, 50.0, 664.0),
            ("if here:", "C", 10.0, 60.0, 640.0),
            ("one\\(\\)", "C", 10.0, 84.0, 628.0),
            ("else:", "C", 10.0, 60.0, 604.0),
            ("two\\(\\)", "C", 10.0, 84.0, 592.0),
            ("It calls ", "F", 10.0, 50.0, 560.0),
            ("one\\(\\)", "C", 10.0, 92.0, 560.0),
            ("if it is there.", "F", 10.0, 125.0, 560.0),
        ],
        &format!(
            "{LONG}\n{LONG}\n{LONG}\nends before code.\n\n```\nif here:\n    one()\n\nelse:\n    two()\n```\n\n\
             It calls `one()` if it is there.\n"
        ),
    );
}

#[test]
fn toc_entries_stay_separate_and_lose_their_leaders() {
    check(
        &[
            ("Contents", "B", 16.0, 50.0, 700.0),
            (
                "The first part . . . . . . . . . . . . . . . . . . . . 1",
                "F",
                10.0,
                50.0,
                680.0,
            ),
            (
                "The second part . . . . . . . . . . . . . . . . . . . 12",
                "F",
                10.0,
                50.0,
                668.0,
            ),
        ],
        "# Contents\n\nThe first part … 1\n\nThe second part … 12\n",
    );
}

#[test]
fn evenly_spaced_lines_are_one_paragraph() {
    let page = lines(&[
        ("A part", "B", 10.0, 50.0, 700.0),
        (LONG, "F", 10.0, 50.0, 676.0),
        (LONG, "F", 10.0, 50.0, 656.0),
        (LONG, "F", 10.0, 50.0, 636.0),
        (LONG, "F", 10.0, 50.0, 616.0),
        ("and end.", "F", 10.0, 50.0, 596.0),
    ]);
    let expected = format!("# A part\n\n{LONG}\n{LONG}\n{LONG}\n{LONG}\nand end.\n");
    assert_eq!(read(&[page]), expected);
}

#[test]
fn labels_are_not_headings_but_lines_with_heading_style_are() {
    let text = "A sentence that stands below a heading, as long as one usually is here.";
    check(
        &[
            ("First", "B", 10.0, 50.0, 700.0),
            (text, "F", 10.0, 50.0, 688.0),
            ("It ends.", "F", 10.0, 50.0, 676.0),
            ("Second", "B", 10.0, 50.0, 664.0),
            (text, "F", 10.0, 50.0, 652.0),
            ("Valve", "B", 10.0, 50.0, 500.0),
            ("open", "F", 10.0, 50.0, 450.0),
        ],
        &format!("# First\n\n{text}\nIt ends.\n\n# Second\n\n{text}\n\n**Valve**\n\nopen\n"),
    );
}

#[test]
fn lines_with_page_numbers_and_watermarks_are_left_out() {
    let names = ["Means", "Ends", "Means of ends", "Ends of means"];
    let page = |(nth, name): (usize, &&str)| {
        let number = nth + 11;
        let foot = match nth % 2 {
            0 => format!("{name} {number}"),
            _ => format!("{number} A book for i"),
        };
        let text = format!("What is said of {name}.");
        let mark = "BT /F 60 Tf 0.7 0.7 -0.7 0.7 200 300 Tm (DRAFT) Tj ET\n";
        lines(&[
            (&text, "F", 10.0, 50.0, 700.0),
            (&foot, "F", 8.0, 50.0, 40.0),
        ]) + mark
    };
    let pages: Vec<String> = names.iter().enumerate().map(page).collect();
    let expected = names.map(|name| format!("What is said of {name}.\n"));
    let expected = expected.join("\n");
    assert_eq!(read(&pages), expected);
}

#[test]
fn paragraphs_continue_after_notes_and_on_the_next_page() {
    let first = lines(&[(LONG, "F", 10.0, 50.0, 120.0)])
        + &marked(LONG, "1", 50.0, 108.0)
        + &lines(&[
            ("1", "F", 5.0, 50.0, 73.0),
            ("A note.", "F", 8.0, 54.0, 70.0),
        ]);
    let second = lines(&[("behind it, to an end.", "F", 10.0, 50.0, 700.0)]);
    let text = read(&[first, second]);
    let expected = format!("{LONG} {LONG}[^1] behind it, to an end. [^1]: A note.");
    assert_eq!(words(&text), expected);
}
