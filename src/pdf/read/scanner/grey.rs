//! Pages as grey pixels for OCR: the pixels of the picture if a page consists of a single picture, and otherwise the
//! rendered page. Recognises nothing itself.
//!
//! A scanned page is a single picture. Its own pixels are better than a rendering of them, and take a tenth of the
//! memory. A page with other content is rendered as a whole: if a black bar hides a name, OCR must not read the name
//! either. The page is rendered in bands, because a colour page takes four bytes per pixel, and OCR needs only one.

use super::survey::{Picture, Survey};
use crate::{
    error::Result,
    job::{Job, Lease},
    read::{
        content, cost,
        geometry::{Canvas, POINTS, unit},
        page_drawing::{self, BASE},
    },
};
use convertd_image::grey::{DEFAULT, MAX, Reduced, factor, luminance};
use hayro::{
    RenderCache,
    hayro_interpret::{
        BlendMode, ClipPath, Device, DrawMode, DrawProps, Image, ImageData, ImageDrawProps,
        InterpreterCache, SoftMask, font::GlyphRun,
    },
    hayro_syntax::page::Page,
    kurbo::{Affine, BezPath, Rect},
};

/// Lowest resolution of rendered pages, in pixels per inch, unless a page would exceed [`MAX_PIXELS`].
const LEAST: f64 = 150.0;
/// Limit on the pixels of a page.
const MAX_PIXELS: f64 = 40e6;
/// Limit on the pixels of a picture that is decoded directly.
const MAX_DECODED: u64 = 1 << 27;
/// Approximate size of a rendered band, in bytes.
const BAND: u64 = 8 << 20;
/// Memory for each pixel of a decoded picture, in bytes: for its coded and its final colours.
const DECODED: u64 = 7;
/// Fraction of each side of a picture that must be visible before its own pixels are used.
const WHOLE: f64 = 0.98;
/// Largest ratio of the sides of a pixel, for the pixels of the picture to be used.
const SQUARE: f64 = 1.1;
/// Largest angle of a picture that still counts as straight, as its tangent.
const STRAIGHT: f64 = 0.02;

/// The pixels of a page.
pub(crate) struct Grey<'j> {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) samples: Vec<u8>,
    /// Matrix from pixels to points of the displayed page, measured from its upper left corner.
    pub(crate) to_upright: Affine,
    /// Resolution, in pixels per inch.
    pub(crate) dpi: f64,
    _lease: Lease<'j>,
}

/// The pixels of a page. `None` if rendering the page would take too long, or if the page is too wide.
///
/// Errors: there is not enough memory, or the job has to stop.
pub(crate) fn of_page<'j>(
    job: &Job<'j>,
    page: &Page<'_>,
    survey: &Survey,
) -> Result<Option<Grey<'j>>> {
    let unit = unit(page);
    let content = &survey.content;
    if content.others + content.outlines == 0
        && survey.pictures == 1
        && let Some(picture) = survey.last.filter(has_usable_pixels)
        && let Some(grey) = of_picture(job, page, &picture, unit)?
    {
        return Ok(Some(grey));
    }
    let density = survey
        .last
        .map_or(DEFAULT, |picture| density(&picture, unit));
    let dpi = if density > MAX {
        DEFAULT
    } else {
        density.max(LEAST)
    };
    drawn(job, page, dpi)
}

/// Resolution of a picture, in pixels per inch.
fn density(picture: &Picture, unit: f64) -> f64 {
    let (across, down) = sides(picture);
    let pixel = across.min(down) * unit;
    if pixel > 0.0 { POINTS / pixel } else { DEFAULT }
}

/// Width and height of a pixel on the page.
fn sides(picture: &Picture) -> (f64, f64) {
    let [a, b, c, d, ..] = picture.to_page.as_coeffs();
    (a.hypot(b), c.hypot(d))
}

/// Returns whether a picture's own pixels can be read: the picture is opaque, straight and almost fully visible, and
/// its pixels are nearly square and not too many.
fn has_usable_pixels(picture: &Picture) -> bool {
    let [a, b, c, d, ..] = picture.to_page.as_coeffs();
    let along = |straight: f64, aside: f64| aside.abs() <= STRAIGHT * straight.abs();
    let is_straight = along(a, b) && along(d, c) || along(b, a) && along(c, d);
    let (width, height) = picture.pixels;
    let place = Rect::new(0.0, 0.0, width.into(), height.into());
    let place = picture.to_page.transform_rect_bbox(place);
    let is_whole = picture.seen.width() >= WHOLE * place.width()
        && picture.seen.height() >= WHOLE * place.height();
    let (across, down) = sides(picture);
    let is_square = across.max(down) <= SQUARE * across.min(down);
    let pixels = u64::from(width) * u64::from(height);
    picture.is_plain && is_straight && is_whole && is_square && pixels <= MAX_DECODED
}

