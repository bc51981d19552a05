//! Draws a page to pixels, after checks of its size and its cost. Does not write picture formats.

use super::{
    cost::{Cost, limit},
    fields::UNSEEN,
    file,
    geometry::Canvas,
    options,
};
use crate::{
    error::{Error, Kind, Result},
    image::drawing::{self, Drawing},
    job::{Job, Notes, Progress, Unit},
};
use hayro::{
    RenderCache, RenderSettings,
    hayro_interpret::InterpreterSettings,
    hayro_syntax::{
        object::{Array, Dict, Name},
        page::Page,
    },
    kurbo::Affine,
    render_into,
    vello_cpu::{
        Pixmap, RasterizerSettings, RenderContext, Resources, TargetInit,
        color::palette::css::WHITE,
    },
};

/// Reports progress in pages.
pub(super) fn report_progress(job: &Job<'_>, done: usize, all: usize) {
    job.progress(Progress {
        done: done as u64,
        total: all as u64,
        unit: Unit::Pages,
    });
}

/// A page ready to be drawn, with its size and estimated cost.
pub(super) struct PageDrawing<'a> {
    job: &'a Job<'a>,
    page: &'a Page<'a>,
    number: usize,
    canvas: Canvas,
    dpi: u32,
    cost: Cost,
}

impl<'a> PageDrawing<'a> {
    /// Determines size and cost of a page.
    ///
    /// Errors: the page is too large, or its cost exceeds the limit.
    pub(super) fn new(job: &'a Job<'a>, page: &'a Page<'a>, number: usize) -> Result<Self> {
        let dpi = options::dpi(job.options());
        let canvas = Canvas::of(page, dpi);
        // If the job asks for a size, `resize` changes the canvas later, and `draw` checks the new canvas.
        if !drawing::is_sized(job) {
            canvas.check(number, dpi)?;
        }
        Ok(Self {
            job,
            page,
            number,
            canvas,
            dpi,
            cost: limit(page, &canvas, job.input_len).ok_or_else(|| too_much(number))?,
        })
    }

    /// Adds a note about annotations that are not drawn.
    pub(super) fn add_notes(&self, notes: &mut Notes) {
        note_annotations(self.page, notes);
    }
}

/// Adds a note about annotations that are not drawn.
pub(super) fn note_annotations(page: &Page<'_>, notes: &mut Notes) {
    if has_bare_annotations(page) {
        notes.add("Annotations without an appearance of their own, such as highlights or frames, were not drawn.");
    }
}

/// Annotation types that viewers draw even without an appearance stream.
const MARKUP: [&[u8]; 10] = [
    b"Highlight",
    b"Underline",
    b"Squiggly",
    b"StrikeOut",
    b"Square",
    b"Circle",
    b"Line",
    b"Polygon",
    b"PolyLine",
    b"Ink",
];

/// Limit on the annotations visited per page.
const MAX_ANNOTATIONS: usize = 10_000;

/// Returns whether a page has a visible annotation without an appearance stream (12.5.5), which
/// hayro does not draw.
fn has_bare_annotations(page: &Page<'_>) -> bool {
    let Some(annotations) = page.raw().get::<Array<'_>>("Annots") else {
        return false;
    };
    let is_bare = |annotation: Dict<'_>| {
        let kind = annotation.get::<Name<'_>>("Subtype");
        kind.is_some_and(|kind| MARKUP.contains(&&*kind))
            && !annotation.contains_key("AP")
            && annotation.get::<i32>("F").unwrap_or(0) & UNSEEN == 0
    };
    annotations
        .iter::<Dict<'_>>()
        .take(MAX_ANNOTATIONS)
        .any(is_bare)
}

/// Error for a page whose cost exceeds the limit.
pub(super) fn too_much(number: usize) -> Error {
    let text = format!(
        "page {number} contains too many drawing operations, for example because of forms within forms or endless patterns"
    );
    Error::new(Kind::BadInput, text)
}

impl Drawing for PageDrawing<'_> {
    fn size(&self) -> (u32, u32) {
        (self.canvas.width, self.canvas.height)
    }

    fn dpi(&self) -> u32 {
        self.dpi
    }

    fn resize(&mut self, width: u32, height: u32) {
        self.canvas = Canvas::fill(self.page, width, height);
    }

    fn memory(&self) -> u64 {
        file::memory(self.job) + BASE + self.cost.memory(self.canvas.pixels())
    }

    fn draw(self: Box<Self>) -> Result<Vec<u8>> {
        self.canvas.check(self.number, self.dpi)?;
        let canvas = self.canvas;
        // `check` has refused larger sides.
        let side = |side: u32| u16::try_from(side).unwrap_or(u16::MAX);
        let (width, height) = (side(canvas.width), side(canvas.height));
        let transform = canvas.transform(self.page);
        let pixels = pixels(self.page, &RenderCache::new(), (width, height), transform);
        // If the job is over, the caller need not encode the pixels.
        self.job.check()?;
        Ok(pixels)
    }
}

/// Draws the part of a page that `transform` maps to a canvas of this size. The result has four bytes per pixel:
/// premultiplied RGBA on white.
pub(crate) fn pixels<'a>(
    page: &'a Page<'a>,
    cache: &RenderCache<'a>,
    (width, height): (u16, u16),
    transform: Affine,
) -> Vec<u8> {
    // Commands are recorded first, and rasterised on white paper afterwards.
    let mut context = RenderContext::new(width, height);
    let interpreter = InterpreterSettings::default();
    render_into(
        page,
        cache,
        &interpreter,
        &SETTINGS,
        &mut context,
        transform,
    );
    context.flush();
    let mut pixels = Pixmap::new(width, height);
    let settings = RasterizerSettings {
        target_init: TargetInit::Clear(WHITE),
        ..RasterizerSettings::default()
    };
    context.render_with(&mut pixels, &mut Resources::default(), settings);
    pixels.take_rgba8(hayro::vello_cpu::peniko::ImageAlphaType::AlphaPremultiplied)
}

/// Memory for glyph and font caches, in bytes. It cannot be estimated from the page.
pub(crate) const BASE: u64 = 16 << 20;

/// Renderer settings. Hinting would shift glyphs from where other renderers draw them.
const SETTINGS: RenderSettings = RenderSettings {
    force_image_interpolation: false,
    aliasing_threshold: None,
    hinting: false,
    glyph_caching: true,
};
