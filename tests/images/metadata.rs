//! EXIF and XMP through every format that keeps them, as ImageMagick reads them.

use crate::harness::{MAGICK, convert, convert_with_notes, directory, has};
use convertd::job::Quality;
use std::{path::Path, process::Command};

const KEEP: &[(&str, &str)] = &[("metadata", "keep")];

const PACKET: &str = "<?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?>\
    <x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>\
    <rdf:Description xmlns:tiff='http://ns.adobe.com/tiff/1.0/' tiff:Orientation='6'/></rdf:RDF></x:xmpmeta>";

/// A directory at offset `at`: entries with a tag, a type, and the bytes of the value.
fn directory_at(at: usize, next: u32, entries: &[(u16, u16, &[u8])]) -> Vec<u8> {
    let mut block = (entries.len() as u16).to_be_bytes().to_vec();
    let mut beyond: Vec<u8> = Vec::new();
    let end = at + 2 + 12 * entries.len() + 4;
    for (tag, kind, value) in entries {
        let width = [1, 1, 1, 2, 4, 8][usize::from(*kind)];
        block.extend(tag.to_be_bytes());
        block.extend(kind.to_be_bytes());
        block.extend((value.len() as u32 / width).to_be_bytes());
        if value.len() > 4 {
            block.extend(((end + beyond.len()) as u32).to_be_bytes());
            beyond.extend(*value);
        } else {
            let mut short = [0; 4];
            short[..value.len()].copy_from_slice(value);
            block.extend(short);
        }
    }
    block.extend(next.to_be_bytes());
    block.extend(beyond);
    block
}

/// The beginning of a JPEG thumbnail, which must not be kept.
const THUMBNAIL: &[u8] = b"\xff\xd8\xff\xdb the picture before it was cropped \xff\xd9";

/// EXIF of a camera that was held upright: big-endian, with a position and a thumbnail.
fn block() -> Vec<u8> {
    let mut block = b"MM\0*\0\0\0\x08".to_vec();
    let long = |value: u32| value.to_be_bytes();
    let rational = [long(1), long(250)].concat();
    let first = |exif: u32, gps: u32, thumbnail: u32| {
        directory_at(
            8,
            thumbnail,
            &[
                (0x010f, 2, b"Maker of cameras\0"),
                (0x0112, 3, &[0, 6]),
                (0x8769, 4, &long(exif)),
                (0x8825, 4, &long(gps)),
            ],
        )
    };
    let exif = 8 + first(0, 0, 0).len();
    let inner = directory_at(
        exif,
        0,
        &[
            (0x829a, 5, &rational),
            (0x9003, 2, b"2026:11:21 10:00:00\0"),
            (0xa002, 4, &long(64)),
            (0xa003, 4, &long(48)),
        ],
    );
    let gps = exif + inner.len();
    let place = directory_at(gps, 0, &[(1, 2, b"N\0")]);
    let thumbnail = gps + place.len();
    block.extend(first(exif as u32, gps as u32, thumbnail as u32));
    block.extend(inner);
    block.extend(place);
    let mut entries = [
        (0x0103, 3, &[0, 6][..]),
        (0x0201, 4, &[0; 4]),
        (0x0202, 4, &long(THUMBNAIL.len() as u32)),
    ];
    let behind = thumbnail + directory_at(thumbnail, 0, &entries).len();
    let start = long(behind as u32);
    entries[1].2 = &start;
    block.extend(directory_at(thumbnail, 0, &entries));
    block.extend(THUMBNAIL);
    block
}