/// The pixels of the only picture of a page. `None` if it is damaged.
fn of_picture<'j>(
    job: &Job<'j>,
    page: &Page<'_>,
    picture: &Picture,
    unit: f64,
) -> Result<Option<Grey<'j>>> {
    let (width, height) = (picture.pixels.0 as usize, picture.pixels.1 as usize);
    let pixels = (width * height) as u64;
    let density = density(picture, unit);
    let factor = factor(density, pixels as f64, MAX_PIXELS);
    let reduced_pixels = (width.div_ceil(factor) * height.div_ceil(factor)) as u64;
    // The reduced pixels, and their rotated copy.
    let lease = job.lease(2 * reduced_pixels)?;
    let decoding = job.lease(DECODED * pixels)?;
    let mut collector = PixelCollector {
        factor,
        size: (width, height),
        collected: None,
    };
    content::draw(page, &InterpreterCache::new(), &mut collector);
    drop(decoding);
    job.check()?;
    let Some(collected) = collector.collected else {
        return Ok(None);
    };
    let to_page = picture.to_page * Affine::scale(factor as f64);
    let (samples, size, to_upright) = turned(collected, (width / factor, height / factor), to_page);
    lease.set(reduced_pixels)?;
    Ok(Some(Grey {
        width: size.0,
        height: size.1,
        samples,
        to_upright,
        dpi: density / factor as f64,
        _lease: lease,
    }))
}

/// Collects the pixels of the picture that a page shows, reduced and in shades of grey.
struct PixelCollector {
    /// Number by which the width and the height of the picture are divided.
    factor: usize,
    /// Width and height of the picture in pixels.
    size: (usize, usize),
    collected: Option<Vec<u8>>,
}

impl<'a> Device<'a> for PixelCollector {
    fn draw_image(&mut self, image: Image<'a, '_>, _: ImageDrawProps<'a>) {
        let Image::Raster(raster) = &image else {
            return;
        };
        let (width, height) = self.size;
        let (factor, collected) = (self.factor, &mut self.collected);
        raster.with_rgba(
            |image, _| {
                let size = (image.width() as usize, image.height() as usize);
                if size != (width, height) {
                    return;
                }
                let mut reduced = Reduced::new(width, height, factor);
                match image {
                    ImageData::Luma(luma) if luma.data.len() == width * height => {
                        if factor == 1 {
                            *collected = Some(luma.data);
                            return;
                        }
                        luma.data
                            .chunks_exact(width)
                            .for_each(|row| reduced.add(row));
                    }
                    ImageData::Rgb(rgb) if rgb.data.len() == 3 * width * height => {
                        let mut grey = vec![0; width];
                        for row in rgb.data.chunks_exact(3 * width) {
                            luminance(row, &mut grey);
                            reduced.add(&grey);
                        }
                    }
                    _ => return,
                }
                *collected = Some(reduced.finish());
            },
            None,
        );
    }

