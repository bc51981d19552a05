//! Formats with decoders of our own, compared with ImageMagick's decoders.

use crate::harness::{
    MAGICK, check_reading, convert, convert_with_notes, directory, has, lacking, load, magick,
    pixels, psnr, scene,
};
use convertd::job::Quality;
use image::DynamicImage;
use std::path::Path;

const SAME: f64 = f64::INFINITY;

#[test]
fn reads_photoshop_files() {
    if !has(MAGICK) {
        return;
    }
    let at = directory("psd");
    let scene = scene(&at, "203x155");
    let check = |name: &str, arguments: &[&str], least: f64| {
        check_reading(&at, &scene, name, arguments, least);
    };
    check("packed.psd", &["-compress", "RLE"], SAME);
    check("plain.psd", &["-compress", "None"], SAME);
    check("large.psb", &["-compress", "RLE"], SAME);
    check("grey.psd", &["-colorspace", "Gray"], SAME);
    check("deep.psd", &["-depth", "16", "-compress", "None"], 50.0);
    check(
        "deep-packed.psd",
        &["-depth", "16", "-compress", "RLE"],
        50.0,
    );
    check("bits.psd", &["-monochrome", "-depth", "1"], SAME);
    check("ink.psd", &["-colorspace", "CMYK"], 45.0);
    // Photoshop stores colours blended with white, which a reader has to undo; ImageMagick does not.
    let fade = [
        "-fill",
        "white",
        "-colorize",
        "60%",
        "-alpha",
        "set",
        "-channel",
        "A",
        "-evaluate",
        "set",
        "40%",
        "+channel",
        "-compress",
    ];
    check("alpha.psd", &[&fade[..], &["RLE"]].concat(), 45.0);
    check("alpha-plain.psd", &[&fade[..], &["None"]].concat(), 45.0);
    check(
        "alpha-deep.psd",
        &[&fade[..], &["None", "-depth", "16"]].concat(),
        45.0,
    );
    std::fs::remove_dir_all(at).unwrap();
}

/// ImageMagick cannot read a file that it has written itself.
#[test]
fn reads_photoshop_palettes() {
    let mut file = b"8BPS\0\x01\0\0\0\0\0\0\0\x01\0\0\0\x01\0\0\0\x03\0\x08\0\x02".to_vec();
    let mut palette = [0; 768];
    (palette[5], palette[256 + 5], palette[512 + 5]) = (10, 20, 30);
    palette[512 + 6] = 99;
    file.extend(768u32.to_be_bytes());
    file.extend(palette);
    // A resource with the index of the transparent colour.
    file.extend(b"\0\0\0\x0e8BIM\x04\x17\0\0\0\0\0\x02\0\x07");
    // No layers, and uncompressed rows.
    file.extend(b"\0\0\0\0\0\0\x05\x06\x07");
    let result = convert(&file, "a.psd", "png", Quality::Medium, &[]).unwrap();
    let pixels = image::load_from_memory(&result).unwrap().to_rgba8();
    let expected = [10, 20, 30, 255, 0, 0, 99, 255, 0, 0, 0, 0];
    assert_eq!(pixels.as_raw(), &expected);
}

#[test]
fn a_photoshop_file_without_picture_and_layers_gives_its_placeholder() {
    let mut file = b"8BPS\0\x01\0\0\0\0\0\0\0\x01\0\0\0\x01\0\0\0\x01\0\x08\0\x01\0\0\0\0".to_vec();
    file.extend(b"\0\0\0\x128BIM\x04\x21\0\0\0\0\0\x05\0\0\0\x01\0\0");
    file.extend(b"\0\0\0\0\0\0\xff");
    let result = convert_with_notes(&file, "a.psd", "png", Quality::Medium, &[]);
    let (result, notes) = result.unwrap();
    assert_eq!(
        image::load_from_memory(&result)
            .unwrap()
            .to_luma8()
            .as_raw(),
        &[255]
    );
    assert!(notes.0[0].contains("no flattened picture"), "{notes:?}");
}

#[test]
fn reads_paintbrush_files() {
    if !has(MAGICK) {
        return;
    }
    let at = directory("pcx");
    let scene = scene(&at, "203x155");
    let check = |name: &str, arguments: &[&str]| check_reading(&at, &scene, name, arguments, SAME);
    check("colour.pcx", &[]);
    check("palette.pcx", &["-colors", "200", "-type", "Palette"]);
    check("few.pcx", &["-colors", "13", "-type", "Palette"]);
    check("four.pcx", &["-colors", "4", "-type", "Palette"]);
    check("grey.pcx", &["-colorspace", "Gray"]);
    check("bits.pcx", &["-monochrome"]);
    check(
        "alpha.pcx",
        &["-alpha", "set", "-channel", "A", "-evaluate", "set", "40%"],
    );
    std::fs::remove_dir_all(at).unwrap();
}

