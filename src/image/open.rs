//! Opens files by the functions of their format. Decodes nothing except the frames of an animation up to the requested
//! one.

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
    /// Number of the page, from 1. `None` means the default one.
    page: Option<u32>,
}

impl<'a> Still<'a> {
    /// Finds the requested page, or the default one of the format. Adds a note if no page was requested and other
    /// pictures are lost.
    ///
    /// Errors: [`Kind::BadInput`](convertd_core::error::Kind::BadInput) if the page does not exist; a missing frame of
    /// an animation is reported by [`open`](Self::open).
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
            // If the search fails, the decoder gets the file unchanged, and will report what is wrong with it.
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
                        "Only the first of {count} {} was kept; the field page chooses another.",
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

    /// The resolution of the picture, and EXIF and XMP if `keep` is set. The resolution in EXIF is used only if the
    /// format itself states none.
    pub(crate) fn metadata(&mut self, keep: bool) -> Result<Metadata> {
        let mut found = Metadata {
            is_wanted: keep,
            ..Metadata::default()
        };
        if let Some(find) = self.reader.metadata {
            rewind(&mut self.input)?;
            // An error of this search is ignored, because the decoder reports damage with a more specific error.
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

    /// The layers of the picture, from below. Empty if it has only one, or if they cannot be found.
    #[cfg(feature = "document")]
    pub(crate) fn layers(&mut self) -> Result<Vec<super::pages::Layer>> {
        let Some(find) = self.reader.layers else {
            return Ok(Vec::new());
        };
        rewind(&mut self.input)?;
        Ok(find(&mut self.input).unwrap_or_default())
    }

    /// The text that the file stores beside the picture. `None` if it has no text.
    #[cfg(feature = "ocr")]
    pub(crate) fn text<'j>(&mut self, job: &Job<'j>) -> Result<Option<super::words::OwnText<'j>>> {
        let Some(read) = self.reader.text else {
            return Ok(None);
        };
        rewind(&mut self.input)?;
        read(job, &mut self.input)
    }

    /// Opens the picture, or the requested frame of an animation.
    pub(crate) fn open<'b>(&'b mut self, job: &'b Job<'b>) -> Result<Box<dyn Source<'b> + 'b>> {
        let open = self.reader.open;
        rewind(&mut self.input)?;
        let (Some(page), Some(open_moving)) = (self.page, self.reader.open_moving) else {
            return open(job, &mut self.input);
        };
        // The colour profile and the orientation belong to the whole file, so they apply to any frame.
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
            return Err(job.unreadable("its frames are missing"));
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
            notes: found.notes,
            frames: found.frames,
            before,
        }))
    }
}

/// Opens the animation in a file. `None` if the file has a still picture, or the format has no animations.
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

/// A single frame of an animation.
struct Nth<'a> {
    job: &'a Job<'a>,
    header: Header,
    notes: Vec<String>,
    frames: Frames<'a>,
    /// Number of frames before the requested one. All of them are decoded, because a frame may depend on earlier ones.
    before: usize,
}

impl<'a> Source<'a> for Nth<'a> {
    fn header(&mut self) -> &mut Header {
        &mut self.header
    }

    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    fn decode(mut self: Box<Self>) -> Result<Box<dyn Rows + 'a>> {
        let mut wanted: Option<Frame> = None;
        for frame in self.frames.by_ref().take(self.before + 1) {
            wanted = Some(frame?.0);
        }
        match wanted {
            Some(frame) => Ok(Box::new(frame)),
            None => Err(self.job.unreadable("the requested frame is missing")),
        }
    }
}
