//! Changes the sample rate by band-limited interpolation. The duration stays the same, except for rounding to a whole
//! frame.
//!
//! Each output sample is a weighted sum of the 96 input samples around it, or of more if the rate decreases. The
//! weights are a sinc function under a Kaiser window. They depend on the position of the output between two input
//! samples (the phase), and are in a table with a row for each phase. If the ratio of the rates has too many phases for
//! a table, neighbouring rows are interpolated.
//!
//! The signal-to-noise ratio is 104 to 118 dB. `rubato` reaches 131 dB and more at the same cost, but would add 14 to
//! 20 crates.

/// Zero crossings of the kernel on either side, at the lower of the two rates.
const CROSSINGS: usize = 48;
/// The shape of the Kaiser window; 10 puts the side lobes below −100 dB.
const BETA: f64 = 10.0;
/// The cut-off frequency (−6 dB), relative to half the lower rate.
const CUTOFF: f64 = 0.955;
/// Maximum number of phases of a ratio that has a row for each phase. If a ratio has more phases, neighbouring rows of
/// a table with 512 phases are interpolated.
const MAX_PHASES: u64 = 640;
/// The number of partial sums of the dot product, so that the compiler can use vector instructions.
const LANES: usize = 8;

/// Changes the sample rate of one stream, with all its channels.
pub(crate) struct Resampler {
    channels: usize,
    /// Numerator of the number of input frames for one output frame, in lowest terms.
    step: u64,
    /// Denominator of the number of input frames for one output frame, in lowest terms.
    per: u64,
    /// The number of phases in the table.
    phases: u64,
    /// The number of weights of each phase.
    taps: usize,
    /// `phases + 1` rows of `taps` weights.
    table: Vec<f32>,
    /// The latest input of each channel, as far as it is still needed.
    history: Vec<Vec<f32>>,
    /// The position of the next output, in units of `1 / per` input frames, relative to the centre of the first kernel
    /// that fits into the history.
    position: u64,
    /// Number of input frames so far.
    consumed: u64,
    /// Number of output frames so far.
    produced: u64,
}

impl Resampler {
    /// Makes a resampler from `from` to `to` hertz.
    pub(crate) fn new(channels: usize, from: u32, to: u32) -> Self {
        let divisor = greatest_common_divisor(u64::from(from), u64::from(to));
        let (step, per) = (u64::from(from) / divisor, u64::from(to) / divisor);
        let phases = if per <= MAX_PHASES { per } else { 512 };
        // If the rate decreases, the kernel is stretched, so that it cuts off at half the new rate.
        let scale = (f64::from(to) / f64::from(from)).min(1.0);
        let half = (CROSSINGS as f64 / scale).ceil() as usize;
        let taps = (2 * half).next_multiple_of(LANES);
        let table = table(phases as usize, taps, scale);
        Self {
            channels,
            step,
            per,
            phases,
            taps,
            table,
            history: vec![vec![0.0; taps / 2 - 1]; channels],
            position: 0,
            consumed: 0,
            produced: 0,
        }
    }

    /// Takes interleaved input and appends the interleaved output that can be computed from it.
    pub(crate) fn push(&mut self, input: &[f32], output: &mut Vec<f32>) {
        for (channel, history) in self.history.iter_mut().enumerate() {
            history.extend(input.iter().skip(channel).step_by(self.channels));
        }
        self.consumed += (input.len() / self.channels) as u64;
        self.run(u64::MAX, output);
    }

    /// Appends the rest of the output. The whole output then lasts as long as the input, rounded to a frame.
    pub(crate) fn finish(&mut self, output: &mut Vec<f32>) {
        let total = (self.consumed * self.per + self.step / 2) / self.step;
        for history in &mut self.history {
            history.resize(history.len() + self.taps + 1, 0.0);
        }
        self.run(total, output);
    }

    /// Computes output until the input ends, or until `until` frames in total.
    fn run(&mut self, until: u64, output: &mut Vec<f32>) {
        let available = self.history[0].len();
        loop {
            let at = (self.position / self.per) as usize;
            if at + self.taps > available || self.produced >= until {
                break;
            }
            let scaled = self.position % self.per * self.phases;
            let (phase, rest) = ((scaled / self.per) as usize, scaled % self.per);
            let row = &self.table[phase * self.taps..][..self.taps];
            for history in &self.history {
                let window = &history[at..at + self.taps];
                let mut sample = dot(row, window);
                if rest != 0 {
                    let next = &self.table[(phase + 1) * self.taps..][..self.taps];
                    let part = rest as f32 / self.per as f32;
                    sample += (dot(next, window) - sample) * part;
                }
                output.push(sample);
            }
            self.position += self.step;
            self.produced += 1;
        }
        let done = ((self.position / self.per) as usize).min(available);
        for history in &mut self.history {
            history.drain(..done);
        }
        self.position -= done as u64 * self.per;
    }
}

