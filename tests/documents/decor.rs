//! Decorations of boxes, as pixels of pages converted to pictures: gradients, border images, clips, mixed colours.

#![cfg(feature = "pdf")]

use crate::{
    harness::{convert, directory, has, output_of},
    styled::places,
};

/// The colours of a page at some points, which are in px.
fn colours(body: &str, points: &[(usize, usize)]) -> Vec<[u8; 3]> {
    let page = format!("<!DOCTYPE html><style>body {{ margin: 0 }}</style><body>{body}");
    let png = convert("page.html", page.as_bytes(), "png").unwrap();
    let ppm = convert("page.png", &png, "ppm").unwrap();
    let mut at = 0;
    let mut number = || {
        let rest = &ppm[at..];
        let start = rest.iter().position(u8::is_ascii_digit).unwrap();
        let end = start
            + rest[start..]
                .iter()
                .position(|byte| !byte.is_ascii_digit())
                .unwrap();
        let text = std::str::from_utf8(&rest[start..end]).unwrap();
        at += end;
        text.parse::<usize>().unwrap()
    };
    // The name of the format contains a digit: `P6`.
    let [_, width, _, _] = [number(), number(), number(), number()];
    let pixels = &ppm[at + 1..];
    let pixel = |(x, y): &(usize, usize)| {
        let from = (y * width + x) * 3;
        pixels[from..from + 3].try_into().unwrap()
    };
    points.iter().map(pixel).collect()
}

#[track_caller]
fn check(body: &str, expected: &[(usize, usize, [u8; 3])]) {
    let points: Vec<(usize, usize)> = expected.iter().map(|(x, y, _)| (*x, *y)).collect();
    let found = colours(body, &points);
    for ((x, y, wanted), found) in expected.iter().zip(found) {
        let off = found.iter().zip(wanted).map(|(a, b)| a.abs_diff(*b)).max();
        assert!(
            off <= Some(12),
            "{body} at {x}, {y}: {found:?}, not {wanted:?}"
        );
    }
}

const WHITE: [u8; 3] = [255; 3];
const RED: [u8; 3] = [255, 0, 0];
const BLUE: [u8; 3] = [0, 0, 255];
const GREEN: [u8; 3] = [0, 128, 0];

#[test]
fn boxes_with_vertical_text_are_upright() {
    for mode in ["vertical-rl", "vertical-lr", "sideways-lr"] {
        check(
            &format!(
                "<div style='writing-mode: {mode}; width: 40px; height: 20px; border-left: 10px solid red; background: blue'></div>"
            ),
            &[(5, 10, RED), (30, 10, BLUE), (60, 10, WHITE)],
        );
        // Sides of boxes inside are physical: `border-left` is at the left in every mode.
        check(
            &format!(
                "<div style='writing-mode: {mode}; width: 40px; height: 20px'><div style='width: 30px; height: 10px; border-left: 10px solid red; background: blue'></div></div>"
            ),
            match mode {
                "vertical-rl" => &[(5, 5, RED), (30, 5, BLUE), (30, 15, WHITE)],
                "vertical-lr" => &[(5, 5, RED), (35, 5, BLUE), (35, 15, WHITE)],
                _ => &[(5, 15, RED), (35, 15, BLUE), (35, 5, WHITE)],
            },
        );
    }
}

#[test]
fn fieldset_borders_pass_behind_legends() {
    check(
        "<fieldset style='margin: 0; width: 200px; height: 40px; border: 10px solid red; padding: 0 20px; background: blue'>
        <legend style='width: 50px; height: 30px; padding: 0'></legend></fieldset>",
        &[(5, 5, WHITE), (5, 15, RED), (50, 5, WHITE), (50, 12, BLUE), (100, 15, RED), (100, 25, BLUE)],
    );
}

#[test]
fn row_backgrounds_and_object_pictures_are_drawn() {
    let picture = "data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 width=%2220%22 height=%2220%22%3E%3Crect width=%2220%22 height=%2220%22 fill=%22blue%22/%3E%3C/svg%3E";
    check(
        &format!(
            "<style>tr {{ background: url('{picture}') }} td {{ width: 40px; height: 20px }}</style>
            <table cellspacing=0 cellpadding=0><tbody><tr><td></table><object data='{picture}'>none</object>"
        ),
        &[(10, 10, BLUE), (30, 10, BLUE), (50, 10, WHITE), (10, 30, BLUE), (30, 30, WHITE)],
    );
}

