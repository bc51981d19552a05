//! Positions of boxes in HTML: floats, flex, grid, absolute positions; and the fonts that pages bring along.

#![cfg(feature = "pdf")]

use crate::{
    harness::{convert_with, data, directory, has, output_of},
    styled::places,
};

/// Checks the positions of words, in steps of 20 px to the right and down.
#[track_caller]
fn check(body: &str, expected: &[(&str, i64, i64)]) {
    let Some(places) = places(body) else { return };
    let mut found: Vec<(&str, i64, i64)> = places
        .iter()
        .map(|(word, x, y)| (word.as_str(), (x + 1) / 15, (y + 1) / 15))
        .collect();
    found.sort_by_key(|(word, ..)| expected.iter().position(|(own, ..)| own == word));
    assert_eq!(found, expected, "{body}");
}

#[test]
fn lines_and_blocks_are_placed_beside_floats() {
    check(
        "<div style='width: 100px'><div style='float: left; width: 40px; height: 40px'></div>a<br>b<br>c</div>",
        &[("a", 2, 0), ("b", 2, 1), ("c", 0, 2)],
    );
    check(
        "<div style='width: 100px'><div style='float: right; width: 40px'>R</div>a<div style='clear: both'>b</div></div>",
        &[("R", 3, 0), ("a", 0, 0), ("b", 0, 1)],
    );
    // A float that is too wide goes below.
    check(
        "<div style='width: 100px'><div style='float: left; width: 60px; height: 40px'></div>
        <span style='display: inline-block; width: 60px'>a</span></div>",
        &[("a", 0, 2)],
    );
    // A block formatting context beside a float is narrower, and a table as narrow as possible.
    let narrow = "<div style='float: left; width: 40px; height: 60px'></div>";
    check(
        &format!("<div style='width: 100px'>{narrow}<div style='overflow: hidden'>a</div>b</div>"),
        &[("a", 2, 0), ("b", 2, 1)],
    );
    let cell = "<span style='display: inline-block; width: 60px'>";
    check(
        &format!(
            "<div style='width: 100px'>{narrow}<table cellspacing=0 cellpadding=0><tr><td>{cell}a</span> {cell}b</span></table></div>"
        ),
        &[("a", 2, 0), ("b", 2, 1)],
    );
    check(
        &format!(
            "<div style='width: 100px'>{narrow}<table cellspacing=0 cellpadding=0 width=80><tr><td>a</table></div>"
        ),
        &[("a", 0, 3)],
    );
}

#[test]
fn a_line_clears_floats_over_its_whole_height() {
    let high =
        "<span style='display: inline-block; vertical-align: top; width: 60px; height: 40px'>";
    // The second line would overlap the float that begins further down.
    check(
        &format!(
            "<div style='width: 100px'><div style='float: left; width: 40px; height: 60px'></div>
            <div style='float: right; width: 80px; height: 60px'></div>{high}a</span> {high}b</span></div>"
        ),
        &[("a", 2, 0), ("b", 0, 6)],
    );
}

#[test]
fn an_inline_table_cell_stays_on_its_line() {
    let inside = "<span style='display: inline-block; width: 40px'>";
    check(
        &format!(
            "<p style='margin: 0'><span>{inside}a</span><span style='display: table-cell'>{inside}b</span></span>{inside}c</span></span>"
        ),
        &[("a", 0, 0), ("b", 2, 0), ("c", 4, 0)],
    );
}

#[test]
fn flex_items_share_the_container() {
    check(
        "<style>div { display: flex; width: 200px; font-style: normal }</style>
        <div><i style='flex: 1'>a</i><i style='flex: 0 0 40px; order: -1'>b</i><i style='flex: 1'>c</i></div>",
        &[("b", 0, 0), ("a", 2, 0), ("c", 6, 0)],
    );
    check(
        "<style>div { display: flex; width: 100px; height: 60px; justify-content: space-between; align-items: center }
        p { width: 20px; margin: 0 }</style><div><p>a</p><p style='align-self: flex-end'>b</p><p>c</p></div>",
        &[("a", 0, 1), ("b", 2, 2), ("c", 4, 1)],
    );
    check(
        "<style>div { display: flex; flex-flow: row wrap; width: 100px; gap: 20px } p { width: 40px; margin: 0 }</style>
        <div><p>a</p><p>b</p><p>c</p></div>",
        &[("a", 0, 0), ("b", 3, 0), ("c", 0, 2)],
    );
}

