//! JPEG: row by row where the file is sequential, through zune-jpeg where it is progressive. Walks all markers first,
//! because that decoder fills what is missing with grey.

use super::decode::{
    Coding, Decoder, Fault, MAX_SCANS, Process, Structure, lossless, to_inks, to_light,
};
use super::stream;
use crate::{
    error::Result,
    image::{
        limits,
        pixels::{Channels, Depth, Frame, Layout, Rows, colour::Inks, rows::check_row},
        source::{Header, Source, failed, lost, unsupported},
    },
    job::{Damage, Input, Job},
};
use image::metadata::Orientation;
use std::io::SeekFrom;
use zune_jpeg::{
    JpegDecoder,
    zune_core::{bytestream::ZCursor, colorspace::ColorSpace, options::DecoderOptions},
};

/// Most pixels that a byte of a large file can describe. An MCU of 16 × 16 pixels takes at least half a byte, even in a
/// progressive file, which makes 512; the rest is a margin.
const PIXELS_PER_BYTE: u64 = 600;

struct Jpeg<'a> {
    job: &'a Job<'a>,
    header: Header,
    input: Box<dyn Input + 'a>,
    structure: Structure,
    /// What is wrong with a file that is read all the same.
    damage: Option<&'static str>,
    /// Whether the decoder of this crate reads it; otherwise zune-jpeg does.
    own: bool,
    reduction: usize,
}

pub(crate) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
) -> Result<Box<dyn Source<'a> + 'a>> {
    open_boxed(job, Box::new(input))
}

/// The same for a file in another one.
pub(crate) fn open_boxed<'a>(
    job: &'a Job<'a>,
    mut input: Box<dyn Input + 'a>,
) -> Result<Box<dyn Source<'a> + 'a>> {
    let parsed = match Damage::of(job.options()) {
        Damage::Keep => Structure::parse_damaged(&mut input),
        Damage::Refuse => Structure::parse(&mut input).map(|structure| (structure, None)),
    };
    let (structure, damage) = parsed.map_err(|fault| match fault {
        Fault::Broken(what) => job.unreadable(what),
        Fault::Unsupported(what) => unsupported(job, what),
    })?;
    limits::check(
        job,
        structure.width,
        structure.height,
        Some(PIXELS_PER_BYTE),
    )?;
    let is_lossless = structure.process == Process::Lossless;
    if is_lossless && !lossless::supports(&structure) {
        return Err(unsupported(
            job,
            "lossless coding of inks, or of more than 8 bits of luma and chroma",
        ));
    }
    let own = Decoder::supports(&structure);
    if !own && !is_lossless && !structure.progressive && structure.scan_count > 1 {
        return Err(unsupported(job, "separate scans with unusual sampling"));
    }
    let layout = Layout {
        width: structure.width,
        height: structure.height,
        channels: match structure.coding() {
            Coding::Grey => Channels::Grey,
            Coding::Rgb | Coding::YCbCr | Coding::Cmyk | Coding::Ycck => Channels::Rgb,
        },
        depth: match structure.precision {
            ..=8 => Depth::Eight,
            _ => Depth::Sixteen,
        },
    };
    let orientation = structure
        .exif
        .as_deref()
        .and_then(Orientation::from_exif_chunk)
        .unwrap_or(Orientation::NoTransforms);
    let mut source = Jpeg {
        job,
        header: Header {
            layout,
            orientation,
            icc: structure.icc(),
            memory: 0,
            animated: false,
            lossless: is_lossless,
        },
        input,
        structure,
        // Rows that our own decoder cannot give are counted one by one.
        damage: damage.filter(|_| !own),
        own,
        reduction: 1,
    };
    source.header.memory = source.memory();
    Ok(Box::new(source))
}

impl Jpeg<'_> {
    fn memory(&self) -> u64 {
        let decoder = if self.own {
            Decoder::memory(&self.structure, self.reduction, self.job.spare_threads > 0)
        } else if self.structure.process == Process::Lossless {
            lossless::memory(&self.structure) + self.header.layout.bytes()
        } else {
            // The decoder holds the whole frame, with up to four samples a pixel.
            4 * self.header.layout.pixels() + 2 * self.structure.coefficients()
        };
        self.job.input_len + decoder
    }
}

