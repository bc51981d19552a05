//! Conversion between pixel types: depth, transfer function, grey and transparency. Never changes the size of a
//! picture.
//!
//! Integers hold gamma-encoded values (sRGB), floats linear light. A conversion between them applies the transfer
//! function of IEC 61966-2-1. A row is unpacked to the widest type that its source needs, with four samples per pixel,
//! and packed from there. So each type needs one loop for unpacking and one for packing, instead of a loop for each
//! other type. Grey is Rec. 709 luma.

use super::{
    layout::{Channels, Depth, Layout},
    rows::Rows,
};
use convertd_core::error::Result;
use std::sync::LazyLock;

/// Converts the rows of `source` to the pixel type `channels` and `depth`. If the target cannot hold transparency,
/// pixels are blended with `background`, which is gamma-encoded.
pub(crate) fn convert<'a>(
    source: Box<dyn Rows + 'a>,
    channels: Channels,
    depth: Depth,
    background: [u8; 3],
) -> Box<dyn Rows + 'a> {
    let from = source.layout();
    let to = from.with(channels, depth);
    if from == to {
        return source;
    }
    Box::new(Converted {
        row: vec![0; from.row_bytes()],
        stage: Stage::new(from, background),
        source,
        to,
    })
}

struct Converted<'a> {
    source: Box<dyn Rows + 'a>,
    row: Vec<u8>,
    stage: Stage,
    to: Layout,
}

impl Rows for Converted<'_> {
    fn layout(&self) -> Layout {
        self.to
    }

    fn next_row(&mut self, row: &mut [u8]) -> Result<()> {
        self.source.next_row(&mut self.row)?;
        self.stage
            .convert(&self.row, self.source.layout(), row, self.to);
        Ok(())
    }
}

/// An unpacked row, in the widest type that its source needs, and the background in the same type.
enum Stage {
    Integer(Vec<[u16; 4]>, [u16; 3]),
    Float(Vec<[f32; 4]>, [f32; 3]),
}

impl Stage {
    fn new(from: Layout, background: [u8; 3]) -> Self {
        let width = from.width as usize;
        match from.depth {
            Depth::Eight | Depth::Sixteen => {
                Self::Integer(vec![[0; 4]; width], background.map(widen))
            }
            Depth::Float => Self::Float(
                vec![[0.0; 4]; width],
                background.map(|sample| to_linear(f32::from(sample) / 255.0)),
            ),
        }
    }

