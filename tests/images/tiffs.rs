//! TIFF files of less common kinds, written by ImageMagick, libvips, libtiff and ffmpeg.

use crate::harness::{
    self, MAGICK, check_reading, convert, convert_with_notes, directory, has, lacking, load,
    magick, pixels, psnr, scene,
};
use convertd::{error::Kind, job::Quality};
use std::{path::Path, process::Command};

const SAME: f64 = f64::INFINITY;

/// Smallest signal-to-noise ratio, in decibels, of files whose samples differ by at most 1, because ImageMagick does
/// not round 16 bits to the nearest of 256 values.
const ROUNDED: f64 = 48.0;

/// Returns whether a program succeeded.
fn run(program: &str, arguments: &[&str]) -> bool {
    let output = Command::new(program).args(arguments).output();
    output.is_ok_and(|output| output.status.success())
}

/// Checks that ImageMagick decodes `file` to the same picture.
#[track_caller]
fn check_file(at: &Path, file: &str, what: &str, least: f64) {
    let reference = at.join("reference.png");
    magick(&[
        file,
        "-depth",
        "8",
        &format!("png32:{}", reference.display()),
    ]);
    let input = std::fs::read(file).unwrap();
    let result = convert(&input, "a.tiff", "png", Quality::Low, &[])
        .unwrap_or_else(|err| panic!("{what}: {err}"));
    let ours = image::load_from_memory(&result).unwrap().to_rgba8();
    let found = psnr(&ours, &load(&reference).to_rgba8());
    assert!(found >= least, "{what}: {found} dB");
}

#[test]
fn reads_palettes_and_greys_of_1_to_8_bits() {
    if !has(MAGICK) {
        return;
    }
    let at = directory("tiff-palettes");
    let scene = scene(&at, "203x155");
    let check = |name: &str, arguments: &[&str], least: f64| {
        check_reading(&at, &scene, name, arguments, least);
    };
    for colours in ["2", "4", "16", "200"] {
        for compression in ["None", "LZW", "Zip", "RLE"] {
            let palette = ["-colors", colours, "-type", "Palette", "-compress"];
            check(
                "palette.tiff",
                &[&palette[..], &[compression]].concat(),
                ROUNDED,
            );
            let big = [&palette[..], &[compression, "-endian", "MSB"]].concat();
            check("big.tiff", &big, ROUNDED);
        }
    }
    // For samples of 2 and 4 bits in which 0 is white, ImageMagick and libtiff decode different pictures.
    for (bits, polarity) in [
        ("1", "min-is-white"),
        ("1", "min-is-black"),
        ("2", "min-is-black"),
        ("4", "min-is-black"),
    ] {
        let define = format!("quantum:bits={bits}");
        let polarity = format!("quantum:polarity={polarity}");
        let grey = ["-colorspace", "Gray", "-depth", bits, "-define", &define];
        let arguments = [&grey[..], &["-define", &polarity]].concat();
        check("grey.tiff", &arguments, SAME);
    }
    check_reading(
        &at,
        &scene,
        "alpha.tiff",
        &[
            "-colors",
            "99",
            "-alpha",
            "set",
            "-channel",
            "A",
            "-evaluate",
            "set",
            "40%",
            "+channel",
            "-type",
            "PaletteAlpha",
        ],
        50.0,
    );
    std::fs::remove_dir_all(at).unwrap();
}

#[test]
fn palettes_stay_palettes() {
    if !has(MAGICK) {
        return;
    }
    let at = directory("tiff-indices");
    let scene = scene(&at, "203x155");
    let file = at.join("few.tiff").display().to_string();
    for (arguments, depth) in [
        (&["-colors", "13", "-type", "Palette"][..], 4),
        (&["-monochrome", "-compress", "Group4"], 1),
    ] {
        magick(&[&[scene.as_str()], arguments, &[&file]].concat());
        let input = std::fs::read(&file).unwrap();
        let png = convert(&input, "few.tiff", "png", Quality::Medium, &[]).unwrap();
        assert_eq!(png[24..26], [depth, 3], "{arguments:?}");
    }
    std::fs::remove_dir_all(at).unwrap();
}

