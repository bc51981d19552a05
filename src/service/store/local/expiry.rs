//! The end of conversions: expires links, removes files, and forgets tombstones. A tombstone is the memory of how a
//! conversion ended. A link whose term is over does not end while its result is being downloaded.
//!
//! A conversion ends in two steps, in this order: its ending is written to the file of endings, then its files are
//! removed. A crash between the two leaves files whose ending is known, and the next start removes them. The other
//! order could lose the ending, so a client would be told that its conversion never existed. Only if the ending cannot
//! be written are the files removed first, because that may free the space for it. A step that fails is tried again by
//! the next sweep.

use super::{
    Claim, Store,
    disk::FileKind,
    endings::{Ending, Written},
    entries::Entry,
    index::Target,
    upgrade,
};
use crate::{
    id::ConversionId,
    store::record::{Failure, Record, Saved, Term},
};
use crossbeam_channel::Receiver;
use std::{
    io,
    net::IpAddr,
    sync::{Arc, PoisonError},
    time::SystemTime,
};

/// Limit on the directories of an earlier version of the program that one sweep removes.
const OUTDATED_AT_ONCE: usize = 100;

impl Store {
    /// Deletes expired results, forgets old tombstones, repeats file operations that failed, and creates the data
    /// directory again if it has vanished. Call it about once a second. Returns the number of conversions that expired.
    pub(in crate::store) fn sweep(&self, now: SystemTime) -> usize {
        let expired = {
            let mut index = self.index();
            let settings = &self.0.settings;
            index.forget(now, settings.tombstone_ttl, settings.link_ttl);
            index.expire(now)
        };
        if let Err(err) = self.0.disk.restore() {
            log::error!("{err}");
            let mut index = self.index();
            for &id in &expired {
                index.fall_behind(id);
            }
            return expired.len();
        }
        for id in &expired {
            self.catch_up(id);
        }
        let stale = self.index().stale();
        for id in &stale {
            self.catch_up(id);
        }
        self.remove_outdated();
        let remembered = self.index().tombstones();
        let is_remembered = |id: &ConversionId| self.index().ending(id).is_some();
        if let Err(err) = self.0.disk.endings.compact(remembered, is_remembered) {
            log::warn!("the file of ended conversions could not be shortened yet: {err}");
        }
        expired.len()
    }

    /// Removes up to [`OUTDATED_AT_ONCE`] directories of an earlier version of the program. If one cannot be removed,
    /// the next start tries again.
    fn remove_outdated(&self) {
        let mut outdated = self
            .0
            .outdated
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let rest = outdated.len().saturating_sub(OUTDATED_AT_ONCE);
        for dir in outdated.drain(rest..) {
            if let Err(err) = upgrade::discard(&dir) {
                log::warn!("a directory of an earlier version could not be removed: {err}");
            }
        }
    }

    /// Announces the conversions whose files can be removed with [`tidy_up`](Self::tidy_up) now, instead of by the next
    /// sweep.
    pub(in crate::store) fn untidy(&self) -> &Receiver<ConversionId> {
        &self.0.untidy.1
    }

    /// Removes the files of one conversion that its present state does not need, and writes its ending if that is
    /// missing. Does nothing if the files match the state.
    pub(in crate::store) fn tidy_up(&self, id: &ConversionId) {
        let is_behind = self.index().request(id).is_some();
        if is_behind {
            self.catch_up(id);
        }
    }

    /// Ends the link to a result that has been delivered. The ending is written to the file before any client learns of
    /// it, so that the link stays ended after a crash of the process.
    pub(super) fn deliver(&self, record: &Arc<Record>) {
        let (id, term_end) = (&record.id, record.expires_at());
        let known = |written| self.index().deliver(record.clone(), written);
        let endings = &self.0.disk.endings;
        if let Err(err) = endings.bury(id, Ending::Downloaded, term_end, known) {
            log::warn!("the ending of {id:?} could not be recorded yet: {err}");
        }
        self.0.released.notify_all();
    }

    /// Ends the link to a damaged result: its file no longer has the stored content.
    pub(super) fn expire_damaged(&self, claim: &Claim) {
        let record = claim.record();
        log::error!(
            "{:?} was damaged by a power cut or by the disk, and has expired",
            record.id
        );
        self.index().end(
            record.id,
            Ending::Expired,
            record.expires_at(),
            Written::Not,
        );
        self.tidy_soon(&record.id);
    }

