//! Sinks for sound: a file a target format. A sink takes exactly the description that [`plan`] gave.

mod aiff;
mod au;
mod flac;
mod flac_bits;
mod flac_frame;
mod flac_predict;
mod flac_rice;
mod flac_subframe;
mod m4a;
mod m4a_boxes;
mod m4a_packets;
mod mp3;
#[cfg(feature = "lame")]
mod mp3_lame;
#[cfg(not(feature = "lame"))]
mod mp3_pure;
mod opus;
mod out;
mod vorbis;
mod vorbis_block;
mod vorbis_mask;
mod vorbis_residue;
mod vorbis_setup;
mod wav;

pub(crate) use self::out::{MAX_OUTPUT, too_large};

use self::out::Out;
use super::{
    pcm::{Block, Channels, Depth, Spec},
    tags::Tags,
};
use crate::{
    error::{Error, Kind, Result},
    format::Format,
    job::{Job, Output},
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
    /// Bytes of the result for a frame, where that is fixed.
    pub(crate) frame_bytes: u64,
}

/// What is closest to the source among what the target can hold.
///
/// Errors: [`Kind::BadInput`] if nothing is.
pub(crate) fn plan(target: &Format, source: Spec, lossy: bool) -> Result<Plan> {
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
        "flac" => Ok(compressed(flac::plan(Spec { depth, ..source })?)),
        "mp3" => Ok(compressed(mp3::plan(source))),
        "ogg" => Ok(compressed(vorbis::plan(source))),
        "opus" => Ok(compressed(opus::plan(source)?)),
        "m4a" => Ok(compressed(m4a::plan(source)?)),
        other => Err(Error::internal("a format without a writer", other)),
    }
}

fn compressed(spec: Spec) -> Plan {
    Plan {
        spec,
        frame_bytes: 0,
    }
}

/// Begins a file.
pub(crate) fn create<'a>(
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
            job.quality(),
            job.spare_threads,
        )?),
        "mp3" => Box::new(mp3::Mp3::new(out, spec, tags, job.quality())?),
        "ogg" => Box::new(vorbis::Vorbis::new(out, spec, tags, job.quality())?),
        "opus" => Box::new(opus::Opus::new(out, spec, tags, job.quality())?),
        "m4a" => Box::new(m4a::M4a::new(out, spec, tags, job.quality())?),
        other => return Err(Error::internal("a format without a writer", other)),
    })
}

/// What quality does for a target.
pub(crate) fn quality(target: &Format) -> &'static str {
    match target.name {
        "wav" | "aiff" | "au" => {
            "no effect: samples, depth and rate are kept; what was lossy becomes 16 bits"
        }
        "flac" => "effort: quick, normal, thorough; never the sound",
        "mp3" => "average bit rate: 128, 224, 320 kbit/s for stereo, half for mono",
        "ogg" => {
            "how far the noise stays below what is heard: 3, 6, 10 dB; about 120, 150, 200 kbit/s for stereo"
        }
        "opus" => "bit rate: 64, 96, 160 kbit/s for stereo, 0.6 of it for mono",
        "m4a" => "AAC bit rate: 96, 160, 256 kbit/s for stereo, half for mono",
        _ => "",
    }
}

/// The rate that loses least: the source's own, or the next higher, or the highest.
fn rate_among(rates: &[u32], source: u32) -> u32 {
    let highest = rates.last().copied().unwrap_or(source);
    rates
        .iter()
        .copied()
        .find(|rate| *rate >= source)
        .unwrap_or(highest)
}

/// A sample that every encoder takes: a number, and not far beyond full scale.
fn sane(sample: f32) -> f32 {
    if sample.is_nan() {
        0.0
    } else {
        sample.clamp(-4.0, 4.0)
    }
}

/// The error of an encoder, which has been given nothing but what it takes.
fn encoder_error(err: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::internal("the encoder failed", err)
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
