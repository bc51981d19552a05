//! Indexed pictures keep their palette if the target has palettes, and their colours in any target.

use crate::harness::{MAGICK, convert, directory, has, load, magick, pixels, scene};
use convertd::job::Quality;
use moxcms::ColorProfile;
use png::{BitDepth, ColorType, Encoder, Info};
use std::path::Path;

/// Converts a file that ImageMagick writes with these arguments, and compares the pictures that ImageMagick reads
/// before and after.
#[track_caller]
fn check(at: &Path, scene: &str, name: &str, arguments: &[&str], to: &str, kept: bool) {
    let file = at.join(name).display().to_string();
    let mut write = vec![scene];
    write.extend(arguments);
    write.push(&file);
    magick(&write);
    let input = std::fs::read(&file).unwrap();
    for quality in [Quality::Low, Quality::Medium, Quality::High] {
        let output = convert(&input, name, to, quality, &[]).unwrap();
        let result = at.join(format!("result.{to}"));
        std::fs::write(&result, &output).unwrap();
        let seen = |path: &str| {
            let reference = at.join("seen.png");
            magick(&[path, &format!("png32:{}", reference.display())]);
            load(&reference).to_rgba8()
        };
        let (before, after) = (seen(&file), seen(&result.display().to_string()));
        assert!(before == after, "{name} to {to} at {quality}");
        let indexed = match to {
            "png" => output[25] == 3,
            "bmp" => output[28] == 8,
            _ => false,
        };
        assert_eq!(indexed, kept, "{name} to {to} at {quality}");
    }
}

#[test]
fn palettes_are_kept_if_the_target_has_them() {
    if !has(MAGICK) {
        return;
    }
    let at = directory("palettes");
    let scene = scene(&at, "203x155");
    let check = |name: &str, arguments: &[&str], to: &str, kept: bool| {
        check(&at, &scene, name, arguments, to, kept);
    };
    let palette = |colours| ["-colors", colours, "-type", "Palette"];
    for colours in ["2", "3", "13", "200"] {
        for to in ["png", "bmp"] {
            check("few.png", &palette(colours), to, true);
            check("few.gif", &palette(colours), to, true);
        }
        check("few.png", &palette(colours), "tiff", false);
        let plain = [&palette(colours)[..], &["-compress", "None"]].concat();
        check("few.bmp", &plain, "png", true);
    }
    let clear = ["-colors", "20", "-fuzz", "9%", "-transparent", "white"];
    check("clear.gif", &clear, "png", true);
    let clear = [&clear[..], &["-type", "PaletteAlpha"]].concat();
    check("clear.png", &clear, "png", true);
    check("clear.png", &clear, "tiff", false);
    let interlaced = ["-colors", "99", "-interlace", "GIF"];
    check("interlaced.gif", &interlaced, "png", true);
    let laced = ["-colors", "99", "-type", "Palette", "-interlace", "PNG"];
    check("interlaced.png", &laced, "png", false);
    check("true.png", &[], "png", false);
    std::fs::remove_dir_all(at).unwrap();
}

#[test]
fn a_grey_profile_does_not_change_a_palette() {
    let mut info = Info::with_size(2, 1);
    info.color_type = ColorType::Indexed;
    info.bit_depth = BitDepth::Eight;
    info.palette = Some(vec![0, 0, 0, 255, 255, 255, 90, 90, 90].into());
    let profile = ColorProfile::new_gray_with_gamma(1.0).encode();
    info.icc_profile = Some(profile.unwrap().into());
    let mut file = Vec::new();
    let encoder = Encoder::with_info(&mut file, info).unwrap();
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&[1, 2]).unwrap();
    writer.finish().unwrap();
    for to in ["png", "bmp", "tiff"] {
        let found = pixels(&convert(&file, "a.png", to, Quality::Medium, &[]).unwrap());
        assert_eq!(
            found.into_raw(),
            [255, 255, 255, 255, 90, 90, 90, 255],
            "{to}"
        );
    }
}

#[test]
fn strips_and_tiles_are_read_in_bands() {
    if !has(MAGICK) || !has("vips") {
        return;
    }
    let at = directory("tiles");
    let scene = scene(&at, "303x255");
    let original = load(Path::new(&scene)).to_rgba8();
    let file = at.join("file.tiff").display().to_string();
    for options in [
        "[tile,tile-width=64,tile-height=48]",
        "[tile,compression=lzw,predictor=horizontal]",
        "[tile,compression=deflate,bigtiff]",
        "[compression=packbits,strip]",
        "[compression=deflate,predictor=horizontal]",
    ] {
        let written = std::process::Command::new("vips")
            .args(["copy", &scene, &format!("{file}{options}")])
            .output()
            .unwrap();
        assert!(written.status.success(), "{options}: {written:?}");
        let input = std::fs::read(&file).unwrap();
        let result = convert(&input, "file.tiff", "png", Quality::Low, &[]).unwrap();
        let ours = image::load_from_memory(&result).unwrap().to_rgba8();
        assert!(ours == original, "{options}");
    }
    std::fs::remove_dir_all(at).unwrap();
}
