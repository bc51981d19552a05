//! Decodes ADPCM of ITU-T G.726 (1990), which includes the older G.721 and G.723: speech with 2 to 5 bits per sample.
//! `crate::formats` reads the containers.
//!
//! A code is the logarithm of the difference between a sample and its prediction, on a scale that adapts. The
//! prediction is computed from the last two samples (poles) and the last six differences (zeros). The recommendation
//! defines every operation on integers; names such as YL and DQSEZ are its own (section 4.2). Multiplications convert
//! both factors to floating-point numbers with 6 bits of mantissa and 4 of exponent.
//!
//! FFmpeg 5.1 rounds the scale in another way, and libsndfile 1.2 does not round products, so the output of both
//! differs a little from this decoder's. At 5 bits FFmpeg differs much, because its zeros decay too fast.

use super::decoder::Decoder;
use crate::sound::pcm::{Block, Spec};
use symphonia::core::{codecs::audio::AudioCodecId, common::FourCc, packet::PacketRef};

/// The codec with the first code in the highest bits of a byte, as in WAV. Symphonia has no identifier for it.
pub(crate) const CODEC_ID_G726: AudioCodecId = AudioCodecId::new(FourCc::new(*b"g726"));
/// The codec with the first code in the lowest bits of a byte, as in AU.
pub(crate) const CODEC_ID_G726_LOW: AudioCodecId = AudioCodecId::new(FourCc::new(*b"G726"));

/// Number of sample frames in a packet. The codec has no blocks of its own.
pub(crate) const FRAMES: u32 = 1024;

