//! Turns, straightens and scales grey pictures. Does not interpret their content.
//!
//! A page is resampled only once, by one map that scales and rotates. So letters are not blurred twice, and there is
//! only one copy of the page besides the input. The map is computed in integers, and the sine by its series, so every
//! machine produces the same pixels.

use crate::page::{Page, Turn};
use convertd_core::{
    error::Result,
    job::{Job, Lease},
};
use std::sync::Mutex;

/// Number of rows between two checks for cancellation.
const CHECK_ROWS: usize = 64;

/// A grey picture with its memory.
pub struct Grey<'a> {
    /// Width in pixels.
    pub width: usize,
    /// Height in pixels.
    pub height: usize,
    /// `width × height` samples, row by row from the top left; 0 is black.
    pub samples: Vec<u8>,
    /// Reservation of the memory. The lock is never taken; it only allows threads to share the picture.
    _lease: Mutex<Lease<'a>>,
}

impl<'a> Grey<'a> {
    /// Makes a picture in which all pixels have the same value.
    ///
    /// Errors: the same as for [`Job::lease`].
    pub fn filled(job: &Job<'a>, width: usize, height: usize, value: u8) -> Result<Self> {
        let lease = job.lease((width * height) as u64)?;
        Ok(Self {
            width,
            height,
            samples: vec![value; width * height],
            _lease: Mutex::new(lease),
        })
    }

    /// The picture as a page.
    pub fn page(&self) -> Page<'_> {
        Page {
            width: self.width,
            height: self.height,
            grey: &self.samples,
        }
    }
}

/// Makes a copy of the page, turned by quarters.
///
/// Errors: the same as for [`Job::lease`].
pub fn turned<'a>(job: &Job<'a>, page: &Page<'_>, turn: Turn) -> Result<Grey<'a>> {
    let (width, height) = match turn {
        Turn::Upright | Turn::UpsideDown => (page.width, page.height),
        Turn::Clockwise | Turn::CounterClockwise => (page.height, page.width),
    };
    let mut out = Grey::filled(job, width, height, 0)?;
    // In a turn by 90°, columns become rows. Pixels are copied in squares, so that those of the page and of the copy
    // stay in the cache.
    const SIDE: usize = 64;
    for top in (0..height).step_by(SIDE) {
        job.check()?;
        for left in (0..width).step_by(SIDE) {
            for y in top..height.min(top + SIDE) {
                for x in left..width.min(left + SIDE) {
                    let (from_x, from_y) = match turn {
                        Turn::Upright => (x, y),
                        Turn::UpsideDown => (width - 1 - x, height - 1 - y),
                        Turn::Clockwise => (y, width - 1 - x),
                        Turn::CounterClockwise => (height - 1 - y, x),
                    };
                    out.samples[y * width + x] = page.grey[from_y * page.width + from_x];
                }
            }
        }
    }
    Ok(out)
}

/// The page at half its size: each pixel is the mean of four pixels. A last odd row or column counts twice.
///
/// Errors: the same as for [`Job::lease`].
pub fn halved<'a>(job: &Job<'a>, page: &Page<'_>) -> Result<Grey<'a>> {
    let (width, height) = (page.width.div_ceil(2), page.height.div_ceil(2));
    let mut out = Grey::filled(job, width, height, 0)?;
    for (y, row) in out.samples.chunks_exact_mut(width.max(1)).enumerate() {
        if y % CHECK_ROWS == 0 {
            job.check()?;
        }
        let upper = &page.grey[2 * y * page.width..][..page.width];
        let lower = &page.grey[(2 * y + 1).min(page.height - 1) * page.width..][..page.width];
        for (x, to) in row.iter_mut().enumerate() {
            let (a, b) = (2 * x, (2 * x + 1).min(page.width - 1));
            let sum = u16::from(upper[a])
                + u16::from(upper[b])
                + u16::from(lower[a])
                + u16::from(lower[b]);
            *to = ((sum + 2) / 4) as u8;
        }
    }
    Ok(out)
}

/// A map from the pixels of a page to the pixels of a picture of that page, scaled, and rotated around its centre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Map {
    /// The number of pixels of the picture for each pixel of the page.
    pub scale: f64,
    /// Angle by which the page is rotated clockwise, in degrees.
    pub degrees: f64,
    from: (usize, usize),
    to: (usize, usize),
}

