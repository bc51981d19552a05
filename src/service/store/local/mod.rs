//! Conversions and their files, from the upload to the download. Never builds a path from a client's text: every path
//! consists of fixed names and of an identifier that this module has drawn itself.
//!
//! # The data directory
//!
//! The directory *is* the state. There is no database. The state changes by one rename, one removal or one appended
//! line, so that a crash leaves either the state before the change or the state after it:
//!
//! ```text
//! lock, key                  locked (flock) while a server runs; the secret of [`sealed`]
//! incoming/<id>.…            an upload that is being received, a result that is being written
//! <id>.result                ready: a result to download, and its record
//! <id>.accepted, .upload     processing: accepted, and run again after a restart; .attempts counts how often
//! <id>.failed                failed: kept for as long as a link would work
//! ended/log                  conversions that have ended, one line each; see [`endings`]
//! ```
//!
//! ```text
//!             spool             commit            delivered
//! (nothing) ────────► Spool ──────────────► ready ◄──────────► downloaded ──┐
//!                       │ accept              │ sweep    lost               │ sweep
//!                       ▼           commit    ├──────────────► expired ─────┴─────► (nothing)
//!                   processing ───────────────┘                   ▲
//!                       │ fail                        sweep       │
//!                       └──────────────────► failed ──────────────┘
//! ```
//!
//! A synchronous conversion becomes visible when its file is renamed out of `incoming`. It may be promised to the
//! client when the file has been flushed ([`flush`]); all threads that commit at the same moment share one flush.
//! [`Store::open`] reads everything back, removes the debris of a crash, and removes no file whose name this module
//! would not have given it.
//!
//! The time stored with an ending is always the end of the link's term, even if the result was downloaded earlier. The
//! client was promised that time as `expires_at`, so it does not change for as long as the conversion is remembered.
//!
//! An ending is written before the files are removed, and it is not fsynced. It survives a crash of the process at any
//! point, but a power cut within the file system's commit interval (seconds) may bring a link back for the rest of its
//! term.
//!
//! A link ends when the peer's kernel has acknowledged every byte. The peer itself may have died before reading them,
//! so the files stay until it has shown a sign of life or a moment has passed ([`Receipt`]). Earlier versions had a
//! directory for each conversion; [`upgrade`] takes these over.
//!
//! Files are created with mode 0600, directories with 0700. This module never reads the wall clock: `now` is passed in.

mod claim;
mod disk;
mod endings;
mod entries;
mod expiry;
mod flush;
mod index;
mod keys;
mod link;
mod ranges;
mod record_file;
mod recover;
mod sealed;
mod spool;
mod steps;
mod upgrade;
mod upload;

#[cfg(test)]
mod tests;

pub use self::{flush::Durability, upload::Memory};

pub(super) use self::{
    claim::{Claim, Receipt},
    keys::KeyHold,
    spool::Spool,
};

use self::{
    disk::Disk,
    endings::Ending,
    index::{Found, Index},
    keys::Keys,
    link::{Hold, Link},
};
use crate::{
    error::{Error, Kind, Result},
    id::ConversionId,
    store::{
        digest::Digester,
        record::Record,
        state::{Counts, Status, Unavailable, full, share_exceeded},
    },
};
use crossbeam_channel::{Receiver, Sender};
use std::{
    fs::File,
    io,
    net::IpAddr,
    ops::Range,
    path::PathBuf,
    sync::{
        Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, SystemTime},
};

/// Number of inodes to keep free, besides the bytes of [`Settings::reserve`].
const RESERVED_INODES: u64 = 64;

/// Location, number and lifetime of the stored conversions.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The data directory. Created if it is missing.
    pub dir: PathBuf,
    /// Lifetime of a link. Rounded up to a whole second of the wall clock.
    pub link_ttl: Duration,
    /// Time for which an ended conversion is remembered, counted from the end of its link's term.
    pub tombstone_ttl: Duration,
    /// Bytes of the file system to keep free.
    pub reserve: u64,
    /// The maximum number of conversions, each counted from the first byte of its upload to the end of its link.
    pub max_records: usize,
    /// Failures that an answered conversion survives.
    pub durability: Durability,
}

/// Callback with the identifier of a conversion.
type Listener = Box<dyn Fn(&ConversionId) + Send + Sync>;

/// The conversions of one data directory. Clones share it; dropping the last one releases the directory's lock.
#[derive(Clone)]
pub(super) struct Store(Arc<Inner>);

struct Inner {
    settings: Settings,
    disk: Disk,
    index: Mutex<Index>,
    keys: Keys,
    /// Called whenever an accepted conversion has ended.
    listener: OnceLock<Listener>,
    /// Notified whenever a claim ends.
    released: Condvar,
    claims: AtomicU64,
    /// Conversions whose files can be removed. If the channel is full, the next sweep removes them.
    untidy: (Sender<ConversionId>, Receiver<ConversionId>),
    /// Directories of an earlier version that sweeps remove.
    outdated: Mutex<Vec<PathBuf>>,
}

