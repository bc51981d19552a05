//! Extracts the letters of a page with their positions, in drawing order.
//!
//! A PDF gives the position of each glyph, and usually its characters: by a table in the font (`ToUnicode`), by the
//! name of the glyph, or by `ActualText` around several glyphs (ISO 32000-2, 9.10 and 14.9.4). A PDF has no lines, and
//! often no spaces. So the position of every letter is stored in a coordinate system that is rotated so that the text
//! of the letter runs to the right.

use super::{
    bullets,
    figures::Figures,
    links::Links,
    page_text::{Letter, Letters},
    places::{Places, advance, axes},
    styles::{Style, Styles},
    unmapped::Unmapped,
    vertical,
};
use crate::{
    error::{Error, Kind, Result},
    job::Job,
    read::content,
};
use hayro::{
    hayro_interpret::{
        BlendMode, ClipPath, Device, DrawMode, DrawProps, Image, ImageDrawProps, InterpreterCache,
        Paint, SoftMask,
        font::{Glyph, GlyphRun},
        hayro_cmap::{BfString, WritingMode},
    },
    hayro_syntax::{
        object::{Dict, String as PdfString},
        page::Page,
    },
    kurbo::{Affine, BezPath, Point, Rect, Shape as _},
};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Limit on the letters of a page.
const MAX_LETTERS: usize = 500_000;

/// Limit on the objects of a page: glyphs, paths, pictures, clips, groups and marked content.
const MAX_OBJECTS: usize = 5_000_000;

/// A form XObject counts as this many objects, because it is decompressed and parsed whenever it is drawn.
const FORM: usize = 25;

/// Limit on the memory in bytes for the letters of a page, and for the structures made of them.
pub(crate) const MEMORY: u64 = 200 * MAX_LETTERS as u64;

/// Number of objects between checks for cancellation.
const OBJECTS_PER_CHECK: usize = 4096;

/// Panic payload that ends reading of a page: too many objects, no memory for a picture, or a cancelled job. The
/// interpreter cannot be ended in another way.
struct Stopped(Error);

/// Reads the letters of a page. `number` counts from 1, for errors.
///
/// Errors: [`Kind::BadInput`] if the page exceeds a limit; the job was cancelled; memory for a picture is not granted.
pub(crate) fn read<'a>(
    job: &Job<'_>,
    page: &Page<'a>,
    number: usize,
    cache: &mut Cache<'_, 'a>,
    links: &Links,
) -> Result<Letters> {
    let read = catch_unwind(AssertUnwindSafe(|| {
        let mut reader = LetterCollector {
            figures: cache.figures.as_deref_mut(),
            job,
            number,
            target: content::area(page),
            styles: cache.styles,
            unmapped: cache.unmapped,
            skips_hidden: cache.skips_hidden,
            links,
            letters: Letters::default(),
            clips: Vec::new(),
            objects: 0,
            checked: 0,
            marked: Vec::new(),
            places: Places::default(),
            spaced: false,
        };
        content::draw(page, cache.interpreter, &mut reader);
        bullets::settle(&mut reader.letters);
        vertical::turn(&mut reader.letters);
        vertical::drop_readings(&mut reader.letters);
        reader.letters
    }));
    read.or_else(|stopped| match stopped.downcast::<Stopped>() {
        Ok(stopped) => Err(stopped.0),
        Err(panic) => resume_unwind(panic),
    })
}

/// State shared by all pages of a file.
pub(crate) struct Cache<'c, 'a> {
    /// Collected pictures; `None` if pictures and rules are not needed.
    pub(crate) figures: Option<&'c mut Figures<'a>>,
    pub(crate) styles: &'c Styles,
    pub(crate) unmapped: &'c mut Unmapped,
    /// Whether invisible letters are skipped.
    pub(crate) skips_hidden: bool,
    /// Fonts and colour spaces cached from previous pages.
    pub(crate) interpreter: &'c InterpreterCache<'a>,
}

/// An open marked-content sequence (14.6). Properties of enclosing sequences are copied, because
/// nesting may be as deep as the page has bytes.
struct Sequence {
    /// Index of the first letter that is replaced, and the replacement text.
    actual: Option<(usize, String)>,
    /// Whether this or an enclosing sequence has a replacement text.
    is_replaced: bool,
    /// Whether this or an enclosing sequence is an artifact.
    is_artifact: bool,
    /// Marked-content identifier of this or the nearest enclosing sequence.
    number: Option<u32>,
}

