//! Decompresses bilevel images in the codings of fax machines (ITU-T T.4 and T.6; TIFF 6.0, sections 10 and 11).
//!
//! A row is held as a list of changing elements: the positions at which its colour changes, beginning with white.
//! One-dimensional coding stores the lengths of the runs between them. Two-dimensional coding refers to the row above,
//! the reference line, and has three modes: vertical mode stores the distance of a changing element from one in the
//! reference line, horizontal mode stores the lengths of the next two runs, and pass mode skips two changing elements
//! of the reference line. Group 3 has an end-of-line code (EOL) in front of each row and may mix both codings; Group 4
//! has no EOL, and is always two-dimensional. The code tables are those of the `fax` crate. Damaged or missing rows are
//! an error; they are never guessed.

use fax::{
    BitReader, ByteReader,
    maps::{Mode, black, mode, white},
};
use std::{convert::Infallible, iter};

/// The coding scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coding {
    /// Compression 2: one-dimensional coding without EOL. Each row begins at a byte.
    Plain,
    /// Group 3: rows with EOL codes, and perhaps with two-dimensional coding.
    Three {
        /// Rows may be coded relative to the row above.
        two_dimensional: bool,
    },
    /// Group 4: two-dimensional coding.
    Four,
}

/// Fills `rows`, which are `width` pixels wide and each begin at a whole byte; a black pixel is a bit of 1. `None` if
/// the data is damaged or too short.
pub fn unpack(data: &[u8], coding: Coding, width: u32, rows: &mut [u8]) -> Option<()> {
    // Padding, because the reader peeks at more bits than the last code may have.
    let bytes = data.iter().copied().chain(iter::repeat_n(0, 4));
    let mut bits = ByteReader::new(bytes.map(Ok::<u8, Infallible>)).ok()?;
    let (mut above, mut changes) = (Vec::new(), Vec::new());
    for row in rows.chunks_exact_mut(width.div_ceil(8) as usize) {
        changes.clear();
        let is_two_dimensional = match coding {
            Coding::Plain => false,
            Coding::Four => true,
            Coding::Three { two_dimensional } => {
                let marked = end_of_row(&mut bits);
                // The bit after an EOL states whether the next row is coded one-dimensionally.
                two_dimensional && marked && {
                    let is_one_dimensional = bits.peek(1)? == 1;
                    bits.consume(1).ok()?;
                    !is_one_dimensional
                }
            }
        };
        if is_two_dimensional {
            two_dimensional_row(&mut bits, &above, width, &mut changes)?;
        } else {
            one_dimensional_row(&mut bits, width, &mut changes)?;
        }
        if coding == Coding::Plain {
            let rest = bits.bits_to_byte_boundary();
            bits.consume(rest).ok()?;
        }
        paint(&changes, width, row);
        std::mem::swap(&mut above, &mut changes);
    }
    Some(())
}

/// Skips an EOL and the fill bits before it. Returns whether there was an EOL.
fn end_of_row(bits: &mut impl BitReader) -> bool {
    if bits.peek(11) != Some(0) {
        return false;
    }
    while bits.peek(1) == Some(0) {
        if bits.consume(1).is_err() {
            return false;
        }
    }
    bits.peek(1) == Some(1) && bits.consume(1).is_ok()
}

/// The length of a run of one colour: any number of make-up codes, and a terminating code.
fn run(bits: &mut impl BitReader, is_black: bool) -> Option<u32> {
    let mut sum = 0u32;
    loop {
        let piece = if is_black {
            black::decode(bits)?
        } else {
            white::decode(bits)?
        };
        sum = sum.checked_add(piece.into())?;
        if piece < 64 {
            return Some(sum);
        }
    }
}

/// Adds a changing element at `at`. Two changing elements at the same position cancel each other.
fn change(changes: &mut Vec<u32>, at: u32) {
    if changes.last() == Some(&at) {
        changes.pop();
    } else {
        changes.push(at);
    }
}

/// Reads the changing elements of a row in one-dimensional coding into `changes`. At the first one, the colour becomes
/// black.
fn one_dimensional_row(
    bits: &mut impl BitReader,
    width: u32,
    changes: &mut Vec<u32>,
) -> Option<()> {
    let (mut at, mut is_black) = (0u32, false);
    while at < width {
        at = at.checked_add(run(bits, is_black)?)?;
        if at > width {
            return None;
        }
        change(changes, at);
        is_black = !is_black;
    }
    Some(())
}