#[test]
fn reads_both_signatures_of_radiance() {
    let picture = b"P6 3 1 255 abcdefghi";
    let usual = convert(picture, "a.ppm", "hdr", Quality::Low, &[]).unwrap();
    let rest = usual.strip_prefix(b"#?RADIANCE").unwrap();
    let other = [b"#?RGBE", rest].concat();
    let read = |file: &[u8]| convert(file, "a", "png", Quality::Low, &[]).unwrap();
    assert!(read(&other) == read(&usual));
    let none = [b"#?RGB", rest].concat();
    assert!(convert(&none, "a", "png", Quality::Low, &[]).is_err());
}

/// The order of rows and columns is given as axes: the first one is the direction from scanline to scanline, and the
/// sign says whether coordinates increase.
#[test]
fn reads_radiance_in_every_order() {
    let pixel = |x: u32, y: u32| [10 + 20 * x as u8, 40 * y as u8, 200, 128];
    let file = |axes: &str, body: &[u8]| {
        let head = format!("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n{axes}\n");
        [head.as_bytes(), body].concat()
    };
    let read = |file: &[u8]| pixels(&convert(file, "a.hdr", "png", Quality::Low, &[]).unwrap());
    let (width, height) = (5, 3);
    let usual = (0..height).flat_map(|y| (0..width).flat_map(move |x| pixel(x, y)));
    let usual = read(&file("-Y 3 +X 5", &usual.collect::<Vec<_>>()));
    assert_eq!(usual.dimensions(), (width, height));
    for (x_sign, y_sign) in [('+', '-'), ('+', '+'), ('-', '-'), ('-', '+')] {
        // Y increases towards the top.
        let column = |step: u32| {
            if x_sign == '+' {
                step
            } else {
                width - 1 - step
            }
        };
        let row = |step: u32| {
            if y_sign == '-' {
                step
            } else {
                height - 1 - step
            }
        };
        let rows = (0..height).flat_map(|y| (0..width).flat_map(move |x| pixel(column(x), row(y))));
        let rows = file(
            &format!("{y_sign}Y 3 {x_sign}X 5"),
            &rows.collect::<Vec<_>>(),
        );
        assert!(read(&rows) == usual, "{y_sign}Y {x_sign}X");
        let columns =
            (0..width).flat_map(|x| (0..height).flat_map(move |y| pixel(column(x), row(y))));
        let columns = file(
            &format!("{x_sign}X 5 {y_sign}Y 3"),
            &columns.collect::<Vec<_>>(),
        );
        assert!(read(&columns) == usual, "{x_sign}X {y_sign}Y");
    }
}

#[test]
fn unsupported_features_are_not_reported_as_damage() {
    #[track_caller]
    fn check(file: &[u8], name: &str, says: &str) {
        let err = convert(file, name, "png", Quality::Low, &[]).unwrap_err();
        assert!(err.message().contains(says), "{err}");
        assert!(err.message().contains("not supported"), "{err}");
    }
    let ink = b"P7\nWIDTH 1\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE CMYK\nENDHDR\nabcd";
    check(ink, "a.pam", "CMYK");
    let light = b"#?RADIANCE\nFORMAT=32-bit_rle_xyze\n\n-Y 1 +X 1\nabcd";
    check(light, "a.hdr", "XYZ");
}

/// Three planes of one bit, and 150 in the reserved byte. A file of version 3 has no palette, so the bytes in its place
/// are ignored.
#[test]
fn reads_paintbrush_files_with_unusual_magic_bytes() {
    let mut file = vec![0x77; 128];
    file[..12].copy_from_slice(&[10, 3, 1, 1, 0, 0, 0, 0, 7, 0, 0, 0]);
    file[64..68].copy_from_slice(&[150, 3, 2, 0]);
    // Eight pixels, and the padding of each plane.
    file.extend([0x55, 0, 0x33, 0, 0x0f, 0]);
    let result = convert(&file, "a.pcx", "png", Quality::Low, &[]).unwrap();
    let colours = [
        [0, 0, 0],
        [0, 0, 170],
        [0, 170, 0],
        [0, 170, 170],
        [170, 0, 0],
        [170, 0, 170],
        [170, 85, 0],
        [170, 170, 170],
    ];
    let found = image::load_from_memory(&result).unwrap().to_rgb8();
    assert_eq!(found.as_raw(), colours.as_flattened());
    let err = convert(&file, "a", "png", Quality::Low, &[]).unwrap_err();
    assert!(
        err.message().contains("matches no supported format"),
        "{err}"
    );
}

