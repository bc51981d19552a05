//! TIFF files that no installed program writes, made here by hand, and compared with libtiff.

use crate::harness::{
    MAGICK, check_damage, convert, convert_with_notes, directory, has, load, magick, pixels, psnr,
    scene,
};
use convertd::{error::Kind, job::Quality};
use std::{path::Path, process::Command};

const SHORT: u16 = 3;
const LONG: u16 = 4;

/// A file with one directory. Each entry has a tag, a type and values. `data` begins at offset 8.
fn tiff(data: &[u8], entries: &[(u16, u16, &[u32])]) -> Vec<u8> {
    let mut file = b"II*\0\0\0\0\0".to_vec();
    file.extend(data);
    let mut directory = Vec::new();
    for (tag, kind, values) in entries {
        let bytes: Vec<u8> = match *kind {
            SHORT => values
                .iter()
                .flat_map(|&v| (v as u16).to_le_bytes())
                .collect(),
            _ => values.iter().flat_map(|v| v.to_le_bytes()).collect(),
        };
        directory.extend(tag.to_le_bytes());
        directory.extend(kind.to_le_bytes());
        directory.extend((values.len() as u32).to_le_bytes());
        if bytes.len() > 4 {
            file.resize(file.len().next_multiple_of(2), 0);
            directory.extend((file.len() as u32).to_le_bytes());
            file.extend(bytes);
        } else {
            directory.extend(bytes);
            directory.resize(directory.len().next_multiple_of(12), 0);
        }
    }
    file.resize(file.len().next_multiple_of(2), 0);
    let at = file.len() as u32;
    file[4..8].copy_from_slice(&at.to_le_bytes());
    file.extend((entries.len() as u16).to_le_bytes());
    file.extend(directory);
    file.extend([0; 4]);
    file
}

/// Checks that libtiff's own program decodes the same picture.
#[track_caller]
fn check(at: &Path, file: &[u8], what: &str, least: f64) {
    let [theirs, rgba, png] = ["a.tiff", "rgba.tiff", "rgba.png"].map(|name| at.join(name));
    std::fs::write(&theirs, file).unwrap();
    let mut command = Command::new("tiff2rgba");
    let output = command.args(["-c", "none"]).args([&theirs, &rgba]).output();
    let output = output.unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{what}: {said}");
    magick(&[
        &rgba.display().to_string(),
        &format!("png32:{}", png.display()),
    ]);
    let ours = convert(file, "a.tiff", "png", Quality::Low, &[]);
    let ours = ours.unwrap_or_else(|err| panic!("{what}: {err}"));
    let found = psnr(&pixels(&ours), &load(&png).to_rgba8());
    assert!(found >= least, "{what}: {found} dB");
}

/// The parts of a JPEG file: its quantisation and Huffman tables without markers, and the entropy-coded data.
struct Parts {
    whole: Vec<u8>,
    quantisation: Vec<Vec<u8>>,
    dc: Vec<Vec<u8>>,
    ac: Vec<Vec<u8>>,
    /// Offset of the scan header, and the data after it.
    scan: usize,
    data: Vec<u8>,
}

fn parts(whole: Vec<u8>) -> Parts {
    let (mut quantisation, mut dc, mut ac) = (Vec::new(), Vec::new(), Vec::new());
    let mut at = 2;
    loop {
        let len = usize::from(u16::from_be_bytes([whole[at + 2], whole[at + 3]]));
        let segment = &whole[at + 4..at + 2 + len];
        match (whole[at + 1], segment[0] >> 4) {
            (0xdb, _) => quantisation.push(segment[1..].to_vec()),
            (0xc4, 0) => dc.push(segment[1..].to_vec()),
            (0xc4, _) => ac.push(segment[1..].to_vec()),
            (0xda, _) => {
                let data = whole[at + 2 + len..whole.len() - 2].to_vec();
                return Parts {
                    scan: at,
                    quantisation,
                    dc,
                    ac,
                    data,
                    whole,
                };
            }
            _ => {}
        }
        at += 2 + len;
    }
}

