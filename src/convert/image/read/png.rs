//! PNG, row by row (W3C PNG, third edition). Never holds a picture, unless it is interlaced.

use super::{Header, Source, failed, guarded};
use crate::{
    convert::{
        Input, Job,
        image::{
            layout::{Channels, Depth, Layout},
            limits,
            palette::{self, Colours, LookedUp},
            rows::{Frame, Rows},
        },
    },
    error::Result,
};
use image::metadata::Orientation;
use png::{BitDepth, ColorType, Decoder, Info, Limits, Reader, Transformations};

/// What profiles and the like may take once unpacked.
const ANCILLARY: usize = 4 << 20;

struct Png<'a> {
    job: &'a Job<'a>,
    header: Header,
    reader: Reader<Box<dyn Input + 'a>>,
    /// Of a picture made of indices that is read row by row.
    colours: Option<Colours>,
    looks_up: bool,
}

pub(super) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
) -> Result<Box<dyn Source<'a> + 'a>> {
    let input: Box<dyn Input + 'a> = Box::new(input);
    let mut decoder = Decoder::new_with_limits(input, Limits { bytes: ANCILLARY });
    decoder.set_ignore_text_chunk(true);
    let info = decoder.read_header_info().map_err(|err| failed(job, err))?;
    limits::check(job, info.width, info.height)?;
    let indexed = info.color_type == ColorType::Indexed && !info.interlaced;
    // Rows of the widest pixel type, unfiltered and not yet.
    let row = info.width as usize * 8;
    decoder.set_limits(Limits {
        bytes: ANCILLARY + 4 * row,
    });
    decoder.set_transformations(if indexed {
        Transformations::IDENTITY
    } else {
        Transformations::EXPAND
    });
    let reader = decoder.read_info().map_err(|err| failed(job, err))?;
    let info = reader.info();
    let (colour, bits) = reader.output_color_type();
    let colours = if indexed {
        Some(colours(job, info)?)
    } else {
        None
    };
    let layout = Layout {
        width: info.width,
        height: info.height,
        channels: match (colour, &colours) {
            (_, Some(colours)) => colours.channels(),
            (ColorType::Grayscale, None) => Channels::Grey,
            (ColorType::GrayscaleAlpha, None) => Channels::GreyAlpha,
            (ColorType::Rgb | ColorType::Indexed, None) => Channels::Rgb,
            (ColorType::Rgba, None) => Channels::Rgba,
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
        colours,
        looks_up: true,
    }))
}

/// The palette with its transparency.
fn colours(job: &Job<'_>, info: &Info<'_>) -> Result<Colours> {
    let Some(palette) = &info.palette else {
        return Err(job.unreadable("its palette is missing"));
    };
    let alphas = info.trns.as_deref().unwrap_or_default().iter().copied();
    let colours = palette.as_chunks().0.iter();
    let colours = colours.zip(alphas.chain(std::iter::repeat(255)));
    Ok(Colours::new(
        colours.map(|(&[r, g, b], a)| [r, g, b, a]).collect(),
    ))
}

impl<'a> Source<'a> for Png<'a> {
    fn header(&mut self) -> &mut Header {
        &mut self.header
    }

    fn index(&mut self, transparency: bool) -> Option<Colours> {
        let colours = self.colours.clone();
        let colours = colours.filter(|colours| transparency || colours.is_opaque())?;
        self.looks_up = false;
        self.header.layout = self.header.layout.with(Channels::Grey, Depth::Eight);
        Some(colours)
    }

    fn decode(mut self: Box<Self>) -> Result<Box<dyn Rows + 'a>> {
        if !self.reader.info().interlaced {
            let rows = Box::new(PngRows {
                job: self.job,
                layout: match self.colours {
                    Some(_) => self.header.layout.with(Channels::Grey, Depth::Eight),
                    None => self.header.layout,
                },
                reader: self.reader,
                left: self.header.layout.height,
                packed: Vec::new(),
                colours: self.colours.clone(),
            });
            return Ok(match self.colours.filter(|_| self.looks_up) {
                Some(colours) => Box::new(LookedUp::new(rows, &colours)),
                None => rows,
            });
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
    /// A row of indices as they are stored.
    packed: Vec<u8>,
    /// Their colours, if the rows are indices.
    colours: Option<Colours>,
}

impl Rows for PngRows<'_> {
    fn layout(&self) -> Layout {
        self.layout
    }

    fn next_row(&mut self, row: &mut [u8]) -> Result<()> {
        if self.left.is_multiple_of(64) {
            self.job.check()?;
        }
        let Some(colours) = &self.colours else {
            read_row(self.job, &mut self.reader, &mut self.left, row)?;
            swap_bytes(row, self.layout.depth);
            return Ok(());
        };
        let bits = self.reader.info().bit_depth as u32;
        self.packed
            .resize((row.len() * bits as usize).div_ceil(8), 0);
        read_row(self.job, &mut self.reader, &mut self.left, &mut self.packed)?;
        palette::unpack(&self.packed, bits, row);
        colours.limit(row);
        Ok(())
    }
}

/// The next row as the decoder gives it; behind the last one it looks at the end of the file.
fn read_row(
    job: &Job<'_>,
    reader: &mut Reader<Box<dyn Input + '_>>,
    left: &mut u32,
    row: &mut [u8],
) -> Result<()> {
    guarded(job, || {
        *left -= 1;
        match reader.read_row(row).map_err(|err| failed(job, err))? {
            Some(_) if *left == 0 => reader.finish().map_err(|err| failed(job, err)),
            Some(_) => Ok(()),
            None => Err(job.unreadable("it ends before its last row")),
        }
    })
}

/// PNG stores the high byte first.
pub(super) fn swap_bytes(samples: &mut [u8], depth: Depth) {
    if depth == Depth::Sixteen {
        for sample in samples.as_chunks_mut::<2>().0 {
            *sample = u16::from_be_bytes(*sample).to_ne_bytes();
        }
    }
}
