//! Unusual pictures become JPEG XL files that libjxl decodes to the same colours. An unusual JPEG is repacked so that
//! it can be restored, or is stored as pixels with a note, or is refused. A file that cannot be decoded is never
//! stored.

use crate::harness::{
    MAGICK, convert, convert_with_notes, directory, has, load, magick, pixels, png, psnr, scene,
};
use convertd::job::Quality;
use image::{DynamicImage, ImageBuffer, ImageFormat, Rgb, Rgba};
use moxcms::{ColorProfile, ToneReprCurve, curve_from_gamma};
use std::{fs, io::Cursor, path::Path, process::Command};

const KEPT: [(&str, &str); 1] = [("metadata", "keep")];

/// The pixels that djxl decodes. It writes no alpha if the file has none.
fn shown(at: &Path, jxl: &[u8]) -> image::RgbaImage {
    let [file, read] = ["shown.jxl", "shown.png"].map(|name| at.join(name));
    fs::write(&file, jxl).unwrap();
    let output = Command::new("djxl").args([&file, &read]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    load(&read).to_rgba8()
}

fn noise(width: u32, height: u32) -> DynamicImage {
    let mut random = 7_u32;
    ImageBuffer::from_fn(width, height, |_, _| {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        Rgb([24, 16, 8].map(|shift| (random >> shift) as u8))
    })
    .into()
}

#[test]
fn pictures_of_any_shape_are_read_by_libjxl() {
    if !has("djxl") {
        return;
    }
    let at = directory("jxl-shapes");
    let plain = |colour: [u8; 4]| ImageBuffer::from_pixel(300, 200, Rgba(colour)).into();
    let pictures: [(&str, DynamicImage, f64); 7] = [
        ("one pixel", noise(1, 1), 20.0),
        ("a long row", noise(100_000, 1), 10.0),
        ("a long column", noise(1, 65_535), 10.0),
        ("noise", noise(300, 200), 10.0),
        ("one colour", plain([200, 30, 90, 255]), 40.0),
        ("glass of one colour", plain([200, 30, 90, 77]), 40.0),
        ("nothing", plain([0; 4]), 40.0),
    ];
    for (name, picture, least) in pictures {
        for quality in [Quality::Low, Quality::High, Quality::Number(100)] {
            let file = convert(&png(&picture), "a.png", "jxl", quality, &[])
                .unwrap_or_else(|err| panic!("{name} {quality}: {err}"));
            let found = psnr(&shown(&at, &file), &picture.to_rgba8());
            assert!(found > least, "{name} {quality}: {found} dB");
        }
    }
    fs::remove_dir_all(at).unwrap();
}

/// Colours are converted to a space that the encoder knows before lossy encoding.
#[test]
fn colours_of_a_profile_look_the_same() {
    if !has("djxl") || !has(MAGICK) {
        return;
    }
    let at = directory("jxl-profiles");
    let scene = scene(&at, "203x155");
    let saved = |name: &str, profile: ColorProfile| {
        let path = at.join(name);
        let mut icc = profile.encode().unwrap();
        // libpng accepts only profiles whose length is a multiple of four (ICC.1:2022, 7.2.2).
        icc.resize(icc.len().next_multiple_of(4), 0);
        let len = (icc.len() as u32).to_be_bytes();
        icc[..4].copy_from_slice(&len);
        fs::write(&path, icc).unwrap();
        path.display().to_string()
    };
    let srgb = saved("srgb.icc", ColorProfile::new_srgb());
    let mut linear = ColorProfile::new_srgb();
    linear.cicp = None;
    let curve: ToneReprCurve = curve_from_gamma(1.0);
    linear.red_trc = Some(curve.clone());
    linear.green_trc = Some(curve.clone());
    linear.blue_trc = Some(curve);
    let grey: &[&str] = &["-colorspace", "Gray", "+profile", "*"];
    let colours: &[&str] = &["-profile", &srgb];
    for (name, profile, depth, first) in [
        ("p3", ColorProfile::new_display_p3(), "8", colours),
        ("adobe", ColorProfile::new_adobe_rgb(), "8", colours),
        ("linear", linear, "16", colours),
        ("grey", ColorProfile::new_gray_with_gamma(1.8), "8", grey),
    ] {
        let profile = saved(&format!("{name}.icc"), profile);
        let file = at.join(format!("{name}.png"));
        let path = file.display().to_string();
        let arguments = [&[&*scene, "-depth", depth], first, &["-profile", &profile]];
        magick(&[&arguments.concat()[..], &[&path]].concat());
        let seen = |path: &str| {
            let seen = at.join("seen.png");
            let png = format!("png24:{}", seen.display());
            magick(&[path, "-profile", &srgb, "-strip", "-depth", "8", &png]);
            load(&seen).to_rgba8()
        };
        let expected = seen(&path);
        let input = fs::read(&file).unwrap();
        let jxl = convert(&input, "a.png", "jxl", Quality::Number(95), &[]).unwrap();
        shown(&at, &jxl);
        let theirs = at.join("shown.png").display().to_string();
        let found = psnr(&seen(&theirs), &expected);
        assert!(found > 34.0, "{name}: {found} dB by djxl");
        let strip = [("strip", "true")];
        let ours = convert(&jxl, "a.jxl", "png", Quality::High, &strip).unwrap();
        let found = psnr(&pixels(&ours), &expected);
        assert!(found > 34.0, "{name}: {found} dB");
    }
    fs::remove_dir_all(at).unwrap();
}

/// Outcome for a JPEG.
#[derive(Debug, PartialEq)]
enum Fate {
    /// The JPEG can be restored byte for byte.
    Packed,
    /// The pixels are stored, and a note says so.
    Pixels,
    Refused,
}

fn fate(jpeg: &[u8]) -> Fate {
    let result = convert_with_notes(jpeg, "a.jpg", "jxl", Quality::High, &KEPT);
    let Ok((packed, notes)) = result else {
        return Fate::Refused;
    };
    let back = convert_with_notes(&packed, "a.jxl", "jpg", Quality::High, &KEPT);
    let (back, _) = back.unwrap();
    if notes.0[0].contains("byte for byte") {
        assert!(back == jpeg, "it does not come back");
        return Fate::Packed;
    }
    assert!(notes.0[0].contains("cannot be stored"), "{notes:?}");
    let png = |file: &[u8]| convert(file, "a.jpg", "png", Quality::High, &[]).unwrap();
    assert_eq!(pixels(&back).dimensions(), pixels(&png(jpeg)).dimensions());
    Fate::Pixels
}

fn photograph() -> DynamicImage {
    ImageBuffer::from_fn(120, 90, |x, y| {
        let wave = |by: f32| (127.0 + 90.0 * (x as f32 / by).sin() * (y as f32 / 9.0).cos()) as u8;
        Rgb([wave(11.0), wave(17.0), wave(23.0)])
    })
    .into()
}

fn jpeg(picture: &DynamicImage) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    picture.write_to(&mut file, ImageFormat::Jpeg).unwrap();
    file.into_inner()
}

