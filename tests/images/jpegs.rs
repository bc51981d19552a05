//! JPEG files of less common processes, written by jpegtran and ffmpeg.

use crate::harness::{
    MAGICK, check_damage, convert, convert_with_notes, data, directory, has, lacking, load, magick,
    pixels, psnr, scene,
};
use convertd::{
    error::Kind,
    job::{Notes, Quality},
};
use std::{
    path::{Path, PathBuf},
    process::Command,
};

/// The file that `jpegtran` makes of a file.
fn transformed(file: &Path, arguments: &[&str]) -> Vec<u8> {
    let output = Command::new("jpegtran").args(arguments).arg(file).output();
    let output = output.unwrap();
    assert!(output.status.success(), "{arguments:?}");
    output.stdout
}

/// A photograph written by ImageMagick with these sampling factors, in colour or grey.
fn photograph(at: &Path, size: &str, sampling: &str, arguments: &[&str]) -> PathBuf {
    let scene = scene(at, size);
    let file = at.join("scene.jpg");
    let path = file.display().to_string();
    let first = [
        scene.as_str(),
        "-quality",
        "85",
        "-sampling-factor",
        sampling,
    ];
    magick(&[&first[..], arguments, &[&path]].concat());
    file
}

/// Scans of many kinds: single components, single coefficients, several refinements of the lowest bits, and DC
/// coefficients of several components together.
const MANY_SCANS: &str = "
    0 2: 0-0, 0, 2; 1: 0-0, 0, 1;
    0: 1-1, 0, 3; 0: 2-8, 0, 3; 2: 1-63, 0, 0; 0: 9-63, 0, 1; 1: 1-5, 0, 2; 1: 6-63, 0, 2;
    0: 1-8, 3, 2; 0 2: 0-0, 2, 1; 0: 1-4, 2, 1; 0: 5-8, 2, 1; 1: 1-63, 2, 1;
    0 1 2: 0-0, 1, 0; 0: 1-63, 1, 0; 1: 1-2, 1, 0; 1: 3-63, 1, 0;";

#[test]
fn all_processes_give_the_same_picture() {
    if !has(MAGICK) || !has("jpegtran") {
        return;
    }
    let at = directory("jpeg-processes");
    let script = at.join("many.scans");
    std::fs::write(&script, MANY_SCANS).unwrap();
    let script = script.display().to_string();
    for (size, sampling, arguments) in [
        ("203x155", "2x2", &[][..]),
        ("203x155", "2x1", &[]),
        ("131x200", "1x2", &[]),
        ("131x77", "4x1", &[]),
        ("131x77", "3x1", &[]),
        ("64x64", "1x1", &[]),
        ("9x1", "2x2", &[]),
        ("77x31", "2x2", &["-colorspace", "Gray"]),
        ("61x47", "2x2", &["-colorspace", "CMYK"]),
    ] {
        let file = photograph(&at, size, sampling, arguments);
        let huffman = std::fs::read(&file).unwrap();
        let has_three = arguments.is_empty();
        for ways in [
            &["-arithmetic"][..],
            &["-arithmetic", "-progressive"],
            &["-arithmetic", "-restart", "3B"],
            &["-arithmetic", "-progressive", "-restart", "1"],
            &["-progressive"],
            &["-progressive", "-restart", "3B"],
            &["-progressive", "-restart", "1"],
            &["-scans", &script],
            &["-scans", &script, "-restart", "7B"],
            &["-arithmetic", "-scans", &script],
        ] {
            if !has_three && ways.contains(&"-scans") {
                continue;
            }
            let other = transformed(&file, ways);
            // With these widths, the decoder works at full size, and at a half, a quarter and an eighth of it.
            for part in [1, 2, 4, 8] {
                let width: u32 = size.split('x').next().unwrap().parse().unwrap();
                let width = (width * 2 / 3 / part).max(1).to_string();
                let fields = [("width", width.as_str())];
                let fields = if part == 1 { &[][..] } else { &fields };
                let read = |jpeg: &[u8]| convert(jpeg, "a.jpg", "bmp", Quality::Low, fields);
                let (ours, same) = (read(&other).unwrap(), read(&huffman).unwrap());
                assert!(ours == same, "{size} {sampling} {ways:?} {fields:?}");
            }
        }
    }
    std::fs::remove_dir_all(at).unwrap();
}