#[test]
fn old_style_jpeg_is_read() {
    if !has(MAGICK) || !has("tiff2rgba") {
        return;
    }
    let at = directory("tiff-old-jpeg");
    let scene = scene(&at, "203x155");
    let jpeg = at.join("a.jpg").display().to_string();
    for (sampling, shared) in [("2x2", [2, 2]), ("2x1", [2, 1]), ("1x1", [1, 1])] {
        let options = ["-quality", "90", "-sampling-factor", sampling];
        magick(&[&[scene.as_str()], &options[..], &[&jpeg]].concat());
        let parts = parts(std::fs::read(&jpeg).unwrap());
        let common: [(u16, u16, &[u32]); 9] = [
            (256, SHORT, &[203]),
            (257, SHORT, &[155]),
            (258, SHORT, &[8, 8, 8]),
            (259, SHORT, &[6]),
            (262, SHORT, &[6]),
            (277, SHORT, &[3]),
            (278, SHORT, &[155]),
            (512, SHORT, &[1]),
            (530, SHORT, &shared),
        ];
        let file = |data: &[u8], more: &[(u16, u16, &[u32])]| {
            let mut entries = [&common[..], more].concat();
            entries.sort_by_key(|entry| entry.0);
            tiff(data, &entries)
        };

        // The strip contains only the entropy-coded data, and each component has its tables.
        let mut data = parts.data.clone();
        let mut places = |tables: &[Vec<u8>]| {
            [0, 1, 1].map(|table: usize| {
                let place = 8 + data.len() as u32;
                data.extend(&tables[table]);
                place
            })
        };
        let tables = [&parts.quantisation, &parts.dc, &parts.ac].map(|tables| places(tables));
        let bare = file(
            &data,
            &[
                (273, LONG, &[8]),
                (279, LONG, &[parts.data.len() as u32]),
                (519, LONG, &tables[0]),
                (520, LONG, &tables[1]),
                (521, LONG, &tables[2]),
                // Black and white levels of video, which TIFF 6.0 gives as fractions.
                (532, LONG, &[16, 235, 128, 240, 128, 240]),
            ],
        );
        // Levels are stretched after rounding, which doubles the difference between decoders.
        check(&at, &bare, &format!("{sampling}, tables by tags"), 36.0);

        // The headers come before the strip, which begins with the scan header.
        let len = parts.whole.len() - parts.scan;
        let headed = file(
            &parts.whole,
            &[
                (273, LONG, &[8 + parts.scan as u32]),
                (279, LONG, &[len as u32]),
                (513, LONG, &[8]),
                (514, LONG, &[parts.scan as u32]),
            ],
        );
        check(&at, &headed, &format!("{sampling}, headers"), 40.0);

        // The strip is a whole JPEG file.
        let whole = file(
            &parts.whole,
            &[
                (273, LONG, &[8]),
                (279, LONG, &[parts.whole.len() as u32]),
                (513, LONG, &[8]),
                (514, LONG, &[parts.whole.len() as u32]),
            ],
        );
        check(&at, &whole, &format!("{sampling}, a whole file"), 40.0);
        if sampling == "2x2" {
            for (file, cuts) in [(&bare, 97), (&headed, 97)] {
                check_damage(file, "a.tiff", cuts, 41);
            }
        }
    }
    std::fs::remove_dir_all(at).unwrap();
}

/// Evenly distributed numbers that look random.
fn noise(count: usize) -> impl Iterator<Item = u32> {
    let mut seed = 7_u32;
    (0..count).map(move |_| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        seed >> 8
    })
}

