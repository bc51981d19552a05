//! Converts planes to pixels: upsamples chroma and converts YCbCr to RGB (JFIF 1.02), one row at a time.
//!
//! Chroma of half the resolution is interpolated between the two nearest samples in each direction, with weights of 3
//! to 1, like the "fancy upsampling" of libjpeg: according to JFIF, chroma samples lie between luma samples, and not on
//! every second one.

use crate::pixels::simd;

/// Upsamples a row by `factor` horizontally, and blends it with the neighbouring row `far`, if there is one: three
/// parts of this row and one of the neighbour. A factor above 2 only repeats samples.
pub(crate) fn upsample(near: &[u8], far: Option<&[u8]>, factor: usize, out: &mut Vec<u8>) {
    match (far, factor) {
        (None, 1) => {
            out.clear();
            out.extend_from_slice(near);
        }
        (None, 2) => double(near.iter().map(|&near| u16::from(near) * 4), out),
        (Some(far), 1) => {
            out.clear();
            out.extend(
                near.iter()
                    .zip(far)
                    .map(|(&near, &far)| ((u16::from(near) * 3 + u16::from(far) + 2) / 4) as u8),
            );
        }
        (Some(far), 2) => double(
            near.iter()
                .zip(far)
                .map(|(&near, &far)| u16::from(near) * 3 + u16::from(far)),
            out,
        ),
        (_, factor) => {
            out.clear();
            out.extend(
                near.iter()
                    .flat_map(|&sample| std::iter::repeat_n(sample, factor)),
            );
        }
    }
}

/// Upsamples `row`, whose samples are multiplied by 4, to twice as many samples.
fn double(row: impl ExactSizeIterator<Item = u16>, out: &mut Vec<u8>) {
    let row: Vec<u16> = row.collect();
    out.clear();
    out.resize(row.len() * 2, 0);
    let (pairs, _) = out.as_chunks_mut::<2>();
    let (Some(&first), Some(&last)) = (row.first(), row.last()) else {
        return;
    };
    let count = pairs.len();
    // The rounding terms 8 and 7 alternate, as in libjpeg, so that their errors cancel out.
    for (pair, three) in pairs[1..].iter_mut().zip(row.windows(3)) {
        let middle = three[1] * 3;
        *pair = [
            ((middle + three[0] + 8) >> 4) as u8,
            ((middle + three[2] + 7) >> 4) as u8,
        ];
    }
    let (second, before) = (
        row.get(1).copied().unwrap_or(first),
        row.len().checked_sub(2).map_or(last, |at| row[at]),
    );
    pairs[count - 1] = [
        ((last * 3 + before + 8) >> 4) as u8,
        ((last + 2) >> 2) as u8,
    ];
    pairs[0] = [
        ((first + 2) >> 2) as u8,
        ((first * 3 + second + 7) >> 4) as u8,
    ];
    if count == 1 {
        pairs[0] = [((first + 2) >> 2) as u8; 2];
    }
}

/// Returns `value` × `factor` / 65536, rounded. Uses 16-bit arithmetic, because a vector register holds eight such
/// lanes.
#[inline(always)]
fn scaled(value: i16, factor: i16) -> i16 {
    let doubled = ((i32::from(value * 2) * i32::from(factor)) >> 16) as i16;
    (doubled + 1) >> 1
}

/// Converts YCbCr to RGB.
#[inline(always)]
fn rgb(y: u8, blue: u8, red: u8) -> [u8; 3] {
    let (y, cb, cr) = (i16::from(y), i16::from(blue) - 128, i16::from(red) - 128);
    // The factors of JFIF: 1.402; 0.344136 and 0.714136; 1.772. The integer nearest to each factor is applied
    // separately.
    let r = y + cr + scaled(cr, 26_345);
    let g = y - scaled(cb, 22_554) - cr + scaled(cr, 18_734);
    let b = y + 2 * cb - scaled(cb, 14_942);
    [r, g, b].map(|sample| sample.clamp(0, 255) as u8)
}

/// Number of pixels that are converted at a time. They fit into the first-level cache.
const STEP: usize = 64;

/// Converts a row of planes to RGB pixels.
pub(crate) fn to_rgb(y: &[u8], blue: &[u8], red: &[u8], out: &mut [u8]) {
    simd::run(
        #[inline(always)]
        || {
            let planes = y.chunks(STEP).zip(blue.chunks(STEP)).zip(red.chunks(STEP));
            for (((y, blue), red), out) in planes.zip(out.chunks_mut(STEP * 3)) {
                let pixels = match (y.try_into(), blue.try_into(), red.try_into()) {
                    (Ok(y), Ok(blue), Ok(red)) => step(y, blue, red),
                    _ => step(&padded(y), &padded(blue), &padded(red)),
                };
                out.copy_from_slice(&pixels[..out.len()]);
            }
        },
    );
}

/// Pads the samples at the end of a row to a whole step.
fn padded(samples: &[u8]) -> [u8; STEP] {
    let mut all = [0; STEP];
    all[..samples.len()].copy_from_slice(samples);
    all
}

/// Converts a step of samples.
#[inline(always)]
fn step(y: &[u8; STEP], blue: &[u8; STEP], red: &[u8; STEP]) -> [u8; STEP * 3 + 1] {
    let mut pixels = [0u32; STEP];
    for (((pixel, &y), &blue), &red) in pixels.iter_mut().zip(y).zip(blue).zip(red) {
        let [r, g, b] = rgb(y, blue, red);
        *pixel = u32::from(r) | u32::from(g) << 8 | u32::from(b) << 16;
    }
    // Each pixel is stored with one byte too many, which the next pixel overwrites.
    let mut bytes = [0; STEP * 3 + 1];
    for (at, pixel) in pixels.iter().enumerate() {
        bytes[at * 3..at * 3 + 4].copy_from_slice(&pixel.to_le_bytes());
    }
    bytes
}

/// Converts a row of YCbCr pixels to RGB, in place.
pub(crate) fn to_light(row: &mut [u8]) {
    for pixel in row.as_chunks_mut().0 {
        let [y, blue, red] = *pixel;
        *pixel = rgb(y, blue, red);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_agree_with_the_formula() {
        for y in (0..=255).step_by(5) {
            for cb in (0..=255).step_by(7) {
                for cr in (0..=255).step_by(9) {
                    let found = rgb(y, cb, cr).map(f64::from);
                    let (y, cb, cr) = (f64::from(y), f64::from(cb) - 128.0, f64::from(cr) - 128.0);
                    let expected = [
                        y + 1.402 * cr,
                        y - 0.344_136 * cb - 0.714_136 * cr,
                        y + 1.772 * cb,
                    ];
                    for (found, expected) in found.into_iter().zip(expected) {
                        assert!((found - expected.clamp(0.0, 255.0)).abs() < 1.6);
                    }
                }
            }
        }
    }

    #[test]
    fn flat_rows_stay_flat() {
        for len in [1, 2, 3, 9] {
            for far in [None, Some(&[77; 9][..len])] {
                for factor in [1, 2, 3] {
                    let mut out = Vec::new();
                    upsample(&[77; 9][..len], far, factor, &mut out);
                    assert_eq!(out, vec![77; len * factor]);
                }
            }
        }
    }
}
