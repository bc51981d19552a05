//! The conversions that have not ended, with running totals of their number and size, so that an owner's share can be
//! checked without a walk over all entries.

use super::link::Link;
use crate::{
    id::ConversionId,
    store::progress::Progress,
    store::record::{Failure, Request, Term},
};
use std::{
    collections::{HashMap, hash_map},
    net::IpAddr,
    sync::Arc,
};

pub(super) enum Entry {
    Processing {
        request: Arc<Request>,
        progress: Arc<Progress>,
        owner: Option<IpAddr>,
    },
    Ready(Link),
    Failed {
        failure: Box<Failure>,
        owner: Option<IpAddr>,
        term: Term,
    },
}

impl Entry {
    fn owner(&self) -> Option<IpAddr> {
        match self {
            Self::Processing { owner, .. } | Self::Failed { owner, .. } => *owner,
            Self::Ready(link) => link.record.owner,
        }
    }

    /// Length of the result in bytes; 0 if the conversion has no result.
    fn bytes(&self) -> u64 {
        match self {
            Self::Processing { .. } | Self::Failed { .. } => 0,
            Self::Ready(link) => link.record.file_size,
        }
    }

    fn is_processing(&self) -> bool {
        matches!(self, Self::Processing { .. })
    }
}

/// Totals in the store for one owner, or for all together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Holdings {
    /// Number of entries.
    pub(super) places: usize,
    /// The length of all results together, in bytes.
    pub(super) bytes: u64,
}

impl Holdings {
    fn add(&mut self, entry: &Entry) {
        self.places += 1;
        self.bytes += entry.bytes();
    }

    fn subtract(&mut self, entry: &Entry) {
        self.places -= 1;
        self.bytes -= entry.bytes();
    }
}

/// Entries by identifier, with their totals. The totals stay right because the owner and the length of an entry never
/// change.
#[derive(Default)]
pub(super) struct Entries {
    by_id: HashMap<ConversionId, Entry>,
    all: Holdings,
    processing: usize,
    /// Totals of each owner that has an entry. [`remove`](Self::remove) drops an owner with its last entry, so the map
    /// cannot outgrow the entries.
    by_owner: HashMap<IpAddr, Holdings>,
}

impl Entries {
    pub(super) fn get(&self, id: &ConversionId) -> Option<&Entry> {
        self.by_id.get(id)
    }

    /// The entry of `id`. Callers may change only the state of its downloads, which the totals do not depend on.
    pub(super) fn get_mut(&mut self, id: &ConversionId) -> Option<&mut Entry> {
        self.by_id.get_mut(id)
    }

    pub(super) fn iter(&self) -> hash_map::Iter<'_, ConversionId, Entry> {
        self.by_id.iter()
    }

    /// Adds an entry. If `id` has an entry already, it is replaced.
    pub(super) fn insert(&mut self, id: ConversionId, entry: Entry) {
        self.remove(&id);
        self.all.add(&entry);
        self.processing += usize::from(entry.is_processing());
        if let Some(owner) = entry.owner() {
            self.by_owner.entry(owner).or_default().add(&entry);
        }
        self.by_id.insert(id, entry);
    }

    pub(super) fn remove(&mut self, id: &ConversionId) {
        let Some(entry) = self.by_id.remove(id) else {
            return;
        };
        self.all.subtract(&entry);
        self.processing -= usize::from(entry.is_processing());
        let owner = entry.owner().map(|owner| self.by_owner.entry(owner));
        if let Some(hash_map::Entry::Occupied(mut theirs)) = owner {
            theirs.get_mut().subtract(&entry);
            if theirs.get().places == 0 {
                theirs.remove();
            }
        }
    }

    /// Holdings of all owners together.
    pub(super) fn all(&self) -> Holdings {
        self.all
    }

    /// Holdings of `owner`.
    pub(super) fn of(&self, owner: IpAddr) -> Holdings {
        self.by_owner.get(&owner).copied().unwrap_or_default()
    }

    pub(super) fn processing(&self) -> usize {
        self.processing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANNA: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 1));

    fn failed(owner: Option<IpAddr>) -> Entry {
        let now = std::time::SystemTime::UNIX_EPOCH;
        Entry::Failed {
            failure: Box::new(Failure {
                kind: crate::error::Kind::BadInput,
                reason: None,
                message: String::new(),
            }),
            owner,
            term: Term::new(now, std::time::Duration::from_secs(1)),
        }
    }

    #[test]
    fn totals_follow_insertions_and_removals() {
        let mut entries = Entries::default();
        let ids: Vec<_> = (0..3).map(|_| ConversionId::random().unwrap()).collect();
        entries.insert(ids[0], failed(Some(ANNA)));
        entries.insert(ids[1], failed(Some(ANNA)));
        entries.insert(ids[2], failed(None));
        assert_eq!((entries.all().places, entries.of(ANNA).places), (3, 2));
        // The same identifier again, without an owner.
        entries.insert(ids[1], failed(None));
        assert_eq!((entries.all().places, entries.of(ANNA).places), (3, 1));
        for id in ids.iter().chain(&ids) {
            entries.remove(id);
        }
        assert_eq!(entries.all(), Holdings::default());
        assert!(entries.by_owner.is_empty());
    }
}
