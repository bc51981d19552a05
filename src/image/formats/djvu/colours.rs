//! Colours of a page (DjVu3, 8.3.4 to 8.3.7): the background, usually stored at a third of the page's resolution, and
//! the colours of the foreground, for each shape or as a small picture. Reads no masks.
//!
//! The trap: rows are counted from the bottom. If the height of the page is not a multiple of the factor, the top row
//! of the background extends beyond the page.

use super::{
    chunks::{Form, Name},
    invalid, wavelets,
};
use crate::source::failed;
use convertd_core::{
    error::Result,
    job::{Input, Job},
};
use std::io;

/// Largest factor by which a background may be smaller than its page.
const MAX_FACTOR: u32 = 15;
/// Number of steps between two pixels of the background, for interpolation.
const PARTS: usize = 256;
/// Limit on the shapes of a palette.
const MAX_SHAPES: u64 = 1 << 20;
/// Gamma of the displays for which results are made.
const DISPLAY: f64 = 2.2;

/// Size of a picture within a page, and whether it is grey, from the picture's header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Inner {
    /// Width and height in pixels.
    pub(super) size: (u32, u32),
    pub(super) is_grey: bool,
}

/// A decoded picture within a page.
pub(super) struct Pixels {
    pub(super) width: u32,
    pub(super) height: u32,
    /// Number of bytes of a pixel. Its first three are red, green and blue.
    pub(super) step: usize,
    pub(super) data: Vec<u8>,
}

/// The factor by which a picture is smaller than a page. `None` if the sizes do not match for any factor.
pub(super) fn factor(inner: (u32, u32), (width, height): (u32, u32)) -> Option<u32> {
    let fits = |factor: &u32| (width.div_ceil(*factor), height.div_ceil(*factor)) == inner;
    (1..=MAX_FACTOR).find(fits)
}

impl Pixels {
    /// The factor by which the picture is smaller than a page of this size.
    fn factor(&self, page: (u32, u32)) -> Option<u32> {
        factor((self.width, self.height), page)
    }

    /// A row of pixels, counted from the bottom.
    fn row(&self, y: usize) -> &[u8] {
        let bytes = self.width as usize * self.step;
        &self.data[(self.height as usize - 1 - y) * bytes..][..bytes]
    }
}

/// Decodes the background of a page at its own resolution.
pub(super) fn background(
    job: &Job<'_>,
    input: &mut dyn Input,
    page: &Form,
) -> Result<Option<Pixels>> {
    wavelets::read(job, input, page, of_background(page))
}

/// Names of the chunks with the background of a page: wavelets, and JPEG.
fn of_background(page: &Form) -> [Name; 2] {
    let wavelets = match &page.kind {
        b"PM44" | b"BM44" => page.kind,
        _ => *b"BG44",
    };
    [wavelets, *b"BGjp"]
}

/// Names of the chunks with the colours of the foreground: wavelets, and JPEG.
const FOREGROUND_CHUNKS: [Name; 2] = [*b"FG44", *b"FGjp"];

/// The background of a page, enlarged to the page by bilinear interpolation.
pub(super) struct Background {
    pixels: Pixels,
    /// Height of the page.
    height: u32,
    factor: usize,
    /// For each column of the page, the column of the background to its left, and the share of the next column in
    /// 1/[`PARTS`]. Empty if the factor is 1.
    columns: Vec<(u32, u32)>,
}

impl Background {
    /// Reads the header of the background, if the page has one.
    pub(super) fn find(input: &mut dyn Input, page: &Form) -> io::Result<Option<Inner>> {
        wavelets::header(input, page, of_background(page))
    }

    /// Decodes the background of a page of this size.
    pub(super) fn read(
        job: &Job<'_>,
        input: &mut dyn Input,
        page: &Form,
        size: (u32, u32),
    ) -> Result<Option<Self>> {
        let Some(pixels) = background(job, input, page)? else {
            return Ok(None);
        };
        let Some(factor) = pixels.factor(size) else {
            return Err(job.unreadable("the size of its background differs from that of the page"));
        };
        let factor = factor as usize;
        let columns = match factor {
            1 => Vec::new(),
            _ => (0..size.0 as usize)
                .map(|x| between(x, factor, pixels.width as usize))
                .map(|(at, share)| (at as u32, share as u32))
                .collect(),
        };
        Ok(Some(Self {
            pixels,
            height: size.1,
            factor,
            columns,
        }))
    }

