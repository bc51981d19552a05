//! Maps pixels to at most 256 colours. The mapping is exact if a picture has no more than 256 colours, or 255 and
//! transparent pixels; otherwise the [`histogram`] chooses the colours.
//!
//! The nearest of the chosen colours is computed in advance for each of 64 × 64 × 64 cells of the colour cube, so that
//! mapping a pixel takes a single table lookup. Dithering (Floyd and Steinberg, 1976) spreads the error of each pixel
//! over its neighbours to the right and below, in sixteenths.

mod histogram;

use super::{
    layout::{Channels, Depth, Layout},
    rows::{Frame, Rows},
};
use convertd_core::error::Result;
use histogram::Histogram;
use std::collections::HashMap;

/// Memory for quantising in bytes, besides the pixels.
pub(crate) const MEMORY: u64 = 8 << 20;

/// Least alpha of opaque pixels. Palettes have a single transparent entry, and no partly transparent entries.
const OPAQUE: u8 = 128;

/// A palette, and the mapping from any colour to its index.
pub(crate) struct Palette {
    /// The colours, three bytes each, including the transparent entry.
    colours: Vec<u8>,
    /// Index of the transparent entry.
    transparent: Option<u8>,
    map: Map,
}

/// Mapping from colours to indices.
enum Map {
    /// Index of every opaque colour in the picture.
    Exact(HashMap<[u8; 3], u8>),
    /// Index of the nearest colour, for each cell of 6 + 6 + 6 bits.
    Nearest(Vec<u8>),
}

impl Palette {
    /// Chooses the palette of a picture with 8-bit RGB or RGBA pixels, for that picture only. With `dither`, the
    /// palette also maps colours that do not occur in the picture, because dithering makes such colours.
    pub(crate) fn of(frame: &Frame, dither: bool) -> Self {
        let mut counts = Counts::default();
        counts.add(&frame.pixels, frame.layout.channels);
        counts.palette(dither)
    }

    /// Chooses the palette of a picture that has not been decoded yet, and returns it with the decoded picture.
    pub(crate) fn of_rows(rows: Box<dyn Rows + '_>, dither: bool) -> Result<(Self, Frame)> {
        if rows.in_memory() {
            let frame = rows.into_frame()?;
            return Ok((Self::of(&frame, dither), frame));
        }
        let mut rows = rows;
        let layout = rows.layout();
        let mut counts = Counts::default();
        let mut frame = Frame::new(layout);
        for row in frame.pixels.chunks_exact_mut(layout.row_bytes()) {
            rows.next_row(row)?;
            counts.add(row, layout.channels);
        }
        Ok((counts.palette(dither), frame))
    }

    /// The colours, three bytes each: at least one, and at most 256.
    pub(crate) fn colours(&self) -> &[u8] {
        &self.colours
    }

    /// The index for transparent pixels, if the picture has any.
    pub(crate) fn transparent(&self) -> Option<u8> {
        self.transparent
    }

    /// The index of every pixel, as rows of 8-bit grey. `dither` has no effect if the mapping is exact.
    pub(crate) fn indices<'a>(&'a self, frame: &'a Frame, dither: bool) -> Indices<'a> {
        let dither = dither && matches!(self.map, Map::Nearest(_));
        let margins = frame.layout.width as usize + 2;
        let errors = vec![[0; 3]; if dither { margins } else { 0 }];
        Indices {
            palette: self,
            frame,
            next: 0,
            dither,
            below: errors.clone(),
            errors,
        }
    }

    /// The index of a colour.
    fn index(&self, colour: [u8; 3]) -> u8 {
        match &self.map {
            Map::Exact(known) => known.get(&colour).copied().unwrap_or(0),
            Map::Nearest(cells) => cells[fine_cell(colour)],
        }
    }
}

/// Rows of palette indices of a picture.
pub(crate) struct Indices<'a> {
    palette: &'a Palette,
    frame: &'a Frame,
    next: u32,
    dither: bool,
    /// Errors that the pixels of this row have to take, in sixteenths, with a margin of one pixel on both sides.
    errors: Vec<[i32; 3]>,
    /// Errors that the pixels of the next row have to take, in the same form.
    below: Vec<[i32; 3]>,
}

