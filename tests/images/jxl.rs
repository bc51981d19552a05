//! JPEG XL and libjxl: `djxl` decodes the files of this program without a difference, and a JPEG that `cjxl` has
//! repacked is restored byte for byte.

use crate::harness::{
    MAGICK, convert, convert_with_notes, directory, has, load, magick, pixels, png, psnr, scene,
};
use convertd::job::Quality;
use image::{ColorType, DynamicImage, ImageBuffer, ImageFormat, Luma, LumaA, Rgb, Rgba};
use std::{fs, io::Cursor, path::Path, process::Command};

/// Option for a result in which no pixel differs.
const EXACT: [(&str, &str); 1] = [("lossless", "true")];

const QUALITIES: [Quality; 3] = [Quality::Low, Quality::Medium, Quality::High];

/// A picture with all kinds of neighbouring pixels: gradients, edges, noise, and an independent alpha channel.
fn picture(colour: ColorType, width: u32, height: u32) -> DynamicImage {
    let mut random = 7_u32;
    let mut sample = |x: u32, y: u32, channel: u32| {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let ramp = x * 331 + y * 517 * (channel + 1);
        let edge = if (x / 5 + y / 7).is_multiple_of(2) {
            0
        } else {
            20_000
        };
        (ramp + edge + (random >> 22)) as u16
    };
    let high = |sample: u16| (sample >> 8) as u8;
    match colour {
        ColorType::L8 => {
            ImageBuffer::from_fn(width, height, |x, y| Luma([high(sample(x, y, 0))])).into()
        }
        ColorType::La8 => ImageBuffer::from_fn(width, height, |x, y| {
            LumaA([0, 1].map(|at| high(sample(x, y, at))))
        })
        .into(),
        ColorType::Rgb8 => ImageBuffer::from_fn(width, height, |x, y| {
            Rgb([0, 1, 2].map(|at| high(sample(x, y, at))))
        })
        .into(),
        ColorType::Rgba8 => ImageBuffer::from_fn(width, height, |x, y| {
            Rgba([0, 1, 2, 3].map(|at| high(sample(x, y, at))))
        })
        .into(),
        ColorType::L16 => {
            ImageBuffer::from_fn(width, height, |x, y| Luma([sample(x, y, 0)])).into()
        }
        ColorType::La16 => ImageBuffer::from_fn(width, height, |x, y| {
            LumaA([0, 1].map(|at| sample(x, y, at)))
        })
        .into(),
        ColorType::Rgb16 => ImageBuffer::from_fn(width, height, |x, y| {
            Rgb([0, 1, 2].map(|at| sample(x, y, at)))
        })
        .into(),
        _ => ImageBuffer::from_fn(width, height, |x, y| {
            Rgba([0, 1, 2, 3].map(|at| sample(x, y, at)))
        })
        .into(),
    }
}

const TYPES: [ColorType; 8] = [
    ColorType::L8,
    ColorType::La8,
    ColorType::Rgb8,
    ColorType::Rgba8,
    ColorType::L16,
    ColorType::La16,
    ColorType::Rgb16,
    ColorType::Rgba16,
];

/// Widths and heights: one pixel, a group of 256 pixels and slightly more, and lengths that are not multiples of 8.
const SIZES: [(u32, u32); 7] = [
    (1, 1),
    (1, 90),
    (90, 1),
    (2, 2),
    (256, 256),
    (257, 300),
    (37, 41),
];

/// Calls `see` with each kind of picture in each size, and with its lossless JPEG XL file.
fn each(mut see: impl FnMut(&DynamicImage, &[u8], &str)) {
    for colour in TYPES {
        for (at, (width, height)) in SIZES.into_iter().enumerate() {
            let picture = picture(colour, width, height);
            let quality = QUALITIES[at % 3];
            let name = format!("{colour:?} {width}x{height} {quality}");
            let written = convert(&png(&picture), "a.png", "jxl", quality, &EXACT);
            let written = written.unwrap_or_else(|err| panic!("{name}: {err}"));
            see(&picture, &written, &name);
        }
    }
}

