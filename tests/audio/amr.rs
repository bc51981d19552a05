//! AMR. ffmpeg decodes it in floating point, so not bit by bit as the standard does, and has no encoder. The fixtures
//! are a synthetic voice, without and with pauses (comfort noise).

use crate::{
    bad::refused,
    harness::{Scratch, convert, convert_keeping, ffmpeg, fixture, has, made_by_ffmpeg},
};

/// The samples of a WAV file, without its header.
fn samples(wav: &[u8]) -> Vec<i16> {
    let data = wav.windows(4).position(|w| w == b"data").unwrap() + 8;
    let pairs = wav[data..].chunks_exact(2);
    pairs
        .map(|pair| i16::from_le_bytes([pair[0], pair[1]]))
        .collect()
}

#[test]
fn pauses_keep_their_length() {
    #[track_caller]
    fn check(name: &str, rate: usize) {
        let (wav, notes) = convert(name, &fixture(name), "wav").unwrap();
        assert_eq!(notes.0, [""; 0]);
        let sound = samples(&wav);
        assert_eq!(sound.len(), 3 * rate, "{name}");
        let loudest = |from: usize, to: usize| {
            let part = sound[rate * from / 10..rate * to / 10].iter();
            part.map(|sample| sample.unsigned_abs()).max().unwrap()
        };
        // From 1.65 s to 2.4 s the voice pauses, and comfort noise is heard.
        let (voice, pause, again) = (loudest(5, 15), loudest(19, 23), loudest(25, 29));
        assert!(voice > 4000 && again > 4000, "{name}: {voice}, {again}");
        assert!((1..200).contains(&pause), "{name}: {pause}");
    }
    check("pause.amr", 8_000);
    check("pause.awb", 16_000);
}

#[test]
fn amr_in_3gp_is_decoded() {
    if !has("ffmpeg") {
        return;
    }
    for (name, container) in [
        ("speech.amr", "3gp"),
        ("pause.amr", "3gp"),
        ("speech.awb", "mov"),
    ] {
        let (expected, _) = convert(name, &fixture(name), "wav").unwrap();
        let from = Scratch::new(&name[name.len() - 3..], &fixture(name));
        let file = made_by_ffmpeg(container, &["-i", from.path(), "-c", "copy"]);
        let (wav, _) = convert(&format!("a.{container}"), &file, "wav").unwrap();
        assert!(samples(&wav) == samples(&expected), "{name} in {container}");
    }
}

#[test]
fn frames_marked_as_bad_are_concealed() {
    let mut amr = fixture("speech.amr");
    let (whole, _) = convert("a.amr", &amr, "wav").unwrap();
    // The twenty-first frame: frames have 32 bytes, and the first line has 6.
    let at = 6 + 20 * 32;
    amr[at] &= !4;
    amr[at + 5] ^= 0xff;
    let (wav, _) = convert("a.amr", &amr, "wav").unwrap();
    let (whole, concealed) = (samples(&whole), samples(&wav));
    assert_eq!(whole.len(), concealed.len());
    assert!(whole[..20 * 160] == concealed[..20 * 160] && whole != concealed);
}

#[test]
fn damage_is_reported_and_the_rest_kept() {
    let amr = fixture("speech.amr");
    let cut = &amr[..amr.len() - 7];
    refused("a.amr", cut, "wav", "within a frame");
    let (wav, notes) = convert_keeping("a.amr", cut, "wav").unwrap();
    assert_eq!(samples(&wav).len(), 74 * 160);
    assert!(!notes.0.is_empty());
    refused("a.amr", b"#!AMR\n", "wav", "empty");
    refused(
        "a.amr",
        b"#!AMR_MC1.0\n\0\0\0\x02",
        "wav",
        "several channels",
    );
    refused("a.amr", b"#!AMR-9\n\x3c", "wav", "an unknown kind of AMR");
}

#[test]
fn samples_are_near_those_of_ffmpeg() {
    if !has("ffmpeg") {
        return;
    }
    for name in ["speech.amr", "speech.awb"] {
        let file = fixture(name);
        let (wav, _) = convert(name, &file, "wav").unwrap();
        let (ours, theirs) = (ffmpeg("wav", &wav), ffmpeg("amr", &file));
        assert_eq!((ours.rate, ours.frames()), (theirs.rate, theirs.frames()));
        let signal: f64 = theirs.samples.iter().map(|x| x * x).sum();
        let both = ours.samples.iter().zip(&theirs.samples);
        let noise: f64 = both.map(|(a, b)| (a - b) * (a - b)).sum();
        let decibels = 10.0 * (signal / noise).log10();
        assert!(decibels > 25.0, "{name}: {decibels:.1} dB");
    }
}
