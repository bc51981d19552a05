//! Transforms coefficients to samples (A/52, 7.9.4): an inverse MDCT of a block of 256 coefficients, or of two
//! interleaved blocks of 128 if the sound changes suddenly. The result is windowed and added to the second half of the
//! block before.

use std::f64::consts::PI;

/// Number of samples in a block.
pub(super) const BLOCK: usize = 256;
/// A quarter of the 512 samples that the inverse MDCT of a block returns.
const QUARTER: usize = BLOCK / 2;

type Complex = [f32; 2];

fn product(a: Complex, b: Complex) -> Complex {
    [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]]
}

/// The tables of a transform to `4 * N` samples, which uses a complex FFT of `N` values.
struct Twiddles {
    /// Rotations before and after the FFT.
    turns: Vec<Complex>,
    /// Roots of unity for the FFT.
    roots: Vec<Complex>,
}

impl Twiddles {
    fn new(size: usize) -> Self {
        let turn = |angle: f64| [angle.cos() as f32, angle.sin() as f32];
        Self {
            turns: (0..size)
                .map(|at| turn(PI + 2.0 * PI * (8 * at + 1) as f64 / (32 * size) as f64))
                .collect(),
            roots: (0..size / 2)
                .map(|at| turn(2.0 * PI * at as f64 / size as f64))
                .collect(),
        }
    }

    /// Transforms every `step`th coefficient, from `first` on, to `N` complex values. Real and imaginary parts are the
    /// samples of the inverse MDCT, apart from their order and signs. The output of the inverse MDCT is symmetrical, so
    /// half of it suffices.
    fn run(&self, coefficients: &[f32], first: usize, step: usize) -> Vec<Complex> {
        let size = self.turns.len();
        let bits = size.trailing_zeros();
        let mut values = vec![[0.0; 2]; size];
        for (at, turn) in self.turns.iter().enumerate() {
            let value = [
                coefficients[first + (2 * size - 2 * at - 1) * step],
                coefficients[first + 2 * at * step],
            ];
            // The bits of the index are reversed, as the FFT requires.
            values[at.reverse_bits() >> (usize::BITS - bits)] = product(value, *turn);
        }
        // FFT of radix 2 with decimation in time.
        let mut half = 1;
        while half < size {
            for group in values.chunks_exact_mut(2 * half) {
                let (low, high) = group.split_at_mut(half);
                for (at, (low, high)) in low.iter_mut().zip(high).enumerate() {
                    let turned = product(*high, self.roots[at * (size / 2 / half)]);
                    *high = [low[0] - turned[0], low[1] - turned[1]];
                    *low = [low[0] + turned[0], low[1] + turned[1]];
                }
            }
            half *= 2;
        }
        for (value, turn) in values.iter_mut().zip(&self.turns) {
            *value = product(*value, *turn);
        }
        values
    }
}

/// The transform of all channels.
pub(super) struct Transform {
    long: Twiddles,
    short: Twiddles,
    window: [f32; BLOCK],
}

impl Transform {
    pub(super) fn new() -> Self {
        Self {
            long: Twiddles::new(BLOCK / 2),
            short: Twiddles::new(BLOCK / 4),
            window: window(),
        }
    }

