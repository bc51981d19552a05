//! Every third pair of a fixture and a target: the length must be exact, a lossless result equal, a lossy one similar.

use crate::bad::wav;
use crate::harness::{
    Counting, Scratch, Sound, TARGETS, convert, convert_through, ffmpeg, fixture, fixtures, has,
    run,
};
use convertd::job::Quality;
use std::sync::atomic::Ordering;

/// Targets that can store any fixture without loss.
const LOSSLESS: [&str; 4] = ["wav", "flac", "aiff", "au"];

/// Returns whether the sound of a fixture was encoded with a lossy codec.
fn is_lossy(name: &str) -> bool {
    let lossless = [
        ".wav", ".flac", ".oga", ".aiff", ".aifc", ".au", ".caf", ".mov", ".ape", ".wv",
    ];
    let exact = lossless.iter().any(|end| name.ends_with(end)) || name.starts_with("alac");
    !exact || name.starts_with("adpcm")
}

/// Number of frames in a fixture, for files of which ffmpeg's decoder plays the padding, or cuts off the end.
fn frames_of(name: &str, heard: &Sound) -> usize {
    match name {
        "aac.m4a" | "video.mp4" | "vorbis.ogg" | "video.ogv" => 6615,
        "surround.m4a" | "surround.ogg" => 4800,
        _ => heard.frames(),
    }
}

/// Ratio of the signal to its difference from another signal, in decibels.
pub(crate) fn closeness(a: &[f64], b: &[f64]) -> f64 {
    let signal: f64 = a.iter().map(|x| x * x).sum();
    let noise: f64 = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum();
    10.0 * (signal / noise.max(1e-30)).log10()
}

#[test]
fn pairs_keep_the_length_and_the_sound() {
    if !has("ffmpeg") {
        return;
    }
    // ffmpeg plays the padding between the links of a chain, cuts off the delay of HE-AAC twice, and refuses free
    // format and the pauses of AMR.
    let other = [
        "chained.ogg",
        "he-edit.m4a",
        "free.mp3",
        "pause.amr",
        "pause.awb",
    ];
    let names = fixtures().into_iter();
    let names = names.filter(|name| !other.contains(&name.as_str()));
    for (number, name) in names.enumerate() {
        let source = ffmpeg(name.rsplit('.').next().unwrap(), &fixture(&name));
        // Each fixture and each target has its own code, so that every third pair is enough.
        for target in TARGETS.into_iter().skip(number % 3).step_by(3) {
            let (bytes, _) = convert(&name, &fixture(&name), target)
                .unwrap_or_else(|err| panic!("{name} to {target}: {err}"));
            // This version of ffmpeg cannot decode FLAC of 32 bits.
            if target == "flac" && name.starts_with("s32.") {
                continue;
            }
            let result = ffmpeg(target, &bytes);
            check_pair(&name, target, &source, &result);
        }
    }
}

#[track_caller]
fn check_pair(name: &str, target: &str, source: &Sound, result: &Sound) {
    let ratio = f64::from(result.rate) / f64::from(source.rate);
    let expected = (frames_of(name, source) as f64 * ratio).round() as usize;
    // This version of ffmpeg plays the padding at the end of M4A.
    let slack = if target == "m4a" { 1024 } else { 0 };
    // Times in Matroska are in milliseconds, so the lengths may differ.
    let slack_below = if name.ends_with(".mka") { 960 } else { 0 };
    let length = result.frames();
    assert!(
        (expected.saturating_sub(slack_below)..=expected + slack + slack_below).contains(&length),
        "{name} to {target}: {length} frames, not {expected}"
    );
    if result.rate != source.rate || result.channels != source.channels {
        return;
    }
    let count = source.samples.len().min(result.samples.len());
    let close = closeness(&source.samples[..count], &result.samples[..count]);
    let least = match (is_lossy(name), LOSSLESS.contains(&target)) {
        (false, true) => {
            let exact = source.samples == result.samples;
            let wider = name.starts_with("f32") && target == "flac";
            assert!(
                exact || wider,
                "{name} to {target} is not exact: {close:.1} dB"
            );
            100.0
        }
        // AAC decoders differ in the noise that they synthesise.
        (true, true) if name.contains("aac") || name.ends_with("mp4") => 30.0,
        // HE-AAC derives one channel from the other; the reference has 16 bits.
        (true, true) if name.starts_with("he") => 60.0,
        (true, true) if name.starts_with("adpcm") => 90.0,
        // Noise that replaces uncoded frequencies is random.
        (true, true) if name.ends_with(".ac3") => 40.0,
        // At this low bit rate, most of the sound is such noise.
        (true, true) if name.ends_with(".eac3") => 15.0,
        // ffmpeg decodes AMR in floating point.
        (true, true) if name.ends_with(".amr") || name.ends_with(".awb") => 25.0,
        // For a single channel, ffmpeg's result differs from the results of opusdec and of this program.
        (true, true) if name == "surround.opus" => 20.0,
        (true, true) => 70.0,
        (_, false) => 8.0,
    };
    assert!(close >= least, "{name} to {target}: {close:.1} dB");
}

