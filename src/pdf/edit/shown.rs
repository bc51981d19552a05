//! Resolutions at which the pictures of pages are shown, in pixels per inch. Draws nothing.

use crate::{error::Result, job::Job, read::content};
use hayro::{
    hayro_interpret::{
        BlendMode, ClipPath, Device, DrawMode, DrawProps, Image, ImageDrawProps, InterpreterCache,
        SoftMask, font::GlyphRun,
    },
    hayro_syntax::{
        object::{Dict, Name, ObjectIdentifier, Stream},
        page::{Page, Resources},
    },
    kurbo::{BezPath, Rect},
};
use std::collections::HashMap;

/// Points per inch.
const POINTS: f64 = 72.0;

/// Limit on the pictures of a page that are measured. Further pictures stay unchanged.
const MAX: usize = 10_000;

/// Encoded size of the smallest picture that may be reduced, in bytes. Pages without a picture of at least this size
/// are not measured.
pub(super) const LEAST: u32 = 20_000;

/// Limit on the nesting of forms that are searched for pictures.
const MAX_DEPTH: usize = 4;
/// Limit on the objects of a page that are searched for pictures. A page with more objects is always measured.
const MAX_VISITED: usize = 2000;

/// The pictures of a file, by object, with the lowest resolution at which each is shown, in pixels per inch.
#[derive(Default)]
pub(super) struct Shown {
    densities: HashMap<ObjectIdentifier, f64>,
    /// Number of pictures drawn on the current page.
    drawn: usize,
}

impl Shown {
    /// Adds the pictures of a page.
    ///
    /// Errors: the job is to end.
    pub(super) fn add(&mut self, job: &Job<'_>, page: &Page<'_>) -> Result<()> {
        job.check()?;
        if !has_picture(page.resources(), 0, &mut 0) {
            return Ok(());
        }
        self.drawn = 0;
        content::draw(page, &InterpreterCache::new(), self);
        Ok(())
    }

    /// All pictures with their resolutions, in the order of their objects.
    pub(super) fn all(&self) -> Vec<(ObjectIdentifier, f64)> {
        let mut all: Vec<_> = self
            .densities
            .iter()
            .map(|(id, density)| (*id, *density))
            .collect();
        all.sort_unstable_by_key(|(id, _)| (id.obj_number, id.gen_number));
        all
    }
}

/// Returns whether resources have a picture that is large enough to be reduced, or too many objects to be searched.
fn has_picture(resources: &Resources<'_>, depth: usize, visited: &mut usize) -> bool {
    resources.x_objects.keys().any(|name| {
        *visited += 1;
        let Some(object) = resources.x_objects.get::<Stream<'_>>(&*name) else {
            return false;
        };
        if *visited > MAX_VISITED {
            return true;
        }
        let dict = object.dict();
        let is = |kind: &[u8]| {
            dict.get::<Name<'_>>("Subtype")
                .is_some_and(|name| *name == *kind)
        };
        if is(b"Image") {
            return dict.get::<u32>("Length").is_none_or(|len| len >= LEAST);
        }
        let inner = dict
            .get::<Dict<'_>>("Resources")
            .filter(|_| depth < MAX_DEPTH);
        inner.is_some_and(|inner| has_picture(&Resources::new(inner), depth + 1, visited))
    })
}

impl<'a> Device<'a> for Shown {
    fn draw_image(&mut self, image: Image<'a, '_>, props: ImageDrawProps<'a>) {
        self.drawn += 1;
        let Image::Raster(raster) = &image else {
            return;
        };
        let Some(id) = raster.stream().dict().obj_id() else {
            return;
        };
        let [a, b, c, d, ..] = props.transform.as_coeffs();
        // Size of a pixel in points, along its longer side.
        let pixel = a.hypot(b).max(c.hypot(d));
        let density = if pixel > 0.0 && self.drawn <= MAX {
            POINTS / pixel
        } else {
            0.0
        };
        let least = self.densities.entry(id).or_insert(density);
        *least = least.min(density);
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
