//! JPEG 2000 files of OpenJPEG, lossless and lossy; see `tests/data/jp2/make.sh`.

use crate::harness::{
    MAGICK, check_damage, convert, convert_with_notes, data, directory, has, load, magick, pixels,
    psnr, scene,
};
use convertd::{error::Kind, job::Quality};
use std::process::Command;

#[test]
fn lossless_files_are_decoded_exactly() {
    #[track_caller]
    fn check(name: &str, reference: &str) {
        let result = convert(
            &data(&format!("jp2/{name}")),
            name,
            "png",
            Quality::Low,
            &[],
        );
        let ours = image::load_from_memory(&result.unwrap()).unwrap();
        let theirs = image::load_from_memory(&data(&format!("jp2/{reference}"))).unwrap();
        assert_eq!(ours.color(), theirs.color(), "{name}");
        assert!(ours == theirs, "{name}");
    }
    check("colour.jp2", "colour.png");
    check("tiles.j2k", "colour.png");
    check("grey16.jp2", "grey16.png");
    check("alpha.jp2", "alpha.png");
}

#[test]
fn a_smaller_picture_is_decoded_at_a_lower_resolution() {
    let file = data("jp2/colour.jp2");
    let small = convert(&file, "a.jp2", "png", Quality::Medium, &[("width", "20")]).unwrap();
    let reference = data("jp2/colour.png");
    let reference = convert(
        &reference,
        "a.png",
        "png",
        Quality::Medium,
        &[("width", "20")],
    );
    let found = psnr(&pixels(&small), &pixels(&reference.unwrap()));
    assert!(found > 30.0, "{found} dB");
}

#[test]
fn truncated_files_are_refused_or_kept_on_request() {
    for name in ["colour.jp2", "tiles.j2k"] {
        let file = data(&format!("jp2/{name}"));
        check_damage(&file[..file.len() - 2], name, 97, 211);
        let half = &file[..file.len() * 2 / 3];
        let keep = &[("damaged", "keep")];
        let (result, notes) = convert_with_notes(half, name, "png", Quality::Low, keep).unwrap();
        assert_eq!(pixels(&result).dimensions(), (83, 61));
        assert!(
            notes.0.iter().any(|note| note.contains("damaged")),
            "{notes:?}"
        );
    }
}

#[test]
fn impossible_headers_are_refused() {
    #[track_caller]
    fn check(place: usize, value: u32, says: &str) {
        let mut file = data("jp2/tiles.j2k");
        file[place..place + 4].copy_from_slice(&value.to_be_bytes());
        let err = convert(&file, "a.j2k", "png", Quality::Low, &[])
            .map(drop)
            .unwrap_err();
        assert_eq!(err.kind(), Kind::BadInput);
        assert!(err.message().contains(says), "{err}");
    }
    // The fields at offsets 8, 12 and 24 are the width, the height, and the width of a tile (A.5.1).
    check(8, 1 << 30, "pixels");
    check(12, 1 << 20, "pixels");
    // More tiles than the file contains, and a tile with the width 0.
    check(8, 90_000, "ends before");
    check(24, 0, "");
}

#[test]
fn lossy_files_are_near_those_of_openjpeg() {
    if !has(MAGICK) || !has("opj_compress") || !has("opj_decompress") {
        return;
    }
    let at = directory("jp2");
    let scene = scene(&at, "300x200");
    let run = |program: &str, arguments: &[&str]| {
        let done = Command::new(program).args(arguments).output().unwrap();
        assert!(done.status.success(), "{program} {arguments:?}: {done:?}");
    };
    let path = |name: &str| at.join(name).display().to_string();
    let (grey, png) = (path("grey.png"), path("theirs.png"));
    magick(&[&scene, "-colorspace", "Gray", &grey]);
    for (number, (source, options)) in [
        (&scene, &["-r", "20", "-I"][..]),
        (&scene, &["-r", "20,10,5", "-p", "CPRL", "-t", "128,64"]),
        (&scene, &["-r", "12", "-SOP", "-EPH", "-M", "63"]),
        (&scene, &["-s", "1,1", "-d", "7,5", "-T", "3,2"]),
        (&scene, &["-mct", "0", "-b", "8,8"]),
        (&grey, &["-r", "10", "-I", "-p", "PCRL", "-TP", "R"]),
    ]
    .into_iter()
    .enumerate()
    {
        let file = path(&format!("{number}.jp2"));
        run(
            "opj_compress",
            &[&["-i", source, "-o", &file], options].concat(),
        );
        run("opj_decompress", &["-i", &file, "-o", &png]);
        let ours = convert(
            &std::fs::read(&file).unwrap(),
            "a.jp2",
            "png",
            Quality::Low,
            &[],
        );
        let ours = ours.unwrap_or_else(|err| panic!("{options:?}: {err}"));
        let found = psnr(&pixels(&ours), &load(png.as_ref()).to_rgba8());
        assert!(found > 50.0, "{options:?}: {found} dB");
    }
    std::fs::remove_dir_all(at).unwrap();
}

