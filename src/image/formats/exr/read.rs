//! Reads OpenEXR by the blocks of the crate `exr`: scan lines and tiles of flat parts, with full and with subsampled
//! channels. Rejects deep data.
//!
//! The decoder of the `image` crate, which uses the same crate, reads red, green and blue only: no luminance, no
//! chroma, no layers. It also holds the picture twice, and cannot be cancelled.
//!
//! Pixels are stored for the data window, while the picture is the display window. Outside of the data window, the
//! picture is black, and transparent if it has alpha.

use super::{
    choice::{Choice, ColourModel},
    luma,
    planes::{Plane, Planes},
    sampling::Sampling,
};
use crate::{
    edited_input::EditedInput,
    limits,
    pixels::{Channels, Depth, Layout, Rows, rows::check_row},
    source::{Header, Source, failed, rewind, unsupported},
};
use convertd_core::{
    error::Result,
    job::{Input, Job},
};
use exr::{
    block::{chunk::Chunk, reader::Reader},
    error::Error,
    math::Vec2,
    meta::BlockDescription,
};
use image::metadata::Orientation;

type Chunks<'a> = Box<dyn Iterator<Item = exr::error::Result<Chunk>> + 'a>;

/// A file whose headers have been read.
struct Exr<'a> {
    job: &'a Job<'a>,
    header: Header,
    reader: Reader<EditedInput<'a>>,
    sampling: Sampling,
    choice: Choice,
    /// Distance from the left edge of the display window to that of the data window, in pixels. May be negative.
    left: i64,
    /// Distance from the upper edge of the display window to that of the data window, in pixels. May be negative.
    top: i64,
    /// Whether the data window extends beyond the display window.
    is_cut: bool,
}

/// Opens an OpenEXR file. Its picture is the display window, which may be larger or smaller than the data window.
pub(crate) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
) -> Result<Box<dyn Source<'a> + 'a>> {
    let mut sampling = Sampling::read(input).map_err(|err| failed(job, err))?;
    rewind(input)?;
    let input = EditedInput::new(input, std::mem::take(&mut sampling.patch));
    let reader = exr::block::read(input, false).map_err(|err| refused(job, err))?;
    let choice = Choice::of(reader.headers()).ok_or_else(|| unsupported(job, "deep data"))?;
    let part = &reader.headers()[choice.part];
    let display = part.shared_attributes.display_window;
    let (data, at) = (part.layer_size, part.own_attributes.layer_position);
    let side = |side: usize| u32::try_from(side).unwrap_or(u32::MAX);
    let (width, height) = (side(display.size.0), side(display.size.1));
    limits::check(job, width, height, Some(limits::PIXELS_PER_BYTE))?;
    limits::check(
        job,
        side(data.0),
        side(data.1),
        Some(limits::PIXELS_PER_BYTE),
    )?;
    let channels = match (choice.kind, choice.has_alpha) {
        (ColourModel::Grey, false) => Channels::Grey,
        (ColourModel::Grey, true) => Channels::GreyAlpha,
        (ColourModel::Rgb | ColourModel::Luma, false) => Channels::Rgb,
        (ColourModel::Rgb | ColourModel::Luma, true) => Channels::Rgba,
    };
    let layout = Layout {
        width,
        height,
        channels,
        depth: Depth::Float,
    };
    let left = i64::from(at.0) - i64::from(display.position.0);
    let top = i64::from(at.1) - i64::from(display.position.1);
    let is_cut = left < 0
        || top < 0
        || left + data.0 as i64 > i64::from(width)
        || top + data.1 as i64 > i64::from(height);
    // A block is in memory in three forms: compressed, decompressed, and an intermediate one. It is at most as large as
    // the data window.
    let rows = match part.blocks {
        BlockDescription::ScanLines => part.compression.scan_lines_per_block(),
        BlockDescription::Tiles(tiles) => tiles.tile_size.1,
    };
    let block = (rows.min(data.1) as u64)
        .saturating_mul(data.0 as u64)
        .saturating_mul(part.channels.bytes_per_pixel as u64);
    let samples = (data.0 as u64).saturating_mul(data.1 as u64);
    let memory = (4 * channels.count() as u64)
        .saturating_mul(samples.saturating_add(data.0 as u64))
        .saturating_add(block.saturating_mul(6))
        .saturating_add(24 * part.chunk_count as u64);
    Ok(Box::new(Exr {
        job,
        header: Header {
            layout,
            orientation: Orientation::NoTransforms,
            icc: None,
            memory,
            animated: false,
            lossless: true,
        },
        reader,
        sampling,
        choice,
        left,
        top,
        is_cut,
    }))
}

