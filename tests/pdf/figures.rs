//! Pictures of PDF files in documents that are made of these files.

use crate::{
    harness::{convert, convert_with, fixture},
    make,
};
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use std::io::Cursor;

/// A picture in which no two places look alike.
fn scene() -> RgbImage {
    RgbImage::from_fn(60, 40, |x, y| Rgb([x as u8 * 4, y as u8 * 6, 90]))
}

fn encoded(format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    DynamicImage::from(scene())
        .write_to(&mut bytes, format)
        .unwrap();
    bytes.into_inner()
}

/// A page that draws `content`, in which `/I` is a picture of 60 × 40 pixels with these entries and data.
fn page(content: &str, entries: &str, data: &[u8]) -> Vec<u8> {
    let mut file = make::page(
        "/Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> /XObject << /I 5 0 R >> >>",
    );
    file.stream("", content);
    let bits = if entries.contains("Mask") { 1 } else { 8 };
    let entries = format!(
        "/Type /XObject /Subtype /Image /Width 60 /Height 40 /BitsPerComponent {bits} {entries}"
    );
    file.stream(&entries, data);
    file.finish()
}

const AROUND: &str =
    "BT /F 10 Tf 100 700 Td (Above it.) Tj ET BT /F 10 Tf 100 400 Td (Below it.) Tj ET";

/// The pictures of an HTML page, with the text before the first picture and after the last one.
fn pictures(file: &[u8]) -> (Vec<Vec<u8>>, String, String) {
    let html = String::from_utf8(convert("a.pdf", file, "html").unwrap()).unwrap();
    let parts: Vec<&str> = html.split("src=\"data:").collect();
    let files = parts[1..].iter().map(|part| {
        let (_, rest) = part.split_once(";base64,").unwrap();
        unpacked(rest.split('"').next().unwrap())
    });
    let last = parts[parts.len() - 1].to_owned();
    (files.collect(), parts[0].to_owned(), last)
}

fn unpacked(text: &str) -> Vec<u8> {
    let digit = |byte: u8| match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let mut bytes = Vec::new();
    for four in text.trim_end_matches('=').as_bytes().chunks(4) {
        let bits = four
            .iter()
            .fold(0_u32, |bits, byte| bits << 6 | u32::from(digit(*byte)));
        let bits = bits << (6 * (4 - four.len()));
        bytes.extend(&bits.to_be_bytes()[1..four.len()]);
    }
    bytes
}

#[test]
fn a_jpg_is_copied_unchanged_to_its_position() {
    let jpg = encoded(ImageFormat::Jpeg);
    let content = format!("q 200 0 0 150 100 500 cm /I Do Q {AROUND}");
    let file = page(&content, "/ColorSpace /DeviceRGB /Filter /DCTDecode", &jpg);
    let (found, before, after) = pictures(&file);
    assert!(found == [jpg]);
    assert!(before.contains("Above it.") && after.contains("Below it."));
    let (_, notes) = convert_with("a.pdf", &file, "docx", "medium", &[]).unwrap();
    assert!(
        notes
            .0
            .iter()
            .any(|note| note.contains("Pictures were put")),
        "{notes:?}"
    );
}

#[test]
fn other_pictures_are_pngs_of_the_same_pixels() {
    let samples = scene().into_raw();
    let content = format!("q 200 0 0 150 100 500 cm /I Do Q {AROUND}");
    let (found, ..) = pictures(&page(&content, "/ColorSpace /DeviceRGB", &samples));
    assert_eq!(found.len(), 1);
    let found = image::load_from_memory_with_format(&found[0], ImageFormat::Png).unwrap();
    assert!(found.into_rgb8() == scene());
}

#[test]
fn pictures_are_oriented_as_on_the_page() {
    #[track_caller]
    fn check(matrix: &str, expected: &RgbImage) {
        let content = format!("q 150 600 150 150 re W n {matrix} cm /I Do Q {AROUND}");
        let (found, ..) = pictures(&page(&content, "/ColorSpace /DeviceRGB", scene().as_raw()));
        assert_eq!(found.len(), 1, "{matrix}");
        let found = image::load_from_memory_with_format(&found[0], ImageFormat::Png).unwrap();
        assert!(found.into_rgb8() == *expected, "{matrix}");
    }
    use image::imageops::{crop_imm, flip_horizontal, rotate90, rotate180};
    let scene = scene();
    check("150 0 0 100 150 625", &scene);
    check("-150 0 0 -100 300 725", &rotate180(&scene));
    check("-150 0 0 100 300 625", &flip_horizontal(&scene));
    check("0 -150 100 0 150 750", &rotate90(&scene));
    // The right half is outside of the clipping path.
    let left = crop_imm(&scene, 0, 0, 30, 40).to_image();
    check("300 0 0 100 150 625", &left);
}

