//! AVIF files of libavif, compared with the pictures that libavif and libheif decode: `tests/data/avif/make.sh` shows
//! how they were made.

use crate::harness::{self, convert, convert_with_notes, pixels, psnr};
use convertd::{error::Kind, job::Quality};
use image::{AnimationDecoder, RgbaImage, codecs::png::PngDecoder, imageops};
use memchr::memmem;
use std::io::Cursor;

fn data(name: &str) -> Vec<u8> {
    harness::data(&format!("avif/{name}"))
}

/// The pixels of the picture `name`, converted to png with these fields.
#[track_caller]
fn ours(name: &str, fields: &[(&str, &str)]) -> RgbaImage {
    let input = data(&format!("{name}.avif"));
    let result = convert(&input, "a.avif", "png", Quality::Low, fields);
    pixels(&result.unwrap_or_else(|err| panic!("{name}: {err}")))
}

#[track_caller]
fn check(name: &str, least: f64) {
    let theirs = pixels(&data(&format!("{name}.png")));
    let found = psnr(&ours(name, &[]), &theirs);
    assert!(found >= least, "{name}: {found} dB");
}

#[test]
fn pictures_are_rotated_and_mirrored() {
    for name in [
        "irot1",
        "irot2",
        "irot3",
        "imir0",
        "imir1",
        "irot1-imir0",
        "irot1-imir1",
        "irot3-imir0",
    ] {
        check(name, 45.0);
    }
}

#[test]
fn all_samplings_depths_and_ranges_are_read() {
    for name in ["plain444", "grey400", "grey-ten", "identity", "twelve444"] {
        check(name, 45.0);
    }
    // Decoders differ in how they interpolate subsampled chroma.
    for name in [
        "plain420",
        "plain422",
        "limited420",
        "ten420",
        "ten422",
        "bt709",
    ] {
        check(name, 38.0);
    }
}

#[test]
fn straight_and_associated_alpha_are_read() {
    check("alpha", 45.0);
    check("ten-alpha", 45.0);
    check("premultiplied", 38.0);
}

/// The frames that libavif decodes, one below the other.
#[test]
fn sequences_are_read_with_alpha_and_delays() {
    let (input, theirs) = (data("moving.avif"), pixels(&data("moving.png")));
    let expected = |at: u32| imageops::crop_imm(&theirs, 0, 47 * at, 61, 47).to_image();
    let moving = convert(&input, "a.avif", "apng", Quality::High, &[]).unwrap();
    let decoder = PngDecoder::new(Cursor::new(moving)).unwrap();
    let frames = decoder.apng().unwrap().into_frames();
    let frames = frames.collect_frames().unwrap();
    let delays: Vec<_> = frames
        .iter()
        .map(|it| it.delay().numer_denom_ms())
        .collect();
    assert_eq!(delays, [(100, 1), (200, 1), (100, 1), (350, 1)]);
    for (at, frame) in (0..).zip(&frames) {
        let found = psnr(frame.buffer(), &expected(at));
        assert!(found >= 45.0, "frame {at}: {found} dB");
    }
    let third = ours("moving", &[("page", "3")]);
    assert!(psnr(&third, &expected(2)) >= 45.0);
    let still = convert_with_notes(&input, "a.avif", "png", Quality::Low, &[]);
    let (still, notes) = still.unwrap();
    assert!(psnr(&pixels(&still), &expected(0)) >= 45.0);
    assert!(notes.0[0].contains("Only the first frame"), "{notes:?}");
}

/// A sequence that is displayed turned by 90 degrees to the left.
#[test]
fn sequences_are_turned_upright() {
    let mut input = data("moving.avif");
    let straight = convert(&input, "a.avif", "png", Quality::Low, &[("page", "2")]).unwrap();
    // The description of colours in the first sample entry gives its place to a rotation and to free space.
    let track = memmem::find(&input, b"trak").unwrap();
    let entry = track + memmem::find(&input[track..], b"av01").unwrap();
    let at = entry + memmem::find(&input[entry..], b"\0\0\0\x13colr").unwrap();
    let boxes = *b"\0\0\0\x09irot\x01\0\0\0\x0afree\0\0";
    input[at..at + boxes.len()].copy_from_slice(&boxes);
    let turned = convert(&input, "a.avif", "png", Quality::Low, &[("page", "2")]).unwrap();
    let (turned, expected) = (pixels(&turned), imageops::rotate270(&pixels(&straight)));
    assert!(psnr(&turned, &expected) > 30.0);
    let moving = convert(&input, "a.avif", "apng", Quality::Low, &[]).unwrap();
    assert_eq!(pixels(&moving).dimensions(), (47, 61));
}