/// The codestream of a file without its container.
fn codestream() -> Vec<u8> {
    let file = data("jp2/colour.jp2");
    let start = file.windows(4).position(|at| at == b"\xff\x4f\xff\x51");
    file[start.unwrap()..].to_vec()
}

fn find(file: &[u8], what: &[u8]) -> usize {
    file.windows(what.len()).position(|at| at == what).unwrap()
}

#[test]
fn codestreams_with_unusual_ends_and_markers_are_complete() {
    let expected = pixels(&data("jp2/colour.png"));
    #[track_caller]
    fn check(file: &[u8], name: &str, expected: &image::RgbaImage) {
        let result = convert(file, name, "png", Quality::Low, &[]).unwrap();
        assert!(pixels(&result) == *expected);
        // A file that is cut off before the end marker is refused.
        let end = file.windows(2).rposition(|at| at == b"\xff\xd9").unwrap();
        let half = convert(&file[..end - 40], name, "png", Quality::Low, &[]);
        assert!(half.unwrap_err().message().contains("ends before"));
    }
    let whole = codestream();
    check(&whole, "a.j2k", &expected);
    let tile = find(&whole, b"\xff\x90\0\x0a");
    // A marker without a length and without a meaning (A.1.3).
    let mut marked = whole.clone();
    marked.splice(tile..tile, *b"\xff\x30");
    check(&marked, "a.j2k", &expected);
    // The last tile-part extends to the end of the codestream; padding follows.
    let mut open = whole.clone();
    open[tile + 6..tile + 10].fill(0);
    check(&open, "a.j2k", &expected);
    open.extend([0; 100]);
    check(&open, "a.j2k", &expected);
    // A box that claims to be longer than the file, with a complete codestream inside.
    let mut boxed = data("jp2/colour.jp2");
    let at = find(&boxed, b"jp2c") - 4;
    let len = (boxed.len() - at) as u32;
    boxed[at..at + 4].copy_from_slice(&(len + 99).to_be_bytes());
    check(&boxed, "a.jp2", &expected);
}

#[test]
fn tiles_without_samples_may_be_missing() {
    let mut file = codestream();
    let (width, height) = (83_u32, 61_u32);
    let fields = [width, height, 0, 0, width, height];
    let words = |fields: [u32; 6]| fields.map(u32::to_be_bytes).concat();
    assert_eq!(file[8..32], words(fields));
    // Each component has every other sample. None of them is in the last column or row, which are tiles of their own.
    let (across, down) = (2 * width, 2 * height);
    file[8..32].copy_from_slice(&words([across, down, 0, 0, across - 1, down - 1]));
    for component in 0..3 {
        file[42 + 3 * component + 1..][..2].fill(2);
    }
    let result = convert(&file, "a.j2k", "png", Quality::Low, &[]).unwrap();
    assert!(pixels(&result) == pixels(&data("jp2/colour.png")));
    // With one more column of samples, tiles are missing.
    file[8..12].copy_from_slice(&(across + 1).to_be_bytes());
    let err = convert(&file, "a.j2k", "png", Quality::Low, &[]).unwrap_err();
    assert!(err.message().contains("ends before"), "{err}");
}

#[test]
fn features_beyond_part_1_are_refused_by_name() {
    let mut file = codestream();
    // The style of code-blocks (A.6.1).
    let style = find(&file, b"\xff\x52") + 12;
    file[style] |= 1 << 6;
    let err = convert(&file, "a.j2k", "png", Quality::Low, &[]).unwrap_err();
    assert!(err.message().contains("HTJ2K"), "{err}");
    let mut file = data("jp2/colour.jp2");
    let space = find(&file, b"colr\x01\0\0\0\0\0\x10") + 10;
    // The colour space e-sYCC.
    file[space] = 24;
    let err = convert(&file, "a.jp2", "png", Quality::Low, &[]).unwrap_err();
    assert!(err.message().contains("colour space"), "{err}");
    assert!(err.message().contains("not supported"), "{err}");
}
