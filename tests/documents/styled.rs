//! HTML pages as a browser lays them out: page breaks, and pictures of pages.

#![cfg(feature = "pdf")]

use crate::harness::{convert, convert_with, data, directory, has, output_of};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The text of each printed page of an HTML page, on A4 with a content area 1047 px high.
fn pages(name: &str, bytes: &[u8], fields: &[(&str, &str)]) -> Vec<String> {
    let (pdf, _) = convert_with(name, bytes, "pdf", "medium", fields).unwrap();
    let marked = [("pages", "marked")];
    let (text, _) = convert_with("page.pdf", &pdf, "txt", "medium", &marked).unwrap();
    let text = String::from_utf8(text).unwrap();
    let pages = text.split("<!-- page ").skip(1);
    pages
        .map(|page| {
            let (_, text) = page.split_once("-->").unwrap();
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        })
        .collect()
}

#[track_caller]
fn check(body: &str, expected: &[&str]) {
    let page = format!(
        "<!DOCTYPE html><style>body {{ margin: 0; font: 16px/20px serif }}</style><body>{body}"
    );
    assert_eq!(pages("page.html", page.as_bytes(), &[]), expected, "{body}");
}

/// Lines with the numbers from 1 to `count`.
fn lines(count: usize) -> String {
    let lines: Vec<String> = (1..=count).map(|line| line.to_string()).collect();
    lines.join("<br>")
}

#[test]
fn style_sheet_page_breaks_are_applied() {
    check(
        "<p>a<p style='break-before: page'>b<p style='page-break-after: always'>c<p>d",
        &["a", "b c", "d"],
    );
    // A block that may not be divided moves to the next page.
    check(
        "<div style='height: 1000px'>a</div><div style='break-inside: avoid'><p>b<p>c</div>",
        &["a", "b c"],
    );
    check(
        "<div style='height: 1000px'>a</div><p style='break-after: avoid; margin: 0'>b<p>c",
        &["a", "b c"],
    );
    // The break properties of the last child also apply after its box, and those of the first child before its box.
    check(
        "<div style='height: 1000px'>a</div><div><div><p style='break-after: avoid; margin: 0'>b</div></div><p>c",
        &["a", "b c"],
    );
    check(
        "<div style='height: 1000px'>a</div><p style='margin: 0'>b</p><div><p style='break-before: avoid'>c</div>",
        &["a", "b c"],
    );
}

#[test]
fn widows_and_orphans_have_at_least_two_lines() {
    // Only five of the six lines fit. `widows` demands two lines after the break, so four stay and two move.
    let room = 1047 - 5 * 20 - 5;
    check(
        &format!(
            "<div style='height: {room}px'>a</div><div>{}</div>",
            lines(6)
        ),
        &["a 1 2 3 4", "5 6"],
    );
}

#[test]
fn padding_stays_with_the_last_lines() {
    // As in Chromium 156: the padding of a block moves to the next page with the last two lines of the block, and the
    // padding of a cell with the whole row.
    let room = 1047 - 6 * 20 - 10;
    check(
        &format!(
            "<div style='height: {room}px'>a</div><div style='padding-bottom: 40px'>{}</div>b",
            lines(6)
        ),
        &["a 1 2 3 4", "5 6 b"],
    );
    check(
        &format!(
            "<div style='height: {room}px'>a</div><table cellspacing=0><tr><td style='padding: 0 0 40px'>{}</table>b",
            lines(6)
        ),
        &["a", "1 2 3 4 5 6 b"],
    );
}

#[test]
fn table_heads_repeat_on_every_page() {
    let rows: String = (1..=3)
        .map(|row| format!("<tr><td style='height: 600px'>{row}"))
        .collect();
    check(
        &format!("<table><thead><tr><th>H<tbody>{rows}</table>"),
        &["H 1", "H 2", "H 3"],
    );
}

#[test]
fn a_page_becomes_a_picture_as_high_as_its_content() {
    let page =
        "<!DOCTYPE html><body style='margin: 0; background: #0f0'><div style='height: 30px'></div>";
    let size = |png: &[u8]| {
        let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
        (number(16), number(20))
    };
    let png = convert("page.html", page.as_bytes(), "png").unwrap();
    assert_eq!(size(&png), (800, 30));
    let fields = [("width", "320"), ("dpi", "192")];
    let (png, _) = convert_with("page.html", page.as_bytes(), "png", "medium", &fields).unwrap();
    assert_eq!(size(&png), (640, 60));
    // Media queries see a screen of the window's width.
    let page = "<!DOCTYPE html><style>body { margin: 0 } div { height: 10px }
        @media screen and (max-width: 400px) { div { height: 20px } } @media print { div { height: 90px } }
        </style><div></div>";
    let png = convert("page.html", page.as_bytes(), "png").unwrap();
    assert_eq!(size(&png), (800, 10));
    let (png, _) = convert_with(
        "page.html",
        page.as_bytes(),
        "png",
        "medium",
        &[("width", "400")],
    )
    .unwrap();
    assert_eq!(size(&png), (400, 20));
}

