//! Writes the headers of animated JPEG XL (ISO/IEC 18181-1, annexes D and F). Writes no colour profile, no preview and no header of
//! a still picture.
//!
//! jixel writes only still pictures. The data of a losslessly coded frame does not depend on the headers before it. So an
//! animation is assembled from such frames, each after a header of our own with its position, duration and area.

use crate::{animation::Area, pixels::Layout};

/// A writer of bits in the order of a codestream: the lowest bit of a byte comes first.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    /// The number of bits in the last byte, from 0 to 7; 0 if the next bit begins a new byte.
    used: usize,
}

impl Bits {
    fn put(&mut self, count: usize, value: u64) {
        for at in 0..count {
            if self.used == 0 {
                self.bytes.push(0);
            }
            if let Some(last) = self.bytes.last_mut() {
                *last |= ((value >> at & 1) as u8) << self.used;
            }
            self.used = (self.used + 1) % 8;
        }
    }

    /// Writes a number in the first of four lengths that can hold it; each is an offset and a number of bits.
    fn put_number(&mut self, value: u64, lengths: [(u64, usize); 4]) {
        let fitting = lengths
            .into_iter()
            .enumerate()
            .find(|(_, (least, bits))| value >= *least && value - least < 1 << bits);
        if let Some((selector, (least, bits))) = fitting {
            self.put(2, selector as u64);
            self.put(bits, value - least);
        }
    }
}

/// Lengths of a side of a picture (D.3.2), of a side and a place of a frame (F.2), of its duration (F.4), of the unit of time and of
/// the number of times that an animation is played (D.3.3).
const PICTURE: [(u64, usize); 4] = [(1, 9), (1, 13), (1, 18), (1, 30)];
const FRAME: [(u64, usize); 4] = [(0, 8), (256, 11), (2304, 14), (18_688, 30)];
const DURATION: [(u64, usize); 4] = [(0, 0), (1, 0), (0, 8), (0, 32)];
const PLAYS: [(u64, usize); 4] = [(0, 0), (0, 3), (0, 16), (0, 32)];

/// The reference slot, one of four, that holds the canvas for the next frame.
const CANVAS: u64 = 1;

/// The header of an animation of such a size that is shown `plays` times, or for ever. Its delays are in milliseconds.
pub(super) fn animation(layout: Layout, plays: Option<u32>) -> Vec<u8> {
    let mut bits = Bits::default();
    size(&mut bits, layout);
    // Not all is default. Of the further fields, there are no orientation, intrinsic size and preview, but an animation.
    bits.put(1, 0);
    bits.put(1, 1);
    bits.put(3, 0);
    bits.put(2, 0);
    bits.put(1, 1);
    // 1,000 over 1 units a second, and no time codes.
    bits.put(2, 1);
    bits.put(2, 0);
    bits.put_number(plays.unwrap_or(0).into(), PLAYS);
    bits.put(1, 0);
    samples(&mut bits);
    // Colours are sRGB, and the brightest white is that of a usual display.
    bits.put(1, 1);
    bits.put(1, 1);
    // No extensions, and default matrices for XYB, which is not used.
    bits.put(2, 0);
    bits.put(1, 1);
    bits.bytes
}

/// A frame of an animation.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    pub(super) canvas: Layout,
    /// Area that it covers. The rest stays as it was.
    pub(super) area: Area,
    /// In milliseconds.
    pub(super) delay: u32,
    pub(super) is_last: bool,
}

impl Frame {
    /// Its header, up to the sizes of its sections.
    pub(super) fn header(self) -> Vec<u8> {
        let mut bits = Bits::default();
        modular(&mut bits);
        let is_whole = self.area == Area::whole(self.canvas);
        bits.put(1, u64::from(!is_whole));
        if !is_whole {
            let Area {
                left,
                top,
                width,
                height,
            } = self.area;
            // Places may be negative: positive ones are even numbers.
            for number in [2 * u64::from(left), 2 * u64::from(top)] {
                bits.put_number(number, FRAME);
            }
            for number in [width, height] {
                bits.put_number(number.into(), FRAME);
            }
        }
        // Colours, and then alpha, replace what was there. What a part of the canvas does not cover is that of the frame before.
        for _ in 0..2 {
            bits.put(2, 0);
            if !is_whole {
                bits.put(2, CANVAS);
            }
        }
        bits.put_number(self.delay.into(), DURATION);
        bits.put(1, u64::from(self.is_last));
        if !self.is_last {
            bits.put(2, CANVAS);
            if is_whole {
                // It is kept as it is shown.
                bits.put(1, 0);
            }
        }
        ending(&mut bits);
        bits.bytes
    }
}

/// Number of bytes before the sizes of sections in the output of jixel's fast encoder for 8-bit RGBA.
pub(super) fn len_of_jixels(layout: Layout) -> usize {
    let mut bits = Bits::default();
    size(&mut bits, layout);
    // Neither all is default nor are there further fields.
    bits.put(2, 0);
    samples(&mut bits);
    // sRGB, spelt out: no default, no profile, RGB, D65, its primaries, no gamma but its own curve, and an intent.
    bits.put(2 + 2 + 2 + 2 + 1 + 6 + 2, 0);
    bits.put(3, 0);
    let image = bits.bytes.len();
    let mut bits = Bits::default();
    modular(&mut bits);
    // No crop, two kinds of blending, the last frame.
    bits.put(1 + 2 + 2 + 1, 0);
    ending(&mut bits);
    image + bits.bytes.len()
}

fn size(bits: &mut Bits, layout: Layout) {
    bits.put(16, 0x0aff);
    // Sides that are no multiples of 8, one after the other, and no ratio between them.
    bits.put(1, 0);
    bits.put_number(layout.height.into(), PICTURE);
    bits.put(3, 0);
    bits.put_number(layout.width.into(), PICTURE);
}

/// RGBA of 8 bits in integers, for which 16 bits are enough in whatever decoding computes, and not as XYB (D.3.4 and D.3.6).
fn samples(bits: &mut Bits) {
    bits.put(3, 0);
    bits.put(1, 1);
    bits.put(2, 1);
    bits.put(1, 1);
    bits.put(1, 0);
}

/// A regular frame, coded as modular: no default, no flags, not YCbCr, all samples of colours and alpha, groups of 256 × 256, one
/// pass.
fn modular(bits: &mut Bits) {
    bits.put(3, 0);
    bits.put(1, 1);
    bits.put(2 + 1 + 2 + 2, 0);
    bits.put(2, 1);
    bits.put(2, 0);
}

/// No name, no filters, no extensions, and sections in their own order.
fn ending(bits: &mut Bits) {
    bits.put(2, 0);
    bits.put(1 + 1 + 2 + 2, 0);
    bits.put(2, 0);
    bits.put(1, 0);
}
