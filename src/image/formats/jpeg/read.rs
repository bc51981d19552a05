//! Reads JPEG row by row. Walks all markers before anything is decoded, so that a truncated file is rejected early,
//! unless the options ask for damaged files to be decoded as far as possible (`Damage::Keep`).

use super::decode::{Coding, Decoder, Deep, Fault, Process, Structure, lossless, to_light};
use super::{additional_data, metadata, stream};
use crate::{
    limits,
    metadata::colour_space,
    pixels::{
        Channels, Depth, Frame, Layout, Rows,
        colour::{self, Inks},
        rows::check_row,
    },
    source::{Header, Source, failed, lost, rewind, unsupported},
};
use convertd_core::{
    error::Result,
    job::{Damage, Input, Job},
};
use image::metadata::Orientation;
use std::io::SeekFrom;

/// Largest number of pixels that a byte of a large file can describe. An MCU of 16 × 16 pixels takes at least half a
/// byte, even in a progressive file. That allows 512 pixels per byte; the rest is a margin.
const PIXELS_PER_BYTE: u64 = 600;

/// A JPEG before decoding.
struct Jpeg<'a> {
    job: &'a Job<'a>,
    header: Header,
    input: Box<dyn Input + 'a>,
    structure: Structure,
    /// Fault of a damaged file that is decoded nevertheless.
    damage: Option<&'static str>,
    /// Divisor of the size at which the picture is decoded: 1, 2, 4 or 8.
    reduction: usize,
    /// Notes about additional data in the file, such as a video.
    extra_notes: Vec<&'static str>,
}

/// Opens a JPEG file.
pub(crate) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
) -> Result<Box<dyn Source<'a> + 'a>> {
    open_boxed(job, Box::new(input))
}

/// Opens a JPEG file inside another file.
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
    // If the search for additional data fails, the file counts as one without such data.
    let extra_notes = additional_data::notes(&mut *input).unwrap_or_default();
    let is_lossless = structure.process == Process::Lossless;
    if is_lossless && !lossless::supports(&structure) {
        return Err(unsupported(
            job,
            "lossless coding of inks, or of more than 8 bits of luma and chroma",
        ));
    }
    if !is_lossless && !Decoder::supports(&structure) {
        return Err(unsupported(
            job,
            "sampling factors that do not divide one another",
        ));
    }
    if structure.is_deep() && structure.components.len() > 3 {
        return Err(unsupported(job, "inks of more than 8 bits"));
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
    // A profile takes precedence over the colour space in EXIF. EXIF is used only for RGB and YCbCr, not for inks or
    // grey.
    let is_coloured = matches!(structure.coding(), Coding::Rgb | Coding::YCbCr);
    let exif = structure.exif.as_deref().filter(|_| is_coloured);
    let by_exif = || {
        let is_adobe_rgb = exif.is_some_and(colour_space::is_adobe_rgb);
        is_adobe_rgb.then(colour::adobe_rgb)?
    };
    let mut source = Jpeg {
        job,
        header: Header {
            layout,
            orientation,
            icc: structure.icc().or_else(by_exif),
            memory: 0,
            animated: false,
            lossless: is_lossless,
        },
        input,
        structure,
        damage,
        extra_notes,
        reduction: 1,
    };
    source.header.memory = source.memory();
    Ok(Box::new(source))
}

impl Jpeg<'_> {
    /// Returns whether the coding process is lossless.
    fn is_lossless(&self) -> bool {
        self.structure.process == Process::Lossless
    }

    /// Peak memory in bytes for decoding at the current reduction: the file, and the decoder.
    fn memory(&self) -> u64 {
        let decoder = if self.is_lossless() {
            lossless::memory(&self.structure) + self.header.layout.bytes()
        } else if self.structure.is_deep() {
            Deep::memory(&self.structure)
        } else {
            Decoder::memory(&self.structure, self.reduction, self.job.spare_threads > 0)
        };
        self.job.input_len + decoder
    }
}

