//! Selects the pictures of a page that belong to its text, and where they stand. Leaves out what is not a picture to a reader:
//! decorations, and backgrounds of a whole page, such as the scan behind recognised text. Encoding is left to
//! [`images`].

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

/// The smallest side of a picture, in points and in pixels.
const LEAST_POINTS: f64 = 24.0;
const LEAST_PIXELS: u32 = 24;

/// The largest number of pictures in a file; one that is drawn twice counts twice.
const MOST: usize = 2000;

/// The largest number of pixels, in one picture and in all that are decoded.
const MOST_PIXELS: u64 = 1 << 24;
const MOST_PIXELS_OF_ALL: u64 = 1 << 27;

/// The most bytes of all pictures.
const MOST_BYTES: u64 = 128 << 20;

/// The share of a page that a picture must cover to count as filling it.
const FILLS: f64 = 0.8;

/// The number of letters above a picture from which on it is a background, not a picture with words in it.
const LETTERS_ON_BACKGROUND: usize = 100;

/// Memory for each decoded pixel in bytes: as hayro returns it, as it is placed on the page, and compressed.
const DECODED: u64 = 16;

/// Result for an image.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Made {
    /// The number of its file.
    File(usize),
    /// It is damaged or too large.
    Nothing,
    /// It is the shadow of a drawing: one colour, more or less transparent.
    Shadow,
}

/// The pictures of a file, as far as they have been read.
pub(crate) struct Figures<'a> {
    /// Each picture once, as a file of its own.
    pub(crate) files: Vec<Vec<u8>>,
    /// The number of pictures left out: too many, too large, damaged, or rotated by an odd angle.
    left_out: usize,
    /// Results for images, by turn and crop.
    known: HashMap<(u128, Turn, Crop), Made>,
    drawn: usize,
    pixels: u64,
    bytes: u64,
    /// For the files, and for the pixels of the one that is made.
    lease: Lease<'a>,
}

impl<'a> Figures<'a> {
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

    /// The files, and how many pictures were left out. Releases the lease of the files: their receiver takes a lease of its own.
    pub(crate) fn finish(self) -> (Vec<Vec<u8>>, usize) {
        (self.files, self.left_out)
    }

    /// Takes an image that `to_page` places on a page, of which the part within `clip` is visible.
    ///
    /// Errors: there is no memory for it.
    pub(crate) fn take(
        &mut self,
        image: &Image<'_, '_>,
        to_page: Affine,
        clip: Rect,
        page: Rect,
    ) -> Result<Option<Figure>> {
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
        let Some(turn) = Turn::of(to_page).filter(|_| self.drawn <= MOST) else {
            self.left_out += 1;
            return Ok(None);
        };
        let crop = Crop::of(place, seen);
        let key = (image.cache_key(), turn, crop);
        let made = match self.known.get(&key) {
            Some(made) => *made,
            None => {
                let made = self.encode(image, turn, crop)?;
                self.lease.set_exactly(self.bytes)?;
                self.known.insert(key, made);
                made
            }
        };
        let file = match made {
            Made::File(file) => file,
            Made::Shadow => return Ok(None),
            Made::Nothing => {
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

    /// Makes a file of an image.
    fn encode(&mut self, image: &Image<'_, '_>, turn: Turn, crop: Crop) -> Result<Made> {
        let room = MOST_BYTES.saturating_sub(self.bytes);
        if turn.is_upright()
            && crop.is_whole()
            && let Some(jpg) = images::jpg(image)
        {
            let len = jpg.len() as u64;
            if len > room {
                return Ok(Made::Nothing);
            }
            self.lease.set_exactly(self.bytes + len)?;
            return Ok(Made::File(self.number(jpg.into_owned())));
        }
        let [width, height] = images::sides(image).map(u64::from);
        let pixels = width * height;
        if pixels > MOST_PIXELS || self.pixels + pixels > MOST_PIXELS_OF_ALL {
            return Ok(Made::Nothing);
        }
        self.pixels += pixels;
        self.lease.set_exactly(self.bytes + DECODED * pixels)?;
        let Some(pixels) = Pixels::of(image) else {
            return Ok(Made::Nothing);
        };
        if pixels.is_shadow() {
            return Ok(Made::Shadow);
        }
        let png = pixels.seen(turn, crop).png();
        let png = png.filter(|png| png.len() as u64 <= room);
        Ok(png.map_or(Made::Nothing, |png| Made::File(self.number(png))))
    }

    /// The number of a file. A file with the same bytes keeps its number: some programs store a logo again for each page.
    fn number(&mut self, bytes: Vec<u8>) -> usize {
        let known = self.files.iter().position(|known| *known == bytes);
        known.unwrap_or_else(|| {
            self.bytes += bytes.len() as u64;
            self.files.push(bytes);
            self.files.len() - 1
        })
    }
}

/// Leaves out backgrounds of a whole page, and marks the other pictures that have text on them.
pub(crate) fn tell_backgrounds(letters: &mut Letters) {
    let mut figures = std::mem::take(&mut letters.figures);
    for figure in &mut figures {
        let on_it = letters.all.iter().filter(|letter| figure.has(letter));
        figure.is_background = on_it.take(LETTERS_ON_BACKGROUND).count() == LETTERS_ON_BACKGROUND;
    }
    figures.retain(|figure| !(figure.is_background && figure.fills_page));
    letters.figures = figures;
}
