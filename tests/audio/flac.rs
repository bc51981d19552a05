//! FLAC of every kind, compared with the reference decoder: files of the reference encoder, and hand-made frames with
//! features that it never uses.

use crate::{
    bad::refused,
    harness::{Scratch, convert, has, run},
};

/// The samples of a WAV file.
pub(crate) fn sound(wav: &[u8]) -> &[u8] {
    let data = wav.windows(4).position(|w| w == b"data").unwrap();
    let length = u32::from_le_bytes(wav[data + 4..data + 8].try_into().unwrap()) as usize;
    &wav[data + 8..][..length]
}

/// The samples that the reference decoder decodes.
fn reference(flac: &[u8]) -> Vec<u8> {
    let (file, wav) = (Scratch::new("flac", flac), Scratch::new("wav", b""));
    run("flac", &["-s", "-d", "-f", "-o", wav.path(), file.path()]);
    sound(&std::fs::read(wav.path()).unwrap()).to_vec()
}

/// A WAV file of samples with `bits` bits.
fn wav(channels: u32, bits: u32, samples: &[i32]) -> Vec<u8> {
    let width = bits.div_ceil(8);
    let mut wav = b"RIFF\0\0\0\0WAVEfmt \x28\0\0\0\xfe\xff".to_vec();
    wav.extend((channels as u16).to_le_bytes());
    wav.extend(48_000u32.to_le_bytes());
    wav.extend((48_000 * width * channels).to_le_bytes());
    wav.extend(((width * channels) as u16).to_le_bytes());
    wav.extend(((8 * width) as u16).to_le_bytes());
    wav.extend(b"\x16\0");
    wav.extend((bits as u16).to_le_bytes());
    wav.extend([0, 0, 4, 3, 7, 0x33, 0x37, 0x3f, 0, 0][channels as usize + 1..][..1].iter());
    wav.extend(b"\0\0\0\x01\0\0\0\0\0\x10\0\x80\0\0\xaa\0\x38\x9b\x71data");
    wav.extend((samples.len() as u32 * width).to_le_bytes());
    for sample in samples {
        let shifted = sample << (8 * width - bits);
        match width {
            1 => wav.push((shifted + 128) as u8),
            _ => wav.extend(&shifted.to_le_bytes()[..width as usize]),
        }
    }
    let riff = wav.len() as u32 - 8;
    wav[4..8].copy_from_slice(&riff.to_le_bytes());
    wav
}

/// Tones, noise, silence, jumps between the extremes, and samples with zeros in their lowest bits. The channels are in
/// turn different, similar, opposite and equal.
fn samples(channels: usize, bits: u32, frames: usize) -> Vec<i32> {
    let scale = f64::from(i32::MAX >> (32 - bits));
    let mut seed = 7u32;
    let mut noise = move || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(seed >> 8) / 8_388_608.0 - 1.0
    };
    let mut samples = Vec::new();
    for frame in 0..frames {
        let (part, t) = (frame / 2500 % 9, frame as f64 / 48_000.0);
        let tone = (t * 2000.0).sin() * 0.4 + (t * 7000.0).sin() * 0.1;
        for channel in 0..channels {
            let own = noise();
            let value = match (part, channel) {
                (0, _) => tone * (1.0 - channel as f64 * 0.1),
                (1, 0) => tone + 0.3 * own,
                (1, _) => tone,
                (2, 0) => tone,
                (2, _) => tone + 0.3 * own,
                (3, channel) => tone + own * 0.01 * (1.0 + channel as f64),
                (4, _) => own,
                (5, _) => 0.0,
                (6, _) => [1.0, -1.0001][frame / 3 % 2],
                (7, 0) => own * 0.9,
                (7, _) => -tone,
                (_, _) => tone,
            };
            let sample = (value * scale).clamp(-scale - 1.0, scale) as i32;
            samples.push(if part == 8 { sample & !7 } else { sample });
        }
    }
    samples
}