#[test]
fn delay_of_he_aac_is_dropped_once() {
    if !has("ffmpeg") {
        return;
    }
    let edited = fixture("he-edit.m4a");
    let mut plain = edited.clone();
    let at = plain.windows(4).position(|w| w == b"edts").unwrap();
    plain[at..at + 4].copy_from_slice(b"free");
    let whole = ffmpeg("m4a", &plain);
    let (wav, _) = convert("a.m4a", &edited, "wav").unwrap();
    let ours = ffmpeg("wav", &wav);
    assert_eq!((ours.frames(), ours.rate), (44_100, 44_100));
    assert_eq!(ours.channels, whole.channels);
    // Samples beyond full scale are clipped in 16 bits.
    let expected = whole.samples[5058 * whole.channels..].iter();
    let expected: Vec<f64> = expected.map(|x| x.clamp(-1.0, 1.0)).collect();
    let close = closeness(&expected[..ours.samples.len()], &ours.samples);
    assert!(close > 60.0, "{close:.1} dB");
}

#[test]
fn reference_decoders_accept_our_files() {
    #[track_caller]
    fn check(program: &str, arguments: &[&str], target: &str, frames: usize) {
        if !has(program) {
            return;
        }
        let (bytes, _) = convert("s16.wav", &fixture("s16.wav"), target).unwrap();
        let file = Scratch::new(target, &bytes);
        let decoded = Scratch::new("wav", b"");
        let mut all = arguments.to_vec();
        all.extend(["-o", decoded.path(), file.path()]);
        if program == "opusdec" {
            all = [arguments, &[file.path(), decoded.path()]].concat();
        }
        run(program, &all);
        let wav = std::fs::read(decoded.path()).unwrap();
        let data = wav.windows(4).position(|w| w == b"data").unwrap() + 8;
        assert_eq!((wav.len() - data) / 4, frames, "{program}");
    }
    check("flac", &["-s", "-d", "-f"], "flac", 6615);
    check("oggdec", &["-Q"], "ogg", 6615);
    check("opusdec", &["--quiet", "--rate", "48000"], "opus", 7200);
}

#[test]
fn our_decoders_agree_with_ffmpeg() {
    if !has("ffmpeg") {
        return;
    }
    // Sounds of one and of two channels, which use both block sizes.
    for target in ["mp3", "ogg", "opus", "m4a"] {
        let mono = wav(22_050, 1, 16, 1, &noise(20_000)[44..]);
        for wav in [long_wav(60_000), noise(60_000), fixture("s16.wav"), mono] {
            let (bytes, _) = convert("a.wav", &wav, target).unwrap();
            let theirs = ffmpeg(target, &bytes);
            let (ours, _) = convert(&format!("a.{target}"), &bytes, "wav").unwrap();
            let ours = ffmpeg("wav", &ours);
            assert_eq!(ours.channels, theirs.channels, "{target}");
            for channel in 0..ours.channels {
                let one = |sound: &Sound| -> Vec<f64> {
                    let samples = sound.samples.iter().skip(channel).step_by(sound.channels);
                    samples.copied().take(50_000).collect()
                };
                let (theirs, ours) = (one(&theirs), one(&ours));
                let count = theirs.len().min(ours.len());
                let close = closeness(&theirs[..count], &ours[..count]);
                // Our results are dithered. For Opus, opusdec agrees with us, and ffmpeg's decoder is only similar.
                let least = if target == "opus" { 15.0 } else { 40.0 };
                assert!(close > least, "{target}, channel {channel}: {close:.1} dB");
            }
        }
    }
}

