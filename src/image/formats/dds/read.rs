//! DDS surfaces that are not compressed, row by row ("DDS file layout", "DDS_PIXELFORMAT" and "DDS_HEADER_DXT10" in the
//! documentation of Direct3D). Leaves compressed ones to the `image` crate, and never reads more than the first surface.

use crate::{
    error::Result,
    image::{
        adapter::read::{self as adapter, Codec},
        limits,
        pixels::{Channels, Depth, Layout, Rows, rows::check_row},
        source::{Header, Source, failed, head, rewind},
    },
    job::{Input, Job},
};
use image::{codecs::dds::DdsDecoder, metadata::Orientation};

/// Bytes of the signature and the header.
const HEADER: usize = 128;
/// Bytes of the header that follows it where the code is `DX10`.
const MORE: usize = 20;

/// Formats of the header `DX10` (DXGI_FORMAT) that are read here, as they are and in sRGB.
const R8G8B8A8_UNORM: u32 = 28;
const R8G8B8A8_UNORM_SRGB: u32 = 29;
const R8_UNORM: u32 = 61;
const B8G8R8A8_UNORM: u32 = 87;
const B8G8R8X8_UNORM: u32 = 88;
const B8G8R8A8_UNORM_SRGB: u32 = 91;
const B8G8R8X8_UNORM_SRGB: u32 = 93;

/// Alpha mode of that header: colour has been multiplied by alpha (`miscFlags2`, DDS_ALPHA_MODE_PREMULTIPLIED).
const PREMULTIPLIED: u32 = 2;

/// Flag of the header: the pitch is valid (DDSD_PITCH).
const HAS_PITCH: u32 = 8;

/// Flags of a pixel format: that it has alpha, nothing but alpha, a code, colours, or grey.
const ALPHA_PIXELS: u32 = 1;
const ALPHA: u32 = 2;
const CODE: u32 = 4;
const RGB: u32 = 0x40;
const LUMINANCE: u32 = 0x2_0000;

static CODEC: Codec = Codec {
    open: |input| Ok(Box::new(DdsDecoder::new(input)?)),
    memory: adapter::output_and_copy,
    density: Some(limits::PIXELS_PER_BYTE),
    lossless: false,
};

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

/// How pixels are stored: whole bytes, and in them the bits of each channel.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Pixels {
    bytes: usize,
    channels: Channels,
    /// Of the channels in their order. What has no bits is white or opaque.
    masks: [u32; 4],
}

impl Pixels {
    /// `None` for what is compressed, or unknown here.
    fn of(head: &[u8; HEADER], more: Option<&[u8; MORE]>) -> Option<Self> {
        let flags = word(head, 80);
        let masks = [92, 96, 100, 104].map(|at| word(head, at));
        let (flags, bits, [r, g, b, a]) = match more {
            Some(more) if word(more, 16) & 7 != PREMULTIPLIED => match word(more, 0) {
                R8G8B8A8_UNORM | R8G8B8A8_UNORM_SRGB => (
                    RGB | ALPHA_PIXELS,
                    32,
                    [0xff, 0xff00, 0xff_0000, 0xff00_0000],
                ),
                B8G8R8A8_UNORM | B8G8R8A8_UNORM_SRGB => (
                    RGB | ALPHA_PIXELS,
                    32,
                    [0xff_0000, 0xff00, 0xff, 0xff00_0000],
                ),
                B8G8R8X8_UNORM | B8G8R8X8_UNORM_SRGB => (RGB, 32, [0xff_0000, 0xff00, 0xff, 0]),
                R8_UNORM => (LUMINANCE, 8, [0xff, 0, 0, 0]),
                _ => return None,
            },
            None if flags & CODE == 0 => (flags, word(head, 88), masks),
            _ => return None,
        };
        let kinds = RGB | LUMINANCE | ALPHA | ALPHA_PIXELS;
        // The documentation has them so; other flags mean palettes and vectors.
        if word(head, 4) != 124 || word(head, 76) != 32 || flags & !kinds != 0 {
            return None;
        }
        let has_alpha = flags & ALPHA_PIXELS != 0;
        let (channels, masks) = match (flags & RGB != 0, flags & LUMINANCE != 0, has_alpha) {
            (true, _, true) => (Channels::Rgba, [r, g, b, a]),
            (true, _, false) => (Channels::Rgb, [r, g, b, 0]),
            (false, true, true) => (Channels::GreyAlpha, [r, a, 0, 0]),
            (false, true, false) => (Channels::Grey, [r, 0, 0, 0]),
            (false, false, _) if flags & ALPHA != 0 => (Channels::GreyAlpha, [0, a, 0, 0]),
            (false, false, _) => return None,
        };
        matches!(bits, 8 | 16 | 24 | 32).then_some(Self {
            bytes: bits as usize / 8,
            channels,
            masks,
        })
    }

    /// Whether samples lose bits.
    fn is_deep(&self) -> bool {
        self.masks.iter().any(|mask| mask.count_ones() > 8)
    }