#[test]
fn files_of_the_reference_encoder_are_decoded_exactly() {
    if !has("flac") {
        return;
    }
    #[track_caller]
    fn check(channels: usize, bits: u32, frames: usize, options: &[&str]) {
        let original = wav(channels as u32, bits, &samples(channels, bits, frames));
        let (source, flac) = (Scratch::new("wav", &original), Scratch::new("flac", b""));
        let arguments = ["-s", "-f", "--lax", "-o", flac.path(), source.path()];
        run("flac", &[&arguments[..], options].concat());
        let encoded = std::fs::read(flac.path()).unwrap();
        let (decoded, notes) = convert("a.flac", &encoded, "wav").unwrap();
        assert!(notes.0.is_empty(), "{notes:?}");
        assert!(
            sound(&decoded) == sound(&original),
            "{channels} channels of {bits} bits, {frames} frames, {options:?}"
        );
    }
    for bits in [8, 12, 16, 20, 24, 32] {
        for channels in [1, 2, 6] {
            check(channels, bits, 30_000, &["-5"]);
        }
        check(2, bits, 30_000, &["-0"]);
        check(2, bits, 30_000, &["-8"]);
        check(2, bits, 30_000, &["-1", "-M"]);
        check(2, bits, 9_000, &["-8", "-p"]);
        check(2, bits, 30_000, &["-l", "32", "-b", "4608", "-r", "8"]);
        check(2, bits, 70_000, &["-l", "1", "-b", "65535", "-r", "0"]);
    }
    for frames in [1, 2, 15, 16, 17, 4095, 4096, 4097] {
        check(2, 16, frames, &["-8"]);
        check(1, 24, frames, &["-b", "17"]);
    }
    for order in [
        "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "11", "13", "20",
    ] {
        check(2, 16, 30_000, &["-m", "-l", order, "-b", "1000", "-r", "3"]);
        check(2, 24, 30_000, &["-m", "-l", order, "-b", "1001"]);
    }
}

/// A writer of bits, the most significant first.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    used: u32,
}

impl Bits {
    fn put(&mut self, value: i64, bits: u32) {
        for bit in (0..bits).rev() {
            if self.used.is_multiple_of(8) {
                self.bytes.push(0);
            }
            let last = self.bytes.last_mut().unwrap();
            *last |= ((value >> bit & 1) as u8) << (7 - self.used % 8);
            self.used += 1;
        }
    }

    fn rice(&mut self, value: i32, parameter: u32) {
        let folded = i64::from((value << 1 ^ value >> 31) as u32);
        for _ in 0..folded >> parameter {
            self.put(0, 1);
        }
        self.put(1, 1);
        self.put(folded, parameter);
    }

    /// Writes the residual in partitions, each with a Rice parameter, or with the width of unencoded numbers.
    fn residual(&mut self, residual: &[i32], order: usize, codes: &[(bool, u32)], wide: bool) {
        let bits = if wide { 5 } else { 4 };
        self.put(wide.into(), 2);
        self.put(codes.len().ilog2().into(), 4);
        let length = (residual.len() + order) / codes.len();
        let mut rest = residual;
        for (i, (escaped, code)) in codes.iter().enumerate() {
            let (now, later) = rest.split_at(length - if i == 0 { order } else { 0 });
            rest = later;
            if *escaped {
                self.put(-1, bits);
                self.put(i64::from(*code), 5);
                now.iter().for_each(|x| self.put(i64::from(*x), *code));
            } else {
                self.put(i64::from(*code), bits);
                now.iter().for_each(|x| self.rice(*x, *code));
            }
        }
    }
}

/// A CRC of at most 32 bits whose register starts with 0.
pub(crate) fn crc(bytes: &[u8], polynomial: u64, width: u32) -> u64 {
    bytes.iter().fold(0, |crc, byte| {
        (0..8).fold(crc ^ u64::from(*byte) << (width - 8), |crc, _| {
            let over = crc >> (width - 1) & 1;
            ((crc << 1) ^ (over * polynomial)) & ((1 << width) - 1)
        })
    })
}

/// The number of samples of a frame, and the function that writes its subframes.
type Frame<'a> = (usize, &'a dyn Fn(&mut Bits));

/// The sync code with the bit for a variable block size (RFC 9639, 9.1). Files from before 2007 do not have this bit.
const VARIABLE: i64 = 0xfff9;
const OLD: i64 = 0xfff8;

