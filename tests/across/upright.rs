//! Photographs that are stored sideways, as telephones store them. They must be upright on paper, whatever kind of
//! document contains them.

use crate::harness::{converted, has, python};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use std::io::Cursor;

const RED: Rgb<u8> = Rgb([220, 20, 20]);
const BLUE: Rgb<u8> = Rgb([20, 20, 220]);

/// A photograph that is stored twice as wide as high, red on the left and blue on the right. With orientation 6, the
/// left side is displayed at the top (Exif 2.32, tag 0x0112). With 0, the file states no orientation.
fn photograph(orientation: u8) -> Vec<u8> {
    let picture = RgbImage::from_fn(160, 80, |x, _| if x < 80 { RED } else { BLUE });
    let mut file = Cursor::new(Vec::new());
    DynamicImage::from(picture)
        .write_to(&mut file, ImageFormat::Jpeg)
        .unwrap();
    let mut file = file.into_inner();
    if orientation > 0 {
        let mut exif =
            b"\xff\xe1\0\x22Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0".to_vec();
        exif.extend([orientation, 0, 0, 0, 0, 0, 0, 0]);
        file.splice(2..2, exif);
    }
    file
}

/// Checks that red is above blue on the first page, and that the picture is twice as high as wide.
#[track_caller]
fn check(name: &str, file: &[u8]) {
    let pdf = converted(name, file, "pdf", &[]);
    let page = converted("a.pdf", &pdf, "png", &[("dpi", "72")]);
    let page = image::load_from_memory(&page).unwrap().into_rgb8();
    let place = |colour: Rgb<u8>| {
        let is = |pixel: &Rgb<u8>| (0..3).all(|at| pixel[at].abs_diff(colour[at]) < 40);
        let all = page.enumerate_pixels().filter(|(.., pixel)| is(pixel));
        let all: Vec<_> = all.map(|(x, y, _)| (x, y)).collect();
        assert!(!all.is_empty(), "{name}: {colour:?} is nowhere");
        let (xs, ys) = (all.iter().map(|at| at.0), all.iter().map(|at| at.1));
        let (left, right) = (xs.clone().min().unwrap(), xs.max().unwrap());
        let (top, bottom) = (ys.clone().min().unwrap(), ys.max().unwrap());
        (left, right, top, bottom)
    };
    let (red, blue) = (place(RED), place(BLUE));
    assert!(red.3 <= blue.2 + 1, "{name}: {red:?} {blue:?}");
    assert!(
        red.0.abs_diff(blue.0) < 3 && red.1.abs_diff(blue.1) < 3,
        "{name}"
    );
    let (width, height) = (red.1 - red.0, blue.3 - red.2);
    assert!(height.abs_diff(2 * width) < 6, "{name}: {width} x {height}");
}

#[test]
fn photographs_stand_upright_in_pages_and_books() {
    let data = STANDARD.encode(photograph(6));
    let html = format!("<p>words</p><p><img alt='a' src='data:image/jpeg;base64,{data}'></p>");
    check("a.html", html.as_bytes());
    let md = format!("words\n\n![a](data:image/jpeg;base64,{data})\n");
    check("a.md", md.as_bytes());
    for to in ["epub", "docx", "odt", "rtf", "html"] {
        let made = converted("a.html", html.as_bytes(), to, &[]);
        check(&format!("a.{to}"), &made);
    }
    // The same photograph is displayed so small that the PDF contains fewer of its pixels.
    let small = html.replace("<img", "<img width=20");
    let pdf = converted("a.html", small.as_bytes(), "pdf", &[]);
    assert!(pdf.len() < 20_000);
    check("small.html", small.as_bytes());
}

#[test]
fn word_turns_photographs_itself() {
    if !has("python3") {
        return;
    }
    let turned = "import io, sys, zipfile\n\
        old = zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read()))\n\
        out = io.BytesIO()\n\
        with zipfile.ZipFile(out, 'w') as new:\n\
        \x20   for name in old.namelist():\n\
        \x20       part = old.read(name).replace(b'<a:xfrm>', b'<a:xfrm rot=\"5400000\">')\n\
        \x20       new.writestr(name, part)\n\
        sys.stdout.buffer.write(out.getvalue())";
    // Word ignores the orientation that a photograph states.
    for stated in [0, 1, 3] {
        let data = STANDARD.encode(photograph(0));
        let html = format!("<p><img alt='a' src='data:image/jpeg;base64,{data}'></p>");
        let docx = converted("a.html", html.as_bytes(), "docx", &[]);
        let plain = photograph(0);
        let other = photograph(stated);
        let replaced = format!(
            "{}\n",
            turned.replace(
                ".replace(b'<a:xfrm>'",
                &format!(
                    ".replace(bytes.fromhex('{}'), bytes.fromhex('{}')).replace(b'<a:xfrm>'",
                    hex(&plain),
                    hex(&other)
                )
            )
        );
        check("a.docx", &python(&replaced, &docx));
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
