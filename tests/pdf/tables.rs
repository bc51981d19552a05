//! Tables of PDF files, with lines around all cells, around some, or without lines; and content that only resembles a
//! table.

use crate::{
    harness::{convert, convert_with, directory, has, output_of},
    make,
};
use std::fs;

/// A page with these strokes and fills, and with words at these positions.
fn page(drawn: &str, words: &[(&str, f32, f32)]) -> Vec<u8> {
    let words: String = words
        .iter()
        .map(|(text, x, y)| {
            // A word that begins with a star is bold.
            let (font, text) = match text.strip_prefix('*') {
                Some(text) => ("B", text),
                None => ("F", *text),
            };
            format!("BT /{font} 10 Tf {x} {y} Td ({text}) Tj ET\n")
        })
        .collect();
    make::with_content("", &format!("{drawn}\n{words}"))
}

/// Strokes between pairs of points.
fn strokes(lines: &[[i32; 4]]) -> String {
    let line = |[x, y, to_x, to_y]: &[i32; 4]| format!("{x} {y} m {to_x} {to_y} l S\n");
    lines.iter().map(line).collect()
}

#[track_caller]
fn check(file: &[u8], to: &str, expected: &str) {
    let result = String::from_utf8(convert("a.pdf", file, to).unwrap()).unwrap();
    let found: String = result.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(found.contains(expected), "{expected}\nis not in\n{result}");
}

/// The lines of three rows and two columns: from 100 to 300 horizontally, and from 700 down to 640.
const GRID: [[i32; 4]; 7] = [
    [100, 700, 300, 700],
    [100, 680, 300, 680],
    [100, 660, 300, 660],
    [100, 640, 300, 640],
    [100, 700, 100, 640],
    [200, 700, 200, 640],
    [300, 700, 300, 640],
];

const WORDS: [(&str, f32, f32); 8] = [
    ("Words before it.", 100.0, 730.0),
    ("*Fruit", 105.0, 686.0),
    ("*Count", 205.0, 686.0),
    ("green apples", 105.0, 666.0),
    ("12", 205.0, 666.0),
    ("pears", 105.0, 646.0),
    ("7", 205.0, 646.0),
    ("Words behind it.", 100.0, 610.0),
];

#[test]
fn ruled_tables_are_recognised() {
    let file = page(&strokes(&GRID), &WORDS);
    let table = "| Fruit | Count | |-|-| | green apples | 12 | | pears | 7 |";
    let result = String::from_utf8(convert("a.pdf", &file, "md").unwrap()).unwrap();
    // The writer chooses the number of dashes.
    let plain: String = result.split_whitespace().collect::<Vec<_>>().join(" ");
    let dashes = |text: &str| {
        let mut text = text.to_owned();
        while text.contains("--") {
            text = text.replace("--", "-");
        }
        text
    };
    let expected = format!("Words before it. {table} Words behind it.");
    assert_eq!(dashes(&plain), dashes(&expected), "{result}");
    let (_, notes) = convert_with("a.pdf", &file, "md", "medium", &[]).unwrap();
    assert!(
        notes.0.iter().any(|note| note.contains("1 table")),
        "{notes:?}"
    );
    // Plain text keeps the table as it looks.
    check(&file, "txt", "Fruit Count green apples 12 pears 7");
    check(&file, "html", "<th>Fruit</th>");
    check(&file, "html", "<td>green apples</td>");
}

#[test]
fn rules_may_be_thin_rectangles_or_cell_edges() {
    // Some programs stroke a rectangle for each cell.
    let mut cells = String::new();
    for (x, y) in (0..3).flat_map(|row| [(100, 680 - 20 * row), (200, 680 - 20 * row)]) {
        cells += &format!("{x} {y} 100 20 re S\n");
    }
    check(&page(&cells, &WORDS), "html", "<th>Fruit</th>");
    // Lines drawn as filled rectangles of half a point.
    let areas: String = GRID
        .iter()
        .map(|[x, y, to_x, to_y]| {
            let (width, height) = ((to_x - x).max(0), (y - to_y).max(0));
            match height {
                0 => format!("{x} {y} {width} 0.5 re f\n"),
                _ => format!("{x} {to_y} 0.5 {height} re f\n"),
            }
        })
        .collect();
    check(&page(&areas, &WORDS), "html", "<th>Fruit</th>");
    // A header row with a background, and without bold text.
    let ground = format!("0.8 g 100 680 200 20 re f 0 g\n{}", strokes(&GRID));
    let mut words = WORDS;
    (words[1].0, words[2].0) = ("Fruit", "Count");
    check(&page(&ground, &words), "html", "<th>Fruit</th>");
    check(&page(&strokes(&GRID), &words), "html", "<td>Fruit</td>");
}

#[test]
fn merged_cells_have_spans() {
    let mut rules = GRID.to_vec();
    // There is no line between the two cells of the first row, and none between the last two cells of the right column.
    rules[5] = [200, 680, 200, 640];
    rules[2] = [100, 660, 200, 660];
    let words = [
        ("wide", 105.0, 686.0),
        ("left", 105.0, 666.0),
        ("high", 205.0, 656.0),
        ("low", 105.0, 646.0),
    ];
    let file = page(&strokes(&rules), &words);
    check(&file, "html", "<td colspan=\"2\">wide</td>");
    check(&file, "html", "<td rowspan=\"2\">high</td>");
}

