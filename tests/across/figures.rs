//! Drawings (SVG) in documents. In a PDF, they consist of paths and text. Formats of Word get them as pixels. poppler
//! and qpdf examine the PDF, and a picture of the drawing shows the expected appearance.

use crate::{
    examined::{Pdf, can_examine, difference},
    harness::{convert, converted},
};
use image::{RgbImage, imageops};
use std::io::Cursor;

/// A drawing of 3 by 2 inches, with a different content in each corner.
const CHART: &str = "<svg xmlns='http://www.w3.org/2000/svg' width='288' height='192' viewBox='0 0 144 96'>\
    <linearGradient id='g'><stop stop-color='red'/><stop offset='1' stop-color='blue'/></linearGradient>\
    <rect width='144' height='96' fill='url(#g)'/><circle cx='36' cy='24' r='20' fill='lime'/>\
    <path d='M80 90 L140 90 L140 50 Z' fill='white' opacity='.5'/>\
    <text x='80' y='30' font-family='Arial' font-size='16'>Turnover</text></svg>";

/// An HTML page that contains these drawings.
fn page(drawings: &str) -> Vec<u8> {
    format!("<!DOCTYPE html><html lang=en><title>t</title><p>{drawings}</p></html>").into_bytes()
}

fn notes(name: &str, file: &[u8], to: &str) -> Vec<String> {
    convert(name, file, to, &[]).unwrap().1.0
}

/// The chart as a picture that is 576 pixels wide.
fn chart() -> RgbImage {
    let drawn = converted("a.svg", CHART.as_bytes(), "png", &[("width", "576")]);
    image::load_from_memory(&drawn).unwrap().into_rgb8()
}

/// The parts of a package whose names end with `end`.
fn parts(package: &[u8], end: &str) -> Vec<Vec<u8>> {
    let mut archive = zip_entries(package);
    archive.retain(|(name, _)| name.ends_with(end));
    archive.into_iter().map(|(_, part)| part).collect()
}

/// The entries of a ZIP archive, by their local headers. This program writes the sizes of entries there.
fn zip_entries(mut file: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut entries = Vec::new();
    while let Some(head) = file.strip_prefix(b"PK\x03\x04") {
        let number = |at: usize| u16::from_le_bytes([head[at], head[at + 1]]) as usize;
        let len = number(14) | number(16) << 16;
        let (name, rest) = head[26..].split_at(number(22));
        let (data, rest) = rest[number(24)..].split_at(len);
        let data = match number(4) {
            0 => data.to_vec(),
            _ => miniz_oxide::inflate::decompress_to_vec(data).unwrap(),
        };
        entries.push((String::from_utf8(name.to_vec()).unwrap(), data));
        file = rest;
    }
    entries
}

