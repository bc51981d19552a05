//! OS/2 icons and pointers, made here by hand, because no program in Debian reads them.

use crate::harness::{convert, pixels};
use convertd::{error::Kind, job::Quality};
use image::{Rgba, RgbaImage};

const SIDE: u32 = 8;
const CLEAR: Rgba<u8> = Rgba([0; 4]);
const BLACK: Rgba<u8> = Rgba([0, 0, 0, 255]);
const WHITE: Rgba<u8> = Rgba([255; 4]);
const RED: Rgba<u8> = Rgba([255, 0, 0, 255]);

/// Headers of 12 bytes, and a palette.
fn headers(mark: &[u8; 2], offset: usize, size: (u16, u16), bits: u16, palette: &[u8]) -> Vec<u8> {
    let mut all = mark.to_vec();
    all.extend(26u32.to_le_bytes());
    all.extend([0; 4]);
    all.extend((offset as u32).to_le_bytes());
    all.extend(12u32.to_le_bytes());
    for number in [size.0, size.1, 1, bits] {
        all.extend(number.to_le_bytes());
    }
    all.extend(palette);
    all
}

/// A plane with one bit per pixel, from the lowest row up.
fn plane(is_set: impl Fn(u32, u32) -> bool) -> Vec<u8> {
    let row = |y| {
        let bits = (0..SIDE).map(|x| u8::from(is_set(x, y)) << (7 - x)).sum();
        [bits, 0, 0, 0]
    };
    (0..SIDE).rev().flat_map(row).collect()
}

/// The left half is transparent; of the right half, the upper part is white and the lower part black.
fn grey(mark: &[u8; 2], start: usize) -> (Vec<u8>, Vec<u8>) {
    let palette = [0, 0, 0, 255, 255, 255];
    let head = headers(mark, start, (8, 16), 1, &palette);
    let drawn = plane(|x, y| x >= 4 && y < 4);
    (head, [drawn, plane(|x, _| x < 4)].concat())
}

/// The upper half is transparent; the lower half is red with a white corner.
fn coloured(mark: &[u8; 2], start: usize) -> (Vec<u8>, Vec<u8>) {
    let mask = [plane(|_, _| false), plane(|_, y| y < 4)].concat();
    let mut palette = vec![0; 48];
    palette[3..6].copy_from_slice(&[0, 0, 255]);
    palette[6..9].copy_from_slice(&[255; 3]);
    let mut head = headers(mark, start, (8, 16), 1, &[0, 0, 0, 255, 255, 255]);
    head.extend(headers(mark, start + mask.len(), (8, 8), 4, &palette));
    let mut colours = [0x11; 32];
    colours[0] = 0x21;
    (head, [mask, colours.to_vec()].concat())
}

/// An entry of an array; `next` is the offset of the next entry.
fn entry(next: usize, head: &[u8]) -> Vec<u8> {
    let mut all = b"BA".to_vec();
    all.extend(40u32.to_le_bytes());
    all.extend((next as u32).to_le_bytes());
    all.extend([0; 4]);
    all.extend(head);
    all
}

#[track_caller]
fn check(
    file: &[u8],
    name: &str,
    options: &[(&str, &str)],
    expected: impl Fn(u32, u32) -> Rgba<u8>,
) {
    let made = convert(file, name, "png", Quality::Low, options).unwrap();
    let (made, expected) = (pixels(&made), RgbaImage::from_fn(SIDE, SIDE, expected));
    assert_eq!(made.dimensions(), expected.dimensions());
    for (x, y, pixel) in made.enumerate_pixels() {
        let expected = expected.get_pixel(x, y);
        let same = pixel == expected || pixel[3] == 0 && expected[3] == 0;
        assert!(same, "{pixel:?} at {x}, {y} instead of {expected:?}");
    }
}

fn is_grey(x: u32, y: u32) -> Rgba<u8> {
    match (x, y) {
        (0..4, _) => CLEAR,
        (_, 0..4) => WHITE,
        _ => BLACK,
    }
}

fn is_coloured(x: u32, y: u32) -> Rgba<u8> {
    match (x, y) {
        (_, 0..4) => CLEAR,
        (0, 7) => WHITE,
        _ => RED,
    }
}

#[test]
fn icons_and_pointers_have_their_colours_and_their_masks() {
    for (mark, name) in [(b"IC", "a.ico"), (b"PT", "a.ptr")] {
        let len = grey(mark, 0).0.len();
        let (head, bits) = grey(mark, len);
        check(&[head, bits].concat(), name, &[], is_grey);
    }
    for (mark, name) in [(b"CI", "a.ico"), (b"CP", "a")] {
        let len = coloured(mark, 0).0.len();
        let (head, bits) = coloured(mark, len);
        let file = [head, bits].concat();
        check(&file, name, &[], is_coloured);
        // The second bitmap is missing.
        let damaged = [&file[..32], b"BM", &file[34..]].concat();
        let error = convert(&damaged, name, "png", Quality::Low, &[]).map(drop);
        let error = error.unwrap_err();
        assert!(
            error
                .message()
                .contains("the colour bitmap that follows its mask is missing"),
            "{error}"
        );
    }
}

#[test]
fn the_best_entry_of_an_array_is_the_default() {
    let first = 14 + grey(b"IC", 0).0.len();
    let heads = first + 14 + coloured(b"CI", 0).0.len();
    let (one, bits) = grey(b"IC", heads);
    let (two, more) = coloured(b"CI", heads + bits.len());
    let file = [entry(first, &one), entry(0, &two), bits, more].concat();
    check(&file, "a.ico", &[], is_coloured);
    check(&file, "a.ico", &[("page", "1")], is_grey);
    check(&file, "a.ico", &[("page", "2")], is_coloured);
    let error = convert(&file, "a.ico", "png", Quality::Low, &[("page", "3")]).map(drop);
    assert_eq!(error.unwrap_err().kind(), Kind::BadInput);
    for len in 0..file.len() {
        // The file may be refused, but nothing may panic.
        drop(convert(&file[..len], "a.ico", "png", Quality::Low, &[]));
    }
}
