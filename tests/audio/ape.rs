//! Monkey's Audio, whose only encoder is that of its author: files of each sample width and of three compression
//! levels. They are compared with ffmpeg's decoder.

use crate::{
    bad::refused,
    harness::{convert, convert_keeping, ffmpeg, fixture, has},
};

const FILES: [&str; 5] = [
    "short.ape",
    "mono.ape",
    "eight.ape",
    "wide.ape",
    "insane.ape",
];

#[test]
fn every_sample_equals_that_of_ffmpeg() {
    for name in FILES {
        let ape = fixture(name);
        let (wav, notes) = convert(name, &ape, "wav").unwrap();
        assert_eq!(notes.0, [""; 0], "{name}");
        if has("ffmpeg") {
            assert!(ffmpeg("wav", &wav) == ffmpeg("ape", &ape), "{name}");
        }
        // To another lossless format and back.
        let (flac, _) = convert(name, &ape, "flac").unwrap();
        assert!(convert("a.flac", &flac, "wav").unwrap().0 == wav, "{name}");
    }
}

#[test]
fn tags_at_both_ends_are_not_decoded() {
    let ape = fixture("short.ape");
    let (plain, _) = convert("a.ape", &ape, "wav").unwrap();
    let mut file = b"ID3\x03\0\0\0\0\0\x10TIT2\0\0\0\x06\0\0\0First".to_vec();
    file.resize(26, 0);
    file.extend(&ape);
    file.extend(b"\x05\0\0\0\0\0\0\0Artist\0Aysel");
    file.extend(b"APETAGEX\xd0\x07\0\0\x34\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0");
    let (flac, _) = convert("a", &file, "flac").unwrap();
    let holds = |text: &[u8]| flac.windows(text.len()).any(|part| part == text);
    assert!(holds(b"TITLE=First") && holds(b"ARTIST=Aysel"));
    let (wav, _) = convert("a.flac", &flac, "wav").unwrap();
    let sound = |wav: &[u8]| wav[wav.windows(4).position(|w| w == b"data").unwrap()..].to_vec();
    let len = sound(&plain).len();
    assert!(sound(&wav)[..len] == sound(&plain));
}

#[test]
fn damage_is_reported_and_the_rest_kept() {
    let mut ape = fixture("insane.ape");
    let at = ape.len() / 2;
    ape[at] ^= 0x10;
    refused("a.ape", &ape, "wav", "nothing in the file could be decoded");

    let ape = fixture("eight.ape");
    let half = &ape[..ape.len() / 2];
    refused("a.ape", half, "wav", "nothing in the file could be decoded");
    let short = fixture("short.ape");
    assert!(convert_keeping("a.ape", &short[..40], "wav").is_err());
}

#[test]
fn unsupported_features_are_named() {
    #[track_caller]
    fn check(at: usize, value: [u8; 2], reason: &str) {
        let mut ape = fixture("short.ape");
        ape[at..at + 2].copy_from_slice(&value);
        refused("a.ape", &ape, "wav", reason);
    }
    check(4, 3920_u16.to_le_bytes(), "version 3.92");
    // The header follows a descriptor of 52 bytes.
    check(52, 2500_u16.to_le_bytes(), "level is 2500");
    check(54, 4096_u16.to_le_bytes(), "floating-point");
    check(68, 12_u16.to_le_bytes(), "12 bits");
    check(64, [0, 0], "no sound");
}
