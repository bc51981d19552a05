//! Pictures made of indices keep their palette where the target has one, and their colours everywhere.

use crate::harness::{MAGICK, convert, directory, has, load, magick, scene};
use convertd::job::Quality;
use std::path::Path;

/// Converts a file that ImageMagick writes with these arguments, and compares what ImageMagick sees before and after.
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
fn palettes_are_kept_where_there_are_any() {
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
