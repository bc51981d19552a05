//! Run-length coded bitmaps: RLE8 and RLE4 of Windows, RLE24 of OS/2. Never holds the coded bytes.
//!
//! A run is a pair of bytes: a count and a colour, which in RLE24 has two more bytes. A count of 0 begins an escape:
//! end of row, end of picture, a jump to the right and down, or a number of literal pixels, padded to an even number of
//! bytes. Pixels without a colour, because of a jump or the early end of a row or of the picture, are not passed on;
//! the caller makes them transparent, as browsers do, if it can. Some writers let a run exceed its row; the excess is
//! dropped.

use std::io::{self, BufRead};

/// Bits of a pixel in runs: 4, 8 or 24.
pub(crate) type Bits = u32;

/// A picture that is being decoded.
pub(crate) struct Runs<'a> {
    pub(crate) input: &'a mut dyn BufRead,
    pub(crate) bits: Bits,
    pub(crate) width: usize,
    pub(crate) height: usize,
}

/// Properties of a decoded picture.
#[derive(Debug)]
pub(crate) struct Seen {
    /// Number of pixels with a colour.
    pub(crate) pixels: u64,
    /// Indices that occur in the picture. Without meaning for 24 bits.
    pub(crate) indices: Box<[bool; 256]>,
    /// Whether the runs were decoded up to their end.
    pub(crate) whole: bool,
}

impl Default for Seen {
    fn default() -> Self {
        Self {
            pixels: 0,
            indices: Box::new([false; 256]),
            whole: false,
        }
    }
}

impl Runs<'_> {
    /// Calls `put` with every pixel that has a colour: its position from the first row of the file, and an index, or
    /// blue, green and red.
    ///
    /// Errors: [`io::ErrorKind::UnexpectedEof`] if the file ends before the picture.
    pub(crate) fn each(
        mut self,
        seen: &mut Seen,
        mut put: impl FnMut(usize, [u8; 3]),
    ) -> io::Result<()> {
        let (mut x, mut y) = (0usize, 0usize);
        while y < self.height {
            let [count, value] = match self.bytes() {
                Ok(pair) => pair,
                // If only the end marker is missing, the picture is complete.
                Err(_) if y + 1 == self.height && x >= self.width => break,
                Err(err) => return Err(err),
            };
            let mut pixel = |x: &mut usize, colour: [u8; 3]| {
                if *x < self.width {
                    put(y * self.width + *x, colour);
                    seen.pixels += 1;
                    seen.indices[usize::from(colour[0])] = true;
                }
                *x += 1;
            };
            match (count, value) {
                (0, 0) => (x, y) = (0, y + 1),
                (0, 1) => break,
                (0, 2) => {
                    let [right, down] = self.bytes()?;
                    x += usize::from(right);
                    y += usize::from(down);
                }
                (0, count) => {
                    let len = (usize::from(count) * self.bits as usize).div_ceil(8);
                    let mut plain = [0; 3 * 256];
                    let plain = &mut plain[..len.next_multiple_of(2)];
                    self.input.read_exact(plain)?;
                    for at in 0..usize::from(count) {
                        pixel(&mut x, packed_pixel(plain, self.bits, at));
                    }
                }
                (count, value) => {
                    let mut run = [value, 0, 0];
                    if self.bits == 24 {
                        self.input.read_exact(&mut run[1..])?;
                    }
                    for at in 0..usize::from(count) {
                        let at = if self.bits == 4 { at % 2 } else { 0 };
                        pixel(&mut x, packed_pixel(&run, self.bits, at));
                    }
                }
            }
        }
        seen.whole = true;
        Ok(())
    }

    /// The next two bytes.
    fn bytes(&mut self) -> io::Result<[u8; 2]> {
        let mut pair = [0; 2];
        self.input.read_exact(&mut pair)?;
        Ok(pair)
    }
}

/// Returns pixel number `at` of a sequence of packed pixels.
fn packed_pixel(bytes: &[u8], bits: Bits, at: usize) -> [u8; 3] {
    match bits {
        4 => {
            let byte = bytes[at / 2];
            [
                if at.is_multiple_of(2) {
                    byte >> 4
                } else {
                    byte & 15
                },
                0,
                0,
            ]
        }
        8 => [bytes[at], 0, 0],
        _ => [bytes[3 * at], bytes[3 * at + 1], bytes[3 * at + 2]],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Unpacks a picture of 4 × 2 pixels, in which 255 marks pixels without a colour.
    #[track_caller]
    fn check(bits: Bits, packed: &[u8], expected: Option<[u8; 8]>) {
        let mut picture = [255; 8];
        let mut input = packed;
        let runs = Runs {
            input: &mut input,
            bits,
            width: 4,
            height: 2,
        };
        let mut seen = Seen::default();
        let result = runs.each(&mut seen, |at, colour| picture[at] = colour[0]);
        assert_eq!(result.is_ok(), seen.whole);
        assert_eq!(seen.whole.then_some(picture), expected);
    }

    #[test]
    fn runs_and_literal_pixels_become_rows() {
        let packed = [4, 7, 0, 0, 0, 3, 1, 2, 3, 0, 1, 9, 0, 1];
        check(8, &packed, Some([7, 7, 7, 7, 1, 2, 3, 9]));
        let packed = [4, 0x12, 0, 0, 0, 4, 0x34, 0x56, 0, 1];
        check(4, &packed, Some([1, 2, 1, 2, 3, 4, 5, 6]));
        let packed = [4, 9, 8, 7, 0, 0, 4, 5, 0, 0, 0, 1];
        check(24, &packed, Some([9, 9, 9, 9, 5, 5, 5, 5]));
    }

    #[test]
    fn skipped_pixels_have_no_colour() {
        let packed = [1, 7, 0, 2, 1, 1, 1, 8, 0, 1];
        check(8, &packed, Some([7, 255, 255, 255, 255, 255, 8, 255]));
    }

    #[test]
    fn runs_end_with_their_row_and_a_truncated_file_is_refused() {
        let packed = [200, 7, 0, 0, 4, 8];
        check(8, &packed, Some([7, 7, 7, 7, 8, 8, 8, 8]));
        check(8, &[4, 7, 0, 0, 2, 8], None);
        check(8, &[], None);
    }
}
