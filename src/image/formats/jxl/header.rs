//! Writes the headers of animated JPEG XL (ISO/IEC 18181-1, annexes D and F). Writes no colour profile, no preview and
//! no header of a still picture.
//!
//! jixel writes only still pictures. But the data of a losslessly coded frame does not depend on the headers before it.
//! So an animation is assembled from such frames, and this module writes a header for each with its position, duration
//! and area.

use crate::{animation::Area, pixels::Layout};

/// A writer of bits in the order of a codestream: the lowest bit of a byte comes first.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    /// Number of bits in the last byte, from 0 to 7; 0 if the next bit starts a new byte.
    used: usize,
}

impl Bits {
    /// Writes the lowest `count` bits of a value, lowest first.
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

    /// Writes a number in the first of four forms that can hold it (B.2.2). A form is a least value and a number of
    /// bits.
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

/// Forms of the side of a picture (D.3.2).
const PICTURE: [(u64, usize); 4] = [(1, 9), (1, 13), (1, 18), (1, 30)];
/// Forms of the side and the position of a frame (F.2).
const FRAME: [(u64, usize); 4] = [(0, 8), (256, 11), (2304, 14), (18_688, 30)];
/// Forms of the duration of a frame (F.4).
const DURATION: [(u64, usize); 4] = [(0, 0), (1, 0), (0, 8), (0, 32)];
/// Forms of the number of times that an animation plays (D.3.3).
const PLAYS: [(u64, usize); 4] = [(0, 0), (0, 3), (0, 16), (0, 32)];

/// The reference slot, one of four, in which the canvas is kept for the next frame.
const CANVAS: u64 = 1;

/// The header of an animation that plays `plays` times, or endlessly. Its delays are in milliseconds.
pub(super) fn animation(layout: Layout, plays: Option<u32>) -> Vec<u8> {
    let mut bits = Bits::default();
    size(&mut bits, layout);
    // Fields are not all default. Extra fields: no orientation, no intrinsic size, no preview, but an animation.
    bits.put(1, 0);
    bits.put(1, 1);
    bits.put(3, 0);
    bits.put(2, 0);
    bits.put(1, 1);
    // 1000 / 1 ticks in a second, and no time codes.
    bits.put(2, 1);
    bits.put(2, 0);
    bits.put_number(plays.unwrap_or(0).into(), PLAYS);
    bits.put(1, 0);
    samples(&mut bits);
    // The colour encoding is sRGB, and tone mapping has its default.
    bits.put(1, 1);
    bits.put(1, 1);
    // No extensions, and default matrices for XYB, which is unused.
    bits.put(2, 0);
    bits.put(1, 1);
    bits.bytes
}

/// A frame of an animation.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    pub(super) canvas: Layout,
    /// Area that the frame covers. The rest of the canvas remains unchanged.
    pub(super) area: Area,
    /// Duration in milliseconds.
    pub(super) delay: u32,
    pub(super) is_last: bool,
}

impl Frame {
    /// The frame's header, without the sizes of its sections.
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
            // Positions are signed. The code of a positive number is twice its value.
            for number in [2 * u64::from(left), 2 * u64::from(top)] {
                bits.put_number(number, FRAME);
            }
            for number in [width, height] {
                bits.put_number(number.into(), FRAME);
            }
        }
        // Colours and alpha replace the previous pixels. Outside of the area, the canvas of the previous frame is used.
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
                // The frame is saved after its blending.
                bits.put(1, 0);
            }
        }
        ending(&mut bits);
        bits.bytes
    }
}

/// Number of bytes before the sizes of sections in a file of jixel's fast encoder for 8-bit RGBA.
pub(super) fn len_of_jixels(layout: Layout) -> usize {
    let mut bits = Bits::default();
    size(&mut bits, layout);
    // Fields are not all default, and there are no extra fields.
    bits.put(2, 0);
    samples(&mut bits);
    // sRGB in full: not default, no profile, RGB, D65, its primaries, no gamma but the sRGB curve, and a rendering
    // intent.
    bits.put(2 + 2 + 2 + 2 + 1 + 6 + 2, 0);
    bits.put(3, 0);
    let image = bits.bytes.len();
    let mut bits = Bits::default();
    modular(&mut bits);
    // No crop, two kinds of blending, and the last frame.
    bits.put(1 + 2 + 2 + 1, 0);
    ending(&mut bits);
    image + bits.bytes.len()
}

/// Writes the signature and the size of the picture (D.3.2).
fn size(bits: &mut Bits, layout: Layout) {
    bits.put(16, 0x0aff);
    // Sides that are not multiples of 8, height first, and no aspect ratio.
    bits.put(1, 0);
    bits.put_number(layout.height.into(), PICTURE);
    bits.put(3, 0);
    bits.put_number(layout.width.into(), PICTURE);
}

/// Writes the sample format: integer RGBA of 8 bits, with 16-bit buffers, and not in XYB (D.3.4 and D.3.6).
fn samples(bits: &mut Bits) {
    bits.put(3, 0);
    bits.put(1, 1);
    bits.put(2, 1);
    bits.put(1, 1);
    bits.put(1, 0);
}

/// Writes the beginning of a frame header: a regular frame in modular coding, with no flags, not in YCbCr, no
/// upsampling, groups of 256 × 256 samples, and one pass.
fn modular(bits: &mut Bits) {
    bits.put(3, 0);
    bits.put(1, 1);
    bits.put(2 + 1 + 2 + 2, 0);
    bits.put(2, 1);
    bits.put(2, 0);
}

/// Writes the end of a frame header: no name, no filters, no extensions, and sections in their natural order.
fn ending(bits: &mut Bits) {
    bits.put(2, 0);
    bits.put(1 + 1 + 2 + 2, 0);
    bits.put(2, 0);
    bits.put(1, 0);
}
