//! Chunks of PNG about colours and orientation, put into files by hand.

use crate::harness::{convert_with_notes, pixels};
use convertd::{error::Kind, job::Quality};

/// A chunk with its length and its checksum.
fn chunk(name: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let body = [name, data].concat();
    let check = crc32fast::hash(&body).to_be_bytes();
    [&(data.len() as u32).to_be_bytes(), &body[..], &check].concat()
}

/// A picture of two pixels side by side, of which the first has this colour and the second is black. The chunks in
/// `more` come before its pixels.
fn png(first: [u8; 3], more: &[Vec<u8>]) -> Vec<u8> {
    let [red, green, blue] = first;
    let row = [0, red, green, blue, 0, 0, 0];
    let packed = miniz_oxide::deflate::compress_to_vec_zlib(&row, 6);
    [
        b"\x89PNG\r\n\x1a\n".to_vec(),
        chunk(b"IHDR", &[0, 0, 0, 2, 0, 0, 0, 1, 8, 2, 0, 0, 0]),
        more.concat(),
        chunk(b"IDAT", &packed),
        chunk(b"IEND", b""),
    ]
    .concat()
}

/// The first pixel after conversion to sRGB, and the notes.
fn seen(first: [u8; 3], more: &[Vec<u8>]) -> ([u8; 3], String) {
    let file = png(first, more);
    let converted = convert_with_notes(&file, "a.png", "bmp", Quality::Medium, &[]);
    let (bmp, notes) = converted.unwrap();
    let [red, green, blue, _] = pixels(&bmp).get_pixel(0, 0).0;
    ([red, green, blue], notes.0.join(" "))
}

fn chromaticities(numbers: [u32; 8]) -> Vec<u8> {
    let bytes: Vec<u8> = numbers.iter().flat_map(|n| n.to_be_bytes()).collect();
    chunk(b"cHRM", &bytes)
}

/// Primaries and white point of sRGB, and of Display P3.
const SRGB: [u32; 8] = [31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000];
const WIDE: [u32; 8] = [31270, 32900, 68000, 32000, 26500, 69000, 15000, 6000];

fn gamma(number: u32) -> Vec<u8> {
    chunk(b"gAMA", &number.to_be_bytes())
}

#[test]
fn the_first_of_four_colour_chunks_applies() {
    let colour = [200, 100, 50];
    let near = |one: [u8; 3], other: [u8; 3]| {
        one.iter()
            .zip(other)
            .all(|(one, other)| one.abs_diff(other) <= 2)
    };
    let (plain, notes) = seen(colour, &[]);
    assert_eq!((plain, notes.as_str()), (colour, ""));
    let srgb = seen(colour, &[gamma(45455), chromaticities(SRGB)]).0;
    assert!(near(srgb, colour), "{srgb:?}");
    let wide = seen(colour, &[gamma(45455), chromaticities(WIDE)]).0;
    assert!(wide[0] > 210 && wide[1] < 98, "{wide:?}");
    let stated = seen(
        colour,
        &[gamma(45455), chromaticities(WIDE), chunk(b"sRGB", &[0])],
    )
    .0;
    assert!(near(stated, colour), "{stated:?}");
    let linear = seen(colour, &[gamma(100_000), chromaticities(SRGB)]).0;
    assert!(linear[2] > 110, "{linear:?}");
    // Primaries of Display P3 with the transfer function of sRGB; this chunk overrides all others.
    let coded = [chunk(b"cICP", &[12, 13, 0, 1]), chunk(b"sRGB", &[0])];
    let coded = seen(colour, &coded).0;
    assert!(
        near([coded[0], coded[1], 0], [wide[0], wide[1], 0]),
        "{coded:?} {wide:?}"
    );
    // For dark colours, the curve of sRGB is linear, and brighter than a power function.
    assert!(
        (wide[2]..wide[2] + 10).contains(&coded[2]),
        "{coded:?} {wide:?}"
    );
}

#[test]
fn a_note_reports_hdr() {
    for (transfer, kind) in [(16, "PQ"), (18, "HLG")] {
        let (_, notes) = seen([9; 3], &[chunk(b"cICP", &[9, transfer, 0, 1])]);
        assert!(notes.contains(kind), "{notes}");
    }
}