#[test]
fn few_rules_suffice_if_words_are_in_columns() {
    #[track_caller]
    fn check_one(rules: &[[i32; 4]]) {
        let html =
            String::from_utf8(convert("a.pdf", &page(&strokes(rules), &WORDS), "html").unwrap());
        let html = html.unwrap();
        assert_eq!(html.matches("<table").count(), 1, "{html}");
        assert!(html.contains("green apples</td>"), "{html}");
        assert!(html.contains("12</td>"), "{html}");
    }
    // Only lines above and below rows.
    check_one(&GRID[..4]);
    // Only a frame around the table.
    check_one(&[GRID[0], GRID[3], GRID[4], GRID[6]]);
    // Without the right edge, and without the left and the right edge.
    check_one(&GRID[..6]);
    check_one(&[&GRID[..4], &GRID[5..6]].concat());
}

/// Lines of words with their positions.
fn written(rows: &[&[(&'static str, f32)]]) -> Vec<(&'static str, f32, f32)> {
    let rows = rows.iter().enumerate();
    let words = rows.flat_map(|(at, row)| {
        row.iter()
            .map(move |(word, x)| (*word, *x, 700.0 - 14.0 * at as f32))
    });
    words.collect()
}

#[test]
fn aligned_words_without_rules_are_a_table() {
    let words = written(&[
        &[("Fruit", 72.0), ("2023", 220.0), ("2024", 300.0)],
        &[("green apples", 72.0), ("12", 230.0), ("14", 310.0)],
        &[("pears", 72.0), ("1,007", 216.0), ("980", 304.0)],
        &[("quinces and medlars", 72.0), ("3", 236.0)],
        &[("all", 72.0), ("1,022", 216.0), ("994", 304.0)],
    ]);
    let file = page("", &words);
    check(
        &file,
        "html",
        "<td>quinces and medlars</td> <td>3</td> <td></td>",
    );
    // The same with dot leaders, as in a table of contents, is not a table.
    let words = written(&[
        &[("Apples ..................", 72.0), ("3", 236.0)],
        &[("Pears ...................", 72.0), ("7", 236.0)],
        &[("Quinces .................", 72.0), ("19", 230.0)],
        &[("Medlars .................", 72.0), ("24", 230.0)],
        &[("Index ...................", 72.0), ("31", 230.0)],
    ]);
    let html = String::from_utf8(convert("a.pdf", &page("", &words), "html").unwrap()).unwrap();
    assert!(!html.contains("<table"), "{html}");
}

#[test]
fn tables_become_sheets_with_numbers() {
    let words = written(&[
        &[("Stadt", 72.0), ("Fl\\344che", 220.0), ("Anteil", 300.0)],
        &[("Wien", 72.0), ("414,8", 226.0), ("0,5 %", 304.0)],
        &[("Graz", 72.0), ("127,6", 226.0), ("0,2 %", 304.0)],
        &[("Tirol", 72.0), ("12.648", 220.0), ("15 %", 306.0)],
    ]);
    let file = page("", &words);
    let csv = String::from_utf8(convert("a.pdf", &file, "csv").unwrap()).unwrap();
    let rows: Vec<&str> = csv.lines().skip(1).collect();
    assert_eq!(
        rows,
        ["Wien,414.8,0.5%", "Graz,127.6,0.2%", "Tirol,12648,15%"]
    );
    let json = String::from_utf8(convert("a.pdf", &file, "json").unwrap()).unwrap();
    assert!(json.contains("12648"), "{json}");
    let none = page("", &[("No table at all.", 72.0, 700.0)]);
    let (csv, notes) = convert_with("a.pdf", &none, "csv", "medium", &[]).unwrap();
    assert_eq!(csv, b"");
    assert!(
        notes.0.iter().any(|note| note.contains("No table")),
        "{notes:?}"
    );
}

#[test]
fn lines_that_are_not_tables_stay_lines() {
    #[track_caller]
    fn check_none(file: &[u8]) {
        let html = String::from_utf8(convert("a.pdf", file, "html").unwrap()).unwrap();
        assert!(!html.contains("<table"), "{html}");
        assert!(html.contains("green apples"), "{html}");
    }
    // White lines on white, and too few rows to recognise a table by its words.
    check_none(&page(&format!("1 G {}", strokes(&GRID)), &WORDS));
    // The grid of a chart, with words beside it.
    let mut chart: Vec<[i32; 4]> = (0..9)
        .map(|nth| [100, 400 + 20 * nth, 300, 400 + 20 * nth])
        .collect();
    chart.extend((0..9).map(|nth| [100 + 25 * nth, 400, 100 + 25 * nth, 560]));
    check_none(&page(&strokes(&chart), &WORDS));
}

#[test]
fn a_table_printed_by_a_browser_is_read() {
    if !has("chromium") {
        return;
    }
    let at = directory("tables");
    let html = "<h1>Report</h1><p>Some words before the table.</p><table border=1 style='border-collapse:collapse'>\
        <tr><th>Name<th>Count<th>Remark</tr><tr><td>Apples and pears from the garden<td>12<td>fresh</tr>\
        <tr><td colspan=2>Total of all<td rowspan=2>two rows</tr><tr><td>Plums<td>7</tr></table><p>Words after it.";
    fs::write(at.join("a.html"), html).unwrap();
    let to = at.join("a.pdf");
    let print = format!("--print-to-pdf={}", to.display());
    let from = at.join("a.html");
    output_of(
        "chromium",
        &[
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-pdf-header-footer",
            &print,
            from.to_str().unwrap(),
        ],
    );
    let file = fs::read(to).unwrap();
    for cell in [
        "<th>Name</th>",
        "<td>Apples and pears from the garden</td>",
        "<td colspan=\"2\">Total of all</td>",
        "<td rowspan=\"2\">two rows</td>",
        "</table> <p>Words after it.</p>",
    ] {
        check(&file, "html", cell);
    }
}
