//! Reads surfaces in a pixel format that the crate `dds` supports. One row of pixels or of blocks is decoded and held
//! at a time; only formats with separate planes of luma and chroma (such as NV12) need the whole picture.

use crate::{
    associated, limits,
    pixels::{Channels, Depth, Layout, Rows, rows::check_row},
    source::{self, Source, failed, lost, unsupported},
};
use convertd_core::{
    error::Result,
    job::{Input, Job},
};
use dds::{
    ColorFormat, DecodeOptions, Format, ImageViewMut, PixelInfo, Precision, Size,
    header::{AlphaMode, Header},
};
use image::metadata::Orientation;
use std::{cmp::Ordering, io::SeekFrom};

/// Size of a BC1 block in bytes. It stands for 4 × 4 pixels: two colours, and an index of 2 bits for each pixel.
const BC1_BLOCK: u64 = 8;
/// Size of a BC3 block in bytes: 8 of alpha, then two colours and an index of 2 bits for each pixel.
const BC3_BLOCK: usize = 16;

/// Memory of the decoder besides its output, in bytes for each pixel of a row: twice what its documentation states.
const WORK: u64 = 32;

/// A surface before and during decoding.
struct Surface<'a> {
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
    header: source::Header,
    left_out: Option<String>,
    format: Format,
    colour: ColorFormat,
    options: DecodeOptions,
    /// The current band in its stored form.
    stored: Vec<u8>,
    /// The current band: rows that are decoded together.
    band: Vec<u8>,
    band_height: u32,
    row: u32,
}

/// Opens the surface that starts at the current position of `input`.
pub(super) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
    header: &Header,
    left_out: Option<String>,
) -> Result<Box<dyn Source<'a> + 'a>> {
    let format =
        Format::from_header(header).map_err(|_| unsupported(job, "an unknown pixel format"))?;
    let (width, height) = (header.width(), header.height());
    limits::check(job, width, height, Some(limits::PIXELS_PER_BYTE))?;
    let (channels, colour) = match format.color() {
        // Every block of BC1 may have transparent pixels; in most files, no block has any. For such a file, alpha is
        // left out.
        native if format == Format::BC1_UNORM => {
            if has_transparent_pixels(job, input, width, height)? {
                (Channels::Rgba, native)
            } else {
                (
                    Channels::Rgb,
                    ColorFormat::new(dds::Channels::Rgb, native.precision),
                )
            }
        }
        native => match native.channels {
            // Floating-point pictures have three or four channels in this program.
            dds::Channels::Grayscale if native.precision != Precision::F32 => {
                (Channels::Grey, native)
            }
            dds::Channels::Grayscale | dds::Channels::Rgb => (
                Channels::Rgb,
                ColorFormat::new(dds::Channels::Rgb, native.precision),
            ),
            dds::Channels::Alpha | dds::Channels::Rgba => (
                Channels::Rgba,
                ColorFormat::new(dds::Channels::Rgba, native.precision),
            ),
        },
    };
    let layout = Layout {
        width,
        height,
        channels,
        depth: match colour.precision {
            Precision::U8 => Depth::Eight,
            Precision::U16 => Depth::Sixteen,
            Precision::F32 => Depth::Float,
        },
    };
    let pixels = PixelInfo::from(format);
    let (band_height, extra) = match pixels {
        PixelInfo::Fixed { .. } => (1, 0),
        PixelInfo::Block(block) => (u32::from(block.size().1), 0),
        // All luma is stored before all chroma, so the whole picture is one band.
        PixelInfo::BiPlanar(_) => {
            let size = Size::new(width, height);
            (height, pixels.surface_bytes(size).unwrap_or(u64::MAX))
        }
    };
    let band = layout.row_bytes() * band_height.min(height) as usize;
    let work = extra.saturating_add(WORK * u64::from(width) + (64 << 10));
    let stored = stored(format, width, band_height.min(height));
    let memory = work.saturating_add(stored).saturating_add(band as u64);
    let mut options = DecodeOptions::default();
    options.memory_limit = usize::try_from(work).unwrap_or(usize::MAX);
    let surface = Box::new(Surface {
        job,
        input,
        header: source::Header {
            layout,
            orientation: Orientation::NoTransforms,
            icc: None,
            memory,
            animated: false,
            lossless: matches!(pixels, PixelInfo::Fixed { .. }),
        },
        left_out,
        format,
        colour,
        options,
        stored: Vec::new(),
        band: Vec::new(),
        band_height,
        row: 0,
    });
    // The decoder divides by alpha if the format code says that colours are multiplied by it. If only the header says
    // so, the source is wrapped, and the wrapper divides.
    let is_divided = matches!(
        format,
        Format::BC2_UNORM_PREMULTIPLIED_ALPHA | Format::BC3_UNORM_PREMULTIPLIED_ALPHA
    );
    let is_associated = header.alpha_mode() == AlphaMode::Premultiplied && !is_divided;
    Ok(if is_associated && channels.has_alpha() {
        associated::straight(surface)
    } else {
        surface
    })
}

/// Returns the length of `rows` rows of pixels in their stored form, in bytes.
fn stored(format: Format, width: u32, rows: u32) -> u64 {
    let pixels = PixelInfo::from(format);
    pixels
        .surface_bytes(Size::new(width, rows))
        .unwrap_or(u64::MAX)
}

/// Returns whether a format consists of BC3 blocks.
fn is_bc3(format: Format) -> bool {
    matches!(
        format,
        Format::BC3_UNORM
            | Format::BC3_UNORM_PREMULTIPLIED_ALPHA
            | Format::BC3_UNORM_RXGB
            | Format::BC3_UNORM_NORMAL
    )
}

