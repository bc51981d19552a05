//! The adaptive hybrid transform (A/52, E.3.4): if the sound hardly changes during a frame, the six coefficients of a
//! frequency, one from each block, are transformed once more and coded together in the first block. Does not compute
//! bit allocation.
//!
//! A frequency of high precision (class 8 or more; the class is hebap in the standard) has six numbers of its own, with
//! an optional gain (gain-adaptive quantisation): small numbers are stored with fewer bits, and the code of the lowest
//! value announces a large number. At low precision, all six numbers together are one vector of a codebook.

use super::super::allocation::{COEFFICIENTS, power};
use convertd_core::coding::bits::MsbReader;
use std::{
    f32::consts::{PI, SQRT_2},
    ops::Range,
};

const BLOCKS: usize = 6;

/// The vectors of classes 1 to 7 (tables E4.1 to E4.7), of six 16-bit fractions each, the least significant byte first.
static VECTORS: &[u8; 956 * 12] = include_bytes!("codebooks.bin");
/// Bits of an index into a codebook, by class. Each codebook has as many vectors as its indices can name.
const VECTOR_BITS: [u32; 8] = [0, 2, 3, 4, 5, 7, 8, 9];
/// Bits of a number, by class from 8 (table E3.2).
const BITS: [u32; 12] = [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16];

/// Corrections of numbers with gain 1 (table E3.6), by class from 8, in units of 2⁻¹⁵. A number is multiplied by 1 plus
/// its correction.
const STRETCHES: [i16; 12] = [
    0x1249, 0x889, 0x421, 0x208, 0x102, 0x81, 0x40, 0x20, 0x10, 8, 2, 0,
];
/// Corrections of large numbers with gain 2 and with gain 4 (table E3.6), by class from 8, in units of 2⁻¹⁵. A number
/// is multiplied by 1 plus the first value of its pair. The second value is then added to negative numbers.
const LARGE: [[(i16, i16); 9]; 2] = [
    [
        (-10_923, -5461),
        (-14_043, -11_703),
        (-15_292, -14_199),
        (-15_855, -15_327),
        (-16_124, -15_864),
        (-16_255, -16_126),
        (-16_320, -16_255),
        (-16_352, -16_320),
        (-16_368, -16_352),
    ],
    [
        (-4681, -1170),
        (-6554, -4915),
        (-7399, -6606),
        (-7802, -7412),
        (-7998, -7805),
        (-8096, -7999),
        (-8144, -8096),
        (-8168, -8144),
        (-8180, -8168),
    ],
];

/// The coefficients of a channel in all blocks.
pub(in crate::codecs::ac3) struct Hybrid(Box<[[f32; COEFFICIENTS]; BLOCKS]>);

impl Hybrid {
    /// Reads the coefficients of a channel in this range, whose exponents and classes are known. Coefficients of class
    /// 0 are not coded and stay 0.
    pub(in crate::codecs::ac3) fn read(
        bits: &mut MsbReader<'_>,
        range: Range<usize>,
        exponents: &[u8; COEFFICIENTS],
        classes: &[u8; COEFFICIENTS],
    ) -> Self {
        let mut blocks = Box::new([[0.0; COEFFICIENTS]; BLOCKS]);
        let mode = bits.take(2);
        let with_gain = match mode {
            0 => 8..8,
            1 => 8..12,
            _ => 8..17,
        };
        let gained = classes[range.clone()].iter();
        let gained = gained.filter(|class| with_gain.contains(*class)).count();
        let gains = gains(bits, mode, gained);
        let mut gains = gains.into_iter();
        for bin in range {
            let class = classes[bin];
            let values = match class {
                0 => continue,
                1..8 => vector(bits, class),
                _ => {
                    let gain = with_gain.contains(&class).then(|| gains.next());
                    let gain = gain.flatten().unwrap_or(0);
                    [(); BLOCKS].map(|()| number(bits, class, gain))
                }
            };
            let scale = power(exponents[bin]);
            for (block, value) in blocks.iter_mut().zip(transformed(values)) {
                block[bin] = value * scale;
            }
        }
        Self(blocks)
    }

    /// The coefficient at `bin` in a block.
    pub(in crate::codecs::ac3) fn get(&self, block: usize, bin: usize) -> f32 {
        self.0[block % BLOCKS][bin]
    }
}

