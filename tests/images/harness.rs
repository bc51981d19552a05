//! Code that the tests of pictures share: conversion without a service, and calls of other programs. Contains no test.

use convertd::{
    error::{Kind, Result},
    job::{Notes, Quality, Unlimited},
};
use image::{DynamicImage, ImageFormat, RgbaImage};
use std::{
    io::Cursor,
    path::{Path, PathBuf},
    process::Command,
};

/// ImageMagick, which Debian calls `convert`. The path is absolute, because another program on the search path may have
/// that name.
pub(crate) const MAGICK: &str = "/usr/bin/convert";

#[path = "../support/conversion.rs"]
mod conversion;
#[path = "../support/program.rs"]
mod program;
#[path = "../support/tools.rs"]
mod tools;

pub(crate) use program::program;
pub(crate) use tools::{has, lacking};

/// A directory for one test.
pub(crate) fn directory(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("convertd-images-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&path).unwrap();
    path
}

pub(crate) fn magick(arguments: &[&str]) {
    let output = Command::new(MAGICK).args(arguments).output().unwrap();
    assert!(
        output.status.success(),
        "convert {arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
}

pub(crate) fn convert(
    input: &[u8],
    name: &str,
    to: &str,
    quality: Quality,
    fields: &[(&str, &str)],
) -> Result<Vec<u8>> {
    convert_with_notes(input, name, to, quality, fields).map(|(result, _)| result)
}

pub(crate) fn convert_with_notes(
    input: &[u8],
    name: &str,
    to: &str,
    quality: Quality,
    fields: &[(&str, &str)],
) -> Result<(Vec<u8>, Notes)> {
    conversion::run(&Unlimited, (name, input), to, quality, fields, 1)
}

pub(crate) fn load(path: &Path) -> DynamicImage {
    image::load_from_memory(&std::fs::read(path).unwrap()).unwrap()
}

/// A file of `tests/data`.
pub(crate) fn data(name: &str) -> Vec<u8> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    std::fs::read(root.join(name)).unwrap_or_else(|err| panic!("{name}: {err}"))
}

/// The pixels of a file in a common format.
pub(crate) fn pixels(file: &[u8]) -> RgbaImage {
    image::load_from_memory(file).unwrap().to_rgba8()
}

/// Checks damaged copies of a file. A copy that is cut off must be refused. A copy with one wrong byte may be refused
/// or decoded. A copy is cut after every `cuts`-th byte, or has a wrong byte at every `places`-th position.
#[track_caller]
pub(crate) fn check_damage(whole: &[u8], name: &str, cuts: usize, places: usize) {
    for len in (0..whole.len()).step_by(cuts) {
        let result = convert(&whole[..len], name, "bmp", Quality::Low, &[]);
        let err = result.map(drop).unwrap_err();
        assert_eq!(err.kind(), Kind::BadInput, "{name}, cut to {len}: {err}");
    }
    for place in (12..whole.len()).step_by(places) {
        let mut damaged = whole.to_vec();
        damaged[place] ^= 0xff;
        if let Err(err) = convert(&damaged, name, "bmp", Quality::Low, &[]) {
            assert_eq!(err.kind(), Kind::BadInput, "{name}, at {place}: {err}");
        }
    }
}

/// Peak signal-to-noise ratio over all samples, in decibels. The colours of transparent pixels do not count.
pub(crate) fn psnr(a: &RgbaImage, b: &RgbaImage) -> f64 {
    assert_eq!(a.dimensions(), b.dimensions());
    let seen = |pixel: &image::Rgba<u8>| if pixel[3] == 0 { [0; 4] } else { pixel.0 };
    let error: f64 = a
        .pixels()
        .zip(b.pixels())
        .flat_map(|(a, b)| {
            let (a, b) = (seen(a), seen(b));
            std::array::from_fn::<f64, 4, _>(|at| (f64::from(a[at]) - f64::from(b[at])).powi(2))
        })
        .sum();
    10.0 * (65_025.0 * 4.0 * f64::from(a.width()) * f64::from(a.height()) / error).log10()
}

/// Strokes that resemble letters. ImageMagick could not draw text on a machine without fonts.
const LETTERS: &str = "path 'M 10,40 L 24,12 38,40 M 15,30 H 33 M 50,12 V 40 C 76,40 76,26 52,26 C 72,24 70,12 50,12 \
     M 104,16 A 14,14 0 1 0 104,36 M 118,40 V 12 L 140,40 V 12 M 152,12 H 172 L 152,40 H 172'";

/// A picture with gradients, edges and noise.
pub(crate) fn scene(at: &Path, size: &str) -> String {
    let path = at.join("scene.png").display().to_string();
    magick(&[
        "-size",
        size,
        "-seed",
        "5",
        "plasma:tomato-steelblue",
        "-blur",
        "0x1",
        "-fill",
        "none",
        "-stroke",
        "white",
        "-strokewidth",
        "3",
        "-draw",
        LETTERS,
        "-depth",
        "8",
        "-define",
        "png:color-type=2",
        &path,
    ]);
    path
}

/// Checks that a file, which ImageMagick writes with these arguments, looks the same when this program decodes it and
/// when ImageMagick does.
#[track_caller]
pub(crate) fn check_reading(at: &Path, scene: &str, name: &str, arguments: &[&str], least: f64) {
    let file = at.join(name).display().to_string();
    let reference = at.join(format!("{name}.reference.png"));
    let mut write = vec![scene];
    write.extend(arguments);
    write.push(&file);
    magick(&write);
    // If the file has layers, its first picture shows all of them together.
    magick(&[
        &format!("{file}[0]"),
        "-depth",
        "8",
        &format!("png32:{}", reference.display()),
    ]);
    let result = convert(
        &std::fs::read(&file).unwrap(),
        name,
        "png",
        Quality::Low,
        &[],
    )
    .unwrap_or_else(|err| panic!("{name} {arguments:?}: {err}"));
    let ours = image::load_from_memory(&result).unwrap().to_rgba8();
    let found = psnr(&ours, &load(&reference).to_rgba8());
    assert!(found >= least, "{name} {arguments:?}: {found} dB");
}

/// A picture as PNG.
pub(crate) fn png(picture: &DynamicImage) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    picture.write_to(&mut file, ImageFormat::Png).unwrap();
    file.into_inner()
}