#[test]
fn grid_items_are_placed_in_their_areas() {
    check(
        "<div style='display: grid; grid-template-columns: 40px 1fr 60px; grid-auto-rows: 20px; width: 200px'>
        <b style='grid-column: 3'>a</b><b style='grid-row: 2; grid-column: 2 / span 2'>b</b><b>c</b></div>",
        &[("a", 7, 0), ("b", 2, 1), ("c", 0, 1)],
    );
    check(
        "<div style='display: grid; grid-template: \"h h\" 20px \"s m\" 40px / 60px 100px'>
        <b style='grid-area: m; align-self: end'>m</b><b style='grid-area: h; justify-self: end; width: 20px'>h</b>
        <b style='grid-area: s'>s</b></div>",
        &[("m", 3, 2), ("h", 7, 0), ("s", 0, 1)],
    );
}

#[test]
fn positioned_boxes_are_placed_by_their_offsets() {
    // An absolutely positioned box without offsets stays at its static position, on the line or below it.
    check(
        "<div style='position: relative; width: 100px; height: 60px'><span style='display: inline-block; width: 40px'>x</span
        ><span style='position: absolute'>a</span><div style='position: absolute'>b</div><div style='position: absolute;
        right: 0; bottom: 0; width: 20px'>c</div></div>",
        &[("x", 0, 0), ("a", 2, 0), ("b", 0, 1), ("c", 4, 2)],
    );
    check(
        "<p style='margin: 0; width: 40px; position: relative; left: 40px; top: 20px'>a</p><p style='margin: 0'>b</p>",
        &[("a", 2, 1), ("b", 0, 1)],
    );
    check(
        "<div style='position: absolute; left: 20px; right: 20px; margin: auto; width: 60px; top: 50%'>a</div>",
        &[("a", 8, 10)],
    );
}

#[test]
fn word_break_is_applied() {
    check(
        "<div style='width: 60px; word-break: keep-all'>日本語日 日本語日本</div>",
        &[("日本語日", 0, 0), ("日本語日本", 0, 1)],
    );
    check(
        "<div style='width: 100px; font-family: monospace; word-break: break-all'>aa bbbbbbbbbbbbbbbb</div>",
        &[("aa", 0, 0), ("bbbbbbb", 1, 0), ("bbbbbbbbb", 0, 1)],
    );
}

#[test]
fn headers_lost_with_the_styles_are_noted() {
    let page = "<template data-print=\"header\">H</template><h1>a</h1>";
    for field in [("styles", "ignore"), ("toc", "true")] {
        let (_, notes) =
            convert_with("page.html", page.as_bytes(), "pdf", "medium", &[field]).unwrap();
        assert!(
            notes.0.iter().any(|note| note.contains("header")),
            "{field:?}"
        );
    }
    let (_, notes) = convert_with("page.html", page.as_bytes(), "pdf", "medium", &[]).unwrap();
    assert!(notes.0.is_empty(), "{:?}", notes.0);
}

/// A page whose text uses a font of the tests.
fn with_font(file: &str, media: &str, body: &str) -> String {
    use base64::{Engine, engine::general_purpose::STANDARD};
    let font = STANDARD.encode(data(&format!("fonts/{file}")));
    format!(
        "<!DOCTYPE html><style>@font-face {{ font-family: 'My Letters'; src: url(other.woff2), url('data:{media};base64,{font}') }}
        body {{ font-family: 'my letters', sans-serif }}</style><body>{body}"
    )
}

