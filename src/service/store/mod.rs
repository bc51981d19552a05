//! Conversions and their files, from the upload to the download: in a directory of one instance ([`local`]), or in a
//! Redis that several instances share ([`shared`]). [`Store`], [`Spool`] and [`Claim`] only pass calls on to one of the
//! two, which is chosen when the store is opened.

mod claim;
mod digest;
mod keys;
mod local;
mod progress;
mod record;
mod shared;
mod spool;
mod state;
#[cfg(test)]
mod tests;

pub use self::{
    claim::{Claim, Receipt},
    digest::{Digest, Digester, Repeat},
    keys::KeyHold,
    local::{Durability, Memory, Settings},
    record::{Failure, MAX_ATTEMPTS, Outcome, Record, Request},
    shared::{Settings as Sharing, Target},
    spool::Spool,
    state::{Counts, Entered, Shared, Status, Unavailable, unreachable},
};

use self::{claim::ClaimAt, keys::HoldAt, spool::SpoolAt};
use crate::{
    error::{Error, Result},
    id::ConversionId,
};
use crossbeam_channel::Receiver;
use std::{
    fs::File,
    net::IpAddr,
    ops::Range,
    sync::Arc,
    time::{Duration, SystemTime},
};

/// The store of conversions. Clones share it.
#[derive(Clone)]
pub struct Store(Backend);

#[derive(Clone)]
enum Backend {
    Local(local::Store),
    Shared(shared::Store),
}

impl Store {
    /// Opens the data directory. With `sharing` it also opens the store of all instances, and the directory holds only
    /// working files. The returned spools are conversions that this directory's last server accepted and did not
    /// finish; with `sharing` the list is empty.
    ///
    /// Errors: [`Kind::Busy`](crate::error::Kind::Busy) if another server uses the directory,
    /// [`Kind::Internal`](crate::error::Kind::Internal) if it cannot be used. An unreachable Redis is not an error
    /// here; it is retried.
    pub fn open(
        settings: Settings,
        sharing: Option<Sharing>,
        now: SystemTime,
    ) -> Result<(Self, Vec<Spool>)> {
        let (local, unfinished) = local::Store::open(settings, now)?;
        let Some(sharing) = sharing else {
            let spools = unfinished.into_iter().map(SpoolAt::Local).map(Spool);
            return Ok((Self(Backend::Local(local)), spools.collect()));
        };
        if !unfinished.is_empty() {
            log::warn!(
                "{} conversions that were accepted without --store wait in the data directory for a start without it",
                unfinished.len()
            );
        }
        let shared = shared::Store::open(sharing, local)?;
        Ok((Self(Backend::Shared(shared)), Vec::new()))
    }

    /// Draws an identifier and creates an empty upload for it: in `memory`, if given, until the upload outgrows it, and
    /// otherwise on the disk. The conversion counts towards the share of `owner`; without an owner it counts towards no
    /// share.
    ///
    /// Errors: [`Kind::Busy`](crate::error::Kind::Busy) beyond [`Settings::max_records`] or if a shared store cannot be
    /// reached, and those of the disk.
    pub fn spool(&self, owner: Option<IpAddr>, memory: Option<Memory>) -> Result<Spool> {
        Ok(Spool(match &self.0 {
            Backend::Local(store) => SpoolAt::Local(store.spool(owner, memory)?),
            Backend::Shared(store) => SpoolAt::Shared(Box::new(store.spool(owner, memory)?)),
        }))
    }

    /// Creates an empty unnamed file for intermediate data of a conversion. It is deleted when it is closed.
    ///
    /// Errors: those of the disk.
    pub fn scratch_file(&self) -> Result<File> {
        let local = match &self.0 {
            Backend::Local(store) => store,
            Backend::Shared(store) => store.scratch(),
        };
        local
            .scratch_file()
            .map_err(|err| Error::storage("a working file could not be made", err))
    }

