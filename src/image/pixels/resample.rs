//! Resizing row by row with a Lanczos filter of three lobes: horizontally first, then vertically.
//!
//! Each pixel of the result is a weighted sum of the source pixels within three of its own widths, or within three
//! source pixels if the picture is enlarged. The weights of a column are computed once, because they are the same in
//! all rows. Rows are resized horizontally as they are read, and only as many of them are kept as the filter spans, not
//! the whole picture. Samples are floats, and colours are multiplied by alpha, so that invisible colours do not bleed
//! into visible ones.

use super::{
    layout::Layout,
    rows::Rows,
    simd,
    squares::{self, Squares},
};
use convertd_core::error::Result;
use std::{f64::consts::PI, ops::Range};

/// Half the width of the filter, in pixels of the source or of the result, whichever has fewer.
const LOBES: f64 = 3.0;

/// Largest number of source pixels under the filter, if one pixel of the result is `scale` source pixels wide.
pub(crate) fn most_taps(scale: f64) -> usize {
    (2.0 * LOBES * scale.max(1.0)).ceil() as usize + 1
}

/// Resampling in one direction.
#[derive(Clone, Copy)]
pub(crate) struct Along {
    /// Number of source pixels for each pixel of the result; below 1 if the picture is enlarged.
    pub(crate) scale: f64,
    /// Left or upper edge of the first pixel of the result, in source pixels.
    pub(crate) start: f64,
    /// Number of source pixels.
    pub(crate) len: usize,
    /// Width of the last source pixel, as a fraction of the width of the others: source pixels may be averages over
    /// [`Squares`], and the last average may cover fewer pixels.
    pub(crate) last: f64,
}

impl Along {
    /// The first source pixel that contributes to the pixel `at` of the result. Sets `weights` to the weight of this
    /// source pixel and those of the following ones; their sum is 1.
    fn taps(&self, at: usize, weights: &mut Vec<f32>) -> usize {
        // When a picture is enlarged, the filter spans three source pixels on each side.
        let width = self.scale.max(1.0);
        let centre = self.start + (at as f64 + 0.5) * self.scale;
        let last = self.len - 1;
        let first = ((centre - LOBES * width).floor().max(0.0) as usize).min(last);
        let end = ((centre + LOBES * width).ceil() as usize).clamp(first + 1, self.len);
        let weight = |pixel: usize| {
            let part = if pixel == last { self.last } else { 1.0 };
            part * lanczos((pixel as f64 + part / 2.0 - centre) / width)
        };
        let sum: f64 = (first..end).map(weight).sum();
        weights.clear();
        weights.extend((first..end).map(|pixel| (weight(pixel) / sum) as f32));
        first
    }

    /// The range of source pixels that contribute to the first `count` pixels of the result.
    fn needed(&self, count: usize) -> Range<usize> {
        let mut weights = Vec::new();
        let start = self.taps(0, &mut weights);
        let last = self.taps(count - 1, &mut weights);
        start..last + weights.len()
    }
}

/// The Lanczos filter at the distance `x` from its centre: sinc(x) windowed by sinc(x / 3).
fn lanczos(x: f64) -> f64 {
    let sinc = |x: f64| {
        if x == 0.0 {
            1.0
        } else {
            (PI * x).sin() / (PI * x)
        }
    };
    if x.abs() < LOBES {
        sinc(x) * sinc(x / LOBES)
    } else {
        0.0
    }
}

/// The resized rows of a picture with `N` channels.
pub(crate) struct Resampled<'a, const N: usize> {
    source: Squares<'a>,
    to: Layout,
    /// For each column, its first source pixel, and the end of its weights in `weights`.
    columns: Vec<(usize, usize)>,
    /// The weights of all columns, one column after another.
    weights: Vec<f32>,
    /// Resampling in the vertical direction.
    down: Along,
    /// A row of the source, before it is resized.
    line: Vec<[f32; N]>,
    /// The last rows of the source, resized horizontally. Row `y` is stored at the index `y` modulo their count.
    recent_rows: Vec<Vec<f32>>,
    /// Number of source rows that have been read.
    read: usize,
    /// The source rows that contribute to the result. A crop may leave out rows above and below.
    needed: Range<usize>,
    /// Number of the next row of the result.
    row: usize,
    /// The weights of the source rows for a row of the result.
    row_weights: Vec<f32>,
    /// Samples of a row of the result, as weighted sums.
    sums: Vec<f32>,
}

impl<'a, const N: usize> Resampled<'a, N> {
    /// Computes the weights of all columns in advance, because they are the same for each row.
    pub(crate) fn new(source: Squares<'a>, to: Layout, across: &Along, down: Along) -> Self {
        let mut columns = Vec::with_capacity(to.width as usize);
        let mut weights = Vec::with_capacity(to.width as usize * most_taps(across.scale));
        let mut column = Vec::new();
        for x in 0..to.width as usize {
            let first = across.taps(x, &mut column);
            weights.extend_from_slice(&column);
            columns.push((first, weights.len()));
        }
        let samples = to.width as usize * N;
        Self {
            line: vec![[0.0; N]; source.width()],
            source,
            to,
            columns,
            weights,
            recent_rows: vec![vec![0.0; samples]; most_taps(down.scale).min(down.len)],
            needed: down.needed(to.height as usize),
            down,
            read: 0,
            row: 0,
            row_weights: Vec::new(),
            sums: vec![0.0; samples],
        }
    }