#[test]
fn font_face_rules_are_used() {
    for (file, media) in [
        ("letters.ttf", "font/ttf"),
        ("letters.woff", "application/font-woff"),
        ("letters.woff2", "font/woff2"),
    ] {
        // The font has only some letters; the others come from the next family.
        let page = with_font(file, media, "<p>words <b>Ägé</b> qu");
        let fields = [("pages", "marked")];
        let (pdf, notes) =
            convert_with("page.html", page.as_bytes(), "pdf", "medium", &[]).unwrap();
        if has("pdffonts") {
            let at = directory(&format!("brought-{file}"));
            let path = at.join("page.pdf");
            std::fs::write(&path, &pdf).unwrap();
            let listed = output_of("pdffonts", &[&path.display().to_string()]);
            let _ = std::fs::remove_dir_all(at);
            assert!(
                listed.contains("+Letters") && listed.contains("+Arimo"),
                "{listed}"
            );
        }
        assert!(notes.0.is_empty(), "{:?}", notes.0);
        let (text, _) = convert_with("page.pdf", &pdf, "txt", "medium", &fields).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(text.contains("words Ägé qu"), "{file}: {text}");
    }
}

#[test]
fn unreadable_fonts_are_skipped_and_named() {
    let whole = with_font("letters.woff2", "font/woff2", "<p>words");
    let at = whole.find("base64,").unwrap() + 400;
    let mut damaged = whole.clone();
    damaged.replace_range(at..at + 40, &"A".repeat(40));
    let cut = with_font("letters.woff2", "font/woff2", "<p>words").replace("d09GM", "d09GN");
    for page in [damaged, cut] {
        let (pdf, notes) =
            convert_with("page.html", page.as_bytes(), "pdf", "medium", &[]).unwrap();
        assert!(!pdf.is_empty());
        assert!(
            notes.0.iter().any(|note| note.contains("font")),
            "{:?}",
            notes.0
        );
    }
}

#[test]
fn display_contents_is_transparent_to_table_parts() {
    let cell = "<span style='display: table-cell; width: 40px'>";
    let row = "<div style='display: table-row'>";
    let bare = "<div style='display: contents'>";
    check(
        &format!(
            "<div style='display: table'>{bare}{row}{bare}{cell}a</span></div>{cell}b</span></div></div>{row}{cell}c</span>{cell}d</span></div></div>"
        ),
        &[("a", 0, 0), ("b", 2, 0), ("c", 0, 1), ("d", 2, 1)],
    );
    // Content outside of a table's structure gets an anonymous cell.
    check(
        &format!(
            "<div style='display: table'>{bare}{row}{cell}a</span>{bare}b</div></div></div></div>"
        ),
        &[("a", 0, 0), ("b", 2, 0)],
    );
}

#[test]
fn white_space_is_a_shorthand_of_two_properties() {
    check(
        "<div style='width: 20px; text-wrap: nowrap'>a b</div>c",
        &[("a", 0, 0), ("b", 0, 0), ("c", 0, 1)],
    );
    check(
        "<div style='width: 20px; white-space: preserve nowrap'>a b\nd</div>c",
        &[("a", 0, 0), ("b", 0, 0), ("d", 0, 1), ("c", 0, 2)],
    );
}

#[test]
fn break_word_does_not_narrow_columns() {
    let table = |style: &str| {
        format!(
            "<table cellspacing=0 cellpadding=0 style='width: 60px; {style}'><tr><td>iiiiiiiiii iiiiiiiiii<td><div style='width: 40px'>b</div></table>"
        )
    };
    let first = |style: &str| places(&table(style)).map(|places| places[0].0.clone());
    if let Some(word) = first("overflow-wrap: break-word") {
        assert_eq!(word, "iiiiiiiiii");
    }
    if let Some(word) = first("overflow-wrap: anywhere") {
        assert!(word.len() < 10, "{word}");
    }
}

#[test]
fn controls_are_as_large_as_in_browsers() {
    // A field for ten letters is 97 px wide, and as high as a line even if it is empty.
    check(
        "<div style='font-size: 0'><input size=10 style='margin-right: 3px'><span style='font-size: 16px'>a</span></div>",
        &[("a", 5, 0)],
    );
    // A list shows the selected option, and is as wide as its longest one.
    let Some(places) =
        places("<select><option>one<option selected>two<option>threethreethree</select>")
    else {
        return;
    };
    let words: Vec<&str> = places.iter().map(|(word, ..)| word.as_str()).collect();
    assert_eq!(words, ["two"]);
}