    fn draw_path(&mut self, _: &BezPath, _: DrawProps<'a>, _: &DrawMode) {}
    fn draw_rect(&mut self, _: &Rect, _: DrawProps<'a>, _: &DrawMode) {}
    fn draw_glyph_run(&mut self, _: &GlyphRun<'_, 'a>, _: DrawProps<'a>, _: &DrawMode) {}
    fn push_clip_path(&mut self, _: &ClipPath) {}
    fn push_clip_rect(&mut self, _: &Rect) {}
    fn push_transparency_group(&mut self, _: f32, _: Option<SoftMask<'a>>, _: BlendMode) {}
    fn pop_clip(&mut self) {}
    fn pop_transparency_group(&mut self) {}
}

/// Rotates pixels by quarter turns and mirrors them, so that rows run to the right and downwards as on the page.
/// Returns the pixels with their size, and the matrix from pixels to the page.
fn turned(
    samples: Vec<u8>,
    (width, height): (usize, usize),
    to_page: Affine,
) -> (Vec<u8>, (usize, usize), Affine) {
    let [a, b, c, d, ..] = to_page.as_coeffs();
    let swaps = b.abs() > a.abs();
    let (x, y) = if swaps { (c, b) } else { (a, d) };
    let (from_right, from_bottom) = (x < 0.0, y < 0.0);
    let (w, h) = (width as f64, height as f64);
    let size = if swaps {
        (height, width)
    } else {
        (width, height)
    };
    let (across, down) = if swaps { (h, w) } else { (w, h) };
    // The result first maps rotated pixels to stored pixels, by mirroring and then swapping the axes, and then maps
    // these to the page.
    let mirrored = Affine::new([
        if from_right { -1.0 } else { 1.0 },
        0.0,
        0.0,
        if from_bottom { -1.0 } else { 1.0 },
        if from_right { across } else { 0.0 },
        if from_bottom { down } else { 0.0 },
    ]);
    let swapped = match swaps {
        true => Affine::new([0.0, 1.0, 1.0, 0.0, 0.0, 0.0]),
        false => Affine::IDENTITY,
    };
    let to_page = to_page * swapped * mirrored;
    if !swaps && !from_right && !from_bottom {
        return (samples, size, to_page);
    }
    let mut turned = Vec::with_capacity(samples.len());
    for y in 0..size.1 {
        let v = if from_bottom { size.1 - 1 - y } else { y };
        for x in 0..size.0 {
            let u = if from_right { size.0 - 1 - x } else { x };
            let at = if swaps { u * width + v } else { v * width + u };
            turned.push(samples[at]);
        }
    }
    (turned, size, to_page)
}

/// Renders a page in bands, at a resolution that keeps it within [`MAX_PIXELS`]. `None` if the page is too wide, or
/// would take too long to render.
fn drawn<'j>(job: &Job<'j>, page: &Page<'_>, dpi: f64) -> Result<Option<Grey<'j>>> {
    let full = Canvas::of(page, dpi.round() as u32);
    let shrink = (MAX_PIXELS / full.pixels() as f64).sqrt().min(1.0);
    let dpi = (dpi * shrink).floor().max(1.0);
    let canvas = Canvas::of(page, dpi as u32);
    let (width, height) = (canvas.width as usize, canvas.height as usize);
    let Some(cost) = cost::limit(page, &canvas, job.input_len) else {
        return Ok(None);
    };
    let (Ok(across), true) = (u16::try_from(width), height > 0) else {
        return Ok(None);
    };
    let rows = (BAND / (4 * u64::from(across))).clamp(64, u16::MAX.into()) as usize;
    let lease = job.lease(canvas.pixels())?;
    let band = rows.min(height) as u64 * u64::from(across);
    let drawing = job.lease(BASE + cost.memory(band))?;
    let mut samples = vec![255; width * height];
    let cache = RenderCache::new();
    for (nth, part) in samples.chunks_mut(rows * width).enumerate() {
        job.check()?;
        let down = (part.len() / width) as u16;
        let place = Affine::translate((0.0, -((nth * rows) as f64))) * canvas.transform(page);
        let pixels = page_drawing::pixels(page, &cache, (across, down), place);
        for (to, from) in part.iter_mut().zip(pixels.as_chunks::<4>().0) {
            luminance(&from[..3], std::slice::from_mut(to));
        }
    }
    drop(drawing);
    let upright = Affine::new(page.initial_transform(true).as_coeffs());
    Ok(Some(Grey {
        width,
        height,
        samples,
        to_upright: upright * canvas.transform(page).inverse(),
        dpi,
        _lease: lease,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hayro::kurbo::Point;

    #[test]
    fn pixels_are_oriented_as_on_the_page() {
        // Rows of 0 1 2, and 3 4 5; the darkest pixel is the first.
        #[track_caller]
        fn check(to_page: [f64; 6], size: (usize, usize), expected: [u8; 6]) {
            let to_page = Affine::new(to_page);
            let (samples, found, matrix) = turned(vec![0, 1, 2, 3, 4, 5], (3, 2), to_page);
            assert_eq!((found, &samples[..]), (size, &expected[..]));
            let at = samples.iter().position(|sample| *sample == 0).unwrap();
            let middle = Point::new((at % size.0) as f64 + 0.5, (at / size.0) as f64 + 0.5);
            assert_eq!(
                matrix * middle,
                to_page * Point::new(0.5, 0.5),
                "the first pixel"
            );
            let [a, b, c, d, ..] = matrix.as_coeffs();
            assert!(a > 0.0 && d > 0.0 && b == 0.0 && c == 0.0, "{matrix:?}");
        }
        check([2.0, 0.0, 0.0, 2.0, 7.0, 8.0], (3, 2), [0, 1, 2, 3, 4, 5]);
        check([2.0, 0.0, 0.0, -2.0, 7.0, 8.0], (3, 2), [3, 4, 5, 0, 1, 2]);
        check([-2.0, 0.0, 0.0, -2.0, 7.0, 8.0], (3, 2), [5, 4, 3, 2, 1, 0]);
        check([0.0, 2.0, -2.0, 0.0, 7.0, 8.0], (2, 3), [3, 0, 4, 1, 5, 2]);
        check([0.0, -2.0, 2.0, 0.0, 7.0, 8.0], (2, 3), [2, 5, 1, 4, 0, 3]);
        check([0.0, 2.0, 2.0, 0.0, 7.0, 8.0], (2, 3), [0, 3, 1, 4, 2, 5]);
    }

    #[test]
    fn pictures_of_many_pixels_are_reduced() {
        assert_eq!(factor(200.0, 4e6, MAX_PIXELS), 1);
        assert_eq!(factor(450.0, 20e6, MAX_PIXELS), 1);
        assert_eq!(factor(600.0, 35e6, MAX_PIXELS), 2);
        assert_eq!(factor(1200.0, 140e6, MAX_PIXELS), 4);
        assert_eq!(factor(72.0, 100e6, MAX_PIXELS), 2);
    }
}
