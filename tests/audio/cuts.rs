//! Files that are cut off: they are refused with the number of missing bytes, or converted to exactly the sound of the
//! whole file. Formats without a length may lose the last frame, and no more.

use crate::{
    bad::{refused, wav},
    harness::{Scratch, convert, convert_keeping, fixture, fixtures, has, made_by_ffmpeg},
    pairs::{long_wav, noise},
};
use convertd::error::Kind;

/// Fixtures whose format states neither a duration nor an end.
const OPEN_ENDED: [&str; 11] = [
    "surround.ac3",
    "mono.ac3",
    "tone.eac3",
    "adts.aac",
    "he.aac",
    "mono.mp3",
    "layer2.mp2",
    "speech.amr",
    "speech.awb",
    "pause.amr",
    "pause.awb",
];

/// The samples of a WAV file that this program wrote.
fn sound(wav: &[u8]) -> &[u8] {
    &wav[wav.windows(4).position(|w| w == b"data").unwrap() + 8..]
}

/// Number of positions at which a file is cut.
const MAX_CUTS: usize = 150;

/// Positions of the cuts: the beginnings of pages, frames, boxes and blocks with the bytes around them, and some
/// positions in between. If there are more than [`MAX_CUTS`], only every second, third or later one of them is used.
fn cuts(whole: &[u8]) -> Vec<usize> {
    let marks: [&[u8]; 13] = [
        b"OggS",
        b"wvpk",
        b"\xff\xf8",
        b"\xff\xfb",
        b"mdat",
        b"moov",
        b"moof",
        b"mfra",
        b"SSND",
        b"data",
        b"LIST",
        b"\x1f\x43\xb6\x75",
        b"\xa3",
    ];
    let begins = |at: &usize| marks.iter().any(|mark| whole[*at..].starts_with(mark));
    let mut cuts: Vec<usize> = (0..whole.len())
        .filter(begins)
        .flat_map(|at| [at.saturating_sub(4), at.saturating_sub(1), at, at + 1])
        .collect();
    cuts.extend((0..32).map(|i| whole.len() * i / 32));
    cuts.extend(1..64);
    if whole.len() < 5000 {
        cuts.extend((0..whole.len()).step_by(11));
    }
    cuts.retain(|cut| (1..whole.len()).contains(cut));
    cuts.sort_unstable();
    cuts.dedup();
    let step = cuts.len().div_ceil(MAX_CUTS);
    cuts.into_iter().step_by(step).collect()
}

#[test]
fn truncated_files_are_refused_or_lose_no_sound() {
    for name in fixtures() {
        let whole = fixture(&name);
        if OPEN_ENDED.contains(&name.as_str()) {
            continue;
        }
        let expected = convert(&name, &whole, "wav").unwrap().0;
        for cut in cuts(&whole) {
            // One link of a chain is a complete file.
            if name == "chained.ogg" && cut == whole.len() / 2 {
                continue;
            }
            match convert(&name, &whole[..cut], "wav") {
                Err(err) => assert_eq!(err.kind(), Kind::BadInput, "{name} at {cut}: {err}"),
                // The bytes that were cut are not sound: tags, an index, or padding.
                Ok((wav, _)) => assert!(
                    sound(&wav) == sound(&expected),
                    "{name} cut at {cut} of {} became {} of {} bytes",
                    whole.len(),
                    sound(&wav).len(),
                    sound(&expected).len()
                ),
            }
        }
    }
}

#[test]
fn without_a_stated_length_only_the_truncated_frame_is_lost() {
    /// Positions where the frames of a file end.
    fn ends(bytes: &[u8], length: impl Fn(&[u8]) -> usize) -> Vec<usize> {
        let tag = bytes.starts_with(b"ID3");
        let mut ends = vec![if tag { 10 + usize::from(bytes[9]) } else { 0 }];
        while let Some(at) = ends.last().filter(|at| **at < bytes.len()) {
            ends.push(at + length(&bytes[*at..]));
        }
        ends
    }
    #[track_caller]
    fn check(name: &str, frame_bytes: usize, length: impl Fn(&[u8]) -> usize) {
        let whole = fixture(name);
        let ends = ends(&whole, length);
        assert_eq!(ends.last(), Some(&whole.len()), "{name}");
        for cut in ends[5]..whole.len() {
            let frames = ends[1..].iter().filter(|end| **end <= cut).count();
            let (wav, _) = convert(name, &whole[..cut], "wav").unwrap();
            assert_eq!(sound(&wav).len(), frames * frame_bytes, "{name} at {cut}");
        }
    }
    let padding = |frame: &[u8]| usize::from(frame[2] >> 1 & 1);
    check("mono.mp3", 576 * 2, |frame| 104 + padding(frame));
    check("layer2.mp2", 1152 * 4, |frame| 313 + padding(frame));
    check("adts.aac", 1024 * 4, |frame| {
        usize::from(frame[3] & 3) << 11 | usize::from(frame[4]) << 3 | usize::from(frame[5] >> 5)
    });
}