impl Rows for Indices<'_> {
    fn layout(&self) -> Layout {
        self.frame.layout.with(Channels::Grey, Depth::Eight)
    }

    fn next_row(&mut self, indices: &mut [u8]) -> Result<()> {
        let row = self.frame.row(self.next);
        self.next += 1;
        if self.dither {
            self.dithered(row, indices);
            return Ok(());
        }
        let palette = self.palette;
        let transparent = palette.transparent.unwrap_or(0);
        // The last colour and its index are kept, because neighbouring pixels often have the same colour.
        let mut last = ([0; 3], palette.index([0; 3]));
        let mut indices = indices.iter_mut();
        each_pixel(row, self.frame.layout.channels, |colour, alpha| {
            let Some(index) = indices.next() else {
                return;
            };
            if alpha < OPAQUE {
                *index = transparent;
                return;
            }
            if colour != last.0 {
                last = (colour, palette.index(colour));
            }
            *index = last.1;
        });
        Ok(())
    }
}

impl Indices<'_> {
    /// Maps a row to palette entries by Floyd–Steinberg dithering: four neighbours share the error of each pixel.
    fn dithered(&mut self, row: &[u8], indices: &mut [u8]) {
        let palette = self.palette;
        let (errors, below) = (&mut self.errors, &mut self.below);
        below.fill([0; 3]);
        let pixels = row.chunks_exact(self.frame.layout.pixel_bytes());
        for ((x, pixel), index) in (1..).zip(pixels).zip(indices) {
            if pixel.get(3).is_some_and(|&alpha| alpha < OPAQUE) {
                *index = palette.transparent.unwrap_or(0);
                continue;
            }
            let mut wanted = [0; 3];
            for channel in 0..3 {
                wanted[channel] =
                    (i32::from(pixel[channel]) + errors[x][channel] / 16).clamp(0, 255) as u8;
            }
            *index = palette.index(wanted);
            let chosen = &palette.colours[usize::from(*index) * 3..][..3];
            for channel in 0..3 {
                let error = i32::from(wanted[channel]) - i32::from(chosen[channel]);
                errors[x + 1][channel] += 7 * error;
                // The pixels below: left, middle, right. Index `x` counts from 1, because of the margin.
                below[x - 1][channel] += 3 * error;
                below[x][channel] += 5 * error;
                below[x + 1][channel] += error;
            }
        }
        std::mem::swap(errors, below);
    }
}