/// Reads the changing elements of a row in two-dimensional coding into `changes`. `above` has those of the reference
/// line.
fn two_dimensional_row(
    bits: &mut impl BitReader,
    above: &[u32],
    width: u32,
    changes: &mut Vec<u32>,
) -> Option<()> {
    let (mut at, mut is_black, mut begun) = (0u32, false, false);
    let mut near = 0;
    while at < width {
        // b1 (T.4): the first changing element of the reference line that is to the right of the current position and
        // begins the colour opposite to the current one.
        let passed = |change: &u32| begun && *change <= at;
        while near > 0 && above.get(near - 1).is_some_and(|change| !passed(change)) {
            near -= 1;
        }
        while above.get(near).is_some_and(passed) {
            near += 1;
        }
        let first = near + usize::from((near % 2 == 1) != is_black);
        let change_at = |index: usize| above.get(index).copied().unwrap_or(width);
        match mode::decode(bits)? {
            Mode::Pass => at = change_at(first + 1),
            Mode::Vertical(by) => {
                let to = change_at(first).checked_add_signed(by.into())?;
                if to < at || to > width {
                    return None;
                }
                change(changes, to);
                (at, is_black) = (to, !is_black);
            }
            Mode::Horizontal => {
                for colour in [is_black, !is_black] {
                    at = at.checked_add(run(bits, colour)?)?;
                    if at > width {
                        return None;
                    }
                    change(changes, at);
                }
            }
            Mode::Extension | Mode::EOF => return None,
        }
        begun = true;
    }
    Some(())
}

/// Draws the black runs of a row.
fn paint(changes: &[u32], width: u32, row: &mut [u8]) {
    row.fill(0);
    for black in changes.chunks(2) {
        let (from, to) = (black[0], black.get(1).copied().unwrap_or(width));
        if from >= to {
            continue;
        }
        let (first, last) = ((from / 8) as usize, ((to - 1) / 8) as usize);
        let (left, right) = (0xff >> (from % 8), 0xff << (7 - (to - 1) % 8));
        if first == last {
            row[first] |= left & right;
        } else {
            row[first] |= left;
            row[first + 1..last].fill(0xff);
            row[last] |= right;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(coding: Coding, data: &[u8], width: u32, rows: usize, expected: Option<&[u8]>) {
        let mut found = vec![0; rows * width.div_ceil(8) as usize];
        let done = unpack(data, coding, width, &mut found);
        assert_eq!(done.map(|()| &found[..]), expected);
    }

    #[test]
    fn one_dimensional_rows_are_decoded() {
        // White 4, black 4, white 8.
        let row = 0b1011_0111_0011_0000u16.to_be_bytes();
        check(Coding::Plain, &row, 16, 1, Some(&[0x0f, 0]));
        // The same row twice, each after an EOL code.
        let three = Coding::Three {
            two_dimensional: false,
        };
        let marked = [0, 0b0001_1011, 0b0111_0011, 0, 0b0001_1011, 0b0111_0011];
        check(three, &marked, 16, 2, Some(&[0x0f, 0, 0x0f, 0]));
        check(three, &marked[..4], 16, 2, None);
    }

    #[test]
    fn two_dimensional_rows_are_decoded() {
        // A row in horizontal mode (white 4, black 4) that ends in vertical mode, and a row in vertical mode.
        let rows = [0b0011_0110, 0b1111_1100];
        check(Coding::Four, &rows, 16, 2, Some(&[0x0f, 0, 0x0f, 0]));
        check(Coding::Four, &[0, 0x10, 0x01], 16, 1, None);
        check(Coding::Four, &[], 16, 1, None);
    }

    #[test]
    fn runs_may_begin_and_end_at_any_bit() {
        #[track_caller]
        fn check(changes: &[u32], expected: [u8; 3]) {
            let mut row = [0xaa; 3];
            paint(changes, 21, &mut row);
            assert_eq!(row, expected);
        }
        check(&[], [0; 3]);
        check(&[0], [0xff, 0xff, 0xf8]);
        check(&[3, 5], [0x18, 0, 0]);
        check(&[7, 9, 15, 21], [0x01, 0x81, 0xf8]);
    }
}
