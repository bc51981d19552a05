//! Converts between straight and associated alpha. With associated alpha, colours have been multiplied by alpha. Does
//! not decide which of the two kinds a file has.
//!
//! Between reading and writing, all pictures have straight alpha. The conversion to straight alpha leaves the colour of
//! fully transparent pixels unchanged; the conversion to associated alpha makes it black.

use super::{
    layout::{Depth, Layout},
    rows::Rows,
};
use convertd_core::error::Result;

/// Divides colours by alpha, for a source with associated alpha.
pub(crate) fn straight<'a>(rows: Box<dyn Rows + 'a>) -> Box<dyn Rows + 'a> {
    scaled(rows, divide)
}

/// Multiplies colours by alpha, for a target with associated alpha.
pub(crate) fn associated<'a>(rows: Box<dyn Rows + 'a>) -> Box<dyn Rows + 'a> {
    scaled(rows, |colour, alpha| colour * alpha)
}

/// Divides a colour by its alpha. If alpha is 0, returns the colour unchanged. The result may be above 1; integer
/// samples then get their largest value.
fn divide(colour: f32, alpha: f32) -> f32 {
    if alpha > 0.0 { colour / alpha } else { colour }
}

/// Applies a function to the colours of all pixels that are not opaque. Rows without alpha are returned unchanged.
fn scaled<'a>(rows: Box<dyn Rows + 'a>, scale: fn(f32, f32) -> f32) -> Box<dyn Rows + 'a> {
    if rows.layout().channels.has_alpha() {
        Box::new(Scaled { rows, scale })
    } else {
        rows
    }
}

/// Rows whose colours are changed by their alpha.
struct Scaled<'a> {
    rows: Box<dyn Rows + 'a>,
    /// Computes the new value of a colour from the colour and its alpha. Integer samples are
    /// passed as values from 0 to 1.
    scale: fn(f32, f32) -> f32,
}

impl Rows for Scaled<'_> {
    fn layout(&self) -> Layout {
        self.rows.layout()
    }

    fn next_row(&mut self, row: &mut [u8]) -> Result<()> {
        self.rows.next_row(row)?;
        let layout = self.rows.layout();
        let scale = self.scale;
        for pixel in row.chunks_exact_mut(layout.pixel_bytes()) {
            match layout.depth {
                Depth::Eight => each(
                    pixel,
                    |[byte]| f32::from(byte) / 255.0,
                    |value| [(value * 255.0 + 0.5) as u8],
                    scale,
                ),
                Depth::Sixteen => each(
                    pixel,
                    |bytes| f32::from(u16::from_ne_bytes(bytes)) / 65535.0,
                    |value| ((value * 65535.0 + 0.5) as u16).to_ne_bytes(),
                    scale,
                ),
                Depth::Float => each(pixel, f32::from_ne_bytes, f32::to_ne_bytes, scale),
            }
        }
        Ok(())
    }
}

/// Changes the colours of a pixel. Its last sample is alpha. Opaque pixels remain bit-exact.
fn each<const N: usize>(
    pixel: &mut [u8],
    read: impl Fn([u8; N]) -> f32,
    write: impl Fn(f32) -> [u8; N],
    scale: fn(f32, f32) -> f32,
) {
    let (samples, _) = pixel.as_chunks_mut::<N>();
    let Some((alpha, colours)) = samples.split_last_mut() else {
        return;
    };
    let alpha = read(*alpha);
    if alpha == 1.0 {
        return;
    }
    for colour in colours {
        *colour = write(scale(read(*colour), alpha));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pixels::{layout::Channels, rows::Frame};

    #[track_caller]
    fn check(channels: Channels, depth: Depth, before: &[u8], after: &[u8]) {
        let layout = Layout {
            width: 1,
            height: 1,
            channels,
            depth,
        };
        let frame = Frame::from_pixels(layout, before.to_vec());
        let frame = straight(Box::new(frame)).into_frame().unwrap();
        assert_eq!(frame.pixels, after);
    }

    fn floats(samples: [f32; 4]) -> Vec<u8> {
        samples.into_iter().flat_map(f32::to_ne_bytes).collect()
    }

    #[test]
    fn colours_are_divided_by_alpha() {
        use {Channels::*, Depth::*};
        check(Rgba, Eight, &[64, 32, 0, 128], &[128, 64, 0, 128]);
        check(Rgba, Eight, &[9, 8, 7, 255], &[9, 8, 7, 255]);
        check(Rgba, Eight, &[9, 0, 0, 0], &[9, 0, 0, 0]);
        check(Rgba, Eight, &[200, 0, 0, 100], &[255, 0, 0, 100]);
        check(Rgb, Eight, &[9, 8, 7], &[9, 8, 7]);
        let deep = |grey: u16, alpha: u16| [grey.to_ne_bytes(), alpha.to_ne_bytes()].concat();
        check(
            GreyAlpha,
            Sixteen,
            &deep(10_000, 20_000),
            &deep(32_768, 20_000),
        );
        check(
            Rgba,
            Float,
            &floats([0.25, 4.0, 0.0, 0.5]),
            &floats([0.5, 8.0, 0.0, 0.5]),
        );
    }

    #[test]
    fn division_undoes_multiplication() {
        let layout = Layout {
            width: 256,
            height: 1,
            channels: Channels::Rgba,
            depth: Depth::Float,
        };
        let pixels: Vec<u8> = (0..256u16)
            .flat_map(|at| floats([0.5, 2.0, 1.0, f32::from(at + 1) / 256.0]))
            .collect();
        let frame = Frame::from_pixels(layout, pixels.clone());
        let multiplied = associated(Box::new(frame));
        let back = straight(multiplied).into_frame().unwrap();
        let read = |bytes: &[u8]| -> Vec<f32> {
            let samples = bytes.as_chunks().0.iter();
            samples.map(|sample| f32::from_ne_bytes(*sample)).collect()
        };
        let pairs = read(&pixels).into_iter().zip(read(&back.pixels));
        for (before, after) in pairs {
            assert!((before - after).abs() < 1e-5, "{before} {after}");
        }
    }
}
