//! The state of every conversion, in memory. Does no input or output and reads no clock.

use super::{
    disk::Ending,
    ranges::Ranges,
    record::{Failure, Record, Request, Saved, Term, unix},
};
use crate::id::ConversionId;
use std::{
    collections::{BTreeSet, HashMap},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, SystemTime},
};

/// More tombstones than this are not kept; the oldest are forgotten first.
const MAX_TOMBSTONES: usize = 65_536;

#[derive(Default)]
pub(super) struct Index {
    entries: HashMap<ConversionId, Entry>,
    /// Spools that are not entries yet, so that the limit on records counts them.
    pub(super) spools: usize,
    tombstones: Tombstones,
    /// Conversions whose files are not yet as they should be: a change to the disk has failed.
    pub(super) behind: BTreeSet<ConversionId>,
}

pub(super) enum Entry {
    Processing {
        request: Arc<Request>,
        progress: Arc<Progress>,
    },
    Ready(Link),
    Failed {
        failure: Failure,
        term: Term,
    },
}

/// A result that can be downloaded.
pub(super) struct Link {
    pub(super) record: Arc<Record>,
    pub(super) hold: Hold,
    pub(super) delivered: Ranges,
}

/// Who has a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hold {
    /// Nobody.
    Free,
    /// A download is running.
    Claimed,
    /// A download has sent everything and waits for the peer to acknowledge it.
    Sent,
}

/// How far a conversion is. The two numbers may be of different moments, which only a progress bar sees.
#[derive(Default)]
pub(super) struct Progress {
    done: AtomicU64,
    total: AtomicU64,
}

impl Progress {
    pub(super) fn set(&self, done: u64, total: u64) {
        self.total.store(total, Relaxed);
        self.done.store(done.min(total), Relaxed);
    }

    pub(super) fn get(&self) -> Option<(u64, u64)> {
        let total = self.total.load(Relaxed);
        (total > 0).then(|| (self.done.load(Relaxed).min(total), total))
    }
}

/// What an identifier stands for.
pub(super) enum Found<'a> {
    Nothing,
    Ended(Ending),
    Processing(&'a Request, &'a Progress),
    Ready(&'a mut Link),
    Failed(&'a Failure),
}

/// What the files of a conversion should be.
pub(super) enum Target {
    Nothing,
    Processing,
    Ready,
    Failed(Saved),
    Ended(Ending),
}

impl Index {
    /// What `id` stands for at `now`. An entry whose term is over has expired, swept or not.
    pub(super) fn find(&mut self, id: &ConversionId, now: SystemTime) -> Found<'_> {
        match self.entries.get_mut(id) {
            Some(Entry::Processing { request, progress }) => Found::Processing(request, progress),
            Some(Entry::Ready(link)) if link.record.term.is_over(now) => {
                Found::Ended(Ending::Expired)
            }
            Some(Entry::Ready(link)) => Found::Ready(link),
            Some(Entry::Failed { term, .. }) if term.is_over(now) => Found::Ended(Ending::Expired),
            Some(Entry::Failed { failure, .. }) => Found::Failed(failure),
            None => self.tombstones.get(id).map_or(Found::Nothing, Found::Ended),
        }
    }

    /// A link whatever the time is: for the claim that was taken while it worked.
    pub(super) fn link(&mut self, id: &ConversionId) -> Option<&mut Link> {
        match self.entries.get_mut(id) {
            Some(Entry::Ready(link)) => Some(link),
            Some(Entry::Processing { .. } | Entry::Failed { .. }) | None => None,
        }
    }

    pub(super) fn insert_ready(&mut self, record: Arc<Record>) {
        let link = Link {
            record,
            hold: Hold::Free,
            delivered: Ranges::default(),
        };
        self.entries.insert(link.record.id, Entry::Ready(link));
    }

    pub(super) fn insert(&mut self, id: ConversionId, entry: Entry) {
        self.entries.insert(id, entry);
    }

    /// Entries and spools.
    pub(super) fn len(&self) -> usize {
        self.entries.len() + self.spools
    }

    pub(super) fn processing(&self) -> usize {
        let processing = |entry: &&Entry| matches!(entry, Entry::Processing { .. });
        self.entries.values().filter(processing).count()
    }

    pub(super) fn entries(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn tombstones(&self) -> usize {
        self.tombstones.by_id.len()
    }

    pub(super) fn bury(&mut self, id: ConversionId, ending: Ending, at: SystemTime) {
        self.tombstones.insert(id, ending, at);
    }

    /// Turns an entry into a tombstone.
    pub(super) fn end(&mut self, id: ConversionId, ending: Ending, at: SystemTime) {
        self.entries.remove(&id);
        self.bury(id, ending, at);
    }

    /// How `id` ended, if it did.
    pub(super) fn ending(&self, id: &ConversionId) -> Option<Ending> {
        self.tombstones.get(id)
    }

    /// What the files of `id` should be.
    pub(super) fn target(&self, id: &ConversionId) -> Target {
        match self.entries.get(id) {
            Some(Entry::Processing { .. }) => Target::Processing,
            Some(Entry::Ready(_)) => Target::Ready,
            Some(Entry::Failed { failure, term }) => Target::Failed(Saved::Failed {
                id: *id,
                failure: failure.clone(),
                term: *term,
            }),
            None => self.ending(id).map_or(Target::Nothing, Target::Ended),
        }
    }

    /// Turns every entry whose term is over into a tombstone, but those that are being downloaded.
    pub(super) fn expire(&mut self, now: SystemTime) -> Vec<ConversionId> {
        let over = |entry: &Entry| match entry {
            Entry::Processing { .. } => false,
            Entry::Ready(link) => link.hold == Hold::Free && link.record.term.is_over(now),
            Entry::Failed { term, .. } => term.is_over(now),
        };
        let expired: Vec<_> = self
            .entries
            .iter()
            .filter(|(_, e)| over(e))
            .map(|(id, _)| *id)
            .collect();
        for &id in &expired {
            self.end(id, Ending::Expired, now);
        }
        expired
    }

    /// Forgets the tombstones that are older than `ttl`, or too many.
    pub(super) fn forget(&mut self, now: SystemTime, ttl: Duration) -> Vec<ConversionId> {
        self.tombstones
            .forget(unix(now), ttl.as_secs(), MAX_TOMBSTONES)
    }

    #[cfg(test)]
    pub(super) fn forget_beyond(&mut self, max: usize) -> Vec<ConversionId> {
        self.tombstones.forget(0, u64::MAX, max)
    }
}

/// What has ended, by identifier and by age.
#[derive(Default)]
struct Tombstones {
    by_id: HashMap<ConversionId, (Ending, u64)>,
    by_age: BTreeSet<(u64, ConversionId)>,
}

impl Tombstones {
    fn get(&self, id: &ConversionId) -> Option<Ending> {
        self.by_id.get(id).map(|&(ending, _)| ending)
    }

    fn insert(&mut self, id: ConversionId, ending: Ending, at: SystemTime) {
        let at = unix(at);
        if let Some((_, before)) = self.by_id.insert(id, (ending, at)) {
            self.by_age.remove(&(before, id));
        }
        self.by_age.insert((at, id));
    }

    fn forget(&mut self, now: u64, ttl: u64, max: usize) -> Vec<ConversionId> {
        let mut forgotten = Vec::new();
        while let Some(&(at, id)) = self.by_age.first() {
            if at.saturating_add(ttl) > now && self.by_id.len() <= max {
                break;
            }
            self.by_age.pop_first();
            self.by_id.remove(&id);
            forgotten.push(id);
        }
        forgotten
    }
}