fn place(file: &[u8], marker: u8) -> usize {
    let is = |pair: &[u8]| pair == [0xff, marker];
    file.windows(2).position(is).unwrap()
}

/// The file with sampling factors in its header that do not match its data.
fn sampled(mut jpeg: Vec<u8>, factors: [u8; 3]) -> Vec<u8> {
    let frame = place(&jpeg, 0xc0);
    for (at, factor) in factors.into_iter().enumerate() {
        jpeg[frame + 11 + 3 * at] = factor;
    }
    jpeg
}

#[test]
fn odd_jpegs_are_restored_or_get_a_note() {
    let plain = jpeg(&photograph());
    let scan = place(&plain, 0xda);
    let with = |at: usize, more: &[u8]| [&plain[..at], more, &plain[at..]].concat();
    let comment = [&b"\xff\xfe\xff\xff"[..], &[b'x'; 65_533]].concat();
    #[track_caller]
    fn check(name: &str, jpeg: Vec<u8>, expected: Fate) {
        assert_eq!(fate(&jpeg), expected, "{name}");
    }
    check("plain", plain.clone(), Fate::Packed);
    check("a tail", with(plain.len(), &[b'x'; 5000]), Fate::Packed);
    check("two in one", with(plain.len(), &plain), Fate::Packed);
    check("fill bytes", with(scan, &[0xff; 3]), Fate::Packed);
    check("long comments", with(2, &comment.repeat(9)), Fate::Packed);
    check(
        "a stray restart",
        with(scan + 300, b"\xff\xd3"),
        Fate::Refused,
    );
    check("no end", plain[..plain.len() - 2].to_vec(), Fate::Refused);
    check("half", plain[..plain.len() / 2].to_vec(), Fate::Refused);
    for factors in [
        [0x31, 0x11, 0x11],
        [0x44, 0x11, 0x11],
        [0x11, 0x22, 0x22],
        [0x22, 0x21, 0x12],
        [0x00, 0x11, 0x11],
        [0xff, 0x11, 0x11],
    ] {
        let found = fate(&sampled(plain.clone(), factors));
        assert!(found != Fate::Packed, "{factors:x?}");
    }
    let scans = b"\xff\xda\0\x08\x01\x01\0\x3f\x3f\0".repeat(10_000);
    check("10,000 scans", with(plain.len() - 2, &scans), Fate::Refused);
}

