//! Selection of the pictures on a page that belong to its text, with their positions. Leaves out decoration and page
//! backgrounds, such as the scan behind recognised text. [`images`] encodes the pictures.

use super::{
    images::{self, Crop, Pixels, Turn},
    page_text::{Figure, Letters},
};
use crate::{
    error::Result,
    job::{Job, Lease},
};
use hayro::{
    hayro_interpret::{CacheKey as _, Image},
    kurbo::{Affine, Rect},
};
use std::collections::HashMap;

/// Smallest width and height of a picture, in points.
const LEAST_POINTS: f64 = 24.0;
/// Smallest width and height of a picture, in pixels.
const LEAST_PIXELS: u32 = 24;

/// Limit on the number of pictures of a file. A picture that is drawn several times counts several times.
const MAX: usize = 2000;

/// Limit on the decoded pixels of a picture.
const MAX_PIXELS: u64 = 1 << 24;
/// Limit on the decoded pixels of all pictures together.
const MAX_PIXELS_OF_ALL: u64 = 1 << 27;

/// Limit on the size of all pictures, in bytes.
const MAX_BYTES: u64 = 128 << 20;

/// Fraction of the page that a picture must cover to count as a full page. A scan may leave a margin.
const FILLS: f64 = 0.8;

/// Minimum number of letters on a picture that make it a background.
const LETTERS_ON_BACKGROUND: usize = 100;

/// Memory per decoded pixel in bytes: as decoded, as oriented on the page, and compressed.
const DECODED: u64 = 16;

/// The result of an attempt to store an image.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Outcome {
    /// The image is in the file with this number.
    File(usize),
    /// The image is damaged or too large.
    Nothing,
    /// The image is the shadow of a drawing (one colour with varying opacity), and is dropped.
    Shadow,
}

/// Pictures of a file collected so far.
pub(crate) struct Figures<'a> {
    /// Picture files; each picture is stored once.
    pub(crate) files: Vec<Vec<u8>>,
    /// Number of pictures left out: too many, too large, damaged, or rotated by another angle than
    /// quarter turns.
    left_out: usize,
    /// Outcomes for images, by cache key, orientation and crop.
    known: HashMap<(u128, Turn, Crop), Outcome>,
    /// Number of images drawn so far, without those that are too small.
    drawn: usize,
    /// Number of decoded pixels of all images so far.
    pixels: u64,
    /// Total size of `files`, in bytes.
    bytes: u64,
    /// Memory of the files and of the image being encoded.
    lease: Lease<'a>,
}

impl<'a> Figures<'a> {
    /// Begins a collection, whose memory is leased as it grows.
    pub(crate) fn new(job: &Job<'a>) -> Self {
        Self {
            files: Vec::new(),
            left_out: 0,
            known: HashMap::new(),
            drawn: 0,
            pixels: 0,
            bytes: 0,
            lease: job.empty_lease(),
        }
    }

    /// Returns the files and the number of pictures left out. Releases the lease of the files: the
    /// receiver leases their memory.
    pub(crate) fn finish(self) -> (Vec<Vec<u8>>, usize) {
        (self.files, self.left_out)
    }

    /// Takes an image whose position on the page is `to_page`, and which is visible within `clip`. `page` is the
    /// rectangle of the page. Returns `None` if the image is dropped.
    ///
    /// Errors: memory is not granted.
    pub(crate) fn take(
        &mut self,
        image: &Image<'_, '_>,
        to_page: Affine,
        clip: Rect,
        page: Rect,
    ) -> Result<Option<Figure>> {
        // Small pictures are decoration: bullets, lines, icons.
        let own = Rect::new(0.0, 0.0, image.width().into(), image.height().into());
        let place = to_page.transform_rect_bbox(own);
        let seen = place.intersect(clip);
        if seen.width() < LEAST_POINTS
            || seen.height() < LEAST_POINTS
            || images::sides(image).iter().any(|side| *side < LEAST_PIXELS)
        {
            return Ok(None);
        }
        self.drawn += 1;
        let Some(turn) = Turn::of(to_page).filter(|_| self.drawn <= MAX) else {
            self.left_out += 1;
            return Ok(None);
        };
        // The same image in another orientation or crop is stored as another picture.
        let crop = Crop::of(place, seen);
        let key = (image.cache_key(), turn, crop);
        let outcome = match self.known.get(&key) {
            Some(outcome) => *outcome,
            None => {
                let outcome = self.encode(image, turn, crop)?;
                self.lease.set_exactly(self.bytes)?;
                self.known.insert(key, outcome);
                outcome
            }
        };
        // Shadows are dropped without a note.
        let file = match outcome {
            Outcome::File(file) => file,
            Outcome::Shadow => return Ok(None),
            Outcome::Nothing => {
                self.left_out += 1;
                return Ok(None);
            }
        };
        let place = if crop.is_whole() { place } else { seen };
        Ok(Some(Figure {
            x: (place.x0 as f32, place.x1 as f32),
            y: (place.y0 as f32, place.y1 as f32),
            file,
            is_background: false,
            mark: None,
            fills_page: seen.area() > FILLS * page.area(),
        }))
    }

    /// Encodes an image: a JPEG is copied if that preserves its appearance, others become PNG.
    fn encode(&mut self, image: &Image<'_, '_>, turn: Turn, crop: Crop) -> Result<Outcome> {
        let budget = MAX_BYTES.saturating_sub(self.bytes);
        // A JPEG in its original orientation is copied as it is.
        if turn.is_upright()
            && crop.is_whole()
            && let Some(jpg) = images::jpg(image)
        {
            let len = jpg.len() as u64;
            if len > budget {
                return Ok(Outcome::Nothing);
            }
            self.lease.set_exactly(self.bytes + len)?;
            return Ok(Outcome::File(self.number(jpg.into_owned())));
        }
        // Any other image is decoded, after its memory has been leased.
        let [width, height] = images::sides(image).map(u64::from);
        let pixels = width * height;
        if pixels > MAX_PIXELS || self.pixels + pixels > MAX_PIXELS_OF_ALL {
            return Ok(Outcome::Nothing);
        }
        self.pixels += pixels;
        self.lease.set_exactly(self.bytes + DECODED * pixels)?;
        let Some(pixels) = Pixels::of(image) else {
            return Ok(Outcome::Nothing);
        };
        if pixels.is_shadow() {
            return Ok(Outcome::Shadow);
        }
        let png = pixels.seen(turn, crop).png();
        let png = png.filter(|png| png.len() as u64 <= budget);
        Ok(png.map_or(Outcome::Nothing, |png| Outcome::File(self.number(png))))
    }

    /// Stores a file and returns its number. An identical file is stored once: some programs embed
    /// a logo again on each page.
    fn number(&mut self, bytes: Vec<u8>) -> usize {
        let known = self.files.iter().position(|known| *known == bytes);
        known.unwrap_or_else(|| {
            self.bytes += bytes.len() as u64;
            self.files.push(bytes);
            self.files.len() - 1
        })
    }
}

/// Finds pictures with at least [`LETTERS_ON_BACKGROUND`] letters on them, which would hide the text in a document.
/// Drops those that fill the page, and marks the others.
pub(crate) fn mark_backgrounds(letters: &mut Letters) {
    let mut figures = std::mem::take(&mut letters.figures);
    for figure in &mut figures {
        let on_it = letters.all.iter().filter(|letter| figure.has(letter));
        figure.is_background = on_it.take(LETTERS_ON_BACKGROUND).count() == LETTERS_ON_BACKGROUND;
    }
    figures.retain(|figure| !(figure.is_background && figure.fills_page));
    letters.figures = figures;
}