#[test]
fn flac_of_every_spec_passes_verification() {
    if !has("flac") {
        return;
    }
    for name in [
        "u8.wav",
        "s16.wav",
        "s24.wav",
        "s32.wav",
        "rate96.wav",
        "surround.wav",
        "speech.wav",
    ] {
        for quality in [Quality::Low, Quality::Medium, Quality::High] {
            for threads in [0, 3] {
                let (bytes, _) = convert_through(
                    &Counting::default(),
                    name,
                    &fixture(name),
                    "flac",
                    quality,
                    threads,
                )
                .unwrap();
                let file = Scratch::new("flac", &bytes);
                run("flac", &["-s", "-t", file.path()]);
                let (wav, _) = convert("x.flac", &bytes, "wav").unwrap();
                let (direct, _) = convert(name, &fixture(name), "wav").unwrap();
                assert_eq!(wav, direct, "{name} {quality} {threads}");
            }
        }
    }
}

#[test]
fn threads_do_not_change_the_result() {
    let long = long_wav(40_000);
    let one = convert_through(
        &Counting::default(),
        "a.wav",
        &long,
        "flac",
        Quality::Medium,
        0,
    )
    .unwrap();
    let four = convert_through(
        &Counting::default(),
        "a.wav",
        &long,
        "flac",
        Quality::Medium,
        3,
    )
    .unwrap();
    assert!(one.0 == four.0);
}

/// A WAV file of two channels, with a falling and a rising tone.
pub(crate) fn long_wav(frames: usize) -> Vec<u8> {
    let mut wav =
        b"RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x02\0\x44\xac\0\0\x10\xb1\x02\0\x04\0\x10\0data"
            .to_vec();
    wav.extend((4 * frames as u32).to_le_bytes());
    for i in 0..frames {
        let x = i as f64 / 44_100.0;
        for sample in [
            (x * 3000.0 - 200.0 * x * x).sin(),
            (x * (900.0 + 100.0 * x)).sin(),
        ] {
            wav.extend(((sample * 20_000.0) as i16).to_le_bytes());
        }
    }
    wav
}

/// Two channels of noise.
pub(crate) fn noise(frames: u32) -> Vec<u8> {
    // Far below full scale, where decoders do not have to clip.
    let sample = |i: u32| (i.wrapping_mul(2_654_435_761) >> 16) as i16 / 8;
    let samples: Vec<u8> = (0..2 * frames)
        .flat_map(|i| sample(i).to_le_bytes())
        .collect();
    wav(44_100, 2, 16, 1, &samples)
}

#[test]
fn higher_quality_makes_lossy_files_larger_and_flac_smaller() {
    let wav = long_wav(60_000);
    for target in TARGETS {
        let sizes = [Quality::Low, Quality::Medium, Quality::High].map(|quality| {
            convert_through(&Counting::default(), "a.wav", &wav, target, quality, 0)
                .unwrap()
                .0
                .len()
        });
        match target {
            "wav" | "aiff" | "au" => assert!(sizes[0] == sizes[2], "{target}: {sizes:?}"),
            "flac" => assert!(
                sizes[0] > sizes[1] && sizes[1] >= sizes[2],
                "{target}: {sizes:?}"
            ),
            _ => assert!(
                sizes[0] < sizes[1] && sizes[1] < sizes[2],
                "{target}: {sizes:?}"
            ),
        }
    }
}

#[test]
fn progress_ends_at_the_length_and_memory_is_reserved_once() {
    let wav = long_wav(88_200);
    for target in TARGETS {
        let gate = Counting::default();
        convert_through(&gate, "a.wav", &wav, target, Quality::Medium, 0).unwrap();
        assert_eq!(gate.done.load(Ordering::Relaxed), 2000, "{target}");
        assert_eq!(gate.total.load(Ordering::Relaxed), 2000, "{target}");
        assert!(gate.reserved.load(Ordering::Relaxed) > 0);
    }
}