    /// The samples of a block. The part that overlaps with the next block is kept in `overlap`.
    pub(super) fn run(
        &self,
        coefficients: &[f32; BLOCK],
        is_short: bool,
        overlap: &mut [f32; BLOCK],
        samples: &mut [f32; BLOCK],
    ) {
        // For each half of the samples, the outputs of the complex transform from which it is computed.
        let (first, second);
        let [begin, end] = if is_short {
            first = self.short.run(coefficients, 0, 2);
            second = self.short.run(coefficients, 1, 2);
            [[&first[..], &first[..]], [&second[..], &second[..]]]
        } else {
            first = self.long.run(coefficients, 0, 1);
            let (low, high) = first.split_at(QUARTER / 2);
            [[high, low]; 2]
        };
        // Unfolds the values into 512 samples (A/52, 7.9.4.1, step 5; for two short blocks 7.9.4.2).
        let mut all = [0.0; 2 * BLOCK];
        for at in 0..QUARTER / 2 {
            let back = QUARTER / 2 - 1 - at;
            all[2 * at] = -begin[0][at][1];
            all[2 * at + 1] = begin[1][back][0];
            all[QUARTER + 2 * at] = -begin[1][at][0];
            all[QUARTER + 2 * at + 1] = begin[0][back][1];
            all[2 * QUARTER + 2 * at] = -end[0][at][0];
            all[2 * QUARTER + 2 * at + 1] = end[1][back][1];
            all[3 * QUARTER + 2 * at] = end[1][at][1];
            all[3 * QUARTER + 2 * at + 1] = -end[0][back][0];
        }
        for at in 0..BLOCK {
            samples[at] = 2.0 * (all[at] * self.window[at] + overlap[at]);
            overlap[at] = all[BLOCK + at] * self.window[BLOCK - 1 - at];
        }
    }
}

/// The first half of the Kaiser-Bessel derived window with an alpha of 5 (table 7.33 has it with five digits).
fn window() -> [f32; BLOCK] {
    let bessel = |x: f64| {
        let mut term = 1.0;
        (1..50).fold(1.0, |sum, at| {
            term *= (x / 2.0 / f64::from(at)).powi(2);
            sum + term
        })
    };
    let kernel = |at: usize| {
        let x = 2.0 * at as f64 / BLOCK as f64 - 1.0;
        bessel(PI * 5.0 * (1.0 - x * x).sqrt())
    };
    let total: f64 = (0..=BLOCK).map(kernel).sum();
    let mut sum = 0.0;
    std::array::from_fn(|at| {
        sum += kernel(at);
        (sum / total).sqrt() as f32
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition (A/52, 8.2.3.2, inverted) for one of the three kinds of blocks. `phase` follows from the
    /// parameter alpha of that definition.
    fn slow(coefficients: &[f32], size: usize, phase: f64, at: usize) -> f64 {
        let values = coefficients.iter().enumerate();
        let terms = values.map(|(frequency, &value)| {
            let odd = (2 * frequency + 1) as f64;
            let angle = PI / (2 * size) as f64 * (2 * at + 1) as f64 * odd + phase * odd;
            -f64::from(value) * angle.cos()
        });
        terms.sum()
    }

    #[test]
    fn agrees_with_the_definition() {
        let mut seed = 1u32;
        let mut coefficients = [0.0; BLOCK];
        for value in &mut coefficients {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            *value = (seed >> 16) as f32 / 65_536.0 - 0.5;
        }
        let transform = Transform::new();
        let window = window();
        let part = |from| -> Vec<f32> { coefficients[from..].iter().step_by(2).copied().collect() };
        let (first, second) = (part(0), part(1));
        for is_short in [false, true] {
            let (mut overlap, mut samples) = ([0.0; BLOCK], [0.0; BLOCK]);
            transform.run(&coefficients, is_short, &mut overlap, &mut samples);
            for at in 0..BLOCK {
                let [begin, end] = if is_short {
                    [slow(&first, 256, 0.0, at), slow(&second, 256, PI / 2.0, at)]
                } else {
                    [at, at + BLOCK].map(|at| slow(&coefficients, 512, PI / 4.0, at))
                };
                let (rising, falling) = (window[at], window[BLOCK - 1 - at]);
                let expected = 2.0 * begin * f64::from(rising);
                assert!((f64::from(samples[at]) - expected).abs() < 1e-4, "{at}");
                let expected = end * f64::from(falling);
                assert!((f64::from(overlap[at]) - expected).abs() < 1e-4, "{at}");
            }
        }
    }

    #[test]
    fn the_window_matches_table_7_33() {
        let window = window();
        for (at, expected) in [(0, 0.00014), (1, 0.00024), (2, 0.00037), (255, 1.0)] {
            assert!((window[at] - expected).abs() < 1e-5, "{at}");
        }
        for at in 0..BLOCK {
            let other = window[BLOCK - 1 - at];
            assert!((window[at] * window[at] + other * other - 1.0).abs() < 1e-6);
        }
    }
}
