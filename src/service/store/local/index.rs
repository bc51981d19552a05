//! The state of every conversion, in memory. Does no I/O and reads no clock.
//!
//! The index decides and the disk follows: a change happens here under one short lock, and [`Index::target`] then
//! states which files the conversion should have. A conversion with other files than these has "fallen behind". Every
//! sweep tries again to correct them, so a full disk delays the clean-up and loses nothing.

use super::{
    endings::{Ending, Written},
    entries::{Entries, Entry, Holdings},
    link::Link,
};
use crate::{
    id::ConversionId,
    store::digest::Repeat,
    store::progress::Progress,
    store::record::{FUTURE, Failure, Record, Request, Saved, Term, from_unix, unix},
};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    net::IpAddr,
    sync::Arc,
    time::{Duration, SystemTime},
};

/// Limit on tombstones. Beyond it, the tombstones with the earliest ends of terms are forgotten first.
const MAX_TOMBSTONES: usize = 65_536;

#[derive(Default)]
pub(super) struct Index {
    entries: Entries,
    /// Number of spools without an entry yet. They count towards the limit on records.
    pub(super) spools: usize,
    tombstones: Tombstones,
    /// Results that the peer's kernel has received but the peer may not have read. Their links have ended, and their
    /// files still exist.
    unconfirmed: HashMap<ConversionId, Arc<Record>>,
    /// Conversions whose files are out of step with the index, each with the number of the latest request to update
    /// them. A request that arrives while an older one is carried out has a higher number, so finishing the older one
    /// does not clear the newer one.
    stale: BTreeMap<ConversionId, u64>,
    requests: u64,
}

