//! Encodes PDF images (ISO 32000-2, 8.9). A JPEG is copied if every viewer shows it as it appears in the PDF. All other
//! images become PNG. Does not scale images, and does not determine their positions.

use hayro::{
    hayro_interpret::{Image, ImageData, LumaData, Paint, RasterImage, StencilImage},
    hayro_syntax::{
        Filter,
        object::{Dict, Name, Stream},
    },
    kurbo::{Affine, Rect},
};
use std::borrow::Cow;

/// Tolerance for straight axes: about the tangent of one degree.
const ASKEW: f64 = 0.02;

/// Opacity (of 255) up to which a pixel counts as invisible.
const FAINT: u8 = 24;

/// Tolerance for equal colours, of 255.
const SAME_COLOUR: u8 = 8;

/// Denominator of the fractions in a [`Crop`].
const PARTS: f64 = 65_536.0;

/// Fraction of a side up to which hidden edges are not cropped: clips are often slightly smaller than the picture.
const WORTH_CUTTING: f64 = 0.02;

/// Orientation of an image on the page: quarter turns and reflections.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Turn {
    /// Whether the rows of the image run vertically on the page.
    swaps: bool,
    /// Whether the first pixel is at the right edge.
    from_right: bool,
    /// Whether the first pixel is at the bottom edge.
    from_bottom: bool,
}

impl Turn {
    /// The orientation that a transform gives to an image. `None` if it rotates by an angle other than quarter turns.
    pub(super) fn of(to_page: Affine) -> Option<Self> {
        // The axes of the image must be parallel or perpendicular to those of the page.
        let [a, b, c, d, ..] = to_page.as_coeffs();
        let is_straight = |along: f64, across: f64| across.abs() <= ASKEW * along.abs();
        let (swaps, x, y) = if is_straight(a, b) && is_straight(d, c) {
            (false, a, d)
        } else if is_straight(b, a) && is_straight(c, d) {
            (true, c, b)
        } else {
            return None;
        };
        Some(Self {
            swaps,
            from_right: x < 0.0,
            from_bottom: y < 0.0,
        })
    }

    /// Returns whether the image is neither turned nor reflected.
    pub(super) fn is_upright(self) -> bool {
        self == Self::default()
    }
}

/// Visible part of a picture on the page: left, top, right and bottom as fractions of its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Crop([u32; 4]);

impl Crop {
    const WHOLE: Self = Self([0, 0, PARTS as u32, PARTS as u32]);

    /// The visible part of a picture. `place` is the rectangle of the picture, and `seen` is the visible rectangle of
    /// the page.
    pub(super) fn of(place: Rect, seen: Rect) -> Self {
        // Coordinates as fractions of the picture.
        let x = |at: f64| (at - place.x0) / place.width();
        let y = |at: f64| (at - place.y0) / place.height();
        let shares = [x(seen.x0), y(seen.y0), x(seen.x1), y(seen.y1)];
        let is_cut = |(share, whole): (&f64, f64)| (share - whole).abs() > WORTH_CUTTING;
        if shares.iter().zip([0.0, 0.0, 1.0, 1.0]).any(is_cut) {
            Self(shares.map(|share| (share * PARTS).round() as u32))
        } else {
            Self::WHOLE
        }
    }

    /// Returns whether all of the picture is visible.
    pub(super) fn is_whole(self) -> bool {
        self == Self::WHOLE
    }

    /// Left and top pixel, and end on the right and at the bottom, in a picture of this size in pixels.
    fn within(self, (width, height): (usize, usize)) -> [usize; 4] {
        let [left, top, right, bottom] = self.0.map(|part| f64::from(part) / PARTS);
        // At least one pixel remains on each axis.
        let at = |share: f64, side: usize| ((share * side as f64).round() as usize).min(side);
        let (left, top) = (
            at(left, width).min(width - 1),
            at(top, height).min(height - 1),
        );
        [
            left,
            top,
            at(right, width).max(left + 1),
            at(bottom, height).max(top + 1),
        ]
    }
}

/// Width and height of an image in pixels. Each is that of the mask if the mask has more pixels on this side.
pub(super) fn sides(image: &Image<'_, '_>) -> [u32; 2] {
    let own = [image.width(), image.height()];
    let Image::Raster(raster) = image else {
        return own;
    };
    // A mask may have more pixels than the image that it masks (8.9.6.3).
    let of_mask = |key: &str| {
        let mask = raster.stream().dict().get::<Stream<'_>>(key)?;
        Some([mask.dict().get("Width")?, mask.dict().get("Height")?])
    };
    let masks = ["SMask", "Mask"].into_iter().filter_map(of_mask);
    masks.fold(own, |sides, mask: [u32; 2]| {
        [sides[0].max(mask[0]), sides[1].max(mask[1])]
    })
}

