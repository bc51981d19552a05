//! Surfaces of uncompressed pixels with a bit mask for each channel ("DDS_PIXELFORMAT" in the documentation of
//! Direct3D), read row by row. Accepts any masks.

use crate::{
    limits,
    pixels::{Channels, Depth, Layout, Rows, rows::check_row},
    source::{self, Source, failed},
};
use convertd_core::{
    error::Result,
    job::{Input, Job},
};
use dds::{
    Format,
    header::{DdsFlags, DxgiFormat, PixelFormatFlags, RawHeader},
};
use image::metadata::Orientation;

/// Layout of a pixel: its number of bytes, and the bits of each channel in them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pixels {
    bytes: usize,
    channels: Channels,
    depth: Depth,
    samples: [Sample; 4],
}

/// Bits of a channel.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Sample {
    mask: u32,
    /// Whether a sample whose mask has no bits has the largest value (white or opaque) instead of 0.
    full: bool,
}

impl Pixels {
    /// Returns the layout that a header states. `None` for formats with a code instead of masks (except the code for
    /// alpha alone), for palettes, for vectors, and for pixels that are not of 8, 16, 24 or 32 bits.
    pub(super) fn of(header: &RawHeader) -> Option<Self> {
        let format = &header.pixel_format;
        let extended = header.dx10.as_ref().map(|more| more.dxgi_format);
        let (flags, bits, masks) = match extended {
            // The only code that is accepted stands for alpha alone, which older files describe by a mask.
            Some(code) if code == u32::from(DxgiFormat::A8_UNORM) => {
                (PixelFormatFlags::ALPHA, 8, [0, 0, 0, 0xff])
            }
            Some(_) => return None,
            None => {
                let masks = [
                    format.r_bit_mask,
                    format.g_bit_mask,
                    format.b_bit_mask,
                    format.a_bit_mask,
                ];
                (format.flags, format.rgb_bit_count, masks)
            }
        };
        let kinds = PixelFormatFlags::RGBA
            .union(PixelFormatFlags::LUMINANCE)
            .union(PixelFormatFlags::ALPHA);
        if !kinds.contains(flags) || !matches!(bits, 8 | 16 | 24 | 32) {
            return None;
        }
        let is_rgb = flags.contains(PixelFormatFlags::RGB);
        let is_grey = flags.contains(PixelFormatFlags::LUMINANCE);
        let has_alpha = flags.contains(PixelFormatFlags::ALPHAPIXELS);
        let [r, g, b, a] = match masks {
            [0, 0, 0, a] if is_rgb => default_masks(bits, has_alpha, a),
            // Some writers state a mask for grey that lies outside of the pixel. Then the whole pixel is grey.
            [grey, _, _, _] if is_grey && bits == 8 && grey & 0xff == 0 => [0xff, 0, 0, 0],
            masks => masks,
        };
        let colour = |mask| Sample { mask, full: false };
        let alpha = |mask| Sample { mask, full: true };
        let none = Sample::default();
        let (channels, samples) = match (is_rgb, is_grey, has_alpha) {
            (true, _, true) => (Channels::Rgba, [colour(r), colour(g), colour(b), alpha(a)]),
            (true, _, false) => (Channels::Rgb, [colour(r), colour(g), colour(b), none]),
            (false, true, true) => (Channels::GreyAlpha, [colour(r), alpha(a), none, none]),
            (false, true, false) => (Channels::Grey, [colour(r), none, none, none]),
            // Alpha alone is shown as white with that alpha.
            (false, false, _) if flags.contains(PixelFormatFlags::ALPHA) => {
                (Channels::GreyAlpha, [alpha(0), alpha(a), none, none])
            }
            (false, false, _) => return None,
        };
        let is_deep = samples.iter().any(|sample| sample.mask.count_ones() > 8);
        Some(Self {
            bytes: bits as usize / 8,
            channels,
            depth: if is_deep {
                Depth::Sixteen
            } else {
                Depth::Eight
            },
            samples,
        })
    }

