//! The end of conversions: links whose time is up, files to remove, tombstones to forget. Never touches a result that
//! is being downloaded.

use super::{
    Store, disk,
    disk::Ending,
    index::{Entry, Target},
    record::{Failure, Saved, Term},
};
use crate::id::ConversionId;
use std::{io, time::SystemTime};

impl Store {
    /// Deletes what has expired and forgets old tombstones; tries again what the disk has refused before, and
    /// puts a vanished data directory back. Call it about once a second. Returns how many conversions expired.
    pub fn sweep(&self, now: SystemTime) -> usize {
        let (expired, forgotten) = {
            let mut index = self.index();
            let settings = &self.0.settings;
            let forgotten = index.forget(now, settings.tombstone_ttl, settings.link_ttl);
            (index.expire(now), forgotten)
        };
        if let Err(err) = self.0.disk.restore() {
            log::error!("{err}");
            self.index().behind.extend(expired.iter().chain(&forgotten));
            return expired.len();
        }
        for id in &expired {
            self.catch_up(id);
        }
        for id in &forgotten {
            let done = self.0.disk.forget(id);
            self.or_later(id, done);
        }
        let behind = self.index().behind.clone();
        for id in &behind {
            self.catch_up(id);
        }
        expired.len()
    }

    /// Ends a conversion that nobody else can claim: the tombstone first, so that what is told from here on stays
    /// so after a crash, then the files. `term_end` is the end of its term, which a download does not change.
    pub(super) fn finish(&self, id: &ConversionId, ending: Ending, term_end: SystemTime) {
        let disk = &self.0.disk;
        let buried = disk.bury(id, ending, term_end);
        self.index().end(*id, ending, term_end);
        self.0.released.notify_all();
        let done = disk
            .discard(id)
            // A full disk may have room for the tombstone now.
            .and_then(|()| buried.or_else(|_| disk.bury(id, ending, term_end)));
        self.or_later(id, done);
    }

    /// Removes all files of a conversion that the index does not know (any more).
    pub(super) fn discard(&self, id: &ConversionId) {
        let disk = &self.0.disk;
        let done = disk.discard(id).and_then(|()| disk.forget(id));
        self.or_later(id, done);
    }

    /// Lets an accepted conversion fail. What it has made so far goes first: the disk may be full. An error means that
    /// the failure is not on the disk yet.
    pub(super) fn give_up(
        &self,
        id: &ConversionId,
        failure: Failure,
        now: SystemTime,
    ) -> io::Result<()> {
        let term = Term::new(now, self.0.settings.link_ttl);
        let saved = Saved::Failed {
            id: *id,
            failure: failure.clone(),
            term,
        };
        self.tidy(id, &[disk::RECORD, disk::UPLOAD]);
        let written = disk::write_record(&self.0.disk.home(id), &saved);
        self.index().insert(*id, Entry::Failed { failure, term });
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
            Target::Ended(ending, term_end) => self.finish(id, ending, term_end),
            Target::Ready => self.tidy(id, &[disk::RECORD, disk::OUTPUT]),
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