impl Store {
    /// Opens the data directory, creates it if it is missing, and removes what a crash left behind. Accepted
    /// conversions that are not finished are returned as spools, to be run again.
    ///
    /// Errors: [`Kind::Busy`] if another server uses the directory, [`Kind::Internal`] if it cannot be used. Both
    /// messages name the directory.
    pub(super) fn open(settings: Settings, now: SystemTime) -> Result<(Self, Vec<Spool>)> {
        recover::open(settings, now)
    }

    /// Draws an identifier and creates an empty upload for it: in `memory`, if given, until the upload outgrows it, and
    /// otherwise on the disk. The conversion counts towards the share of `owner`; without an owner it counts towards no
    /// share.
    ///
    /// Errors: [`Kind::Busy`] beyond [`Settings::max_records`], and those of the disk.
    pub(super) fn spool(&self, owner: Option<IpAddr>, memory: Option<Memory>) -> Result<Spool> {
        Spool::new(self, owner, memory)
    }

    /// Checks that `owner` may store one more result, of `bytes`. An owner's share is a quarter of
    /// [`Settings::max_records`], which accepted and failed conversions count towards as well, and half of the bytes
    /// that all results use or could still use. The limit on bytes does not apply to an owner without results.
    /// Downloaded results do not count.
    ///
    /// Errors: [`Kind::Busy`] if the share would be exceeded.
    pub(super) fn share_for(&self, owner: Option<IpAddr>, bytes: u64) -> Result<()> {
        let Some(owner) = owner else {
            return Ok(());
        };
        let (all, theirs) = self.index().holdings(owner);
        let most = self.0.settings.max_records.div_ceil(4);
        let room = all.bytes.saturating_add(self.free()?.0);
        let is_too_much = theirs.bytes > 0 && theirs.bytes.saturating_add(bytes) > room / 2;
        if theirs.places >= most || is_too_much {
            return Err(share_exceeded(theirs.places as u64, theirs.bytes));
        }
        Ok(())
    }

    pub(in crate::store) fn settings(&self) -> &Settings {
        &self.0.settings
    }

    /// An empty file without a name, for reading and writing.
    pub(in crate::store) fn scratch_file(&self) -> io::Result<File> {
        self.0.disk.scratch_file()
    }

    /// Returns the free bytes and the free inodes of the file system; the second is `None` if the file system has no
    /// limit on inodes.
    fn free(&self) -> Result<(u64, Option<u64>)> {
        let disk = rustix::fs::statvfs(self.0.disk.root())
            .map_err(|err| Error::storage("the data directory is gone", io::Error::from(err)))?;
        // A file system without a fixed number of inodes reports 0 inodes.
        let files = (disk.f_files > 0).then_some(disk.f_favail);
        Ok((disk.f_bavail.saturating_mul(disk.f_frsize), files))
    }

    /// Checks that the reserve of bytes stays free if `bytes` more are stored, and that the reserve of inodes is free.
    ///
    /// Errors: [`Kind::StorageFull`] if one of them is not; also those of the disk.
    pub(super) fn room_for(&self, bytes: u64) -> Result<()> {
        let (free, files) = self.free()?;
        let out_of_files = files.is_some_and(|files| files < RESERVED_INODES);
        if out_of_files || free < bytes.saturating_add(self.0.settings.reserve) {
            return Err(Error::new(
                Kind::StorageFull,
                "the service's disk is nearly full",
            ));
        }
        Ok(())
    }

    /// Checks that a conversion could be stored now. Writes nothing, unless the data directory has vanished and is
    /// created again.
    ///
    /// Errors: the reason why it could not be stored.
    pub(super) fn health(&self) -> Result<()> {
        use rustix::fs::Access;
        self.0.disk.restore()?;
        for dir in [
            self.0.disk.volatile_directory(),
            self.0.disk.endings_directory(),
        ] {
            rustix::fs::access(&dir, Access::WRITE_OK | Access::EXEC_OK).map_err(|err| {
                Error::storage("the data directory cannot be written", io::Error::from(err))
            })?;
        }
        if self.index().len() >= self.0.settings.max_records {
            return Err(full());
        }
        self.room_for(0)
    }

    /// State of `id`.
    pub(super) fn status(&self, id: &ConversionId, now: SystemTime) -> Status {
        match self.index().find(id, now) {
            Found::Nothing => Status::NotFound,
            Found::Processing(request, progress) => Status::Processing {
                request: request.clone(),
                progress: progress.get(),
            },
            Found::Ready(link) => Status::Ready(link.record.clone()),
            Found::Failed(failure) => Status::Failed(failure.clone()),
            Found::Ended(ending, term_end) => Status::Expired {
                downloaded: ending == Ending::Downloaded,
                expires_at: term_end,
            },
        }
    }

