//! Pictures against independent programs: what ImageMagick and libvips write is read here, and what is written here
//! they read. Says so and passes where they are missing.

#![allow(clippy::unwrap_used)]

use convertd::{
    convert::{Job, Options, Quality, Unlimited, registry},
    error::{Kind, Result},
    format,
};
use image::{DynamicImage, RgbaImage};
use std::{
    io::Cursor,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

/// Debian calls it `convert`; a program of that name need not be ImageMagick.
const MAGICK: &str = "/usr/bin/convert";

fn has(program: &str) -> bool {
    let found = Command::new(program)
        .arg("--version")
        .output()
        .is_ok_and(|output| output.status.success());
    if !found {
        eprintln!("skipped: needs {program}");
    }
    found
}

/// A directory for one test.
fn directory(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("convertd-images-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&path).unwrap();
    path
}

fn magick(arguments: &[&str]) {
    let output = Command::new(MAGICK).args(arguments).output().unwrap();
    assert!(
        output.status.success(),
        "convert {arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
}

fn convert(
    input: &[u8],
    name: &str,
    to: &str,
    quality: Quality,
    fields: &[(&str, &str)],
) -> Result<Vec<u8>> {
    let from = registry::identify(&mut Cursor::new(input), format::extension(name).as_deref())?;
    let to = registry::target(to)?;
    let plan = registry::plan(from, to)?;
    let mut options = Options::default();
    for (name, value) in fields {
        options.insert(*name, *value);
    }
    let job = Job {
        from,
        to,
        to_name: to.name,
        quality,
        options: &options,
        input_len: input.len() as u64,
        spare_threads: 1,
        gate: &Unlimited,
    };
    let mut output = Cursor::new(Vec::new());
    (plan.converter.convert)(&job, &mut Cursor::new(input), &mut output)?;
    Ok(output.into_inner())
}

fn load(path: &Path) -> DynamicImage {
    image::load_from_memory(&std::fs::read(path).unwrap()).unwrap()
}

/// Peak signal to noise ratio over all samples, hidden colour left out.
fn psnr(a: &RgbaImage, b: &RgbaImage) -> f64 {
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

/// A picture with gradients, edges, text and noise.
fn scene(at: &Path, size: &str) -> String {
    let path = at.join("scene.png").display().to_string();
    magick(&[
        "-size",
        size,
        "-seed",
        "5",
        "plasma:tomato-steelblue",
        "-blur",
        "0x1",
        "-pointsize",
        "30",
        "-fill",
        "white",
        "-annotate",
        "+10+40",
        "Sphinx 0123",
        "-depth",
        "8",
        "-define",
        "png:color-type=2",
        &path,
    ]);
    path
}

/// A file that ImageMagick writes with these arguments must look the same through our decoder as through its own.
#[track_caller]
fn check_reading(at: &Path, scene: &str, name: &str, arguments: &[&str], least: f64) {
    let file = at.join(name).display().to_string();
    let reference = at.join(format!("{name}.reference.png"));
    let mut write = vec![scene];
    write.extend(arguments);
    write.push(&file);
    magick(&write);
    magick(&[
        &file,
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

#[test]
fn reads_what_imagemagick_writes() {
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
    // No TGA: ImageMagick 6 writes rows from the top and says that they go from the bottom.
    check("plain.ppm", &[], SAME);
    check("text.ppm", &["-compress", "None"], SAME);
    check("grey.pgm", &["-colorspace", "Gray"], SAME);
    check("bits.pbm", &["-monochrome"], SAME);
    std::fs::remove_dir_all(at).unwrap();
}

#[test]
fn imagemagick_reads_what_is_written() {
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
        ("ico", f64::INFINITY),
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

#[test]
fn profiles_become_srgb_where_the_target_has_none() {
    let adobe = "/usr/share/color/icc/ghostscript/a98.icc";
    let srgb = "/usr/share/color/icc/ghostscript/srgb.icc";
    if !has(MAGICK) || !Path::new(adobe).exists() {
        return eprintln!("skipped: needs the profiles of Ghostscript");
    }
    let at = directory("profiles");
    let scene = scene(&at, "203x155");
    for name in ["wide.png", "wide.jpg", "wide.tiff", "wide.webp"] {
        let file = at.join(name).display().to_string();
        magick(&[
            &scene, "-quality", "96", "-profile", srgb, "-profile", adobe, &file,
        ]);
        let reference = at.join("reference.png");
        let png = format!("png24:{}", reference.display());
        magick(&[&file, "-profile", srgb, "-strip", &png]);
        let input = std::fs::read(&file).unwrap();
        for (to, fields) in [("bmp", &[][..]), ("png", &[("strip", "true")])] {
            let result = convert(&input, name, to, Quality::Medium, fields).unwrap();
            let ours = image::load_from_memory(&result).unwrap().to_rgba8();
            let found = psnr(&ours, &load(&reference).to_rgba8());
            assert!(found > 38.0, "{name} to {to}: {found} dB");
        }
    }
    std::fs::remove_dir_all(at).unwrap();
}

#[test]
fn ink_goes_through_its_profile() {
    let ink = "/usr/share/color/icc/ghostscript/default_cmyk.icc";
    let srgb = "/usr/share/color/icc/ghostscript/srgb.icc";
    if !has(MAGICK) || !Path::new(ink).exists() {
        return eprintln!("skipped: needs the profiles of Ghostscript");
    }
    let at = directory("ink");
    let scene = scene(&at, "203x155");
    let file = at.join("ink.jpg").display().to_string();
    magick(&[
        &scene, "-quality", "97", "-profile", srgb, "-profile", ink, &file,
    ]);
    let reference = at.join("reference.png");
    let png = format!("png24:{}", reference.display());
    magick(&[&file, "-profile", srgb, "-strip", &png]);
    let input = std::fs::read(&file).unwrap();
    let result = convert(&input, "ink.jpg", "png", Quality::Medium, &[]).unwrap();
    let ours = image::load_from_memory(&result).unwrap().to_rgba8();
    let found = psnr(&ours, &load(&reference).to_rgba8());
    assert!(found > 30.0, "{found} dB");
    std::fs::remove_dir_all(at).unwrap();
}

#[test]
fn separate_scans_with_subsampled_colour_are_right() {
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
        // With tables of its own, this encoder writes one scan a component.
        encoder.set_optimized_huffman_tables(separate);
        encoder
            .encode(&rgb, 131, 77, jpeg_encoder::ColorType::Rgb)
            .unwrap();
        let result = convert(&file, "a.jpg", "png", Quality::Low, &[]).unwrap();
        image::load_from_memory(&result).unwrap().to_rgba8()
    };
    assert_eq!(encode(true), encode(false));
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
        return eprintln!("skipped: needs a libvips that writes JPEG XL");
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

/// Every file in `tests/data/bad` must be refused at once.
#[test]
fn bad_files_are_refused_within_a_second() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/bad/image");
    let mut seen = 0;
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let input = std::fs::read(&path).unwrap();
        let start = Instant::now();
        for to in ["png", "webp"] {
            let err = convert(&input, &name, to, Quality::Medium, &[])
                .err()
                .unwrap_or_else(|| panic!("{name} converts"));
            assert_eq!(err.kind(), Kind::BadInput, "{name}: {err}");
        }
        let limit = Duration::from_secs(if cfg!(debug_assertions) { 10 } else { 1 });
        assert!(
            start.elapsed() < limit,
            "{name} takes {:?}",
            start.elapsed()
        );
        seen += 1;
    }
    assert!(seen > 10);
}