#[test]
fn gradients_respect_their_stops_and_sizes() {
    let sized = |image: &str| {
        format!("<div style='width: 100px; height: 100px; background: {image}'></div>")
    };
    check(
        &sized("conic-gradient(red 0 25%, blue 25% 50%, green 50%)"),
        &[(75, 25, RED), (75, 75, BLUE), (25, 50, GREEN)],
    );
    check(
        &sized("radial-gradient(circle closest-side at 30px 50px, red 99%, blue)"),
        &[(30, 25, RED), (80, 50, BLUE)],
    );
    check(
        &sized("radial-gradient(40px 20px, red 90%, green)"),
        &[(80, 50, RED), (50, 75, GREEN)],
    );
    // Each copy is clipped to its own tile.
    check(
        &sized("linear-gradient(45deg, red 50%, blue 50%) 0 0 / 50px 50px"),
        &[(10, 40, RED), (40, 10, BLUE), (60, 90, RED), (90, 60, BLUE)],
    );
    // Transparent steps do not add up.
    check(
        &sized("linear-gradient(rgb(0 0 0 / 0.5), rgb(0 0 0 / 0.5))"),
        &[(50, 90, [128; 3])],
    );
}

#[test]
fn border_images_are_drawn() {
    let square = "data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 width=%2230%22 height=%2230%22%3E%3Crect width=%2230%22 height=%2230%22 fill=%22red%22/%3E%3Crect x=%2210%22 width=%2210%22 height=%2210%22 fill=%22blue%22/%3E%3C/svg%3E";
    check(
        &format!(
            "<div style='width: 80px; height: 80px; border: 10px solid; border-image: url(\"{square}\") 10'></div>"
        ),
        &[(5, 5, RED), (50, 5, BLUE), (50, 95, RED), (50, 50, WHITE)],
    );
    // An image that cannot be shown leaves the border as it is.
    check(
        "<div style='width: 80px; height: 80px; border: 10px solid green; border-image: url(none.png) 10'></div>",
        &[(50, 5, GREEN)],
    );
}

#[test]
fn boxes_are_clipped() {
    let sized = |style: &str| {
        format!("<div style='width: 100px; height: 100px; background: red; {style}'></div>")
    };
    check(
        &sized("clip-path: circle(40px)"),
        &[(50, 50, RED), (5, 5, WHITE), (50, 5, WHITE)],
    );
    check(
        &sized("clip-path: polygon(0 0, 100% 0, 0 100%)"),
        &[(20, 20, RED), (90, 90, WHITE)],
    );
    check(
        &sized("padding: 20px; border: 10px solid blue; clip-path: inset(0) padding-box"),
        &[(12, 80, RED), (5, 80, WHITE)],
    );
    check(
        &sized("padding: 20px; clip-path: content-box"),
        &[(25, 80, RED), (15, 80, WHITE)],
    );
    check(
        &sized("position: absolute; clip: rect(auto, 50px, auto, 10px)"),
        &[(30, 50, RED), (5, 50, WHITE), (70, 50, WHITE)],
    );
    check(
        "<div style='width: 100px; height: 100px; border-radius: 50%; overflow: hidden'>
        <div style='height: 100px; background: red'></div></div>",
        &[(50, 50, RED), (4, 4, WHITE)],
    );
}

#[test]
fn colour_functions_are_evaluated() {
    for (colour, wanted) in [
        ("color-mix(in srgb, red, blue)", [128, 0, 128]),
        ("color-mix(in srgb, red 25%, white)", [255, 191, 191]),
        ("rgb(from red r 128 b)", [255, 128, 0]),
        ("light-dark(green, red)", GREEN),
        ("hsl(from blue h s 25%)", [0, 0, 128]),
    ] {
        check(
            &format!("<div style='height: 20px; background: {colour}'></div>"),
            &[(5, 5, wanted)],
        );
    }
}

#[test]
fn sides_follow_the_direction_of_the_text() {
    let sized = |direction: &str| {
        format!(
            "<div style='direction: {direction}; width: 90px; height: 20px; border-inline-start: 10px solid red; border-inline-end: 10px solid blue'></div>"
        )
    };
    check(&sized("ltr"), &[(5, 10, RED), (105, 10, BLUE)]);
    check(&sized("rtl"), &[(5, 10, BLUE), (105, 10, RED)]);
}

