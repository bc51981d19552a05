//! Decodes device-independent bitmaps (MS-WMF 2.2.2.9) to pixels. Does not trust the numbers in their headers: an
//! uncompressed bitmap is rejected if any row but the last is incomplete.

use super::bytes::Bytes;
use png::{BitDepth, ColorType, Compression, Encoder};

/// Largest number of pixels of a bitmap.
const MAX_PIXELS: u64 = 16 << 20;

/// Decoded pixels in rows from the top: red, green, blue and opacity.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pixels {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) samples: Vec<u8>,
}

/// Header of a bitmap.
struct Header<'b> {
    bytes: Bytes<'b>,
    /// The length of the header in bytes.
    size: usize,
    width: i64,
    /// Negative if the first row is the top one.
    height: i64,
    /// Bits per pixel.
    depth: u16,
    compression: u32,
    /// Number of colours in the palette, or 0 for the largest number that the depth allows.
    used: usize,
}

/// `BI_BITFIELDS`: masks state the bits of each colour.
const MASKED: u32 = 3;

impl<'b> Header<'b> {
    /// Reads a `BITMAPCOREHEADER` (12 bytes), or a `BITMAPINFOHEADER` or one of its successors.
    fn read(bytes: Bytes<'b>) -> Option<Self> {
        let size = bytes.u32(0)? as usize;
        Some(if size == 12 {
            Self {
                bytes,
                size,
                width: bytes.u16(4)?.into(),
                height: bytes.i16(6)?.into(),
                depth: bytes.u16(10)?,
                compression: 0,
                used: 0,
            }
        } else {
            Self {
                bytes,
                size,
                width: bytes.i32(4)?.into(),
                height: bytes.i32(8)?.into(),
                depth: bytes.u16(14)?,
                compression: bytes.u32(16)?,
                used: bytes.u32(32)? as usize,
            }
        })
    }

    /// Width and height in pixels, if the bitmap is within the limit.
    fn dimensions(&self) -> Option<(usize, usize)> {
        let (width, height) = (self.width.unsigned_abs(), self.height.unsigned_abs());
        let pixels = width.checked_mul(height)?;
        (1..=MAX_PIXELS)
            .contains(&pixels)
            .then_some((width as usize, height as usize))
    }

    /// Length of an entry of the palette in bytes.
    fn colour_len(&self) -> usize {
        if self.size == 12 { 3 } else { 4 }
    }

    /// Number of entries after the header. They are a palette, or, if pixels are not indices, only a hint for displays
    /// with few colours.
    fn colours(&self) -> usize {
        match (self.depth, self.used) {
            (0..=8, 0) => 1 << self.depth,
            (_, used) => used.min(4096),
        }
    }

    /// The palette of indexed pixels. Missing entries are black.
    fn palette(&self) -> Vec<[u8; 4]> {
        let colour = |nth: usize| {
            let at = self.size + nth * self.colour_len();
            let part = |nth: usize| self.bytes.u8(at + nth).unwrap_or(0);
            [part(2), part(1), part(0), 255]
        };
        match self.depth {
            0..=8 => (0..self.colours().min(256)).map(colour).collect(),
            _ => Vec::new(),
        }
    }

    /// Coding of a pixel. `None` for unknown depths. `alpha` is whether 32-bit pixels have opacity in their highest
    /// byte.
    fn coding(&self, alpha: bool) -> Option<Coding> {
        // Masks follow the fields of a `BITMAPINFOHEADER`. Without masks, `default` applies.
        let masks = |default: [u32; 3]| {
            if self.compression != MASKED {
                return Some(default);
            }
            Some([
                self.bytes.u32(40)?,
                self.bytes.u32(44)?,
                self.bytes.u32(48)?,
            ])
        };
        Some(match self.depth {
            1 | 4 | 8 => Coding::Index(self.depth.into(), self.palette()),
            16 => Coding::Short(masks([0x7c00, 0x3e0, 0x1f])?),
            24 => Coding::Bytes,
            32 => Coding::Long(masks([0xff_0000, 0xff00, 0xff])?, alpha),
            _ => return None,
        })
    }
}

