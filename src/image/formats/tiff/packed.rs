//! Reads TIFF 6.0 whose samples are not whole bytes of grey or RGB: palette-colour and bilevel images, fax compression, YCbCr, and
//! samples of other widths and formats. One strip or one row of tiles is decoded at a time. [`read`](super::read) reads all
//! other kinds.
//!
//! The image file directory (IFD) says what the samples are, how they are compressed, and where the strips or tiles are. None
//! of them is read before a row is asked for.

use super::{
    chunks::{self, Chunks, Compression, MOST_ENTRIES},
    invalid,
    jpegs::Streams,
    logluv::Log,
    numbers::Samples as Wide,
    samples::{Samples, colour_map, ramp, wide_colour_map},
    tags::T4_OPTIONS,
    ycbcr::Ycbcr,
};
use crate::{
    coding::{xz, zstd},
    containers::ifd::{Directory, Numbers},
    error::Result,
    image::{
        associated, limits,
        pixels::{
            Channels, Depth, Layout, Rows, colour,
            palette::{Colours, LookedUp},
        },
        source::{Header, Source, failed, lost, unsupported},
    },
    job::{Damage, Input, Job},
};
use image::metadata::Orientation;
use std::io;
use tiff::tags::Tag;

/// The largest colour profile, in bytes.
const MOST_ICC: usize = 4 << 20;

/// An image that is read here.
pub(crate) struct Found {
    header: Header,
    samples: Samples,
    chunks: Chunks,
}

/// Reads the tags of the first image. `None` for images that are read elsewhere.
///
/// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) for an image of a kind that is read here, with a tag that is wrong.
pub(crate) fn look(job: &Job<'_>, input: &mut dyn Input) -> Result<Option<Found>> {
    let undecodable = chunks::undecodable(input).map_err(|err| failed(job, err))?;
    if let Some(name) = undecodable {
        return Err(unsupported(job, &format!("the compression {name}")));
    }
    let found = find(job, input).map_err(|err| failed(job, err))?;
    if let Some(found) = &found {
        limits::check(
            job,
            found.header.layout.width,
            found.header.layout.height,
            None,
        )?;
    }
    Ok(found)
}

