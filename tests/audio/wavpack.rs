//! WavPack: files of its author's program in different modes, and of ffmpeg's encoder. They are compared with ffmpeg's
//! decoder, and with the source.

use crate::{
    bad::refused,
    harness::{Scratch, convert, convert_keeping, ffmpeg, fixture, has, made_by_ffmpeg},
};

const FILES: [&str; 5] = ["tagged.wv", "mono.wv", "lossy.wv", "s32.wv", "f32.wv"];

/// The samples of a WAV file that this program wrote.
fn sound(wav: &[u8]) -> &[u8] {
    &wav[wav.windows(4).position(|w| w == b"data").unwrap() + 8..]
}

/// Offsets of the blocks of a file.
fn blocks(file: &[u8]) -> Vec<usize> {
    let begins = |at: &usize| file[*at..].starts_with(b"wvpk");
    (0..file.len()).filter(begins).collect()
}

#[test]
fn every_sample_equals_that_of_ffmpeg() {
    for name in FILES {
        let file = fixture(name);
        let (wav, notes) = convert(name, &file, "wav").unwrap();
        let is_lossy = name == "lossy.wv";
        assert_eq!(notes.0.len(), usize::from(is_lossy), "{name}: {notes:?}");
        if has("ffmpeg") {
            assert!(ffmpeg("wav", &wav) == ffmpeg("wv", &file), "{name}");
        }
    }
    // Lossless results must equal the source.
    for (name, source) in [("tagged.wv", "s16.wav"), ("mono.wv", "speech.wav")] {
        let (ours, _) = convert(name, &fixture(name), "wav").unwrap();
        let (source, _) = convert(source, &fixture(source), "wav").unwrap();
        assert!(sound(&ours) == sound(&source), "{name}");
    }
}

#[test]
fn files_of_ffmpeg_are_decoded_exactly() {
    if !has("ffmpeg") {
        return;
    }
    #[track_caller]
    fn check(source: &str, format: &str, arguments: &[&str]) {
        let from = Scratch::new("wav", &fixture(source));
        let begin = ["-i", from.path(), "-sample_fmt", format];
        let file = made_by_ffmpeg("wv", &[&begin, arguments].concat());
        let (wav, notes) = convert("a.wv", &file, "wav").unwrap();
        assert_eq!(notes.0, [""; 0]);
        let (ours, theirs) = (ffmpeg("wav", &wav), ffmpeg("wv", &file));
        assert!(ours == theirs, "{source} as {format}, {arguments:?}");
    }
    for level in ["0", "1", "3", "5"] {
        let level = ["-compression_level", level];
        check("s16.wav", "s16p", &level);
        check("speech.wav", "s16p", &level);
    }
    check("u8.wav", "u8p", &[]);
    check("s24.wav", "s32p", &["-joint_stereo", "on"]);
    check("s32.wav", "s32p", &["-joint_stereo", "off"]);
    check("f32.wav", "fltp", &[]);
    check("surround.wav", "s16p", &[]);
    check("s16.wav", "s16p", &["-ar", "37123"]);
    // Both channels are equal.
    check(
        "s16.wav",
        "s16p",
        &["-af", "pan=stereo|c0=c0|c1=c0", "-optimize_mono", "1"],
    );
    check("s16.wav", "s16p", &["-af", "volume=0"]);
}

#[test]
fn tags_at_both_ends_are_not_decoded() {
    let (plain, _) = convert("a.wv", &fixture("tagged.wv"), "wav").unwrap();
    let mut file = b"ID3\x03\0\0\0\0\0\x10TALB\0\0\0\x06\0\0\0First".to_vec();
    file.resize(26, 0);
    file.extend(fixture("tagged.wv"));
    let (flac, _) = convert("a", &file, "flac").unwrap();
    for text in ["TITLE=Täuschung", "ARTIST=Ärtist", "ALBUM=First"] {
        let holds = flac.windows(text.len()).any(|part| part == text.as_bytes());
        assert!(holds, "{text}");
    }
    let (wav, _) = convert("a.flac", &flac, "wav").unwrap();
    let len = sound(&plain).len();
    assert!(sound(&wav)[..len] == *sound(&plain));
}