#[test]
fn books_keep_their_styles_and_their_chapters_begin_pages() {
    let book = data("report-epub2.epub");
    let styled = pages("book.epub", &book, &[]);
    let plain = pages("book.epub", &book, &[("styles", "ignore")]);
    let words = |pages: &[String]| {
        pages
            .iter()
            .map(|page| page.split(' ').count())
            .sum::<usize>()
    };
    assert!(!styled.is_empty() && !plain.is_empty());
    let (styled, plain) = (words(&styled), words(&plain));
    assert!(styled * 10 > plain * 9, "{styled} of {plain} words");
}

/// The words of a page and their positions, in points from the upper left corner; `None` without poppler.
pub(crate) fn places(body: &str) -> Option<Vec<(String, i64, i64)>> {
    if !has("pdftotext") {
        return None;
    }
    let page = format!(
        "<!DOCTYPE html><style>@page {{ size: 300pt 300pt; margin: 0 }} body {{ margin: 0; font: 16px/20px serif }}</style><body>{body}"
    );
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    let at = directory(&format!("styled-{}", CALLS.fetch_add(1, Ordering::Relaxed)));
    let file = at.join("page.pdf");
    std::fs::write(&file, convert("page.html", page.as_bytes(), "pdf").unwrap()).unwrap();
    let listed = output_of("pdftotext", &["-bbox", &file.display().to_string(), "-"]);
    let _ = std::fs::remove_dir_all(at);
    let edge = |line: &str, name: &str| {
        let (_, rest) = line.split_once(&format!("{name}=\""))?;
        rest.split('"').next()?.parse::<f64>().ok()
    };
    let word = |line: &str| {
        let (x, y) = (edge(line, "xMin")?, edge(line, "yMin")?);
        let (_, word) = line.split_once('>')?;
        let word = word.split('<').next().unwrap_or_default();
        Some((word.to_owned(), x as i64, y as i64))
    };
    Some(listed.lines().filter_map(word).collect())
}

#[test]
fn columns_are_balanced_and_continue_on_the_next_page() {
    // Six lines make three columns of two; a heading that spans all columns divides them.
    check_columns(
        "<div style='columns: 3; column-gap: 0; width: 300px; orphans: 1; widows: 1'>1<br>2<br>3<br>4<br>5<br>6</div>",
        &[
            ("1", 0, 0),
            ("2", 0, 1),
            ("3", 1, 0),
            ("4", 1, 1),
            ("5", 2, 0),
            ("6", 2, 1),
        ],
    );
    check_columns(
        "<div style='columns: 3; column-gap: 0; width: 300px'><p style='margin: 0'>1<p style='margin: 0; break-before: column'>2
        <h1 style='column-span: all; font: inherit; margin: 0'>H</h1><p style='margin: 0'>3</div>",
        &[("1", 0, 0), ("2", 1, 0), ("H", 0, 1), ("3", 0, 2)],
    );
    // With a fixed height, the first column is filled before the second one.
    check_columns(
        "<div style='columns: 3; column-gap: 0; column-fill: auto; width: 300px; height: 80px; orphans: 1; widows: 1'>1<br>2<br>3<br>4<br>5</div>",
        &[
            ("1", 0, 0),
            ("2", 0, 1),
            ("3", 0, 2),
            ("4", 0, 3),
            ("5", 1, 0),
        ],
    );
    // Both columns of the first page come before those of the second page.
    let room = 1047 - 2 * 20 - 5;
    check(
        &format!(
            "<div style='height: {room}px'>a</div><div style='columns: 2; orphans: 1; widows: 1'>{}</div>b",
            lines(8)
        ),
        &["a 1 3 2 4", "5 7 6 8 b"],
    );
}