/// Reads the gains of `count` frequencies, as binary logarithms (E.3.4.2).
fn gains(bits: &mut MsbReader<'_>, mode: u32, count: usize) -> Vec<u32> {
    let mut gains = Vec::with_capacity(count + 2);
    while gains.len() < count {
        match mode {
            1 => gains.push(bits.take(1)),
            2 => gains.push(bits.take(1) * 2),
            // Three gains of 1, 2 or 4 share a code.
            _ => {
                let code = bits.take(5).min(26);
                gains.extend([code / 9, code / 3 % 3, code % 3]);
            }
        }
    }
    gains
}

/// Reads a vector from the codebook of a class from 1 to 7.
fn vector(bits: &mut MsbReader<'_>, class: u8) -> [f32; BLOCKS] {
    let class = usize::from(class);
    let before: usize = VECTOR_BITS[1..class].iter().map(|bits| 1 << bits).sum();
    let entry = before + bits.take(VECTOR_BITS[class]) as usize;
    let (entries, _) = VECTORS.as_chunks::<12>();
    let (values, _) = entries[entry].as_chunks();
    std::array::from_fn(|at| f32::from(i16::from_le_bytes(values[at])) / 32_768.0)
}

/// Reads a number between −1 and 1, of a class from 8 on.
fn number(bits: &mut MsbReader<'_>, class: u8, gain: u32) -> f32 {
    let row = usize::from(class - 8).min(BITS.len() - 1);
    let all = BITS[row];
    let fraction = |value: i32, bits: u32| value as f32 / (1u32 << (bits - 1)) as f32;
    let parts = |value: i16| f32::from(value) / 32_768.0;
    let small = all - gain;
    let value = bits.signed(small);
    if gain == 0 {
        return fraction(value, all) * (1.0 + parts(STRETCHES[row]));
    }
    // The lowest code of a number with a gain is reserved: it announces a large number.
    if value != -(1 << (small - 1)) {
        return fraction(value, all);
    }
    let large = all + gain - 2;
    let value = fraction(bits.signed(large), large);
    let (stretch, below) = LARGE[gain as usize - 1][row.min(8)];
    let offset = match value >= 0.0 {
        true => 1.0 / (1 << gain) as f32,
        false => parts(below),
    };
    value * (1.0 + parts(stretch)) + offset
}

/// The inverse of the second transform (E.3.4.5), a DCT-II of six values. If only the first value is not 0, all blocks
/// get the same coefficient.
fn transformed(values: [f32; BLOCKS]) -> [f32; BLOCKS] {
    std::array::from_fn(|block| {
        let waves = values[1..].iter().zip(1..).map(|(value, at)| {
            let angle = PI * (at * (2 * block + 1)) as f32 / 12.0;
            SQRT_2 * value * angle.cos()
        });
        values[0] + waves.sum::<f32>()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_code_announces_a_large_number() {
        // Class 9 has four bits, so 7 is the largest of 15 levels. With a gain of 2, three bits follow, whose lowest
        // code announces three further bits.
        let whole = number(&mut MsbReader::new(&[0x70]), 9, 0);
        assert!((whole - 14.0 / 15.0).abs() < 1e-4);
        let small = number(&mut MsbReader::new(&[0b0110_0000]), 9, 1);
        assert!((small - 3.0 / 8.0).abs() < 1e-6);
        let large = number(&mut MsbReader::new(&[0b1000_0000]), 9, 1);
        assert!((large - 0.5).abs() < 1e-6);
        let least = number(&mut MsbReader::new(&[0b1001_0000]), 9, 1);
        assert!((least + 0.928).abs() < 1e-3);
    }

    #[test]
    fn codebooks_are_stored_one_after_another() {
        let first = vector(&mut MsbReader::new(&[0]), 1).map(|value| (value * 32_768.0) as i16);
        assert_eq!(first, [7167, 4739, 1106, 4269, 10_412, 4820]);
        let second = vector(&mut MsbReader::new(&[0]), 2);
        assert_eq!((second[0] * 32_768.0) as i16, -12_073);
        assert_eq!(gains(&mut MsbReader::new(&[0b0111_1000]), 3, 2), [1, 2, 0]);
    }

    #[test]
    fn a_constant_spectrum_gives_equal_blocks() {
        assert_eq!(transformed([0.5, 0.0, 0.0, 0.0, 0.0, 0.0]), [0.5; 6]);
        let falling = transformed([0.0, 0.5, 0.0, 0.0, 0.0, 0.0]);
        assert!(falling.is_sorted_by(|a, b| a > b));
    }
}