    /// Reads source rows until `count` rows have been read. Keeps those that contribute.
    fn read_to(&mut self, count: usize) -> Result<()> {
        while self.read < count {
            self.source.next_row(self.line.as_flattened_mut())?;
            let y = self.read;
            self.read += 1;
            if !self.needed.contains(&y) {
                continue;
            }
            simd::run(
                #[inline(always)]
                || self.keep(y),
            );
        }
        Ok(())
    }

    /// Resizes the current source row, which has the number `y`, horizontally, and stores the result in `recent_rows`.
    #[inline(always)]
    fn keep(&mut self, y: usize) {
        let at = y % self.recent_rows.len();
        let (row, _) = self.recent_rows[at].as_chunks_mut::<N>();
        let mut start = 0;
        for (pixel, &(first, end)) in row.iter_mut().zip(&self.columns) {
            let weights = &self.weights[start..end];
            start = end;
            let mut sum = [0.0; N];
            for (source, weight) in self.line[first..].iter().zip(weights) {
                for (sum, sample) in sum.iter_mut().zip(source) {
                    *sum += sample * weight;
                }
            }
            *pixel = sum;
        }
    }
}

impl<const N: usize> Rows for Resampled<'_, N> {
    fn layout(&self) -> Layout {
        self.to
    }

    fn next_row(&mut self, row: &mut [u8]) -> Result<()> {
        let first = self.down.taps(self.row, &mut self.row_weights);
        self.row += 1;
        self.read_to(first + self.row_weights.len())?;
        simd::run(
            #[inline(always)]
            || {
                self.sums.fill(0.0);
                for (at, &weight) in self.row_weights.iter().enumerate() {
                    let recent_row = &self.recent_rows[(first + at) % self.recent_rows.len()];
                    for (sum, sample) in self.sums.iter_mut().zip(recent_row) {
                        *sum += sample * weight;
                    }
                }
                squares::write(&mut self.sums, self.to, row);
            },
        );
        if self.row == self.to.height as usize {
            // Reads the remaining source rows, because decoders check the end of the file after the last row.
            self.read_to(self.down.len)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pixels::{
        layout::{Channels, Depth},
        rows::Frame,
    };

    const RAMP: Layout = Layout {
        width: 64,
        height: 48,
        channels: Channels::Grey,
        depth: Depth::Eight,
    };

    /// A picture whose samples rise by 3 to the right and by 1 downwards.
    fn ramp() -> Frame {
        let pixels = (0..RAMP.height).flat_map(|y| (0..RAMP.width).map(move |x| (3 * x + y) as u8));
        Frame::from_pixels(RAMP, pixels.collect())
    }

    fn resized(source: Box<dyn Rows>, width: u32, height: u32) -> Frame {
        let from = source.layout();
        let along = |from: u32, to: u32| Along {
            scale: f64::from(from) / f64::from(to),
            start: 0.0,
            len: from as usize,
            last: 1.0,
        };
        let across = along(from.width, width);
        let down = along(from.height, height);
        let source = Squares::new(source, [1, 1]);
        let rows = Resampled::<1>::new(source, from.sized(width, height), &across, down);
        Box::new(rows).into_frame().unwrap()
    }

    #[test]
    fn the_same_size_keeps_the_picture() {
        assert_eq!(resized(Box::new(ramp()), 64, 48).pixels, ramp().pixels);
    }

    #[test]
    fn gradients_stay_linear() {
        #[track_caller]
        fn check(width: u32, height: u32) {
            let after = resized(Box::new(ramp()), width, height);
            let scale = |at: u32, to: u32, from: u32| {
                (f64::from(at) + 0.5) * f64::from(from) / f64::from(to) - 0.5
            };
            // Only the middle is compared, because at the edges the filter has pixels on one side only.
            for y in height / 4..height * 3 / 4 {
                for x in width / 4..width * 3 / 4 {
                    let expected = 3.0 * scale(x, width, 64) + scale(y, height, 48);
                    let found = f64::from(after.row(y)[x as usize]);
                    assert!(
                        (found - expected).abs() < 1.0,
                        "{x}, {y}: {found}, {expected}"
                    );
                }
            }
        }
        check(32, 24);
        check(25, 31);
        check(128, 96);
        check(64, 5);
        check(7, 48);
    }

    #[test]
    fn every_source_row_is_read() {
        struct Counted(Frame, std::sync::Arc<std::sync::atomic::AtomicU32>);
        impl Rows for Counted {
            fn layout(&self) -> Layout {
                self.0.layout
            }

            fn next_row(&mut self, row: &mut [u8]) -> Result<()> {
                self.1.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                self.0.next_row(row)
            }
        }
        let count = std::sync::Arc::default();
        let source = Squares::new(
            Box::new(Counted(ramp(), std::sync::Arc::clone(&count))),
            [1, 1],
        );
        // The upper left corner alone.
        let corner = Along {
            scale: 1.0,
            start: 0.0,
            len: 48,
            last: 1.0,
        };
        let across = Along { len: 64, ..corner };
        let rows = Resampled::<1>::new(source, RAMP.sized(2, 2), &across, corner);
        Box::new(rows).into_frame().unwrap();
        assert_eq!(count.load(std::sync::atomic::Ordering::Relaxed), 48);
    }
}
