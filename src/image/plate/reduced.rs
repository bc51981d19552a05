//! Resizes and encodes pictures in memory, for packages that shrink the pictures inside a file. Decodes nothing.

use crate::{
    formats::write_jpeg,
    pixels::{
        Channels, Depth, Frame, Layout, Rows,
        resize::{Bounds, Fit, Resize},
    },
    target::Extras,
};
use convertd_core::{
    error::Result,
    job::{Job, Notes},
};
use std::io::Cursor;

/// A picture of 8-bit samples: grey, or red, green and blue.
pub struct Samples {
    /// Samples of grey or RGB, row by row.
    pub data: Vec<u8>,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Whether a pixel has one byte instead of three.
    pub is_grey: bool,
}

impl Samples {
    /// The rows of the picture, resized if the picture does not have this width and height.
    fn into_rows(self, width: u32, height: u32) -> Box<dyn Rows> {
        let layout = Layout {
            width: self.width,
            height: self.height,
            channels: if self.is_grey {
                Channels::Grey
            } else {
                Channels::Rgb
            },
            depth: Depth::Eight,
        };
        let bounds = Bounds {
            width: Some(width),
            height: Some(height),
            fit: Fit::Fill,
        };
        let frame = Box::new(Frame::from_pixels(layout, self.data));
        match Resize::of(bounds, self.width, self.height) {
            Some(resize) => resize.apply(frame),
            None => frame,
        }
    }

    /// Encodes the picture as a JPEG of this size, in the quality of the job.
    ///
    /// Errors: the job was cancelled, or a limit of the job was reached.
    pub fn jpeg(self, job: &Job<'_>, width: u32, height: u32) -> Result<Vec<u8>> {
        let rows = self.into_rows(width, height);
        let mut file = Cursor::new(Vec::new());
        write_jpeg::write(
            job,
            rows,
            Extras::default(),
            &mut file,
            &mut Notes::default(),
        )?;
        Ok(file.into_inner())
    }

    /// Resizes the samples to this size.
    ///
    /// Errors: any error of the resizing.
    pub fn resized(self, width: u32, height: u32) -> Result<Vec<u8>> {
        Ok(self.into_rows(width, height).into_frame()?.pixels)
    }
}
