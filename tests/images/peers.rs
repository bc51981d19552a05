//! Files of ImageMagick and libvips are read here, and files that are written here are read by them.

use crate::harness::{
    MAGICK, check_reading, convert, directory, has, lacking, load, magick, psnr, scene,
};
use convertd::{error::Kind, job::Quality};
use image::{DynamicImage, RgbaImage};
use std::{path::Path, process::Command};

#[test]
fn reads_files_of_imagemagick() {
    if !has(MAGICK) {
        return;
    }
    let at = directory("reads");
    let scene = scene(&at, "203x155");
    let check = |name: &str, arguments: &[&str], least: f64| {
        check_reading(&at, &scene, name, arguments, least);
    };
    const SAME: f64 = f64::INFINITY;
    for sampling in ["1x1", "2x1", "1x2", "2x2", "4x1", "4x2"] {
        let arguments = ["-quality", "88", "-sampling-factor", sampling];
        check("sampling.jpg", &arguments, 45.0);
    }
    check("restart.jpg", &["-define", "jpeg:restart-interval=3"], 45.0);
    check("grey.jpg", &["-colorspace", "Gray"], 50.0);
    check(
        "progressive.jpg",
        &["-interlace", "JPEG", "-sampling-factor", "2x2"],
        40.0,
    );
    check("cmyk.jpg", &["-colorspace", "CMYK", "-quality", "95"], 38.0);
    check("palette.png", &["-colors", "200", "-type", "Palette"], SAME);
    check("few.png", &["-colors", "3", "-type", "Palette"], SAME);
    check("bits.png", &["-monochrome", "-depth", "1"], SAME);
    check("interlaced.png", &["-interlace", "PNG"], SAME);
    check(
        "deep.png",
        &["-depth", "16", "-define", "png:bit-depth=16"],
        50.0,
    );
    check(
        "key.png",
        &["-colors", "8", "-transparent", "white", "-type", "Palette"],
        SAME,
    );
    check("interlaced.gif", &["-interlace", "GIF"], SAME);
    check("lossy.webp", &["-quality", "80"], 45.0);
    check("lossless.webp", &["-define", "webp:lossless=true"], SAME);
    check(
        "alpha.webp",
        &["-alpha", "set", "-channel", "A", "-evaluate", "set", "40%"],
        40.0,
    );
    check("plain.tiff", &["-compress", "None"], SAME);
    check("lzw.tiff", &["-compress", "LZW"], SAME);
    check("zip.tiff", &["-compress", "Zip"], SAME);
    check("deep.tiff", &["-depth", "16", "-compress", "LZW"], 50.0);
    check("bits.tiff", &["-monochrome", "-compress", "Group4"], SAME);
    let multiplied = "tiff:alpha=associated";
    let alpha = ["-alpha", "set", "-channel", "A", "-evaluate", "set", "40%"];
    let associated = [&alpha[..], &["-define", multiplied]].concat();
    check("associated.tiff", &associated, 40.0);
    check(
        "grey.tiff",
        &["-colorspace", "Gray", "-compress", "Zip"],
        SAME,
    );
    check("big.tiff", &["-endian", "MSB"], SAME);
    check("plain.bmp", &[], SAME);
    check("palette.bmp", &["-colors", "100", "-type", "Palette"], SAME);
    check(
        "rle.bmp",
        &["-colors", "100", "-type", "Palette", "-compress", "RLE"],
        SAME,
    );
    // TGA is missing: ImageMagick 6 writes rows from the top and flags them as rows from the bottom.
    check("plain.ppm", &[], SAME);
    check("text.ppm", &["-compress", "None"], SAME);
    check("grey.pgm", &["-colorspace", "Gray"], SAME);
    check("bits.pbm", &["-monochrome"], SAME);
    std::fs::remove_dir_all(at).unwrap();
}

