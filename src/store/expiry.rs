//! The end of conversions: links whose time is up, files to remove, tombstones to forget. Never touches a result that
//! is being downloaded.

use super::{
    Store, disk,
    endings::Ending,
    index::{Entry, Target, Written},
    record::{Failure, Record, Saved, Term},
};
use crate::id::ConversionId;
use crossbeam_channel::Receiver;
use std::{io, net::IpAddr, sync::Arc, time::SystemTime};

impl Store {
    /// Deletes what has expired and forgets old tombstones; tries again what the disk has refused before, and
    /// puts a vanished data directory back. Call it about once a second. Returns how many conversions expired.
    pub fn sweep(&self, now: SystemTime) -> usize {
        let expired = {
            let mut index = self.index();
            let settings = &self.0.settings;
            index.forget(now, settings.tombstone_ttl, settings.link_ttl);
            index.expire(now)
        };
        if let Err(err) = self.0.disk.restore() {
            log::error!("{err}");
            self.index().behind.extend(&expired);
            return expired.len();
        }
        for id in &expired {
            self.catch_up(id);
        }
        let behind = self.index().behind.clone();
        for id in &behind {
            self.catch_up(id);
        }
        let remembered = self.index().tombstones();
        let is_remembered = |id: &ConversionId| self.index().ending(id).is_some();
        if let Err(err) = self.0.disk.endings.compact(remembered, is_remembered) {
            log::warn!("the file of endings could not be made shorter yet: {err}");
        }
        expired.len()
    }

    /// Identifiers that [`tidy_up`](Self::tidy_up) can be called for at once, rather than with the next sweep.
    pub fn untidy(&self) -> &Receiver<ConversionId> {
        &self.0.untidy.1
    }

    /// Makes the files of one conversion what they should be.
    pub fn tidy_up(&self, id: &ConversionId) {
        let is_behind = self.index().behind.contains(id);
        if is_behind {
            self.catch_up(id);
        }
    }

    /// Ends the link to a result that has been delivered. That is on the disk before anybody is told, and stays so
    /// after a crash.
    pub(super) fn deliver(&self, record: &Arc<Record>) {
        let written = self.bury(&record.id, Ending::Downloaded, record.expires_at());
        self.index().deliver(record.clone(), written);
        self.0.disk.endings.known(&record.id);
        self.0.released.notify_all();
    }

    fn bury(&self, id: &ConversionId, ending: Ending, term_end: SystemTime) -> Written {
        match self.0.disk.endings.bury(id, ending, term_end) {
            Ok(()) => Written::Yes,
            Err(err) => {
                log::warn!("that {id:?} is over could not be written down yet: {err}");
                Written::Not
            }
        }
    }

    /// Ends a conversion that nobody can claim (any more): first on the disk, then its files.
    /// `term_end` is the end of its term, which a download does not change.
    fn finish(&self, id: &ConversionId, ending: Ending, term_end: SystemTime, written: Written) {
        let (disk, mut written) = (&self.0.disk, written);
        if written == Written::Not {
            written = self.bury(id, ending, term_end);
        }
        let mut done = disk.discard(id);
        if done.is_ok() && written == Written::Not {
            // A full disk may have room for it now.
            done = disk.endings.bury(id, ending, term_end);
            if done.is_ok() {
                written = Written::Yes;
            }
        }
        self.index().end(*id, ending, term_end, written);
        disk.endings.known(id);
        self.0.released.notify_all();
        self.or_later(id, done);
    }

    /// Removes all files of a conversion that the index does not know (any more).
    pub(super) fn discard(&self, id: &ConversionId) {
        let done = self.0.disk.discard(id);
        self.or_later(id, done);
    }

    /// Lets an accepted conversion fail. What it has made so far goes first: the disk may be full. An error means that
    /// the failure is not on the disk yet.
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
        self.tidy(id, &[disk::RECORD, disk::UPLOAD]);
        let written = disk::write_record(&self.0.disk.home(id), &saved);
        let entry = Entry::Failed {
            failure,
            owner,
            term,
        };
        self.index().insert(*id, entry);
        match &written {
            Ok(()) => self.tidy(id, &[disk::RECORD]),
            Err(_) => {
                self.index().behind.insert(*id);
            }
        }
        written
    }

    /// Removes what a live conversion does not need (any more).
    pub(super) fn tidy(&self, id: &ConversionId, kept: &[&str]) {
        let disk = &self.0.disk;
        let done = disk::discard_dir(&disk.incoming(id))
            .and_then(|()| disk::keep_only(&disk.home(id), kept));
        self.or_later(id, done);
    }

    /// Makes the files of a conversion what they should be.
    fn catch_up(&self, id: &ConversionId) {
        let target = self.index().target(id);
        match target {
            Target::Nothing => self.discard(id),
            Target::Ended(ending, term_end, written) => {
                self.finish(id, ending, term_end, written);
            }
            Target::Unconfirmed => {}
            Target::Ready => self.tidy(id, &[disk::RECORD, disk::OUTPUT]),
            Target::Returned(term_end) => {
                let done = self.0.disk.endings.take_back(id, term_end);
                if done.is_ok()
                    && let Some(link) = self.index().link(id)
                {
                    link.returned = false;
                }
                self.or_later(id, done);
            }
            Target::Failed(saved) => match disk::write_record(&self.0.disk.home(id), &saved) {
                Ok(()) => self.tidy(id, &[disk::RECORD]),
                Err(err) => self.or_later(id, Err(err)),
            },
            Target::Processing => {
                self.index().behind.remove(id);
            }
        }
    }

    /// Has the next sweep try again what could not be done.
    fn or_later(&self, id: &ConversionId, done: io::Result<()>) {
        let mut index = self.index();
        match done {
            Ok(()) => {
                index.behind.remove(id);
            }
            Err(err) => {
                if index.behind.insert(*id) {
                    log::warn!("the files of {id:?} could not be put in order yet: {err}");
                }
            }
        }
    }
}
