//! Conversions and their files, from the upload to the download. Refuses to be named by a client: every
//! path is made of an identifier that this module drew itself.
//!
//! # The data directory
//!
//! The directory *is* the state. There is no database, and every step is one rename or one removal, so that
//! a crash leaves the state before it or the one after it:
//!
//! ```text
//! lock                       locked (flock) while a server runs
//! incoming/<id>/upload       being received
//! incoming/<id>/output.part  being written
//! <id>/record.json, output   ready: a conversion to download
//! <id>/record.json, upload   processing: accepted, and run again after a restart
//! <id>/record.json           failed: kept as long as a link would be
//! ended/log                  what is over: a line each, see [`endings`]
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
//! A synchronous conversion becomes visible by one rename of its directory out of `incoming`; its output and its
//! record are on the medium (fsync) by then. [`Store::open`] reads everything back, sweeps what a crash
//! left, and removes nothing whose name this module would not have written.
//!
//! The time of an ending is the end of the link's term, also if the result was downloaded before that: it is what was
//! promised as `expires_at`, and so it stays for as long as the conversion is remembered.
//!
//! An ending is written before the files go, and is not fsynced: it survives the end of the process at any point, but a
//! power cut within the file system's commit interval (seconds) may bring a link back for the rest of its term.
//!
//! That the peer's kernel has acknowledged every byte ends a link; its files stay until the peer has shown that it lived to
//! read them, or a moment has passed ([`Receipt`]). Earlier versions wrote an empty file for each ending; these are taken over.
//!
//! Files are created with mode 0600, directories with 0700. The wall clock is never read here: `now` is passed in.

mod claim;
mod disk;
mod endings;
mod expiry;
mod index;
mod ranges;
mod record;
mod recover;
mod spool;

#[cfg(test)]
mod tests;

pub use self::{
    claim::{Claim, Receipt},
    record::{Failure, Outcome, Record, Request},
    spool::Spool,
};

use self::{
    disk::Disk,
    endings::Ending,
    index::{Found, Hold, Index, Link},
};
use crate::{
    error::{Error, Kind, Result},
    id::ConversionId,
    job::Progress,
};
use crossbeam_channel::{Receiver, Sender};
use std::{
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

/// Files that the file system must still be able to hold, beside the bytes of [`Settings::reserve`].
const RESERVED_INODES: u64 = 64;

/// Where to store, how much and for how long.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The data directory. Created if it is missing.
    pub dir: PathBuf,
    /// How long a link works. Rounded up to a whole second of the wall clock.
    pub link_ttl: Duration,
    /// How long an expired or downloaded conversion is remembered, from the end of its link's term.
    pub tombstone_ttl: Duration,
    /// Bytes of the disk to keep free.
    pub reserve: u64,
    /// Conversions at a time, from the first byte of the upload to the end of the link.
    pub max_records: usize,
}

/// What is known about an identifier.
#[derive(Clone, Debug, PartialEq)]
pub enum Status {
    /// No conversion has this identifier, or it was forgotten.
    NotFound,
    /// Accepted, and not finished.
    Processing {
        /// What was asked for.
        request: Request,
        /// How far it is, once the converter has said so.
        progress: Option<Progress>,
    },
    /// There is a result to download.
    Ready(Arc<Record>),
    /// There was one.
    Expired {
        /// Whether it was downloaded, rather than left to expire.
        downloaded: bool,
        /// The end of the link's term, in whole seconds. It may be yet to come if the result was downloaded.
        expires_at: SystemTime,
    },
    /// There is none, and there will not be.
    Failed(Failure),
}

/// Why there is nothing to download.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unavailable {
    /// No conversion has this identifier, or it was forgotten.
    NotFound,
    /// Not yet.
    Processing,
    /// There is no result, and there will not be.
    Failed(Failure),
    /// Not any more.
    Expired {
        /// Whether it was downloaded, rather than left to expire.
        downloaded: bool,
    },
    /// Somebody else is downloading it.
    Claimed,
}

/// How much there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Uploads being received or converted that only their client waits for.
    pub spools: usize,
    /// Accepted conversions that are not finished.
    pub processing: usize,
    /// Results, and failures of accepted conversions.
    pub live: usize,
    /// Remembered endings.
    pub tombstones: usize,
    /// Bytes of all results.
    pub bytes: u64,
}

/// Hears of conversions.
type Listener = Box<dyn Fn(&ConversionId) + Send + Sync>;

/// The conversions of one data directory. Clones share it; the last one gone releases the lock.
#[derive(Clone)]
pub struct Store(Arc<Inner>);

struct Inner {
    settings: Settings,
    disk: Disk,
    index: Mutex<Index>,
    /// Told whenever an accepted conversion has ended.
    listener: OnceLock<Listener>,
    /// Told whenever a claim ends.
    released: Condvar,
    claims: AtomicU64,
    /// Conversions whose files can go. Those that it has no room for wait for a sweep.
    untidy: (Sender<ConversionId>, Receiver<ConversionId>),
}

impl Store {
    /// Opens the data directory, creates it if need be, and puts it in order. Accepted conversions that are not
    /// finished come back as spools, to be run again.
    ///
    /// Errors: [`Kind::Busy`] if another server has the directory, [`Kind::Internal`] if it cannot be used. Both name it.
    pub fn open(settings: Settings, now: SystemTime) -> Result<(Self, Vec<Spool>)> {
        recover::open(settings, now)
    }

    /// Draws an identifier and begins to store under it, for `owner`: nobody in particular has no share.
    ///
    /// Errors: [`Kind::Busy`] beyond [`Settings::max_records`], and those of the disk.
    pub fn spool(&self, owner: Option<IpAddr>) -> Result<Spool> {
        Spool::new(self, owner)
    }

