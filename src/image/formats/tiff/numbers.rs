//! Unpacks samples of grey or RGB that are not plain bytes: integers of 1 to 32 bits, and floating point of 16, 24, 32 and 64
//! bits (TIFF 6.0, sections 14 and 19; TIFF Technical Note 3). Works on single rows.
//!
//! Integers of up to 8 bits become 8-bit samples, longer ones 16-bit samples, and floating point stays floating point. Samples
//! of whole bytes are in the byte order of the file. Others are packed without gaps, highest bit first, and each row begins
//! at a byte. With the Predictor tag, a row holds differences: of samples (2), or, for floating point, of bytes (3), after
//! the bytes have been sorted so that the most significant bytes of all samples come first.

use crate::{
    containers::ifd::Directory,
    image::pixels::{Channels, Depth},
    job::Input,
};
use std::io;
use tiff::tags::Tag;

/// The format of samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Integer,
    Float,
}

/// The value of the tag Predictor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Predictor {
    None,
    Samples,
    Bytes,
}

/// The samples of a row.
pub(crate) struct Samples {
    kind: Kind,
    bits: usize,
    /// The number of samples of a pixel in the file. The first of them are those of `channels`.
    stored: usize,
    pub(crate) channels: Channels,
    /// Whether colour has been multiplied by alpha (associated alpha).
    pub(crate) is_multiplied: bool,
    /// Whether 0 is white (WhiteIsZero).
    is_inverted: bool,
    is_little: bool,
    predictor: Predictor,
}

/// Values of the tag ExtraSamples: associated alpha, by which colour has been multiplied, and unassociated alpha.
const ASSOCIATED: u64 = 1;
const STRAIGHT: u64 = 2;

/// The largest number of samples a pixel.
const MOST: u64 = 64;

impl Samples {
    /// The samples that the tags describe, with this SampleFormat. `None` if they are not read here.
    pub(crate) fn find(
        directory: &Directory,
        input: &mut dyn Input,
        format: u64,
    ) -> io::Result<Option<Self>> {
        let kind = match format {
            1 => Kind::Integer,
            3 => Kind::Float,
            _ => return Ok(None),
        };
        let bits = directory.values(input, Tag::BitsPerSample, MOST as usize)?;
        let first = bits.first().copied().unwrap_or(1);
        if bits.iter().any(|bits| *bits != first) {
            return Ok(None);
        }
        let mut number = |tag, default| -> io::Result<u64> {
            Ok(directory.value(input, tag)?.unwrap_or(default))
        };
        let pixel = (
            number(Tag::PhotometricInterpretation, 0)?,
            number(Tag::SamplesPerPixel, 1)?,
            number(Tag::ExtraSamples, 0)?,
        );
        Ok(Self::of(kind, first, pixel, directory.numbers.is_little()))
    }

    /// The samples for a PhotometricInterpretation, SamplesPerPixel, and the first value of ExtraSamples. `None` if they are not
    /// read here.
    fn of(
        kind: Kind,
        bits: u64,
        (photometric, count, extra): (u64, u64, u64),
        is_little: bool,
    ) -> Option<Self> {
        let fits = match kind {
            Kind::Integer => (1..=32).contains(&bits),
            Kind::Float => matches!(bits, 16 | 24 | 32 | 64),
        };
        let (colours, channels) = match photometric {
            0 | 1 => (1, Channels::Grey),
            2 => (3, Channels::Rgb),
            _ => return None,
        };
        if !fits || !(colours..=MOST).contains(&count) {
            return None;
        }
        let has_alpha = count > colours && matches!(extra, ASSOCIATED | STRAIGHT);
        let channels = match (channels, has_alpha) {
            (Channels::Grey, true) => Channels::GreyAlpha,
            (Channels::Rgb, true) => Channels::Rgba,
            (channels, _) => channels,
        };
        Some(Self {
            kind,
            bits: bits as usize,
            stored: count as usize,
            channels,
            is_multiplied: has_alpha && extra == ASSOCIATED,
            is_inverted: photometric == 0,
            is_little,
            predictor: Predictor::None,
        })
    }

    /// Whether they are plain samples of 8 or 16 bits, which another decoder reads.
    pub(crate) fn is_read_elsewhere(&self) -> bool {
        let most = if self.channels.is_grey() { 2 } else { 4 };
        self.kind == Kind::Integer && matches!(self.bits, 8 | 16) && self.stored <= most
    }