impl<'a> Source<'a> for Jpeg<'a> {
    fn header(&mut self) -> &mut Header {
        &mut self.header
    }

    fn whole_file(&mut self, with_metadata: bool) -> Result<Option<Vec<u8>>> {
        if self.is_lossless() || self.damage.is_some() {
            return Ok(None);
        }
        rewind(&mut *self.input)?;
        let mut file = Vec::new();
        self.input.read_to_end(&mut file).map_err(lost)?;
        if with_metadata {
            return Ok(Some(file));
        }
        // A file whose segments cannot be separated is decoded instead.
        Ok(metadata::with_orientation_only(&file, self.header.orientation).ok())
    }

    fn bare_file(&mut self) -> Result<Option<Vec<u8>>> {
        let structure = &self.structure;
        let is_common = structure.process == Process::Huffman
            && structure.precision == 8
            && matches!(structure.coding(), Coding::Grey | Coding::YCbCr)
            && self.damage.is_none();
        // The bare file lacks EXIF, so it cannot replace a picture that EXIF turns, or whose colour space EXIF states.
        let header = &self.header;
        let is_turned = header.orientation != Orientation::NoTransforms;
        if !is_common || is_turned || header.icc != structure.icc() {
            return Ok(None);
        }
        rewind(&mut *self.input)?;
        let mut file = Vec::new();
        self.input.read_to_end(&mut file).map_err(lost)?;
        Ok(metadata::bare(&file).ok())
    }

    fn notes(&self) -> Vec<String> {
        // This note is only for the lossless process. For other processes, `salvage` counts the rows that are missing
        // or lack detail.
        let damage = self.damage.filter(|_| self.is_lossless());
        let note = |what| format!("The file is damaged: {what}. Missing parts are grey.");
        let extra_notes = self.extra_notes.iter().map(|note| (*note).to_owned());
        damage.map(note).into_iter().chain(extra_notes).collect()
    }

    /// Chooses the reduction of the decoder. The resize filter that follows gives its best quality with more than one
    /// source pixel for each pixel of the result, but does not need many more.
    fn reduce(&mut self, ratio: f64) {
        if self.is_lossless() || self.structure.is_deep() {
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
        if self.is_lossless() {
            return Ok(Box::new(self.lossless(&file)?));
        }
        let keeps = Damage::of(self.job.options()) == Damage::Keep;
        if self.structure.is_deep() {
            let (job, is_damaged) = (self.job, self.damage.is_some());
            let go_on = || job.check().is_ok();
            let deep = Deep::decode(&file, self.structure, keeps, is_damaged, &go_on);
            return Ok(Box::new(DeepRows {
                job,
                layout,
                deep: deep.map_err(|what| failed(job, what))?,
                row: 0,
            }));
        }
        let inks = match self.structure.coding() {
            Coding::Cmyk | Coding::Ycck => {
                let profile = self.structure.icc();
                let row = vec![0; layout.width as usize * 4];
                Some((row, Inks::of(profile.as_deref())))
            }
            Coding::Grey | Coding::Rgb | Coding::YCbCr => None,
        };
        let spare = self.job.spare_threads > 0;
        let mut decoder = Decoder::new(file, self.structure, self.reduction, spare);
        if keeps {
            decoder.keep(self.damage.is_some());
        }
        Ok(Box::new(JpegRows {
            job: self.job,
            layout,
            decoder,
            inks,
            row: 0,
        }))
    }
}

impl Jpeg<'_> {
    /// Decodes a file with the lossless process.
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

/// Rows of a file with 8 bits per sample and a DCT.
struct JpegRows<'a> {
    job: &'a Job<'a>,
    layout: Layout,
    decoder: Decoder,
    /// A row of CMYK and its conversion to RGB, if the file has four components.
    inks: Option<(Vec<u8>, Inks)>,
    row: u32,
}

impl Rows for JpegRows<'_> {
    fn layout(&self) -> Layout {
        self.layout
    }

    fn next_row(&mut self, row: &mut [u8]) -> Result<()> {
        let job = self.job;
        check_row(job, self.row)?;
        self.row += 1;
        // If the coefficients of the whole picture are needed before the first row, as in a progressive file, `prepare`
        // decodes them, because it can be cancelled.
        let prepared = self.decoder.prepare(&|| job.check().is_ok());
        prepared.map_err(|what| failed(job, what))?;
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

    fn is_coarse(&self) -> bool {
        self.decoder.is_coarse()
    }
}

/// Rows of a file with 12 bits per sample.
struct DeepRows<'a> {
    job: &'a Job<'a>,
    layout: Layout,
    deep: Deep,
    /// Number of rows that have been returned.
    row: usize,
}

impl Rows for DeepRows<'_> {
    fn layout(&self) -> Layout {
        self.layout
    }

    fn next_row(&mut self, row: &mut [u8]) -> Result<()> {
        check_row(self.job, self.row as u32)?;
        self.row += 1;
        let made = self.deep.row(self.row - 1, row);
        made.map_err(|what| failed(self.job, what))
    }

    fn is_coarse(&self) -> bool {
        self.deep.is_coarse(self.row.saturating_sub(1))
    }
}
