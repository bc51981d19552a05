//! What a converter is, and what it sees of its job. Knows what may be spent, not who asked or where the files are.

use super::{Gate, Input, Need, Notes, OptionSpec, Options, Output, Quality, Task, too_large};
use crate::{
    error::{Error, Kind, Result},
    format::Format,
};

/// How much of a codec's reason a client is told, in characters.
const MAX_REASON: usize = 200;

/// One way of making files of some formats into files of others: data, and one function.
pub struct Converter {
    /// For the log.
    pub name: &'static str,
    /// The formats that belong to it, in the order in which `/formats` lists them. Where two signatures could match the
    /// same file, the longer one stands first.
    pub formats: fn() -> Vec<&'static Format>,
    /// Every conversion it can do. A pair may name formats of another converter.
    pub pairs: fn() -> Vec<Pair>,
    /// Finds content of its formats that has no magic bytes, such as text or a format with its signature at
    /// the end. Called only when no magic matches; must not trust the content.
    pub recognise: Recognise,
    /// Does the work. Whatever the input holds, it ends with a result or an error, in memory that it has reserved.
    pub convert: fn(&Job<'_>, &mut dyn Input, &mut dyn Output) -> Result<Notes>,
}

/// See [`Converter::recognise`]. `head` is the beginning of the file, at most [`HEAD_LEN`](crate::format::HEAD_LEN)
/// bytes; `extension` is the one of its name, in lower case.
pub type Recognise =
    fn(head: &[u8], input: &mut dyn Input, extension: Option<&str>) -> Option<&'static Format>;

/// A conversion that works.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// What the file is.
    pub from: &'static Format,
    /// What it becomes.
    pub to: &'static Format,
    /// What `low`, `medium` and `high` mean, for people.
    pub quality: &'static str,
    /// The optional fields that it understands.
    pub options: &'static [&'static OptionSpec],
}

/// What to make of the input, and the gate to ask on the way.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    /// What was asked for.
    pub task: &'a Task,
    /// What the input is.
    pub from: &'static Format,
    /// What the output shall be.
    pub to: &'static Format,
    /// Length of the input in bytes, at least 1.
    pub input_len: u64,
    /// Threads that the job may use beside its own, from 0. A hint: idle converters, not a reservation.
    pub spare_threads: usize,
    /// Memory, time and cancellation.
    pub gate: &'a dyn Gate,
}

impl<'a> Job<'a> {
    /// The tier.
    pub fn quality(&self) -> Quality {
        self.task.quality
    }

    /// Optional fields.
    pub fn options(&self) -> &'a Options {
        &self.task.options
    }

    /// Reserves peak memory before anything large is allocated. See [`Gate::reserve`].
    pub fn reserve(&self, memory: u64) -> Result<()> {
        self.gate.reserve(Need { memory })
    }

    /// Says how large the result is going to be, in bytes, where its header tells: one that is too large is refused
    /// before it is made. What is written is limited in any case.
    ///
    /// Errors: [`Kind::BadInput`] beyond [`Gate::max_output`].
    pub fn announce(&self, len: u64) -> Result<()> {
        match self.gate.max_output() {
            most if len > most => Err(too_large(most)),
            _ => Ok(()),
        }
    }

    /// See [`Gate::check`].
    pub fn check(&self) -> Result<()> {
        self.gate.check()
    }

    /// The error of a codec that could not allocate what it needs within what is reserved. The job is run again with more
    /// if there is more.
    pub fn exhausted(&self) -> Error {
        Error::new(
            Kind::OutOfMemory,
            "the conversion needs more memory than its file's header tells",
        )
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
