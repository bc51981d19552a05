//! Unpacks samples of grey, RGB, ink or CIELAB: integers of 1 to 32 bits, signed or unsigned, and floating point of 16, 24, 32
//! and 64 bits (TIFF 6.0, sections 14, 16, 19 and 23; TIFF Technical Note 3), chunky or planar. Works on single rows.
//!
//! Integers of up to 8 bits become 8-bit samples, longer ones 16-bit samples, and floating point stays floating point. Samples
//! of whole bytes are in the byte order of the file. Others are packed without gaps, highest bit first, and each row begins
//! at a byte. With the Predictor tag, a row holds differences: of samples (2), or, for floating point, of bytes (3), after
//! the bytes have been sorted so that the most significant bytes of all samples come first.

use crate::{
    containers::ifd::Directory,
    image::pixels::{Channels, Depth, colour::Inks, lab},
    job::Input,
};
use std::{borrow::Cow, io};
use tiff::tags::Tag;

/// The format of samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Integer,
    /// An integer with a sign: the least is black. Bytes with a sign are read as if they had none, as by libtiff, since that
    /// is what programs mean that write them.
    Signed,
    Float,
}

/// What the first samples of a pixel are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Colour {
    /// Grey, or red, green and blue.
    Light,
    /// Cyan, magenta, yellow and black, where the most is all of it.
    Ink,
    /// Lightness, and two numbers with a sign, which stand as they are or have been made positive (ICCLab).
    Lab { is_positive: bool },
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
    colour: Colour,
    /// Whether each kind of sample has its own strips and tiles.
    is_planar: bool,
    /// What makes light of ink.
    inks: Inks,
    /// Samples of a colour, without alpha.
    colours: usize,
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
        is_planar: bool,
    ) -> io::Result<Option<Self>> {
        let kind = match format {
            1 => Kind::Integer,
            2 => Kind::Signed,
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
        let found = Self::of(kind, first, pixel, directory.numbers.is_little());
        Ok(found.map(|found| Self { is_planar, ..found }))
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
            Kind::Signed => matches!(bits, 8 | 16 | 32),
            Kind::Float => matches!(bits, 16 | 24 | 32 | 64),
        };
        let (colours, channels, colour) = match (photometric, kind) {
            (0 | 1, _) => (1, Channels::Grey, Colour::Light),
            (2, _) => (3, Channels::Rgb, Colour::Light),
            (5, Kind::Signed) if bits != 8 => return None,
            (5, _) => (4, Channels::Rgb, Colour::Ink),
            (8 | 9, Kind::Integer | Kind::Signed) if matches!(bits, 8 | 16) => {
                let is_positive = photometric == 9;
                (3, Channels::Rgb, Colour::Lab { is_positive })
            }
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
        let kind = match kind {
            Kind::Signed if bits == 8 || colour != Colour::Light => Kind::Integer,
            kind => kind,
        };
        Some(Self {
            kind,
            colour,
            is_planar: false,
            inks: Inks::of(None),
            colours: colours as usize,
            bits: bits as usize,
            stored: count as usize,
            channels,
            is_multiplied: has_alpha && extra == ASSOCIATED,
            is_inverted: photometric == 0,
            is_little,
            predictor: Predictor::None,
        })
    }

    /// Whether they are plain samples of 8 or 16 bits, pixel by pixel, which another decoder reads.
    pub(crate) fn is_read_elsewhere(&self) -> bool {
        let most = match (self.channels.is_grey(), self.colour) {
            (true, _) => 2,
            (false, Colour::Light | Colour::Ink) => 4,
            (false, Colour::Lab { .. }) => 0,
        };
        let is_plain = self.kind == Kind::Integer && matches!(self.bits, 8 | 16);
        is_plain && self.stored <= most && !self.is_planar
    }

    /// How many planes there are to be read.
    pub(crate) fn planes(&self) -> usize {
        if self.is_planar { self.used() } else { 1 }
    }

    /// How many samples of a pixel are used.
    fn used(&self) -> usize {
        self.colours + usize::from(self.channels.has_alpha())
    }

    /// Samples from one to the next of its kind in a row.
    fn step(&self) -> usize {
        if self.is_planar { 1 } else { self.stored }
    }

    /// Whether they are ink, whose colour `icc` tells.
    pub(crate) fn take_inks(&mut self, icc: Option<&[u8]>) -> bool {
        if self.colour == Colour::Ink {
            self.inks = Inks::of(icc);
        }
        self.colour != Colour::Light
    }

    pub(crate) fn depth(&self) -> Depth {
        match (self.kind, self.bits) {
            _ if self.colour == Colour::Ink => Depth::Eight,
            (Kind::Float, _) => Depth::Float,
            (Kind::Integer | Kind::Signed, ..=8) => Depth::Eight,
            (Kind::Integer | Kind::Signed, _) => Depth::Sixteen,
        }
    }

    /// What the user should know: that samples are left out, and what is assumed of colours without a profile.
    pub(crate) fn notes(&self, has_profile: bool) -> Vec<String> {
        let mut notes = Vec::new();
        let left = self.stored - self.used();
        if left > 0 {
            notes.push(format!("Of {} samples a pixel, {left} are left out: they are neither colour nor transparency.", self.stored));
        }
        // TIFF does not say what numbers mean that are not integers. Photoshop and libvips take them for linear light,
        // ImageMagick for the encoding of sRGB.
        if self.depth() == Depth::Float && !has_profile {
            notes.push("The floating-point samples are taken for linear light, as the tiff has no colour profile that says otherwise.".to_owned());
        }
        notes
    }

    /// The samples have been decoded to whole bytes, two of them in the order of this machine if they had more than 8 bits.
    pub(crate) fn are_decoded(&mut self) {
        self.bits = if self.bits > 8 { 16 } else { 8 };
        self.is_little = cfg!(target_endian = "little");
    }

    /// Sets the predictor by its number. Returns whether such samples can have it.
    pub(crate) fn predict(&mut self, predictor: u64) -> bool {
        self.predictor = match (predictor, self.kind, self.bits) {
            (1, _, _) => Predictor::None,
            (2, Kind::Integer | Kind::Signed, 8 | 16 | 32) | (2, Kind::Float, 16 | 32 | 64) => {
                Predictor::Samples
            }
            (3, Kind::Float, _) => Predictor::Bytes,
            _ => return false,
        };
        true
    }

    /// The bytes of a row of this many pixels, in each plane.
    pub(crate) fn row_bytes(&self, width: u32) -> u64 {
        (u64::from(width) * (self.step() * self.bits) as u64).div_ceil(8)
    }

    /// A row of a plane as it was before it was compressed.
    fn undone<'b>(&self, bytes: &'b [u8]) -> Cow<'b, [u8]> {
        match self.predictor {
            Predictor::None => Cow::Borrowed(bytes),
            Predictor::Samples => {
                let mut row = bytes.to_vec();
                self.add_up(&mut row);
                Cow::Owned(row)
            }
            Predictor::Bytes => Cow::Owned(self.gather(bytes)),
        }
    }

    /// Fills `row` with the pixels of a row, from its bytes in each plane.
    pub(crate) fn put(&mut self, planes: &[&[u8]], row: &mut [u8]) {
        let planes: Vec<Cow<'_, [u8]>> = planes.iter().map(|bytes| self.undone(bytes)).collect();
        let raw = |samples: &Self, x: usize, at: usize| {
            if samples.is_planar {
                samples.raw(&planes[at], x)
            } else {
                samples.raw(&planes[0], x * samples.stored + at)
            }
        };
        let is_plain = self.kind == Kind::Integer && self.bits == 8 && !self.is_inverted;
        match self.colour {
            Colour::Light if is_plain && self.stored == self.used() && !self.is_planar => {
                row.copy_from_slice(&planes[0][..row.len()]);
            }
            Colour::Light => self.put_light(row, raw),
            Colour::Ink => self.put_ink(row, raw),
            Colour::Lab { is_positive } => self.put_lab(row, is_positive, raw),
        }
    }

    fn put_light(&self, row: &mut [u8], raw: impl Fn(&Self, usize, usize) -> u64) {
        let count = self.channels.count();
        let size = self.depth().bytes();
        for (x, pixel) in row.chunks_exact_mut(count * size).enumerate() {
            for (channel, sample) in pixel.chunks_exact_mut(size).enumerate() {
                let inverted = self.is_inverted && channel < self.colours;
                let raw = raw(self, x, channel);
                if self.kind == Kind::Float {
                    let value = self.float(raw);
                    let value = if inverted { 1.0 - value } else { value };
                    sample.copy_from_slice(&value.to_ne_bytes());
                } else {
                    let raw = if inverted { self.most() - raw } else { raw };
                    self.store(raw, sample);
                }
            }
        }
    }

    fn put_ink(&mut self, row: &mut [u8], raw: impl Fn(&Self, usize, usize) -> u64) {
        let count = self.channels.count();
        let width = row.len() / count;
        let level = |raw: u64| match self.kind {
            Kind::Float => (self.float(raw) * 255.0 + 0.5) as u8,
            _ => scaled(raw, self.most(), 255) as u8,
        };
        let inks: Vec<u8> = (0..4 * width)
            .map(|at| 255 - level(raw(self, at / 4, at % 4)))
            .collect();
        let alphas: Vec<u8> = match count {
            3 => Vec::new(),
            _ => (0..width).map(|x| level(raw(self, x, 4))).collect(),
        };
        if count == 3 {
            return self.inks.convert(&inks, row);
        }
        let mut light = vec![0; 3 * width];
        self.inks.convert(&inks, &mut light);
        let pixels = row.as_chunks_mut::<4>().0.iter_mut();
        for ((pixel, &[r, g, b]), alpha) in pixels.zip(light.as_chunks().0).zip(alphas) {
            *pixel = [r, g, b, alpha];
        }
    }

    fn put_lab(&self, row: &mut [u8], is_positive: bool, raw: impl Fn(&Self, usize, usize) -> u64) {
        let size = self.depth().bytes();
        // The step from one number to the next is 1 in 8 bits, and a 256th of that in 16.
        let unit = (1_u64 << (self.bits - 8)) as f32;
        let middle = 1_u64 << (self.bits - 1);
        let opponent = |raw: u64| {
            let shifted = if is_positive { raw } else { raw ^ middle };
            (shifted as f32 - middle as f32) / unit
        };
        for (x, pixel) in row
            .chunks_exact_mut(self.channels.count() * size)
            .enumerate()
        {
            let lightness = raw(self, x, 0) as f32 * 100.0 / self.most() as f32;
            let lab = [
                lightness,
                opponent(raw(self, x, 1)),
                opponent(raw(self, x, 2)),
            ];
            let (colours, alpha) = pixel.split_at_mut(3 * size);
            for (sample, light) in colours.chunks_exact_mut(size).zip(lab::to_srgb(lab)) {
                self.store((light * self.most() as f32 + 0.5) as u64, sample);
            }
            if !alpha.is_empty() {
                self.store(raw(self, x, 3), alpha);
            }
        }
    }

    /// The largest integer.
    fn most(&self) -> u64 {
        u64::MAX >> (64 - self.bits)
    }

    /// Stores an integer in 8 or 16 bits.
    fn store(&self, value: u64, sample: &mut [u8]) {
        match sample {
            [byte] => *byte = scaled(value, self.most(), 255) as u8,
            sample => {
                let value = scaled(value, self.most(), 65_535) as u16;
                sample.copy_from_slice(&value.to_ne_bytes());
            }
        }
    }

    /// The bits of sample `at` of a row.
    fn raw(&self, bytes: &[u8], at: usize) -> u64 {
        // Where bytes were predicted, they come out with the highest first, whatever the file has.
        let is_little = self.is_little && self.predictor != Predictor::Bytes;
        let sign = match self.kind {
            Kind::Signed => 1 << (self.bits - 1),
            Kind::Integer | Kind::Float => 0,
        };
        let width = self.bits / 8;
        if self.bits.is_multiple_of(8) {
            let sample = &bytes[at * width..][..width];
            let add = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
            let bits = if is_little {
                sample.iter().rev().fold(0, add)
            } else {
                sample.iter().fold(0, add)
            };
            return bits ^ sign;
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
        let step = self.step() * width;
        for at in (step..row.len().saturating_sub(width - 1)).step_by(width) {
            let number = |bytes: &[u8]| {
                let mut value = [0; 8];
                value[..width].copy_from_slice(bytes);
                if self.is_little {
                    u64::from_le_bytes(value)
                } else {
                    u64::from_be_bytes(value) >> (64 - 8 * width)
                }
            };
            let sum = number(&row[at..at + width]).wrapping_add(number(&row[at - step..][..width]));
            if self.is_little {
                row[at..at + width].copy_from_slice(&sum.to_le_bytes()[..width]);
            } else {
                row[at..at + width].copy_from_slice(&sum.to_be_bytes()[8 - width..]);
            }
        }
    }

    /// Undoes the floating-point predictor (3): differences of bytes, and the order of bytes.
    fn gather(&self, row: &[u8]) -> Vec<u8> {
        let mut row = row.to_vec();
        for at in self.step()..row.len() {
            row[at] = row[at].wrapping_add(row[at - self.step()]);
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

/// An integer on another scale, rounded to the nearest.
fn scaled(value: u64, most: u64, to: u64) -> u64 {
    (value * to + most / 2) / most
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
            let mut samples = samples(Kind::Integer, bits, 1, is_little);
            let mut row = vec![0; expected.len() * samples.depth().bytes()];
            samples.put(&[bytes], &mut row);
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
    fn planes_signs_and_other_colours_are_read() {
        #[track_caller]
        fn check(kind: Kind, bits: u64, photometric: u64, planes: &[&[u8]], expected: &[u8]) {
            let pixel = (photometric, planes.len() as u64, 0);
            let mut samples = Samples {
                is_planar: true,
                ..Samples::of(kind, bits, pixel, false).unwrap()
            };
            assert_eq!(samples.planes(), planes.len());
            let mut row = vec![0; expected.len()];
            samples.put(planes, &mut row);
            assert_eq!(row, expected);
        }
        check(
            Kind::Integer,
            4,
            2,
            &[&[0xf0], &[0x0f], &[0x00]],
            &[255, 0, 0, 0, 255, 0],
        );
        check(
            Kind::Integer,
            8,
            5,
            &[&[255], &[0], &[0], &[0]],
            &[0, 255, 255],
        );
        check(Kind::Integer, 8, 8, &[&[255], &[0], &[0]], &[255; 3]);
        check(Kind::Integer, 8, 9, &[&[0], &[128], &[128]], &[0; 3]);
        let grey = |value: u16| value.to_ne_bytes();
        check(Kind::Signed, 16, 1, &[&[0x80, 0]], &grey(0));
        check(Kind::Signed, 16, 1, &[&[0, 0]], &grey(0x8000));
        check(Kind::Signed, 8, 1, &[&[0xff]], &[255]);
    }

    #[test]
    fn floats_are_read() {
        #[track_caller]
        fn check(bits: u64, bytes: &[u8], expected: f32) {
            let mut samples = samples(Kind::Float, bits, 1, false);
            let mut row = [0; 4];
            samples.put(&[bytes], &mut row);
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
