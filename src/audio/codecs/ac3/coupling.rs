//! Coupling (A/52, 7.4): at high frequencies several channels may share one spectrum, which is scaled for each channel
//! and band. This module reads the parameters of coupling, and no coefficients.

use super::channel::{Channel, DAMAGED};
use convertd_core::coding::bits::MsbReader;
use std::ops::Range;

/// Number of coefficients of a subband (A/52, table 7.24).
pub(super) const SUBBAND: usize = 12;
/// The first coefficient that can be coupled (A/52, table 7.24).
pub(super) const FIRST: usize = 37;
/// Number of subbands (A/52, table 7.24).
pub(super) const SUBBANDS: usize = 18;
/// Default band structure: whether a subband joins the band of the previous subband. A frame of Enhanced AC-3 may
/// replace it (table E2.12).
pub(super) const DEFAULT: [bool; SUBBANDS] = [
    false, false, false, false, false, false, false, false, true, false, true, true, false, true,
    true, true, true, true,
];

/// Coupling in the blocks that use it.
pub(super) struct Coupling {
    /// The first coupled subband.
    pub(super) first: usize,
    /// The number of coefficients of each band, which consists of one or more subbands.
    pub(super) bands: Vec<usize>,
    /// Whether phase flags are in use.
    has_phases: bool,
    /// For each band, whether the right channel has the opposite phase in it.
    pub(super) phases: Vec<bool>,
}

impl Coupling {
    /// Reads the coupled range and its band structure. Only stereo has phase flags. If spectral extension determines
    /// the end of coupling, `end` is the subband after the last coupled one; otherwise the block states the end.
    /// `joins` is the band structure that a frame of Enhanced AC-3 keeps for blocks that do not state one; it is `None`
    /// for AC-3, whose blocks always state one.
    pub(super) fn read(
        bits: &mut MsbReader<'_>,
        is_stereo: bool,
        end: Option<usize>,
        joins: Option<&mut [bool; SUBBANDS]>,
    ) -> Result<(Self, Range<usize>), &'static str> {
        let has_phases = is_stereo && bits.flag();
        let first = bits.take(4) as usize;
        let end = end.unwrap_or_else(|| bits.take(4) as usize + 3);
        if end <= first || end > SUBBANDS {
            return Err(DAMAGED);
        }
        let is_stated = joins.is_none() || bits.flag();
        let own = &mut [false; SUBBANDS];
        let joins = joins.unwrap_or(own);
        if is_stated {
            for join in &mut joins[first + 1..end] {
                *join = bits.flag();
            }
        }
        let mut bands = vec![SUBBAND];
        for &joins in &joins[first + 1..end] {
            match bands.last_mut() {
                Some(last) if joins => *last += SUBBAND,
                _ => bands.push(SUBBAND),
            }
        }
        let coupling = Self {
            first,
            phases: vec![false; bands.len()],
            bands,
            has_phases,
        };
        let range = FIRST + first * SUBBAND..FIRST + end * SUBBAND;
        Ok((coupling, range))
    }

    /// Reads the coupling coordinates, which are the gains of the bands in each channel (A/52, 7.4.3).
    pub(super) fn read_coordinates(&mut self, bits: &mut MsbReader<'_>, channels: &mut [Channel]) {
        let mut any = false;
        for channel in channels.iter_mut().filter(|channel| channel.is_coupled) {
            if !std::mem::take(&mut channel.needs_coordinates) && !bits.flag() {
                continue;
            }
            any = true;
            let shift = 3 * bits.take(2) as i32;
            channel.coordinates.clear();
            for _ in &self.bands {
                let exponent = bits.take(4) as i32;
                let mantissa = bits.take(4) as f32;
                let value = match exponent {
                    15 => mantissa / 16.0,
                    _ => (mantissa + 16.0) / 32.0,
                };
                let value = value * 2f32.powi(3 - exponent - shift);
                channel.coordinates.push(value);
            }
        }
        if self.has_phases && any {
            for phase in &mut self.phases {
                *phase = bits.flag();
            }
        }
    }
}