#[test]
fn reads_files_of_libtiff() {
    if !has(MAGICK) || !has("tiffcp") {
        return;
    }
    let at = directory("tiffcp");
    let scene = scene(&at, "203x155");
    let path = |name: &str| at.join(name).display().to_string();
    let (page, palette, file) = (path("page.tiff"), path("palette.tiff"), path("file.tiff"));
    magick(&[&scene, "-monochrome", "-compress", "Group4", &page]);
    magick(&[
        &scene,
        "-colors",
        "200",
        "-type",
        "Palette",
        "-compress",
        "None",
        &palette,
    ]);
    for arguments in [
        "-c g3:1d",
        "-c g3:2d",
        "-c g3:1d:fill",
        "-c g3:2d:fill -r 20",
        "-c g3:2d -f lsb2msb",
        "-c g4 -r 16",
        "-c g4 -f lsb2msb",
        "-c g4 -t -w 64 -l 64",
        "-c none -f lsb2msb",
        "-c packbits -r 10",
        "-c lzw -t -w 64 -l 32",
        "-c zip -8",
        "-c zstd -r 30",
        "-c lzma -r 30",
    ] {
        let mut command: Vec<&str> = arguments.split(' ').collect();
        command.extend([page.as_str(), &file]);
        assert!(run("tiffcp", &command), "{arguments}");
        check_file(&at, &file, arguments, SAME);
    }
    for arguments in [
        "-c lzw:2",
        "-c zip:2 -t -w 64 -l 48",
        "-c packbits -8",
        "-c zstd:1",
        "-c lzma:1",
        "-c lzma:2:p9 -t -w 64 -l 48",
        "-c zstd:2:p19 -t -w 64 -l 48",
        "-c none -r 7",
    ] {
        let mut command: Vec<&str> = arguments.split(' ').collect();
        command.extend([palette.as_str(), &file]);
        assert!(run("tiffcp", &command), "{arguments}");
        check_file(&at, &file, arguments, ROUNDED);
    }
    std::fs::remove_dir_all(at).unwrap();
}

#[test]
fn reads_subsampled_ycbcr() {
    if !has(MAGICK) {
        return;
    }
    let at = directory("tiff-luma");
    let scene = scene(&at, "203x155");
    let file = at.join("file.tiff").display().to_string();
    let rgba = at.join("rgba.tiff").display().to_string();
    for options in ["[compression=jpeg,Q=90]", "[compression=jpeg,tile,Q=75]"] {
        if !run("vips", &["copy", &scene, &format!("{file}{options}")]) {
            lacking("vips");
            continue;
        }
        check_file(&at, &file, options, 45.0);
    }
    for pixels in ["yuv420p", "yuv422p", "yuv444p", "yuv411p"] {
        for way in ["raw", "packbits", "lzw", "deflate"] {
            let write = ["-v", "error", "-y", "-i", &scene, "-pix_fmt", pixels];
            let way = ["-compression_algo", way, &file];
            // ImageMagick misreads these files, so libtiff is the reference.
            if !run("ffmpeg", &[&write[..], &way].concat())
                || !run("tiff2rgba", &["-c", "none", &file, &rgba])
            {
                lacking("ffmpeg and tiff2rgba");
                continue;
            }
            let reference = at.join("rgba.png");
            magick(&[&rgba, &format!("png32:{}", reference.display())]);
            let input = std::fs::read(&file).unwrap();
            let result = convert(&input, "a.tiff", "png", Quality::Low, &[]).unwrap();
            let ours = image::load_from_memory(&result).unwrap().to_rgba8();
            let found = psnr(&ours, &load(&reference).to_rgba8());
            assert!(found > 45.0, "{pixels}, {way:?}: {found} dB");
        }
    }
    std::fs::remove_dir_all(at).unwrap();
}

/// A file that is cut anywhere, or has a wrong byte anywhere, is refused or decoded.
#[test]
fn damaged_files_are_refused() {
    if !has(MAGICK) {
        return;
    }
    let at = directory("tiff-damaged");
    let scene = scene(&at, "61x47");
    let file = at.join("file.tiff").display().to_string();
    for arguments in [
        &["-colors", "40", "-type", "Palette", "-compress", "LZW"][..],
        &["-colors", "9", "-type", "Palette", "-compress", "Zip"],
        &["-monochrome", "-compress", "Fax"],
        &["-monochrome", "-compress", "Group4"],
    ] {
        magick(&[&[scene.as_str()], arguments, &[&file]].concat());
        let whole = std::fs::read(&file).unwrap();
        let check = |input: &[u8], what: String| {
            if let Err(err) = convert(input, "file.tiff", "bmp", Quality::Low, &[]) {
                assert_eq!(err.kind(), Kind::BadInput, "{arguments:?}, {what}: {err}");
            }
        };
        for len in (0..whole.len()).step_by(29) {
            check(&whole[..len], format!("cut to {len}"));
        }
        for place in (4..whole.len()).step_by(7) {
            let mut damaged = whole.clone();
            damaged[place] ^= 0xff;
            check(&damaged, format!("damaged at {place}"));
        }
        let half = whole.len() / 2;
        let cut = convert(&whole[..half], "file.tiff", "png", Quality::Low, &[]);
        assert_eq!(cut.unwrap_err().kind(), Kind::BadInput, "{arguments:?}");
    }
    std::fs::remove_dir_all(at).unwrap();
}

