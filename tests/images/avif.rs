//! AVIF as libavif writes it, against what libavif and libheif read: `tests/data/avif/make.sh` tells how.

use crate::harness::{self, convert, convert_with_notes, pixels, psnr};
use convertd::job::Quality;
use image::RgbaImage;

fn data(name: &str) -> Vec<u8> {
    harness::data(&format!("avif/{name}"))
}

/// The picture `name`, with these fields.
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
fn pictures_are_turned_and_mirrored() {
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
    // Chroma that is shared is blended in a way of one's own.
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
fn transparency_is_read_multiplied_or_not() {
    check("alpha", 45.0);
    check("ten-alpha", 45.0);
    check("premultiplied", 38.0);
}

#[test]
fn tiles_are_put_together() {
    check("grid", 38.0);
    check("grid-alpha", 45.0);
}

/// By the matrix between Display P3 and sRGB.
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
}
