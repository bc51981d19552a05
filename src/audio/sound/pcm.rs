//! Samples in blocks, and their description, independent of file formats and codecs. A *frame* here is one sample of
//! each channel.

use super::channels::Channels;
use convertd_core::error::{Error, Kind, Result};
use std::ops::RangeInclusive;

/// The sample rates that a file may have, in hertz.
pub(crate) const RATES: RangeInclusive<u32> = 1_000..=768_000;

/// Number of frames in a block, if the codec does not determine the number.
pub(crate) const BLOCK_FRAMES: usize = 4096;

/// The type and range of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Depth {
    /// A signed integer of this many bits, 1 to 32.
    Int(u32),
    /// A floating-point number; full scale is 1.
    Float,
}

/// The description of a block's samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spec {
    /// The sample rate: frames per second.
    pub(crate) rate: u32,
    /// The channels: samples in a frame.
    pub(crate) channels: Channels,
    /// The type and range of a sample.
    pub(crate) depth: Depth,
}

impl Spec {
    /// Makes a description.
    ///
    /// Errors: [`Kind::BadInput`] for a sample rate outside [`RATES`].
    pub(crate) fn new(rate: u32, channels: Channels, depth: Depth) -> Result<Self> {
        if RATES.contains(&rate) {
            Ok(Self {
                rate,
                channels,
                depth,
            })
        } else {
            Err(Error::new(
                Kind::BadInput,
                format!(
                    "the file's sample rate is {rate} Hz; {} to {} Hz are supported",
                    RATES.start(),
                    RATES.end()
                ),
            ))
        }
    }
}

/// Interleaved samples.
#[derive(Debug)]
pub(crate) enum Samples {
    /// Integers in the range of the block's depth.
    Int(Vec<i32>),
    /// Floating-point numbers; full scale is 1.
    Float(Vec<f32>),
}

/// Some frames with the same description. A source returns blocks and a sink takes them.
#[derive(Debug)]
pub(crate) struct Block {
    /// The description of the samples.
    pub(crate) spec: Spec,
    /// The samples, in whole frames.
    pub(crate) samples: Samples,
}

impl Block {
    /// Makes an empty block.
    pub(crate) fn new(spec: Spec) -> Self {
        let samples = match spec.depth {
            Depth::Int(_) => Samples::Int(Vec::new()),
            Depth::Float => Samples::Float(Vec::new()),
        };
        Self { spec, samples }
    }

    /// Empties the block and returns its integers to be filled.
    pub(crate) fn ints(&mut self, spec: Spec) -> &mut Vec<i32> {
        self.spec = spec;
        if let Samples::Float(_) = self.samples {
            self.samples = Samples::Int(Vec::new());
        }
        match &mut self.samples {
            Samples::Int(samples) => {
                samples.clear();
                samples
            }
            Samples::Float(_) => unreachable!("it was made a block of integers just above"),
        }
    }

    /// Empties the block and returns its floating-point samples to be filled.
    pub(crate) fn floats(&mut self, spec: Spec) -> &mut Vec<f32> {
        self.spec = spec;
        if let Samples::Int(_) = self.samples {
            self.samples = Samples::Float(Vec::new());
        }
        match &mut self.samples {
            Samples::Float(samples) => {
                samples.clear();
                samples
            }
            Samples::Int(_) => unreachable!("it was made a block of real numbers just above"),
        }
    }

    /// Replaces the content by `frames` frames of silence.
    pub(crate) fn silence(&mut self, spec: Spec, frames: usize) {
        let length = frames * spec.channels.count();
        match spec.depth {
            Depth::Int(_) => self.ints(spec).resize(length, 0),
            Depth::Float => self.floats(spec).resize(length, 0.0),
        }
    }

    /// Returns the number of frames.
    pub(crate) fn frames(&self) -> usize {
        let samples = match &self.samples {
            Samples::Int(samples) => samples.len(),
            Samples::Float(samples) => samples.len(),
        };
        samples / self.spec.channels.count()
    }

    /// Drops `skip` frames at the beginning, and then frames at the end until at most `keep` are left.
    pub(crate) fn trim(&mut self, skip: usize, keep: usize) {
        let channels = self.spec.channels.count();
        match &mut self.samples {
            Samples::Int(samples) => trim(samples, skip * channels, keep.saturating_mul(channels)),
            Samples::Float(samples) => {
                trim(samples, skip * channels, keep.saturating_mul(channels))
            }
        }
    }
}

fn trim<T>(samples: &mut Vec<T>, skip: usize, keep: usize) {
    samples.drain(..skip.min(samples.len()));
    samples.truncate(keep);
}

/// Converts nanoseconds to frames, rounded.
pub(crate) fn frames_in(nanoseconds: u64, rate: u32) -> u64 {
    let frames = (u128::from(nanoseconds) * u128::from(rate) + 500_000_000) / 1_000_000_000;
    u64::try_from(frames).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_trimmed_in_frames() {
        let spec = Spec::new(8000, Channels::STEREO, Depth::Int(16)).unwrap();
        let mut block = Block::new(spec);
        block.ints(spec).extend([1, 2, 3, 4, 5, 6]);
        block.trim(1, 1);
        assert_eq!(block.frames(), 1);
        assert!(matches!(&block.samples, Samples::Int(samples) if samples[..] == [3, 4]));
    }
}
