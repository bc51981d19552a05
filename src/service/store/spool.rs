//! A conversion until its result is stored. Passes every call on to the local store, which is a directory, or to the
//! shared store, which is Redis.

use super::{
    local,
    record::{Failure, Outcome, Record, Request},
    shared,
};
use crate::{error::Result, id::ConversionId, job::Progress};
use std::{
    fs::File,
    io::{self, Write},
    net::IpAddr,
    sync::Arc,
    time::SystemTime,
};

/// A conversion from the first byte of its upload to its result. Dropping it deletes its working files. An accepted
/// conversion then stays accepted, and is run again by the next start of the server or by any instance of a shared
/// store; but if the thread is panicking, the conversion fails.
pub struct Spool(pub(super) SpoolAt);

pub(super) enum SpoolAt {
    Local(local::Spool),
    Shared(Box<shared::Spool>),
}

impl Spool {
    /// The client towards whose share of the store the conversion counts.
    pub fn owner(&self) -> Option<IpAddr> {
        match &self.0 {
            SpoolAt::Local(spool) => spool.owner(),
            SpoolAt::Shared(spool) => spool.owner(),
        }
    }

    /// The identifier of the conversion.
    pub fn id(&self) -> ConversionId {
        match &self.0 {
            SpoolAt::Local(spool) => spool.id(),
            SpoolAt::Shared(spool) => spool.id(),
        }
    }

    /// Opens the upload for reading, with a file position of its own.
    pub fn open_upload(&self) -> Result<File> {
        match &self.0 {
            SpoolAt::Local(spool) => spool.open_upload(),
            SpoolAt::Shared(spool) => spool.open_upload(),
        }
    }

    /// Creates an empty output for reading and writing. A second call discards the first output.
    pub fn create_output(&self) -> Result<File> {
        match &self.0 {
            SpoolAt::Local(spool) => spool.create_output(),
            SpoolAt::Shared(spool) => spool.create_output(),
        }
    }

    /// Opens the output that was created. The returned file can be read to its end even after the spool is dropped.
    pub fn open_output(&self) -> Result<File> {
        match &self.0 {
            SpoolAt::Local(spool) => spool.open_output(),
            SpoolAt::Shared(spool) => spool.open_output(),
        }
    }

    /// Makes the conversion visible as processing, now and after a restart. The upload must be complete. Returns the
    /// spool if the caller must run the conversion, or `None` if a shared store hands the conversion to any idle
    /// instance.
    ///
    /// Errors: those of the disk or of the shared store. The conversion has then not been accepted.
    pub fn accept(self, request: Request, now: SystemTime) -> Result<Option<Self>> {
        match self.0 {
            SpoolAt::Local(mut spool) => {
                spool.accept(request, now)?;
                Ok(Some(Self(SpoolAt::Local(spool))))
            }
            SpoolAt::Shared(spool) => spool.accept(&request).map(|()| None),
        }
    }

    /// The client's request, if the conversion has been accepted and is not over.
    pub fn request(&self) -> Option<&Request> {
        match &self.0 {
            SpoolAt::Local(spool) => spool.request(),
            SpoolAt::Shared(spool) => spool.request(),
        }
    }

    /// Number of earlier attempts at this conversion. An attempt that ended in an orderly shutdown (the spool was
    /// dropped) does not count. Always 0 in a shared store, which counts by itself and hands out no conversion that was
    /// tried too often.
    pub fn attempts(&self) -> u32 {
        match &self.0 {
            SpoolAt::Local(spool) => spool.attempts(),
            SpoolAt::Shared(_) => 0,
        }
    }

    /// Counts one more attempt, if the conversion has been accepted. Without this, a conversion that kills the process
    /// would be run again after every restart.
    pub fn begin(&mut self) {
        match &mut self.0 {
            SpoolAt::Local(spool) => spool.begin(),
            // A shared store counted the attempt when the conversion was taken.
            SpoolAt::Shared(_) => {}
        }
    }

    /// Registers `act`, which is called if another instance takes the conversion over because this one was cut off for
    /// too long. The shared store would refuse this instance's result then. `act` must not block. The local store never
    /// calls it.
    pub fn when_lost(&self, act: impl FnOnce() + Send + 'static) {
        match &self.0 {
            SpoolAt::Local(_) => {}
            SpoolAt::Shared(spool) => spool.when_lost(act),
        }
    }

    /// Records the progress of an accepted conversion in memory, which takes little time.
    pub fn progress(&self, now: Progress) {
        match &self.0 {
            SpoolAt::Local(spool) => spool.progress(now),
            SpoolAt::Shared(spool) => spool.progress(now),
        }
    }

    /// Stores the output and issues the link to it. Both are as durable as the store's settings say when this returns.
    ///
    /// Errors: those of the disk or of the shared store, and [`Kind::Busy`](crate::error::Kind::Busy) if the result
    /// exceeds the owner's share (see [`Store::share_for`](super::Store::share_for)). The result is removed then, and
    /// an accepted conversion fails. If the shared store could not be reached, an accepted conversion is tried again
    /// instead.
    pub fn commit(
        self,
        request: Request,
        outcome: Outcome,
        now: SystemTime,
    ) -> Result<Arc<Record>> {
        match self.0 {
            SpoolAt::Local(spool) => spool.commit(request, outcome, now),
            SpoolAt::Shared(spool) => spool.commit(request, outcome),
        }
    }

    /// Ends the conversion without a result. If it was accepted, its status is `failure` for as long as a link would
    /// work.
    pub fn fail(self, failure: Failure, now: SystemTime) {
        match self.0 {
            SpoolAt::Local(spool) => spool.fail(failure, now),
            SpoolAt::Shared(spool) => spool.fail(&failure),
        }
    }
}

/// Appends to the upload.
impl Write for Spool {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            SpoolAt::Local(spool) => spool.write(bytes),
            SpoolAt::Shared(spool) => spool.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            SpoolAt::Local(spool) => spool.flush(),
            SpoolAt::Shared(spool) => spool.flush(),
        }
    }
}
