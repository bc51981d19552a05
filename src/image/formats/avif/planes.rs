//! From luma and chroma to red, green and blue (ITU-T H.273, with the matrices of BT.601, BT.709, BT.2020 and YCgCo).
//! Works on one row at a time.
//!
//! Chroma that has half the samples is interpolated with weights of 3 to 1 from the two nearest ones. Where the
//! container and the coded picture say different things about the matrix, the container counts.

use super::items::Code;
use crate::image::pixels::{Channels, Depth, Layout};
use re_rav1d::dav1d::{
    Picture, PixelLayout, PlanarImageComponent, Plane,
    pixel::{MatrixCoefficients, YUVRange},
};

/// A decoded picture.
pub(crate) struct Planes {
    luma: Plane,
    chroma: Option<[Plane; 2]>,
    /// Bytes from one row to the next, of luma and of chroma.
    strides: [usize; 2],
    /// Whether chroma has half the samples, across and down.
    halved: [bool; 2],
    width: usize,
    height: usize,
    /// Bits a sample.
    bits: u32,
    /// What the coded picture says itself.
    code: Code,
}

impl Planes {
    pub(crate) fn of(picture: Picture) -> Option<Self> {
        let halved = match picture.pixel_layout() {
            PixelLayout::I400 | PixelLayout::I444 => [false, false],
            PixelLayout::I422 => [true, false],
            PixelLayout::I420 => [true, true],
        };
        let grey = picture.pixel_layout() == PixelLayout::I400;
        let matrix = match picture.matrix_coefficients() {
            MatrixCoefficients::Identity => 0,
            MatrixCoefficients::BT709 => 1,
            MatrixCoefficients::YCgCo => 8,
            MatrixCoefficients::BT2020NonConstantLuminance => 9,
            _ => 6,
        };
        let bits = picture.bit_depth() as u32;
        let planes = Self {
            luma: picture.plane(PlanarImageComponent::Y),
            chroma: (!grey).then(|| {
                [PlanarImageComponent::U, PlanarImageComponent::V].map(|part| picture.plane(part))
            }),
            strides: [PlanarImageComponent::Y, PlanarImageComponent::U].map(|part| {
                if grey && part != PlanarImageComponent::Y {
                    0
                } else {
                    picture.stride(part) as usize
                }
            }),
            halved,
            width: picture.width() as usize,
            height: picture.height() as usize,
            bits,
            code: Code {
                primaries: 2,
                transfer: 2,
                matrix,
                full: picture.color_range() == YUVRange::Full,
            },
        };
        matches!(bits, 8 | 10 | 12).then_some(planes)
    }

    pub(crate) fn is_grey(&self) -> bool {
        self.chroma.is_none()
    }

    pub(crate) fn is_deep(&self) -> bool {
        self.bits > 8
    }