/// JPEG data of an image, if its colours need no conversion. `None` for other images.
pub(super) fn jpg<'a>(image: &'a Image<'_, '_>) -> Option<Cow<'a, [u8]>> {
    let Image::Raster(raster) = image else {
        return None;
    };
    let stream = raster.stream();
    let dictionary = stream.dict();
    // Any of these entries changes the colours of the JPEG.
    let changes = ["SMask", "Mask", "Decode", "SMaskInData"];
    let is_changed = changes.iter().any(|key| dictionary.contains_key(key));
    if stream.filters()[..] != [Filter::DctDecode] || is_changed {
        return None;
    }
    let samples = samples(dictionary)?;
    let bytes = stream.raw_data();
    let is_whole = bytes.starts_with(&[0xff, 0xd8, 0xff]) && components(&bytes) == Some(samples);
    is_whole.then_some(bytes)
}

/// Number of components of an RGB or grey image. `None` for other colour spaces, in which the colours of a JPEG depend
/// on more than the JPEG.
fn samples(dictionary: &Dict<'_>) -> Option<u8> {
    match &*dictionary.get::<Name<'_>>("ColorSpace")? {
        b"DeviceRGB" => Some(3),
        b"DeviceGray" => Some(1),
        _ => None,
    }
}

/// Number of components in the frame header of a JPEG (ITU-T T.81, B.2.2). `None` for kinds that some viewers cannot
/// read, such as lossless or arithmetic coding.
fn components(jpg: &[u8]) -> Option<u8> {
    // Segments follow one another: marker, length, content.
    let mut at = 2;
    loop {
        let [0xff, marker] = *jpg.get(at..)?.first_chunk()? else {
            return None;
        };
        let len = usize::from(u16::from_be_bytes(*jpg.get(at + 2..)?.first_chunk()?));
        // These markers begin baseline, extended and progressive frames. The number of components is at offset 9.
        match marker {
            0xff => at += 1,
            0xc0..=0xc2 => return jpg.get(at + 9).copied(),
            0xc3..=0xcf if !matches!(marker, 0xc4 | 0xc8 | 0xcc) => return None,
            0xda | 0xd9 => return None,
            _ => at += 2 + len,
        }
    }
}

/// A decoded image: grey or RGB, with or without alpha, 8 bits per sample.
#[derive(Debug, PartialEq)]
pub(super) struct Pixels {
    /// Width and height in pixels.
    size: (usize, usize),
    /// Samples per pixel.
    samples: usize,
    data: Vec<u8>,
}

impl Pixels {
    /// Decodes an image; `None` if it is damaged.
    pub(super) fn of(image: &Image<'_, '_>) -> Option<Self> {
        match image {
            Image::Raster(raster) => Self::of_raster(raster),
            Image::Stencil(stencil) => Self::of_stencil(stencil),
        }
    }

    /// Decodes a raster image with its mask.
    fn of_raster(raster: &RasterImage<'_>) -> Option<Self> {
        // `hayro` converts all colour spaces to grey or RGB.
        let mut decoded = None;
        raster.with_rgba(|image, alpha| decoded = Some((image, alpha)), None);
        let (image, alpha) = decoded?;
        let size = (image.width() as usize, image.height() as usize);
        let (samples, data) = match image {
            ImageData::Rgb(rgb) => (3, rgb.data),
            ImageData::Luma(luma) => (1, luma.data),
        };
        let opaque = Self {
            size,
            samples,
            data,
        };
        if opaque.data.is_empty() {
            return None;
        }
        Some(match alpha {
            Some(alpha) if alpha.data.iter().any(|alpha| *alpha < 255) => opaque.with_alpha(&alpha),
            _ => opaque,
        })
    }

    /// Returns whether all visible pixels have one colour, with varying opacity: the shadow of a
    /// drawing.
    pub(super) fn is_shadow(&self) -> bool {
        let colours = self.samples - 1;
        // An image without alpha is not a shadow.
        if self.samples % 2 == 1 {
            return false;
        }
        let mut seen = self
            .data
            .chunks(self.samples)
            .filter(|pixel| pixel[colours] > FAINT);
        let Some(first) = seen.next() else {
            return true;
        };
        let is_same = |(a, b): (&u8, &u8)| a.abs_diff(*b) <= SAME_COLOUR;
        seen.all(|pixel| pixel[..colours].iter().zip(first).all(is_same))
    }

    /// Paints a stencil mask on white.
    fn of_stencil(stencil: &StencilImage<'_, '_>) -> Option<Self> {
        let mut pixels = None;
        stencil.with_stencil(
            |mask, paint| {
                // Patterns are replaced by black.
                let [r, g, b, opacity] = match paint {
                    Paint::Color(colour) => colour.to_rgba().to_rgba8(),
                    Paint::Pattern(_) => [0, 0, 0, 255],
                };
                let is_grey = r == g && g == b;
                let colour = [r, g, b];
                let colour = if is_grey { &colour[..1] } else { &colour[..] };
                // The mask gives the opacity of the colour on white.
                let on_white = |mask: u8, sample: u8| {
                    let cover = u32::from(mask) * u32::from(opacity) / 255;
                    (255 - cover * (255 - u32::from(sample)) / 255) as u8
                };
                let data = mask
                    .data
                    .iter()
                    .flat_map(|mask| colour.iter().map(|sample| on_white(*mask, *sample)));
                pixels = Some(Self {
                    size: (mask.width as usize, mask.height as usize),
                    samples: colour.len(),
                    data: data.collect(),
                });
            },
            None,
        );
        pixels.filter(|pixels| !pixels.data.is_empty())
    }

