//! Drawings, and the pictures within them.

use crate::image::tests::*;

#[test]
fn drawings_are_drawn_at_the_size_asked_for() {
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
    let note =
        "2 pictures within the drawing are left out: only embedded ones in png and jpg are drawn.";
    assert_eq!(notes.0, [note]);
    let drawn = decode("png", &result).to_rgba8();
    assert_eq!(drawn.dimensions(), (400, 200));
    assert_eq!(*drawn.get_pixel(100, 100), Rgba([0xc0, 0x80, 0x40, 255]));
    assert_eq!(*drawn.get_pixel(210, 190), Rgba([0, 0, 0, 0]));
    // Text is there, in whatever font.
    let inked = drawn
        .enumerate_pixels()
        .any(|(x, _, pixel)| x > 210 && pixel[3] == 255);
    assert!(inked);
}

#[test]
fn drawings_that_explode_are_refused() {
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
}

/// An element that shows a picture, which stands in the drawing itself.
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
    for name in ["png", "jpg"] {
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
fn what_is_not_drawn_of_pictures_is_told() {
    #[track_caller]
    fn check(content: &str, expected: &str) {
        let (_, notes) = run(&drawing(content), "svg", "png", Quality::Medium).unwrap();
        assert_eq!(notes.0.len(), 1);
        assert!(notes.0[0].contains(expected), "{notes:?}");
    }
    let png = file("png", &RgbaImage::new(20, 20));
    check(&embedded(&png[..png.len() / 2], ""), "cut off");
    check(&embedded(b"GIF89a", ""), "left out");
    check("<image href='a.png' width='9' height='9'/>", "left out");
    let both = embedded(&png, "") + "<image href='http://127.0.0.1:9/a.png'/>";
    check(&both, "A picture within the drawing is left out");
}

#[test]
fn pictures_that_are_too_large_or_too_many_are_not_drawn() {
    // It claims 40,000 × 40,000 pixels.
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
