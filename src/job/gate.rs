//! What stands between a converter and the machine. Grants memory and time, and takes them away.

use crate::error::{Error, Kind, Result};
use serde::{Deserialize, Serialize};

/// What a conversion is going to use, in bytes, as a converter computes it from the header alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Need {
    /// Peak memory, including the codec's own buffers.
    pub memory: u64,
}

/// How far a conversion is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// Work that is done.
    pub done: u64,
    /// All the work, as far as is known; 0 if nothing is.
    pub total: u64,
    /// What is counted.
    pub unit: Unit,
}

/// What [`Progress`] counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Rows of pixels.
    Rows,
    /// Pictures of an animation.
    Frames,
    /// Sound, in milliseconds.
    Milliseconds,
    /// Pages of a document.
    Pages,
    /// Parts of the work that take about equally long.
    Steps,
}

/// What stands between a converter and the machine: memory, time, and the wish of the caller.
pub trait Gate: Sync {
    /// Blocks until `need` can be granted; it is returned when the job ends. A further call replaces what was granted
    /// before: for a file that has to be read before one knows what its picture needs.
    ///
    /// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) if it is more than could ever be granted,
    /// [`Kind::Busy`](crate::error::Kind::Busy) or the error of [`check`](Self::check) if waiting became pointless.
    fn reserve(&self, need: Need) -> Result<()>;

    /// The largest result that may be written, in bytes.
    fn max_output(&self) -> u64 {
        u64::MAX
    }

    /// Fails once the deadline has passed or the caller has gone. Cheap; call it in every long loop.
    fn check(&self) -> Result<()>;

    /// Tells how far the job is. Cheap.
    fn progress(&self, progress: Progress);
}

/// The error for a result that would be larger than `most` bytes.
pub(crate) fn too_large(most: u64) -> Error {
    let text = format!(
        "the result would be larger than {} MiB, the most this service writes",
        most >> 20
    );
    Error::new(Kind::BadInput, text)
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

    fn progress(&self, _: Progress) {}
}
