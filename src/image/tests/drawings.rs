//! Conversion of drawings, and of the pictures within them.

use crate::tests::*;

#[test]
fn drawings_are_drawn_at_the_requested_size() {
    let svg =
        br##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20" width="40" height="20">
        <rect width="20" height="20" fill="#c08040"/>
        <text x="22" y="15" font-family="Nothing" font-size="14">M</text>
        <image href="/etc/passwd" width="40" height="20"/>
        <image href="http://127.0.0.1:9/" width="40" height="20"/>
    </svg>"##;
    let mut options = Options::default();
    options.insert("width", "400");
    let (result, notes) =
        run_with(&Unlimited, svg, "svg", "png", Quality::Medium, &options).unwrap();
    let note = "2 pictures within the drawing are left out: only embedded pictures in png, jpg, gif, webp and svg are drawn.";
    assert_eq!(notes.0, [note]);
    let drawn = decode("png", &result).to_rgba8();
    assert_eq!(drawn.dimensions(), (400, 200));
    assert_eq!(*drawn.get_pixel(100, 100), Rgba([0xc0, 0x80, 0x40, 255]));
    assert_eq!(*drawn.get_pixel(210, 190), Rgba([0, 0, 0, 0]));
    // The text is drawn, though its font does not exist.
    let inked = drawn
        .enumerate_pixels()
        .any(|(x, _, pixel)| x > 210 && pixel[3] == 255);
    assert!(inked);
}

#[test]
fn drawings_with_too_much_work_are_refused() {
    #[track_caller]
    fn check(svg: &str) {
        let err = run(svg.as_bytes(), "svg", "png", Quality::Medium).unwrap_err();
        assert_eq!(err.kind(), Kind::BadInput, "{err}");
    }
    let deep = 100_000;
    check(&format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>{}{}</svg>",
        "<g>".repeat(deep),
        "</g>".repeat(deep)
    ));
    check("<svg xmlns='http://www.w3.org/2000/svg' width='900000' height='900000'/>");
    check("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><g></svg>");
    let mut laughs = String::from("<!DOCTYPE svg [<!ENTITY a0 'ha'>");
    for level in 1..30 {
        let below = level - 1;
        laughs += &format!("<!ENTITY a{level} '{}'>", format!("&a{below};").repeat(10));
    }
    laughs +=
        "]><svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><text>&a29;</text></svg>";
    check(&laughs);
    // The parser of paths recurses once for each closing.
    let closed = drawing(&format!("<path d='M0 0{}'/>", "z".repeat(60_000)));
    check(std::str::from_utf8(&closed).unwrap());
    let nested = drawing(&embedded(&closed, ""));
    check(std::str::from_utf8(&nested).unwrap());
}

/// An element that shows a picture, with the picture's data in its URL.
fn embedded(file: &[u8], attributes: &str) -> String {
    let data: String = file.iter().map(|byte| format!("%{byte:02x}")).collect();
    format!("<image {attributes} href='data:image/any,{data}'/>")
}

fn drawing(content: &str) -> Vec<u8> {
    format!("<svg xmlns='http://www.w3.org/2000/svg' width='40' height='20'>{content}</svg>")
        .into_bytes()
}

#[test]
fn embedded_pictures_are_drawn() {
    let red = RgbaImage::from_pixel(20, 20, Rgba([200, 30, 20, 255]));
    for name in ["png", "jpg", "gif", "webp"] {
        let (picture, _) = run(&file("png", &red), "png", name, Quality::High).unwrap();
        let svg = drawing(&embedded(&picture, "x='20' width='20' height='20'"));
        let (result, notes) = run(&svg, "svg", "png", Quality::Medium).unwrap();
        assert_eq!(notes.0, [""; 0]);
        let drawn = decode("png", &result).to_rgba8();
        assert_eq!(*drawn.get_pixel(10, 10), Rgba([0; 4]));
        let close = |(ours, wanted): (u8, u8)| ours.abs_diff(wanted) <= 4;
        let pixel = drawn.get_pixel(30, 10).0;
        assert!(
            pixel.into_iter().zip([200, 30, 20, 255]).all(close),
            "{name}: {pixel:?}"
        );
    }
}