/// Device that collects letters, pictures and rules instead of drawing. The first fields are the input and the result,
/// the others the state of the walk.
struct LetterCollector<'a, 'f> {
    figures: Option<&'a mut Figures<'f>>,
    job: &'a Job<'a>,
    number: usize,
    target: Rect,
    styles: &'a Styles,
    unmapped: &'a mut Unmapped,
    skips_hidden: bool,
    links: &'a Links,
    letters: Letters,
    /// Visible area of each nested clip.
    clips: Vec<Rect>,
    /// Number of objects so far.
    objects: usize,
    /// Number of objects at the last check for cancellation.
    checked: usize,
    /// Open marked-content sequences.
    marked: Vec<Sequence>,
    places: Places,
    /// Whether a space followed the last letter.
    spaced: bool,
}

impl LetterCollector<'_, '_> {
    /// Counts an object; ends reading if a limit is exceeded or the job was cancelled.
    fn count(&mut self) {
        self.objects += 1;
        if self.objects > self.checked + OBJECTS_PER_CHECK {
            self.checked = self.objects;
            if let Err(stopped) = self.job.check() {
                resume_unwind(Box::new(Stopped(stopped)));
            }
        }
        if self.objects > MAX_OBJECTS || self.letters.all.len() > MAX_LETTERS {
            let text = format!(
                "page {} contains too many drawing operations, for example endless forms within forms",
                self.number
            );
            resume_unwind(Box::new(Stopped(Error::new(Kind::BadInput, text))));
        }
    }

    /// Returns whether the current content is an artifact.
    fn is_artifact(&self) -> bool {
        self.marked.last().is_some_and(|marked| marked.is_artifact)
    }

    /// Innermost marked-content identifier.
    fn mark(&self) -> Option<u32> {
        self.marked.last()?.number
    }

    /// Area of the page inside all open clips.
    fn clip(&self) -> Rect {
        self.clips.last().copied().unwrap_or(self.target)
    }

    /// Adds a glyph. `stretch` is the length in points of 1000 units of width on the page, if that differs from the
    /// font size.
    fn put(
        &mut self,
        glyph: &Glyph<'_>,
        to_page: Affine,
        mode: WritingMode,
        mut style: Style,
        stretch: Option<f64>,
    ) {
        // A glyph without a width counts as half an em.
        let advance = advance(glyph).unwrap_or(500.0);
        let origin = to_page * Point::ZERO;
        let (along, up) = axes(to_page);
        let height = up.hypot();
        let length = along.hypot();
        let size = match glyph {
            Glyph::Outline(_) => height,
            // Type 3 glyphs may have any scale, so their font size means nothing. Their width also sets a minimum for
            // their size.
            Glyph::Type3(_) => height.max(1.5e-3 * advance * length),
        };
        // In vertical writing, letters advance downwards by their size.
        let (direction, width) = match mode {
            WritingMode::Horizontal => {
                let unit = stretch.unwrap_or(length.min(height));
                (along, advance / 1000.0 * unit)
            }
            WritingMode::Vertical => (-up, size),
        };
        // Glyphs without a size or a position cannot be seen.
        let is_finite = origin.is_finite() && size.is_finite() && width.is_finite();
        if !is_finite || size < 0.1 || direction.hypot() < 0.01 {
            return;
        }
        // If the target keeps font sizes, the size is stored in half points.
        if self.styles.families().is_some() {
            style.appearance.size = (2.0 * size).round() as u16;
        }
        // Letters outside of the page are invisible.
        let middle = origin + 0.5 * width * direction.normalize() + 0.25 * up;
        if !self.target.inflate(1.0, 1.0).contains(middle) {
            return;
        }
        // Coordinates along and across the writing direction.
        let turn = self.places.turn(direction);
        let (x, y) = match mode {
            WritingMode::Horizontal => turn.place(origin),
            WritingMode::Vertical => vertical::place(turn.place(origin), advance, size),
        };

        let start = self.letters.text.len();
        // The character comes from the font's tables, or else is guessed from the glyph, or else is unknown.
        match glyph.as_unicode() {
            Some(BfString::Char(c)) => push(&mut self.letters.text, c),
            Some(BfString::String(text)) => {
                text.chars().for_each(|c| push(&mut self.letters.text, c));
            }
            None => match self.unmapped.character(glyph) {
                Some(c) => {
                    self.letters.guessed += usize::from(matches!(glyph, Glyph::Type3(_)));
                    push(&mut self.letters.text, c);
                }
                None => {
                    self.letters.unknown += 1;
                    self.letters.text.push(bullets::UNKNOWN);
                }
            },
        }
        // A space is not stored as a letter. The next letter records that a space precedes it.
        if self.letters.text[start..].trim().is_empty() {
            self.letters.text.truncate(start);
            self.spaced = true;
            return;
        }
        let end = self.letters.text.len();
        self.letters.all.push(Letter {
            text: start as u32..end as u32,
            x: (x as f32, (x + width) as f32),
            y: y as f32,
            size: size as f32,
            angle: turn.angle,
            style,
            link: self.links.at(middle),
            spaced: std::mem::take(&mut self.spaced),
            artifact: self.is_artifact(),
            mark: self.mark(),
            object: None,
        });
        self.join_accent();
    }