/// Checks the column of 100 px and the line of 20 px in which each word begins.
#[track_caller]
fn check_columns(body: &str, expected: &[(&str, i64, i64)]) {
    let Some(places) = places(body) else { return };
    let mut found: Vec<(String, i64, i64)> = places
        .into_iter()
        .map(|(word, x, y)| (word, x / 75, y / 15))
        .collect();
    let order = |word: &str| expected.iter().position(|(own, ..)| *own == word);
    found.sort_by_key(|(word, ..)| order(word));
    let found: Vec<(&str, i64, i64)> = found.iter().map(|(w, x, y)| (w.as_str(), *x, *y)).collect();
    assert_eq!(found, expected, "{body}");
}

#[test]
fn the_first_letter_and_the_first_line_have_their_own_styles() {
    // The letter is as high as two lines, which are beside it.
    let found = places(
        "<style>p { width: 100px; margin: 0 } p::first-letter { float: left; font-size: 40px; line-height: 40px }</style>
        <p>“Xa bbbbb ccccc ddddd eeeee",
    );
    if let Some(found) = found {
        let at = |word: &str| found.iter().find(|(own, ..)| own.contains(word)).unwrap();
        assert!(found[0].0.starts_with("“X"), "{found:?}");
        assert!(at("ccccc").1 > 20, "{found:?}");
        assert_eq!(at("ddddd").1, 0, "{found:?}");
    }
    // Larger letters on the first line leave room for one word less; other lines do not change.
    check_columns(
        "<style>div::first-line { font-size: 32px }</style><div style='width: 100px; font: 16px/20px monospace'>aaaa bbbb cccc</div>",
        &[("aaaa", 0, 0), ("bbbb", 0, 1), ("cccc", 0, 1)],
    );
}

#[test]
fn style_sheets_apply_to_other_document_formats() {
    let page = "<!DOCTYPE html><html><head><style>
        .gone, p.late { display: none } b.plain { font-weight: normal } .strong { font-weight: 700 }
        em { font-style: normal } i.red { color: #c00000 } .mid { text-align: center } .dark { background: #000; color: #fff }
        @media print { p.late { display: block } .screen { display: none } } h2 { break-before: page }
        </style></head><body><p class=gone>hidden</p><p class=late>printed</p><p class=screen>seen</p>
        <p>a <b class=plain>b</b> <span class=strong>c</span> <em>d</em> <i class=red>e</i></p>
        <p class=mid>f</p><div class=dark>g</div><table><tr><td class=dark>h</table><h2>i</h2></body></html>";
    let md = convert("page.html", page.as_bytes(), "md").unwrap();
    let md = String::from_utf8(md).unwrap();
    assert!(
        !md.contains("hidden") && !md.contains("seen") && md.contains("printed"),
        "{md}"
    );
    assert!(md.contains("a b **c** d *e*"), "{md}");
    let rtf = |page: &str| {
        let rtf = convert("page.html", page.as_bytes(), "rtf").unwrap();
        String::from_utf8(rtf).unwrap()
    };
    let whole = rtf(page);
    for part in ["\\red192\\green0\\blue0", "\\qc", "\\page"] {
        assert!(whole.contains(part), "{part} in {whole}");
    }
    // White text stays white if its dark background is kept, and not if it is lost.
    let white = "\\red255\\green255\\blue255";
    let dark = "<style>.dark { background: #000; color: #fff }</style>";
    assert!(rtf(&format!("{dark}<span class=dark>h</span>")).contains(white));
    assert!(!rtf(&format!("{dark}<div class=dark>g</div>")).contains(white));
}

#[test]
fn page_margin_boxes_are_drawn_on_all_sides() {
    let found = places(
        "<style>@page { margin: 60px; @left-top { content: 'A' } @right-bottom { content: 'B' } @top-right { content: 'C' }
        @bottom-left-corner { content: 'D\\a E' } }</style>x",
    );
    let Some(found) = found else { return };
    let at = |word: &str| {
        let word = found.iter().find(|(own, ..)| own == word).unwrap();
        (word.1, word.2)
    };
    // Margins are 45 of 300 points.
    let ((x, y), (right, bottom)) = (at("A"), at("B"));
    assert!(x < 30 && (40..60).contains(&y), "{found:?}");
    assert!(right > 260 && (230..256).contains(&bottom), "{found:?}");
    assert!(
        (235..256).contains(&at("C").0) && at("C").1 < 30,
        "{found:?}"
    );
    assert!(
        at("D").0 < 30 && at("D").1 > 250 && at("E").1 > at("D").1,
        "{found:?}"
    );
}

