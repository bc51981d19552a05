//! Words of a PDF with their positions: drawn words, and recognised words on pages that are pictures. Recognises no
//! paragraphs.
//!
//! Lines are in drawing order, as other programs list them, and so are words, except in right-to-left lines. Positions
//! are in pixels of the picture on recognised pages, and otherwise in pixels of the page drawn at [`DPI`].

use super::{
    file,
    geometry::Canvas,
    scanner::{Outcome, Scanner},
    text::{
        letters::{self, Cache},
        links::Links,
        page_text::{Letter, Letters},
        styles::Styles,
        unmapped::Unmapped,
    },
};
use crate::{
    error::Result,
    job::{Job, Notes, Output, Progress, Unit},
};
use convertd_ocr::page::{Baseline, Line, Rect, Text, Word};
use convertd_scan::{layer, options::Mode, page_info::PageInfo, written::Written};
use hayro::{
    hayro_interpret::InterpreterCache,
    hayro_syntax::Pdf,
    kurbo::{Affine, Point, Vec2},
};

/// Pixels per inch of pages that are not recognised.
const DPI: u32 = 300;
/// Ascent, as a fraction of the font size.
const ASCENT: f64 = 0.75;
/// Descent, as a fraction of the font size.
const DESCENT: f64 = 0.22;
/// Smallest gap between words, in multiples of the font size.
const WORD_GAP: f32 = 0.15;
/// Largest gap inside a line, in multiples of the font size.
const PIECE_GAP: f32 = 2.0;
/// Largest vertical offset of letters on one line, in multiples of the font size.
const LEVEL: f32 = 0.3;
/// Largest step backwards to the next letter of a word, in multiples of the font size.
const LARGEST_BACKSTEP: f32 = 0.5;
/// Largest line spacing in a block, in multiples of the font size.
const LEADING: f32 = 1.8;
/// Number of pages that share a font cache of the interpreter.
const PAGES_PER_CACHE: usize = 64;

/// Writes the words of all pages.
///
/// Errors: a page exceeds a limit, memory is not granted, the output cannot be written, or the job was cancelled.
pub fn convert(job: &Job<'_>, pdf: &Pdf, output: &mut dyn Output, notes: &mut Notes) -> Result<()> {
    job.reserve(file::memory(job) + letters::MEMORY)?;
    let mut scanner = Scanner::new(job, Mode::of(job.options(), Mode::Auto));
    let mut written = Written::begin(job, output)?;
    let styles = Styles::only_fixed();
    let (mut unmapped, links) = (Unmapped::default(), Links::default());
    let mut interpreter = InterpreterCache::new();
    let pages = pdf.pages();
    for (number, page) in (1..).zip(pages.iter()) {
        job.check()?;
        job.progress(Progress {
            done: number as u64 - 1,
            total: pages.len() as u64,
            unit: Unit::Pages,
        });
        if number % PAGES_PER_CACHE == 0 {
            interpreter = InterpreterCache::new();
        }
        let mut read = |skips_hidden| {
            let mut cache = Cache {
                figures: None,
                styles: &styles,
                unmapped: &mut unmapped,
                skips_hidden,
                interpreter: &interpreter,
            };
            letters::read(job, page, number, &mut cache, &links)
        };
        let letters = read(false)?;
        let outcome = match scanner.takes_for_text(letters.all.len(), letters.unread()) {
            true => Outcome::Kept,
            false => scanner.page(page, number)?,
        };
        let canvas = Canvas::of(page, DPI);
        let mut info = PageInfo {
            number,
            width: canvas.width as usize,
            height: canvas.height as usize,
            dpi: Some((DPI.into(), DPI.into())),
        };
        let upright = Affine::new(page.initial_transform(true).as_coeffs());
        let text = match outcome {
            Outcome::Kept => words(&letters, canvas.transform(page) * upright.inverse(), 0),
            Outcome::Blank => Text::default(),
            Outcome::Read(scan) => {
                (info.width, info.height) = scan.size;
                info.dpi = Some((scan.dpi, scan.dpi));
                let mut text = scan.text;
                if !scan.is_instead {
                    // Only a picture on the page was recognised, so the letters of the page follow the text of the
                    // picture.
                    let seen = read(true)?;
                    let blocks = text.lines.iter().map(|line| line.block + 1).max();
                    let own = words(&seen, scan.to_upright.inverse(), blocks.unwrap_or(0));
                    text.lines.extend(own.lines);
                }
                text
            }
        };
        written.page(&info, &text)?;
    }
    scanner.report.add_notes(notes);
    written.end()
}

