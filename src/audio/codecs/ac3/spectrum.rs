//! The coefficients of a block (A/52, 7.3 to 7.5, E.3.6): computes the spectrum of each channel from its mantissas, the
//! coupling channel, and sums and differences.

use super::{
    allocation::{classes, power},
    blocks::{Blocks, COUPLING, LOW},
    enhanced::{extension::Extension, hybrid::Hybrid},
    mantissas::Mantissas,
};
use convertd_core::coding::bits::MsbReader;

/// Edges of the four bands in which left and right may be coded as their sum and their difference (table 5.7): the
/// first coefficient of each band, and the end of the last one.
const SUM_BANDS: [usize; 5] = [13, 25, 37, 61, 253];

impl Blocks {
    /// Returns a random mantissa for a coefficient without bits.
    fn noise(&mut self) -> f32 {
        // Between -1/√2 and 1/√2 (A/52, 7.3.4).
        random(&mut self.seed) * std::f32::consts::FRAC_1_SQRT_2
    }

    /// Fills in the coefficients that spectral extension copies from lower frequencies.
    pub(super) fn extend(&mut self, extension: &Extension, softening: &[Option<u8>; LOW]) {
        for (channel, &softening) in self.channels.iter_mut().zip(softening) {
            if channel.copied_from.is_some() {
                let seed = &mut self.seed;
                extension.apply(
                    &mut channel.coefficients,
                    &channel.blends,
                    softening,
                    || random(seed),
                );
            }
        }
    }

    /// Reads the coefficients of all channels in a block, whose number in the frame is `block`.
    pub(super) fn read_coefficients(&mut self, bits: &mut MsbReader<'_>, block: usize) {
        let mut mantissas = Mantissas::default();
        let mut is_coupling_due = self.coupling.is_some();
        for at in 0..self.header.full_channels() {
            self.read_channel(at, block, bits, &mut mantissas);
            // The coupling channel follows the first channel that is coupled.
            if is_coupling_due && self.channels[at].is_coupled {
                is_coupling_due = false;
                self.read_channel(COUPLING, block, bits, &mut mantissas);
            }
        }
        if self.header.has_low {
            self.read_channel(LOW, block, bits, &mut mantissas);
        }
    }

    /// Reads the mantissas of a channel (A/52, 7.3); with the hybrid transform, those of all blocks in the first one.
    /// Bit allocation is computed again only if one of its parameters has changed.
    fn read_channel(
        &mut self,
        at: usize,
        block: usize,
        bits: &mut MsbReader<'_>,
        mantissas: &mut Mantissas,
    ) {
        let channel = &mut self.channels[at];
        let range = channel.begin..channel.end;
        if channel.is_stale && !range.is_empty() {
            classes(
                &channel.exponents,
                range.clone(),
                &channel.terms,
                &channel.segments,
                &mut channel.classes,
            );
            channel.is_stale = false;
        }
        channel.coefficients.fill(0.0);
        if channel.terms.is_hybrid && block == 0 {
            channel.hybrid = Some(Hybrid::read(
                bits,
                channel.begin..channel.end,
                &channel.exponents,
                &channel.classes,
            ));
        }
        for bin in range {
            let channel = &self.channels[at];
            let class = channel.classes[bin];
            if let (Some(hybrid), 1..) = (&channel.hybrid, class) {
                let value = hybrid.get(block, bin);
                self.channels[at].coefficients[bin] = value;
                continue;
            }
            let mantissa = match class {
                0 if channel.has_noise => self.noise(),
                0 => 0.0,
                class => mantissas.next(bits, class),
            };
            let channel = &mut self.channels[at];
            channel.coefficients[bin] = mantissa * power(channel.exponents[bin]);
        }
    }

    /// Computes each coupled channel from the coupling channel (A/52, 7.4). Coefficients without bits get different
    /// noise in each channel.
    pub(super) fn decouple(&mut self) {
        let Some(coupling) = self.coupling.take() else {
            return;
        };
        for at in 0..self.header.full_channels() {
            if !self.channels[at].is_coupled {
                continue;
            }
            let mut bin = self.channels[COUPLING].begin;
            for (band, &size) in coupling.bands.iter().enumerate() {
                let turned = at == 1 && coupling.phases[band];
                let gain = self.channels[at]
                    .coordinates
                    .get(band)
                    .copied()
                    .unwrap_or(0.0);
                // Phase flags exist only in stereo, for the right channel.
                let factor = if turned { -gain } else { gain };
                for bin in bin..bin + size {
                    let shared = &self.channels[COUPLING];
                    let value = if shared.classes[bin] > 0 {
                        shared.coefficients[bin]
                    } else if self.channels[at].has_noise {
                        power(shared.exponents[bin]) * self.noise()
                    } else {
                        0.0
                    };
                    self.channels[at].coefficients[bin] = value * factor;
                }
                bin += size;
            }
        }
        self.coupling = Some(coupling);
    }

    /// Restores left and right from their sum and difference (A/52, 7.5).
    pub(super) fn part_sums(&mut self) {
        if self.header.mode != 2 {
            return;
        }
        let [left, right, ..] = &mut self.channels;
        let end = left.end.min(right.end);
        for (edges, _) in SUM_BANDS
            .windows(2)
            .zip(self.sums)
            .filter(|(_, is_sum)| *is_sum)
        {
            for bin in edges[0]..edges[1].min(end) {
                let (sum, difference) = (left.coefficients[bin], right.coefficients[bin]);
                left.coefficients[bin] = sum + difference;
                right.coefficients[bin] = sum - difference;
            }
        }
    }
}

/// Returns a number between −1 and 1, by a linear congruential generator (Numerical Recipes).
fn random(seed: &mut u32) -> f32 {
    *seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    *seed as i32 as f32 / 2_147_483_648.0
}
