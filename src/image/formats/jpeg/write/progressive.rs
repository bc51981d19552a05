//! Progressive JPEG (T.81, annex G): holds the coefficients of the whole picture, and codes them in several scans, each
//! with its own Huffman tables. Does not compute or change coefficients.
//!
//! A scan contains all DC coefficients, or some AC coefficients of a component, and may leave out their lowest bits,
//! which a later scan adds (successive approximation). A single symbol ends a run of blocks without further
//! coefficients (EOB run). That makes files 3 to 5 % smaller than one scan with optimised tables. The best scans differ
//! by picture, so several divisions of each component into scans are tried by counting symbols; the best one saves 1 to
//! 2 % more than the scans of the Independent JPEG Group.

use super::{
    ac::{Component, MAX_WAITING, Put, RAW_BITS, Scan},
    band::Band,
    bits::Bits,
    entropy::{Words, lengths_of},
    fdct::Block,
    segments,
    symbols::number,
};
use crate::{
    formats::jpeg::zigzag::index_of,
    pixels::{Layout, simd},
};
use convertd_core::{coding::prefix_codes, error::Result};

/// The divisions of AC coefficients that are tried: the last coefficient of the first of two scans, or `None` for a
/// single scan.
const SPLITS: [Option<usize>; 3] = [None, Some(2), Some(8)];

/// Largest number of bits that the first scans leave out.
const MAX_LOW: u32 = 2;

/// Quantised coefficients of a picture.
pub(crate) struct Held {
    components: Vec<Component>,
}

/// Memory in bytes for a picture with this many samples.
pub(crate) fn memory(samples: usize) -> usize {
    samples * size_of::<i16>() + 4 * MAX_WAITING
}

impl Held {
    /// Prepares for a picture with bands like this one.
    pub(crate) fn new(band: &Band, layout: Layout) -> Self {
        let [width, height] = [layout.width, layout.height].map(|side| side as usize);
        let mcus = height.div_ceil(band.height());
        let components = band.planes.iter().enumerate().map(|(at, plane)| {
            let shrinks = band.halves_colour && at > 0;
            let covered = if shrinks { 16 } else { 8 };
            let side = if band.halves_colour && at == 0 { 2 } else { 1 };
            let stride = plane.stride / 8;
            Component {
                blocks: Vec::with_capacity(stride * side * mcus),
                stride,
                across: width.div_ceil(covered),
                down: height.div_ceil(covered),
                side,
            }
        });
        Self {
            components: components.collect(),
        }
    }

    /// Appends a block of a component. Blocks must come in the order of MCUs.
    #[inline(always)]
    pub(crate) fn add(&mut self, component: usize, block: &Block) {
        let ordered = std::array::from_fn(|at| block[index_of(at)]);
        self.components[component].blocks.push(ordered);
    }

    /// Writes all scans. `put` receives each scan when it is complete.
    pub(crate) fn write(&self, mut put: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
        let mut bytes = Vec::new();
        let dc = Scan {
            component: 0,
            from: 0,
            to: 0,
            before: None,
            low: 0,
        };
        for scan in [dc].into_iter().chain(self.chosen()) {
            self.append(&scan, &mut bytes);
            put(&bytes)?;
            bytes.clear();
        }
        Ok(())
    }

    /// Returns the AC scans of all components. For each component, they are the division that takes the fewest bits of
    /// those tried.
    fn chosen(&self) -> Vec<Scan> {
        let mut chosen = Vec::new();
        for component in 0..self.components.len() {
            let mut best: Option<(u64, Vec<Scan>)> = None;
            // Refinement scans do not depend on the division of the first scans, so their bits are counted once for all
            // divisions.
            let mut refined = 0;
            let mut refinements: Vec<Scan> = Vec::new();
            for low in 0..=MAX_LOW {
                if let Some(finer) = low.checked_sub(1) {
                    let scan = Scan {
                        component,
                        from: 1,
                        to: 63,
                        before: Some(low),
                        low: finer,
                    };
                    refined += self.bits(&scan);
                    refinements.insert(0, scan);
                }
                let first = |from, to| Scan {
                    component,
                    from,
                    to,
                    before: None,
                    low,
                };
                let mut is_better = false;
                for split in SPLITS {
                    let mut scans = match split {
                        None => vec![first(1, 63)],
                        Some(last) => vec![first(1, last), first(last + 1, 63)],
                    };
                    let bits = refined + scans.iter().map(|scan| self.bits(scan)).sum::<u64>();
                    if best.as_ref().is_none_or(|(least, _)| bits < *least) {
                        scans.extend(&refinements);
                        best = Some((bits, scans));
                        is_better = true;
                    }
                }
                if !is_better {
                    break;
                }
            }
            chosen.extend(best.into_iter().flat_map(|(_, scans)| scans));
        }
        chosen
    }

