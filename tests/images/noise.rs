//! Noise, which no codec can compress: every pixel type is converted to every format in every quality, and the encoder
//! must have reserved the memory that it uses.

use crate::harness::{convert, directory, png, program};
use convertd::{job::Quality, registry};
use image::{DynamicImage, ImageBuffer, Luma, LumaA, Pixel, Rgb, Rgba};
use std::{env, fs, process::Command};

const QUALITIES: [Quality; 3] = [Quality::Low, Quality::Medium, Quality::High];

/// Noise in every pixel type of PNG, with the name of the type.
fn pictures(width: u32, height: u32) -> Vec<(&'static str, DynamicImage)> {
    let mut random = 11_u64;
    let mut deep = || {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (random >> 48) as u16
    };
    let size = (width, height);
    let mut byte = || (deep() >> 8) as u8;
    let mut all: Vec<(_, DynamicImage)> = vec![
        ("grey", noise::<Luma<u8>>(size, &mut byte).into()),
        (
            "grey with alpha",
            noise::<LumaA<u8>>(size, &mut byte).into(),
        ),
        ("colour", noise::<Rgb<u8>>(size, &mut byte).into()),
        (
            "colour with alpha",
            noise::<Rgba<u8>>(size, &mut byte).into(),
        ),
    ];
    all.extend([
        ("deep grey", noise::<Luma<u16>>(size, &mut deep).into()),
        (
            "deep grey with alpha",
            noise::<LumaA<u16>>(size, &mut deep).into(),
        ),
        ("deep colour", noise::<Rgb<u16>>(size, &mut deep).into()),
        (
            "deep colour with alpha",
            noise::<Rgba<u16>>(size, &mut deep).into(),
        ),
    ]);
    all
}

fn noise<P: Pixel>(
    (width, height): (u32, u32),
    sample: &mut impl FnMut() -> P::Subpixel,
) -> ImageBuffer<P, Vec<P::Subpixel>> {
    let count = width * height * u32::from(P::CHANNEL_COUNT);
    let samples = (0..count).map(|_| sample()).collect();
    ImageBuffer::from_vec(width, height, samples).unwrap()
}

#[test]
fn noise_of_every_pixel_type_converts_to_every_format() {
    let mut targets = 0;
    let source = registry::by_name("png").unwrap();
    for target in registry::targets_of(source).filter(|target| target.category == source.category) {
        targets += 1;
        for (kind, picture) in pictures(40, 27) {
            let file = png(&picture);
            for quality in QUALITIES {
                let result = convert(&file, "a.png", target.name, quality, &[]);
                let len = result.map(|result| result.len());
                assert!(len.is_ok(), "{kind} to {} {quality}: {len:?}", target.name);
            }
        }
    }
    assert!(targets > 10);
}

/// Runs the program, in which a converter fails if it takes far more memory than it has reserved. In small pictures,
/// the tolerance hides somewhat too small reservations; `make soak` uses large pictures.
#[test]
fn noise_needs_no_more_than_the_reserved_memory() {
    let at = directory("noise");
    let targets = [
        ("jpg", QUALITIES.as_slice()),
        ("webp", &[Quality::Low, Quality::High]),
        #[cfg(feature = "avif")]
        ("avif", &QUALITIES[1..2]),
        #[cfg(feature = "jxl")]
        ("jxl", &QUALITIES[..1]),
        ("gif", &QUALITIES[1..2]),
    ];
    let (width, height) = match env::var_os("CONVERTD_LARGE_NOISE") {
        Some(_) => (4000, 3000),
        None => (480, 360),
    };
    for (kind, picture) in pictures(width, height) {
        if !matches!(
            kind,
            "grey" | "colour" | "colour with alpha" | "deep colour with alpha"
        ) {
            continue;
        }
        let file = at.join("a.png");
        fs::write(&file, png(&picture)).unwrap();
        for (target, qualities) in targets {
            for quality in qualities {
                let output = Command::new(program())
                    .args(["convert", "--force"])
                    .args([&file, &at.join(format!("a.{target}"))])
                    .args(["--quality", &quality.to_string()])
                    .output()
                    .unwrap();
                assert!(
                    output.status.success(),
                    "{kind} to {target} {quality}: {}",
                    String::from_utf8_lossy(&output.stderr)
                );
            }
        }
    }
    fs::remove_dir_all(at).unwrap();
}
