//! Resolutions of pictures through conversions, as ImageMagick reads them.

use crate::harness::{MAGICK, convert, directory, has, magick};
use convertd::job::Quality;
use std::{path::Path, process::Command};

/// Formats that state a resolution outside of EXIF.
const TARGETS: [&str; 4] = ["png", "jpg", "tiff", "bmp"];

/// A picture of one colour with 40 × 30 pixels, written by ImageMagick with further arguments.
fn picture(at: &Path, extension: &str, arguments: &[&str]) -> Vec<u8> {
    let path = at.join(format!("source.{extension}"));
    let end = path.display().to_string();
    magick(&[&["-size", "40x30", "xc:teal"], arguments, &[&end]].concat());
    std::fs::read(path).unwrap()
}

fn stated(at: &Path, extension: &str, file: &[u8]) -> String {
    let path = at.join(format!("result.{extension}"));
    std::fs::write(&path, file).unwrap();
    let arguments = ["-units", "PixelsPerInch", "-format", "%x %y"];
    let output = Command::new("/usr/bin/identify")
        .args(arguments)
        .arg(&path)
        .output()
        .unwrap();
    let numbers = String::from_utf8(output.stdout).unwrap();
    // ImageMagick calculates in hundredths of a centimetre.
    let round = |number: &str| format!("{:.1}", number.parse::<f64>().unwrap());
    numbers.split(' ').map(round).collect::<Vec<_>>().join(" ")
}

#[test]
fn resolution_survives_every_pair() {
    #[track_caller]
    fn check(at: &Path, from: &str, source: &[u8], fields: &[(&str, &str)], expected: &str) {
        for to in TARGETS {
            let name = format!("a.{from}");
            let result = convert(source, &name, to, Quality::Medium, fields).unwrap();
            let found = stated(at, to, &result);
            assert_eq!(found, expected, "{from} to {to} with {fields:?}");
        }
    }
    if !has(MAGICK) {
        return;
    }
    let at = directory("resolution");
    let inches = ["-units", "PixelsPerInch", "-density", "300x150"];
    for from in ["png", "jpg", "tiff", "bmp", "psd"] {
        let source = picture(&at, from, &inches);
        check(&at, from, &source, &[], "300.0 150.0");
        check(&at, from, &source, &[("width", "20")], "300.0 150.0");
        check(&at, from, &source, &[("crop", "9x9+1+1")], "300.0 150.0");
        check(&at, from, &source, &[("strip", "true")], "300.0 150.0");
        check(&at, from, &source, &[("rotate", "180")], "300.0 150.0");
        check(&at, from, &source, &[("rotate", "90")], "150.0 300.0");
    }
    let metres = ["-units", "PixelsPerCentimeter", "-density", "118x59"];
    for from in ["png", "jpg", "tiff", "bmp"] {
        let source = picture(&at, from, &metres);
        check(&at, from, &source, &[], "299.7 149.9");
    }
    let turned = [&inches[..], &["-orient", "RightTop"]].concat();
    let source = picture(&at, "tiff", &turned);
    check(&at, "tiff", &source, &[], "150.0 300.0");
    std::fs::remove_dir_all(at).unwrap();
}

/// The bytes after the first occurrence of `before`.
fn after<'f>(file: &'f [u8], before: &[u8]) -> &'f [u8] {
    let at = file.windows(before.len()).position(|bytes| bytes == before);
    &file[at.unwrap() + before.len()..]
}

/// The resolutions in X and Y and their unit, as a small TIFF states them.
fn of_tiff(file: &[u8]) -> ([u32; 4], u16) {
    let long = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap());
    let short = |at: usize| u16::from_le_bytes(file[at..at + 2].try_into().unwrap());
    let first = long(4) as usize;
    let slot = |tag: u16| {
        let mut entries = (0..usize::from(short(first))).map(|i| first + 2 + 12 * i);
        entries.find(|at| short(*at) == tag).unwrap() + 8
    };
    let (x, y) = (long(slot(282)) as usize, long(slot(283)) as usize);
    (
        [long(x), long(x + 4), long(y), long(y + 4)],
        short(slot(296)),
    )
}

