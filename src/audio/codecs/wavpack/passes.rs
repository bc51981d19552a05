//! Undoes a block's prediction (decorrelation): up to sixteen passes. Each predicts a sample as a weight times an
//! earlier sample, an extrapolation of earlier samples, or a sample of the other channel. The pass then increases or
//! decreases the weight, by the signs of that input and of the error.
//!
//! Numbers wrap around in a damaged block, whose checksum is then wrong.

use super::{header::Flags, logs::Logs};

/// Maximum number of passes in a block.
const MAX: usize = 16;
/// The farthest earlier sample that a pass may refer to, in samples.
const REACH: usize = 8;
/// The weight that represents 1.
const ONE: i32 = 1 << 10;

/// Predictor of a decorrelation pass (a "term").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Term {
    /// The sample this many positions earlier.
    Back(u8),
    /// Extrapolation of the last two samples, at full slope.
    Line,
    /// Extrapolation of the last two samples, at half the slope.
    HalfLine,
    /// Left is predicted from the previous right sample, then right from the new left sample.
    LeftFirst,
    /// Right is predicted from the previous left sample, then left from the new right sample.
    RightFirst,
    /// Each channel is predicted from the previous sample of the other one.
    Across,
}

impl Term {
    fn of(number: i32) -> Option<Self> {
        Some(match number {
            1..=8 => Self::Back(number as u8),
            17 => Self::Line,
            18 => Self::HalfLine,
            -1 => Self::LeftFirst,
            -2 => Self::RightFirst,
            -3 => Self::Across,
            _ => return None,
        })
    }

    fn is_across(self) -> bool {
        matches!(self, Self::LeftFirst | Self::RightFirst | Self::Across)
    }
}

/// A pass over the samples of a block.
pub(super) struct Pass {
    term: Term,
    /// Step by which a weight adapts.
    delta: i32,
    sides: [Side; 2],
}

/// State of a pass for a channel: its weight and its earlier samples.
#[derive(Clone, Copy, Default)]
struct Side {
    weight: i32,
    past: [i32; REACH],
}

impl Side {
    fn expects(&self, from: i32) -> i32 {
        ((i64::from(self.weight) * i64::from(from) + 512) >> 10) as i32
    }

    /// Adds the prediction from sample `from` to the residual `rest`, and adapts the weight.
    #[inline(always)]
    fn restore(&mut self, from: i32, rest: i32, delta: i32) -> i32 {
        let sample = self.expects(from).wrapping_add(rest);
        if from != 0 && rest != 0 {
            let sign = (from ^ rest) >> 31;
            self.weight = self.weight.wrapping_add((delta ^ sign) - sign);
        }
        sample
    }

    /// Does the same as [`restore`](Self::restore), and then limits the weight to −1 to 1.
    #[inline(always)]
    fn restore_across(&mut self, from: i32, rest: i32, delta: i32) -> i32 {
        let sample = self.restore(from, rest, delta);
        self.weight = self.weight.clamp(-ONE, ONE);
        sample
    }

    /// Runs over every `step`th sample.
    fn run(&mut self, term: Term, delta: i32, samples: &mut [i32], step: usize) {
        let mut side = *self;
        let samples = samples.iter_mut().step_by(step);
        match term {
            Term::Back(back) => {
                let mut at = 0;
                let back = usize::from(back);
                for sample in samples {
                    *sample = side.restore(side.past[at], *sample, delta);
                    side.past[(at + back) % REACH] = *sample;
                    at = (at + 1) % REACH;
                }
            }
            _ => {
                let [mut last, mut before, ..] = side.past;
                for sample in samples {
                    let slope = last.wrapping_sub(before);
                    let slope = if term == Term::Line {
                        slope
                    } else {
                        slope >> 1
                    };
                    *sample = side.restore(last.wrapping_add(slope), *sample, delta);
                    (before, last) = (last, *sample);
                }
            }
        }
        *self = side;
    }
}

impl Pass {
    /// Undoes the pass for all samples of a block: those of one channel, or pairs.
    pub(super) fn run(&mut self, samples: &mut [i32], channels: usize) {
        let delta = self.delta;
        if !self.term.is_across() {
            for (channel, side) in self.sides[..channels].iter_mut().enumerate() {
                side.run(
                    self.term,
                    delta,
                    samples.get_mut(channel..).unwrap_or_default(),
                    channels,
                );
            }
            return;
        }
        let [mut left, mut right] = self.sides;
        let (mut last_right, mut last_left) = (left.past[0], right.past[0]);
        for [a, b] in samples.as_chunks_mut().0 {
            match self.term {
                Term::LeftFirst => {
                    *a = left.restore_across(last_right, *a, delta);
                    *b = right.restore_across(*a, *b, delta);
                }
                Term::RightFirst => {
                    *b = right.restore_across(last_left, *b, delta);
                    *a = left.restore_across(*b, *a, delta);
                }
                _ => {
                    *a = left.restore_across(last_right, *a, delta);
                    *b = right.restore_across(last_left, *b, delta);
                }
            }
            (last_left, last_right) = (*a, *b);
        }
    }
}

/// Reads the passes, which are stored in reverse, and returns them in the order in which they are undone.
pub(super) fn read_terms(data: &[u8], flags: Flags) -> Option<Vec<Pass>> {
    if data.len() > MAX {
        return None;
    }
    let pass = |byte: &u8| {
        let term = Term::of(i32::from(byte & 31) - 5)?;
        (flags.coded_channels() == 2 || !term.is_across()).then_some(Pass {
            term,
            delta: i32::from(byte >> 5),
            sides: Default::default(),
        })
    };
    data.iter().rev().map(pass).collect()
}

/// Reads the initial weights of the passes, from the last of `passes` to the first. Those of the first passes may be
/// missing.
pub(super) fn read_weights(passes: &mut [Pass], data: &[u8], flags: Flags) -> Option<()> {
    let channels = flags.coded_channels();
    if data.len() / channels > passes.len() {
        return None;
    }
    for (pass, weights) in passes.iter_mut().rev().zip(data.chunks_exact(channels)) {
        for (side, weight) in pass.sides.iter_mut().zip(weights) {
            let weight = i32::from(*weight as i8) << 3;
            side.weight = if weight > 0 {
                weight + ((weight + 64) >> 7)
            } else {
                weight
            };
        }
    }
    Some(())
}

/// Reads the earlier samples with which the passes begin, from the last of `passes` to the first. Those of the first
/// passes may be missing.
pub(super) fn read_past(passes: &mut [Pass], data: &[u8], flags: Flags, logs: &Logs) -> Option<()> {
    let channels = flags.coded_channels();
    let mut values = data
        .as_chunks()
        .0
        .iter()
        .map(|pair| logs.power(i16::from_le_bytes(*pair).into()));
    for pass in passes.iter_mut().rev() {
        if values.len() == 0 {
            break;
        }
        let count = match pass.term {
            Term::Back(back) => back.into(),
            Term::Line | Term::HalfLine => 2,
            _ => 1,
        };
        if let Term::Line | Term::HalfLine = pass.term {
            for side in &mut pass.sides[..channels] {
                side.past[0] = values.next()?;
                side.past[1] = values.next()?;
            }
            continue;
        }
        for at in 0..count {
            for side in &mut pass.sides[..channels] {
                side.past[at] = values.next()?;
            }
        }
    }
    (values.len() == 0).then_some(())
}