#[test]
fn masks_and_stencils_are_drawn() {
    let samples = scene().into_raw();
    let content = format!("q 200 0 0 150 100 500 cm /I Do Q {AROUND}");
    let mut file = make::page(
        "/Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> /XObject << /I 5 0 R >> >>",
    );
    file.stream("", &content);
    let own = "/Type /XObject /Subtype /Image /ColorSpace /DeviceRGB /BitsPerComponent 8 /Width 60 /Height 40";
    file.stream(&format!("{own} /SMask 6 0 R"), &samples);
    // The mask is finer than the picture: white on the left, black on the right.
    let mask: Vec<u8> = (0..120 * 80)
        .map(|at| if at % 120 < 60 { 255 } else { 0 })
        .collect();
    let own = "/Type /XObject /Subtype /Image /ColorSpace /DeviceGray /BitsPerComponent 8 /Width 120 /Height 80";
    file.stream(own, &mask);
    let (found, ..) = pictures(&file.finish());
    let found = image::load_from_memory_with_format(&found[0], ImageFormat::Png).unwrap();
    assert_eq!((found.width(), found.height()), (120, 80));
    let found = found.into_rgba8();
    assert_eq!(found.get_pixel(20, 8).0, [40, 24, 90, 255]);
    assert_eq!(found.get_pixel(60, 8).0[3], 0);

    // Pixels that a stencil mask does not paint are white; bits of 0 are painted.
    let content = format!("0 0 1 rg {content}");
    let (found, ..) = pictures(&page(&content, "/ImageMask true", &[0x55; 320]));
    let found = image::load_from_memory_with_format(&found[0], ImageFormat::Png).unwrap();
    let found = found.into_rgb8();
    assert_eq!(found.get_pixel(0, 0).0, [0, 0, 255]);
    assert_eq!(found.get_pixel(1, 0).0, [255; 3]);
}

#[test]
fn bullets_backgrounds_and_hidden_images_are_left_out() {
    #[track_caller]
    fn check(content: &str, expected: usize) {
        let content = format!("{content} {AROUND}");
        let file = page(&content, "/ColorSpace /DeviceRGB", scene().as_raw());
        let (found, ..) = pictures(&file);
        assert_eq!(found.len(), expected, "{content}");
    }
    // A bullet, a picture outside of the page, and one that the clipping path hides.
    check("q 10 0 0 10 100 500 cm /I Do Q", 0);
    check("q 200 0 0 150 700 500 cm /I Do Q", 0);
    check("q 0 0 50 50 re W n 200 0 0 150 100 500 cm /I Do Q", 0);
    // A background under the text of the page, and a picture with few words on it.
    let words = "BT /F 10 Tf 100 600 Td (as many letters as a paragraph has) Tj ET ";
    let lines: String = (0..5)
        .map(|line| words.replace("600 Td", &format!("{} Td", 600 - 12 * line)))
        .collect();
    check(&format!("q 612 0 0 792 0 0 cm /I Do Q {lines}"), 0);
    check("q 612 0 0 792 0 0 cm /I Do Q", 1);
}

#[test]
fn pictures_that_cannot_be_shown_are_noted() {
    let content = format!("q 150 100 -100 150 300 500 cm /I Do Q {AROUND}");
    let askew = page(&content, "/ColorSpace /DeviceRGB", scene().as_raw());
    let (_, notes) = convert_with("a.pdf", &askew, "html", "medium", &[]).unwrap();
    assert!(
        notes.0.iter().any(|note| note.contains("tilted")),
        "{notes:?}"
    );
}

/// Fields that turn OCR off.
const UNREAD: &[(&str, &str)] = match cfg!(feature = "ocr") {
    true => &[("ocr", "off")],
    false => &[],
};

#[test]
fn scans_become_pictures_without_text_recognition() {
    let scan = fixture("scan.pdf");
    let (html, notes) = convert_with("scan.pdf", &scan, "html", "high", UNREAD).unwrap();
    assert!(
        String::from_utf8(html)
            .unwrap()
            .contains("src=\"data:image/")
    );
    assert!(
        notes
            .0
            .iter()
            .any(|note| note.contains("its pages are pictures")),
        "{notes:?}"
    );
}

#[test]
fn a_picture_on_every_page_is_left_out() {
    let mut file = make::File::new();
    file.object("<< /Type /Catalog /Pages 2 0 R >>");
    file.object("<< /Type /Pages /Kids [3 0 R 6 0 R 9 0 R 12 0 R] /Count 4 >>");
    for number in 0..4 {
        // Each page has a picture object of its own with the same content.
        let (content, own) = (4 + 3 * number, 5 + 3 * number);
        file.object(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {content} 0 R /Resources << /XObject << /I {own} 0 R >> \
             /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>"
        ));
        // A logo at the same position on all pages. One page also has the picture elsewhere.
        let other = if number == 2 {
            "q 200 0 0 150 100 500 cm /I Do Q"
        } else {
            ""
        };
        file.stream(
            "",
            format!("q 60 0 0 40 500 740 cm /I Do Q {other} BT /F 10 Tf 100 400 Td (Page {number} has words.) Tj ET"),
        );
        let own = "/Type /XObject /Subtype /Image /ColorSpace /DeviceRGB /BitsPerComponent 8 /Width 60 /Height 40";
        file.stream(own, scene().as_raw());
    }
    let (found, ..) = pictures(&file.finish());
    assert_eq!(found.len(), 1);
}
