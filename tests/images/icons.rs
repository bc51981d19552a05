//! Apple icons, made here, and read by icns2png of libicns and by this program.

use crate::harness::{check_damage, convert, directory, has, pixels};
use convertd::{error::Kind, job::Quality};
use image::{Rgba, RgbaImage};
use std::{io::Cursor, process::Command};

fn icns(entries: &[(&[u8; 4], Vec<u8>)]) -> Vec<u8> {
    let mut list = Vec::new();
    for (kind, data) in entries {
        list.extend(*kind);
        list.extend((data.len() as u32 + 8).to_be_bytes());
        list.extend(data);
    }
    let len = (list.len() as u32 + 8).to_be_bytes();
    [b"icns", &len[..], &list].concat()
}

/// A picture whose pixels differ from row to row and column to column, with flat parts.
fn picture(side: u32) -> RgbaImage {
    RgbaImage::from_fn(side, side, |x, y| {
        Rgba([
            (x / 3 * 20) as u8,
            (y * 7) as u8,
            (x ^ y) as u8,
            (255 - x) as u8,
        ])
    })
}

/// Planes with run-length coding, in this order of channels.
fn packed(picture: &RgbaImage, order: &[usize]) -> Vec<u8> {
    let mut out = Vec::new();
    for at in order {
        let plane: Vec<u8> = picture.pixels().map(|pixel| pixel.0[*at]).collect();
        let mut rest = &plane[..];
        while let Some(first) = rest.first() {
            let run = rest
                .iter()
                .take(130)
                .take_while(|byte| *byte == first)
                .count();
            if run >= 3 {
                out.extend([(run + 125) as u8, *first]);
                rest = &rest[run..];
            } else {
                let raw = rest.len().min(2);
                out.push(raw as u8 - 1);
                out.extend(&rest[..raw]);
                rest = &rest[raw..];
            }
        }
    }
    out
}

fn mask(picture: &RgbaImage) -> Vec<u8> {
    picture.pixels().map(|pixel| pixel.0[3]).collect()
}

fn png(picture: &RgbaImage) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    picture
        .write_to(&mut file, image::ImageFormat::Png)
        .unwrap();
    file.into_inner()
}

#[track_caller]
fn check(entries: &[(&[u8; 4], Vec<u8>)], fields: &[(&str, &str)], expected: &RgbaImage) {
    let result = convert(&icns(entries), "a.icns", "png", Quality::Low, fields).unwrap();
    assert!(pixels(&result) == *expected);
}

#[test]
fn entries_are_files_or_planes_with_and_without_masks() {
    for (side, kind, mask_kind) in [
        (16, b"is32", b"s8mk"),
        (32, b"il32", b"l8mk"),
        (48, b"ih32", b"h8mk"),
        (128, b"it32", b"t8mk"),
    ] {
        let seen = picture(side);
        let mut opaque = seen.clone();
        opaque.pixels_mut().for_each(|pixel| pixel.0[3] = 255);
        let lead = if side == 128 { &[0; 4][..] } else { &[] };
        let data = [lead, &packed(&seen, &[0, 1, 2])].concat();
        check(&[(kind, data.clone())], &[], &opaque);
        check(
            &[(kind, data.clone()), (mask_kind, mask(&seen))],
            &[],
            &seen,
        );
        check(&[(mask_kind, mask(&seen)), (kind, data)], &[], &seen);
        let plain = seen
            .pixels()
            .flat_map(|pixel| [0, pixel[0], pixel[1], pixel[2]]);
        let plain = [lead, &plain.collect::<Vec<u8>>()].concat();
        check(&[(kind, plain)], &[], &opaque);
    }
    for (side, kind) in [(16, b"ic04"), (18, b"icsb"), (32, b"ic05")] {
        let seen = picture(side);
        let data = [&b"ARGB"[..], &packed(&seen, &[3, 0, 1, 2])].concat();
        check(&[(kind, data)], &[], &seen);
    }
}

#[test]
fn the_largest_entry_is_the_default() {
    let (large, small) = (picture(64), picture(16));
    let entries = &[
        (b"TOC ", vec![0; 16]),
        (b"is32", packed(&small, &[0, 1, 2])),
        (b"s8mk", mask(&small)),
        (b"icp6", png(&large)),
        (b"ic04", png(&small)),
    ];
    check(entries, &[], &large);
    check(entries, &[("page", "1")], &small);
    check(entries, &[("page", "3")], &small);
    let file = icns(entries);
    let err = convert(&file, "a.icns", "png", Quality::Low, &[("page", "4")]);
    assert_eq!(err.map(drop).unwrap_err().kind(), Kind::BadInput);
    let old = icns(&[(b"ICN#", vec![0; 256])]);
    let err = convert(&old, "a.icns", "png", Quality::Low, &[])
        .map(drop)
        .unwrap_err();
    assert!(err.message().contains("palettes"), "{err}");
    let small = icns(&[
        (b"is32", packed(&small, &[0, 1, 2])),
        (b"s8mk", mask(&small)),
    ]);
    check_damage(&small[..small.len() - 264], "a.icns", 11, 5);
}

#[test]
fn icons_have_all_sizes_up_to_the_picture() {
    #[track_caller]
    fn check(width: u32, height: u32, sides: &[u32]) {
        let source = RgbaImage::from_pixel(width, height, Rgba([10, 200, 30, 255]));
        let file = convert(&png(&source), "a.png", "icns", Quality::Low, &[]).unwrap();
        assert_eq!(
            file.len() as u32,
            u32::from_be_bytes(*file[4..].first_chunk().unwrap())
        );
        let mut found = Vec::new();
        for page in 1.. {
            let page = page.to_string();
            match convert(&file, "a.icns", "png", Quality::Low, &[("page", &page)]) {
                Ok(file) => found.push(pixels(&file).dimensions()),
                Err(_) => break,
            }
        }
        let expected: Vec<_> = sides.iter().map(|side| (*side, *side)).collect();
        assert_eq!(found, expected);
        let best = pixels(&convert(&file, "a.icns", "png", Quality::Low, &[]).unwrap());
        let middle = best.get_pixel(best.width() / 2, best.height() / 2).0;
        assert_eq!(middle, [10, 200, 30, 255]);
    }
    check(10, 10, &[16]);
    check(100, 40, &[16, 32, 64]);
    check(256, 256, &[16, 32, 64, 128, 256]);
    check(1500, 2000, &[16, 32, 64, 128, 256, 512, 1024]);
}

#[test]
fn icns2png_reads_our_icons() {
    if !has("icns2png") {
        return;
    }
    let at = directory("icns");
    let source = picture(256);
    let ours = convert(&png(&source), "a.png", "icns", Quality::Low, &[]).unwrap();
    let seen = picture(128);
    let planes = icns(&[
        (b"it32", [&[0; 4][..], &packed(&seen, &[0, 1, 2])].concat()),
        (b"t8mk", mask(&seen)),
    ]);
    for (name, file, side, expected) in [("ours", ours, 256, source), ("planes", planes, 128, seen)]
    {
        let path = at.join(format!("{name}.icns"));
        std::fs::write(&path, file).unwrap();
        let read = Command::new("icns2png")
            .args(["-x", "-o"])
            .args([&at, &path])
            .output()
            .unwrap();
        assert!(read.status.success());
        let png = at.join(format!("{name}_{side}x{side}x32.png"));
        let found = pixels(&std::fs::read(&png).unwrap_or_else(|err| panic!("{name}: {err}")));
        assert!(found == expected, "{name}");
    }
    std::fs::remove_dir_all(at).unwrap();
}
