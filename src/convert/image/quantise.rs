//! Choosing 256 colours, and mapping pixels to them. Exact where a picture has no more than that.
//!
//! The choice follows Xiaolin Wu, "Efficient statistical computations for optimal color quantization"
//! (Graphics Gems II, 1991): boxes of a 32×32×32 histogram are cut where the variance falls most.

use super::rows::Frame;
use std::collections::HashMap;

/// Bytes that quantising takes beside the pixels.
pub(super) const MEMORY: u64 = 8 << 20;

/// Cells along one side of the histogram, with a border of zeros below.
const SIDE: usize = 33;

/// Opaque pixels are those with at least this alpha.
const OPAQUE: u8 = 128;

/// A palette and the way from any colour to its index.
pub(super) struct Palette {
    /// Three bytes an entry.
    colours: Vec<u8>,
    transparent: Option<u8>,
    map: Map,
}

enum Map {
    /// All colours of the picture.
    Exact(HashMap<[u8; 3], u8>),
    /// The nearest entry for each cell of 6 × 6 × 6 bits.
    Nearest(Vec<u8>),
}

impl Palette {
    /// The palette of a picture with 8-bit RGB or RGBA pixels.
    pub(super) fn of(frame: &Frame) -> Self {
        let mut counts = Counts::default();
        counts.add(frame);
        counts.palette()
    }

    /// Three bytes an entry, at most 256 entries, at least one.
    pub(super) fn colours(&self) -> &[u8] {
        &self.colours
    }

    /// The index of pixels that show nothing, if the picture has any.
    pub(super) fn transparent(&self) -> Option<u8> {
        self.transparent
    }

    /// The index of every pixel.
    pub(super) fn indices(&self, frame: &Frame, dither: bool) -> Vec<u8> {
        match &self.map {
            Map::Nearest(_) if dither => self.dithered(frame),
            Map::Nearest(_) | Map::Exact(_) => {
                let mut last = ([0; 3], self.index([0; 3]));
                let mut indices = Vec::with_capacity(frame.layout.pixels() as usize);
                each_pixel(frame, |colour, alpha| {
                    if alpha < OPAQUE {
                        indices.push(self.transparent.unwrap_or(0));
                        return;
                    }
                    if colour != last.0 {
                        last = (colour, self.index(colour));
                    }
                    indices.push(last.1);
                });
                indices
            }
        }
    }

    fn index(&self, colour: [u8; 3]) -> u8 {
        match &self.map {
            Map::Exact(known) => known.get(&colour).copied().unwrap_or(0),
            Map::Nearest(cells) => cells[fine_cell(colour)],
        }
    }

    fn dithered(&self, frame: &Frame) -> Vec<u8> {
        let width = frame.layout.width as usize;
        let step = frame.layout.pixel_bytes();
        // Errors in sixteenths for this row and the next, with a margin on both sides.
        let mut errors = vec![[0i32; 3]; width + 2];
        let mut below = errors.clone();
        let mut indices = Vec::with_capacity(frame.layout.pixels() as usize);
        for row in frame.pixels.chunks_exact(frame.layout.row_bytes()) {
            below.fill([0; 3]);
            for (x, pixel) in (1..).zip(row.chunks_exact(step)) {
                if pixel.get(3).is_some_and(|&alpha| alpha < OPAQUE) {
                    indices.push(self.transparent.unwrap_or(0));
                    continue;
                }
                let mut wanted = [0; 3];
                for channel in 0..3 {
                    wanted[channel] =
                        (i32::from(pixel[channel]) + errors[x][channel] / 16).clamp(0, 255) as u8;
                }
                let index = self.index(wanted);
                indices.push(index);
                let chosen = &self.colours[usize::from(index) * 3..][..3];
                for channel in 0..3 {
                    let error = i32::from(wanted[channel]) - i32::from(chosen[channel]);
                    errors[x + 1][channel] += 7 * error;
                    below[x - 1][channel] += 3 * error;
                    below[x][channel] += 5 * error;
                    below[x + 1][channel] += error;
                }
            }
            std::mem::swap(&mut errors, &mut below);
        }
        indices
    }
}

/// Whether a palette could hold every colour of a picture with 8-bit RGB or RGBA pixels.
#[cfg(feature = "libwebp")]
pub(super) fn has_few_colours(frame: &Frame) -> bool {
    let mut seen = std::collections::HashSet::new();
    let mut last = None;
    for pixel in frame.pixels.chunks_exact(frame.layout.pixel_bytes()) {
        if last != Some(pixel) {
            last = Some(pixel);
            seen.insert(pixel);
            if seen.len() > 256 {
                return false;
            }
        }
    }
    true
}

/// How often each colour occurs, over one frame or many.
#[derive(Default)]
struct Counts {
    /// Every colour, until there are too many.
    few: HashMap<[u8; 3], ()>,
    many: bool,
    transparent: bool,
    cells: Vec<Moments>,
}

/// Sums over a cell, or over all cells from the origin up to one.
#[derive(Clone, Copy, Default)]
struct Moments {
    count: i64,
    sum: [i64; 3],
    squares: i64,
}

