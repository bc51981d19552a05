//! What a converter is, and what it sees of its job. Knows what may be spent, not who asked or where the files are.

use super::{Gate, Input, Need, Notes, OptionSpec, Options, Output, Quality};
use crate::{
    error::{Error, Kind, Result},
    format::Format,
};

/// How much of a codec's reason a client is told, in characters.
const MAX_REASON: usize = 200;

/// One way of making files of some formats into files of others.
pub struct Converter {
    /// For the log.
    pub name: &'static str,
    /// Names of the formats that it reads, as in [`crate::format::FORMATS`].
    pub reads: &'static [&'static str],
    /// Names of the formats that it writes. Every pair of `reads` and `writes` works, a format to itself included.
    pub writes: &'static [&'static str],
    /// Optional form fields that it understands.
    pub options: &'static [OptionSpec],
    /// What `low`, `medium` and `high` mean for a target that it writes; shown to users.
    pub quality: fn(&Format) -> &'static str,
    /// Finds content that has no magic bytes of its own, such as text or a format with its signature at
    /// the end. `head` is the beginning of the file. Called only when no magic matches; must not trust the content.
    pub recognise: Option<Recognise>,
    /// Does the work. Whatever the input holds, it ends with a result or an error, in memory that it has reserved.
    pub convert: fn(&Job<'_>, &mut dyn Input, &mut dyn Output) -> Result<Notes>,
}

/// See [`Converter::recognise`]. The name of the format, if it is one.
pub type Recognise =
    fn(head: &[u8], input: &mut dyn Input, extension: Option<&str>) -> Option<&'static str>;

/// What to make of the input, and the gate to ask on the way.
pub struct Job<'a> {
    /// What the input is.
    pub from: &'static Format,
    /// What the output shall be.
    pub to: &'static Format,
    /// The name that was asked for: `to`'s own or one of its aliases.
    pub to_name: &'a str,
    /// The tier.
    pub quality: Quality,
    /// Optional fields.
    pub options: &'a Options,
    /// Length of the input in bytes, at least 1.
    pub input_len: u64,
    /// Threads that the job may use beside its own, from 0. A hint: idle converters, not a reservation.
    pub spare_threads: usize,
    /// Memory, time and cancellation.
    pub gate: &'a dyn Gate,
}

impl Job<'_> {
    /// Reserves peak memory before anything large is allocated. See [`Gate::reserve`].
    pub fn reserve(&self, memory: u64) -> Result<()> {
        self.gate.reserve(Need { memory })
    }

    /// See [`Gate::check`].
    pub fn check(&self) -> Result<()> {
        self.gate.check()
    }

    /// The error for content that is not what it claims to be.
    pub fn unreadable(&self, cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
        let cause = cause.into();
        // Some codecs quote the file.
        let reason: String = cause.to_string().chars().take(MAX_REASON).collect();
        Error::new(
            Kind::BadInput,
            format!("the file is not a readable {}: {reason}", self.from.name),
        )
        .caused_by(cause)
    }
}
