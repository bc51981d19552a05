//! What drawing a page takes, counted before it is drawn: once begun, it cannot be stopped.
//!
//! A file of some hundred bytes can ask for any amount of work: forms that draw others twice, fifty levels deep; a pattern
//! with a step of a billionth of its size; the same picture a million times. So the page is interpreted twice, the first time
//! by a device that draws nothing and adds up about how long each thing would take. Beyond the limit it unwinds, which is
//! the only way out of the interpreter, to [`limit`] where it began.

use super::geometry::Canvas;
use hayro::{
    hayro_interpret::{
        BlendMode, CacheKey, ClipPath, Context, Device, DrawMode, DrawProps, Image, ImageDrawProps,
        InterpreterCache, InterpreterSettings, Paint, SoftMask,
        font::{Glyph, GlyphRun},
        interpret_page,
        pattern::{Pattern, TilingPattern},
    },
    hayro_syntax::page::Page,
    kurbo::{Affine, BezPath, Rect},
};
use std::{
    collections::HashMap,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
};

/// The most that is allowed, in nanoseconds of an ordinary machine, about.
const MOST: f64 = 20e9;

/// Nanoseconds for each thing that is drawn, whatever it is.
const THING: f64 = 300.0;
/// For each point of a path.
const POINT: f64 = 60.0;
/// For each pixel that is covered.
const COVERED: f64 = 0.3;
/// For each letter.
const LETTER: f64 = 300.0;
/// For each group, mask or change of the clip, which are copied and put together again.
const GROUP: f64 = 3_000.0;
/// For each form, which is decompressed and parsed each time, as this count has to do as well. Each begins with a path for
/// the clip.
const FORM: f64 = 100_000.0;
/// For each pixel of a picture, which is decoded each time that it is drawn.
const DECODED: f64 = 8.0;
/// For each pixel of a mask, which is as large as the page.
const MASKED: f64 = 4.0;

/// Bytes for each nanosecond, of what is kept until the page is finished: paths in strips.
const KEPT: f64 = 0.1;

/// What a page takes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cost {
    /// Nanoseconds without those for pixels of the page.
    steps: f64,
    /// Pixels of the page that are covered, as multiples of the page.
    covered: f64,
    /// Masks, each as large as the page.
    masks: u64,
    /// Pixels of the largest picture.
    picture: u64,
}

impl Cost {
    /// The bytes that drawing takes on a canvas of so many pixels.
    pub(super) fn memory(&self, pixels: u64) -> u64 {
        // The canvas itself; and while a mask is drawn, another one.
        let canvases = if self.masks > 0 { 8 } else { 4 };
        (canvases + self.masks) * pixels + 8 * self.picture + (self.steps * KEPT) as u64
    }

    fn nanoseconds(&self, pixels: f64) -> f64 {
        self.steps + (self.covered * COVERED + self.masks as f64 * MASKED) * pixels
    }
}

/// What unwinds when there is too much.
struct TooMuch;

/// Counts what a page takes. `None` if it is more than is allowed.
pub(super) fn limit(page: &Page<'_>, canvas: &Canvas) -> Option<Cost> {
    let target = Rect::new(0.0, 0.0, canvas.width.into(), canvas.height.into());
    let counted = catch_unwind(AssertUnwindSafe(|| {
        let cache = InterpreterCache::new();
        let mut context = Context::new(
            canvas.transform(page),
            target,
            &cache,
            page.xref(),
            InterpreterSettings::default(),
        );
        let mut count = Count {
            target,
            cost: Cost::default(),
            known: HashMap::new(),
        };
        interpret_page(page, &mut context, &mut count);
        count.cost
    }));
    match counted {
        Ok(cost) => Some(cost),
        Err(stopped) if stopped.is::<TooMuch>() => None,
        Err(panic) => resume_unwind(panic),
    }
}

struct Count {
    /// All pixels of the page.
    target: Rect,
    cost: Cost,
    /// What was found inside a mask, a letter that is a drawing, or a pattern.
    known: HashMap<u128, f64>,
}

impl Count {
    fn add(&mut self, steps: f64) {
        self.cost.steps += steps;
        if self.cost.nanoseconds(self.target.area()) > MOST {
            resume_unwind(Box::new(TooMuch));
        }
    }

    /// Adds what covers the page within `area`.
    fn cover(&mut self, area: Rect) {
        let seen = area.intersect(self.target);
        self.cost.covered += (seen.area() / self.target.area()).clamp(0.0, 1.0);
    }

