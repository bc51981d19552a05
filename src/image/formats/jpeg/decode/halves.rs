//! The means of all blocks, from two places of the data at once. Never trusts what the second place gives until the first
//! has come to exactly the same bit.
//!
//! Huffman codes fall into step by themselves: a reader that starts anywhere soon stands between two units where every other
//! reader would. What it has read since is right, and predictions are differences, which can be added up afterwards.

use super::{
    bits::Bits,
    huffman::Table,
    structure::{DAMAGED, Scan, Structure},
};
use crate::image::pixels::simd;
use std::thread;

/// Bytes of data that are worth another thread.
const WORTH: usize = 1 << 18;

/// Most bytes that it may take.
const MOST: u64 = 16 << 20;

/// Bytes that [`differences`] takes, and the planes of the whole picture; `None` if it is not to be used.
pub(crate) fn memory(structure: &Structure) -> Option<u64> {
    let [scan] = structure.scans.as_slice() else {
        return None;
    };
    let (across, down) = structure.units();
    let blocks = structure.coefficients() / 64;
    let bytes = 8 * (across * down) as u64 + 5 * blocks;
    (scan.restart == 0 && scan.data.len() >= WORTH && bytes <= MOST).then_some(bytes)
}

/// The difference of each block's first coefficient from the one before it, in the order of the file.
pub(crate) fn differences(
    data: &[u8],
    structure: &Structure,
    scan: &Scan,
) -> Result<Vec<i16>, &'static str> {
    let (across, down) = structure.units();
    let mut blocks = Vec::new();
    for part in &scan.parts {
        let component = &structure.components[part.component];
        let count = component.horizontal * component.vertical;
        blocks.extend(std::iter::repeat_n((&*part.dc, &*part.ac), count));
    }
    let reader = Reader {
        data,
        blocks: &blocks,
        units: across * down,
    };
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
        let mut found = Vec::with_capacity(reader.units * blocks.len());
        let mut units = simd::run(
            #[inline(always)]
            || reader.until(8 * middle, &mut bits, &mut found),
        )
        .ok_or(DAMAGED)?;
        let tail = ahead.ok().and_then(|ahead| ahead.join().ok());
        let tail = tail.unwrap_or_default();
        let mut next = 0;
        while units < reader.units {
            let place = bits.place();
            while tail.places.get(next).is_some_and(|&other| other < place) {
                next += 1;
            }
            if tail.places.get(next) == Some(&place) {
                let rest = (reader.units - units).min(tail.places.len() - next);
                let (from, len) = (next * blocks.len(), rest * blocks.len());
                found.extend_from_slice(&tail.differences[from..][..len]);
                units += rest;
                break;
            }
            reader.unit(&mut bits, &mut found).ok_or(DAMAGED)?;
            units += 1;
        }
        if units < reader.units {
            return Err(DAMAGED);
        }
        Ok(found)
    })
}

/// What was found from somewhere in the middle up to the end.
#[derive(Default)]
struct Tail {
    /// Where units begin, in bits.
    places: Vec<usize>,
    differences: Vec<i16>,
}

struct Reader<'a> {
    data: &'a [u8],
    /// The tables of each block in a unit.
    blocks: &'a [(&'a Table, &'a Table)],
    units: usize,
}

impl Reader<'_> {
    /// Reads a unit. `None` if it does not decode, or not from the data alone.
    #[inline(always)]
    fn unit(&self, bits: &mut Bits<'_>, differences: &mut Vec<i16>) -> Option<()> {
        for (dc, ac) in self.blocks {
            differences.push(bits.block(dc, ac, 1, |_, _| {})? as i16);
        }
        (!bits.overran()).then_some(())
    }

    /// Reads units as long as they begin before `place`, in bits, and counts them.
    #[inline(always)]
    fn until(
        &self,
        place: usize,
        bits: &mut Bits<'_>,
        differences: &mut Vec<i16>,
    ) -> Option<usize> {
        let mut units = 0;
        while units < self.units && bits.place() < place {
            self.unit(bits, differences)?;
            units += 1;
        }
        Some(units)
    }

    /// Reads units to the end, as if one began at `start`. Begins anew where that turns out to be wrong.
    #[inline(always)]
    fn rest(&self, start: usize) -> Tail {
        let mut tail = Tail {
            places: Vec::with_capacity(self.units),
            differences: Vec::with_capacity(self.units * self.blocks.len()),
        };
        let mut bits = Bits::starting(self.data, start);
        while tail.places.len() < self.units {
            let whole = tail.differences.len();
            let place = bits.place();
            if self.unit(&mut bits, &mut tail.differences).is_some() {
                tail.places.push(place);
                continue;
            }
            if bits.at_end() {
                tail.differences.truncate(whole);
                break;
            }
            bits.stumble();
            tail.places.clear();
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
    fn two_threads_find_what_one_finds() {
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
    fn damage_is_the_same_to_both() {
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
        // Data that is missing.
        let mut file = file;
        let len = file.len();
        file.drain(len - 5_000..len - 2);
        assert!(small(&file, true).is_err());
        assert!(failed > 0);
    }
}
