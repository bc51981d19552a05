//! Fields of a frame of Enhanced AC-3 that apply to all its blocks (A/52, E.1.2.3). Reads no block.

use super::super::{blocks::Strategies, channel::DAMAGED};
use super::header::Enhanced;
use convertd_core::coding::bits::MsbReader;

/// Frame exponent strategies by code (table E2.10), with an entry for each of six blocks: 0 reuses the exponents of the
/// previous block; 1, 2 and 3 send new exponents, each for one, two or four coefficients.
const STRATEGIES: [[u8; 6]; 32] = [
    [1, 0, 0, 0, 0, 0],
    [1, 0, 0, 0, 0, 3],
    [1, 0, 0, 0, 2, 0],
    [1, 0, 0, 0, 3, 3],
    [2, 0, 0, 2, 0, 0],
    [2, 0, 0, 2, 0, 3],
    [2, 0, 0, 3, 2, 0],
    [2, 0, 0, 3, 3, 3],
    [2, 0, 1, 0, 0, 0],
    [2, 0, 2, 0, 0, 3],
    [2, 0, 2, 0, 2, 0],
    [2, 0, 2, 0, 3, 3],
    [2, 0, 3, 2, 0, 0],
    [2, 0, 3, 2, 0, 3],
    [2, 0, 3, 3, 2, 0],
    [2, 0, 3, 3, 3, 3],
    [3, 1, 0, 0, 0, 0],
    [3, 1, 0, 0, 0, 3],
    [3, 2, 0, 0, 2, 0],
    [3, 2, 0, 0, 3, 3],
    [3, 2, 0, 2, 0, 0],
    [3, 2, 0, 2, 0, 3],
    [3, 2, 0, 3, 2, 0],
    [3, 2, 0, 3, 3, 3],
    [3, 3, 1, 0, 0, 0],
    [3, 3, 2, 0, 0, 3],
    [3, 3, 2, 0, 2, 0],
    [3, 3, 2, 0, 3, 3],
    [3, 3, 3, 2, 0, 0],
    [3, 3, 3, 2, 0, 3],
    [3, 3, 3, 3, 2, 0],
    [3, 3, 3, 3, 3, 3],
];

/// Location of the offsets of the signal-to-noise ratio (snroffststr).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Offsets {
    /// Once in the frame, for all blocks: the coarse and the fine offset.
    Frame(i32, i32),
    /// Once in each block, for all its channels.
    Block,
    /// In each block, once for each of its channels.
    Channels,
}

/// Fields of the audio frame (audfrm).
pub(in crate::codecs::ac3) struct Frame {
    pub(super) header: Enhanced,
    /// Whether the blocks contain block switch flags.
    pub(super) tells_short: bool,
    /// Whether the blocks contain dither flags.
    pub(super) tells_noise: bool,
    /// Whether the blocks may contain the parameters of the masking curve.
    pub(super) tells_shape: bool,
    /// Whether the blocks may contain fast gains.
    pub(super) tells_gains: bool,
    /// Whether the blocks may contain delta bit allocation.
    pub(super) tells_segments: bool,
    /// Whether the blocks may contain skip fields.
    pub(super) tells_skipped: bool,
    pub(super) offsets: Offsets,
    /// For each block: whether its coupling strategy is new, and whether coupling is in use.
    pub(super) coupling: [(bool, bool); 6],
    pub(super) strategies: [Strategies; 6],
    /// Whether the coefficients of all blocks are transformed together: for each full-bandwidth channel, the
    /// low-frequency channel, and the coupling channel.
    pub(super) hybrid: [bool; 7],
    /// Attenuation at the borders of copied bands (spxattencod), by channel.
    pub(super) softening: [Option<u8>; 5],
}

/// Index of the low-frequency channel, as in the blocks.
const LOW: usize = 5;
/// Index of the coupling channel, as in the blocks.
const COUPLING: usize = 6;