/// Inks without names of their own; see `Structure::is_multichannel`.
#[test]
fn reads_multichannel_photoshop_files() {
    #[track_caller]
    fn check(channels: u8, depth: u8, samples: &[u8], expected: [u8; 3], note: &str) {
        let mut file = b"8BPS\0\x01\0\0\0\0\0\0\0".to_vec();
        file.extend([channels, 0, 0, 0, 1, 0, 0, 0, 1, 0, depth, 0, 7]);
        // No palette, no resources and no layers; uncompressed rows.
        file.extend([0; 14]);
        file.extend(samples);
        let (result, notes) = convert_with_notes(&file, "a.psd", "png", Quality::Low, &[]).unwrap();
        assert_eq!(pixels(&result).get_pixel(0, 0).0[..3], expected);
        assert!(format!("{notes:?}").contains(note), "{notes:?}");
    }
    check(1, 8, &[77], [77; 3], "treated as black");
    let three = "cyan, magenta and yellow,";
    check(3, 8, &[10, 20, 30], [10, 20, 30], three);
    check(3, 16, &[10, 0, 20, 0, 30, 0], [10, 20, 30], three);
    let four = "cyan, magenta, yellow and black";
    check(4, 8, &[255; 4], [255; 3], four);
    check(5, 8, &[255, 255, 255, 255, 7], [255; 3], four);
}

#[test]
fn reads_dds() {
    if !has(MAGICK) {
        return;
    }
    let at = directory("dds");
    let scene = scene(&at, "204x156");
    let check = |name: &str, arguments: &[&str], least: f64| {
        check_reading(&at, &scene, name, arguments, least);
    };
    let plain = ["-define", "dds:compression=none"];
    let alpha = ["-alpha", "set", "-channel", "A", "-evaluate", "set", "40%"];
    check("plain.dds", &plain, SAME);
    check("alpha.dds", &[&plain[..], &alpha].concat(), SAME);
    for compression in ["dds:compression=dxt1", "dds:compression=dxt5"] {
        // Decoders differ in how they round interpolated colours.
        check("packed.dds", &["-define", compression], 45.0);
    }
    std::fs::remove_dir_all(at).unwrap();
}

#[cfg(feature = "avif")]
#[test]
fn reads_avif() {
    if !has(MAGICK) {
        return;
    }
    let at = directory("avif");
    let scene = scene(&at, "203x155");
    let check = |name: &str, arguments: &[&str], least: f64| {
        check_reading(&at, &scene, name, arguments, least);
    };
    check("usual.avif", &["-quality", "70"], 38.0);
    check(
        "grey.avif",
        &["-colorspace", "Gray", "-quality", "70"],
        38.0,
    );
    for (name, encoder) in [
        ("full.avif", &["-pix_fmt", "yuv444p"][..]),
        ("deep.avif", &["-pix_fmt", "yuv420p10le"]),
        ("half.avif", &["-pix_fmt", "yuv422p"]),
    ] {
        let file = at.join(name).display().to_string();
        let mut command = std::process::Command::new("ffmpeg");
        command.args(["-v", "error", "-y", "-i", &scene, "-c:v", "libaom-av1"]);
        command.args(["-still-picture", "1", "-crf", "12", "-cpu-used", "8"]);
        command.args(encoder).arg(&file);
        if !command.status().is_ok_and(|status| status.success()) {
            lacking("an ffmpeg that writes AVIF");
            continue;
        }
        let input = std::fs::read(&file).unwrap();
        let result = convert(&input, name, "png", Quality::Medium, &[]).unwrap();
        let ours = image::load_from_memory(&result).unwrap().to_rgba8();
        let found = psnr(&ours, &load(Path::new(&scene)).to_rgba8());
        assert!(found > 30.0, "{name}: {found} dB");
    }
    std::fs::remove_dir_all(at).unwrap();
}