/// Restart markers, four components, and sampling that JPEG XL cannot express, written by libjpeg's programs.
#[test]
fn odd_jpegs_of_other_programs_are_restored_or_get_a_note() {
    if !has(MAGICK) || !has("jpegtran") {
        return;
    }
    let at = directory("jxl-odd");
    let scene = scene(&at, "203x155");
    let made = |arguments: &[&str], changes: &[&str]| {
        let path = at.join("a.jpg").display().to_string();
        magick(&[&[&*scene], arguments, &["-quality", "85", &path]].concat());
        let output = Command::new("jpegtran").args(changes).arg(&path).output();
        let output = output.unwrap();
        assert!(output.status.success(), "{changes:?}");
        output.stdout
    };
    let restarts = made(&[], &["-restart", "3B"]);
    let markers: Vec<usize> = (0..restarts.len() - 1)
        .filter(|at| restarts[*at] == 0xff && (0xd0..0xd8).contains(&restarts[at + 1]))
        .collect();
    let mut wrong = restarts.clone();
    wrong[markers[3] + 1] ^= 1;
    let mut missing = restarts.clone();
    missing.drain(markers[5]..markers[5] + 2);
    let mut twice = restarts.clone();
    twice.splice(markers[5]..markers[5], [0xff, 0xd0]);
    for (name, file, expected) in [
        ("restarts", restarts, Fate::Packed),
        ("a restart of a wrong number", wrong, Fate::Pixels),
        ("a restart that is missing", missing, Fate::Refused),
        ("a restart too many", twice, Fate::Refused),
        ("ink", made(&["-colorspace", "CMYK"], &[]), Fate::Pixels),
        (
            "4:1:1",
            made(&["-sampling-factor", "4x1"], &[]),
            Fate::Pixels,
        ),
        (
            "coarse light",
            made(&["-sampling-factor", "1x1,2x2,2x2"], &[]),
            Fate::Pixels,
        ),
    ] {
        assert_eq!(fate(&file), expected, "{name}");
    }
    fs::remove_dir_all(at).unwrap();
}

/// In each round, another byte of a repacked JPEG is changed. If the JPEG is then restored, it is the original one, or
/// shows the picture of the changed file.
#[test]
fn a_modified_packed_jpeg_never_becomes_another_picture() {
    let plain = jpeg(&photograph());
    let packed = convert(&plain, "a.jpg", "jxl", Quality::High, &KEPT).unwrap();
    let mut fates = [0; 3];
    for at in (0..packed.len()).step_by(23) {
        let mut tampered = packed.clone();
        tampered[at] ^= 0x55;
        let back = convert_with_notes(&tampered, "a.jxl", "jpg", Quality::High, &KEPT);
        let Ok((back, notes)) = back else {
            fates[0] += 1;
            continue;
        };
        let is_whole = notes.0.iter().any(|note| note.contains("byte for byte"));
        if back == plain || !is_whole {
            fates[1] += 1;
            continue;
        }
        fates[2] += 1;
        let png = convert(&tampered, "a.jxl", "png", Quality::High, &[]).unwrap();
        let found = psnr(&pixels(&back), &pixels(&png));
        assert!(found > 30.0, "byte {at}: {found} dB");
    }
    assert!(fates[0] > 0, "{fates:?}");
}
