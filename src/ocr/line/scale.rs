//! Scales a line to the height of a network, in the same way as Leptonica's `pixScale` does it for Tesseract: the
//! networks were trained with pictures scaled in that way, and the results of other methods differ from these by more
//! than noise. All positions are in sixteenths of a pixel.
//!
//! Below a factor of 0.7 each pixel becomes the mean of the area that it covers; from 0.7 on, its value is interpolated
//! between four pixels, at the position of its top left corner. Both results are sharpened, unless the picture was made
//! much smaller or larger.

/// A grey picture that owns its pixels.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Picture {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) grey: Vec<u8>,
}

/// Below this factor, pixels become means of areas.
const AREA: f32 = 0.7;

/// Width of a line of this size once it has the height `to`.
pub(crate) fn scaled_width(width: usize, height: usize, to: usize) -> usize {
    (factor(height, to) * width as f32 + 0.5) as usize
}

/// Scales a picture of at least one pixel to another height.
pub(crate) fn to_height(width: usize, height: usize, grey: &[u8], to: usize) -> Picture {
    let factor = factor(height, to);
    let source = Source {
        width,
        height,
        grey,
    };
    let target = (scaled_width(width, height, to).max(1), to);
    if factor < AREA {
        let scaled = match halvings(factor) {
            Some(times) => source.halved(times),
            None => source.means(target),
        };
        return if factor > 0.2 {
            scaled.sharpened(1, 0.2)
        } else {
            scaled
        };
    }
    if factor == 1.0 {
        return source.copy();
    }
    let scaled = source.interpolated(target, factor);
    if factor < 1.4 {
        scaled.sharpened(2, 0.4)
    } else {
        scaled
    }
}

fn factor(height: usize, to: usize) -> f32 {
    to as f32 / height as f32
}

/// The number of halvings, if a factor is a power of ½ that Leptonica computes by halving.
fn halvings(factor: f32) -> Option<usize> {
    [0.5, 0.25, 0.125, 0.0625]
        .iter()
        .position(|power| factor == *power)
        .map(|index| index + 1)
}

#[derive(Clone, Copy)]
struct Source<'a> {
    width: usize,
    height: usize,
    grey: &'a [u8],
}

