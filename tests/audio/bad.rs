//! Files that are broken, cut, mutated or made to do harm: the outcome is a result, or an error that says what is
//! wrong; never a panic, and never a silent loss.

use crate::{
    harness::{Counting, TARGETS, convert, convert_through, fixture, fixtures},
    pairs::long_wav,
};
use convertd::{
    error::{Error, Kind},
    job::Quality,
};

pub(crate) fn wav(rate: u32, channels: u16, bits: u16, tag: u16, data: &[u8]) -> Vec<u8> {
    let frame = channels * (bits / 8);
    let mut wav = b"RIFF\0\0\0\0WAVEfmt \x10\0\0\0".to_vec();
    wav.extend(tag.to_le_bytes());
    wav.extend(channels.to_le_bytes());
    wav.extend(rate.to_le_bytes());
    wav.extend((rate.wrapping_mul(u32::from(frame))).to_le_bytes());
    wav.extend(frame.to_le_bytes());
    wav.extend(bits.to_le_bytes());
    wav.extend(b"data");
    wav.extend((data.len() as u32).to_le_bytes());
    wav.extend(data);
    wav
}

#[track_caller]
pub(crate) fn refused(name: &str, bytes: &[u8], target: &str, reason: &str) {
    match convert(name, bytes, target) {
        Ok((_, notes)) => panic!("{name} was accepted: {notes:?}"),
        Err(err) => {
            assert_eq!(err.kind(), Kind::BadInput, "{err}");
            assert!(
                err.message().contains(reason),
                "{:?} does not say {reason:?}",
                err.message()
            );
        }
    }
}

#[test]
fn impossible_headers_are_refused_with_a_reason() {
    refused(
        "a.wav",
        &wav(44_100, 2, 16, 1, b""),
        "flac",
        "no samples after it",
    );
    refused("a.wav", &wav(1, 1, 16, 1, &[0; 100]), "mp3", "1 Hz");
    refused(
        "a.wav",
        &wav(10_000_000, 1, 16, 1, &[0; 100]),
        "mp3",
        "10000000 Hz",
    );
    refused("a.wav", &wav(0, 1, 16, 1, &[0; 100]), "wav", "0 Hz");
    refused(
        "a.wav",
        &wav(44_100, 255, 8, 1, &[0; 1000]),
        "wav",
        "255 channels",
    );
    refused(
        "a.wav",
        &wav(44_100, 0, 16, 1, &[0; 100]),
        "wav",
        "0 channels",
    );
    refused(
        "a.wav",
        &wav(44_100, 12, 16, 1, &[0; 2400]),
        "mp3",
        "12 channels",
    );
    refused(
        "a.wav",
        &wav(44_100, 1, 16, 0x1234, &[0; 100]),
        "wav",
        "0x1234",
    );
    refused("a.wav", b"RIFF\0\0\0\0WAVE", "flac", "\"fmt \" chunk");
    refused("a.flac", b"fLaC", "wav", "header");
    refused("a.flac", &fixture("tagged.flac")[..200], "wav", "");
    refused(
        "a.mp3",
        b"ID3\x04\0\0\0\0\0\0",
        "wav",
        "no supported format",
    );
    refused("a.mp3", &[0x55; 4096], "wav", "no supported format");
    refused("a.ogg", &fixture("vorbis.ogg")[..100], "wav", "");
    refused("a.m4a", &fixture("aac.m4a")[..1000], "wav", "");
    refused(
        "a.au",
        b".snd\0\0\0\x18\0\0\0\0\0\0\0\x03\0\0\xac\x44\0\0\0\x01",
        "wav",
        "no samples after it",
    );
    refused("a.aiff", b"FORM\0\0\0\x04AIFF", "wav", "\"COMM\" chunk");
}

/// Boxes nested deep within each other, each of which contains only the next one.
#[test]
fn nested_movie_boxes_are_not_followed() {
    const DEPTH: u32 = 9000;
    let mut bytes = b"\0\0\0\x10ftypM4A \0\0\0\0".to_vec();
    for left in (1..=DEPTH).rev() {
        bytes.extend((8 * left).to_be_bytes());
        bytes.extend(b"moov");
    }
    // A stack overflow would end the whole program.
    let thread = std::thread::Builder::new().stack_size(256 << 10);
    let refusing = thread
        .spawn(move || refused("a.m4a", &bytes, "wav", ""))
        .unwrap();
    refusing.join().unwrap();
}