    pub(crate) fn depth(&self) -> Depth {
        match (self.kind, self.bits) {
            (Kind::Float, _) => Depth::Float,
            (Kind::Integer, ..=8) => Depth::Eight,
            (Kind::Integer, _) => Depth::Sixteen,
        }
    }

    /// A note about samples that are left out.
    pub(crate) fn note(&self) -> Option<String> {
        let left = self.stored - self.channels.count();
        (left > 0).then(|| {
            format!("Of {} samples a pixel, {left} are left out: they are neither colour nor transparency.", self.stored)
        })
    }

    /// Sets the predictor by its number, which has no effect unless it is `used`. Returns whether such samples can have it.
    pub(crate) fn predict(&mut self, predictor: u64, used: bool) -> bool {
        let found = match (predictor, self.kind, self.bits) {
            (1, _, _) => Predictor::None,
            (2, Kind::Integer, 8 | 16 | 32) | (2, Kind::Float, 16 | 32) => Predictor::Samples,
            (3, Kind::Float, _) => Predictor::Bytes,
            _ => return false,
        };
        if used {
            self.predictor = found;
        }
        true
    }

    /// The bytes of a row of this many pixels.
    pub(crate) fn row_bytes(&self, width: u32) -> u64 {
        (u64::from(width) * (self.stored * self.bits) as u64).div_ceil(8)
    }

    /// Fills `row` with the pixels of a row.
    pub(crate) fn put(&self, bytes: &[u8], row: &mut [u8]) {
        let mut undone;
        let mut is_little = self.is_little;
        let bytes = match self.predictor {
            Predictor::None => bytes,
            Predictor::Samples => {
                undone = bytes.to_vec();
                self.add_up(&mut undone);
                &undone
            }
            Predictor::Bytes => {
                // The floating-point predictor leaves the most significant byte first, whatever the byte order of the file.
                is_little = false;
                undone = self.gather(bytes);
                &undone
            }
        };
        let count = self.channels.count();
        let size = self.depth().bytes();
        for (x, pixel) in row.chunks_exact_mut(count * size).enumerate() {
            for (channel, sample) in pixel.chunks_exact_mut(size).enumerate() {
                let is_colour =
                    channel == 0 || self.channels == Channels::Rgb || channel < 3 && count > 2;
                let inverted = self.is_inverted && is_colour;
                let raw = self.raw(bytes, x * self.stored + channel, is_little);
                match self.depth() {
                    Depth::Float => {
                        let value = self.float(raw);
                        let value = if inverted { 1.0 - value } else { value };
                        sample.copy_from_slice(&value.to_ne_bytes());
                    }
                    depth => {
                        let most = (1_u64 << self.bits) - 1;
                        let raw = if inverted { most - raw } else { raw };
                        match depth {
                            Depth::Eight => sample[0] = ((raw * 255 + most / 2) / most) as u8,
                            _ => {
                                let value = ((raw * 65_535 + most / 2) / most) as u16;
                                sample.copy_from_slice(&value.to_ne_bytes());
                            }
                        }
                    }
                }
            }
        }
    }

    /// The bits of sample `at` of a row.
    fn raw(&self, bytes: &[u8], at: usize, is_little: bool) -> u64 {
        let width = self.bits / 8;
        if self.bits.is_multiple_of(8) {
            let sample = &bytes[at * width..][..width];
            let add = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
            return if is_little {
                sample.iter().rev().fold(0, add)
            } else {
                sample.iter().fold(0, add)
            };
        }
        let (from, to) = (at * self.bits, (at + 1) * self.bits);
        let spanned = bytes[from / 8..to.div_ceil(8)].iter();
        let all = spanned.fold(0_u64, |sum, byte| sum << 8 | u64::from(*byte));
        all >> (to.next_multiple_of(8) - to) & ((1 << self.bits) - 1)
    }

    /// A floating-point number from its bits (IEEE 754; 24 bits have 7 bits of exponent and 16 of mantissa). NaN becomes 0.
    fn float(&self, raw: u64) -> f32 {
        let value = match self.bits {
            16 => small(raw, 5, 10),
            24 => small(raw, 7, 16),
            32 => f32::from_bits(raw as u32),
            _ => f64::from_bits(raw) as f32,
        };
        if value.is_finite() { value } else { 0.0 }
    }