impl Counts {
    fn add(&mut self, frame: &Frame) {
        if self.cells.is_empty() {
            self.cells = vec![Moments::default(); SIDE * SIDE * SIDE];
        }
        let mut last = None;
        each_pixel(frame, |colour, alpha| {
            if alpha < OPAQUE {
                self.transparent = true;
                return;
            }
            if !self.many && last != Some(colour) {
                last = Some(colour);
                self.few.insert(colour, ());
                self.many = self.few.len() > 256;
            }
            let cell = &mut self.cells[coarse_cell(colour)];
            let [r, g, b] = colour.map(i64::from);
            cell.count += 1;
            cell.sum[0] += r;
            cell.sum[1] += g;
            cell.sum[2] += b;
            cell.squares += r * r + g * g + b * b;
        });
    }

    fn palette(self) -> Palette {
        let room = 256 - usize::from(self.transparent);
        if self.few.len() <= room {
            let mut colours: Vec<_> = self.few.into_keys().collect();
            colours.sort_unstable();
            let map = colours.iter().copied().zip(0..=255).collect();
            return Palette::new(colours, self.transparent, Map::Exact(map));
        }
        let colours = choose(self.cells, room);
        let nearest = nearest(&colours);
        Palette::new(colours, self.transparent, Map::Nearest(nearest))
    }
}

impl Palette {
    fn new(colours: Vec<[u8; 3]>, transparent: bool, map: Map) -> Self {
        let mut bytes = colours.as_flattened().to_vec();
        let transparent = transparent.then_some(colours.len() as u8);
        if transparent.is_some() || bytes.is_empty() {
            bytes.extend([0; 3]);
        }
        Self {
            colours: bytes,
            transparent,
            map,
        }
    }
}

fn each_pixel(frame: &Frame, mut see: impl FnMut([u8; 3], u8)) {
    if frame.layout.channels.has_alpha() {
        for &[r, g, b, a] in frame.pixels.as_chunks::<4>().0 {
            see([r, g, b], a);
        }
    } else {
        for &pixel in frame.pixels.as_chunks::<3>().0 {
            see(pixel, 255);
        }
    }
}

fn coarse_cell(colour: [u8; 3]) -> usize {
    let [r, g, b] = colour.map(|sample| usize::from(sample >> 3) + 1);
    (r * SIDE + g) * SIDE + b
}

fn fine_cell(colour: [u8; 3]) -> usize {
    let [r, g, b] = colour.map(|sample| usize::from(sample >> 2));
    r << 12 | g << 6 | b
}

/// A part of the histogram: cells above `low`, up to and including `high`.
#[derive(Clone, Copy)]
struct Cube {
    low: [usize; 3],
    high: [usize; 3],
}

/// The colours that stand for the histogram `cells`, at most `room`.
fn choose(mut cells: Vec<Moments>, room: usize) -> Vec<[u8; 3]> {
    accumulate(&mut cells);
    let mut cubes = vec![Cube {
        low: [0; 3],
        high: [SIDE - 1; 3],
    }];
    let mut variances = vec![f64::INFINITY];
    while cubes.len() < room {
        let Some((widest, &variance)) = variances
            .iter()
            .enumerate()
            .max_by(|a, b| a.1.total_cmp(b.1))
        else {
            break;
        };
        if variance <= 0.0 {
            break;
        }
        match cut(&cells, cubes[widest]) {
            Some((left, right)) => {
                cubes[widest] = left;
                variances[widest] = variance_of(&cells, left);
                cubes.push(right);
                variances.push(variance_of(&cells, right));
            }
            None => variances[widest] = 0.0,
        }
    }
    cubes
        .into_iter()
        .map(|cube| sums(&cells, cube))
        .filter(|sums| sums.count > 0)
        .map(|sums| {
            sums.sum
                .map(|sum| ((sum + sums.count / 2) / sums.count) as u8)
        })
        .collect()
}

/// Makes each cell the sum of all cells from the origin up to it.
fn accumulate(cells: &mut [Moments]) {
    for stride in [1, SIDE, SIDE * SIDE] {
        for at in stride..cells.len() {
            // The border of zeros stops a sum from running on into the next line.
            if at / stride % SIDE != 0 {
                let before = cells[at - stride];
                cells[at].add(before, 1);
            }
        }
    }
}

impl Moments {
    fn add(&mut self, other: Self, sign: i64) {
        self.count += sign * other.count;
        for (sum, other) in self.sum.iter_mut().zip(other.sum) {
            *sum += sign * other;
        }
        self.squares += sign * other.squares;
    }

    /// The square of the sum over the count: what a split is to make as large as it can.
    fn weight(&self) -> f64 {
        let sums: f64 = self.sum.iter().map(|&sum| (sum as f64).powi(2)).sum();
        sums / self.count as f64
    }
}

fn sums(cells: &[Moments], cube: Cube) -> Moments {
    let mut total = Moments::default();
    for corner in 0..8usize {
        let mut sign = 1;
        let mut at = 0;
        for axis in 0..3 {
            let side = if corner >> axis & 1 == 0 {
                cube.high[axis]
            } else {
                sign = -sign;
                cube.low[axis]
            };
            at = at * SIDE + side;
        }
        total.add(cells[at], sign);
    }
    total
}

