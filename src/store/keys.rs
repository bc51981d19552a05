//! The keys by which clients send requests again (`Idempotency-Key`): what the first request with one has led to. Only passes on to
//! where conversions are kept.

use super::{local, shared};
use crate::id::ConversionId;

/// The right of a first request to its key. Dropped, the key is free again.
pub struct KeyHold(pub(super) HoldAt);

pub(super) enum HoldAt {
    Local(local::KeyHold),
    Shared(shared::KeyHold),
}

impl KeyHold {
    /// The request has led to this conversion.
    pub fn done(self, id: ConversionId) {
        match self.0 {
            HoldAt::Local(hold) => hold.done(id),
            HoldAt::Shared(hold) => hold.done(id),
        }
    }
}
