//! The right to deliver a result or a part of it, and the steps after a complete delivery. Never uses a socket itself:
//! its callers report how much the peer has received.
//!
//! A result can be downloaded once, so two complete downloads must never run at the same time: each holds a [`Claim`],
//! which `Drop` gives back. When the peer's kernel has acknowledged every byte, the link ends. The trap is that a
//! kernel acknowledges bytes for a process that may already be dead. So the files stay for a moment under a
//! [`Receipt`]: dropping it removes them, and [`Receipt::lost`] makes the link work again.

use super::{Store, disk::FileKind};
use crate::{
    error::{Error, Result},
    id::ConversionId,
    store::record::Record,
};
use std::{fs::File, io, ops::Range, sync::Arc};

/// The right to deliver a range of a result, held until it is dropped. A claim that was taken in time may outlive the
/// link.
pub(in crate::store) struct Claim {
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

    /// The record of the result that is being delivered.
    pub(in crate::store) fn record(&self) -> &Arc<Record> {
        &self.record
    }

    /// Opens the file of the result for reading, from its beginning. After the result, the file contains its record.
    pub(in crate::store) fn open(&self) -> Result<File> {
        let path = self.store.0.disk.path_of(&self.record.id, FileKind::Result);
        File::open(path).map_err(|err| Error::storage("the result cannot be read", err))
    }

    /// The CRC-32 that was stored with the result. `file` is what [`open`](Self::open) returned.
    pub(in crate::store) fn checksum(&self, file: &File) -> Result<u32> {
        let unreadable = |err| Error::storage("the result cannot be read", err);
        let read = self.store.0.disk.key.read(file, &self.record.id);
        let (_, checksum) = read
            .and_then(|found| found.ok_or_else(|| io::ErrorKind::InvalidData.into()))
            .map_err(unreadable)?;
        Ok(checksum)
    }

    /// Returns whether the file is as it was stored. Reads the whole file once if the file was there when the server
    /// started, because a power cut before that start may have left it without its contents.
    pub(super) fn is_whole(&self) -> bool {
        let (id, disk) = (&self.record.id, &self.store.0.disk);
        if !self
            .store
            .index()
            .link(id)
            .is_some_and(|link| link.is_unverified)
        {
            return true;
        }
        let whole = File::open(disk.path_of(id, FileKind::Result))
            .and_then(|file| disk.key.is_whole(&file, id));
        if let (true, Some(link)) = (
            whole.as_ref().is_ok_and(|&whole| whole),
            self.store.index().link(id),
        ) {
            link.is_unverified = false;
        }
        // An error of the disk may be temporary, so the file counts as whole. If the error stays, the next reader of
        // the file reports it.
        whole.unwrap_or(true)
    }

    /// Notes that the last bytes are being handed to the kernel, so that soon only the acknowledgement is outstanding.
    /// See [`Store::settle`].
    pub(in crate::store) fn sent(&self) {
        self.mark(true);
    }

    /// Takes [`sent`](Self::sent) back, because not everything was sent after all.
    pub(in crate::store) fn unsent(&self) {
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

    /// Notes that the peer's kernel has the bytes of this claim. When that kernel has the whole result, over one or
    /// several claims, the link ends and this function returns a receipt. Dropping the receipt deletes the result.
    ///
    /// Delivered ranges are remembered until a restart, and at most 64 separate pieces of them. Further pieces are not
    /// remembered, so the result then stays until it expires or is delivered in larger pieces.
    pub(in crate::store) fn delivered(self) -> Option<Receipt> {
        let Self { store, record, .. } = &self;
        let mut index = store.index();
        let link = index.link(&record.id);
        let whole = link.is_some_and(|link| link.deliver(self.range.clone()));
        drop(index);
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
            link.end(self.number);
        }
        self.store.0.released.notify_all();
    }
}

/// A result that the peer's kernel has received and whose link has ended. Dropping the receipt confirms that the peer
/// has read the result, and its files are removed soon after. The caller does not wait for the disk.
#[must_use]
pub(in crate::store) struct Receipt {
    store: Store,
    id: ConversionId,
}

impl Receipt {
    /// Makes the link work again, because the peer was gone before it could read the result.
    pub(in crate::store) fn lost(self) {
        let brought_back = self.store.index().bring_back(&self.id);
        if brought_back {
            log::info!("{:?} was not read by its client and is kept", self.id);
        }
    }
}

impl Drop for Receipt {
    fn drop(&mut self) {
        self.store.index().confirm(&self.id);
        self.store.tidy_soon(&self.id);
    }
}
