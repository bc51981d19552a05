//! Coefficients of a component that are kept until all scans are decoded. Reads no entropy-coded data.

use super::idct;
use crate::formats::jpeg::zigzag::index_of;

/// The quantised coefficients of a component, in blocks from left to right and from top to bottom.
pub(super) struct Held {
    /// The first `depth` coefficients of each block, in zigzag order.
    pub(super) values: Vec<i16>,
    /// Coefficients kept per block; fewer than 64 if a reduced picture does not need the others.
    pub(super) depth: usize,
    /// The mask [`Block::known`] of each block. Empty if only DC coefficients are held.
    pub(super) known: Vec<u64>,
    /// Replaces the mask of every block if only DC coefficients are held; always 0.
    pub(super) empty_mask: u64,
    /// Blocks in a row, including those that pad the last MCU.
    pub(super) across: usize,
}

/// A block that is being decoded.
pub(super) struct Block<'a> {
    /// The kept coefficients, in zigzag order.
    pub(super) values: &'a mut [i16],
    /// Mask with a bit for each coefficient in zigzag order, which is set for the AC coefficients that have been
    /// decoded as nonzero. Most are zero, so the mask allows skipping many at a time.
    pub(super) known: &'a mut u64,
}

impl Block<'_> {
    /// Sets an AC coefficient, if it is among those kept.
    #[inline(always)]
    pub(super) fn set(&mut self, at: usize, value: i16) {
        if let Some(held) = self.values.get_mut(at) {
            *held = value;
            *self.known |= 1 << (at & 63);
        }
    }
}

impl Held {
    /// Makes `count` blocks of zeros, with `across` blocks in a row and `depth` coefficients per block.
    pub(super) fn new(count: usize, across: usize, depth: usize) -> Self {
        Self {
            values: vec![0; count * depth],
            depth,
            known: vec![0; if depth > 1 { count } else { 0 }],
            empty_mask: 0,
            across,
        }
    }

    /// Returns block number `at`, for decoding.
    #[inline(always)]
    pub(super) fn block(&mut self, at: usize) -> Block<'_> {
        Block {
            values: &mut self.values[at * self.depth..][..self.depth],
            known: self.known.get_mut(at).unwrap_or(&mut self.empty_mask),
        }
    }

    /// The DC coefficient of a block.
    #[inline(always)]
    pub(super) fn dc(&mut self, at: usize) -> &mut i16 {
        &mut self.values[at * self.depth]
    }

    /// Transforms a row of blocks, and writes their samples to the beginning of `plane`, which has `stride` samples per
    /// row.
    #[inline(always)]
    pub(super) fn put(
        &self,
        row: usize,
        factors: &[f32; 64],
        side: usize,
        plane: &mut [u8],
        stride: usize,
    ) {
        let used = u64::MAX >> (64 - idct::needed(side));
        for x in 0..self.across {
            let (block, flat) = self.dequantised(row * self.across + x, factors, used);
            idct::put(&block, flat, side, plane, x * side, stride);
        }
    }

    /// Dequantises a block for the transform: its DC coefficient, and the AC coefficients in the mask `used` (in zigzag
    /// order). Also returns whether all of these AC coefficients are zero.
    #[inline(always)]
    pub(super) fn dequantised(
        &self,
        at: usize,
        factors: &[f32; 64],
        used: u64,
    ) -> (idct::Block, bool) {
        let values = self.values(at);
        let mut known = self.known.get(at).map_or(0, |known| known & used);
        let flat = known == 0;
        let mut block = [0.0; 64];
        block[0] = f32::from(values[0]) * factors[0];
        while known != 0 {
            let zigzag = known.trailing_zeros() as usize;
            known &= known - 1;
            block[index_of(zigzag)] = f32::from(values[zigzag]) * factors[zigzag];
        }
        (block, flat)
    }

    /// The kept coefficients of a block.
    #[inline(always)]
    pub(super) fn values(&self, at: usize) -> &[i16] {
        &self.values[at * self.depth..][..self.depth]
    }

    /// The number of blocks.
    pub(super) fn count(&self) -> usize {
        self.values.len() / self.depth
    }
}
