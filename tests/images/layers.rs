//! Photoshop files without a flattened picture (Adobe Photoshop File Formats Specification, 2019), built here byte by
//! byte.

use crate::harness::{
    MAGICK, check_damage, convert, convert_with_notes, directory, has, magick, pixels, psnr, scene,
};
use convertd::{error::Kind, job::Quality};
use std::path::Path;

/// The resource that states that there is no flattened picture (number 1057).
const UNFLATTENED: &[u8] = &[
    b'8', b'B', b'I', b'M', 4, 33, 0, 0, 0, 0, 0, 14, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1,
];

/// A layer: its rectangle, its blend mode, opacity and flags, its colour and alpha, and the additional data of its
/// record.
struct Layer<'a> {
    /// Left, top, width and height.
    place: [i32; 4],
    mode: &'a [u8; 4],
    opacity: u8,
    flags: u8,
    pixel: [u8; 4],
    mask: Option<([i32; 4], u8, u8)>,
    more: &'a [u8],
}

const PLAIN: Layer<'static> = Layer {
    place: [0, 0, 4, 3],
    mode: b"norm",
    opacity: 255,
    flags: 0,
    pixel: [0, 0, 0, 255],
    mask: None,
    more: &[],
};

fn rectangle([left, top, width, height]: [i32; 4]) -> Vec<u8> {
    let sides = [top, left, top + height, left + width];
    sides.into_iter().flat_map(i32::to_be_bytes).collect()
}

fn section(content: &[u8]) -> Vec<u8> {
    [&(content.len() as u32).to_be_bytes()[..], content].concat()
}

