//! Sinks for sound: a file a target format. A sink takes exactly the description that [`plan`] gave.

mod aiff;
mod au;
mod flac;
mod flac_frame;
mod linear;
mod out;
mod wav;

pub(super) use self::out::{MAX_OUTPUT, too_large};

use self::out::Out;
use super::{
    pcm::{Block, Channels, Depth, Spec},
    tags::Tags,
};
use crate::{
    convert::{Job, Output},
    error::{Error, Kind, Result},
    format::Format,
};

/// Takes blocks and makes a file of them.
pub(super) trait Sink {
    /// Takes a block of the planned description.
    fn write(&mut self, block: &Block) -> Result<()>;

    /// Writes what is left, and what can be known only now.
    fn finish(self: Box<Self>) -> Result<()>;
}

/// What a target takes of a source.
pub(super) struct Plan {
    /// What the blocks must be.
    pub(super) spec: Spec,
    /// Bytes of the result for a frame, where that is fixed.
    pub(super) frame_bytes: u64,
}

/// What is closest to the source among what the target can hold.
///
/// Errors: [`Kind::BadInput`] if nothing is.
pub(super) fn plan(target: &Format, source: Spec, lossy: bool) -> Result<Plan> {
    // What a lossy codec gives has no depth of its own.
    let depth = if lossy { Depth::Int(16) } else { source.depth };
    match target.name {
        "wav" | "aiff" | "au" => {
            let depth = match depth {
                Depth::Int(bits) => Depth::Int(bits.next_multiple_of(8)),
                Depth::Float => Depth::Float,
            };
            let bytes = match depth {
                Depth::Int(bits) => bits / 8,
                Depth::Float => 4,
            };
            Ok(Plan {
                spec: Spec { depth, ..source },
                frame_bytes: u64::from(bytes) * source.channels.count() as u64,
            })
        }
        "flac" => Ok(Plan {
            spec: flac::plan(Spec { depth, ..source })?,
            frame_bytes: 0,
        }),
        other => Err(Error::internal("a format without a writer", other)),
    }
}

/// Begins a file.
pub(super) fn create<'a>(
    job: &Job<'_>,
    output: &'a mut dyn Output,
    spec: Spec,
    tags: &Tags,
) -> Result<Box<dyn Sink + 'a>> {
    let out = Out::new(output);
    Ok(match job.to.name {
        "wav" => Box::new(wav::Wav::new(out, spec, tags)?),
        "aiff" => Box::new(aiff::Aiff::new(out, spec, tags)?),
        "au" => Box::new(au::Au::new(out, spec, tags)?),
        "flac" => Box::new(flac::Flac::new(
            out,
            spec,
            tags,
            job.quality,
            job.spare_threads,
        )?),
        other => return Err(Error::internal("a format without a writer", other)),
    })
}

/// What quality does for a target.
pub(super) fn quality(target: &Format) -> &'static str {
    match target.name {
        "wav" | "aiff" | "au" => {
            "no effect: samples, depth and rate are kept; what was lossy becomes 16 bits"
        }
        "flac" => "effort: quick, normal, thorough; never the sound",
        _ => "",
    }
}

/// The standard layout with the largest number of channels that `most` allows.
fn layout_within(channels: Channels, most: usize) -> Result<Channels> {
    if channels.count() <= most && (1..=8).contains(&channels.count()) {
        Channels::of(channels.count() as u32)
    } else if channels.mask() != 0 || channels.count() <= 8 {
        Channels::of(most as u32)
    } else {
        Err(Error::new(
            Kind::BadInput,
            format!(
                "the file has {channels} in unknown places and the target format takes up to {most}; wav, aiff and au keep all of them"
            ),
        ))
    }
}
