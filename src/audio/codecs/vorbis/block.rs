//! Encodes one block of Vorbis sound in one or two channels (Vorbis I, section 4.3), with the transform, the floor and
//! the tables of `rusty_vorbis`. Does not choose block sizes.
//!
//! A block is windowed and transformed (MDCT). The floor is a curve through a few points, called posts, which gives the
//! quantiser its step at each frequency; here it follows the masking threshold. The spectrum, divided by the floor and
//! rounded, is the residue. All decisions about quality are in the floor: writing the residue is lossless.

use super::{
    mask::Mask,
    residue::{Books, LARGEST},
};
use crate::sink::encoder_error;
use convertd_core::error::{Error, Result};
use rusty_vorbis::{
    BS0_LOG2, BS1_LOG2, BitWriter, floor, mdct,
    setup::{Floor, SetupTables},
};

/// A magnitude is rounded up if its fractional part is at least this. It is more than a half, because a magnitude just
/// above a half costs more bits as a 1 than its accuracy is worth.
const DEAD_ZONE: f32 = 0.6;

/// Encodes short and long blocks.
pub(crate) struct Encoder {
    tables: SetupTables,
    books: Books,
    /// The modes of short and of long blocks (section 4.2.4).
    modes: [usize; 2],
    /// The masking models of short and of long blocks.
    masks: [Mask; 2],
    /// The window of short blocks.
    short: Vec<f32>,
    /// The windows of long blocks: the first index says whether the block before is long, the second whether the block
    /// after is long.
    long: [[Vec<f32>; 2]; 2],
    /// The permitted power of the quantisation noise, relative to the masking threshold.
    allowed: f32,
    steps: Vec<f32>,
    windowed: Vec<f32>,
}

impl Encoder {
    /// Makes an encoder for a sample rate of `rate` Hz whose quantisation noise is `below` dB below the masking
    /// threshold.
    pub(crate) fn new(tables: SetupTables, rate: u32, below: f32) -> Result<Self> {
        const SHORT: usize = 1 << BS0_LOG2;
        const LONG: usize = 1 << BS1_LOG2;
        let mode = |long: bool| {
            let found = tables.modes.iter().position(|mode| mode.blockflag == long);
            found.ok_or_else(|| Error::internal("the encoder has no such block size", "blockflag"))
        };
        let window = |before: usize| {
            [false, true].map(|after| mdct::vorbis_window_bs(LONG, before == 1, after))
        };
        Ok(Self {
            books: Books::new(&tables),
            modes: [mode(false)?, mode(true)?],
            tables,
            masks: [
                Mask::new(SHORT / 2, rate, 1.0),
                Mask::new(LONG / 2, rate, 0.5),
            ],
            short: mdct::vorbis_window(SHORT),
            long: [window(0), window(1)],
            allowed: 10f32.powf(-below / 10.0),
            steps: Vec::new(),
            windowed: Vec::new(),
        })
    }