#[test]
fn progressive_files_are_decoded_as_by_libjpeg() {
    if !has(MAGICK) || !has("jpegtran") || !has("djpeg") {
        return;
    }
    let at = directory("jpeg-progressive");
    let script = at.join("some.scans");
    // The last scans are left out. If lower coefficients were missing, libjpeg would smooth the picture.
    let cut =
        "0 1 2: 0-0, 0, 0; 0: 1-9, 0, 1; 1: 1-9, 0, 0; 2: 1-9, 0, 0; 0: 1-9, 1, 0; 0: 10-40, 0, 2;";
    std::fs::write(&script, cut).unwrap();
    let script = script.display().to_string();
    for (size, sampling) in [
        ("203x155", "2x2"),
        ("202x155", "2x1"),
        ("131x200", "1x2"),
        ("131x77", "4x1"),
        ("131x77", "1x1"),
    ] {
        let file = photograph(&at, size, sampling, &[]);
        for ways in [&["-progressive"][..], &["-scans", &script]] {
            let jpeg = transformed(&file, ways);
            let (progressive, reference) = (at.join("progressive.jpg"), at.join("reference.bmp"));
            std::fs::write(&progressive, &jpeg).unwrap();
            let done = Command::new("djpeg")
                .args(["-dct", "int", "-bmp", "-outfile"])
                .args([&reference, &progressive])
                .status();
            assert!(done.unwrap().success());
            let ours = convert(&jpeg, "a.jpg", "bmp", Quality::Low, &[]).unwrap();
            let found = psnr(&pixels(&ours), &load(&reference).to_rgba8());
            assert!(found > 50.0, "{size} {sampling} {ways:?}: {found} dB");
        }
    }
    std::fs::remove_dir_all(at).unwrap();
}

#[test]
fn damaged_files_of_other_processes_are_refused_or_read() {
    if !has(MAGICK) || !has("jpegtran") {
        return;
    }
    let at = directory("jpeg-processes-damaged");
    let file = photograph(&at, "40x30", "2x2", &[]);
    for ways in [
        &["-arithmetic"][..],
        &["-arithmetic", "-progressive"],
        &["-progressive"],
        &["-progressive", "-restart", "1"],
    ] {
        check_damage(&transformed(&file, ways), "a.jpg", 7, 3);
    }
    std::fs::remove_dir_all(at).unwrap();
}

/// Keeps the readable part of a file whose scans are cut off or damaged, with a note about the missing part.
#[test]
fn intact_scans_are_kept_on_request() {
    if !has(MAGICK) || !has("jpegtran") {
        return;
    }
    let at = directory("jpeg-scans-kept");
    let file = photograph(&at, "320x240", "2x2", &[]);
    let jpeg = transformed(&file, &["-progressive"]);
    let keep = |jpeg: &[u8], width: &str| {
        let fields = [("damaged", "keep"), ("width", width)];
        convert_with_notes(jpeg, "a.jpg", "bmp", Quality::Low, &fields).unwrap()
    };
    let lost = |notes: &Notes, what: &str| notes.0.iter().any(|note| note.contains(what));
    let (whole, notes) = keep(&jpeg, "320");
    assert!(notes.0.is_empty(), "{notes:?}");
    let scans: Vec<usize> = (0..jpeg.len() - 1)
        .filter(|&at| jpeg[at..at + 2] == [0xff, 0xda])
        .collect();
    let (first, last) = (scans[0], scans[scans.len() - 1]);

    // The cut is within the last scan, which is not needed at an eighth of the size.
    let cut = &jpeg[..(last + jpeg.len()) / 2];
    let (result, notes) = keep(cut, "320");
    assert!(
        lost(&notes, "240 rows of pixels have lost detail"),
        "{notes:?}"
    );
    assert!(psnr(&pixels(&result), &pixels(&whole)) > 35.0);
    let (small, notes) = keep(cut, "26");
    assert!(notes.0.is_empty(), "{notes:?}");
    assert!(small == keep(&jpeg, "26").0);

    // The last scan is missing, or bytes in the second half of the first scan are missing.
    let cut = [&jpeg[..last], &[0xff, 0xd9]].concat();
    let (_, notes) = keep(&cut, "320");
    assert!(notes.0.is_empty(), "valid files may lack scans: {notes:?}");
    let middle = (first + scans[1]) / 2;
    let mut damaged = jpeg.clone();
    damaged.drain(middle..scans[1] - 100);
    let fields = [("width", "320")];
    let err = convert(&damaged, "a.jpg", "bmp", Quality::Low, &fields).unwrap_err();
    assert_eq!(err.kind(), Kind::BadInput);
    let (result, notes) = keep(&damaged, "320");
    assert!(
        lost(&notes, "could not be decoded, and are grey"),
        "{notes:?}"
    );
    let (result, whole) = (pixels(&result), pixels(&whole));
    assert_eq!(result.get_pixel(100, 239).0, [128, 128, 128, 255]);
    assert_eq!(result.get_pixel(100, 10), whole.get_pixel(100, 10));
    std::fs::remove_dir_all(at).unwrap();
}

