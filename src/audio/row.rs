//! What a format of sound is: one row of facts, from which its name, how it is recognised, read and written follow.
//! Dispatches nothing. A new format is a folder with a row in it, and a line in the list of formats.

use super::{
    out::Out,
    probe::Probe,
    sink::{Plan, Settings, Sink},
    sound::pcm::Spec,
    source::Opened,
    stream::Stream,
};
use crate::{error::Result, format::Format};

/// Everything that the rest of the category knows about a format.
pub(crate) struct Row {
    /// Names, media type, magic bytes.
    pub(crate) format: Format,
    /// How it is told where the magic bytes do not.
    pub(crate) recognise: Recognise,
    /// Opens a file. The stream is at its beginning.
    ///
    /// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) if it is not such a file, or has nothing to hear.
    pub(crate) open: for<'a> fn(Stream<'a>) -> Result<Opened<'a>>,
    /// Memory that a file takes beyond what every conversion does, in bytes; the stream is at its beginning.
    pub(crate) extra_memory: Option<fn(&mut Stream<'_>) -> Result<u64>>,
    /// How it is written, if it is.
    pub(crate) write: Option<Writer>,
}

/// How a file without magic bytes is told to be of a format.
pub(crate) enum Recognise {
    /// All files of it have the magic bytes.
    Magic,
    /// By a look at the file behind the tags that stand before it.
    Content(fn(&Row, &mut Probe<'_>) -> bool),
    /// By frames that follow one another. The function reads the header of the frame that the bytes begin with.
    Frames(fn(&[u8]) -> Option<Frame>),
}

/// What the header of a frame says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    /// Bytes of the frame, header included.
    pub(crate) length: usize,
    /// Whatever does not change within a stream, as a number of the format's own.
    pub(crate) kind: u32,
}

/// How a format is written.
pub(crate) struct Writer {
    /// What `low`, `medium` and `high` mean; shown to users.
    pub(crate) quality: &'static str,
    /// What is closest to the source among what the format can hold.
    ///
    /// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) if nothing is.
    pub(crate) plan: fn(Spec) -> Result<Plan>,
    /// Begins a file of the planned description.
    pub(crate) create: for<'a> fn(Out<'a>, &Settings<'_>) -> Result<Box<dyn Sink + 'a>>,
}
