//! The state of every conversion, in memory. Does no input or output and reads no clock.

use super::{
    endings::{Ending, Written},
    ranges::Ranges,
    record::{FUTURE, Failure, Record, Request, Saved, Term, from_unix, unix},
};
use crate::{id::ConversionId, job};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    net::IpAddr,
    ops::Range,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, SystemTime},
};

/// More tombstones than this are not kept; those whose terms ended first are forgotten first.
const MAX_TOMBSTONES: usize = 65_536;

#[derive(Default)]
pub(super) struct Index {
    entries: HashMap<ConversionId, Entry>,
    /// Spools that are not entries yet, so that the limit on records counts them.
    pub(super) spools: usize,
    tombstones: Tombstones,
    /// Results that have been delivered, and that may not have been read: they have ended, and their files are still there.
    unconfirmed: HashMap<ConversionId, Arc<Record>>,
    /// Conversions whose files are not yet as they should be, each with the number of the request to change that: what is
    /// asked for while an older request is being met is not met by that.
    behind: BTreeMap<ConversionId, u64>,
    requests: u64,
}

pub(super) enum Entry {
    Processing {
        request: Arc<Request>,
        progress: Arc<Progress>,
        owner: Option<IpAddr>,
    },
    Ready(Link),
    Failed {
        failure: Failure,
        owner: Option<IpAddr>,
        term: Term,
    },
}

/// What somebody has in the store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Holdings {
    pub(super) places: usize,
    /// Results, in bytes.
    pub(super) bytes: u64,
}

impl Holdings {
    fn add(&mut self, bytes: u64) {
        self.places += 1;
        self.bytes = self.bytes.saturating_add(bytes);
    }
}

/// A result that can be downloaded.
pub(super) struct Link {
    pub(super) record: Arc<Record>,
    pub(super) holds: Vec<Hold>,
    pub(super) delivered: Ranges,
    /// Whether the disk still says that it has ended.
    pub(super) returned: bool,
}

/// A download that is running.
pub(super) struct Hold {
    /// Tells it from others of the same link.
    pub(super) number: u64,
    pub(super) range: Range<u64>,
    /// Whether it has sent everything and waits for the peer to acknowledge it.
    pub(super) sent: bool,
}

impl Link {
    pub(super) fn new(record: Arc<Record>) -> Self {
        Self {
            record,
            holds: Vec::new(),
            delivered: Ranges::default(),
            returned: false,
        }
    }

    /// Whether a download of `range` has to wait for another one. What is whole can be had once; parts go side by
    /// side if they have nothing in common, and beside the whole: whoever resumes a download is not to wait for the end of the
    /// connection that broke.
    pub(super) fn is_held(&self, range: &Range<u64>) -> bool {
        let is_whole = |range: &Range<u64>| *range == (0..self.record.file_size);
        self.holds.iter().any(|hold| {
            if is_whole(range) || is_whole(&hold.range) {
                is_whole(range)
            } else {
                hold.range.start < range.end && range.start < hold.range.end
            }
        })
    }

    pub(super) fn hold(&mut self, number: u64) -> Option<&mut Hold> {
        self.holds.iter_mut().find(|hold| hold.number == number)
    }
}

/// How far a conversion is, once it has said so.
#[derive(Default)]
pub(super) struct Progress(Mutex<Option<job::Progress>>);

impl Progress {
    fn last(&self) -> MutexGuard<'_, Option<job::Progress>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn set(&self, progress: job::Progress) {
        *self.last() = Some(progress);
    }

    pub(super) fn get(&self) -> Option<job::Progress> {
        *self.last()
    }
}

