//! Reads TIFF 6.0 that the `tiff` crate does not read: palette-colour and bilevel images, fax compression, YCbCr,
//! samples of other widths and formats, most tiled images, and some compressions. One strip or one row of tiles is
//! decoded at a time. All other kinds are left to [`read`](super::read).
//!
//! The image file directory (IFD) states the format of the samples, their compression, and the offsets of strips or
//! tiles. No strip is decompressed before one of its rows is needed.

use super::{
    chunks::{self, Chunks},
    compression::Compression,
    description::Description,
    invalid,
    jpegs::Streams,
    logluv::LogEncoding,
    samples::Samples,
};
use crate::{
    associated, limits,
    pixels::{
        Channels, Depth, Layout, Rows, colour,
        palette::{Colours, LookedUp},
    },
    source::{Header, Source, failed, lost, unsupported},
};
use convertd_core::{
    coding::{xz, zstd},
    error::Result,
    job::{Damage, Input, Job},
};
use image::metadata::Orientation;
use std::io;
use tiff::tags::Tag;

/// Largest colour profile, in bytes.
const MAX_ICC: usize = 4 << 20;

/// An image that this reader decodes.
pub(crate) struct Found {
    header: Header,
    samples: Samples,
    chunks: Chunks,
}

/// Reads the tags of the first image. `None` for images that are left to [`read`](super::read).
///
/// Errors: [`Kind::BadInput`](convertd_core::error::Kind::BadInput) for a compression without a decoder, and for an
/// image that belongs to this reader and has an invalid tag or is too large.
pub(crate) fn recognise(job: &Job<'_>, input: &mut dyn Input) -> Result<Option<Found>> {
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

/// Decides whether a file needs this reader, and finds its strips or tiles.
fn find(job: &Job<'_>, input: &mut dyn Input) -> io::Result<Option<Found>> {
    let Some(mut tags) = Description::read(input)? else {
        return Ok(None);
    };
    let streams = Streams::find(&tags.directory, input, tags.compression, tags.count)?;
    // Cases that the `tiff` crate cannot handle: tiles at the edges of some files, LZW from before TIFF 5.0, and
    // keeping the strips before a damaged one. Compressions that it lacks are added below.
    let is_odd = Damage::of(job.options()) == Damage::Keep
        || tags.directory.value(input, Tag::TileWidth)?.is_some()
        || tags.compression == Compression::Lzw && chunks::is_old_lzw(&tags.directory, input)?;
    if let Some(streams) = &streams
        && tags.compression == Compression::Jpeg
        && streams.begin_lossless(&tags.directory, input, job.input_len)?
    {
        tags.compression = Compression::LosslessJpeg;
    }
    let is_odd = is_odd
        || matches!(
            tags.compression,
            Compression::LosslessJpeg
                | Compression::Lzma
                | Compression::Zstandard
                | Compression::WebP
        );
    let Some(mut samples) = tags.samples(input, is_odd)? else {
        return Ok(None);
    };
    // Planar images have a list of chunks for each channel.
    let planes = match &samples {
        Samples::Wide(wide) => wide.planes(),
        Samples::Ycbcr(way) if way.is_planar => 3,
        _ => 1,
    };
    let chunks = Chunks::find(
        &tags.directory,
        input,
        (tags.width, tags.height),
        (tags.compression, planes),
        job.input_len,
    )?;
    let Some(mut chunks) = chunks else {
        return Err(invalid("some of its strips or tiles are missing"));
    };
    chunks.streams = streams;
    if let (Samples::Wide(wide), Compression::LosslessJpeg) = (&mut samples, tags.compression) {
        wide.are_decoded();
    }
    chunks.predicted = tags.predicted(&mut samples)?;
    let mut icc = tags.directory.bytes(input, Tag::IccProfile, MAX_ICC)?;
    if let Samples::Wide(wide) = &mut samples
        && wide.set_inks(icc.as_deref())
    {
        // The profile has been applied, or does not match the colour space of the rows.
        icc = None;
    }
    let header = Header {
        layout: layout(&tags, &samples),
        orientation: u8::try_from(tags.orientation)
            .ok()
            .and_then(Orientation::from_exif)
            .unwrap_or(Orientation::NoTransforms),
        icc,
        memory: memory(job, &samples, &chunks),
        animated: false,
        lossless: !tags.is_coarse() && tags.compression != Compression::WebP,
    };
    Ok(Some(Found {
        header,
        samples,
        chunks,
    }))
}

/// The layout of the decoded rows.
fn layout(tags: &Description, samples: &Samples) -> Layout {
    Layout {
        width: tags.width,
        height: tags.height,
        channels: match samples {
            Samples::Index { colours, .. } => colours.channels(),
            Samples::IndexAlpha { .. } => Channels::Rgba,
            Samples::WideIndex { .. } | Samples::Ycbcr(_) | Samples::Rgb => Channels::Rgb,
            Samples::Log(LogEncoding::Luminance) => Channels::Grey,
            Samples::Log(_) => Channels::Rgb,
            Samples::Wide(wide) => wide.channels,
        },
        depth: match samples {
            Samples::Wide(wide) => wide.depth(),
            Samples::Log(_) => Depth::Float,
            _ => Depth::Eight,
        },
    }
}

/// Memory for decoding in bytes.
fn memory(job: &Job<'_>, samples: &Samples, chunks: &Chunks) -> u64 {
    let raw = samples.chunk_bytes(chunks.width, chunks.height);
    let stored = match chunks.compression {
        // The decoder's planes, and the compressed stream, which for JPEG includes its tables.
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
    // All chunks in a row of the picture are decoded at a time. Each range is an offset and a length.
    raw.saturating_mul(u64::from(chunks.across) * chunks.planes as u64)
        .saturating_add(stored)
        .saturating_add(16 * chunks.ranges.len() as u64)
}

/// Opens an image that [`recognise`] has found. `tag_memory` is the memory for its tags, in bytes.
pub(crate) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
    mut found: Found,
    tag_memory: u64,
) -> Box<dyn Source<'a> + 'a> {
    found.header.memory = found.header.memory.saturating_add(tag_memory);
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

/// An image before decoding.
struct Packed<'a> {
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
    found: Found,
    /// Whether indices are replaced by their colours: true unless the target takes indices.
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
        // A profile for grey does not apply to the colours of a palette, so the rows get the colours instead of the
        // indices.
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

/// Rows of an image, decoded by strips or rows of tiles.
struct PackedRows<'a> {
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
    layout: Layout,
    samples: Samples,
    chunks: Chunks,
    /// The decoded strip or row of tiles of the current row: one entry for each tile, of the first plane, then of the
    /// next ones.
    band: Vec<Vec<u8>>,
    next: u32,
}

impl PackedRows<'_> {
    /// Decompresses the strip or the row of tiles that starts with the next row.
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
            // The tile at this position, in each plane.
            let planes = self.band[at..].iter().step_by(across);
            let planes: Vec<&[u8]> = planes.map(Vec::as_slice).collect();
            self.samples
                .put(&planes, self.chunks.width, within as usize, part);
        }
        self.next += 1;
        Ok(())
    }
}
