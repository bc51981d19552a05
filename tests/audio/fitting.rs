//! `max_size`: the best sound of at most a given number of bytes, or an error if even the worst one is larger.

use crate::bad::wav;
use crate::harness::{Counting, convert, convert_fitting, ffmpeg, has};
use std::{f64::consts::TAU, sync::atomic::Ordering};

/// Four seconds of chords and noise.
pub(crate) fn music(channels: u16) -> Vec<u8> {
    const RATE: u32 = 44_100;
    let mut noise = 1_u32;
    let mut data = Vec::new();
    for frame in 0..4 * RATE {
        let time = f64::from(frame) / f64::from(RATE);
        let chord: f64 = [220.0, 277.2, 329.6, 1108.7]
            .iter()
            .map(|tone| (TAU * tone * time).sin())
            .sum();
        for channel in 0..channels {
            noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let loud = 1500.0 * (TAU * (0.5 + f64::from(channel)) * time).sin();
            let hiss = loud * (f64::from(noise >> 16) / 32_768.0 - 1.0);
            data.extend(((3000.0 * chord + hiss) as i16).to_le_bytes());
        }
    }
    wav(RATE, channels, 16, 1, &data)
}

#[test]
fn the_best_result_that_fits_is_found() {
    let sources = [music(2), music(1)];
    for target in ["mp3", "m4a", "ogg", "opus"] {
        for source in &sources {
            let (medium, _) = convert("music.wav", source, target).unwrap();
            // The size of medium quality, a quarter less, and more than any quality needs.
            for (most, least) in [
                (medium.len(), 0.9),
                (medium.len() * 3 / 4, 0.85),
                (1 << 30, 0.0),
            ] {
                let limit = most.to_string();
                let gate = Counting::default();
                let (bytes, notes) = convert_fitting(&gate, source, target, &limit).unwrap();
                let share = bytes.len() as f64 / most as f64;
                assert!(
                    (least..=1.0).contains(&share),
                    "{target}: {} of {most}",
                    bytes.len()
                );
                let (done, total) = (&gate.done, &gate.total);
                assert_eq!(done.load(Ordering::Relaxed), total.load(Ordering::Relaxed));
                let said = notes
                    .0
                    .iter()
                    .any(|note| note.contains("best quality that fits"));
                assert_eq!(said, most < 1 << 30, "{notes:?}");
                if has("ffmpeg") {
                    let heard = ffmpeg(target, &bytes);
                    let seconds = heard.frames() as f64 / f64::from(heard.rate);
                    assert!((3.99..4.05).contains(&seconds), "{target}: {seconds} s");
                    let loud = heard.samples.iter().map(|sample| sample * sample);
                    let power = loud.sum::<f64>() / heard.samples.len() as f64;
                    assert!((0.01..0.03).contains(&power), "{target}: {power}");
                }
            }
        }
    }
}

#[test]
fn an_impossible_limit_is_refused_with_the_least_possible_size() {
    let source = music(2);
    for target in ["mp3", "m4a", "ogg", "opus"] {
        let gate = Counting::default();
        let error = convert_fitting(&gate, &source, target, "5000").unwrap_err();
        let words: Vec<&str> = error.message().split(' ').collect();
        let [.., "least", least, "bytes", "as", name] = words[..] else {
            panic!("{error}");
        };
        assert_eq!(name, target);
        let (low, _) = convert_fitting(&Counting::default(), &source, target, least).unwrap();
        assert_eq!(low.len().to_string(), least);
        let little: usize = least.parse().unwrap();
        let more = (little - 1).to_string();
        convert_fitting(&Counting::default(), &source, target, &more).unwrap_err();
    }
}

#[test]
fn lossless_targets_ignore_the_limit() {
    let source = music(1);
    for target in ["wav", "flac"] {
        let (plain, _) = convert("music.wav", &source, target).unwrap();
        let (bytes, _) = convert_fitting(&Counting::default(), &source, target, "5000").unwrap();
        assert_eq!(bytes, plain);
    }
}
