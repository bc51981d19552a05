//! DirectDraw surfaces, compressed and uncompressed, compared with the pictures that Pillow decodes; see
//! `tests/data/dds/make.py`.

use crate::harness::{convert, convert_with_notes, data, pixels};
use convertd::{error::Kind, job::Quality};

/// The largest difference of a sample between a surface and the picture of the same name. Decoders round interpolated
/// values in different ways.
fn difference(name: &str) -> u8 {
    let file = data(&format!("dds/{name}.dds"));
    let ours = pixels(&convert(&file, "a.dds", "png", Quality::Low, &[]).unwrap());
    let theirs = pixels(&data(&format!("dds/{name}.png")));
    assert_eq!(ours.dimensions(), theirs.dimensions(), "{name}");
    let samples = ours.as_raw().iter().zip(theirs.as_raw());
    samples.map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0)
}

#[test]
fn blocks_are_decoded_as_by_pillow() {
    #[track_caller]
    fn check(name: &str, most: u8) {
        let found = difference(name);
        assert!(found <= most, "{name}: samples differ by {found}");
    }
    for name in ["bc1", "bc2", "bc3", "bc4", "bc5", "bc5-signed", "bc7"] {
        check(name, 2);
    }
}

#[test]
fn blocks_of_floats_become_linear_light() {
    #[track_caller]
    fn check(name: &str) {
        let file = data(&format!("dds/{name}.dds"));
        let result = convert(&file, "a.dds", "exr", Quality::Low, &[]).unwrap();
        let ours = image::load_from_memory(&result).unwrap().to_rgb32f();
        // Pillow clips to the range from 0 to 1, and keeps 8 bits.
        let theirs = image::load_from_memory(&data(&format!("dds/{name}.png"))).unwrap();
        for (ours, theirs) in ours.pixels().zip(theirs.to_rgb8().pixels()) {
            for (ours, theirs) in ours.0.into_iter().zip(theirs.0) {
                let ours = (ours.clamp(0.0, 1.0) * 255.0).round();
                assert!(
                    (ours - f32::from(theirs)).abs() <= 1.0,
                    "{name}: {ours}, {theirs}"
                );
            }
        }
    }
    check("bc6h");
}

#[test]
fn associated_alpha_is_divided_out() {
    #[track_caller]
    fn check(name: &str, code: &[u8; 4]) {
        let mut file = data(&format!("dds/{name}.dds"));
        let plain = pixels(&convert(&file, "a.dds", "png", Quality::Low, &[]).unwrap());
        file[84..88].copy_from_slice(code);
        let divided = pixels(&convert(&file, "a.dds", "png", Quality::Low, &[]).unwrap());
        assert_ne!(plain, divided);
        for (plain, divided) in plain.pixels().zip(divided.pixels()) {
            let [.., alpha] = plain.0;
            assert_eq!(alpha, divided[3], "{name}");
            for (plain, divided) in plain.0.into_iter().zip(divided.0).take(3) {
                let expected = (u32::from(plain) * 255 / u32::from(alpha).max(1)).min(255) as u8;
                let is_seen = alpha > 0;
                assert!(
                    !is_seen || expected.abs_diff(divided) <= 2,
                    "{name}: {plain} at alpha {alpha} became {divided}"
                );
            }
        }
    }
    check("bc2", b"DXT2");
    check("bc3", b"DXT4");
}

#[test]
fn only_a_surface_with_transparent_pixels_has_alpha() {
    let has_alpha = |file: &[u8]| {
        let result = convert(file, "a.dds", "png", Quality::Low, &[]).unwrap();
        let picture = image::load_from_memory(&result).unwrap();
        picture.color().has_alpha()
    };
    let mut file = data("dds/bc1.dds");
    assert!(has_alpha(&file));
    // In every block, the first colour is made the larger one, so that there are four colours and no transparent one.
    for block in file[128..].chunks_exact_mut(8) {
        block[..4].copy_from_slice(&[0xff, 0xff, 0, 0]);
    }
    assert!(!has_alpha(&file));
}

#[test]
fn the_first_face_of_a_cube_map_is_kept_and_the_others_are_named() {
    let mut file = data("dds/bc3.dds");
    // DDSCAPS_COMPLEX, and all six faces (dwCaps2).
    file[108..112].copy_from_slice(&0x1008u32.to_le_bytes());
    file[112..116].copy_from_slice(&0xfe00u32.to_le_bytes());
    for _ in 0..5 {
        file.extend_from_within(128..448);
    }
    let (result, notes) = convert_with_notes(&file, "a.dds", "png", Quality::Low, &[]).unwrap();
    assert_eq!(pixels(&result).dimensions(), (18, 14));
    assert!(
        notes.0.iter().any(|note| note.contains("cube map")),
        "{notes:?}"
    );
}

#[test]
fn a_truncated_surface_is_refused() {
    for name in ["bc1", "bc6h", "bc7"] {
        let file = data(&format!("dds/{name}.dds"));
        for len in [20, 130, 200, file.len() - 1] {
            let result = convert(&file[..len], "a.dds", "png", Quality::Low, &[]);
            assert_eq!(result.unwrap_err().kind(), Kind::BadInput, "{name}, {len}");
        }
    }
}

/// Pillow (13.0) decodes this file in the same way.
#[test]
fn a_palette_comes_before_the_indices() {
    let mut file = b"DDS \x7c\0\0\0\x07\x10\0\0".to_vec();
    // Two rows of three pixels.
    file.extend([2, 0, 0, 0, 3, 0, 0, 0]);
    file.resize(128, 0);
    (file[76], file[80], file[88], file[109]) = (32, 0x20, 8, 0x10);
    for colour in 0..=255 {
        file.extend([colour, 255 - colour, 7, if colour == 9 { 0 } else { 255 }]);
    }
    file.extend([0, 1, 2, 9, 254, 255]);
    let read = |file: &[u8], target| convert(file, "a.dds", target, Quality::Low, &[]);
    let colours = [
        [0, 255, 7, 255],
        [1, 254, 7, 255],
        [2, 253, 7, 255],
        [9, 246, 7, 0],
        [254, 1, 7, 255],
        [255, 0, 7, 255],
    ];
    for target in ["png", "tiff"] {
        let found = pixels(&read(&file, target).unwrap());
        assert_eq!(found.dimensions(), (3, 2));
        for (found, expected) in found.pixels().zip(colours) {
            assert_eq!(found.0[3], expected[3]);
            assert!(found.0[3] == 0 || found.0 == expected, "{target}");
        }
    }
    let err = read(&file[..file.len() - 1], "png").unwrap_err();
    assert_eq!(err.kind(), Kind::BadInput);
}