    /// Adds a mask as alpha. If the sizes differ, the result has the larger width and the larger height, because scans
    /// often store text as a fine mask over a coarse image.
    fn with_alpha(self, alpha: &LumaData) -> Self {
        let (own, mask) = (self.size, (alpha.width as usize, alpha.height as usize));
        let size = (own.0.max(mask.0), own.1.max(mask.1));
        let mut data = Vec::with_capacity(size.0 * size.1 * (self.samples + 1));
        // Image and mask are sampled at the nearest pixel.
        for y in 0..size.1 {
            let row = y * own.1 / size.1 * own.0;
            let mask_row = y * mask.1 / size.1 * mask.0;
            for x in 0..size.0 {
                let at = (row + x * own.0 / size.0) * self.samples;
                data.extend_from_slice(&self.data[at..at + self.samples]);
                data.push(alpha.data[mask_row + x * mask.0 / size.0]);
            }
        }
        Self {
            size,
            samples: self.samples + 1,
            data,
        }
    }

    /// The image as it is visible on the page: rotated and cropped.
    pub(super) fn seen(self, turn: Turn, crop: Crop) -> Self {
        if turn.is_upright() && crop.is_whole() {
            return self;
        }
        let (width, height) = self.size;
        let on_page = if turn.swaps {
            (height, width)
        } else {
            (width, height)
        };
        let [left, top, right, bottom] = crop.within(on_page);
        let mut data = Vec::with_capacity((right - left) * (bottom - top) * self.samples);
        // Copies each pixel of the visible part from its position in the image, which may be rotated or mirrored.
        for y in top..bottom {
            let v = if turn.from_bottom {
                on_page.1 - 1 - y
            } else {
                y
            };
            for x in left..right {
                let u = if turn.from_right {
                    on_page.0 - 1 - x
                } else {
                    x
                };
                let (column, row) = if turn.swaps { (v, u) } else { (u, v) };
                let at = (row * width + column) * self.samples;
                data.extend_from_slice(&self.data[at..at + self.samples]);
            }
        }
        Self {
            size: (right - left, bottom - top),
            data,
            ..self
        }
    }

    /// Encodes the image as PNG.
    pub(super) fn png(&self) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.size.0 as u32, self.size.1 as u32);
        encoder.set_color(match self.samples {
            1 => png::ColorType::Grayscale,
            2 => png::ColorType::GrayscaleAlpha,
            3 => png::ColorType::Rgb,
            _ => png::ColorType::Rgba,
        });
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header().ok()?;
        writer.write_image_data(&self.data).ok()?;
        writer.finish().ok()?;
        Some(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_turned_and_cropped_as_on_the_page() {
        // Rows of 0 1 2, and 3 4 5.
        #[track_caller]
        fn check(to_page: [f64; 6], seen: Rect, size: (usize, usize), expected: &[u8]) {
            let to_page = Affine::new(to_page);
            let place = to_page.transform_rect_bbox(Rect::new(0.0, 0.0, 3.0, 2.0));
            let image = Pixels {
                size: (3, 2),
                samples: 1,
                data: vec![0, 1, 2, 3, 4, 5],
            };
            let found = image.seen(Turn::of(to_page).unwrap(), Crop::of(place, seen));
            assert_eq!((found.size, &found.data[..]), (size, expected));
        }
        check(
            [1.0, 0.0, 0.0, 1.0, 0.0, 0.0],
            Rect::new(0.0, 0.0, 3.0, 2.0),
            (3, 2),
            &[0, 1, 2, 3, 4, 5],
        );
        check(
            [1.0, 0.0, 0.0, -1.0, 0.0, 2.0],
            Rect::new(0.0, 0.0, 3.0, 2.0),
            (3, 2),
            &[3, 4, 5, 0, 1, 2],
        );
        // A quarter turn clockwise.
        check(
            [0.0, 1.0, -1.0, 0.0, 2.0, 0.0],
            Rect::new(0.0, 0.0, 2.0, 3.0),
            (2, 3),
            &[3, 0, 4, 1, 5, 2],
        );
        check(
            [1.0, 0.0, 0.0, 1.0, 0.0, 0.0],
            Rect::new(1.0, 0.0, 3.0, 1.0),
            (2, 1),
            &[1, 2],
        );
        let askew = Affine::rotate(0.2);
        assert_eq!(Turn::of(askew), None);
    }
}
