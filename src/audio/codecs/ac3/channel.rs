//! State of one channel while the blocks of a frame are read, and the coefficients of the last block.

use super::{
    allocation::{COEFFICIENTS, Segment, Terms},
    enhanced::{extension::Blend, hybrid::Hybrid},
};
use convertd_core::coding::bits::MsbReader;

pub(super) const DAMAGED: &str = "an audio block is damaged";

/// State of one channel. An audio block may reuse the exponents, bit allocation and coordinates of the block before it.
pub(super) struct Channel {
    pub(super) exponents: [u8; COEFFICIENTS],
    pub(super) classes: [u8; COEFFICIENTS],
    /// First coded coefficient.
    pub(super) begin: usize,
    /// The coefficient after the last coded one.
    pub(super) end: usize,
    pub(super) terms: Terms,
    pub(super) segments: Vec<Segment>,
    /// Whether the bit allocation must be computed again.
    pub(super) is_stale: bool,
    pub(super) is_coupled: bool,
    /// Whether the next coupling coordinates follow without a flag that announces them.
    pub(super) needs_coordinates: bool,
    /// Whether the next coordinates of spectral extension follow without a flag that announces them.
    pub(super) needs_blends: bool,
    /// First coefficient of the part that spectral extension copies from lower frequencies.
    pub(super) copied_from: Option<usize>,
    /// Gains of the bands that spectral extension copies.
    pub(super) blends: Vec<Blend>,
    /// The coefficients of all blocks, if they are transformed together.
    pub(super) hybrid: Option<Hybrid>,
    /// Coupling coordinates: the gain of each band of the coupling channel in this channel.
    pub(super) coordinates: Vec<f32>,
    /// Dither flag: coefficients without bits become noise, not silence.
    pub(super) has_noise: bool,
    /// Block switch flag: the block is two interleaved short blocks.
    pub(super) is_short: bool,
    pub(super) coefficients: [f32; COEFFICIENTS],
}

impl Channel {
    pub(super) fn new() -> Self {
        Self {
            exponents: [0; COEFFICIENTS],
            classes: [0; COEFFICIENTS],
            begin: 0,
            end: 0,
            terms: Terms::default(),
            segments: Vec::new(),
            is_stale: true,
            is_coupled: false,
            needs_coordinates: false,
            needs_blends: false,
            copied_from: None,
            blends: Vec::new(),
            hybrid: None,
            coordinates: Vec::new(),
            has_noise: false,
            is_short: false,
            coefficients: [0.0; COEFFICIENTS],
        }
    }

    /// Reads exponents, as differences from one to the next, each for `share` coefficients (A/52, 7.1.3): `groups`
    /// codes of three differences each. The first difference is added to `first`, and the sum is the exponent of
    /// coefficient `from`.
    pub(super) fn read_exponents(
        &mut self,
        bits: &mut MsbReader<'_>,
        first: u8,
        from: usize,
        groups: usize,
        share: usize,
    ) -> Result<(), &'static str> {
        let mut exponent = i32::from(first);
        let mut at = from;
        for _ in 0..groups {
            let code = bits.take(7) as i32;
            for difference in [code / 25, code / 5 % 5, code % 5] {
                exponent += difference - 2;
                if !(0..=24).contains(&exponent) {
                    return Err(DAMAGED);
                }
                let end = (at + share).min(COEFFICIENTS);
                self.exponents[at.min(end)..end].fill(exponent as u8);
                at = end;
            }
        }
        self.is_stale = true;
        Ok(())
    }
}