fn find(job: &Job<'_>, input: &mut dyn Input) -> io::Result<Option<Found>> {
    let Some((numbers, first)) = Numbers::of(input)? else {
        return Ok(None);
    };
    let directory = Directory::read(input, numbers, first, MOST_ENTRIES)?;
    let mut number = |tag, default| Ok(directory.value(input, tag)?.unwrap_or(default));
    let number: &mut dyn FnMut(Tag, u64) -> io::Result<u64> = &mut number;
    let (width, height) = (number(Tag::ImageWidth, 0)?, number(Tag::ImageLength, 0)?);
    let bits = number(Tag::BitsPerSample, 1)?;
    let count = number(Tag::SamplesPerPixel, 1)?;
    let photometric = number(Tag::PhotometricInterpretation, 0)?;
    let format = number(Tag::SampleFormat, 1)?;
    let planar = number(Tag::PlanarConfiguration, 1)? != 1;
    let predictor = number(Tag::Predictor, 1)?;
    let orientation = number(Tag::Orientation, 1)?;
    let options = number(T4_OPTIONS, 0)?;
    let method = number(Tag::Compression, 1)?;
    let Some(mut compression) = Compression::of(method, options, photometric) else {
        return Ok(None);
    };
    let (Ok(width), Ok(height)) = (u32::try_from(width), u32::try_from(height)) else {
        return Ok(None);
    };
    if width == 0 || height == 0 {
        return Ok(None);
    }
    // What the other decoder cannot do: tiles at the edges of some files, LZW as it was before TIFF 5.0, and to give the
    // strips before a damaged one.
    let is_odd = Damage::of(job.options()) == Damage::Keep
        || directory.value(input, Tag::TileWidth)?.is_some()
        || compression == Compression::Lzw && chunks::is_old_lzw(&directory, input)?;
    let streams = Streams::find(&directory, input, compression, count)?;
    if let Some(streams) = &streams
        && compression == Compression::Jpeg
        && streams.begin_lossless(&directory, input, job.input_len)?
    {
        compression = Compression::LosslessJpeg;
    }
    let is_whole = format == 1;
    let is_coarse = matches!(compression, Compression::Jpeg | Compression::OldJpeg);
    let whole = !matches!(compression, Compression::Fax(_)) && !is_coarse;
    let is_odd = is_odd
        || matches!(
            compression,
            Compression::LosslessJpeg
                | Compression::Lzma
                | Compression::Zstandard
                | Compression::WebP
        );
    let samples = match (photometric, bits, count) {
        _ if let Compression::Log(log) = compression => Samples::Log(log),
        _ if !is_whole => match Wide::find(&directory, input, format, planar)? {
            Some(wide) if whole => Samples::Wide(Box::new(wide)),
            _ => return Ok(None),
        },
        (0 | 1, 1, 1) if !compression.is_jpeg() => ramp(1, photometric == 0),
        (0 | 1, 2 | 4, 1) if whole => ramp(bits as u32, photometric == 0),
        (3, 1 | 2 | 4 | 8, 1) if whole => {
            let colours = colour_map(&directory, input, bits as u32)?;
            let bits = bits as u32;
            Samples::Index { bits, colours }
        }
        (3, 8, 2) if whole && !planar => Samples::IndexAlpha {
            colours: colour_map(&directory, input, 8)?,
        },
        (3, 16, 1) if whole && compression != Compression::LosslessJpeg => Samples::WideIndex {
            colours: wide_colour_map(&directory, input)?,
            is_little: numbers.is_little(),
        },
        (6, 8, 3) if compression == Compression::Jpeg && !planar => Samples::Rgb,
        (6, 8, 3) if whole => Samples::Ycbcr(Ycbcr::find(&directory, input, planar, false)?),
        (6, 8, 3) if compression == Compression::OldJpeg && !planar => {
            Samples::Ycbcr(Ycbcr::find(&directory, input, false, true)?)
        }
        _ => match Wide::find(&directory, input, format, planar)? {
            Some(wide) if whole && (is_odd || !wide.is_read_elsewhere()) => {
                Samples::Wide(Box::new(wide))
            }
            _ => return Ok(None),
        },
    };
    let sides = (width, height);
    let planes = match &samples {
        Samples::Wide(wide) => wide.planes(),
        Samples::Ycbcr(way) if way.is_planar => 3,
        _ => 1,
    };
    let chunks = Chunks::find(
        &directory,
        input,
        sides,
        (compression, planes),
        job.input_len,
    )?;
    let Some(mut chunks) = chunks else {
        return Err(invalid("its strips or tiles are not all there"));
    };
    chunks.streams = streams;
    let mut samples = samples;
    if let (Samples::Wide(wide), Compression::LosslessJpeg) = (&mut samples, compression) {
        wide.are_decoded();
    }
    // libtiff ignores the Predictor tag of images that are not compressed, or by other methods.
    let predictor = if compression.is_predicted() {
        predictor
    } else {
        1
    };
    let is_undone_there = match &mut samples {
        Samples::Wide(wide) => wide.predict(predictor),
        _ => false,
    };
    chunks.predicted = match (predictor, &samples) {
        _ if is_undone_there => None,
        (1, _) => None,
        (2, Samples::Index { bits: 8, .. }) => Some(1),
        (2, Samples::IndexAlpha { .. }) => Some(2),
        (2, Samples::Ycbcr(way)) if way.shared == [1, 1] => Some(if planar { 1 } else { 3 }),
        _ => {
            return Err(invalid(
                "its Predictor tag is not one that such samples can have",
            ));
        }
    };
    let mut icc = directory.bytes(input, Tag::IccProfile, MOST_ICC)?;
    if let Samples::Wide(wide) = &mut samples
        && wide.take_inks(icc.as_deref())
    {
        // It has told what it can, or is for colours that the rows do not have.
        icc = None;
    }
    let channels = match &samples {
        Samples::Index { colours, .. } => colours.channels(),
        Samples::IndexAlpha { .. } => Channels::Rgba,
        Samples::WideIndex { .. } | Samples::Ycbcr(_) | Samples::Rgb => Channels::Rgb,
        Samples::Log(Log::Luminance) => Channels::Grey,
        Samples::Log(_) => Channels::Rgb,
        Samples::Wide(wide) => wide.channels,
    };
    let depth = match &samples {
        Samples::Wide(wide) => wide.depth(),
        Samples::Log(_) => Depth::Float,
        _ => Depth::Eight,
    };
    let raw = samples.chunk_bytes(chunks.width, chunks.height);
    let stored = match compression {
        // The decoder's planes, and the JPEG stream with its tables.
        Compression::Jpeg
        | Compression::OldJpeg
        | Compression::LosslessJpeg
        | Compression::WebP => raw.saturating_mul(3).saturating_add(2 * job.input_len),
        Compression::Lzma => chunks
            .longest()
            .saturating_add(raw)
            .saturating_add(xz::MEMORY),
        Compression::Zstandard => chunks.longest().saturating_add(zstd::MEMORY),
        _ => chunks.longest(),
    };
    Ok(Some(Found {
        header: Header {
            layout: Layout {
                width,
                height,
                channels,
                depth,
            },
            orientation: u8::try_from(orientation)
                .ok()
                .and_then(Orientation::from_exif)
                .unwrap_or(Orientation::NoTransforms),
            icc,
            memory: raw
                .saturating_mul(u64::from(chunks.across) * planes as u64)
                .saturating_add(stored)
                .saturating_add(16 * chunks.places.len() as u64),
            animated: false,
            lossless: !is_coarse && compression != Compression::WebP,
        },
        samples,
        chunks,
    }))
}