impl Frame {
    /// Reads the fields between the header and the first block.
    pub(in crate::codecs::ac3) fn read(
        header: Enhanced,
        bits: &mut MsbReader<'_>,
    ) -> Result<Self, &'static str> {
        let full = header.full_channels();
        let (mut by_block, mut has_hybrid) = (true, false);
        if header.blocks == 6 {
            (by_block, has_hybrid) = (bits.flag(), bits.flag());
        }
        let place_of_offsets = bits.take(2);
        let has_transients = bits.flag();
        let mut frame = Self {
            header,
            tells_short: bits.flag(),
            tells_noise: bits.flag(),
            tells_shape: bits.flag(),
            tells_gains: bits.flag(),
            tells_segments: bits.flag(),
            tells_skipped: bits.flag(),
            offsets: Offsets::Channels,
            coupling: [(false, false); 6],
            strategies: [Strategies::default(); 6],
            hybrid: [false; 7],
            softening: [None; 5],
        };
        let has_softening = bits.flag();
        frame.read_coupling(bits);
        frame.read_strategies(bits, by_block)?;
        if has_hybrid {
            frame.read_hybrid(bits);
        }
        frame.offsets = match place_of_offsets {
            0 => Offsets::Frame(bits.take(6) as i32, bits.take(4) as i32),
            1 => Offsets::Block,
            2 => Offsets::Channels,
            _ => return Err(DAMAGED),
        };
        for _ in 0..if has_transients { full } else { 0 } {
            if bits.flag() {
                bits.skip(10 + 8);
            }
        }
        for softening in &mut frame.softening[..if has_softening { full } else { 0 }] {
            *softening = bits.flag().then(|| bits.take(5) as u8);
        }
        // Skips the position of each block.
        if header.blocks > 1 && bits.flag() {
            let words = (header.common.bytes / 2) as u32;
            let size = 4 + words.next_power_of_two().ilog2() as usize;
            bits.skip((header.blocks - 1) * size);
        }
        Ok(frame)
    }

    fn read_coupling(&mut self, bits: &mut MsbReader<'_>) {
        if self.header.common.mode < 2 {
            return;
        }
        let mut is_used = false;
        for (at, block) in self.coupling[..self.header.blocks].iter_mut().enumerate() {
            let is_new = at == 0 || bits.flag();
            if is_new {
                is_used = bits.flag();
            }
            *block = (is_new, is_used);
        }
    }

    /// Reads the exponent strategies of all blocks: block by block, or for each channel as a code for all six blocks.
    fn read_strategies(
        &mut self,
        bits: &mut MsbReader<'_>,
        by_block: bool,
    ) -> Result<(), &'static str> {
        let full = self.header.full_channels();
        let blocks = self.header.blocks;
        if by_block {
            for (block, (_, is_coupled)) in self.strategies[..blocks].iter_mut().zip(self.coupling)
            {
                if is_coupled {
                    block.coupling = bits.take(2);
                }
                for channel in &mut block.full[..full] {
                    *channel = bits.take(2);
                }
            }
        } else {
            let is_coupled = self.coupling.iter().any(|(_, is_used)| *is_used);
            let coupling = if is_coupled { bits.take(5) } else { 0 };
            let channels: Vec<u32> = (0..full).map(|_| bits.take(5)).collect();
            for (at, block) in self.strategies.iter_mut().enumerate() {
                let of = |number: u32| u32::from(STRATEGIES[number as usize & 31][at]);
                block.coupling = if self.coupling[at].1 { of(coupling) } else { 0 };
                for (channel, &number) in block.full.iter_mut().zip(&channels) {
                    *channel = of(number);
                }
            }
        }
        if self.header.common.has_low {
            for block in &mut self.strategies[..blocks] {
                block.low = bits.take(1);
            }
        }
        // Skips fields for converters to AC-3.
        if self.header.has_conversion() && (blocks == 6 || bits.flag()) {
            bits.skip(5 * full);
        }
        let first = &self.strategies[0];
        let has_all = first.full[..full].iter().all(|strategy| *strategy > 0);
        if has_all { Ok(()) } else { Err(DAMAGED) }
    }

    /// Reads which channels use the adaptive hybrid transform. A channel can use it only if
    /// its exponents are valid for the whole frame.
    fn read_hybrid(&mut self, bits: &mut MsbReader<'_>) {
        let rest = &self.strategies[1..];
        let is_coupled = self.coupling.iter().all(|(_, is_used)| *is_used)
            && self.coupling[1..].iter().all(|(is_new, _)| !is_new);
        if is_coupled && rest.iter().all(|block| block.coupling == 0) {
            self.hybrid[COUPLING] = bits.flag();
        }
        for channel in 0..self.header.full_channels() {
            if rest.iter().all(|block| block.full[channel] == 0) {
                self.hybrid[channel] = bits.flag();
            }
        }
        if self.header.common.has_low && rest.iter().all(|block| block.low == 0) {
            self.hybrid[LOW] = bits.flag();
        }
    }
}
