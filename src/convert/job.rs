//! One conversion as its converter sees it. Knows what may be spent, not who asked or where the files are.

use crate::{
    error::{Error, Kind, Result},
    format::Format,
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// How much of a codec's reason a client is told, in characters.
const MAX_REASON: usize = 200;

/// How much to spend on looking or sounding good. What it means for each target stands in the README.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Quality {
    /// Small or quick.
    Low,
    /// The default.
    #[default]
    Medium,
    /// Close to the original.
    High,
}

impl Quality {
    /// Picks the value for this quality out of those for low, medium and high.
    pub fn pick<T>(self, low: T, medium: T, high: T) -> T {
        match self {
            Self::Low => low,
            Self::Medium => medium,
            Self::High => high,
        }
    }
}

impl FromStr for Quality {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "low" => Ok(Self::Low),
            "medium" => Ok(Self::Medium),
            "high" => Ok(Self::High),
            _ => Err(Error::new(
                Kind::BadInput,
                format!("quality is {text:?}; it must be one of \"low\", \"medium\", \"high\""),
            )),
        }
    }
}

impl fmt::Display for Quality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.pick("low", "medium", "high"))
    }
}

/// Optional form fields with values that the converter's [`OptionSpec`](super::OptionSpec) has accepted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Options(Vec<(String, String)>);

impl Options {
    /// The value of `name`, if the caller sent the field.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    }

    /// Adds a field. The first value of a repeated one counts.
    pub fn insert(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.0.push((name.into(), value.into()));
    }

    /// Whether the caller sent none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Remarks on the result for the person who asked: what was left out or changed on the way.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Notes(pub Vec<String>);

impl Notes {
    /// Adds a remark, a whole sentence.
    pub fn add(&mut self, remark: impl Into<String>) {
        self.0.push(remark.into());
    }
}

/// What a conversion is going to use, in bytes, as a converter computes it from the header alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Need {
    /// Peak memory, including the codec's own buffers.
    pub memory: u64,
}

/// What stands between a converter and the machine: memory, time, and the wish of the caller.
pub trait Gate: Sync {
    /// Blocks until `need` can be granted; it is returned when the job ends. A further call replaces what was granted
    /// before: for a file that has to be read before one knows what its picture needs.
    ///
    /// Errors: [`Kind::BadInput`] if it is more than could ever be granted, [`Kind::Busy`] or the error of
    /// [`check`](Self::check) if waiting became pointless.
    fn reserve(&self, need: Need) -> Result<()>;

    /// Fails once the deadline has passed or the caller has gone. Cheap; call it in every long loop.
    fn check(&self) -> Result<()>;

    /// Tells how far the job is: in milliseconds of sound, or in any unit of a picture.
    fn progress(&self, done: u64, total: u64);
}

/// A gate that is always open, for tests and measurements.
#[derive(Debug, Default)]
pub struct Unlimited;

impl Gate for Unlimited {
    fn reserve(&self, _: Need) -> Result<()> {
        Ok(())
    }

    fn check(&self) -> Result<()> {
        Ok(())
    }

    fn progress(&self, _: u64, _: u64) {}
}

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
