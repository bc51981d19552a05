//! AC-3 and Enhanced AC-3: streams of ffmpeg's encoder, compared with ffmpeg's decoder. Both decoders fill frequencies
//! that are not coded with random noise. So the results differ by that noise, which is the weaker the higher the bit
//! rate is.

use crate::{
    bad::refused,
    harness::{Scratch, convert, convert_keeping, ffmpeg, fixture, has, made_by_ffmpeg},
    pairs::closeness,
};

/// Noise, and in each channel a different tone that comes and goes.
fn tones(channels: usize, layout: &str) -> String {
    let tone = |at| {
        format!(
            "0.2*sin({}*2*PI*t)*(1+sin({}*t))/2+0.02*random({at})",
            330 + 170 * at,
            3 + at
        )
    };
    let all: Vec<String> = (0..channels).map(tone).collect();
    format!("aevalsrc='{}':c={layout}:s=48000:d=1", all.join("|"))
}

#[test]
fn streams_are_decoded_as_by_ffmpeg() {
    if !has("ffmpeg") {
        return;
    }
    #[track_caller]
    fn check(channels: usize, layout: &str, rate: &str, bits: &str, least: f64) {
        let tones = tones(channels, layout);
        let source = ["-f", "lavfi", "-i", &tones];
        let coded = made_by_ffmpeg("ac3", &[&source[..], &["-ar", rate, "-b:a", bits]].concat());
        let (wav, notes) = convert("a.ac3", &coded, "wav").unwrap();
        assert_eq!(notes.0, [""; 0]);
        let (ours, theirs) = (ffmpeg("wav", &wav), ffmpeg("ac3", &coded));
        assert_eq!((ours.rate, ours.channels), (theirs.rate, theirs.channels));
        assert_eq!(ours.samples.len(), theirs.samples.len());
        let close = closeness(&theirs.samples, &ours.samples);
        assert!(close >= least, "{layout}, {rate}, {bits}: {close:.1} dB");
    }
    check(1, "mono", "48000", "192k", 28.0);
    check(1, "mono", "32000", "64k", 28.0);
    check(2, "stereo", "48000", "640k", 70.0);
    check(2, "stereo", "44100", "192k", 28.0);
    // This bit rate uses coupling.
    check(2, "stereo", "48000", "64k", 28.0);
    check(3, "3.0", "48000", "448k", 28.0);
    check(3, "2.1", "48000", "448k", 70.0);
    check(3, "3.0(back)", "48000", "448k", 28.0);
    check(4, "4.0", "48000", "448k", 28.0);
    check(4, "quad(side)", "48000", "448k", 28.0);
    check(5, "5.0(side)", "48000", "640k", 28.0);
    check(6, "5.1(side)", "48000", "640k", 28.0);
    check(6, "5.1(side)", "48000", "224k", 28.0);
}

#[test]
fn ac3_in_videos_is_decoded() {
    if !has("ffmpeg") {
        return;
    }
    let coded = fixture("surround.ac3");
    let (expected, _) = convert("a.ac3", &coded, "wav").unwrap();
    let from = Scratch::new("ac3", &coded);
    for container in ["mkv", "mp4", "mov", "mka"] {
        let file = made_by_ffmpeg(container, &["-i", from.path(), "-c", "copy"]);
        let (wav, _) = convert(&format!("a.{container}"), &file, "wav")
            .unwrap_or_else(|err| panic!("{container}: {err}"));
        assert!(wav == expected, "{container}");
    }
}

#[test]
fn damage_is_reported() {
    let whole = fixture("surround.ac3");
    let (expected, _) = convert("a.ac3", &whole, "wav").unwrap();
    let mut damaged = whole.clone();
    damaged[4000] ^= 0x10;
    refused("a.ac3", &damaged, "wav", "checksum");
    let (wav, notes) = convert_keeping("a.ac3", &damaged, "wav").unwrap();
    assert!(notes.0[0].contains("checksum"), "{notes:?}");
    assert_eq!(wav.len(), expected.len());
    // Whole frames may be missing at the end, as in any stream.
    let cut = &whole[..whole.len() - 768];
    assert!(convert("a.ac3", cut, "wav").unwrap().0.len() < expected.len());
    let two = [&whole[..], &fixture("mono.ac3"), &whole].concat();
    refused("a.ac3", &two, "wav", "belong to no frame");
}

/// Enhanced AC-3, by itself and in videos.
#[test]
fn enhanced_ac3_is_decoded_as_by_ffmpeg() {
    if !has("ffmpeg") {
        return;
    }
    #[track_caller]
    fn check(channels: usize, layout: &str, rate: &str, bits: &str, least: f64) {
        let tones = tones(channels, layout);
        let source = ["-f", "lavfi", "-i", &tones, "-ar", rate, "-b:a", bits];
        let coded = made_by_ffmpeg("eac3", &source);
        let (wav, notes) = convert("a.eac3", &coded, "wav").unwrap();
        assert_eq!(notes.0, [""; 0]);
        let (ours, theirs) = (ffmpeg("wav", &wav), ffmpeg("eac3", &coded));
        assert_eq!((ours.rate, ours.channels), (theirs.rate, theirs.channels));
        assert_eq!(ours.samples.len(), theirs.samples.len());
        let close = closeness(&theirs.samples, &ours.samples);
        assert!(close >= least, "{layout}, {rate}, {bits}: {close:.1} dB");
        let from = Scratch::new("eac3", &coded);
        // At 44.1 kHz, ffmpeg rounds the duration of a track.
        let containers = ["mkv", "mp4", "mov"]
            .into_iter()
            .filter(|_| rate != "44100");
        for container in containers {
            let file = made_by_ffmpeg(container, &["-i", from.path(), "-c", "copy"]);
            let (other, _) = convert(&format!("a.{container}"), &file, "wav")
                .unwrap_or_else(|err| panic!("{container}: {err}"));
            assert!(other == wav, "{container}");
        }
    }
    check(1, "mono", "48000", "96k", 28.0);
    check(1, "mono", "32000", "64k", 28.0);
    check(2, "stereo", "48000", "640k", 70.0);
    check(2, "stereo", "44100", "192k", 28.0);
    check(2, "stereo", "48000", "64k", 28.0);
    check(3, "2.1", "48000", "448k", 70.0);
    check(4, "quad(side)", "48000", "448k", 28.0);
    check(6, "5.1(side)", "48000", "640k", 28.0);
    check(6, "5.1(side)", "48000", "224k", 28.0);
}
