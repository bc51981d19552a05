//! Converts blocks to the specification of a sink: mixes, resamples and quantises. Leaves a block alone if it already
//! has that specification, so that lossless sound stays lossless.
//!
//! Integers become wider by a shift, and narrower with dither; every other change goes through floating point. Dither
//! is triangular noise of one step, which makes the rounding error independent of the signal (Lipshitz, Wannamaker and
//! Vanderkooy 1992). A sample that the target can represent exactly, such as silence, gets no dither.

use super::{
    channels::Channels,
    mix::Mix,
    pcm::{Block, Depth, Samples, Spec},
    resample::Resampler,
};
use convertd_core::error::{Error, Kind, Result};

/// Converts blocks from the specification of a source to that of a sink. The rate and the channels of the source may
/// change between blocks.
pub(crate) struct Adapter {
    /// Specification of the sink.
    target: Spec,
    /// Specification of the source.
    from: Spec,
    /// Mixer of channels, if the sink has other channels than the source.
    mix: Option<Mix>,
    /// Resampler, if the sink has another rate than the source.
    resampler: Option<Resampler>,
    /// State of the dither.
    dither: Dither,
    /// Buffer for mixed samples.
    mixed: Vec<f32>,
    /// Last converted block.
    output: Block,
}

impl Adapter {
    /// Makes an adapter from `from` to `target`.
    ///
    /// Errors: [`Kind::BadInput`] if the channels cannot be mixed.
    pub(crate) fn new(from: Spec, target: Spec) -> Result<Self> {
        let mut adapter = Self {
            target,
            from,
            mix: None,
            resampler: None,
            dither: Dither::default(),
            mixed: Vec::new(),
            output: Block::new(target),
        };
        adapter.change(from)?;
        Ok(adapter)
    }

    /// Converts a block. The result may be empty.
    pub(crate) fn push<'a>(&'a mut self, block: &'a mut Block) -> Result<&'a Block> {
        if block.spec.rate != self.from.rate || block.spec.channels != self.from.channels {
            let from = block.spec;
            let mut tail = Vec::new();
            if let Some(mut resampler) = self.resampler.take() {
                resampler.finish(&mut tail);
            }
            self.change(from)?;
            self.convert(block, tail);
            return Ok(&self.output);
        }
        if block.spec.depth == self.target.depth && self.mix.is_none() && self.resampler.is_none() {
            return Ok(block);
        }
        self.convert(block, Vec::new());
        Ok(&self.output)
    }

    /// Returns the last samples, which are still in the resampler.
    pub(crate) fn finish(&mut self) -> &Block {
        let mut tail = Vec::new();
        if let Some(mut resampler) = self.resampler.take() {
            resampler.finish(&mut tail);
        }
        self.store(&tail);
        &self.output
    }

    /// Prepares for blocks of another specification.
    fn change(&mut self, from: Spec) -> Result<()> {
        let to = self.target;
        self.from = from;
        self.mix = if from.channels == to.channels {
            None
        } else {
            let mix = Mix::new(from.channels, to.channels);
            Some(mix.ok_or_else(|| unmixable(from.channels))?)
        };
        self.resampler =
            (from.rate != to.rate).then(|| Resampler::new(to.channels.count(), from.rate, to.rate));
        Ok(())
    }

    /// Converts a block. If only the integer depth changes, samples stay integers; everything else goes through
    /// floating point.
    fn convert(&mut self, block: &Block, mut tail: Vec<f32>) {
        let plain = self.mix.is_none() && self.resampler.is_none() && tail.is_empty();
        if let (true, Samples::Int(input), Depth::Int(from), Depth::Int(to)) =
            (plain, &block.samples, block.spec.depth, self.target.depth)
        {
            let output = self.output.ints(self.target);
            if to >= from {
                output.extend(input.iter().map(|x| x << (to - from)));
            } else {
                self.dither.shorten(input, from, to, output);
            }
            return;
        }
        let mut floats = to_floats(block);
        if let Some(mix) = &self.mix {
            self.mixed.clear();
            mix.apply(&floats, &mut self.mixed);
            std::mem::swap(&mut floats, &mut self.mixed);
        }
        if let Some(resampler) = &mut self.resampler {
            resampler.push(&floats, &mut tail);
        } else if tail.is_empty() {
            tail = floats;
        } else {
            tail.extend_from_slice(&floats);
        }
        self.store(&tail);
    }

