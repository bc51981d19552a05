//! Files with several pictures: each page is selected by its number, as ImageMagick counts pages.

use crate::harness::{
    MAGICK, convert, convert_with_notes, directory, has, load, magick, psnr, scene,
};
use convertd::{error::Kind, job::Quality};
use std::path::Path;

/// The colour in the middle of page `page` of `file`, converted to `to`.
#[track_caller]
fn colour(file: &[u8], name: &str, page: &str, to: &str) -> [u8; 3] {
    let result = convert(file, name, to, Quality::Medium, &[("page", page)])
        .unwrap_or_else(|err| panic!("page {page} of {name}: {err}"));
    let picture = image::load_from_memory(&result).unwrap().to_rgb8();
    picture
        .get_pixel(picture.width() / 2, picture.height() / 2)
        .0
}

#[test]
fn each_page_can_be_selected() {
    if !has(MAGICK) {
        return;
    }
    let at = directory("pages");
    let check = |name: &str, options: &[&str]| {
        let file = at.join(name).display().to_string();
        let mut arguments = vec![
            "-size",
            "40x30",
            "-delay",
            "10",
            "xc:#ff0000",
            "xc:#00ff00",
            "xc:#0000ff",
        ];
        arguments.extend(options);
        arguments.push(&file);
        magick(&arguments);
        let file = std::fs::read(&file).unwrap();
        for to in ["png", "gif"] {
            for (page, expected) in [("1", 0), ("2", 1), ("3", 2)] {
                let mut wanted = [0u8; 3];
                wanted[expected] = 255;
                let found = colour(&file, name, page, to);
                let near = wanted
                    .into_iter()
                    .zip(found)
                    .all(|(a, b)| a.abs_diff(b) < 3);
                assert!(near, "page {page} of {name} to {to}: {found:?}");
            }
        }
        let err = convert(&file, name, "png", Quality::Medium, &[("page", "4")]).unwrap_err();
        assert_eq!(err.kind(), Kind::BadInput);
        assert!(
            err.message().contains("page is 4; the file has 3 "),
            "{err}"
        );
        let (_, notes) = convert_with_notes(&file, name, "png", Quality::Medium, &[]).unwrap();
        assert_eq!(notes.0.len(), 1, "{name}");
        let fields = [("page", "1")];
        let (_, notes) = convert_with_notes(&file, name, "png", Quality::Medium, &fields).unwrap();
        assert!(notes.0.is_empty(), "{name}: {notes:?}");
    };
    check("lzw.tiff", &["-compress", "LZW"]);
    check("big.tiff", &["-endian", "MSB", "-compress", "Zip"]);
    check(
        "wide.tiff",
        &["-define", "tiff:bigtiff=true", "-compress", "None"],
    );
    check("frames.gif", &["-layers", "optimize"]);
    check("frames.webp", &["-define", "webp:lossless=true"]);
    std::fs::remove_dir_all(at).unwrap();
}

#[test]
fn entries_of_an_icon_can_be_selected() {
    if !has(MAGICK) {
        return;
    }
    let at = directory("entries");
    let file = at.join("a.ico").display().to_string();
    magick(&[
        "-size",
        "16x16",
        "xc:#ff0000",
        "-size",
        "48x48",
        "xc:#00ff00",
        &file,
    ]);
    let file = std::fs::read(&file).unwrap();
    assert_eq!(colour(&file, "a.ico", "1", "png"), [255, 0, 0]);
    assert_eq!(colour(&file, "a.ico", "2", "png"), [0, 255, 0]);
    let largest = convert(&file, "a.ico", "png", Quality::Medium, &[]).unwrap();
    assert_eq!(image::load_from_memory(&largest).unwrap().width(), 48);
    let err = convert(&file, "a.ico", "png", Quality::Medium, &[("page", "3")]).unwrap_err();
    assert!(err.message().contains("2 entries"), "{err}");
    std::fs::remove_dir_all(at).unwrap();
}

#[test]
fn icons_hold_the_usual_sizes() {
    if !has(MAGICK) {
        return;
    }
    let at = directory("sizes");
    let scene = scene(&at, "300x300");
    let input = std::fs::read(&scene).unwrap();
    let icon = convert(&input, "scene.png", "ico", Quality::Medium, &[]).unwrap();
    let path = at.join("scene.ico").display().to_string();
    std::fs::write(&path, &icon).unwrap();
    for (entry, side) in [16u32, 32, 48, 64, 128, 256].into_iter().enumerate() {
        let (theirs, resized) = (at.join("theirs.png"), at.join("resized.png"));
        let png = |path: &Path| format!("png32:{}", path.display());
        magick(&[&format!("{path}[{entry}]"), &png(&theirs)]);
        let size = format!("{side}x{side}");
        magick(&[&scene, "-resize", &size, "-depth", "8", &png(&resized)]);
        let page = (entry + 1).to_string();
        let ours = convert(&icon, "a.ico", "png", Quality::Low, &[("page", &page)]).unwrap();
        let ours = image::load_from_memory(&ours).unwrap().to_rgba8();
        assert_eq!(ours, load(&theirs).to_rgba8(), "{side}");
        let found = psnr(&ours, &load(&resized).to_rgba8());
        assert!(found > 30.0, "{side}: {found} dB");
    }
    std::fs::remove_dir_all(at).unwrap();
}

#[test]
fn a_single_picture_has_one_page() {
    let picture = image::RgbImage::new(4, 4);
    for format in [image::ImageFormat::Png, image::ImageFormat::Bmp] {
        let mut file = std::io::Cursor::new(Vec::new());
        picture.write_to(&mut file, format).unwrap();
        let convert = |page| {
            let fields = [("page", page)];
            convert(file.get_ref(), "a", "jpg", Quality::Medium, &fields)
        };
        convert("1").unwrap();
        let err = convert("2").unwrap_err();
        assert_eq!(err.message(), "page is 2; the file has only one");
    }
}