/// `tests/data/tiff/make.py` shows how the files and their references were made.
#[test]
fn samples_of_every_width_are_read() {
    for name in [
        "grey10",
        "grey12",
        "grey14",
        "rgb4",
        "rgb12",
        "rgb32",
        "rgb32-big",
        "rgb32-predicted",
        "rgb32-tiles",
        "five8",
        "six16",
        "half",
        "half-predicted",
        "float-predicted",
        "float-tiles",
        "grey-float",
        "double",
    ] {
        let input = harness::data(&format!("tiff/{name}.tiff"));
        let result = convert_with_notes(&input, "a.tiff", "bmp", Quality::Low, &[]);
        let (result, notes) = result.unwrap_or_else(|err| panic!("{name}: {err}"));
        let expected = pixels(&harness::data(&format!("tiff/{name}.png")));
        let found = psnr(&pixels(&result), &expected);
        assert!(found > 50.0, "{name}: {found} dB");
        let left_out = matches!(name, "five8" | "six16");
        let is_real = ["half", "float", "grey-float", "double"]
            .iter()
            .any(|start| name.starts_with(start));
        let told = |what| notes.0.iter().any(|note| note.contains(what));
        assert_eq!(told("were left out"), left_out, "{name}: {notes:?}");
        assert_eq!(told("linear light"), is_real, "{name}: {notes:?}");
        assert!(notes.0.len() <= 1, "{name}: {notes:?}");
        if !left_out {
            for len in (0..input.len()).step_by(101) {
                let result = convert(&input[..len], "a.tiff", "bmp", Quality::Low, &[]);
                assert_eq!(result.unwrap_err().kind(), Kind::BadInput, "{name}, {len}");
            }
        }
    }
}

/// Replaces the number of a tag, or the first value of its entry, in a little-endian file.
fn edit(file: &mut [u8], tag: u16, as_tag: u16, value: Option<u32>) {
    let at = |file: &[u8], place: usize| {
        u32::from_le_bytes(file[place..place + 4].try_into().unwrap()) as usize
    };
    let directory = at(file, 4);
    let count = at(file, directory) & 0xffff;
    let mut entries = file[directory + 2..].chunks_exact_mut(12).take(count);
    let entry = entries
        .find(|entry| entry[..2] == tag.to_le_bytes())
        .unwrap();
    entry[..2].copy_from_slice(&as_tag.to_le_bytes());
    if let Some(value) = value {
        entry[8..].copy_from_slice(&value.to_le_bytes());
    }
}

#[test]
fn unusual_tags_of_strips_and_tiles_are_read() {
    if !has(MAGICK) || !has("tiffcp") {
        return;
    }
    let at = directory("tiff-places");
    let scene = scene(&at, "203x155");
    let path = |name: &str| at.join(name).display().to_string();
    let (colour, page, file) = (path("colour.tiff"), path("page.tiff"), path("file.tiff"));
    magick(&[&scene, "-compress", "None", &colour]);
    magick(&[&scene, "-monochrome", "-compress", "Group4", &page]);
    let check = |original: &str, arguments: &str, edits: &[(u16, u16, Option<u32>)]| {
        let mut command: Vec<&str> = arguments.split(' ').collect();
        command.extend([original, &file]);
        assert!(run("tiffcp", &command), "{arguments}");
        let mut file = std::fs::read(&file).unwrap();
        let read = |file: &[u8]| convert(file, "a.tiff", "bmp", Quality::Low, &[]).unwrap();
        let expected = read(&file);
        for (tag, as_tag, value) in edits {
            edit(&mut file, *tag, *as_tag, *value);
        }
        assert!(read(&file) == expected, "{arguments}");
    };
    let as_strips = [(324, 273, None), (325, 279, None)];
    check(&colour, "-L -c none -t -w 64 -l 64", &as_strips);
    check(&colour, "-L -c lzw -t -w 48 -l 32", &as_strips);
    check(&page, "-L -c g4 -r 155", &[(279, 279, Some(0))]);
    std::fs::remove_dir_all(at).unwrap();
}

#[test]
fn unsupported_compressions_are_named() {
    #[track_caller]
    fn check(number: u16, name: &str) {
        let mut tiff =
            convert(b"P5 2 1 255\n\x01\x02", "a.pgm", "tiff", Quality::Low, &[]).unwrap();
        // The tag Compression: one short number.
        let entry = b"\x03\x01\x03\0\x01\0\0\0";
        let at = tiff.windows(8).position(|bytes| bytes == entry).unwrap() + 8;
        tiff[at..at + 2].copy_from_slice(&number.to_le_bytes());
        let err = convert(&tiff, "a.tiff", "png", Quality::Low, &[]).unwrap_err();
        assert_eq!(
            err.message(),
            format!("the tiff file uses the compression {name}, which is not supported")
        );
    }
    check(34_887, "LERC");
    check(34_712, "JPEG 2000");
}