impl Source<'_> {
    #[inline(always)]
    fn at(&self, x: usize, y: usize) -> u32 {
        u32::from(self.grey[y * self.width + x])
    }

    fn copy(&self) -> Picture {
        Picture {
            width: self.width,
            height: self.height,
            grey: self.grey.to_vec(),
        }
    }

    /// Interpolates each pixel between four pixels of the source: the one at its top left, and its neighbours to the
    /// right, below, and diagonally.
    fn interpolated(&self, (width, height): (usize, usize), factor: f32) -> Picture {
        // Leptonica has separate loops for enlarging exactly two and four times, which do not round.
        let half = if factor == 2.0 || factor == 4.0 {
            0
        } else {
            128
        };
        let mut picture = Picture::new(width, height);
        let step_x = 16.0 * self.width as f32 / width as f32;
        let step_y = 16.0 * self.height as f32 / height as f32;
        for (y, row) in picture.grey.chunks_exact_mut(width).enumerate() {
            let at = (step_y * y as f32) as usize;
            let (upper, part_y) = ((at / 16).min(self.height - 1), (at % 16) as u32);
            let lower = (upper + 1).min(self.height - 1);
            for (x, to) in row.iter_mut().enumerate() {
                let at = (step_x * x as f32) as usize;
                let (left, part_x) = ((at / 16).min(self.width - 1), (at % 16) as u32);
                let right = (left + 1).min(self.width - 1);
                let sum = (16 - part_x) * (16 - part_y) * self.at(left, upper)
                    + part_x * (16 - part_y) * self.at(right, upper)
                    + (16 - part_x) * part_y * self.at(left, lower)
                    + part_x * part_y * self.at(right, lower);
                *to = ((sum + half) / 256) as u8;
            }
        }
        picture
    }

    /// Scales down: each pixel is the mean of the area that it covers. If the area extends into the last column or row,
    /// a single pixel is used instead.
    fn means(&self, (width, height): (usize, usize)) -> Picture {
        let mut picture = Picture::new(width, height);
        let step_x = 16.0 * self.width as f32 / width as f32;
        let step_y = 16.0 * self.height as f32 / height as f32;
        let ends = |step: f32, at: usize| {
            // As in Leptonica, the start is computed in 32 bits, and the end in 64 bits.
            let from = (step * at as f32) as usize;
            let to = (f64::from(step) * (at as f64 + 1.0)) as usize;
            (from, to)
        };
        for (y, row) in picture.grey.chunks_exact_mut(width).enumerate() {
            let (top, bottom) = ends(step_y, y);
            for (x, to) in row.iter_mut().enumerate() {
                let (left, right) = ends(step_x, x);
                *to = if right / 16 + 2 > self.width || bottom / 16 + 2 > self.height {
                    let x = (left / 16).min(self.width - 1);
                    self.at(x, (top / 16).min(self.height - 1)) as u8
                } else {
                    self.mean(left, right, top, bottom)
                };
            }
        }
        picture
    }

    /// Mean of an area, whose edges are given in sixteenths of a pixel.
    fn mean(&self, left: usize, right: usize, top: usize, bottom: usize) -> u8 {
        let weight = |from: usize, to: usize, at: usize| {
            // Overlap with the pixel, in sixteenths.
            ((at * 16 + 16).min(to) - (at * 16).max(from)) as u64
        };
        let (mut sum, mut area) = (0, 0);
        for y in top / 16..bottom.div_ceil(16) {
            let weight_y = weight(top, bottom, y);
            for x in left / 16..right.div_ceil(16) {
                let weight = weight_y * weight(left, right, x);
                sum += weight * u64::from(self.at(x, y));
                area += weight;
            }
        }
        ((sum + 128) / area.max(1)) as u8
    }

    /// Halves a picture this many times. An odd column or row at the end is left out, unless it is the only one.
    fn halved(&self, times: usize) -> Picture {
        let mut picture = self.halved_once();
        for _ in 1..times {
            picture = picture.source().halved_once();
        }
        picture
    }

    fn halved_once(&self) -> Picture {
        let mut picture = Picture::new((self.width / 2).max(1), (self.height / 2).max(1));
        let width = picture.width;
        for (y, row) in picture.grey.chunks_exact_mut(width).enumerate() {
            let lower = (2 * y + 1).min(self.height - 1);
            for (x, to) in row.iter_mut().enumerate() {
                let right = (2 * x + 1).min(self.width - 1);
                let sum = self.at(2 * x, 2 * y)
                    + self.at(right, 2 * y)
                    + self.at(2 * x, lower)
                    + self.at(right, lower);
                *to = (sum / 4) as u8;
            }
        }
        picture
    }
}

impl Picture {
    fn new(width: usize, height: usize) -> Self {
        Self {
            width,
            height,
            grey: vec![0; width * height],
        }
    }

    fn source(&self) -> Source<'_> {
        Source {
            width: self.width,
            height: self.height,
            grey: &self.grey,
        }
    }

    /// Adds to each pixel a part of its difference from the mean of the square around it. A border of `reach` pixels
    /// stays unchanged.
    fn sharpened(self, reach: usize, part: f32) -> Picture {
        let side = 2 * reach + 1;
        if self.width < side || self.height < side {
            return self;
        }
        let source = self.source();
        let mut sharp = self.clone();
        let share = 1.0 / (side * side) as f32;
        let mut columns = vec![0; self.width];
        for y in reach..self.height - reach {
            columns.fill(0);
            for row in self.grey[(y - reach) * self.width..(y + reach + 1) * self.width]
                .chunks_exact(self.width)
            {
                for (column, value) in columns.iter_mut().zip(row) {
                    *column += u32::from(*value);
                }
            }
            for x in reach..self.width - reach {
                let sum: u32 = columns[x - reach..=x + reach].iter().sum();
                let value = source.at(x, y) as f32;
                let sharper = value + part * (value - share * sum as f32);
                sharp.grey[y * self.width + x] = ((sharper + 0.5) as i32).clamp(0, 255) as u8;
            }
        }
        sharp
    }
}