/// Returns whether a palette could hold every colour of a picture with 8-bit RGB or RGBA pixels.
#[cfg(any(feature = "jxl", feature = "libwebp"))]
pub(crate) fn has_few_colours(frame: &Frame) -> bool {
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

/// Histogram of colours, over one or more frames.
#[derive(Default)]
struct Counts {
    /// The opaque colours so far: at most 257, because then it is known that there are too many.
    few: HashMap<[u8; 3], ()>,
    /// Whether there are more than 256 colours.
    many: bool,
    /// Whether a pixel is transparent.
    transparent: bool,
    /// Histogram of all opaque pixels.
    all: Histogram,
}

impl Counts {
    fn add(&mut self, pixels: &[u8], channels: Channels) {
        let mut last = None;
        each_pixel(pixels, channels, |colour, alpha| {
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

    /// Chooses the palette: exact if all colours fit, besides the entry for transparent pixels.
    fn palette(self, dither: bool) -> Palette {
        let max_colours = 256 - usize::from(self.transparent);
        if self.few.len() <= max_colours {
            let mut colours: Vec<_> = self.few.into_keys().collect();
            colours.sort_unstable();
            let map = colours.iter().copied().zip(0..=255).collect();
            return Palette::new(colours, self.transparent, Map::Exact(map));
        }
        let used = if dither {
            vec![u32::MAX; 32 * 32]
        } else {
            self.all.used()
        };
        let colours = self.all.choose(max_colours);
        let nearest = nearest(&colours, &used);
        Palette::new(colours, self.transparent, Map::Nearest(nearest))
    }
}

impl Palette {
    /// A palette of these colours. The transparent entry, if any, follows them.
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

/// Calls `see` with the colour and the alpha of each pixel.
fn each_pixel(pixels: &[u8], channels: Channels, mut see: impl FnMut([u8; 3], u8)) {
    if channels.has_alpha() {
        for &[r, g, b, a] in pixels.as_chunks::<4>().0 {
            see([r, g, b], a);
        }
    } else {
        for &pixel in pixels.as_chunks::<3>().0 {
            see(pixel, 255);
        }
    }
}

/// Number of a colour's cell: the upper six bits of each channel.
fn fine_cell(colour: [u8; 3]) -> usize {
    let [r, g, b] = colour.map(|sample| usize::from(sample >> 2));
    r << 12 | g << 6 | b
}

/// The index of the nearest of `colours` to the centre of every [fine cell](fine_cell), if the cell of the histogram
/// around it is [used](Histogram::used); otherwise 0. Searches all colours in plain loops over arrays of 256 entries,
/// which the compiler vectorises.
fn nearest(colours: &[[u8; 3]], used: &[u32]) -> Vec<u8> {
    let mut reds = [0i32; 256];
    let mut greens = [0i32; 256];
    let mut blues = [0i32; 256];
    for (at, &[r, g, b]) in colours.iter().enumerate() {
        (reds[at], greens[at], blues[at]) = (r.into(), g.into(), b.into());
    }
    // Entries beyond the last are so far away that they are never the nearest.
    for at in colours.len()..256 {
        (reds[at], greens[at], blues[at]) = (1 << 12, 1 << 12, 1 << 12);
    }
    let mut partial = [0i32; 256];
    let mut cells = vec![0; 1 << 18];
    for (line, cells) in cells.chunks_exact_mut(64).enumerate() {
        let (r, g) = ((line >> 6) as i32, (line & 63) as i32);
        let used = used[(line >> 7) << 5 | (line & 63) >> 1];
        if used != 0 {
            for at in 0..256 {
                let (dr, dg) = (reds[at] - (r * 4 + 2), greens[at] - (g * 4 + 2));
                partial[at] = dr * dr + dg * dg;
            }
            for (b, cell) in (0..).zip(cells) {
                if used >> (b >> 1) & 1 == 0 {
                    continue;
                }
                // Distance and index are combined in one number, so that a single minimum gives both.
                let mut least = i32::MAX;
                for at in 0..256 {
                    let db = blues[at] - (b * 4 + 2);
                    // Limited to 22 bits, so that the shift does not overflow. Distances of near entries are far below
                    // that.
                    let distance = (partial[at] + db * db).min((1 << 22) - 1);
                    least = least.min(distance << 8 | at as i32);
                }
                *cell = (least & 255) as u8;
            }
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(channels: Channels, pixels: Vec<u8>) -> Frame {
        let layout = Layout {
            width: (pixels.len() / channels.count()) as u32,
            height: 1,
            channels,
            depth: Depth::Eight,
        };
        Frame::from_pixels(layout, pixels)
    }

    fn indices(palette: &Palette, frame: &Frame, dither: bool) -> Vec<u8> {
        let rows = Box::new(palette.indices(frame, dither));
        rows.into_frame().unwrap().pixels
    }

    #[test]
    fn few_colours_are_mapped_exactly() {
        let pixels: Vec<u8> = (0..=255).flat_map(|i| [i, 255 - i, 7]).collect();
        let frame = frame(Channels::Rgb, pixels.clone());
        let palette = Palette::of(&frame, false);
        let back: Vec<u8> = indices(&palette, &frame, true)
            .into_iter()
            .flat_map(|index| palette.colours()[usize::from(index) * 3..][..3].to_vec())
            .collect();
        assert_eq!(back, pixels);
        assert_eq!(palette.transparent(), None);
    }

    #[test]
    fn transparency_takes_one_entry() {
        let frame = frame(Channels::Rgba, vec![1, 2, 3, 255, 9, 9, 9, 0]);
        let palette = Palette::of(&frame, false);
        assert_eq!(palette.transparent(), Some(1));
        assert_eq!(indices(&palette, &frame, false), [0, 1]);
        assert_eq!(palette.colours(), [1, 2, 3, 0, 0, 0]);
    }

    #[test]
    fn many_colours_map_to_similar_ones() {
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
        let palette = Palette::of(&frame, false);
        assert_eq!(palette.colours().len(), 768);
        let mut error = 0;
        for (pixel, index) in frame.pixels.chunks(3).zip(indices(&palette, &frame, false)) {
            let chosen = &palette.colours()[usize::from(index) * 3..][..3];
            for (a, b) in pixel.iter().zip(chosen) {
                error += (i64::from(*a) - i64::from(*b)).pow(2);
            }
        }
        // If 256 of 4096 colours were evenly spread, the distance to the others would be about 20 levels.
        assert!(error / (4096 * 3) < 300, "{error}");
    }
}
