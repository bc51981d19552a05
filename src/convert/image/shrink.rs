//! Making a picture smaller by a whole factor while it streams by, so that a thumbnail never needs the whole picture.
//! Never the last step: averages over squares are only good enough if a proper filter comes after them.

use super::{
    layout::{Depth, Layout},
    rows::Rows,
};
use crate::error::Result;

/// Averages of squares of `factor` × `factor` pixels. At the right and lower edge they have fewer.
pub(super) struct Shrunk<'a> {
    source: Box<dyn Rows + 'a>,
    factor: usize,
    layout: Layout,
    row: Vec<u8>,
    samples: Vec<f32>,
    sums: Vec<f32>,
    left: u32,
}

/// The size of a picture after shrinking.
pub(super) fn shrunk(layout: Layout, factor: u32) -> Layout {
    layout.sized(
        layout.width.div_ceil(factor),
        layout.height.div_ceil(factor),
    )
}

impl<'a> Shrunk<'a> {
    pub(super) fn new(source: Box<dyn Rows + 'a>, factor: u32) -> Self {
        let from = source.layout();
        let layout = shrunk(from, factor);
        Self {
            factor: factor as usize,
            row: vec![0; from.row_bytes()],
            samples: vec![0.0; from.width as usize * from.channels.count()],
            sums: vec![0.0; layout.width as usize * layout.channels.count()],
            left: from.height,
            source,
            layout,
        }
    }
}

impl Rows for Shrunk<'_> {
    fn layout(&self) -> Layout {
        self.layout
    }

    fn next_row(&mut self, row: &mut [u8]) -> Result<()> {
        let channels = self.layout.channels.count();
        let width = self.source.layout().width as usize;
        let count = self.left.min(self.factor as u32);
        self.left -= count;
        self.sums.fill(0.0);
        for _ in 0..count {
            self.source.next_row(&mut self.row)?;
            read(&self.row, self.layout.depth, &mut self.samples);
            let alpha = self.layout.channels.has_alpha();
            match channels {
                1 => add::<1>(&mut self.samples, &mut self.sums, self.factor, alpha),
                2 => add::<2>(&mut self.samples, &mut self.sums, self.factor, alpha),
                3 => add::<3>(&mut self.samples, &mut self.sums, self.factor, alpha),
                _ => add::<4>(&mut self.samples, &mut self.sums, self.factor, alpha),
            }
        }
        for (x, sums) in self.sums.chunks_exact_mut(channels).enumerate() {
            let columns = self.factor.min(width - x * self.factor);
            let pixels = (columns * count as usize) as f32;
            let weight = match sums {
                [.., alpha] if self.layout.channels.has_alpha() => {
                    let weight = *alpha;
                    *alpha /= pixels;
                    weight
                }
                _ => pixels,
            };
            let colours = channels - usize::from(self.layout.channels.has_alpha());
            for sum in &mut sums[..colours] {
                *sum = if weight > 0.0 { *sum / weight } else { 0.0 };
            }
        }
        write(&self.sums, self.layout.depth, row);
        Ok(())
    }
}

/// Adds a row to the sums of its squares. Colour counts as much as it can be seen.
fn add<const N: usize>(samples: &mut [f32], sums: &mut [f32], factor: usize, alpha: bool) {
    let (pixels, _) = samples.as_chunks_mut::<N>();
    let (sums, _) = sums.as_chunks_mut::<N>();
    if alpha {
        for pixel in pixels.iter_mut() {
            let weight = pixel[N - 1];
            for sample in &mut pixel[..N - 1] {
                *sample *= weight;
            }
        }
    }
    for (sum, square) in sums.iter_mut().zip(pixels.chunks(factor)) {
        for pixel in square {
            for (sum, sample) in sum.iter_mut().zip(pixel) {
                *sum += sample;
            }
        }
    }
}

fn read(row: &[u8], depth: Depth, samples: &mut [f32]) {
    match depth {
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
}

fn write(samples: &[f32], depth: Depth, row: &mut [u8]) {
    match depth {
        Depth::Eight => {
            for (byte, &sample) in row.iter_mut().zip(samples) {
                *byte = (sample + 0.5) as u8;
            }
        }
        Depth::Sixteen => {
            for (bytes, &sample) in row.as_chunks_mut().0.iter_mut().zip(samples) {
                *bytes = ((sample + 0.5) as u16).to_ne_bytes();
            }
        }
        Depth::Float => {
            for (bytes, &sample) in row.as_chunks_mut().0.iter_mut().zip(samples) {
                *bytes = sample.to_ne_bytes();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convert::image::{layout::Channels, rows::Frame};

    #[test]
    fn squares_become_their_average() {
        let layout = Layout {
            width: 3,
            height: 2,
            channels: Channels::Grey,
            depth: Depth::Eight,
        };
        let frame = Frame::from_pixels(layout, vec![0, 10, 200, 20, 30, 100]);
        let shrunk = Box::new(Shrunk::new(Box::new(frame), 2));
        assert_eq!(shrunk.into_frame().unwrap().pixels, [15, 150]);
    }

    #[test]
    fn hidden_colour_does_not_bleed() {
        let layout = Layout {
            width: 2,
            height: 1,
            channels: Channels::GreyAlpha,
            depth: Depth::Eight,
        };
        let frame = Frame::from_pixels(layout, vec![200, 255, 0, 0]);
        let shrunk = Box::new(Shrunk::new(Box::new(frame), 2));
        assert_eq!(shrunk.into_frame().unwrap().pixels, [200, 128]);
    }
}
