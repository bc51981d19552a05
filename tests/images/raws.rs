//! Raw files of cameras with the structure that their makers use, made here without sensor data.

use crate::harness::{convert, convert_with_notes, pixels};
use convertd::{error::Kind, job::Quality};
use image::{ImageDecoder, Rgb, RgbImage, codecs::png::PngDecoder};
use moxcms::ColorProfile;
use std::io::Cursor;

/// An entry of a directory: a tag, a type, and values.
type Entry<'a> = (u16, u16, &'a [u32]);

/// A directory at `at`, with its values after it, and a pointer to the next directory.
fn directory(at: usize, entries: &[Entry<'_>], next: u32) -> Vec<u8> {
    let mut head = (entries.len() as u16).to_le_bytes().to_vec();
    let mut behind = Vec::new();
    let end = at + 2 + 12 * entries.len() + 4;
    for (tag, kind, values) in entries {
        head.extend(tag.to_le_bytes());
        head.extend(kind.to_le_bytes());
        head.extend((values.len() as u32).to_le_bytes());
        let bytes: Vec<u8> = match kind {
            1 | 2 => values.iter().map(|value| *value as u8).collect(),
            3 => values
                .iter()
                .flat_map(|value| (*value as u16).to_le_bytes())
                .collect(),
            _ => values
                .iter()
                .flat_map(|value| value.to_le_bytes())
                .collect(),
        };
        if bytes.len() > 4 {
            head.extend(((end + behind.len()) as u32).to_le_bytes());
            behind.extend(bytes);
        } else {
            head.extend(bytes.iter().chain(&[0; 4]).take(4));
        }
    }
    head.extend(next.to_le_bytes());
    head.extend(behind);
    head
}

fn jpeg(width: u32, height: u32, colour: [u8; 3]) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    let picture = RgbImage::from_pixel(width, height, Rgb(colour));
    picture
        .write_to(&mut file, image::ImageFormat::Jpeg)
        .unwrap();
    file.into_inner()
}

const RED: [u8; 3] = [200, 30, 30];
const BLUE: [u8; 3] = [30, 30, 200];

/// Offsets of the parts of [`raw`].
const SECOND: usize = 300;
const SMALL: usize = 600;
const LARGE: usize = 3000;

/// A TIFF with these first bytes and two directories, of which the second is a sub-directory of the first.
fn raw(magic: &[u8], first: &[Entry<'_>], second: &[Entry<'_>]) -> Vec<u8> {
    let mut file = magic.to_vec();
    let at = if magic.starts_with(b"IIU") || magic.len() == 4 {
        8
    } else {
        magic.len()
    };
    if magic.len() == 4 {
        file.extend((at as u32).to_le_bytes());
    }
    file.extend(directory(at, first, 0));
    file.resize(SECOND, 0);
    file.extend(directory(SECOND, second, 0));
    file.resize(SMALL, 0);
    file.extend(jpeg(16, 8, RED));
    file.resize(LARGE, 0);
    file.extend(jpeg(64, 32, BLUE));
    file.extend([7; 500]);
    file
}

#[track_caller]
fn check(file: &[u8], name: &str, sides: (u32, u32)) {
    let (result, notes) = convert_with_notes(file, name, "png", Quality::Low, &[]).unwrap();
    let result = pixels(&result);
    assert_eq!(result.dimensions(), sides, "{name}");
    let [r, _, b, _] = result.get_pixel(3, 3).0;
    assert!(b > r, "{name}");
    assert!(
        notes.0.iter().any(|note| note.contains("camera's preview")),
        "{name}: {notes:?}"
    );
}

