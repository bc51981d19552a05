//! Kinds of samples, and the conversion of strips or tiles to pixels: palette indices, YCbCr, logarithmic colours, and
//! numbers of any width. Reads no strips.

use super::{invalid, logluv::LogEncoding, numbers::Samples as Wide, ycbcr::Ycbcr};
use crate::pixels::palette::{self, Colours};
use convertd_core::{containers::ifd::Directory, job::Input};
use std::io;
use tiff::tags::Tag;

/// Storage of the samples of an image.
pub(super) enum Samples {
    /// Palette indices with this many bits.
    Index {
        bits: u32,
        colours: Colours,
    },
    /// A palette index and an alpha sample, 8 bits each.
    IndexAlpha {
        colours: Colours,
    },
    /// A palette index with 16 bits, and a palette of 65,536 colours.
    WideIndex {
        colours: Vec<[u8; 3]>,
        is_little: bool,
    },
    Ycbcr(Ycbcr),
    Log(LogEncoding),
    /// YCbCr that the JPEG decoder converts to RGB.
    Rgb,
    Wide(Box<Wide>),
}

/// The palette for grey with `bits` bits: from black to white (BlackIsZero), or `inverted`.
pub(super) fn ramp(bits: u32, inverted: bool) -> Samples {
    let most = (1u32 << bits) - 1;
    let greys = (0..=most).map(|value| {
        let grey = (if inverted { most - value } else { value } * 255 / most) as u8;
        [grey, grey, grey, 255]
    });
    Samples::Index {
        bits,
        colours: Colours::new(greys.collect()),
    }
}

/// Reads the tag ColorMap: all red values, then all green and all blue ones, with 16 bits each.
pub(super) fn colour_map(
    directory: &Directory,
    input: &mut dyn Input,
    bits: u32,
) -> io::Result<Colours> {
    let count = 1 << bits;
    let map = directory.values(input, Tag::ColorMap, 3 * count)?;
    if map.len() < 3 * count {
        return Err(invalid("its palette is too short"));
    }
    // Some writers store 8-bit values, and others leave the low 8 bits empty.
    let narrow: fn(u64) -> u8 = if map.iter().all(|&sample| sample < 256) {
        |sample| sample as u8
    } else if map.iter().all(|&sample| sample & 255 == 0) {
        |sample| (sample >> 8) as u8
    } else {
        |sample| ((sample * 255 + 32_895) >> 16) as u8
    };
    let colours = (0..count).map(|at| {
        let [r, g, b] = [0, 1, 2].map(|channel| narrow(map[channel * count + at]));
        [r, g, b, 255]
    });
    Ok(Colours::new(colours.collect()))
}

/// Reads the tag ColorMap for indices of 16 bits.
pub(super) fn wide_colour_map(
    directory: &Directory,
    input: &mut dyn Input,
) -> io::Result<Vec<[u8; 3]>> {
    const COUNT: usize = 1 << 16;
    let map = directory.values(input, Tag::ColorMap, 3 * COUNT)?;
    if map.len() < 3 * COUNT {
        return Err(invalid("its palette is too short"));
    }
    let colour = |at| [0, 1, 2].map(|channel| (map[channel * COUNT + at] >> 8) as u8);
    Ok((0..COUNT).map(colour).collect())
}

impl Samples {
    /// Length in bytes of a row of a strip or a tile; for subsampled YCbCr, the length of the row of data units that
    /// the row is part of.
    pub(super) fn row_bytes(&self, width: u32) -> u64 {
        match self {
            Self::Index { bits, .. } => (u64::from(width) * u64::from(*bits)).div_ceil(8),
            Self::IndexAlpha { .. } => 2 * u64::from(width),
            Self::WideIndex { .. } => 2 * u64::from(width),
            Self::Ycbcr(way) => way.bytes(width, 1),
            Self::Log(log) => log.bytes() as u64 * u64::from(width),
            Self::Rgb => 3 * u64::from(width),
            Self::Wide(wide) => wide.row_bytes(width),
        }
    }

    /// Length of a strip or a tile in bytes.
    pub(super) fn chunk_bytes(&self, width: u32, height: u32) -> u64 {
        match self {
            Self::Ycbcr(way) => way.bytes(width, height),
            _ => self.row_bytes(width).saturating_mul(height.into()),
        }
    }

    /// Fills `row` with the pixels of row `y` of a strip or a tile, which is `width` pixels wide and may have several
    /// planes.
    pub(super) fn put(&mut self, planes: &[&[u8]], width: u32, y: usize, row: &mut [u8]) {
        if let Self::Ycbcr(way) = self {
            return way.row(planes, width, y, row);
        }
        let stride = self.row_bytes(width) as usize;
        let of_row = y * stride..(y + 1) * stride;
        if let Self::Wide(wide) = self {
            let rows: Vec<&[u8]> = planes.iter().map(|bytes| &bytes[of_row.clone()]).collect();
            return wide.put(&rows, row);
        }
        let bytes = &planes[0][of_row];
        match self {
            Self::Index { bits, .. } => palette::unpack(bytes, *bits, row),
            Self::IndexAlpha { colours } => {
                let pixels = row.as_chunks_mut::<4>().0;
                for (pixel, &[index, alpha]) in pixels.iter_mut().zip(bytes.as_chunks().0) {
                    let [r, g, b, _] = colours.entries()[usize::from(index)];
                    *pixel = [r, g, b, alpha];
                }
            }
            Self::WideIndex { colours, is_little } => {
                let pixels = row.as_chunks_mut::<3>().0;
                for (pixel, &index) in pixels.iter_mut().zip(bytes.as_chunks().0) {
                    let index = match is_little {
                        true => u16::from_le_bytes(index),
                        false => u16::from_be_bytes(index),
                    };
                    *pixel = colours[usize::from(index)];
                }
            }
            Self::Log(log) => log.put(bytes, row),
            Self::Rgb | Self::Ycbcr(_) | Self::Wide(_) => row.copy_from_slice(&bytes[..row.len()]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ramps_go_from_black_to_white_or_back() {
        #[track_caller]
        fn check(bits: u32, inverted: bool, expected: &[u8]) {
            let Samples::Index { colours, .. } = ramp(bits, inverted) else {
                panic!("greys are indices");
            };
            let greys: Vec<u8> = colours.entries().iter().map(|entry| entry[0]).collect();
            assert_eq!(greys, expected);
        }
        check(1, false, &[0, 255]);
        check(1, true, &[255, 0]);
        check(2, true, &[255, 170, 85, 0]);
    }
}