#[test]
fn messages_state_how_much_is_missing() {
    let half = |name: &str| {
        let whole = fixture(name);
        whole[..whole.len() / 2].to_vec()
    };
    #[track_caller]
    fn check(name: &str, bytes: &[u8], reason: &str) {
        refused(name, bytes, "wav", reason);
        refused(name, bytes, "opus", "damaged=keep");
        let (_, notes) = convert_keeping(name, bytes, "wav").unwrap();
        let told = notes.0.iter().filter(|note| note.contains(reason)).count();
        assert_eq!(told, 1, "{notes:?}");
    }
    check("s16.wav", &half("s16.wav"), "of the 0.15 s");
    check("adpcm_ms.wav", &half("adpcm_ms.wav"), "of the 0.16 s");
    check("big.aiff", &half("big.aiff"), "of the 0.15 s");
    check("sun.au", &half("sun.au"), "of the 0.15 s");
    check(
        "tagged.flac",
        &fixture("tagged.flac")[..25_000],
        "of the 0.15 s",
    );
    check("lame.mp3", &half("lame.mp3"), "of the 0.18 s");
    // If the index is at the end, no sound can be decoded without it.
    refused("a.caf", &half("apple.caf"), "wav", "of the 26590 bytes");
    let opus = convert("a.wav", &noise(75_000), "opus").unwrap().0;
    check("a.opus", &opus[..opus.len() - 3], "are cut short");
    refused("a.webm", &half("opus.webm"), "wav", "of the 2771 bytes");
}

#[test]
fn damage_in_the_middle_is_reported() {
    let mut flac = convert("a.wav", &long_wav(50_000), "flac").unwrap().0;
    let middle = flac.len() / 2;
    flac[middle..middle + 40].fill(0);
    refused("a.flac", &flac, "wav", "frames are missing at");
    let mut ogg = convert("a.wav", &noise(75_000), "ogg").unwrap().0;
    let middle = ogg.len() / 2;
    ogg[middle] ^= 1;
    refused("a.ogg", &ogg, "wav", "have a wrong checksum");
    let mut mp3 = fixture("mono.mp3");
    let third = mp3
        .windows(2)
        .skip(300)
        .position(|w| w == b"\xff\xf3")
        .unwrap()
        + 300;
    mp3[third..third + 20].fill(0);
    refused("a.mp3", &mp3, "wav", "belong to no frame");
    let mut aac = fixture("adts.aac");
    let third = aac
        .windows(2)
        .skip(600)
        .position(|w| w == b"\xff\xf1")
        .unwrap()
        + 600;
    aac[third] = 0;
    refused("a.aac", &aac, "wav", "belong to no frame");
}

#[test]
fn damage_in_a_lossless_stream_becomes_silence_on_request() {
    if !has("ffmpeg") {
        return;
    }
    let wav = noise(50_000);
    let source = Scratch::new("wav", &wav);
    let mut mka = made_by_ffmpeg("mka", &["-i", source.path(), "-c:a", "flac"]);
    let middle = mka.len() / 2;
    mka[middle..middle + 40].fill(0);
    refused("a.mka", &mka, "wav", "cannot be decoded");
    let (kept, notes) = convert_keeping("a.mka", &mka, "wav").unwrap();
    assert_eq!(sound(&kept).len(), sound(&wav).len());
    assert!(
        notes
            .0
            .iter()
            .any(|note| note.contains("cannot be decoded")),
        "{notes:?}"
    );
}

#[test]
fn placeholder_lengths_are_ignored() {
    let samples = [7u8; 2000];
    #[track_caller]
    fn check(name: &str, bytes: &[u8], expected: usize) {
        let (wav, notes) = convert(name, bytes, "wav").unwrap();
        assert_eq!(sound(&wav).len(), expected);
        assert!(notes.0.is_empty(), "{notes:?}");
    }
    for length in [0, 0x7fff_f000, 0x8000_0000, 0xffff_ffff_u32] {
        let mut streamed = wav(8000, 1, 16, 1, &samples);
        streamed[40..44].copy_from_slice(&length.to_le_bytes());
        check("a.wav", &streamed, 2000);
    }
    // AIFF as ffmpeg and sox write it to a pipe.
    for (frames, size) in [(0, 0), (0x3f80_0000_u32, 0x7f00_0008_u32)] {
        let mut aiff = b"FORM\0\0\0\0AIFFCOMM\0\0\0\x12\0\x01".to_vec();
        aiff.extend(frames.to_be_bytes());
        aiff.extend(b"\0\x10\x40\x0b\xfa\0\0\0\0\0\0\0SSND");
        aiff.extend(size.to_be_bytes());
        aiff.extend([0; 8]);
        aiff.extend(samples);
        check("a.aiff", &aiff, 2000);
    }
    let mut au = b".snd\0\0\0\x18\xff\xff\xff\xff\0\0\0\x03\0\0\x1f\x40\0\0\0\x01".to_vec();
    au.extend(samples);
    check("a.au", &au, 2000);
}

#[test]
fn joined_files_are_decoded_to_the_end() {
    #[track_caller]
    fn check(name: &str, parts: &[&str], frames: usize) {
        let joined: Vec<u8> = parts.iter().flat_map(|part| fixture(part)).collect();
        let (wav, _) = convert(name, &joined, "wav").unwrap();
        assert_eq!(sound(&wav).len() / 4, frames);
    }
    let frames = |name: &str| sound(&convert(name, &fixture(name), "wav").unwrap().0).len() / 4;
    check("a.aac", &["adts.aac", "adts.aac"], 2 * frames("adts.aac"));
    // The delay of the first file is cut off; the padding of both, and the delay of the second, are kept.
    let (delay, all) = (1105, 2 * 7 * 1152);
    assert_eq!(frames("lame.mp3"), 6615);
    check("a.mp3", &["lame.mp3", "lame.mp3"], all - delay);
}
