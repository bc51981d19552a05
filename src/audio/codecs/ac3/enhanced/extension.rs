//! Spectral extension (A/52, E.3.6): the highest frequencies of a channel are not coded. The decoder copies them from
//! lower frequencies, adds noise, and scales each band by factors in the frame. Reads no coefficients.

use super::super::allocation::COEFFICIENTS;
use convertd_core::coding::bits::MsbReader;

/// Number of coefficients of a subband.
const SUBBAND: usize = 12;
/// The first coefficient that can be copied.
const FIRST: usize = 25;
/// Default band structure: whether a subband joins the band of the previous subband (table E2.11).
const DEFAULT: [bool; 17] = {
    let mut joins = [false; 17];
    let mut at = 8;
    while at < joins.len() {
        joins[at] = true;
        at += 2;
    }
    joins
};

/// Ranges and bands of spectral extension.
pub(in crate::codecs::ac3) struct Extension {
    /// First coefficient of the range that is copied, repeatedly if necessary. The range ends before `begin`.
    source: usize,
    /// First coefficient that the copies replace.
    pub(in crate::codecs::ac3) begin: usize,
    /// The coefficient after the last one that the copies replace.
    end: usize,
    /// The subband of the coefficient `begin`.
    pub(in crate::codecs::ac3) subband: usize,
    /// Coefficients in each band.
    bands: Vec<usize>,
}

/// Blend of a band: the gains of copied coefficients and of noise.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::codecs::ac3) struct Blend {
    signal: f32,
    noise: f32,
}

impl Extension {
    /// Reads the ranges and the band structure, which follow the list of extended channels. `joins` is the band
    /// structure of an earlier block of this frame, if any, and becomes that of this block.
    pub(super) fn read(
        bits: &mut MsbReader<'_>,
        joins: &mut Option<[bool; 17]>,
    ) -> Result<Self, &'static str> {
        // Values above 7 count pairs of subbands, so that three bits suffice for the last subband.
        let wide = |code: usize| if code > 7 { 2 * code - 7 } else { code };
        let source = bits.take(2) as usize;
        let begin = wide(bits.take(3) as usize + 2);
        let end = wide(bits.take(3) as usize + 5);
        if begin >= end || source >= begin {
            return Err("its spectral extension has no bands");
        }
        let has_joins = bits.flag();
        let joins = joins.get_or_insert(DEFAULT);
        if has_joins {
            for join in joins.get_mut(begin + 1..end).unwrap_or_default() {
                *join = bits.flag();
            }
        }
        let mut bands = vec![SUBBAND];
        for &joins in joins.get(begin + 1..end).unwrap_or_default() {
            match bands.last_mut() {
                Some(last) if joins => *last += SUBBAND,
                _ => bands.push(SUBBAND),
            }
        }
        Ok(Self {
            source: FIRST + source * SUBBAND,
            begin: FIRST + begin * SUBBAND,
            end: FIRST + end * SUBBAND,
            subband: begin,
            bands,
        })
    }

    /// Reads the extension coordinates of a channel, and the share of noise in each band (E.3.6.4).
    pub(super) fn read_blends(&self, bits: &mut MsbReader<'_>) -> Vec<Blend> {
        let noise = bits.take(5) as f32 / 32.0;
        let shift = 3 * bits.take(2) as i32;
        let mut begin = self.begin;
        let blends = self.bands.iter().map(|&size| {
            let exponent = bits.take(4) as i32;
            let mantissa = bits.take(2) as f32;
            let mantissa = match exponent {
                15 => mantissa / 4.0,
                _ => (mantissa + 4.0) / 8.0,
            };
            let gain = 32.0 * mantissa * 2f32.powi(-exponent - shift);
            // The share of noise grows with the frequency of the band.
            let position = (begin + size / 2) as f32 / self.end as f32;
            let share = (position - noise).clamp(0.0, 1.0);
            begin += size;
            Blend {
                signal: gain * (1.0 - share).sqrt(),
                // Uniform noise between −1 and 1 has a mean power of a third, so its gain is larger by √3.
                noise: gain * (3.0 * share).sqrt(),
            }
        });
        blends.collect()
    }

    /// Fills in the highest coefficients of a channel from its lower ones, band by band, with the gains of `blends`.
    /// `noise` returns numbers between −1 and 1. `softening` is the attenuation code for coefficients around a seam
    /// between two copied ranges (table E3.14).
    pub(in crate::codecs::ac3) fn apply(
        &self,
        coefficients: &mut [f32; COEFFICIENTS],
        blends: &[Blend],
        softening: Option<u8>,
        mut noise: impl FnMut() -> f32,
    ) {
        let mut seams = Vec::new();
        let (mut from, mut to) = (self.source, self.begin);
        for &size in &self.bands {
            // A band that does not fit before the end of the source starts at the beginning of the source.
            if to == self.begin || from + size > self.begin {
                from = self.source;
                seams.push(to);
            }
            for _ in 0..size {
                if from == self.begin {
                    from = self.source;
                }
                coefficients[to] = coefficients[from];
                (from, to) = (from + 1, to + 1);
            }
        }
        let mut energies = Vec::with_capacity(self.bands.len());
        let mut begin = self.begin;
        for &size in &self.bands {
            let band = &coefficients[begin..begin + size];
            let energy: f32 = band.iter().map(|value| value * value).sum();
            energies.push((energy / size as f32).sqrt());
            begin += size;
        }
        if let Some(code) = softening {
            let factor = |step: i32| 2f32.powf(-((step * (i32::from(code) + 1)) as f32) / 15.0);
            for seam in seams {
                for (bin, step) in (seam - 2..).zip([1, 2, 3, 2, 1]) {
                    coefficients[bin.min(COEFFICIENTS - 1)] *= factor(step);
                }
            }
        }
        let mut bin = self.begin;
        let bands = self.bands.iter().zip(energies).zip(blends);
        for ((&size, energy), blend) in bands {
            for value in &mut coefficients[bin..bin + size] {
                *value = *value * blend.signal + noise() * blend.noise * energy;
            }
            bin += size;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copied_bands_start_at_the_source_and_get_the_stated_gains() {
        // From subband 1, beginning at 3 and ending at 6: three bands.
        let mut joins = None;
        let bits = [0b0100_1001, 0b0000_0000];
        let found = Extension::read(&mut MsbReader::new(&bits), &mut joins).unwrap();
        assert_eq!((found.source, found.begin, found.end), (37, 61, 97));
        assert_eq!(found.bands, [12; 3]);
        let mut coefficients = [0.0; COEFFICIENTS];
        for (at, value) in coefficients.iter_mut().enumerate().take(61).skip(37) {
            *value = at as f32;
        }
        let blends = [Blend {
            signal: 2.0,
            noise: 0.0,
        }; 3];
        found.apply(&mut coefficients, &blends, None, || 1.0);
        assert_eq!(coefficients[61], 74.0);
        assert_eq!(coefficients[84], 120.0);
        // The third band is copied from the beginning of the source again.
        assert_eq!(coefficients[85], 74.0);
        assert_eq!(coefficients[97], 0.0);
        // Noise alone has the energy of the band.
        let blends = [Blend {
            signal: 0.0,
            noise: 1.0,
        }; 3];
        found.apply(&mut coefficients, &blends, Some(0), || 1.0);
        let energy: f32 = (37..49).map(|at| (at * at) as f32).sum::<f32>() / 12.0;
        assert!((coefficients[70] - energy.sqrt()).abs() < 1e-3);
        assert!((coefficients[59] - 59.0 * 2f32.powf(-1.0 / 15.0)).abs() < 1e-4);
    }
}
