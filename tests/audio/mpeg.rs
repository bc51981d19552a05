//! MPEG audio as other programs write it: frames of free format, junk before the first frame, a changing number of
//! channels. LAME's decoder is the reference for files that ffmpeg refuses.

use crate::{
    flac::sound,
    harness::{Scratch, convert, ffmpeg, fixture, has, made_by_ffmpeg, run},
};

/// The samples of a WAV file with 16 bits.
fn samples(wav: &[u8]) -> Vec<i16> {
    let bytes = sound(wav).as_chunks().0.iter();
    bytes.map(|b| i16::from_le_bytes(*b)).collect()
}

/// The samples that LAME decodes.
fn lame(mp3: &[u8]) -> Vec<i16> {
    let (file, wav) = (Scratch::new("mp3", mp3), Scratch::new("wav", b""));
    run("lame", &["--quiet", "--decode", file.path(), wav.path()]);
    samples(&std::fs::read(wav.path()).unwrap())
}

/// Checks that two sounds have the same length, and differ only by rounding and dither.
#[track_caller]
fn same(found: &[i16], expected: &[i16]) {
    assert_eq!(found.len(), expected.len());
    let apart = |(a, b): (&i16, &i16)| (i32::from(*a) - i32::from(*b)).abs();
    let most = found.iter().zip(expected).map(apart).max();
    assert!(most <= Some(2), "{most:?}");
}

#[test]
fn free_format_is_decoded_and_trimmed() {
    let free = fixture("free.mp3");
    let (wav, _) = convert("a.mp3", &free, "wav").unwrap();
    let found = samples(&wav);
    assert_eq!(found.len(), 2 * 6615);
    // The result is also the sound that was encoded.
    let original = samples(&fixture("s16.wav"));
    let energy = |of: &mut dyn Iterator<Item = f64>| of.map(|x| x * x).sum::<f64>();
    let noise = energy(
        &mut found
            .iter()
            .zip(&original)
            .map(|(a, b)| f64::from(*a) - f64::from(*b)),
    );
    let signal = energy(&mut original.iter().map(|x| f64::from(*x)));
    assert!(signal > 20.0 * noise, "{signal} {noise}");
    if has("lame") {
        same(&found, &lame(&free));
    }
}

#[test]
fn junk_before_the_first_frame_is_skipped() {
    #[track_caller]
    fn check(junk: &[u8], name: &str) {
        for fixture_name in ["lame.mp3", "free.mp3"] {
            let mp3 = fixture(fixture_name);
            let tagless = match mp3.starts_with(b"ID3") {
                true => &mp3[10 + (usize::from(mp3[8]) << 7 | usize::from(mp3[9]))..],
                false => &mp3[..],
            };
            let found = samples(&convert(name, &[junk, tagless].concat(), "wav").unwrap().0);
            same(&found, &samples(&convert(name, &mp3, "wav").unwrap().0));
        }
    }
    check(&[0; 5000], "a.mp3");
    check(&[0x55; 600_000], "a.mp3");
    // A header of free format without a frame after it.
    check(b"\xff\xfb\x00\x64 and then more", "a.mp3");
    check(b"ID3\x03\0\0\0\0\0\x04abcdand then more", "a");
}

#[test]
fn the_number_of_channels_may_change() {
    let mut mono = fixture("mono.mp3");
    let (alone, _) = convert("a.mp3", &mono, "wav").unwrap();
    // The same frames, of which one claims to be stereo and has no samples.
    let frame = |at: usize| 104 + usize::from(mono[at + 2] >> 1 & 1);
    let first = match mono.starts_with(b"ID3") {
        true => 10 + usize::from(mono[9]),
        false => 0,
    };
    let second = first + frame(first);
    let third = second + frame(second);
    mono[second..third][3] &= 0x3f;
    mono[second..third][4..].fill(0);
    let (changed, notes) = convert("a.mp3", &mono, "wav").unwrap();
    assert_eq!(sound(&changed).len(), sound(&alone).len(), "{notes:?}");
}

#[test]
fn a_missing_beginning_becomes_silence() {
    // The file is cut out of the middle of another, so its first frame needs bytes of a frame that is missing.
    let whole = fixture("lame.mp3");
    let frames: Vec<usize> = whole
        .windows(4)
        .enumerate()
        .filter(|(_, w)| w[..2] == [0xff, 0xfb])
        .map(|(at, _)| at)
        .collect();
    let cut = &whole[frames[4]..];
    let (wav, notes) = convert("a.mp3", cut, "wav").unwrap();
    assert_eq!(sound(&wav).len() / 4 % 1152, 0, "{notes:?}");
    if has("ffmpeg") {
        assert_eq!(ffmpeg("mp3", cut).frames(), sound(&wav).len() / 4);
    }
}

/// Rates that the standard forbids for one channel in layer 2, but that ffmpeg writes and reads: in a plain file and in
/// a container.
#[test]
fn one_channel_in_layer_2_may_have_any_rate() {
    #[track_caller]
    fn check(rate: u32, kbps: u32, extension: &str) {
        let noise = format!("anoisesrc=d=0.5:c=pink:r={rate}:a=0.7:s=7");
        let kbps = format!("{kbps}k");
        let source = ["-f", "lavfi", "-i", &noise, "-ac", "1"];
        let coded = made_by_ffmpeg(
            extension,
            &[&source[..], &["-c:a", "mp2", "-b:a", &kbps]].concat(),
        );
        let (wav, notes) = convert(&format!("a.{extension}"), &coded, "wav").unwrap();
        assert!(notes.0.is_empty(), "{rate} {kbps} {extension}: {notes:?}");
        let expected = ffmpeg(extension, &coded);
        assert_eq!((expected.rate, expected.channels), (rate, 1));
        let expected: Vec<i16> = expected
            .samples
            .iter()
            .map(|sample| (sample * 32_768.0).round() as i16)
            .collect();
        same(&samples(&wav), &expected);
    }
    if !has("ffmpeg") {
        return;
    }
    for rate in [32_000, 44_100, 48_000] {
        for kbps in [192, 224, 256, 320] {
            check(rate, kbps, "mp2");
        }
    }
    check(44_100, 384, "mp2");
    check(48_000, 384, "mp2");
    check(48_000, 256, "mkv");
}