    /// Calls `visit` with each column of a row of the page and its colour, from left to right.
    pub(super) fn row(&self, y: u32, mut visit: impl FnMut(usize, [u8; 3])) {
        let pixels = &self.pixels;
        let step = pixels.step;
        let from_bottom = (self.height - 1 - y) as usize;
        if self.factor == 1 {
            let row = pixels.row(from_bottom).chunks_exact(step);
            row.enumerate()
                .for_each(|(x, pixel)| visit(x, [pixel[0], pixel[1], pixel[2]]));
            return;
        }
        let height = pixels.height as usize;
        let (at, share) = between(from_bottom, self.factor, height);
        let (one, other) = (pixels.row(at), pixels.row((at + 1).min(height - 1)));
        let last = pixels.width as usize - 1;
        let mix =
            |a: u8, b: u8, share: usize| usize::from(a) * (PARTS - share) + usize::from(b) * share;
        for (x, &(left, across)) in self.columns.iter().enumerate() {
            let (left, across) = (left as usize, across as usize);
            let right = (left + 1).min(last) * step;
            let left = left * step;
            let colour = [0, 1, 2].map(|channel| {
                let below = mix(one[left + channel], one[right + channel], across);
                let above = mix(other[left + channel], other[right + channel], across);
                let sum = below * (PARTS - share) + above * share;
                ((sum + PARTS * PARTS / 2) / (PARTS * PARTS)) as u8
            });
            visit(x, colour);
        }
    }
}

/// The pixel of a background that lies below or to the left of the centre of the page's pixel `at`, and the share of
/// the next pixel in 1/[`PARTS`]. The background has `count` pixels in this direction.
fn between(at: usize, factor: usize, count: usize) -> (usize, usize) {
    let centre = (2 * at + 1) * PARTS / (2 * factor);
    let position = centre.saturating_sub(PARTS / 2);
    let position = position.min((count - 1) * PARTS);
    (position / PARTS, position % PARTS)
}

/// Colours of the foreground.
pub(super) enum Foreground {
    Black,
    One([u8; 3]),
    /// A palette, and for each shape the index of its colour.
    Shapes(Vec<[u8; 3]>, Vec<u16>),
    /// A picture of the colours, the height of the page, and the factor by which the picture is smaller.
    Picture(Pixels, u32, u32),
}

impl Foreground {
    /// Returns whether a page has colours in its foreground.
    pub(super) fn is_in(page: &Form) -> bool {
        let mut names = FOREGROUND_CHUNKS.iter().chain([b"FGbz"]);
        names.any(|name| page.chunk(name).is_some())
    }

    /// The header of the picture with the colours of the foreground, if the page has one.
    pub(super) fn find(input: &mut dyn Input, page: &Form) -> io::Result<Option<Inner>> {
        wavelets::header(input, page, FOREGROUND_CHUNKS)
    }

    /// Reads the colours of the foreground of a page of this size.
    pub(super) fn read(
        job: &Job<'_>,
        input: &mut dyn Input,
        page: &Form,
        size: (u32, u32),
    ) -> Result<Self> {
        if let Some(chunk) = page.chunk(b"FGbz") {
            let read = chunk.data(input).and_then(|data| Self::palette(&data));
            return read.map_err(|err| failed(job, err));
        }
        let Some(pixels) = wavelets::read(job, input, page, FOREGROUND_CHUNKS)? else {
            return Ok(Self::Black);
        };
        match pixels.factor(size) {
            Some(factor) => Ok(Self::Picture(pixels, size.1, factor)),
            None => Err(job.unreadable("the size of its foreground differs from that of the page")),
        }
    }

