//! Image XObjects of pictures, each written when the picture is first used. Neither fetches nor decodes pictures
//! itself: the package of pictures delivers the samples.

use super::file::File;
#[cfg(feature = "svg")]
use super::vectors::Drawings;
use crate::{
    error::{Error, Kind, Result},
    image::{inlay, swaps_sides},
    job::Job,
    object::image::{ImageWriter, turned},
};
use convertd_layout::medium::Gallery;
use convertd_tree::{Resource, losses::Loss, media};
use image::metadata::Orientation;
use pdf_writer::Ref;
use std::{cell::RefCell, collections::BTreeMap};

static UNREADABLE: Loss = Loss {
    one: "A picture could not be read: its description is shown instead.",
    many: "{} pictures could not be read: their descriptions are shown instead.",
};
static UNKNOWN: Loss = Loss {
    one: "A picture has an unsupported format (such as PICT): its description is shown instead.",
    many: "{} pictures have unsupported formats (such as PICT): their descriptions are shown instead.",
};
static LARGE: Loss = Loss {
    one: "A picture has more pixels than can be decoded: its description is shown instead.",
    many: "{} pictures have more pixels than can be decoded: their descriptions are shown instead.",
};

/// Pictures of a document.
pub(super) struct Pictures<'a> {
    job: &'a Job<'a>,
    file: &'a RefCell<File<'a>>,
    /// Object of each picture in use, by its number.
    objects: RefCell<BTreeMap<usize, Ref>>,
    #[cfg(feature = "svg")]
    pub drawings: RefCell<Drawings>,
}

#[derive(Clone, Copy)]
struct Known {
    object: Ref,
    /// Natural width and height, in points.
    own: (f32, f32),
}

impl Gallery for Pictures<'_> {
    fn take(
        &self,
        number: usize,
        picture: &Resource,
        shown: &dyn Fn((f32, f32)) -> (f32, f32),
    ) -> Result<(f32, f32), &'static Loss> {
        let known = self.prepare(picture, shown)?;
        self.objects.borrow_mut().insert(number, known.object);
        Ok(known.own)
    }
}

impl<'a> Pictures<'a> {
    /// Begins without pictures.
    pub(super) fn new(job: &'a Job<'a>, file: &'a RefCell<File<'a>>) -> Self {
        Self {
            job,
            file,
            objects: RefCell::default(),
            #[cfg(feature = "svg")]
            drawings: RefCell::default(),
        }
    }

    /// Image objects in use, with their numbers.
    pub(super) fn objects(&self) -> Vec<(usize, Ref)> {
        let objects = self.objects.borrow();
        objects
            .iter()
            .map(|(number, object)| (*number, *object))
            .collect()
    }

    /// Writes a picture, and returns its object and natural size. `shown` computes the displayed size from the natural
    /// one, both in points.
    fn prepare(
        &self,
        picture: &Resource,
        shown: impl Fn((f32, f32)) -> (f32, f32),
    ) -> Result<Known, &'static Loss> {
        let kind = media::sniff(&picture.bytes);
        if let Some("image/svg+xml" | "image/emf" | "image/wmf" | "image/x-pict") = kind {
            #[cfg(feature = "svg")]
            return {
                let mut file = self.file.borrow_mut();
                let mut drawings = self.drawings.borrow_mut();
                let drawn = drawings.draw(self.job, &mut file, &picture.bytes, shown);
                drawn.map(|(object, own)| Known { object, own })
            };
            #[cfg(not(feature = "svg"))]
            return Err(&UNREADABLE);
        }
        if inlay::format(&picture.bytes).is_none() {
            return Err(if kind.is_some() {
                &UNKNOWN
            } else {
                &UNREADABLE
            });
        }
        let size = media::size(&picture.bytes);
        if size.is_some_and(|pixels| {
            u64::from(pixels.width) * u64::from(pixels.height) > inlay::MAX_PIXELS
        }) {
            return Err(&LARGE);
        }
        let written = self.write(picture, shown);
        // All other errors count as too many pixels. If the job has ended, its next check returns the error again.
        written.map_err(|error| match error.kind() {
            Kind::BadInput => &UNREADABLE,
            _ => &LARGE,
        })
    }

    /// Writes a picture as an image object. If it has more pixels than the option `quality` needs for the largest size
    /// at which the picture is displayed, its resolution is reduced.
    fn write(&self, picture: &Resource, shown: impl Fn((f32, f32)) -> (f32, f32)) -> Result<Known> {
        let (job, bytes) = (self.job, &picture.bytes);
        let seen = inlay::header(job, bytes)?;
        let orientation = picture.orientation.unwrap_or(seen.orientation);
        let size = seen.shown(orientation);
        // Without a density, a pixel has 1/96 inch, as in CSS.
        let (across, down) = seen.density.unwrap_or((96.0, 96.0));
        let (across, down) = match swaps_sides(orientation) {
            true => (down, across),
            false => (across, down),
        };
        let own = (
            size.0 as f32 * 72.0 / across as f32,
            size.1 as f32 * 72.0 / down as f32,
        );
        let mut most = self.most_pixels(size, shown(own));
        if swaps_sides(orientation) != swaps_sides(seen.orientation) {
            // The decoder counts width and height after the rotation of the file's own metadata, which the document
            // overrides here.
            most = most.map(|(width, height)| (height, width));
        }
        let file = &mut *self.file.borrow_mut();
        let mut writer = ImageWriter::new(file);
        let painted = inlay::transcribe(job, bytes, most, &mut writer);
        let ImageWriter {
            image, seen: plate, ..
        } = writer;
        // A picture whose decoding failed still has to be a complete object.
        file.end_stream();
        painted?;
        let (_, _, left) = plate
            .ok_or_else(|| Error::internal("the decoder passed on no picture", job.from.name))?;
        // `left` is the rotation that the decoder has not applied. An orientation that the document states replaces it,
        // unless the decoder has already turned the picture.
        let turn = match picture.orientation {
            Some(orientation) if left == seen.orientation => orientation,
            Some(_) => Orientation::NoTransforms,
            None => left,
        };
        let object = turned(file, image, turn);
        Ok(Known { object, own })
    }

    /// Reduced size in pixels. `None` if the picture keeps its size, because the quality is high or a reduction would
    /// gain little. `size` is the size of the picture in pixels, and `shown` its displayed size in points.
    fn most_pixels(&self, size: (u32, u32), shown: (f32, f32)) -> Option<(u32, u32)> {
        let dots = self.job.quality().pick(Some(110.0), Some(200.0), None)?;
        let width = (shown.0 * dots / 72.0).ceil().max(1.0);
        let height = (shown.1 * dots / 72.0).ceil().max(1.0);
        // The factor 1.4 avoids recoding pictures for a small gain.
        let is_larger = size.0 as f32 > 1.4 * width && size.1 as f32 > 1.4 * height;
        is_larger.then_some((width as u32, height as u32))
    }
}
