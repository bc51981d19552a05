//! Truevision TGA of all types in the specification (version 2.0, data types 1 to 3 and 9 to 11), made here byte by
//! byte.

use crate::harness::{
    MAGICK, check_damage, convert, directory, has, lacking, load, magick, pixels, scene,
};
use convertd::{error::Kind, job::Quality};
use std::process::Command;

/// A colour map: the number of its first entry, the bits of an entry, and the entries.
type Map<'a> = (u16, u8, &'a [u32]);

/// A file of 3 × 2 pixels, with an identification field before its map.
fn tga(kind: u8, depth: u8, flags: u8, map: Option<Map<'_>>, data: &[u8]) -> Vec<u8> {
    let (first, bits, entries) = map.unwrap_or((0, 0, &[]));
    let mut file = vec![2, u8::from(map.is_some()), kind];
    file.extend(first.to_le_bytes());
    file.extend((entries.len() as u16).to_le_bytes());
    file.extend([bits, 0, 0, 0, 0, 3, 0, 2, 0, depth, flags]);
    file.extend(b"id");
    for entry in entries {
        file.extend(&entry.to_le_bytes()[..usize::from(bits).div_ceil(8)]);
    }
    file.extend(data);
    file
}

const RED: [u8; 4] = [255, 0, 0, 255];
const GREEN: [u8; 4] = [0, 255, 0, 255];
const BLUE: [u8; 4] = [0, 0, 255, 255];

/// Red, green and blue, with five and with eight bits each.
const FIFTEEN: &[u32] = &[0x7c00, 0x03e0, 0x001f];
const FULL: &[u32] = &[0xff_0000, 0x00_ff00, 0x00_00ff];

#[track_caller]
fn check(file: &[u8], expected: [[u8; 4]; 6]) {
    for target in ["png", "gif", "tiff"] {
        let result = convert(file, "a.tga", target, Quality::Low, &[]).unwrap();
        let result = pixels(&result);
        assert_eq!(result.dimensions(), (3, 2));
        let found: Vec<_> = result.pixels().map(|pixel| pixel.0).collect();
        assert_eq!(found, expected, "{target}");
    }
}

/// The same six pixels in every encoding.
const FLAG: [[u8; 4]; 6] = [RED, GREEN, BLUE, BLUE, RED, RED];

#[test]
fn colour_maps_have_15_to_32_bits_and_any_first_entry() {
    let narrow = &[0, 1, 2, 2, 0, 0];
    for (bits, entries) in [(15, FIFTEEN), (16, FIFTEEN), (24, FULL)] {
        check(&tga(1, 8, 0x20, Some((0, bits, entries)), narrow), FLAG);
        let moved = &[7, 8, 9, 9, 7, 7];
        check(&tga(1, 8, 0x20, Some((7, bits, entries)), moved), FLAG);
        let wide = &[44, 1, 45, 1, 46, 1, 46, 1, 44, 1, 44, 1];
        check(&tga(1, 16, 0x20, Some((300, bits, entries)), wide), FLAG);
    }
    let opaque: Vec<u32> = FULL.iter().map(|entry| entry | 0xff00_0000).collect();
    // Attribute bits in the map, with a descriptor that states them and one that does not.
    for flags in [0x28, 0x20] {
        check(&tga(1, 8, flags, Some((0, 32, &opaque)), narrow), FLAG);
    }
    check(&tga(1, 8, 0x28, Some((0, 24, FULL)), narrow), FLAG);
    check(&tga(1, 8, 0x21, Some((0, 16, FIFTEEN)), narrow), FLAG);
}

#[test]
fn rows_may_go_in_all_four_directions() {
    let [a, b, c, d, e, f] = [0, 1, 2, 2, 0, 0];
    for (flags, order) in [
        (0x20, [a, b, c, d, e, f]),
        (0x30, [c, b, a, f, e, d]),
        (0x00, [d, e, f, a, b, c]),
        (0x10, [f, e, d, c, b, a]),
    ] {
        check(&tga(1, 8, flags, Some((0, 24, FULL)), &order), FLAG);
        let bytes = order.iter().flat_map(|&index: &u8| {
            let [b, g, r, _] = FULL[usize::from(index)].to_le_bytes();
            [b, g, r]
        });
        let bytes: Vec<u8> = bytes.collect();
        check(&tga(2, 24, flags, None, &bytes), FLAG);
    }
}

#[test]
fn packets_may_continue_in_the_next_row() {
    // Two literal pixels, then a run of two that crosses the end of the row, and then the rest.
    let packed = &[1, 0, 1, 0x81, 2, 0x81, 0];
    check(&tga(9, 8, 0x20, Some((0, 24, FULL)), packed), FLAG);
    let raw = &[3, 0, 1, 2, 2, 0x80, 0, 0, 0];
    check(&tga(9, 8, 0x20, Some((0, 16, FIFTEEN)), raw), FLAG);
    let true_colour = &[1, 0, 0x7c, 0xe0, 3, 0x81, 0x1f, 0, 0x81, 0, 0x7c];
    check(&tga(10, 16, 0x20, None, true_colour), FLAG);
    check(&tga(10, 15, 0x21, None, true_colour), FLAG);
}