/// Coding of a pixel.
enum Coding {
    /// An index of this many bits into a palette.
    Index(usize, Vec<[u8; 4]>),
    /// 16 bits, with masks for red, green and blue.
    Short([u32; 3]),
    /// Three bytes: blue, green and red.
    Bytes,
    /// 32 bits with masks, and, if the flag is set, opacity in the highest byte.
    Long([u32; 3], bool),
}

impl Coding {
    /// Decodes a pixel of a row.
    fn pixel(&self, row: Bytes<'_>, x: usize) -> [u8; 4] {
        match self {
            Self::Index(bits, palette) => {
                let byte = usize::from(row.u8(x * bits / 8).unwrap_or(0));
                let shift = 8 - bits - x * bits % 8;
                let index = byte >> shift & ((1 << bits) - 1);
                palette.get(index).copied().unwrap_or([0, 0, 0, 255])
            }
            Self::Short(masks) => masked(row.u16(x * 2).unwrap_or(0).into(), *masks),
            Self::Bytes => {
                let part = |nth: usize| row.u8(x * 3 + nth).unwrap_or(0);
                [part(2), part(1), part(0), 255]
            }
            Self::Long(masks, alpha) => {
                let value = row.u32(x * 4).unwrap_or(0);
                let [red, green, blue, opaque] = masked(value, *masks);
                let opacity = if *alpha { (value >> 24) as u8 } else { opaque };
                [red, green, blue, opacity]
            }
        }
    }
}

/// Decodes a bitmap from its header and its pixels. `alpha` is whether 32-bit pixels have opacity in their highest
/// byte. `None` if the bitmap is damaged or of an unsupported kind.
pub(super) fn read(header: Bytes<'_>, bits: Bytes<'_>, alpha: bool) -> Option<Pixels> {
    let header = Header::read(header)?;
    let (width, height) = header.dimensions()?;
    let coding = header.coding(alpha)?;
    let stride = (width * usize::from(header.depth)).div_ceil(32) * 4;
    let unpacked;
    let bytes = match header.compression {
        // BI_RGB is 0, BI_RLE8 is 1, BI_RLE4 is 2.
        0 | MASKED => bits.0,
        1 | 2 => {
            unpacked = runs(bits.0, stride, height, header.compression == 2)?;
            &unpacked
        }
        _ => return None,
    };
    // A last row that is cut short is accepted; its missing bytes count as 0.
    if (bytes.len() as u64) < (stride as u64) * (height as u64 - 1) {
        return None;
    }
    let mut samples = Vec::with_capacity(width * height * 4);
    for row in 0..height {
        let from_top = header.height < 0;
        let row = if from_top { row } else { height - 1 - row };
        let row = Bytes(bytes.get(row * stride..).unwrap_or_default());
        samples.extend((0..width).flat_map(|x| coding.pixel(row, x)));
    }
    if matches!(coding, Coding::Long(_, true)) {
        unmultiply(&mut samples);
    }
    Some(Pixels {
        width,
        height,
        samples,
    })
}

/// Offset of the pixels from the beginning of the header, if they follow it.
pub(super) fn offset(header: Bytes<'_>) -> Option<usize> {
    let header = Header::read(header)?;
    let has_masks = header.compression == MASKED && header.size == 40;
    let masks = if has_masks { 12 } else { 0 };
    header
        .size
        .checked_add(header.colours() * header.colour_len() + masks)
}

/// Divides colours by their opacity. The colours in the source of `EMR_ALPHABLEND` have been multiplied by their
/// opacity.
fn unmultiply(samples: &mut [u8]) {
    for [red, green, blue, alpha] in samples.as_chunks_mut::<4>().0 {
        let of = |part: u8| (u32::from(part) * 255 / u32::from(*alpha).max(1)).min(255) as u8;
        (*red, *green, *blue) = (of(*red), of(*green), of(*blue));
    }
}

/// Extracts the colours of a pixel by their masks, scaled to 8 bits.
fn masked(value: u32, masks: [u32; 3]) -> [u8; 4] {
    let [red, green, blue] = masks.map(|mask| {
        if mask == 0 {
            return 0;
        }
        let part = (value & mask) >> mask.trailing_zeros();
        let most = mask >> mask.trailing_zeros();
        (u64::from(part) * 255 / u64::from(most)) as u8
    });
    [red, green, blue, 255]
}

