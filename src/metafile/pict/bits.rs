//! Decodes bitmaps and pixel maps of QuickDraw, with indexed or direct colours and lines that are packed one by one.
//! Does not trust the numbers in their headers: a bitmap that is larger than its bytes allow is ignored.

use super::{
    super::{dib::Pixels, objects::Rgb},
    input::Input,
};
use convertd_core::coding::pack_bits;

/// Largest number of pixels of a bitmap.
const MAX_PIXELS: usize = 16 << 20;

/// Least length of a line that is packed, in bytes.
const MIN_PACKED: usize = 8;
/// Largest length of a line whose packed length is stored in one byte, in bytes. Longer lines have two bytes for it.
const MAX_SHORT: usize = 250;

/// Header of a bitmap or a pixel map.
pub(super) struct Header {
    /// Number of bytes in an unpacked line.
    stride: usize,
    /// Left, top, right and bottom edge of the bitmap. The rectangle to be drawn is stated in the same coordinates.
    pub(super) bounds: [f64; 4],
    /// Number of bits in a pixel.
    depth: u16,
    /// Number of components in a pixel of a pixel map.
    parts: u16,
    /// Packing type of a pixel map: 1 is unpacked, 2 is unpacked without the unused byte of 32-bit pixels; all others
    /// are packed.
    packing: u16,
    /// Whether it is a bitmap with one bit per pixel, which is drawn in the foreground and background colours.
    pub(super) plain: bool,
    palette: Vec<Rgb>,
}

impl Header {
    /// Reads a bitmap, or a pixel map with its palette. `direct` pixel maps have no palette.
    pub(super) fn read(input: &mut Input<'_>, direct: bool) -> Option<Self> {
        if direct {
            // `baseAddr`, a pointer that has no meaning in a file.
            input.take(4)?;
        }
        let stride = input.u16()?;
        let bounds = input.rectangle()?;
        let mut header = Self {
            stride: usize::from(stride & 0x3fff),
            bounds,
            depth: 1,
            parts: 1,
            packing: 0,
            plain: true,
            palette: Vec::new(),
        };
        if stride & 0x8000 == 0 && !direct {
            return Some(header);
        }
        input.take(2)?;
        header.packing = input.u16()?;
        input.take(4 + 8 + 2)?;
        header.depth = input.u16()?;
        header.parts = input.u16()?;
        input.take(2 + 12)?;
        header.plain = false;
        if !direct {
            header.palette = palette(input)?;
        }
        Some(header)
    }

    /// Width and height in pixels, if they are within the limit, and a line has enough bytes for its pixels.
    fn dimensions(&self) -> Option<(usize, usize)> {
        let [left, top, right, bottom] = self.bounds;
        let (width, height) = ((right - left).max(0.0), (bottom - top).max(0.0));
        let (width, height) = (width as usize, height as usize);
        let fits = width * usize::from(self.depth) <= self.stride * 8;
        let pixels = width * height;
        (fits && pixels > 0 && pixels <= MAX_PIXELS).then_some((width, height))
    }

    /// Reads the pixels. Long lines are packed if `packed` is set. Set bits of a bitmap get the colour `front`.
    pub(super) fn pixels(
        &self,
        input: &mut Input<'_>,
        packed: bool,
        (front, back): (Rgb, Rgb),
    ) -> Option<Pixels> {
        let (width, height) = self.dimensions()?;
        // PackBits expands data less than 128 times: at most two bytes to 128, or three bytes to 256 with 16-bit units.
        if self.stride.saturating_mul(height) > input.rest().len().saturating_mul(128) {
            return None;
        }
        let plain = [back, front];
        let palette = match self.plain {
            true => &plain[..],
            false => &self.palette,
        };
        let mut samples = Vec::with_capacity(width * height * 4);
        let mut line = Vec::new();
        for _ in 0..height {
            // If the bitmap is cut short, the remaining lines are transparent.
            if self.line(input, packed, &mut line).is_none() {
                break;
            }
            for x in 0..width {
                samples.extend(self.pixel(&line, x, palette));
            }
        }
        samples.resize(width * height * 4, 0);
        Some(Pixels {
            width,
            height,
            samples,
        })
    }

    /// Reads a line, and unpacks it.
    fn line(&self, input: &mut Input<'_>, packed: bool, line: &mut Vec<u8>) -> Option<()> {
        line.clear();
        let is_short = self.stride < MIN_PACKED;
        let len = match (self.depth, self.packing) {
            _ if is_short => self.stride,
            // Three or four bytes per pixel: packing type 2 drops the unused byte, and types 0 and 4 store the
            // components one after another.
            (32, 2) => self.stride / 4 * 3,
            (32, 0 | 4) => self.stride / 4 * usize::from(self.parts.clamp(3, 4)),
            _ => self.stride,
        };
        if !packed || is_short || matches!(self.packing, 1 | 2) {
            line.extend_from_slice(input.take(len)?);
            return Some(());
        }
        let stored = match self.stride > MAX_SHORT {
            true => input.u16()?.into(),
            false => input.u8()?.into(),
        };
        let stored = input.take(stored)?;
        line.resize(len, 0);
        match self.depth {
            16 => pack_bits::unpack::<2>(stored, line),
            _ => pack_bits::unpack::<1>(stored, line),
        };
        Some(())
    }

    /// Colour of a pixel. The components of 32-bit pixels with packing type 0 or 4 are stored one after another in each
    /// line.
    fn pixel(&self, line: &[u8], x: usize, palette: &[Rgb]) -> [u8; 4] {
        let byte = |at: usize| line.get(at).copied().unwrap_or(0);
        let [red, green, blue] = match self.depth {
            16 => {
                let value = u16::from_be_bytes([byte(x * 2), byte(x * 2 + 1)]);
                [10, 5, 0].map(|shift| {
                    let five = (value >> shift & 31) as u8;
                    five << 3 | five >> 2
                })
            }
            24 | 32 => {
                let is_packed = self.stride >= MIN_PACKED;
                match self.packing {
                    0 | 4 if is_packed => {
                        let first = usize::from(self.parts.clamp(3, 4)) - 3;
                        let plane = self.stride / 4;
                        [0, 1, 2].map(|part| byte((first + part) * plane + x))
                    }
                    2 if is_packed => [0, 1, 2].map(|part| byte(x * 3 + part)),
                    _ => [1, 2, 3].map(|part| byte(x * 4 + part)),
                }
            }
            depth => {
                let depth = usize::from(depth).clamp(1, 8);
                let shift = 8 - depth - x * depth % 8;
                let index = byte(x * depth / 8) >> shift & ((1_u16 << depth) - 1) as u8;
                palette.get(usize::from(index)).copied().unwrap_or([0; 3])
            }
        };
        [red, green, blue, 255]
    }
}

/// Reads a colour table. Each colour has its index, except in the table of a device, where colours are in order.
fn palette(input: &mut Input<'_>) -> Option<Vec<Rgb>> {
    input.take(4)?;
    let in_order = input.u16()? & 0x8000 != 0;
    let last = input.u16()?;
    let mut palette = vec![[0; 3]; 256];
    for nth in 0..=usize::from(last.min(4095)) {
        let value = usize::from(input.u16()?);
        let colour = input.colour()?;
        let at = if in_order { nth } else { value };
        if let Some(entry) = palette.get_mut(at) {
            *entry = colour;
        }
    }
    Some(palette)
}
