//! Does the steps that follow prediction: restores low bits that were not predicted, turns integers back into 32-bit
//! floating-point numbers, and shifts samples to whole bytes. The bits that were not predicted are in a bit stream of
//! their own, with a checksum of their own.

use super::{bits::Bits, header::Flags};

/// The bit stream of unpredicted bits, and the checksum of the samples that they complete.
pub(super) struct Extra<'a> {
    bits: Bits<'a>,
    checksum: u32,
    /// Whether the stream begins with limits of five bits each, one for integers or two for floating-point numbers,
    /// which encoders since version 5.5 can write.
    is_limited: bool,
}

impl<'a> Extra<'a> {
    pub(super) fn new(data: &'a [u8], is_limited: bool) -> Option<Self> {
        let (checksum, bits) = data.split_first_chunk()?;
        Some(Self {
            bits: Bits::new(bits),
            checksum: u32::from_le_bytes(*checksum),
            is_limited,
        })
    }

    /// Reads a limit on the number of bits sent per sample; 0 without limits.
    fn limit(&mut self) -> u32 {
        if self.is_limited {
            self.bits.take(5)
        } else {
            0
        }
    }
}

/// Low bits of integers that the encoder shifted out.
pub(super) struct Long {
    /// Number of low bits that are in the extra bits.
    sent: u32,
    /// Number of low bits that are all zeros.
    zeros: u32,
    /// Number of low bits that are all ones.
    ones: u32,
    /// Number of low bits that repeat the last remaining bit.
    repeated: u32,
}

impl Long {
    /// Reads the four numbers of bits.
    pub(super) fn read(data: &[u8]) -> Option<Self> {
        let data: [u8; 4] = data.try_into().ok()?;
        let [sent, zeros, ones, repeated] = data.map(|byte| u32::from(byte) & 31);
        Some(Self {
            sent,
            zeros,
            ones,
            repeated,
        })
    }

    /// Appends the low bits that follow from the sample itself.
    fn fill(&self, sample: i32) -> i32 {
        if self.zeros > 0 {
            sample << self.zeros
        } else if self.ones > 0 {
            (sample.wrapping_add(1) << self.ones).wrapping_sub(1)
        } else if self.repeated > 0 {
            let last = sample & 1;
            (sample.wrapping_add(last) << self.repeated).wrapping_sub(last)
        } else {
            sample
        }
    }

    /// Restores the low bits. Returns the number of bits by which samples must still be shifted, or `None` if the
    /// checksum does not match.
    pub(super) fn restore(
        mut self,
        extra: Option<Extra<'_>>,
        flags: Flags,
        samples: &mut [i32],
    ) -> Option<u32> {
        let Some(mut extra) = extra else {
            if self.sent > 0 {
                return Some(self.sent + self.zeros + self.ones + self.repeated);
            }
            // A lossy sample of 32 bits has to be clipped before its last 8 bits are restored.
            let mut shift = 0;
            if flags.has(Flags::HYBRID) && flags.bits() == 32 {
                let left = [&mut self.zeros, &mut self.ones, &mut self.repeated];
                if let Some(left) = left.into_iter().find(|left| **left > 0) {
                    shift = (8_u32.saturating_sub(flags.shift())).min(*left);
                    *left -= shift;
                }
            }
            samples
                .iter_mut()
                .for_each(|sample| *sample = self.fill(*sample));
            return Some(shift);
        };
        let most = extra.limit();
        let mut checksum = u32::MAX;
        for sample in samples {
            let size = if *sample < 0 { !*sample } else { *sample } as u32;
            let width = 32 - size.leading_zeros() + self.sent;
            let beyond = if most > 0 {
                width.saturating_sub(most).min(self.sent)
            } else {
                0
            };
            let sent = self.sent - beyond;
            let low = extra.bits.take(sent) as i32;
            *sample = self.fill((*sample << sent | low) << beyond);
            let (low, high) = (*sample as u32 & 0xffff, *sample as u32 >> 16);
            checksum = checksum.wrapping_mul(9).wrapping_add(3 * low + high);
        }
        (checksum == extra.checksum).then_some(0)
    }
}

/// Parameters by which the encoder turned floating-point numbers into integers.
pub(super) struct Float {
    /// Bits with the meanings of the constants below.
    flags: u8,
    /// Bits by which integers are shifted up before they become mantissas.
    shift: u32,
    /// The exponent of the largest integers.
    exponent: u32,
    /// The exponent of full scale.
    norm: u8,
}

impl Float {
    /// Flag: the bits that were shifted out are all ones.
    const ONES: u8 = 1;
    /// Flag: the bits that were shifted out of a sample are equal; the extra bits say whether they are ones.
    const SAME: u8 = 2;
    /// Flag: the bits that were shifted out are in the extra bits.
    const SENT: u8 = 4;
    /// Flag: a zero may stand for a number that was too small for an integer and is in the extra bits.
    const ZEROS: u8 = 8;
    /// Flag: with `ZEROS`, a true zero may have a sign.
    const SIGNED_ZEROS: u8 = 16;

