//! The end of conversions: links whose time is up, files to remove, tombstones to forget. Never touches a result that
//! is being downloaded.

use super::{Store, disk::Ending};
use crate::id::ConversionId;
use std::{io, time::SystemTime};

impl Store {
    /// Deletes what has expired and forgets old tombstones; tries again what failed to be deleted before, and
    /// puts a vanished data directory back. Call it about once a second. Returns how many conversions expired.
    pub fn sweep(&self, now: SystemTime) -> usize {
        let (expired, forgotten) = {
            let mut index = self.index();
            let forgotten = index.forget(now, self.0.settings.tombstone_ttl);
            (index.expire(now), forgotten)
        };
        if let Err(err) = self.0.disk.restore() {
            log::error!("{err}");
            self.index().debris.extend(expired.iter().chain(&forgotten));
            return expired.len();
        }
        for id in &expired {
            self.finish(id, Ending::Expired, now);
        }
        for id in &forgotten {
            let done = self.0.disk.forget(id);
            self.or_later(id, done);
        }
        let debris = self.index().debris.clone();
        for id in &debris {
            let ending = self.index().ending(id);
            match ending {
                Some(ending) => self.finish(id, ending, now),
                None => self.discard(id),
            }
        }
        expired.len()
    }

    /// Removes the files of a conversion that has ended in the index.
    pub(super) fn finish(&self, id: &ConversionId, ending: Ending, at: SystemTime) {
        let done = self.0.disk.end(id, ending, at);
        self.or_later(id, done);
    }

    /// Removes all files of a conversion that the index does not know (any more).
    pub(super) fn discard(&self, id: &ConversionId) {
        let disk = &self.0.disk;
        let done = disk.discard(id).and_then(|()| disk.forget(id));
        self.or_later(id, done);
    }

    /// Has the next sweep try again what could not be done.
    fn or_later(&self, id: &ConversionId, done: io::Result<()>) {
        let mut index = self.index();
        match done {
            Ok(()) => {
                index.debris.remove(id);
            }
            Err(err) => {
                if index.debris.insert(*id) {
                    log::warn!("the files of {id:?} could not be removed yet: {err}");
                }
            }
        }
    }
}