    /// Checks that `owner` may store one more result, of `bytes`. An owner's share is a quarter of
    /// [`Settings::max_records`], which accepted and failed conversions count towards as well, and half of the bytes
    /// that all results use or could still use. The limit on bytes does not apply to an owner without results.
    /// Downloaded results do not count. In a shared store, the bytes of accepted uploads and of the records themselves
    /// count, too.
    ///
    /// Errors: [`Kind::Busy`](crate::error::Kind::Busy) if the share would be exceeded.
    pub fn share_for(&self, owner: Option<IpAddr>, bytes: u64) -> Result<()> {
        match &self.0 {
            Backend::Local(store) => store.share_for(owner, bytes),
            Backend::Shared(store) => store.share_for(owner, bytes),
        }
    }

    /// Checks that the reserve on the disk stays free if `bytes` more are stored. With a shared store, also checks that
    /// its memory is not nearly full.
    ///
    /// Errors: [`Kind::StorageFull`](crate::error::Kind::StorageFull) if there is too little space; also those of the
    /// disk.
    pub fn room_for(&self, bytes: u64) -> Result<()> {
        match &self.0 {
            Backend::Local(store) => store.room_for(bytes),
            Backend::Shared(store) => store.room_for(bytes),
        }
    }

    /// Checks that a conversion could be stored now. Writes nothing, unless the data directory has vanished and is
    /// created again.
    ///
    /// Errors: the reason why it could not be stored.
    pub fn health(&self) -> Result<()> {
        match &self.0 {
            Backend::Local(store) => store.health(),
            Backend::Shared(store) => store.health(),
        }
    }

    /// Checks that a shared store can be reached, by the result of the last request to it. The local store always can.
    ///
    /// Errors: [`Kind::Busy`](crate::error::Kind::Busy) if it cannot.
    pub fn reachable(&self) -> Result<()> {
        match &self.0 {
            Backend::Local(_) => Ok(()),
            Backend::Shared(store) => store.reachable(),
        }
    }

    /// Makes digests that stay the same after a restart, and on all instances of a shared store.
    ///
    /// Errors: [`Kind::Busy`](crate::error::Kind::Busy) if a shared store cannot be reached.
    pub fn digester(&self) -> Result<Digester> {
        match &self.0 {
            Backend::Local(store) => Ok(store.digester()),
            Backend::Shared(store) => store.digester(),
        }
    }

    /// Determines whether a request is the first with its key; if so, the request claims the key.
    ///
    /// Errors: [`Kind::Busy`](crate::error::Kind::Busy) if too many keys are in use, or a shared store cannot be
    /// reached.
    pub fn enter(&self, repeat: &Repeat, now: SystemTime) -> Result<Entered<KeyHold>> {
        Ok(match &self.0 {
            Backend::Local(store) => store
                .enter(repeat, now)?
                .map(|hold| KeyHold(HoldAt::Local(hold))),
            Backend::Shared(store) => store
                .enter(repeat)?
                .map(|hold| KeyHold(HoldAt::Shared(hold))),
        })
    }

    /// State of `id`. If a download of it has sent everything and only the acknowledgement is outstanding, waits for
    /// that, for at most `wait`. So a client that asks right after its download learns the outcome of that download.
    pub fn status(&self, id: &ConversionId, now: SystemTime, wait: Duration) -> Status {
        match &self.0 {
            Backend::Local(store) => {
                store.settle(id, wait);
                store.status(id, now)
            }
            Backend::Shared(store) => store.status(id, wait),
        }
    }

    /// State of `id`, or `None` if that requires asking a shared store or waiting for a download.
    pub fn status_at_once(&self, id: &ConversionId, now: SystemTime) -> Option<Status> {
        match &self.0 {
            Backend::Local(store) if store.is_settling(id) => None,
            Backend::Local(store) => Some(store.status(id, now)),
            Backend::Shared(_) => None,
        }
    }

    /// Watches `id`: the [listener](Self::listen) is called when the conversion has ended, in a shared store only
    /// within `limit`. Returns false if the listener will not be called: in the local store because the conversion is
    /// not in progress, in a shared store because too many conversions are watched.
    pub fn watch(&self, id: &ConversionId, limit: Duration) -> bool {
        match &self.0 {
            Backend::Local(store) => store.is_processing(id),
            Backend::Shared(store) => store.watch(id, limit),
        }
    }

