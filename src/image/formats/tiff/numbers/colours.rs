//! Converts the numbers of a row to pixels: light, ink or CIELAB. Reads no strips.

use super::{Colour, SampleFormat, Samples};
use crate::pixels::lab;
use std::borrow::Cow;

impl Samples {
    /// Fills `row` with pixels from the bytes of a row in each plane.
    pub(crate) fn put(&mut self, planes: &[&[u8]], row: &mut [u8]) {
        let planes: Vec<Cow<'_, [u8]>> = planes.iter().map(|bytes| self.undone(bytes)).collect();
        let raw = |samples: &Self, x: usize, at: usize| {
            if samples.is_planar {
                samples.raw(&planes[at], x)
            } else {
                samples.raw(&planes[0], x * samples.stored + at)
            }
        };
        let is_plain = self.kind == SampleFormat::Integer && self.bits == 8 && !self.is_inverted;
        match self.colour {
            Colour::Light if is_plain && self.stored == self.used() && !self.is_planar => {
                row.copy_from_slice(&planes[0][..row.len()]);
            }
            Colour::Light => self.put_light(row, raw),
            Colour::Ink => self.put_ink(row, raw),
            Colour::Lab { is_positive } => self.put_lab(row, is_positive, raw),
        }
    }

    /// Converts a row of light: grey or RGB, perhaps with alpha. WhiteIsZero is inverted.
    fn put_light(&self, row: &mut [u8], raw: impl Fn(&Self, usize, usize) -> u64) {
        let count = self.channels.count();
        let size = self.depth().bytes();
        for (x, pixel) in row.chunks_exact_mut(count * size).enumerate() {
            for (channel, sample) in pixel.chunks_exact_mut(size).enumerate() {
                let inverted = self.is_inverted && channel < self.colours;
                let raw = raw(self, x, channel);
                if self.kind == SampleFormat::Float {
                    let value = self.float(raw);
                    let value = if inverted { 1.0 - value } else { value };
                    sample.copy_from_slice(&value.to_ne_bytes());
                } else {
                    let raw = if inverted { self.most() - raw } else { raw };
                    self.store(raw, sample);
                }
            }
        }
    }

    /// Converts a row of CMYK to RGB, with its alpha if the pixels have one.
    fn put_ink(&mut self, row: &mut [u8], raw: impl Fn(&Self, usize, usize) -> u64) {
        let count = self.channels.count();
        let width = row.len() / count;
        let level = |raw: u64| match self.kind {
            SampleFormat::Float => (self.float(raw) * 255.0 + 0.5) as u8,
            _ => scaled(raw, self.most(), 255) as u8,
        };
        let inks: Vec<u8> = (0..4 * width)
            .map(|at| 255 - level(raw(self, at / 4, at % 4)))
            .collect();
        let alphas: Vec<u8> = match count {
            3 => Vec::new(),
            _ => (0..width).map(|x| level(raw(self, x, 4))).collect(),
        };
        if count == 3 {
            return self.inks.convert(&inks, row);
        }
        let mut light = vec![0; 3 * width];
        self.inks.convert(&inks, &mut light);
        let pixels = row.as_chunks_mut::<4>().0.iter_mut();
        for ((pixel, &[r, g, b]), alpha) in pixels.zip(light.as_chunks().0).zip(alphas) {
            *pixel = [r, g, b, alpha];
        }
    }

    /// Converts a row of CIE L*a*b* to RGB. The tag decides between CIELab, with signed a* and b*, and ICCLab.
    fn put_lab(&self, row: &mut [u8], is_positive: bool, raw: impl Fn(&Self, usize, usize) -> u64) {
        let size = self.depth().bytes();
        // A step of a* and b* is 1 with 8 bits, and 1/256 with 16 bits.
        let unit = (1_u64 << (self.bits - 8)) as f32;
        let middle = 1_u64 << (self.bits - 1);
        let opponent = |raw: u64| {
            let shifted = if is_positive { raw } else { raw ^ middle };
            (shifted as f32 - middle as f32) / unit
        };
        for (x, pixel) in row
            .chunks_exact_mut(self.channels.count() * size)
            .enumerate()
        {
            let lightness = raw(self, x, 0) as f32 * 100.0 / self.most() as f32;
            let lab = [
                lightness,
                opponent(raw(self, x, 1)),
                opponent(raw(self, x, 2)),
            ];
            let (colours, alpha) = pixel.split_at_mut(3 * size);
            for (sample, light) in colours.chunks_exact_mut(size).zip(lab::to_srgb(lab)) {
                self.store((light * self.most() as f32 + 0.5) as u64, sample);
            }
            if !alpha.is_empty() {
                self.store(raw(self, x, 3), alpha);
            }
        }
    }

    /// The largest integer of a sample.
    fn most(&self) -> u64 {
        u64::MAX >> (64 - self.bits)
    }

    /// Stores an integer as a sample of 8 or 16 bits.
    fn store(&self, value: u64, sample: &mut [u8]) {
        match sample {
            [byte] => *byte = scaled(value, self.most(), 255) as u8,
            sample => {
                let value = scaled(value, self.most(), 65_535) as u16;
                sample.copy_from_slice(&value.to_ne_bytes());
            }
        }
    }
}

/// Converts an integer from 0..=`most` to 0..=`to`, rounded to the nearest.
fn scaled(value: u64, most: u64, to: u64) -> u64 {
    (value * to + most / 2) / most
}