#[test]
fn zoomed_boxes_are_larger() {
    // Zoom enlarges lengths, letters and inherited values, but not percentages.
    check(
        "<div style='width: 200px; line-height: 10px; font-size: 8px'><div style='zoom: 200%; padding-left: 10px'>
        <div style='width: 50%'>a</div>b <span style='display: inline-block; width: 20px; font-size: 2em'></span>c</div></div>",
        &[("a", 1, 0), ("b", 1, 1), ("c", 3, 1)],
    );
}

#[test]
fn soft_hyphens_show_at_line_ends() {
    let words = |width: u32| {
        let page = format!(
            "<div style='width: {width}px; font: 16px/20px Arial'>a hy&shy;phen&shy;at&shy;ed word</div>"
        );
        let places = places(&page)?;
        Some(
            places
                .into_iter()
                .map(|(word, ..)| word)
                .collect::<Vec<_>>(),
        )
    };
    let (Some(wide), Some(narrow)) = (words(300), words(76)) else {
        return;
    };
    assert_eq!(wide, ["a", "hyphenated", "word"]);
    // Text that is copied has no hyphen that only the end of a line shows.
    assert_eq!(narrow, ["a", "hyphen\u{ad}", "ated", "word"]);
}

#[test]
fn relative_position_shifts_inline_elements() {
    let word = "<span style='display: inline-block; width: 20px'>";
    check(
        &format!(
            "{word}a</span><span style='position: relative; left: 40px; top: 20px'>{word}b</span></span>{word}c</span>"
        ),
        &[("a", 0, 0), ("b", 3, 1), ("c", 2, 0)],
    );
    // A relatively positioned box inside another one; the line is as high as before.
    check(
        "<i style='position: relative; top: 40px'><b style='position: relative; left: 20px'>b</b></i><br>c",
        &[("b", 1, 2), ("c", 0, 1)],
    );
    // A relatively positioned box is the containing block of absolutely positioned boxes.
    check(
        &format!(
            "{word}a</span><span style='position: relative'>{word}b</span><span style='position: absolute; left: 40px; top: 21px'>c</span></span>"
        ),
        &[("a", 0, 0), ("b", 1, 0), ("c", 3, 1)],
    );
}

#[test]
fn aspect_ratio_gives_the_other_side() {
    check(
        "<div style='width: 80px; aspect-ratio: 2'>a</div>b",
        &[("a", 0, 0), ("b", 0, 2)],
    );
    // Content that is higher is not cut off, unless `overflow` hides it.
    check(
        "<div style='width: 20px; aspect-ratio: 1'>a<br>b</div>c",
        &[("a", 0, 0), ("b", 0, 1), ("c", 0, 2)],
    );
    check(
        "<div style='width: 20px; aspect-ratio: 1; overflow: hidden'>a<div style='height: 60px'></div></div>c",
        &[("a", 0, 0), ("c", 0, 1)],
    );
    check(
        "<div style='float: left; height: 40px; aspect-ratio: 3 / 2'>a</div>b",
        &[("a", 0, 0), ("b", 3, 0)],
    );
    for container in [
        "display: grid; grid-template-columns: 80px",
        "display: flex; width: 80px",
    ] {
        check(
            &format!(
                "<div style='{container}'><div style='flex: 1; aspect-ratio: 2'>a</div></div>b"
            ),
            &[("a", 0, 0), ("b", 0, 2)],
        );
    }
}

#[test]
fn hidden_overflow_adds_no_pages() {
    check(
        "<div style='height: 20px; overflow: hidden'><div style='height: 4000px'>a</div></div>b",
        &[("a", 0, 0), ("b", 0, 1)],
    );
    // The page shows content that `body` hides.
    check(
        "<style>body { height: 20px; overflow: hidden }</style>a<br>b",
        &[("a", 0, 0), ("b", 0, 1)],
    );
}

