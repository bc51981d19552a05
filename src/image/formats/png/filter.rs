//! PNG filters (W3C PNG, third edition, section 9): each byte is stored as its difference from a value that is
//! predicted from its neighbours.
//!
//! All four filters are applied to each row. The best filter is the one whose bytes, as signed numbers, have the
//! smallest sum of absolute values: this is the heuristic that the specification recommends (12.7). High quality
//! chooses the filter whose bytes have the lowest entropy, which takes more time and makes files 0.4 % smaller. No row
//! is compressed for this choice. The loops process 32 bytes at a time, so that the compiler vectorises them.

/// Number of bytes that are processed at a time.
const STEP: usize = 32;

/// Numbers of the filters in the file: Sub, Up, Average and Paeth.
const FILTERS: [u8; 4] = [1, 2, 3, 4];

/// Filters the rows of a picture in order.
pub(crate) struct Filters {
    /// Length of a pixel in bytes.
    pixel: usize,
    /// Whether the filter is chosen by entropy.
    is_exact: bool,
    /// The previous row. Zeros precede it, as the pixel to the left of the first one, and zeros follow it to complete
    /// the last step.
    above: Vec<u8>,
    /// The current row, with zeros on both sides as in `above`.
    row: Vec<u8>,
    /// The current row, filtered by each filter.
    filtered: [Vec<u8>; FILTERS.len()],
}

impl Filters {
    /// Prepares for rows of `row_bytes` and pixels of `pixel` bytes. If `is_exact`, filters are chosen by entropy.
    pub(crate) fn new(row_bytes: usize, pixel: usize, is_exact: bool) -> Self {
        let steps = row_bytes.next_multiple_of(STEP);
        Self {
            pixel,
            is_exact,
            above: vec![0; pixel + steps],
            row: vec![0; pixel + steps],
            filtered: std::array::from_fn(|_| vec![0; steps]),
        }
    }

    /// Appends the number of the best filter and the filtered row to `out`.
    pub(crate) fn filter(&mut self, row: &[u8], out: &mut Vec<u8>) {
        std::mem::swap(&mut self.above, &mut self.row);
        self.row[self.pixel..][..row.len()].copy_from_slice(row);
        let mut sums = self.filter_all();
        if self.is_exact {
            sums = std::array::from_fn(|at| entropy(&self.filtered[at][..row.len()]));
        }
        // If several filters are equally good, the last of them is chosen, because it is usually better for the rows
        // below, too.
        let best = (0..FILTERS.len()).rev().min_by_key(|&at| sums[at]);
        let best = best.unwrap_or(0);
        out.push(FILTERS[best]);
        out.extend_from_slice(&self.filtered[best][..row.len()]);
    }

    /// Applies all filters, and returns their sums of absolute values. The sums include the few bytes that complete the
    /// last step.
    fn filter_all(&mut self) -> [u64; FILTERS.len()] {
        let len = self.filtered[0].len();
        let [sub, up, average, paeth] = &mut self.filtered;
        let here = self.row[self.pixel..].as_chunks::<STEP>().0.iter();
        let left = self.row[..len].as_chunks::<STEP>().0.iter();
        let above = self.above[self.pixel..].as_chunks::<STEP>().0.iter();
        let corner = self.above[..len].as_chunks::<STEP>().0.iter();
        let outputs = (sub.as_chunks_mut().0.iter_mut())
            .zip(up.as_chunks_mut().0)
            .zip(average.as_chunks_mut().0)
            .zip(paeth.as_chunks_mut().0);
        let inputs = here.zip(left).zip(above.zip(corner));
        let mut sums = [0; FILTERS.len()];
        for (((here, left), (above, corner)), (((sub, up), average), paeth)) in inputs.zip(outputs)
        {
            sums[0] += step(sub, |at| here[at].wrapping_sub(left[at]));
            sums[1] += step(up, |at| here[at].wrapping_sub(above[at]));
            sums[2] += step(average, |at| {
                here[at].wrapping_sub(middle(left[at], above[at]))
            });
            sums[3] += step(paeth, |at| {
                here[at].wrapping_sub(predicted(left[at], above[at], corner[at]))
            });
        }
        sums
    }
}

/// Filters 32 bytes, and returns the sum of their absolute values. It is not inlined, because the compiler fails to
/// vectorise it within its caller.
#[inline(never)]
fn step(out: &mut [u8; STEP], filter: impl Fn(usize) -> u8) -> u64 {
    for (at, byte) in out.iter_mut().enumerate() {
        *byte = filter(at);
    }
    // Sums the absolute values of the bytes, taken as signed numbers.
    let sum: u32 = out
        .iter()
        .map(|&byte| u32::from(byte.min(byte.wrapping_neg())))
        .sum();
    sum.into()
}

/// The mean of two bytes, rounded down, without a wider type.
#[inline(always)]
fn middle(a: u8, b: u8) -> u8 {
    (a & b) + ((a ^ b) >> 1)
}

/// The Paeth predictor, computed in bytes (as in Veluca's FPNGE). `c` cannot be the nearest if it does not lie between
/// `a` and `b`, so its distance is then set to the largest value.
#[inline(always)]
fn predicted(a: u8, b: u8, c: u8) -> u8 {
    let (from_a, from_b) = (b.max(c) - b.min(c), a.max(c) - a.min(c));
    let from_c = if (a < c) == (c < b) {
        from_a.max(from_b) - from_a.min(from_b)
    } else {
        255
    };
    if from_a <= from_b && from_a <= from_c {
        a
    } else if from_b <= from_c {
        b
    } else {
        c
    }
}

/// Entropy of these bytes in 1/256 bit: their size with an ideal code.
fn entropy(bytes: &[u8]) -> u64 {
    let mut counts = [0u32; 256];
    for &byte in bytes {
        counts[usize::from(byte)] += 1;
    }
    let total = bytes.len() as f32;
    let used = counts.iter().filter(|&&count| count > 0);
    let bits: f32 = used
        .map(|&count| count as f32 * (total / count as f32).log2())
        .sum();
    (bits * 256.0) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The Paeth predictor as the specification defines it.
    fn specified(a: u8, b: u8, c: u8) -> u8 {
        let [x, y, z] = [a, b, c].map(i32::from);
        let p = x + y - z;
        let (pa, pb, pc) = ((p - x).abs(), (p - y).abs(), (p - z).abs());
        if pa <= pb && pa <= pc {
            a
        } else if pb <= pc {
            b
        } else {
            c
        }
    }

    #[test]
    fn the_paeth_predictor_follows_the_specification() {
        for a in 0..=255 {
            for b in 0..=255 {
                assert_eq!(u16::from(middle(a, b)), (u16::from(a) + u16::from(b)) / 2);
                for c in 0..=255 {
                    assert_eq!(predicted(a, b, c), specified(a, b, c), "{a} {b} {c}");
                }
            }
        }
    }
}