/// This version of ImageMagick ignores the alpha of AVIF, so libvips is the reference.
#[cfg(feature = "avif")]
#[test]
fn libvips_reads_our_avif_and_its_avif_is_read() {
    if !has(MAGICK) || !has("vips") {
        return;
    }
    let vips = |arguments: &[&str]| {
        let status = std::process::Command::new("vips").args(arguments).status();
        status.is_ok_and(|status| status.success())
    };
    let at = directory("avif-out");
    let original = scene(&at, "203x155");
    let faded = at.join("faded.png").display().to_string();
    magick(&[
        &original,
        "-alpha",
        "set",
        "-channel",
        "A",
        "-evaluate",
        "set",
        "40%",
        "-depth",
        "8",
        &format!("png32:{faded}"),
    ]);
    let (file, back) = (at.join("result.avif"), at.join("back.png"));
    let (file, back) = (file.display().to_string(), back.display().to_string());
    for scene in [original, faded] {
        let input = std::fs::read(&scene).unwrap();
        let expected = load(Path::new(&scene)).to_rgba8();
        let check = |picture: &DynamicImage, what: &str| {
            let found = psnr(&expected, &picture.to_rgba8());
            assert!(found > 30.0, "{scene}, {what}: {found} dB");
        };
        for quality in [Quality::Low, Quality::Medium, Quality::High] {
            let result = convert(&input, "scene.png", "avif", quality, &[]).unwrap();
            std::fs::write(&file, result).unwrap();
            if !vips(&["copy", &file, &back]) {
                return lacking("a libvips that reads AVIF");
            }
            check(
                &load(Path::new(&back)),
                &format!("read by libvips, {quality}"),
            );
        }
        if vips(&[
            "heifsave",
            &scene,
            &file,
            "--compression",
            "av1",
            "--Q",
            "80",
        ]) {
            let input = std::fs::read(&file).unwrap();
            let result = convert(&input, "a.avif", "png", Quality::Medium, &[]).unwrap();
            check(
                &image::load_from_memory(&result).unwrap(),
                "written by libvips",
            );
        }
    }
    std::fs::remove_dir_all(at).unwrap();
}

/// ImageMagick reads a pfm that is written here, but takes its numbers for sRGB.
#[test]
fn float_maps_are_readable_by_imagemagick() {
    if !has(MAGICK) {
        return;
    }
    let at = directory("pfm");
    let scene = scene(&at, "61x47");
    let [pfm, linear] = ["a.pfm", "linear.png"].map(|name| at.join(name).display().to_string());
    let png = std::fs::read(&scene).unwrap();
    std::fs::write(
        &pfm,
        convert(&png, "a.png", "pfm", Quality::Low, &[]).unwrap(),
    )
    .unwrap();
    magick(&[
        &pfm,
        "-set",
        "colorspace",
        "RGB",
        "-colorspace",
        "sRGB",
        "-depth",
        "8",
        &linear,
    ]);
    let found = psnr(&load(Path::new(&linear)).to_rgba8(), &pixels(&png));
    assert!(found > 50.0, "{found} dB");
    std::fs::remove_dir_all(at).unwrap();
}

/// A pfm has linear samples, from the lowest row to the highest, in either byte order.
#[test]
fn float_maps_are_read_from_bottom_to_top() {
    for (scale, bytes) in [
        ("-1.0", f32::to_le_bytes as fn(f32) -> [u8; 4]),
        ("1", f32::to_be_bytes),
    ] {
        let mut file = format!("Pf\n1 3\n{scale}\n").into_bytes();
        file.extend([1.0, 0.5, 0.0].into_iter().flat_map(bytes));
        let (result, notes) = convert_with_notes(&file, "a.pfm", "bmp", Quality::Low, &[]).unwrap();
        let greys: Vec<u8> = pixels(&result).pixels().map(|pixel| pixel.0[0]).collect();
        assert_eq!(greys, [0, 188, 255], "{scale}");
        assert!(notes.0[0].contains("linear light"), "{notes:?}");

        let mut file = format!("PF\n2 1\n{scale}\n").into_bytes();
        file.extend(
            [1.0, 0.0, 0.0, 0.0, f32::NAN, 2.0]
                .into_iter()
                .flat_map(bytes),
        );
        let result = convert(&file, "a.pfm", "bmp", Quality::Low, &[]).unwrap();
        let colours: Vec<[u8; 4]> = pixels(&result).pixels().map(|pixel| pixel.0).collect();
        assert_eq!(colours, [[255, 0, 0, 255], [0, 0, 255, 255]], "{scale}");
        for len in 0..file.len() {
            assert!(convert(&file[..len], "a.pfm", "bmp", Quality::Low, &[]).is_err());
        }
        let again = convert(&file, "a.pfm", "pfm", Quality::Low, &[]).unwrap();
        let mut expected = b"PF\n2 1\n-1.0\n".to_vec();
        let samples = [1.0, 0.0, 0.0, 0.0, 0.0, 2.0_f32];
        expected.extend(samples.into_iter().flat_map(f32::to_le_bytes));
        assert_eq!(again, expected);
    }
}
