//! Counts the content of a page: visible and hidden letters, letters with a known character, outlines, other objects,
//! and the area of pictures. Draws nothing, and decides nothing.

use super::need::{Content, FEWEST_LETTERS};
use crate::{
    error::{Error, Result},
    job::Job,
    read::{
        content,
        text::{places, unmapped::Unmapped},
    },
};
use hayro::{
    hayro_interpret::{
        BlendMode, ClipPath, Device, DrawMode, DrawProps, Image, ImageDrawProps, InterpreterCache,
        SoftMask,
        font::{Glyph, GlyphRun},
        hayro_cmap::BfString,
    },
    hayro_syntax::page::Page,
    kurbo::{Affine, BezPath, Rect},
};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Number of cells across and down in which the area of pictures is measured.
const CELLS: usize = 64;
/// Fraction of a page that a picture must cover to hide what was drawn before.
const HIDES: f64 = 0.8;
/// Height of a filled shape that may be a letter, in points. Its width has the same upper limit.
const LETTER: std::ops::Range<f64> = 1.0..60.0;
/// Limit on the segments of a filled shape that may be a letter.
const MAX_SEGMENTS: usize = 400;
/// Limit on the objects of a page.
const MAX_OBJECTS: usize = 2_000_000;
/// Number of objects between two checks of the job's deadline.
const OBJECTS_PER_CHECK: usize = 4096;
/// Minimum share of letters among the codes of a font that names no characters, for the codes to count as characters.
const LETTERS: f32 = 0.6;
/// Share of vowels among the letters of such codes, for the codes to count as characters.
const VOWELS: std::ops::Range<f32> = 0.2..0.6;

/// Panic payload that ends the survey: too many objects (`None`), or the job has to stop.
struct Stopped(Option<Error>);

/// Content of a page, with the positions that OCR needs.
#[derive(Debug, Default)]
pub(crate) struct Survey {
    pub(crate) content: Content,
    /// Positions of the first visible letters, in points of the upright page.
    pub(crate) letters: Vec<Rect>,
    /// Number of visible pictures.
    pub(crate) pictures: usize,
    /// Last visible picture.
    pub(crate) last: Option<Picture>,
}

/// A picture on a page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Picture {
    /// Matrix from the picture's pixels to points of the upright page.
    pub(crate) to_page: Affine,
    /// Visible part of the picture's area.
    pub(crate) seen: Rect,
    /// Width and height in pixels.
    pub(crate) pixels: (u32, u32),
    /// Whether the picture is opaque, and not a mask for a colour.
    pub(crate) is_plain: bool,
}

/// Counts the content of a page, up to a limit on its objects.
///
/// Errors: the job has to stop.
pub(crate) fn survey(job: &Job<'_>, page: &Page<'_>) -> Result<Survey> {
    let mut surveyor = Surveyor {
        job,
        target: content::area(page),
        survey: Survey::default(),
        unmapped: Unmapped::default(),
        coded: Coded::default(),
        covered: vec![false; CELLS * CELLS],
        clips: Vec::new(),
        objects: 0,
    };
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let cache = InterpreterCache::new();
        content::draw(page, &cache, &mut surveyor);
    }));
    if let Err(panic) = outcome {
        match panic.downcast::<Stopped>() {
            Ok(stopped) => {
                if let Some(error) = stopped.0 {
                    return Err(error);
                }
            }
            Err(panic) => resume_unwind(panic),
        }
    }
    Ok(surveyor.finish())
}

/// Counts of codes that may be characters.
#[derive(Debug, Default)]
struct Coded {
    all: usize,
    letters: usize,
    vowels: usize,
}

impl Coded {
    fn add(&mut self, c: char) {
        self.all += 1;
        if c.is_ascii_alphabetic() {
            self.letters += 1;
            self.vowels += usize::from("aeiouyAEIOUY".contains(c));
        }
    }

    /// Returns whether the codes look like text in a language with Latin letters.
    fn is_text(&self) -> bool {
        let share = |part: usize, of: usize| part as f32 / of.max(1) as f32;
        share(self.letters, self.all) >= LETTERS
            && VOWELS.contains(&share(self.vowels, self.letters))
    }
}

/// Device that counts the content of a page instead of drawing.
struct Surveyor<'j> {
    job: &'j Job<'j>,
    target: Rect,
    survey: Survey,
    unmapped: Unmapped,
    coded: Coded,
    /// Whether a picture covers the centre of each cell.
    covered: Vec<bool>,
    clips: Vec<Rect>,
    objects: usize,
}

