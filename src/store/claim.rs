//! The right to deliver one result. Never two at a time, and never given up by forgetting it: `Drop` gives it back.

use super::{Store, disk, disk::Ending, index::Hold, record::Record};
use crate::error::{Error, Result};
use std::{fs::File, ops::Range, sync::Arc};

/// The sole right to deliver a result, until it is dropped. A claim that was taken in time may outlive the link.
pub struct Claim {
    store: Store,
    record: Arc<Record>,
}

impl Claim {
    pub(super) fn new(store: Store, record: Arc<Record>) -> Self {
        Self { store, record }
    }

    /// What is being delivered.
    pub fn record(&self) -> &Arc<Record> {
        &self.record
    }

    /// Opens the result for reading, from its beginning.
    pub fn open(&self) -> Result<File> {
        let path = self.store.0.disk.home(&self.record.id).join(disk::OUTPUT);
        File::open(path).map_err(|err| Error::storage("the result cannot be read", err))
    }

    /// Everything is being sent, and only the peer's acknowledgement is outstanding. See [`Store::settle`].
    pub fn sent(&self) {
        self.hold(Hold::Sent);
    }

    /// It was not everything after all: takes [`sent`](Self::sent) back.
    pub fn unsent(&self) {
        self.hold(Hold::Claimed);
        self.store.0.released.notify_all();
    }

    fn hold(&self, hold: Hold) {
        if let Some(link) = self.store.index().link(&self.record.id) {
            link.hold = hold;
        }
    }

    /// The peer has the bytes of `range`. Once it has them all, over one or several claims, the result is deleted:
    /// true if that is so now.
    ///
    /// What was delivered is remembered until a restart. After more than 64 separate pieces, further ones are
    /// not, and the result stays until it expires or is delivered in larger ones.
    pub fn delivered(self, range: Range<u64>) -> bool {
        let Self { store, record } = &self;
        let whole = store.index().link(&record.id).is_some_and(|link| {
            link.delivered.insert(range);
            link.delivered.cover(record.file_size)
        });
        if whole {
            store.finish(&record.id, Ending::Downloaded, record.expires_at());
        }
        whole
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        if let Some(link) = self.store.index().link(&self.record.id) {
            link.hold = Hold::Free;
        }
        self.store.0.released.notify_all();
    }
}