#[test]
fn written_files_are_read_back_exactly() {
    each(|picture, written, name| {
        let back = convert(written, "a.jxl", "png", Quality::Low, &[]);
        let back = back.unwrap_or_else(|err| panic!("{name}: {err}"));
        let back = image::load_from_memory(&back).unwrap();
        assert_eq!(back.color(), picture.color(), "{name}");
        assert!(back.to_rgba16() == picture.to_rgba16(), "{name}");
    });
}

#[test]
fn libjxl_reads_our_files() {
    if !has("djxl") {
        return;
    }
    let at = directory("jxl-djxl");
    let (file, read) = (at.join("a.jxl"), at.join("a.png"));
    each(|picture, written, name| {
        fs::write(&file, written).unwrap();
        run("djxl", &[&file, &read], name);
        let back = load(&read);
        // djxl may write another pixel type for the same samples.
        assert!(back.to_rgba16() == picture.to_rgba16(), "{name}");
    });
    fs::remove_dir_all(at).unwrap();
}

#[track_caller]
fn run(program: &str, arguments: &[&Path], name: &str) {
    let output = Command::new(program)
        .args(["--quiet"].into_iter().filter(|_| program == "djxl"))
        .args(arguments)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{program}, {name}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Repacks a JPEG with `cjxl`, without loss.
fn packed(jpeg: &Path, name: &str) -> Vec<u8> {
    let packed = jpeg.with_extension("jxl");
    let output = Command::new("cjxl")
        .arg("--lossless_jpeg=1")
        .args([jpeg, &packed])
        .output()
        .unwrap();
    assert!(output.status.success(), "{name}");
    fs::read(packed).unwrap()
}

/// Tests all samplings, one scan and several, different tables and step sizes, and sides that are not multiples of an
/// MCU.
#[test]
fn a_jpeg_is_restored_byte_for_byte() {
    if !has("cjxl") || !has("jpegtran") || !has(MAGICK) {
        return;
    }
    let at = directory("jxl-jpeg");
    let (jpeg, scans) = (at.join("a.jpg"), at.join("scans"));
    fs::write(&scans, "0; 1; 2;").unwrap();
    let samplings = ["1x1", "2x1", "1x2", "2x2", "1x2,1x2,1x2", "2x2,2x1,1x2"];
    let changes: [&[&str]; 6] = [
        &[],
        &["-progressive"],
        &["-scans"],
        &["-restart", "3B"],
        &["-optimize", "-restart", "2"],
        &["-grayscale"],
    ];
    let sides = samplings.map(|sampling| ("523x262", sampling));
    for (size, sampling) in sides
        .into_iter()
        .chain([("2051x40", "2x2"), ("7x5", "2x1")])
    {
        let scene = scene(&at, size);
        let path = jpeg.display().to_string();
        let arguments = ["-quality", "85", "-set", "comment", "Somebody"];
        magick(
            &[
                &[&scene, "-sampling-factor", sampling],
                &arguments[..],
                &[&path],
            ]
            .concat(),
        );
        let plain = fs::read(&jpeg).unwrap();
        for change in changes {
            let name = format!("{size} {sampling} {change:?}");
            fs::write(&jpeg, &plain).unwrap();
            let output = Command::new("jpegtran")
                .args(["-copy", "all"])
                .args(change)
                .args(change.contains(&"-scans").then_some(&scans))
                .arg(&jpeg)
                .output()
                .unwrap();
            assert!(output.status.success(), "{name}");
            fs::write(&jpeg, &output.stdout).unwrap();
            let packed = packed(&jpeg, &name);
            let keep = [("metadata", "keep")];
            let result = convert_with_notes(&packed, "a.jxl", "jpg", Quality::Medium, &keep);
            let (result, notes) = result.unwrap();
            assert!(result == output.stdout, "{name}: {notes:?}");
            assert!(notes.0[0].contains("byte for byte"), "{notes:?}");
            ours(&jpeg, &name);
        }
    }
    fs::remove_dir_all(at).unwrap();
}

/// Repacks a JPEG with this program in high quality. Either both programs restore it, or a note says that its pixels
/// were stored.
fn ours(jpeg: &Path, name: &str) {
    let original = fs::read(jpeg).unwrap();
    let keep = [("metadata", "keep")];
    let result = convert_with_notes(&original, "a.jpg", "jxl", Quality::High, &keep);
    let (packed, notes) = result.unwrap_or_else(|err| panic!("{name}: {err}"));
    if notes.0[0].contains("cannot be stored") {
        let odd = name.contains("1x2,1x2,1x2") || name.contains("2x2,2x1,1x2");
        assert!(odd, "{name}: {notes:?}");
        return;
    }
    assert!(notes.0[0].contains("byte for byte"), "{name}: {notes:?}");
    let back = convert(&packed, "a.jxl", "jpg", Quality::Medium, &keep).unwrap();
    assert!(back == original, "{name}");
    let (file, read) = (
        jpeg.with_extension("ours.jxl"),
        jpeg.with_extension("ours.jpg"),
    );
    fs::write(&file, &packed).unwrap();
    run("djxl", &[&file, &read], name);
    assert!(fs::read(&read).unwrap() == original, "{name}: djxl");
}

/// A photograph that EXIF rotates stays rotated when its EXIF is removed.
#[test]
fn a_packed_jpeg_keeps_its_orientation_without_its_metadata() {
    let picture = picture(ColorType::Rgb8, 40, 30);
    let mut jpeg = Cursor::new(Vec::new());
    picture.write_to(&mut jpeg, ImageFormat::Jpeg).unwrap();
    let jpeg = jpeg.into_inner();
    let exif = b"Exif\0\0MM\0*\0\0\0\x08\0\x02\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\x01\x3b\0\x02\0\0\0\x09\0\0\0\x26\0\0\0\0Somebody\0";
    let segment = [&[0xff, 0xe1, 0, exif.len() as u8 + 2][..], exif].concat();
    let turned = [&jpeg[..2], &segment, &jpeg[2..]].concat();
    let result = convert_with_notes(&turned, "a.jpg", "jxl", Quality::High, &[]);
    let (packed, notes) = result.unwrap();
    assert!(notes.0[0].contains("except its orientation"), "{notes:?}");
    assert!(!packed.windows(8).any(|window| window == b"Somebody"));
    let upright = pixels(&convert(&packed, "a.jxl", "png", Quality::Low, &[]).unwrap());
    assert_eq!(upright.dimensions(), (30, 40));
    let plain = pixels(&convert(&turned, "a.jpg", "png", Quality::Low, &[]).unwrap());
    assert!(psnr(&upright, &plain) > 40.0);
}

/// An animated GIF becomes an animated JPEG XL without a difference, with its delays and its number of repetitions.
#[test]
fn animations_are_written() {
    if !has("djxl") || !has(MAGICK) {
        return;
    }
    let at = directory("jxl-written-moving");
    let [from, file, read] = ["a.gif", "a.jxl", "a.apng"].map(|name| at.join(name));
    let path = from.display().to_string();
    let part = ["-fill", "yellow", "-draw", "rectangle 10,10 30,30"];
    let scene = [
        "-loop",
        "3",
        "-size",
        "61x47",
        "-delay",
        "20",
        "plasma:red-blue",
        "-delay",
        "70",
    ];
    let parts = [
        &scene[..],
        &["(", "+clone"],
        &part,
        &[")", "plasma:green-red", &path],
    ]
    .concat();
    magick(&parts);
    let gif = fs::read(&from).unwrap();
    let moving = convert(&gif, "a.gif", "jxl", Quality::Medium, &[]).unwrap();
    fs::write(&file, &moving).unwrap();
    run("djxl", &[&file, &read], "moving");
    let theirs = fs::read(&read).unwrap();
    let number = |name: &[u8], at: usize| {
        let place = theirs.windows(4).position(|window| window == name).unwrap() + 4 + at;
        u32::from_be_bytes(theirs[place..place + 4].try_into().unwrap())
    };
    assert_eq!((number(b"acTL", 0), number(b"acTL", 4)), (3, 3));
    for page in ["1", "2", "3"] {
        let frame = |file: &[u8], name| {
            pixels(&convert(file, name, "png", Quality::Low, &[("page", page)]).unwrap())
        };
        assert!(frame(&moving, "a.jxl") == frame(&gif, "a.gif"), "{page}");
        assert!(
            frame(&theirs, "a.png") == frame(&gif, "a.gif"),
            "{page}: djxl"
        );
    }
    fs::remove_dir_all(at).unwrap();
}

#[test]
fn a_jpeg_that_must_change_is_made_of_pixels() {
    if !has("cjxl") || !has(MAGICK) {
        return;
    }
    let at = directory("jxl-changed");
    let jpeg = at.join("a.jpg");
    magick(&[
        &scene(&at, "200x150"),
        "-quality",
        "85",
        &jpeg.display().to_string(),
    ]);
    let (original, packed) = (fs::read(&jpeg).unwrap(), packed(&jpeg, "plain"));
    let small = [("metadata", "keep"), ("width", "50")];
    let result = convert(&packed, "a.jxl", "jpg", Quality::Medium, &small).unwrap();
    assert_eq!(pixels(&result).dimensions(), (50, 38));
    let low = convert(&packed, "a.jxl", "jpg", Quality::Low, &[]).unwrap();
    assert!(low.len() < original.len());
    let found = psnr(&pixels(&low), &pixels(&original));
    assert!(found > 30.0, "{found} dB");
    fs::remove_dir_all(at).unwrap();
}

/// All frames are read with their delays, as in the results of `cjxl` and `djxl`. A target with one picture gets a
/// note.
#[test]
fn animations_are_read() {
    if !has("cjxl") || !has("djxl") || !has(MAGICK) {
        return;
    }
    let at = directory("jxl-moving");
    let gif = at.join("a.gif").display().to_string();
    let canvas = ["-size", "40x30", "-loop", "0"];
    magick(
        &[
            &canvas[..],
            &["-delay", "10", "xc:red", "-delay", "25", "xc:lime"],
            &[
                "-delay",
                "7",
                "-fill",
                "blue",
                "-draw",
                "rectangle 5,5 20,20",
                "xc:none",
            ],
            &[&gif],
        ]
        .concat(),
    );
    let packed = at.join("a.jxl");
    let output = Command::new("cjxl")
        .args(["-d", "0", &gif])
        .arg(&packed)
        .output();
    assert!(output.unwrap().status.success());
    let theirs = at.join("a.apng");
    run("djxl", &[&packed, &theirs], "moving");
    let (theirs, packed) = (fs::read(theirs).unwrap(), fs::read(packed).unwrap());
    let result = convert(&packed, "a.jxl", "gif", Quality::High, &[]).unwrap();
    let expected = convert(&theirs, "a.apng", "gif", Quality::High, &[]).unwrap();
    assert!(result == expected);
    for (target, chunk) in [("apng", b"fcTL"), ("webp", b"ANMF")] {
        let result = convert(&packed, "a.jxl", target, Quality::High, &[]).unwrap();
        let frames = result.windows(4).filter(|name| name == chunk).count();
        assert_eq!(frames, 3, "{target}");
    }
    let still = convert_with_notes(&packed, "a.jxl", "jpg", Quality::High, &[]);
    let (_, notes) = still.unwrap();
    assert!(notes.0[0].contains("Only the first frame"), "{notes:?}");
    let second = convert(&packed, "a.jxl", "bmp", Quality::High, &[("page", "2")]).unwrap();
    assert_eq!(pixels(&second).get_pixel(3, 3).0[..3], [0, 255, 0]);
    fs::remove_dir_all(at).unwrap();
}

/// Without its metadata, the JPEG has the same pixels and no personal data.
#[test]
fn a_jpeg_is_restored_without_its_metadata() {
    if !has("cjxl") || !has(MAGICK) {
        return;
    }
    let at = directory("jxl-described");
    let scene = scene(&at, "200x150");
    let plain = at.join("plain.jpg").display().to_string();
    magick(&[&scene, "-quality", "85", &plain]);
    let plain = fs::read(plain).unwrap();
    // An EXIF block with only the artist, and an XMP packet.
    let mut exif =
        b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x3b\0\x02\0\0\0\x09\0\0\0\x1a\0\0\0\0".to_vec();
    exif.extend(b"Somebody\0");
    let xmp = [
        &b"http://ns.adobe.com/xap/1.0/\0"[..],
        b"<x:xmpmeta xmlns:x='adobe:ns:meta/'/>",
    ]
    .concat();
    let mut described = plain[..2].to_vec();
    for block in [exif, xmp] {
        described.extend([0xff, 0xe1]);
        described.extend((block.len() as u16 + 2).to_be_bytes());
        described.extend(block);
    }
    described.extend(&plain[2..]);
    let (jpeg, packed) = (at.join("a.jpg"), at.join("a.jxl"));
    fs::write(&jpeg, &described).unwrap();
    let output = Command::new("cjxl")
        .arg("--lossless_jpeg=1")
        .args([&jpeg, &packed])
        .output()
        .unwrap();
    assert!(output.status.success());
    let packed = fs::read(packed).unwrap();
    let keep = [("metadata", "keep")];
    let kept = convert(&packed, "a.jxl", "jpg", Quality::Medium, &keep).unwrap();
    assert!(kept == described);
    let bare = convert_with_notes(&packed, "a.jxl", "jpg", Quality::Medium, &[]);
    let (bare, notes) = bare.unwrap();
    assert!(notes.0[0].contains("without its metadata"), "{notes:?}");
    for part in [&b"Somebody"[..], b"x:xmpmeta"] {
        assert!(!bare.windows(part.len()).any(|window| window == part));
    }
    assert!(pixels(&bare) == pixels(&described));
    // If a part of the JPEG data is missing, the pixels are still there, and a note says so.
    let mut broken = packed.clone();
    let place = packed.windows(4).position(|name| name == b"Exif").unwrap();
    broken[place] = b'e';
    let result = convert_with_notes(&broken, "a.jxl", "jpg", Quality::High, &keep);
    let (result, notes) = result.unwrap();
    assert!(notes.0[0].contains("cannot be restored"), "{notes:?}");
    assert!(psnr(&pixels(&result), &pixels(&described)) > 30.0);
    fs::remove_dir_all(at).unwrap();
}

#[test]
fn metadata_is_kept_on_request() {
    let picture = picture(ColorType::Rgb8, 40, 30);
    let mut jpeg = Cursor::new(Vec::new());
    picture.write_to(&mut jpeg, ImageFormat::Jpeg).unwrap();
    let jpeg = jpeg.into_inner();
    let mut exif =
        b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x3b\0\x02\0\0\0\x09\0\0\0\x1a\0\0\0\0".to_vec();
    exif.extend(b"Somebody\0");
    let mut described = jpeg[..2].to_vec();
    described.extend([0xff, 0xe1]);
    described.extend((exif.len() as u16 + 2).to_be_bytes());
    described.extend(exif);
    described.extend(&jpeg[2..]);
    let keep = [("metadata", "keep")];
    let packed = convert(&described, "a.jpg", "jxl", Quality::Low, &keep).unwrap();
    assert!(packed.windows(8).any(|window| window == b"Somebody"));
    let back = convert(&packed, "a.jxl", "jpg", Quality::High, &keep).unwrap();
    assert!(back.windows(8).any(|window| window == b"Somebody"));
    let bare = convert(&described, "a.jpg", "jxl", Quality::Low, &[]).unwrap();
    assert!(!bare.windows(8).any(|window| window == b"Somebody"));
}

/// A file states the orientation of its picture (ISO/IEC 18181-1, D.3.4), and the viewer applies it.
#[test]
fn pictures_are_turned_upright() {
    if !has("cjxl") || !has("djxl") || !has(MAGICK) {
        return;
    }
    let at = directory("jxl-orientation");
    let scene = scene(&at, "80x50");
    for orientation in 1..=8 {
        let (jpeg, packed, read) = (at.join("a.jpg"), at.join("a.jxl"), at.join("a.png"));
        let path = jpeg.display().to_string();
        magick(&[&scene, "-quality", "95", &path]);
        let plain = fs::read(&jpeg).unwrap();
        let mut described = plain[..2].to_vec();
        let exif = [
            &b"\xff\xe1\0\x22Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0"[..],
            &[orientation, 0, 0, 0, 0, 0, 0],
        ]
        .concat();
        described.extend(exif);
        described.extend(&plain[2..]);
        fs::write(&jpeg, described).unwrap();
        for lossless in ["--lossless_jpeg=0", "--lossless_jpeg=1"] {
            let output = Command::new("cjxl")
                .arg(lossless)
                .args([&jpeg, &packed])
                .output()
                .unwrap();
            assert!(output.status.success());
            run("djxl", &[&packed, &read], "orientation");
            let ours = convert(
                &fs::read(&packed).unwrap(),
                "a.jxl",
                "png",
                Quality::Low,
                &[],
            );
            let found = psnr(&pixels(&ours.unwrap()), &load(&read).to_rgba8());
            assert!(found > 38.0, "{orientation} {lossless}: {found} dB");
        }
    }
    fs::remove_dir_all(at).unwrap();
}

#[test]
fn damaged_files_are_refused() {
    for colour in [ColorType::Rgb8, ColorType::La16] {
        let file = convert(
            &png(&picture(colour, 60, 40)),
            "a.png",
            "jxl",
            Quality::Low,
            &[],
        )
        .unwrap();
        crate::harness::check_damage(&file, "a.jxl", 211, 97);
    }
}

/// The decoder adds noise, using copies of the picture (ISO/IEC 18181-1, annex K.5): this takes the most memory.
#[test]
fn the_most_demanding_pictures_are_read() {
    if !has("cjxl") || !has(MAGICK) {
        return;
    }
    let at = directory("jxl-noise");
    let scene = scene(&at, "1200x900");
    let [png, jxl] = ["a.png", "a.jxl"].map(|name| at.join(name));
    magick(&[&scene, &format!("png24:{}", png.display())]);
    let output = Command::new("cjxl")
        .args([&png, &jxl])
        .args(["--quiet", "--photon_noise=ISO3200", "-d", "2"])
        .output();
    assert!(output.unwrap().status.success());
    let input = fs::read(&jxl).unwrap();
    let result = convert(&input, "a.jxl", "png", Quality::Low, &[]);
    let found = psnr(&pixels(&result.unwrap()), &load(&png).to_rgba8());
    // The noise is only a part of the difference.
    assert!(found > 20.0, "{found} dB");
    fs::remove_dir_all(at).unwrap();
}

#[test]
fn associated_alpha_is_divided_out() {
    if !has("cjxl") {
        return;
    }
    let at = directory("jxl-multiplied");
    let [from, file] = ["a.png", "a.jxl"].map(|name| at.join(name));
    let straight = ImageBuffer::from_fn(100, 90, |x, y| {
        Rgba([2 * x as u8, 255 - y as u8, 40, 255 - (x + y) as u8])
    });
    straight.save(&from).unwrap();
    let output = Command::new("cjxl")
        .args(["--premultiply=1", "--distance=0"])
        .args([&from, &file])
        .output()
        .unwrap();
    assert!(output.status.success());
    let file = fs::read(file).unwrap();
    let result = convert(&file, "a.jxl", "png", Quality::Low, &[]);
    let found = pixels(&result.unwrap());
    for (ours, original) in found.pixels().zip(straight.pixels()) {
        // The lower alpha is, the fewer levels of colour remain.
        let most = 1 + 128 / u32::from(original[3]);
        let apart = (0..4).map(|at| u32::from(ours[at].abs_diff(original[at])));
        assert!(apart.max() <= Some(most), "{ours:?}, {original:?}");
    }
    fs::remove_dir_all(at).unwrap();
}

/// A higher quality gives a larger file and a more similar picture; alpha never changes.
#[test]
fn lossy_files_are_near_the_original() {
    let picture = DynamicImage::from(ImageBuffer::from_fn(120, 90, |x, y| {
        let wave = |by: f32| (127.0 + 120.0 * (x as f32 / by).sin() * (y as f32 / 9.0).cos()) as u8;
        Rgba([
            wave(11.0),
            wave(17.0),
            wave(23.0),
            if x < 60 { 255 } else { 90 },
        ])
    }));
    let original = picture.to_rgba8();
    let mut before = (0, 0.0);
    for (quality, least) in [
        (Quality::Low, 25.0),
        (Quality::Medium, 30.0),
        (Quality::High, 33.0),
    ] {
        let file = convert(&png(&picture), "a.png", "jxl", quality, &[]).unwrap();
        let back = pixels(&convert(&file, "a.jxl", "png", Quality::Low, &[]).unwrap());
        let found = psnr(&back, &original);
        assert!(found > least && found > before.1, "{quality}: {found} dB");
        assert!(file.len() > before.0, "{quality}");
        let alpha = |picture: &image::RgbaImage| picture.pixels().map(|p| p[3]).collect::<Vec<_>>();
        assert!(alpha(&back) == alpha(&original), "{quality}");
        before = (file.len(), found);
    }
    let exact = convert(&png(&picture), "a.png", "jxl", Quality::Number(100), &[]).unwrap();
    assert!(pixels(&convert(&exact, "a.jxl", "png", Quality::Low, &[]).unwrap()) == original);
    let most = before.0 / 2;
    let small = [("max_size", &*most.to_string())];
    let file = convert(&png(&picture), "a.png", "jxl", Quality::High, &small).unwrap();
    assert!(file.len() <= most);
}

/// A drawing with few colours is stored without loss, because that takes fewer bytes.
#[test]
fn drawings_are_stored_without_loss() {
    let picture = DynamicImage::from(ImageBuffer::from_fn(200, 100, |x, y| {
        Rgb([if (x / 20 + y / 20) % 2 == 0 {
            255_u8
        } else {
            10
        }; 3])
    }));
    for quality in [Quality::Medium, Quality::High] {
        let file = convert(&png(&picture), "a.png", "jxl", quality, &[]).unwrap();
        let back = convert(&file, "a.jxl", "png", Quality::Low, &[]).unwrap();
        assert!(pixels(&back) == picture.to_rgba8(), "{quality}");
    }
}

/// Eight by eight pixels of `cjxl -d 0`, from floating-point samples: red is an eighth of the column, green an eighth
/// of the row, blue a half. The transfer function of the first file is that of sRGB (`-x
/// color_space=RGB_D65_SRG_Rel_SRG`); that of the second is linear.
const FLOATS: [&str; 2] = [
    "\
    0000000c4a584c200d0a870a00000014667479706a786c20000000006a786c20000000096a786c6c0a000000686a786c63ff\
    0a41c841020802010050014b18938e838300c86e8cc1bbaa8b31c6a8b9cdeb03000000e05f18000000000000d37b00000000\
    00000000c82c010000000080fd8ad9fffffffffff969feffffffffffffff2b3afdffffffffff77e0630000001f\
    ",
    "\
    0000000c4a584c200d0a870a00000014667479706a786c20000000006a786c20000000096a786c6c0a0000006a6a786c63ff\
    0a41c801142d020802010050014b18938e838300c86e8cc1bbaa8b31c6a8b9cdeb03000000e05f18000000000000d37b0000\
    000000000000c82c010000000080fd8ad9fffffffffff969feffffffffffffff2b3afdffffffffff77e0630000001f\
    ",
];

#[test]
fn floating_point_samples_are_in_the_stated_colour_space() {
    let read = |hex: &str| {
        let hex: String = hex.split_whitespace().collect();
        let bytes = (0..hex.len()).step_by(2);
        let file: Vec<u8> = bytes
            .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap())
            .collect();
        pixels(&convert(&file, "a.jxl", "png", Quality::Low, &[]).unwrap())
    };
    let [coded, linear] = FLOATS.map(read);
    assert_eq!(coded.dimensions(), (8, 8));
    for (x, y, pixel) in coded.enumerate_pixels() {
        // The first row was the lowest one.
        let y = 7 - y;
        let expected = [x as f32 / 8.0, y as f32 / 8.0, 0.5].map(|sample| (sample * 255.0).round());
        for (found, expected) in pixel.0.into_iter().zip(expected) {
            assert!(
                (f32::from(found) - expected).abs() <= 1.0,
                "{x} {y} {pixel:?}"
            );
        }
    }
    // Half of the linear light.
    assert_eq!(linear[(4, 3)].0, [188, 188, 188, 255]);
}