#[test]
fn logluv_is_read() {
    if !has(MAGICK) || !has("tiff2rgba") {
        return;
    }
    let at = directory("tiff-logarithms");
    const SIDE: usize = 24;
    // The bytes of a row, grouped by significance, as literal runs.
    let planes = |pixels: &[[u8; 4]], bytes: std::ops::Range<usize>| {
        let mut data = Vec::new();
        for row in pixels.chunks(SIDE) {
            for byte in bytes.clone() {
                data.push(SIDE as u8);
                data.extend(row.iter().map(|pixel| pixel[byte]));
            }
        }
        data
    };
    // Luminance around the visible range, and chromaticity around white.
    let pixels: Vec<[u8; 4]> = noise(SIDE * SIDE)
        .map(|n| {
            let log = (0x3d00 + n % 0x300).to_be_bytes();
            [
                log[2],
                log[3],
                70 + (n >> 10) as u8 % 40,
                180 + (n >> 16) as u8 % 30,
            ]
        })
        .collect();
    let small: Vec<u8> = noise(SIDE * SIDE)
        .flat_map(|n| {
            let log = 576 + n % 192;
            let bits = log << 14 | (4000 + (n >> 8) % 6000);
            [(bits >> 16) as u8, (bits >> 8) as u8, bits as u8]
        })
        .collect();
    let side = [SIDE as u32];
    for (what, compression, photometric, samples, data) in [
        (
            "LogLuv with 32 bits",
            34_676,
            32_845,
            3,
            planes(&pixels, 0..4),
        ),
        ("LogLuv with 24 bits", 34_677, 32_845, 3, small),
        ("LogL", 34_676, 32_844, 1, planes(&pixels, 0..2)),
    ] {
        let file = tiff(
            &data,
            &[
                (256, SHORT, &side),
                (257, SHORT, &side),
                (258, SHORT, &vec![16; samples]),
                (259, SHORT, &[compression]),
                (262, SHORT, &[photometric]),
                (273, LONG, &[8]),
                (277, SHORT, &[samples as u32]),
                (278, SHORT, &side),
                (279, LONG, &[data.len() as u32]),
                (339, SHORT, &vec![2; samples]),
            ],
        );
        // libtiff converts to bytes by a square root, which is up to a tenth darker than sRGB.
        check(&at, &file, what, 25.0);
        // The last four bytes, the offset of a further directory, are not needed.
        for len in (0..file.len() - 4).step_by(11) {
            let cut = convert(&file[..len], "a.tiff", "bmp", Quality::Low, &[]);
            assert_eq!(cut.unwrap_err().kind(), Kind::BadInput, "{what}, {len}");
        }
        check_damage(&file, "a.tiff", file.len(), 7);
    }
    std::fs::remove_dir_all(at).unwrap();
}

