//! Unfiltering (W3C PNG, third edition, section 9): a filtered line contains differences from predictions, which are
//! added again here. Needs the size of a pixel, but not its format.

/// Number of filter types: None, Sub, Up, Average and Paeth.
pub(crate) const FILTERS: u8 = 5;

/// Unfilters lines to rows. Each row depends on the previous one.
pub(crate) struct Unfilter {
    /// The previous row.
    above: Vec<u8>,
    pixel_bytes: usize,
}

impl Unfilter {
    /// Starts with a row of zeros above the first one.
    pub(crate) fn new(row_bytes: usize, pixel_bytes: usize) -> Self {
        Self {
            above: vec![0; row_bytes],
            pixel_bytes,
        }
    }

    /// Unfilters a line into a row. The line begins with its filter type, which must be less than [`FILTERS`].
    pub(crate) fn row(&mut self, line: &[u8], row: &mut [u8]) {
        unfilter(line[0], &line[1..], &self.above, row, self.pixel_bytes);
        self.above.copy_from_slice(row);
    }
}

/// Unfilters the bytes of a line into `row`. The line, `row` and the row `above` have the same length. `step` is the
/// length of a pixel: 1, 2, 3, 4, 6 or 8 bytes.
fn unfilter(filter: u8, line: &[u8], above: &[u8], row: &mut [u8], step: usize) {
    match step {
        1 => each::<1>(filter, line, above, row),
        2 => each::<2>(filter, line, above, row),
        3 => each::<3>(filter, line, above, row),
        4 => each::<4>(filter, line, above, row),
        6 => each::<6>(filter, line, above, row),
        _ => each::<8>(filter, line, above, row),
    }
}

/// Unfilters a line with pixels of `STEP` bytes, which the compiler keeps in registers.
fn each<const STEP: usize>(filter: u8, line: &[u8], above: &[u8], row: &mut [u8]) {
    match filter {
        0 => row.copy_from_slice(line),
        1 => pixels::<STEP>(line, above, row, |left, _, _| left),
        2 => {
            for ((sample, &byte), &up) in row.iter_mut().zip(line).zip(above) {
                *sample = byte.wrapping_add(up);
            }
        }
        3 => pixels::<STEP>(line, above, row, |left, up, _| (left + up) / 2),
        _ => pixels::<STEP>(line, above, row, paeth),
    }
}

/// Adds to each byte a prediction from the bytes to the left, above, and above to the left. Bytes outside of the
/// picture are 0.
#[inline(always)]
fn pixels<const STEP: usize>(
    line: &[u8],
    above: &[u8],
    row: &mut [u8],
    predict: impl Fn(i32, i32, i32) -> i32,
) {
    let mut left = [0; STEP];
    let mut corner = [0; STEP];
    let line = line.as_chunks::<STEP>().0.iter();
    let pairs = line.zip(above.as_chunks::<STEP>().0);
    for (pixel, (bytes, up)) in row.as_chunks_mut::<STEP>().0.iter_mut().zip(pairs) {
        for at in 0..STEP {
            let up = i32::from(up[at]);
            let sum = i32::from(bytes[at]) + predict(left[at], up, corner[at]);
            left[at] = sum & 255;
            corner[at] = up;
            pixel[at] = sum as u8;
        }
    }
}

/// The Paeth predictor (9.4).
#[inline(always)]
fn paeth(left: i32, up: i32, corner: i32) -> i32 {
    let to_left = (up - corner).abs();
    let to_up = (left - corner).abs();
    let to_corner = (left + up - 2 * corner).abs();
    let (nearest, distance) = if to_up < to_left {
        (up, to_up)
    } else {
        (left, to_left)
    };
    if to_corner < distance {
        corner
    } else {
        nearest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The specification's rules, byte by byte.
    fn plain(filter: u8, line: &[u8], above: &[u8], step: usize) -> Vec<u8> {
        let mut row: Vec<u8> = Vec::new();
        for (at, &byte) in line.iter().enumerate() {
            let before = |row: &[u8]| at.checked_sub(step).map_or(0, |at| i32::from(row[at]));
            let (a, b, c) = (before(&row), i32::from(above[at]), before(above));
            let p = a + b - c;
            let (pa, pb, pc) = ((p - a).abs(), (p - b).abs(), (p - c).abs());
            let predicted = match filter {
                0 => 0,
                1 => a,
                2 => b,
                3 => (a + b) / 2,
                _ if pa <= pb && pa <= pc => a,
                _ if pb <= pc => b,
                _ => c,
            };
            row.push(byte.wrapping_add(predicted as u8));
        }
        row
    }

    #[test]
    fn every_filter_follows_the_specification() {
        let mut random = 7_u32;
        let mut noise = |len: usize| -> Vec<u8> {
            (0..len)
                .map(|_| {
                    random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    // Small steps are as likely as large ones.
                    (random >> 24) as u8 >> (random >> 20 & 7)
                })
                .collect()
        };
        for step in [1, 2, 3, 4, 6, 8] {
            for len in [1, 2, 17, 500].map(|pixels| pixels * step) {
                let (line, above) = (noise(len), noise(len));
                let mut row = vec![0; len];
                for filter in 0..FILTERS {
                    unfilter(filter, &line, &above, &mut row, step);
                    assert_eq!(row, plain(filter, &line, &above, step), "{filter} {step}");
                }
            }
        }
    }
}
