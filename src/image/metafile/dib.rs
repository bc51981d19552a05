//! Bitmaps without a file (MS-WMF 2.2.2.9) as pixels. Trusts none of their numbers: a bitmap that says it is larger than its bytes is
//! none.

use super::bytes::Bytes;
use png::{BitDepth, ColorType, Compression, Encoder};

/// The most pixels of a bitmap.
const MAX_PIXELS: u64 = 16 << 20;

/// Pixels: red, green, blue and opacity, from the top.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pixels {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) samples: Vec<u8>,
}

/// The pixels of a bitmap by its header, and where its bits are. `None` if it is damaged or of a kind that is not read.
pub(super) fn read(header: Bytes<'_>, bits: Bytes<'_>, alpha: bool) -> Option<Pixels> {
    let size = header.u32(0)? as usize;
    let (width, height, depth, compression, used) = match size {
        12 => (
            i64::from(header.u16(4)?),
            i64::from(header.i16(6)?),
            header.u16(10)?,
            0,
            0,
        ),
        _ => (
            i64::from(header.i32(4)?),
            i64::from(header.i32(8)?),
            header.u16(14)?,
            header.u32(16)?,
            header.u32(32)? as usize,
        ),
    };
    let from_top = height < 0;
    let (width, height) = (width.unsigned_abs(), height.unsigned_abs());
    if width == 0 || height == 0 || width.checked_mul(height)? > MAX_PIXELS {
        return None;
    }
    let (width, height) = (width as usize, height as usize);
    let entry = if size == 12 { 3 } else { 4 };
    let masks = if compression == 3 {
        [header.u32(40)?, header.u32(44)?, header.u32(48)?]
    } else {
        [0; 3]
    };
    let colours = if depth <= 8 {
        if used == 0 { 1 << depth } else { used.min(256) }
    } else {
        0
    };
    let colour = |at: usize| {
        let at = size + at * entry;
        let part = |nth: usize| header.u8(at + nth).unwrap_or(0);
        [part(2), part(1), part(0), 255]
    };
    let palette: Vec<[u8; 4]> = (0..colours).map(colour).collect();
    let stride = (width * usize::from(depth)).div_ceil(32) * 4;
    let unpacked;
    let bytes = match compression {
        0 | 3 => bits.0,
        1 | 2 => {
            unpacked = runs(bits.0, stride, height, compression == 2)?;
            &unpacked
        }
        _ => return None,
    };
    // A last row that is cut short is padded.
    if (bytes.len() as u64) < (stride as u64) * (height as u64).saturating_sub(1) {
        return None;
    }
    let mut samples = Vec::with_capacity(width * height * 4);
    for row in 0..height {
        let row = if from_top { row } else { height - 1 - row };
        let row = Bytes(bytes.get(row * stride..).unwrap_or_default());
        for x in 0..width {
            let indexed = |value: usize| palette.get(value).copied().unwrap_or([0, 0, 0, 255]);
            let pixel = match depth {
                1 => indexed(usize::from(row.u8(x / 8).unwrap_or(0) >> (7 - x % 8) & 1)),
                4 => indexed(usize::from(
                    row.u8(x / 2).unwrap_or(0) >> (4 * (1 - x % 2)) & 15,
                )),
                8 => indexed(usize::from(row.u8(x).unwrap_or(0))),
                16 => {
                    let value = u32::from(row.u16(x * 2).unwrap_or(0));
                    let masks = if compression == 3 {
                        masks
                    } else {
                        [0x7c00, 0x3e0, 0x1f]
                    };
                    masked(value, masks)
                }
                24 => {
                    let part = |nth: usize| row.u8(x * 3 + nth).unwrap_or(0);
                    [part(2), part(1), part(0), 255]
                }
                32 => {
                    let value = row.u32(x * 4).unwrap_or(0);
                    let masks = if compression == 3 {
                        masks
                    } else {
                        [0xff_0000, 0xff00, 0xff]
                    };
                    let [red, green, blue, _] = masked(value, masks);
                    [
                        red,
                        green,
                        blue,
                        if alpha { (value >> 24) as u8 } else { 255 },
                    ]
                }
                _ => return None,
            };
            samples.extend(pixel);
        }
    }
    if alpha && depth == 32 {
        unmultiply(&mut samples);
    }
    Some(Pixels {
        width,
        height,
        samples,
    })
}

/// Where the bits of a bitmap begin behind its header.
pub(super) fn offset(header: Bytes<'_>) -> Option<usize> {
    let size = header.u32(0)? as usize;
    let (depth, compression, used, entry) = match size {
        12 => (header.u16(10)?, 0, 0, 3),
        _ => (
            header.u16(14)?,
            header.u32(16)?,
            header.u32(32)? as usize,
            4,
        ),
    };
    let colours = match (depth, used) {
        (0..=8, 0) => 1_usize << depth,
        (_, used) => used.min(4096),
    };
    let masks = if compression == 3 && size == 40 {
        12
    } else {
        0
    };
    size.checked_add(colours * entry + masks)
}

/// Colours that were multiplied by their opacity, as `ALPHABLEND` has them, as they were before.
fn unmultiply(samples: &mut [u8]) {
    for [red, green, blue, alpha] in samples.as_chunks_mut::<4>().0 {
        let of = |part: u8| (u32::from(part) * 255 / u32::from(*alpha).max(1)).min(255) as u8;
        (*red, *green, *blue) = (of(*red), of(*green), of(*blue));
    }
}

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

/// Bytes from runs of equal pixels (MS-WMF 3.1.6), of 4 or 8 bits.
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
    /// A part of it.
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

    /// The same, with one colour where it is light and another where it is dark.
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

    /// Its colour, if it has one alone.
    pub(super) fn plain(&self) -> Option<[u8; 3]> {
        let (first, rest) = self.samples.as_chunks::<4>().0.split_first()?;
        let [red, green, blue, _] = *first;
        rest.iter()
            .all(|pixel| pixel == first)
            .then_some([red, green, blue])
    }

    /// The file of it, as PNG.
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