/// Groups the letters of a page into lines of words. `to_pixels` maps points of the upright page to pixels. `block` is
/// the number of the first block.
fn words(letters: &Letters, to_pixels: Affine, mut block: usize) -> Text {
    let mut lines: Vec<Line> = Vec::new();
    let mut last: Option<&Letter> = None;
    for letter in &letters.all {
        let place = place(letter, to_pixels);
        let shared = last.map_or(SharedUnit::Nothing, |last| shared_unit(last, letter));
        let text = letters.text(letter);
        match (shared, lines.last_mut()) {
            (SharedUnit::Word, Some(line)) => {
                if let Some(word) = line.words.last_mut() {
                    word.text.push_str(text);
                    word.bounds = word.bounds.with(&place.bounds);
                }
                extend(line, &place);
            }
            (SharedUnit::Line, Some(line)) => {
                line.words.push(place.word(text));
                extend(line, &place);
            }
            _ => {
                if shared == SharedUnit::Nothing && !lines.is_empty() {
                    block += 1;
                }
                lines.push(Line {
                    words: vec![place.word(text)],
                    bounds: place.bounds,
                    baseline: place.baseline,
                    ascent: place.ascent,
                    block,
                    right_to_left: layer::runs_left(text),
                });
            }
        }
        last = Some(letter);
    }
    // The words of a line are in reading order. Some programs draw right-to-left text from the left, so the words of
    // such a line are reversed.
    for line in lines.iter_mut().filter(|line| line.right_to_left) {
        if line.words.first().map(|word| word.bounds.left)
            < line.words.last().map(|word| word.bounds.left)
        {
            line.words.reverse();
        }
    }
    Text {
        lines,
        ..Text::default()
    }
}

/// Smallest unit of text that a letter shares with the previous one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SharedUnit {
    Word,
    Line,
    Block,
    Nothing,
}

/// Determines the unit that two consecutive letters share.
fn shared_unit(last: &Letter, next: &Letter) -> SharedUnit {
    let size = last.size.max(next.size);
    if last.angle != next.angle {
        return SharedUnit::Nothing;
    }
    // Letters may be drawn from right to left, so the gap may be on either side.
    let gap = (next.x.0 - last.x.1).max(last.x.0 - next.x.1);
    let down = next.y - last.y;
    if down.abs() < LEVEL * size && (-LARGEST_BACKSTEP * size..PIECE_GAP * size).contains(&gap) {
        return match next.spaced || gap > WORD_GAP * size {
            true => SharedUnit::Line,
            false => SharedUnit::Word,
        };
    }
    match (0.0..LEADING * size).contains(&down) {
        true => SharedUnit::Block,
        false => SharedUnit::Nothing,
    }
}

/// Position of a letter, in pixels.
struct LetterPosition {
    bounds: Rect,
    baseline: Baseline,
    ascent: f32,
}

impl LetterPosition {
    /// Word with this text at the position.
    fn word(&self, text: &str) -> Word {
        Word {
            text: text.to_owned(),
            bounds: self.bounds,
            confidence: 100.0,
        }
    }
}

/// Extends a line by a letter.
fn extend(line: &mut Line, place: &LetterPosition) {
    line.bounds = line.bounds.with(&place.bounds);
    line.baseline.to = place.baseline.to;
    line.ascent = line.ascent.max(place.ascent);
}

/// Position of a letter in pixels.
fn place(letter: &Letter, to_pixels: Affine) -> LetterPosition {
    let along = Vec2::from_angle(f64::from(letter.angle).to_radians());
    let across = Vec2::new(-along.y, along.x);
    let size = f64::from(letter.size);
    let corner = |x: f32, y: f64| {
        let point = f64::from(x) * along + (f64::from(letter.y) + y) * across;
        to_pixels * Point::new(point.x, point.y)
    };
    // Corners of the letter's box, which may be rotated. The bounds are the smallest upright rectangle around them.
    let corners = [
        corner(letter.x.0, -ASCENT * size),
        corner(letter.x.1, -ASCENT * size),
        corner(letter.x.0, DESCENT * size),
        corner(letter.x.1, DESCENT * size),
    ];
    let (from, to) = (corner(letter.x.0, 0.0), corner(letter.x.1, 0.0));
    let least = |of: fn(&Point) -> f64| corners.iter().map(of).fold(f64::MAX, f64::min) as f32;
    let most = |of: fn(&Point) -> f64| corners.iter().map(of).fold(f64::MIN, f64::max) as f32;
    LetterPosition {
        bounds: Rect {
            left: least(|point| point.x).max(0.0),
            top: least(|point| point.y).max(0.0),
            right: most(|point| point.x).max(0.0),
            bottom: most(|point| point.y).max(0.0),
        },
        baseline: Baseline {
            from: (from.x as f32, from.y as f32),
            to: (to.x as f32, to.y as f32),
        },
        ascent: (corners[0] - from).hypot() as f32,
    }
}
