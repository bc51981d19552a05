//! YCbCr images with subsampled chroma and reference levels for black and white (TIFF 6.0, sections 20 and 21). The
//! data has been decompressed before.

use super::{
    invalid,
    tags::{REFERENCE_BLACK_WHITE, YCBCR_COEFFICIENTS},
};
use convertd_core::{containers::ifd::Directory, job::Input};
use std::io;
use tiff::tags::Tag;

/// The tags that define the conversion from YCbCr to RGB.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ycbcr {
    /// Whether luma and both chroma components are stored in separate planes of the same size.
    pub(crate) is_planar: bool,
    /// YCbCrSubSampling: number of pixels that share a chroma sample, horizontally and vertically: 1, 2 or 4.
    pub(crate) shared: [usize; 2],
    /// YCbCrCoefficients: the weights of red, green and blue in luma.
    pub(crate) weights: [f32; 3],
    /// ReferenceBlackWhite: two levels each for luma, Cb and Cr.
    pub(crate) levels: [f32; 6],
}

impl Ycbcr {
    /// The coefficients of Rec. 601, which are the default.
    pub(crate) const WEIGHTS: [f32; 3] = [0.299, 0.587, 0.114];

    /// Levels that use the full range.
    pub(crate) const LEVELS: [f32; 6] = [0.0, 255.0, 128.0, 255.0, 128.0, 255.0];

    /// Reads the parameters of YCbCr from the tags. If the data is `upsampled`, each pixel already has its own chroma.
    ///
    /// Errors: `InvalidData` if the parameters are impossible.
    pub(crate) fn find(
        directory: &Directory,
        input: &mut dyn Input,
        is_planar: bool,
        upsampled: bool,
    ) -> io::Result<Self> {
        let shared = directory.values(input, Tag::ChromaSubsampling, 2)?;
        let way = Self {
            is_planar,
            shared: match shared[..] {
                _ if upsampled => [1, 1],
                [across, down] => [across as usize, down as usize],
                _ => [2, 2],
            },
            weights: directory
                .fractions(input, YCBCR_COEFFICIENTS)?
                .unwrap_or(Self::WEIGHTS),
            levels: directory
                .fractions(input, REFERENCE_BLACK_WHITE)?
                .unwrap_or(Self::LEVELS),
        };
        if is_planar && way.shared != [1, 1] {
            return Err(invalid("its planes of chroma are smaller than its luma"));
        }
        if !way.is_sound() {
            return Err(invalid(
                "its YCbCr tags (subsampling, coefficients, reference levels) are out of range",
            ));
        }
        Ok(way)
    }

    /// Returns whether the subsampling is valid, and RGB can be computed without a division by zero.
    fn is_sound(&self) -> bool {
        let [a, b, c, d, e, f] = self.levels;
        self.shared.iter().all(|count| matches!(count, 1 | 2 | 4))
            && self.weights[1] > 0.0
            && a != b
            && c != d
            && e != f
    }

    /// Length of a data unit in bytes: luma of all pixels that share their chroma, then Cb and Cr.
    fn group(&self) -> usize {
        self.shared[0] * self.shared[1] + 2
    }

    /// Length of a strip or a tile in bytes, in each plane.
    pub(crate) fn bytes(&self, width: u32, height: u32) -> u64 {
        if self.is_planar {
            return u64::from(width) * u64::from(height);
        }
        let [across, down] = self.shared.map(|count| count as u64);
        let groups = u64::from(width).div_ceil(across) * u64::from(height).div_ceil(down);
        groups.saturating_mul(self.group() as u64)
    }

    /// Converts one row of a strip or a tile to RGB. The strip or tile is `width` pixels wide.
    pub(crate) fn row(&self, planes: &[&[u8]], width: u32, y: usize, row: &mut [u8]) {
        if let [luma, blue, red] = planes {
            let start = y * width as usize;
            let pixels = start..start + row.len() / 3;
            let interleaved: Vec<u8> = pixels
                .flat_map(|at| [luma[at], blue[at], red[at]])
                .collect();
            return self.units(&interleaved, width, 0, row);
        }
        self.units(planes[0], width, y, row);
    }

    /// Converts a row that is stored as data units: groups of luma samples, each followed by the Cb and the Cr that
    /// they share.
    fn units(&self, samples: &[u8], width: u32, y: usize, row: &mut [u8]) {
        let [across, down] = self.shared;
        let stride = (width as usize).div_ceil(across) * self.group();
        let groups = samples[y / down * stride..].chunks_exact(self.group());
        let [kr, kg, kb] = self.weights;
        let [black, white, blue_zero, blue_most, red_zero, red_most] = self.levels;
        let pixels = row.as_chunks_mut::<3>().0.chunks_mut(across);
        for (pixels, group) in pixels.zip(groups) {
            let (luma, chroma) = group.split_at(across * down);
            let scaled =
                |at: usize, zero, most| (f32::from(chroma[at]) - zero) * 127.0 / (most - zero);
            let blue = 2.0 * (1.0 - kb) * scaled(0, blue_zero, blue_most);
            let red = 2.0 * (1.0 - kr) * scaled(1, red_zero, red_most);
            let luma = &luma[y % down * across..];
            for (pixel, &luma) in pixels.iter_mut().zip(luma) {
                let luma = (f32::from(luma) - black) * 255.0 / (white - black);
                let (r, b) = (luma + red, luma + blue);
                let g = (luma - kr * r - kb * b) / kg;
                *pixel = [r, g, b].map(|sample| (sample + 0.5) as u8);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_share_chroma() {
        let way = Ycbcr {
            is_planar: false,
            shared: [2, 2],
            weights: Ycbcr::WEIGHTS,
            levels: Ycbcr::LEVELS,
        };
        assert_eq!(way.bytes(3, 3), 4 * 6);
        let grey = [10, 20, 30, 40, 128, 128];
        let red = [76, 76, 76, 76, 85, 255];
        let samples = [grey, red, grey, red].concat();
        let mut row = [0; 9];
        way.row(&[&samples], 3, 1, &mut row);
        assert_eq!(row[..6], [30, 30, 30, 40, 40, 40]);
        assert!(row[6] >= 253 && row[7] <= 2 && row[8] <= 2, "{row:?}");
    }
}