#[test]
fn an_unknown_resolution_stays_unknown() {
    let ppm = b"P6 2 1 255\n\x01\x02\x03\x04\x05\x06";
    let to = |target| convert(ppm, "a.ppm", target, Quality::Medium, &[]).unwrap();
    assert!(!to("png").windows(4).any(|name| name == b"pHYs"));
    assert_eq!(after(&to("jpg"), b"JFIF\0")[2..7], [0, 0, 1, 0, 1]);
    assert_eq!(to("bmp")[38..46], [0; 8]);
    assert_eq!(of_tiff(&to("tiff")), ([1, 1, 1, 1], 1));
}

#[test]
fn the_aspect_of_pixels_is_kept() {
    // A PNG with twice as many pixels per unit horizontally, whose unit is unknown.
    let png = convert(b"P5 2 1 255\n\x01\x02", "a.pgm", "png", Quality::Low, &[]).unwrap();
    let chunk = b"\0\0\0\x09pHYs\0\0\0\x02\0\0\0\x01\0";
    let crc = crc32fast::hash(&chunk[4..]).to_be_bytes();
    let source = [&png[..33], chunk, &crc, &png[33..]].concat();
    let to = |target| convert(&source, "a.png", target, Quality::Medium, &[]).unwrap();
    assert_eq!(after(&to("png"), b"pHYs")[..9], chunk[8..]);
    assert_eq!(after(&to("jpg"), b"JFIF\0")[2..7], [0, 0, 2, 0, 1]);
    assert_eq!(of_tiff(&to("tiff")), ([2, 1, 1, 1], 1));
    assert_eq!(to("bmp")[38..46], [0; 8]);
}

/// EXIF with 240 × 120 dots per inch, and an orientation.
fn exif(orientation: u8) -> Vec<u8> {
    let mut block = b"II*\0\x08\0\0\0\x04\0".to_vec();
    block.extend([0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0]);
    block.extend(b"\x1a\x01\x05\0\x01\0\0\0\x3e\0\0\0");
    block.extend(b"\x1b\x01\x05\0\x01\0\0\0\x46\0\0\0");
    block.extend(b"\x28\x01\x03\0\x01\0\0\0\x02\0\0\0\0\0\0\0");
    block.extend(b"\xf0\0\0\0\x01\0\0\0\x78\0\0\0\x01\0\0\0");
    block
}

#[test]
fn exif_states_the_resolution_only_if_nothing_else_does() {
    let plain = convert(
        &[b"P5 16 8 255\n".to_vec(), vec![90; 128]].concat(),
        "a.pgm",
        "jpg",
        Quality::Low,
        &[],
    )
    .unwrap();
    let block = [&b"Exif\0\0"[..], &exif(6)].concat();
    let len = (block.len() as u16 + 2).to_be_bytes();
    // EXIF in the place of the JFIF header of 18 bytes, as in files of cameras.
    let camera = [&b"\xff\xd8\xff\xe1"[..], &len, &block, &plain[20..]].concat();
    let keep = [("metadata", "keep")];
    let png = convert(&camera, "a.jpg", "png", Quality::Medium, &keep).unwrap();
    // 120 and 240 dots per inch after the rotation.
    let metres = after(&png, b"pHYs");
    assert_eq!(metres[..9], *b"\0\0\x12\x74\0\0\x24\xe9\x01");
    let kept = after(&png, b"eXIf");
    assert_eq!(kept[..exif(1).len() - 16], exif(1)[..exif(1).len() - 16]);
    assert_eq!(kept[62..78], *b"\x78\0\0\0\x01\0\0\0\xf0\0\0\0\x01\0\0\0");
    // WebP stores a resolution only in EXIF.
    let webp = convert(&camera, "a.jpg", "webp", Quality::Medium, &keep).unwrap();
    let bmp = convert(&webp, "a.webp", "bmp", Quality::Medium, &[]).unwrap();
    assert_eq!(bmp[38..46], *b"\x74\x12\0\0\xe9\x24\0\0");
}