#[test]
fn a_picture_called_mp3_is_not_sound() {
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0";
    let Err(err) = convert("a.mp3", png, "flac") else {
        panic!("a picture became sound");
    };
    assert!(err.message().contains("png"), "{err}");
}

#[test]
fn content_decides_and_not_the_name() {
    #[track_caller]
    fn check(name: &str, fixture_name: &str) {
        let (_, notes) = convert(name, &fixture(fixture_name), "flac").unwrap();
        assert_eq!(notes.0, Vec::<String>::new());
    }
    check("a.wav", "lame.mp3");
    check("a.mp3", "s16.wav");
    check("a.flac", "aac.m4a");
    check("a", "mono.mp3");
    check("a.ogg", "adts.aac");
}

#[test]
fn tags_and_junk_before_the_sound_are_skipped() {
    #[track_caller]
    fn check(name: &str, before: &[u8], fixture_name: &str) {
        let plain = convert(fixture_name, &fixture(fixture_name), "wav")
            .unwrap()
            .0;
        let bytes = [before, &fixture(fixture_name)].concat();
        let result = convert(name, &bytes, "wav").unwrap().0;
        let data = |wav: &[u8]| wav[wav.windows(4).position(|w| w == b"data").unwrap()..].len();
        assert_eq!(data(&result), data(&plain), "{name}");
    }
    let mut large = b"ID3\x03\0\0\x02\x40\0\0".to_vec();
    large.resize(10 + (5 << 20), 0);
    check("a.mp3", &large, "lame.mp3");
    check("a.flac", b"ID3\x04\0\0\0\0\0\x05.....", "tagged.flac");
    check("a.aac", b"ID3\x04\0\0\0\0\0\x05.....", "adts.aac");
    check("a.mp3", &[0x55; 70_000], "mono.mp3");
}

#[test]
fn every_mutation_ends_in_a_result_or_a_reason() {
    let rounds = std::env::var("CONVERTD_FUZZ_ROUNDS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(24);
    let mut random = Random(0x5eed);
    for name in fixtures() {
        let whole = fixture(&name);
        for round in 0..rounds {
            let mut bytes = whole.clone();
            mutate(&mut bytes, &mut random);
            survives(&name, &bytes, TARGETS[round % TARGETS.len()]);
        }
    }
}

#[track_caller]
fn survives(name: &str, bytes: &[u8], target: &str) {
    let result = std::panic::catch_unwind(|| convert(name, bytes, target));
    let failed = |what: &str| -> ! {
        let path = std::env::temp_dir().join(format!("convertd-failed-{name}"));
        let _ = std::fs::write(&path, bytes);
        panic!("{name} to {target}: {what}; kept as {}", path.display());
    };
    match result {
        Err(_) => failed("a panic"),
        Ok(Err(err)) if err.kind() != Kind::BadInput => failed(&err.to_string()),
        Ok(_) => {}
    }
}

/// A xorshift generator with a fixed seed, so that a failure can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }
}

fn mutate(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..1 + random.below(8) {
        // Headers are the most sensitive part.
        let reach = if random.below(2) == 0 {
            256
        } else {
            bytes.len()
        };
        let at = random.below(reach.min(bytes.len()));
        match random.below(6) {
            0 => bytes[at] ^= 1 << random.below(8),
            1 => bytes[at] = [0, 0xff, 0x7f, 0x80][random.below(4)],
            2 => bytes[at] = random.below(256) as u8,
            3 => {
                let end = (at + 4).min(bytes.len());
                bytes[at..end].fill(0xff);
            }
            4 => {
                let end = (at + random.below(64)).min(bytes.len());
                bytes.drain(at..end);
            }
            _ => {
                let end = (at + random.below(64)).min(bytes.len());
                let piece = bytes[at..end].to_vec();
                bytes.splice(at..at, piece);
            }
        }
        if bytes.is_empty() {
            bytes.push(0);
        }
    }
}

