//! Estimates the cost of drawing a page. The estimate is made in advance, because drawing cannot be interrupted.
//!
//! A file of a few hundred bytes can require any amount of work. Examples are fifty levels of forms, each of which
//! draws the next one twice, a tiling pattern whose step is a billionth of its size, and a picture that is drawn a
//! million times. So the page is interpreted twice, first with a device that draws nothing and adds up the time of each
//! operation. When the sum exceeds the limit, the device panics, and [`limit`] catches the panic, because the
//! interpreter cannot be stopped in another way. The constants were measured on an ordinary x86-64 machine.

use super::{geometry::Canvas, programs};
use hayro::{
    hayro_interpret::{
        BlendMode, CacheKey, ClipPath, Context, Device, DrawMode, DrawProps, Image, ImageDrawProps,
        InterpreterCache, InterpreterSettings, Paint, SoftMask,
        font::{Glyph, GlyphRun},
        interpret_page,
        pattern::{Pattern, TilingPattern},
        shading::{ShadingFunction, ShadingType, Triangle},
    },
    hayro_syntax::{
        object::{Name, Object},
        page::Page,
    },
    kurbo::{Affine, BezPath, PathSeg, Rect},
};
use std::{
    collections::HashMap,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
};

/// Base budget of a page, in nanoseconds. It is four seconds.
const MAX: f64 = 4e9;
/// Additional budget per byte of the file, in nanoseconds: a map of ten megabytes may take long.
const MAX_PER_BYTE: f64 = 2_000.0;
/// Limit on the budget, for files of any size.
const MAX_EVER: f64 = 20e9;

/// Cost per path, in nanoseconds. All costs below are in nanoseconds, too.
const OPERATION: f64 = 300.0;
/// Cost per path element.
const POINT: f64 = 60.0;
/// Cost per dash of a stroke. Each dash becomes an outline of its own, which has to be filled.
const DASH: f64 = 2_000.0;
/// Cost per triangle of a mesh.
const TRIANGLE: f64 = 150.0;
/// Cost per covered pixel.
const COVERED: f64 = 0.3;
/// Cost per glyph.
const LETTER: f64 = 2_500.0;
/// Additional cost per glyph for each pixel of its height.
const LETTER_HIGH: f64 = 60.0;
/// Cost per pixel of a gradient that the renderer has to sample.
const SAMPLED: f64 = 60.0;
/// Minimum number of evaluations of a gradient's functions: one for each stop of the gradient.
const STOPS: f64 = 1_000.0;
/// Cost per operator of a function, for each evaluation.
const OPERATOR: f64 = 4.0;
/// Cost per operator of a function for parsing. The function of a gradient is parsed whenever the gradient is drawn.
const PARSED: f64 = 40.0;
/// Cost per transparency group, mask, rectangular clip, image or copy of a pattern cell: each is drawn separately and
/// composited.
const GROUP: f64 = 3_000.0;
/// Cost per form XObject. A form is decompressed and parsed whenever it is drawn, and also for this estimate. Forms are
/// counted by the clipping path with which each of them begins.
const FORM: f64 = 100_000.0;
/// Cost per pixel of an image. The image is decoded whenever it is drawn.
const DECODED: f64 = 8.0;
/// Cost per pixel of a soft mask, which is as large as the page.
const MASKED: f64 = 4.0;

/// Memory that paths take until the page is finished, in bytes per nanosecond of cost.
const PATH_MEMORY: f64 = 0.1;
/// Additional memory in bytes per glyph. Together with [`KEPT_HIGH`], a glyph takes 800 bytes at 12 points and 150 dpi.
const KEPT_LETTER: f64 = 50.0;
/// Additional memory in bytes per glyph and pixel of its height.
const KEPT_HIGH: f64 = 16.0;
/// Additional memory in bytes per pixel of a sampled gradient.
const KEPT_SAMPLED: f64 = 4.0;

/// Length in bytes of the SVG text for a path, a picture or a letter.
const SVG_OBJECT: f64 = 300.0;
/// Length in bytes of the SVG text for a point of a path.
const SVG_POINT: f64 = 40.0;
/// Length in bytes per pixel of a picture within an SVG. In the worst case, PNG does not compress the picture, and base
/// 64 adds a third.
const SVG_PIXEL: f64 = 5.5;

/// Number of triangles into which `hayro` divides a patch of a mesh.
const TRIANGLES_PER_PATCH: usize = 2 * 19 * 19;

