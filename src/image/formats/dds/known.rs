//! Surfaces in a pixel format that the crate `dds` knows. It decodes one row of blocks at a time, so that no more than that is held.
//! Only where luma and chroma stand in planes (NV12 and the like), the whole picture is.

use crate::{
    error::Result,
    image::{
        associated, limits,
        pixels::{Channels, Depth, Layout, Rows, rows::check_row},
        source::{self, Source, failed, lost, unsupported},
    },
    job::{Input, Job},
};
use dds::{
    ColorFormat, DecodeOptions, Format, ImageViewMut, PixelInfo, Precision, Size,
    header::{AlphaMode, Header},
};
use image::metadata::Orientation;
use std::io::SeekFrom;

/// Bytes of a block of BC1, which is 4 pixels wide and high.
const BC1_BLOCK: u64 = 8;

/// What one decoding holds beside its output, in bytes: some rows in the type that the decoder works in.
const WORK: u64 = 1 << 20;

struct Surface<'a> {
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
    header: source::Header,
    left_out: Option<String>,
    format: Format,
    colour: ColorFormat,
    options: DecodeOptions,
    /// The rows that are decoded together.
    band: Vec<u8>,
    band_height: u32,
    row: u32,
}

/// Opens the surface whose first byte comes next.
pub(super) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
    header: &Header,
    left_out: Option<String>,
) -> Result<Box<dyn Source<'a> + 'a>> {
    let format = Format::from_header(header)
        .map_err(|_| unsupported(job, "a pixel format that no decoder here knows"))?;
    let (width, height) = (header.width(), header.height());
    limits::check(job, width, height, Some(limits::PIXELS_PER_BYTE))?;
    let (channels, colour) = match format.color() {
        // Every block of BC1 may have pixels that are transparent; in most files, none has.
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
            // Floats are of three or four samples here.
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
        // All of the luma is read before any of the chroma.
        PixelInfo::BiPlanar(_) => {
            let size = Size::new(width, height);
            (height, pixels.surface_bytes(size).unwrap_or(u64::MAX))
        }
    };
    let band = layout.row_bytes() * band_height.min(height) as usize;
    let memory = (band as u64).saturating_add(extra).saturating_add(WORK);
    let mut options = DecodeOptions::default();
    options.memory_limit = usize::try_from(extra.saturating_add(WORK)).unwrap_or(usize::MAX);
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
        band: Vec::new(),
        band_height,
        row: 0,
    });
    // The decoder itself divides by alpha where the code says so; elsewhere the header alone does.
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

/// Whether some pixel of a surface in BC1 is transparent: the index 3 in a block whose first colour is not above its second.
/// Leaves `input` where it was.
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

fn is_transparent(block: &[u8]) -> bool {
    let [a, b, c, d, indices @ ..] = block else {
        return false;
    };
    let first = u16::from_le_bytes([*a, *b]);
    let second = u16::from_le_bytes([*c, *d]);
    // The index 3 has both of its bits set.
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
    fn next_band(&mut self) -> Result<()> {
        let Layout { width, height, .. } = self.header.layout;
        let rows = self.band_height.min(height.saturating_sub(self.row));
        let len = self.header.layout.row_bytes() * rows as usize;
        let Some(view) =
            ImageViewMut::new(&mut self.band[..len], Size::new(width, rows), self.colour)
        else {
            return Err(failed(self.job, "there are more rows than the header says"));
        };
        dds::decode(&mut self.input, view, self.format, &self.options)
            .map_err(|err| failed(self.job, err))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_says_whether_it_is_transparent() {
        let check = |block: [u8; 8], expected| assert_eq!(is_transparent(&block), expected);
        check([0, 0, 0, 0, 0, 0, 0, 0], false);
        check([0, 0, 0, 0, 0, 0, 0, 0xc0], true);
        check([0, 0, 0, 0, 0b1001_0110, 0, 0, 0], false);
        check([1, 0, 0, 0, 0, 0, 0, 3], false);
        check([0, 0, 0, 1, 3, 0, 0, 0], true);
    }
}