/// Opens an image that was found. `kept` is the memory for its tags, in bytes.
pub(crate) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
    mut found: Found,
    kept: u64,
) -> Box<dyn Source<'a> + 'a> {
    found.header.memory = found.header.memory.saturating_add(kept);
    let multiplied = matches!(&found.samples, Samples::Wide(wide) if wide.is_multiplied);
    let source = Box::new(Packed {
        job,
        input,
        found,
        looks_up: true,
    });
    if multiplied {
        associated::straight(source)
    } else {
        source
    }
}

struct Packed<'a> {
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
    found: Found,
    looks_up: bool,
}

impl<'a> Source<'a> for Packed<'a> {
    fn header(&mut self) -> &mut Header {
        &mut self.found.header
    }

    fn notes(&self) -> Vec<String> {
        match &self.found.samples {
            Samples::Wide(wide) => wide.notes(self.found.header.icc.is_some()),
            _ => Vec::new(),
        }
    }

    fn index(&mut self, _: bool) -> Option<Colours> {
        let Samples::Index { colours, .. } = &self.found.samples else {
            return None;
        };
        // A profile for grey does not apply to palette indices.
        let header = &mut self.found.header;
        if header
            .icc
            .as_ref()
            .is_some_and(|icc| !colour::fits(icc, Channels::Rgb))
        {
            return None;
        }
        self.looks_up = false;
        header.layout = header.layout.with(Channels::Grey, Depth::Eight);
        Some(colours.clone())
    }

    fn decode(self: Box<Self>) -> Result<Box<dyn Rows + 'a>> {
        let Found {
            header,
            samples,
            chunks,
        } = self.found;
        let (layout, colours) = match &samples {
            Samples::Index { colours, .. } => (
                header.layout.with(Channels::Grey, Depth::Eight),
                Some(colours.clone()),
            ),
            _ => (header.layout, None),
        };
        let rows = Box::new(PackedRows {
            job: self.job,
            input: self.input,
            layout,
            samples,
            band: vec![Vec::new(); chunks.across as usize * chunks.planes],
            chunks,
            next: 0,
        });
        Ok(match colours.filter(|_| self.looks_up) {
            Some(colours) => Box::new(LookedUp::new(rows, &colours)),
            None => rows,
        })
    }
}

struct PackedRows<'a> {
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
    layout: Layout,
    samples: Samples,
    chunks: Chunks,
    /// The decoded strip or row of tiles that the next row is in.
    band: Vec<Vec<u8>>,
    next: u32,
}

impl PackedRows<'_> {
    /// Decompresses the strip or the row of tiles that begins with the next row.
    fn fill(&mut self) -> Result<()> {
        let (job, chunks) = (self.job, &self.chunks);
        let count = chunks.height.min(self.layout.height - self.next);
        let first = (self.next / chunks.height * chunks.across) as usize;
        let len = self.samples.chunk_bytes(chunks.width, count) as usize;
        let row_len = self.samples.row_bytes(chunks.width) as usize;
        let across = chunks.across as usize;
        for (at, bytes) in self.band.iter_mut().enumerate() {
            let index = at / across * chunks.in_plane + first + at % across;
            job.check()?;
            bytes.resize(len, 0);
            chunks
                .read(job, self.input, index, row_len, bytes)
                .map_err(lost)?
                .ok_or_else(|| job.unreadable("a strip or a tile is damaged"))?;
        }
        Ok(())
    }
}

impl Rows for PackedRows<'_> {
    fn layout(&self) -> Layout {
        self.layout
    }

    fn next_row(&mut self, row: &mut [u8]) -> Result<()> {
        let within = self.next % self.chunks.height;
        if within == 0 {
            self.fill()?;
        }
        let step = self.chunks.width as usize * self.layout.pixel_bytes();
        let across = self.chunks.across as usize;
        for (at, part) in row.chunks_mut(step).enumerate() {
            // The tile at this place, in each plane.
            let planes = self.band[at..].iter().step_by(across);
            let planes: Vec<&[u8]> = planes.map(Vec::as_slice).collect();
            self.samples
                .put(&planes, self.chunks.width, within as usize, part);
        }
        self.next += 1;
        Ok(())
    }
}