#[test]
fn imagemagick_reads_our_files() {
    if !has(MAGICK) {
        return;
    }
    let at = directory("writes");
    let scene = scene(&at, "203x155");
    let original = load(Path::new(&scene)).to_rgba8();
    let input = std::fs::read(&scene).unwrap();
    for (to, least) in [
        ("jpg", 30.0),
        ("png", f64::INFINITY),
        ("gif", 27.0),
        ("webp", 30.0),
        ("tiff", f64::INFINITY),
        ("bmp", f64::INFINITY),
        ("tga", f64::INFINITY),
        ("ppm", f64::INFINITY),
        ("pam", f64::INFINITY),
    ] {
        for quality in [Quality::Low, Quality::Medium, Quality::High] {
            let result = convert(&input, "scene.png", to, quality, &[]).unwrap();
            let file = at.join(format!("result.{to}"));
            let reference = at.join("back.png");
            std::fs::write(&file, result).unwrap();
            let back = format!("png32:{}", reference.display());
            magick(&[&file.display().to_string(), "-depth", "8", &back]);
            let found = psnr(&original, &load(&reference).to_rgba8());
            assert!(found >= least, "{to} at {quality}: {found} dB");
        }
    }
    std::fs::remove_dir_all(at).unwrap();
}

/// Progressive and sequential files of another encoder are decoded to almost the same picture.
#[test]
fn progressive_cmyk_equals_sequential_cmyk() {
    use jpeg_encoder::ColorType;
    let inks: Vec<u8> = (0..64 * 48u32)
        .flat_map(|at| {
            let (x, y) = (at % 64, at / 64);
            [x * 3, y * 4, (x + y) * 2, x].map(|ink| ink as u8)
        })
        .collect();
    for kind in [ColorType::Cmyk, ColorType::CmykAsYcck] {
        let decode = |progressive: bool| {
            let mut file = Vec::new();
            let mut encoder = jpeg_encoder::Encoder::new(&mut file, 95);
            encoder.set_progressive(progressive);
            encoder.encode(&inks, 64, 48, kind).unwrap();
            let result = convert(&file, "a.jpg", "png", Quality::Low, &[]).unwrap();
            image::load_from_memory(&result).unwrap().to_rgba8()
        };
        let found = psnr(&decode(true), &decode(false));
        assert!(found > 45.0, "{kind:?}: {found} dB");
    }
}

#[test]
fn separate_scans_with_subsampled_chroma_are_decoded() {
    let picture = RgbaImage::from_fn(131, 77, |x, y| {
        image::Rgba([
            (x * 2) as u8,
            (y * 3) as u8,
            ((x + y) % 64 * 2 + 60) as u8,
            255,
        ])
    });
    let rgb = DynamicImage::ImageRgba8(picture.clone()).to_rgb8();
    let encode = |separate: bool| {
        let mut file = Vec::new();
        let mut encoder = jpeg_encoder::Encoder::new(&mut file, 90);
        encoder.set_sampling_factor(jpeg_encoder::SamplingFactor::F_2_2);
        // With tables of its own, this encoder writes a scan for each component.
        encoder.set_optimized_huffman_tables(separate);
        encoder
            .encode(&rgb, 131, 77, jpeg_encoder::ColorType::Rgb)
            .unwrap();
        let result = convert(&file, "a.jpg", "png", Quality::Low, &[]).unwrap();
        image::load_from_memory(&result).unwrap().to_rgba8()
    };
    assert_eq!(encode(true), encode(false));
}

#[test]
fn components_may_have_the_same_identifier() {
    let rgb = image::RgbImage::from_fn(131, 77, |x, y| image::Rgb([x as u8, y as u8, 90]));
    let mut file = Vec::new();
    jpeg_encoder::Encoder::new(&mut file, 90)
        .encode(&rgb, 131, 77, jpeg_encoder::ColorType::Rgb)
        .unwrap();
    let expected = convert(&file, "a.jpg", "png", Quality::Low, &[]).unwrap();
    // The identifier of a component is followed by two bytes in the frame header, and by one in the scan header (T.81,
    // B.2.2 and B.2.3).
    for (marker, first, step) in [(0xc0, 10, 3), (0xda, 5, 2)] {
        let at = file.windows(2).position(|w| w == [0xff, marker]).unwrap();
        for component in 0..3 {
            file[at + first + component * step] = 7;
        }
    }
    let found = convert(&file, "a.jpg", "png", Quality::Low, &[]).unwrap();
    assert!(found == expected);
}