#[test]
fn notes_report_pictures_that_are_not_drawn() {
    #[track_caller]
    fn check(content: &str, expected: &str) {
        let (_, notes) = run(&drawing(content), "svg", "png", Quality::Medium).unwrap();
        assert_eq!(notes.0.len(), 1);
        assert!(notes.0[0].contains(expected), "{notes:?}");
    }
    let png = file("png", &RgbaImage::new(20, 20));
    check(&embedded(&png[..png.len() / 2], ""), "incomplete");
    check(&embedded(b"GIF89a", ""), "incomplete");
    check(&embedded(b"BM", ""), "left out");
    check(&embedded(b"<svg><g></svg>", ""), "left out");
    check("<image href='a.png' width='9' height='9'/>", "left out");
    let both = embedded(&png, "") + "<image href='http://127.0.0.1:9/a.png'/>";
    check(&both, "A picture within the drawing is left out");
}

#[test]
fn too_large_and_too_many_pictures_are_not_drawn() {
    // The header claims 40,000 × 40,000 pixels.
    let mut bomb = file("png", &RgbaImage::new(1, 1));
    bomb[16..24].copy_from_slice(&[0, 0, 0x9c, 0x40, 0, 0, 0x9c, 0x40]);
    let svg = drawing(&embedded(&bomb, ""));
    let err = run(&svg, "svg", "png", Quality::Medium).unwrap_err();
    assert_eq!(err.kind(), Kind::BadInput, "{err}");

    let large = file("png", &RgbaImage::new(2000, 2000));
    let picture = embedded(&large, "id='a' width='1' height='1'");
    let uses = "<use href='#a'/>".repeat(100);
    let err = run(&drawing(&(picture + &uses)), "svg", "png", Quality::Medium).unwrap_err();
    assert_eq!(err.kind(), Kind::BadInput, "{err}");

    let picture = embedded(&[7; 100_000], "id='a'");
    let uses = "<use href='#a'/>".repeat(1000);
    let err = run(&drawing(&(picture + &uses)), "svg", "png", Quality::Medium).unwrap_err();
    assert!(err.to_string().contains("used too often"), "{err}");
}

/// The first and the last column of the drawing that have ink, and the number of pixels with ink.
fn inked(svg: &[u8]) -> (u32, u32, u32) {
    let mut options = Options::default();
    options.insert("width", "800");
    let (png, notes) = run_with(&Unlimited, svg, "svg", "png", Quality::Medium, &options).unwrap();
    assert_eq!(notes.0, [""; 0]);
    let drawn = decode("png", &png).to_rgba8();
    let ink = drawn
        .enumerate_pixels()
        .filter(|(_, _, pixel)| pixel[3] > 127);
    let ink: Vec<u32> = ink.map(|(x, _, _)| x).collect();
    let (first, last) = (ink.iter().min(), ink.iter().max());
    (*first.unwrap(), *last.unwrap(), ink.len() as u32)
}

fn text(attributes: &str, text: &str) -> Vec<u8> {
    format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='800' height='80'>\
         <text y='60' font-size='50' {attributes}>{text}</text></svg>"
    )
    .into_bytes()
}

#[test]
fn text_has_the_widths_of_its_named_fonts() {
    // Compares the width of an m with its width in the font file, in thousandths of the font size.
    #[track_caller]
    fn check(attributes: &str, expected: u32) {
        let (_, ten, _) = inked(&text(attributes, "mmmmmmmmmm"));
        let (_, one, _) = inked(&text(attributes, "m"));
        let width = (ten - one) as f64 / 9.0 / 50.0 * 1000.0;
        let apart = (width - f64::from(expected)).abs();
        assert!(apart < 4.0, "{attributes}: {width} instead of {expected}");
    }
    check("", 778);
    check("font-family='Times New Roman'", 778);
    check("font-family='Times'", 778);
    check("font-family='Georgia, serif'", 778);
    check("font-family='Nothing'", 778);
    check("font-family='Arial'", 833);
    check("font-family='HELVETICA'", 833);
    check("font-family='Nothing, Helvetica Neue, serif'", 833);
    check("font-family='sans-serif'", 833);
    check("font-family='monospace'", 600);
    check("font-family='Courier New'", 600);
    check("font-family='Calibri'", 799);
    check("font-family='DejaVu Sans'", 974);
    check("font-family='Arial' font-weight='bold'", 889);
    check("font-family='Arial' font-weight='600'", 889);
    check("font-family='Times' font-weight='bold'", 833);
    check("font-family='Times' font-style='italic'", 722);
    check("style='font:italic bold 50px serif'", 778);
}

#[test]
fn a_missing_character_uses_another_font_or_is_reported() {
    // Only DejaVu Sans has Hebrew letters, and it has no bold face.
    let (first, last, _) = inked(&text("font-family='Times' font-weight='bold'", "\u{5e9}"));
    assert!(last - first > 20, "{first} to {last}");
    let svg = text("", "\u{13a0}\u{13a1} a \u{4e2d}");
    let (_, notes) = run(&svg, "svg", "png", Quality::Medium).unwrap();
    assert_eq!(
        notes.0,
        [
            "2 characters (Cherokee) are missing from all fonts here, and are drawn as boxes.",
            "1 character (Chinese characters) is missing from all fonts here, and is drawn as a box."
        ]
    );
}

