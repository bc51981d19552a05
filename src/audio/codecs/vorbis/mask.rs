//! The masking threshold of a block: how much noise the ear does not notice beside the sound, which is what a Vorbis
//! floor should follow. Knows nothing of bits.
//!
//! The model is the classical one: bands of a fraction of a Bark; each spreads by 27 dB a Bark downwards and 10 dB
//! upwards; noise is masked from 6 dB below what is heard if that is noise itself, and from 24 dB if it is a tone (told
//! apart by spectral flatness); never below the absolute threshold of hearing (Terhardt 1979), with 92 dB for full scale.

/// The masking model for blocks of one size.
pub(crate) struct Mask {
    /// The first bin of each band, and the one behind its last.
    bands: Vec<(usize, usize)>,
    /// How much of the power of each band masks each other, a row a masked band.
    spread: Vec<f32>,
    /// The absolute threshold of hearing as a power, for each band.
    hearing: Vec<f32>,
    power: Vec<f32>,
    energy: Vec<f32>,
    /// The masking threshold as a part of the masking power, for each band.
    offset: Vec<f32>,
}

/// The critical-band rate in Bark (Traunmüller 1990).
fn bark(hertz: f32) -> f32 {
    let hertz = hertz.max(1.0);
    26.81 * hertz / (1960.0 + hertz) - 0.53
}

/// Decibels as a ratio of powers.
fn decibels(level: f32) -> f32 {
    10f32.powf(level / 10.0)
}

impl Mask {
    /// For `bins` bins of a signal of `rate` Hz, in bands of `width` Bark.
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

    /// Fills `steps` with the steps of a quantiser whose noise has `allowed` times the power of the mask, for each bin.
    pub(crate) fn steps(&mut self, spectrum: &[f32], allowed: f32, steps: &mut Vec<f32>) {
        // The difference of the neighbours stands in for the sine transform that a cosine transform lacks.
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
            // Spectral flatness tells tones from noise.
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
            // Rounding to a step makes noise of a twelfth of its square.
            let step = (12.0 * allowed * mask / (to - from) as f32).sqrt();
            steps.resize(to, step);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_hides_beside_what_is_loud() {
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