    /// Encodes a long or a short block of one or two channels into a packet. The window depends on whether the blocks
    /// before and after are long.
    pub(crate) fn encode(
        &mut self,
        block: &[&[f32]],
        before_long: bool,
        after_long: bool,
    ) -> Result<Vec<u8>> {
        let long = block[0].len() > self.short.len();
        let mode = self.modes[usize::from(long)];
        let mapping = &self.tables.mappings[usize::from(self.tables.modes[mode].mapping)];
        let Floor::One(floor) = &self.tables.floors[usize::from(mapping.submap_floors[0])] else {
            return Err(Error::internal("the encoder has no such floor", "type 0"));
        };
        let mut writer = BitWriter::new();
        writer.write(0, 1);
        writer.write(mode as u32, (self.tables.modes.len() - 1).ilog2() + 1);
        if long {
            writer.write(u32::from(before_long), 1);
            writer.write(u32::from(after_long), 1);
        }
        let window = match long {
            true => &self.long[usize::from(before_long)][usize::from(after_long)],
            false => &self.short,
        };
        let bins = window.len() / 2;
        let channels = block.len();
        let mut numbers = vec![0; channels * bins];
        for (channel, samples) in block.iter().enumerate() {
            self.windowed.clear();
            self.windowed
                .extend(samples.iter().zip(window).map(|(x, w)| x * w));
            let spectrum = mdct::mdct_forward(&self.windowed);
            self.masks[usize::from(long)].steps(&spectrum, self.allowed, &mut self.steps);
            smooth(&mut self.steps, &floor.x_list);
            let curve = floor::fit_and_encode_floor(
                &mut writer,
                &self.steps,
                floor,
                &self.tables.codebooks,
                bins,
            )
            .map_err(encoder_error)?;
            let numbers_of_channel = numbers.iter_mut().skip(channel).step_by(channels);
            for (number, (x, step)) in numbers_of_channel.zip(spectrum.iter().zip(&curve)) {
                let magnitude = ((x / step).abs() + 1.0 - DEAD_ZONE) as i32;
                *number = magnitude.min(LARGEST) * if *x < 0.0 { -1 } else { 1 };
            }
        }
        if channels == 2 {
            for pair in numbers.as_chunks_mut().0 {
                *pair = couple(*pair);
            }
        }
        let residue = &self.tables.residues[usize::from(mapping.submap_residues[0])];
        self.books
            .write(&self.tables, residue, &numbers, &mut writer);
        Ok(writer.into_bytes())
    }
}

/// Sets the step at each post to the mean, in decibels, of the steps nearer to it than to other posts. The floor passes
/// through its posts only, so a post on a peak or in a gap would otherwise determine all bins around it.
fn smooth(steps: &mut [f32], posts: &[u32]) {
    let mut posts: Vec<usize> = posts
        .iter()
        .map(|post| (*post as usize).min(steps.len() - 1))
        .collect();
    posts.sort_unstable();
    posts.dedup();
    let mut from = 0;
    for i in 0..posts.len() {
        let to = match posts.get(i + 1) {
            Some(next) => (posts[i] + next) / 2 + 1,
            None => steps.len(),
        };
        let sum: f32 = steps[from..to].iter().map(|step| step.log2()).sum();
        let mean = (sum / (to - from) as f32).exp2();
        // Only the step at the post changes, because the next mean still needs the steps after it.
        steps[posts[i]] = mean;
        from = to;
    }
}

/// Couples left and right into magnitude and angle (section 1.3.3): the larger of the two, and the difference. If the
/// magnitude is 0, the angle has to be 0, because decoders undo any other angle in different ways.
fn couple([left, right]: [i32; 2]) -> [i32; 2] {
    if left.abs() > right.abs() {
        [left, (left - right) * left.signum()]
    } else if right > 0 {
        [right, left - right]
    } else {
        [right, right - left]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coupling_is_undone_by_every_decoder() {
        // Uncoupling by section 4.3.5, and the variant of fast decoders, which treats 0 as positive.
        let undo = |[magnitude, angle]: [i32; 2], positive: bool| match (positive, angle > 0) {
            (true, true) => [magnitude, magnitude - angle],
            (true, false) => [magnitude + angle, magnitude],
            (false, true) => [magnitude, magnitude + angle],
            (false, false) => [magnitude - angle, magnitude],
        };
        for left in -5..=5 {
            for right in -5..=5 {
                let coupled = couple([left, right]);
                assert!(coupled[1].abs() <= 2 * coupled[0].abs());
                assert_eq!(undo(coupled, coupled[0] > 0), [left, right]);
                assert_eq!(undo(coupled, coupled[0] >= 0), [left, right]);
            }
        }
    }

    #[test]
    fn posts_get_the_mean_of_their_surroundings() {
        let mut steps = [1.0, 1.0, 4.0, 4.0, 4.0, 4.0];
        smooth(&mut steps, &[0, 6, 2]);
        let expected = [1.0, 4.0, 4.0];
        for (post, expected) in [0, 2, 5].into_iter().zip(expected) {
            assert!((steps[post] - expected).abs() < 1e-3, "{steps:?}");
        }
    }
}