/// Estimated cost of a page.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cost {
    /// Time in nanoseconds, without the part that depends on the number of pixels.
    steps: f64,
    /// Memory in bytes that is used until the page is finished, without the part that is computed from `steps`.
    kept: f64,
    /// Sum of all covered areas, in multiples of the area of the page.
    covered: f64,
    /// Number of soft masks, each as large as the page.
    masks: u64,
    /// Number of pixels of the largest image.
    picture: u64,
    /// Number of triangles of the largest mesh.
    triangles: u64,
    /// Length in bytes of the page as SVG, on a canvas with one pixel per unit.
    svg: f64,
    /// Whether letters are drawn.
    has_letters: bool,
}

impl Cost {
    /// Memory in bytes for drawing on a canvas of this many pixels.
    pub(crate) fn memory(&self, pixels: u64) -> u64 {
        // The canvas takes four bytes per pixel, and drawing a mask takes as many.
        let canvases = if self.masks > 0 { 8 } else { 4 };
        let mesh = self.triangles.saturating_mul(size_of::<Triangle>() as u64);
        let kept = (self.steps * PATH_MEMORY + self.kept) as u64;
        // When the vector of triangles grows, it is copied, so one and a half times its size may be in memory.
        ((canvases + self.masks) * pixels + 8 * self.picture + kept).saturating_add(mesh + mesh / 2)
    }

    /// Length in bytes of the page as SVG.
    #[cfg(feature = "svg")]
    pub(super) fn svg(&self) -> u64 {
        self.svg as u64
    }

    /// Memory in bytes for writing the page as SVG. The text is copied when it grows, and a picture is in memory
    /// together with its file.
    #[cfg(feature = "svg")]
    pub(super) fn svg_memory(&self) -> u64 {
        let text = (3.0 * self.svg) as u64;
        text.saturating_add(self.memory(0))
            .saturating_add(8 * self.picture)
    }

    /// Returns whether letters are drawn on the page.
    #[cfg(feature = "svg")]
    pub(super) fn has_letters(&self) -> bool {
        self.has_letters
    }

    /// Time in nanoseconds on a canvas of this many pixels.
    fn nanoseconds(&self, pixels: f64) -> f64 {
        self.steps + (self.covered * COVERED + self.masks as f64 * MASKED) * pixels
    }
}

/// Panic payload that ends the estimate when the limit is exceeded.
struct TooMuch;