    /// Reads the parameters; `None` if their length is wrong.
    pub(super) fn read(data: &[u8]) -> Option<Self> {
        let &[flags, shift, exponent, norm] = data else {
            return None;
        };
        Some(Self {
            flags,
            shift: u32::from(shift) & 31,
            exponent: exponent.into(),
            norm,
        })
    }

    /// Turns integers into the bits of floating-point numbers, with full scale at 1. `None` if the checksum does not
    /// match.
    pub(super) fn restore(&self, mut extra: Option<Extra<'_>>, samples: &mut [i32]) -> Option<()> {
        let limits = extra.as_mut().map(|extra| [extra.limit(), extra.limit()]);
        let limits = limits.unwrap_or_default();
        let mut checksum = u32::MAX;
        // Changes the exponent so that full scale, which has the exponent `norm`, becomes 1.
        let scale = f32::from_bits(254_u32.saturating_sub(self.norm.into()) << 23);
        for sample in samples {
            let number = match &mut extra {
                Some(extra) => self.exact(*sample, &mut extra.bits, limits),
                None => self.approximate(*sample),
            };
            let (mantissa, exponent) = (number & 0x7f_ffff, number >> 23 & 0xff);
            let parts = 9 * mantissa + 3 * exponent + (number >> 31);
            checksum = checksum.wrapping_mul(27).wrapping_add(parts);
            let is_scaled = self.norm != 127;
            *sample = match is_scaled {
                true => (f32::from_bits(number) * scale).to_bits() as i32,
                false => number as i32,
            };
        }
        extra
            .is_none_or(|extra| extra.checksum == checksum)
            .then_some(())
    }

    /// The sign and the magnitude of a sample, in this order.
    fn size(&self, sample: i32) -> (u32, u32) {
        let sample = sample << self.shift;
        let sign = sample < 0;
        (u32::from(sign) << 31, sample.unsigned_abs())
    }

    /// Shifts a number up until its highest bit is at its position in a mantissa, or the exponent is 0. Returns the
    /// exponent and the shift.
    fn normalise(&self, size: u32) -> (u32, u32) {
        let by = (size.leading_zeros().saturating_sub(8)).min(self.exponent);
        // Numbers with the exponents 0 and 1 have the same scale, so the last step of the exponent shifts nothing.
        let shifted = if by > 0 && by == self.exponent {
            by - 1
        } else {
            by
        };
        (self.exponent - by, shifted)
    }

    /// Restores a floating-point number exactly, with its low bits from the stream of extra bits.
    fn exact(&self, sample: i32, bits: &mut Bits<'_>, [least, most]: [u32; 2]) -> u32 {
        let is = |flag: u8| self.flags & flag != 0;
        if sample == 0 {
            if is(Self::ZEROS) && bits.bit() {
                let mantissa = bits.take(23);
                let exponent = if self.exponent >= 25 { bits.take(8) } else { 0 };
                return mantissa | exponent << 23 | bits.take(1) << 31;
            }
            let is_signed = is(Self::ZEROS) && is(Self::SIGNED_ZEROS);
            return if is_signed { bits.take(1) << 31 } else { 0 };
        }
        let (sign, mut size) = self.size(sample);
        if size == 1 << 24 {
            // A magnitude of 2²⁴ stands for infinity or NaN.
            let mantissa = if bits.bit() { bits.take(23) } else { 0 };
            return sign | 0xff << 23 | mantissa;
        }
        let (exponent, shift) = self.normalise(size);
        let shift = shift & 31;
        size <<= shift;
        if shift > 0 {
            let all = (1 << shift) - 1;
            if is(Self::ONES) || is(Self::SAME) && bits.bit() {
                size |= all;
            } else if is(Self::SENT) {
                let mut zeros = if most > 0 {
                    shift.saturating_sub(most)
                } else {
                    0
                };
                if least > zeros {
                    zeros = least.min(shift);
                }
                size |= bits.take(shift - zeros) << zeros & all;
            }
        }
        sign | size & 0x7f_ffff | exponent << 23
    }

    /// Restores a floating-point number approximately, without extra bits.
    fn approximate(&self, sample: i32) -> u32 {
        if sample == 0 {
            return 0;
        }
        let (sign, mut size) = self.size(sample);
        let mut exponent = self.exponent;
        if size >= 1 << 24 {
            let by = 8 - size.leading_zeros();
            size >>= by;
            exponent += by;
        } else {
            let shift;
            (exponent, shift) = self.normalise(size);
            let shift = shift & 31;
            size <<= shift;
            if self.flags & Self::ONES != 0 {
                size |= (1 << shift) - 1;
            }
        }
        sign | size & 0x7f_ffff | (exponent & 0xff) << 23
    }
}

/// Clips samples that lossy coding may have moved beyond their range, and shifts them to whole bytes.
pub(super) fn finish(samples: &mut [i32], flags: Flags, shift: u32) {
    let shift = shift & 31;
    if flags.has(Flags::HYBRID) {
        let most = (i32::MAX >> (32 - flags.bits())) >> shift;
        samples
            .iter_mut()
            .for_each(|sample| *sample = (*sample).clamp(!most, most) << shift);
    } else if shift > 0 {
        samples.iter_mut().for_each(|sample| *sample <<= shift);
    }
}
