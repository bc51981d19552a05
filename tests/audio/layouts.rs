//! Channels keep their positions: every usual layout is converted to every target, with a different tone in each
//! channel. ffmpeg decodes the results.

use crate::harness::{Scratch, TARGETS, convert, convert_through, has, run};
use convertd::job::{Quality, Unlimited};

const RATE: u32 = 48_000;
const FRAMES: u32 = 24_000;
const LOUD: f64 = 0.1;
const LOW_FREQUENCY: u32 = 8;

/// The layouts with their speaker masks.
const LAYOUTS: [(&str, u32); 15] = [
    ("mono", 0x4),
    ("stereo", 0x3),
    ("2.1", 0xb),
    ("3.0", 0x7),
    ("3.1", 0xf),
    ("4.0", 0x107),
    ("quad", 0x33),
    ("5.0", 0x37),
    ("5.0(side)", 0x607),
    ("5.1", 0x3f),
    ("5.1(side)", 0x60f),
    ("6.1", 0x70f),
    ("6.1(back)", 0x13f),
    ("7.0", 0x637),
    ("7.1", 0x63f),
];

/// The layout that a layout becomes in a target.
fn expected(layout: &'static str, target: &str) -> &'static str {
    match (target, layout) {
        ("wav" | "aiff" | "flac" | "au", _) => layout,
        ("mp3" | "ogg", "mono") => "mono",
        ("mp3" | "ogg", _) => "stereo",
        (_, "2.1") => "stereo",
        (_, "3.1") => "3.0",
        (_, "5.0(side)" | "7.0") => "5.0",
        (_, "5.1(side)") => "5.1",
        ("opus", "4.0") => "5.0",
        ("opus", "6.1(back)") => "6.1",
        // The back centre is played by both speakers of the back pair, which 6.1 does not use.
        ("m4a", "6.1") => "7.1",
        ("m4a", "6.1(back)") => "5.1",
        _ => layout,
    }
}

fn mask_of(name: &str) -> u32 {
    LAYOUTS.iter().find(|(known, _)| *known == name).unwrap().1
}

/// The tone of a speaker in hertz. The low-frequency channel has a low tone.
fn tone(speaker: u32) -> f64 {
    match speaker {
        LOW_FREQUENCY => 60.0,
        other => 300.0 + 130.0 * f64::from(other.trailing_zeros()),
    }
}

fn speakers(mask: u32) -> Vec<u32> {
    (0..32)
        .map(|bit| 1 << bit)
        .filter(|bit| mask & bit != 0)
        .collect()
}

/// A WAV file in which every speaker of a layout plays its tone.
fn tones(mask: u32) -> Vec<u8> {
    made(mask, |i, speaker| {
        let time = f64::from(i) / f64::from(RATE) * std::f64::consts::TAU;
        LOUD * (time * tone(speaker)).sin()
    })
}

/// A WAV file whose samples `sample` computes from their number and their speaker.
fn made(mask: u32, mut sample: impl FnMut(u32, u32) -> f64) -> Vec<u8> {
    let speakers = speakers(mask);
    let frame = 2 * speakers.len() as u32;
    let mut wav = b"RIFF\0\0\0\0WAVEfmt \x28\0\0\0\xfe\xff".to_vec();
    wav.extend((speakers.len() as u16).to_le_bytes());
    wav.extend(RATE.to_le_bytes());
    wav.extend((RATE * frame).to_le_bytes());
    wav.extend((frame as u16).to_le_bytes());
    wav.extend(b"\x10\0\x16\0\x10\0");
    wav.extend(mask.to_le_bytes());
    wav.extend(b"\x01\0\0\0\0\0\x10\0\x80\0\0\xaa\0\x38\x9b\x71data");
    wav.extend((FRAMES * frame).to_le_bytes());
    for i in 0..FRAMES {
        for speaker in &speakers {
            let sample = sample(i, *speaker);
            wav.extend(((sample * 32_767.0) as i16).to_le_bytes());
        }
    }
    wav
}

/// The speaker mask and the channels of a file, as ffmpeg decodes them.
fn heard(extension: &str, bytes: &[u8]) -> (u32, Vec<Vec<f64>>) {
    let file = Scratch::new(extension, bytes);
    let input = ["-nostdin", "-v", "error", "-i", file.path()];
    let wav = run(
        "ffmpeg",
        &[&input[..], &["-f", "wav", "-c:a", "pcm_f64le", "-"]].concat(),
    );
    let at = |chunk: &[u8]| wav.windows(4).position(|window| window == chunk).unwrap() + 8;
    let (format, data) = (at(b"fmt "), at(b"data"));
    let word = |at: usize| u32::from_le_bytes(wav[at..at + 4].try_into().unwrap());
    assert_eq!(word(format) & 0xffff, 0xfffe, "not WAVEFORMATEXTENSIBLE");
    let count = (word(format) >> 16) as usize;
    let samples: Vec<f64> = wav[data..]
        .chunks_exact(8)
        .map(|bytes| f64::from_le_bytes(bytes.try_into().unwrap()))
        .collect();
    let channel = |i: usize| samples.iter().skip(i).step_by(count).copied().collect();
    (word(format + 20), (0..count).map(channel).collect())
}

/// Amplitude of a tone in the middle of a channel.
fn loudness(channel: &[f64], tone: f64) -> f64 {
    let count = RATE as usize * 3 / 10;
    let middle = &channel[RATE as usize / 10..][..count];
    // Goertzel's algorithm: a resonator at the tone, whose last two values give the amplitude.
    let turn = 2.0 * (tone / f64::from(RATE) * std::f64::consts::TAU).cos();
    let (mut before, mut last) = (0.0, 0.0);
    for sample in middle {
        (before, last) = (last, sample + turn * last - before);
    }
    let power = last * last + before * before - turn * last * before;
    power.max(0.0).sqrt() * 2.0 / count as f64
}

#[test]
fn channels_keep_their_positions_or_a_note_reports_the_change() {
    if !has("ffmpeg") {
        return;
    }
    for (layout, mask) in LAYOUTS {
        let wav = tones(mask);
        for target in TARGETS {
            let (result, notes) = convert("a.wav", &wav, target).unwrap();
            check(layout, target, target, &result, &notes.0);
            // The result is converted back to the same positions.
            let name = format!("a.{target}");
            let (back, _) = convert(&name, &result, "wav").unwrap();
            check(layout, target, "wav", &back, &notes.0);
        }
    }
}

#[track_caller]
fn check(layout: &'static str, target: &str, extension: &str, result: &[u8], notes: &[String]) {
    let became = expected(layout, target);
    let (from, to) = (mask_of(layout), mask_of(became));
    let (mask, channels) = heard(extension, result);
    let case = format!("{layout} to {target} as {extension}, {notes:?}");
    assert_eq!(channels.len() as u32, to.count_ones(), "{case}");
    if target != "au" {
        assert_eq!(mask, to, "{case}");
    }
    let is_mixed = notes.iter().any(|note| note.contains("mixed"));
    for (at, (channel, speaker)) in channels.iter().zip(speakers(to)).enumerate() {
        let volumes: Vec<(u32, f64)> = speakers(from)
            .into_iter()
            .map(|speaker| (speaker, loudness(channel, tone(speaker))))
            .collect();
        let case = format!("{case}: speaker {speaker:#x} plays {volumes:.3?}");
        assert!(volumes.iter().any(|(_, loud)| *loud > LOUD / 8.0), "{case}");
        if is_mixed {
            continue;
        }
        // Codecs name the rear pair differently, so the position in a frame decides.
        for (place, (_, loud)) in volumes.into_iter().enumerate() {
            assert_eq!(place == at, loud > LOUD / 8.0, "{case}");
        }
    }
    // Nothing is lost except what a note names.
    for speaker in speakers(from) {
        let is_heard = channels
            .iter()
            .any(|channel| loudness(channel, tone(speaker)) > LOUD / 8.0);
        let is_left_out =
            speaker == LOW_FREQUENCY && notes.iter().any(|note| note.contains("low-frequency"));
        assert!(is_heard != is_left_out, "{case}: {speaker:#x}");
    }
}

#[test]
fn notes_name_both_layouts() {
    #[track_caller]
    fn check(layout: &str, target: &str, expected: &[&str]) {
        let wav = tones(mask_of(layout));
        let notes = convert("a.wav", &wav, target).unwrap().1;
        let mixed = notes.0.iter().filter(|note| !note.contains("rate"));
        assert_eq!(mixed.collect::<Vec<_>>(), expected, "{layout} {target}");
    }
    check(
        "quad",
        "mp3",
        &["The 4-channel sound (quad) was mixed to stereo."],
    );
    check(
        "2.1",
        "opus",
        &["The 3-channel sound (2.1) was mixed to stereo, without its low-frequency channel."],
    );
    check("quad", "m4a", &[]);
    check("5.1(side)", "m4a", &[]);
    check(
        "2.1",
        "au",
        &[
            "An au file does not name the loudspeakers of its channels; this one has those of 2.1, in the same order.",
        ],
    );
    check("stereo", "au", &[]);
}

/// White noise in the speakers `first` of 5.1. The speakers `later` join in the middle.
fn noise(first: u32, later: u32) -> Vec<u8> {
    let mut state = 1_u32;
    made(0x3f, |i, speaker| {
        // A linear congruential generator, of which the upper bits are random enough.
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let sounds = first & speaker != 0 || later & speaker != 0 && i >= FRAMES / 2;
        let sample = f64::from(state) / f64::from(u32::MAX) - 0.5;
        if sounds { sample * 0.5 } else { 0.0 }
    })
}

/// Energy of the high frequencies: taking differences of neighbouring samples amplifies by 6 dB per octave.
fn brightness(channel: &[f64]) -> f64 {
    let bends = channel
        .windows(3)
        .map(|three| three[0] - 2.0 * three[1] + three[2]);
    bends.map(|bend| bend * bend).sum()
}

#[test]
fn a_single_loud_channel_keeps_its_bandwidth() {
    if !has("ffmpeg") {
        return;
    }
    const CENTRE: u32 = 4;
    const FRONT: u32 = 3;
    for (first, later) in [
        (CENTRE, 0),
        (FRONT, 0),
        (CENTRE | LOW_FREQUENCY, 0),
        (CENTRE, 0x37),
        (0, CENTRE),
    ] {
        let wav = noise(first, later);
        let (_, source) = heard("wav", &wav);
        for quality in [Quality::Low, Quality::Medium, Quality::High] {
            let case = format!("{first:#x} and {later:#x} at {quality:?}");
            let (m4a, _) = convert_through(&Unlimited, "a.wav", &wav, "m4a", quality, 0).unwrap();
            let (_, result) = heard("m4a", &m4a);
            for (speaker, (source, result)) in speakers(0x3f).iter().zip(source.iter().zip(&result))
            {
                let half = FRAMES as usize / 2;
                let from = if first & speaker == 0 { half } else { 0 };
                let kept = brightness(&result[from..][..half])
                    / brightness(&source[from..][..half]).max(1e-9);
                if (first | later) & !LOW_FREQUENCY & speaker != 0 {
                    assert!(kept > 0.5, "{case}: speaker {speaker:#x} has {kept}");
                }
            }
        }
    }
}