    /// Converts a row between channels and depths. Conversions between RGB and RGBA in 8 bits, which are frequent, have
    /// loops of their own. All others go through an intermediate row of four channels.
    fn convert(&mut self, source: &[u8], from: Layout, target: &mut [u8], to: Layout) {
        match (from.channels, from.depth, to.channels, to.depth) {
            (Channels::Rgb, Depth::Eight, Channels::Rgba, Depth::Eight) => {
                let (source, _) = source.as_chunks::<3>();
                let (target, _) = target.as_chunks_mut::<4>();
                for (target, &[r, g, b]) in target.iter_mut().zip(source) {
                    *target = [r, g, b, 255];
                }
                return;
            }
            (Channels::Rgba, Depth::Eight, Channels::Rgb, Depth::Eight) => {
                let background = self.background8();
                let (source, _) = source.as_chunks::<4>();
                let (target, _) = target.as_chunks_mut::<3>();
                for (target, &[r, g, b, a]) in target.iter_mut().zip(source) {
                    let [x, y, z] = background;
                    *target = [over8(r, x, a), over8(g, y, a), over8(b, z, a)];
                }
                return;
            }
            _ => {}
        }
        let flatten = from.channels.has_alpha() && !to.channels.has_alpha();
        let desaturate = !from.channels.is_grey() && to.channels.is_grey();
        match self {
            Self::Integer(stage, background) => {
                unpack_integers(source, from, stage);
                if flatten {
                    for pixel in stage.iter_mut() {
                        let alpha = pixel[3];
                        for (sample, &back) in pixel.iter_mut().zip(background.iter()) {
                            *sample = over16(*sample, back, alpha);
                        }
                    }
                }
                if desaturate {
                    for pixel in stage.iter_mut() {
                        let [r, g, b, a] = pixel.map(u32::from);
                        // The weights of Rec. 709 (0.2126, 0.7152, 0.0722) in 65536ths, with rounding.
                        let grey = ((r * 13_933 + g * 46_871 + b * 4_732 + 32_768) >> 16) as u16;
                        *pixel = [grey, grey, grey, a as u16];
                    }
                }
                match to.depth {
                    Depth::Eight => pack(stage, to.channels, target, |sample| [narrow(sample)]),
                    Depth::Sixteen => pack(stage, to.channels, target, u16::to_ne_bytes),
                    Depth::Float => {
                        let light = &*LIGHT;
                        pack_alpha(
                            stage,
                            to.channels,
                            target,
                            |sample| light[usize::from(sample)].to_ne_bytes(),
                            |sample| (f32::from(sample) / 65535.0).to_ne_bytes(),
                        );
                    }
                }
            }
            Self::Float(stage, background) => {
                unpack_floats(source, from.channels, stage);
                if flatten {
                    for pixel in stage.iter_mut() {
                        let alpha = pixel[3].clamp(0.0, 1.0);
                        for (sample, &back) in pixel.iter_mut().zip(background.iter()) {
                            *sample = back + (*sample - back) * alpha;
                        }
                    }
                }
                if to.depth != Depth::Float {
                    for pixel in stage.iter_mut() {
                        let [r, g, b, a] = *pixel;
                        *pixel = [to_gamma(r), to_gamma(g), to_gamma(b), a.clamp(0.0, 1.0)];
                    }
                }
                // Grey is computed from gamma-encoded values. Computed from linear light, it would differ from the grey
                // of the same picture in integers.
                if desaturate {
                    for pixel in stage.iter_mut() {
                        let [r, g, b, a] = *pixel;
                        let grey = 0.2126 * r + 0.7152 * g + 0.0722 * b;
                        *pixel = [grey, grey, grey, a];
                    }
                }
                match to.depth {
                    Depth::Eight => pack(stage, to.channels, target, |sample| {
                        [(sample * 255.0 + 0.5) as u8]
                    }),
                    Depth::Sixteen => pack(stage, to.channels, target, |sample| {
                        ((sample * 65535.0 + 0.5) as u16).to_ne_bytes()
                    }),
                    Depth::Float => pack(stage, to.channels, target, f32::to_ne_bytes),
                }
            }
        }
    }

    /// The background in 8 bits, for the conversion from 8-bit RGBA to RGB. White for floats, which do not use it.
    fn background8(&self) -> [u8; 3] {
        match self {
            Self::Integer(_, background) => background.map(narrow),
            Self::Float(..) => [255; 3],
        }
    }
}

/// Widens `u8` to `u16`: 255 becomes 65535.
fn widen(sample: u8) -> u16 {
    u16::from(sample) * 257
}

/// Narrows `u16` to `u8`: divides by 257 and rounds to the nearest integer.
fn narrow(sample: u16) -> u8 {
    ((u32::from(sample) * 255 + 32_895) >> 16) as u8
}

/// Blends a sample with the background by its alpha, rounded to the nearest.
fn over8(sample: u8, background: u8, alpha: u8) -> u8 {
    let sum =
        u32::from(sample) * u32::from(alpha) + u32::from(background) * u32::from(255 - alpha) + 127;
    // Exact division by 255 for sums below 65,536.
    (((sum + 1) * 257) >> 16) as u8
}

/// The 16-bit form of [`over8`].
fn over16(sample: u16, background: u16, alpha: u16) -> u16 {
    let sum = u64::from(sample) * u64::from(alpha)
        + u64::from(background) * u64::from(65535 - alpha)
        + 32_767;
    (sum / 65535) as u16
}