/// Puts the larger colour of a BC3 block first. The order has no meaning in BC3, but `dds` 0.2 treats a block whose
/// first colour is not the larger one like a block of BC1: as three colours and black.
fn put_in_order(block: &mut [u8]) {
    let [.., a, b, c, d, i, j, k, l] = block else {
        return;
    };
    let (first, second) = ([*a, *b], [*c, *d]);
    let indices = match u16::from_le_bytes(first).cmp(&u16::from_le_bytes(second)) {
        Ordering::Greater => return,
        // All four colours of the block are equal, so index 0 stands for each of them.
        Ordering::Equal => [0; 4],
        // The indices 0 and 1 are exchanged, and so are 2 and 3.
        Ordering::Less => [*i, *j, *k, *l].map(|four| four ^ 0x55),
    };
    ([*a, *b], [*c, *d], [*i, *j, *k, *l]) = (second, first, indices);
}

/// Returns whether a BC1 surface has a transparent pixel: index 3 in a block whose first colour is not larger than its
/// second one. Leaves `input` at its former position.
fn has_transparent_pixels(
    job: &Job<'_>,
    input: &mut dyn Input,
    width: u32,
    height: u32,
) -> Result<bool> {
    let start = input.stream_position().map_err(lost)?;
    let row = u64::from(width.div_ceil(4)) * BC1_BLOCK;
    let mut blocks = vec![0; row as usize];
    let mut found = false;
    for y in 0..height.div_ceil(4) {
        check_row(job, y)?;
        input
            .read_exact(&mut blocks)
            .map_err(|err| failed(job, err))?;
        found = blocks.chunks_exact(BC1_BLOCK as usize).any(is_transparent);
        if found {
            break;
        }
    }
    input.seek(SeekFrom::Start(start)).map_err(lost)?;
    Ok(found)
}

/// Returns whether a BC1 block has a transparent pixel.
fn is_transparent(block: &[u8]) -> bool {
    let [a, b, c, d, indices @ ..] = block else {
        return false;
    };
    let first = u16::from_le_bytes([*a, *b]);
    let second = u16::from_le_bytes([*c, *d]);
    // Index 3 has both bits set.
    first <= second && indices.iter().any(|four| four & four >> 1 & 0x55 != 0)
}

impl<'a> Source<'a> for Surface<'a> {
    fn header(&mut self) -> &mut source::Header {
        &mut self.header
    }

    fn notes(&self) -> Vec<String> {
        self.left_out.iter().cloned().collect()
    }

    fn decode(mut self: Box<Self>) -> Result<Box<dyn Rows + 'a>> {
        let Layout { height, .. } = self.header.layout;
        let rows = self.band_height.min(height) as usize;
        self.band = vec![0; self.header.layout.row_bytes() * rows];
        Ok(self)
    }
}

impl Rows for Surface<'_> {
    fn layout(&self) -> Layout {
        self.header.layout
    }

    fn next_row(&mut self, row: &mut [u8]) -> Result<()> {
        check_row(self.job, self.row)?;
        let within = self.row % self.band_height;
        if within == 0 {
            self.next_band()?;
        }
        let at = row.len() * within as usize;
        row.copy_from_slice(&self.band[at..at + row.len()]);
        self.row += 1;
        Ok(())
    }
}

impl Surface<'_> {
    /// Decodes the next band: a row of pixels, a row of blocks, or a whole picture with separate planes.
    fn next_band(&mut self) -> Result<()> {
        let Layout { width, height, .. } = self.header.layout;
        let rows = self.band_height.min(height.saturating_sub(self.row));
        let len = self.header.layout.row_bytes() * rows as usize;
        let stored = stored(self.format, width, rows);
        self.stored
            .resize(usize::try_from(stored).unwrap_or(usize::MAX), 0);
        self.input
            .read_exact(&mut self.stored)
            .map_err(|err| failed(self.job, err))?;
        if is_bc3(self.format) {
            self.stored
                .chunks_exact_mut(BC3_BLOCK)
                .for_each(put_in_order);
        }
        let Some(view) =
            ImageViewMut::new(&mut self.band[..len], Size::new(width, rows), self.colour)
        else {
            return Err(failed(self.job, "it has more rows than its header states"));
        };
        dds::decode(&mut &self.stored[..], view, self.format, &self.options)
            .map_err(|err| failed(self.job, err))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transparent_blocks_are_detected() {
        let check = |block: [u8; 8], expected| assert_eq!(is_transparent(&block), expected);
        check([0, 0, 0, 0, 0, 0, 0, 0], false);
        check([0, 0, 0, 0, 0, 0, 0, 0xc0], true);
        check([0, 0, 0, 0, 0b1001_0110, 0, 0, 0], false);
        check([1, 0, 0, 0, 0, 0, 0, 3], false);
        check([0, 0, 0, 1, 3, 0, 0, 0], true);
    }

    #[test]
    fn the_larger_colour_of_a_block_is_put_first() {
        let check = |colours: [u8; 8], expected: [u8; 8]| {
            let mut block = [7; BC3_BLOCK];
            block[8..].copy_from_slice(&colours);
            put_in_order(&mut block);
            assert_eq!((&block[..8], &block[8..]), (&[7; 8][..], &expected[..]));
        };
        check([0, 2, 0, 1, 1, 2, 3, 4], [0, 2, 0, 1, 1, 2, 3, 4]);
        check(
            [0, 1, 0, 2, 0b1110_0100, 0, 0, 0],
            [0, 2, 0, 1, 0b1011_0001, 0x55, 0x55, 0x55],
        );
        check([5, 5, 5, 5, 1, 2, 3, 4], [5, 5, 5, 5, 0, 0, 0, 0]);
    }
}
