//! A band: the rows of pixels of one row of MCUs, converted to planes of luma and chroma (JFIF 1.02), with subsampled
//! chroma on request.

use crate::pixels::{Channels, Layout, simd, ycbcr};

/// The samples of one component in the band.
pub(crate) struct Plane {
    pub(crate) samples: Vec<u8>,
    /// Number of samples in a row, rounded up to whole blocks.
    pub(crate) stride: usize,
}

impl Plane {
    /// The first `width` samples of row `y`.
    fn row(&mut self, y: usize, width: usize) -> &mut [u8] {
        &mut self.samples[y * self.stride..][..width]
    }

    /// Repeats the last sample of a row to the edge of the last block.
    fn widen(&mut self, y: usize, width: usize) {
        let row = self.row(y, self.stride);
        let last = row[width - 1];
        row[width..].fill(last);
    }

    /// Repeats row `y` to the lower edge of the last block.
    fn lengthen(&mut self, y: usize) {
        let (_, rest) = self.samples.split_at_mut(y * self.stride);
        let (row, below) = rest.split_at_mut(self.stride);
        for line in below.chunks_exact_mut(self.stride) {
            line.copy_from_slice(row);
        }
    }
}

/// Number of chroma samples that are computed together, by vector instructions.
const LANES: usize = 8;

/// Rows of a picture in grey or RGB with 8 bits per sample.
pub(crate) struct Band {
    /// The components: Y, Cb and Cr, or Y alone.
    pub(crate) planes: Vec<Plane>,
    /// Whether chroma is subsampled (4:2:0): one sample for 2 × 2 pixels.
    pub(crate) halves_colour: bool,
    width: usize,
    /// Number of rows of pixels in the band so far.
    rows: usize,
    /// The last even row, or its sum with the row below, for averaging chroma.
    sums: Vec<u16>,
}

impl Band {
    /// Makes a band for pictures of this width. Its planes are padded to whole MCUs: 16 pixels with subsampled chroma,
    /// otherwise 8.
    pub(crate) fn new(layout: Layout, halves_colour: bool) -> Self {
        let (count, halves_colour) = match layout.channels {
            Channels::Grey | Channels::GreyAlpha => (1, false),
            Channels::Rgb | Channels::Rgba => (3, halves_colour),
        };
        let width = layout.width as usize;
        let side = if halves_colour { 16 } else { 8 };
        let mcus = width.div_ceil(side);
        let planes = (0..count).map(|plane| {
            let side = if plane == 0 { side } else { 8 };
            Plane {
                samples: vec![0; side * side * mcus],
                stride: side * mcus,
            }
        });
        Self {
            planes: planes.collect(),
            halves_colour,
            width,
            rows: 0,
            sums: Vec::new(),
        }
    }

    /// Number of rows that fill the band.
    pub(crate) fn height(&self) -> usize {
        if self.halves_colour { 16 } else { 8 }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows == 0
    }

    pub(crate) fn is_full(&self) -> bool {
        self.rows == self.height()
    }

    /// Appends a row. The band must not be full.
    pub(crate) fn add(&mut self, row: &[u8]) {
        simd::run(
            #[inline(always)]
            || self.add_row(row),
        );
    }

    /// Converts a row to luma and chroma, and repeats its last sample to the edge of the block. Subsampled chroma is
    /// computed after every second row.
    #[inline(always)]
    fn add_row(&mut self, row: &[u8]) {
        let (y, width) = (self.rows, self.width);
        self.rows += 1;
        let [first, colours @ ..] = &mut *self.planes else {
            return;
        };
        let luma = first.row(y, width);
        let [blue, red] = colours else {
            luma.copy_from_slice(row);
            return first.widen(y, width);
        };
        let (pixels, _) = row.as_chunks::<3>();
        for (luma, &pixel) in luma.iter_mut().zip(pixels) {
            *luma = ycbcr::luma(pixel);
        }
        first.widen(y, width);
        if !self.halves_colour {
            let samples = blue.row(y, width).iter_mut().zip(red.row(y, width));
            for ((blue, red), &pixel) in samples.zip(pixels) {
                [*blue, *red] = chroma(pixel.map(i32::from), 16, 32_767);
            }
            blue.widen(y, width);
            red.widen(y, width);
        } else if y.is_multiple_of(2) {
            self.sums.clear();
            self.sums
                .extend(row.iter().map(|&sample| u16::from(sample)));
        } else {
            for (sum, &sample) in self.sums.iter_mut().zip(row) {
                *sum += u16::from(sample);
            }
            self.add_chroma();
        }
    }

