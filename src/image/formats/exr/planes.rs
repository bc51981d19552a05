//! Decodes the selected channels of a part of an OpenEXR file, each into a plane of its own. Does not interpret
//! colours.
//!
//! Pixels are stored in blocks of rows, or in tiles, in any order. A block contains, for each of its rows, the samples
//! of one channel after another. A subsampled channel is missing from the rows in which it has no samples.

use super::sampling::{Sampling, Step};
use exr::{
    block::chunk::{Chunk, CompressedBlock},
    compression::Compression,
    error::{Error, Result},
    math::Vec2,
    meta::{
        attribute::{IntegerBounds, SampleType},
        header::Header,
    },
    prelude::f16,
};

/// The samples of a channel.
pub(crate) struct Plane {
    /// Number of samples in a row.
    pub(crate) columns: usize,
    pub(crate) rows: usize,
    /// Distance between samples in pixels, across and down.
    pub(crate) step: Step,
    pub(crate) samples: Vec<f32>,
}

impl Plane {
    /// A row of samples; beyond the end of the plane, the last row.
    pub(crate) fn row(&self, y: usize) -> &[f32] {
        let y = y.min(self.rows.saturating_sub(1));
        &self.samples[y * self.columns..][..self.columns]
    }
}

/// A part of a file, and the planes that are decoded from it.
pub(crate) struct Planes {
    /// Header of the part, with the real subsampling of its channels.
    header: Header,
    steps: Vec<Step>,
    /// Index of the plane for each channel; `None` for channels that are not used.
    plane_of: Vec<Option<usize>>,
    pub(crate) planes: Vec<Plane>,
}

impl Planes {
    /// Allocates the planes. `header` is the header that the decoder got, in which no channel is subsampled; `sampling`
    /// is the real subsampling.
    ///
    /// Errors: [`Error::NotSupported`] for a subsampling that does not divide the size, which the format forbids.
    pub(crate) fn new(
        header: &Header,
        part: usize,
        sampling: &Sampling,
        channels: &[usize],
    ) -> Result<Self> {
        let mut header = header.clone();
        let Vec2(width, height) = header.layer_size;
        let mut steps = Vec::new();
        for channel in &mut header.channels.list {
            let (across, down) = sampling.of(part, channel.name.bytes());
            let divides = |size: usize, step: usize| step > 0 && size.is_multiple_of(step);
            if !divides(width, across) || !divides(height, down) {
                let text =
                    "a width or height that is not a multiple of the subsampling of a channel";
                return Err(Error::NotSupported(text.into()));
            }
            channel.sampling = Vec2(across, down);
            steps.push((across, down));
        }
        let mut plane_of = vec![None; steps.len()];
        let mut planes = Vec::new();
        for &channel in channels {
            let step = steps[channel];
            let (columns, rows) = (width / step.0, height / step.1);
            plane_of[channel] = Some(planes.len());
            planes.push(Plane {
                columns,
                rows,
                step,
                samples: vec![0.0; columns * rows],
            });
        }
        Ok(Self {
            header,
            steps,
            plane_of,
            planes,
        })
    }

    /// Decodes a block into the planes. Ignores reduced resolution levels.
    pub(crate) fn add(&mut self, chunk: Chunk) -> Result<()> {
        let header = &mut self.header;
        let tile = header.get_block_data_indices(&chunk.compressed_block)?;
        if !tile.is_largest_resolution_level() {
            return Ok(());
        }
        let area = header.get_absolute_block_pixel_coordinates(tile)?;
        area.validate(Some(header.layer_size))?;
        let (CompressedBlock::ScanLine(exr::block::chunk::CompressedScanLineBlock {
            compressed_pixels_le: packed,
            ..
        })
        | CompressedBlock::Tile(exr::block::chunk::CompressedTileBlock {
            compressed_pixels_le: packed,
            ..
        })) = chunk.compressed_block
        else {
            return Err(Error::NotSupported("deep data".into()));
        };
        let Vec2(left, top) = area.position.to_usize("the position of a block")?;
        let Vec2(width, height) = area.size;
        let channels = header.channels.list.iter().zip(&self.steps);
        // Number of bytes of a row, which contains only the channels that have samples in it.
        let in_row = |y: usize| {
            channels
                .clone()
                .filter(move |(_, step)| y.is_multiple_of(step.1))
                .map(|(channel, step)| width / step.0 * channel.sample_type.bytes_per_sample())
                .sum::<usize>()
        };
        let bytes: usize = (top..top + height).map(in_row).sum();
        let pixels = width * height;
        if pixels == 0 || !bytes.is_multiple_of(pixels) {
            return Err(Error::NotSupported(
                "a subsampling that gives no whole number of bytes per pixel".into(),
            ));
        }
        // The crate computes the length of a block from this field.
        header.channels.bytes_per_pixel = bytes / pixels;
        let data = unpack(header, packed, area, bytes)?;
        let mut rest = &data[..];
        for y in top..top + height {
            for (at, (channel, step)) in channels.clone().enumerate() {
                if !y.is_multiple_of(step.1) {
                    continue;
                }
                let count = width / step.0;
                let len = count * channel.sample_type.bytes_per_sample();
                let Some((line, after)) = rest.split_at_checked(len) else {
                    return Err(Error::Invalid("a block that is too short".into()));
                };
                rest = after;
                if let Some(index) = self.plane_of[at] {
                    let plane = &mut self.planes[index];
                    let from = y / step.1 * plane.columns + left / step.0;
                    convert(
                        channel.sample_type,
                        line,
                        &mut plane.samples[from..][..count],
                    );
                }
            }
        }
        Ok(())
    }
}

