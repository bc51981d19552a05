//! The gate between a converter and the machine. It grants memory, and ends jobs that take too long or whose client has
//! gone; it never touches the data.

use crate::error::{Error, Kind, Result};
use serde::{Deserialize, Serialize};

/// Need of a conversion, as the converter computes it from the part of the file that it has read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Need {
    /// Peak memory in bytes, including the codec's own buffers.
    pub memory: u64,
}

/// Progress of a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// Work done so far, in units.
    pub done: u64,
    /// The whole work in units; 0 if it is unknown.
    pub total: u64,
    /// Unit of the numbers.
    pub unit: Unit,
}

/// Unit of [`Progress`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Rows of pixels.
    Rows,
    /// Frames of an animation.
    Frames,
    /// Sound, in milliseconds.
    Milliseconds,
    /// Pages of a document.
    Pages,
    /// Parts of the work that take about equal time.
    Steps,
}

/// Gate between a converter and the machine: it limits memory, output and time, and knows whether the job is cancelled.
pub trait Gate: Sync {
    /// Blocks until `need`, the total memory of the job, can be granted. A further call replaces the earlier grant. The
    /// memory is given back when the job ends.
    ///
    /// Errors: [`Kind::BadInput`] if `need` is more than could ever be granted, [`Kind::Busy`] or the error of
    /// [`check`](Self::check) if the job ends while it waits.
    fn reserve(&self, need: Need) -> Result<()>;

    /// The maximum length of the result in bytes.
    fn max_output(&self) -> u64 {
        u64::MAX
    }

    /// Upper bound of the memory that a job can be granted, in bytes.
    fn max_memory(&self) -> u64 {
        u64::MAX
    }

    /// Fails if the job's deadline has passed, or if no client waits for the result any more. Cheap: call it in every
    /// long loop.
    fn check(&self) -> Result<()>;

    /// Reports the progress of the job. Cheap.
    fn progress(&self, progress: Progress);
}

/// The error for a result that would be larger than `most` bytes.
pub fn too_large(most: u64) -> Error {
    let most = match most >> 20 {
        0 => format!("{most} bytes"),
        mebibytes => format!("{mebibytes} MiB"),
    };
    let text = format!("the result would be larger than {most}, the limit here (--max-output)");
    Error::new(Kind::BadInput, text)
}

/// A gate that grants everything, for tests and measurements.
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
