//! Box averages for pictures that become much smaller, and the conversion of samples to floats and back.
//!
//! A filter that spans 100 source pixels costs 100 multiplications for each pixel of the result. So a picture that
//! shrinks to a quarter or less in a direction is first averaged over whole squares of pixels, so that at least two
//! averages remain for each pixel of the result. Averaging alone would cause aliasing, so the proper filter always
//! follows ([`resample`](super::resample)).

use super::{
    layout::{Depth, Layout},
    rows::Rows,
    simd,
};
use convertd_core::error::Result;

/// Averages over squares of pixels, row by row. A square may be a single pixel. The last squares at the right and lower
/// edges may have fewer pixels.
///
/// Samples are floats in the range of the samples of the picture; colours are multiplied by alpha.
pub(crate) struct Squares<'a> {
    source: Box<dyn Rows + 'a>,
    /// Number of pixels in a square, horizontally and vertically.
    factors: [usize; 2],
    /// A row of the source.
    row: Vec<u8>,
    /// The same row as floats.
    samples: Vec<f32>,
    /// Sums of the samples of several rows.
    sums: Vec<f32>,
    /// Number of source rows that have not been read.
    left: usize,
}

impl<'a> Squares<'a> {
    /// Averages `factors` pixels into one, horizontally and vertically. Both factors are at least 1.
    pub(crate) fn new(source: Box<dyn Rows + 'a>, factors: [u32; 2]) -> Self {
        let from = source.layout();
        let samples = from.width as usize * from.channels.count();
        Self {
            factors: factors.map(|factor| factor as usize),
            row: vec![0; from.row_bytes()],
            samples: vec![0.0; samples],
            sums: vec![0.0; samples],
            left: from.height as usize,
            source,
        }
    }

    /// Memory in bytes for a picture with this layout.
    pub(crate) fn memory(from: Layout) -> u64 {
        let samples = u64::from(from.width) * from.channels.count() as u64;
        from.row_bytes() as u64 + 8 * samples
    }

    /// Layout of the picture before averaging.
    pub(crate) fn layout(&self) -> Layout {
        self.source.layout()
    }

    /// Number of squares in a row.
    pub(crate) fn width(&self) -> usize {
        (self.layout().width as usize).div_ceil(self.factors[0])
    }

    /// Computes the next row of squares.
    pub(crate) fn next_row(&mut self, squares: &mut [f32]) -> Result<()> {
        let [across, down] = self.factors;
        let layout = self.source.layout();
        let count = self.left.min(down);
        self.left -= count;
        if self.factors == [1, 1] {
            self.source.next_row(&mut self.row)?;
            simd::run(
                #[inline(always)]
                || read(&self.row, layout, squares),
            );
            return Ok(());
        }
        self.sums.fill(0.0);
        for _ in 0..count {
            self.source.next_row(&mut self.row)?;
            simd::run(
                #[inline(always)]
                || {
                    read(&self.row, layout, &mut self.samples);
                    for (sum, sample) in self.sums.iter_mut().zip(&self.samples) {
                        *sum += sample;
                    }
                },
            );
        }
        match layout.channels.count() {
            1 => average::<1>(&self.sums, across, count, squares),
            2 => average::<2>(&self.sums, across, count, squares),
            3 => average::<3>(&self.sums, across, count, squares),
            _ => average::<4>(&self.sums, across, count, squares),
        }
        Ok(())
    }
}

/// Averages `across` columns into one square. Each column is the sum of `down` pixels.
fn average<const N: usize>(columns: &[f32], across: usize, down: usize, squares: &mut [f32]) {
    let (columns, _) = columns.as_chunks::<N>();
    let (squares, _) = squares.as_chunks_mut::<N>();
    for (square, columns) in squares.iter_mut().zip(columns.chunks(across)) {
        let mut sum = [0.0; N];
        for column in columns {
            for (sum, sample) in sum.iter_mut().zip(column) {
                *sum += sample;
            }
        }
        *square = sum.map(|sum| sum / (columns.len() * down) as f32);
    }
}

