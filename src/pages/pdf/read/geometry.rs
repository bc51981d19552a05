//! The size of pages: boxes, rotation and user units (ISO 32000-2, 7.7.3.3 and 14.11.2) in pixels.

use crate::{
    error::{Error, Kind, Result},
    image::drawing::MAX_PIXELS,
};
use hayro::{hayro_syntax::page::Page, kurbo::Affine};

/// Points per inch.
pub(in crate::pdf) const POINTS: f64 = 72.0;

/// The largest width or height that can be drawn, in pixels.
pub(super) const MAX_SIDE: u32 = u16::MAX as u32;

/// A fraction of a pixel that adds no row or column: writers round sizes in points.
const SLACK: f64 = 1e-3;

/// Points in a unit of a page.
pub(in crate::pdf) fn unit(page: &Page<'_>) -> f64 {
    let unit = page.raw().get::<f64>("UserUnit").unwrap_or(1.0);
    if unit.is_finite() && unit > 0.0 {
        unit
    } else {
        1.0
    }
}

/// Width and height of an upright page in inches.
fn inches(page: &Page<'_>) -> (f64, f64) {
    let (width, height) = page.render_dimensions();
    let unit = unit(page);
    let inches = |side: f32| f64::from(side) * unit / POINTS;
    (inches(width), inches(height))
}

/// A page with the size in which it is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::pdf) struct Canvas {
    /// In pixels.
    pub(in crate::pdf) width: u32,
    /// In pixels.
    pub(in crate::pdf) height: u32,
    /// Pixels per point, horizontally and vertically.
    scale: (f64, f64),
}

impl Canvas {
    /// A page at this resolution in pixels per inch. A partial pixel at the edge counts as a whole one.
    pub(in crate::pdf) fn of(page: &Page<'_>, dpi: u32) -> Self {
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

    /// A page scaled to this size in pixels.
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

    pub(in crate::pdf) fn pixels(&self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }

    /// The transform from the page's user space to pixels.
    pub(in crate::pdf) fn transform(&self, page: &Page<'_>) -> Affine {
        let upright = page.initial_transform(true).as_coeffs();
        Affine::scale_non_uniform(self.scale.0, self.scale.1) * Affine::new(upright)
    }

    /// Refuses sizes that cannot be drawn. `number` is the page number.
    ///
    /// Errors: [`Kind::BadInput`] with the size and what to do.
    pub(super) fn check(&self, number: usize, dpi: u32) -> Result<()> {
        if self.width.max(self.height) <= MAX_SIDE && self.pixels() <= MAX_PIXELS {
            return Ok(());
        }
        Err(Error::new(
            Kind::BadInput,
            format!(
                "page {number} has {} × {} pixels at {dpi} dpi; the limits are {MAX_SIDE} on a side and {MAX_PIXELS} \
                 in all: ask for less dpi, or for a width or height",
                self.width, self.height
            ),
        ))
    }
}
