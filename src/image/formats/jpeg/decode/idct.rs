//! The inverse discrete cosine transform (IDCT; T.81, A.3.3), at full and at reduced size. Rounds once, at the end.
//!
//! At full size, the algorithm is that of Arai, Agui and Nakajima (1988) as the Independent JPEG Group implements it,
//! applied to all columns together. It leaves out a scaling of each coefficient, which dequantisation does instead. At
//! reduced size, a smaller transform is applied to the coefficients of the lowest frequencies only.

use crate::formats::jpeg::{
    dct::{scale, turned},
    zigzag::index_of,
};

/// Number of samples along the side of a block at full size.
pub(crate) const SIDE: usize = 8;

/// Dequantised coefficients of a block, transposed.
pub(crate) type Block = [f32; 64];

/// Factors that dequantise coefficients, in zigzag order, for blocks with `side` samples in each direction. At full
/// size, they include the scaling that the transform leaves out. At reduced size, the factor of a coefficient that is
/// not used is 0.
pub(crate) fn factors(steps: &[u16; 64], side: usize) -> [f32; 64] {
    let mut factors = [0.0; 64];
    for (at, factor) in factors.iter_mut().enumerate() {
        let step = f64::from(steps[at]);
        let (row, column) = (index_of(at) % 8, index_of(at) / 8);
        *factor = if side == SIDE {
            (step * scale(row) * scale(column) / 8.0) as f32
        } else if row < side && column < side {
            // Adapts the orthonormal transform of eight samples to one of `side` samples, in both directions.
            (step * side as f64 / 8.0) as f32
        } else {
            0.0
        };
    }
    factors
}

/// Number of coefficients from the beginning of the zigzag order that include all those used for blocks with `side`
/// samples in each direction.
pub(crate) fn needed(side: usize) -> usize {
    match side {
        1 => 1,
        2 => 5,
        4 => 25,
        _ => 64,
    }
}

/// A one-dimensional transform of all columns. Two passes, with a transposition between them, make the two-dimensional
/// transform.
#[inline(always)]
fn pass(v: &[[f32; 8]; 8]) -> [[f32; 8]; 8] {
    let mut out = [[0.0; 8]; 8];
    // The compiler turns a loop over columns into vector instructions.
    for x in 0..8 {
        // Even part.
        let (t10, t11) = (v[0][x] + v[4][x], v[0][x] - v[4][x]);
        let t13 = v[2][x] + v[6][x];
        let t12 = (v[2][x] - v[6][x]) * std::f32::consts::SQRT_2 - t13;
        let (e0, e3) = (t10 + t13, t10 - t13);
        let (e1, e2) = (t11 + t12, t11 - t12);
        // Odd part.
        let (z13, z10) = (v[5][x] + v[3][x], v[5][x] - v[3][x]);
        let (z11, z12) = (v[1][x] + v[7][x], v[1][x] - v[7][x]);
        let o7 = z11 + z13;
        let t11 = (z11 - z13) * std::f32::consts::SQRT_2;
        let z5 = (z10 + z12) * 1.847_759;
        let t10 = z5 - z12 * 1.082_392_2;
        let t12 = z5 - z10 * 2.613_126;
        let o6 = t12 - o7;
        let o5 = t11 - o6;
        let o4 = t10 - o5;
        out[0][x] = e0 + o7;
        out[7][x] = e0 - o7;
        out[1][x] = e1 + o6;
        out[6][x] = e1 - o6;
        out[2][x] = e2 + o5;
        out[5][x] = e2 - o5;
        out[3][x] = e3 + o4;
        out[4][x] = e3 - o4;
    }
    out
}

/// Transforms a block at full size, and stores its samples in a plane at `at`.
#[inline(always)]
fn full(block: &Block, plane: &mut [u8], at: usize, stride: usize) {
    let mut rows = [[0.0; 8]; 8];
    rows.as_flattened_mut().copy_from_slice(block);
    for (y, row) in pass(&turned(&pass(&rows))).iter().enumerate() {
        let target = &mut plane[at + y * stride..][..8];
        for (sample, &value) in target.iter_mut().zip(row) {
            *sample = level_of_many(value);
        }
    }
}

/// Transforms a block at full size with more than 8 bits per sample. `middle` is the middle of the range of samples.
pub(crate) fn deep(block: &Block, middle: u16) -> [i16; 64] {
    let mut rows = [[0.0; 8]; 8];
    rows.as_flattened_mut().copy_from_slice(block);
    let middle = f32::from(middle);
    let rows = pass(&turned(&pass(&rows)));
    let level = |value: f32| (value + middle + 0.5).clamp(0.0, 2.0 * middle - 1.0) as i16;
    let mut samples = [0; 64];
    for (sample, value) in samples.iter_mut().zip(rows.as_flattened()) {
        *sample = level(*value);
    }
    samples
}

/// Stores a block of 8-bit samples whose AC coefficients are all zero: each sample is `mean` plus 128, rounded.
pub(crate) fn flat(mean: f32, side: usize, plane: &mut [u8], at: usize, stride: usize) {
    let sample = level(mean);
    for y in 0..side {
        plane[at + y * stride..][..side].fill(sample);
    }
}