    /// Replaces the last two letters by one, if they are an accent and its base letter.
    fn join_accent(&mut self) {
        let [.., accent, base] = &self.letters.all[..] else {
            return;
        };
        // The accent must lie over its base letter, on about the same line.
        let overlap = accent.x.1.min(base.x.1) - accent.x.0.max(base.x.0);
        let is_over = accent.angle == base.angle
            && (accent.y - base.y).abs() < 0.5 * base.size
            && overlap > 0.5 * (accent.x.1 - accent.x.0).min(base.x.1 - base.x.0);
        let only = |letter: &Letter| {
            let mut chars = self.letters.text(letter).chars();
            chars.next().filter(|_| chars.next().is_none())
        };
        let composed = (only(accent).zip(only(base)))
            .filter(|_| is_over)
            .and_then(|(accent, base)| super::accents::composed(accent, base));
        let Some(composed) = composed else { return };
        // The characters of both letters stay where they are. Those of the new letter are appended.
        let start = self.letters.text.len() as u32;
        let spaced = accent.spaced;
        self.letters.text.push(composed);
        if let Some(base) = self.letters.all.pop()
            && let Some(letter) = self.letters.all.last_mut()
        {
            *letter = Letter {
                text: start..self.letters.text.len() as u32,
                spaced,
                ..base
            };
        }
    }

    /// Replaces the letters from index `first` on by a text (`ActualText`).
    fn replace(&mut self, first: usize, text: &str) {
        let Some(letter) = self.letters.all.get(first) else {
            return;
        };
        let mut letter = letter.clone();
        // Letters on the line of the first one extend it.
        for other in &self.letters.all[first..] {
            if other.angle == letter.angle && (other.y - letter.y).abs() < letter.size / 2.0 {
                letter.x.0 = letter.x.0.min(other.x.0);
                letter.x.1 = letter.x.1.max(other.x.1);
            }
        }
        let start = self.letters.text.len();
        text.trim()
            .chars()
            .for_each(|c| push(&mut self.letters.text, c));
        letter.text = start as u32..self.letters.text.len() as u32;
        self.letters.all.truncate(first);
        if !letter.text.is_empty() {
            self.letters.all.push(letter);
        }
        self.spaced |= text.ends_with(char::is_whitespace);
    }
}

/// Text colour; patterns count as black.
fn colour(paint: &Paint<'_>) -> [u8; 3] {
    match paint {
        Paint::Color(colour) => {
            let [r, g, b, _] = colour.to_rgba().to_rgba8();
            [r, g, b]
        }
        Paint::Pattern(_) => [0; 3],
    }
}

/// Adds a character. Ligatures and presentation forms are resolved. Tabs and line breaks become spaces, and other
/// control characters are dropped.
fn push(text: &mut String, c: char) {
    match c {
        'ﬀ' => text.push_str("ff"),
        'ﬁ' => text.push_str("fi"),
        'ﬂ' => text.push_str("fl"),
        'ﬃ' => text.push_str("ffi"),
        'ﬄ' => text.push_str("ffl"),
        'ﬅ' | 'ﬆ' => text.push_str("st"),
        '\u{fe70}'..='\u{fefc}' => match super::arabic::letters(c) {
            Some(letters) => text.push_str(letters),
            None => text.push(c),
        },
        '\u{fe10}'..='\u{fe48}' => text.push(vertical::upright(c)),
        // Symbol fonts have bullets at private-use characters.
        '\u{f0b7}' => text.push('•'),
        '\u{f0a7}' => text.push('▪'),
        '\u{a0}' | '\t' | '\n' | '\r' => text.push(' '),
        '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' => {}
        _ => text.push(c),
    }
}