    /// Completes the end of a conversion whose result can no longer be claimed for a download: writes its ending,
    /// unless it has been `written` already, then removes its files. `term_end` is the end of its term, even if a
    /// download ended it earlier.
    fn finish(
        &self,
        id: &ConversionId,
        ending: Ending,
        term_end: SystemTime,
        written: Written,
    ) -> io::Result<()> {
        let disk = &self.0.disk;
        let bury = || {
            let known = |written| self.index().end(*id, ending, term_end, written);
            disk.endings.bury(id, ending, term_end, known)
        };
        let buried = match written {
            Written::Yes => Ok(()),
            Written::Not => bury(),
        };
        disk.discard(id)?;
        // If the disk was full, removing the files may have freed space for the ending.
        buried.or_else(|_| bury())
    }

    /// Schedules the cleanup of a conversion's files for the next call of [`tidy_up`](Self::tidy_up). Does not wait for
    /// the disk: removing a file may take milliseconds.
    pub(super) fn tidy_soon(&self, id: &ConversionId) {
        self.index().fall_behind(*id);
        // If the channel is full or closed, the next sweep removes the files.
        let _ = self.0.untidy.0.try_send(*id);
    }

    /// Makes an accepted conversion fail. Its unfinished result is removed first, because a full disk may have caused
    /// the failure, and the record of the failure needs space.
    ///
    /// Errors: the failure is not on the disk yet; the next sweep tries again.
    pub(super) fn give_up(
        &self,
        id: &ConversionId,
        failure: Failure,
        owner: Option<IpAddr>,
        now: SystemTime,
    ) -> io::Result<()> {
        let term = Term::new(now, self.0.settings.link_ttl);
        let saved = Saved::Failed {
            id: *id,
            failure: failure.clone(),
            owner,
            term,
        };
        let accepted = [FileKind::Accepted, FileKind::Upload, FileKind::Attempts];
        self.or_later(id, self.0.disk.keep_only(id, &accepted));
        let written = self.write_failure(id, &saved);
        let entry = Entry::Failed {
            failure: Box::new(failure),
            owner,
            term,
        };
        // The files are removed before the index changes, so that a client that sees the failure finds no files left.
        if written.is_ok() {
            self.or_later(id, self.0.disk.keep_only(id, &[FileKind::Failed]));
        }
        {
            let mut index = self.index();
            index.insert(*id, entry);
            if written.is_err() {
                index.fall_behind(*id);
            }
        }
        self.notify(id);
        written
    }

    /// Writes the record of a failed conversion, and makes it durable. The upload is removed only afterwards, because a
    /// power cut could otherwise remove both.
    fn write_failure(&self, id: &ConversionId, saved: &Saved) -> io::Result<()> {
        let disk = &self.0.disk;
        let file = disk.keep_record(id, FileKind::Failed, saved)?;
        disk.flush(vec![file], 0)
    }

    /// Brings the files of a conversion into the state that the index demands. If that fails, the next sweep tries
    /// again.
    fn catch_up(&self, id: &ConversionId) {
        let (request, target) = {
            let index = self.index();
            (index.request(id), index.target(id))
        };
        let done = match target {
            Target::Nothing => self.0.disk.discard(id),
            Target::Ended(ending, term_end, written) => self.finish(id, ending, term_end, written),
            Target::Processing => Ok(()),
            Target::Ready | Target::Unconfirmed => self.0.disk.keep_only(id, &[FileKind::Result]),
            Target::Returned(term_end) => self
                .take_back(id, term_end)
                .and_then(|()| self.0.disk.keep_only(id, &[FileKind::Result])),
            Target::Failed(saved) => self
                .write_failure(id, &saved)
                .and_then(|()| self.0.disk.keep_only(id, &[FileKind::Failed])),
        };
        match done {
            Ok(()) => self.index().met(id, request),
            Err(_) => self.or_later(id, done),
        }
    }

    /// Writes to the file of endings that a link works again.
    fn take_back(&self, id: &ConversionId, term_end: SystemTime) -> io::Result<()> {
        let is_so = || self.index().link(id).is_some_and(|link| link.returned);
        let then = || {
            if let Some(link) = self.index().link(id) {
                link.returned = false;
            }
        };
        self.0.disk.endings.take_back(id, term_end, is_so, then)
    }

    /// Makes the next sweep try again if `done` is an error.
    fn or_later(&self, id: &ConversionId, done: io::Result<()>) {
        if let Err(err) = done
            && self.index().fall_behind(*id)
        {
            log::warn!("the files of {id:?} could not be cleaned up yet: {err}");
        }
    }
}
