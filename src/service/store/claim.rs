//! The right to deliver a result, and its confirmation or withdrawal after the delivery. Passes every call on to the
//! local store, which is a directory, or to the shared store, which is Redis.

use super::{local, record::Record, shared};
use crate::error::Result;
use std::{fs::File, sync::Arc};

/// The right to deliver a range of a result, held until it is dropped. A claim that was taken in time may outlive the
/// link.
pub struct Claim(pub(super) ClaimAt);

pub(super) enum ClaimAt {
    Local(local::Claim),
    Shared(shared::Claim),
}

/// A result that the peer's kernel has received and whose link has ended. Dropping the receipt confirms that the peer
/// has read the result, and its bytes are removed soon after. The caller waits for neither.
#[must_use]
pub struct Receipt(ReceiptAt);

enum ReceiptAt {
    Local(local::Receipt),
    Shared(shared::Receipt),
}

impl Claim {
    /// The record of the result that is being delivered.
    pub fn record(&self) -> &Arc<Record> {
        match &self.0 {
            ClaimAt::Local(claim) => claim.record(),
            ClaimAt::Shared(claim) => claim.record(),
        }
    }

    /// Opens a file that holds the claimed range, at the same offset as in the whole result. The other bytes of the
    /// file are undefined.
    pub fn open(&self) -> Result<File> {
        match &self.0 {
            ClaimAt::Local(claim) => claim.open(),
            ClaimAt::Shared(claim) => claim.open(),
        }
    }

    /// The CRC-32 that was stored with the result. `file` is what [`open`](Self::open) returned.
    pub fn checksum(&self, file: &File) -> Result<u32> {
        match &self.0 {
            ClaimAt::Local(claim) => claim.checksum(file),
            ClaimAt::Shared(claim) => Ok(claim.checksum()),
        }
    }

    /// Returns whether the claim is still valid. In a shared store, a claim is lost if this instance was cut off for
    /// longer than its lease. Another instance may then deliver the result, so this one must send nothing more of it.
    pub fn holds(&self) -> bool {
        match &self.0 {
            ClaimAt::Local(_) => true,
            ClaimAt::Shared(claim) => claim.holds(),
        }
    }

    /// Notes that the last bytes are being handed to the kernel, so that soon only the acknowledgement is outstanding.
    /// See [`Store::status`](super::Store::status).
    pub fn sent(&self) {
        match &self.0 {
            ClaimAt::Local(claim) => claim.sent(),
            ClaimAt::Shared(claim) => claim.sent(),
        }
    }

    /// Takes [`sent`](Self::sent) back, because not everything was sent after all.
    pub fn unsent(&self) {
        match &self.0 {
            ClaimAt::Local(claim) => claim.unsent(),
            ClaimAt::Shared(claim) => claim.unsent(),
        }
    }

    /// Notes that the peer's kernel has the bytes of this claim. When that kernel has the whole result, over one or
    /// several claims, the link ends and this function returns a receipt. Dropping the receipt deletes the result.
    ///
    /// At most 64 separate pieces of a result are remembered as delivered, and by the local store only until a restart.
    /// Further pieces are not remembered, so the result then stays until it expires or is delivered in larger pieces.
    pub fn delivered(self) -> Option<Receipt> {
        let receipt = match self.0 {
            ClaimAt::Local(claim) => ReceiptAt::Local(claim.delivered()?),
            ClaimAt::Shared(claim) => ReceiptAt::Shared(claim.delivered()?),
        };
        Some(Receipt(receipt))
    }
}

impl Receipt {
    /// Makes the link work again, because the peer was gone before it could read the result.
    pub fn lost(self) {
        match self.0 {
            ReceiptAt::Local(receipt) => receipt.lost(),
            ReceiptAt::Shared(receipt) => receipt.lost(),
        }
    }
}