#[test]
fn nested_drawings_are_drawn() {
    let nested = "<svg xmlns='http://www.w3.org/2000/svg' width='10' height='10'>\
                  <text y='9' font-size='10'>\u{13a0}</text><rect width='5' height='10' fill='#102030'/></svg>";
    let svg = drawing(&embedded(
        nested.as_bytes(),
        "x='20' width='20' height='20'",
    ));
    let (result, notes) = run(&svg, "svg", "png", Quality::Medium).unwrap();
    assert_eq!(notes.0.len(), 1, "{notes:?}");
    assert!(notes.0[0].contains("Cherokee"), "{notes:?}");
    let drawn = decode("png", &result).to_rgba8();
    assert_eq!(*drawn.get_pixel(25, 10), Rgba([0x10, 0x20, 0x30, 255]));
    assert_eq!(*drawn.get_pixel(10, 10), Rgba([0; 4]));
}

#[test]
fn nested_drawings_are_limited() {
    #[track_caller]
    fn check(content: &str, expected: &str) {
        let err = run(&drawing(content), "svg", "png", Quality::Medium).unwrap_err();
        assert_eq!(err.kind(), Kind::BadInput, "{err}");
        assert!(err.to_string().contains(expected), "{err}");
    }
    let mut svg = drawing("");
    for _ in 0..5 {
        svg = drawing(&embedded(&svg, "width='9' height='9'"));
    }
    check(&embedded(&svg, ""), "too complicated");
    // A drawing with 50,000 elements that is shown 21 times: more than a million elements.
    let many = drawing(&"<g/>".repeat(50_000));
    let picture = embedded(&many, "id='a' width='9' height='9'");
    check(
        &(picture + &"<use href='#a'/>".repeat(20)),
        "too complicated",
    );
    // A small picture that is shown large and has two thousand layers of paint.
    let shapes = "<rect width='9' height='9' fill-opacity='.5'/>".repeat(2000);
    let small =
        format!("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>{shapes}</svg>");
    let svg = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='4000' height='4000'>{}</svg>",
        embedded(small.as_bytes(), "width='4000' height='4000'")
    );
    let err = run(svg.as_bytes(), "svg", "png", Quality::Medium).unwrap_err();
    assert!(err.to_string().contains("too long"), "{err}");
}

#[test]
fn packed_drawings_are_recognised_and_drawn() {
    let red = drawing("<rect width='40' height='20' fill='#c81e14'/>");
    let mut packed = b"\x1f\x8b\x08\0\0\0\0\0\0\x03".to_vec();
    packed.extend(miniz_oxide::deflate::compress_to_vec(&red, 6));
    packed.extend(crc32fast::hash(&red).to_le_bytes());
    packed.extend((red.len() as u32).to_le_bytes());
    let found = recognise(&packed, &mut Cursor::new(&packed), None);
    assert_eq!(found.map(|format| format.name), Some("svg"));
    let (result, _) = run(&packed, "svg", "png", Quality::Medium).unwrap();
    let drawn = decode("png", &result).to_rgba8();
    assert_eq!(*drawn.get_pixel(30, 10), Rgba([200, 30, 20, 255]));
    let err = run(&packed[..packed.len() - 1], "svg", "png", Quality::Medium).unwrap_err();
    assert_eq!(err.kind(), Kind::BadInput, "{err}");
}

#[test]
fn a_lower_quality_never_gives_a_larger_file() {
    // A drawing of text, which has few colours and edges everywhere.
    let line = |at: usize| {
        let y = 14 + at * 18;
        format!(
            "<text x='10' y='{y}' font-size='14'>The quick brown fox jumps over the lazy dog, and home.</text>"
        )
    };
    let lines: String = (0..10).map(line).collect();
    let svg = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='600' height='200'><rect width='600' height='200' fill='white'/>{lines}</svg>"
    );
    let (png, _) = run(svg.as_bytes(), "svg", "png", Quality::Medium).unwrap();
    for to in ["jpg", "webp", "avif", "jxl"] {
        let sizes = [Quality::Low, Quality::Medium, Quality::High]
            .map(|quality| run(&png, "png", to, quality).unwrap().0.len());
        assert!(sizes.is_sorted(), "{sizes:?} bytes of {to}");
    }
}