    /// Returns whether `id` is accepted and not finished.
    pub(super) fn is_processing(&self, id: &ConversionId) -> bool {
        matches!(self.index().target(id), index::Target::Processing)
    }

    /// The record of a result that can be downloaded, even while another download of it is running.
    pub(super) fn peek(
        &self,
        id: &ConversionId,
        now: SystemTime,
    ) -> Result<Arc<Record>, Unavailable> {
        available(&mut self.index(), id, now).map(|link| link.record.clone())
    }

    /// Takes the right to deliver `range` (byte positions) of a result. Waits up to `wait` while another claim is in
    /// the way.
    ///
    /// Only one claim at a time can hold the whole result. Claims of parts can be held at the same time if they do not
    /// overlap, and even while an earlier claim holds the whole result.
    ///
    /// Errors: [`Unavailable::Claimed`] if the other claim did not end in time, otherwise the reason why the result
    /// cannot be downloaded. A result that a power cut has damaged counts as expired.
    pub(super) fn claim(
        &self,
        id: &ConversionId,
        range: impl Into<Option<Range<u64>>>,
        now: SystemTime,
        wait: Duration,
    ) -> Result<Claim, Unavailable> {
        let range = range.into();
        let asked = |link: &Link| range.clone().unwrap_or(0..link.record.file_size);
        let mut index = self.wait_while(wait, |index| {
            available(index, id, now).is_ok_and(|link| link.is_held(&asked(link)))
        });
        let link = available(&mut index, id, now)?;
        let range = asked(link);
        if link.is_held(&range) {
            return Err(Unavailable::Claimed);
        }
        let number = self.0.claims.fetch_add(1, Ordering::Relaxed);
        link.begin(Hold {
            number,
            range: range.clone(),
            sent: false,
        });
        let claim = Claim::new(self.clone(), link.record.clone(), range, number);
        drop(index);
        if claim.is_whole() {
            return Ok(claim);
        }
        self.expire_damaged(&claim);
        Err(Unavailable::Expired { downloaded: false })
    }

    /// Returns whether a download of `id` has sent everything and waits for its peer's acknowledgement. Until the
    /// acknowledgement arrives, the answer of [`status`](Self::status) may be out of date before the client receives
    /// it.
    pub(super) fn is_settling(&self, id: &ConversionId) -> bool {
        is_settling(&mut self.index(), id)
    }

    /// Waits up to `wait` while [`is_settling`](Self::is_settling), so that a client that asks right after its download
    /// learns the outcome of that download.
    pub(super) fn settle(&self, id: &ConversionId, wait: Duration) {
        drop(self.wait_while(wait, |index| is_settling(index, id)));
    }

    /// Calls `listener` for every accepted conversion that has ended, successfully or not. A second call of this
    /// function has no effect. The listener must not block.
    pub(super) fn listen(&self, listener: impl Fn(&ConversionId) + Send + Sync + 'static) {
        // A second listener is a mistake of the caller, and is ignored.
        let _ = self.0.listener.set(Box::new(listener));
    }

    /// Calls the listener. The index has the new state already.
    fn notify(&self, id: &ConversionId) {
        if let Some(listener) = self.0.listener.get() {
            listener(id);
        }
    }

    /// The number of conversions in each state.
    pub(super) fn counts(&self) -> Counts {
        let index = self.index();
        let (processing, bytes) = (index.processing(), index.bytes());
        Counts {
            spools: index.spools,
            processing,
            live: index.entries() - processing,
            tombstones: index.tombstones(),
            bytes,
            shared: None,
        }
    }

    /// See [`digester`](crate::store::Store::digester).
    pub(super) fn digester(&self) -> Digester {
        Digester::new(self.0.disk.key.derive("digests"))
    }

    /// Locks the index. A poisoned lock is ignored: no state spans two calls of the index, so a panic between them
    /// cannot leave it inconsistent.
    fn index(&self) -> MutexGuard<'_, Index> {
        self.0.index.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait_while(
        &self,
        wait: Duration,
        condition: impl FnMut(&mut Index) -> bool,
    ) -> MutexGuard<'_, Index> {
        self.0
            .released
            .wait_timeout_while(self.index(), wait, condition)
            .unwrap_or_else(PoisonError::into_inner)
            .0
    }
}

fn is_settling(index: &mut Index, id: &ConversionId) -> bool {
    index.link(id).is_some_and(|link| link.is_settling())
}

fn available<'a>(
    index: &'a mut Index,
    id: &ConversionId,
    now: SystemTime,
) -> Result<&'a mut Link, Unavailable> {
    match index.find(id, now) {
        Found::Nothing => Err(Unavailable::NotFound),
        Found::Processing(..) => Err(Unavailable::Processing),
        Found::Failed(failure) => Err(Unavailable::Failed(failure.clone())),
        Found::Ended(ending, _) => Err(Unavailable::Expired {
            downloaded: ending == Ending::Downloaded,
        }),
        Found::Ready(link) => Ok(link),
    }
}
