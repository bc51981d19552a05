//! Colour profiles, made here or by libvips, and applied here and by Little CMS in ImageMagick. The visible colours are
//! compared.

use crate::harness::{MAGICK, convert, directory, has, lacking, load, magick, psnr, scene};
use convertd::job::Quality;
use moxcms::{ColorProfile, curve_from_gamma};
use std::{
    path::{Path, PathBuf},
    process::Command,
};

/// Targets without profiles, and targets from which the profile is stripped.
const WITHOUT_PROFILE: [(&str, &[(&str, &str)]); 2] = [("bmp", &[]), ("png", &[("strip", "true")])];

/// Writes a profile into a file.
fn profile(at: &Path, name: &str, profile: &ColorProfile) -> String {
    let path = at.join(name);
    let mut bytes = profile.encode().unwrap();
    // libpng accepts only profiles whose length is a multiple of four (ICC.1:2022, 7.2.2).
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    let len = (bytes.len() as u32).to_be_bytes();
    bytes[..4].copy_from_slice(&len);
    std::fs::write(&path, bytes).unwrap();
    path.display().to_string()
}

/// Converts a file with a profile to each of these targets with these fields. Checks that the colours are those that
/// ImageMagick finds, converted to sRGB, and that they differ from the colours of the same numbers without a profile.
#[track_caller]
fn check(at: &Path, file: &Path, targets: &[(&str, &[(&str, &str)])], least: f64) {
    let name = file.file_name().unwrap().to_string_lossy();
    let path = file.display().to_string();
    let reference = at.join("reference.png");
    let png = format!("png24:{}", reference.display());
    let srgb = profile(at, "srgb.icc", &ColorProfile::new_srgb());
    magick(&[&path, "-profile", &srgb, "-strip", "-depth", "8", &png]);
    let reference = load(&reference).to_rgba8();
    let input = std::fs::read(file).unwrap();
    for (to, fields) in targets {
        let result = convert(&input, &name, to, Quality::Medium, fields).unwrap();
        let ours = image::load_from_memory(&result).unwrap().to_rgba8();
        let found = psnr(&ours, &reference);
        assert!(found > least, "{name} to {to}: {found} dB");
    }
    let untouched = at.join("untouched.png");
    let png = format!("png24:{}", untouched.display());
    magick(&[
        &path,
        "+profile",
        "*",
        "-colorspace",
        "sRGB",
        "-depth",
        "8",
        &png,
    ]);
    let found = psnr(&load(&untouched).to_rgba8(), &reference);
    assert!(
        found < least - 3.0,
        "{name}: the profile changes nothing, {found} dB"
    );
}

#[test]
fn profiles_are_converted_to_srgb_if_the_target_has_none() {
    if !has(MAGICK) {
        return;
    }
    let at = directory("profiles");
    let scene = scene(&at, "203x155");
    let srgb = profile(&at, "srgb.icc", &ColorProfile::new_srgb());
    // A profile that is called sRGB and is not.
    let mut linear = ColorProfile::new_srgb();
    linear.cicp = None;
    let curve = curve_from_gamma(1.0);
    linear.red_trc = Some(curve.clone());
    linear.green_trc = Some(curve.clone());
    linear.blue_trc = Some(curve);
    for (kind, wide) in [
        ("p3", ColorProfile::new_display_p3()),
        ("adobe", ColorProfile::new_adobe_rgb()),
        ("linear", linear),
    ] {
        let wide = profile(&at, &format!("{kind}.icc"), &wide);
        for (ending, depth) in [
            ("png", "8"),
            ("png", "16"),
            ("jpg", "8"),
            ("tiff", "8"),
            ("webp", "8"),
        ] {
            // Lossy codecs change colours before the profile is applied, and dark ones much if the profile is linear.
            let least = match (kind, ending) {
                ("linear", "jpg" | "webp") => continue,
                (_, "jpg" | "webp") => 38.0,
                _ => 44.0,
            };
            let file = at.join(format!("{kind}-{depth}.{ending}"));
            let path = file.display().to_string();
            magick(&[
                &scene, "-depth", depth, "-quality", "96", "-profile", &srgb, "-profile", &wide,
                &path,
            ]);
            check(&at, &file, &WITHOUT_PROFILE, least);
        }
    }
    std::fs::remove_dir_all(at).unwrap();
}

#[test]
fn grey_is_converted_by_its_profile() {
    if !has(MAGICK) {
        return;
    }
    let at = directory("tones");
    let scene = scene(&at, "203x155");
    let grey = profile(&at, "grey.icc", &ColorProfile::new_gray_with_gamma(1.8));
    for (name, depth) in [
        ("grey.png", "8"),
        ("deep.png", "16"),
        ("grey.jpg", "8"),
        ("grey.tiff", "8"),
    ] {
        let tones = [
            &scene,
            "-colorspace",
            "Gray",
            "-depth",
            depth,
            "-quality",
            "96",
        ];
        let file = at.join(name);
        let path = file.display().to_string();
        magick(&[&tones[..], &["+profile", "*", "-profile", &grey, &path]].concat());
        check(&at, &file, &WITHOUT_PROFILE, 38.0);
    }
    std::fs::remove_dir_all(at).unwrap();
}

/// A picture with the CMYK profile that libvips includes.
fn ink(at: &Path, scene: &str, options: &str) -> Option<PathBuf> {
    let file = at.join("ink.jpg");
    let with_options = format!("{}[Q=97{options}]", file.display());
    let written = Command::new("vips")
        .args([
            "icc_export",
            scene,
            &with_options,
            "--output-profile",
            "cmyk",
        ])
        .output();
    written
        .is_ok_and(|output| output.status.success())
        .then_some(file)
}

#[test]
fn cmyk_is_converted_by_its_profile() {
    if !has(MAGICK) || !has("vips") {
        return;
    }
    let at = directory("ink");
    let scene = scene(&at, "203x155");
    for options in ["", ",interlace"] {
        match ink(&at, &scene, options) {
            Some(file) => check(&at, &file, &[("png", &[])], 30.0),
            None => lacking("a libvips with a profile for ink"),
        }
    }
    std::fs::remove_dir_all(at).unwrap();
}