#[test]
fn spaces_are_kerned_with_adjacent_letters() {
    let Some(fonts) = has("fc-list").then(|| output_of("fc-list", &[])) else {
        return;
    };
    if !fonts.contains("Liberation Serif") {
        return;
    }
    // Browsers shape spaces together with the text: this font has a narrower space before an A.
    let second = |body: &str| {
        let page = format!("<div style='font: 100px/120px Liberation Serif'>{body}</div>");
        places(&page).map(|places| places[1].1)
    };
    if let (Some(kerned), Some(plain)) = (second("n A"), second("n <span>A</span>")) {
        assert!((3..=5).contains(&(plain - kerned)), "{kerned}, {plain}");
    }
}

#[test]
fn the_missing_picture_icon_keeps_the_line_height() {
    let page = "<div style='font: 16px/normal serif'>a<br><img src='none.png' alt='b'><br>c</div>";
    let Some(mut places) = places(page) else {
        return;
    };
    places.sort();
    let tops: Vec<i64> = places.iter().map(|(.., y)| *y).collect();
    assert!((tops[2] - 2 * tops[1] + tops[0]).abs() <= 1, "{tops:?}");
}

#[test]
fn vertical_text_is_laid_out() {
    let word = "<span style='display: inline-block; height: 20px'>";
    let lines = format!("{word}a</span>{word}b</span><br>{word}c</span>");
    check(
        &format!("<div style='writing-mode: vertical-rl'>{lines}</div>d"),
        &[("a", 1, 0), ("b", 1, 1), ("c", 0, 0), ("d", 0, 2)],
    );
    check(
        &format!("<div style='writing-mode: vertical-lr'>{lines}</div>d"),
        &[("a", 0, 0), ("b", 0, 1), ("c", 1, 0), ("d", 0, 2)],
    );
    // In vertical text, a cell is as wide as its lines are high.
    check(
        &format!(
            "<table cellspacing=0 cellpadding=0><tr><td style='writing-mode: vertical-rl'>{word}a</span>{word}b</span><td style='vertical-align: top'>c</table>"
        ),
        &[("a", 0, 0), ("b", 0, 1), ("c", 1, 0)],
    );
}

#[test]
fn unsized_drawings_fill_the_available_width() {
    let drawing =
        "<svg style='display: block' viewBox='0 0 20 10'><rect width='20' height='10'/></svg>";
    check(
        &format!("<div style='width: 80px'>{drawing}</div>a"),
        &[("a", 0, 2)],
    );
    // A drawing with `width: 100%` makes the float around it 300 px wide, which is the width of a drawing without a
    // size.
    check(
        &format!(
            "<div style='float: left'>{}</div>a",
            drawing.replace("<svg", "<svg width='100%'")
        ),
        &[("a", 15, 0)],
    );
    check(
        &format!("<div style='float: left'>{drawing}</div>a"),
        &[("a", 0, 0)],
    );
}

#[test]
fn pages_follow_the_vertical_writing_mode() {
    let word = "<span style='display: inline-block; height: 20px'>";
    let page = |mode: &str, body: &str| {
        format!("<style>html {{ writing-mode: {mode} }} p {{ margin: 0 }}</style>{body}")
    };
    // The page is 400 px wide. The last line is on a second page.
    let lines = format!(
        "<p>{word}a</span>{word}b</span><p style='margin-right: 20px'>{word}c</span><p style='width: 340px'></p><p>{word}d</span>"
    );
    check(
        &page("vertical-rl", &lines),
        &[("a", 19, 0), ("b", 19, 1), ("c", 17, 0), ("d", 19, 0)],
    );
    check(
        &page("vertical-lr", &lines),
        &[("a", 0, 0), ("b", 0, 1), ("c", 1, 0), ("d", 0, 0)],
    );
    // Horizontal content inside is upright; tables follow the direction of the text around them.
    let cell = "<span style='display: inline-block; width: 20px'>";
    let table = format!(
        "<table cellspacing=0 cellpadding=0><tr><td>{word}a</span><td>{word}b</span><tr><td>{word}c</span></table>
        <div style='writing-mode: horizontal-tb'>{cell}d</span>{cell}e</span></div>"
    );
    check(
        &page("vertical-lr", &table),
        &[
            ("a", 0, 0),
            ("b", 0, 1),
            ("c", 1, 0),
            ("d", 2, 0),
            ("e", 3, 0),
        ],
    );
}