    fn unpack(&self, source: &[u8], row: &mut [u8]) {
        let count = self.channels.count();
        for (pixel, bytes) in row
            .chunks_exact_mut(count)
            .zip(source.chunks_exact(self.bytes))
        {
            let mut value = [0; 4];
            value[..self.bytes].copy_from_slice(bytes);
            let value = u32::from_le_bytes(value);
            for (sample, mask) in pixel.iter_mut().zip(self.masks) {
                *sample = if mask == 0 { 255 } else { part(value, mask) };
            }
        }
    }
}

/// The bits of `value` under `mask`, which is not 0, as a sample of 8 bits.
fn part(value: u32, mask: u32) -> u8 {
    let shift = mask.trailing_zeros();
    let most = u64::from(mask >> shift);
    let value = u64::from((value & mask) >> shift);
    ((value * 255 + most / 2) / most) as u8
}

struct Dds<'a> {
    job: &'a Job<'a>,
    header: Header,
    input: &'a mut dyn Input,
    pixels: Pixels,
    /// One row, with what fills it up.
    line: Vec<u8>,
    row: u32,
}

pub(crate) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
) -> Result<Box<dyn Source<'a> + 'a>> {
    let head: [u8; HEADER] = head(job, input)?;
    let mut more = [0; MORE];
    let is_extended = word(&head, 80) & CODE != 0 && &head[84..88] == b"DX10";
    if is_extended {
        input
            .read_exact(&mut more)
            .map_err(|err| failed(job, err))?;
    }
    let Some(pixels) = Pixels::of(&head, is_extended.then_some(&more)) else {
        rewind(input)?;
        return adapter::open(job, input, &CODEC);
    };
    let (height, width) = (word(&head, 12), word(&head, 16));
    limits::check(job, width, height, Some(limits::PIXELS_PER_BYTE))?;
    let least = width as usize * pixels.bytes;
    // How many bytes rows have, if that is said. Only what fills them up to a multiple of four is believed.
    let pitch = word(&head, 20) as usize;
    let is_padded = word(&head, 8) & HAS_PITCH != 0 && pitch == least.next_multiple_of(4);
    let line = if is_padded { pitch } else { least };
    Ok(Box::new(Dds {
        job,
        header: Header {
            layout: Layout {
                width,
                height,
                channels: pixels.channels,
                depth: Depth::Eight,
            },
            orientation: Orientation::NoTransforms,
            icc: None,
            memory: line as u64,
            animated: false,
            lossless: !pixels.is_deep(),
        },
        input,
        pixels,
        line: vec![0; line],
        row: 0,
    }))
}

impl<'a> Source<'a> for Dds<'a> {
    fn header(&mut self) -> &mut Header {
        &mut self.header
    }

    fn decode(self: Box<Self>) -> Result<Box<dyn Rows + 'a>> {
        Ok(self)
    }
}

impl Rows for Dds<'_> {
    fn layout(&self) -> Layout {
        self.header.layout
    }

    fn next_row(&mut self, row: &mut [u8]) -> Result<()> {
        check_row(self.job, self.row)?;
        self.row += 1;
        self.input
            .read_exact(&mut self.line)
            .map_err(|err| failed(self.job, err))?;
        self.pixels.unpack(&self.line, row);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(flags: u32, bits: u32, masks: [u32; 4], source: &[u8], expected: &[u8]) {
        let mut head = [0; HEADER];
        let mut put = |at: usize, word: u32| head[at..at + 4].copy_from_slice(&word.to_le_bytes());
        put(4, 124);
        put(76, 32);
        put(80, flags);
        put(88, bits);
        for (at, mask) in masks.into_iter().enumerate() {
            put(92 + 4 * at, mask);
        }
        let pixels = Pixels::of(&head, None).unwrap();
        let mut row = vec![0; expected.len()];
        pixels.unpack(source, &mut row);
        assert_eq!(row, expected);
    }

    #[test]
    fn channels_are_where_their_masks_say() {
        let bgra = [0xff_0000, 0xff00, 0xff, 0xff00_0000];
        check(0x41, 32, bgra, &[3, 2, 1, 9], &[1, 2, 3, 9]);
        check(0x40, 32, bgra, &[3, 2, 1, 9], &[1, 2, 3]);
        check(0x40, 24, bgra, &[3, 2, 1, 6, 5, 4], &[1, 2, 3, 4, 5, 6]);
        let r5g6b5 = [0xf800, 0x07e0, 0x1f, 0];
        check(0x40, 16, r5g6b5, &[0x1f, 0xf8], &[255, 0, 255]);
        check(0x40, 16, r5g6b5, &[0xe0, 0x07], &[0, 255, 0]);
        let a1r5g5b5 = [0x7c00, 0x03e0, 0x1f, 0x8000];
        check(0x41, 16, a1r5g5b5, &[0, 0x80], &[0, 0, 0, 255]);
        let a2b10g10r10 = [0x3ff, 0xf_fc00, 0x3ff0_0000, 0xc000_0000];
        check(0x41, 32, a2b10g10r10, &[0xff, 3, 0, 0x40], &[255, 0, 0, 85]);
        check(0x2_0000, 8, [0xff, 0, 0, 0], &[7, 8], &[7, 8]);
        check(0x2_0001, 16, [0xff, 0, 0, 0xff00], &[7, 8], &[7, 8]);
        check(2, 8, [0, 0, 0, 0xff], &[7], &[255, 7]);
    }
}