#[test]
fn samples_that_are_not_numbers_become_silence() {
    let values = [f32::NAN, f32::INFINITY, -f32::INFINITY, 1e30, -1e30, 0.5];
    let data: Vec<u8> = values
        .iter()
        .cycle()
        .take(30_000)
        .flat_map(|x| x.to_le_bytes())
        .collect();
    for target in TARGETS {
        convert("a.wav", &wav(44_100, 1, 32, 3, &data), target)
            .unwrap_or_else(|err| panic!("{target}: {err}"));
    }
}

#[test]
fn extreme_rates_and_channels_are_converted() {
    #[track_caller]
    fn check(rate: u32, channels: u16, frames: usize) {
        let data: Vec<u8> = (0..frames * usize::from(channels) * 2)
            .map(|i| (i * 7 % 251) as u8)
            .collect();
        for target in TARGETS {
            let result = convert("a.wav", &wav(rate, channels, 16, 1, &data), target);
            let tolerated = channels > 8 && !matches!(target, "wav" | "aiff" | "au");
            match result {
                Err(err) if !tolerated => {
                    panic!("{rate} Hz, {channels} channels, {frames} to {target}: {err}")
                }
                _ => {}
            }
        }
    }
    check(1000, 1, 1);
    check(1000, 2, 1000);
    check(768_000, 2, 20_000);
    check(44_100, 1, 1);
    check(44_100, 2, 2);
    check(44_100, 2, 1151);
    check(8000, 8, 500);
    check(44_101, 3, 5000);
    check(44_100, 7, 3000);
    check(44_100, 32, 300);
}

#[test]
fn chains_are_played_to_the_end() {
    let frames = |name: &str| {
        let (wav, _) = convert(name, &fixture(name), "wav").unwrap();
        wav.len() - wav.windows(4).position(|w| w == b"data").unwrap() - 8
    };
    assert_eq!(frames("chained.ogg"), 2 * frames("vorbis.ogg"));
    // The links of a chain may differ in every property.
    let mixed = [
        fixture("vorbis.ogg"),
        fixture("surround.opus"),
        fixture("flac.oga"),
    ]
    .concat();
    let (wav, _) = convert("a.ogg", &mixed, "wav").unwrap();
    let sound = wav.len() - wav.windows(4).position(|w| w == b"data").unwrap() - 8;
    assert_eq!(sound / 4, 6615 + 4410 + 6615);
}

#[test]
fn decompression_bombs_are_refused_by_their_header() {
    // The header claims 30 hours at 8 kHz.
    let flac = convert("a.wav", &wav(8000, 1, 8, 1, &vec![128; 80_000]), "flac")
        .unwrap()
        .0;
    let mut long = flac.clone();
    let frames: u64 = 30 * 3600 * 8000;
    let word = u64::from_be_bytes(long[18..26].try_into().unwrap()) & !0xf_ffff_ffff | frames;
    long[18..26].copy_from_slice(&word.to_be_bytes());
    refused("a.flac", &long, "mp3", "24 hours");
    // 20 hours of 7.1 sound do not exceed the time limit, but the size limit.
    let many = convert("a.wav", &wav(48_000, 8, 16, 1, &vec![0; 160_000]), "flac")
        .unwrap()
        .0;
    let mut large = many.clone();
    let frames: u64 = 20 * 3600 * 48_000;
    let word = u64::from_be_bytes(large[18..26].try_into().unwrap()) & !0xf_ffff_ffff | frames;
    large[18..26].copy_from_slice(&word.to_be_bytes());
    refused("a.flac", &large, "wav", "MiB");
}

#[test]
fn a_closed_gate_ends_every_conversion_with_its_own_error() {
    let sound = long_wav(200_000);
    for target in TARGETS {
        for (name, bytes) in [
            ("a.wav", sound.clone()),
            ("x.flac", convert("a.wav", &sound, "flac").unwrap().0),
        ] {
            let gate = Counting {
                close_after: Some(5),
                ..Counting::default()
            };
            let result = convert_through(&gate, name, &bytes, target, Quality::Medium, 0);
            let kind = result.map(|_| ()).map_err(|err: Error| err.kind());
            assert_eq!(kind, Err(Kind::Busy), "{name} to {target}");
        }
    }
}
