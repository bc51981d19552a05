//! Opens files with the functions that the row of their format names. Decodes nothing except the frames before a requested one.

use super::{
    animation::{Animation, Frames},
    edited_input::EditedInput,
    metadata::{Metadata, Resolution},
    pages::{Patch, chosen},
    pixels::{Frame, Rows},
    source::{Header, Reader, Source, rewind},
};
use convertd_core::{
    error::Result,
    job::{Input, Job, Notes},
};
use std::io::Cursor;

/// A request for one picture of a file.
pub(crate) struct Still<'a> {
    reader: &'a Reader,
    input: EditedInput<'a>,
    /// Counted from 1.
    page: Option<u32>,
}

impl<'a> Still<'a> {
    /// Finds the requested page, or the format's default. Adds a note if there are others.
    ///
    /// Errors: [`Kind::BadInput`](convertd_core::error::Kind::BadInput) if there is no such page.
    pub(crate) fn new(
        reader: &'a Reader,
        input: &'a mut dyn Input,
        page: Option<u32>,
        notes: &mut Notes,
    ) -> Result<Self> {
        let mut patch = Patch::default();
        let mut found = None;
        if let Some(find) = reader.pages {
            rewind(input)?;
            // A file whose pages cannot be found counts as one page: the decoder will say what is wrong.
            found = Some(find(input));
        }
        match found {
            Some(Ok(Some(mut pages))) => {
                let count = pages.patches.len() as u32;
                let wanted = chosen(page.unwrap_or(pages.default), count, pages.called)?;
                if wanted < pages.patches.len() {
                    patch = pages.patches.swap_remove(wanted);
                }
                if page.is_none() && pages.others_are_lost && count > 1 {
                    notes.add(format!(
                        "Only the first of {count} {} is kept; the field page chooses another.",
                        pages.called[1]
                    ));
                }
            }
            Some(Err(_)) => {}
            Some(Ok(None)) | None => {
                if let (Some(page), None) = (page, reader.open_moving) {
                    chosen(page, 1, [""; 2])?;
                }
            }
        }
        rewind(input)?;
        Ok(Self {
            reader,
            input: EditedInput::new(input, patch),
            page,
        })
    }

    /// The resolution of the picture, and EXIF and XMP if they are to be kept. EXIF states the resolution where the format
    /// itself does not.
    pub(crate) fn metadata(&mut self, keep: bool) -> Result<Metadata> {
        let mut found = Metadata {
            is_wanted: keep,
            ..Metadata::default()
        };
        if let Some(find) = self.reader.metadata {
            rewind(&mut self.input)?;
            // If this walk fails, so will the decoder, whose error is more specific.
            let _ = find(&mut self.input, &mut found);
        }
        if let (None, Some(exif)) = (found.resolution, &found.exif) {
            found.resolution = Resolution::read(&mut Cursor::new(exif));
        }
        if !keep {
            found = Metadata {
                resolution: found.resolution,
                ..Metadata::default()
            };
        }
        Ok(found)
    }

    /// Opens the picture, or the requested frame of an animation.
    pub(crate) fn open<'b>(&'b mut self, job: &'b Job<'b>) -> Result<Box<dyn Source<'b> + 'b>> {
        let open = self.reader.open;
        rewind(&mut self.input)?;
        let (Some(page), Some(open_moving)) = (self.page, self.reader.open_moving) else {
            return open(job, &mut self.input);
        };
        // Colour profile and orientation belong to the whole file, whichever frame is taken.
        let (icc, orientation) = {
            let mut still = open(job, &mut self.input)?;
            let header = still.header();
            (header.icc.take(), header.orientation)
        };
        rewind(&mut self.input)?;
        let count = open_moving(job, &mut self.input)?.map_or(1, |animation| animation.count);
        let before = chosen(page, count, ["frame", "frames"])?;
        rewind(&mut self.input)?;
        if count == 1 {
            return open(job, &mut self.input);
        }
        let Some(found) = open_moving(job, &mut self.input)? else {
            return Err(job.unreadable("the frames that it promises are not there"));
        };
        found.check()?;
        Ok(Box::new(Nth {
            job,
            header: Header {
                layout: found.layout,
                orientation,
                icc,
                memory: found.memory,
                animated: false,
                lossless: found.lossless,
            },
            frames: found.frames,
            before,
        }))
    }
}

/// The animation in `input`, if it is one.
pub(crate) fn moving<'a>(
    job: &'a Job<'a>,
    reader: &Reader,
    input: &'a mut dyn Input,
) -> Result<Option<Animation<'a>>> {
    let Some(open) = reader.open_moving else {
        return Ok(None);
    };
    rewind(input)?;
    open(job, input)
}

/// A frame of an animation.
struct Nth<'a> {
    job: &'a Job<'a>,
    header: Header,
    frames: Frames<'a>,
    /// The number of frames before the requested one.
    before: usize,
}

impl<'a> Source<'a> for Nth<'a> {
    fn header(&mut self) -> &mut Header {
        &mut self.header
    }

    fn decode(mut self: Box<Self>) -> Result<Box<dyn Rows + 'a>> {
        let mut wanted: Option<Frame> = None;
        for frame in self.frames.by_ref().take(self.before + 1) {
            wanted = Some(frame?.0);
        }
        match wanted {
            Some(frame) => Ok(Box::new(frame)),
            None => Err(self.job.unreadable("the frame is missing")),
        }
    }
}