/// The words of a page, found by poppler in a directory of this name.
fn words(name: &str, body: &str) -> Option<String> {
    let page = format!("<!DOCTYPE html><meta charset=utf-8><body>{body}");
    let file = directory(name).join("page.pdf");
    std::fs::write(&file, convert("page.html", page.as_bytes(), "pdf").unwrap()).unwrap();
    if !has("pdftotext") {
        return None;
    }
    let text = output_of("pdftotext", &[file.to_str()?, "-"]);
    Some(text.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[test]
fn counter_styles_format_numbers() {
    for (body, wanted) in [
        (
            "<ol style='list-style: upper-alpha' start=28><li>x</ol>",
            "AB. x",
        ),
        (
            "<style>@counter-style own { system: additive; additive-symbols: 5 V, 1 I; suffix: ') ' } ol { list-style: own }</style><ol start=7><li>x</ol>",
            "VII) x",
        ),
        (
            "<ol style='list-style: symbols(cyclic \"*\" \"+\")'><li>x<li>y</ol>",
            "* x + y",
        ),
        ("<ol reversed><li>x<li>y</ol>", "2. x 1. y"),
        (
            "<style>li::marker { content: counter(list-item) '/2 ' }</style><ol><li>x</ol>",
            "1/2 x",
        ),
        ("<p lang=de><q>x</q><p lang=fr><q>y</q>", "„x“ «y»"),
        ("<details><summary>s</summary>gone</details>", "▸ s"),
    ] {
        let Some(found) = words("counter-styles", body) else {
            return;
        };
        // The width of spaces is not compared here.
        assert_eq!(found.replace(' ', ""), wanted.replace(' ', ""), "{body}");
    }
}

#[test]
fn text_that_does_not_fit_ends_in_an_ellipsis() {
    let body = "<div style='width: 60px; overflow: hidden; white-space: nowrap; text-overflow: ellipsis'>many words here</div>";
    let Some(found) = words("ellipsis", body) else {
        return;
    };
    assert!(found.ends_with('…') && !found.contains("here"), "{found}");
}

#[test]
fn named_grid_lines_and_column_spans_are_used() {
    let cells = "<div style='display: grid; grid-template-columns: [a] 40px [b] 60px [c] 20px'><i style='grid-column: b / c'>x</i></div>";
    let Some(found) = places(cells) else { return };
    assert_eq!((found[0].1 + 1) / 15, 2, "{found:?}");
    let spanned = "<div style='columns: 2; column-gap: 0; width: 200px'><section><p style='margin: 0'>a</p><h6 style='column-span: all; margin: 0; font: inherit; text-align: right'>b</h6>c</section></div>";
    let Some(found) = places(spanned) else { return };
    let b = found.iter().find(|(word, ..)| word == "b").unwrap();
    assert!(b.1 > 130, "{found:?}");
}

#[test]
fn three_dimensional_transforms_are_drawn() {
    let square = "<div style='height: 200px'></div><div style='width: 40px; height: 40px; background: red; position: absolute; top: 0;";
    // Half the distance means twice the size.
    check(
        &format!(
            "{square} left: 60px; top: 60px; transform: perspective(100px) translateZ(50px)'></div>"
        ),
        &[
            (45, 45, RED),
            (115, 115, RED),
            (35, 80, WHITE),
            (125, 80, WHITE),
        ],
    );
    // The upper edge is farther away than the lower one, so it is shorter.
    check(
        "<div style='perspective: 100px; width: 100px; height: 100px'>
            <div style='width: 100px; height: 100px; background: red; transform: rotateX(45deg)'></div></div>",
        &[(50, 50, RED), (2, 25, WHITE), (20, 80, RED)],
    );
    // A box that is turned away shows its back, or nothing.
    check(
        &format!(
            "{square} transform: rotateY(180deg)'></div>{square} left: 60px; transform: rotateY(180deg); backface-visibility: hidden'></div>"
        ),
        &[(20, 20, RED), (80, 20, WHITE)],
    );
    // A box that is turned back inside a box with `preserve-3d` shows its front.
    check(
        &format!(
            "{square} transform: rotateX(60deg); transform-style: preserve-3d; background: none'>
            <div style='width: 40px; height: 40px; background: blue; transform: rotateX(-60deg)'></div></div>"
        ),
        &[(20, 3, BLUE), (20, 37, BLUE)],
    );
}

#[test]
fn text_shadows_are_drawn() {
    // The stem of the letter is 19 px wide, 20 px from its left edge.
    let letter = |shadow: &str| {
        format!("<div style='font: 200px Arial; line-height: 1; text-shadow: {shadow}'>I</div>")
    };
    check(
        &letter("300px 0 red"),
        &[(28, 100, [0; 3]), (328, 100, RED), (228, 100, WHITE)],
    );
    check(
        &letter("100px 0 blue, 100px 0 red, 200px 0 red"),
        &[(128, 100, BLUE), (228, 100, RED)],
    );
    // If there are more than 128 shadows, only the first 128 are drawn, which are on top.
    let many = format!("100px 0 blue{}, 200px 0 red", ", 100px 0 blue".repeat(127));
    check(&letter(&many), &[(128, 100, BLUE), (228, 100, WHITE)]);
    let [soft] = colours(&letter("300px 0 10px red"), &[(328, 100)])[..] else {
        unreachable!("one point was asked for")
    };
    assert!(soft[0] > 240 && (20..150).contains(&soft[1]), "{soft:?}");
}

/// A shadow is visible, but is not part of the text.
#[test]
fn emphasis_marks_are_drawn_at_letters() {
    let text =
        |style: &str| format!("<div style='font: 100px/200px Courier New; {style}'>a, c</div>");
    // Letters are 60 px wide. The comma and the space have no mark.
    let at = |y: usize, x: usize, colour: [u8; 3]| (x, y, colour);
    let marks = [
        at(25, 30, RED),
        at(25, 90, WHITE),
        at(25, 150, WHITE),
        at(25, 210, RED),
    ];
    check(&text("text-emphasis: red dot"), &marks);
    check(&text("text-emphasis: filled red"), &marks);
    check(
        &text("-webkit-text-emphasis: &quot;\u{2022}&quot; red"),
        &marks,
    );
    let ring = [at(25, 30, WHITE), at(25, 40, RED)];
    check(&text("text-emphasis: open circle red"), &ring);
    let below = [at(25, 30, WHITE), at(157, 30, RED)];
    check(
        &text("color: red; text-emphasis: dot; text-emphasis-position: under right"),
        &below,
    );
    check(&text("text-emphasis: none red"), &[at(25, 30, WHITE)]);
    // The line grows where it is too low for the marks.
    let low = "<div style='font: 100px/1 Courier New; text-emphasis: dot'>a</div><div style='background: blue; height: 80px'>";
    check(low, &[at(125, 5, WHITE), at(150, 5, BLUE)]);
}

#[test]
fn text_shadows_are_not_part_of_the_text() {
    let body = "<p style='text-shadow: 1px 1px 4px red'>soft words</p><p style='text-shadow: 9px 9px red'>sharp ones</p>";
    if let Some(words) = words("shadows-of-words", body) {
        assert_eq!(words, "soft words sharp ones");
    }
}

#[test]
fn long_vertical_words_are_split_across_pages() {
    let many = "abcdefghij".repeat(500);
    for style in [
        "text-orientation: upright",
        "text-orientation: mixed",
        "writing-mode: sideways-lr",
    ] {
        let body = format!("<p style='writing-mode: vertical-rl; {style}'>{many}");
        let Some(read) = words("parts", &body) else {
            return;
        };
        let letters = read.replace(' ', "");
        assert_eq!(letters.len(), many.len(), "{style}");
    }
}

#[test]
fn layers_apply_to_positioned_boxes_only() {
    let boxes = |style: &str| {
        format!(
            "<div style='{style}; z-index: 1; width: 40px; height: 20px; background: red'></div>\
             <div style='position: relative; margin-top: -10px; width: 40px; height: 20px; background: blue'></div>"
        )
    };
    check(&boxes(""), &[(20, 5, RED), (20, 15, BLUE), (20, 25, BLUE)]);
    check(
        &boxes("position: relative"),
        &[(20, 5, RED), (20, 15, RED), (20, 25, BLUE)],
    );
}