/// Converts a row to floats, with colours multiplied by alpha.
#[inline(always)]
fn read(row: &[u8], layout: Layout, samples: &mut [f32]) {
    match layout.depth {
        Depth::Eight => {
            for (sample, &byte) in samples.iter_mut().zip(row) {
                *sample = byte.into();
            }
        }
        Depth::Sixteen => {
            for (sample, &bytes) in samples.iter_mut().zip(row.as_chunks().0) {
                *sample = u16::from_ne_bytes(bytes).into();
            }
        }
        Depth::Float => {
            for (sample, &bytes) in samples.iter_mut().zip(row.as_chunks().0) {
                *sample = f32::from_ne_bytes(bytes);
            }
        }
    }
    if layout.channels.has_alpha() {
        for pixel in samples.chunks_exact_mut(layout.channels.count()) {
            if let [colours @ .., alpha] = pixel {
                for colour in colours {
                    *colour *= *alpha;
                }
            }
        }
    }
}

/// The inverse of [`read`]: divides colours by alpha, and rounds if samples are integers. Fully transparent pixels
/// become black.
#[inline(always)]
pub(crate) fn write(samples: &mut [f32], layout: Layout, row: &mut [u8]) {
    // The alpha of opaque pixels, and the least alpha by which a colour is divided: the filter can make alpha zero or
    // slightly negative.
    let (most, least) = match layout.depth {
        Depth::Eight => (255.0, 0.5),
        Depth::Sixteen => (65_535.0, 0.5),
        Depth::Float => (1.0, 1e-5),
    };
    if layout.channels.has_alpha() {
        for pixel in samples.chunks_exact_mut(layout.channels.count()) {
            if let [colours @ .., alpha] = pixel {
                for colour in colours {
                    *colour = if *alpha >= least {
                        *colour / *alpha
                    } else {
                        0.0
                    };
                }
                *alpha = alpha.clamp(0.0, most);
            }
        }
    }
    match layout.depth {
        Depth::Eight => {
            for (byte, &sample) in row.iter_mut().zip(&*samples) {
                *byte = (sample + 0.5) as u8;
            }
        }
        Depth::Sixteen => {
            for (bytes, &sample) in row.as_chunks_mut().0.iter_mut().zip(&*samples) {
                *bytes = ((sample + 0.5) as u16).to_ne_bytes();
            }
        }
        Depth::Float => {
            for (bytes, &sample) in row.as_chunks_mut().0.iter_mut().zip(&*samples) {
                *bytes = sample.to_ne_bytes();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pixels::{layout::Channels, rows::Frame};

    #[track_caller]
    fn check(size: (u32, u32), channels: Channels, pixels: &[u8], rows: &[&[u8]]) {
        let layout = Layout {
            width: size.0,
            height: size.1,
            channels,
            depth: Depth::Eight,
        };
        let frame = Frame::from_pixels(layout, pixels.to_vec());
        let mut squares = Squares::new(Box::new(frame), [2, 2]);
        let to = layout.sized(squares.width() as u32, rows.len() as u32);
        for expected in rows {
            let mut samples = vec![0.0; squares.width() * channels.count()];
            squares.next_row(&mut samples).unwrap();
            let mut row = vec![0; to.row_bytes()];
            write(&mut samples, to, &mut row);
            assert_eq!(&row, expected);
        }
    }

    #[test]
    fn squares_are_averaged() {
        let pixels = [0, 10, 200, 20, 30, 100, 1, 2, 3];
        check((3, 3), Channels::Grey, &pixels, &[&[15, 150], &[2, 3]]);
    }

    #[test]
    fn hidden_colour_does_not_bleed() {
        let pixels = [200, 255, 0, 0];
        check((2, 1), Channels::GreyAlpha, &pixels, &[&[200, 128]]);
    }
}