/// Returns the dot product of two slices, whose lengths are a multiple of `LANES`.
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0f32; LANES];
    for (a, b) in a.chunks_exact(LANES).zip(b.chunks_exact(LANES)) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum()
}

/// Computes the weights of all phases, from 0 to `phases`: windowed sinc functions, one row per phase, each with a sum
/// of 1.
fn table(phases: usize, taps: usize, scale: f64) -> Vec<f32> {
    let half = taps as f64 / 2.0;
    let cutoff = CUTOFF * scale;
    let mut table = Vec::with_capacity((phases + 1) * taps);
    let mut row = vec![0.0f64; taps];
    for phase in 0..=phases {
        let shift = phase as f64 / phases as f64;
        for (tap, coefficient) in row.iter_mut().enumerate() {
            let x = tap as f64 - (half - 1.0) - shift;
            let sinc = if x == 0.0 {
                1.0
            } else {
                let angle = std::f64::consts::PI * x * cutoff;
                angle.sin() / angle
            };
            let distance = (x / half).clamp(-1.0, 1.0);
            *coefficient = sinc * bessel(BETA * (1.0 - distance * distance).sqrt());
        }
        let sum: f64 = row.iter().sum();
        table.extend(row.iter().map(|coefficient| (coefficient / sum) as f32));
    }
    table
}

/// Computes the modified Bessel function of the first kind, of order zero.
fn bessel(x: f64) -> f64 {
    let quarter = x * x / 4.0;
    let (mut sum, mut term) = (1.0, 1.0);
    for k in 1..64 {
        term *= quarter / f64::from(k * k);
        sum += term;
    }
    sum
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 {
        a
    } else {
        greatest_common_divisor(b, a % b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn convert(input: &[f32], channels: usize, from: u32, to: u32, block: usize) -> Vec<f32> {
        let mut resampler = Resampler::new(channels, from, to);
        let mut output = Vec::new();
        for part in input.chunks(block * channels) {
            resampler.push(part, &mut output);
        }
        resampler.finish(&mut output);
        output
    }

    fn sine(frequency: f64, rate: u32, frames: usize) -> Vec<f32> {
        let step = std::f64::consts::TAU * frequency / f64::from(rate);
        (0..frames)
            .map(|i| (step * i as f64).sin() as f32 * 0.5)
            .collect()
    }

    #[test]
    fn the_duration_stays_the_same() {
        #[track_caller]
        fn check(frames: usize, from: u32, to: u32, expected: usize) {
            assert_eq!(
                convert(&vec![0.1; frames], 1, from, to, 1000).len(),
                expected
            );
        }
        check(44100, 44100, 48000, 48000);
        check(1, 44100, 48000, 1);
        check(0, 44100, 48000, 0);
        check(48000, 48000, 8000, 8000);
        check(768_000, 768_000, 8000, 8000);
        check(44101, 44101, 48000, 48000);
        check(1000, 1000, 48000, 48000);
    }

    #[test]
    fn a_sine_keeps_its_frequency_and_amplitude() {
        #[track_caller]
        fn check(frequency: f64, from: u32, to: u32, decibels: f64) {
            let output = convert(&sine(frequency, from, from as usize), 1, from, to, 777);
            let expected = sine(frequency, to, to as usize);
            let inner = to as usize / 10..to as usize * 9 / 10;
            let noise: f64 = output[inner.clone()]
                .iter()
                .zip(&expected[inner.clone()])
                .map(|(a, b)| f64::from(a - b).powi(2))
                .sum();
            let signal: f64 = expected[inner].iter().map(|a| f64::from(*a).powi(2)).sum();
            let ratio = 10.0 * (signal / noise).log10();
            assert!(
                ratio > decibels,
                "{frequency} Hz, {from} to {to}: {ratio:.1} dB"
            );
        }
        check(1000.0, 44100, 48000, 100.0);
        check(18000.0, 44100, 48000, 95.0);
        check(1000.0, 48000, 44100, 100.0);
        check(1000.0, 96000, 44100, 100.0);
        check(1000.0, 8000, 48000, 100.0);
        check(1000.0, 44101, 48000, 95.0);
    }

    #[test]
    fn frequencies_above_half_the_new_rate_are_removed() {
        let output = convert(&sine(30_000.0, 96_000, 96_000), 1, 96_000, 44_100, 4096);
        let peak = output[4410..39690]
            .iter()
            .fold(0.0f32, |peak, x| peak.max(x.abs()));
        assert!(peak < 1e-5, "peak {peak}");
    }

    #[test]
    fn channels_and_block_sizes_do_not_matter() {
        let left = sine(440.0, 44100, 5000);
        let right = sine(880.0, 44100, 5000);
        let both: Vec<f32> = left
            .iter()
            .zip(&right)
            .flat_map(|(a, b)| [*a, *b])
            .collect();
        let output = convert(&both, 2, 44100, 32000, 64);
        let alone = convert(&right, 1, 44100, 32000, 5000);
        let second: Vec<f32> = output.iter().skip(1).step_by(2).copied().collect();
        assert_eq!(second, alone);
    }
}