#[cfg(feature = "jxl")]
#[test]
fn reads_jpeg_xl() {
    if !has("vips") || !has(MAGICK) {
        return;
    }
    let at = directory("jxl");
    let scene = scene(&at, "203x155");
    let file = at.join("scene.jxl");
    let written = Command::new("vips")
        .args(["jxlsave", &scene, &file.display().to_string(), "--lossless"])
        .output()
        .unwrap();
    if !written.status.success() {
        return lacking("a libvips that writes JPEG XL");
    }
    let input = std::fs::read(&file).unwrap();
    let result = convert(&input, "scene.jxl", "png", Quality::Low, &[]).unwrap();
    let ours = image::load_from_memory(&result).unwrap().to_rgba8();
    assert_eq!(ours, load(Path::new(&scene)).to_rgba8());
    let cut = convert(
        &input[..input.len() / 2],
        "scene.jxl",
        "png",
        Quality::Low,
        &[],
    );
    assert_eq!(cut.unwrap_err().kind(), Kind::BadInput);
    std::fs::remove_dir_all(at).unwrap();
}

/// A file of some dozens of bytes with millions of pixels is not refused.
#[test]
fn reads_large_plain_pictures_of_a_few_bytes() {
    if !has(MAGICK) {
        return;
    }
    let at = directory("plain");
    for (name, arguments) in [
        ("page.tiff", &["-monochrome", "-compress", "Group4"][..]),
        ("plain.webp", &["-define", "webp:lossless=true"]),
        ("bits.png", &["-monochrome", "-depth", "1"]),
        ("plain.gif", &[]),
    ] {
        let file = at.join(name).display().to_string();
        let page = ["-size", "2480x3508", "xc:white"];
        magick(&[&page, arguments, &[&file]].concat());
        check_white(&at.join(name), 2480, 3508);
    }
    let png = at.join("small.png").display().to_string();
    magick(&["-size", "2100x2100", "xc:white", &png]);
    for (name, save) in [
        ("plain.jxl", &["jxlsave", &png][..]),
        ("plain.avif", &["heifsave", "--compression", "av1", &png]),
    ] {
        let file = at.join(name);
        let command = Command::new("vips").args(save).arg(&file).output();
        if !command.is_ok_and(|output| output.status.success()) {
            lacking(&format!("a libvips that writes {name}"));
        } else if cfg!(all(feature = "jxl", feature = "avif")) {
            check_white(&file, 2100, 2100);
        }
    }
    std::fs::remove_dir_all(at).unwrap();
}

#[track_caller]
fn check_white(path: &Path, width: u32, height: u32) {
    let input = std::fs::read(path).unwrap();
    let name = path.file_name().unwrap().to_string_lossy();
    let result = convert(&input, &name, "png", Quality::Low, &[])
        .unwrap_or_else(|err| panic!("{} bytes of {name}: {err}", input.len()));
    let picture = image::load_from_memory(&result).unwrap().to_luma8();
    assert_eq!(picture.dimensions(), (width, height));
    assert!(picture.iter().all(|grey| *grey >= 254), "{name}");
}

/// Every file in `tests/data/bad` must be refused.
#[test]
fn bad_files_are_refused() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/bad/image");
    let mut seen = 0;
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let input = std::fs::read(&path).unwrap();
        for to in ["png", "webp"] {
            let err = convert(&input, &name, to, Quality::Medium, &[])
                .err()
                .unwrap_or_else(|| panic!("{name} converts"));
            assert_eq!(err.kind(), Kind::BadInput, "{name}: {err}");
        }
        seen += 1;
    }
    assert!(seen > 10);
}
