//! The interface of a target format: a sink takes blocks and writes a file. Knows no format, and converts nothing, because
//! every block has the description that the sink's plan asked for.

use super::{
    sound::pcm::{Block, Channels, Depth, Spec},
    tags::Tags,
};
use crate::{
    error::{Error, Kind, Result},
    job::Quality,
};

/// Takes blocks and writes a file.
pub(crate) trait Sink {
    /// Takes a block of the planned description.
    fn write(&mut self, block: &Block) -> Result<()>;

    /// Writes what is left, and the parts of the file that can be known only now.
    fn finish(self: Box<Self>) -> Result<()>;
}

/// What a target format makes of a source.
pub(crate) struct Plan {
    /// The description that the blocks must have.
    pub(crate) spec: Spec,
    /// Bytes of the result for each sample frame; 0 if that is not fixed.
    pub(crate) frame_bytes: u64,
}

/// What a sink is created with.
pub(crate) struct Settings<'a> {
    /// The description of the blocks.
    pub(crate) spec: Spec,
    /// The tags that the file gets.
    pub(crate) tags: &'a Tags,
    /// The quality tier.
    pub(crate) quality: Quality,
    /// The number of threads that an encoder may use besides its own.
    pub(crate) spare_threads: usize,
}

impl Plan {
    /// The plan of a format that stores samples unchanged, in whole bytes.
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

    /// The plan of a format whose size is known only at the end.
    pub(crate) fn compressed(spec: Spec) -> Self {
        Self {
            spec,
            frame_bytes: 0,
        }
    }
}

/// Chooses among an encoder's sample rates, in ascending order, the one that loses least: the source's own, or the next
/// higher one, or the highest.
pub(crate) fn rate_among(rates: &[u32], source: u32) -> u32 {
    let highest = rates.last().copied().unwrap_or(source);
    rates
        .iter()
        .copied()
        .find(|rate| *rate >= source)
        .unwrap_or(highest)
}

/// Makes a sample acceptable to every encoder: not NaN, and not far beyond full scale.
pub(crate) fn sane(sample: f32) -> f32 {
    if sample.is_nan() {
        0.0
    } else {
        sample.clamp(-4.0, 4.0)
    }
}

/// The error of an encoder. It is internal, because the encoder was given only what it accepts.
pub(crate) fn encoder_error(err: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::internal("the encoder failed", err)
}

/// The standard layout with as many channels as the source, or with `most` channels if the source has more.
///
/// Errors: [`Kind::BadInput`] if there is no rule to mix the channels.
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
