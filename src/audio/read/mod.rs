//! Sources of sound: a file a container. A source never hands over more than it says, and never ends early in silence.

mod aac;
mod adts;
mod aiff;
mod au;
mod blocks;
mod boxes;
mod caf;
mod codec;
mod decoder;
mod demuxed;
mod ebml;
mod flac;
mod flac_bits;
mod flac_crc;
mod flac_decoder;
mod flac_frame;
mod flac_stream;
mod flac_subframe;
mod lacing;
mod linear;
mod mpeg;
mod mpeg_frame;
mod ogg;
mod opus;
mod symphonic;
mod track;
mod vorbis;
mod wav;

pub(crate) use adts::Header as AdtsHeader;
pub(crate) use mpeg_frame::Header as MpegHeader;

use super::{
    pcm::{Block, Spec},
    stream::Stream,
    tags::Tags,
};
use crate::{
    error::{Error, Kind, Result},
    job::Job,
};
use std::io;

/// A stream of blocks.
pub(crate) trait Source {
    /// What the first block is going to be.
    fn spec(&self) -> Spec;

    /// How many frames there are, as far as is known before the end.
    fn frames(&self) -> Option<u64>;

    /// Whether the sound has been through a lossy codec, so that depth beyond 16 bits means nothing.
    fn lossy(&self) -> bool;

    /// Puts the next frames into `block`; there may be none. False at the end.
    ///
    /// Errors: [`Kind::BadInput`] for content that cannot be decoded.
    fn read(&mut self, block: &mut Block) -> Result<bool>;

    /// What of the sound is missing or damaged, once the end has been reached: clauses that follow
    /// "the file is damaged: ".
    fn losses(&mut self) -> Vec<String> {
        Vec::new()
    }
}

/// A file that has been understood.
pub(crate) struct Opened<'a> {
    /// The sound.
    pub(crate) source: Box<dyn Source + 'a>,
    /// What the file says about itself.
    pub(crate) tags: Tags,
    /// What the person who asked should know.
    pub(crate) remarks: Vec<String>,
    /// What is known to be missing or damaged already, see [`Source::losses`].
    pub(crate) losses: Vec<String>,
}

impl<'a> Opened<'a> {
    fn new(source: impl Source + 'a, tags: Tags) -> Self {
        Self {
            source: Box::new(source),
            tags,
            remarks: Vec::new(),
            losses: Vec::new(),
        }
    }

    fn with_losses(mut self, losses: impl IntoIterator<Item = String>) -> Self {
        self.losses.extend(losses);
        self
    }
}

/// Memory that a file needs beyond the usual, in bytes: the sample tables of an MP4 file, the packets of a video.
pub(crate) fn extra_memory(job: &Job<'_>, stream: &mut Stream<'_>) -> Result<u64> {
    match job.from.name {
        "m4a" | "mp4" | "mov" => boxes::memory(stream),
        "mka" | "mkv" | "webm" => ebml::scan(stream).map(|facts| 2 * facts.largest),
        _ => Ok(0),
    }
}

/// Opens a file of the job's format.
///
/// Errors: [`Kind::BadInput`] if it is not one, or has nothing to hear.
pub(crate) fn open<'a>(job: &Job<'_>, stream: Stream<'a>) -> Result<Opened<'a>> {
    match job.from.name {
        "wav" => wav::open(stream),
        "aiff" => aiff::open(stream),
        "au" => au::open(stream),
        "flac" => flac::open(stream),
        "mp3" | "mp2" => mpeg::open(stream),
        "aac" => adts::open(stream),
        "ogg" | "opus" => ogg::open(stream),
        "m4a" | "mp4" | "mov" => demuxed::open_mp4(stream),
        "mka" | "mkv" | "webm" => demuxed::open_matroska(stream),
        "caf" => demuxed::open_caf(stream),
        other => Err(Error::internal("a format without a reader", other)),
    }
}

/// The error for content that is broken or beyond what is supported.
fn bad(message: impl Into<String>) -> Error {
    Error::new(Kind::BadInput, message.into())
}

/// The error of reading a header: an end that comes too early is the file's fault.
fn header_error(error: io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => {
            bad("the file ends within its header").caused_by(error)
        }
        _ => Error::storage("the upload could not be read", error),
    }
}

/// Lengths from here on, in bytes, that a file does not have are none: writers to pipes leave a number near 2 or 4 GiB.
const PLACEHOLDER: u64 = 0x7f00_0000;

/// The length that a header promises for what follows, `left` bytes at most; `None` if the writer could not know it.
fn promised(length: u64, left: u64) -> Option<u64> {
    let unknown = left > 0 && (length == 0 || length >= PLACEHOLDER && length > left);
    (!unknown).then_some(length)
}

/// The loss of a file that holds fewer frames than its header says.
fn cut_short(rate: u32, promised: u64, found: u64) -> Option<String> {
    let seconds = |frames: u64| frames as f64 / f64::from(rate);
    (found < promised).then(|| {
        format!(
            "it ends early, {:.2} s of the {:.2} s that its header promises are there ({found} of {promised} samples)",
            seconds(found),
            seconds(promised)
        )
    })
}

/// The loss of a file that holds fewer bytes than its header says.
fn cut_bytes(promised: u64, found: u64) -> Option<String> {
    (found < promised).then(|| {
        format!("it ends early, {found} of the {promised} bytes that its header promises are there")
    })
}