    /// Frequencies of the symbols in a scan, and the number of bits that follow symbols.
    fn counts(&self, scan: &Scan) -> ([[u32; 257]; 2], u64) {
        let mut counts = [[0; 257]; 2];
        let mut raw_bits = 0;
        self.each(scan, |kind, symbol, _, count| {
            counts[kind % 2][symbol % 257] += 1;
            raw_bits += u64::from(count);
        });
        (counts, raw_bits)
    }

    /// Approximate size of a scan in bits.
    fn bits(&self, scan: &Scan) -> u64 {
        let (counts, raw_bits) = self.counts(scan);
        let coded = counts.iter().map(|counts| {
            let (symbols, _) = counts.split_first_chunk().unwrap_or((&[0; 256], &[]));
            let lengths = lengths_of(symbols);
            let bits = (symbols.iter().zip(&lengths))
                .map(|(&count, &length)| u64::from(count) * u64::from(length))
                .sum::<u64>();
            // A table has one byte for each symbol.
            bits + 8 * symbols.iter().filter(|&&count| count > 0).count() as u64
        });
        // The header of a table takes 21 bytes, and the header of a scan 10 bytes.
        raw_bits + coded.sum::<u64>() + 8 * (21 + 10)
    }

    /// Appends a scan with its tables and its header.
    fn append(&self, scan: &Scan, to: &mut Vec<u8>) {
        let (counts, _) = self.counts(scan);
        let mut words: [Words; 2] = [[(0, 0); 257]; 2];
        for (kind, (words, counts)) in words.iter_mut().zip(&counts).enumerate() {
            let (symbols, _) = counts.split_first_chunk().unwrap_or((&[0; 256], &[]));
            if symbols.iter().all(|&count| count == 0) {
                continue;
            }
            let lengths = lengths_of(symbols);
            *words = prefix_codes::words(&lengths);
            words[RAW_BITS] = (0, 0);
            let number = if scan.from == 0 { 2 * kind } else { 1 };
            segments::huffman_table(to, number, &lengths[..256]);
        }
        let selection = [
            scan.from as u8,
            scan.to as u8,
            (scan.before.unwrap_or(0) << 4 | scan.low) as u8,
        ];
        if scan.from == 0 {
            let all = (0..self.components.len() as u8).map(|at| (at, at.min(1) << 4));
            segments::part_scan(to, all, selection);
        } else {
            segments::part_scan(to, [(scan.component as u8, 0)].into_iter(), selection);
        }
        let mut bits = Bits::default();
        std::mem::swap(&mut bits.bytes, to);
        self.each(scan, |kind, symbol, value, count| {
            let (word, length) = words[kind % 2][symbol % 257];
            bits.put(u32::from(word) << count | value, u32::from(length) + count);
        });
        bits.finish();
        std::mem::swap(&mut bits.bytes, to);
    }

    /// Calls `put` with all symbols of a scan, in the order of the file.
    fn each(&self, scan: &Scan, mut put: impl Put) {
        simd::run(
            #[inline(always)]
            || match (scan.from, scan.before) {
                (0, _) => self.each_dc(&mut put),
                (_, None) => self.components[scan.component].each_first(scan, &mut put),
                (_, Some(_)) => self.components[scan.component].each_refining(scan, &mut put),
            },
        );
    }

    /// Codes DC coefficients, interleaved by MCU.
    #[inline(always)]
    fn each_dc(&self, put: &mut impl Put) {
        let mut predictions = [0; 3];
        let mut parts: Vec<_> = (self.components.iter())
            .map(|part| part.blocks.chunks(part.side * part.side))
            .collect();
        loop {
            for (at, part) in parts.iter_mut().enumerate() {
                let Some(blocks) = part.next() else {
                    return;
                };
                for &[value, ..] in blocks {
                    let (size, bits) = number(value - predictions[at]);
                    predictions[at] = value;
                    put(at.min(1), size.into(), bits.into(), size.into());
                }
            }
        }
    }
}