    fn path(&mut self, points: usize, area: Rect, props: &DrawProps<'_>) {
        self.cover(props.transform.transform_rect_bbox(area));
        self.add(THING + POINT * points as f64);
        self.mask(props.soft_mask.as_ref());
        self.paint(&props.paint);
    }

    fn paint(&mut self, paint: &Paint<'_>) {
        if let Paint::Pattern(pattern) = paint {
            match &**pattern {
                Pattern::Tiling(tiling) => self.tiling(tiling),
                // Meshes are drawn point by point.
                Pattern::Shading(_) => self.add(100.0 * GROUP),
            }
        }
    }

    /// The content of a pattern is drawn as often as copies of it overlap in a cell.
    fn tiling(&mut self, tiling: &TilingPattern<'_>) {
        let copies = |from: f64, to: f64, step: f32| {
            let copies = ((to - from).abs() / f64::from(step.abs())).ceil();
            if copies.is_finite() {
                copies.max(1.0)
            } else {
                1.0
            }
        };
        let copies = copies(tiling.bbox.x0, tiling.bbox.x1, tiling.x_step)
            * copies(tiling.bbox.y0, tiling.bbox.y1, tiling.y_step);
        self.add(copies * GROUP);
        let once = self.within(tiling.cache_key(), |count| {
            tiling.interpret(count, Affine::IDENTITY, false);
        });
        // It has been added once.
        self.add((copies - 1.0) * once);
    }

    fn mask(&mut self, mask: Option<&SoftMask<'_>>) {
        let Some(mask) = mask else { return };
        let key = mask.cache_key();
        if !self.known.contains_key(&key) {
            self.cost.masks += 1;
            self.add(GROUP);
            self.within(key, |count| mask.interpret(count));
        }
    }

    /// Counts what `draw` draws, if it is not known, and adds it.
    fn within(&mut self, key: u128, draw: impl FnOnce(&mut Self)) -> f64 {
        if let Some(&steps) = self.known.get(&key) {
            self.add(steps);
            return steps;
        }
        // What is drawn within itself counts once.
        self.known.insert(key, 0.0);
        let before = self.cost.steps;
        draw(self);
        let steps = self.cost.steps - before;
        self.known.insert(key, steps);
        steps
    }
}

impl<'a> Device<'a> for Count {
    fn draw_path(&mut self, path: &BezPath, props: DrawProps<'a>, _: &DrawMode) {
        self.path(path.elements().len(), path.control_box(), &props);
    }

    fn draw_rect(&mut self, rect: &Rect, props: DrawProps<'a>, _: &DrawMode) {
        self.path(4, *rect, &props);
    }

    fn push_clip_path(&mut self, clip: &ClipPath) {
        self.add(FORM + POINT * clip.path.elements().len() as f64);
    }

    fn push_clip_rect(&mut self, _: &Rect) {
        self.add(GROUP);
    }

    fn push_transparency_group(&mut self, _: f32, mask: Option<SoftMask<'a>>, _: BlendMode) {
        self.mask(mask.as_ref());
        self.add(GROUP);
    }

    fn draw_glyph_run(&mut self, run: &GlyphRun<'_, 'a>, props: DrawProps<'a>, mode: &DrawMode) {
        if matches!(mode, DrawMode::Invisible) {
            return;
        }
        self.mask(props.soft_mask.as_ref());
        self.paint(&props.paint);
        for glyph in run.glyphs() {
            self.add(LETTER);
            if let Glyph::Type3(drawn) = &**glyph {
                self.within(drawn.cache_key(), |count| {
                    drawn.interpret(count, props.transform, glyph.transform(), &props.paint);
                });
            }
        }
    }

    fn draw_image(&mut self, image: Image<'a, '_>, props: ImageDrawProps<'a>) {
        let (width, height) = (image.width(), image.height());
        let pixels = u64::from(width) * u64::from(height);
        self.cost.picture = self.cost.picture.max(pixels);
        let area = Rect::new(0.0, 0.0, width.into(), height.into());
        self.cover(props.transform.transform_rect_bbox(area));
        self.add(GROUP + DECODED * pixels as f64);
        self.mask(props.soft_mask.as_ref());
    }

    fn pop_clip(&mut self) {}

    fn pop_transparency_group(&mut self) {}
}