    /// Stores floating-point samples in the depth of the target.
    fn store(&mut self, samples: &[f32]) {
        match self.target.depth {
            Depth::Float => self.output.floats(self.target).extend_from_slice(samples),
            Depth::Int(bits) => {
                let output = self.output.ints(self.target);
                self.dither.quantise(samples, bits, output);
            }
        }
    }
}

/// Returns the error for channels that the target format does not support, and that cannot be mixed.
pub(crate) fn unmixable(from: Channels) -> Error {
    Error::new(
        Kind::BadInput,
        format!(
            "the file has {from} without speaker positions, which cannot be mixed to the fewer channels of the target format; convert to wav, aiff or au, which keep every channel"
        ),
    )
}

/// Converts the samples of a block to floating point. Full scale is 1.
fn to_floats(block: &Block) -> Vec<f32> {
    match &block.samples {
        // Some decoders return NaN and infinity for damaged packets. These become silence.
        Samples::Float(samples) => samples
            .iter()
            .map(|x| if x.is_finite() { *x } else { 0.0 })
            .collect(),
        Samples::Int(samples) => {
            let scale = match block.spec.depth {
                Depth::Int(bits) => 1.0 / full_scale(bits),
                Depth::Float => 1.0,
            };
            samples
                .iter()
                .map(|x| (f64::from(*x) * scale) as f32)
                .collect()
        }
    }
}

/// Returns the magnitude of full scale for integers of this many bits.
fn full_scale(bits: u32) -> f64 {
    (1u64 << (bits - 1)) as f64
}

/// Rounds with triangular noise of one step. The noise is always the same, so that equal files give equal results.
struct Dither {
    state: u64,
}

impl Default for Dither {
    fn default() -> Self {
        Self {
            state: 0x9e37_79b9_7f4a_7c15,
        }
    }
}

impl Dither {
    /// Returns the difference of two random numbers in 0..65536, from the upper half of Knuth's 64-bit linear
    /// congruential generator. The lower half of such a generator is not random enough.
    fn next(&mut self) -> i32 {
        const FACTOR: u64 = 6_364_136_223_846_793_005;
        const SUMMAND: u64 = 1_442_695_040_888_963_407;
        self.state = self.state.wrapping_mul(FACTOR).wrapping_add(SUMMAND);
        (self.state >> 48) as i32 - (self.state >> 32 & 0xffff) as i32
    }

    /// Appends `input`, shortened from `from` to `to` bits.
    fn shorten(&mut self, input: &[i32], from: u32, to: u32, output: &mut Vec<i32>) {
        let shift = from - to;
        let (low, high) = range(to);
        output.extend(input.iter().map(|&x| {
            if x & ((1 << shift) - 1) == 0 {
                return x >> shift;
            }
            let noise = i64::from(self.next()) << shift >> 16;
            let rounded = (i64::from(x) + noise + (1 << (shift - 1))) >> shift;
            rounded.clamp(low, high) as i32
        }));
    }

    /// Appends `input`, quantised to integers of `bits` bits.
    fn quantise(&mut self, input: &[f32], bits: u32, output: &mut Vec<i32>) {
        let scale = full_scale(bits);
        let (low, high) = range(bits);
        if bits > 22 {
            // A float has only 24 significant bits. So dither would be louder than the rounding error, which is
            // inaudible, and is left out.
            output.extend(
                input
                    .iter()
                    .map(|x| ((f64::from(*x) * scale).round() as i64).clamp(low, high) as i32),
            );
            return;
        }
        let (scale, low, high) = (scale as f32, low as f32, high as f32);
        // The generator is sequential, so its noise is computed first, and the compiler can vectorise the rest.
        let mut noise = [0.0; 64];
        for part in input.chunks(noise.len()) {
            noise.fill_with(|| self.next() as f32 * (1.0 / 65536.0));
            output.extend(part.iter().zip(&noise).map(|(x, noise)| {
                let exact = if x.is_nan() { 0.0 } else { x * scale };
                let exact = exact.clamp(low, high);
                let is_whole = whole(exact) as f32 == exact;
                let noisy = if is_whole { exact } else { exact + noise };
                whole(noisy.clamp(low, high))
            }));
        }
    }
}

