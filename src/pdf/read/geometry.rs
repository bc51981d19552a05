//! Page sizes in pixels: boxes, rotation and user units (ISO 32000-2, 7.7.3.3 and 14.11.2).

use crate::{
    error::{Error, Kind, Result},
    image::drawing::MAX_PIXELS,
};
use hayro::{hayro_syntax::page::Page, kurbo::Affine};

/// Points in an inch.
pub(crate) const POINTS: f64 = 72.0;

/// Largest drawable width or height in pixels. The renderer stores them as 16-bit numbers.
pub(super) const MAX_SIDE: u32 = u16::MAX as u32;

/// A partial pixel at the edge adds a row or column only if it is larger than this fraction of a pixel, because
/// producers round page sizes in points.
const SLACK: f64 = 1e-3;

/// Size of a user space unit in points (`UserUnit`); invalid values count as 1.
pub(crate) fn unit(page: &Page<'_>) -> f64 {
    let unit = page.raw().get::<f64>("UserUnit").unwrap_or(1.0);
    if unit.is_finite() && unit > 0.0 {
        unit
    } else {
        1.0
    }
}

/// Width and height of the upright page in inches.
fn inches(page: &Page<'_>) -> (f64, f64) {
    // The upright size has the page's rotation applied.
    let (width, height) = page.render_dimensions();
    let unit = unit(page);
    let inches = |side: f32| f64::from(side) * unit / POINTS;
    (inches(width), inches(height))
}

/// Pixel size of a page that is to be drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Canvas {
    /// Width in pixels.
    pub(crate) width: u32,
    /// Height in pixels.
    pub(crate) height: u32,
    /// Pixels per user space unit, horizontally and vertically.
    scale: (f64, f64),
}

impl Canvas {
    /// Canvas of a page at this resolution in pixels per inch. A partial pixel at the edge counts as a pixel if it is
    /// larger than [`SLACK`].
    pub(crate) fn of(page: &Page<'_>, dpi: u32) -> Self {
        let (width, height) = inches(page);
        let (points_across, points_down) = page.render_dimensions();
        let dpi = f64::from(dpi);
        let pixels = |inches: f64| ((inches * dpi - SLACK).ceil() as u32).max(1);
        Self {
            width: pixels(width),
            height: pixels(height),
            scale: (
                width * dpi / f64::from(points_across),
                height * dpi / f64::from(points_down),
            ),
        }
    }

    /// Canvas of this size in pixels, to which the page is scaled.
    pub(super) fn fill(page: &Page<'_>, width: u32, height: u32) -> Self {
        let (points_across, points_down) = page.render_dimensions();
        Self {
            width,
            height,
            scale: (
                f64::from(width) / f64::from(points_across),
                f64::from(height) / f64::from(points_down),
            ),
        }
    }

    /// Number of pixels.
    pub(crate) fn pixels(&self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }

    /// Transform from the page's user space to pixels.
    pub(crate) fn transform(&self, page: &Page<'_>) -> Affine {
        let upright = page.initial_transform(true).as_coeffs();
        Affine::scale_non_uniform(self.scale.0, self.scale.1) * Affine::new(upright)
    }

    /// Checks that a canvas of this size can be drawn. `number` is the page number for the error.
    ///
    /// Errors: [`Kind::BadInput`] with the size, the limits and what to do.
    pub(super) fn check(&self, number: usize, dpi: u32) -> Result<()> {
        if self.width.max(self.height) <= MAX_SIDE && self.pixels() <= MAX_PIXELS {
            return Ok(());
        }
        Err(Error::new(
            Kind::BadInput,
            format!(
                "page {number} has {} × {} pixels at {dpi} dpi; the limits are {MAX_SIDE} on a side and {MAX_PIXELS} \
                 in all: choose a lower dpi, or a width or height",
                self.width, self.height
            ),
        ))
    }
}
