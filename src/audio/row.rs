//! The description of an audio format: a row of facts that says how it is named, recognised, read and written. A new
//! format takes a folder with its row, and a line in the list of formats.

use super::{
    out::Out,
    probe::Probe,
    sink::{Plan, Settings, Sink},
    sound::pcm::Spec,
    source::Opened,
    stream::Stream,
    tags::Tags,
};
use convertd_core::{error::Result, format::Format};

/// Everything that the rest of the program knows about an audio format.
pub(crate) struct Row {
    /// Names, media type and magic bytes of the format.
    pub(crate) format: Format,
    /// Recognition of a file without magic bytes.
    pub(crate) recognise: Recognise,
    /// Opens a file. The stream is at its beginning.
    ///
    /// Errors: [`Kind::BadInput`](convertd_core::error::Kind::BadInput) if the file is not of this format, or has no
    /// sound.
    pub(crate) open: for<'a> fn(Stream<'a>) -> Result<Opened<'a>>,
    /// Memory in bytes that a file needs in addition to the memory of every conversion. The stream is at its beginning.
    pub(crate) extra_memory: Option<fn(&mut Stream<'_>) -> Result<u64>>,
    /// Writer of the format; `None` if it is only read.
    pub(crate) write: Option<Writer>,
}

/// Rule that recognises a file without magic bytes.
pub(crate) enum Recognise {
    /// Not needed: all files of this format have the magic bytes.
    Magic,
    /// The file's content after the tags at its beginning decides.
    Content(fn(&Row, &mut Probe<'_>) -> bool),
    /// Consecutive frames decide. The function reads the header of the frame at the beginning of the bytes.
    Frames(fn(&[u8]) -> Option<Frame>),
}

/// Properties in the header of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    /// Length of the frame in bytes, including the header.
    pub(crate) length: usize,
    /// The properties that do not change within a stream, as a number of the format's own choice.
    pub(crate) kind: u32,
}

/// A format's writer.
pub(crate) struct Writer {
    /// Meaning of the tiers `low`, `medium` and `high`, as users read it.
    pub(crate) quality: &'static str,
    /// Whether the format is lossy, so that a file can be made to fit a size. The scale is [`Rate`](super::sink::Rate).
    pub(crate) is_lossy: bool,
    /// Whether the format is written at a bit rate in kbit/s, rather than at a quality.
    pub(crate) has_bit_rate: bool,
    /// Whether the format holds chapters.
    pub(crate) has_chapters: bool,
    /// Returns the description closest to the source that the format can hold.
    ///
    /// Errors: [`Kind::BadInput`](convertd_core::error::Kind::BadInput) if the format can hold no such sound.
    pub(crate) plan: fn(Spec) -> Result<Plan>,
    /// Losses besides samples, as whole sentences for the user; `None` if the format holds all metadata.
    pub(crate) left_out: Option<fn(Spec, &Tags) -> Vec<String>>,
    /// Begins a file with the planned description.
    pub(crate) create: for<'a> fn(Out<'a>, &Settings<'_>) -> Result<Box<dyn Sink + 'a>>,
}
