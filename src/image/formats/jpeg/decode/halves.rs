//! Decodes the DC coefficients of all blocks with two threads from one entropy-coded segment. This is for pictures at
//! one eighth of their size, which need no other coefficients, so Huffman decoding is all the work.
//!
//! Huffman codes synchronise by themselves: a reader that starts at any bit soon meets the beginning of a code, and
//! after some MCUs the beginning of an MCU. So one thread reads from the beginning of the data, and the other one from
//! the middle, recording the bit position of each of its MCUs. When the first thread arrives at exactly one of these
//! positions, everything that the second one has read from there on is certainly right, and is used; nothing is
//! guessed. DC coefficients are stored as differences, so they can be added up afterwards.
//!
//! For 12 megapixels (4:2:0, quality 85), one thread alone takes 14 ms of processor time, and the first of two threads
//! takes 7 ms. The elapsed time for a thumbnail falls to between 0.6 and 0.8 of that of one thread, measured on two
//! cores that were busy with other work.

use super::{bits::Bits, fault::DAMAGED, huffman::Table, scan::Scan, structure::Structure};
use crate::pixels::simd;
use std::thread;

/// Smallest length of entropy-coded data for which a second thread pays off, in bytes.
const MIN_SPLIT: usize = 1 << 18;

/// Largest memory for this method, in bytes.
const MAX: u64 = 16 << 20;

/// Memory of [`differences`] and of the planes of the whole picture, in bytes. `None` if this method is not to be used:
/// for several scans, restart intervals, little data, or too large a picture.
pub(crate) fn memory(structure: &Structure) -> Option<u64> {
    let [scan] = structure.scans.as_slice() else {
        return None;
    };
    let (across, down) = structure.mcus();
    let blocks = structure.coefficients() / 64;
    let bytes = 8 * (across * down) as u64 + 5 * blocks;
    (scan.restart == 0 && scan.data.len() >= MIN_SPLIT && bytes <= MAX).then_some(bytes)
}

/// Decodes the DC difference of each block, in the order of the file (T.81, F.1.2.1).
pub(crate) fn differences(
    data: &[u8],
    structure: &Structure,
    scan: &Scan,
) -> Result<Vec<i16>, &'static str> {
    let (across, down) = structure.mcus();
    let mut blocks = Vec::new();
    for part in &scan.parts {
        let component = &structure.components[part.component];
        let count = component.horizontal * component.vertical;
        blocks.extend(std::iter::repeat_n((&*part.dc, &*part.ac), count));
    }
    let reader = McuReader {
        data,
        blocks: &blocks,
        mcus: across * down,
    };
    // The second thread must not start between 0xFF and its stuffed zero.
    let mut middle = data.len() / 2;
    while data.get(middle - 1) == Some(&0xff) {
        middle += 1;
    }
    thread::scope(|scope| {
        let ahead = thread::Builder::new()
            .name("decode".into())
            .spawn_scoped(scope, || {
                simd::run(
                    #[inline(always)]
                    || reader.rest(middle),
                )
            });
        let mut bits = Bits::starting(data, 0);
        let mut found = Vec::with_capacity(reader.mcus * blocks.len());
        let mut mcus = simd::run(
            #[inline(always)]
            || reader.until(8 * middle, &mut bits, &mut found),
        )
        .ok_or(DAMAGED)?;
        let tail = ahead.ok().and_then(|ahead| ahead.join().ok());
        let tail = tail.unwrap_or_default();
        let mut next = 0;
        while mcus < reader.mcus {
            let position = bits.bit_index();
            // Both lists of positions are sorted. If the second thread has an MCU at this position, the rest is taken
            // from that thread.
            while tail
                .positions
                .get(next)
                .is_some_and(|&other| other < position)
            {
                next += 1;
            }
            if tail.positions.get(next) == Some(&position) {
                let rest = (reader.mcus - mcus).min(tail.positions.len() - next);
                let (from, len) = (next * blocks.len(), rest * blocks.len());
                found.extend_from_slice(&tail.differences[from..][..len]);
                mcus += rest;
                break;
            }
            reader.mcu(&mut bits, &mut found).ok_or(DAMAGED)?;
            mcus += 1;
        }
        if mcus < reader.mcus {
            return Err(DAMAGED);
        }
        Ok(found)
    })
}

/// Result of the second thread, from some MCU in the middle to the end.
#[derive(Default)]
struct Tail {
    /// Bit position of each MCU.
    positions: Vec<usize>,
    /// DC differences of the blocks of these MCUs.
    differences: Vec<i16>,
}

/// A reader of MCUs.
struct McuReader<'a> {
    data: &'a [u8],
    /// DC table and AC table of each block in an MCU.
    blocks: &'a [(&'a Table, &'a Table)],
    mcus: usize,
}