    /// Undoes horizontal differencing (predictor 2).
    fn add_up(&self, row: &mut [u8]) {
        let width = self.bits / 8;
        let step = self.stored * width;
        for at in (step..row.len().saturating_sub(width - 1)).step_by(width) {
            let number = |bytes: &[u8]| {
                let mut value = [0; 4];
                value[..width].copy_from_slice(bytes);
                if self.is_little {
                    u32::from_le_bytes(value)
                } else {
                    u32::from_be_bytes(value) >> (32 - 8 * width)
                }
            };
            let sum = number(&row[at..at + width]).wrapping_add(number(&row[at - step..][..width]));
            if self.is_little {
                row[at..at + width].copy_from_slice(&sum.to_le_bytes()[..width]);
            } else {
                row[at..at + width].copy_from_slice(&sum.to_be_bytes()[4 - width..]);
            }
        }
    }

    /// Undoes the floating-point predictor (3): differences of bytes, and the order of bytes.
    fn gather(&self, row: &[u8]) -> Vec<u8> {
        let mut row = row.to_vec();
        for at in self.stored..row.len() {
            row[at] = row[at].wrapping_add(row[at - self.stored]);
        }
        let width = self.bits / 8;
        let count = row.len() / width;
        let mut gathered = vec![0; row.len()];
        for (at, sample) in gathered.chunks_exact_mut(width).enumerate() {
            for (byte, place) in sample.iter_mut().enumerate() {
                *place = row[byte * count + at];
            }
        }
        gathered
    }
}

/// The number in a floating-point format with a sign bit, and this many bits of exponent and of mantissa.
fn small(raw: u64, exponent: u32, mantissa: u32) -> f32 {
    let sign = if raw >> (exponent + mantissa) & 1 == 1 {
        -1.0
    } else {
        1.0
    };
    let power = (raw >> mantissa & ((1 << exponent) - 1)) as i32;
    let part = (raw & ((1 << mantissa) - 1)) as f32 / (1_u32 << mantissa) as f32;
    let bias = (1 << (exponent - 1)) - 1;
    sign * match power {
        0 => part * 2_f32.powi(1 - bias),
        power if power == (1 << exponent) - 1 => f32::INFINITY,
        power => (1.0 + part) * 2_f32.powi(power - bias),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(kind: Kind, bits: u64, count: u64, is_little: bool) -> Samples {
        let photometric = if count < 3 { 1 } else { 2 };
        Samples::of(kind, bits, (photometric, count, 2), is_little).unwrap()
    }

    #[test]
    fn integers_of_any_width_are_read() {
        #[track_caller]
        fn check(bits: u64, is_little: bool, bytes: &[u8], expected: &[u16]) {
            let samples = samples(Kind::Integer, bits, 1, is_little);
            let mut row = vec![0; expected.len() * samples.depth().bytes()];
            samples.put(bytes, &mut row);
            let found: Vec<u16> = match samples.depth() {
                Depth::Eight => row.iter().map(|&byte| byte.into()).collect(),
                _ => row
                    .as_chunks()
                    .0
                    .iter()
                    .map(|&pair| u16::from_ne_bytes(pair))
                    .collect(),
            };
            assert_eq!(found, expected, "{bits} bits");
        }
        check(3, false, &[0b0001_1101, 0b0000_0000], &[0, 255, 73]);
        check(6, true, &[0b1111_1100, 0b0001_0000], &[255, 4]);
        check(12, true, &[0xff, 0xf0, 0x01], &[65_535, 16]);
        check(24, true, &[1, 0, 0x80, 0xff, 0xff, 0xff], &[32_768, 65_535]);
        check(24, false, &[0x80, 0, 1], &[32_768]);
        check(
            32,
            false,
            &[0xff, 0xff, 0xff, 0xff, 0x80, 0, 0, 0],
            &[65_535, 32_768],
        );
        check(31, false, &[0xff, 0xff, 0xff, 0xfe], &[65_535]);
    }

    #[test]
    fn floats_are_read() {
        #[track_caller]
        fn check(bits: u64, bytes: &[u8], expected: f32) {
            let samples = samples(Kind::Float, bits, 1, false);
            let mut row = [0; 4];
            samples.put(bytes, &mut row);
            assert_eq!(f32::from_ne_bytes(row), expected, "{bits} bits");
        }
        check(16, &[0x3c, 0], 1.0);
        check(16, &[0xb8, 0], -0.5);
        check(16, &[0, 1], 2_f32.powi(-24));
        check(16, &[0x7c, 0], 0.0);
        check(24, &[0x3f, 0, 0], 1.0);
        check(32, &1.5_f32.to_be_bytes(), 1.5);
        check(64, &0.25_f64.to_be_bytes(), 0.25);
    }
}
