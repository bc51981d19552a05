//! Converters, and what runs them. Never sees a socket, a record or a data directory.
//!
//! A converter is data and one function: the formats it reads, the formats it writes, and
//! `convert(job, input, output)`. All of them stand in the [`registry`]; a new one is a file and a line there.

#[cfg(feature = "audio")]
pub mod audio;
mod budget;
mod engine;
mod guard;
pub mod image;
mod isolation;
mod job;
mod order;
pub mod registry;

pub use engine::{Engine, Settings};
pub use isolation::{CHILD_COMMAND, Isolation, child_main};
pub use job::{Gate, Job, Need, Notes, Options, Quality, Unlimited};
pub use order::{Cancel, Finished, Order};
pub use registry::Plan;

use crate::{
    error::{Error, Kind, Result},
    format::Format,
};
use std::io::{BufRead, Read, Seek, SeekFrom, Write};

/// What a converter reads from: a file, a buffer, or a guarded reader around one.
pub trait Input: BufRead + Seek + Send {}
impl<T: BufRead + Seek + Send> Input for T {}

/// What a converter writes to. It starts empty and need not be flushed by the converter.
pub trait Output: Write + Seek + Send {}
impl<T: Write + Seek + Send> Output for T {}

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

/// An optional form field.
#[derive(Debug)]
pub struct OptionSpec {
    /// Name of the form field.
    pub name: &'static str,
    /// What it means and which values it takes, in one line.
    pub help: &'static str,
    /// Whether a value is acceptable.
    pub check: fn(&str) -> bool,
}

impl OptionSpec {
    /// The value without the white space around it.
    ///
    /// Errors: [`Kind::BadInput`] naming the option, the value and what it may be.
    pub fn accept<'v>(&self, value: &'v str) -> Result<&'v str> {
        let value = value.trim();
        if (self.check)(value) {
            return Ok(value);
        }
        Err(Error::new(
            Kind::BadInput,
            format!("{} is {value:?}; it must be: {}", self.name, self.help),
        ))
    }
}

/// The number of bytes in `input`. Leaves it at its beginning.
pub fn input_len(input: &mut dyn Input) -> std::io::Result<u64> {
    let len = input.seek(SeekFrom::End(0))?;
    input.seek(SeekFrom::Start(0))?;
    Ok(len)
}

/// Reads up to `limit` bytes from the beginning of `input` and goes back there.
pub fn read_head(input: &mut dyn Input, limit: usize) -> std::io::Result<Vec<u8>> {
    let mut head = Vec::with_capacity(limit.min(4096));
    input.seek(SeekFrom::Start(0))?;
    input.take(limit as u64).read_to_end(&mut head)?;
    input.seek(SeekFrom::Start(0))?;
    Ok(head)
}
