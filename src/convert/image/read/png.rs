//! PNG, row by row (W3C PNG, third edition). Never holds a picture, unless it is interlaced.

use super::{Header, Source, failed, guarded};
use crate::{
    convert::{
        Input, Job,
        image::{
            layout::{Channels, Depth, Layout},
            limits,
            rows::{Frame, Rows},
        },
    },
    error::Result,
};
use image::metadata::Orientation;
use png::{BitDepth, ColorType, Decoder, Limits, Reader, Transformations};

/// What profiles and the like may take once unpacked.
const ANCILLARY: usize = 4 << 20;

struct Png<'a> {
    job: &'a Job<'a>,
    header: Header,
    reader: Reader<Box<dyn Input + 'a>>,
}

pub(super) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
) -> Result<Box<dyn Source<'a> + 'a>> {
    let input: Box<dyn Input + 'a> = Box::new(input);
    let mut decoder = Decoder::new_with_limits(input, Limits { bytes: ANCILLARY });
    decoder.set_ignore_text_chunk(true);
    decoder.set_transformations(Transformations::EXPAND);
    let info = decoder.read_header_info().map_err(|err| failed(job, err))?;
    limits::check(job, info.width, info.height)?;
    // Rows of the widest pixel type, unfiltered and not yet.
    let row = info.width as usize * 8;
    decoder.set_limits(Limits {
        bytes: ANCILLARY + 4 * row,
    });
    let reader = decoder.read_info().map_err(|err| failed(job, err))?;
    let info = reader.info();
    let (colour, bits) = reader.output_color_type();
    let layout = Layout {
        width: info.width,
        height: info.height,
        channels: match colour {
            ColorType::Grayscale => Channels::Grey,
            ColorType::GrayscaleAlpha => Channels::GreyAlpha,
            ColorType::Rgb | ColorType::Indexed => Channels::Rgb,
            ColorType::Rgba => Channels::Rgba,
        },
        depth: match bits {
            BitDepth::Sixteen => Depth::Sixteen,
            BitDepth::One | BitDepth::Two | BitDepth::Four | BitDepth::Eight => Depth::Eight,
        },
    };
    let orientation = info
        .exif_metadata
        .as_deref()
        .and_then(Orientation::from_exif_chunk)
        .unwrap_or(Orientation::NoTransforms);
    let memory =
        ANCILLARY as u64 + 8 * row as u64 + if info.interlaced { layout.bytes() } else { 0 };
    Ok(Box::new(Png {
        job,
        header: Header {
            layout,
            orientation,
            icc: info.icc_profile.as_deref().map(<[u8]>::to_vec),
            memory,
            animated: info
                .animation_control
                .is_some_and(|control| control.num_frames > 1),
            lossless: true,
        },
        reader,
    }))
}

impl<'a> Source<'a> for Png<'a> {
    fn header(&mut self) -> &mut Header {
        &mut self.header
    }

    fn decode(mut self: Box<Self>) -> Result<Box<dyn Rows + 'a>> {
        if !self.reader.info().interlaced {
            return Ok(Box::new(PngRows {
                job: self.job,
                layout: self.header.layout,
                reader: self.reader,
                left: self.header.layout.height,
            }));
        }
        let job = self.job;
        let mut frame = Frame::new(self.header.layout);
        guarded(job, || {
            self.reader
                .next_frame(&mut frame.pixels)
                .and_then(|_| self.reader.finish())
                .map_err(|err| failed(job, err))
        })?;
        swap_bytes(&mut frame.pixels, self.header.layout.depth);
        Ok(Box::new(frame))
    }
}

struct PngRows<'a> {
    job: &'a Job<'a>,
    layout: Layout,
    reader: Reader<Box<dyn Input + 'a>>,
    left: u32,
}

impl Rows for PngRows<'_> {
    fn layout(&self) -> Layout {
        self.layout
    }

    fn next_row(&mut self, row: &mut [u8]) -> Result<()> {
        if self.left.is_multiple_of(64) {
            self.job.check()?;
        }
        let job = self.job;
        guarded(job, || {
            self.left -= 1;
            match self.reader.read_row(row).map_err(|err| failed(job, err))? {
                Some(_) if self.left == 0 => self.reader.finish().map_err(|err| failed(job, err)),
                Some(_) => Ok(()),
                None => Err(job.unreadable("it ends before its last row")),
            }
        })?;
        swap_bytes(row, self.layout.depth);
        Ok(())
    }
}

/// PNG stores the high byte first.
fn swap_bytes(samples: &mut [u8], depth: Depth) {
    if depth == Depth::Sixteen {
        for sample in samples.as_chunks_mut::<2>().0 {
            *sample = u16::from_be_bytes(*sample).to_ne_bytes();
        }
    }
}