#[test]
fn damage_is_reported_and_the_rest_kept() {
    let whole = fixture("tagged.wv");
    let (wav, _) = convert("a.wv", &whole, "wav").unwrap();
    let expected = sound(&wav);
    let blocks = blocks(&whole);
    assert!(blocks.len() > 4);
    #[track_caller]
    fn check(file: &[u8], reason: &str) -> Vec<u8> {
        refused("a.wv", file, "wav", reason);
        let (wav, notes) = convert_keeping("a.wv", file, "wav").unwrap();
        assert!(
            notes.0.iter().any(|note| note.contains(reason)),
            "{notes:?}"
        );
        sound(&wav).to_vec()
    }
    // The third block contains the frames from 2000 on, of four bytes each.
    let silent = |sound: &[u8]| {
        assert!(sound.len() == expected.len());
        assert!(sound[..8000] == expected[..8000] && sound[12_000..] == expected[12_000..]);
        assert!(sound[8000..12_000].iter().all(|byte| *byte == 0));
    };
    let mut flipped = whole.clone();
    flipped[blocks[3] - 9] ^= 0x10;
    silent(&check(
        &flipped,
        "1 of its blocks cannot be decoded, the first at 0.05 s",
    ));
    let mut missing = whole.clone();
    missing.drain(blocks[2]..blocks[3]);
    silent(&check(&missing, "a block is missing"));
    let mut lost = whole.clone();
    lost[blocks[2]] = b'W';
    silent(&check(&lost, "a block is missing"));
    // Junk between two blocks loses nothing.
    let mut junk = whole.clone();
    junk.splice(blocks[2]..blocks[2], [0x55; 1000]);
    assert!(sound(&convert("a.wv", &junk, "wav").unwrap().0) == expected);
    let cut = &whole[..blocks[2] + 50];
    assert!(check(cut, "it ends early") == expected[..8000]);
    // A set of blocks without its last block has no usable sound.
    let mut surround = fixture("f32.wv");
    let (wav, _) = convert("a.wv", &surround, "wav").unwrap();
    let before = sound(&wav).to_vec();
    let of_blocks = self::blocks(&surround);
    surround.drain(of_blocks[5]..of_blocks[6]);
    let after = check(&surround, "a block with the other channels is missing");
    assert!(after.len() == before.len() && after != before);
    // This file has only one block.
    let mut all = fixture("mono.wv");
    let middle = all.len() / 2;
    all[middle] ^= 0x10;
    refused("a.wv", &all, "wav", "nothing in the file could be decoded");
}

#[test]
fn unsupported_features_are_named() {
    #[track_caller]
    fn check(at: usize, value: u8, reason: &str) {
        let mut file = fixture("mono.wv");
        file[at] = value;
        refused("a.wv", &file, "wav", reason);
    }
    check(8, 0x11, "version 4.11");
    check(9, 3, "version 3.");
    check(27, 0x80, "DSD");
    // The part with the samples gets the type of a correction part.
    let file = fixture("mono.wv");
    let at = blocks(&file)[0];
    let samples = (at..).find(|at| file[*at] == 0x8a).unwrap();
    check(samples, 0x8b, "convert the .wv file");
    refused("a.wv", &file[..100], "wav", "no complete WavPack block");
}

/// Packets in Matroska have only a part of the block header.
#[test]
fn wavpack_in_matroska_is_decoded() {
    if !has("ffmpeg") {
        return;
    }
    #[track_caller]
    fn check(source: &str, format: &str, container: &str) {
        let from = Scratch::new("wav", &fixture(source));
        let make = |extension: &str| {
            let coded = ["-i", from.path(), "-sample_fmt", format, "-c:a", "wavpack"];
            made_by_ffmpeg(extension, &coded)
        };
        let (alone, _) = convert("a.wv", &make("wv"), "wav").unwrap();
        let (wav, _) = convert(&format!("a.{container}"), &make(container), "wav")
            .unwrap_or_else(|err| panic!("{source}: {err}"));
        assert!(sound(&wav) == sound(&alone), "{source} as {format}");
        assert!(ffmpeg("wav", &wav) == ffmpeg(container, &make(container)));
    }
    check("s16.wav", "s16p", "mka");
    check("speech.wav", "s16p", "mkv");
    check("s24.wav", "s32p", "mka");
    check("f32.wav", "fltp", "mka");
    // Several blocks per packet.
    check("surround.wav", "s16p", "mka");
    for name in FILES {
        let from = Scratch::new("wv", &fixture(name));
        let moved = made_by_ffmpeg("mka", &["-i", from.path(), "-c", "copy"]);
        let (wav, notes) = convert("a.mka", &moved, "wav").unwrap();
        assert!(
            ffmpeg("wav", &wav) == ffmpeg("wv", &fixture(name)),
            "{name}"
        );
        let is_lossy = name == "lossy.wv";
        let is_told = notes.0.iter().any(|note| note.contains("hybrid"));
        assert_eq!(is_told, is_lossy, "{name}: {notes:?}");
    }
}

#[test]
fn damage_in_matroska_is_reported() {
    if !has("ffmpeg") {
        return;
    }
    let from = Scratch::new("wav", &fixture("s16.wav"));
    let often = ["-stream_loop", "9", "-i", from.path(), "-c:a", "wavpack"];
    let whole = made_by_ffmpeg("mka", &often);
    let mut damaged = whole.clone();
    let middle = whole.len() / 2;
    damaged[middle] ^= 0x10;
    refused("a.mka", &damaged, "wav", "cannot be decoded");
    let (kept, notes) = convert_keeping("a.mka", &damaged, "wav").unwrap();
    assert!(notes.0[0].contains("cannot be decoded"), "{notes:?}");
    let (wav, _) = convert("a.mka", &whole, "wav").unwrap();
    assert_eq!(kept.len(), wav.len());
}