    /// Returns whether the crate `dds`, which knows the format as `known`, reads these pixels with the same channels.
    /// Never true for grey with alpha, which the crate takes for red and green, and for alpha alone, which it makes
    /// black.
    pub(super) fn is_like(&self, known: Option<Format>) -> bool {
        known.is_some_and(|known| {
            matches!(
                (self.channels, known.channels()),
                (Channels::Grey, dds::Channels::Grayscale)
                    | (Channels::Rgb, dds::Channels::Rgb)
                    | (Channels::Rgba, dds::Channels::Rgba)
            )
        })
    }

    /// Returns whether rows are padded to a multiple of four bytes, and the header says so. Any other pitch is ignored,
    /// because many writers set a wrong one.
    pub(super) fn is_padded(&self, header: &RawHeader) -> bool {
        let least = header.width as usize * self.bytes;
        let pitch = header.pitch_or_linear_size as usize;
        header.flags.contains(DdsFlags::PITCH)
            && pitch != least
            && pitch == least.next_multiple_of(4)
    }

    /// Converts a row of pixels whose samples are described by bit masks.
    fn unpack(&self, source: &[u8], row: &mut [u8]) {
        let pixels = source.chunks_exact(self.bytes).map(|bytes| {
            let mut value = [0; 4];
            value[..self.bytes].copy_from_slice(bytes);
            u32::from_le_bytes(value)
        });
        let count = self.channels.count();
        if self.depth == Depth::Eight {
            for (pixel, value) in row.chunks_exact_mut(count).zip(pixels) {
                for (to, sample) in pixel.iter_mut().zip(self.samples) {
                    *to = sample.of(value, 0xff) as u8;
                }
            }
        } else {
            for (pixel, value) in row.chunks_exact_mut(2 * count).zip(pixels) {
                for (to, sample) in pixel.chunks_exact_mut(2).zip(self.samples) {
                    to.copy_from_slice(&(sample.of(value, 0xffff) as u16).to_ne_bytes());
                }
            }
        }
    }
}

impl Sample {
    /// Returns the bits of `value` under the mask, scaled to 0..=`white`. Without a mask, see [`Sample::full`].
    fn of(self, value: u32, white: u32) -> u32 {
        if self.mask == 0 {
            return if self.full { white } else { 0 };
        }
        let shift = self.mask.trailing_zeros();
        let (value, most) = ((value & self.mask) >> shift, self.mask >> shift);
        if most == white {
            return value;
        }
        let most = u64::from(most);
        ((u64::from(value) * u64::from(white) + most / 2) / most) as u32
    }
}

/// Returns the masks for a header without colour masks: those of the most common Direct3D formats. Pixels of 8 bits
/// have no default for colours.
fn default_masks(bits: u32, has_alpha: bool, alpha: u32) -> [u32; 4] {
    match (bits, has_alpha) {
        (16, true) => [0x7c00, 0x03e0, 0x1f, 0x8000],
        (16, false) => [0xf800, 0x07e0, 0x1f, 0],
        (24, _) => [0xff_0000, 0xff00, 0xff, 0],
        (32, true) if alpha == 0 => [0xff_0000, 0xff00, 0xff, 0xff00_0000],
        (32, _) => [0xff_0000, 0xff00, 0xff, alpha],
        _ => [0, 0, 0, alpha],
    }
}

/// A surface with masks.
struct Surface<'a> {
    job: &'a Job<'a>,
    header: source::Header,
    left_out: Option<String>,
    input: &'a mut dyn Input,
    pixels: Pixels,
    /// The current row as stored, including its padding.
    line: Vec<u8>,
    row: u32,
}

/// Opens the surface that starts at the current position of `input`.
pub(super) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
    header: &RawHeader,
    pixels: Pixels,
    left_out: Option<String>,
) -> Result<Box<dyn Source<'a> + 'a>> {
    let (width, height) = (header.width, header.height);
    limits::check(job, width, height, Some(limits::PIXELS_PER_BYTE))?;
    let least = width as usize * pixels.bytes;
    let line = if pixels.is_padded(header) {
        least.next_multiple_of(4)
    } else {
        least
    };
    Ok(Box::new(Surface {
        job,
        header: source::Header {
            layout: Layout {
                width,
                height,
                channels: pixels.channels,
                depth: pixels.depth,
            },
            orientation: Orientation::NoTransforms,
            icc: None,
            memory: line as u64,
            animated: false,
            lossless: true,
        },
        left_out,
        input,
        pixels,
        line: vec![0; line],
        row: 0,
    }))
}

