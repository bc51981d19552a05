//! What stands between a converter and the machine. Grants memory and time, and takes them away.

use crate::error::Result;

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