fn variance_of(cells: &[Moments], cube: Cube) -> f64 {
    let single = (0..3).all(|axis| cube.high[axis] - cube.low[axis] == 1);
    let sums = sums(cells, cube);
    if single || sums.count == 0 {
        return 0.0;
    }
    sums.squares as f64 - sums.weight()
}

/// The two halves of `cube` at the best cut across any axis, if there is a cut with colours on both sides.
fn cut(cells: &[Moments], cube: Cube) -> Option<(Cube, Cube)> {
    let whole = sums(cells, cube);
    let mut best: Option<(f64, Cube, Cube)> = None;
    for axis in 0..3 {
        for at in cube.low[axis] + 1..cube.high[axis] {
            let (mut left, mut right) = (cube, cube);
            left.high[axis] = at;
            right.low[axis] = at;
            let left_sums = sums(cells, left);
            let mut right_sums = whole;
            right_sums.add(left_sums, -1);
            if left_sums.count == 0 || right_sums.count == 0 {
                continue;
            }
            let weight = left_sums.weight() + right_sums.weight();
            if best.is_none_or(|(most, ..)| weight > most) {
                best = Some((weight, left, right));
            }
        }
    }
    best.map(|(_, left, right)| (left, right))
}

/// The nearest of `colours` to the middle of every fine cell.
fn nearest(colours: &[[u8; 3]]) -> Vec<u8> {
    let mut reds = [0i32; 256];
    let mut greens = [0i32; 256];
    let mut blues = [0i32; 256];
    for (at, &[r, g, b]) in colours.iter().enumerate() {
        (reds[at], greens[at], blues[at]) = (r.into(), g.into(), b.into());
    }
    // Entries beyond the last are never the nearest.
    for at in colours.len()..256 {
        (reds[at], greens[at], blues[at]) = (1 << 12, 1 << 12, 1 << 12);
    }
    let mut partial = [0i32; 256];
    let mut cells = Vec::with_capacity(1 << 18);
    for r in 0..64 {
        for g in 0..64 {
            for at in 0..256 {
                let (dr, dg) = (reds[at] - (r * 4 + 2), greens[at] - (g * 4 + 2));
                partial[at] = dr * dr + dg * dg;
            }
            for b in 0..64 {
                // Distance and index in one number, so that the smallest tells both.
                let mut least = i32::MAX;
                for at in 0..256 {
                    let db = blues[at] - (b * 4 + 2);
                    // At most 3 × 4098² without the shift; near entries stay far below that.
                    let distance = (partial[at] + db * db).min((1 << 22) - 1);
                    least = least.min(distance << 8 | at as i32);
                }
                cells.push((least & 255) as u8);
            }
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convert::image::layout::{Channels, Depth, Layout};

    fn frame(channels: Channels, pixels: Vec<u8>) -> Frame {
        let layout = Layout {
            width: (pixels.len() / channels.count()) as u32,
            height: 1,
            channels,
            depth: Depth::Eight,
        };
        Frame::from_pixels(layout, pixels)
    }

    #[test]
    fn few_colours_stay_as_they_are() {
        let pixels: Vec<u8> = (0..=255).flat_map(|i| [i, 255 - i, 7]).collect();
        let frame = frame(Channels::Rgb, pixels.clone());
        let palette = Palette::of(&frame);
        let back: Vec<u8> = palette
            .indices(&frame, true)
            .into_iter()
            .flat_map(|index| palette.colours()[usize::from(index) * 3..][..3].to_vec())
            .collect();
        assert_eq!(back, pixels);
        assert_eq!(palette.transparent(), None);
    }

    #[test]
    fn transparency_takes_one_entry() {
        let frame = frame(Channels::Rgba, vec![1, 2, 3, 255, 9, 9, 9, 0]);
        let palette = Palette::of(&frame);
        assert_eq!(palette.transparent(), Some(1));
        assert_eq!(palette.indices(&frame, false), [0, 1]);
        assert_eq!(palette.colours(), [1, 2, 3, 0, 0, 0]);
    }

    #[test]
    fn many_colours_map_to_near_ones() {
        let pixels: Vec<u8> = (0..4096u32)
            .flat_map(|i| {
                [
                    (i >> 8) as u8 * 17,
                    (i >> 4 & 15) as u8 * 17,
                    (i & 15) as u8 * 17,
                ]
            })
            .collect();
        let frame = frame(Channels::Rgb, pixels);
        let palette = Palette::of(&frame);
        assert_eq!(palette.colours().len(), 768);
        let mut error = 0;
        for (pixel, index) in frame.pixels.chunks(3).zip(palette.indices(&frame, false)) {
            let chosen = &palette.colours()[usize::from(index) * 3..][..3];
            for (a, b) in pixel.iter().zip(chosen) {
                error += (i64::from(*a) - i64::from(*b)).pow(2);
            }
        }
        // Evenly spread, 256 of 4096 colours are some 20 levels from the rest.
        assert!(error / (4096 * 3) < 300, "{error}");
    }
}