/// A row for each magnitude of a code: the logarithm of the difference (table 4), the value towards which the scale
/// moves (W, tables 5 to 8, in 32nds), and the speed at which it adapts (F). A code with the sign bit is the complement
/// of the code with the same magnitude.
struct Table(&'static [(i32, i32, i32)]);

/// The table for 16 kbit/s.
const TWO_BITS: Table = Table(&[(116, -704, 0), (365, 14_048, 7)]);
/// The table for 24 kbit/s.
const THREE_BITS: Table = Table(&[
    (-2048, -128, 0),
    (135, 960, 1),
    (273, 4384, 2),
    (373, 18_624, 7),
]);
/// The table for 32 kbit/s.
const FOUR_BITS: Table = Table(&[
    (-2048, -384, 0),
    (4, 576, 0),
    (135, 1312, 0),
    (213, 2048, 1),
    (273, 3584, 1),
    (323, 6336, 1),
    (373, 11_360, 3),
    (425, 35_904, 7),
]);
/// The table for 40 kbit/s.
const FIVE_BITS: Table = Table(&[
    (-2048, 448, 0),
    (-66, 448, 0),
    (28, 768, 0),
    (104, 1248, 0),
    (169, 1280, 0),
    (224, 1312, 1),
    (274, 1856, 1),
    (318, 3200, 1),
    (358, 4512, 1),
    (395, 5728, 1),
    (429, 7008, 2),
    (459, 8960, 3),
    (488, 11_456, 4),
    (514, 14_080, 5),
    (539, 16_928, 6),
    (566, 22_272, 6),
]);

/// A decoder for one channel.
pub(crate) struct G726 {
    spec: Spec,
    /// Bits of a code, 2 to 5.
    bits: u32,
    /// Whether the first code of a byte is in its lowest bits.
    is_low_first: bool,
    table: Table,
    /// The scale that adapts slowly (YL).
    slow: i32,
    /// The scale that adapts fast (YU).
    fast: i32,
    /// Mean of F over a short time (DMS).
    short: i32,
    /// Mean of F over a long time (DML).
    long: i32,
    /// The weight of the fast scale (AP).
    speed: i32,
    /// The coefficients of the poles (A).
    poles: [i32; 2],
    /// The coefficients of the zeros (B).
    zeros: [i32; 6],
    /// Whether the last two values of DQSEZ were negative (PK). DQSEZ is a difference plus the output of the zeros.
    signs: [bool; 2],
    /// The last differences (DQ) as floating-point numbers.
    differences: [i32; 6],
    /// The last samples (SR) as floating-point numbers.
    samples: [i32; 2],
    /// Whether the sound consists of few frequencies, such as the tones of a modem (TD).
    is_tone: bool,
}

impl G726 {
    /// Makes a decoder for codes of 2 to 5 bits. The depth in `spec` must be 16 bits.
    pub(crate) fn new(spec: Spec, bits: u32, is_low_first: bool) -> Self {
        // The start values of section 4.2. 32 is the floating-point number zero.
        const ZERO: i32 = 32;
        Self {
            spec,
            bits,
            is_low_first,
            table: match bits {
                2 => TWO_BITS,
                3 => THREE_BITS,
                4 => FOUR_BITS,
                _ => FIVE_BITS,
            },
            slow: 34_816,
            fast: 544,
            short: 0,
            long: 0,
            speed: 0,
            poles: [0; 2],
            zeros: [0; 6],
            signs: [false; 2],
            differences: [ZERO; 6],
            samples: [ZERO; 2],
            is_tone: false,
        }
    }

    /// Decodes a code to a sample, and adapts the state.
    fn sample(&mut self, code: u32) -> i16 {
        let is_negative = code >> (self.bits - 1) != 0;
        let most = (1 << self.bits) - 1;
        let magnitude = if is_negative { code ^ most } else { code };
        let (logarithm, weight, rate) = self.table.0[magnitude as usize];

        // The prediction: the filters over the last differences and samples.
        let zeros = self.zeros.iter().zip(self.differences);
        let of_zeros: i32 = zeros
            .map(|(b, difference)| product(b >> 2, difference))
            .sum();
        let poles = self.poles.iter().zip(self.samples);
        let of_poles: i32 = poles.map(|(a, sample)| product(a >> 2, sample)).sum();
        let (partial, expected) = (of_zeros >> 1, (of_zeros + of_poles) >> 1);

        // The difference that the code stands for.
        let scale = self.scale();
        let size = size(logarithm + (scale >> 2));
        let sample = if is_negative {
            expected - size
        } else {
            expected + size
        };
        let sum = sample - expected + partial;
        let is_change = self.is_change(size);
        self.fast = (scale + ((weight - scale) >> 5)).clamp(544, 5120);
        self.slow += self.fast + ((-self.slow) >> 6);
        self.adapt_predictor(is_change, (is_negative, size), sample, sum);
        self.adapt_speed(is_change, scale, rate << 9);
        (sample << 2).clamp(i16::MIN.into(), i16::MAX.into()) as i16
    }

    /// The scale (MIX, section 4.2.5).
    fn scale(&self) -> i32 {
        if self.speed >= 256 {
            return self.fast;
        }
        let slow = self.slow >> 6;
        let part = (self.fast - slow) * (self.speed >> 2);
        slow + if part < 0 {
            (part + 0x3f) >> 6
        } else {
            part >> 6
        }
    }

    /// Returns whether a difference of this size marks the change from a tone to another signal (TRANS).
    fn is_change(&self, size: i32) -> bool {
        let whole = self.slow >> 15;
        let threshold = if whole > 9 {
            31 << 10
        } else {
            (32 + (self.slow >> 10 & 0x1f)) << whole
        };
        self.is_tone && size > (threshold + (threshold >> 1)) >> 1
    }

    /// Adapts the predictor to a difference and its sample. `sum` is the difference plus the output of the zeros
    /// (DQSEZ).
    fn adapt_predictor(
        &mut self,
        is_change: bool,
        (is_negative, size): (bool, i32),
        sample: i32,
        sum: i32,
    ) {
        let sign = sum < 0;
        if is_change {
            (self.poles, self.zeros) = ([0; 2], [0; 6]);
        } else {
            self.adapt_poles(sign, sum);
            // Old values decay. At 5 bits they decay more slowly.
            let leak = if self.bits == 5 { 9 } else { 8 };
            for (b, difference) in self.zeros.iter_mut().zip(self.differences) {
                *b -= *b >> leak;
                if size != 0 {
                    *b += if is_negative == (difference < 0) {
                        128
                    } else {
                        -128
                    };
                }
            }
        }
        self.differences.rotate_right(1);
        self.differences[0] = floating(is_negative, size);
        self.samples = [floating(sample < 0, sample.abs()), self.samples[0]];
        self.signs = [sign, self.signs[0]];
        self.is_tone = !is_change && self.poles[1] < -11_776;
    }

    /// Adapts the speed of the scale to how much the signal changes (section 4.2.6).
    fn adapt_speed(&mut self, is_change: bool, scale: i32, rate: i32) {
        self.short += (rate - self.short) >> 5;
        self.long += ((rate << 2) - self.long) >> 7;
        let is_varying =
            scale < 1536 || self.is_tone || ((self.short << 2) - self.long).abs() >= self.long >> 3;
        self.speed = match (is_change, is_varying) {
            (true, _) => 256,
            (_, true) => self.speed + ((0x200 - self.speed) >> 4),
            (_, false) => self.speed + (-self.speed >> 4),
        };
    }

    /// Adapts the coefficients of the poles, within the bounds in which the filter is stable (UPA1, UPA2, LIMC, LIMD).
    fn adapt_poles(&mut self, sign: bool, sum: i32) {
        let is_other = sign != self.signs[0];
        let [first, second] = &mut self.poles;
        let mut next = *second - (*second >> 7);
        if sum != 0 {
            let towards = if is_other { *first } else { -*first };
            next += match towards {
                ..-8191 => -0x100,
                8192.. => 0xff,
                towards => towards >> 5,
            };
            next += if sign != self.signs[1] { -0x80 } else { 0x80 };
            next = next.clamp(-12_288, 12_288);
        }
        *second = next;
        *first -= *first >> 8;
        if sum != 0 {
            *first += if is_other { -192 } else { 192 };
        }
        let most = 15_360 - next;
        *first = (*first).clamp(-most, most);
    }
}

impl Decoder for G726 {
    fn decode(&mut self, packet: &PacketRef<'_>, block: &mut Block) -> Result<(), String> {
        let samples = block.ints(self.spec);
        samples.reserve(FRAMES as usize);
        let (mut buffer, mut held) = (0_u32, 0);
        let mask = (1 << self.bits) - 1;
        for byte in packet.data {
            if self.is_low_first {
                buffer |= u32::from(*byte) << held;
            } else {
                buffer = buffer << 8 | u32::from(*byte);
            }
            held += 8;
            while held >= self.bits {
                held -= self.bits;
                let code = if self.is_low_first {
                    let code = buffer & mask;
                    buffer >>= self.bits;
                    code
                } else {
                    buffer >> held & mask
                };
                samples.push(self.sample(code).into());
            }
        }
        Ok(())
    }
}

/// The number of bits that a magnitude needs, at most 15.
fn length(magnitude: i32) -> u32 {
    (32 - magnitude.leading_zeros()).min(15)
}

/// The size of a difference, from its logarithm (ANTILOG).
fn size(logarithm: i32) -> i32 {
    if logarithm < 0 {
        return 0;
    }
    let exponent = (logarithm >> 7).min(14);
    ((128 + (logarithm & 127)) << 7) >> (14 - exponent)
}

/// Converts to a floating-point number, with its sign in the bits above the exponent (FLOATA, FLOATB).
fn floating(is_negative: bool, magnitude: i32) -> i32 {
    let magnitude = magnitude.min(0x7fff);
    let exponent = length(magnitude);
    let number = match magnitude {
        0 => 32,
        _ => ((exponent as i32) << 6) + (magnitude << 6 >> exponent),
    };
    if is_negative { number - 0x400 } else { number }
}

/// The product of a coefficient and a floating-point number (FMULT).
fn product(coefficient: i32, number: i32) -> i32 {
    let magnitude = if coefficient > 0 {
        coefficient
    } else {
        -coefficient & 0x1fff
    };
    let exponent = length(magnitude) as i32 - 6;
    let mantissa = match (magnitude, exponent) {
        (0, _) => 32,
        (_, 0..) => magnitude >> exponent,
        _ => magnitude << -exponent,
    };
    let exponent = exponent + (number >> 6 & 15) - 13;
    let mantissa = (mantissa * (number & 63) + 0x30) >> 4;
    let product = if exponent >= 0 {
        mantissa << exponent & 0x7fff
    } else {
        mantissa >> -exponent
    };
    if (coefficient ^ number) < 0 {
        -product
    } else {
        product
    }
}