impl<'a> Source<'a> for Jpeg<'a> {
    fn header(&mut self) -> &mut Header {
        &mut self.header
    }

    fn notes(&self) -> Vec<String> {
        let note = |what| format!("The file is damaged: {what}. What is missing is grey.");
        self.damage.map(note).into_iter().collect()
    }

    /// Chooses the reduction of the decoder. The resize filter that follows needs more than one source pixel for each pixel
    /// of the result, but not many more.
    fn reduce(&mut self, ratio: f64) {
        if !self.own {
            return;
        }
        self.reduction = [8, 4, 2]
            .into_iter()
            .find(|&by| ratio >= 1.5 * by as f64)
            .unwrap_or(1);
        let reduced = |side: u32| side.div_ceil(self.reduction as u32);
        self.header.layout = self.header.layout.sized(
            reduced(self.structure.width),
            reduced(self.structure.height),
        );
        self.header.memory = self.memory();
    }

    fn decode(mut self: Box<Self>) -> Result<Box<dyn Rows + 'a>> {
        let layout = self.header.layout;
        let mut file = Vec::with_capacity(self.job.input_len as usize);
        self.input
            .seek(SeekFrom::Start(0))
            .and_then(|_| self.input.read_to_end(&mut file))
            .map_err(lost)?;
        if self.own {
            return Ok(Box::new(JpegRows {
                job: self.job,
                layout,
                inks: match self.structure.coding() {
                    Coding::Cmyk | Coding::Ycck => {
                        let profile = self.structure.icc();
                        let row = vec![0; layout.width as usize * 4];
                        Some((row, Inks::of(profile.as_deref())))
                    }
                    Coding::Grey | Coding::Rgb | Coding::YCbCr => None,
                },
                decoder: Decoder::new(
                    file,
                    self.structure,
                    self.reduction,
                    self.job.spare_threads > 0,
                ),
                row: 0,
            }));
        }
        if self.structure.process == Process::Lossless {
            return Ok(Box::new(self.lossless(&file)?));
        }
        let (space, held) = match self.structure.coding() {
            Coding::Grey => (ColorSpace::Luma, Channels::Grey),
            Coding::Rgb | Coding::YCbCr => (ColorSpace::RGB, Channels::Rgb),
            Coding::Cmyk => (ColorSpace::CMYK, Channels::Rgba),
            Coding::Ycck => (ColorSpace::YCCK, Channels::Rgba),
        };
        let options = DecoderOptions::default()
            .set_strict_mode(false)
            .set_max_width(limits::MAX_SIDE as usize)
            .set_max_height(limits::MAX_SIDE as usize)
            .jpeg_set_max_scans(MAX_SCANS)
            .jpeg_set_out_colorspace(space);
        let mut frame = Frame::new(layout.with(held, Depth::Eight));
        let job = self.job;
        JpegDecoder::new_with_options(ZCursor::new(file.as_slice()), options)
            .decode_into(&mut frame.pixels)
            .map_err(|err| failed(job, format!("{err:?}")))?;
        if held != Channels::Rgba {
            return Ok(Box::new(frame));
        }
        Ok(Box::new(InkRows {
            layout,
            frame,
            row: Vec::new(),
            ycck: space == ColorSpace::YCCK,
            inks: Inks::of(self.structure.icc().as_deref()),
            next: 0,
        }))
    }
}

impl Jpeg<'_> {
    /// The picture of a file that is coded without loss.
    fn lossless(&self, file: &[u8]) -> Result<Frame> {
        let samples =
            lossless::decode(file, &self.structure).map_err(|what| failed(self.job, what))?;
        let mut frame = Frame::new(self.header.layout);
        let rows = frame
            .pixels
            .chunks_exact_mut(self.header.layout.row_bytes());
        for (y, row) in rows.enumerate() {
            stream::put(&self.structure, &samples, y, row);
        }
        if self.structure.coding() == Coding::YCbCr {
            to_light(&mut frame.pixels);
        }
        Ok(frame)
    }
}

/// A picture in CMYK, which is converted to RGB row by row.
struct InkRows {
    layout: Layout,
    frame: Frame,
    row: Vec<u8>,
    ycck: bool,
    inks: Inks,
    next: u32,
}

impl Rows for InkRows {
    fn layout(&self) -> Layout {
        self.layout
    }

    fn next_row(&mut self, row: &mut [u8]) -> Result<()> {
        self.row.clear();
        self.row.extend_from_slice(self.frame.row(self.next));
        self.next += 1;
        if self.ycck {
            to_inks(&mut self.row);
        }
        self.inks.convert(&self.row, row);
        Ok(())
    }
}

struct JpegRows<'a> {
    job: &'a Job<'a>,
    layout: Layout,
    decoder: Decoder,
    /// A row in CMYK, and the conversion to RGB, if the file has four components.
    inks: Option<(Vec<u8>, Inks)>,
    row: u32,
}

impl Rows for JpegRows<'_> {
    fn layout(&self) -> Layout {
        self.layout
    }

    fn next_row(&mut self, row: &mut [u8]) -> Result<()> {
        check_row(self.job, self.row)?;
        self.row += 1;
        let Some((inks, convert)) = &mut self.inks else {
            return self
                .decoder
                .next_row(row)
                .map_err(|what| failed(self.job, what));
        };
        self.decoder
            .next_row(inks)
            .map_err(|what| failed(self.job, what))?;
        convert.convert(inks, row);
        Ok(())
    }
}