impl Map {
    /// Makes the map for a page of this size. The picture is large enough for the whole page.
    pub fn whole(width: usize, height: usize, scale: f64, degrees: f64) -> Self {
        let (sine, cosine) = sine_cosine(degrees.abs());
        let (w, h) = (width as f64 * scale, height as f64 * scale);
        let to = match degrees == 0.0 {
            true => (w.round(), h.round()),
            false => (
                (w * cosine + h * sine).ceil(),
                (w * sine + h * cosine).ceil(),
            ),
        };
        Self {
            scale,
            degrees,
            from: (width, height),
            to: (to.0.max(1.0) as usize, to.1.max(1.0) as usize),
        }
    }

    /// Makes the map that straightens a page and keeps its size, so that its corners are cut off.
    pub fn same_size(width: usize, height: usize, degrees: f64) -> Self {
        Self {
            to: (width, height),
            ..Self::whole(width, height, 1.0, degrees)
        }
    }

    /// The map from an original page of this size, if this map is from the page that results when the original is
    /// halved `steps` times.
    pub(crate) fn after_halving(self, width: usize, height: usize, steps: u32) -> Self {
        Self {
            scale: self.scale / f64::from(1_u32 << steps),
            from: (width, height),
            ..self
        }
    }

    /// Size of the picture in pixels.
    pub fn size(&self) -> (usize, usize) {
        self.to
    }

    /// The point of the page that a point of the picture comes from.
    pub fn back(&self, (x, y): (f32, f32)) -> (f32, f32) {
        let (sine, cosine) = sine_cosine(self.degrees);
        let x = f64::from(x) - self.to.0 as f64 / 2.0;
        let y = f64::from(y) - self.to.1 as f64 / 2.0;
        (
            ((x * cosine + y * sine) / self.scale + self.from.0 as f64 / 2.0) as f32,
            ((y * cosine - x * sine) / self.scale + self.from.1 as f64 / 2.0) as f32,
        )
    }
}

/// Number of positions between two pixels that have weights of their own, as a power of two.
const SUBPIXEL_BITS: u32 = 6;
/// The number of fractional bits of coordinates.
const POINT: u32 = 32;

/// Resamples the page by a map, with cubic interpolation (Catmull–Rom). The area outside of the page gets the value
/// `ground`.
///
/// Errors: the same as for [`Job::lease`].
pub fn resampled<'a>(job: &Job<'a>, page: &Page<'_>, map: &Map, ground: u8) -> Result<Grey<'a>> {
    let (width, height) = map.to;
    let mut out = Grey::filled(job, width, height, ground)?;
    if page.width == 0 || page.height == 0 {
        return Ok(out);
    }
    let kernel = cubic();
    let one = (1_u64 << POINT) as f64;
    let (sine, cosine) = sine_cosine(map.degrees);
    let step = (
        (cosine / map.scale * one).round() as i64,
        (-sine / map.scale * one).round() as i64,
    );
    // The position of the first pixel's centre, from which the others follow in steps.
    let (x, y) = (0.5 - width as f64 / 2.0, 0.5 - height as f64 / 2.0);
    let first = (
        ((x * cosine + y * sine) / map.scale + page.width as f64 / 2.0 - 0.5) * one,
        ((y * cosine - x * sine) / map.scale + page.height as f64 / 2.0 - 0.5) * one,
    );
    let first = (first.0.round() as i64, first.1.round() as i64);
    for (row, to) in out.samples.chunks_exact_mut(width).enumerate() {
        if row % CHECK_ROWS == 0 {
            job.check()?;
        }
        let mut x = first.0 - step.1 * row as i64;
        let mut y = first.1 + step.0 * row as i64;
        for to in to {
            if let Some(value) = sample(page, &kernel, x, y) {
                *to = value;
            }
            x += step.0;
            y += step.1;
        }
    }
    Ok(out)
}

