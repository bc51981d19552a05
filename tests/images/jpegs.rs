//! JPEG of the less usual processes, as jpegtran and FFmpeg write them.

use crate::harness::{
    MAGICK, check_damage, convert, directory, has, lacking, load, magick, pixels, psnr, scene,
};
use convertd::{error::Kind, job::Quality};
use std::{
    path::{Path, PathBuf},
    process::Command,
};

/// What `jpegtran` makes of a file.
fn transformed(file: &Path, arguments: &[&str]) -> Vec<u8> {
    let output = Command::new("jpegtran").args(arguments).arg(file).output();
    let output = output.unwrap();
    assert!(output.status.success(), "{arguments:?}");
    output.stdout
}

/// A photograph as ImageMagick writes it, with these sampling factors, and with colours or in grey.
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

#[test]
fn arithmetic_coding_gives_the_same_picture_as_huffman_codes() {
    if !has(MAGICK) || !has("jpegtran") {
        return;
    }
    let at = directory("jpeg-arithmetic");
    for (size, sampling, arguments) in [
        ("203x155", "2x2", &[][..]),
        ("203x155", "2x1", &[]),
        ("64x64", "1x1", &[]),
        ("77x31", "2x2", &["-colorspace", "Gray"]),
        ("61x47", "2x2", &["-colorspace", "CMYK"]),
    ] {
        let file = photograph(&at, size, sampling, arguments);
        let huffman = std::fs::read(&file).unwrap();
        for ways in [
            &[][..],
            &["-progressive"],
            &["-restart", "3B"],
            &["-progressive", "-restart", "1"],
        ] {
            let arithmetic = transformed(&file, &[&["-arithmetic"], ways].concat());
            for fields in [&[][..], &[("width", "20")]] {
                let read = |jpeg: &[u8]| convert(jpeg, "a.jpg", "bmp", Quality::Low, fields);
                let (ours, same) = (read(&arithmetic).unwrap(), read(&huffman).unwrap());
                assert!(ours == same, "{size} {sampling} {ways:?} {fields:?}");
            }
        }
    }
    std::fs::remove_dir_all(at).unwrap();
}

#[test]
fn damaged_arithmetic_coding_is_refused_or_read() {
    if !has(MAGICK) || !has("jpegtran") {
        return;
    }
    let at = directory("jpeg-arithmetic-damaged");
    let file = photograph(&at, "40x30", "2x2", &[]);
    for ways in [&["-arithmetic"][..], &["-arithmetic", "-progressive"]] {
        check_damage(&transformed(&file, ways), "a.jpg", 7, 3);
    }
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
