//! The inverse cosine transform, at full and at reduced size. Never rounds before the end.
//!
//! Full size follows Arai, Agui and Nakajima (1988) in the form of the Independent JPEG Group's description, on four
//! columns at once; reduced sizes take the lowest coefficients.

use super::huffman::place;

/// Samples of a block side at full size.
pub(super) const SIDE: usize = 8;

/// Dequantised coefficients, transposed.
pub(super) type Block = [f32; 64];

/// What to multiply each coefficient with, in zigzag order, for blocks of `side` samples.
pub(super) fn factors(steps: &[u16; 64], side: usize) -> [f32; 64] {
    let mut factors = [0.0; 64];
    for (at, factor) in factors.iter_mut().enumerate() {
        let step = f64::from(steps[at]);
        let (row, column) = (place(at) % 8, place(at) / 8);
        *factor = if side == SIDE {
            (step * scale(row) * scale(column) / 8.0) as f32
        } else if row < side && column < side {
            // From the orthonormal transform of eight samples to that of `side`, in both directions.
            (step * side as f64 / 8.0) as f32
        } else {
            0.0
        };
    }
    factors
}

/// How many coefficients in zigzag order matter for blocks of `side` samples.
pub(super) fn needed(side: usize) -> usize {
    match side {
        1 => 1,
        2 => 5,
        4 => 25,
        _ => 64,
    }
}

/// The factor that the fast transforms leave out of each row and column.
pub(in crate::convert::image) fn scale(at: usize) -> f64 {
    use std::f64::consts::{PI, SQRT_2};
    if at == 0 {
        1.0
    } else {
        SQRT_2 * (at as f64 * PI / 16.0).cos()
    }
}

/// Four columns: what a register holds on every processor.
type Lanes = [f32; 4];

#[inline(always)]
fn add(a: Lanes, b: Lanes) -> Lanes {
    std::array::from_fn(|lane| a[lane] + b[lane])
}

#[inline(always)]
fn sub(a: Lanes, b: Lanes) -> Lanes {
    std::array::from_fn(|lane| a[lane] - b[lane])
}

#[inline(always)]
fn times(a: Lanes, factor: f32) -> Lanes {
    a.map(|lane| lane * factor)
}

/// One pass over the left or the right four columns of a block. Not inlined, because then it stays in whole registers.
#[inline(never)]
fn pass(block: &[Lanes; 16], right: usize) -> [Lanes; 8] {
    let v: [Lanes; 8] = std::array::from_fn(|row| block[2 * row + (right & 1)]);
    // Even part.
    let t10 = add(v[0], v[4]);
    let t11 = sub(v[0], v[4]);
    let t13 = add(v[2], v[6]);
    let t12 = sub(times(sub(v[2], v[6]), std::f32::consts::SQRT_2), t13);
    let e0 = add(t10, t13);
    let e3 = sub(t10, t13);
    let e1 = add(t11, t12);
    let e2 = sub(t11, t12);
    // Odd part.
    let z13 = add(v[5], v[3]);
    let z10 = sub(v[5], v[3]);
    let z11 = add(v[1], v[7]);
    let z12 = sub(v[1], v[7]);
    let o7 = add(z11, z13);
    let t11 = times(sub(z11, z13), std::f32::consts::SQRT_2);
    let z5 = times(add(z10, z12), 1.847_759);
    let t10 = sub(z5, times(z12, 1.082_392_2));
    let t12 = sub(z5, times(z10, 2.613_126));
    let o6 = sub(t12, o7);
    let o5 = sub(t11, o6);
    let o4 = sub(t10, o5);
    [
        add(e0, o7),
        add(e1, o6),
        add(e2, o5),
        add(e3, o4),
        sub(e3, o4),
        sub(e2, o5),
        sub(e1, o6),
        sub(e0, o7),
    ]
}

/// Columns as rows.
#[inline(always)]
fn turned(v: &[Lanes]) -> [Lanes; 4] {
    std::array::from_fn(|row| std::array::from_fn(|lane| v[lane][row]))
}

/// The samples of a block at full size, into a plane at `at`.
pub(super) fn full(block: &Block, plane: &mut [u8], at: usize, stride: usize) {
    let mut lanes = [[0.0; 4]; 16];
    lanes.copy_from_slice(block.as_chunks().0);
    let (upper, lower) = (pass(&lanes, 0), pass(&lanes, 1));
    for right in 0..2 {
        let (a, b) = (
            turned(&upper[4 * right..][..4]),
            turned(&lower[4 * right..][..4]),
        );
        for (row, (upper, lower)) in a.into_iter().zip(b).enumerate() {
            lanes[2 * row + right] = upper;
            lanes[2 * row + 8 + right] = lower;
        }
    }
    let (left, right) = (pass(&lanes, 0), pass(&lanes, 1));
    for (y, (left, right)) in left.iter().zip(&right).enumerate() {
        let target = &mut plane[at + y * stride..][..8];
        target[..4].copy_from_slice(&left.map(level_in_lanes));
        target[4..].copy_from_slice(&right.map(level_in_lanes));
    }
}

/// The same for a block with nothing but its mean.
pub(super) fn flat(mean: f32, side: usize, plane: &mut [u8], at: usize, stride: usize) {
    let sample = level(mean);
    for y in 0..side {
        plane[at + y * stride..][..side].fill(sample);
    }
}

/// The samples of a block at a side of 4 or 2.
pub(super) fn reduced(block: &Block, side: usize, plane: &mut [u8], at: usize, stride: usize) {
    match side {
        4 => reduce::<4>(block, &HALF, plane, at, stride),
        _ => reduce::<2>(block, &QUARTER, plane, at, stride),
    }
}

/// Values of the orthonormal cosines of four samples: by sample, by frequency.
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

/// The same of two samples.
const QUARTER: [[f32; 2]; 2] = {
    const A: f32 = std::f32::consts::FRAC_1_SQRT_2;
    [[A, A], [A, -A]]
};

fn reduce<const N: usize>(
    block: &Block,
    basis: &[[f32; N]; N],
    plane: &mut [u8],
    at: usize,
    stride: usize,
) {
    // The block is transposed: its rows are horizontal frequencies.
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

/// A sample from a value around zero.
#[inline(always)]
fn level(value: f32) -> u8 {
    (value + 128.5) as u8
}

/// The same, but that halves go to the even number, in steps that all lanes take at once.
#[inline(always)]
fn level_in_lanes(value: f32) -> u8 {
    let value = value + 128.0;
    let value = if value > 0.0 { value } else { 0.0 };
    let value = if value < 255.0 { value } else { 255.0 };
    // From here on a step of the float is 1, and its lowest bits are the rounded number.
    (value + 8_388_608.0).to_bits() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition (T.81, A.3.3), with coefficients in natural order.
    fn slow(coefficients: &[f64; 64], x: usize, y: usize) -> f64 {
        use std::f64::consts::{FRAC_1_SQRT_2, PI};
        let c = |at: usize| if at == 0 { FRAC_1_SQRT_2 } else { 1.0 };
        let cos = |x: usize, u: usize| ((2 * x + 1) as f64 * u as f64 * PI / 16.0).cos();
        let mut sum = 0.0;
        for v in 0..8 {
            for u in 0..8 {
                sum += c(u) * c(v) * coefficients[v * 8 + u] * cos(x, u) * cos(y, v);
            }
        }
        sum / 4.0
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
                let place = place(at);
                coefficients[place % 8 * 8 + place / 8] = value;
                block[place] = value as f32 * factor;
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