/// Estimates the cost of drawing a page of a file of `len` bytes. `None` if the time exceeds the limit.
pub(crate) fn limit(page: &Page<'_>, canvas: &Canvas, len: u64) -> Option<Cost> {
    let target = Rect::new(0.0, 0.0, canvas.width.into(), canvas.height.into());
    // This catches the panic of the device. Nothing that the device changed is used afterwards.
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
            budget: (MAX + MAX_PER_BYTE * len as f64).min(MAX_EVER),
            program: programs::longest(page) as f64,
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

/// Device that counts instead of drawing.
struct Count {
    /// Canvas, in pixels.
    target: Rect,
    /// Budget in nanoseconds.
    budget: f64,
    /// Number of operators in the longest type 4 function of the page.
    program: f64,
    /// Cost so far.
    cost: Cost,
    /// Time and SVG length of masks, Type 3 glyphs and patterns that were already counted, by cache key.
    known: HashMap<u128, (f64, f64)>,
}

impl Count {
    /// Adds time; ends the estimate if the budget is exceeded.
    fn add(&mut self, steps: f64) {
        self.cost.steps += steps;
        // The time depends on the covered area as well.
        if self.cost.nanoseconds(self.target.area()) > self.budget {
            resume_unwind(Box::new(TooMuch));
        }
    }

    /// Adds the area of an operation on the page.
    fn cover(&mut self, area: Rect) {
        // Only the area on the canvas costs time.
        let seen = area.intersect(self.target);
        self.cost.covered += (seen.area() / self.target.area()).clamp(0.0, 1.0);
    }

    /// Counts a path by its elements and its bounding box.
    fn path(&mut self, points: usize, area: Rect, props: &DrawProps<'_>) {
        let area = props.transform.transform_rect_bbox(area);
        self.cover(area);
        self.add(OPERATION + POINT * points as f64);
        self.cost.svg += SVG_OBJECT + SVG_POINT * points as f64;
        self.mask(props.soft_mask.as_ref());
        self.paint(&props.paint, area);
    }

    /// Counts the paint of an area in pixels.
    fn paint(&mut self, paint: &Paint<'_>, area: Rect) {
        match paint {
            // The colour space may have a tint function, which is evaluated for each colour.
            Paint::Color(_) => self.add(OPERATOR * self.program),
            Paint::Pattern(pattern) => match &**pattern {
                Pattern::Tiling(tiling) => self.tiling(tiling),
                Pattern::Shading(shading) => {
                    let seen = area.intersect(self.target).area().max(0.0);
                    // A shading that is neither axial nor radial becomes a picture as large as the path, even where the
                    // path leaves the page.
                    self.cost.svg += SVG_OBJECT
                        + SVG_PIXEL
                            * match *shading.shading.shading_type {
                                ShadingType::RadialAxial { .. } => seen,
                                _ => area.area().abs(),
                            };
                    self.shading(&shading.shading.shading_type, seen);
                }
            },
        }
    }

    /// Counts a shading. Axial and radial shadings that extend beyond both ends are drawn natively. Others are sampled,
    /// and meshes are divided into triangles first.
    fn shading(&mut self, shading: &ShadingType, pixels: f64) {
        let (functions, sampled) = match shading {
            ShadingType::FunctionBased { function, .. } => (functions(Some(function)), pixels),
            ShadingType::RadialAxial {
                function, extend, ..
            } => {
                // If the shading does not extend beyond both ends, `hayro` samples each pixel.
                let sampled = if *extend == [true; 2] { 0.0 } else { pixels };
                (functions(Some(function)), sampled)
            }
            ShadingType::TriangleMesh { function, .. }
            | ShadingType::CoonsPatchMesh { function, .. }
            | ShadingType::TensorProductPatchMesh { function, .. } => {
                (functions(function.as_ref()), pixels)
            }
            ShadingType::Dummy => (0.0, 0.0),
        };
        self.cost.kept += KEPT_SAMPLED * sampled;
        // All functions are evaluated for each sampled pixel, and at least for each stop of the gradient. The colour
        // space may have one more function.
        let evaluated = OPERATOR * self.program * (functions + 1.0);
        self.add(SAMPLED * sampled + evaluated * sampled.max(STOPS));
        self.add(PARSED * self.program * functions);
        // The patches of a mesh are divided into triangles before they are drawn.
        let triangles = match shading {
            ShadingType::TriangleMesh { triangles, .. } => triangles.len(),
            ShadingType::CoonsPatchMesh { patches, .. } => patches.len() * TRIANGLES_PER_PATCH,
            ShadingType::TensorProductPatchMesh { patches, .. } => {
                patches.len() * TRIANGLES_PER_PATCH
            }
            ShadingType::FunctionBased { .. }
            | ShadingType::RadialAxial { .. }
            | ShadingType::Dummy => 0,
        };
        self.cost.triangles = self.cost.triangles.max(triangles as u64);
        self.add(100.0 * GROUP + TRIANGLE * triangles as f64);
    }

    /// Counts the dashes of a stroke along a path of this length.
    fn dashes(&mut self, length: impl FnOnce() -> f64, mode: &DrawMode) {
        let (DrawMode::Stroke(stroke) | DrawMode::FillAndStroke(_, stroke)) = mode else {
            return;
        };
        let dashes = stroke.dash_array.len() as f64;
        let period: f64 = stroke.dash_array.iter().copied().map(f64::from).sum();
        // Dashes and gaps repeat along the path with this period.
        if dashes > 0.0 && period > 0.0 {
            let count = dashes * length() / period;
            // Paths with an infinite length are not drawn, so their dashes cost nothing.
            self.add(DASH * if count.is_finite() { count } else { 0.0 });
        }
    }

    /// Counts a tiling pattern. If its cell is larger than the step, copies of the cell overlap, and the cell is drawn
    /// once for each of them.
    fn tiling(&mut self, tiling: &TilingPattern<'_>) {
        // Number of copies of the cell that overlap along one axis.
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
        // The first copy is already counted.
        self.add((copies - 1.0) * once);
    }

    /// Counts a soft mask at its first use.
    fn mask(&mut self, mask: Option<&SoftMask<'_>>) {
        let Some(mask) = mask else { return };
        let key = mask.cache_key();
        if !self.known.contains_key(&key) {
            self.cost.masks += 1;
            self.add(GROUP);
            self.within(key, |count| mask.interpret(count));
        }
    }

    /// Counts content that may be drawn repeatedly. Measures the content at its first use. Returns the time of the
    /// content.
    fn within(&mut self, key: u128, draw: impl FnOnce(&mut Self)) -> f64 {
        if let Some(&(steps, svg)) = self.known.get(&key) {
            self.cost.svg += svg;
            // Repeated content costs as much each time.
            self.add(steps);
            return steps;
        }
        // While the content is being measured, a reference to itself costs nothing.
        self.known.insert(key, (0.0, 0.0));
        let (before, svg) = (self.cost.steps, self.cost.svg);
        draw(self);
        let steps = self.cost.steps - before;
        self.known.insert(key, (steps, self.cost.svg - svg));
        steps
    }
}

/// Number of functions of a shading.
fn functions(function: Option<&ShadingFunction>) -> f64 {
    match function {
        Some(ShadingFunction::Single(_)) => 1.0,
        Some(ShadingFunction::Multiple(all)) => all.len() as f64,
        None => 0.0,
    }
}

/// Returns whether a function is evaluated for each pixel of an image. This is so for images with several colorants
/// (DeviceN). For an image with one colorant or a palette, 256 evaluations suffice.
fn has_inks(image: &Image<'_, '_>) -> bool {
    let Image::Raster(raster) = image else {
        return false;
    };
    let dict = raster.stream().dict();
    // The key of the colour space has a full and an abbreviated form (8.9.7).
    let space = dict.get::<Object<'_>>("ColorSpace");
    match space.or_else(|| dict.get::<Object<'_>>("CS")) {
        Some(Object::Array(array)) => array
            .flex_iter()
            .next::<Name<'_>>()
            .is_some_and(|kind| &*kind == b"DeviceN"),
        // Inline images may name a colour space resource, which may be DeviceN. Names of up to four letters are taken
        // for abbreviations of other colour spaces.
        Some(Object::Name(name)) => !name.starts_with(b"Device") && name.len() > 4,
        _ => false,
    }
}

/// Upper bound of a path's length: the length of its control polygon.
fn length(path: &BezPath) -> f64 {
    let length = |segment: PathSeg| match segment {
        PathSeg::Line(line) => (line.p1 - line.p0).hypot(),
        PathSeg::Quad(quad) => (quad.p1 - quad.p0).hypot() + (quad.p2 - quad.p1).hypot(),
        PathSeg::Cubic(cubic) => {
            (cubic.p1 - cubic.p0).hypot()
                + (cubic.p2 - cubic.p1).hypot()
                + (cubic.p3 - cubic.p2).hypot()
        }
    };
    path.segments().map(length).sum()
}

impl<'a> Device<'a> for Count {
    fn draw_path(&mut self, path: &BezPath, props: DrawProps<'a>, mode: &DrawMode) {
        self.dashes(|| length(path), mode);
        self.path(path.elements().len(), path.control_box(), &props);
    }

    fn draw_rect(&mut self, rect: &Rect, props: DrawProps<'a>, mode: &DrawMode) {
        self.dashes(|| 2.0 * (rect.width() + rect.height()).abs(), mode);
        self.path(4, *rect, &props);
    }

    fn push_clip_path(&mut self, clip: &ClipPath) {
        self.cost.svg += SVG_OBJECT + SVG_POINT * clip.path.elements().len() as f64;
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
        for glyph in run.glyphs() {
            let place = props.transform * glyph.transform();
            // Glyph space has 1000 units per em.
            let height = 1000.0 * place.determinant().abs().sqrt();
            let height = height.min(self.target.width() + self.target.height());
            let corner = place.translation();
            // A letter covers about half of a square of its height.
            let area = Rect::new(0.0, -height, height, 0.0) + corner;
            self.cost.covered += 0.5 * height * height / self.target.area();
            self.cost.kept += KEPT_LETTER + KEPT_HIGH * height;
            self.cost.svg += SVG_OBJECT;
            self.cost.has_letters = true;
            self.add(LETTER + LETTER_HIGH * height);
            self.paint(&props.paint, area);
            // Glyphs of Type 3 fonts are content streams of their own.
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
        self.cost.svg += SVG_OBJECT + SVG_PIXEL * pixels as f64;
        // An image is decoded and composited in full, even if only a part of it is visible.
        self.add(GROUP + DECODED * pixels as f64);
        if self.program > 0.0 && has_inks(&image) {
            self.add(OPERATOR * self.program * pixels as f64);
        }
        self.mask(props.soft_mask.as_ref());
    }

    fn pop_clip(&mut self) {}

    fn pop_transparency_group(&mut self) {}
}