/// Transforms a block at any size, and stores its samples. `flat` is whether all AC coefficients are zero.
#[inline(always)]
pub(crate) fn put(
    block: &Block,
    flat: bool,
    side: usize,
    plane: &mut [u8],
    at: usize,
    stride: usize,
) {
    match side {
        SIDE if flat => self::flat(block[0], SIDE, plane, at, stride),
        _ if flat => self::flat(block[0] / side as f32, side, plane, at, stride),
        SIDE => full(block, plane, at, stride),
        side => reduced(block, side, plane, at, stride),
    }
}

/// Transforms a block to 4 × 4 or 2 × 2 samples.
fn reduced(block: &Block, side: usize, plane: &mut [u8], at: usize, stride: usize) {
    match side {
        4 => reduce::<4>(block, &HALF, plane, at, stride),
        _ => reduce::<2>(block, &QUARTER, plane, at, stride),
    }
}

/// The orthonormal cosine functions for four samples: a row for each sample, a column for each frequency.
const HALF: [[f32; 4]; 4] = {
    const A: f32 = 0.653_281_5;
    const B: f32 = 0.270_598_05;
    [
        [0.5, A, 0.5, B],
        [0.5, B, -0.5, -A],
        [0.5, -B, -0.5, A],
        [0.5, -A, 0.5, -B],
    ]
};

/// The orthonormal cosine functions for two samples.
const QUARTER: [[f32; 2]; 2] = {
    const A: f32 = std::f32::consts::FRAC_1_SQRT_2;
    [[A, A], [A, -A]]
};

/// The inverse DCT at reduced size: N × N samples from the lowest frequencies of a block, by two matrix products.
fn reduce<const N: usize>(
    block: &Block,
    basis: &[[f32; N]; N],
    plane: &mut [u8],
    at: usize,
    stride: usize,
) {
    // The block is transposed, so each of its rows has one horizontal frequency.
    let mut between = [[0.0f32; N]; N];
    for (x, row) in between.iter_mut().enumerate() {
        for (u, weight) in basis[x].iter().enumerate() {
            for (v, value) in row.iter_mut().enumerate() {
                *value += weight * block[u * 8 + v];
            }
        }
    }
    for (y, weights) in basis.iter().enumerate() {
        for (x, column) in between.iter().enumerate() {
            let value: f32 = weights.iter().zip(column).map(|(a, b)| a * b).sum();
            plane[at + y * stride + x] = level(value);
        }
    }
}

/// Converts a value around zero to a sample: adds 128, and rounds halves up. The cast limits the result to 0..=255.
#[inline(always)]
fn level(value: f32) -> u8 {
    (value + 128.5) as u8
}

/// Converts a value around zero to a sample like [`level`], but rounds halves to even, by operations that the compiler
/// can vectorise.
#[inline(always)]
fn level_of_many(value: f32) -> u8 {
    let value = value + 128.0;
    let value = if value > 0.0 { value } else { 0.0 };
    let value = if value < 255.0 { value } else { 255.0 };
    // At this magnitude, neighbouring floats differ by 1, so the lowest bits of the float are the integer.
    (value + 8_388_608.0).to_bits() as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::jpeg::dct::cosine;

    /// The definition (T.81, A.3.3), with coefficients in natural order.
    fn slow(coefficients: &[f64; 64], x: usize, y: usize) -> f64 {
        let values = coefficients.iter().enumerate();
        values
            .map(|(at, value)| value * cosine(x, at % 8) * cosine(y, at / 8))
            .sum()
    }

    #[test]
    fn agrees_with_the_definition() {
        let mut seed = 1u32;
        let mut coefficients = [0.0f64; 64];
        let factors = factors(&[1; 64], 8);
        for _ in 0..50 {
            let mut block = [0.0; 64];
            for (at, factor) in factors.iter().enumerate() {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let value = f64::from(seed >> 24) / (at + 1) as f64 - 40.0 / (at + 1) as f64;
                let index = index_of(at);
                coefficients[index % 8 * 8 + index / 8] = value;
                block[index] = value as f32 * factor;
            }
            let mut plane = [0; 64];
            full(&block, &mut plane, 0, 8);
            for y in 0..8 {
                for x in 0..8 {
                    let expected = (slow(&coefficients, x, y) + 128.0).clamp(0.0, 255.0);
                    let found = f64::from(plane[y * 8 + x]);
                    assert!((found - expected).abs() <= 0.51, "{found} for {expected}");
                }
            }
        }
    }

    #[test]
    fn reduced_sizes_keep_the_mean() {
        for side in [4, 2] {
            let mut block = [0.0; 64];
            block[0] = 400.0 * factors(&[1; 64], side)[0];
            let mut plane = [0; 16];
            reduced(&block, side, &mut plane, 0, side);
            assert!(plane[..side * side].iter().all(|&sample| sample == 178));
        }
    }
}