/// Value of the page at a position between pixels. `None` outside of the page.
#[inline]
fn sample(page: &Page<'_>, kernel: &[[i32; 4]; 1 << SUBPIXEL_BITS], x: i64, y: i64) -> Option<u8> {
    let (left, top) = (x >> POINT, y >> POINT);
    let (w, h) = (page.width as i64, page.height as i64);
    if left < -1 || top < -1 || left >= w || top >= h {
        return None;
    }
    let fraction = |v: i64| ((v >> (POINT - SUBPIXEL_BITS)) & ((1 << SUBPIXEL_BITS) - 1)) as usize;
    let (across, down) = (&kernel[fraction(x)], &kernel[fraction(y)]);
    let inside = left >= 1 && top >= 1 && left + 2 < w && top + 2 < h;
    let mut sum = 0;
    if inside {
        let at = (top as usize - 1) * page.width + left as usize - 1;
        let two = [
            &page.grey[at + page.width + 1..][..2],
            &page.grey[at + 2 * page.width + 1..][..2],
        ];
        let value = two[0][0];
        // Most of a page is background, where all four neighbours are equal and need no interpolation.
        if two[0][1] == value && two[1][0] == value && two[1][1] == value {
            return Some(value);
        }
        for (i, weight) in down.iter().enumerate() {
            let four = &page.grey[at + i * page.width..][..4];
            let part: i32 = four
                .iter()
                .zip(across)
                .map(|(&v, w)| i32::from(v) * w)
                .sum();
            sum += part * weight;
        }
    } else {
        for (i, weight) in (-1..).zip(down) {
            let row = (top + i).clamp(0, h - 1) as usize * page.width;
            for (j, w) in (-1..).zip(across) {
                sum +=
                    i32::from(page.grey[row + (left + j).clamp(0, page.width as i64 - 1) as usize])
                        * w
                        * weight;
            }
        }
    }
    Some(((sum + (1 << 15)) >> 16).clamp(0, 255) as u8)
}

/// Weights of four neighbours in 256ths for each position between the middle two.
fn cubic() -> [[i32; 4]; 1 << SUBPIXEL_BITS] {
    std::array::from_fn(|i| {
        let t = i as f64 / f64::from(1 << SUBPIXEL_BITS);
        let weights = [
            ((2.0 - t) * t - 1.0) * t / 2.0,
            ((3.0 * t - 5.0) * t * t + 2.0) / 2.0,
            ((4.0 - 3.0 * t) * t + 1.0) * t / 2.0,
            (t - 1.0) * t * t / 2.0,
        ];
        let mut whole = weights.map(|w| (w * 256.0).round() as i32);
        whole[if i < 32 { 1 } else { 2 }] += 256 - whole.iter().sum::<i32>();
        whole
    })
}

/// Sine and cosine of a small angle in degrees, the same on every machine.
fn sine_cosine(degrees: f64) -> (f64, f64) {
    let x = degrees * std::f64::consts::PI / 180.0;
    let square = x * x;
    let (mut sine, mut cosine) = (0.0, 0.0);
    for n in (1..=8).rev() {
        let n = f64::from(n);
        sine = 1.0 - sine * square / ((2.0 * n) * (2.0 * n + 1.0));
        cosine = 1.0 - cosine * square / ((2.0 * n - 1.0) * (2.0 * n));
    }
    (x * sine, cosine)
}

#[cfg(test)]
mod tests {
    use super::*;
    use convertd_core::job::testing::with_job;

    #[test]
    fn quarter_turns_move_the_corner() {
        // A mark in the top left corner.
        let grey = [0, 9, 9, 9, 9, 9];
        let page = Page {
            width: 3,
            height: 2,
            grey: &grey,
        };
        for (turn, size, at) in [
            (Turn::Upright, (3, 2), 0),
            (Turn::UpsideDown, (3, 2), 5),
            (Turn::Clockwise, (2, 3), 1),
            (Turn::CounterClockwise, (2, 3), 4),
        ] {
            with_job(|job| {
                let out = turned(job, &page, turn).unwrap();
                assert_eq!((out.width, out.height), size, "{turn:?}");
                assert_eq!(
                    out.samples.iter().position(|&v| v == 0),
                    Some(at),
                    "{turn:?}"
                );
            });
        }
    }

    #[test]
    fn the_map_gives_the_position_of_a_point() {
        let mut grey = vec![255; 200 * 120];
        for y in 30..36 {
            for x in 150..156 {
                grey[y * 200 + x] = 0;
            }
        }
        let page = Page {
            width: 200,
            height: 120,
            grey: &grey,
        };
        for (scale, degrees) in [(1.0, 2.0), (2.0, 0.0), (2.0, -3.5), (1.0, -5.0)] {
            let map = Map::whole(200, 120, scale, degrees);
            let out = with_job(|job| resampled(job, &page, &map, 255).map(|g| g.samples)).unwrap();
            let (width, _) = map.size();
            let (mut x, mut y, mut sum) = (0.0, 0.0, 0.0);
            for (at, &value) in out.iter().enumerate() {
                let ink = 255.0 - f32::from(value);
                x += ink * ((at % width) as f32 + 0.5);
                y += ink * ((at / width) as f32 + 0.5);
                sum += ink;
            }
            let (x, y) = map.back((x / sum, y / sum));
            assert!(
                (x - 153.0).abs() < 0.1 && (y - 33.0).abs() < 0.1,
                "{scale} {degrees}: {x} {y}"
            );
        }
    }
}