impl<'a> Source<'a> for Surface<'a> {
    fn header(&mut self) -> &mut source::Header {
        &mut self.header
    }

    fn notes(&self) -> Vec<String> {
        self.left_out.iter().cloned().collect()
    }

    fn decode(self: Box<Self>) -> Result<Box<dyn Rows + 'a>> {
        Ok(self)
    }
}

impl Rows for Surface<'_> {
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
        let mut head = [0; 124];
        let mut put = |at: usize, word: u32| head[at..at + 4].copy_from_slice(&word.to_le_bytes());
        put(0, 124);
        put(72, 32);
        put(76, flags);
        put(84, bits);
        for (at, mask) in masks.into_iter().enumerate() {
            put(88 + 4 * at, mask);
        }
        let header = RawHeader::read(&mut &head[..]).unwrap();
        let pixels = Pixels::of(&header).unwrap();
        let mut row = vec![0; expected.len()];
        pixels.unpack(source, &mut row);
        assert_eq!(row, expected);
    }

    /// The bytes of samples of 16 bits.
    fn deep(samples: &[u16]) -> Vec<u8> {
        samples.iter().flat_map(|one| one.to_ne_bytes()).collect()
    }

    #[test]
    fn channels_follow_their_masks() {
        let bgra = [0xff_0000, 0xff00, 0xff, 0xff00_0000];
        check(0x41, 32, bgra, &[3, 2, 1, 9], &[1, 2, 3, 9]);
        check(0x40, 32, bgra, &[3, 2, 1, 9], &[1, 2, 3]);
        check(0x40, 24, bgra, &[3, 2, 1, 6, 5, 4], &[1, 2, 3, 4, 5, 6]);
        let r5g6b5 = [0xf800, 0x07e0, 0x1f, 0];
        check(0x40, 16, r5g6b5, &[0x1f, 0xf8], &[255, 0, 255]);
        check(0x40, 16, r5g6b5, &[0xe0, 0x07], &[0, 255, 0]);
        let a1r5g5b5 = [0x7c00, 0x03e0, 0x1f, 0x8000];
        check(0x41, 16, a1r5g5b5, &[0, 0x80], &[0, 0, 0, 255]);
        check(0x2_0000, 8, [0xff, 0, 0, 0], &[7, 8], &[7, 8]);
        check(0x2_0001, 16, [0xff, 0, 0, 0xff00], &[7, 8], &[7, 8]);
        check(2, 8, [0, 0, 0, 0xff], &[7], &[255, 7]);
    }

    #[test]
    fn more_than_eight_bits_are_kept() {
        let a2b10g10r10 = [0x3ff, 0xf_fc00, 0x3ff0_0000, 0xc000_0000];
        let white = deep(&[0xffff, 0, 0, 0x5555]);
        check(0x41, 32, a2b10g10r10, &[0xff, 3, 0, 0x40], &white);
        check(0x2_0000, 16, [0xffff, 0, 0, 0], &[1, 2], &deep(&[0x201]));
    }

    #[test]
    fn empty_masks_have_defaults() {
        // A colour whose mask has no bits is 0.
        check(0x40, 16, [0xff, 0xff00, 0, 0], &[7, 8], &[7, 8, 0]);
        // A grey mask altogether outside of the pixel counts as the whole pixel.
        check(0x2_0000, 8, [0xff00_0000; 4], &[7], &[7]);
        // Alpha without bits is opaque.
        check(0x2_0001, 8, [0xff, 0, 0, 0], &[7], &[7, 255]);
        // Without any masks, colours have their usual order.
        check(0x40, 24, [0; 4], &[3, 2, 1], &[1, 2, 3]);
        check(0x40, 32, [0; 4], &[3, 2, 1, 9], &[1, 2, 3]);
        check(0x41, 32, [0; 4], &[3, 2, 1, 9], &[1, 2, 3, 9]);
        check(0x40, 16, [0; 4], &[0x1f, 0xf8], &[255, 0, 255]);
    }
}