#[test]
fn extreme_styles_are_bounded() {
    // Each level repeats the selector around it many times.
    let nested = ".a, .b { & & & & & & & & ".repeat(14) + "{ color: red }" + &"}".repeat(14);
    let pages: [(&str, String); 20] = [
        (
            "div { columns: 3 }",
            "<div>".repeat(40) + &"a b c ".repeat(50),
        ),
        (
            "div { columns: 1000; column-gap: 0 }",
            format!("<div>{}</div>", "a b c ".repeat(200)),
        ),
        (
            "div { columns: 3; height: 1px; column-fill: auto }",
            format!("<div>{}", "a<br>".repeat(500)),
        ),
        (
            "div { columns: 2 } p { break-after: column }",
            format!("<div>{}", "<p>a".repeat(500)),
        ),
        (
            "div { columns: 1e-9px; column-gap: 0 }",
            "<div>a b c".to_owned(),
        ),
        (
            "div::first-letter { font-size: 1e9px } div::first-line { font-size: 0 }",
            "<div>".repeat(200) + "abc",
        ),
        (
            "*::first-line { font-size: 200% }",
            "<p><span>a b".repeat(200),
        ),
        (
            "div { display: grid; grid-template-columns: repeat(1000000, 1px) }",
            "<div><p>a</div>".to_owned(),
        ),
        (
            "p { counter-increment: a 2147483647 } p::before { content: counter(a, armenian) }",
            "<p>a".repeat(5),
        ),
        (
            "@page { size: 0 0; margin: 1e9px; @left-top { content: 'a\\a b' } }",
            "a".to_owned(),
        ),
        (
            "svg { width: 1e30px; height: 1e30px }",
            "<svg><rect width=10 height=10 /></svg>".to_owned(),
        ),
        (
            "div { break-inside: avoid; height: 5000px }",
            "<div>a</div>".repeat(3),
        ),
        (
            ":root { --a: x x x x; --b: var(--a) var(--a); --c: var(--b) var(--b); --d: var(--d); --e: var(--f); --f: var(--e) }
            p { width: calc((((((1px)))))); height: var(--d); color: var(--e); font-family: var(--c) }",
            "<p>a".to_owned(),
        ),
        (
            nested.as_str(),
            "<p class=a>a".to_owned(),
        ),
        (
            "div:has(p:has(b)) { color: red } *:has(* *):has(*) { color: blue } p:nth-child(2n of :is(p, b)) { color: red }",
            "<div>".repeat(100) + &"<p>a<b>b</b>".repeat(300),
        ),
        (
            "@counter-style one { system: extends two } @counter-style two { system: extends one }
            @counter-style many { system: symbolic; symbols: '*' } ol { list-style: one } ul { list-style: many }",
            "<ol start=2147483647><li>a</ol><ul start=-2147483648><li>b</ul>".to_owned(),
        ),
        (
            "p { height: 90px; background: repeating-linear-gradient(red 0, blue 1e-9px), repeating-conic-gradient(red 0, blue 0.001deg),
            repeating-radial-gradient(red 0, blue 1e-9px); border: 9px solid; border-image: repeating-linear-gradient(red, blue 1e-9px) 0.0001% / 1e9px round }",
            "<p>a".to_owned(),
        ),
        (
            "div { position: fixed } p { position: absolute; top: 1e9px }",
            "<div>a</div>".repeat(300) + "<p>b",
        ),
        (
            "p { width: 1e30px; height: 1e30px; margin: -1e30px; border: 1e30px solid; letter-spacing: 1e30px; transform: scale(1e30);
            text-decoration: underline wavy 1e30px; clip-path: circle(1e30px at -1e30px) }",
            "<p>a b".to_owned(),
        ),
        (
            "p { font-size: 1e6px } i { font-size: 0 }",
            "<p>a<i>b</i>".to_owned(),
        ),
    ];
    for (styles, body) in pages {
        let page = format!("<!DOCTYPE html><style>{styles}</style><body>{body}");
        for to in ["pdf", "md"] {
            let made = convert("page.html", page.as_bytes(), to);
            assert!(made.is_ok(), "{styles}: {made:?}");
        }
    }
}

