//! What a target format is to the rest: something that takes blocks of one description and makes a file of them.
//! Knows no format. A sink takes exactly what its plan says, so that nothing has to be converted in it.

use super::{
    sound::pcm::{Block, Channels, Depth, Spec},
    tags::Tags,
};
use crate::{
    error::{Error, Kind, Result},
    job::Quality,
};

/// Takes blocks and makes a file of them.
pub(crate) trait Sink {
    /// Takes a block of the planned description.
    fn write(&mut self, block: &Block) -> Result<()>;

    /// Writes what is left, and what can be known only now.
    fn finish(self: Box<Self>) -> Result<()>;
}

/// What a target takes of a source.
pub(crate) struct Plan {
    /// What the blocks must be.
    pub(crate) spec: Spec,
    /// Bytes of the result for a frame, where that is fixed; otherwise 0.
    pub(crate) frame_bytes: u64,
}

/// What a sink is made with.
pub(crate) struct Settings<'a> {
    /// What the blocks are going to be.
    pub(crate) spec: Spec,
    /// What the file is to say about itself.
    pub(crate) tags: &'a Tags,
    /// The tier.
    pub(crate) quality: Quality,
    /// Threads that an encoder may use beside its own.
    pub(crate) spare_threads: usize,
}

impl Plan {
    /// For formats that keep samples as they are, in whole bytes.
    pub(crate) fn uncompressed(source: Spec) -> Self {
        let (depth, bytes) = match source.depth {
            Depth::Int(bits) => (Depth::Int(bits.next_multiple_of(8)), bits.div_ceil(8)),
            Depth::Float => (Depth::Float, 4),
        };
        Self {
            spec: Spec { depth, ..source },
            frame_bytes: u64::from(bytes) * source.channels.count() as u64,
        }
    }

    /// For formats of which the size is known only at the end.
    pub(crate) fn compressed(spec: Spec) -> Self {
        Self {
            spec,
            frame_bytes: 0,
        }
    }
}

/// The rate that loses least among those of an encoder, in ascending order: the source's own, or the next higher, or
/// the highest.
pub(crate) fn rate_among(rates: &[u32], source: u32) -> u32 {
    let highest = rates.last().copied().unwrap_or(source);
    rates
        .iter()
        .copied()
        .find(|rate| *rate >= source)
        .unwrap_or(highest)
}

/// A sample that every encoder takes: a number, and not far beyond full scale.
pub(crate) fn sane(sample: f32) -> f32 {
    if sample.is_nan() {
        0.0
    } else {
        sample.clamp(-4.0, 4.0)
    }
}

/// The error of an encoder, which has been given nothing but what it takes.
pub(crate) fn encoder_error(err: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::internal("the encoder failed", err)
}

/// The standard layout with the largest number of channels that `most` allows.
pub(crate) fn layout_within(channels: Channels, most: usize) -> Result<Channels> {
    if channels.count() <= most && (1..=8).contains(&channels.count()) {
        Channels::of(channels.count() as u32)
    } else if channels.mask() != 0 || channels.count() <= 8 {
        Channels::of(most as u32)
    } else {
        Err(Error::new(
            Kind::BadInput,
            format!(
                "the file has {channels} without speaker positions, which cannot be mixed to {most}, the most that the target format takes; convert to wav, aiff or au, which keep every channel"
            ),
        ))
    }
}