#[test]
fn lossless_files_are_read_exactly() {
    if !has(MAGICK) {
        return;
    }
    let at = directory("jpeg-lossless");
    let scene = scene(&at, "203x155");
    let file = at.join("a.jpg");
    for (kind, predictor) in [
        ("yuvj444p", "left"),
        ("yuvj422p", "plane"),
        ("yuvj420p", "median"),
    ] {
        let ffmpeg = |arguments: &[&str], to: &Path| {
            let mut command = Command::new("ffmpeg");
            command.args(["-v", "error", "-y", "-i"]).args(arguments);
            command
                .arg(to)
                .status()
                .is_ok_and(|status| status.success())
        };
        let codec = ["-c:v", "ljpeg", "-pred", predictor];
        if !ffmpeg(&[&[&scene, "-pix_fmt", kind][..], &codec].concat(), &file) {
            return lacking("ffmpeg");
        }
        let jpeg = std::fs::read(&file).unwrap();
        let ours = convert(&jpeg, "a.jpg", "png", Quality::Low, &[]).unwrap();
        let reference = at.join("reference.png");
        let scaled = ["-sws_flags", "neighbor+accurate_rnd+full_chroma_int"];
        let path = file.display().to_string();
        assert!(ffmpeg(
            &[&[path.as_str()][..], &scaled].concat(),
            &reference
        ));
        let found = psnr(&pixels(&ours), &load(&reference).to_rgba8());
        let least = if kind == "yuvj444p" { 45.0 } else { 35.0 };
        assert!(found > least, "{kind}: {found} dB");
        check_cut(&jpeg);
    }
    std::fs::remove_dir_all(at).unwrap();
}

fn check_cut(whole: &[u8]) {
    for len in (0..whole.len()).step_by(997) {
        let err = convert(&whole[..len], "a.jpg", "bmp", Quality::Low, &[]).unwrap_err();
        assert_eq!(err.kind(), Kind::BadInput, "{len}: {err}");
    }
}

/// Whether a PNG with 16 bits per sample is grey, and its samples.
fn of_16_bits(png: &[u8]) -> (bool, Vec<u16>) {
    match image::load_from_memory(png).unwrap() {
        image::DynamicImage::ImageLuma16(grey) => (true, grey.into_raw()),
        image::DynamicImage::ImageRgb16(colour) => (false, colour.into_raw()),
        other => panic!("{:?}", other.color()),
    }
}

/// See `tests/data/jpeg/make.py`.
#[test]
fn files_of_12_bits_are_decoded_as_by_libjpeg() {
    #[track_caller]
    fn check(name: &str, most: u16) {
        let file = data(&format!("jpeg/{name}.jpg"));
        let ours = convert(&file, "a.jpg", "png", Quality::Low, &[]).unwrap();
        let (ours, theirs) = (
            of_16_bits(&ours),
            of_16_bits(&data(&format!("jpeg/{name}.png"))),
        );
        assert_eq!(ours.0, theirs.0, "{name}");
        assert_eq!(ours.1.len(), theirs.1.len(), "{name}");
        let samples = ours.1.iter().zip(&theirs.1);
        let found = samples.map(|(a, b)| a.abs_diff(*b)).max();
        assert!(found.unwrap() <= most, "{name}: {found:?}");
    }
    // libjpeg rounds to 12 bits after each step; a step is 16 here.
    const STEP: u16 = 16;
    check("grey12", STEP);
    check("progressive12", STEP);
    check("rgb12", 2 * STEP);
    check("444-12", 4 * STEP);
    check("422-12", 4 * STEP);
    check("420-12", 4 * STEP);
}

#[test]
fn damaged_files_of_12_bits_are_refused_or_kept() {
    for name in ["420-12", "progressive12"] {
        check_damage(&data(&format!("jpeg/{name}.jpg")), "a.jpg", 97, 31);
    }
    // The upper rows of a cut file equal those of the whole file.
    let whole = data("jpeg/grey12.jpg");
    let keep = [("damaged", "keep")];
    let cut = &whole[..whole.len() * 3 / 4];
    let (kept, notes) = convert_with_notes(cut, "a.jpg", "png", Quality::Low, &keep).unwrap();
    assert!(format!("{notes:?}").contains("damaged"), "{notes:?}");
    let whole = convert(&whole, "a.jpg", "png", Quality::Low, &[]).unwrap();
    let (kept, whole) = (of_16_bits(&kept).1, of_16_bits(&whole).1);
    assert_eq!(kept[..45 * 8], whole[..45 * 8]);
    assert_ne!(kept, whole);
}

/// libjpeg skips bytes before a marker.
#[test]
fn bytes_between_segments_are_skipped() {
    let file = data("jpeg/grey12.jpg");
    let junk: Vec<u8> = (0..=255).collect();
    let with = [&file[..2], &junk, &file[2..]].concat();
    for name in ["a.jpg", "a"] {
        let read = |file: &[u8]| convert(file, name, "png", Quality::Low, &[]).unwrap();
        assert!(read(&with) == read(&file), "{name}");
    }
    let other = [&file[..2], &junk].concat();
    assert!(convert(&other, "a.jpg", "png", Quality::Low, &[]).is_err());
}

#[test]
fn files_of_another_standard_are_refused_by_name() {
    let mut file = data("jpeg/grey12.jpg");
    let frame = file.windows(2).position(|bytes| bytes == [0xff, 0xc1]);
    file[frame.unwrap() + 1] = 0xf7;
    let err = convert(&file, "a.jpg", "png", Quality::Low, &[]).unwrap_err();
    assert!(err.message().contains("JPEG-LS"), "{err}");
}
