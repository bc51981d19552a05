//! The numbers of a row, computed from its bytes: predictors are undone, bits gathered, and floating-point formats of
//! every size converted.

use super::{Predictor, SampleFormat, Samples};
use std::borrow::Cow;

impl Samples {
    /// The bytes of a row before the predictor was applied.
    pub(super) fn undone<'b>(&self, bytes: &'b [u8]) -> Cow<'b, [u8]> {
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

    /// The bits of sample `at` of a row. Signed integers are shifted into the unsigned range by inverting their sign
    /// bit.
    pub(super) fn raw(&self, bytes: &[u8], at: usize) -> u64 {
        // The floating-point predictor stores the highest byte first in every file.
        let is_little = self.is_little && self.predictor != Predictor::Bytes;
        let sign = match self.kind {
            SampleFormat::Signed => 1 << (self.bits - 1),
            SampleFormat::Integer | SampleFormat::Float => 0,
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

    /// A floating-point number from its bits (IEEE 754; 24 bits have 7 bits of exponent and 16 of mantissa). NaN and
    /// infinity become 0.
    pub(super) fn float(&self, raw: u64) -> f32 {
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

    /// Undoes the floating-point predictor (3): differences of bytes, in an order that has the highest bytes of all
    /// samples first.
    fn gather(&self, row: &[u8]) -> Vec<u8> {
        let mut row = row.to_vec();
        for at in self.step()..row.len() {
            row[at] = row[at].wrapping_add(row[at - self.step()]);
        }
        let width = self.bits / 8;
        let count = row.len() / width;
        let mut ordered = vec![0; row.len()];
        for (at, sample) in ordered.chunks_exact_mut(width).enumerate() {
            for (byte, target) in sample.iter_mut().enumerate() {
                *target = row[byte * count + at];
            }
        }
        ordered
    }
}

/// The number in a floating-point format with a sign bit, and this many bits of exponent and of mantissa. NaN becomes
/// infinity.
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