/// Decompresses run-length coding (MS-WMF 3.1.6) of pixels with 4 bits (`halves`) or 8 bits.
fn runs(bytes: &[u8], stride: usize, height: usize, halves: bool) -> Option<Vec<u8>> {
    let mut out = vec![0; stride.checked_mul(height)?];
    let (mut x, mut y) = (0_usize, 0_usize);
    let mut put = |x: usize, y: usize, value: u8| {
        let (at, shift) = if halves {
            (x / 2, 4 * (1 - x % 2))
        } else {
            (x, 0)
        };
        if at < stride
            && let Some(byte) = out.get_mut(y * stride + at)
        {
            *byte |= if halves { (value & 15) << shift } else { value };
        }
    };
    let mut rest = bytes.iter().copied();
    while let (Some(count), Some(value)) = (rest.next(), rest.next()) {
        let nibble = |value: u8, nth: usize| match (halves, nth % 2) {
            (false, _) => value,
            (true, 0) => value >> 4,
            (true, _) => value & 15,
        };
        match (count, value) {
            // The escapes: end of a row, end of the bitmap, a jump right and up, and pixels without a run, padded to an
            // even length.
            (0, 0) => (x, y) = (0, y + 1),
            (0, 1) => break,
            (0, 2) => {
                x += usize::from(rest.next()?);
                y += usize::from(rest.next()?);
            }
            (0, count) => {
                let count = usize::from(count);
                let len = if halves { count.div_ceil(2) } else { count };
                let own: Vec<u8> = rest.by_ref().take(len + len % 2).collect();
                for nth in 0..count {
                    let byte = own
                        .get(if halves { nth / 2 } else { nth })
                        .copied()
                        .unwrap_or(0);
                    put(x + nth, y, nibble(byte, nth));
                }
                x += count;
            }
            (count, value) => {
                for nth in 0..usize::from(count) {
                    put(x + nth, y, nibble(value, nth));
                }
                x += usize::from(count);
            }
        }
        if y >= height {
            break;
        }
    }
    Some(out)
}

impl Pixels {
    /// The part of the bitmap in this rectangle. The whole bitmap if the rectangle is empty or begins outside of it.
    pub(super) fn cropped(self, left: usize, top: usize, width: usize, height: usize) -> Self {
        let whole = left == 0 && top == 0 && width >= self.width && height >= self.height;
        if whole || left >= self.width || top >= self.height || width == 0 || height == 0 {
            return self;
        }
        let (width, height) = (width.min(self.width - left), height.min(self.height - top));
        let rows = (top..top + height).flat_map(|row| {
            let start = (row * self.width + left) * 4;
            &self.samples[start..start + width * 4]
        });
        let samples = rows.copied().collect();
        Self {
            width,
            height,
            samples,
        }
    }

    /// A copy of the bitmap in two colours: `light` for pixels whose red is above 127, and `dark` for the others.
    pub(super) fn coloured(&self, light: [u8; 3], dark: [u8; 3]) -> Self {
        let pixels = self.samples.as_chunks::<4>().0.iter();
        let pixels = pixels.flat_map(|pixel| {
            let [red, green, blue] = if pixel[0] > 127 { light } else { dark };
            [red, green, blue, 255]
        });
        Self {
            samples: pixels.collect(),
            ..*self
        }
    }

    /// The colour of the bitmap, if all pixels have the same colour.
    pub(super) fn plain(&self) -> Option<[u8; 3]> {
        let (first, rest) = self.samples.as_chunks::<4>().0.split_first()?;
        let [red, green, blue, _] = *first;
        rest.iter()
            .all(|pixel| pixel == first)
            .then_some([red, green, blue])
    }

    /// Encodes the bitmap as a PNG file.
    pub(super) fn png(&self) -> Option<Vec<u8>> {
        let mut file = Vec::new();
        let mut encoder = Encoder::new(&mut file, self.width as u32, self.height as u32);
        encoder.set_color(ColorType::Rgba);
        encoder.set_depth(BitDepth::Eight);
        encoder.set_compression(Compression::Fast);
        let mut writer = encoder.write_header().ok()?;
        writer.write_image_data(&self.samples).ok()?;
        writer.finish().ok()?;
        Some(file)
    }
}
