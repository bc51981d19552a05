//! Levels of quality: a lower one never makes a larger file.

use crate::harness::{convert, png};
use convertd::job::Quality;
use image::{DynamicImage, GrayImage, Rgb, RgbImage, Rgba, RgbaImage, codecs::jpeg::JpegEncoder};

/// Checks the sizes in these formats.
#[track_caller]
fn check(file: &[u8], name: &str, targets: &[&str]) {
    for &target in targets {
        if target != "jpg" && target != "webp" && !cfg!(all(feature = "avif", feature = "jxl")) {
            continue;
        }
        let sizes = [Quality::Low, Quality::Medium, Quality::High]
            .map(|quality| convert(file, name, target, quality, &[]).unwrap().len());
        assert!(sizes.is_sorted(), "{name} to {target}: {sizes:?}");
    }
}

/// Waves with noise, the same in each run.
fn photograph(noise: u32) -> RgbImage {
    sized(160, 120, noise)
}

fn sized(width: u32, height: u32, noise: u32) -> RgbImage {
    let mut random = 7_u32;
    RgbImage::from_fn(width, height, |x, y| {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let wave = (f64::from(x) / 9.0).sin() * 50.0 + (f64::from(y) / 14.0).cos() * 60.0 + 120.0;
        let sample = |shift: u32| (wave as u32 + (random >> shift) % noise).min(255) as u8;
        Rgb([sample(24), sample(20) / 2 + 60, sample(16)])
    })
}

#[test]
fn lower_levels_of_photographs_are_not_larger() {
    for noise in [1, 8, 60] {
        check(
            &png(&DynamicImage::from(photograph(noise))),
            "a.png",
            &["jpg", "webp", "avif", "jxl"],
        );
    }
}

/// JPEG files with coarse quantisation are smaller unchanged than when they are encoded again in a good quality.
#[test]
fn lower_levels_of_coarse_jpgs_are_not_larger() {
    for quality in [40, 75, 95] {
        let mut file = Vec::new();
        let encoder = JpegEncoder::new_with_quality(&mut file, quality);
        photograph(30).write_with_encoder(encoder).unwrap();
        check(&file, "a.jpg", &["jxl", "jpg", "webp"]);
    }
}

/// Files whose blocks hold hardly more than their mean. A better quality codes those means in more bytes than the file
/// has.
#[test]
fn lower_levels_of_very_coarse_files_are_not_larger() {
    for quality in [10, 20] {
        let mut file = Vec::new();
        let encoder = JpegEncoder::new_with_quality(&mut file, quality);
        sized(640, 480, 60).write_with_encoder(encoder).unwrap();
        check(&file, "a.jpg", &["jpg", "webp"]);
        let high = convert(&file, "a.jpg", "jpg", Quality::High, &[]).unwrap();
        assert!(high.len() <= file.len(), "{} of {}", high.len(), file.len());
        let pixels = |file: &[u8]| image::load_from_memory(file).unwrap().to_rgb8();
        assert_eq!(pixels(&high), pixels(&file));
    }
}

#[test]
fn lower_levels_of_drawings_are_not_larger() {
    let bars = RgbImage::from_fn(400, 260, |x, y| {
        let colours = [
            [255, 255, 255],
            [68, 114, 196],
            [237, 125, 49],
            [165, 165, 165],
        ];
        let is_bar = x % 40 > 12 && 260 - y < 20 + x / 2;
        Rgb(colours[if is_bar { 1 + x as usize / 40 % 3 } else { 0 }])
    });
    check(
        &png(&DynamicImage::from(bars.clone())),
        "a.png",
        &["webp", "avif"],
    );
    let ramp = RgbImage::from_fn(500, 300, |x, _| Rgb([(x * 255 / 499) as u8; 3]));
    check(&png(&DynamicImage::from(ramp)), "a.png", &["jpg", "webp"]);
    // A plot that was stored as a jpg has no flat areas.
    let mut file = Vec::new();
    let encoder = JpegEncoder::new_with_quality(&mut file, 95);
    bars.write_with_encoder(encoder).unwrap();
    check(&file, "a.jpg", &["webp", "jpg"]);
}

/// Coarse quantisation of a picture with hardly any detail leaves errors that cost more bytes than the detail.
#[test]
fn lower_levels_of_small_and_plain_pictures_are_not_larger() {
    const TARGETS: [&str; 4] = ["jpg", "webp", "avif", "jxl"];
    for (width, height) in [(1, 1), (16, 9), (17, 31), (40, 40), (200, 150)] {
        let part = |at: u32, side: u32| (at * 255 / (side - 1).max(1)) as u8;
        let ramp = GrayImage::from_fn(width, height, |_, y| image::Luma([part(y, height)]));
        let blend = RgbImage::from_fn(width, height, |x, y| {
            Rgb([part(x, width), part(y, height), 128])
        });
        let plain = RgbImage::from_pixel(width, height, Rgb([30, 120, 200]));
        let logo = RgbaImage::from_fn(width, height, |x, y| {
            let from_middle = |at: u32, side: u32| f64::from(at) / f64::from(side) - 0.5;
            let distance = from_middle(x, width).hypot(from_middle(y, height));
            let alpha = ((0.45 - distance) * 2000.0).clamp(0.0, 255.0) as u8;
            Rgba([220, if x > width / 3 { 30 } else { 240 }, 30, alpha])
        });
        for picture in [
            DynamicImage::from(ramp.clone()),
            blend.into(),
            plain.into(),
            logo.into(),
            sized(width, height, 200).into(),
        ] {
            check(&png(&picture), "a.png", &TARGETS);
        }
        let mut coarse = Vec::new();
        let encoder = JpegEncoder::new_with_quality(&mut coarse, 3);
        ramp.write_with_encoder(encoder).unwrap();
        check(&coarse, "a.jpg", &TARGETS);
    }
}