/// The code points of HDR (ITU-T H.273) are kept between all formats that can store them.
#[test]
#[cfg(all(feature = "avif", feature = "jxl"))]
fn hdr_code_points_are_kept() {
    #[track_caller]
    fn convert(file: &[u8], from: &str, to: &str, fields: &[(&str, &str)]) -> Vec<u8> {
        let name = format!("a.{from}");
        let converted = convert_with_notes(file, &name, to, Quality::High, fields);
        let (made, notes) = converted.unwrap_or_else(|err| panic!("{from} to {to}: {err}"));
        assert!(
            notes.0.join(" ").contains("HDR"),
            "{from} to {to}: {notes:?}"
        );
        made
    }
    let has = |file: &[u8], part: &[u8]| memchr::memmem::find(file, part).is_some();
    for (primaries, transfer) in [(9, 16), (12, 16), (9, 18), (1, 18)] {
        let code = [primaries, transfer, 0, 1];
        let chunk = [&b"cICP"[..], &code].concat();
        // BT.601's matrix and the full range, whatever the primaries.
        let boxed = [&b"nclx"[..], &[0, primaries, 0, transfer, 0, 6, 0x80]].concat();
        let file = png([200, 100, 50], &[self::chunk(b"cICP", &code)]);
        assert!(has(&convert(&file, "png", "png", &[]), &chunk));
        assert!(!has(
            &convert(&file, "png", "png", &[("strip", "true")]),
            b"cICP"
        ));
        let avif = convert(&file, "png", "avif", &[]);
        assert!(has(&avif, &boxed), "{code:?}");
        assert!(has(&convert(&avif, "avif", "png", &[]), &chunk), "{code:?}");
        assert!(
            has(&convert(&avif, "avif", "avif", &[]), &boxed),
            "{code:?}"
        );
        if transfer == 16 {
            let jxl = convert(&file, "png", "jxl", &[("lossless", "true")]);
            let back = convert(&jxl, "jxl", "png", &[]);
            assert!(has(&back, &chunk), "{code:?}");
            let [red, green, blue, _] = pixels(&back).get_pixel(0, 0).0;
            assert_eq!([red, green, blue], [200, 100, 50]);
        }
    }
}

#[test]
fn exif_in_a_text_chunk_rotates_the_picture() {
    // A directory with one entry: orientation 8, a rotation by 90 degrees to the left.
    let exif = b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x08\0\0\0\0\0\0\0";
    let digits: String = exif.iter().map(|byte| format!("{byte:02x}")).collect();
    let text = format!("\nexif\n{:8}\n{digits}\n", exif.len());
    let packed = miniz_oxide::deflate::compress_to_vec_zlib(text.as_bytes(), 6);
    let keyword = b"Raw profile type exif\0";
    for more in [
        chunk(b"tEXt", &[&keyword[..], text.as_bytes()].concat()),
        chunk(b"zTXt", &[&keyword[..], &[0], &packed[..]].concat()),
        chunk(b"eXIf", exif),
    ] {
        let file = png([9; 3], &[more]);
        let converted = convert_with_notes(&file, "a.png", "bmp", Quality::Medium, &[]);
        let (bmp, _) = converted.unwrap();
        assert_eq!(pixels(&bmp).dimensions(), (1, 2));
    }
}

#[test]
fn hidden_colours_leave_no_rim() {
    // White, surrounded by transparent black.
    let mut picture = image::RgbaImage::new(32, 32);
    for (x, y, pixel) in picture.enumerate_pixels_mut() {
        let is_seen = (8..24).contains(&x) && (8..24).contains(&y);
        *pixel = image::Rgba(if is_seen { [255; 4] } else { [0; 4] });
    }
    // Noise, so that the picture does not count as a drawing with few colours.
    for (at, pixel) in picture
        .pixels_mut()
        .filter(|pixel| pixel.0[3] > 0)
        .enumerate()
    {
        let shade = 255 - (at * 7 % 5) as u8;
        pixel.0 = [shade, 255, 255 - (at % 3) as u8, 255];
    }
    let mut file = std::io::Cursor::new(Vec::new());
    picture
        .write_to(&mut file, image::ImageFormat::Png)
        .unwrap();
    for target in ["webp", "avif", "jxl"] {
        if !["webp"].contains(&target) && !cfg!(all(feature = "avif", feature = "jxl")) {
            continue;
        }
        let quality = Quality::Low;
        let made = convert_with_notes(file.get_ref(), "a.png", target, quality, &[]);
        let (made, _) = made.unwrap();
        let back = convert_with_notes(&made, &format!("a.{target}"), "png", quality, &[]);
        let back = pixels(&back.unwrap().0);
        let edge = (8..24).map(|at| back.get_pixel(8, at).0[1]).min();
        assert!(edge > Some(235), "{target}: {edge:?}");
    }
}

