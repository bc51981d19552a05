//! Reads the largest JPEG in a raw file as the picture. The data of the sensor is not developed.

use super::previews::{self, Preview};
use crate::{
    edited_input::EditedInput,
    formats::jpeg,
    pages::Patch,
    pixels::{Rows, colour},
    source::{Decoding, Header, Source, failed, lost},
};
use convertd_core::{
    error::{Error, Kind, Result},
    job::{Input, Job},
};
use image::metadata::Orientation;
use std::io::SeekFrom;

/// A raw file whose preview has been opened.
struct Raw<'a> {
    source: Box<dyn Source<'a> + 'a>,
    preview: Preview,
}

/// Opens the largest JPEG preview of a raw file, turned as the camera states.
pub(crate) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
) -> Result<Box<dyn Source<'a> + 'a>> {
    let (preview, stated) = previews::largest(input).map_err(|err| failed(job, err))?;
    let Some(preview) = preview else {
        let text = format!(
            "the {} file contains no JPEG preview, and its raw data is not developed here; develop it with another program, such as darktable",
            job.from.name
        );
        return Err(Error::new(Kind::BadInput, text));
    };
    input.seek(SeekFrom::Start(preview.at)).map_err(lost)?;
    let patch = Patch {
        from: preview.at,
        ..Patch::default()
    };
    let mut source = jpeg::read::open_boxed(job, Box::new(EditedInput::new(input, patch)))?;
    let header = source.header();
    // Many previews state no orientation; then the orientation of the raw file applies.
    if header.orientation == Orientation::NoTransforms
        && let Some(turn) = stated.orientation.and_then(Orientation::from_exif)
    {
        header.orientation = turn;
    }
    // The colour space of the raw file applies, too, if the preview states none.
    if header.icc.is_none() && stated.is_adobe_rgb {
        header.icc = colour::adobe_rgb();
    }
    Ok(Box::new(Raw { source, preview }))
}

impl<'a> Source<'a> for Raw<'a> {
    fn header(&mut self) -> &mut Header {
        self.source.header()
    }

    fn notes(&self) -> Vec<String> {
        let Preview { width, height, .. } = self.preview;
        let note = format!(
            "The picture is the camera's preview of {width} × {height} pixels; the raw data of its sensor was not developed."
        );
        [vec![note], self.source.notes()].concat()
    }

    fn reduce(&mut self, ratio: f64) {
        self.source.reduce(ratio);
    }

    fn decode(self: Box<Self>) -> Result<Box<dyn Rows + 'a>> {
        self.source.decode()
    }

    fn decode_in_stages(self: Box<Self>) -> Result<Decoding<'a>> {
        self.source.decode_in_stages()
    }
}