/// The PNG files in an RTF document.
fn pictures(rtf: &[u8]) -> Vec<Vec<u8>> {
    let text = std::str::from_utf8(rtf).unwrap();
    let start = hex(b"\x89PNG");
    text.match_indices(&start)
        .map(|(at, _)| {
            let digits: Vec<u8> = text[at..]
                .bytes()
                .take_while(|byte| *byte != b'}')
                .filter(u8::is_ascii_hexdigit)
                .collect();
            let byte =
                |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
            digits.chunks_exact(2).map(byte).collect()
        })
        .collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Checks that a PNG shows the chart at 200 dots per inch.
#[track_caller]
fn check_pixels(png: &[u8]) {
    let decoder = png::Decoder::new(Cursor::new(png));
    let dots = decoder.read_info().unwrap().info().pixel_dims.unwrap();
    assert_eq!((dots.xppu, dots.yppu), (7874, 7874));
    let picture = image::load_from_memory(png).unwrap().into_rgb8();
    assert_eq!(picture.dimensions(), (600, 400));
    let expected = imageops::thumbnail(&chart(), 144, 96);
    let found = difference(&imageops::thumbnail(&picture, 144, 96), &expected);
    assert!(found < 2.0, "{found} of 255");
}

#[test]
fn a_pdf_has_figures_as_paths_and_text() {
    if !can_examine() {
        return;
    }
    for (name, file) in [
        ("a.html", page(CHART)),
        ("a.odt", converted("a.html", &page(CHART), "odt", &[])),
        ("a.docx", converted("a.html", &page(CHART), "docx", &[])),
        ("a.epub", converted("a.html", &page(CHART), "epub", &[])),
    ] {
        assert_eq!(notes(name, &file, "pdf"), [""; 0], "{name}");
        let pdf = Pdf::new(&converted(name, &file, "pdf", &[]));
        assert!(pdf.pictures().is_empty(), "{name}: {:?}", pdf.pictures());
        assert!(pdf.words().contains("Turnover"), "{name}: {}", pdf.words());
        // The position of the chart is that of the first red pixels.
        let seen = pdf.seen(192);
        let red = |pixel: &image::Rgb<u8>| pixel.0[0] > 200 && pixel.0[1] < 60;
        let left = seen.enumerate_pixels().filter(|(.., pixel)| red(pixel));
        let (x, y) = left.fold((u32::MAX, u32::MAX), |least, (x, y, _)| {
            (least.0.min(x), least.1.min(y))
        });
        let found = imageops::crop_imm(&seen, x, y, 576, 384).to_image();
        let small = |picture: &RgbImage| imageops::thumbnail(picture, 144, 96);
        let off = difference(&small(&found), &small(&chart()));
        assert!(off < 3.0, "{name}: {off} of 255");
    }
}

#[test]
fn drawings_share_fonts_and_are_stored_once() {
    if !can_examine() {
        return;
    }
    let word = |text: &str| {
        format!("<svg width=90 height=20><text y=15 font-family=Georgia>{text}</text></svg>")
    };
    let twice = page(&[word("One"), word("Two"), word("One")].concat());
    let pdf = converted("a.html", &twice, "pdf", &[]);
    let forms = |pdf: &[u8]| {
        pdf.windows(13)
            .filter(|part| part == b"/Subtype/Form")
            .count()
    };
    assert_eq!(forms(&pdf), 2);
    assert!(pdf == converted("a.html", &twice, "pdf", &[]));
    assert_eq!(Pdf::new(&pdf).words(), "One Two One");
}

#[test]
fn word_shows_pixels_and_keeps_the_drawing() {
    let docx = converted("a.html", &page(CHART), "docx", &[]);
    assert_eq!(notes("a.html", &page(CHART), "docx"), [""; 0]);
    let [png] = &parts(&docx, ".png")[..] else {
        panic!("not one picture");
    };
    check_pixels(png);
    assert_eq!(parts(&docx, ".svg").len(), 1);
    // A Word document that is converted to another one contains the drawing and its pixels. Formats that can display
    // the drawing get only the drawing.
    let again = converted("a.docx", &docx, "docx", &[]);
    assert!(parts(&again, ".png") == parts(&docx, ".png"));
    assert!(parts(&again, ".svg") == parts(&docx, ".svg"));
    let book = converted("a.docx", &docx, "epub", &[]);
    assert!(parts(&book, ".svg") == parts(&docx, ".svg"));
    assert!(parts(&book, ".png").is_empty());
}

#[test]
fn rtf_has_figures_as_pixels() {
    let rtf = converted("a.html", &page(CHART), "rtf", &[]);
    let [png] = &pictures(&rtf)[..] else {
        panic!("not one picture");
    };
    check_pixels(png);
    assert!(
        std::str::from_utf8(&rtf)
            .unwrap()
            .contains("\\picwgoal4320\\pichgoal2880")
    );
    assert_eq!(
        notes("a.html", &page(CHART), "rtf"),
        ["A drawing (SVG) became a picture of pixels."]
    );
}

#[test]
fn pictures_that_a_format_lacks_become_png() {
    let mut webp = Vec::new();
    let picture = image::DynamicImage::from(RgbImage::from_fn(20, 10, |x, y| {
        image::Rgb([x as u8 * 12, y as u8 * 25, 99])
    }));
    let to = &mut Cursor::new(&mut webp);
    picture.write_to(to, image::ImageFormat::WebP).unwrap();
    let url = data_url("image/webp", &webp);
    let page = page(&format!("<img alt=a src='{url}'>"));
    for to in ["docx", "rtf"] {
        let file = converted("a.html", &page, to, &[]);
        let found = match to {
            "rtf" => pictures(&file),
            _ => parts(&file, ".png"),
        };
        let [png] = &found[..] else {
            panic!("{to}: not one picture");
        };
        let found = image::load_from_memory(png).unwrap().into_rgb8();
        assert!(found == picture.clone().into_rgb8(), "{to}");
        assert_eq!(notes("a.html", &page, to), [""; 0]);
    }
}

fn data_url(media_type: &str, bytes: &[u8]) -> String {
    let escaped: String = bytes.iter().map(|byte| format!("%{byte:02x}")).collect();
    format!("data:{media_type},{escaped}")
}

#[test]
fn drawings_that_take_too_long_are_left_out() {
    // Each drawing by itself takes little time, but all of them together would take minutes.
    let heavy = |number: usize| {
        format!(
            "<svg width=600 height=600><filter id=f><feTurbulence baseFrequency='0.{number}' numOctaves=5 /></filter>\
             <rect width=600 height=600 filter='url(#f)'/><title>drawing {number}</title></svg>"
        )
    };
    let page = page(&(100..200).map(heavy).collect::<String>());
    for to in ["docx", "rtf", "pdf"] {
        let notes = notes("a.html", &page, to);
        let all_notes = notes.join(" ");
        assert!(
            all_notes.contains("description") || all_notes.contains("alternative"),
            "{to}: {all_notes}"
        );
    }
    let kept = parts(&converted("a.html", &page, "docx", &[]), ".png").len();
    assert!((1..100).contains(&kept), "{kept}");
}