    /// Repeats the last row until the band is full. The band must have at least one row.
    pub(crate) fn fill(&mut self) {
        let mut last = [self.rows - 1; 3];
        if self.halves_colour {
            // If the number of rows is odd, the last row counts twice in its squares of 2 × 2 pixels.
            if !self.rows.is_multiple_of(2) {
                self.sums.iter_mut().for_each(|sum| *sum *= 2);
                self.rows += 1;
                self.add_chroma();
            }
            last[1..].fill(self.rows / 2 - 1);
        }
        for (plane, y) in self.planes.iter_mut().zip(last) {
            plane.lengthen(y);
        }
        self.rows = self.height();
    }

    /// Empties the band.
    pub(crate) fn clear(&mut self) {
        self.rows = 0;
    }

    /// Adds a row of chroma. Each sample is computed from the mean colour of a square of 2 × 2 pixels. If the width is
    /// odd, the last column counts twice.
    #[inline(always)]
    fn add_chroma(&mut self) {
        let [_, blue, red] = &mut *self.planes else {
            return;
        };
        let (y, width) = (self.rows / 2 - 1, self.width.div_ceil(2));
        if !self.width.is_multiple_of(2) {
            self.sums.extend_from_within(self.sums.len() - 3..);
        }
        let (blue_row, red_row) = (blue.row(y, width), red.row(y, width));
        let chunks = blue_row.chunks_mut(LANES).zip(red_row.chunks_mut(LANES));
        let (pairs, _) = self.sums.as_chunks::<6>();
        for ((blue, red), pairs) in chunks.zip(pairs.chunks(LANES)) {
            let mut colours = [[0; LANES]; 3];
            for (x, pair) in pairs.iter().enumerate().take(LANES) {
                for (at, colour) in colours.iter_mut().enumerate() {
                    colour[x] = i32::from(pair[at]) + i32::from(pair[at + 3]);
                }
            }
            let mut samples = [[0; LANES]; 2];
            for x in 0..LANES {
                let [r, g, b] = colours;
                let [blue, red] = chroma([r[x], g[x], b[x]], 18, 131_071);
                (samples[0][x], samples[1][x]) = (blue, red);
            }
            blue.copy_from_slice(&samples[0][..blue.len()]);
            red.copy_from_slice(&samples[1][..red.len()]);
        }
        blue.widen(y, width);
        red.widen(y, width);
    }
}

/// Cb and Cr of a sum of `1 << (bits - 16)` pixels. `bias` determines the rounding.
#[inline(always)]
fn chroma(sum: [i32; 3], bits: u32, bias: i32) -> [u8; 2] {
    ycbcr::chroma(sum).map(|sample| ((sample + (128 << bits) + bias) >> bits) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pixels::Depth;

    fn band(width: u32, rows: &[&[u8]], halves_colour: bool) -> Band {
        let layout = Layout {
            width,
            height: rows.len() as u32,
            channels: Channels::Rgb,
            depth: Depth::Eight,
        };
        let mut band = Band::new(layout, halves_colour);
        for row in rows {
            band.add(row);
        }
        band.fill();
        band
    }

    #[test]
    fn colours_follow_the_formula() {
        for pixel in [
            [0, 0, 0],
            [255, 255, 255],
            [255, 0, 0],
            [0, 0, 255],
            [9, 99, 200],
        ] {
            let [r, g, b] = pixel.map(f64::from);
            let expected = [
                0.299 * r + 0.587 * g + 0.114 * b,
                128.0 - 0.168_736 * r - 0.331_264 * g + 0.5 * b,
                128.0 + 0.5 * r - 0.418_688 * g - 0.081_312 * b,
            ];
            // An odd width and an odd height.
            let row = [pixel; 5].concat();
            for halves_colour in [false, true] {
                let band = band(5, &[&row[..]; 3], halves_colour);
                for (plane, expected) in band.planes.iter().zip(expected) {
                    let first = plane.samples[0];
                    assert!((f64::from(first) - expected).abs() < 0.51, "{pixel:?}");
                    assert!(plane.samples.iter().all(|&sample| sample == first));
                }
            }
        }
    }

    #[test]
    fn chroma_is_the_mean_of_four_pixels() {
        let rows: [&[u8]; 2] = [&[0, 0, 0, 0, 0, 255], &[0, 0, 255, 0, 0, 255]];
        let band = band(2, &rows, true);
        // Three of the four pixels are pure blue, and one is black.
        assert_eq!(
            [band.planes[1].samples[0], band.planes[2].samples[0]],
            [224, 112]
        );
    }
}