/// A picture does not depend on its ancillary chunks, whatever is in them.
#[test]
fn damaged_ancillary_chunks_are_passed_over() {
    const NAMES: [&[u8; 4]; 19] = [
        b"cICP", b"bKGD", b"mDCV", b"cLLI", b"sBIT", b"gAMA", b"cHRM", b"sRGB", b"iCCP", b"eXIf",
        b"pHYs", b"tEXt", b"zTXt", b"iTXt", b"tIME", b"hIST", b"sPLT", b"acTL", b"caBX",
    ];
    let packed = miniz_oxide::deflate::compress_to_vec_zlib(&[0, 1, 1], 6);
    let file = |colour: u8, before: &[u8], after: &[u8]| {
        [
            &b"\x89PNG\r\n\x1a\n"[..],
            &chunk(b"IHDR", &[0, 0, 0, 2, 0, 0, 0, 1, 8, colour, 0, 0, 0]),
            before,
            &chunk(b"PLTE", &[0, 0, 0, 9, 9, 9]),
            &chunk(b"IDAT", &packed),
            after,
            &chunk(b"IEND", b""),
        ]
        .concat()
    };
    for name in NAMES {
        for length in [0, 1, 4, 6, 8, 24, 32, 5000, 5 << 20] {
            for fill in [0, 1, 255] {
                let odd = chunk(name, &vec![fill; length]);
                for file in [file(3, &odd, b""), file(3, b"", &odd), file(0, &odd, b"")] {
                    let made = convert_with_notes(&file, "a.png", "bmp", Quality::Medium, &[]);
                    if let Err(err) = made {
                        panic!("{name:?} {length} {fill}: {err}");
                    }
                }
            }
        }
    }
}

/// A chunk that the decoder does not read leaves a note if the result lacks something for this reason.
#[test]
fn chunks_that_are_not_read_are_noted() {
    #[track_caller]
    fn check(chunks: &[Vec<u8>], expected: &[&str]) {
        let file = png([9; 3], chunks);
        let made = convert_with_notes(&file, "a.png", "bmp", Quality::Medium, &[]);
        assert_eq!(made.unwrap().1.0, expected);
    }
    const PROFILE: &str = "The colour profile was left out, because it is damaged or too large.";
    const CODE_POINTS: &str =
        "The colour space that the chunk cICP states was left out, because it is invalid.";
    const EXIF: &str = "EXIF was left out, with its orientation, because it has more than 1 MiB.";
    let srgb = chunk(b"cICP", &[1, 13, 0, 1]);
    check(&[chunk(b"iCCP", &vec![1; 3 << 20])], &[PROFILE]);
    check(&[chunk(b"iCCP", b"name\0\0damaged")], &[PROFILE]);
    // The code points take precedence.
    check(&[srgb.clone(), chunk(b"iCCP", b"name\0\0damaged")], &[]);
    for code in [&[1, 13, 1, 1][..], &[1, 13, 0, 2], &[1, 13, 0]] {
        check(&[chunk(b"cICP", code)], &[CODE_POINTS]);
    }
    check(&[chunk(b"eXIf", &vec![0; (1 << 20) + 1])], &[EXIF]);
    check(&[chunk(b"mDCV", &[0; 24]), chunk(b"cLLI", &[0; 8])], &[]);
    check(&[chunk(b"bKGD", &[0; 6]), srgb], &[]);
}

/// A file that ends within a text is cut short, which is the sender's fault.
#[test]
fn a_file_cut_within_a_text_is_refused() {
    let text = chunk(b"tEXt", &[b'x'; 100]);
    let whole = png([1, 2, 3], &[text]);
    let made = convert_with_notes(&whole[..60], "a.png", "bmp", Quality::Medium, &[]);
    assert_eq!(made.unwrap_err().kind(), Kind::BadInput);
}

/// ImageMagick stores EXIF behind the picture.
#[test]
fn exif_behind_the_picture_turns_it() {
    // Orientation 3, half a turn.
    let exif = b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x03\0\0\0\0\0\0";
    let turned = |chunk: Vec<u8>| {
        let mut file = png([200, 100, 50], &[]);
        let end = file.len() - 12;
        let more = [chunk, self::chunk(b"tEXt", b"Title\0eXIf")].concat();
        file.splice(end..end, more);
        let made = convert_with_notes(&file, "a.png", "bmp", Quality::Medium, &[]);
        pixels(&made.unwrap().0).get_pixel(1, 0).0[..3] == [200, 100, 50]
    };
    assert!(turned(chunk(b"eXIf", exif)));
    let digits: String = exif.iter().map(|byte| format!("{byte:02x}")).collect();
    let text = format!("Raw profile type exif\0\nexif\n      26\n{digits}\n");
    assert!(turned(chunk(b"tEXt", text.as_bytes())));
    assert!(!turned(Vec::new()));
}