    /// Whether `bytes` more are within the share of `owner`: a quarter of the places, and half of the bytes that there are
    /// for results, which a single one may exceed. What has been downloaded does not count any more.
    ///
    /// Errors: [`Kind::Busy`] if they are not.
    pub fn share_for(&self, owner: Option<IpAddr>, bytes: u64) -> Result<()> {
        let Some(owner) = owner else {
            return Ok(());
        };
        let (all, theirs) = self.index().holdings(owner);
        let most = self.0.settings.max_records.div_ceil(4);
        let room = all.bytes.saturating_add(self.free()?.0);
        let is_too_much = theirs.bytes > 0 && theirs.bytes.saturating_add(bytes) > room / 2;
        if theirs.places >= most || is_too_much {
            let text = format!(
                "your address has {} results of {} MiB here, which is all that one may have: download some, or wait until \
                 their links expire",
                theirs.places,
                theirs.bytes.div_ceil(1 << 20)
            );
            return Err(Error::new(Kind::Busy, text));
        }
        Ok(())
    }

    /// Bytes and files that the file system has left.
    fn free(&self) -> Result<(u64, Option<u64>)> {
        let disk = rustix::fs::statvfs(self.0.disk.root())
            .map_err(|err| Error::storage("the data directory is gone", io::Error::from(err)))?;
        // Some file systems have no limit on files, and say that there are none.
        let files = (disk.f_files > 0).then_some(disk.f_favail);
        Ok((disk.f_bavail.saturating_mul(disk.f_frsize), files))
    }

    /// Whether `bytes` more would leave the reserve untouched: [`Kind::StorageFull`] if not.
    pub fn room_for(&self, bytes: u64) -> Result<()> {
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

    /// Whether a conversion could be stored now, as far as can be told without writing.
    pub fn health(&self) -> Result<()> {
        use rustix::fs::Access;
        for dir in [self.0.disk.nursery(), self.0.disk.graveyard()] {
            rustix::fs::access(&dir, Access::WRITE_OK | Access::EXEC_OK).map_err(|err| {
                Error::storage("the data directory cannot be written", io::Error::from(err))
            })?;
        }
        if self.index().len() >= self.0.settings.max_records {
            return Err(full());
        }
        self.room_for(0)
    }

    /// What is known about `id`.
    pub fn status(&self, id: &ConversionId, now: SystemTime) -> Status {
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

    /// Whether `id` is accepted and not finished.
    pub fn is_processing(&self, id: &ConversionId) -> bool {
        matches!(self.index().target(id), index::Target::Processing)
    }

    /// The record of a result that could be downloaded now, whether or not somebody is doing so.
    pub fn peek(&self, id: &ConversionId, now: SystemTime) -> Result<Arc<Record>, Unavailable> {
        available(&mut self.index(), id, now).map(|link| link.record.clone())
    }

    /// Takes the right to deliver `range` of a result. Waits up to `wait` while somebody else has it.
    ///
    /// The whole can be claimed once at a time. Parts can be claimed at the same time if they have no byte in common.
    pub fn claim(
        &self,
        id: &ConversionId,
        range: Range<u64>,
        now: SystemTime,
        wait: Duration,
    ) -> Result<Claim, Unavailable> {
        let mut index = self.wait_while(wait, |index| {
            available(index, id, now).is_ok_and(|link| link.is_held(&range))
        });
        let link = available(&mut index, id, now)?;
        if link.is_held(&range) {
            return Err(Unavailable::Claimed);
        }
        let number = self.0.claims.fetch_add(1, Ordering::Relaxed);
        link.holds.push(Hold {
            number,
            range: range.clone(),
            sent: false,
        });
        Ok(Claim::new(self.clone(), link.record.clone(), range, number))
    }

    /// Whether a download of `id` has sent everything and its peer has yet to acknowledge it: what
    /// [`status`](Self::status) says may be out of date by the time that it is heard.
    pub fn is_settling(&self, id: &ConversionId) -> bool {
        is_settling(&mut self.index(), id)
    }

    /// Waits up to `wait` while that is so, and whoever asks right after a download learns its outcome.
    pub fn settle(&self, id: &ConversionId, wait: Duration) {
        drop(self.wait_while(wait, |index| is_settling(index, id)));
    }

    /// Has `listener` hear of every accepted conversion that has ended, well or not. The first one stays. It must not block.
    pub fn listen(&self, listener: impl Fn(&ConversionId) + Send + Sync + 'static) {
        // A second one would be a mistake of the caller's, and has nothing to hear.
        let _ = self.0.listener.set(Box::new(listener));
    }

    /// Tells the listener. The index says so by now.
    fn tell(&self, id: &ConversionId) {
        if let Some(listener) = self.0.listener.get() {
            listener(id);
        }
    }

    /// How much there is of everything.
    pub fn counts(&self) -> Counts {
        let index = self.index();
        let (processing, bytes) = (index.processing(), index.bytes());
        Counts {
            spools: index.spools,
            processing,
            live: index.entries() - processing,
            tombstones: index.tombstones(),
            bytes,
        }
    }

    /// The index holds no state between two of its calls that a panic could tear.
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

/// The error for want of places.
fn full() -> Error {
    Error::new(
        Kind::Busy,
        "the service holds as many conversions as it can; try again later",
    )
}

fn is_settling(index: &mut Index, id: &ConversionId) -> bool {
    let link = index.link(id);
    link.is_some_and(|link| link.holds.iter().any(|hold| hold.sent))
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