/// A file of 4 × 3 RGB pixels. Channels are uncompressed, PackBits-coded and Deflate-coded in turn.
fn psd(layers: &[Layer<'_>]) -> Vec<u8> {
    let mut records = (layers.len() as i16).to_be_bytes().to_vec();
    let mut data = Vec::new();
    for layer in layers {
        records.extend(rectangle(layer.place));
        let mut channels: Vec<(i16, [i32; 4], u8)> = [-1, 0, 1, 2]
            .into_iter()
            .map(|id: i16| (id, layer.place, layer.pixel[(id + 4) as usize % 4]))
            .collect();
        channels[0].2 = layer.pixel[3];
        for id in 0..3 {
            channels[id + 1].2 = layer.pixel[id];
        }
        channels.extend(layer.mask.map(|(place, value, _)| (-2, place, value)));
        records.extend((channels.len() as u16).to_be_bytes());
        for (at, (id, [.., width, height], value)) in channels.into_iter().enumerate() {
            let (width, height) = (width as usize, height as usize);
            let plain = vec![value; width * height];
            let mut stored = match at {
                0 => vec![0, 0],
                1 => vec![0, 1],
                2 => vec![0, 2],
                _ => vec![0, 3],
            };
            match at {
                0 => stored.extend(plain),
                1 => {
                    stored.extend([0, 2].repeat(height));
                    stored.extend([(257 - width.max(2)) as u8, value].repeat(height));
                }
                2 => stored.extend(zlib(&plain)),
                _ => {
                    let mut row = vec![0; width];
                    if let Some(first) = row.first_mut() {
                        *first = value;
                    }
                    stored.extend(zlib(&row.repeat(height)));
                }
            }
            records.extend(id.to_be_bytes());
            records.extend((stored.len() as u32).to_be_bytes());
            data.extend(stored);
        }
        records.extend(b"8BIM");
        records.extend(layer.mode);
        records.extend([layer.opacity, 0, layer.flags, 0]);
        let mask = layer.mask.map_or(Vec::new(), |(place, _, beyond)| {
            [rectangle(place), vec![beyond, 0, 0, 0]].concat()
        });
        let name = [5, b'n', b'a', b'm', b'e', b's', 0, 0];
        let extra = [
            section(&mask),
            section(&[]),
            name.to_vec(),
            layer.more.to_vec(),
        ]
        .concat();
        records.extend(section(&extra));
    }
    let layers = section(&section(&[records, data].concat()));
    let mut file = b"8BPS\0\x01\0\0\0\0\0\0\0\x03\0\0\0\x03\0\0\0\x04\0\x08\0\x03".to_vec();
    file.extend(section(&[]));
    file.extend(section(UNFLATTENED));
    file.extend(layers);
    // A white picture in the place of the flattened one.
    file.extend([0, 0]);
    file.extend([255; 36]);
    file
}

/// Stored Deflate blocks with a header and a checksum (RFC 1950, RFC 1951).
fn zlib(plain: &[u8]) -> Vec<u8> {
    let (mut a, mut b) = (1_u32, 0_u32);
    for byte in plain {
        a = (a + u32::from(*byte)) % 65_521;
        b = (b + a) % 65_521;
    }
    let len = (plain.len() as u16).to_le_bytes();
    let not = (!(plain.len() as u16)).to_le_bytes();
    let sum = (b << 16 | a).to_be_bytes();
    [&[0x78, 1, 1][..], &len, &not, plain, &sum].concat()
}

#[track_caller]
fn check(layers: &[Layer<'_>], expected: &[((u32, u32), [u8; 4])], says: &str) {
    let (result, notes) =
        convert_with_notes(&psd(layers), "a.psd", "png", Quality::Low, &[]).unwrap();
    let result = pixels(&result);
    assert_eq!(result.dimensions(), (4, 3));
    for ((x, y), pixel) in expected {
        assert_eq!(result.get_pixel(*x, *y).0, *pixel, "{x}, {y}");
    }
    let found = notes.0.iter().any(|note| note.contains(says));
    assert!(found, "{notes:?}");
}

const RED: [u8; 4] = [255, 0, 0, 255];
const BLUE: [u8; 4] = [0, 0, 255, 255];

#[test]
fn layers_are_composed_at_their_positions() {
    let below = Layer {
        pixel: RED,
        ..PLAIN
    };
    let above = Layer {
        place: [2, 1, 9, 9],
        pixel: BLUE,
        ..PLAIN
    };
    check(
        &[below, above],
        &[((1, 1), RED), ((2, 1), BLUE), ((3, 2), BLUE), ((3, 0), RED)],
        "of 2 of its layers",
    );
    let half = Layer {
        place: [-1, -1, 3, 3],
        opacity: 128,
        pixel: BLUE,
        ..PLAIN
    };
    let below = Layer {
        pixel: RED,
        ..PLAIN
    };
    check(
        &[below, half],
        &[((1, 1), [127, 0, 128, 255]), ((2, 1), RED)],
        "2 of its layers",
    );
    let alone = Layer {
        place: [1, 0, 1, 3],
        pixel: [9, 8, 7, 128],
        ..PLAIN
    };
    check(
        &[alone],
        &[((0, 0), [0; 4]), ((1, 2), [9, 8, 7, 128])],
        "1 of its layers",
    );
}

#[test]
fn modes_masks_and_groups_are_applied_and_losses_get_a_note() {
    let below = || Layer {
        pixel: [200, 100, 50, 255],
        ..PLAIN
    };
    let with = |mode| Layer {
        mode,
        pixel: [128, 128, 128, 255],
        ..PLAIN
    };
    check(
        &[below(), with(b"mul ")],
        &[((0, 0), [100, 50, 25, 255])],
        "2 of its layers.",
    );
    check(
        &[below(), with(b"hue ")],
        &[((0, 0), [128, 128, 128, 255])],
        "unusual blend modes that are treated as normal: 1",
    );
    let hidden = Layer {
        flags: 2,
        ..with(b"norm")
    };
    check(
        &[below(), hidden],
        &[((0, 0), [200, 100, 50, 255])],
        "hidden layers: 1",
    );
    let masked = Layer {
        mask: Some(([1, 0, 2, 3], 255, 0)),
        ..with(b"norm")
    };
    let (old, new) = ([200, 100, 50, 255], [128, 128, 128, 255]);
    check(
        &[below(), masked],
        &[((0, 0), old), ((1, 1), new), ((3, 0), old)],
        "2 of its layers",
    );
    // A hidden group: its end, a layer in it, and its header.
    let divider = |kind: u8, flags| Layer {
        place: [0; 4],
        flags,
        more: match kind {
            3 => b"8BIMlsct\0\0\0\x04\0\0\0\x03",
            _ => b"8BIMlsct\0\0\0\x04\0\0\0\x01",
        },
        ..PLAIN
    };
    let group = [below(), divider(3, 0), with(b"norm"), divider(1, 2)];
    check(&group, &[((0, 0), old)], "hidden layers: 1");
    let group = [below(), divider(3, 0), with(b"norm"), divider(1, 0)];
    check(&group, &[((0, 0), new)], "2 of its layers.");
    let adjusts = Layer {
        place: [0; 4],
        more: b"8BIMlevl\0\0\0\x04\0\0\0\0",
        ..PLAIN
    };
    check(
        &[below(), adjusts],
        &[((0, 0), old)],
        "adjustment and fill layers: 1",
    );
}

#[test]
fn a_file_without_visible_layers_gives_its_placeholder() {
    let hidden = Layer { flags: 2, ..PLAIN };
    for layers in [&[][..], &[hidden]] {
        let says = "no visible pixels";
        check(layers, &[((0, 0), [255; 4]), ((3, 2), [255; 4])], says);
    }
}

#[test]
fn a_damaged_file_is_refused() {
    let file = psd(&[PLAIN]);
    let end = file.len() - 38;
    check_damage(&file[..end], "a.psd", 7, 3);
    let large = psd(&[Layer {
        place: [0, 0, 4, 3],
        ..PLAIN
    }]);
    let at = large
        .windows(4)
        .rposition(|bytes| bytes == b"norm")
        .unwrap();
    let at = at - 4 - 24 - 2 - 8;
    let mut large = large;
    large[at..at + 8].copy_from_slice(&[0, 1, 0, 0, 0, 1, 0, 0]);
    let err = convert(&large, "a.psd", "png", Quality::Low, &[])
        .map(drop)
        .unwrap_err();
    assert_eq!(err.kind(), Kind::BadInput, "{err}");
}

/// A file with several layers, to which the resource of unflattened files is added.
#[test]
fn layers_are_flattened_as_by_imagemagick() {
    if !has(MAGICK) {
        return;
    }
    let at = directory("layers");
    let scene = scene(&at, "120x90");
    for (name, depth) in [("a.psd", "8"), ("b.psb", "8"), ("c.psd", "16")] {
        let path = |name: &str| at.join(name).display().to_string();
        let (file, flat) = (path(name), path("flat.png"));
        let spot = [
            "(",
            "-size",
            "50x40",
            "gradient:red-blue",
            "-alpha",
            "set",
            "-channel",
            "A",
            "-evaluate",
            "set",
            "60%",
            "+channel",
            "-repage",
            "+30+20",
            ")",
        ];
        // This option comes last, so that it applies to all layers.
        let stored = ["-depth", depth, "-compress", "RLE", &file];
        magick(&[&[scene.as_str(), &scene][..], &spot, &stored].concat());
        magick(&[&[scene.as_str()][..], &spot, &["-flatten", &flat]].concat());
        let mut bytes = std::fs::read(&file).unwrap();
        let resources = 26 + 4;
        let [a, b, c, d] = *bytes[resources..].first_chunk().unwrap();
        let len = u32::from_be_bytes([a, b, c, d]) + UNFLATTENED.len() as u32;
        bytes.splice(
            resources..resources + 4,
            [&len.to_be_bytes()[..], UNFLATTENED].concat(),
        );
        let result = convert(&bytes, name, "png", Quality::Low, &[]).unwrap();
        let found = psnr(
            &pixels(&result),
            &pixels(&std::fs::read(Path::new(&flat)).unwrap()),
        );
        assert!(found > 48.0, "{name}: {found} dB");
    }
    std::fs::remove_dir_all(at).unwrap();
}

/// With more than 8 bits, a block of its own states the transparency of the flattened picture, and not the layer count.
#[test]
fn deep_flattened_pictures_may_be_transparent() {
    #[track_caller]
    fn check(blocks: &[&[u8; 4]], expected: [u8; 4]) {
        let mut tagged = section(&[]);
        tagged.extend(section(&[]));
        for key in blocks {
            tagged.extend(b"8BIM");
            tagged.extend(*key);
            // A layer count of 1, or nothing.
            let content: &[u8] = if *key == b"Lr16" { &[0, 1] } else { &[] };
            tagged.extend(section(content));
        }
        // One pixel of four channels of 16 bits.
        let mut file = b"8BPS\0\x01\0\0\0\0\0\0\0\x04\0\0\0\x01\0\0\0\x01\0\x10\0\x03".to_vec();
        file.extend(section(&[]));
        file.extend(section(&[]));
        file.extend(section(&tagged));
        file.extend([0, 0, 0xff, 0xff, 0x80, 0, 0x80, 0, 0x80, 0]);
        let result = convert(&file, "a.psd", "png", Quality::Low, &[]).unwrap();
        assert_eq!(pixels(&result).get_pixel(0, 0).0, expected);
    }
    // Colours are stored blended with white.
    check(&[b"Mt16", b"Lr16"], [255, 0, 0, 128]);
    check(&[b"Lr16"], [255, 128, 128, 255]);
}