#[test]
fn planar_ycbcr_and_16_bit_palettes_are_read() {
    const SIDE: usize = 16;
    let side = [SIDE as u32];
    let planes: Vec<u8> = noise(3 * SIDE * SIDE).map(|n| n as u8).collect();
    let common: [(u16, u16, &[u32]); 4] = [
        (256, SHORT, &side),
        (257, SHORT, &side),
        (259, SHORT, &[1]),
        (278, SHORT, &side),
    ];
    let file = |data: &[u8], more: &[(u16, u16, &[u32])]| {
        let mut entries = [&common[..], more].concat();
        entries.sort_by_key(|entry| entry.0);
        tiff(data, &entries)
    };
    let read = |file: &[u8]| pixels(&convert(file, "a.tiff", "png", Quality::Low, &[]).unwrap());

    // The same samples in pixel order, which the tests of ffmpeg's files cover.
    let size = (SIDE * SIDE) as u32;
    let chunky: Vec<u8> = (0..SIDE * SIDE)
        .flat_map(|at| [0, 1, 2].map(|plane| planes[plane * SIDE * SIDE + at]))
        .collect();
    let ycbcr: [(u16, u16, &[u32]); 4] = [
        (258, SHORT, &[8, 8, 8]),
        (262, SHORT, &[6]),
        (277, SHORT, &[3]),
        (530, SHORT, &[1, 1]),
    ];
    let apart: [(u16, u16, &[u32]); 3] = [
        (273, LONG, &[8, 8 + size, 8 + 2 * size]),
        (279, LONG, &[size; 3]),
        (284, SHORT, &[2]),
    ];
    let together: [(u16, u16, &[u32]); 2] = [(273, LONG, &[8]), (279, LONG, &[3 * size])];
    let apart = read(&file(&planes, &[&ycbcr[..], &apart].concat()));
    assert!(apart == read(&file(&chunky, &[&ycbcr[..], &together].concat())));

    // Indices of 16 bits into a palette with a different colour for each.
    let indices: Vec<u8> = noise(2 * SIDE * SIDE).map(|n| n as u8).collect();
    let map: Vec<u32> = [
        |at: u32| at,
        |at: u32| 65_535 - at,
        |at: u32| at << 8 & 0xff00,
    ]
    .iter()
    .flat_map(|of| (0..65_536).map(of))
    .collect();
    let palette = file(
        &indices,
        &[
            (258, SHORT, &[16]),
            (262, SHORT, &[3]),
            (273, LONG, &[8]),
            (277, SHORT, &[1]),
            (279, LONG, &[2 * size]),
            (320, SHORT, &map),
        ],
    );
    let ours = read(&palette);
    for (pixel, index) in ours.pixels().zip(indices.as_chunks().0) {
        let [low, high] = *index;
        assert_eq!(pixel.0, [high, 255 - high, low, 255]);
    }
    check_damage(&palette, "a.tiff", 9_973, 4_999);
}