/// A picture of 64 × 48 pixels whose EXIF rotates it by 90 degrees.
fn photograph() -> Vec<u8> {
    let picture = image::RgbImage::from_fn(64, 48, |x, y| image::Rgb([x as u8, y as u8, 90]));
    let mut file = Vec::new();
    let mut encoder = jpeg_encoder::Encoder::new(&mut file, 90);
    let exif = [&b"Exif\0\0"[..], &block()].concat();
    encoder.add_app_segment(1, exif).unwrap();
    let xmp = [b"http://ns.adobe.com/xap/1.0/\0", PACKET.as_bytes()].concat();
    encoder.add_app_segment(1, xmp).unwrap();
    encoder
        .encode(&picture, 64, 48, jpeg_encoder::ColorType::Rgb)
        .unwrap();
    file
}

fn holds(file: &[u8], what: &[u8]) -> bool {
    file.windows(what.len()).any(|bytes| bytes == what)
}

/// The properties that ImageMagick is to print.
const TAGS: &str = "%[EXIF:Make]|%[EXIF:DateTimeOriginal]|%[EXIF:ExposureTime]|%[EXIF:GPSLatitudeRef]|%[EXIF:PixelXDimension]";
const DESCRIBED: &str = "Maker of cameras|2026:11:21 10:00:00|1/250|N|48";

fn identify(file: &Path, format: &str) -> String {
    let output = Command::new("/usr/bin/identify")
        .args(["-format", format, &file.display().to_string()])
        .output()
        .unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn metadata_is_kept_on_request() {
    if !has(MAGICK) {
        return;
    }
    let at = directory("metadata");
    let upright = ["", "1"];
    let mut file = ("jpg", photograph());
    for to in [
        "jpg", "png", "jpg", "webp", "jpg", "tiff", "jpg", "png", "webp", "tiff", "png", "jpg",
    ] {
        let (result, notes) =
            convert_with_notes(&file.1, file.0, to, Quality::Medium, KEEP).unwrap();
        assert!(notes.0.is_empty(), "{} to {to}: {notes:?}", file.0);
        let path = at.join(format!("kept.{to}"));
        std::fs::write(&path, &result).unwrap();
        assert_eq!(identify(&path, "%w %h"), "48 64", "{} to {to}", file.0);
        // This version of ImageMagick finds EXIF only in JPEG files, so other results are searched for it.
        let found = match to {
            "jpg" => Some(identify(&path, TAGS)),
            "png" => holds(&result, b"eXIf").then_some(DESCRIBED.into()),
            "webp" => holds(&result, b"EXIF").then_some(DESCRIBED.into()),
            _ => holds(&result, b"Maker of cameras\0").then_some(DESCRIBED.into()),
        };
        assert_eq!(found.as_deref(), Some(DESCRIBED), "{} to {to}", file.0);
        assert!(upright.contains(&identify(&path, "%[EXIF:Orientation]").as_str()));
        let packet = PACKET.replace("Orientation='6'", "Orientation='1'");
        assert!(holds(&result, packet.as_bytes()), "{} to {to}: XMP", file.0);
        assert!(!holds(&result, &THUMBNAIL[4..20]), "{} to {to}", file.0);
        // There is no thumbnail in the result.
        let beginnings = result.windows(3).filter(|bytes| *bytes == b"\xff\xd8\xff");
        assert_eq!(
            beginnings.count(),
            usize::from(to == "jpg"),
            "{} to {to}",
            file.0
        );
        file = (to, result);
    }
    std::fs::remove_dir_all(at).unwrap();
}

#[test]
fn metadata_is_dropped_otherwise() {
    for to in ["jpg", "png", "webp", "tiff"] {
        for fields in [&[][..], &[("metadata", "drop")]] {
            let result = convert(&photograph(), "a.jpg", to, Quality::Medium, fields).unwrap();
            assert!(!holds(&result, b"Maker of cameras"), "{to}");
            assert!(!holds(&result, b"xpacket"), "{to}");
        }
    }
    let (_, notes) =
        convert_with_notes(&photograph(), "a.jpg", "gif", Quality::Medium, KEEP).unwrap();
    assert_eq!(
        notes.0,
        ["EXIF and XMP were dropped: in this conversion, gif cannot hold them."]
    );
}