/// What an identifier stands for.
pub(super) enum Found<'a> {
    Nothing,
    /// How, and the end of its term.
    Ended(Ending, SystemTime),
    Processing(&'a Request, &'a Progress),
    Ready(&'a mut Link),
    Failed(&'a Failure),
}

/// What the files of a conversion should be.
pub(super) enum Target {
    Nothing,
    Processing,
    Ready,
    /// A link that works again, and the end of its term: the disk still says that it has ended.
    Returned(SystemTime),
    Failed(Saved),
    /// How, the end of its term, and whether the disk says so.
    Ended(Ending, SystemTime, Written),
    /// Ended, with files that may be wanted again.
    Unconfirmed,
}

impl Index {
    /// What `id` stands for at `now`. An entry whose term is over has expired, swept or not.
    pub(super) fn find(&mut self, id: &ConversionId, now: SystemTime) -> Found<'_> {
        match self.entries.get_mut(id) {
            Some(Entry::Processing {
                request, progress, ..
            }) => Found::Processing(request, progress),
            Some(Entry::Ready(link)) if link.record.term.is_over(now) => {
                Found::Ended(Ending::Expired, link.record.expires_at())
            }
            Some(Entry::Ready(link)) => Found::Ready(link),
            Some(Entry::Failed { term, .. }) if term.is_over(now) => {
                Found::Ended(Ending::Expired, term.end())
            }
            Some(Entry::Failed { failure, .. }) => Found::Failed(failure),
            None => match self.tombstones.get(id) {
                Some((ending, term_end, _)) => Found::Ended(ending, term_end),
                None => Found::Nothing,
            },
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
        self.entries
            .insert(record.id, Entry::Ready(Link::new(record)));
    }

    pub(super) fn insert(&mut self, id: ConversionId, entry: Entry) {
        self.entries.insert(id, entry);
    }

    /// Entries and spools.
    pub(super) fn len(&self) -> usize {
        self.entries.len() + self.spools
    }

    /// What all have together, and what one of them has.
    pub(super) fn holdings(&self, of: IpAddr) -> (Holdings, Holdings) {
        let (mut all, mut theirs) = (Holdings::default(), Holdings::default());
        for entry in self.entries.values() {
            let (owner, bytes) = match entry {
                Entry::Processing { owner, .. } | Entry::Failed { owner, .. } => (*owner, 0),
                Entry::Ready(link) => (link.record.owner, link.record.file_size),
            };
            all.add(bytes);
            if owner == Some(of) {
                theirs.add(bytes);
            }
        }
        (all, theirs)
    }

    /// Bytes of all results.
    pub(super) fn bytes(&self) -> u64 {
        let len = |entry: &Entry| match entry {
            Entry::Processing { .. } | Entry::Failed { .. } => 0,
            Entry::Ready(link) => link.record.file_size,
        };
        self.entries.values().map(len).sum()
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

    /// Turns an entry, if there is one, into a tombstone.
    pub(super) fn end(
        &mut self,
        id: ConversionId,
        ending: Ending,
        term_end: SystemTime,
        written: Written,
    ) {
        self.entries.remove(&id);
        self.tombstones.insert(id, ending, term_end, written);
    }

    /// The same for a result that has been delivered, and whose files stay until that is certain.
    pub(super) fn deliver(&mut self, record: Arc<Record>, written: Written) {
        let id = record.id;
        self.end(id, Ending::Downloaded, record.expires_at(), written);
        self.unconfirmed.insert(id, record);
    }

    /// It is certain: the files can go.
    pub(super) fn confirm(&mut self, id: &ConversionId) {
        if self.unconfirmed.remove(id).is_some() {
            self.fall_behind(*id);
        }
    }

    /// It was not delivered after all: the link works again. Whether there is one.
    pub(super) fn bring_back(&mut self, id: &ConversionId) -> bool {
        let Some(record) = self.unconfirmed.remove(id) else {
            return false;
        };
        self.tombstones.remove(id);
        let link = Link {
            returned: true,
            ..Link::new(record)
        };
        self.entries.insert(*id, Entry::Ready(link));
        self.fall_behind(*id);
        true
    }

    /// Notes that the files of `id` are not as they should be. Whether that is new.
    pub(super) fn fall_behind(&mut self, id: ConversionId) -> bool {
        self.requests += 1;
        self.behind.insert(id, self.requests).is_none()
    }

    /// Those that have fallen behind.
    pub(super) fn behind(&self) -> Vec<ConversionId> {
        self.behind.keys().copied().collect()
    }

    /// The latest request for `id`, if there is one.
    pub(super) fn request(&self, id: &ConversionId) -> Option<u64> {
        self.behind.get(id).copied()
    }

    /// That request has been met.
    pub(super) fn met(&mut self, id: &ConversionId, request: Option<u64>) {
        if self.request(id) == request {
            self.behind.remove(id);
        }
    }

    /// How `id` ended, if it did, and the end of its term.
    pub(super) fn ending(&self, id: &ConversionId) -> Option<(Ending, SystemTime)> {
        self.tombstones
            .get(id)
            .map(|(ending, term_end, _)| (ending, term_end))
    }

    /// What the files of `id` should be.
    pub(super) fn target(&self, id: &ConversionId) -> Target {
        match self.entries.get(id) {
            Some(Entry::Processing { .. }) => Target::Processing,
            Some(Entry::Ready(link)) if link.returned => Target::Returned(link.record.expires_at()),
            Some(Entry::Ready(_)) => Target::Ready,
            Some(Entry::Failed {
                failure,
                owner,
                term,
            }) => Target::Failed(Saved::Failed {
                id: *id,
                failure: failure.clone(),
                owner: *owner,
                term: *term,
            }),
            None if self.unconfirmed.contains_key(id) => Target::Unconfirmed,
            None => match self.tombstones.get(id) {
                Some((ending, term_end, written)) => Target::Ended(ending, term_end, written),
                None => Target::Nothing,
            },
        }
    }

    /// Turns every entry whose term is over into a tombstone, but those that are being downloaded.
    pub(super) fn expire(&mut self, now: SystemTime) -> Vec<ConversionId> {
        let idle_term = |entry: &Entry| match entry {
            Entry::Ready(link) if link.holds.is_empty() => Some(link.record.term),
            Entry::Failed { term, .. } => Some(*term),
            Entry::Processing { .. } | Entry::Ready(_) => None,
        };
        let expired: Vec<_> = self
            .entries
            .iter()
            .filter_map(|(id, entry)| Some((*id, idle_term(entry)?)))
            .filter(|(_, term)| term.is_over(now))
            .collect();
        let bury = |(id, term): (ConversionId, Term)| {
            self.end(id, Ending::Expired, term.end(), Written::Not);
            id
        };
        expired.into_iter().map(bury).collect()
    }

    /// Forgets the tombstones of terms that have been over for `ttl`, or that are too many. A term that would end later
    /// than any link can, `link_ttl` being the longest, is of a clock that has been set back since: forgotten, too.
    pub(super) fn forget(
        &mut self,
        now: SystemTime,
        ttl: Duration,
        link_ttl: Duration,
    ) -> Vec<ConversionId> {
        let now = unix(now);
        let latest = now
            .saturating_add(FUTURE)
            .saturating_add(link_ttl.as_secs());
        let over = |end: u64| end.saturating_add(ttl.as_secs()) <= now || end > latest;
        self.tombstones.forget(over, MAX_TOMBSTONES)
    }

    #[cfg(test)]
    pub(super) fn forget_beyond(&mut self, max: usize) -> Vec<ConversionId> {
        self.tombstones.forget(|_| false, max)
    }
}

/// What has ended, by identifier and by the end of its term. Trees, as a hash table that is always full and always changing
/// doubles itself to be rid of what was removed from it.
#[derive(Default)]
struct Tombstones {
    by_id: BTreeMap<ConversionId, (Ending, u64, Written)>,
    by_end: BTreeSet<(u64, ConversionId)>,
}

impl Tombstones {
    fn get(&self, id: &ConversionId) -> Option<(Ending, SystemTime, Written)> {
        let &(ending, term_end, written) = self.by_id.get(id)?;
        Some((ending, from_unix(term_end), written))
    }

    fn insert(&mut self, id: ConversionId, ending: Ending, term_end: SystemTime, written: Written) {
        self.remove(&id);
        let term_end = unix(term_end);
        self.by_id.insert(id, (ending, term_end, written));
        self.by_end.insert((term_end, id));
    }

    fn remove(&mut self, id: &ConversionId) {
        if let Some((_, term_end, _)) = self.by_id.remove(id) {
            self.by_end.remove(&(term_end, *id));
        }
    }

    /// Takes from the first and from the last terms only: whatever is `over` is there.
    fn forget(&mut self, over: impl Fn(u64) -> bool, max: usize) -> Vec<ConversionId> {
        let mut forgotten = Vec::new();
        loop {
            let excess = self.by_id.len() > max;
            let first = self.by_end.first().filter(|(end, _)| excess || over(*end));
            let last = || self.by_end.last().filter(|(end, _)| over(*end));
            let Some(&(end, id)) = first.or_else(last) else {
                return forgotten;
            };
            self.by_end.remove(&(end, id));
            self.by_id.remove(&id);
            forgotten.push(id);
        }
    }
}
