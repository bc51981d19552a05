//! Writes the headers of a JPEG XL codestream (ISO/IEC 18181-1, annexes D and F): the image header, and the header of its only frame.
//! Writes no colour profile and no preview.
//!
//! The encoder writes headers of its own, which are replaced for two reasons: they state 8 bits for alpha of 16 bits, and the
//! encoder refuses pictures with a side of one pixel. Such a side is encoded as two pixels, in a frame larger than the picture.

use crate::image::pixels::{Depth, Layout};

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

    /// A number in the first of four lengths that holds it: what is the least, and how many bits are above it.
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

    /// Pads the last byte.
    fn pad(&mut self) {
        self.used = 0;
    }
}

/// Lengths of a side of a picture (D.3.2), and of one of a frame (F.2).
const PICTURE: [(u64, usize); 4] = [(1, 9), (1, 13), (1, 18), (1, 30)];
const FRAME: [(u64, usize); 4] = [(0, 8), (256, 11), (2304, 14), (18_688, 30)];

/// Both headers for a picture whose frame has the size of `frame`, up to the sizes of its sections.
pub(crate) fn write(picture: Layout, frame: Layout) -> Vec<u8> {
    let mut bits = image(picture);
    frame_header(&mut bits, picture, frame);
    bits.bytes
}

/// How many bytes of what the encoder writes for a frame stand before the sizes of its sections.
pub(crate) fn len_of_theirs(frame: Layout) -> usize {
    // The encoder's header of the picture differs from ours in alpha, which takes one bit there, and more here.
    let mut bits = image_with(frame, true);
    frame_header(&mut bits, frame, frame);
    bits.bytes.len()
}

fn image(layout: Layout) -> Bits {
    image_with(layout, false)
}

fn image_with(layout: Layout, has_plain_alpha: bool) -> Bits {
    let mut bits = Bits::default();
    bits.put(16, 0x0aff);
    // Sides that are no multiples of 8, one after the other, and no ratio between them.
    bits.put(1, 0);
    bits.put_number(layout.height.into(), PICTURE);
    bits.put(3, 0);
    bits.put_number(layout.width.into(), PICTURE);
    // Not all is default; nothing is said about orientation, previews and animation.
    bits.put(2, 0);
    depth(&mut bits, layout.depth);
    // Whether 16 bits are enough for whatever decoding computes.
    bits.put(1, u64::from(layout.depth == Depth::Eight));
    if !layout.channels.has_alpha() {
        bits.put(2, 0);
    } else {
        bits.put(2, 1);
        if has_plain_alpha || layout.depth == Depth::Eight {
            bits.put(1, 1);
        } else {
            bits.put(1, 0);
            // Its kind is alpha, it has all samples, no name, and colours are not multiplied by it.
            bits.put(2, 0);
            depth(&mut bits, layout.depth);
            bits.put(2, 0);
            bits.put(2, 0);
            bits.put(1, 0);
        }
    }
    // Colours are stored as they are, not as XYB.
    bits.put(1, 0);
    if layout.channels.is_grey() {
        // Neither all default nor a profile, grey, the white point D65, the transfer function of sRGB, relative intent.
        bits.put(2, 0);
        bits.put(2, 1);
        bits.put(2, 1);
        bits.put(1, 0);
        bits.put(2, 2);
        bits.put(4, 11);
        bits.put(2, 1);
    } else {
        bits.put(1, 1);
    }
    // No extensions; all default for what makes XYB of colours.
    bits.put(2, 0);
    bits.put(1, 1);
    bits.pad();
    bits
}

/// Bits a sample, in integers (D.3.4).
fn depth(bits: &mut Bits, depth: Depth) {
    bits.put(1, 0);
    match depth {
        Depth::Eight => bits.put(2, 0),
        Depth::Sixteen | Depth::Float => {
            bits.put(2, 3);
            bits.put(6, 15);
        }
    }
}

fn frame_header(bits: &mut Bits, picture: Layout, frame: Layout) {
    let has_alpha = picture.channels.has_alpha();
    // Not all is default; a regular frame, coded as modular, without flags, not YCbCr, with all samples.
    bits.put(1, 0);
    bits.put(2, 0);
    bits.put(1, 1);
    bits.put(2, 0);
    bits.put(1, 0);
    bits.put(2, 0);
    if has_alpha {
        bits.put(2, 0);
    }
    // Groups of 256 × 256, one pass.
    bits.put(2, 1);
    bits.put(2, 0);
    if (picture.width, picture.height) == (frame.width, frame.height) {
        bits.put(1, 0);
    } else {
        bits.put(1, 1);
        for number in [0, 0, frame.width.into(), frame.height.into()] {
            bits.put_number(number, FRAME);
        }
    }
    // It replaces what was there, alpha included, and is the last one; no name.
    bits.put(2, 0);
    if has_alpha {
        bits.put(2, 0);
    }
    bits.put(1, 1);
    bits.put(2, 0);
    // No filters, no extensions, and sections in their own order.
    bits.put(1, 0);
    bits.put(1, 0);
    bits.put(2, 0);
    bits.put(2, 0);
    bits.put(2, 0);
    bits.put(1, 0);
    bits.pad();
}