impl McuReader<'_> {
    /// Reads an MCU. `None` if a code is unknown, or the data ends within it.
    #[inline(always)]
    fn mcu(&self, bits: &mut Bits<'_>, differences: &mut Vec<i16>) -> Option<()> {
        for (dc, ac) in self.blocks {
            differences.push(bits.block(dc, ac, 1, |_, _| {})? as i16);
        }
        (!bits.overran()).then_some(())
    }

    /// Reads MCUs that begin before the bit `position`, and returns their number.
    #[inline(always)]
    fn until(
        &self,
        position: usize,
        bits: &mut Bits<'_>,
        differences: &mut Vec<i16>,
    ) -> Option<usize> {
        let mut mcus = 0;
        while mcus < self.mcus && bits.bit_index() < position {
            self.mcu(bits, differences)?;
            mcus += 1;
        }
        Some(mcus)
    }

    /// Reads MCUs to the end of the data, on the assumption that one begins at byte `start`. After an unknown code,
    /// discards all results, and starts again one bit further.
    #[inline(always)]
    fn rest(&self, start: usize) -> Tail {
        let mut tail = Tail {
            positions: Vec::with_capacity(self.mcus),
            differences: Vec::with_capacity(self.mcus * self.blocks.len()),
        };
        let mut bits = Bits::starting(self.data, start);
        while tail.positions.len() < self.mcus {
            let whole = tail.differences.len();
            let position = bits.bit_index();
            if self.mcu(&mut bits, &mut tail.differences).is_some() {
                tail.positions.push(position);
                continue;
            }
            if bits.at_end() {
                tail.differences.truncate(whole);
                break;
            }
            bits.skip_bit();
            tail.positions.clear();
            tail.differences.clear();
        }
        tail
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Decoder, Structure};
    use jpeg_encoder::{ColorType, Encoder, SamplingFactor};
    use std::io::Cursor;

    const WIDTH: u16 = 901;
    const HEIGHT: u16 = 777;

    fn picture(kind: ColorType, sampling: SamplingFactor) -> Vec<u8> {
        let samples = if kind == ColorType::Luma { 1 } else { 3 };
        let mut seed = 1u32;
        let pixels: Vec<u8> = (0..usize::from(WIDTH) * usize::from(HEIGHT) * samples)
            .map(|at| {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                ((at / 5_000 % 128) as u8).wrapping_add((seed >> 25) as u8)
            })
            .collect();
        let mut file = Vec::new();
        let mut encoder = Encoder::new(&mut file, 95);
        encoder.set_sampling_factor(sampling);
        encoder.encode(&pixels, WIDTH, HEIGHT, kind).unwrap();
        file
    }

    /// The picture at an eighth, by one thread or by two.
    fn small(file: &[u8], spare: bool) -> Result<Vec<u8>, &'static str> {
        let structure = Structure::parse(&mut Cursor::new(file)).unwrap();
        assert!(super::memory(&structure).is_some());
        let (width, height) = (
            usize::from(WIDTH).div_ceil(8),
            usize::from(HEIGHT).div_ceil(8),
        );
        let row_bytes = structure.components.len() * width;
        let mut decoder = Decoder::new(file.to_vec(), structure, 8, spare);
        let mut pixels = vec![0; row_bytes * height];
        for row in pixels.chunks_exact_mut(row_bytes) {
            decoder.next_row(row)?;
        }
        Ok(pixels)
    }

    #[test]
    fn two_threads_find_the_same_as_one() {
        for (kind, sampling) in [
            (ColorType::Rgb, SamplingFactor::F_1_1),
            (ColorType::Rgb, SamplingFactor::F_2_2),
            (ColorType::Rgb, SamplingFactor::F_2_1),
            (ColorType::Luma, SamplingFactor::F_1_1),
        ] {
            let file = picture(kind, sampling);
            let alone = small(&file, false).unwrap();
            assert!(
                small(&file, true).unwrap() == alone,
                "{kind:?} {sampling:?}"
            );
        }
    }

    #[test]
    fn damage_has_the_same_effect_with_two_threads() {
        let file = picture(ColorType::Rgb, SamplingFactor::F_2_2);
        let mut failed = 0;
        for at in [3, 5, 8, 9, 12, 15, 18] {
            for byte in [0, 0x55, 0xfe] {
                let mut file = file.clone();
                let at = file.len() * at / 19;
                file[at..at + 3].fill(byte);
                let alone = small(&file, false);
                assert!(small(&file, true) == alone, "{byte:#x} at {at}");
                failed += usize::from(alone.is_err());
            }
        }
        // A file whose data is cut short.
        let mut file = file;
        let len = file.len();
        file.drain(len - 5_000..len - 2);
        assert!(small(&file, true).is_err());
        assert!(failed > 0);
    }
}