    /// Parses a palette: a version with a flag, the number of colours, the colours as blue, green and red, and, if the
    /// flag is set, the packed colour index of each shape.
    fn palette(data: &[u8]) -> io::Result<Self> {
        const HAS_INDICES: u8 = 0x80;
        let short = || invalid("its palette (FGbz) is too short");
        let (&[version, a, b], rest) = data.split_first_chunk().ok_or_else(short)?;
        let count = usize::from(u16::from_be_bytes([a, b]));
        let (colours, rest) = rest.split_at_checked(3 * count).ok_or_else(short)?;
        let colours = colours.as_chunks().0.iter();
        let colours: Vec<[u8; 3]> = colours.map(|&[b, g, r]| [r, g, b]).collect();
        if version & HAS_INDICES == 0 {
            return Ok(colours.first().map_or(Self::Black, |one| Self::One(*one)));
        }
        let (&[a, b, c], packed) = rest.split_first_chunk().ok_or_else(short)?;
        if u64::from(u32::from_be_bytes([0, a, b, c])) > MAX_SHAPES {
            return Err(invalid("its palette (FGbz) lists too many shapes"));
        }
        let indices = djvu_bzz::bzz_decode(packed).map_err(io::Error::other)?;
        let indices = indices.as_chunks().0.iter();
        let indices: Vec<u16> = indices.map(|bytes| u16::from_be_bytes(*bytes)).collect();
        let one = |first: &u16| indices.iter().all(|index| index == first);
        let one = indices.first().filter(|first| one(first));
        Ok(match one {
            Some(&index) => Self::One(colours.get(usize::from(index)).copied().unwrap_or([0; 3])),
            None => Self::Shapes(colours, indices),
        })
    }

    /// The colour of the whole foreground, if it has only one.
    pub(super) fn only(&self) -> Option<[u8; 3]> {
        match self {
            Self::Black => Some([0; 3]),
            Self::One(colour) => Some(*colour),
            Self::Shapes(..) | Self::Picture(..) => None,
        }
    }

    /// Returns whether the colour of a pixel depends on its shape.
    pub(super) fn needs_shapes(&self) -> bool {
        matches!(self, Self::Shapes(..))
    }

    /// The colour of the foreground at a pixel of the page, which belongs to `shape`.
    pub(super) fn colour(&self, x: usize, y: u32, shape: Option<usize>) -> [u8; 3] {
        match self {
            Self::Black => [0; 3],
            Self::One(colour) => *colour,
            Self::Shapes(colours, indices) => {
                let index = shape.and_then(|shape| indices.get(shape));
                let colour = index.and_then(|index| colours.get(usize::from(*index)));
                colour.copied().unwrap_or([0; 3])
            }
            Self::Picture(pixels, height, factor) => {
                let row = pixels.row(((height - 1 - y) / factor) as usize);
                let at = x / *factor as usize * pixels.step;
                [row[at], row[at + 1], row[at + 2]]
            }
        }
    }
}

/// Table that converts each level of a page that was made for displays with the gamma `of_page` to a level for [our
/// displays](DISPLAY). `None` if the two gammas differ by at most 1 %.
pub(super) fn gamma(of_page: f64) -> Option<[u8; 256]> {
    let exponent = of_page / DISPLAY;
    let level = |level: usize| (255.0 * (level as f64 / 255.0).powf(exponent)).round() as u8;
    ((exponent - 1.0).abs() > 0.01).then(|| std::array::from_fn(level))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_smaller_background_is_interpolated() {
        // The centres of the background's pixels are at 1, 4 and 7 of the page.
        assert_eq!(between(1, 3, 3), (0, 0));
        assert_eq!(between(0, 3, 3), (0, 0));
        assert_eq!(between(4, 3, 3), (1, 0));
        assert_eq!(between(5, 3, 3), (1, 85));
        assert_eq!(between(8, 3, 3), (2, 0));
    }

    #[test]
    fn valid_palettes_are_read_and_wrong_ones_refused() {
        let palette = [0, 0, 2, 1, 2, 3, 4, 5, 6];
        let one = Foreground::palette(&palette).unwrap();
        assert!(!one.needs_shapes());
        assert_eq!(one.colour(0, 0, None), [3, 2, 1]);
        for damaged in [
            &[0, 0][..],
            &[0, 0, 2, 1, 2, 3],
            &[0x80, 0, 0, 0xff, 0xff, 0xff],
        ] {
            assert!(Foreground::palette(damaged).is_err());
        }
    }
}