/// Converts a gamma-encoded sRGB value to linear light (IEC 61966-2-1); both are from 0 to 1.
pub(crate) fn to_linear(sample: f32) -> f32 {
    if sample <= 0.040_45 {
        sample / 12.92
    } else {
        ((sample + 0.055) / 1.055).powf(2.4)
    }
}

/// The inverse of [`to_linear`]. Clamps to 0..1; NaN stays NaN; a later conversion to an integer makes it 0.
pub(crate) fn to_gamma(light: f32) -> f32 {
    let light = light.clamp(0.0, 1.0);
    if light <= 0.003_130_8 {
        light * 12.92
    } else {
        1.055 * light.powf(1.0 / 2.4) - 0.055
    }
}

/// The linear light of each 16-bit sample value: looking it up is much faster than computing a power.
static LIGHT: LazyLock<Box<[f32]>> = LazyLock::new(|| {
    (0..=u16::MAX)
        .map(|sample| to_linear(f32::from(sample) / 65535.0))
        .collect()
});

fn unpack_integers(source: &[u8], from: Layout, stage: &mut [[u16; 4]]) {
    match from.depth {
        Depth::Eight => unpack(source, from.channels, stage, u16::MAX, |[byte]: [u8; 1]| {
            widen(byte)
        }),
        Depth::Sixteen | Depth::Float => {
            unpack(source, from.channels, stage, u16::MAX, u16::from_ne_bytes)
        }
    }
}

fn unpack_floats(source: &[u8], channels: Channels, stage: &mut [[f32; 4]]) {
    unpack(source, channels, stage, 1.0, f32::from_ne_bytes);
}

/// Expands samples of any channels to four a pixel. Pixels without alpha get `opaque` as their alpha.
fn unpack<T: Copy, const N: usize>(
    source: &[u8],
    channels: Channels,
    stage: &mut [[T; 4]],
    opaque: T,
    read: impl Fn([u8; N]) -> T,
) {
    let (samples, _) = source.as_chunks::<N>();
    match channels {
        Channels::Grey => {
            for (pixel, &grey) in stage.iter_mut().zip(samples) {
                let grey = read(grey);
                *pixel = [grey, grey, grey, opaque];
            }
        }
        Channels::GreyAlpha => {
            for (pixel, &[grey, alpha]) in stage.iter_mut().zip(samples.as_chunks::<2>().0) {
                let grey = read(grey);
                *pixel = [grey, grey, grey, read(alpha)];
            }
        }
        Channels::Rgb => {
            for (pixel, &[r, g, b]) in stage.iter_mut().zip(samples.as_chunks::<3>().0) {
                *pixel = [read(r), read(g), read(b), opaque];
            }
        }
        Channels::Rgba => {
            for (pixel, &[r, g, b, a]) in stage.iter_mut().zip(samples.as_chunks::<4>().0) {
                *pixel = [read(r), read(g), read(b), read(a)];
            }
        }
    }
}

/// Reduces four channels to the channels of the target, with the same conversion for colours and alpha.
fn pack<T: Copy, const N: usize>(
    stage: &[[T; 4]],
    channels: Channels,
    target: &mut [u8],
    write: impl Fn(T) -> [u8; N] + Copy,
) {
    pack_alpha(stage, channels, target, write, write);
}