    /// The record of a result that can be downloaded, even while another download of it is running.
    pub fn peek(&self, id: &ConversionId, now: SystemTime) -> Result<Arc<Record>, Unavailable> {
        match &self.0 {
            Backend::Local(store) => store.peek(id, now),
            Backend::Shared(store) => store.peek(id),
        }
    }

    /// Takes the right to deliver `range` (byte positions) of a result, or all of it if `None`. Waits up to `wait`
    /// while another claim is in the way.
    ///
    /// Only one claim at a time can hold the whole result. Claims of parts can be held at the same time if they do not
    /// overlap, and even while an earlier claim holds the whole result.
    ///
    /// Errors: [`Unavailable::Claimed`] if the other claim did not end in time, otherwise the reason why the result
    /// cannot be downloaded. A result that a power cut has damaged counts as expired.
    pub fn claim(
        &self,
        id: &ConversionId,
        range: impl Into<Option<Range<u64>>>,
        now: SystemTime,
        wait: Duration,
    ) -> Result<Claim, Unavailable> {
        self.claim_with(id, range.into(), now, wait, false)
    }

    /// Like [`claim`](Self::claim), for a caller that opens the result next. A shared store may send the beginning of
    /// the range along with the claim, which then holds up to 128 KiB of memory until the result is opened.
    pub fn claim_to_open(
        &self,
        id: &ConversionId,
        range: impl Into<Option<Range<u64>>>,
        now: SystemTime,
        wait: Duration,
    ) -> Result<Claim, Unavailable> {
        self.claim_with(id, range.into(), now, wait, true)
    }

    fn claim_with(
        &self,
        id: &ConversionId,
        range: Option<Range<u64>>,
        now: SystemTime,
        wait: Duration,
        opens: bool,
    ) -> Result<Claim, Unavailable> {
        Ok(Claim(match &self.0 {
            Backend::Local(store) => ClaimAt::Local(store.claim(id, range, now, wait)?),
            Backend::Shared(store) => ClaimAt::Shared(store.claim(id, range, wait, opens)?),
        }))
    }

    /// Sets the listener that is called when a conversion has ended, successfully or not: in the local store for every
    /// accepted conversion, in a shared store for every [watched](Self::watch) one. A second call of this function has
    /// no effect. The listener must not block.
    pub fn listen(&self, listener: impl Fn(&ConversionId) + Send + Sync + 'static) {
        match &self.0 {
            Backend::Local(store) => store.listen(listener),
            Backend::Shared(store) => store.listen(listener),
        }
    }

    /// Returns whether accepted conversions run on any instance that [takes](Self::next) them.
    pub fn is_shared(&self) -> bool {
        matches!(self.0, Backend::Shared(_))
    }

    /// Takes an accepted conversion that no instance runs. Without one, returns `None` after one has arrived or a second has
    /// passed, so that the caller asks again. Returns `None` immediately if the store is not shared.
    pub fn next(&self) -> Option<Spool> {
        match &self.0 {
            Backend::Local(_) => None,
            Backend::Shared(store) => store
                .next()
                .map(|spool| Spool(SpoolAt::Shared(Box::new(spool)))),
        }
    }

    /// The number of conversions in each state.
    pub fn counts(&self) -> Counts {
        match &self.0 {
            Backend::Local(store) => store.counts(),
            Backend::Shared(store) => store.counts(),
        }
    }

    /// Deletes expired results, forgets conversions that ended long ago, repeats file operations that failed, and
    /// creates the data directory again if it has vanished. Call it about once a second. Returns the number of
    /// conversions that expired.
    pub fn sweep(&self, now: SystemTime) -> usize {
        self.directory().sweep(now)
    }

    /// Announces the conversions whose files can be removed with [`tidy_up`](Self::tidy_up) now, instead of by the next
    /// sweep.
    pub fn untidy(&self) -> &Receiver<ConversionId> {
        self.directory().untidy()
    }

    /// Removes the files of one conversion that its present state does not need, and writes its ending if that is
    /// missing. Does nothing if the files match the state.
    pub fn tidy_up(&self, id: &ConversionId) {
        self.directory().tidy_up(id);
    }

    /// The store in the data directory.
    fn directory(&self) -> &local::Store {
        match &self.0 {
            Backend::Local(store) => store,
            Backend::Shared(store) => store.scratch(),
        }
    }
}