/// Entry of an identifier.
pub(super) enum Found<'a> {
    Nothing,
    /// Kind of ending, and the end of the term.
    Ended(Ending, SystemTime),
    Processing(&'a Request, &'a Progress),
    Ready(&'a mut Link),
    Failed(&'a Failure),
}

/// Expected state of a conversion's files.
pub(super) enum Target {
    Nothing,
    Processing,
    Ready,
    /// A link that works again, with the end of its term. The file of endings still says that it has ended.
    Returned(SystemTime),
    Failed(Box<Saved>),
    /// Kind of ending, the end of the term, and whether the file of endings says so.
    Ended(Ending, SystemTime, Written),
    /// Ended, with files that must stay because the link may be brought back.
    Unconfirmed,
}

impl Index {
    /// Entry of `id` at `now`. An entry whose term is over counts as expired even if no sweep has removed it yet.
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

    /// The link of `id`, even if its term is over: a claim that was taken in time may outlive the term.
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

    /// Adds a result that was found at start-up.
    pub(super) fn insert_found(&mut self, mut record: Record) {
        // The parser leaves unused capacity, which would occupy memory for as long as the link lives.
        record.notes.shrink_to_fit();
        let mut link = Link::new(Arc::new(record));
        link.is_unverified = true;
        self.entries.insert(link.record.id, Entry::Ready(link));
    }

    pub(super) fn insert(&mut self, id: ConversionId, entry: Entry) {
        self.entries.insert(id, entry);
    }

    /// The number of entries and spools.
    pub(super) fn len(&self) -> usize {
        self.entries() + self.spools
    }

    /// Digests by which repeats are recognised, with the conversions of the first requests. Failed conversions have
    /// none.
    pub(super) fn repeats(&self) -> impl Iterator<Item = (Repeat, ConversionId)> {
        self.entries.iter().filter_map(|(id, entry)| {
            let repeat = match entry {
                Entry::Processing { request, .. } => request.repeat.as_deref(),
                Entry::Ready(link) => link.record.repeat(),
                Entry::Failed { .. } => None,
            };
            Some((*repeat?, *id))
        })
    }

    /// Returns whether a download of any link has sent everything and waits for its peer's acknowledgement.
    pub(super) fn is_settling(&self) -> bool {
        self.entries.iter().any(|(_, entry)| match entry {
            Entry::Ready(link) => link.is_settling(),
            Entry::Processing { .. } | Entry::Failed { .. } => false,
        })
    }

    /// Holdings of all owners together, and of one.
    pub(super) fn holdings(&self, owner: IpAddr) -> (Holdings, Holdings) {
        (self.entries.all(), self.entries.of(owner))
    }

    /// Bytes of all results.
    pub(super) fn bytes(&self) -> u64 {
        self.entries.all().bytes
    }

    pub(super) fn processing(&self) -> usize {
        self.entries.processing()
    }

    pub(super) fn entries(&self) -> usize {
        self.entries.all().places
    }

    pub(super) fn tombstones(&self) -> usize {
        self.tombstones.by_id.len()
    }

    /// Replaces the entry of `id`, if there is one, by a tombstone.
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

    /// Replaces the entry of a delivered result by a tombstone. Its files stay until [`confirm`](Self::confirm).
    pub(super) fn deliver(&mut self, record: Arc<Record>, written: Written) {
        let id = record.id;
        self.end(id, Ending::Downloaded, record.expires_at(), written);
        self.unconfirmed.insert(id, record);
    }

    /// Notes that the delivery of `id` is certain, so that its files can be removed.
    pub(super) fn confirm(&mut self, id: &ConversionId) {
        if self.unconfirmed.remove(id).is_some() {
            self.fall_behind(*id);
        }
    }

    /// Makes the link of `id` work again, because the result was not delivered after all. Returns whether there was a
    /// delivery to take back.
    pub(super) fn bring_back(&mut self, id: &ConversionId) -> bool {
        let Some(record) = self.unconfirmed.remove(id) else {
            return false;
        };
        self.tombstones.remove(id);
        let mut link = Link::new(record);
        link.returned = true;
        self.entries.insert(*id, Entry::Ready(link));
        self.fall_behind(*id);
        true
    }

    /// Marks the files of `id` as out of step with the index. Returns false if they were marked already.
    pub(super) fn fall_behind(&mut self, id: ConversionId) -> bool {
        self.requests += 1;
        self.stale.insert(id, self.requests).is_none()
    }

    /// Conversions whose files are out of step with the index.
    pub(super) fn stale(&self) -> Vec<ConversionId> {
        self.stale.keys().copied().collect()
    }

    /// The number of the latest request to update the files of `id`, if there is one.
    pub(super) fn request(&self, id: &ConversionId) -> Option<u64> {
        self.stale.get(id).copied()
    }

    /// Notes that this request has been fulfilled. Does nothing if there has been a newer one since.
    pub(super) fn met(&mut self, id: &ConversionId, request: Option<u64>) {
        if self.request(id) == request {
            self.stale.remove(id);
        }
    }

    /// Kind of ending of the conversion `id`, and the end of its term. `None` without a tombstone.
    pub(super) fn ending(&self, id: &ConversionId) -> Option<(Ending, SystemTime)> {
        self.tombstones
            .get(id)
            .map(|(ending, term_end, _)| (ending, term_end))
    }

    /// Expected state of the files of `id`.
    pub(super) fn target(&self, id: &ConversionId) -> Target {
        match self.entries.get(id) {
            Some(Entry::Processing { .. }) => Target::Processing,
            Some(Entry::Ready(link)) if link.returned => Target::Returned(link.record.expires_at()),
            Some(Entry::Ready(_)) => Target::Ready,
            Some(Entry::Failed {
                failure,
                owner,
                term,
            }) => Target::Failed(Box::new(Saved::Failed {
                id: *id,
                failure: (**failure).clone(),
                owner: *owner,
                term: *term,
            })),
            None if self.unconfirmed.contains_key(id) => Target::Unconfirmed,
            None => match self.tombstones.get(id) {
                Some((ending, term_end, written)) => Target::Ended(ending, term_end, written),
                None => Target::Nothing,
            },
        }
    }

    /// Replaces every entry whose term is over by a tombstone, except results that are being downloaded. Returns the
    /// identifiers of the replaced entries.
    pub(super) fn expire(&mut self, now: SystemTime) -> Vec<ConversionId> {
        let idle_term = |entry: &Entry| match entry {
            Entry::Ready(link) if link.holds().is_empty() => Some(link.record.term),
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

    /// Forgets tombstones whose terms ended `ttl` or longer ago, and those with the earliest ends of terms if there are
    /// more than [`MAX_TOMBSTONES`]. Also forgets a tombstone whose term ends later than that of a link issued now
    /// (after `link_ttl`, with a day's tolerance): its link was issued before the clock was set back. Returns the
    /// identifiers of the forgotten conversions.
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

/// Endings by identifier and by the end of the term. These are trees because a hash table that is always full and
/// always changing doubles its size to get rid of the marks of removed entries.
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

    /// Removes tombstones at both ends of the order of terms: `over` can be true only for the earliest and the latest
    /// terms.
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