#[test]
fn legends_are_placed_in_the_fieldset_border() {
    let legend = "<legend style='padding: 0'>a</legend>";
    check(
        &format!(
            "<fieldset style='margin: 0; border: 2px solid; padding: 20px'>{legend}b</fieldset>c"
        ),
        &[("a", 1, 0), ("b", 1, 2), ("c", 0, 4)],
    );
    // A border that is thicker than the legend keeps its thickness.
    check(
        &format!(
            "<fieldset style='margin: 0; border: 40px solid; padding: 0'>{legend}b</fieldset>c"
        ),
        &[("a", 2, 0), ("b", 2, 2), ("c", 0, 5)],
    );
}

#[test]
fn floats_and_positioned_boxes_keep_their_place() {
    // A float that goes below the line takes the floats behind it along.
    let float = |side: &str, width: u32, word: &str| {
        format!("<div style='float: {side}; width: {width}px; height: 20px'>{word}</div>")
    };
    check(
        &format!(
            "<div style='width: 100px'>a{}{}{}</div>",
            float("left", 100, "b"),
            float("left", 40, "c"),
            float("right", 40, "d")
        ),
        &[("a", 0, 0), ("b", 0, 1), ("c", 0, 2), ("d", 3, 2)],
    );
    // A box of height 0 is moved, and with it the containing block of fixed boxes in it.
    check(
        "<div style='position: relative; left: 40px; top: 20px; width: 40px'><div style='position: fixed'>a</div></div>b",
        &[("a", 2, 1), ("b", 0, 0)],
    );
    check(
        "<table cellspacing=0 cellpadding=0><caption style='height: 60px; text-align: left'>a</caption><tr><td>b</table>",
        &[("a", 0, 0), ("b", 0, 3)],
    );
}

#[test]
fn stray_table_cells_are_laid_out_with_text_between_them() {
    let cell = |word: &str| format!("<span style='display: table-cell'>{word}</span>");
    check(
        &format!(
            "<p style='margin: 0'>{} and {} end</p>",
            cell("A"),
            cell("B")
        ),
        &[("A", 0, 0), ("and", 0, 1), ("B", 0, 2), ("end", 0, 3)],
    );
}

#[test]
fn generated_content_may_be_a_table_or_an_item() {
    let page = |display: &str| {
        format!(
            "<style>p::before {{ content: 'A'; display: {display}; text-align: right }}</style><p style='margin: 0; width: 100px'>b</p>"
        )
    };
    check(&page("block"), &[("A", 4, 0), ("b", 0, 1)]);
    // A table is as wide as its content.
    for display in ["table", "table-cell", "table-row", "table-row-group"] {
        check(&page(display), &[("A", 0, 0), ("b", 0, 1)]);
    }
    let item = "list-item; list-style: 'M' inside; text-align: left";
    let page = page(item).replace("; text-align: right", "");
    check(&page, &[("MA", 0, 0), ("b", 0, 1)]);
}

#[test]
fn line_height_units_are_resolved() {
    let under = |style: &str| format!("<div style='{style}'>a</div>b");
    check(
        &under("line-height: 40px; height: 3lh"),
        &[("a", 0, 0), ("b", 0, 6)],
    );
    check(
        &under("font-size: 10px; line-height: 2; height: 2lh"),
        &[("a", 0, 0), ("b", 0, 2)],
    );
    // Lines of the root element have the height of its font: 18 px.
    check(
        &under("height: 10rlh; line-height: 1px"),
        &[("a", 0, 0), ("b", 0, 9)],
    );
    // A digit is 0.602 em wide in DejaVu Sans Mono, and 0.5 em in Liberation Serif.
    let beside = |style: &str| format!("<span style='display: inline-block; {style}'>a</span>b");
    check(
        &beside("font: 20px monospace; width: 10ch"),
        &[("a", 0, 0), ("b", 6, 0)],
    );
    check(
        &beside("font: 20px serif; width: 10ch"),
        &[("a", 0, 0), ("b", 5, 0)],
    );
    check(
        &beside("font: 20px serif; width: calc(4ch + 2em)"),
        &[("a", 0, 0), ("b", 4, 0)],
    );
}