#[test]
fn unsupported_styles_are_noted_once() {
    let told = |body: &str| {
        let page = format!("<!DOCTYPE html><title>t</title>{body}<p>a<p>b");
        let made = convert_with("page.html", page.as_bytes(), "pdf", "medium", &[]);
        made.unwrap().1.0
    };
    for (body, words) in [
        ("<script>1</script>", "A script was not run"),
        (
            "<style>@keyframes x { to { color: red } }</style>",
            "Animations",
        ),
        ("<style>p { filter: blur(2px) }</style>", "Filters"),
        (
            "<style>@container (width > 1px) { p { color: red } }</style>",
            "@container",
        ),
        (
            "<style>p { -webkit-line-clamp: 2; overflow: hidden }</style>",
            "line-clamp",
        ),
        (
            "<style>@page { background: #ffe }</style>",
            "backgrounds of pages",
        ),
        (
            "<style>div { display: grid; grid-template-rows: subgrid }</style>",
            "subgrid",
        ),
        (
            "<iframe src=x.html></iframe><video src=x.mp4></video>",
            "2 frames, videos",
        ),
        ("<img src='https://x/a.png'>", "picture outside of the page"),
        (
            "<link rel=stylesheet href=x.css>",
            "style sheet outside of the page",
        ),
        (
            "<style>@font-face { font-family: x; src: url(https://x/y.woff2) }</style>",
            "font outside of the page",
        ),
    ] {
        let notes = told(body);
        assert!(notes.len() == 1 && notes[0].contains(words), "{notes:?}");
    }
    // A video shows its poster. A rule for browsers with subgrids does not apply.
    let poster = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    for body in [
        &*format!("<video src=x.mp4 poster='{poster}'></video>"),
        "<style>@supports (grid-template-rows: subgrid) { p { grid-template-rows: subgrid } }</style>",
    ] {
        assert!(told(body).is_empty(), "{:?}", told(body));
    }
}

#[test]
fn a_table_with_a_caption_breaks_between_its_rows() {
    let rows = |count: usize| -> String {
        let row = |number| format!("<tr style='height: 20px'><td>{number}");
        (1..=count).map(row).collect()
    };
    let table = |style: &str, caption: &str, count: usize| {
        format!(
            "<table cellspacing=0 cellpadding=0 style='{style}'><caption style='{caption}'>C</caption><thead><tr style='height: 20px'><th>H<tbody>{}</table>",
            rows(count)
        )
    };
    let numbers = |from: usize, to: usize| {
        let numbers: Vec<String> = (from..=to).map(|number| number.to_string()).collect();
        numbers.join(" ")
    };
    // 52 lines fit on a page: a caption, a header row and 50 rows.
    check(
        &table("", "", 60),
        &[
            &format!("C H {}", numbers(1, 50)),
            &format!("H {}", numbers(51, 60)),
        ],
    );
    // The caption stays with the first row, and its margins take up height.
    check(
        &format!("<div style='height: 1000px'>a</div>{}", table("", "", 2)),
        &["a", "C H 1 2"],
    );
    check(
        &table("", "margin: 10px 0 30px", 60),
        &[
            &format!("C H {}", numbers(1, 48)),
            &format!("H {}", numbers(49, 60)),
        ],
    );
    // A break property of the table also applies to its caption.
    check(
        &format!("a{}", table("break-before: page", "", 1)),
        &["a", "C H 1"],
    );
    check(
        &format!(
            "a{}b",
            table("break-after: page", "caption-side: bottom", 1)
        ),
        &["a H 1 C", "b"],
    );
}

#[test]
fn dash_spacing_is_independent_of_the_height() {
    // A dotted border over a thousand pages takes a line per page, and not an object per dot.
    let page = "<div style='height: 900000px; border: 1px dotted'>x";
    let pdf = convert("page.html", page.as_bytes(), "pdf").unwrap();
    assert!(pdf.len() < 600_000, "{}", pdf.len());
    if !has("pdftoppm") {
        return;
    }
    let at = directory("dashes");
    // Black and white alternate along the left edge of the first page.
    for (style, period) in [("dotted", 8), ("dashed", 12)] {
        let page = format!(
            "<!DOCTYPE html><body style='margin: 0'><div style='height: 100000px; border: 4px {style}'>x"
        );
        let pdf = convert("page.html", page.as_bytes(), "pdf").unwrap();
        let file = at.join("page.pdf");
        std::fs::write(&file, pdf).unwrap();
        let drawn = crate::harness::drawn(&file, "96");
        let (left, top) = (0..drawn.width())
            .map(|x| (x, 200))
            .find(|(x, _)| (200..230).any(|y| drawn.get_pixel(*x, y).0[0] < 128))
            .unwrap();
        let dark = |y: u32| drawn.get_pixel(left + 2, y).0[0] < 128;
        let begins = (top..top + 600)
            .filter(|y| dark(*y) && !dark(*y - 1))
            .count() as u32;
        assert!(begins.abs_diff(600 / period) <= 1, "{style}: {begins}");
    }
}