impl<'a> Device<'a> for LetterCollector<'_, '_> {
    // Text that is filled and stroked arrives twice; duplicates are dropped when lines are made. Invisible text, as
    // behind a scan, counts as text unless `skips_hidden` is set.
    fn draw_glyph_run(&mut self, run: &GlyphRun<'_, 'a>, props: DrawProps<'a>, mode: &DrawMode) {
        if self.skips_hidden && matches!(mode, DrawMode::Invisible) {
            return;
        }
        let stretch = self.places.stretch(run, props.transform);
        // A run has a single font.
        let first = run.glyphs().first().map(|glyph| &**glyph);
        let mut style = match first {
            Some(Glyph::Outline(outline)) => self.styles.of(outline),
            Some(Glyph::Type3(_)) | None => Style::default(),
        };
        if self.styles.families().is_some() {
            style.appearance.colour = colour(&props.paint);
        }
        for glyph in run.glyphs() {
            self.count();
            let to_page = props.transform * glyph.transform();
            self.put(glyph, to_page, run.writing_mode(), style, stretch);
        }
    }

    fn draw_image(&mut self, image: Image<'a, '_>, props: ImageDrawProps<'a>) {
        self.count();
        self.letters.pictures = true;
        let (is_artifact, clip, mark) = (self.is_artifact(), self.clip(), self.mark());
        let Some(figures) = self.figures.as_mut().filter(|_| !is_artifact) else {
            return;
        };
        match figures.take(&image, props.transform, clip, self.target) {
            Ok(figure) => {
                self.letters.figures.extend(figure.map(|mut figure| {
                    figure.mark = mark;
                    figure
                }));
            }
            Err(stopped) => resume_unwind(Box::new(Stopped(stopped))),
        }
    }

    fn begin_marked_content(&mut self, tag: &[u8], properties: Option<&Dict<'_>>) {
        self.count();
        // Replacement text inside of another is not applied (14.9.4).
        let around = self.marked.last();
        let is_replaced = around.is_some_and(|around| around.is_replaced);
        let is_artifact = around.is_some_and(|around| around.is_artifact);
        let own = properties.and_then(|properties| properties.get::<u32>("MCID"));
        let actual = properties
            .filter(|_| !is_replaced)
            .and_then(|properties| properties.get::<PdfString<'_>>("ActualText"));
        let actual = actual.map(|text| (self.letters.all.len(), super::strings::decode(&text)));
        self.marked.push(Sequence {
            is_replaced: is_replaced || actual.is_some(),
            // An artifact with replacement text is text after all.
            is_artifact: is_artifact || tag == b"Artifact" && actual.is_none(),
            actual,
            number: own.or_else(|| self.mark()),
        });
    }

    fn end_marked_content(&mut self) {
        let ended = self.marked.pop().and_then(|marked| marked.actual);
        if let Some((first, text)) = ended {
            self.replace(first, &text);
        }
    }

    fn draw_path(&mut self, path: &BezPath, props: DrawProps<'a>, mode: &DrawMode) {
        self.count();
        let DrawProps {
            transform, paint, ..
        } = &props;
        if self.figures.is_some() {
            self.letters.rules.add(path, *transform, paint, mode);
            if !self.is_artifact() && !matches!(mode, DrawMode::Invisible) {
                let visible = self.clip().intersect(self.target);
                self.letters.drawn.add(path, *transform, visible);
            }
        }
    }

    fn draw_rect(&mut self, rect: &Rect, props: DrawProps<'a>, mode: &DrawMode) {
        self.draw_path(&rect.to_path(0.1), props, mode);
    }

    // A form begins with a clipping path, so each clipping path counts as a form.
    fn push_clip_path(&mut self, clip: &ClipPath) {
        self.objects += FORM - 1;
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
