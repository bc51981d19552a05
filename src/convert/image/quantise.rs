//! Mapping pixels to at most 256 colours. Exact where a picture has no more than that; which ones to choose where it has is
//! the part of the [`histogram`].

mod histogram;

use super::rows::Frame;
use histogram::Histogram;
use std::collections::HashMap;

/// Bytes that quantising takes beside the pixels.
pub(super) const MEMORY: u64 = 8 << 20;

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
    all: Histogram,
}

impl Counts {
    fn add(&mut self, frame: &Frame) {
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
            self.all.count(colour);
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
        let colours = self.all.choose(room);
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

fn fine_cell(colour: [u8; 3]) -> usize {
    let [r, g, b] = colour.map(|sample| usize::from(sample >> 2));
    r << 12 | g << 6 | b
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