impl Surveyor<'_> {
    fn count(&mut self) {
        self.objects += 1;
        if self.objects.is_multiple_of(OBJECTS_PER_CHECK)
            && let Err(error) = self.job.check()
        {
            resume_unwind(Box::new(Stopped(Some(error))));
        }
        if self.objects > MAX_OBJECTS {
            resume_unwind(Box::new(Stopped(None)));
        }
    }

    fn clip(&self) -> Rect {
        self.clips.last().copied().unwrap_or(self.target)
    }

    fn finish(mut self) -> Survey {
        let covered = self.covered.iter().filter(|is| **is).count();
        self.survey.content.covered = covered as f32 / (CELLS * CELLS) as f32;
        if self.coded.is_text() {
            self.survey.content.mapped += self.coded.all;
        }
        self.survey
    }

    /// Counts a glyph: whether it is visible, and whether its character is known.
    fn glyph(&mut self, glyph: &Glyph<'_>, to_page: Affine, is_seen: bool) {
        // `Ok` has a character, and `Err` the code of a Type 3 glyph, which may be a character.
        let known = match glyph.as_unicode() {
            Some(BfString::Char(c)) => Some(Ok(c)),
            Some(BfString::String(text)) => text.chars().next().map(Ok),
            None => self.unmapped.character(glyph).map(|c| match glyph {
                Glyph::Outline(_) => Ok(c),
                Glyph::Type3(_) => Err(c),
            }),
        };
        if let Some(Ok(c) | Err(c)) = known
            && c.is_whitespace()
        {
            return;
        }
        let advance = places::advance(glyph).unwrap_or(500.0).max(1.0);
        // Box of the glyph: its advance, and the usual descent and ascent, in thousandths of an em.
        let place = to_page.transform_rect_bbox(Rect::new(0.0, -200.0, advance, 750.0));
        // Any matrix gives a position, even a degenerate one. Positions that are not finite, or outside of the clip,
        // are ignored.
        if !place.is_finite() || !self.clip().contains(place.center()) {
            return;
        }
        if !is_seen {
            self.survey.content.hidden += 1;
            return;
        }
        self.survey.content.letters += 1;
        if self.survey.letters.len() < FEWEST_LETTERS {
            self.survey.letters.push(place);
        }
        match known {
            Some(Ok(c)) => self.survey.content.mapped += usize::from(is_character(c)),
            Some(Err(c)) => self.coded.add(c),
            None => {}
        }
    }

    /// Marks the cells that a picture covers.
    fn cover(&mut self, area: Rect) {
        let cell = |at: f64, from: f64, side: f64| {
            (((at - from) / side * CELLS as f64 - 0.5).ceil().max(0.0) as usize).min(CELLS)
        };
        let (width, height) = (self.target.width(), self.target.height());
        let columns = cell(area.x0, 0.0, width)..cell(area.x1, 0.0, width);
        for row in cell(area.y0, 0.0, height)..cell(area.y1, 0.0, height) {
            self.covered[row * CELLS..][columns.clone()].fill(true);
        }
    }
}

/// Returns whether a character is readable: not a replacement or control character, nor one of private use.
fn is_character(c: char) -> bool {
    let is_private = matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}');
    // Private-use codes of bullets in symbol fonts are known.
    let is_bullet = matches!(c, '\u{f0b7}' | '\u{f0a7}');
    c != '\u{fffd}' && !c.is_control() && (!is_private || is_bullet)
}

impl<'a> Device<'a> for Surveyor<'_> {
    fn draw_glyph_run(&mut self, run: &GlyphRun<'_, 'a>, props: DrawProps<'a>, mode: &DrawMode) {
        let is_seen = !matches!(mode, DrawMode::Invisible);
        for glyph in run.glyphs() {
            self.count();
            self.glyph(glyph, props.transform * glyph.transform(), is_seen);
        }
    }

    fn draw_image(&mut self, image: Image<'a, '_>, props: ImageDrawProps<'a>) {
        self.count();
        let own = Rect::new(0.0, 0.0, image.width().into(), image.height().into());
        let place = props.transform.transform_rect_bbox(own);
        let seen = place.intersect(self.clip()).intersect(self.target);
        if !place.is_finite() || seen.width() <= 0.0 || seen.height() <= 0.0 {
            return;
        }
        let is_plain = match &image {
            Image::Raster(raster) => {
                let masks = ["SMask", "Mask", "SMaskInData"];
                let dict = raster.stream().dict();
                !masks.iter().any(|key| dict.contains_key(*key))
            }
            Image::Stencil(_) => false,
        };
        // An opaque picture over most of the page hides the letters that were drawn before it.
        if is_plain && seen.area() > HIDES * self.target.area() {
            let content = &mut self.survey.content;
            content.hidden += std::mem::take(&mut content.letters);
            content.mapped = 0;
            self.coded = Coded::default();
            self.survey.letters.clear();
        }
        self.survey.pictures += 1;
        self.survey.last = Some(Picture {
            to_page: props.transform,
            seen,
            pixels: (image.width(), image.height()),
            is_plain,
        });
        self.cover(seen);
    }

    fn draw_path(&mut self, path: &BezPath, props: DrawProps<'a>, mode: &DrawMode) {
        self.count();
        if matches!(mode, DrawMode::Invisible) {
            return;
        }
        let place = props.transform.transform_rect_bbox(path.control_box());
        let is_filled = matches!(mode, DrawMode::Fill(_) | DrawMode::FillAndStroke(..));
        let segments = path.elements().len();
        let is_letter = is_filled
            && (6..MAX_SEGMENTS).contains(&segments)
            && LETTER.contains(&place.height())
            && (0.3..LETTER.end).contains(&place.width());
        let content = &mut self.survey.content;
        match is_letter {
            true => content.outlines += 1,
            false => content.others += 1,
        }
    }

    fn draw_rect(&mut self, _: &Rect, _: DrawProps<'a>, mode: &DrawMode) {
        self.count();
        self.survey.content.others += usize::from(!matches!(mode, DrawMode::Invisible));
    }

    fn push_clip_path(&mut self, clip: &ClipPath) {
        self.push_clip_rect(&clip.path.control_box());
    }

    fn push_clip_rect(&mut self, clip: &Rect) {
        self.count();
        self.clips.push(self.clip().intersect(*clip));
    }

    fn push_transparency_group(&mut self, _: f32, _: Option<SoftMask<'a>>, _: BlendMode) {
        self.count();
    }

    fn pop_clip(&mut self) {
        self.clips.pop();
    }

    fn pop_transparency_group(&mut self) {}
}
