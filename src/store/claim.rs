//! The right to deliver one result, or a part of it. Never given up by forgetting it: `Drop` gives it back.

use super::{Store, disk, record::Record};
use crate::{
    error::{Error, Result},
    id::ConversionId,
};
use std::{fs::File, ops::Range, sync::Arc};

/// The right to deliver a range of a result, until it is dropped. A claim that was taken in time may outlive the link.
pub struct Claim {
    store: Store,
    record: Arc<Record>,
    range: Range<u64>,
    number: u64,
}

impl Claim {
    pub(super) fn new(store: Store, record: Arc<Record>, range: Range<u64>, number: u64) -> Self {
        Self {
            store,
            record,
            range,
            number,
        }
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
        self.mark(true);
    }

    /// It was not everything after all: takes [`sent`](Self::sent) back.
    pub fn unsent(&self) {
        self.mark(false);
        self.store.0.released.notify_all();
    }

    fn mark(&self, sent: bool) {
        let mut index = self.store.index();
        let link = index.link(&self.record.id);
        if let Some(hold) = link.and_then(|link| link.hold(self.number)) {
            hold.sent = sent;
        }
    }

    /// The peer has the bytes of the claim. Once it has all of the result, over one or several claims, the link has ended, and
    /// the result is deleted as soon as the receipt that is returned then says that it was read.
    ///
    /// What was delivered is remembered until a restart. After more than 64 separate pieces, further ones are
    /// not, and the result stays until it expires or is delivered in larger ones.
    pub fn delivered(self) -> Option<Receipt> {
        let Self { store, record, .. } = &self;
        let whole = store.index().link(&record.id).is_some_and(|link| {
            link.delivered.insert(self.range.clone());
            link.delivered.cover(record.file_size)
        });
        whole.then(|| {
            store.deliver(record);
            Receipt {
                store: store.clone(),
                id: record.id,
            }
        })
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        if let Some(link) = self.store.index().link(&self.record.id) {
            link.holds.retain(|hold| hold.number != self.number);
        }
        self.store.0.released.notify_all();
    }
}

/// A result that the peer's kernel has, and whose link has ended. Dropped, it was read, and its files go. Touches no disk.
#[must_use]
pub struct Receipt {
    store: Store,
    id: ConversionId,
}

impl Receipt {
    /// The peer was gone before it could read it: the link works again.
    pub fn lost(self) {
        let brought_back = self.store.index().bring_back(&self.id);
        if brought_back {
            log::info!("{:?} was not read by its client and stays", self.id);
        }
    }
}

impl Drop for Receipt {
    fn drop(&mut self) {
        self.store.index().confirm(&self.id);
        // If nobody listens, or has heard of too many already, the next sweep looks for itself.
        let _ = self.store.0.untidy.0.try_send(self.id);
    }
}