#[test]
fn webp_in_tiff_is_read() {
    if !has(MAGICK) || !has("vips") {
        return;
    }
    let at = directory("tiff-webp");
    let scene = scene(&at, "203x155");
    let file = at.join("a.tiff").display().to_string();
    for options in [
        "[compression=webp,lossless]",
        "[compression=webp,lossless,tile]",
    ] {
        let output = Command::new("vips")
            .args(["copy", &scene, &format!("{file}{options}")])
            .output();
        let output = output.unwrap();
        assert!(
            output.status.success(),
            "{options}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        let input = std::fs::read(&file).unwrap();
        let ours = convert(&input, "a.tiff", "png", Quality::Low, &[]).unwrap();
        assert!(
            pixels(&ours) == load(Path::new(&scene)).to_rgba8(),
            "{options}"
        );
    }
    std::fs::remove_dir_all(at).unwrap();
}

/// Strips may have any JPEG process, and libtiff decodes all that libjpeg decodes.
#[test]
fn strips_of_progressive_jpeg_are_read() {
    if !has(MAGICK) || !has("jpegtran") {
        return;
    }
    let at = directory("tiff-progressive");
    let scene = scene(&at, "203x64");
    for (sampling, across) in [("2x2", 2), ("1x1", 1)] {
        let (mut data, mut starts, mut lens) = (Vec::new(), Vec::new(), Vec::new());
        let mut rows = Vec::new();
        for top in [0, 32] {
            let jpeg = at.join("a.jpg").display().to_string();
            let part = format!("203x32+0+{top}");
            let cut = [
                "-crop",
                &part,
                "+repage",
                "-quality",
                "90",
                "-sampling-factor",
                sampling,
            ];
            magick(&[&[scene.as_str()], &cut[..], &[&jpeg]].concat());
            let strip = Command::new("jpegtran")
                .args(["-progressive", &jpeg])
                .output();
            let strip = strip.unwrap().stdout;
            assert!(strip.windows(2).any(|marker| marker == [0xff, 0xc2]));
            // The reference is the strip as a file of its own.
            let alone = convert(&strip, "a.jpg", "png", Quality::Low, &[]).unwrap();
            rows.extend(pixels(&alone).into_raw());
            starts.push(8 + data.len() as u32);
            lens.push(strip.len() as u32);
            data.extend(strip);
        }
        let file = tiff(
            &data,
            &[
                (256, SHORT, &[203]),
                (257, SHORT, &[64]),
                (258, SHORT, &[8, 8, 8]),
                (259, SHORT, &[7]),
                (262, SHORT, &[6]),
                (273, LONG, &starts),
                (277, SHORT, &[3]),
                (278, SHORT, &[32]),
                (279, LONG, &lens),
                (530, SHORT, &[across, across]),
            ],
        );
        let ours = pixels(&convert(&file, "a.tiff", "png", Quality::Low, &[]).unwrap());
        assert_eq!(ours.dimensions(), (203, 64));
        assert!(*ours.as_raw() == rows, "{sampling}");
        check(&at, &file, sampling, 36.0);
    }
    std::fs::remove_dir_all(at).unwrap();
}

/// Four bits per sample, as in files of scanners for the Macintosh.
#[test]
fn thunderscan_is_read() {
    let data = [0xc9, 2, 0b0101_1011, 0b1001_1101, 7];
    let entries: [(u16, u16, &[u32]); 9] = [
        (256, SHORT, &[7]),
        (257, SHORT, &[2]),
        (258, SHORT, &[4]),
        (259, SHORT, &[32_809]),
        (262, SHORT, &[1]),
        (273, LONG, &[8]),
        (277, SHORT, &[1]),
        (278, SHORT, &[2]),
        (279, LONG, &[data.len() as u32]),
    ];
    let file = tiff(&data, &entries);
    let result = convert(&file, "a.tiff", "png", Quality::Low, &[]).unwrap();
    let found: Vec<u8> = pixels(&result)
        .pixels()
        .map(|pixel| pixel.0[0] / 17)
        .collect();
    assert_eq!(found, [9, 9, 9, 10, 9, 12, 9, 0, 0, 0, 0, 0, 0, 0]);
    let cut = tiff(&data[..4], &entries);
    let err = convert(&cut, "a.tiff", "png", Quality::Low, &[]).map(drop);
    assert_eq!(err.unwrap_err().kind(), Kind::BadInput);
}

/// A picture does not depend on tags that describe it, even if they claim values beyond the end of the file.
#[test]
fn damaged_tags_that_are_not_needed_are_passed_over() {
    const PROFILE: u16 = 34_675;
    for tag in [
        255, 270, 271, 274, 282, 285, 296, 305, 315, 319, 700, PROFILE,
    ] {
        let mut file = tiff(
            &[200; 12],
            &[
                (256, SHORT, &[2]),
                (257, SHORT, &[2]),
                (258, SHORT, &[8, 8, 8]),
                (259, SHORT, &[1]),
                (262, SHORT, &[2]),
                (273, LONG, &[8]),
                (277, SHORT, &[3]),
                (278, SHORT, &[2]),
                (279, LONG, &[12]),
                (tag, LONG, &[9]),
            ],
        );
        let last = file.len() - 4 - 12;
        for (kind, count) in [(2, 1 << 30), (7, u32::MAX), (5, 9)] {
            file[last + 2] = kind;
            file[last + 4..last + 8].copy_from_slice(&count.to_le_bytes());
            file[last + 8..last + 12].copy_from_slice(&0x7fff_ffff_u32.to_le_bytes());
            let made = convert_with_notes(&file, "a.tiff", "png", Quality::Low, &[]);
            let (made, notes) = made.unwrap_or_else(|err| panic!("{tag} {kind}: {err}"));
            assert_eq!(pixels(&made).get_pixel(1, 1).0, [200, 200, 200, 255]);
            let expected = match tag {
                PROFILE => &["The colour profile is cut short, and was left out."][..],
                _ => &[],
            };
            assert_eq!(notes.0, expected, "{tag} {kind}");
        }
    }
}
