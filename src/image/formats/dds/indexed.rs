//! Surfaces with a palette (DDPF_PALETTEINDEXED8), which predate Direct3D 10: 256 colours of four bytes, red first, and
//! a byte per pixel. Narrower indices are not supported, because no known program writes them.

use crate::{
    limits,
    pixels::{
        Channels, Depth, Layout, Rows,
        palette::{Colours, LookedUp},
        rows::check_row,
    },
    source::{self, Source, failed, head},
};
use convertd_core::{
    error::Result,
    job::{Input, Job},
};
use dds::header::{PixelFormatFlags, RawHeader};
use image::metadata::Orientation;

/// Returns whether a header announces a palette. The bit counts in the header are ignored.
pub(super) fn is_indexed(header: &RawHeader) -> bool {
    let flags = header.pixel_format.flags;
    header.dx10.is_none() && flags.contains(PixelFormatFlags::PAL8)
}

/// A surface whose palette has been read.
struct Surface<'a> {
    job: &'a Job<'a>,
    header: source::Header,
    input: &'a mut dyn Input,
    colours: Colours,
    /// Whether the rows are colours rather than indices.
    looks_up: bool,
    /// Number of the next row.
    row: u32,
}

/// Opens the surface. Its palette begins at the position of the input.
pub(super) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
    header: &RawHeader,
) -> Result<Box<dyn Source<'a> + 'a>> {
    let (width, height) = (header.width, header.height);
    limits::check(job, width, height, Some(limits::PIXELS_PER_BYTE))?;
    let palette: [u8; 4 * 256] = head(job, input)?;
    let colours = Colours::new(palette.as_chunks().0.to_vec());
    Ok(Box::new(Surface {
        job,
        header: source::Header {
            layout: Layout {
                width,
                height,
                channels: colours.channels(),
                depth: Depth::Eight,
            },
            orientation: Orientation::NoTransforms,
            icc: None,
            memory: width.into(),
            animated: false,
            lossless: true,
        },
        input,
        colours,
        looks_up: true,
        row: 0,
    }))
}

impl<'a> Source<'a> for Surface<'a> {
    fn header(&mut self) -> &mut source::Header {
        &mut self.header
    }

    fn index(&mut self, transparency: bool) -> Option<Colours> {
        if !transparency && !self.colours.is_opaque() {
            return None;
        }
        self.looks_up = false;
        self.header.layout = self.header.layout.with(Channels::Grey, Depth::Eight);
        Some(self.colours.clone())
    }

    fn decode(mut self: Box<Self>) -> Result<Box<dyn Rows + 'a>> {
        if !self.looks_up {
            return Ok(self);
        }
        let colours = self.colours.clone();
        self.header.layout = self.header.layout.with(Channels::Grey, Depth::Eight);
        Ok(Box::new(LookedUp::new(self, &colours)))
    }
}

impl Rows for Surface<'_> {
    fn layout(&self) -> Layout {
        self.header.layout
    }

    fn next_row(&mut self, row: &mut [u8]) -> Result<()> {
        check_row(self.job, self.row)?;
        self.row += 1;
        let read = self.input.read_exact(row);
        read.map_err(|err| failed(self.job, err))
    }
}
