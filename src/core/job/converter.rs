//! Interface of converters, and the job that they get: its task, its open files and its limits. A job contains neither
//! the client's name nor the paths of files.

use super::{
    Companions, Gate, Input, Lease, Ledger, Need, Notes, OptionSpec, Options, Output, Progress,
    Quality, Task, too_large,
};
use crate::{
    error::{Error, Kind, Reason, Result},
    format::Format,
};

/// The maximum length of a codec's own error text that is shown to a client, in characters.
const MAX_REASON: usize = 200;

/// A converter for a group of formats: data about what it can do, and one function that does it.
pub struct Converter {
    /// Name of the converter in the log.
    pub name: &'static str,
    /// The formats that this converter declares, in the order in which `/formats` lists them. If two signatures can
    /// match the same file, the format with the longer signature must come first.
    pub formats: fn() -> Vec<&'static Format>,
    /// All conversions that this converter can do. A pair may name formats of another converter.
    pub pairs: fn() -> Vec<Pair>,
    /// Recognises files of this converter's formats that have no magic bytes at the beginning, such as text files and
    /// files with their signature at the end. Called only if no magic bytes match. Must not trust the content.
    pub recognise: Recognise,
    /// Converts the input. The function must return a result or an error for any input, and must use no more memory
    /// than it has leased.
    pub convert: fn(&Job<'_>, &mut dyn Input, &mut dyn Output) -> Result<Notes>,
}

/// See [`Converter::recognise`]. `head` is the beginning of the file, at most [`HEAD_LEN`](crate::format::HEAD_LEN)
/// bytes; `extension` is that of the file's name, in lower case.
pub type Recognise =
    fn(head: &[u8], input: &mut dyn Input, extension: Option<&str>) -> Option<&'static Format>;

/// A supported conversion from one format to another.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// The format of the input.
    pub from: &'static Format,
    /// The format of the output.
    pub to: &'static Format,
    /// Meaning of `low`, `medium` and `high` for this conversion, as text for people.
    pub quality: &'static str,
    /// The optional fields that this conversion understands.
    pub options: &'static [&'static OptionSpec],
}

impl Pair {
    /// Makes the job for a task whose formats are those of this pair. `input_len` is in bytes.
    pub fn job<'a>(
        &self,
        task: &'a Task,
        input_len: u64,
        spare_threads: usize,
        gate: &'a Ledger<'a>,
    ) -> Job<'a> {
        Job {
            task,
            from: self.from,
            to: self.to,
            input_len,
            spare_threads,
            gate,
            beside: None,
        }
    }
}

/// A conversion as its converter sees it: the task, and the gate that limits it.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    /// The client's request.
    pub task: &'a Task,
    /// The format of the input.
    pub from: &'static Format,
    /// The format of the output.
    pub to: &'static Format,
    /// The length of the input in bytes, at least 1.
    pub input_len: u64,
    /// The number of threads that the job may use in addition to its own. This is a hint, the number of converters that
    /// were idle when it began; nothing is reserved.
    pub spare_threads: usize,
    /// Grants memory and adds up the grants, and stops the job at its deadline or when it is cancelled.
    pub gate: &'a Ledger<'a>,
    /// Files that the client sent together with the input, which may refer to them.
    pub beside: Option<&'a dyn Companions>,
}

impl<'a> Job<'a> {
    /// The quality that was asked for.
    pub fn quality(&self) -> Quality {
        self.task.quality
    }

    /// The optional fields that were sent.
    pub fn options(&self) -> &'a Options {
        &self.task.options
    }

    /// Leases `bytes` in addition to the memory that the job already holds. Call it before anything large is allocated.
    ///
    /// Errors: [`Kind::BadInput`] if it is more than could ever be granted; those of [`check`](Self::check) if the job
    /// ends while it waits.
    pub fn lease(&self, bytes: u64) -> Result<Lease<'a>> {
        self.gate.lease(bytes)
    }

    /// An empty lease, for data that grows later.
    pub fn empty_lease(&self) -> Lease<'a> {
        self.gate.empty_lease()
    }

    /// Runs `work` with a job for a part of the input, of `input_len` bytes. The memory of the part comes on top of
    /// what this job holds, and is given back when the part ends. Only documents, and formats that embed documents,
    /// have parts.
    pub fn part<T>(
        &self,
        task: &Task,
        (from, to): (&'static Format, &'static Format),
        input_len: u64,
        work: impl FnOnce(&Job<'_>) -> T,
    ) -> T {
        let ledger = Ledger::within(self.gate);
        work(&Job {
            task,
            from,
            to,
            input_len,
            spare_threads: self.spare_threads,
            gate: &ledger,
            beside: None,
        })
    }

    /// Sets the memory of the job itself, in addition to its leases, to `memory` bytes. A further call replaces the
    /// earlier amount.
    ///
    /// Use it where one function knows the whole need. A codec, for example, computes the need from the header, and
    /// again more precisely after it has read more of the file. A job that has parsed a file replaces the size of the
    /// file by the size of the document. Use a [lease](Self::lease) for temporary memory, or for memory whose size
    /// another function knows.
    ///
    /// Errors: those of [`lease`](Self::lease).
    pub fn reserve(&self, memory: u64) -> Result<()> {
        self.gate.reserve(Need { memory })
    }

    /// Announces the length of the result in bytes, if it is known in advance, so that a result that is too large is
    /// refused before it is made. Writing is limited in any case.
    ///
    /// Errors: [`Kind::BadInput`] beyond [`Gate::max_output`].
    pub fn announce(&self, len: u64) -> Result<()> {
        match self.gate.max_output() {
            most if len > most => Err(too_large(most)),
            _ => Ok(()),
        }
    }

    /// Refuses a result that is far longer than its input. This protects against small files that expand without limit:
    /// a workbook may store a text of one megabyte once, in some compressed kilobytes, and show it in ten thousand
    /// cells. `len` is what was written so far, in bytes, before it is packed.
    ///
    /// Errors: [`Kind::BadInput`] beyond 256 MiB and 256 times the input.
    pub fn check_growth(&self, len: u64) -> Result<()> {
        const LEAST: u64 = 256 << 20;
        const TIMES: u64 = 256;
        match self.input_len.saturating_mul(TIMES).max(LEAST) {
            most if len > most => Err(Error::new(
                Kind::BadInput,
                format!(
                    "the {} looks like a decompression bomb: its content takes more than {} MiB, the limit for a file of its size",
                    self.from.name,
                    most >> 20
                ),
            )),
            _ => Ok(()),
        }
    }

    /// See [`Gate::progress`].
    pub fn progress(&self, progress: Progress) {
        self.gate.progress(progress);
    }

    /// See [`Gate::check`].
    pub fn check(&self) -> Result<()> {
        self.gate.check()
    }

    /// The error for a codec that could not allocate memory within the job's reservation. The engine runs the job again
    /// with more memory, up to the limit.
    pub fn exhausted(&self) -> Error {
        Error::new(
            Kind::OutOfMemory,
            "the conversion needs more memory than the file's header says",
        )
    }

    /// The error for an input that cannot be decoded. A part of `cause` is shown to the client.
    pub fn unreadable(&self, cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
        let cause = cause.into();
        // Cut, because some codecs quote the file in their errors.
        let reason: String = cause.to_string().chars().take(MAX_REASON).collect();
        Error::new(
            Kind::BadInput,
            format!("the file is not a readable {}: {reason}", self.from.name),
        )
        .because(Reason::Unreadable)
        .caused_by(cause)
    }
}