/// Converts an error of the crate `exr`.
fn refused(job: &Job<'_>, err: Error) -> convertd_core::error::Error {
    match err {
        Error::NotSupported(what) => match job.check() {
            // Messages of the crate: "deep data not supported yet", "file versions other than 2.0 are not supported".
            Ok(()) => {
                let what = what.trim_end_matches(" yet");
                let what = what.trim_end_matches(" not supported");
                unsupported(job, what.trim_end_matches(" are"))
            }
            Err(stopped) => stopped,
        },
        err @ (Error::Aborted | Error::Invalid(_) | Error::Io(_)) => failed(job, err),
    }
}

impl<'a> Source<'a> for Exr<'a> {
    fn header(&mut self) -> &mut Header {
        &mut self.header
    }

    fn notes(&self) -> Vec<String> {
        let cut = self.is_cut.then(|| {
            "The exr file has pixels outside of its display window, which were left out.".to_owned()
        });
        self.choice.note.clone().into_iter().chain(cut).collect()
    }

    fn decode(self: Box<Self>) -> Result<Box<dyn Rows + 'a>> {
        let Self {
            job,
            header,
            reader,
            sampling,
            choice,
            left,
            top,
            ..
        } = *self;
        let part = &reader.headers()[choice.part];
        let primaries = part.shared_attributes.chromaticities;
        let weights = luma::weights(primaries.as_ref());
        let mut planes = Planes::new(part, choice.part, &sampling, &choice.channels)
            .map_err(|err| refused(job, err))?;
        let is_all = reader.headers().len() == 1 && part.blocks == BlockDescription::ScanLines;
        let chunks: exr::error::Result<Chunks<'_>> = if is_all {
            // Chunks are read in file order, so that a file without an offset table can be read, too.
            reader.all_chunks(false).map(|chunks| Box::new(chunks) as _)
        } else {
            let wanted = choice.part;
            reader
                .filter_chunks(false, move |_, tile, block| {
                    block.layer == wanted && tile.is_largest_resolution_level()
                })
                .map(|chunks| Box::new(chunks) as _)
        };
        for chunk in chunks.map_err(|err| refused(job, err))? {
            job.check()?;
            let chunk = chunk.map_err(|err| refused(job, err))?;
            planes.add(chunk).map_err(|err| refused(job, err))?;
        }
        let columns = planes
            .planes
            .first()
            .map_or(0, |plane| plane.columns * plane.step.0);
        Ok(Box::new(ExrRows {
            job,
            layout: header.layout,
            kind: choice.kind,
            weights,
            planes: planes.planes,
            left,
            top,
            lines: [vec![0.0; columns], vec![0.0; columns]],
            line: Vec::new(),
            next: 0,
        }))
    }
}

/// Rows of the display window.
struct ExrRows<'a> {
    job: &'a Job<'a>,
    layout: Layout,
    kind: ColourModel,
    weights: [f32; 3],
    planes: Vec<Plane>,
    left: i64,
    top: i64,
    /// The two chroma channels of a row, interpolated to full width.
    lines: [Vec<f32>; 2],
    /// A buffer for the interpolation of chroma.
    line: Vec<f32>,
    next: u32,
}

impl Rows for ExrRows<'_> {
    fn layout(&self) -> Layout {
        self.layout
    }

    fn next_row(&mut self, row: &mut [u8]) -> Result<()> {
        check_row(self.job, self.next)?;
        let y = i64::from(self.next) - self.top;
        self.next += 1;
        row.fill(0);
        let [first, ..] = &self.planes[..] else {
            return Ok(());
        };
        let Vec2(columns, rows) = Vec2(first.columns * first.step.0, first.rows * first.step.1);
        let Ok(y) = usize::try_from(y) else {
            return Ok(());
        };
        if y >= rows {
            return Ok(());
        }
        if self.kind == ColourModel::Luma {
            for (plane, out) in self.planes[1..3].iter().zip(&mut self.lines) {
                luma::chroma(plane, y, &mut self.line, out);
            }
        }
        // Only the columns of the data window that are inside the display window are used.
        let from = usize::try_from(-self.left).unwrap_or(0);
        let skipped = usize::try_from(self.left).unwrap_or(0);
        let pixels = row
            .chunks_exact_mut(self.layout.pixel_bytes())
            .skip(skipped);
        for (pixel, x) in pixels.zip(from..columns) {
            let sample = |plane: &Plane| plane.row(y / plane.step.1)[x / plane.step.0];
            let mut put = |at: usize, sample: f32| {
                pixel[4 * at..4 * at + 4].copy_from_slice(&sample.to_ne_bytes());
            };
            match self.kind {
                ColourModel::Grey | ColourModel::Rgb => {
                    for (at, plane) in self.planes.iter().enumerate() {
                        put(at, sample(plane));
                    }
                }
                ColourModel::Luma => {
                    let [ry, by] = &self.lines;
                    let light = luma::colour([sample(&self.planes[0]), ry[x], by[x]], self.weights);
                    for (at, light) in light.into_iter().enumerate() {
                        put(at, light);
                    }
                    if let Some(alpha) = self.planes.get(3) {
                        put(3, sample(alpha));
                    }
                }
            }
        }
        Ok(())
    }
}