/// Reduces four channels to the channels of the target. Alpha has a conversion of its own, because it is always linear.
fn pack_alpha<T: Copy, const N: usize>(
    stage: &[[T; 4]],
    channels: Channels,
    target: &mut [u8],
    colour: impl Fn(T) -> [u8; N],
    alpha: impl Fn(T) -> [u8; N],
) {
    let (samples, _) = target.as_chunks_mut::<N>();
    match channels {
        Channels::Grey => {
            for (sample, pixel) in samples.iter_mut().zip(stage) {
                *sample = colour(pixel[0]);
            }
        }
        Channels::GreyAlpha => {
            for (sample, pixel) in samples.as_chunks_mut::<2>().0.iter_mut().zip(stage) {
                *sample = [colour(pixel[0]), alpha(pixel[3])];
            }
        }
        Channels::Rgb => {
            for (sample, &[r, g, b, _]) in samples.as_chunks_mut::<3>().0.iter_mut().zip(stage) {
                *sample = [colour(r), colour(g), colour(b)];
            }
        }
        Channels::Rgba => {
            for (sample, &[r, g, b, a]) in samples.as_chunks_mut::<4>().0.iter_mut().zip(stage) {
                *sample = [colour(r), colour(g), colour(b), alpha(a)];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pixels::rows::Frame;

    #[track_caller]
    fn check(from: (Channels, Depth, &[u8]), to: (Channels, Depth, &[u8])) {
        let layout = Layout {
            width: 1,
            height: 1,
            channels: from.0,
            depth: from.1,
        };
        let frame = Frame::from_pixels(layout, from.2.to_vec());
        let converted = convert(Box::new(frame), to.0, to.1, [255; 3])
            .into_frame()
            .unwrap();
        assert_eq!(converted.pixels, to.2);
    }

    fn sixteen(samples: &[u16]) -> Vec<u8> {
        samples.iter().copied().flat_map(u16::to_ne_bytes).collect()
    }

    fn float(samples: &[f32]) -> Vec<u8> {
        samples.iter().copied().flat_map(f32::to_ne_bytes).collect()
    }

    #[test]
    fn transparency_is_blended_with_white() {
        use {Channels::*, Depth::*};
        check((Rgba, Eight, &[10, 20, 30, 0]), (Rgb, Eight, &[255; 3]));
        check(
            (Rgba, Eight, &[10, 20, 30, 255]),
            (Rgb, Eight, &[10, 20, 30]),
        );
        check((Rgba, Eight, &[0, 0, 0, 128]), (Rgb, Eight, &[127; 3]));
        check((GreyAlpha, Eight, &[0, 0]), (Grey, Eight, &[255]));
        check(
            (Rgba, Sixteen, &sixteen(&[0, 0, 0, 0])),
            (Rgb, Eight, &[255; 3]),
        );
        check(
            (Rgba, Float, &float(&[9.0, 0.0, 0.0, 0.0])),
            (Rgb, Eight, &[255; 3]),
        );
    }

    #[test]
    fn depths_map_white_to_white_and_round() {
        use {Channels::*, Depth::*};
        check((Grey, Eight, &[255]), (Grey, Sixteen, &sixteen(&[65535])));
        check((Grey, Sixteen, &sixteen(&[128])), (Grey, Eight, &[0]));
        check((Grey, Sixteen, &sixteen(&[129])), (Grey, Eight, &[1]));
        for byte in 0..=255 {
            check((Grey, Eight, &[byte]), (Grey, Eight, &[byte]));
            assert_eq!(narrow(widen(byte)), byte);
            assert_eq!(over8(byte, 77, 255), byte);
            assert_eq!(over8(77, byte, 0), byte);
        }
    }

    #[test]
    fn linear_light_survives_gamma_encoding() {
        use {Channels::*, Depth::*};
        check(
            (Rgb, Float, &float(&[0.0, 1.0, 7.5])),
            (Rgb, Eight, &[0, 255, 255]),
        );
        check(
            (Rgb, Float, &float(&[f32::NAN, -1.0, 0.5])),
            (Rgb, Eight, &[0, 0, 188]),
        );
        check(
            (Grey, Eight, &[188]),
            (Grey, Float, &float(&[LIGHT[188 * 257]])),
        );
        check(
            (Rgba, Float, &float(&[1.0, 1.0, 1.0, 0.5])),
            (Rgba, Eight, &[255, 255, 255, 128]),
        );
    }

    #[test]
    fn grey_equals_luma() {
        use {Channels::*, Depth::*};
        check((Rgb, Eight, &[255, 255, 255]), (Grey, Eight, &[255]));
        check((Rgb, Eight, &[0, 255, 0]), (Grey, Eight, &[182]));
        check((Grey, Eight, &[7]), (Rgba, Eight, &[7, 7, 7, 255]));
    }
}
