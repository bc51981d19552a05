//! Mixes channels into other channels (ITU-R BS.775-3, annex 4). The sound does not become louder: if the gains of an
//! output add up to more than 1, all gains are divided by the largest such sum.

use super::channels::{Channels, speaker::*};

/// −3 dB. Two speakers that play a channel with this gain have the same total power as one speaker with gain 1.
const HALF_POWER: f32 = std::f32::consts::FRAC_1_SQRT_2;

/// A matrix of gains, with one row for each output channel.
pub(crate) struct Mix {
    inputs: usize,
    gains: Vec<f32>,
}

impl Mix {
    /// Makes the matrix from one layout to another (ITU-R BS.775-3, annex 4). Leaves out the low-frequency channel if
    /// the output has none. `None` if the speaker positions of the input or of the output are unknown.
    pub(crate) fn new(from: Channels, to: Channels) -> Option<Self> {
        let inputs = from.count();
        let outputs: Vec<u32> = to.speakers().collect();
        if from.mask() == 0 || outputs.is_empty() {
            return None;
        }
        if inputs == 1 && to.mask() & (FRONT_LEFT | FRONT_RIGHT) != 0 {
            // Players send mono to both sides with gain 1, so this mix does the same.
            let gains = outputs
                .iter()
                .map(|output| f32::from(u8::from(output & (FRONT_LEFT | FRONT_RIGHT) != 0)));
            return Some(Self {
                inputs,
                gains: gains.collect(),
            });
        }
        let mut gains = vec![0.0; inputs * outputs.len()];
        for (input, position) in from.speakers().enumerate() {
            for (target, gain) in spread(position, to.mask()) {
                if let Some(output) = outputs.iter().position(|output| *output == target) {
                    gains[output * inputs + input] += gain;
                }
            }
        }
        let loudest = gains
            .chunks(inputs)
            .map(|row| row.iter().sum::<f32>())
            .fold(1.0, f32::max);
        for gain in &mut gains {
            *gain /= loudest;
        }
        Some(Self { inputs, gains })
    }

    /// Returns the number of inputs that some output plays alone. `None` if an output would be silent.
    pub(crate) fn separate_inputs(&self) -> Option<usize> {
        let mut separate = vec![false; self.inputs];
        for row in self.gains.chunks_exact(self.inputs) {
            let mut heard = (0..self.inputs).filter(|input| row[*input] != 0.0);
            let first = heard.next()?;
            separate[first] |= heard.next().is_none();
        }
        Some(separate.into_iter().filter(|separate| *separate).count())
    }

    /// Appends the mix of interleaved samples.
    pub(crate) fn apply(&self, input: &[f32], output: &mut Vec<f32>) {
        for frame in input.chunks_exact(self.inputs) {
            for row in self.gains.chunks_exact(self.inputs) {
                output.push(row.iter().zip(frame).map(|(gain, x)| gain * x).sum());
            }
        }
    }
}

/// Returns the speakers of `mask` to which the channel at `position` goes, with their gains.
fn spread(position: u32, mask: u32) -> Vec<(u32, f32)> {
    const FRONT: u32 = FRONT_LEFT | FRONT_RIGHT;
    if mask & position != 0 {
        return vec![(position, 1.0)];
    }
    let pair = |left, right, gain| vec![(left, gain), (right, gain)];
    let via = |other: u32, gain: f32| -> Vec<(u32, f32)> {
        spread(other, mask)
            .into_iter()
            .map(|(target, part)| (target, part * gain))
            .collect()
    };
    match position {
        LOW_FREQUENCY => vec![],
        FRONT_CENTRE if mask & FRONT == FRONT => pair(FRONT_LEFT, FRONT_RIGHT, HALF_POWER),
        FRONT_LEFT | FRONT_RIGHT if mask & FRONT_CENTRE != 0 => vec![(FRONT_CENTRE, HALF_POWER)],
        FRONT_LEFT_OF_CENTRE => via(FRONT_LEFT, 1.0),
        FRONT_RIGHT_OF_CENTRE => via(FRONT_RIGHT, 1.0),
        SIDE_LEFT if mask & BACK_LEFT != 0 => vec![(BACK_LEFT, 1.0)],
        SIDE_RIGHT if mask & BACK_RIGHT != 0 => vec![(BACK_RIGHT, 1.0)],
        BACK_LEFT if mask & SIDE_LEFT != 0 => vec![(SIDE_LEFT, 1.0)],
        BACK_RIGHT if mask & SIDE_RIGHT != 0 => vec![(SIDE_RIGHT, 1.0)],
        BACK_LEFT | SIDE_LEFT => via(FRONT_LEFT, HALF_POWER),
        BACK_RIGHT | SIDE_RIGHT => via(FRONT_RIGHT, HALF_POWER),
        BACK_CENTRE if mask & BACK_LEFT != 0 => pair(BACK_LEFT, BACK_RIGHT, HALF_POWER),
        BACK_CENTRE if mask & FRONT == FRONT => pair(FRONT_LEFT, FRONT_RIGHT, 0.5),
        // Height channels, and all other positions that a mask can name, go to the front.
        _ if mask & FRONT == FRONT => pair(FRONT_LEFT, FRONT_RIGHT, 0.5),
        _ if mask & FRONT_CENTRE != 0 => vec![(FRONT_CENTRE, HALF_POWER)],
        _ => vec![],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(from: u32, to: Channels, input: &[f32], expected: &[f32]) {
        let mix = Mix::new(Channels::of(from).unwrap(), to).unwrap();
        let mut output = Vec::new();
        mix.apply(input, &mut output);
        assert_eq!(output.len(), expected.len());
        for (got, want) in output.iter().zip(expected) {
            assert!((got - want).abs() < 1e-3, "{output:?} is not {expected:?}");
        }
    }

    #[test]
    fn mixes_follow_bs_775() {
        let half = HALF_POWER;
        check(1, Channels::STEREO, &[0.5], &[0.5, 0.5]);
        check(2, Channels::MONO, &[1.0, 0.0], &[0.5]);
        check(2, Channels::MONO, &[1.0, 1.0], &[1.0]);
        let loudest = 1.0 + 2.0 * half;
        check(
            6,
            Channels::STEREO,
            &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            &[1.0 / loudest, 0.0],
        );
        check(
            6,
            Channels::STEREO,
            &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0],
            &[0.0, 0.0],
        );
        check(
            6,
            Channels::STEREO,
            &[0.0, 0.0, 0.0, 0.0, 0.0, 1.0],
            &[0.0, half / loudest],
        );
        check(
            8,
            Channels::of(6).unwrap(),
            &[0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            &[0.0, 0.0, 0.5, 0.0, 0.0, 0.0],
        );
    }

    #[test]
    fn unknown_positions_are_not_guessed() {
        assert!(Mix::new(Channels::of(12).unwrap(), Channels::STEREO).is_none());
    }
}