#[test]
fn pixels_are_grey_or_colours_with_and_without_alpha() {
    let grey = |sample: u8| [sample, sample, sample, 255];
    let shades = [0, 51, 102, 153, 204, 255];
    // Attribute bits are claimed, although grey has only its eight bits.
    for flags in [0x20, 0x28] {
        check(&tga(3, 8, flags, None, &shades), shades.map(grey));
    }
    let deep: Vec<u8> = shades
        .into_iter()
        .flat_map(|shade| [shade, shade])
        .collect();
    check(&tga(3, 16, 0x20, None, &deep), shades.map(grey));
    let bgra: Vec<u8> = [[0, 0, 255, 255], [0, 255, 0, 255], [255, 0, 0, 255]].concat();
    let twice = [&bgra[..], &bgra[..]].concat();
    let rows = [RED, GREEN, BLUE, RED, GREEN, BLUE];
    check(&tga(2, 32, 0x28, None, &twice), rows);
    check(&tga(2, 32, 0x20, None, &twice), rows);
    // A colour map in a true-colour file, which does not need it.
    check(&tga(2, 32, 0x28, Some((0, 16, FIFTEEN)), &twice), rows);
    let half = tga(3, 16, 0x28, None, &[9, 128].repeat(6));
    let result = convert(&half, "a.tga", "png", Quality::Low, &[]).unwrap();
    assert!(
        pixels(&result)
            .pixels()
            .all(|pixel| pixel.0 == [9, 9, 9, 128])
    );
}

#[test]
fn indices_outside_the_map_are_accepted_and_unknown_types_refused() {
    let file = tga(1, 8, 0x20, Some((0, 24, FULL)), &[0, 1, 2, 9, 255, 0]);
    let result = pixels(&convert(&file, "a.tga", "png", Quality::Low, &[]).unwrap());
    assert_eq!(result.get_pixel(2, 1).0, RED);
    for file in [
        tga(1, 8, 0x20, None, &[0; 6]),
        tga(1, 8, 0x20, Some((0, 24, &[])), &[0; 6]),
        tga(2, 12, 0x20, None, &[0; 12]),
        tga(32, 8, 0x20, Some((0, 24, FULL)), &[0; 6]),
    ] {
        let err = convert(&file, "a.tga", "png", Quality::Low, &[])
            .map(drop)
            .unwrap_err();
        assert_eq!(err.kind(), Kind::BadInput, "{err}");
    }
    let packed = &[1, 0, 1, 0x81, 2, 0x81, 0];
    check_damage(&tga(9, 8, 0x20, Some((0, 24, FULL)), packed), "a.tga", 1, 1);
}

/// ImageMagick 6 ignores the order of rows when it reads, and writes rows from the top with the flag for rows from the
/// bottom.
#[test]
fn files_of_other_programs_are_read_as_by_ffmpeg() {
    if !has(MAGICK) || Command::new("ffmpeg").arg("-version").output().is_err() {
        return lacking("ImageMagick and ffmpeg");
    }
    let at = directory("tga");
    let scene = scene(&at, "200x120");
    let same = |name: &str| {
        let file = at.join(name);
        let png = at.join(format!("{name}.png"));
        let decoded = Command::new("ffmpeg")
            .args(["-v", "error", "-y", "-i"])
            .args([&file, &png])
            .status();
        assert!(decoded.unwrap().success(), "{name}");
        let file = std::fs::read(&file).unwrap();
        let ours = pixels(&convert(&file, name, "png", Quality::Low, &[]).unwrap());
        assert!(ours == load(&png).to_rgba8(), "{name}");
    };
    for (name, arguments) in [
        ("plain.tga", &[][..]),
        ("packed.tga", &["-compress", "RLE"]),
        ("map.tga", &["-colors", "60", "-type", "Palette"]),
        ("grey.tga", &["-colorspace", "Gray"]),
        (
            "alpha.tga",
            &["-alpha", "set", "-channel", "A", "-evaluate", "set", "50%"],
        ),
    ] {
        let file = at.join(name).display().to_string();
        magick(&[&[scene.as_str()], arguments, &[&file]].concat());
        same(name);
    }
    for (name, flags) in [("down.tga", 0x20), ("up.tga", 0), ("left.tga", 0x30)] {
        let file = tga(1, 8, flags, Some((0, 16, FIFTEEN)), &[0, 1, 2, 2, 0, 0]);
        std::fs::write(at.join(name), file).unwrap();
        same(name);
    }
    std::fs::remove_dir_all(at).unwrap();
}