/// Rounds a number below 2²² in magnitude to the nearest integer, by adding a constant. Unlike a cast with `as`, which
/// also handles all other numbers, this is vectorised.
fn whole(x: f32) -> i32 {
    // Floats near 1.5 · 2²³ are 1 apart, so this addition rounds to the nearest integer.
    const LARGE: f32 = 12_582_912.0;
    (x + LARGE).to_bits() as i32 - LARGE.to_bits() as i32
}

/// Returns the smallest and the largest integer of this many bits.
fn range(bits: u32) -> (i64, i64) {
    let limit = 1i64 << (bits - 1);
    (-limit, limit - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(rate: u32, channels: u32, depth: Depth) -> Spec {
        Spec::new(rate, Channels::of(channels).unwrap(), depth).unwrap()
    }

    fn run(from: Spec, to: Spec, input: Samples) -> Samples {
        let mut adapter = Adapter::new(from, to).unwrap();
        let mut block = Block {
            spec: from,
            samples: input,
        };
        let mut all = Block::new(to);
        append(&mut all.samples, &adapter.push(&mut block).unwrap().samples);
        append(&mut all.samples, &adapter.finish().samples);
        all.samples
    }

    fn append(all: &mut Samples, more: &Samples) {
        match (all, more) {
            (Samples::Int(all), Samples::Int(more)) => all.extend(more),
            (Samples::Float(all), Samples::Float(more)) => all.extend(more),
            _ => panic!("the kind of samples changed"),
        }
    }

    #[track_caller]
    fn check(from: Depth, to: Depth, input: Samples, expected: &[i32]) {
        let output = run(spec(8000, 1, from), spec(8000, 1, to), input);
        assert!(
            matches!(&output, Samples::Int(output) if output == expected),
            "{output:?}"
        );
    }

    #[test]
    fn integers_stay_exact_if_the_target_can_hold_them() {
        let (d8, d16, d24) = (Depth::Int(8), Depth::Int(16), Depth::Int(24));
        check(
            d16,
            d16,
            Samples::Int(vec![-32768, 5, 32767]),
            &[-32768, 5, 32767],
        );
        check(
            d8,
            d16,
            Samples::Int(vec![-128, 1, 127]),
            &[-32768, 256, 32512],
        );
        check(d24, d16, Samples::Int(vec![-8388608, 256]), &[-32768, 1]);
        check(
            Depth::Float,
            d16,
            Samples::Float(vec![-1.0, 0.0, 0.5]),
            &[-32768, 0, 16384],
        );
        check(
            Depth::Float,
            d16,
            Samples::Float(vec![f32::NAN, 9.0, -9.0, f32::INFINITY]),
            &[0, 32767, -32768, 0],
        );
    }

    #[test]
    fn dithered_samples_have_the_right_mean_and_small_errors() {
        let from = spec(8000, 1, Depth::Int(24));
        let to = spec(8000, 1, Depth::Int(16));
        let Samples::Int(output) = run(from, to, Samples::Int(vec![1000 * 256 + 64; 20_000]))
        else {
            panic!("not integers");
        };
        let mean = output.iter().map(|x| f64::from(*x)).sum::<f64>() / output.len() as f64;
        assert!((mean - 1000.25).abs() < 0.02, "{mean}");
        assert!(output.iter().all(|x| (999..=1002).contains(x)));
    }

    #[test]
    fn a_source_may_change_its_spec_between_blocks() {
        let to = spec(16_000, 2, Depth::Int(16));
        let mut adapter = Adapter::new(to, to).unwrap();
        let mut frames = 0;
        for (rate, channels, count) in [(16_000, 2, 100), (8000, 1, 100), (16_000, 1, 50)] {
            let from = spec(rate, channels, Depth::Float);
            let mut block = Block::new(from);
            block.floats(from).resize((channels * count) as usize, 0.25);
            frames += adapter.push(&mut block).unwrap().frames();
        }
        frames += adapter.finish().frames();
        assert_eq!(frames, 100 + 200 + 50);
    }

    #[test]
    fn unknown_positions_cannot_be_mixed() {
        let from = spec(8000, 12, Depth::Int(16));
        let to = spec(8000, 2, Depth::Int(16));
        assert!(Adapter::new(from, to).is_err());
    }
}