/// Decompresses a block to `bytes` bytes.
fn unpack(header: &Header, packed: Vec<u8>, area: IntegerBounds, bytes: usize) -> Result<Vec<u8>> {
    let compression = header.compression;
    let is_whole = header
        .channels
        .list
        .iter()
        .all(|channel| channel.sampling == Vec2(1, 1));
    let in_blocks = matches!(compression, Compression::B44 | Compression::B44A);
    if in_blocks && !is_whole && packed.len() != bytes {
        return unpack_blocks(header, &packed, area);
    }
    compression.decompress_image_section_from_le(header, packed, area, false)
}

/// Decompresses B44, which codes each channel separately, in squares of 4 × 4 samples. The crate `exr` 1.74 panics if a
/// channel is subsampled, so each channel is passed to it as a picture with a single channel.
fn unpack_blocks(header: &Header, mut packed: &[u8], area: IntegerBounds) -> Result<Vec<u8>> {
    let short = || Error::Invalid("a block that is too short".into());
    let mut planes = Vec::new();
    for channel in &header.channels.list {
        let size = area.size / channel.sampling;
        let sample = channel.sample_type.bytes_per_sample();
        let len = match channel.sample_type {
            SampleType::F16 => {
                let squares = size.0.div_ceil(4) * size.1.div_ceil(4);
                // A square of equal samples takes 3 bytes instead of 14, and is recognised by its third byte.
                (0..squares).try_fold(0, |at, _| {
                    let is_flat = *packed.get(at + 2)? >= 13 << 2;
                    Some(at + if is_flat { 3 } else { 14 })
                })
            }
            SampleType::F32 | SampleType::U32 => Some(size.area() * sample),
        };
        let (own, rest) = len
            .and_then(|len| packed.split_at_checked(len))
            .ok_or_else(short)?;
        packed = rest;
        let mut alone = header.clone();
        alone.layer_size = size;
        alone.channels.list = std::iter::once(channel.clone()).collect();
        alone.channels.list[0].sampling = Vec2(1, 1);
        alone.channels.bytes_per_pixel = sample;
        let whole = IntegerBounds {
            position: Vec2(0, 0),
            size,
        };
        let plane = header.compression.decompress_image_section_from_le(
            &alone,
            own.to_vec(),
            whole,
            false,
        )?;
        planes.push((plane, size.0 * sample, channel.sampling.1));
    }
    // Blocks of other compressions contain row after row, with all channels of a row. This order is restored here.
    let mut data = Vec::new();
    for y in 0..area.size.1 {
        for (plane, row, step) in &planes {
            if y.is_multiple_of(*step) {
                let line = plane.chunks_exact(*row).nth(y / step);
                data.extend_from_slice(line.ok_or_else(short)?);
            }
        }
    }
    Ok(data)
}

/// Converts samples, in the byte order of the machine, to floating point.
fn convert(kind: SampleType, line: &[u8], samples: &mut [f32]) {
    match kind {
        SampleType::F16 => {
            for (sample, &bytes) in samples.iter_mut().zip(line.as_chunks().0) {
                *sample = f16::from_ne_bytes(bytes).to_f32();
            }
        }
        SampleType::F32 => {
            for (sample, &bytes) in samples.iter_mut().zip(line.as_chunks().0) {
                *sample = f32::from_ne_bytes(bytes);
            }
        }
        SampleType::U32 => {
            for (sample, &bytes) in samples.iter_mut().zip(line.as_chunks().0) {
                *sample = u32::from_ne_bytes(bytes) as f32;
            }
        }
    }
}