#[test]
fn the_largest_preview_is_read_with_its_orientation() {
    let (small, large) = (SMALL as u32, LARGE as u32);
    let sensor: Entry<'_> = (0x0106, 3, &[32_803]);
    let previews: &[Entry<'_>] = &[
        (0x0103, 3, &[6]),
        sensor,
        (0x0201, 4, &[large]),
        (0x0202, 4, &[900]),
    ];
    let upright: &[Entry<'_>] = &[(0x014a, 4, &[SECOND as u32]), (0x0201, 4, &[small])];
    let turned: &[Entry<'_>] = &[(0x0112, 3, &[6]), (0x014a, 4, &[SECOND as u32])];
    check(&raw(b"II*\0", upright, previews), "a.nef", (64, 32));
    check(&raw(b"II*\0", turned, previews), "a.arw", (32, 64));
    // The extension does not matter.
    check(&raw(b"II*\0", turned, previews), "a.tif", (32, 64));
    check(&raw(b"IIRO", upright, previews), "a.orf", (64, 32));
    // A strip that is a JPEG, in a file that states that it is a DNG.
    let strip: &[Entry<'_>] = &[
        (0x0103, 3, &[7]),
        (0x0111, 4, &[large]),
        (0x0117, 4, &[900]),
    ];
    let dng: &[Entry<'_>] = &[(0x014a, 4, &[SECOND as u32]), (0xc612, 1, &[1, 4, 0, 0])];
    check(&raw(b"II*\0", dng, strip), "a.dng", (64, 32));
    let canon = b"II*\0\x10\0\0\0CR\x02\0\0\0\0\0";
    let first: &[Entry<'_>] = &[(0x0103, 3, &[6]), (0x0111, 4, &[large])];
    check(&raw(canon, first, &[]), "a.cr2", (64, 32));
    // Panasonic's tag, whose type is bytes.
    let mut panasonic = raw(b"IIU\0", &[(0x002e, 7, &[0; 8])], &[]);
    panasonic[18..22].copy_from_slice(&large.to_le_bytes());
    check(&panasonic, "a.rw2", (64, 32));
}

/// Cameras state Adobe RGB by EXIF alone (DCF 2.0): in a jpg by its own, in the preview of a raw file by that of the
/// file.
#[test]
fn adobe_rgb_is_stated_by_exif() {
    const INDEX: usize = 450;
    #[track_caller]
    fn check(space: u32, index: &[u8; 4], is_adobe: bool) {
        let exif: &[Entry<'_>] = &[(0xa001, 3, &[space]), (0xa005, 4, &[INDEX as u32])];
        let first: &[Entry<'_>] = &[
            (0x0106, 3, &[32_803]),
            (0x0201, 4, &[LARGE as u32]),
            (0x8769, 4, &[SECOND as u32]),
        ];
        let mut file = raw(b"II*\0", first, exif);
        let index = index.map(u32::from);
        let interoperability = directory(INDEX, &[(1, 2, &index)], 0);
        file.splice(INDEX..INDEX + interoperability.len(), interoperability);
        let block = &file[..SMALL];
        let mut photo = jpeg(64, 32, BLUE);
        let len = (block.len() as u16 + 8).to_be_bytes();
        let segment = [b"\xff\xe1", &len[..], b"Exif\0\0", block].concat();
        photo.splice(2..2, segment);
        for (file, name) in [(file, "a.arw"), (photo, "a.jpg")] {
            let result = convert(&file, name, "png", Quality::Low, &[]).unwrap();
            let mut png = PngDecoder::new(Cursor::new(result)).unwrap();
            let profile = png.icc_profile().unwrap();
            let profile = profile.map(|icc| ColorProfile::new_from_slice(&icc).unwrap());
            let adobe = ColorProfile::new_adobe_rgb();
            assert_eq!(profile.is_some(), is_adobe, "{name}");
            assert!(profile.is_none_or(|found| found.red_colorant == adobe.red_colorant));
        }
    }
    check(0xffff, b"R03\0", true);
    check(0xffff, b"R98\0", false);
    check(1, b"R03\0", false);
}

#[test]
fn containers_of_fujifilm_and_canon_are_read() {
    let mut file = b"FUJIFILMCCD-RAW 0201".to_vec();
    file.resize(84, 0);
    file.extend(200_u32.to_be_bytes());
    file.resize(200, 0);
    file.extend(jpeg(64, 32, BLUE));
    check(&file, "a.raf", (64, 32));

    let boxed = |kind: &[u8; 4], content: &[u8]| {
        [&(content.len() as u32 + 8).to_be_bytes()[..], kind, content].concat()
    };
    let place = |at: u64| [&[0, 0, 0, 0, 0, 0, 0, 1][..], &at.to_be_bytes()].concat();
    let id = b"\x85\xc0\xb6\x87\x82\x0f\x11\xe0\x81\x11\xf4\xce\x46\x2b\x6a\x48";
    let mut tiff = b"II*\0\x08\0\0\0".to_vec();
    tiff.extend(directory(8, &[(0x0112, 3, &[8])], 0));
    let canon = boxed(b"uuid", &[&id[..], &boxed(b"CMT1", &tiff)].concat());
    let track = |at| {
        let table = boxed(b"stbl", &boxed(b"co64", &place(at)));
        boxed(b"trak", &boxed(b"mdia", &boxed(b"minf", &table)))
    };
    let movie = boxed(b"moov", &[canon, track(1000), track(900)].concat());
    let mut file = [boxed(b"ftyp", b"crx \0\0\0\x01"), movie].concat();
    file.resize(1000, 0);
    file.extend(jpeg(64, 32, BLUE));
    check(&file, "a.cr3", (32, 64));
}

#[test]
fn raw_files_without_preview_are_refused_and_tiff_stays_tiff() {
    let sensor: &[Entry<'_>] = &[(0x0106, 3, &[32_803]), (0x0201, 4, &[20])];
    let err = convert(
        &raw(b"II*\0", sensor, &[]),
        "a.nef",
        "png",
        Quality::Low,
        &[],
    );
    let err = err.map(drop).unwrap_err();
    assert_eq!(err.kind(), Kind::BadInput);
    assert!(err.message().contains("no JPEG preview"), "{err}");
    let plain = RgbImage::from_pixel(20, 10, Rgb(BLUE));
    let mut file = Cursor::new(Vec::new());
    plain.write_to(&mut file, image::ImageFormat::Tiff).unwrap();
    for name in ["a.tif", "a.dng", "a"] {
        let (result, notes) =
            convert_with_notes(file.get_ref(), name, "png", Quality::Low, &[]).unwrap();
        assert_eq!(pixels(&result).dimensions(), (20, 10));
        assert!(notes.0.is_empty(), "{notes:?}");
    }
}

#[test]
fn circular_directories_and_truncated_files_are_refused() {
    let first: &[Entry<'_>] = &[(0x0106, 3, &[32_803]), (0x014a, 4, &[8, SECOND as u32, 8])];
    let circle: &[Entry<'_>] = &[
        (0x014a, 4, &[SECOND as u32, 8]),
        (0x0201, 4, &[LARGE as u32]),
    ];
    let whole = raw(b"II*\0", first, circle);
    check(&whole, "a.nef", (64, 32));
    for len in [5, 100, SECOND + 10, LARGE + 200] {
        let result = convert(&whole[..len], "a.nef", "png", Quality::Low, &[]);
        assert_eq!(
            result.map(drop).unwrap_err().kind(),
            Kind::BadInput,
            "{len}"
        );
    }
}