#[test]
fn tiles_are_joined() {
    check("grid", 38.0);
    check("grid-alpha", 45.0);
}

/// Converts Display P3 to sRGB by the matrix between them.
fn in_srgb(mut picture: RgbaImage) -> RgbaImage {
    let matrix = [
        [1.2249, -0.2247, 0.0],
        [-0.0420, 1.0419, 0.0],
        [-0.0197, -0.0786, 1.0979],
    ];
    for pixel in picture.pixels_mut() {
        let light = [0, 1, 2].map(|at| {
            let sample = f64::from(pixel[at]) / 255.0;
            if sample <= 0.04045 {
                sample / 12.92
            } else {
                ((sample + 0.055) / 1.055).powf(2.4)
            }
        });
        for (at, row) in matrix.iter().enumerate() {
            let light: f64 = row.iter().zip(light).map(|(a, b)| a * b).sum();
            let light = light.clamp(0.0, 1.0);
            let sample = if light <= 0.003_130_8 {
                light * 12.92
            } else {
                1.055 * light.powf(1.0 / 2.4) - 0.055
            };
            pixel[at] = (sample * 255.0).round() as u8;
        }
    }
    picture
}

#[test]
fn display_p3_is_kept_or_becomes_srgb() {
    for name in ["p3-nclx", "p3-icc"] {
        check(name, 45.0);
        let input = data(&format!("{name}.avif"));
        let kept = convert(&input, "a.avif", "png", Quality::Low, &[]).unwrap();
        assert!(kept.windows(4).any(|part| part == b"iCCP"), "{name}");
        let expected = in_srgb(pixels(&data(&format!("{name}.png"))));
        let found = psnr(&ours(name, &[("strip", "true")]), &expected);
        assert!(found > 38.0, "{name}: {found} dB");
    }
}

#[test]
fn high_dynamic_range_is_noted() {
    for (name, noted) in [("pq", true), ("hlg", true), ("ten420", false)] {
        check(name, 38.0);
        let input = data(&format!("{name}.avif"));
        let result = convert_with_notes(&input, "a.avif", "png", Quality::Low, &[]);
        let notes = result.unwrap().1.0;
        assert_eq!(
            notes.iter().any(|note| note.contains("HDR")),
            noted,
            "{name}"
        );
    }
}

#[test]
fn damaged_pictures_are_refused() {
    for name in ["grid.avif", "alpha.avif", "ten422.avif"] {
        harness::check_damage(&data(name), name, 307, 151);
    }
    let moving = data("moving.avif");
    for len in (0..moving.len()).step_by(97) {
        let result = convert(&moving[..len], "a.avif", "apng", Quality::Low, &[]);
        assert_eq!(result.unwrap_err().kind(), Kind::BadInput, "{len} bytes");
    }
}

/// A box of length 0 extends to the end of the file (ISO/IEC 14496-12, 4.2).
#[test]
fn descriptions_may_extend_to_the_end_of_the_file() {
    let file = data("plain420.avif");
    let boxes = |file: &[u8]| {
        let (mut at, mut found) = (0, Vec::new());
        while at < file.len() {
            let len = u32::from_be_bytes(file[at..at + 4].try_into().unwrap()) as usize;
            found.push(file[at..at + len].to_vec());
            at += len;
        }
        found
    };
    let [start, meta, content] = <[Vec<u8>; 3]>::try_from(boxes(&file)).unwrap();
    assert_eq!((&meta[4..8], &content[4..8]), (&b"meta"[..], &b"mdat"[..]));
    // In the file that is made here, the content comes first.
    let before = (start.len() + meta.len() + 8) as u32;
    let after = (start.len() + 8) as u32;
    let mut last = meta;
    let place = last
        .windows(4)
        .position(|bytes| bytes == before.to_be_bytes());
    last[place.unwrap()..][..4].copy_from_slice(&after.to_be_bytes());
    last[..4].fill(0);
    let moved = [start, content, last].concat();
    let read = |file: &[u8]| convert(file, "a.avif", "bmp", Quality::Low, &[]).unwrap();
    assert!(read(&moved) == read(&file));
}
