//! The options of sound: parts, rates, channels, tags and bit rates. ffmpeg and ffprobe examine the results.

use crate::fitting::music;
use crate::harness::{Scratch, convert_with, ffmpeg, has, run};

/// Checks that the sound of a file is a part of the source: its seconds, its rate and its channels.
#[track_caller]
fn check(target: &str, fields: &[(&str, &str)], seconds: f64, rate: u32, channels: usize) {
    let (file, notes) = convert_with("music.wav", &music(2), target, fields).unwrap();
    let sound = ffmpeg(target, &file);
    assert_eq!(
        (sound.rate, sound.channels),
        (rate, channels),
        "{target} {fields:?}"
    );
    let found = sound.frames() as f64 / f64::from(rate);
    assert!(
        (found - seconds).abs() < 0.06,
        "{target} {fields:?}: {found} s"
    );
    assert!(
        notes.0.is_empty() || target == "opus",
        "{target} {fields:?}: {:?}",
        notes.0
    );
}

#[test]
fn parts_rates_and_channels_are_as_requested() {
    if !has("ffmpeg") {
        return;
    }
    for target in ["wav", "flac", "aiff", "au", "ogg", "mp3", "m4a"] {
        check(target, &[], 4.0, 44_100, 2);
        check(
            target,
            &[("start", "1.25"), ("duration", "0:02")],
            2.0,
            44_100,
            2,
        );
        check(
            target,
            &[("sample_rate", "22050"), ("channels", "1")],
            4.0,
            22_050,
            1,
        );
    }
    check(
        "opus",
        &[("duration", "1"), ("channels", "1")],
        1.0,
        48_000,
        1,
    );
}

#[test]
fn the_part_equals_that_of_the_source() {
    let (whole, _) = convert_with("music.wav", &music(2), "wav", &[]).unwrap();
    let (part, _) = convert_with(
        "music.wav",
        &music(2),
        "wav",
        &[("start", "1"), ("duration", "0.5")],
    )
    .unwrap();
    let (from, len) = (44_100 * 4, 44_100 * 2);
    assert_eq!(
        part[part.len() - len..],
        whole[whole.len() - 4 * 44_100 * 4..][from..from + len]
    );
    let error = convert_with("music.wav", &music(2), "mp3", &[("start", "5")]).unwrap_err();
    assert!(error.message().contains("lasts 4.00 seconds"), "{error}");
}

#[test]
fn the_bit_rate_is_near_the_requested_one() {
    for target in ["mp3", "m4a", "opus"] {
        let mut before = 0.0;
        for wanted in ["64", "128", "256"] {
            let (file, _) =
                convert_with("music.wav", &music(2), target, &[("bitrate", wanted)]).unwrap();
            let rate = file.len() as f64 * 8.0 / 4.0 / 1000.0;
            let part = rate / wanted.parse::<f64>().unwrap();
            assert!(
                (0.5..1.35).contains(&part) && rate > 1.2 * before,
                "{target} {wanted}: {rate}"
            );
            before = rate;
        }
    }
}

#[test]
fn tags_are_replaced() {
    if !has("ffprobe") {
        return;
    }
    let fields = [
        ("title", "Ein Lied"),
        ("artist", "Ada"),
        ("album", "Eins"),
        ("track", "3/12"),
        ("date", "2024"),
        ("genre", "Folk"),
    ];
    for target in ["mp3", "m4a", "ogg", "opus", "flac", "wav", "aiff"] {
        let (tagged, _) = convert_with(
            "music.wav",
            &music(1),
            "flac",
            &[("title", "Old"), ("artist", "Old")],
        )
        .unwrap();
        let (file, _) = convert_with("a.flac", &tagged, target, &fields).unwrap();
        let file = Scratch::new(target, &file);
        let said = run(
            "ffprobe",
            &[
                "-v",
                "error",
                "-show_entries",
                "format_tags:stream_tags",
                "-of",
                "flat",
                file.path(),
            ],
        );
        let said = String::from_utf8(said).unwrap();
        for (_, text) in &fields[..2] {
            assert!(said.contains(text), "{target}: {said}");
        }
        assert!(!said.contains("Old"), "{target}: {said}");
    }
}