/// A stereo file with frames of any length.
fn file(begin: i64, bits: u32, assignment: i64, frames: &[Frame<'_>]) -> Vec<u8> {
    let total: usize = frames.iter().map(|(length, _)| length).sum();
    let mut file = b"fLaC\x80\0\0\x22\0\x10\xff\xff\0\0\0\0\0\0".to_vec();
    let word = 48_000 << 44 | 1 << 41 | u64::from(bits - 1) << 36 | total as u64;
    file.extend(word.to_be_bytes());
    file.extend([0; 16]);
    let mut position = 0;
    for (length, write) in frames {
        let mut frame = Bits::default();
        frame.put(begin << 16 | 0x7a00 | assignment << 4, 32);
        // The position of the frame, in one byte or three.
        match position {
            0..0x80 => frame.put(position, 8),
            _ => frame.put(
                0xe0_8080 | (position & 0xf000) << 4 | (position & 0xfc0) << 2 | position & 0x3f,
                24,
            ),
        }
        frame.put(*length as i64 - 1, 16);
        let check = crc(&frame.bytes, 7, 8);
        frame.put(check as i64, 8);
        write(&mut frame);
        let check = crc(&frame.bytes, 0x8005, 16);
        frame.bytes.extend((check as u16).to_be_bytes());
        file.extend(frame.bytes);
        position += *length as i64;
    }
    file
}

#[test]
fn rare_features_are_decoded_exactly() {
    if !has("flac") {
        return;
    }
    #[track_caller]
    fn check(file: &[u8]) {
        let (decoded, _) = convert("a.flac", file, "wav").unwrap();
        assert!(sound(&decoded) == reference(file));
    }
    let wave: Vec<i32> = (0..4096i32)
        .map(|i| (i * 37 % 501 - 250) * (i % 7))
        .collect();
    // A constant subframe, and verbatim subframes whose samples end with three zero bits.
    let plain = |bits: &mut Bits| {
        bits.put(0, 8);
        bits.put(-1234, 16);
        bits.put(0x03, 8);
        bits.put(1, 3);
        wave[..100]
            .iter()
            .for_each(|x| bits.put((x >> 3).into(), 13));
    };
    // Escaped partitions between others, one of them with a width of 0; Rice parameters of five bits.
    let escaped = |bits: &mut Bits| {
        for wide in [false, true] {
            bits.put(0x10, 8);
            let mut residual = wave[..800].to_vec();
            residual[200..400].fill(0);
            let codes = [
                (true, 12),
                (true, 0),
                (false, if wide { 17 } else { 3 }),
                (false, 14),
            ];
            bits.residual(&residual, 0, &codes, wide);
        }
    };
    // Fixed and linear predictors, with codes much longer than a machine word.
    let predicted = |bits: &mut Bits| {
        bits.put(0x18, 8);
        [5, 6, 7, 8].iter().for_each(|x| bits.put(*x, 16));
        bits.residual(&vec![0; 512 - 4], 4, &[(false, 0)], false);
        bits.put(0x42, 8);
        [100, -100].iter().for_each(|x| bits.put(*x, 16));
        bits.put(14, 4);
        bits.put(10, 5);
        [1000, -900].iter().for_each(|x| bits.put(*x, 15));
        let small: Vec<i32> = wave[..510].iter().map(|x| x / 8).collect();
        bits.residual(&small, 2, &[(false, 5), (false, 0)], false);
    };
    for begin in [VARIABLE, OLD] {
        check(&file(
            begin,
            16,
            1,
            &[
                (100, &plain),
                (800, &escaped),
                (512, &predicted),
                (100, &plain),
                (800, &escaped),
            ],
        ));
    }
    // The difference of two channels of 32 bits has 33 bits.
    for (assignment, centre) in [(8, -1_500_000_000), (9, 1_500_000_000), (10, 0)] {
        let is_side = |channel: i64| (channel == 1) != (assignment == 9);
        let constant = |bits: &mut Bits| {
            for channel in 0..2 {
                bits.put(0, 8);
                match is_side(channel) {
                    true => bits.put(-3_000_000_001, 33),
                    false => bits.put(centre, 32),
                }
            }
        };
        let long = |bits: &mut Bits| {
            for channel in 0..2 {
                if is_side(channel) {
                    bits.put(0x14, 8);
                    bits.put(-3_000_000_000, 33);
                    bits.put(-2_999_999_990, 33);
                    bits.residual(&wave[..98], 2, &[(false, 9)], false);
                } else {
                    bits.put(0x02, 8);
                    (0..100).for_each(|i| bits.put(centre + i * 100_001, 32));
                }
            }
        };
        let frames: [Frame<'_>; 2] = [(16, &constant), (100, &long)];
        check(&file(VARIABLE, 32, assignment, &frames));
    }
}

#[test]
fn a_wrong_bit_anywhere_is_detected() {
    let whole = convert("a.wav", &wav(2, 16, &samples(2, 16, 30_000)), "flac")
        .unwrap()
        .0;
    let first = 42
        + whole[42..]
            .windows(2)
            .position(|w| w == b"\xff\xf8")
            .unwrap();
    for at in (first..whole.len()).step_by(977) {
        let mut damaged = whole.clone();
        damaged[at] ^= 1 << (at % 8);
        refused("a.flac", &damaged, "wav", "damaged");
    }
    // The MD5 checksum of all samples in the stream information is damaged, while the frames are right.
    let mut damaged = whole.clone();
    damaged[30] ^= 1;
    refused("a.flac", &damaged, "wav", "checksum of its samples");
}

#[test]
fn truncation_is_detected_without_a_stated_length() {
    let original = wav(2, 16, &samples(2, 16, 30_000));
    let mut whole = convert("a.wav", &original, "flac").unwrap().0;
    // The header states 0 samples, which means that the number is unknown.
    whole[21] &= 0xf0;
    whole[22..26].fill(0);
    let (decoded, notes) = convert("a.flac", &whole, "wav").unwrap();
    assert!(notes.0.is_empty(), "{notes:?}");
    assert!(sound(&decoded) == sound(&original));
    for missing in [1, 2, 3, 50, 500] {
        let cut = &whole[..whole.len() - missing];
        refused("a.flac", cut, "wav", "it ends early: within a frame");
    }
}