    /// The samples of a row.
    fn row<'a>(&self, plane: &'a [u8], stride: usize, y: usize) -> impl Iterator<Item = f32> + 'a {
        let width = if self.is_deep() { 2 } else { 1 };
        plane[y * stride..].chunks_exact(width).map(|sample| {
            f32::from(match *sample {
                [low, high] => u16::from_ne_bytes([low, high]),
                [byte, ..] => byte.into(),
                [] => 0,
            })
        })
    }

    /// A row of chroma with as many samples as the picture is wide, blended from the nearest ones.
    fn chroma(&self, plane: &[u8], y: usize) -> Vec<f32> {
        let [across, down] = self.halved;
        let len = if across {
            self.width.div_ceil(2)
        } else {
            self.width
        };
        let mut row: Vec<f32>;
        if down {
            let last = self.height.div_ceil(2) - 1;
            let near = y / 2;
            let far = if y.is_multiple_of(2) {
                near.saturating_sub(1)
            } else {
                (near + 1).min(last)
            };
            let far = self.row(plane, self.strides[1], far);
            let near = self.row(plane, self.strides[1], near);
            row = near
                .zip(far)
                .take(len)
                .map(|(near, far)| near * 0.75 + far * 0.25)
                .collect();
        } else {
            row = self.row(plane, self.strides[1], y).take(len).collect();
        }
        if across {
            let wide = (0..self.width).map(|x| {
                let near = x / 2;
                let far = if x % 2 == 0 {
                    near.saturating_sub(1)
                } else {
                    (near + 1).min(len - 1)
                };
                row[near] * 0.75 + row[far] * 0.25
            });
            row = wide.collect();
        }
        row
    }

    /// Puts the colours of a row where they belong.
    pub(crate) fn put(&self, y: u32, code: Option<Code>, row: &mut [u8], layout: Layout) {
        let code = code.filter(|code| code.matrix != 2).unwrap_or(Code {
            full: code.map_or(self.code.full, |code| code.full),
            ..self.code
        });
        let (y, step) = (y as usize, (1u32 << (self.bits - 8)) as f32);
        let most = ((1u32 << self.bits) - 1) as f32;
        let (black, luma_range, chroma_range) = if code.full {
            (0.0, most, most)
        } else {
            (16.0 * step, 219.0 * step, 224.0 * step)
        };
        let luma = self
            .row(&self.luma, self.strides[0], y)
            .map(|luma| (luma - black) / luma_range);
        let pixels = row.chunks_exact_mut(layout.pixel_bytes());
        let Some(chroma) = &self.chroma else {
            for (pixel, luma) in pixels.zip(luma) {
                put(pixel, 0, luma, layout.depth);
            }
            return;
        };
        let [blue, red] = [0, 1].map(|at| self.chroma(&chroma[at], y));
        let (kr, kb) = match code.matrix {
            1 => (0.2126, 0.0722),
            9 => (0.2627, 0.0593),
            _ => (0.299, 0.114),
        };
        let middle = 128.0 * step;
        for ((pixel, luma), (&blue, &red)) in pixels.zip(luma).zip(blue.iter().zip(&red)) {
            let (u, v) = (
                (blue - middle) / chroma_range,
                (red - middle) / chroma_range,
            );
            let rgb = match code.matrix {
                0 => {
                    let direct = |sample: f32| (sample - black) / luma_range;
                    [direct(red), luma, direct(blue)]
                }
                8 => [luma - u + v, luma + u, luma - u - v],
                _ => {
                    let r = luma + 2.0 * (1.0 - kr) * v;
                    let b = luma + 2.0 * (1.0 - kb) * u;
                    [r, (luma - kr * r - kb * b) / (1.0 - kr - kb), b]
                }
            };
            for (at, sample) in rgb.into_iter().enumerate() {
                put(pixel, at, sample, layout.depth);
            }
        }
    }

    /// Puts luma as the transparency of a row, and takes it out of colours that have been multiplied by it.
    pub(crate) fn put_alpha(&self, y: u32, premultiplied: bool, row: &mut [u8], layout: Layout) {
        let most = ((1u32 << self.bits) - 1) as f32;
        let colours = match layout.channels {
            Channels::Grey | Channels::GreyAlpha => 1,
            Channels::Rgb | Channels::Rgba => 3,
        };
        let alphas = self.row(&self.luma, self.strides[0], y as usize);
        for (pixel, alpha) in row.chunks_exact_mut(layout.pixel_bytes()).zip(alphas) {
            let alpha = alpha / most;
            put(pixel, colours, alpha, layout.depth);
            if premultiplied && alpha > 0.0 {
                for at in 0..colours {
                    let own = get(pixel, at, layout.depth) / alpha;
                    put(pixel, at, own, layout.depth);
                }
            }
        }
    }
}

/// Stores a sample from 0 to 1.
fn put(pixel: &mut [u8], at: usize, sample: f32, depth: Depth) {
    match depth {
        Depth::Eight => pixel[at] = (sample * 255.0 + 0.5) as u8,
        Depth::Sixteen | Depth::Float => {
            let sample = (sample * 65_535.0 + 0.5) as u16;
            pixel[2 * at..2 * at + 2].copy_from_slice(&sample.to_ne_bytes());
        }
    }
}

fn get(pixel: &[u8], at: usize, depth: Depth) -> f32 {
    match depth {
        Depth::Eight => f32::from(pixel[at]) / 255.0,
        Depth::Sixteen | Depth::Float => {
            f32::from(u16::from_ne_bytes([pixel[2 * at], pixel[2 * at + 1]])) / 65_535.0
        }
    }
}
