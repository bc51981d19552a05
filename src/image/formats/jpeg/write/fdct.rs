//! The forward discrete cosine transform (FDCT) and quantisation (T.81, A.3.3 and A.3.4). Rounds once, at the end.
//!
//! The algorithm is that of Arai, Agui and Nakajima (1988) as the Independent JPEG Group implements it, applied to
//! eight columns together. It scales each coefficient by a known factor, which is removed together with the division by
//! the quantisation step.

use crate::formats::jpeg::{
    dct::{scale, turned},
    zigzag::index_of,
};
use std::f32::consts::FRAC_1_SQRT_2;

/// Quantised coefficients of a block, transposed.
pub(crate) type Block = [i16; 64];

/// The factors that quantise coefficients, transposed. `steps` are in zigzag order.
pub(crate) fn factors(steps: &[u8; 64]) -> [f32; 64] {
    let mut factors = [0.0; 64];
    for (at, &step) in steps.iter().enumerate() {
        let index = index_of(at);
        let scale = scale(index / 8) * scale(index % 8);
        factors[index] = (1.0 / (8.0 * scale * f64::from(step))) as f32;
    }
    factors
}

/// Quantised coefficients of the 8 × 8 samples at `at`. AC coefficients of less than `least` steps become 0, which
/// saves bits.
#[inline(always)]
pub(crate) fn transform(
    plane: &[u8],
    at: usize,
    stride: usize,
    factors: &[f32; 64],
    least: f32,
) -> Block {
    let mut rows = [[0.0; 8]; 8];
    for (y, row) in rows.iter_mut().enumerate() {
        let samples = &plane[at + y * stride..][..8];
        for (value, &sample) in row.iter_mut().zip(samples) {
            *value = f32::from(sample);
        }
    }
    let mut rows = pass(&turned(&pass(&rows)));
    // The level shift (T.81, A.3.1): samples from 0 to 255 become values around 0. It only changes the DC coefficient,
    // which is the sum of all 64 samples at this point.
    rows[0][0] -= 64.0 * 128.0;
    let mut block = [0; 64];
    for (to, (value, factor)) in block
        .iter_mut()
        .zip(rows.as_flattened().iter().zip(factors))
    {
        let value = value * factor;
        *to = rounded(if value.abs() < least { 0.0 } else { value });
    }
    block[0] = rounded(rows[0][0] * factors[0]);
    block
}

/// A one-dimensional transform of all columns.
#[inline(always)]
fn pass(v: &[[f32; 8]; 8]) -> [[f32; 8]; 8] {
    let mut out = [[0.0; 8]; 8];
    // The compiler turns a loop over columns into vector instructions.
    for x in 0..8 {
        let (s0, d0) = (v[0][x] + v[7][x], v[0][x] - v[7][x]);
        let (s1, d1) = (v[1][x] + v[6][x], v[1][x] - v[6][x]);
        let (s2, d2) = (v[2][x] + v[5][x], v[2][x] - v[5][x]);
        let (s3, d3) = (v[3][x] + v[4][x], v[3][x] - v[4][x]);
        // Even part.
        let (outer, e3) = (s0 + s3, s0 - s3);
        let (inner, e2) = (s1 + s2, s1 - s2);
        let turn = (e2 + e3) * FRAC_1_SQRT_2;
        out[0][x] = outer + inner;
        out[4][x] = outer - inner;
        out[2][x] = e3 + turn;
        out[6][x] = e3 - turn;
        // Odd part.
        let (o0, o1, o2) = (d3 + d2, d2 + d1, d1 + d0);
        let z5 = (o0 - o2) * 0.382_683_43;
        let z2 = o0 * 0.541_196_1 + z5;
        let z4 = o2 * 1.306_563 + z5;
        let z3 = o1 * FRAC_1_SQRT_2;
        let (z11, z13) = (d0 + z3, d0 - z3);
        out[5][x] = z13 + z2;
        out[3][x] = z13 - z2;
        out[1][x] = z11 + z4;
        out[7][x] = z11 - z4;
    }
    out
}

/// Rounds to the nearest integer, by operations that the compiler can vectorise.
#[inline(always)]
fn rounded(value: f32) -> i16 {
    // 1.5 × 2^23: at this magnitude, neighbouring floats differ by 1, so the lowest bits of the float are the integer.
    (value + 12_582_912.0).to_bits() as i16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::jpeg::dct::cosine;

    /// The definition (T.81, A.3.3), for the coefficient at `u` across and `v` down.
    fn slow(samples: &[u8; 64], u: usize, v: usize) -> f64 {
        let values = samples.iter().map(|&sample| f64::from(sample) - 128.0);
        (values.enumerate())
            .map(|(at, value)| value * cosine(at % 8, u) * cosine(at / 8, v))
            .sum()
    }

    #[test]
    fn agrees_with_the_definition() {
        let mut seed = 1u32;
        for step in [1, 2, 7, 255] {
            let factors = factors(&[step; 64]);
            let samples: [u8; 64] = std::array::from_fn(|at| {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                ((seed >> 24) as usize / (1 + at / 16)) as u8
            });
            let found = transform(&samples, 0, 8, &factors, 0.5);
            for (at, &found) in found.iter().enumerate() {
                let (u, v) = (at / 8, at % 8);
                let expected = slow(&samples, u, v) / f64::from(step);
                let found = f64::from(found);
                assert!((found - expected).abs() <= 0.501, "{found} for {expected}");
            }
        }
    }

    #[test]
    fn extremes_stay_within_eleven_bits() {
        for (sample, expected) in [(0, -1024), (255, 1016)] {
            let block = transform(&[sample; 64], 0, 8, &factors(&[1; 64]), 0.5);
            assert_eq!(block[0], expected);
            assert!(block[1..].iter().all(|&coefficient| coefficient == 0));
        }
    }
}
