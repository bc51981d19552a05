//! HEIC files of x265, compared with the pictures that libheif decodes: `tests/data/heic/make.py` shows how they were
//! made.

use crate::harness::{self, convert, convert_with_notes, pixels, psnr};
use convertd::{error::Kind, job::Quality};
use image::RgbaImage;

fn data(name: &str) -> Vec<u8> {
    harness::data(&format!("heic/{name}"))
}

/// The pixels of the picture `name`, converted with these fields.
#[track_caller]
fn ours(name: &str, fields: &[(&str, &str)]) -> RgbaImage {
    let input = data(&format!("{name}.heic"));
    let result = convert(&input, "a.heic", "png", Quality::Low, fields);
    pixels(&result.unwrap_or_else(|err| panic!("{name}: {err}")))
}

#[track_caller]
fn check(name: &str, least: f64) {
    let theirs = pixels(&data(&format!("{name}.png")));
    let found = psnr(&ours(name, &[]), &theirs);
    assert!(found >= least, "{name}: {found} dB");
}

#[test]
fn pictures_are_cropped_rotated_and_mirrored() {
    for name in [
        "turn1",
        "turn2",
        "turn3",
        "turn0-mirror0",
        "turn0-mirror1",
        "turn1-mirror0",
        "turn3-mirror1",
        "cut",
        "cut-turned",
        "identity",
    ] {
        check(name, 45.0);
    }
}

#[test]
fn all_samplings_depths_and_ranges_are_read() {
    for name in ["plain444", "grey", "ten444", "any-brand"] {
        check(name, 45.0);
    }
    // Decoders differ in how they interpolate subsampled chroma.
    for name in ["plain420", "plain422", "limited420", "ten420", "twelve422"] {
        check(name, 37.0);
    }
}

#[test]
fn ten_bits_become_sixteen() {
    let result = convert(&data("ten444.heic"), "a.heic", "png", Quality::Low, &[]).unwrap();
    let deep = image::load_from_memory(&result).unwrap().to_rgb16();
    // Samples expanded from 8 bits would be multiples of 257.
    assert!(deep.iter().any(|sample| sample % 257 != 0));
}

#[test]
fn tiles_and_layers_are_composed() {
    check("grid", 38.0);
    check("grid-ten", 38.0);
    check("overlay", 45.0);
}

#[test]
fn alpha_images_may_have_colour_and_another_size() {
    check("alpha", 45.0);
    check("alpha420", 45.0);
    check("alpha-small", 30.0);
}

#[test]
fn metadata_is_kept_on_request() {
    let input = data("described.heic");
    let keep = [("metadata", "keep")];
    let result = convert(&input, "a.heic", "jpg", Quality::Low, &keep).unwrap();
    for part in [&b"Somebody"[..], b"x:xmpmeta", b"ICC_PROFILE"] {
        assert!(result.windows(part.len()).any(|window| window == part));
    }
    let result = convert(&input, "a.heic", "jpg", Quality::Low, &[]).unwrap();
    assert!(!result.windows(8).any(|window| window == b"Somebody"));
}

#[test]
fn content_distinguishes_heic_from_avif() {
    for brand in [b"mif1", b"msf1", b"miaf"] {
        for (folder, name, notes) in [("heic", "plain444.heic", 0), ("avif", "plain444.avif", 0)] {
            let mut input = harness::data(&format!("{folder}/{name}"));
            input[8..12].copy_from_slice(brand);
            let result = convert_with_notes(&input, "a", "png", Quality::Low, &[]);
            assert_eq!(result.unwrap().1.0.len(), notes, "{name}");
        }
    }
}

#[test]
fn other_codecs_are_refused_by_name() {
    #[track_caller]
    fn check(brand: &[u8; 4], kind: &[u8; 4], says: &str) {
        let mut file = data("any-brand.heic");
        file[8..12].copy_from_slice(brand);
        let at = file.windows(4).position(|at| at == b"hvc1").unwrap();
        file[at..at + 4].copy_from_slice(kind);
        let err = convert(&file, "a.heif", "png", Quality::Low, &[]).unwrap_err();
        assert!(err.message().contains(says), "{err}");
        assert!(err.message().contains("not supported"), "{err}");
    }
    check(b"mif1", b"unci", "uncompressed");
    check(b"jpeg", b"jpeg", "JPEG");
    check(b"avci", b"avc1", "H.264");
}

#[test]
fn circular_references_end() {
    let mut input = data("identity.heic");
    // A reference: its length, its type, the referring item, the number of items, and the items.
    let reference = b"dimg\0\x02\0\x01\0\x01";
    let at = input
        .windows(reference.len())
        .position(|window| window == reference)
        .unwrap();
    // The picture now consists of itself.
    input[at + 9] = 2;
    let err = convert(&input, "a.heic", "png", Quality::Low, &[]).unwrap_err();
    assert_eq!(err.kind(), Kind::BadInput);
    assert!(err.message().contains("nested too deeply"), "{err}");
}

#[test]
fn damaged_pictures_are_refused() {
    for name in [
        "plain420.heic",
        "grid-ten.heic",
        "overlay.heic",
        "identity.heic",
        "alpha.heic",
    ] {
        harness::check_damage(&data(name), name, 101, 37);
    }
}
