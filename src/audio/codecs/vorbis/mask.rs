//! Computes the masking threshold of a block: the most noise at each frequency that the ear does not notice, because
//! the sound masks it. The Vorbis floor follows this threshold. Writes no bits.
//!
//! This is the classical model. The spectrum is divided into bands of a fraction of a Bark. The energy of each band
//! spreads to the others, falling by 27 dB per Bark downwards and 10 dB per Bark upwards. The threshold lies 6 dB below
//! that energy if the band is noise, and 24 dB if the band is a tone, as spectral flatness decides. The threshold never
//! falls below the absolute threshold of hearing (Terhardt 1979), for which full scale is taken as 92 dB.

/// The masking model for one block size.
pub(crate) struct Mask {
    /// For each band its first bin and the bin after its last.
    bands: Vec<(usize, usize)>,
    /// For each band, a row with the share of every band's power that masks it.
    spread: Vec<f32>,
    /// For each band, the absolute threshold of hearing as a power.
    hearing: Vec<f32>,
    power: Vec<f32>,
    energy: Vec<f32>,
    /// For each band, the ratio of the masking threshold to the masking power.
    offset: Vec<f32>,
}

/// Converts a frequency to the critical-band rate in Bark (Traunmüller 1990).
fn bark(hertz: f32) -> f32 {
    let hertz = hertz.max(1.0);
    26.81 * hertz / (1960.0 + hertz) - 0.53
}

/// Converts decibels to a ratio of powers.
fn decibels(level: f32) -> f32 {
    10f32.powf(level / 10.0)
}

impl Mask {
    /// Makes the model for `bins` bins of a signal of `rate` Hz, in bands of `width` Bark.
    pub(crate) fn new(bins: usize, rate: u32, width: f32) -> Self {
        let hertz = |bin: f32| bin * rate as f32 / (2 * bins) as f32;
        let mut bands = Vec::new();
        let mut start = 0;
        for bin in 1..=bins {
            let wide = bark(hertz(bin as f32 + 0.5)) - bark(hertz(start as f32 + 0.5)) >= width;
            if wide || bin == bins {
                bands.push((start, bin));
                start = bin;
            }
        }
        let centres: Vec<f32> = bands
            .iter()
            .map(|(from, to)| hertz((from + to) as f32 / 2.0))
            .collect();
        let mut spread = Vec::with_capacity(bands.len() * bands.len());
        for masked in &centres {
            spread.extend(centres.iter().map(|masker| {
                let distance = bark(*masked) - bark(*masker);
                decibels(if distance >= 0.0 {
                    -10.0 * distance
                } else {
                    27.0 * distance
                })
            }));
        }
        let hearing = centres.iter().map(|centre| {
            let khz = centre.max(50.0) / 1000.0;
            let level = 3.64 * khz.powf(-0.8) - 6.5 * (-0.6 * (khz - 3.3).powi(2)).exp();
            decibels((level + 1e-3 * khz.powi(4) - 92.0).min(0.0))
        });
        Self {
            hearing: hearing.collect(),
            bands,
            spread,
            power: Vec::new(),
            energy: Vec::new(),
            offset: Vec::new(),
        }
    }

    /// Fills `steps` with a quantiser step for each bin, such that the noise has `allowed` times the power of the
    /// masking threshold.
    pub(crate) fn steps(&mut self, spectrum: &[f32], allowed: f32, steps: &mut Vec<f32>) {
        // The MDCT of a steady tone fluctuates, because it lacks the sine part. The difference of the neighbouring bins
        // stands in for that part.
        let last = spectrum.len() - 1;
        self.power.clear();
        self.power.extend(spectrum.iter().enumerate().map(|(k, x)| {
            let other = spectrum[(k + 1).min(last)] - spectrum[k.saturating_sub(1)];
            x * x + 0.5 * other * other + 1e-13
        }));
        self.energy.clear();
        self.offset.clear();
        for &(from, to) in &self.bands {
            let (power, count) = (&self.power[from..to], (to - from) as f32);
            // Spectral flatness distinguishes tones from noise.
            let mean = power.iter().sum::<f32>() / count;
            let flatness = power.iter().map(|p| p.log2()).sum::<f32>() / count - mean.log2();
            let tonality = (-3.0103 * flatness / 20.0).clamp(0.0, 1.0);
            self.offset.push(decibels(-6.0 - 18.0 * tonality));
            let energy = spectrum[from..to].iter().map(|x| x * x).sum();
            self.energy.push(energy);
        }
        steps.clear();
        let rows = self.spread.chunks_exact(self.bands.len());
        for (i, (row, &(from, to))) in rows.zip(&self.bands).enumerate() {
            let spread: f32 = row.iter().zip(&self.energy).map(|(a, b)| a * b).sum();
            let mask = spread * self.offset[i] + self.hearing[i];
            // Rounding to multiples of a step makes noise whose power is a twelfth of the step's square.
            let step = (12.0 * allowed * mask / (to - from) as f32).sqrt();
            steps.resize(to, step);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loud_sound_masks_noise_near_it() {
        let mut mask = Mask::new(1024, 44_100, 0.5);
        let mut spectrum = vec![1e-5; 1024];
        spectrum[200] = 0.5;
        let mut steps = Vec::new();
        mask.steps(&spectrum, 1.0, &mut steps);
        assert_eq!(steps.len(), 1024);
        assert!(steps[210] > 20.0 * steps[120]);
        assert!(steps[210] > 20.0 * steps[600]);
        let mut finer = Vec::new();
        mask.steps(&spectrum, 0.25, &mut finer);
        assert!((finer[210] / steps[210] - 0.5).abs() < 1e-3);
    }
}
