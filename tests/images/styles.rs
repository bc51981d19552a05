//! Drawings with modern CSS, tested by the colours of pixels.

use crate::harness::{convert_with_notes, pixels};
use convertd::job::Quality;

const GREEN: [u8; 4] = [0, 128, 0, 255];

/// A drawing of 60 × 20 pixels.
fn drawing(inside: &str) -> String {
    format!("<svg xmlns='http://www.w3.org/2000/svg' width='60' height='20'>{inside}</svg>")
}

/// Checks the pixels in the middle of the three squares of a drawing.
#[track_caller]
fn check(inside: &str, expected: [[u8; 4]; 3]) {
    let svg = drawing(inside);
    let converted = convert_with_notes(svg.as_bytes(), "a.svg", "png", Quality::Medium, &[]);
    let (png, _) = converted.unwrap_or_else(|err| panic!("{inside}: {err}"));
    let picture = pixels(&png);
    let found = [10, 30, 50].map(|x| picture.get_pixel(x, 10).0);
    assert_eq!(found, expected, "{inside}");
}

/// Three squares with these attributes.
fn squares(attributes: [&str; 3]) -> String {
    let square = |(at, attributes): (usize, &str)| {
        format!(
            "<rect x='{}' width='20' height='20' {attributes}/>",
            20 * at
        )
    };
    attributes.into_iter().enumerate().map(square).collect()
}

#[test]
fn invalid_declarations_are_ignored() {
    let all = squares([
        "fill='green' style='fill:nonsense(1)'",
        "style='fill:green;fill:oklch(1 2 x y)'",
        "style='fill:inherit-me' fill='green'",
    ]);
    check(&all, [GREEN; 3]);
}

#[test]
fn image_rendering_is_applied() {
    // Three pixels in green, blue and red, each stretched to a square.
    let picture = image::RgbImage::from_raw(3, 1, vec![0, 128, 0, 0, 0, 255, 255, 0, 0]).unwrap();
    let mut png = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut png, image::ImageFormat::Png).unwrap();
    let data = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, png.into_inner());
    for attribute in [
        "image-rendering='pixelated'",
        "style='image-rendering:crisp-edges'",
    ] {
        let svg = drawing(&format!(
            "<image href='data:image/png;base64,{data}' width='60' height='20' preserveAspectRatio='none' {attribute}/>"
        ));
        let converted = convert_with_notes(svg.as_bytes(), "a.svg", "png", Quality::Medium, &[]);
        let picture = pixels(&converted.unwrap().0);
        let found = [2, 18, 22, 38, 42, 58].map(|x| picture.get_pixel(x, 10).0);
        let [blue, red] = [[0, 0, 255, 255], [255, 0, 0, 255]];
        assert_eq!(found, [GREEN, GREEN, blue, blue, red, red], "{attribute}");
    }
}

#[test]
fn modern_colour_functions_are_drawn() {
    let all = squares([
        "style='fill:light-dark(green,red)'",
        "style='fill:hsl(120deg 100% 25%)'",
        "fill='var(--c,green)'",
    ]);
    check(&all, [GREEN; 3]);
    let sheet = "<style>:root{--a:green;--b:var(--a)}.x{fill:var(--b)}@media (max-width:1000px){.y{fill:var(--none,#008000)}}g{&gt;.z{fill:red}.z:not(.y){fill:green}}</style>";
    let all = squares(["class='x'", "class='y'", "class='z'"]);
    check(&format!("{sheet}<g>{all}</g>"), [GREEN; 3]);
}

#[test]
fn transforms_and_sizes_have_units() {
    let all = "<rect x='-20' width='20' height='20' fill='green' style='transform:translate(20px,0px)'/>\
        <rect x='20' y='-20' width='20' height='20' fill='green' style='transform:rotate(90deg);transform-origin:20px 0'/>\
        <rect x='40' width='1.25rem' height='100vh' fill='green'/>";
    check(all, [GREEN; 3]);
}

#[test]
fn features_of_usvg_still_work() {
    let all = format!(
        "<defs><linearGradient id='g'><stop stop-color='green'/></linearGradient></defs>\
        <style>path{{fill-rule:evenodd}}</style>{}\
        <path d='M20 0h20v20h-20z' fill='url(#g)'/>\
        <g transform='translate(40)'><path d='m0 0 20 0 0 20-20 0z' fill='green'/></g>",
        "<rect width='20' height='20' style='fill:url(#g) red'/>"
    );
    check(&all, [GREEN; 3]);
}

#[test]
fn animations_show_their_start_and_foreign_text_is_drawn() {
    let all = "<rect width='20' height='20' fill='red'><set attributeName='fill' to='green' fill='freeze'/></rect>\
        <rect x='20' width='20' height='20' fill='red'><animate attributeName='fill' values='green;red' repeatCount='indefinite'/></rect>\
        <rect x='40' width='20' height='20' fill='green'/>";
    check(all, [GREEN; 3]);
    let svg = drawing(
        "<foreignObject width='60' height='20'><p xmlns='http://www.w3.org/1999/xhtml'>Sales</p></foreignObject>",
    );
    let converted = convert_with_notes(svg.as_bytes(), "a.svg", "png", Quality::Medium, &[]);
    let (png, notes) = converted.unwrap();
    assert_eq!(notes.0, [""; 0]);
    let dark = pixels(&png)
        .pixels()
        .filter(|pixel| pixel.0[3] > 128)
        .count();
    assert!(dark > 20, "{dark} pixels of text");
}

#[test]
fn the_requested_size_counts_and_not_the_natural_one() {
    let svg = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 355572 355572'><rect width='355572' height='355572' fill='green'/></svg>";
    let converted = |fields: &[(&str, &str)]| {
        convert_with_notes(svg.as_bytes(), "a.svg", "png", Quality::Medium, fields)
    };
    let (png, _) = converted(&[]).unwrap();
    assert_eq!(pixels(&png).dimensions(), (4096, 4096));
    let (png, _) = converted(&[("width", "100")]).unwrap();
    assert_eq!(pixels(&png).dimensions(), (100, 100));
    let sized = svg.replace("viewBox", "width='355572' height='355572' viewBox");
    let refused = convert_with_notes(sized.as_bytes(), "a.svg", "png", Quality::Medium, &[]);
    assert!(refused.is_err());
}

#[test]
fn unknown_values_are_reported() {
    let svg = drawing("<rect width='20' height='20' style='fill:nonsense(1)'/>");
    let converted = convert_with_notes(svg.as_bytes(), "a.svg", "png", Quality::Medium, &[]);
    let (_, notes) = converted.unwrap();
    assert!(notes.0.join(" ").contains("nonsense"), "{notes:?}");
}
